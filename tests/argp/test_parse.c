/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: flags, their values, what is refused, and what ends the program. */
#include "support/test.h"

#include <float.h>
#include <limits.h>
#include <locale.h>

#include "support/argp_fixture.h"

static void flags_run_in_the_order_of_the_line(void **state)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	argp_add("t", "text", DOCA_ARGP_TYPE_STRING);
	argp_add("f", "flag", DOCA_ARGP_TYPE_BOOLEAN);
	argp_add("r", "real", DOCA_ARGP_TYPE_DOUBLE);
	assert_doca(START("--text", "a b", "-f", "-n", "7", "--real", "2.5"), DOCA_SUCCESS);
	assert_calls(state, "text a b;flag true;number 7;real 2.5;");
}

static void a_short_name_of_two_letters_is_never_split(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	argp_add("s", NULL, DOCA_ARGP_TYPE_INT);
	argp_add("ns", "num-src", DOCA_ARGP_TYPE_INT);
	assert_doca(START("-ns", "3"), DOCA_SUCCESS);
	assert_calls(state, "number 3;");
}

static void letters_are_not_put_together(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	argp_add("s", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	assert_doca(START("-ns"), DOCA_ERROR_NOT_SUPPORTED);
	assert_calls(state, "");
}

static void a_value_may_follow_an_equals_sign(void **state)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	argp_add("t", "text", DOCA_ARGP_TYPE_STRING);
	assert_doca(START("-n=4", "--text=a=b"), DOCA_SUCCESS);
	assert_calls(state, "number 4;text a=b;");
}

static void a_long_name_may_hold_spaces(void **state)
{
	argp_add("n", "nic handler", DOCA_ARGP_TYPE_INT);
	assert_doca(START("--nic handler", "1"), DOCA_SUCCESS);
	assert_calls(state, "number 1;");
}

static void a_value_may_begin_with_a_dash(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	argp_add("t", NULL, DOCA_ARGP_TYPE_STRING);
	assert_doca(START("-n", "-5", "-t", "-"), DOCA_SUCCESS);
	assert_calls(state, "number -5;text -;");
}

