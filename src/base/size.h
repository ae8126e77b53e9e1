/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, in bytes or of any kind. */
#ifndef BASE_SIZE_H_
#define BASE_SIZE_H_

#include <stddef.h>

static inline size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* What is still to come of a whole; none of one that shrank below what is done. */
static inline size_t size_after(size_t whole, size_t done)
{
	return whole > done ? whole - done : 0;
}

#endif /* BASE_SIZE_H_ */
