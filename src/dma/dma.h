/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA context and its copy task. */
#ifndef DMA_DMA_H_
#define DMA_DMA_H_

#include <stdbool.h>

#include <doca_dma.h>

#include "common/ctx.h"
#include "common/dev.h"
#include "common/task.h"

struct doca_dma {
	struct doca_ctx ctx; /* first: a DMA context is its context */
	struct card_limits limits;
	bool hardware_errors; /* SOFTDOCA_ERRORS=hardware: a card reports, the submit does not */
	uint8_t ordered_completions;
	struct task_pool pool;
};

/* Its buffers are the op's lists: a buffer starts with its piece. */
struct doca_dma_task_memcpy {
	struct doca_task base; /* first: a copy task is its task */
};

static inline struct doca_dma *dma_of(struct doca_ctx *ctx)
{
	return (struct doca_dma *)ctx;
}

static inline const struct doca_buf *task_src(const struct doca_dma_task_memcpy *task)
{
	return (const struct doca_buf *)task->base.op.source;
}

static inline struct doca_buf *task_dst(const struct doca_dma_task_memcpy *task)
{
	return (struct doca_buf *)task->base.op.target;
}

/* What ctx_ops wants of the copy task. */
doca_error_t memcpy_prepare(struct doca_task *base, bool is_strict);
void memcpy_conclude(struct doca_task *base);

#endif /* DMA_DMA_H_ */
