/* SPDX-License-Identifier: Apache-2.0 */
/* What every task can do, whatever its library. */
#include "common/task.h"

#include <stdlib.h>

#include "base/placement.h"
#include "common/ctx.h"
#include "common/log_backend.h"
#include "common/plain_copy.h"
#include "common/sdk_log.h"

#define KNOWN_SUBMIT_FLAGS                                                                         \
	((uint32_t)(DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS |         \
		    DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_REQUESTED |                              \
		    DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_PROCESSED))

static struct doca_task *pool_task(struct task_pool *pool, uint32_t index)
{
	return (struct doca_task *)((char *)pool->tasks + index * pool->stride);
}

doca_error_t task_pool_init(struct task_pool *pool, struct doca_ctx *ctx, uint32_t num_tasks)
{
	void *tasks;

	if (pool->num_tasks == num_tasks)
		return DOCA_SUCCESS;
	tasks = calloc(num_tasks, pool->stride);
	if (tasks == NULL)
		return DOCA_ERROR_NO_MEMORY;
	free(pool->tasks);
	pool->free = NULL;
	pool->tasks = tasks;
	pool->num_tasks = num_tasks;
	/* Backwards, so that the first to be taken is the first in memory. */
	for (uint32_t i = num_tasks; i-- > 0;) {
		struct doca_task *task = pool_task(pool, i);

		task->ctx = ctx;
		task->pool = pool;
		task->phase = TASK_FREE;
		task->op.next = pool->free;
		pool->free = &task->op;
	}
	return DOCA_SUCCESS;
}

void doca__task_pool_fini(struct task_pool *pool)
{
	free(pool->tasks);
	*pool = (struct task_pool){0};
}

static const char *phase_name(const struct doca_task *task)
{
	switch ((enum task_phase)task->phase) {
	case TASK_FREE:
		return "freed";
	case TASK_OWNED:
		return "not submitted";
	case TASK_SUBMITTED:
		return "submitted already";
	case TASK_HELD:
		return "in a graph's instance that runs";
	}
	return "damaged";
}

static COLD doca_error_t refuse_submit(const struct doca_task *task)
{
	if (task->phase != TASK_OWNED) {
		LOG_ERROR("task %p refuses submit: it is %s; submit a task that is allocated, or "
			  "in its callback",
			  (const void *)task, phase_name(task));
		return DOCA_ERROR_BAD_STATE;
	}
	if (task->ctx->state != DOCA_CTX_STATE_RUNNING) {
		LOG_ERROR("task %p refuses submit: its %s context %p is not running; call "
			  "doca_ctx_start once it is idle",
			  (const void *)task, task->ctx->ops->name, (const void *)task->ctx);
		return DOCA_ERROR_BAD_STATE;
	}
	LOG_DEBUG("task %p refuses submit for now: %zu tasks are in flight, which is the depth of "
		  "the queue; call doca_pe_progress, then submit again",
		  (const void *)task, task->ctx->num_inflight);
	return DOCA_ERROR_AGAIN;
}

/* Of a copy alone: of another task the library tells what it does. */
static void trace_submit(const struct doca_task *task)
{
	if (task->ctx->has_engine)
		LOG_TRACE("%s context %p: task %p submitted, %zu bytes from %p to %p",
			  task->ctx->ops->name, (const void *)task->ctx, (const void *)task,
			  task->op.len_bytes, (const void *)task->op.source->data,
			  (const void *)piece_tail(task->op.target));
}

static OUT_OF_LINE doca_error_t submit(struct doca_task *task, uint32_t flags, bool is_strict)
{
	struct doca_ctx *ctx;
	doca_error_t result;

	if (task == NULL)
		return REFUSE_NULL("task");
	ctx = task->ctx;
	if (task->phase != TASK_OWNED || ctx->state != DOCA_CTX_STATE_RUNNING ||
	    ctx->num_inflight >= ctx->queue_depth)
		return refuse_submit(task);
	result = ctx->ops->prepare(task, is_strict);
	if (result != DOCA_SUCCESS)
		return result;
	trace_submit(task);
	ctx_submit(ctx, task, flags);
	return DOCA_SUCCESS;
}

doca_error_t doca_task_submit(struct doca_task *task)
{
	if (doca_likely(task != NULL && !log_sdk_wants(DOCA_LOG_LEVEL_TRACE) &&
			plain_submit(task->ctx, task))) {
		pe_wake(task->ctx->pe);
		return DOCA_SUCCESS;
	}
	return submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, false);
}

doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
	if (doca_unlikely((flags & ~KNOWN_SUBMIT_FLAGS) != 0)) {
		LOG_ERROR("task %p refuses submit: unknown flags 0x%x; want a mask of enum "
			  "doca_task_submit_flag",
			  (void *)task, flags & ~KNOWN_SUBMIT_FLAGS);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return submit(task, flags, false);
}

doca_error_t doca_task_try_submit(struct doca_task *task)
{
	return submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, true);
}

static COLD void refuse_free(const struct doca_task *task)
{
	LOG_ERROR("doca_task_free does nothing: task %p is %s", (const void *)task,
		  task == NULL ? "NULL" : phase_name(task));
}

void doca_task_free(struct doca_task *task)
{
	if (doca_unlikely(task == NULL || task->phase != TASK_OWNED)) {
		refuse_free(task);
		return;
	}
	task->phase = TASK_FREE;
	task->num_frees++;
	task->op.next = task->pool->free;
	task->pool->free = &task->op;
	ctx_task_freed(task->ctx);
}

doca_error_t doca_task_get_status(const struct doca_task *task)
{
	if (task == NULL)
		return REFUSE_NULL("task");
	return task->op.status;
}

void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
	if (task == NULL)
		(void)REFUSE_NULL("task");
	else
		task->user_data = user_data;
}

union doca_data doca_task_get_user_data(const struct doca_task *task)
{
	if (task == NULL) {
		(void)REFUSE_NULL("task");
		return (union doca_data){.u64 = 0};
	}
	return task->user_data;
}

struct doca_ctx *doca_task_get_ctx(const struct doca_task *task)
{
	return task == NULL ? NULL : task->ctx;
}
