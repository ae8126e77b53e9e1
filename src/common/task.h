/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task and the fixed pool it comes from. Its life:
 *
 *            alloc_init             submit                  the copy is done
 *     FREE ------------> OWNED ---------------> SUBMITTED ------------------> OWNED, in its
 * callback ^                 |  ^                     | refused submit: stays OWNED
 *       +--- task_free ---+  +--- resubmit is submit again
 */
#ifndef COMMON_TASK_H_
#define COMMON_TASK_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_pe.h>

#include "engine/engine.h"

enum task_phase {
	TASK_FREE,	/* in the pool */
	TASK_OWNED,	/* the user's */
	TASK_SUBMITTED, /* ours until its callback */
};

struct doca_task {
	struct engine_op op; /* first: an op is its task; op.next links the pool's free list too */
	struct doca_ctx *ctx;
	struct task_pool *pool;
	union doca_data user_data;
	uint8_t phase;	 /* enum task_phase */
	uint8_t is_lazy; /* DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS of this submission */
	/* Who is told of the task's end instead of the user, if anybody. */
	void (*hook)(struct doca_task *task);
	void *hook_data;
};

/* A completion callback of whatever type of task. */
typedef void (*task_cb)(void);

/* Tasks of one type and one context, all allocated at once; a libdoca_x embeds it. */
struct task_pool {
	struct engine_op *free; /* through op.next */
	void *tasks; /* owned; num_tasks of stride bytes, a struct doca_task first in each */
	uint32_t num_tasks;
	uint32_t num_configured; /* for the next start; 0: not configured */
	task_cb completion_cb;
	task_cb error_cb;

	/* Constant. */
	size_t stride;
	const char *set_conf; /* the call that configures them */
};

static inline struct doca_task *task_of(struct engine_op *op)
{
	return (struct doca_task *)op;
}

/* Allocates and fills the free list, or keeps what fits already; NO_MEMORY changes nothing. */
doca_error_t task_pool_init(struct task_pool *pool, struct doca_ctx *ctx, uint32_t num_tasks);

DOCA_STABLE
void doca__task_pool_fini(struct task_pool *pool);

/*
 * A task for the user, or NULL when all are out. Here, not in the library, for the caller's speed.
 */
static inline struct doca_task *task_pool_take(struct task_pool *pool)
{
	struct doca_task *task;

	if (pool->free == NULL)
		return NULL;
	task = task_of(pool->free);
	pool->free = task->op.next;
	task->phase = TASK_OWNED;
	task->op.status = DOCA_SUCCESS;
	return task;
}

#endif /* COMMON_TASK_H_ */
