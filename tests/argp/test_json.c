/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON file: its sections, its values, and what is refused where. */
#include "support/test.h"

#include <sys/stat.h>

#include "support/argp_fixture.h"

/* doca_argp_start() with a file of that text, and what else stands on the line. */
static doca_error_t start_with(const char *text, const char *flag, const char *value)
{
	struct argp_file file = argp_write_file(text, strlen(text));
	const char *const argv[] = {"prog", "-j", file.path, flag, value, NULL};
	doca_error_t result = argp_start_list(argv);

	unlink(file.path);
	return result;
}

static doca_error_t start_file(const char *text)
{
	return start_with(text, NULL, NULL);
}

/* The message is that text, after the name of the file. */
static void assert_refused(const char *text, doca_error_t expected, const char *message)
{
	const char *found;

	assert_doca(start_file(text), expected);
	assert_int_equal(num_messages, 1);
	found = strchr(last_message, ':');
	assert_non_null(found);
	assert_string_equal(found + 1, message);
}

static void add_all(void)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	argp_add("t", "text", DOCA_ARGP_TYPE_STRING);
	argp_add("f", "flag", DOCA_ARGP_TYPE_BOOLEAN);
	argp_add("r", "real", DOCA_ARGP_TYPE_DOUBLE);
	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
}

static void add_multiple(void)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_multiplicity(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
}

static void each_type_has_its_json(void **state)
{
	struct argp_fixture *fixture = *state;

	add_all();
	assert_doca(start_file("{\"doca_program_flags\": {\"number\": -7, \"text\": \"a\\nb\",\n"
			       "\"flag\": false, \"real\": 2.5, "
			       "\"device\": \"pci/0000:03:00.0,x=1\"}}"),
		    DOCA_SUCCESS);
	assert_calls(state, "number -7;text a\nb;flag false;real 2.5;device 0000:03:00.0 x=1;");
	assert_string_equal(fixture->text, "a\nb"); /* lives after the callback */
	assert_string_equal(fixture->devargs, "x=1");
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
}

static void comments_are_allowed(void **state)
{
	add_all();
	assert_doca(start_file("/* a file */ {\n// the program's\n\"doca_program_flags\": {\n"
			       "\"number\": 7 // seven\n}} // end\n/* really */\n"),
		    DOCA_SUCCESS);
	assert_calls(state, "number 7;");
}

static void general_flags_set_the_levels(void **state)
{
	int level = 0;

	assert_doca(start_file("{\"doca_general_flags\": {\"log-level\": 60, "
			       "\"sdk-log-level\": 40}}"),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_get_log_level(&level), DOCA_SUCCESS);
	assert_int_equal(level, DOCA_LOG_LEVEL_DEBUG);
	assert_int_equal(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_DEBUG);
	assert_int_equal(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_WARNING);
}

static void an_array_gives_a_repeated_flag_its_values(void **state)
{
	add_multiple();
	assert_doca(start_file("{\"doca_program_flags\": {\"number\": [1, 2, 3]}}"), DOCA_SUCCESS);
	assert_calls(state, "number 1;number 2;number 3;");
}

static void one_value_of_a_repeated_flag_needs_no_array(void **state)
{
	add_multiple();
	assert_doca(start_file("{\"doca_program_flags\": {\"number\": 1}}"), DOCA_SUCCESS);
	assert_calls(state, "number 1;");
}

static void an_array_for_one_value_is_refused(void **state)
{
	add_all();
	assert_refused("{\"doca_program_flags\": {\"number\": [1]}}", DOCA_ERROR_INVALID_VALUE,
		       "1:25: 'number': it takes one value, not an array");
}

static void the_file_comes_before_the_line(void **state)
{
	add_all();
	assert_doca(start_with("{\"doca_program_flags\": {\"number\": 1}}", "-t", "x"),
		    DOCA_SUCCESS);
	assert_calls(state, "number 1;text x;");
}

