/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a copy can be whole. */
#include "support/test.h"

#include "copy/check.h"
#include "support/piece.h"

static void room_is_the_sum_over_the_list(void **state)
{
	uint8_t bytes[30];
	struct copy_piece target[3] = {
		empty(bytes, 10),
		piece(bytes + 10, 10, 0, 10),
		piece(bytes + 20, 10, 2, 3),
	};

	chain(target, 3);
	assert_int_equal(copy_room(target, SIZE_MAX), 15);
}

static void room_that_is_enough_need_not_be_counted_to_the_end(void **state)
{
	uint8_t bytes[20];
	struct copy_piece target[2] = {empty(bytes, 10), empty(bytes + 10, 10)};

	chain(target, 2);
	assert_true(copy_room(target, 10) >= 10);
	assert_true(copy_room(target, 11) >= 11);
	assert_int_equal(copy_room(target, 21), 20);
}

static void a_copy_that_fits_is_sound(void **state)
{
	uint8_t bytes[4];
	struct copy_piece source = full("four");
	struct copy_piece target = empty(bytes, 4);

	assert_int_equal(copy_check(&source, &target, 4), COPY_SOUND);
}

static void a_copy_of_nothing_has_an_empty_source(void **state)
{
	uint8_t bytes[4];
	struct copy_piece source = full("");
	struct copy_piece target = empty(bytes, 4);

	assert_int_equal(copy_check(&source, &target, 0), COPY_SOURCE_EMPTY);
}

static void a_window_outside_is_found_in_any_piece_of_either_list(void **state)
{
	for (size_t i = 0; i < 3; i++) {
		uint8_t bytes[30];
		struct copy_piece source[3] = {full("a"), full("b"), full("c")};
		struct copy_piece target[3] = {empty(bytes, 10), empty(bytes + 10, 10),
					       empty(bytes + 20, 10)};

		chain(source, 3);
		chain(target, 3);
		source[i].data_len_bytes = 2;
		assert_int_equal(copy_check(source, target, 3), COPY_SOURCE_OUTSIDE);

		source[i].data_len_bytes = 1;
		target[i].data_len_bytes = 11;
		assert_int_equal(copy_check(source, target, 3), COPY_TARGET_OUTSIDE);
	}
}

static void one_byte_too_little_room_is_too_small(void **state)
{
	uint8_t bytes[4];
	struct copy_piece source = full("four");
	struct copy_piece target = empty(bytes, 3);

	assert_int_equal(copy_check(&source, &target, 4), COPY_TARGET_SMALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_is_the_sum_over_the_list),
		cmocka_unit_test(room_that_is_enough_need_not_be_counted_to_the_end),
		cmocka_unit_test(a_copy_that_fits_is_sound),
		cmocka_unit_test(a_copy_of_nothing_has_an_empty_source),
		cmocka_unit_test(a_window_outside_is_found_in_any_piece_of_either_list),
		cmocka_unit_test(one_byte_too_little_room_is_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
