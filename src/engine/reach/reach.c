/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a copy is what lies in a row between the same two spaces: own memory to own is copied
 * here; one side foreign is one transfer of up to 64 pieces; both foreign are two, through a bounce
 * buffer.
 */
#include "engine/reach/reach.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/size.h"
#include "copy/walk.h"
#include "peer/peer.h"

struct reach_queue {
	struct engine_fifo ops;
	struct copy_walk walk; /* through the oldest op, while is_under_way */
	struct copy_history history;
	bool is_under_way;
	bool is_aborted;
	struct peer_io *submitted; /* its way has it, or it is done and not looked at; else NULL */
	struct waker *waker;
	struct activity activity; /* taken when first needed: word is NULL until then */
	uint8_t *bounce;	  /* owned; allocated when first needed */
	struct peer_io transfer;  /* the one foreign side, or the read of two */
	struct peer_io second;	  /* the write of two, with bytes in it while it is to come */
};

/* What the next bytes are: a run in one piece of either side. */
struct run {
	uint8_t *from;
	uint8_t *to;
	struct peer_region *source;
	struct peer_region *target;
	size_t len_bytes;
};

static struct reach_queue *queue_of(struct engine_queue *queue)
{
	return (struct reach_queue *)queue;
}

static doca_error_t reach_open(struct engine_queue **queue, struct waker *waker)
{
	struct reach_queue *opened = calloc(1, sizeof(*opened));

	if (opened == NULL)
		return DOCA_ERROR_NO_MEMORY;
	opened->waker = waker;
	*queue = (struct engine_queue *)opened;
	return DOCA_SUCCESS;
}

static void reach_close(struct engine_queue *engine_queue)
{
	struct reach_queue *queue = queue_of(engine_queue);

	assert(queue->ops.first == NULL && queue->submitted == NULL);
	if (queue->activity.word != NULL)
		activity_drop(&queue->activity);
	free(queue->bounce);
	free(queue);
}

static void reach_abort(struct engine_queue *queue)
{
	queue_of(queue)->is_aborted = true;
}

static void reach_submit(struct engine_queue *queue, struct engine_op *op)
{
	fifo_push(&queue_of(queue)->ops, op);
}

static bool reach_has_work(const struct engine_queue *engine_queue)
{
	const struct reach_queue *queue = (const struct reach_queue *)engine_queue;

	return queue->ops.first != NULL &&
	       (queue->submitted == NULL || peer_io_is_done(queue->submitted));
}

static bool reach_is_empty(const struct engine_queue *queue)
{
	return ((const struct reach_queue *)queue)->ops.first == NULL;
}

/* A piece that is used up makes room for the next. */
static void skip_finished(struct copy_walk *walk)
{
	while (walk->source != NULL && walk->source_done_bytes >= walk->source->data_len_bytes) {
		walk->source = walk->source->next;
		walk->source_done_bytes = 0;
	}
	while (walk->target != NULL && walk->target_done_bytes >= piece_room(walk->target)) {
		walk->target = walk->target->next;
		walk->target_done_bytes = 0;
	}
}

/* The run that comes next; 0 bytes when a list was changed under the copy and ended too early. */
static struct run next_run(struct copy_walk *walk, size_t max_bytes)
{
	struct run run = {0};

	skip_finished(walk);
	if (walk->source == NULL || walk->target == NULL)
		return run;
	run.source = piece_region(walk->source);
	run.target = piece_region(walk->target);
	run.len_bytes = min_size(max_bytes, walk->left_bytes);
	if (walk->backward_from != NULL) {
		run.from = (uint8_t *)walk->backward_from + walk->left_bytes - run.len_bytes;
		run.to = walk->backward_to + walk->left_bytes - run.len_bytes;
		return run;
	}
	run.len_bytes =
		min_size(run.len_bytes, walk->source->data_len_bytes - walk->source_done_bytes);
	run.len_bytes = min_size(run.len_bytes, piece_room(walk->target) - walk->target_done_bytes);
	run.from = walk->source->data + walk->source_done_bytes;
	run.to = piece_tail(walk->target) + walk->target_done_bytes;
	return run;
}

