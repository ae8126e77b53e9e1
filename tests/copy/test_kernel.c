/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every loop of every kernel of this CPU against a byte oracle: the source cannot be written, bytes
 * of the target's colour never come from it, and beyond both ranges is memory that none may touch.
 */
#include "support/test.h"

#include <sys/mman.h>
#include <unistd.h>

#include "copy/copy.h"
#include "support/slow_tool.h"

#define ARENA_BYTES ((size_t)2 << 20)
#define GUARD_BYTES ((size_t)64 << 10)
#define COLOUR 0xee	     /* of what nobody wrote; no byte of the source has it */
#define MARGIN_BYTES 128     /* looked at on either side of a small copy */
#define MAX_SMALL_BYTES 4096 /* every size up to here */
#define MAX_OFFSET 128
#define NUM_LOOPS 4 /* of a kernel */

struct arena {
	uint8_t *from;
	uint8_t *other_from; /* none of its bytes is one of from */
	uint8_t *to;
	uint64_t random;
	bool is_slow; /* under a tool that makes it so: fewer cases */
};

/* One loop under test. */
struct loop {
	const char *kernel;
	const char *name;
	copy_fn copy;
};

static uint64_t next_random(struct arena *arena)
{
	arena->random ^= arena->random << 13;
	arena->random ^= arena->random >> 7;
	arena->random ^= arena->random << 17;
	return arena->random;
}

static size_t random_below(struct arena *arena, size_t end)
{
	return next_random(arena) % end;
}

static uint8_t *map_guarded(void)
{
	uint8_t *all = mmap(NULL, ARENA_BYTES + 2 * GUARD_BYTES, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(all, MAP_FAILED);
	assert_int_equal(mprotect(all + GUARD_BYTES, ARENA_BYTES, PROT_READ | PROT_WRITE), 0);
	return all + GUARD_BYTES;
}

static int set_up(void **state)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	assert_non_null(arena);
	arena->random = UINT64_C(88172645463325252);
	arena->is_slow = slow_tool() != NULL;
	if (arena->is_slow)
		print_message("# fewer cases under %s\n", slow_tool());
	arena->from = map_guarded();
	arena->other_from = map_guarded();
	arena->to = map_guarded();
	for (size_t i = 0; i < ARENA_BYTES; i++) {
		uint64_t random = next_random(arena);

		arena->from[i] = (uint8_t)(random % (COLOUR / 2));
		arena->other_from[i] = (uint8_t)(COLOUR / 2 + (random >> 8) % (COLOUR / 2));
	}
	assert_int_equal(mprotect(arena->from, ARENA_BYTES, PROT_READ), 0);
	assert_int_equal(mprotect(arena->other_from, ARENA_BYTES, PROT_READ), 0);
	memset(arena->to, COLOUR, ARENA_BYTES);
	*state = arena;
	return 0;
}

static int tear_down(void **state)
{
	struct arena *arena = *state;

	munmap(arena->from - GUARD_BYTES, ARENA_BYTES + 2 * GUARD_BYTES);
	munmap(arena->other_from - GUARD_BYTES, ARENA_BYTES + 2 * GUARD_BYTES);
	munmap(arena->to - GUARD_BYTES, ARENA_BYTES + 2 * GUARD_BYTES);
	free(arena);
	return 0;
}

