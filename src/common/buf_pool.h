/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of equal buffers. It belongs to one thread at a time, by contract: no lock. */
#ifndef COMMON_BUF_POOL_H_
#define COMMON_BUF_POOL_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf_pool.h>

#include "common/buf.h"
#include "common/mmap.h"

/* Started while it is a user of its map. Aligned, so that two threads' pools share no cache line.
 */
struct doca_buf_pool {
	_Alignas(CACHE_LINE_BYTES) struct buf_home home;
	uint8_t *first_element; /* this and the stride are set by start */
	size_t stride_bytes;
	size_t element_bytes;
	size_t element_alignment; /* a power of two */
	struct doca_mmap *mmap;	  /* borrowed from the caller; looked at by start alone */
	union doca_data user_data;
	struct mmap_user user;
	struct doca_buf bufs[] __attribute__((aligned(CACHE_LINE_BYTES)));
};

#endif /* COMMON_BUF_POOL_H_ */