static void advance(struct copy_walk *walk, size_t len_bytes)
{
	walk->left_bytes -= len_bytes;
	if (walk->backward_from == NULL) {
		walk->source_done_bytes += len_bytes;
		walk->target_done_bytes += len_bytes;
	}
}

/* One more piece, or a longer last one. */
static void add_piece(struct iovec *pieces, uint32_t *num_pieces, uint8_t *addr, size_t len_bytes)
{
	if (*num_pieces > 0) {
		struct iovec *last = &pieces[*num_pieces - 1];

		if ((uint8_t *)last->iov_base + last->iov_len == addr) {
			last->iov_len += len_bytes;
			return;
		}
	}
	pieces[(*num_pieces)++] = (struct iovec){addr, len_bytes};
}

static void begin_transfer(struct reach_queue *queue, struct peer_io *io,
			   struct peer_region *region, bool is_write)
{
	io->region = region;
	io->activity = &queue->activity;
	io->history = &queue->history;
	io->waker = queue->waker;
	io->is_write = is_write;
	io->num_local = 0;
	io->num_remote = 0;
	io->len_bytes = 0;
	io->status = DOCA_SUCCESS;
	atomic_store_explicit(&io->is_done, false, memory_order_relaxed);
}

static void add_run(struct peer_io *io, const struct run *run)
{
	add_piece(io->local, &io->num_local, io->is_write ? run->from : run->to, run->len_bytes);
	add_piece(io->remote, &io->num_remote, io->is_write ? run->to : run->from, run->len_bytes);
	io->len_bytes += run->len_bytes;
}

static bool is_full(const struct peer_io *io)
{
	return io->num_local == PEER_MAX_PIECES || io->num_remote == PEER_MAX_PIECES;
}

/* Gather, into one transfer, the runs of one foreign side that follow each other. */
static size_t gather_one(struct reach_queue *queue, struct run run, size_t max_bytes)
{
	const struct peer_region *source = run.source;
	const struct peer_region *target = run.target;
	struct peer_io *io = &queue->transfer;

	begin_transfer(queue, io, run.target != NULL ? run.target : run.source, target != NULL);
	do {
		add_run(io, &run);
		advance(&queue->walk, run.len_bytes);
		if (io->len_bytes == max_bytes || queue->walk.left_bytes == 0 || is_full(io))
			break;
		run = next_run(&queue->walk, max_bytes - io->len_bytes);
	} while (run.len_bytes > 0 && run.source == source && run.target == target);
	return io->len_bytes;
}

/* The same with both sides foreign: the read fills the bounce buffer, the write empties it. */
static size_t gather_two(struct reach_queue *queue, struct run run, size_t max_bytes)
{
	const struct peer_region *source = run.source;
	const struct peer_region *target = run.target;
	struct peer_io *read = &queue->transfer;
	struct peer_io *write = &queue->second;

	begin_transfer(queue, read, run.source, false);
	begin_transfer(queue, write, run.target, true);
	do {
		struct run in = {.from = run.from, .to = queue->bounce + read->len_bytes};
		struct run out = {.from = in.to, .to = run.to};

		in.len_bytes = run.len_bytes;
		out.len_bytes = run.len_bytes;
		add_run(read, &in);
		add_run(write, &out);
		advance(&queue->walk, run.len_bytes);
		if (read->len_bytes == max_bytes || queue->walk.left_bytes == 0 || is_full(read) ||
		    is_full(write))
			break;
		run = next_run(&queue->walk, max_bytes - read->len_bytes);
	} while (run.len_bytes > 0 && run.source == source && run.target == target);
	return read->len_bytes;
}

static void submit_transfer(struct reach_queue *queue, struct peer_io *io)
{
	queue->submitted = io;
	io->region->ops->submit(io->region, io);
}

