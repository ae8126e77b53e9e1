/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA context: what it can do, how it is configured. */
#include "dma/dma.h"

#include "common/library.h"

static doca_error_t dma_start(struct doca_ctx *ctx)
{
	return doca__tasks_start(LOG_HERE, ctx, &dma_of(ctx)->pool);
}

static const struct ctx_ops dma_ctx_ops = {
	.name = "dma",
	.start = dma_start,
	.prepare = memcpy_prepare,
	.fails_whole = true,
	.conclude = memcpy_conclude,
};

doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
	struct doca_dma *created;
	doca_error_t result;

	if (dev == NULL || dma == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : "dma");
	result = doca__dev_require(LOG_HERE, dev, CARD_DMA, "a dma context",
				   "doca_dma_cap_task_memcpy_is_supported");
	if (result != DOCA_SUCCESS)
		return result;
	created = doca__ctx_new(LOG_HERE, &dma_ctx_ops, dev, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->limits = dev->info.card->limits;
	created->hardware_errors = dev->info.card->errors == SETTINGS_ERRORS_HARDWARE;
	created->ctx.max_plain_bytes = created->limits.max_buf_size_bytes;
	created->pool.stride = sizeof(struct doca_dma_task_memcpy);
	created->pool.set_conf = "doca_dma_task_memcpy_set_conf";
	*dma = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
	doca_error_t result;

	if (dma == NULL)
		return REFUSE_NULL("dma");
	result = doca__ctx_check_destroy(LOG_HERE, &dma->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	doca__task_pool_fini(&dma->pool);
	doca__ctx_delete(&dma->ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
	return doca__devinfo_can(LOG_HERE, devinfo, CARD_DMA);
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							   uint32_t *max_buf_list_len)
{
	doca_error_t result;

	if (max_buf_list_len == NULL)
		return REFUSE_NULL("max_buf_list_len");
	result = doca__devinfo_can(LOG_HERE, devinfo, CARD_DMA);
	if (result == DOCA_SUCCESS)
		*max_buf_list_len = devinfo->card->limits.max_buf_list_len;
	return result;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
						       uint64_t *buf_size)
{
	doca_error_t result;

	if (buf_size == NULL)
		return REFUSE_NULL("buf_size");
	result = doca__devinfo_can(LOG_HERE, devinfo, CARD_DMA);
	if (result == DOCA_SUCCESS)
		*buf_size = devinfo->card->limits.max_buf_size_bytes;
	return result;
}

struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
	return dma == NULL ? NULL : &dma->ctx;
}

doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks)
{
	if (dma == NULL || max_num_tasks == NULL)
		return REFUSE_NULL(dma == NULL ? "dma" : "max_num_tasks");
	*max_num_tasks = dma->limits.max_num_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma,
					   doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb,
					   uint32_t num_memcpy_tasks)
{
	if (dma == NULL)
		return REFUSE_NULL("dma");
	return doca__tasks_set_conf(LOG_HERE, &dma->ctx, &dma->pool, (task_cb)task_completion_cb,
				    (task_cb)task_error_cb, num_memcpy_tasks,
				    dma->limits.max_num_tasks);
}

doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma)
{
	return REFUSE_LACKING(NAME_IF_NULL(dma) ?: NAME_IF_NULL(gpu_dma), "GPU");
}

doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t ordered_completions)
{
	if (dma == NULL)
		return REFUSE_NULL("dma");
	if (ordered_completions > 1) {
		LOG_ERROR("dma context %p refuses ordered completions of %u: want 0 or 1",
			  (void *)dma, ordered_completions);
		return DOCA_ERROR_INVALID_VALUE;
	}
	dma->ordered_completions = ordered_completions;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_get_ordered_completions(struct doca_dma *dma, uint8_t *ordered_completions)
{
	if (dma == NULL || ordered_completions == NULL)
		return REFUSE_NULL(dma == NULL ? "dma" : "ordered_completions");
	*ordered_completions = dma->ordered_completions;
	return DOCA_SUCCESS;
}
