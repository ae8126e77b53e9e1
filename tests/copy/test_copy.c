/* SPDX-License-Identifier: Apache-2.0 */
/* Which copies stream, what is remembered for that, and copies as memmove makes them. */
#include "support/test.h"

#include "copy/copy.h"
#include "copy/walk.h"
#include "support/piece.h"

#define KIB ((size_t)1024)
#define MIB (KIB * 1024)

/* A window of 1 MiB, as it is where level 3 is a whole socket's; and one of 8 MiB. */
static const struct cache_facts socket_caches = {CACHE_MAKER_INTEL, 2 * MIB, 480 * MIB};
static const struct cache_facts core_caches = {CACHE_MAKER_AMD, MIB, 32 * MIB};

/* An address that nothing touches. */
static const uint8_t *at(size_t offset)
{
	return (const uint8_t *)((uintptr_t)64 * MIB + offset);
}

/* How many of a round of copies stream; they begin stride apart. */
static size_t count_streaming(struct copy_history *history, size_t first, size_t num_copies,
			      size_t stride, size_t len)
{
	size_t num_streaming = 0;

	for (size_t i = 0; i < num_copies; i++)
		num_streaming += copy_decide(history, at(first + i * stride), len);
	return num_streaming;
}

static void a_short_copy_never_streams(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &socket_caches);
	assert_int_equal(count_streaming(&history, 0, 100, MIB, COPY_STREAM_BYTES - 1), 0);
	assert_int_equal(history.copied_bytes, 100 * (COPY_STREAM_BYTES - 1));
}

static void without_a_history_nothing_streams(void **state)
{
	assert_false(copy_decide(NULL, at(0), 64 * MIB));
}

static void a_target_streams_at_first_and_is_near_then(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &socket_caches);
	assert_true(copy_decide(&history, at(0), MIB));
	for (int i = 0; i < 100; i++)
		assert_false(copy_decide(&history, at(0), MIB));
}

static void what_does_not_fit_beside_its_source_streams_each_time(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &socket_caches);
	for (int i = 0; i < 100; i++)
		assert_true(copy_decide(&history, at(0), 2 * MIB));
	copy_choose(NULL, &core_caches);
	for (int i = 0; i < 100; i++)
		assert_false(copy_decide(&history, at(0), 2 * MIB));
}

static void targets_taken_in_turn_are_near_as_far_as_the_window_goes(void **state)
{
	const size_t rounds = 4;
	struct copy_history history = {0};

	copy_choose(NULL, &core_caches);
	assert_int_equal(count_streaming(&history, 0, 8, MIB, MIB), 8);
	for (size_t i = 0; i < rounds; i++)
		assert_int_equal(count_streaming(&history, 0, 8, MIB, MIB), 0);
	for (size_t i = 0; i < rounds; i++)
		assert_int_equal(count_streaming(&history, 64 * MIB, 16, MIB, MIB), 16);
}

/* As buffers from malloc() do, which share a piece of the history. */
static void targets_that_follow_each_other_anywhere_are_not_taken_for_one(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &socket_caches);
	for (size_t offset = 0; offset < MIB; offset += 4099)
		assert_int_equal(count_streaming(&history, offset, 64, 256 * KIB, 256 * KIB), 64);
}

static void targets_a_power_of_two_apart_are_all_remembered(void **state)
{
	copy_choose(NULL, &core_caches);
	for (size_t stride = 256 * KIB; stride <= 1024 * MIB; stride *= 2) {
		struct copy_history history = {0};

		count_streaming(&history, 0, 32, stride, 256 * KIB);
		assert_int_equal(count_streaming(&history, 0, 32, stride, 256 * KIB), 0);
	}
}

static void copies_between_make_a_target_far_short_ones_too(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &core_caches);
	copy_decide(&history, at(0), MIB);
	count_streaming(&history, 32 * MIB, 6 * 256, 0, 4 * KIB);
	assert_false(copy_decide(&history, at(0), MIB));
	count_streaming(&history, 32 * MIB, 9 * 256, 0, 4 * KIB);
	assert_true(copy_decide(&history, at(0), MIB));
}

static void a_part_of_what_was_written_is_near_and_so_is_what_it_was_part_of(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &core_caches);
	copy_decide(&history, at(0), 2 * MIB);
	assert_int_equal(count_streaming(&history, 0, 4, 512 * KIB, 512 * KIB), 0);
	assert_false(copy_decide(&history, at(0), 2 * MIB));
}

static void a_copy_longer_than_all_that_is_remembered_leaves_its_end(void **state)
{
	struct copy_history history = {0};

	copy_choose(NULL, &core_caches);
	assert_true(copy_decide(&history, at(0), 1024 * MIB));
	assert_true(copy_decide(&history, at(0), MIB));
	assert_int_equal(history.copied_bytes, 1025 * MIB);
}

