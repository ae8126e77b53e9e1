/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every library with contexts and tasks does alike: what its calls refuse, with a line in the
 * log as if it came from the place that LOG_HERE names there, and what they then make.
 */
#ifndef COMMON_LIBRARY_H_
#define COMMON_LIBRARY_H_

#include "common/ctx.h"
#include "common/dev.h"
#include "common/sdk_log.h"
#include "common/task.h"

/*
 * The answer to a question for a capability: DOCA_SUCCESS when the device has one of that mask of
 * enum card_capability, else NOT_SUPPORTED; INVALID_VALUE for NULL.
 */
DOCA_STABLE
doca_error_t doca__devinfo_can(struct log_place place, const struct doca_devinfo *devinfo,
			       uint32_t capabilities);

/* A create that needs one: NOT_SUPPORTED. What, and the call that would have told. */
DOCA_STABLE
doca_error_t doca__dev_require(struct log_place place, const struct doca_dev *dev,
			       enum card_capability capability, const char *what, const char *call);

/*
 * A library's object, all zero but for the context that it begins with: idle, and holding the
 * device, unless that is NULL. NULL: no memory.
 */
DOCA_STABLE
void *doca__ctx_new(struct log_place place, const struct ctx_ops *ops, struct doca_dev *dev,
		    size_t size_bytes);

/* The end of an object, whose context is idle. */
DOCA_STABLE
void doca__ctx_delete(struct doca_ctx *ctx);

/* IN_USE: a destroy has to wait until the context is idle. */
DOCA_STABLE
doca_error_t doca__ctx_check_destroy(struct log_place place, const struct doca_ctx *ctx);

/* BAD_STATE: what is set before the start is refused later. */
DOCA_STABLE
doca_error_t doca__ctx_check_setter(struct log_place place, const struct doca_ctx *ctx);

/*
 * How many tasks of a type start makes, and whom they tell. INVALID_VALUE: a callback is NULL, or
 * the number not 1 to max_tasks; BAD_STATE: not idle.
 */
DOCA_STABLE
doca_error_t doca__tasks_set_conf(struct log_place place, const struct doca_ctx *ctx,
				  struct task_pool *pool, task_cb completion_cb, task_cb error_cb,
				  uint32_t num_tasks, uint32_t max_tasks);

/*
 * Start makes them, and the queue as much deeper. INVALID_VALUE: they are not configured;
 * INITIALIZATION: no memory.
 */
DOCA_STABLE
doca_error_t doca__tasks_start(struct log_place place, struct doca_ctx *ctx,
			       struct task_pool *pool);

/* Says why there is no task. */
DOCA_STABLE
void doca__tasks_refuse(struct log_place place, const struct doca_ctx *ctx,
			const struct task_pool *pool);

/* There is a task for the user. Here, as the next two, for the caller's speed. */
static inline bool tasks_may_take(const struct doca_ctx *ctx, const struct task_pool *pool)
{
	return ctx->state == DOCA_CTX_STATE_RUNNING && pool->free != NULL;
}

/* That task. */
static inline struct doca_task *tasks_take_one(struct doca_ctx *ctx, struct task_pool *pool,
					       union doca_data user_data)
{
	struct doca_task *task = task_pool_take(pool);

	task->user_data = user_data;
	ctx->num_allocated++;
	return task;
}

/* The same. BAD_STATE: the context does not run; NO_MEMORY: all are out. */
static inline doca_error_t tasks_take(struct log_place place, struct doca_ctx *ctx,
				      struct task_pool *pool, union doca_data user_data,
				      struct doca_task **task)
{
	if (doca_unlikely(!tasks_may_take(ctx, pool))) {
		*task = NULL;
		doca__tasks_refuse(place, ctx, pool);
		return ctx->state != DOCA_CTX_STATE_RUNNING ? DOCA_ERROR_BAD_STATE
							    : DOCA_ERROR_NO_MEMORY;
	}
	*task = tasks_take_one(ctx, pool, user_data);
	return DOCA_SUCCESS;
}

/* A setter of a task does nothing. */
DOCA_STABLE
void doca__task_refuse_setter(struct log_place place, const struct doca_task *task);

/* A task's fields are its owner's to set. */
static inline bool task_may_set(struct log_place place, const struct doca_task *task)
{
	if (doca_likely(task != NULL && task->phase == TASK_OWNED))
		return true;
	doca__task_refuse_setter(place, task);
	return false;
}

/* The callback that a task's status calls for. */
static inline task_cb task_callback(const struct doca_task *task)
{
	return task->op.status == DOCA_SUCCESS ? task->pool->completion_cb : task->pool->error_cb;
}

#endif /* COMMON_LIBRARY_H_ */
