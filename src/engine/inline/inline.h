/* SPDX-License-Identifier: Apache-2.0 */
/* The engine that copies in the thread that calls progress. */
#ifndef ENGINE_INLINE_INLINE_H_
#define ENGINE_INLINE_INLINE_H_

#include "copy/walk.h"
#include "engine/engine.h"

extern const struct engine_ops inline_engine;

/* Seen by who has a shorter way than the table: a plain op goes in, and is copied, without a call.
 */
struct inline_queue {
	struct engine_fifo ops;
	bool is_under_way; /* the oldest, which is not plain then */
	bool is_aborted;
	struct copy_history history;
	struct copy_walk walk; /* through the oldest op, while is_under_way */
};

/* Copy the oldest op, all of it: there is one. False: it is not plain, or above max_bytes. */
static inline bool inline_copy_plain(struct inline_queue *queue, size_t max_bytes)
{
	struct engine_op *op = queue->ops.first;

	if (doca_unlikely(queue->is_aborted || queue->is_under_way))
		return false;
	if (doca_unlikely(op->status != DOCA_SUCCESS || op->len_bytes > max_bytes))
		return false;
	if (doca_unlikely(!copy_is_plain(op->source, op->target, op->len_bytes)))
		return false;
	queue->ops.first = op->next;
	copy_plain(&queue->history, op->source, op->target, op->len_bytes);
	return true;
}

#endif /* ENGINE_INLINE_INLINE_H_ */
