/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of an op by who polls: all of it, or a part. */
#include "engine/place.h"

bool place_begin(struct engine_place *place, struct engine_op *op)
{
	enum copy_fault fault;

	if (op->status != DOCA_SUCCESS)
		return false;
	fault = copy_check(op->source, op->target, op->len_bytes);
	if (fault != COPY_SOUND) {
		op_fail(op, fault);
		return false;
	}
	copy_walk_begin(&place->walk, &place->history, op->source, op->target, op->len_bytes);
	place->is_under_way = true;
	return true;
}

/* The first part, or a later one; true when that was the last. */
static bool copy_part(struct engine_place *place, struct engine_op *op, size_t *budget_bytes)
{
	const bool is_first = !place->is_under_way;
	size_t copied = 0;

	if (is_first && !place_begin(place, op))
		return true;
	if (is_first || copy_walk_may_go_on(&place->walk, op->source, op->target))
		copied = copy_walk_step(&place->walk, *budget_bytes);
	*budget_bytes -= copied;
	if (place->walk.left_bytes == 0) {
		if (doca_unlikely(!copy_commit(op->target, op->len_bytes)))
			op_fail(op, COPY_CHANGED);
		return true;
	}
	if (copied == 0) {
		op_fail(op, COPY_CHANGED);
		return true;
	}
	if (is_first)
		copy_walk_pause(&place->walk, op->target);
	return false;
}

bool place_step(struct engine_place *place, struct engine_op *op, size_t *budget_bytes,
		bool is_aborted)
{
	if (is_aborted)
		op->status = DOCA_ERROR_IO_FAILED;
	else if (!copy_part(place, op, budget_bytes))
		return false;
	place->is_under_way = false;
	return true;
}
