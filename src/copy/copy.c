/* SPDX-License-Identifier: Apache-2.0 */
/* The large copies: which streams, and what moves it. */
#include "copy/copy.h"

#include "base/sink.h"

/* Small copies between two of a target do not make it old. */
#define SLACK_BYTES (COPY_STREAM_BYTES / 2)

/* What was chosen once, before any copy. */
static struct copy_way {
	struct copy_loops loops; /* NULL: nothing is chosen yet, memmove copies */
	const char *name;	 /* of the kernel; NULL until it is chosen */
	uint32_t window_kib;	 /* of copying; what was written before it is far */
} the_way;

void copy_choose(const struct copy_kernel *kernel, const struct cache_facts *facts)
{
	uint64_t window_bytes = cache_window_bytes(facts);

	if (kernel == NULL)
		kernel = kernel_at(0);
	the_way.loops = facts->maker == CACHE_MAKER_INTEL ? kernel->intel : kernel->others;
	the_way.name = kernel->name;
	the_way.window_kib = (uint32_t)((window_bytes + SLACK_BYTES) >> 10);
	sink_debug("kernel %s copies, and streams to where nothing was written within %llu KiB of "
		   "copying; level 2 cache %llu KiB, level 3 %llu KiB",
		   kernel->name, (unsigned long long)(window_bytes >> 10),
		   (unsigned long long)(facts->l2_bytes >> 10),
		   (unsigned long long)(facts->l3_bytes >> 10));
}

const char *copy_kernel_name(void)
{
	return the_way.name;
}

/* Neighbours, and those a power of two apart, fall into different slots. */
static struct copy_written *slot_of(struct copy_history *history, uint32_t piece)
{
	uint32_t folded = piece ^ piece >> 7 ^ piece >> 14 ^ piece >> 21;

	return &history->written[folded % COPY_HISTORY_SLOTS];
}

bool copy_decide_long(struct copy_history *history, const void *to, size_t len_bytes)
{
	/* Both ends down, so that targets that follow each other have no piece in common. */
	uint64_t first = (uintptr_t)to / COPY_STREAM_BYTES;
	uint64_t end = ((uintptr_t)to + len_bytes) / COPY_STREAM_BYTES;
	uint32_t now_kib = (uint32_t)(history->copied_bytes >> 10);
	const struct copy_written *written = slot_of(history, (uint32_t)first);
	bool is_near = written->piece == (uint32_t)first &&
		       now_kib - written->at_kib <= the_way.window_kib;

	if (end - first > COPY_HISTORY_SLOTS)
		first = end - COPY_HISTORY_SLOTS; /* what came before is forgotten then */
	for (uint64_t piece = first; piece < end; piece++)
		*slot_of(history, (uint32_t)piece) =
			(struct copy_written){(uint32_t)piece, now_kib};
	history->copied_bytes += len_bytes;
	return !is_near;
}

void copy_large(void *to, const void *from, size_t len_bytes, bool is_streaming)
{
	copy_fn copy = is_streaming ? the_way.loops.stream : the_way.loops.copy;
	size_t ahead = (uintptr_t)to - (uintptr_t)from;

	/* The kernels know of no overlap. */
	if (copy == NULL || ahead < len_bytes || -ahead < len_bytes)
		memmove(to, from, len_bytes);
	else
		copy(to, from, len_bytes);
}

void copy_long(struct copy_history *history, void *to, const void *from, size_t len_bytes)
{
	copy_slice(to, from, len_bytes, copy_decide(history, to, len_bytes));
}

void copy_fence(void)
{
#if defined(__x86_64__)
	__builtin_ia32_sfence(); /* other stores are in order without it */
#endif
}
