/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a source list and a target list side by side and copies what both have in a row. */
#include "copy/walk.h"

#include <string.h>

#include "base/size.h"

void copy_walk_begin(struct copy_walk *walk, struct copy_history *history,
		     struct copy_piece *source, struct copy_piece *target, size_t len_bytes)
{
	bool is_single = source->next == NULL && target->next == NULL;
	uintptr_t ahead = (uintptr_t)piece_tail(target) - (uintptr_t)source->data;

	*walk = (struct copy_walk){
		.source = source,
		.target = target,
		.left_bytes = len_bytes,
		.history = history,
	};
	/* A target below the source wraps to far ahead, where forward is right. */
	if (is_single && ahead < len_bytes) {
		walk->backward_from = source->data;
		walk->backward_to = piece_tail(target);
	}
}

static size_t step_backward(struct copy_walk *walk, size_t max_bytes)
{
	size_t len = min_size(walk->left_bytes, max_bytes);

	walk->left_bytes -= len;
	memmove(walk->backward_to + walk->left_bytes, walk->backward_from + walk->left_bytes, len);
	return len;
}

/* What streamed into the target until now is in it. */
static void end_streaming(struct copy_walk *walk)
{
	if (walk->is_streaming)
		copy_fence();
}

/* A target is decided on once, for run_bytes: all that it gets, in however many parts and steps. */
static void move_large(struct copy_walk *walk, const struct copy_piece *target, uint8_t *to,
		       const uint8_t *from, size_t len_bytes, size_t run_bytes)
{
	if (walk->decided != target) {
		end_streaming(walk);
		walk->is_streaming = copy_decide(walk->history, to, run_bytes);
		walk->decided = target;
	}
	copy_large(to, from, len_bytes, walk->is_streaming);
}

/* What a walk stands at stays in registers between two pieces. */
static size_t step_forward(struct copy_walk *walk, size_t max_bytes)
{
	struct copy_piece *source = walk->source;
	struct copy_piece *target = walk->target;
	size_t source_done = walk->source_done_bytes;
	size_t target_done = walk->target_done_bytes;
	size_t left = max_bytes;

	while (left > 0 && target != NULL) {
		uint8_t *to = piece_tail(target) + target_done;
		size_t room = size_after(piece_room(target), target_done);

		while (left > 0 && room > 0 && source != NULL) {
			size_t available = size_after(source->data_len_bytes, source_done);
			size_t len = min_size(min_size(available, room), left);
			const uint8_t *from = source->data + source_done;

			source_done += len;
			if (len == available) {
				source = source->next;
				source_done = 0;
			}
			if (len < COPY_KERNEL_BYTES)
				memmove(to, from, len);
			else
				move_large(walk, target, to, from, len,
					   min_size(room, walk->left_bytes - (max_bytes - left)));
			to += len;
			room -= len;
			left -= len;
		}
		target_done = (size_t)(to - piece_tail(target));
		if (room > 0)
			break;
		target = target->next;
		target_done = 0;
	}
	walk->source = source;
	walk->target = target;
	walk->source_done_bytes = source_done;
	walk->target_done_bytes = target_done;
	return max_bytes - left;
}

size_t copy_walk_step(struct copy_walk *walk, size_t max_bytes)
{
	size_t copied;

	if (walk->backward_from != NULL)
		return step_backward(walk, max_bytes);

	copied = step_forward(walk, min_size(max_bytes, walk->left_bytes));
	walk->left_bytes -= copied;
	end_streaming(walk);
	return copied;
}

void copy_walk_pause(struct copy_walk *walk, const struct copy_piece *target)
{
	walk->room_bytes = copy_room(target, SIZE_MAX);
}

bool copy_walk_may_go_on(const struct copy_walk *walk, const struct copy_piece *source,
			 const struct copy_piece *target)
{
	return copy_list_is_sound(source) && copy_list_is_sound(target) &&
	       copy_room(target, SIZE_MAX) == walk->room_bytes;
}

bool copy_commit(struct copy_piece *target, size_t len_bytes)
{
	for (; len_bytes > 0 && target != NULL; target = target->next) {
		size_t grown = min_size(piece_room(target), len_bytes);

		target->data_len_bytes += grown;
		len_bytes -= grown;
	}
	return len_bytes == 0;
}