static void the_count_of_bytes_may_pass_its_end(void **state)
{
	struct copy_history history = {.copied_bytes = (UINT64_C(1) << 42) - MIB / 2};

	copy_choose(NULL, &socket_caches);
	assert_true(copy_decide(&history, at(0), MIB));
	assert_false(copy_decide(&history, at(0), MIB));
	assert_true(copy_decide(&history, at(4 * MIB), 2 * MIB));
	assert_true(copy_decide(&history, at(0), MIB));
}

/* However it is cut: pieces of a list, and steps of a walk. */
static void a_target_of_many_small_pieces_is_decided_on_once(void **state)
{
	const size_t len = MIB;
	uint8_t *bytes = malloc(2 * len);
	struct copy_history history = {0};
	struct copy_piece sources[64];

	assert_non_null(bytes);
	memset(bytes, 'x', len);
	memset(bytes + len, 0, len);
	copy_choose(NULL, &socket_caches);
	for (int round = 0; round < 3; round++) {
		struct copy_piece target = empty(bytes + len, len);
		struct copy_walk walk;

		for (size_t i = 0; i < 64; i++)
			sources[i] = piece(bytes + i * len / 64, len / 64, 0, len / 64);
		chain(sources, 64);
		copy_walk_begin(&walk, &history, sources, &target, len);
		while (walk.left_bytes > 0) {
			assert_int_equal(copy_walk_step(&walk, len / 4), len / 4);
			assert_int_equal(walk.is_streaming, round == 0);
		}
		assert_int_equal(history.copied_bytes, (size_t)(round + 1) * len);
		assert_memory_equal(bytes, bytes + len, len);
	}
	free(bytes);
}

/* One range, moved by some bytes: over itself, next to itself, and far from itself. */
static void check_moved(const struct copy_kernel *kernel, size_t len, size_t by, bool is_streaming)
{
	uint8_t *bytes = malloc(len + by);
	uint8_t *wanted = malloc(len + by);

	assert_non_null(bytes);
	assert_non_null(wanted);
	for (size_t up = 0; up < 2; up++) {
		size_t from = up ? 0 : by;
		size_t to = up ? by : 0;

		for (size_t i = 0; i < len + by; i++)
			bytes[i] = wanted[i] = (uint8_t)(i * 2654435761u >> 16);
		memmove(wanted + to, wanted + from, len);
		copy_slice(bytes + to, bytes + from, len, is_streaming);
		if (memcmp(bytes, wanted, len + by) != 0)
			fail_msg("kernel %s: %zu bytes moved %s by %zu came out wrong",
				 kernel->name, len, up ? "up" : "down", by);
	}
	free(bytes);
	free(wanted);
}

static void ranges_that_overlap_are_moved_as_by_memmove(void **state)
{
	const size_t lens[] = {0, 1, 2047, 2048, 4096, 20000, 300000};
	const size_t bys[] = {0, 1, 31, 63, 64, 65, 255, 256, 2047, 4095, 4096, 4097, 19999, 20000};
	const struct copy_kernel *kernel;

	for (size_t i = 0; (kernel = kernel_at(i)) != NULL; i++) {
		copy_choose(kernel, &socket_caches);
		for (size_t l = 0; l < sizeof(lens) / sizeof(lens[0]); l++)
			for (size_t b = 0; b < sizeof(bys) / sizeof(bys[0]); b++) {
				check_moved(kernel, lens[l], bys[b], false);
				check_moved(kernel, lens[l], bys[b], true);
			}
	}
}

static void before_a_kernel_is_chosen_memory_moves_too(void **state)
{
	check_moved(&kernel_portable, 300000, 300000, false);
	check_moved(&kernel_portable, 300000, 300000, true);
	check_moved(&kernel_portable, 300000, 77, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_a_kernel_is_chosen_memory_moves_too), /* the first */
		cmocka_unit_test(a_short_copy_never_streams),
		cmocka_unit_test(without_a_history_nothing_streams),
		cmocka_unit_test(a_target_streams_at_first_and_is_near_then),
		cmocka_unit_test(what_does_not_fit_beside_its_source_streams_each_time),
		cmocka_unit_test(targets_taken_in_turn_are_near_as_far_as_the_window_goes),
		cmocka_unit_test(targets_that_follow_each_other_anywhere_are_not_taken_for_one),
		cmocka_unit_test(targets_a_power_of_two_apart_are_all_remembered),
		cmocka_unit_test(copies_between_make_a_target_far_short_ones_too),
		cmocka_unit_test(a_part_of_what_was_written_is_near_and_so_is_what_it_was_part_of),
		cmocka_unit_test(a_copy_longer_than_all_that_is_remembered_leaves_its_end),
		cmocka_unit_test(the_count_of_bytes_may_pass_its_end),
		cmocka_unit_test(a_target_of_many_small_pieces_is_decided_on_once),
		cmocka_unit_test(ranges_that_overlap_are_moved_as_by_memmove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
