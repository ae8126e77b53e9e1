/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of a queue that were handed over: begun, cut into slices, ended, in their order. */
#include "engine/workers/job.h"

/* Bytes would be read after they were written, if slices were copied in any order. */
static bool overlaps(const struct engine_op *op)
{
	uintptr_t from = (uintptr_t)op->source->data;
	uintptr_t to = (uintptr_t)piece_tail(op->target);

	return op->source->next == NULL && op->target->next == NULL &&
	       (to - from < op->len_bytes || from - to < op->len_bytes);
}

/* What comes after a failed op waits until the owner has seen it, and may have aborted. */
static void finish(struct workers_queue *queue)
{
	struct engine_op *op = fifo_pop(&queue->handed);

	queue->is_active = false;
	queue->place.is_under_way = false;
	queue->is_halted = op->status != DOCA_SUCCESS && !queue->is_aborted;
	fifo_push(&queue->done, op);
}

/* Make the next active, unless one is. */
static void begin_next(struct workers_queue *queue)
{
	while (!queue->is_active && !queue->is_halted && queue->handed.first != NULL) {
		struct engine_op *op = queue->handed.first;

		if (queue->is_aborted) {
			op->status = DOCA_ERROR_IO_FAILED;
			finish(queue);
		} else if (queue->place.is_under_way || place_begin(&queue->place, op)) {
			if (queue->place.walk.room_bytes == 0)
				copy_walk_pause(&queue->place.walk, op->target);
			queue->is_serial = overlaps(op);
			queue->fault = COPY_SOUND;
			queue->is_active = true;
		} else {
			finish(queue);
		}
	}
}

bool job_is_open(const struct workers_queue *queue)
{
	return queue->is_active && !queue->is_aborted && queue->fault == COPY_SOUND &&
	       queue->place.walk.left_bytes > 0 && !(queue->is_serial && queue->num_running > 0);
}

/* Nothing of the active op runs, and nothing more will: it is done, and the next begins. */
static void settle(struct workers_queue *queue)
{
	struct engine_op *op = queue->handed.first;

	if (!queue->is_active || queue->num_running > 0 || job_is_open(queue))
		return;
	if (queue->fault != COPY_SOUND)
		op_fail(op, queue->fault);
	else if (queue->place.walk.left_bytes > 0) /* aborted */
		op->status = DOCA_ERROR_IO_FAILED;
	else if (!copy_walk_may_go_on(&queue->place.walk, op->source, op->target))
		op_fail(op, COPY_CHANGED);
	else
		copy_commit(op->target, op->len_bytes);
	finish(queue);
	begin_next(queue);
}

void job_push(struct workers_queue *queue, size_t least_bytes)
{
	while (queue->waiting.first != NULL && queue->waiting.first->len_bytes >= least_bytes) {
		fifo_push(&queue->handed, fifo_pop(&queue->waiting));
		queue->num_handed++;
	}
	begin_next(queue);
}

struct engine_op *job_pop(struct workers_queue *queue)
{
	struct engine_op *op = fifo_pop(&queue->done);

	if (op != NULL)
		queue->num_handed--;
	return op;
}

void job_go_on(struct workers_queue *queue)
{
	queue->is_halted = false;
	begin_next(queue);
}

void job_abort(struct workers_queue *queue)
{
	queue->is_aborted = true;
	settle(queue);
	job_go_on(queue);
}

bool job_take(struct workers_queue *queue, size_t max_bytes, struct slice *slice)
{
	if (!job_is_open(queue))
		return false;
	slice_cut(&queue->place.walk, max_bytes, slice);
	if (slice->len_bytes == 0) {
		queue->fault = COPY_CHANGED;
		settle(queue);
		return false;
	}
	queue->num_running++;
	return true;
}

void job_end(struct workers_queue *queue)
{
	queue->num_running--;
	settle(queue);
}
