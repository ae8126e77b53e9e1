/* SPDX-License-Identifier: Apache-2.0 */
/* The versions of the headers and of the library, and numbers that compare. */
#include "support/test.h"

#include <doca_version.h>

static void headers_and_library_are_3_3_0(void **state)
{
	assert_string_equal(doca_version(), "3.3.0");
	assert_string_equal(doca_version_runtime(), "3.3.0");
	assert_string_equal(DOCA_VERSION_STRING, "3.3.0");
}

static void the_string_is_made_of_the_three_numbers(void **state)
{
	char text[32];

	snprintf(text, sizeof(text), "%d.%d.%d", DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR,
		 DOCA_VERSION_PATCH);
	assert_string_equal(text, DOCA_VERSION_STRING);
}

static void calculated_numbers_keep_the_parts_apart(void **state)
{
	assert_true(DOCA_VERSION_CALC_EXACT(1, 2, 3) == 0x01020003);
	assert_true(DOCA_VERSION_EXACT == 0x03030000);
	assert_true(DOCA_VERSION_CALC(1, 2, 3) == (0x01020000 | 3000));
	assert_true(DOCA_VERSION_OFFICIAL == 0x03030000);
}

static void only_this_release_equals_the_current_one(void **state)
{
	assert_true(DOCA_VERSION_EQ_CURRENT(3, 3, 0));
	assert_false(DOCA_VERSION_EQ_CURRENT(3, 2, 0));
	assert_false(DOCA_VERSION_EQ_CURRENT(3, 3, 1));
}

static void earlier_releases_are_not_after_the_current_one(void **state)
{
	assert_true(DOCA_VERSION_LTE_CURRENT(2, 10, 87));
	assert_true(DOCA_VERSION_LTE_CURRENT(3, 3, 0));
	assert_false(DOCA_VERSION_LTE_CURRENT(3, 4, 0));
	assert_false(DOCA_VERSION_LTE_CURRENT(4, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_and_library_are_3_3_0),
		cmocka_unit_test(the_string_is_made_of_the_three_numbers),
		cmocka_unit_test(calculated_numbers_keep_the_parts_apart),
		cmocka_unit_test(only_this_release_equals_the_current_one),
		cmocka_unit_test(earlier_releases_are_not_after_the_current_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
