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

/* What is checked is what is begun with, whatever the owner does to it meanwhile. */
static bool begin(struct engine_place *place, struct engine_op *op)
{
	struct copy_piece source = piece_read(op->source);
	struct copy_piece target = piece_read(op->target);
	struct engine_op read = *op;
	bool has_begun;

	read.source = &source;
	read.target = &target;
	has_begun = place_begin(place, &read);
	op->status = read.status;
	op->fault = read.fault;
	place->walk.source = op->source;
	place->walk.target = op->target;
	return has_begun;
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

/* Lists that share a piece share all behind it. */
static bool share_pieces(const struct copy_piece *one, const struct copy_piece *other)
{
	const struct copy_piece *next;

	while ((next = piece_read(one).next) != NULL)
		one = next;
	while ((next = piece_read(other).next) != NULL)
		other = next;
	return one == other;
}

/* It begins where one that is done, and not committed before the owner sees it, ends. */
static bool is_behind_done(const struct workers_queue *queue, const struct engine_op *op)
{
	const struct engine_op *done = queue->done.first;

	for (; done != NULL; done = done->next)
		if (done->status == DOCA_SUCCESS && (share_pieces(done->target, op->target) ||
						     share_pieces(done->target, op->source)))
			return true;
	return false;
}

/* Make the next active, unless one is. */
static void begin_next(struct workers_queue *queue)
{
	while (!queue->is_active && !queue->is_halted && queue->handed.first != NULL) {
		struct engine_op *op = queue->handed.first;

		if (queue->is_aborted) {
			op->status = DOCA_ERROR_IO_FAILED;
			finish(queue);
		} else if (is_behind_done(queue, op)) {
			return;
		} else if (queue->place.is_under_way || begin(&queue->place, op)) {
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
	op->room_mark = (uint32_t)queue->place.walk.room_bytes;
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

static bool commit(struct engine_op *op)
{
	return copy_list_is_sound(op->source) && copy_list_is_sound(op->target) &&
	       (uint32_t)copy_room(op->target, SIZE_MAX) == op->room_mark &&
	       copy_commit(op->target, op->len_bytes);
}

struct engine_op *job_pop(struct workers_queue *queue)
{
	struct engine_op *op = fifo_pop(&queue->done);

	if (op == NULL)
		return NULL;
	queue->num_handed--;
	if (op->status == DOCA_SUCCESS && !commit(op)) {
		op_fail(op, COPY_CHANGED);
		queue->is_halted = !queue->is_aborted;
	}
	begin_next(queue);
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
