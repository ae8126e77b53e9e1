/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces and lists of them, for the tests of what copies. */
#ifndef TESTS_SUPPORT_PIECE_H_
#define TESTS_SUPPORT_PIECE_H_

#include <string.h>

#include "copy/piece.h"

/* A piece of some memory, its window at an offset. */
static inline struct copy_piece piece(uint8_t *head, size_t len_bytes, size_t offset,
				      size_t data_len_bytes)
{
	return (struct copy_piece){
		.head = head,
		.len_bytes = len_bytes,
		.data = head + offset,
		.data_len_bytes = data_len_bytes,
	};
}

static inline struct copy_piece full(const char *text)
{
	size_t len = strlen(text);

	return piece((uint8_t *)text, len, 0, len);
}

static inline struct copy_piece empty(uint8_t *head, size_t len_bytes)
{
	return piece(head, len_bytes, 0, 0);
}

static inline void chain(struct copy_piece *pieces, size_t num_pieces)
{
	for (size_t i = 0; i + 1 < num_pieces; i++)
		pieces[i].next = &pieces[i + 1];
}

#endif /* TESTS_SUPPORT_PIECE_H_ */
