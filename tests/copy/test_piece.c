/* SPDX-License-Identifier: Apache-2.0 */
/* The window of a piece, and what is outside of it. */
#include "support/test.h"

#include "copy/piece.h"

#define REGION_BYTES 16

struct window {
	size_t offset;
	size_t len_bytes;
};

static struct copy_piece piece(uint8_t *region, struct window window)
{
	return (struct copy_piece){
		.head = region,
		.len_bytes = REGION_BYTES,
		/* Through a number: the offsets of these tests leave the region. */
		.data = (uint8_t *)((uintptr_t)region + window.offset),
		.data_len_bytes = window.len_bytes,
	};
}

static void a_window_inside_of_its_region_is_sound(void **state)
{
	static const struct window inside[] = {{0, 0}, {0, 1}, {0, 16}, {5, 11}, {16, 0}};
	uint8_t region[REGION_BYTES];

	for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
		struct copy_piece sound = piece(region, inside[i]);

		assert_true(piece_is_sound(&sound));
	}
}

static void a_window_that_leaves_its_region_is_not_sound(void **state)
{
	static const struct window outside[] = {
		{0, 17},	   /* one beyond the end */
		{16, 1},	   /* begins at the end */
		{17, 0},	   /* begins behind the end, empty */
		{(size_t)-1, 0},   /* begins before the head, empty */
		{(size_t)-1, 1},   /* the byte before the head */
		{(size_t)-1, 17},  /* around the region */
		{1, SIZE_MAX},	   /* an end that wraps */
		{8, SIZE_MAX - 7}, /* one that wraps to the head */
		{SIZE_MAX / 2, 1}, /* far away */
		{0, SIZE_MAX},	   /* all of memory */
	};
	uint8_t region[REGION_BYTES];

	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		struct copy_piece unsound = piece(region, outside[i]);

		assert_false(piece_is_sound(&unsound));
	}
}

static void a_region_of_no_bytes_is_sound_and_full(void **state)
{
	uint8_t byte;
	struct copy_piece none = {.head = &byte, .data = &byte};

	assert_true(piece_is_sound(&none));
	assert_int_equal(piece_room(&none), 0);
	none.data_len_bytes = 1;
	assert_false(piece_is_sound(&none));
}

static void the_tail_is_behind_the_data_and_the_room_behind_the_tail(void **state)
{
	uint8_t region[REGION_BYTES];
	struct copy_piece half = piece(region, (struct window){3, 5});

	assert_ptr_equal(piece_tail(&half), region + 8);
	assert_int_equal(piece_room(&half), 8);
}

static void an_empty_window_has_its_room_from_its_data_on(void **state)
{
	uint8_t region[REGION_BYTES];
	struct copy_piece empty = piece(region, (struct window){10, 0});

	assert_ptr_equal(piece_tail(&empty), region + 10);
	assert_int_equal(piece_room(&empty), 6);
}

static void a_full_piece_has_no_room(void **state)
{
	uint8_t region[REGION_BYTES];
	struct copy_piece full = piece(region, (struct window){4, 12});

	assert_int_equal(piece_room(&full), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_inside_of_its_region_is_sound),
		cmocka_unit_test(a_window_that_leaves_its_region_is_not_sound),
		cmocka_unit_test(a_region_of_no_bytes_is_sound_and_full),
		cmocka_unit_test(the_tail_is_behind_the_data_and_the_room_behind_the_tail),
		cmocka_unit_test(an_empty_window_has_its_room_from_its_data_on),
		cmocka_unit_test(a_full_piece_has_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
