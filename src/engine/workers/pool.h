/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of the process that copy, for all its queues: they start with the first queue and end
 * with the last. A forked child has none until it opens a queue; its owners copy alone.
 */
#ifndef ENGINE_WORKERS_POOL_H_
#define ENGINE_WORKERS_POOL_H_

#include "engine/workers/job.h"

/* A queue comes: negative errno when there is no thread, and it has not. It leaves empty. */
int pool_enter(struct workers_queue *queue);
void pool_leave(struct workers_queue *queue);

/* There are threads to hand something to. */
bool pool_has_threads(void);

/* By the owner, with its queue's lock, as all below: what waits is the pool's, up to the first of
 * fewer bytes. */
void pool_hand_over(struct workers_queue *queue, size_t least_bytes);

/* By the owner while something is handed: engine_ops.poll and abort. */
enum engine_polled pool_help(struct workers_queue *queue, size_t *budget_bytes,
			     struct engine_op **done);
void pool_abort(struct workers_queue *queue);

/*
 * Once an op waits there: if nobody is at the queue for longer than POOL_WATCH_NS, at most twice
 * that, the pool takes over what waits. False: there are no threads for it.
 */
#define POOL_WATCH_NS UINT64_C(50000000)
bool pool_watch(void);

#endif /* ENGINE_WORKERS_POOL_H_ */
