/* SPDX-License-Identifier: Apache-2.0 */
/* A copy from one list of pieces to another that can stop after any byte and go on later. */
#ifndef COPY_WALK_H_
#define COPY_WALK_H_

#include <stdbool.h>

#include <doca_error.h>

#include "copy/check.h"
#include "copy/copy.h"
#include "copy/piece.h"

struct copy_walk {
	struct copy_piece *source; /* where the next byte comes from */
	struct copy_piece *target; /* where it goes */
	size_t source_done_bytes;  /* of the current pieces */
	size_t target_done_bytes;
	size_t left_bytes;
	struct copy_history *history;	  /* of who copies */
	const struct copy_piece *decided; /* the target that is_streaming is about */
	bool is_streaming;
	size_t room_bytes; /* of the whole target, once copy_walk_pause has looked */
	/*
	 * One piece over another, the target behind the source: from the end, between two addresses
	 * that stay what they were. NULL: forward.
	 */
	const uint8_t *backward_from;
	uint8_t *backward_to;
};

/* Stand before the first byte of a copy that copy_check found sound. */
void copy_walk_begin(struct copy_walk *walk, struct copy_history *history,
		     struct copy_piece *source, struct copy_piece *target, size_t len_bytes);

/*
 * Copy up to max_bytes more. One piece over another behaves like memmove, whatever the steps.
 * Returns the bytes copied: fewer than asked means done, or that a list changed under the copy and
 * ended too early: then left_bytes is above 0.
 */
size_t copy_walk_step(struct copy_walk *walk, size_t max_bytes);

/*
 * Between two parts of a copy others run, who may not touch its buffers: a window that left its
 * region or a target that grew would make the rest land beside it. Pause after the first part, and
 * ask before each later one.
 */
void copy_walk_pause(struct copy_walk *walk, const struct copy_piece *target);
bool copy_walk_may_go_on(const struct copy_walk *walk, const struct copy_piece *source,
			 const struct copy_piece *target);

/*
 * The copy is whole: grow the windows of the target by len_bytes. False: the list was changed, and
 * its end came first.
 */
bool copy_commit(struct copy_piece *target, size_t len_bytes);

/*
 * The usual copy: of one piece to one, without a walk. False for any other, and for what copy_check
 * would refuse. Both lists have a piece.
 */
static inline bool copy_is_plain(const struct copy_piece *source, const struct copy_piece *target,
				 size_t len_bytes)
{
	size_t left; /* of the source's region, behind its data */
	size_t room; /* of the target's, behind its */

	/* One by one, each unlikely, so that the usual way is straight on. */
	if (doca_unlikely(source->next != NULL))
		return false;
	if (doca_unlikely(target->next != NULL))
		return false;
	if (doca_unlikely(len_bytes == 0))
		return false;
	if (doca_unlikely(source->data_len_bytes != len_bytes))
		return false;
	if (doca_unlikely(__builtin_sub_overflow(
		    source->len_bytes, (uintptr_t)source->data - (uintptr_t)source->head, &left)))
		return false;
	if (doca_unlikely(left < len_bytes))
		return false;
	if (doca_unlikely(__builtin_sub_overflow(
		    target->len_bytes, (uintptr_t)target->data - (uintptr_t)target->head, &room)))
		return false;
	if (doca_unlikely(__builtin_sub_overflow(room, target->data_len_bytes, &room)))
		return false;
	return doca_likely(room >= len_bytes);
}

/* That copy, all of it, and its commit. */
static inline void copy_plain(struct copy_history *history, const struct copy_piece *source,
			      struct copy_piece *target, size_t len_bytes)
{
	uint8_t *to = piece_tail(target);

	/* First, so that nothing need be kept over the call. */
	target->data_len_bytes += len_bytes;
	copy_bytes(history, to, source->data, len_bytes);
}

#endif /* COPY_WALK_H_ */
