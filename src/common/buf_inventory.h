/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of buffer descriptors. It belongs to one thread at a time, by contract: no lock. */
#ifndef COMMON_BUF_INVENTORY_H_
#define COMMON_BUF_INVENTORY_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf_inventory.h>

#include "common/buf.h"
#include "common/mmap.h"

/* Descriptors allocated at once; they never move, so that a pool grows by another chunk. */
struct buf_chunk {
	_Alignas(CACHE_LINE_BYTES) struct buf_chunk *next;
	struct doca_buf bufs[] __attribute__((aligned(CACHE_LINE_BYTES)));
};

/* Aligned, so that two threads' pools share no cache line. */
struct doca_buf_inventory {
	_Alignas(CACHE_LINE_BYTES) struct buf_home home;
	/* Whose maps were used last, the last first: a copy's two sides. No map's before the first.
	 */
	struct mmap_user *recent[2];
	bool is_started;
	struct mmap_user *users;  /* owned, one a map */
	struct buf_chunk *chunks; /* owned */
	union doca_data user_data;
};

#endif /* COMMON_BUF_INVENTORY_H_ */
