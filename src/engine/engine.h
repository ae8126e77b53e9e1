/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract between a context and what executes its copies. An engine knows addresses, lengths
 * and pieces. A queue belongs to one context and is used by one thread at a time.
 */
#ifndef ENGINE_ENGINE_H_
#define ENGINE_ENGINE_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>

#include "base/waker.h"
#include "copy/check.h"
#include "copy/piece.h"

/* One copy. The submitter owns the memory; from submit until poll gives it back it is the engine's.
 */
struct engine_op {
	struct engine_op *next;	   /* for whoever holds the op */
	struct copy_piece *source; /* read from data, data_len_bytes a piece */
	struct copy_piece
		*target;     /* appended to at each piece's tail; data_len_bytes grow at the end */
	size_t len_bytes;    /* sum over the source */
	doca_error_t status; /* submitted with an error: given back with it, nothing is copied */
	/* Submitted as COPY_SOUND; why the engine failed the copy. Who knows the objects words it.
	 */
	enum copy_fault fault;
	bool is_foreign;    /* a piece is in another process: for the reach engine */
	uint32_t room_mark; /* the engine's */
};

/* A first-in-first-out chain of ops through their next pointers. */
struct engine_fifo {
	struct engine_op *first;
	struct engine_op *last; /* meaningful while first is set */
};

enum engine_polled {
	ENGINE_IDLE, /* nothing to do here and now, or nothing left of the budget */
	ENGINE_PART, /* a part was done of a copy that is longer than the budget */
	ENGINE_DONE, /* an op is given back */
};

struct engine_queue;

struct engine_ops {
	const char *name;

	/*
	 * Control. The errors of open: NO_MEMORY; OPERATING_SYSTEM when its threads cannot start.
	 * The waker outlives the queue: it is woken when has_work becomes true outside of submit.
	 */
	doca_error_t (*open)(struct engine_queue **queue, struct waker *waker);
	/* No op may be in the queue. */
	void (*close)(struct engine_queue *queue);
	/*
	 * From now on, until close, ops come back with IO_FAILED and copy nothing, but for one that
	 * has begun in another thread or process: that comes back when it has ended there.
	 */
	void (*abort)(struct engine_queue *queue);

	/* Data. Submit never fails and moves no byte itself; threads may begin with the op. */
	void (*submit)(struct engine_queue *queue, struct engine_op *op);
	/*
	 * Work on the oldest op, for at most *budget_bytes, which shrink by what was copied. On
	 * ENGINE_DONE *done is the op, its status set; ops come back in the order of submission. An
	 * op that fails leaves the pieces as they were.
	 */
	enum engine_polled (*poll)(struct engine_queue *queue, size_t *budget_bytes,
				   struct engine_op **done);
	/*
	 * There is something for poll now, given a budget. False says nothing of what comes: ops
	 * may be under way in threads, which wake the waker when poll has something again. And who
	 * polls may find that a thread was quicker.
	 */
	bool (*has_work)(const struct engine_queue *queue);
	/* Each op that was submitted has been given back by poll: nothing comes before a submit. */
	bool (*is_empty)(const struct engine_queue *queue);
};

/* The engine of that name, or NULL. */
const struct engine_ops *engine_find(const char *name);

static inline void fifo_push(struct engine_fifo *fifo, struct engine_op *op)
{
	op->next = NULL;
	if (fifo->first == NULL)
		fifo->first = op;
	else
		fifo->last->next = op;
	fifo->last = op;
}

static inline struct engine_op *fifo_pop(struct engine_fifo *fifo)
{
	struct engine_op *op = fifo->first;

	if (op != NULL)
		fifo->first = op->next;
	return op;
}

/* Moves all of one chain behind another. */
static inline void fifo_append(struct engine_fifo *fifo, struct engine_fifo *more)
{
	if (more->first == NULL)
		return;
	if (fifo->first == NULL)
		fifo->first = more->first;
	else
		fifo->last->next = more->first;
	fifo->last = more->last;
	more->first = NULL;
}

#endif /* ENGINE_ENGINE_H_ */
