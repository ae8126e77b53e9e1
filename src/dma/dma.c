/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA context: what it can do, how it is configured. */
#include "dma/dma.h"

#include <stdlib.h>

#include "common/sdk_log.h"

static doca_error_t dma_start(struct doca_ctx *ctx)
{
	struct doca_dma *dma = dma_of(ctx);

	if (dma->completion_cb == NULL) {
		LOG_ERROR("dma context %p refuses start: its tasks are not configured; call "
			  "doca_dma_task_memcpy_set_conf first",
			  (void *)dma);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (doca__task_pool_init(&dma->pool, ctx, dma->num_tasks,
				 sizeof(struct doca_dma_task_memcpy)) != DOCA_SUCCESS) {
		LOG_ERROR("dma context %p cannot start: no memory for %u tasks", (void *)dma,
			  dma->num_tasks);
		return DOCA_ERROR_INITIALIZATION;
	}
	/* Deeper than the pool would never be full, and reports may wait until it is. */
	ctx->queue_depth = dma->num_tasks;
	if (dma->limits.queue_depth != 0 && dma->limits.queue_depth < dma->num_tasks)
		ctx->queue_depth = dma->limits.queue_depth;
	return DOCA_SUCCESS;
}

static const struct ctx_ops dma_ctx_ops = {
	.name = "dma",
	.start = dma_start,
	.prepare = memcpy_prepare,
	.fails_whole = true,
	.complete = memcpy_complete,
	.conclude = memcpy_conclude,
	.progress = doca__ctx_no_progress,
	.has_work = doca__ctx_no_work,
	.stop = doca__ctx_no_action,
	.is_over = doca__ctx_is_over,
	.idle = doca__ctx_no_action,
};

static bool can_copy(const struct doca_devinfo *devinfo)
{
	return card_can(devinfo->function, CARD_DMA);
}

doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
	struct doca_dma *created;

	if (dev == NULL || dma == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : "dma");
	if (!can_copy(&dev->info)) {
		LOG_ERROR("device %s refuses a dma context: it cannot copy; choose one for which "
			  "doca_dma_cap_task_memcpy_is_supported answers DOCA_SUCCESS",
			  dev->info.function->pci_addr);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	created = calloc(1, sizeof(*created));
	if (created == NULL) {
		LOG_ERROR("no memory for a dma context");
		return DOCA_ERROR_NO_MEMORY;
	}
	doca__ctx_init(&created->ctx, &dma_ctx_ops, dev->info.card->engine);
	doca__dev_hold(dev);
	created->dev = dev;
	created->limits = dev->info.card->limits;
	created->hardware_errors = dev->info.card->errors == SETTINGS_ERRORS_HARDWARE;
	*dma = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
	if (dma == NULL)
		return REFUSE_NULL("dma");
	if (dma->ctx.state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("dma context %p refuses destroy: it is not idle, %zu of its tasks are "
			  "not freed; %s",
			  (void *)dma, dma->ctx.num_allocated, ctx_way_to_idle(&dma->ctx));
		return DOCA_ERROR_IN_USE;
	}
	doca__ctx_fini(&dma->ctx);
	doca__task_pool_fini(&dma->pool);
	doca__dev_put(dma->dev);
	free(dma);
	return DOCA_SUCCESS;
}

/* Checks shared by the capability getters of a device. */
static doca_error_t check_capability(const struct doca_devinfo *devinfo, const char *call)
{
	if (!can_copy(devinfo)) {
		LOG_DEBUG("%s: device %s cannot copy", call, devinfo->function->pci_addr);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return check_capability(devinfo, __func__);
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							   uint32_t *max_buf_list_len)
{
	doca_error_t result;

	if (devinfo == NULL || max_buf_list_len == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "max_buf_list_len");
	result = check_capability(devinfo, __func__);
	if (result == DOCA_SUCCESS)
		*max_buf_list_len = devinfo->card->limits.max_buf_list_len;
	return result;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
						       uint64_t *buf_size)
{
	doca_error_t result;

	if (devinfo == NULL || buf_size == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "buf_size");
	result = check_capability(devinfo, __func__);
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
	if (task_completion_cb == NULL || task_error_cb == NULL)
		return REFUSE_NULL(task_completion_cb == NULL ? "task_completion_cb"
							      : "task_error_cb");
	if (num_memcpy_tasks == 0 || num_memcpy_tasks > dma->limits.max_num_tasks) {
		LOG_ERROR("dma context %p refuses %u tasks: want 1 to %u, which "
			  "doca_dma_cap_get_max_num_tasks tells",
			  (void *)dma, num_memcpy_tasks, dma->limits.max_num_tasks);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (dma->ctx.state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("dma context %p refuses a configuration: it is not idle; call it before "
			  "doca_ctx_start",
			  (void *)dma);
		return DOCA_ERROR_BAD_STATE;
	}
	dma->completion_cb = task_completion_cb;
	dma->error_cb = task_error_cb;
	dma->num_tasks = num_memcpy_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma)
{
	if (dma == NULL || gpu_dma == NULL)
		return REFUSE_NULL(dma == NULL ? "dma" : "gpu_dma");
	LOG_ERROR("dma context %p refuses a GPU handle: a virtual card has no GPU; leave the call "
		  "out",
		  (void *)dma);
	return DOCA_ERROR_NOT_SUPPORTED;
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
