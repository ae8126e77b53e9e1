/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue of the workers engine, and what is done with the ops that were handed over to the pool:
 * one after the other, each in slices that any thread takes.
 *
 *	submit --> waiting --(large, or nobody polls)--> handed --(slices)--> done --> poll
 *	              |                                                              ^
 *	              +----------(small: copied by who polls)------------------------+
 */
#ifndef ENGINE_WORKERS_JOB_H_
#define ENGINE_WORKERS_JOB_H_

#include <stdatomic.h>

#include "base/list.h"
#include "base/lock.h"
#include "engine/engine.h"
#include "engine/place.h"
#include "engine/workers/slice.h"

struct workers_queue {
	/* What the owner, the thread that uses the queue, may know without the pool's lock. */
	_Atomic bool has_news; /* there is an op to give back, or one to begin */
	_Atomic bool is_open;  /* there are slices to take */

	/* The owner's while it is at the queue, or the watch's, which only tries it. */
	struct lock lock;
	struct engine_fifo waiting GUARDED_BY(lock);
	bool is_used GUARDED_BY(lock);	  /* the owner was here since the watch's last look */
	bool is_watched GUARDED_BY(lock); /* the watch looks again */
	size_t num_handed; /* and not given back; changed under both locks, read under either */

	/* The place in the oldest op: under the lock above while nothing is handed, else below. */
	struct engine_place place;

	/* Under the pool's lock. */
	struct list link;	   /* in the pool's queues */
	struct list open_link;	   /* in the pool's queues with slices to take */
	struct waker *waker;	   /* constant */
	struct engine_fifo handed; /* the first is active, or the queue is halted */
	struct engine_fifo done;   /* the pieces of what succeeded are committed by the owner */
	bool is_active;
	bool is_serial;	       /* source and target overlap: a slice at a time */
	bool is_halted;	       /* an op failed: none begins before the next poll; as num_handed */
	bool is_aborted;       /* as num_handed */
	unsigned num_running;  /* slices of the first */
	enum copy_fault fault; /* of the first: no more slices are taken */
};

/* From here on: under the pool's lock. */

/* Under the queue's, too: hand over what waits, the oldest first, up to the first of fewer bytes.
 */
void job_push(struct workers_queue *queue, size_t least_bytes);

/*
 * And this: the owner gives it back, committed, unless its lists were changed; NULL: none is done.
 * Pieces change in the owner's thread alone.
 */
struct engine_op *job_pop(struct workers_queue *queue);

/* By the poll after the one that gave a failed op back, whose queue was not aborted then. */
void job_go_on(struct workers_queue *queue);
void job_abort(struct workers_queue *queue);

/* True: *slice is to be copied, of up to max_bytes, above 0; then job_end is called. */
bool job_take(struct workers_queue *queue, size_t max_bytes, struct slice *slice);
void job_end(struct workers_queue *queue);

/* There are slices to take. */
bool job_is_open(const struct workers_queue *queue);

#endif /* ENGINE_WORKERS_JOB_H_ */
