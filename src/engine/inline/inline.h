/* SPDX-License-Identifier: Apache-2.0 */
/* The engine that copies in the thread that calls progress. */
#ifndef ENGINE_INLINE_INLINE_H_
#define ENGINE_INLINE_INLINE_H_

#include "engine/engine.h"
#include "engine/place.h"

extern const struct engine_ops inline_engine;

/* Seen by who has a shorter way than the table: a plain op goes in, and is copied, without a call.
 */
struct inline_queue {
	struct engine_fifo ops;
	bool is_aborted;
	struct engine_place place; /* in the oldest */
};

/* Copy the oldest op, all of it: there is one. False, and nothing is done, when it is not usual. */
static inline bool inline_copy_plain(struct inline_queue *queue, size_t *budget_bytes)
{
	struct engine_op *op = queue->ops.first;

	if (doca_unlikely(queue->is_aborted || !place_copy_plain(&queue->place, op, budget_bytes)))
		return false;
	queue->ops.first = op->next;
	return true;
}

#endif /* ENGINE_INLINE_INLINE_H_ */
