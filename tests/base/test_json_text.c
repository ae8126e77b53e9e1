/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns of keys in a JSON text. */
#include "base/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/test.h"

#include "support/fail_calloc.h"

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

static void what_rfc_8259_has_not_is_told_where_it_stands(void **state)
{
	static const struct {
		const char *text;
		const char *flaw; /* NULL: none */
		size_t offset;
	} texts[] = {
		{"{\"a\": [1, \"'/,]\", {}],\n\"\\\"\": \"\\\\\"}", NULL, 0},
		{"\xc3\xa9", NULL, 0},
		{"{'a': 1}", "a single quote", 1},
		{"{\n\"a\": 'x'}", "a single quote", 7},
		{"{} // x", "a comment", 3},
		{"{\"a\": \"x\n\"}", "a text begins here and does not end in its line", 6},
		{"{\"a\": \"x\r\"}", "a text begins here and does not end in its line", 6},
		{"{\"a: 1}", "a text begins here and does not end", 1},
		{"{\"a\\", "a text begins here and does not end", 1},
		{"{\"a\tb\": 1}", "a control character in a text", 3},
		{"[1, \n]", "a comma stands before this ]", 5},
		{"{\"a\": 1,}", "a comma stands before this }", 8},
		{"\xef\xbb\xbf{}", "it begins with a byte order mark; save it without", 0},
	};
	size_t offset;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *flaw = json_text_flaw(texts[i].text, strlen(texts[i].text), &offset);

		if (texts[i].flaw == NULL) {
			assert_null(flaw);
			continue;
		}
		assert_non_null(flaw);
		assert_string_equal(flaw, texts[i].flaw);
		assert_int_equal(offset, texts[i].offset);
	}
	assert_string_equal(json_text_flaw("{\0}", 3, &offset), "a NUL");
	assert_string_equal(json_text_flaw("\"a\0\"", 4, &offset), "a NUL");
	assert_int_equal(offset, 2);
}

static void items_of_objects_and_arrays_are_gone_through(void **state)
{
	static const char text[] = "{ \"a\" : [1, {\"b\": 2}, \"]\"] , \"\": 'x,y',\"c\":{}}";
	struct json_item outer = json_items(text, strlen(text), 0);
	struct json_item inner;

	assert_true(json_next(&outer));
	assert_true(json_key_is(&outer, "a"));
	assert_int_equal(outer.key, 3);
	assert_int_equal(text[outer.value], '[');
	assert_int_equal(text[outer.end], ' ');
	inner = json_items(text, strlen(text), outer.value);
	assert_true(json_next(&inner));
	assert_int_equal(text[inner.value], '1');
	assert_int_equal(inner.key, inner.value);
	assert_true(json_next(&inner));
	assert_int_equal(text[inner.value], '{');
	assert_true(json_next(&inner));
	assert_int_equal(inner.end - inner.value, 3);
	assert_false(json_next(&inner));
	assert_true(json_next(&outer));
	assert_true(json_key_is(&outer, ""));
	assert_int_equal(outer.end - outer.value, 5);
	assert_true(json_next(&outer));
	assert_true(json_key_is(&outer, "c"));
	assert_false(json_next(&outer));
}

static void items_of_what_is_no_json_come_to_an_end(void **state)
{
	static const char *const texts[] = {"",	     "{",	"}",	  "{:", "{,,",
					    "{::::", "{\"",	"[[",	  "{]", "[}",
					    "{'a'",  "{\"a\":", "[1 2 3", "[/", "{a b:c}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_item item = json_items(texts[i], strlen(texts[i]), 0);
		size_t num_items = 0;

		while (json_next(&item)) {
			assert_true(item.end <= strlen(texts[i]));
			assert_true(++num_items <= strlen(texts[i]));
		}
	}
}

/* A descriptor of a temporary file of that many bytes. */
static int open_file(off_t len)
{
	char path[] = "/tmp/softdoca-json.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(ftruncate(fd, len), 0);
	return fd;
}

static void a_file_is_read_whole_or_not_at_all(void **state)
{
	char *text = NULL;
	size_t len = 77;
	int fd = open_file((4 << 20) + 1);

	assert_int_equal(json_text_load(fd, &text, &len), -EFBIG);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_null(text);
	assert_int_equal(json_text_load(open_file(4 << 20), &text, &len), 0);
	assert_int_equal(len, 4 << 20);
	assert_int_equal(text[len], '\0');
	free(text);
	text = NULL;
	assert_int_equal(json_text_load(open("/", O_RDONLY | O_CLOEXEC), &text, &len), -EISDIR);
	next_calloc_fails = true;
	assert_int_equal(json_text_load(open_file(1), &text, &len), -ENOMEM);
	assert_null(text);
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
		cmocka_unit_test(what_rfc_8259_has_not_is_told_where_it_stands),
		cmocka_unit_test(items_of_objects_and_arrays_are_gone_through),
		cmocka_unit_test(items_of_what_is_no_json_come_to_an_end),
		cmocka_unit_test(a_file_is_read_whole_or_not_at_all),
		cmocka_unit_test(space_ends_where_a_comment_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
