/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of a library refuse, and make, as those of every other do. */
#include "common/library.h"

doca_error_t doca__devinfo_can(struct log_place place, const struct doca_devinfo *devinfo,
			       uint32_t capabilities)
{
	if (devinfo == NULL)
		return doca__refuse_null(place, "devinfo");
	if ((devinfo->function->capabilities & capabilities) != 0)
		return DOCA_SUCCESS;
	LOG_FROM(place, DOCA_LOG_LEVEL_DEBUG, "%s: device %s does not", place.func,
		 devinfo->function->name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca__dev_require(struct log_place place, const struct doca_dev *dev,
			       enum card_capability capability, const char *what, const char *call)
{
	if (card_can(dev->info.function, capability))
		return DOCA_SUCCESS;
	LOG_ERROR_FROM(
		place,
		"device %s refuses %s: it has none; choose one for which %s answers DOCA_SUCCESS",
		dev->info.function->name, what, call);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca__ctx_check_destroy(struct log_place place, const struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return ctx_check_graphs(place, ctx);
	LOG_ERROR_FROM(
		place,
		"%s context %p refuses destroy: it is not idle, %zu of its tasks are not freed; %s",
		ctx->ops->name, (const void *)ctx, ctx->num_allocated, ctx_way_to_idle(ctx));
	return DOCA_ERROR_IN_USE;
}

doca_error_t doca__ctx_check_setter(struct log_place place, const struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	LOG_ERROR_FROM(place, "%s context %p refuses %s: it is not idle; %s", ctx->ops->name,
		       (const void *)ctx, place.func, ctx_way_to_idle(ctx));
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca__tasks_set_conf(struct log_place place, const struct doca_ctx *ctx,
				  struct task_pool *pool, task_cb completion_cb, task_cb error_cb,
				  uint32_t num_tasks, uint32_t max_tasks)
{
	doca_error_t result;

	if (completion_cb == NULL || error_cb == NULL)
		return doca__refuse_null(place, completion_cb == NULL ? "the completion callback"
								      : "the error callback");
	if (num_tasks == 0 || num_tasks > max_tasks) {
		LOG_ERROR_FROM(place, "%s context %p refuses %s of %u tasks: want 1 to %u",
			       ctx->ops->name, (const void *)ctx, place.func, num_tasks, max_tasks);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = doca__ctx_check_setter(place, ctx);
	if (result != DOCA_SUCCESS)
		return result;
	pool->completion_cb = completion_cb;
	pool->error_cb = error_cb;
	pool->num_configured = num_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca__tasks_start(struct log_place place, struct doca_ctx *ctx, struct task_pool *pool)
{
	if (pool->num_configured == 0) {
		LOG_ERROR_FROM(
			place,
			"%s context %p refuses start: its tasks are not configured; call %s first",
			ctx->ops->name, (void *)ctx, pool->set_conf);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (task_pool_init(pool, ctx, pool->num_configured) != DOCA_SUCCESS) {
		LOG_ERROR_FROM(place, "%s context %p cannot start: no memory for %u tasks",
			       ctx->ops->name, (void *)ctx, pool->num_configured);
		return DOCA_ERROR_INITIALIZATION;
	}
	ctx->queue_depth += pool->num_tasks;
	return DOCA_SUCCESS;
}

void doca__tasks_refuse(struct log_place place, const struct doca_ctx *ctx,
			const struct task_pool *pool)
{
	if (ctx->state != DOCA_CTX_STATE_RUNNING)
		LOG_ERROR_FROM(place, "%s context %p refuses a task: it is not running; %s",
			       ctx->ops->name, (const void *)ctx, ctx_way_to_running(ctx));
	else
		LOG_FROM(place, DOCA_LOG_LEVEL_DEBUG,
			 "%s context %p has no task left: all %u are out; call doca_task_free, or "
			 "configure more with %s",
			 ctx->ops->name, (const void *)ctx, pool->num_tasks, pool->set_conf);
}

void doca__task_refuse_setter(struct log_place place, const struct doca_task *task)
{
	LOG_ERROR_FROM(place, "%s does nothing: task %p is %s", place.func, (const void *)task,
		       task == NULL		  ? "NULL"
		       : task->phase == TASK_FREE ? "freed"
		       : task->phase == TASK_HELD ? "in a graph's instance that runs"
						  : "submitted; wait for its callback");
}
