/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The advise context. Its one task, to invalidate caches, has nothing to do on a coherent CPU: it
 * is checked at the submit, and done.
 */
#include <doca_mmap_advise.h>

#include "common/buf.h"
#include "common/library.h"

struct doca_mmap_advise {
	struct doca_ctx ctx; /* first: an advise context is its context */
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
	return &advise->ctx.dev->info.card->limits;
}

static doca_error_t advise_start(struct doca_ctx *ctx)
{
	return doca__tasks_start(LOG_HERE, ctx, &advise_of(ctx)->pool);
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
	const char *fault = find_fault(buf, limits_of(advise)->max_buf_size_bytes);

	if (fault != NULL) {
		LOG_ERROR("advise context %p: task %p refuses submit of buffer %p with %zu bytes: "
			  "%s",
			  (const void *)advise, (void *)base, (const void *)buf,
			  buf == NULL ? 0 : buf->piece.data_len_bytes, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	base->op.status = DOCA_SUCCESS;
	return DOCA_SUCCESS;
}

/* What is submitted is done: there is no error to call back. */
static void advise_complete(struct doca_task *base)
{
	((doca_mmap_advise_task_invalidate_cache_completion_cb_t)task_callback(base))(
		(struct doca_mmap_advise_task_invalidate_cache *)base, base->user_data,
		base->ctx->user_data);
}

static const struct ctx_ops advise_ctx_ops = {
	.name = "advise",
	.start = advise_start,
	.prepare = advise_prepare,
	.is_done_when_prepared = true,
	.complete = advise_complete,
};

doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
	const struct doca_devinfo *devinfo)
{
	return doca__devinfo_can(LOG_HERE, devinfo, CARD_CACHE_INVALIDATE);
}

doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
	doca_error_t result;

	if (buf_size == NULL)
		return REFUSE_NULL("buf_size");
	result = doca__devinfo_can(LOG_HERE, devinfo, CARD_CACHE_INVALIDATE);
	if (result == DOCA_SUCCESS)
		*buf_size = devinfo->card->limits.max_buf_size_bytes;
	return result;
}

doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise)
{
	struct doca_mmap_advise *created;
	doca_error_t result;

	if (dev == NULL || mmap_advise == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : "mmap_advise");
	result = doca__dev_require(LOG_HERE, dev, CARD_CACHE_INVALIDATE, "an advise context",
				   "doca_mmap_advise_cap_task_cache_invalidate_is_supported");
	if (result != DOCA_SUCCESS)
		return result;
	created = doca__ctx_new(LOG_HERE, &advise_ctx_ops, dev, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->pool.stride = sizeof(struct doca_mmap_advise_task_invalidate_cache);
	created->pool.set_conf = "doca_mmap_advise_task_invalidate_cache_set_conf";
	*mmap_advise = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
	doca_error_t result;

	if (mmap_advise == NULL)
		return REFUSE_NULL("mmap_advise");
	result = doca__ctx_check_destroy(LOG_HERE, &mmap_advise->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	doca__task_pool_fini(&mmap_advise->pool);
	doca__ctx_delete(&mmap_advise->ctx);
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
	doca_error_t result;

	if (mmap_advise == NULL)
		return REFUSE_NULL("mmap_advise");
	result = doca__tasks_set_conf(LOG_HERE, &mmap_advise->ctx, &mmap_advise->pool,
				      (task_cb)completion_cb, (task_cb)error_cb, num_tasks,
				      limits_of(mmap_advise)->max_num_tasks);
	return result == DOCA_ERROR_BAD_STATE ? DOCA_ERROR_NOT_PERMITTED : result;
}

doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task)
{
	struct doca_task *taken;
	doca_error_t result;

	if (mmap_advise == NULL || task == NULL)
		return REFUSE_NULL(mmap_advise == NULL ? "mmap_advise" : "task");
	result = tasks_take(LOG_HERE, &mmap_advise->ctx, &mmap_advise->pool, user_data, &taken);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct doca_mmap_advise_task_invalidate_cache *)taken;
	(*task)->buf = buf;
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
	if (task_may_set(LOG_HERE, (struct doca_task *)task))
		task->buf = buf;
}

struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
	const struct doca_mmap_advise_task_invalidate_cache *task)
{
	return task == NULL ? NULL : task->buf;
}