static bool is_coloured(const uint8_t *bytes, size_t len)
{
	return len == 0 || (bytes[0] == COLOUR && memcmp(bytes, bytes + 1, len - 1) == 0);
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void run(const struct loop *loop, uint8_t *to, const uint8_t *from, size_t len)
{
	if (len < KERNEL_LEAST_BYTES)
		copy_slice(to, from, len, false);
	else
		loop->copy(to, from, len);
	copy_fence();
}

static void fail_wrong(const struct loop *loop, size_t to_at, size_t from_at, size_t len)
{
	fail_msg("kernel %s, loop %s: %zu bytes from %zu to %zu came out wrong", loop->kernel,
		 loop->name, len, from_at, to_at);
}

/* The target is all coloured, and is again on return. */
static void check(const struct arena *arena, const struct loop *loop, size_t to_at, size_t from_at,
		  size_t len, size_t margin)
{
	size_t before = min_size(to_at, margin);
	size_t behind = min_size(ARENA_BYTES - to_at - len, margin);
	uint8_t *to = arena->to + to_at;
	const uint8_t *from = arena->from + from_at;

	run(loop, to, from, len);
	if (memcmp(to, from, len) != 0 || !is_coloured(to - before, before) ||
	    !is_coloured(to + len, behind))
		fail_wrong(loop, to_at, from_at, len);
	memset(to, COLOUR, len);
}

typedef void (*check_fn)(struct arena *arena, const struct loop *loop);

/* What two of a kernel have in common is looked at once. */
static void check_every_loop(struct arena *arena, check_fn check_loop)
{
	const struct copy_kernel *kernel;

	for (size_t i = 0; (kernel = kernel_at(i)) != NULL; i++) {
		const struct loop loops[NUM_LOOPS] = {
			{kernel->name, "Intel's copy", kernel->intel.copy},
			{kernel->name, "Intel's stream", kernel->intel.stream},
			{kernel->name, "others' copy", kernel->others.copy},
			{kernel->name, "others' stream", kernel->others.stream},
		};

		for (size_t j = 0; j < NUM_LOOPS; j++) {
			bool is_new = true;

			for (size_t k = 0; k < j; k++)
				is_new = is_new && loops[k].copy != loops[j].copy;
			if (is_new)
				check_loop(arena, &loops[j]);
		}
	}
}

/*
 * The lengths grow, so that what is behind stays coloured without being coloured again; two sources
 * without a byte in common take turns, so that no byte is right from the time before.
 */
static void check_lens(struct arena *arena, const struct loop *loop, size_t to_at, size_t from_at)
{
	uint8_t *to = arena->to + to_at;

	for (size_t len = 0; len <= MAX_SMALL_BYTES; len += arena->is_slow ? 23 : 1) {
		const uint8_t *from = (len % 2 ? arena->from : arena->other_from) + from_at;

		run(loop, to, from, len);
		if (memcmp(to, from, len) != 0 || !is_coloured(to - MAX_OFFSET, MAX_OFFSET) ||
		    !is_coloured(to + len, MAX_OFFSET))
			fail_wrong(loop, to_at, from_at, len);
	}
	memset(to, COLOUR, MAX_SMALL_BYTES);
}

static void check_offsets(struct arena *arena, const struct loop *loop)
{
	for (size_t offset = 0; offset <= MAX_OFFSET; offset += arena->is_slow ? 5 : 1) {
		check_lens(arena, loop, MAX_OFFSET + offset, MAX_OFFSET);
		check_lens(arena, loop, MAX_OFFSET, MAX_OFFSET + offset);
	}
}

static void each_alignment_of_either_side_copies_every_size(void **state)
{
	check_every_loop(*state, check_offsets);
}

static void check_random(struct arena *arena, const struct loop *loop)
{
	const size_t num_pairs = arena->is_slow ? 5000 : 200000;

	for (size_t i = 0; i < num_pairs; i++)
		check(arena, loop, random_below(arena, 2 * MAX_SMALL_BYTES),
		      random_below(arena, 2 * MAX_SMALL_BYTES),
		      random_below(arena, MAX_SMALL_BYTES + 1), MARGIN_BYTES);
}

static void random_pairs_of_alignments_copy_random_sizes(void **state)
{
	check_every_loop(*state, check_random);
}

static void check_large(struct arena *arena, const struct loop *loop)
{
	const size_t num_copies = arena->is_slow ? 12 : 150;

	for (size_t i = 0; i < num_copies; i++) {
		size_t len = random_below(arena, ARENA_BYTES >> (i % 6));

		check(arena, loop, random_below(arena, ARENA_BYTES - len + 1),
		      random_below(arena, ARENA_BYTES - len + 1), len, ARENA_BYTES);
	}
}

static void random_large_copies_write_nothing_else_in_all_of_the_arena(void **state)
{
	check_every_loop(*state, check_large);
}

static void check_edges(struct arena *arena, const struct loop *loop)
{
	const size_t step = arena->is_slow ? 29 : 1;

	for (size_t len = 0; len <= 20 * MAX_SMALL_BYTES;
	     len += len < MAX_SMALL_BYTES ? step : 97 * step) {
		const size_t end = ARENA_BYTES - len;

		check(arena, loop, 0, 0, len, MARGIN_BYTES);
		check(arena, loop, 0, end, len, MARGIN_BYTES);
		check(arena, loop, end, 0, len, MARGIN_BYTES);
		check(arena, loop, end, end, len, MARGIN_BYTES);
	}
}

static void copies_up_to_memory_that_is_not_there_do_not_touch_it(void **state)
{
	check_every_loop(*state, check_edges);
}

static void every_kernel_is_found_by_its_name_and_the_last_is_portable(void **state)
{
	const struct copy_kernel *kernel;
	const struct copy_kernel *last = NULL;

	for (size_t i = 0; (kernel = kernel_at(i)) != NULL; i++) {
		assert_ptr_equal(kernel_find(kernel->name), kernel);
		last = kernel;
	}
	assert_ptr_equal(last, &kernel_portable);
	assert_null(kernel_find("auto"));
	assert_null(kernel_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_alignment_of_either_side_copies_every_size),
		cmocka_unit_test(random_pairs_of_alignments_copy_random_sizes),
		cmocka_unit_test(random_large_copies_write_nothing_else_in_all_of_the_arena),
		cmocka_unit_test(copies_up_to_memory_that_is_not_there_do_not_touch_it),
		cmocka_unit_test(every_kernel_is_found_by_its_name_and_the_last_is_portable),
	};

	return cmocka_run_group_tests_name("copy/kernel", tests, set_up, tear_down);
}