/* What a queue needs before its first transfer. */
static doca_error_t prepare_transfer(struct reach_queue *queue, bool is_bounced)
{
	int error = queue->activity.word != NULL ? 0 : activity_take(&queue->activity);

	if (error != 0)
		return error == -ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_OPERATING_SYSTEM;
	if (is_bounced && queue->bounce == NULL) {
		queue->bounce = malloc(REACH_BOUNCE_BYTES);
		if (queue->bounce == NULL)
			return DOCA_ERROR_NO_MEMORY;
	}
	return DOCA_SUCCESS;
}

static enum engine_polled give_back(struct reach_queue *queue, struct engine_op **done)
{
	queue->is_under_way = false;
	*done = fifo_pop(&queue->ops);
	return ENGINE_DONE;
}

static enum engine_polled fail(struct reach_queue *queue, doca_error_t status,
			       enum copy_fault fault, struct engine_op **done)
{
	queue->ops.first->status = status;
	queue->ops.first->fault = fault;
	return give_back(queue, done);
}

/*
 * Start the next step of the op. True: it is under way, or done; false: *status and *fault say why
 * there is none.
 */
static bool start_step(struct reach_queue *queue, size_t *budget_bytes, doca_error_t *status,
		       enum copy_fault *fault)
{
	const struct engine_op *op = queue->ops.first;
	struct run run;

	if (!op->is_foreign) {
		size_t copied = copy_walk_step(&queue->walk, *budget_bytes);

		*budget_bytes -= copied;
		*status = DOCA_ERROR_IO_FAILED;
		*fault = COPY_CHANGED;
		return copied > 0;
	}
	run = next_run(&queue->walk, *budget_bytes);
	if (run.len_bytes == 0) {
		*status = DOCA_ERROR_IO_FAILED;
		*fault = COPY_CHANGED;
		return false;
	}
	if (run.source == NULL && run.target == NULL) {
		copy_bytes(&queue->history, run.to, run.from, run.len_bytes);
		advance(&queue->walk, run.len_bytes);
		*budget_bytes -= run.len_bytes;
		return true;
	}
	*status = prepare_transfer(queue, run.source != NULL && run.target != NULL);
	*fault = COPY_PEER;
	if (*status != DOCA_SUCCESS)
		return false;
	if (run.source != NULL && run.target != NULL) {
		size_t max_bytes = min_size(*budget_bytes, REACH_BOUNCE_BYTES);

		/* A run was cut to the budget; what passes through the buffer is less. */
		run = next_run(&queue->walk, max_bytes);
		*budget_bytes -= gather_two(queue, run, max_bytes);
	} else {
		*budget_bytes -= gather_one(queue, run, *budget_bytes);
	}
	submit_transfer(queue, &queue->transfer);
	return true;
}

/* Look at the transfer under way. True when the step is over, with its status. */
static bool finish_step(struct reach_queue *queue, doca_error_t *status)
{
	*status = DOCA_SUCCESS;
	while (queue->submitted != NULL) {
		struct peer_io *io = queue->submitted;

		if (!peer_io_is_done(io))
			return false;
		queue->submitted = NULL;
		*status = io->status;
		if (io == &queue->transfer && queue->second.len_bytes > 0 &&
		    *status == DOCA_SUCCESS && !queue->is_aborted)
			submit_transfer(queue, &queue->second);
		else
			queue->second.len_bytes = 0;
	}
	return true;
}

/* Stand before the first byte; false when the op is to come back as it is now. */
static bool begin(struct reach_queue *queue, struct engine_op *op)
{
	enum copy_fault fault;

	if (op->status != DOCA_SUCCESS)
		return false;
	fault = copy_check(op->source, op->target, op->len_bytes);
	if (fault != COPY_SOUND) {
		op->status = DOCA_ERROR_IO_FAILED;
		op->fault = fault;
		return false;
	}
	copy_walk_begin(&queue->walk, &queue->history, op->source, op->target, op->len_bytes);
	queue->is_under_way = true;
	return true;
}

