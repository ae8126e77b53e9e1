/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The advise context. Its one task, to invalidate caches, has nothing to do on a coherent CPU: it
 * is checked at the submit, and done.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <doca_mmap_advise.h>

#include "common/buf.h"
#include "common/ctx.h"
#include "common/dev.h"
#include "common/sdk_log.h"
#include "common/task.h"

struct doca_mmap_advise {
	struct doca_ctx ctx;  /* first: an advise context is its context */
	struct doca_dev *dev; /* held */
	doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb; /* NULL: no conf */
	uint32_t num_tasks;
	struct task_pool pool;
};

struct doca_mmap_advise_task_invalidate_cache {
	struct doca_task base; /* first: it is its task */
	struct doca_buf *buf;
};

static struct doca_mmap_advise *advise_of(struct doca_ctx *ctx)
{
	return (struct doca_mmap_advise *)ctx;
}

static const struct card_limits *limits_of(const struct doca_mmap_advise *advise)
{
	return &advise->dev->info.card->limits;
}

static doca_error_t advise_start(struct doca_ctx *ctx)
{
	struct doca_mmap_advise *advise = advise_of(ctx);

	if (advise->completion_cb == NULL) {
		LOG_ERROR("advise context %p refuses start: its tasks are not configured; call "
			  "doca_mmap_advise_task_invalidate_cache_set_conf first",
			  (void *)advise);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (doca__task_pool_init(&advise->pool, ctx, advise->num_tasks,
				 sizeof(struct doca_mmap_advise_task_invalidate_cache)) !=
	    DOCA_SUCCESS) {
		LOG_ERROR("advise context %p cannot start: no memory for %u tasks", (void *)advise,
			  advise->num_tasks);
		return DOCA_ERROR_INITIALIZATION;
	}
	ctx->queue_depth = advise->num_tasks;
	return DOCA_SUCCESS;
}

/* What is wrong with a buffer, as the log's line ends; NULL: nothing. */
static const char *find_fault(const struct doca_buf *buf, uint64_t max_size_bytes)
{
	if (buf == NULL)
		return "it is not set; call doca_mmap_advise_task_invalidate_cache_set_buf first";
	if (buf->refcount == 0)
		return "it was released; keep it until the callback";
	if (mmap_of(buf_user(buf)) == NULL)
		return "its mmap was stopped or destroyed; keep that until the callback";
	if (buf->is_inner || buf->piece.next != NULL)
		return "it is in a list; submit a task for each of its elements, unchained";
	if (buf->piece.data_len_bytes > max_size_bytes)
		return "it has more data than "
		       "doca_mmap_advise_task_cache_invalidate_get_max_buf_size tells; split it "
		       "into several tasks";
	return NULL;
}

static doca_error_t advise_prepare(struct doca_task *base, bool is_strict)
{
	const struct doca_mmap_advise *advise = advise_of(base->ctx);
	const struct doca_buf *buf = ((struct doca_mmap_advise_task_invalidate_cache *)base)->buf;
	const uint64_t max_bytes = limits_of(advise)->max_buf_size_bytes;
	const char *fault = find_fault(buf, max_bytes);

	if (fault != NULL) {
		LOG_ERROR("advise context %p: task %p refuses submit of buffer %p with %zu bytes "
			  "(at most %" PRIu64 "): %s",
			  (const void *)advise, (void *)base, (const void *)buf,
			  buf == NULL ? 0 : buf->piece.data_len_bytes, max_bytes, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	base->op.status = DOCA_SUCCESS;
	return DOCA_SUCCESS;
}

/* What is submitted is done: there is no error to call back. */
static void advise_complete(struct doca_task *base)
{
	struct doca_mmap_advise *advise = advise_of(base->ctx);

	advise->completion_cb((struct doca_mmap_advise_task_invalidate_cache *)base,
			      base->user_data, base->ctx->user_data);
}

static const struct ctx_ops advise_ctx_ops = {
	.name = "advise",
	.start = advise_start,
	.prepare = advise_prepare,
	.is_done_when_prepared = true,
	.complete = advise_complete,
	.progress = doca__ctx_no_progress,
	.has_work = doca__ctx_no_work,
	.stop = doca__ctx_no_action,
	.is_over = doca__ctx_is_over,
	.idle = doca__ctx_no_action,
};

doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
	const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (card_can(devinfo->function, CARD_CACHE_INVALIDATE))
		return DOCA_SUCCESS;
	LOG_DEBUG("device %s cannot invalidate caches", devinfo->function->pci_addr);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
	doca_error_t result;

	if (buf_size == NULL)
		return REFUSE_NULL("buf_size");
	result = doca_mmap_advise_cap_task_cache_invalidate_is_supported(devinfo);
	if (result == DOCA_SUCCESS)
		*buf_size = devinfo->card->limits.max_buf_size_bytes;
	return result;
}

doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise)
{
	struct doca_mmap_advise *created;

	if (dev == NULL || mmap_advise == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : "mmap_advise");
	if (!card_can(dev->info.function, CARD_CACHE_INVALIDATE)) {
		LOG_ERROR(
			"device %s refuses an advise context: it cannot invalidate caches; choose "
			"one for which doca_mmap_advise_cap_task_cache_invalidate_is_supported "
			"answers DOCA_SUCCESS",
			dev->info.function->pci_addr);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	created = calloc(1, sizeof(*created));
	if (created == NULL) {
		LOG_ERROR("no memory for an advise context");
		return DOCA_ERROR_NO_MEMORY;
	}
	doca__ctx_init(&created->ctx, &advise_ctx_ops, dev->info.card->engine);
	doca__dev_hold(dev);
	created->dev = dev;
	*mmap_advise = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
	if (mmap_advise == NULL)
		return REFUSE_NULL("mmap_advise");
	if (mmap_advise->ctx.state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("advise context %p refuses destroy: it is not idle, %zu of its tasks are "
			  "not freed; %s",
			  (void *)mmap_advise, mmap_advise->ctx.num_allocated,
			  ctx_way_to_idle(&mmap_advise->ctx));
		return DOCA_ERROR_IN_USE;
	}
	doca__ctx_fini(&mmap_advise->ctx);
	doca__task_pool_fini(&mmap_advise->pool);
	doca__dev_put(mmap_advise->dev);
	free(mmap_advise);
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise)
{
	return mmap_advise == NULL ? NULL : &mmap_advise->ctx;
}

doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks)
{
	if (mmap_advise == NULL)
		return REFUSE_NULL("mmap_advise");
	if (completion_cb == NULL || error_cb == NULL)
		return REFUSE_NULL(completion_cb == NULL ? "completion_cb" : "error_cb");
	if (num_tasks == 0 || num_tasks > limits_of(mmap_advise)->max_num_tasks) {
		LOG_ERROR("advise context %p refuses %u tasks: want 1 to %u", (void *)mmap_advise,
			  num_tasks, limits_of(mmap_advise)->max_num_tasks);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (mmap_advise->ctx.state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("advise context %p refuses a configuration: it is not idle; call it "
			  "before doca_ctx_start",
			  (void *)mmap_advise);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	mmap_advise->completion_cb = completion_cb;
	mmap_advise->num_tasks = num_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task)
{
	struct doca_mmap_advise_task_invalidate_cache *taken;

	if (mmap_advise == NULL || task == NULL)
		return REFUSE_NULL(mmap_advise == NULL ? "mmap_advise" : "task");
	if (mmap_advise->ctx.state != DOCA_CTX_STATE_RUNNING) {
		LOG_ERROR("advise context %p refuses a task: it is not running; %s",
			  (void *)mmap_advise,
			  mmap_advise->ctx.state == DOCA_CTX_STATE_IDLE
				  ? "call doca_ctx_start first"
				  : ctx_way_to_idle(&mmap_advise->ctx));
		return DOCA_ERROR_BAD_STATE;
	}
	taken = (struct doca_mmap_advise_task_invalidate_cache *)task_pool_take(&mmap_advise->pool);
	if (taken == NULL) {
		LOG_DEBUG("advise context %p has no task left: all %u are out; call "
			  "doca_task_free, or configure more with "
			  "doca_mmap_advise_task_invalidate_cache_set_conf",
			  (void *)mmap_advise, mmap_advise->num_tasks);
		return DOCA_ERROR_NO_MEMORY;
	}
	mmap_advise->ctx.num_allocated++;
	taken->base.user_data = user_data;
	taken->buf = buf;
	*task = taken;
	return DOCA_SUCCESS;
}

struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
	struct doca_mmap_advise_task_invalidate_cache *task)
{
	return task == NULL ? NULL : &task->base;
}

void doca_mmap_advise_task_invalidate_cache_set_buf(
	struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf)
{
	if (task != NULL && task->base.phase == TASK_OWNED)
		task->buf = buf;
	else
		LOG_ERROR("%s does nothing: task %p is %s", __func__, (void *)task,
			  task == NULL			  ? "NULL"
			  : task->base.phase == TASK_FREE ? "freed"
							  : "submitted; wait for its callback");
}

struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
	const struct doca_mmap_advise_task_invalidate_cache *task)
{
	return task == NULL ? NULL : task->buf;
}
