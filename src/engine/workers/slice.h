/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a copy that one thread does: addresses that were looked at when it was cut, so that
 * whatever happens to the lists meanwhile moves no byte outside of their regions.
 */
#ifndef ENGINE_WORKERS_SLICE_H_
#define ENGINE_WORKERS_SLICE_H_

#include "copy/walk.h"

#define SLICE_BYTES ((size_t)256 << 10)
#define SLICE_MAX_RUNS 16

/* As its owner may be changing it: each field once. */
static inline struct copy_piece piece_read(const struct copy_piece *piece)
{
	return (struct copy_piece){
		.next = __atomic_load_n(&piece->next, __ATOMIC_RELAXED),
		.head = __atomic_load_n(&piece->head, __ATOMIC_RELAXED),
		.len_bytes = __atomic_load_n(&piece->len_bytes, __ATOMIC_RELAXED),
		.data = __atomic_load_n(&piece->data, __ATOMIC_RELAXED),
		.data_len_bytes = __atomic_load_n(&piece->data_len_bytes, __ATOMIC_RELAXED),
	};
}

struct slice_run {
	uint8_t *to;
	const uint8_t *from;
	size_t len_bytes;
	bool is_streaming;
};

struct slice {
	struct slice_run runs[SLICE_MAX_RUNS];
	size_t num_runs;
	size_t len_bytes; /* sum over the runs */
};

/*
 * Cut up to max_bytes, above 0, and a little less where the next is to begin with a page, off what
 * is left of a walk, which is then behind them. A slice without a byte: a list was changed under
 * the copy.
 */
void slice_cut(struct copy_walk *walk, size_t max_bytes, struct slice *slice);

/* Each run behaves like memmove; all of them are seen by others when this returns. */
void slice_copy(const struct slice *slice);

#endif /* ENGINE_WORKERS_SLICE_H_ */
