/* SPDX-License-Identifier: Apache-2.0 */
/* The walk from one list of pieces to another. */
#include "support/test.h"

#include "copy/walk.h"
#include "support/piece.h"

#define UNTOUCHED 0xee

/* The whole copy in steps; the pieces are sound, the target large enough. */
static void copy_in_steps(struct copy_piece *source, struct copy_piece *target, size_t len_bytes,
			  size_t step_bytes)
{
	size_t left = len_bytes;
	struct copy_walk walk;

	assert_int_equal(copy_check(source, target, len_bytes), COPY_SOUND);
	copy_walk_begin(&walk, NULL, source, target, len_bytes);
	assert_int_equal(walk.left_bytes, len_bytes);
	while (left > 0) {
		size_t wanted = left < step_bytes ? left : step_bytes;

		assert_int_equal(copy_walk_step(&walk, step_bytes), wanted);
		left -= wanted;
		assert_int_equal(walk.left_bytes, left);
	}
	assert_int_equal(copy_walk_step(&walk, step_bytes), 0);
	assert_true(copy_commit(target, len_bytes));
}

static void a_copy_appends_behind_the_data_of_the_target(void **state)
{
	uint8_t bytes[8] = "__ab____";
	struct copy_piece source = full("xyz");
	struct copy_piece target = piece(bytes, 8, 2, 2);

	copy_in_steps(&source, &target, 3, SIZE_MAX);
	assert_memory_equal(bytes, "__abxyz_", 8);
	assert_ptr_equal(target.data, bytes + 2);
	assert_int_equal(target.data_len_bytes, 5);
}

static void a_step_moves_no_byte_more_than_asked(void **state)
{
	uint8_t bytes[4] = "....";
	struct copy_piece source = full("four");
	struct copy_piece target = empty(bytes, 4);
	struct copy_walk walk;

	copy_walk_begin(&walk, NULL, &source, &target, 4);
	assert_int_equal(copy_walk_step(&walk, 3), 3);
	assert_memory_equal(bytes, "fou.", 4);
	assert_int_equal(copy_walk_step(&walk, 0), 0);
	assert_memory_equal(bytes, "fou.", 4);
	assert_int_equal(target.data_len_bytes, 0);
}

static void begin_moves_no_byte(void **state)
{
	uint8_t bytes[4] = "....";
	struct copy_piece source = full("four");
	struct copy_piece target = empty(bytes, 4);
	struct copy_walk walk;

	copy_walk_begin(&walk, NULL, &source, &target, 4);
	assert_memory_equal(bytes, "....", 4);
}

static void empty_pieces_of_a_source_add_nothing(void **state)
{
	uint8_t bytes[6] = "......";
	struct copy_piece source[5] = {full(""), full("ab"), full(""), full("cd"), full("")};
	struct copy_piece target = empty(bytes, 6);

	chain(source, 5);
	copy_in_steps(source, &target, 4, SIZE_MAX);
	assert_memory_equal(bytes, "abcd..", 6);
	assert_int_equal(target.data_len_bytes, 4);
}

static void full_pieces_of_a_target_are_passed_over(void **state)
{
	uint8_t bytes[10] = "..##..#...";
	struct copy_piece source = full("abcdef");
	struct copy_piece target[5] = {
		empty(bytes, 2),	   piece(bytes + 2, 2, 0, 2), empty(bytes + 4, 2),
		piece(bytes + 6, 1, 0, 1), empty(bytes + 7, 3),
	};

	chain(target, 5);
	copy_in_steps(&source, target, 6, 4);
	assert_memory_equal(bytes, "ab##cd#ef.", 10);
	assert_int_equal(target[0].data_len_bytes, 2);
	assert_int_equal(target[1].data_len_bytes, 2);
	assert_int_equal(target[2].data_len_bytes, 2);
	assert_int_equal(target[3].data_len_bytes, 1);
	assert_int_equal(target[4].data_len_bytes, 2);
}

