/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts copies into slices. */
#include "engine/workers/slice.h"

#include <string.h>

#include "base/size.h"
#include "copy/copy.h"

#define PAGE_BYTES 4096

/* A target is decided on once, for all that it gets. */
static bool decide(struct copy_walk *walk, const uint8_t *to, size_t run_bytes)
{
	if (walk->decided != walk->target) {
		walk->is_streaming = copy_decide(walk->history, to, run_bytes);
		walk->decided = walk->target;
	}
	return walk->is_streaming;
}

/* Kernels like to begin with a page. */
static size_t up_to_page(const uint8_t *to, size_t len_bytes)
{
	size_t beyond_bytes = ((uintptr_t)to + len_bytes) % PAGE_BYTES;

	return beyond_bytes < len_bytes ? len_bytes - beyond_bytes : len_bytes;
}

/* What comes next in a row of both lists, from copies of their pieces; 0 bytes: they ended. */
static struct slice_run next_run(struct copy_walk *walk, size_t max_bytes)
{
	struct slice_run run = {0};

	while (walk->source != NULL && walk->target != NULL) {
		const struct copy_piece source = piece_read(walk->source);
		const struct copy_piece target = piece_read(walk->target);
		size_t available;
		size_t room;

		if (!piece_is_sound(&source) || !piece_is_sound(&target))
			return run;
		available = size_after(source.data_len_bytes, walk->source_done_bytes);
		room = size_after(piece_room(&target), walk->target_done_bytes);
		if (available == 0) {
			walk->source = source.next;
			walk->source_done_bytes = 0;
		} else if (room == 0) {
			walk->target = target.next;
			walk->target_done_bytes = 0;
		} else {
			run.to = piece_tail(&target) + walk->target_done_bytes;
			run.from = source.data + walk->source_done_bytes;
			run.len_bytes = min_size(available, room);
			if (run.len_bytes > max_bytes)
				run.len_bytes = up_to_page(run.to, max_bytes);
			run.is_streaming = decide(walk, run.to, min_size(room, walk->left_bytes));
			walk->source_done_bytes += run.len_bytes;
			walk->target_done_bytes += run.len_bytes;
			return run;
		}
	}
	return run;
}

static struct slice_run last_run(const struct copy_walk *walk, size_t len_bytes)
{
	return (struct slice_run){
		.to = walk->backward_to + walk->left_bytes - len_bytes,
		.from = walk->backward_from + walk->left_bytes - len_bytes,
		.len_bytes = len_bytes,
	};
}

void slice_cut(struct copy_walk *walk, size_t max_bytes, struct slice *slice)
{
	struct slice_run run;

	slice->num_runs = 0;
	slice->len_bytes = 0;
	max_bytes = min_size(max_bytes, walk->left_bytes);
	do {
		size_t more_bytes = max_bytes - slice->len_bytes;

		run = walk->backward_from != NULL ? last_run(walk, more_bytes)
						  : next_run(walk, more_bytes);
		if (run.len_bytes == 0)
			return;
		slice->runs[slice->num_runs++] = run;
		slice->len_bytes += run.len_bytes;
		walk->left_bytes -= run.len_bytes;
	} while (max_bytes - slice->len_bytes >= PAGE_BYTES && slice->num_runs < SLICE_MAX_RUNS);
}

void slice_copy(const struct slice *slice)
{
	bool has_streamed = false;

	for (size_t i = 0; i < slice->num_runs; i++) {
		const struct slice_run *run = &slice->runs[i];

		if (run->len_bytes < COPY_KERNEL_BYTES) {
			memmove(run->to, run->from, run->len_bytes);
			continue;
		}
		copy_large(run->to, run->from, run->len_bytes, run->is_streaming);
		has_streamed |= run->is_streaming;
	}
	if (has_streamed)
		copy_fence();
}
