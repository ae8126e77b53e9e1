/* SPDX-License-Identifier: Apache-2.0 */
/* What was meant by a name that nobody knows. */
#include "base/nearest.h"

#include <string.h>

#include "support/test.h"

static size_t distance(const char *a, const char *b)
{
	return edit_distance(a, strlen(a), b, strlen(b));
}

static void letters_changed_left_out_added_and_swapped_count_one_each(void **state)
{
	assert_int_equal(distance("", ""), 0);
	assert_int_equal(distance("", "abc"), 3);
	assert_int_equal(distance("abc", "abc"), 0);
	assert_int_equal(distance("abc", "abd"), 1);
	assert_int_equal(distance("abc", "ac"), 1);
	assert_int_equal(distance("ac", "abc"), 1);
	assert_int_equal(distance("abc", "acb"), 1);
	assert_int_equal(distance("abcd", "xyz"), 4);
}

static void the_case_of_letters_does_not_count(void **state)
{
	assert_int_equal(distance("ROLE", "role"), 0);
	assert_int_equal(distance("RoEl", "role"), 1);
}

static void the_nearest_name_is_found_where_half_its_letters_are_right(void **state)
{
	static const char *const names[] = {"side", "type", "pci_addr"};
	char text[1000];

	assert_string_equal(nearest_name("typ", 3, names, 3), "type");
	assert_string_equal(nearest_name("tpe", 3, names, 3), "type");
	assert_null(nearest_name("PCI", 3, names, 3));
	assert_string_equal(nearest_name("pci_adr", 7, names, 3), "pci_addr");
	assert_null(nearest_name("", 0, names, 3));
	memset(text, 'x', sizeof(text));
	assert_null(nearest_name(text, sizeof(text), names, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_changed_left_out_added_and_swapped_count_one_each),
		cmocka_unit_test(the_case_of_letters_does_not_count),
		cmocka_unit_test(the_nearest_name_is_found_where_half_its_letters_are_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
