/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies in the thread that polls: no thread, lock, atomic or system call. Submit only queues, so
 * that nothing has moved before progress.
 */
#include "engine/inline/inline.h"

#include <assert.h>
#include <stdlib.h>

#include "base/placement.h"

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

static void fail(struct engine_op *op, enum copy_fault fault)
{
	op->status = DOCA_ERROR_IO_FAILED;
	op->fault = fault;
}

/* Stand before the first byte; false when the op is to come back with its status as it is now. */
static bool begin(struct inline_queue *queue, struct engine_op *op)
{
	enum copy_fault fault;

	if (op->status != DOCA_SUCCESS)
		return false;
	fault = copy_check(op->source, op->target, op->len_bytes);
	if (fault != COPY_SOUND) {
		fail(op, fault);
		return false;
	}
	copy_walk_begin(&queue->walk, &queue->history, op->source, op->target, op->len_bytes);
	queue->is_under_way = true;
	return true;
}

static enum engine_polled give_back(struct inline_queue *queue, struct engine_op **done)
{
	queue->is_under_way = false;
	*done = fifo_pop(&queue->ops);
	return ENGINE_DONE;
}

/* Any op: what is not plain, what fails, and what goes on from an earlier call. */
static OUT_OF_LINE enum engine_polled poll_any(struct inline_queue *queue, struct engine_op *op,
					       size_t *budget_bytes, struct engine_op **done)
{
	bool is_first = !queue->is_under_way;
	size_t copied;

	if (*budget_bytes == 0)
		return ENGINE_IDLE;
	if (queue->is_aborted) {
		op->status = DOCA_ERROR_IO_FAILED;
		return give_back(queue, done);
	}
	if (is_first && !begin(queue, op))
		return give_back(queue, done);

	copied = is_first || copy_walk_may_go_on(&queue->walk, op->source, op->target)
			 ? copy_walk_step(&queue->walk, *budget_bytes)
			 : 0;
	*budget_bytes -= copied;
	if (queue->walk.left_bytes == 0) {
		if (doca_unlikely(!copy_commit(op->target, op->len_bytes)))
			fail(op, COPY_CHANGED);
		return give_back(queue, done);
	}
	if (copied == 0) {
		fail(op, COPY_CHANGED);
		return give_back(queue, done);
	}
	if (is_first)
		copy_walk_pause(&queue->walk, op->target);
	return ENGINE_PART;
}

static enum engine_polled inline_poll(struct engine_queue *engine_queue, size_t *budget_bytes,
				      struct engine_op **done)
{
	struct inline_queue *queue = queue_of(engine_queue);
	struct engine_op *op = queue->ops.first;

	if (op == NULL)
		return ENGINE_IDLE;
	if (!inline_copy_plain(queue, *budget_bytes))
		return poll_any(queue, op, budget_bytes, done);
	*budget_bytes -= op->len_bytes;
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
