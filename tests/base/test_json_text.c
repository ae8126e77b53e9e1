/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns of keys in a JSON text. */
#include "base/json_text.h"

#include <string.h>

#include "support/test.h"

static void assert_key_at(const char *text, const char *key, unsigned int line, unsigned int column)
{
	struct json_place place = json_place_of_key(text, strlen(text), "a", key);

	assert_int_equal(place.line, line);
	assert_int_equal(place.column, column);
}

static void a_place_counts_lines_and_bytes_from_one(void **state)
{
	struct json_place place = json_place_of("ab\n\ncd", 5);

	assert_int_equal(place.line, 3);
	assert_int_equal(place.column, 2);
	place = json_place_of("", 0);
	assert_int_equal(place.line, 1);
	assert_int_equal(place.column, 1);
}

static void a_key_is_found_in_its_section_alone(void **state)
{
	assert_key_at("{\"b\": {\"k\": 1},\n\"a\": {\"x\": 1, \"k\": 2}}", "k", 2, 15);
}

static void a_section_is_found_by_itself(void **state)
{
	assert_key_at("{\"b\": {\"a\": 1}, \"a\": 2}", NULL, 1, 17);
}

static void values_and_deeper_keys_are_no_keys(void **state)
{
	assert_key_at("{\"a\": {\"x\": \"k\", \"y\": {\"k\": 1}, \"z\": [{\"k\": 1}],\n\"k\": 1}}",
		      "k", 2, 1);
	assert_key_at("{\"a\": {\"k\": 1,\n\"y\": {\"k\": 1}, \"z\": [{\"k\": 1}]}}", "k", 1, 8);
}

static void comments_and_escapes_are_passed_over(void **state)
{
	assert_key_at(
		"/* \"a\": { */ {\"a\": // \"k\": 1\n{\"x\\\"\": \"}\", /* \"k\": */\n'k' : 1}}",
		"k", 3, 1);
}

static void the_last_of_two_keys_counts_as_for_json_c(void **state)
{
	assert_key_at("{\"a\": {\"k\": 1, \"k\": 2}}", "k", 1, 16);
}

static void a_text_that_ends_anywhere_is_survived(void **state)
{
	static const char text[] = "{\"a\": {\"k\\\": // x\n /* y */ 'z': [1]}}";

	for (size_t len = 0; len < sizeof(text); len++) {
		struct json_place place = json_place_of_key(text, len, "a", "k");

		assert_true(place.line >= 1 && place.column >= 1);
	}
}

static void space_ends_where_a_comment_does_not(void **state)
{
	assert_int_equal(json_skip_space(" /* x */ // y\n z", 16, 0), 15);
	assert_int_equal(json_skip_space("/x", 2, 0), 0);
	assert_int_equal(json_skip_space("/* x", 4, 0), 4);
	assert_int_equal(json_skip_space("// x", 4, 0), 4);
	assert_int_equal(json_skip_space("/", 1, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_counts_lines_and_bytes_from_one),
		cmocka_unit_test(a_key_is_found_in_its_section_alone),
		cmocka_unit_test(a_section_is_found_by_itself),
		cmocka_unit_test(values_and_deeper_keys_are_no_keys),
		cmocka_unit_test(comments_and_escapes_are_passed_over),
		cmocka_unit_test(the_last_of_two_keys_counts_as_for_json_c),
		cmocka_unit_test(a_text_that_ends_anywhere_is_survived),
		cmocka_unit_test(space_ends_where_a_comment_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
