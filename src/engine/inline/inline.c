/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies in the thread that polls: no thread, lock, atomic or system call. Submit only queues, so
 * that nothing has moved before progress.
 */
#include "engine/inline/inline.h"

#include <assert.h>
#include <stdlib.h>

static struct inline_queue *queue_of(struct engine_queue *queue)
{
	return (struct inline_queue *)queue;
}

static doca_error_t inline_open(struct engine_queue **queue, struct waker *waker)
{
	struct inline_queue *opened = calloc(1, sizeof(*opened));

	if (opened == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*queue = (struct engine_queue *)opened;
	return DOCA_SUCCESS;
}

static void inline_close(struct engine_queue *queue)
{
	assert(queue_of(queue)->ops.first == NULL);
	free(queue);
}

static void inline_abort(struct engine_queue *queue)
{
	queue_of(queue)->is_aborted = true;
}

static void inline_submit(struct engine_queue *queue, struct engine_op *op)
{
	fifo_push(&queue_of(queue)->ops, op);
}

static bool inline_has_work(const struct engine_queue *queue)
{
	return ((const struct inline_queue *)queue)->ops.first != NULL;
}

static bool inline_is_empty(const struct engine_queue *queue)
{
	return !inline_has_work(queue);
}

static enum engine_polled inline_poll(struct engine_queue *engine_queue, size_t *budget_bytes,
				      struct engine_op **done)
{
	struct inline_queue *queue = queue_of(engine_queue);
	struct engine_op *op = queue->ops.first;

	if (op == NULL || *budget_bytes == 0)
		return ENGINE_IDLE;
	if (!inline_copy_plain(queue, budget_bytes)) {
		if (!place_step(&queue->place, op, budget_bytes, queue->is_aborted))
			return ENGINE_PART;
		fifo_pop(&queue->ops);
	}
	*done = op;
	return ENGINE_DONE;
}

const struct engine_ops inline_engine = {
	.name = "inline",
	.open = inline_open,
	.close = inline_close,
	.abort = inline_abort,
	.submit = inline_submit,
	.poll = inline_poll,
	.has_work = inline_has_work,
	.is_empty = inline_is_empty,
};