/*
 * The usual copy, one piece to one piece and one of them foreign, is one transfer without a walk.
 * True when it is under way: all of it.
 */
static inline bool begin_plain(struct reach_queue *queue, struct engine_op *op,
			       size_t *budget_bytes)
{
	struct copy_piece *source = op->source;
	struct copy_piece *target = op->target;
	struct peer_region *from = piece_region(source);
	struct peer_region *to = piece_region(target);
	struct peer_io *io = &queue->transfer;

	if (source->next != NULL || target->next != NULL || (from != NULL) == (to != NULL) ||
	    op->len_bytes > *budget_bytes || queue->activity.word == NULL ||
	    copy_check(source, target, op->len_bytes) != COPY_SOUND)
		return false;
	begin_transfer(queue, io, to != NULL ? to : from, to != NULL);
	io->local[0] =
		(struct iovec){to != NULL ? source->data : piece_tail(target), op->len_bytes};
	io->remote[0] =
		(struct iovec){to != NULL ? piece_tail(target) : source->data, op->len_bytes};
	io->num_local = 1;
	io->num_remote = 1;
	io->len_bytes = op->len_bytes;
	*budget_bytes -= op->len_bytes;
	queue->walk.left_bytes = 0;
	queue->walk.room_bytes = 0;
	queue->is_under_way = true;
	submit_transfer(queue, io);
	return true;
}

/* The transfer that was just submitted is done already, and well: nothing else has run since. */
static inline bool is_copied(struct reach_queue *queue)
{
	if (!peer_io_is_done(queue->submitted) || queue->submitted->status != DOCA_SUCCESS)
		return false;
	queue->submitted = NULL;
	return true;
}

/* Others run before the op goes on. */
static void pause_op(struct reach_queue *queue, const struct engine_op *op)
{
	if (queue->walk.room_bytes == 0)
		copy_walk_pause(&queue->walk, op->target);
}

static enum engine_polled reach_poll(struct engine_queue *engine_queue, size_t *budget_bytes,
				     struct engine_op **done)
{
	struct reach_queue *queue = queue_of(engine_queue);
	struct engine_op *op = queue->ops.first;
	enum copy_fault fault;
	doca_error_t status;

	if (op == NULL || *budget_bytes == 0)
		return ENGINE_IDLE;
	for (;;) {
		if (!finish_step(queue, &status)) {
			pause_op(queue, op);
			return ENGINE_IDLE;
		}
		if (status != DOCA_SUCCESS)
			return fail(queue, status, COPY_PEER, done);
		if (queue->is_under_way && queue->walk.room_bytes != 0 &&
		    !copy_walk_may_go_on(&queue->walk, op->source, op->target))
			return fail(queue, DOCA_ERROR_IO_FAILED, COPY_CHANGED, done);
		if (queue->is_under_way && queue->walk.left_bytes == 0) {
			if (!copy_commit(op->target, op->len_bytes))
				return fail(queue, DOCA_ERROR_IO_FAILED, COPY_CHANGED, done);
			return give_back(queue, done);
		}
		if (queue->is_aborted) {
			op->status = DOCA_ERROR_IO_FAILED;
			return give_back(queue, done);
		}
		if (!queue->is_under_way) {
			if (op->status == DOCA_SUCCESS && begin_plain(queue, op, budget_bytes)) {
				if (!is_copied(queue))
					continue;
				op->target->data_len_bytes += op->len_bytes;
				return give_back(queue, done);
			}
			if (!begin(queue, op))
				return give_back(queue, done);
		} else if (*budget_bytes == 0) {
			pause_op(queue, op);
			return ENGINE_PART;
		}
		if (!start_step(queue, budget_bytes, &status, &fault))
			return fail(queue, status, fault, done);
	}
}

const struct engine_ops reach_engine = {
	.name = "reach",
	.open = reach_open,
	.close = reach_close,
	.abort = reach_abort,
	.submit = reach_submit,
	.poll = reach_poll,
	.has_work = reach_has_work,
	.is_empty = reach_is_empty,
};