static void pieces_behind_the_last_byte_are_left_alone(void **state)
{
	uint8_t bytes[4] = "....";
	struct copy_piece source[2] = {full("ab"), full("cd")};
	struct copy_piece target[2] = {empty(bytes, 2), empty(bytes + 2, 2)};

	chain(source, 2);
	chain(target, 2);
	copy_in_steps(source, target, 2, SIZE_MAX);
	assert_memory_equal(bytes, "ab..", 4);
	assert_int_equal(target[1].data_len_bytes, 0);
}

#define NUM_BYTES 7

/* Cut a run of bytes wherever the mask has a bit; returns the number of pieces. */
static size_t cut(uint8_t *bytes, unsigned mask, bool with_data,
		  struct copy_piece pieces[NUM_BYTES])
{
	size_t begin = 0;
	size_t num_pieces = 0;

	for (size_t i = 1; i <= NUM_BYTES; i++) {
		if (i < NUM_BYTES && (mask & (1U << (i - 1))) == 0)
			continue;
		pieces[num_pieces++] =
			piece(bytes + begin, i - begin, 0, with_data ? i - begin : 0);
		begin = i;
	}
	chain(pieces, num_pieces);
	return num_pieces;
}

static void every_cut_of_both_lists_copies_the_same_in_steps_of_any_size(void **state)
{
	for (unsigned cuts = 0; cuts < 1U << (2 * (NUM_BYTES - 1)); cuts++) {
		for (size_t step_bytes = 1; step_bytes <= NUM_BYTES; step_bytes++) {
			uint8_t from[NUM_BYTES] = {1, 2, 3, 4, 5, 6, 7};
			uint8_t to[NUM_BYTES] = {0};
			struct copy_piece source[NUM_BYTES];
			struct copy_piece target[NUM_BYTES];
			size_t num_targets;

			cut(from, cuts % (1U << (NUM_BYTES - 1)), true, source);
			num_targets = cut(to, cuts >> (NUM_BYTES - 1), false, target);
			copy_in_steps(source, target, NUM_BYTES, step_bytes);
			assert_memory_equal(to, from, NUM_BYTES);
			for (size_t i = 0; i < num_targets; i++)
				assert_int_equal(target[i].data_len_bytes, target[i].len_bytes);
		}
	}
}

#define OVERLAP_BYTES 12

/* One piece over another in one memory, against memmove. */
static void check_overlap(size_t from, size_t to, size_t len_bytes, size_t step_bytes)
{
	uint8_t got[OVERLAP_BYTES];
	uint8_t wanted[OVERLAP_BYTES];
	struct copy_piece source = piece(got, OVERLAP_BYTES, from, len_bytes);
	struct copy_piece target = piece(got, OVERLAP_BYTES, to, 0);

	for (size_t i = 0; i < OVERLAP_BYTES; i++)
		got[i] = wanted[i] = (uint8_t)(i + 1);
	memmove(wanted + to, wanted + from, len_bytes);

	copy_in_steps(&source, &target, len_bytes, step_bytes);
	assert_memory_equal(got, wanted, OVERLAP_BYTES);
}

static void one_piece_over_another_is_memmove_in_steps_of_any_size(void **state)
{
	for (size_t len_bytes = 1; len_bytes <= OVERLAP_BYTES; len_bytes++)
		for (size_t from = 0; from + len_bytes <= OVERLAP_BYTES; from++)
			for (size_t to = 0; to + len_bytes <= OVERLAP_BYTES; to++)
				for (size_t step = 1; step <= len_bytes; step++)
					check_overlap(from, to, len_bytes, step);
}

static void a_target_behind_data_overlaps_where_it_appends(void **state)
{
	uint8_t bytes[8] = "abcdef..";
	/* Appends at 2: over its source, one byte at a time. */
	struct copy_piece source = piece(bytes, 8, 0, 6);
	struct copy_piece target = piece(bytes, 8, 0, 2);

	copy_in_steps(&source, &target, 6, 1);
	assert_memory_equal(bytes, "ababcdef", 8);
}

static void lists_that_overlap_do_not_crash(void **state)
{
	uint8_t bytes[8] = "abcdefgh";
	struct copy_piece source[2] = {piece(bytes, 8, 0, 3), piece(bytes, 8, 2, 3)};
	struct copy_piece target[2] = {piece(bytes, 6, 1, 1), piece(bytes, 8, 3, 0)};

	chain(source, 2);
	chain(target, 2);
	copy_in_steps(source, target, 6, 2);
}

