/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of the usual copy, of one buffer of this process to one, through a context in which
 * nothing else waits: submit, copy and callback without a call in between but the copy's own. All
 * that these look at is what the long way looks at, and what they do not like goes there.
 */
#ifndef COMMON_PLAIN_COPY_H_
#define COMMON_PLAIN_COPY_H_

#include "common/buf.h"
#include "common/ctx.h"
#include "engine/inline/inline.h"

/* Submit it, by plain doca_task_submit; false: nothing was done. */
static inline bool plain_submit(struct doca_ctx *ctx, struct doca_task *task)
{
	struct inline_queue *queue = ctx->straight;
	struct engine_op *op = &task->op;

	if (doca_unlikely(queue == NULL || task->phase != TASK_OWNED))
		return false;
	if (doca_unlikely(ctx->num_inflight >= ctx->queue_depth))
		return false;
	if (doca_unlikely(!buf_is_plain(buf_of(op->source), MMAP_READ)))
		return false;
	if (doca_unlikely(!buf_is_plain(buf_of(op->target), MMAP_WRITE)))
		return false;
	op->len_bytes = op->source->data_len_bytes;
	if (doca_unlikely(op->len_bytes > ctx->max_plain_bytes))
		return false;
	op->is_foreign = false;
	op->fault = COPY_SOUND;
	op->status = DOCA_SUCCESS;
	task->phase = TASK_SUBMITTED;
	task->is_lazy = false;
	ctx->num_inflight++;
	fifo_push(&queue->ops, op);
	return true;
}

/* Copy the oldest, of up to max_bytes; NULL: nothing was done. Then comes plain_complete. */
static inline struct doca_task *plain_copy(struct doca_ctx *ctx, size_t max_bytes)
{
	struct inline_queue *queue = ctx->straight;
	struct engine_op *op;

	if (doca_unlikely(queue == NULL))
		return NULL;
	op = queue->ops.first;
	if (doca_unlikely(op == NULL || task_of(op)->is_lazy))
		return NULL;
	return inline_copy_plain(queue, &max_bytes) ? task_of(op) : NULL;
}

/* It is the user's again, who is called. True when the user was. */
static inline bool plain_complete(struct doca_ctx *ctx, struct doca_task *task)
{
	ctx->num_inflight--;
	task->phase = TASK_OWNED;
	if (doca_unlikely(task->hook != NULL))
		return ctx_call_hook(ctx, task);
	ctx_call_back(ctx, task, task->pool->completion_cb);
	return doca_likely(ctx->is_steady) || ctx_settle(ctx, true);
}

#endif /* COMMON_PLAIN_COPY_H_ */
