/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lower layers' lines go. */
#include "support/test.h"

#include <doca_log.h>

#include "base/sink.h"

struct line {
	unsigned num_lines;
	int level;
	char place[512];
	int number;
	char text[256];
};

static struct line last; /* a sink gets no pointer of its owner's */

__attribute__((format(printf, 5, 0))) static void record(int level, const char *file, int line,
							 const char *func, const char *format,
							 va_list args)
{
	last.num_lines++;
	last.level = level;
	last.number = line;
	snprintf(last.place, sizeof(last.place), "%s:%s", file, func);
	vsnprintf(last.text, sizeof(last.text), format, args);
}

__attribute__((format(printf, 5, 0))) static void ignore(int level, const char *file, int line,
							 const char *func, const char *format,
							 va_list args)
{
}

static int set_record(void **state)
{
	last = (struct line){0};
	sink_set(record);
	return 0;
}

static void a_line_comes_with_its_place_and_its_arguments(void **state)
{
	int line = __LINE__ + 2;

	sink_error("piece %d of %s", 3, "four");

	assert_int_equal(last.num_lines, 1);
	assert_string_equal(last.text, "piece 3 of four");
	assert_string_equal(last.place, __FILE__ ":a_line_comes_with_its_place_and_its_arguments");
	assert_int_equal(last.number, line);
}

static void an_error_has_the_number_of_the_public_level(void **state)
{
	sink_error("e");
	assert_int_equal(last.level, DOCA_LOG_LEVEL_ERROR);
}

static void a_later_sink_replaces_an_earlier_one(void **state)
{
	sink_set(ignore);
	sink_error("to the second");
	assert_int_equal(last.num_lines, 0);
}

static void without_a_sink_a_line_goes_nowhere(void **state)
{
	sink_set(NULL);
	sink_error("to nobody");
	assert_int_equal(last.num_lines, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_line_comes_with_its_place_and_its_arguments, set_record),
		cmocka_unit_test_setup(an_error_has_the_number_of_the_public_level, set_record),
		cmocka_unit_test_setup(a_later_sink_replaces_an_earlier_one, set_record),
		cmocka_unit_test_setup(without_a_sink_a_line_goes_nowhere, set_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