static void a_source_that_shrinks_under_the_copy_ends_it_early(void **state)
{
	uint8_t bytes[8];
	struct copy_piece source[2] = {full("abcd"), full("efgh")};
	struct copy_piece target = empty(bytes, 8);
	struct copy_walk walk;

	chain(source, 2);
	copy_walk_begin(&walk, NULL, source, &target, 8);
	assert_int_equal(copy_walk_step(&walk, 3), 3);
	source[0].data_len_bytes = 1;

	assert_int_equal(copy_walk_step(&walk, 8), 4);
	assert_int_equal(walk.left_bytes, 1);
	assert_int_equal(copy_walk_step(&walk, 8), 0);
	assert_int_equal(walk.left_bytes, 1);
}

static void a_target_that_shrinks_under_the_copy_is_not_overrun(void **state)
{
	uint8_t bytes[8];
	struct copy_piece source = full("abcdefgh");
	struct copy_piece target[2] = {empty(bytes, 4), empty(bytes + 4, 4)};
	struct copy_walk walk;

	memset(bytes, UNTOUCHED, sizeof(bytes));
	chain(target, 2);
	copy_walk_begin(&walk, NULL, &source, target, 8);
	assert_int_equal(copy_walk_step(&walk, 3), 3);
	target[0].len_bytes = 2;
	target[1].len_bytes = 2;

	assert_int_equal(copy_walk_step(&walk, 8), 2);
	assert_int_equal(walk.left_bytes, 3);
	assert_int_equal(bytes[3], UNTOUCHED);
	assert_int_equal(bytes[6], UNTOUCHED);
}

static void a_target_that_grows_under_a_copy_from_the_end_is_not_overrun(void **state)
{
	uint8_t bytes[16];
	/* Its source two bytes before where it appends: copied from the end. */
	struct copy_piece source = piece(bytes, 8, 0, 8);
	struct copy_piece target = piece(bytes, 10, 2, 0);
	struct copy_walk walk;

	memset(bytes, UNTOUCHED, sizeof(bytes));
	memset(bytes, 1, 8);
	copy_walk_begin(&walk, NULL, &source, &target, 8);
	assert_int_equal(copy_walk_step(&walk, 1), 1);
	target.data_len_bytes = 6;

	(void)copy_walk_step(&walk, 8);
	for (size_t i = 10; i < sizeof(bytes); i++)
		assert_int_equal(bytes[i], UNTOUCHED);
}

static void a_target_that_has_less_room_than_was_copied_is_not_overrun_by_the_commit(void **state)
{
	uint8_t bytes[8];
	struct copy_piece target[2] = {empty(bytes, 4), empty(bytes + 4, 4)};

	chain(target, 2);
	assert_true(copy_commit(target, 4));
	assert_false(copy_commit(target, 5));
	assert_int_equal(target[0].data_len_bytes, 4);
	assert_int_equal(target[1].data_len_bytes, 4);
	assert_true(copy_commit(target, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_appends_behind_the_data_of_the_target),
		cmocka_unit_test(a_step_moves_no_byte_more_than_asked),
		cmocka_unit_test(begin_moves_no_byte),
		cmocka_unit_test(empty_pieces_of_a_source_add_nothing),
		cmocka_unit_test(full_pieces_of_a_target_are_passed_over),
		cmocka_unit_test(pieces_behind_the_last_byte_are_left_alone),
		cmocka_unit_test(every_cut_of_both_lists_copies_the_same_in_steps_of_any_size),
		cmocka_unit_test(one_piece_over_another_is_memmove_in_steps_of_any_size),
		cmocka_unit_test(a_target_behind_data_overlaps_where_it_appends),
		cmocka_unit_test(lists_that_overlap_do_not_crash),
		cmocka_unit_test(a_source_that_shrinks_under_the_copy_ends_it_early),
		cmocka_unit_test(a_target_that_shrinks_under_the_copy_is_not_overrun),
		cmocka_unit_test(a_target_that_grows_under_a_copy_from_the_end_is_not_overrun),
		cmocka_unit_test(
			a_target_that_has_less_room_than_was_copied_is_not_overrun_by_the_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
