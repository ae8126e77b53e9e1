/* SPDX-License-Identifier: Apache-2.0 */
/* One piece of memory in a list of them: a region, and the window of valid data inside it. */
#ifndef COPY_PIECE_H_
#define COPY_PIECE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peer_region;

/* Whose memory pieces are in. */
struct copy_space {
	struct peer_region *region; /* of another process, where the addresses mean something */
};

struct copy_piece {
	struct copy_piece *next;  /* NULL at the end of the list */
	uint8_t *head;		  /* first byte of the region */
	size_t len_bytes;	  /* of the region */
	uint8_t *data;		  /* first valid byte */
	size_t data_len_bytes;	  /* valid bytes */
	struct copy_space *space; /* NULL: this process's */
};

/* The other process's region that a piece is in, or NULL when it is in this process's memory. */
static inline struct peer_region *piece_region(const struct copy_piece *piece)
{
	return piece->space == NULL ? NULL : piece->space->region;
}

/* The window lies in the region, as a card's memory protection would demand. */
static inline bool piece_is_sound(const struct copy_piece *piece)
{
	size_t offset = (uintptr_t)piece->data - (uintptr_t)piece->head;

	/* A data pointer below the head wraps to an offset beyond any region. */
	return offset <= piece->len_bytes && piece->data_len_bytes <= piece->len_bytes - offset;
}

/* Where a copy appends. */
static inline uint8_t *piece_tail(const struct copy_piece *piece)
{
	/* As numbers: a window outside its region may wrap, and is only shown then. */
	return (uint8_t *)((uintptr_t)piece->data + piece->data_len_bytes);
}

/* Bytes that a copy may still append; the piece is sound. */
static inline size_t piece_room(const struct copy_piece *piece)
{
	return piece->len_bytes - ((uintptr_t)piece_tail(piece) - (uintptr_t)piece->head);
}

#endif /* COPY_PIECE_H_ */
