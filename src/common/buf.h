/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer descriptor: one cache line, a piece for the copy and what it belongs to. */
#ifndef COMMON_BUF_H_
#define COMMON_BUF_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>

#include "common/mmap.h"
#include "copy/piece.h"

struct doca_buf {
	struct copy_piece piece; /* first: a list of pieces is a list of buffers */
	struct mmap_user *user;	 /* whose map the memory is in, and where its inventory stands */
	struct doca_buf *last;	 /* of the list, itself when alone; meaningless in inner elements */
	uint16_t refcount;	 /* 0: in its inventory's free list */
	bool is_inner;		 /* in a list, and not its head */
};

_Static_assert(sizeof(struct doca_buf) == 64, "one cache line a buffer");

static inline struct doca_buf *buf_of(struct copy_piece *piece)
{
	return (struct doca_buf *)piece;
}

/* Give a whole list back, each element to the free list of the inventory that it came from. */
void buf_inventory_release_list(struct doca_buf *head);

#endif /* COMMON_BUF_H_ */
