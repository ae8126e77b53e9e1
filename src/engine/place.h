/* SPDX-License-Identifier: Apache-2.0 */
/* Where a queue is in its oldest op, for engines that copy in who polls. */
#ifndef ENGINE_PLACE_H_
#define ENGINE_PLACE_H_

#include "copy/walk.h"
#include "engine/engine.h"

struct engine_place {
	bool is_under_way;
	struct copy_walk walk; /* while is_under_way */
	struct copy_history history;
};

static inline void op_fail(struct engine_op *op, enum copy_fault fault)
{
	op->status = DOCA_ERROR_IO_FAILED;
	op->fault = fault;
}

/*
 * The usual op, begun and ended at once: plain, whole, within the budget. False: any other, of
 * which nothing was done.
 */
static inline bool place_copy_plain(struct engine_place *place, struct engine_op *op,
				    size_t *budget_bytes)
{
	if (doca_unlikely(place->is_under_way || op->status != DOCA_SUCCESS))
		return false;
	if (doca_unlikely(op->len_bytes > *budget_bytes))
		return false;
	if (doca_unlikely(!copy_is_plain(op->source, op->target, op->len_bytes)))
		return false;
	*budget_bytes -= op->len_bytes;
	copy_plain(&place->history, op->source, op->target, op->len_bytes);
	return true;
}

/* Stand before the first byte; false when the op is to come back with its status as it is now. */
bool place_begin(struct engine_place *place, struct engine_op *op);

/*
 * Begin or go on, for at most *budget_bytes, above 0, which shrink by what was copied. True when
 * the op is to come back, its status set.
 */
bool place_step(struct engine_place *place, struct engine_op *op, size_t *budget_bytes,
		bool is_aborted);

#endif /* ENGINE_PLACE_H_ */