static void a_known_flag_is_no_value(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	argp_add("t", "text", DOCA_ARGP_TYPE_STRING);
	assert_doca(START("-t", "-n", "3"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag '-t' lacks its value");
	assert_calls(state, "");
}

static void an_equals_sign_makes_any_text_a_value(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	argp_add("t", "text", DOCA_ARGP_TYPE_STRING);
	assert_doca(START("--text=-n"), DOCA_SUCCESS);
	assert_calls(state, "text -n;");
}

static void a_missing_value_at_the_end_is_refused(void **state)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	assert_doca(START("--number"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag '--number' lacks its value");
}

static void a_boolean_takes_no_value(void **state)
{
	argp_add("f", "flag", DOCA_ARGP_TYPE_BOOLEAN);
	assert_doca(START("--flag=true"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag --flag: 'true' is not expected: the flag takes no value");
}

static void what_follows_a_boolean_is_an_argument_of_its_own(void **state)
{
	argp_add("f", "flag", DOCA_ARGP_TYPE_BOOLEAN);
	assert_doca(START("-f", "true"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("argument 'true' is no flag and no command; see --help");
}

static void an_unknown_flag_names_the_nearest(void **state)
{
	argp_add("t", "threads", DOCA_ARGP_TYPE_INT);
	assert_doca(START("--threadz", "3"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("unknown flag '--threadz'; did you mean --threads?");
}

static void two_dashes_without_dpdk_are_unknown(void **state)
{
	assert_doca(START("--"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("unknown flag '--'");
}

static void a_flag_given_twice_is_refused(void **state)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	assert_doca(START("-n", "1", "--number", "2"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag --number is given twice");
	assert_calls(state, "");
}

static void a_flag_that_may_be_repeated_runs_for_each_value(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_multiplicity(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(START("-n", "1", "-n", "2", "-n", "1"), DOCA_SUCCESS);
	assert_calls(state, "number 1;number 2;number 1;");
}

static void a_missing_mandatory_flag_is_refused(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_mandatory(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	argp_add("t", NULL, DOCA_ARGP_TYPE_STRING);
	assert_doca(START("-t", "x"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag -n is missing; it is mandatory");
	assert_calls(state, "");
}

static void add_singular_and_mandatory(void)
{
	struct doca_argp_param *singular = argp_param("s", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	struct doca_argp_param *mandatory = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_singular(singular);
	doca_argp_param_set_mandatory(mandatory);
	assert_doca(doca_argp_register_param(singular), DOCA_SUCCESS);
	assert_doca(doca_argp_register_param(mandatory), DOCA_SUCCESS);
}

static void a_singular_flag_stands_alone(void **state)
{
	add_singular_and_mandatory();
	assert_doca(START("-s"), DOCA_SUCCESS);
	assert_calls(state, "flag true;");
}

static void a_singular_flag_is_refused_beside_others(void **state)
{
	add_singular_and_mandatory();
	assert_doca(START("-s", "-n", "1"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag -s must be given alone");
	assert_calls(state, "");
}

static void start_returns_what_a_parameter_refuses(void **state)
{
	struct argp_fixture *fixture = *state;

	fixture->answer = DOCA_ERROR_TOO_BIG;
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	argp_add("t", NULL, DOCA_ARGP_TYPE_STRING);
	assert_doca(START("-n", "1", "-t", "x"), DOCA_ERROR_TOO_BIG);
	assert_calls(state, "number 1;");
}

static void one_bad_flag_runs_no_callback(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	assert_doca(START("-n", "1", "--what"), DOCA_ERROR_NOT_SUPPORTED);
	assert_calls(state, "");
}

struct number_case {
	const char *text;
	const char *problem; /* NULL: it is a number */
};

/* The parser starts once, so that each number has a parser of its own. */
static void check_numbers(void **state, enum doca_argp_type type, const struct number_case *cases,
			  size_t num_cases)
{
	for (size_t i = 0; i < num_cases; i++) {
		num_messages = 0;
		argp_add("n", NULL, type);
		assert_doca(START("-n", cases[i].text),
			    cases[i].problem == NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
		if (cases[i].problem != NULL)
			assert_message(cases[i].problem);
		assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
		assert_doca(doca_argp_init("prog", *state), DOCA_SUCCESS);
		assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_SUCCESS);
	}
}

static void whole_numbers_are_read_to_the_letter(void **state)
{
	static const struct number_case cases[] = {
		{"2147483647", NULL},
		{"-2147483648", NULL},
		{"+7", NULL},
		{"010", NULL},
		{"2147483648", "is too large"},
		{"-2147483649", "is too large"},
		{"99999999999999999999999999", "is too large"},
		{"3x", "with something behind it"},
		{"3 ", "with something behind it"},
		{"1.5", "with something behind it"},
		{"0x10", "with something behind it"},
		{" 3", "is no number"},
		{"", "is no number"},
		{"-", "is no number"},
		{"abc", "is no number"},
		{".5", "is no whole number"},
	};

	check_numbers(state, DOCA_ARGP_TYPE_INT, cases, sizeof(cases) / sizeof(cases[0]));
	assert_calls(state, "number 2147483647;number -2147483648;number 7;number 10;");
}

static void decimal_numbers_are_read_to_the_letter(void **state)
{
	static const struct number_case cases[] = {
		{"0.25", NULL},
		{"-1e3", NULL},
		{".5", NULL},
		{"1e999", "is too large"},
		{"inf", "is no number"},
		{"nan", "is no number"},
		{"1.5x", "with something behind it"},
		{" 1", "is no number"},
		{"", "is no number"},
		{"-inf", "is no number"},
		{"+", "is no number"},
	};

	check_numbers(state, DOCA_ARGP_TYPE_DOUBLE, cases, sizeof(cases) / sizeof(cases[0]));
	assert_calls(state, "real 0.25;real -1000;real 0.5;");
}

static void values_are_those_of_the_argument_vector(void **state)
{
	const struct argp_fixture *fixture = *state;
	char text[] = "text";
	char *argv[] = {(char *)"prog", (char *)"-t", text, NULL};

	argp_add("t", NULL, DOCA_ARGP_TYPE_STRING);
	assert_doca(doca_argp_start(3, argv), DOCA_SUCCESS);
	assert_ptr_equal(fixture->text, text);
}

static doca_error_t on_dpdk(int argc, char **argv)
{
	assert_null(argv[argc]);
	num_messages = 0; /* the callback has no configuration: the message stands for it */
	last_message[0] = '\0';
	for (int i = 0; i < argc; i++) {
		strcat(last_message, argv[i]);
		strcat(last_message, "|");
	}
	return DOCA_SUCCESS;
}

static doca_error_t on_dpdk_refuse(int argc, char **argv)
{
	return DOCA_ERROR_DRIVER;
}

static void dpdk_gets_what_stands_before_two_dashes(void **state)
{
	argp_add("l2", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_set_dpdk_program(on_dpdk);
	assert_doca(START("-a", "03:00.0", "-c", "0xf", "--", "-l2", "3"), DOCA_SUCCESS);
	assert_string_equal(last_message, "prog|-a|03:00.0|-c|0xf|");
	assert_calls(state, "number 3;");
}

static void dpdk_gets_the_name_alone_without_two_dashes(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_set_dpdk_program(on_dpdk);
	assert_doca(START("-n", "3"), DOCA_SUCCESS);
	assert_string_equal(last_message, "prog|");
	assert_calls(state, "number 3;");
}

static void dpdk_may_be_given_many_arguments(void **state)
{
	doca_argp_set_dpdk_program(on_dpdk);
	assert_doca(START("1", "2", "3", "4", "5", "6", "7", "8", "9", "--"), DOCA_SUCCESS);
	assert_string_equal(last_message, "prog|1|2|3|4|5|6|7|8|9|");
}

static void start_returns_what_dpdk_refuses(void **state)
{
	doca_argp_set_dpdk_program(on_dpdk_refuse);
	assert_doca(START("--"), DOCA_ERROR_DRIVER);
}

static doca_error_t print_version(void *param, void *config)
{
	printf("version of mine %d\n", *(bool *)param);
	return config == NULL ? DOCA_SUCCESS : *(doca_error_t *)config;
}

static doca_error_t print_version_and_exit(void *param, void *config)
{
	print_version(param, config);
	if (doca_argp_destroy() != DOCA_SUCCESS)
		_exit(1);
	exit(EXIT_SUCCESS);
}

static int start_version(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	return START("-l", "20", "-v", "--nonsense") == DOCA_SUCCESS ? 0 : 1;
}

static int start_version_of_mine(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS ||
	    doca_argp_register_version_callback(print_version) != DOCA_SUCCESS)
		return 1;
	return START("--version") == DOCA_SUCCESS ? 0 : 1;
}

static int start_version_that_exits(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS ||
	    doca_argp_register_version_callback(print_version_and_exit) != DOCA_SUCCESS)
		return 1;
	return START("-v") == DOCA_SUCCESS ? 0 : 1;
}

static int start_version_that_fails(void)
{
	doca_error_t answer = DOCA_ERROR_UNEXPECTED;

	if (doca_argp_init("prog", &answer) != DOCA_SUCCESS ||
	    doca_argp_register_version_callback(print_version) != DOCA_SUCCESS)
		return 1;
	return START("-v") == DOCA_ERROR_UNEXPECTED ? 0 : 1;
}

static void version_prints_both_versions_and_ends(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_version);
	assert_int_equal(child.status, EXIT_SUCCESS);
	assert_string_equal(child.out, "DOCA version of the headers: 3.3.0\n"
				       "DOCA version of the library: 3.3.0\n");
	assert_string_equal(child.err, "");
}

static void a_version_callback_replaces_the_text(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_version_of_mine);
	assert_int_equal(child.status, EXIT_SUCCESS);
	assert_string_equal(child.out, "version of mine 1\n");
}

static void a_version_callback_may_destroy_and_exit(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_version_that_exits);
	assert_int_equal(child.status, EXIT_SUCCESS);
	assert_string_equal(child.out, "version of mine 1\n");
}

static void start_returns_what_a_version_callback_refuses(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_version_that_fails);
	assert_int_equal(child.status, 100);
}

static int start_help(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	return START("--help", "--nonsense") == DOCA_SUCCESS ? 0 : 1;
}

static void help_prints_and_ends(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_help);
	assert_int_equal(child.status, EXIT_SUCCESS);
	assert_non_null(strstr(child.out, "Usage: prog [DOCA Flags]\n"));
	assert_string_equal(child.err, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(flags_run_in_the_order_of_the_line),
		argp_test(a_short_name_of_two_letters_is_never_split),
		argp_test(letters_are_not_put_together),
		argp_test(a_value_may_follow_an_equals_sign),
		argp_test(a_long_name_may_hold_spaces),
		argp_test(a_value_may_begin_with_a_dash),
		argp_test(a_known_flag_is_no_value),
		argp_test(an_equals_sign_makes_any_text_a_value),
		argp_test(a_missing_value_at_the_end_is_refused),
		argp_test(a_boolean_takes_no_value),
		argp_test(what_follows_a_boolean_is_an_argument_of_its_own),
		argp_test(an_unknown_flag_names_the_nearest),
		argp_test(two_dashes_without_dpdk_are_unknown),
		argp_test(a_flag_given_twice_is_refused),
		argp_test(a_flag_that_may_be_repeated_runs_for_each_value),
		argp_test(a_missing_mandatory_flag_is_refused),
		argp_test(a_singular_flag_stands_alone),
		argp_test(a_singular_flag_is_refused_beside_others),
		argp_test(start_returns_what_a_parameter_refuses),
		argp_test(one_bad_flag_runs_no_callback),
		argp_test(whole_numbers_are_read_to_the_letter),
		argp_test(decimal_numbers_are_read_to_the_letter),
		argp_test(values_are_those_of_the_argument_vector),
		argp_test(dpdk_gets_what_stands_before_two_dashes),
		argp_test(dpdk_gets_the_name_alone_without_two_dashes),
		argp_test(dpdk_may_be_given_many_arguments),
		argp_test(start_returns_what_dpdk_refuses),
		cmocka_unit_test(version_prints_both_versions_and_ends),
		cmocka_unit_test(a_version_callback_replaces_the_text),
		cmocka_unit_test(a_version_callback_may_destroy_and_exit),
		cmocka_unit_test(start_returns_what_a_version_callback_refuses),
		cmocka_unit_test(help_prints_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
