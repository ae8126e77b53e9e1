/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer descriptor, one cache line, and the home it is taken from and goes back to. */
#ifndef COMMON_BUF_H_
#define COMMON_BUF_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>

#include "common/mmap.h"
#include "copy/piece.h"

#define CACHE_LINE_BYTES 64

struct doca_buf {
	/* First: a list of pieces is a list of buffers. Its space is a mmap_user's. */
	struct copy_piece piece;
	struct doca_buf *last; /* of the list, itself when alone; meaningless in inner elements */
	uint16_t refcount;     /* 0: in its home's free list */
	bool is_inner;	       /* in a list, and not its head */
};

_Static_assert(sizeof(struct doca_buf) == CACHE_LINE_BYTES, "one cache line a buffer");

static inline struct doca_buf *buf_of(struct copy_piece *piece)
{
	return (struct doca_buf *)piece;
}

/* Whose map the memory is in, and whose the buffer is. */
static inline struct mmap_user *buf_user(const struct doca_buf *buf)
{
	return CONTAINER_OF(buf->piece.space, struct mmap_user, space);
}

/* Usual: out of its home, in this process's memory, in a live map with the right. */
static inline bool buf_may_be_used(const struct doca_buf *buf, enum mmap_right right)
{
	return buf->refcount != 0 && (mmap_user_plain_rights(buf_user(buf)) & right) != 0;
}

/* A side of a copy that is one such buffer needs no more looks than these. */
static inline bool buf_is_plain(const struct doca_buf *buf, enum mmap_right right)
{
	return buf != NULL && buf->piece.next == NULL && buf_may_be_used(buf, right);
}

/* The buffers of one owner, an inventory or a pool. */
struct buf_home {
	struct copy_piece *free; /* of buffers, through piece.next */
	uint32_t num_free;
	uint32_t num_elements;
};

/* Add new buffers, free; the first is taken first. */
void buf_home_add(struct buf_home *home, struct doca_buf *bufs, uint32_t num_bufs);

/* Give a whole list back, each element to the home that it came from. */
void buf_release_list(struct doca_buf *head);

/* A buffer, alone, with one reference, its piece left to fill; NULL when all are out. */
static inline struct doca_buf *buf_home_take(struct buf_home *home, struct mmap_user *user)
{
	struct doca_buf *buf = buf_of(home->free);

	if (doca_unlikely(buf == NULL))
		return NULL;
	home->free = buf->piece.next;
	home->num_free--;
	mmap_user_set_num_bufs(user, mmap_user_num_bufs(user) + 1);
	buf->piece.space = &user->space;
	buf->last = buf;
	buf->refcount = 1;
	buf->is_inner = false;
	return buf;
}

#endif /* COMMON_BUF_H_ */
