/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a copy can be whole. In a header, as libraries above common ask before they submit. */
#ifndef COPY_CHECK_H_
#define COPY_CHECK_H_

#include "copy/piece.h"

/* Why a copy cannot be whole. */
enum copy_fault {
	COPY_SOUND,
	COPY_SOURCE_EMPTY,   /* there is nothing to copy */
	COPY_SOURCE_OUTSIDE, /* a source window lies outside its region */
	COPY_TARGET_OUTSIDE, /* so does a target window */
	COPY_TARGET_SMALL,   /* less room than bytes */
	COPY_CHANGED,	     /* a list was changed while the copy was under way */
	COPY_PEER, /* another process's memory could not be reached; the status says why */
};

/* Room over a whole list, but no more than enough_bytes; the pieces are sound. */
static inline size_t copy_room(const struct copy_piece *target, size_t enough_bytes)
{
	size_t room = 0;

	for (; target != NULL; target = target->next) {
		size_t more = piece_room(target);

		if (more >= enough_bytes - room)
			return enough_bytes;
		room += more;
	}
	return room;
}

static inline bool copy_list_is_sound(const struct copy_piece *piece)
{
	for (; piece != NULL; piece = piece->next)
		if (!piece_is_sound(piece))
			return false;
	return true;
}

/*
 * The first fault that would keep len_bytes from being copied; COPY_SOUND when there is none.
 * Both lists have a piece.
 */
static inline enum copy_fault copy_check(const struct copy_piece *source,
					 const struct copy_piece *target, size_t len_bytes)
{
	size_t missing = len_bytes; /* of room */

	if (len_bytes == 0)
		return COPY_SOURCE_EMPTY;
	if (!copy_list_is_sound(source))
		return COPY_SOURCE_OUTSIDE;
	for (; target != NULL; target = target->next) {
		size_t more;

		if (!piece_is_sound(target))
			return COPY_TARGET_OUTSIDE;
		more = piece_room(target);
		missing -= more < missing ? more : missing;
	}
	return missing > 0 ? COPY_TARGET_SMALL : COPY_SOUND;
}

#endif /* COPY_CHECK_H_ */