static void the_line_stands_in_place_of_the_file(void **state)
{
	add_multiple();
	assert_doca(start_with("{\"doca_program_flags\": {\"number\": [1, 2]}}", "-n", "3"),
		    DOCA_SUCCESS);
	assert_calls(state, "number 3;");
}

static void a_level_of_the_line_stands_in_place_of_the_file(void **state)
{
	assert_doca(start_with("{\"doca_general_flags\": {\"log-level\": 60}}", "-l", "30"),
		    DOCA_SUCCESS);
	assert_int_equal(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_ERROR);
}

static void the_file_gives_what_is_mandatory(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_mandatory(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(start_file("{\"doca_program_flags\": {\"number\": 1}}"), DOCA_SUCCESS);
}

static void a_flag_for_the_line_alone_is_refused(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_cli_only(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(doca_argp_disable_pedantic_config_parsing(), DOCA_SUCCESS);
	assert_refused("{\"doca_program_flags\": {\"number\": 1}}", DOCA_ERROR_NOT_SUPPORTED,
		       "1:25: 'number': only the command line may give it");
}

static void a_short_name_is_no_key(void **state)
{
	add_all();
	assert_refused("{\"doca_program_flags\": {\"n\": 1}}", DOCA_ERROR_NOT_SUPPORTED,
		       "1:25: 'n': unknown key");
}

static void an_unknown_key_is_refused_with_its_place(void **state)
{
	add_all();
	assert_refused("{\n\t\"doca_program_flags\": {\n\t\t\"text\": \"numberz\",\n"
		       "\t\t\"numberz\": 1\n\t}\n}",
		       DOCA_ERROR_NOT_SUPPORTED,
		       "4:3: 'numberz': unknown key; did you mean number?");
	assert_calls(state, "");
}

static void an_unknown_general_key_is_refused(void **state)
{
	assert_refused("{\"doca_general_flags\": {\"log-levl\": 60}}", DOCA_ERROR_NOT_SUPPORTED,
		       "1:25: 'log-levl': unknown key; did you mean log-level?");
}

static void an_unknown_section_is_refused(void **state)
{
	assert_refused("{\"doca_program_flag\": {}}", DOCA_ERROR_NOT_SUPPORTED,
		       "1:2: 'doca_program_flag': unknown key; did you mean doca_program_flags?");
}

static void unknown_keys_are_ignored_when_asked(void **state)
{
	add_all();
	assert_doca(doca_argp_disable_pedantic_config_parsing(), DOCA_SUCCESS);
	assert_doca(start_file("{\"other\": 1, \"doca_general_flags\": {\"x\": 1}, "
			       "\"doca_program_flags\": {\"x\": [], \"number\": 1}, "
			       "\"doca_dpdk_flags\": {\"x\": 1}}"),
		    DOCA_SUCCESS);
	assert_calls(state, "number 1;");
	assert_int_equal(num_messages, 0);
}

struct json_case {
	const char *value; /* of the key "x" */
	enum doca_argp_type type;
	const char *problem;
};

static void values_of_the_wrong_type_are_refused(void **state)
{
	static const struct json_case cases[] = {
		{"\"1\"", DOCA_ARGP_TYPE_INT, "a whole number is wanted"},
		{"1.0", DOCA_ARGP_TYPE_INT, "a whole number is wanted"},
		{"true", DOCA_ARGP_TYPE_INT, "a whole number is wanted"},
		{"null", DOCA_ARGP_TYPE_INT, "a whole number is wanted"},
		{"2147483648", DOCA_ARGP_TYPE_INT, "the number is too large"},
		{"-2147483649", DOCA_ARGP_TYPE_INT, "the number is too large"},
		{"99999999999999999999999", DOCA_ARGP_TYPE_INT, "the number is too large"},
		{"-99999999999999999999999", DOCA_ARGP_TYPE_INT, "the number is too large"},
		{"1", DOCA_ARGP_TYPE_STRING, "a text in quotes is wanted"},
		{"{}", DOCA_ARGP_TYPE_STRING, "a text in quotes is wanted"},
		{"\"a\\u0000b\"", DOCA_ARGP_TYPE_STRING, "the text holds a NUL"},
		{"1", DOCA_ARGP_TYPE_BOOLEAN, "true or false is wanted"},
		{"\"1\"", DOCA_ARGP_TYPE_DOUBLE, "a number is wanted"},
		{"1e999", DOCA_ARGP_TYPE_DOUBLE, "the number is too large"},
		{"NaN", DOCA_ARGP_TYPE_DOUBLE, "the number is too large"},
		{"99999999999999999999999", DOCA_ARGP_TYPE_DOUBLE, "the number is too large"},
		{"1", DOCA_ARGP_TYPE_DEVICE, "a text in quotes is wanted"},
		{"\"03:00.0\"", DOCA_ARGP_TYPE_DEVICE, "it begins with pci/"},
		{"\"pci/03:00.0\"", DOCA_ARGP_TYPE_DEVICE_REP, "its name is missing"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[128];

		snprintf(text, sizeof(text), "{\"doca_program_flags\": {\"x\": %s}}",
			 cases[i].value);
		num_messages = 0;
		argp_add(NULL, "x", cases[i].type);
		assert_doca(start_file(text), DOCA_ERROR_INVALID_VALUE);
		assert_message(cases[i].problem);
		assert_message(":1:25: 'x': ");
		assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
		assert_doca(doca_argp_init("prog", *state), DOCA_SUCCESS);
		assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_SUCCESS);
	}
	assert_calls(state, "");
}

static void a_whole_number_is_a_decimal_one_too(void **state)
{
	add_all();
	assert_doca(start_file("{\"doca_program_flags\": {\"real\": 9007199254740992}}"),
		    DOCA_SUCCESS);
	assert_calls(state, "real 9007199254740992;");
}

static void a_level_that_is_none_is_refused(void **state)
{
	assert_refused("{\"doca_general_flags\": {\"log-level\": 61}}", DOCA_ERROR_INVALID_VALUE,
		       "1:25: 'log-level': that is no level: give 10, 20, 30, 40, 50, 60 or 70");
}

static void a_section_that_is_no_object_is_refused(void **state)
{
	assert_refused("{ \"doca_program_flags\": []}", DOCA_ERROR_INVALID_VALUE,
		       "1:3: 'doca_program_flags': an object is wanted");
}

static void a_file_that_is_no_object_is_refused(void **state)
{
	assert_refused("\n [1]", DOCA_ERROR_INVALID_VALUE, "2:2: an object is wanted: {...}");
}

static void a_syntax_error_is_refused_with_line_and_column(void **state)
{
	add_all();
	assert_refused("{\n  \"doca_program_flags\": {\n    \"number\" 1\n  }\n}",
		       DOCA_ERROR_INVALID_VALUE,
		       "3:14: object property name separator ':' expected");
	assert_calls(state, "");
}

static void a_file_that_ends_too_early_is_refused_at_its_end(void **state)
{
	assert_refused("{\n\"doca_program_flags\": {", DOCA_ERROR_INVALID_VALUE,
		       "2:24: unexpected end of data");
}

static void an_empty_file_is_refused(void **state)
{
	assert_refused("", DOCA_ERROR_INVALID_VALUE, "1:1: unexpected end of data");
}

static void what_follows_the_object_is_refused(void **state)
{
	assert_refused("{}\n// comment\n{}", DOCA_ERROR_INVALID_VALUE,
		       "3:1: something follows the end of the JSON");
}

static void a_nul_in_the_file_is_refused(void **state)
{
	static const char text[] = "{}\n\0{}";
	struct argp_file file = argp_write_file(text, sizeof(text) - 1);

	assert_doca(START("-j", file.path), DOCA_ERROR_INVALID_VALUE);
	unlink(file.path);
	assert_message(":2:1: something follows the end of the JSON");
}

static void too_deep_nesting_is_refused(void **state)
{
	char text[512] = "{\"doca_program_flags\": {\"x\": ";

	for (size_t i = 0; i < 100; i++)
		strcat(text, "[");
	assert_doca(start_file(text), DOCA_ERROR_INVALID_VALUE);
	assert_message("nesting too deep");
}

static void a_file_that_is_not_there_is_an_io_error(void **state)
{
	assert_doca(START("-j", "/nowhere/at/all.json"), DOCA_ERROR_IO_FAILED);
	assert_message("/nowhere/at/all.json: the JSON file cannot be opened: No such file");
}

static void a_directory_is_an_io_error(void **state)
{
	assert_doca(START("--json", "/tmp"), DOCA_ERROR_IO_FAILED);
	assert_message("/tmp: the JSON file cannot be read: Is a directory");
}

static void a_huge_file_is_an_io_error(void **state)
{
	struct argp_file file = argp_write_file("{}", 2);

	assert_int_equal(truncate(file.path, ((off_t)4 << 20) + 1), 0);
	assert_doca(START("-j", file.path), DOCA_ERROR_IO_FAILED);
	unlink(file.path);
	assert_message("cannot be read: File too large");
}

static void a_file_given_twice_is_refused(void **state)
{
	assert_doca(START("-j", "a", "--json", "b"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag --json is given twice");
}

static void a_singular_flag_of_the_file_stands_alone(void **state)
{
	struct doca_argp_param *param = argp_param("s", "single", DOCA_ARGP_TYPE_BOOLEAN);

	doca_argp_param_set_singular(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(start_file("{\"doca_program_flags\": {\"single\": true}}"), DOCA_SUCCESS);
	assert_calls(state, "flag true;");
}

static void start_returns_what_a_flag_of_the_file_refuses(void **state)
{
	struct argp_fixture *fixture = *state;

	fixture->answer = DOCA_ERROR_FULL;
	add_all();
	assert_doca(start_with("{\"doca_program_flags\": {\"number\": 1}}", "-t", "x"),
		    DOCA_ERROR_FULL);
	assert_calls(state, "number 1;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(each_type_has_its_json),
		argp_test(comments_are_allowed),
		argp_test(general_flags_set_the_levels),
		argp_test(an_array_gives_a_repeated_flag_its_values),
		argp_test(one_value_of_a_repeated_flag_needs_no_array),
		argp_test(an_array_for_one_value_is_refused),
		argp_test(the_file_comes_before_the_line),
		argp_test(the_line_stands_in_place_of_the_file),
		argp_test(a_level_of_the_line_stands_in_place_of_the_file),
		argp_test(the_file_gives_what_is_mandatory),
		argp_test(a_flag_for_the_line_alone_is_refused),
		argp_test(a_short_name_is_no_key),
		argp_test(an_unknown_key_is_refused_with_its_place),
		argp_test(an_unknown_general_key_is_refused),
		argp_test(an_unknown_section_is_refused),
		argp_test(unknown_keys_are_ignored_when_asked),
		argp_test(values_of_the_wrong_type_are_refused),
		argp_test(a_whole_number_is_a_decimal_one_too),
		argp_test(a_level_that_is_none_is_refused),
		argp_test(a_section_that_is_no_object_is_refused),
		argp_test(a_file_that_is_no_object_is_refused),
		argp_test(a_syntax_error_is_refused_with_line_and_column),
		argp_test(a_file_that_ends_too_early_is_refused_at_its_end),
		argp_test(an_empty_file_is_refused),
		argp_test(what_follows_the_object_is_refused),
		argp_test(a_nul_in_the_file_is_refused),
		argp_test(too_deep_nesting_is_refused),
		argp_test(a_file_that_is_not_there_is_an_io_error),
		argp_test(a_directory_is_an_io_error),
		argp_test(a_huge_file_is_an_io_error),
		argp_test(a_file_given_twice_is_refused),
		argp_test(a_singular_flag_of_the_file_stands_alone),
		argp_test(start_returns_what_a_flag_of_the_file_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
