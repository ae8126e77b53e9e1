/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How bytes move. Below 2 KiB by memmove, from there by the kernel that was chosen for this
 * process, from 256 KiB past the caches where the target is not in them.
 */
#ifndef COPY_COPY_H_
#define COPY_COPY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "copy/cache.h"
#include "copy/kernel.h"

#define COPY_KERNEL_BYTES ((size_t)2 << 10)   /* from here on a kernel copies */
#define COPY_STREAM_BYTES ((size_t)256 << 10) /* from here on a copy may stream */
#define COPY_HISTORY_SLOTS 128		      /* a power of two */

/*
 * What was written lately, in pieces of COPY_STREAM_BYTES: addresses alone, as numbers. Zeroed it
 * is empty. It belongs to who copies: one thread at a time.
 */
struct copy_history {
	uint64_t copied_bytes;
	struct copy_written {
		uint32_t piece;
		uint32_t at_kib; /* of copied_bytes */
	} written[COPY_HISTORY_SLOTS];
};

/*
 * Choose the kernel of this process, or with NULL the best that the CPU has, and what its caches
 * hold. Before the first copy: until then all is memmove.
 */
void copy_choose(const struct copy_kernel *kernel, const struct cache_facts *facts);

/* The kernel that was chosen; NULL before. */
const char *copy_kernel_name(void);

/* copy_decide of a long copy. */
bool copy_decide_long(struct copy_history *history, const void *to, size_t len_bytes);

/*
 * Whether a copy of len_bytes to one place is to stream, and remembers that it is written now. Once
 * a copy, by who submits it, however it is cut or shared out then. Without a history: no.
 */
static inline bool copy_decide(struct copy_history *history, const void *to, size_t len_bytes)
{
	if (history == NULL)
		return false;
	if (len_bytes >= COPY_STREAM_BYTES)
		return copy_decide_long(history, to, len_bytes);
	history->copied_bytes += len_bytes;
	return false;
}

/* As memmove, for COPY_KERNEL_BYTES and more. What streamed is seen by others after copy_fence. */
void copy_large(void *to, const void *from, size_t len_bytes, bool is_streaming);
void copy_fence(void);

/* A slice of a copy that was decided on; whole and seen by others when it returns. Any length. */
static inline void copy_slice(void *to, const void *from, size_t len_bytes, bool is_streaming)
{
	if (len_bytes < COPY_KERNEL_BYTES) {
		memmove(to, from, len_bytes);
		return;
	}
	copy_large(to, from, len_bytes, is_streaming);
	if (is_streaming)
		copy_fence();
}

/* copy_bytes of COPY_KERNEL_BYTES and more. */
void copy_long(struct copy_history *history, void *to, const void *from, size_t len_bytes);

/* A copy by itself. */
static inline void copy_bytes(struct copy_history *history, void *to, const void *from,
			      size_t len_bytes)
{
	if (len_bytes >= COPY_KERNEL_BYTES) {
		copy_long(history, to, from, len_bytes);
		return;
	}
	history->copied_bytes += len_bytes;
	memmove(to, from, len_bytes);
}

#endif /* COPY_COPY_H_ */
