/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's life, and the callbacks that belong to the whole program. */
#include "support/test.h"

#include <errno.h>

#include "support/argp_fixture.h"

static doca_error_t validate(void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "validate;");
	return fixture->answer;
}

static void init_refuses_a_second_parser(void **state)
{
	assert_doca(doca_argp_init("other", NULL), DOCA_ERROR_BAD_STATE);
}

static void init_refuses_an_empty_name(void **state)
{
	assert_doca(doca_argp_init("", NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
}

static int print_usage_without_a_name(void)
{
	if (doca_argp_init(NULL, NULL) != DOCA_SUCCESS)
		return 1;
	doca_argp_usage();
	return doca_argp_destroy() == DOCA_SUCCESS ? 0 : 1;
}

static void init_without_a_name_takes_that_of_the_process(void **state)
{
	struct argp_child child;

	argp_run_child(&child, print_usage_without_a_name);
	assert_int_equal(child.status, 100);
	assert_non_null(strstr(child.out, program_invocation_short_name));
}

static void a_closed_parser_refuses_everything(void **state)
{
	struct doca_argp_param *param = NULL;
	struct doca_argp_cmd *cmd = NULL;

	assert_doca(doca_argp_param_create(&param), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_create(&cmd), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_param(NULL), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_cmd(NULL), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_version_callback(argp_on_flag), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_validation_callback(validate), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_disable_logger_callback(), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
	assert_doca(START_NONE(), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
	doca_argp_set_dpdk_program(NULL);
	doca_argp_usage();
	assert_null(param);
	assert_null(cmd);
}

static void a_started_parser_refuses_what_comes_before_start(void **state)
{
	assert_doca(START_NONE(), DOCA_SUCCESS);
	assert_doca(START_NONE(), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_param(argp_param("n", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_cmd(argp_cmd("set")), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_version_callback(argp_on_flag), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_validation_callback(validate), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
}

static void a_failed_start_cannot_be_repeated(void **state)
{
	assert_doca(START("-x"), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(START_NONE(), DOCA_ERROR_BAD_STATE);
}

static void start_refuses_arguments_that_are_none(void **state)
{
	char *with_hole[] = {(char *)"prog", NULL, (char *)"-h"};

	assert_doca(doca_argp_start(0, with_hole), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_start(1, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_start(3, with_hole), DOCA_ERROR_INVALID_VALUE);
	assert_doca(START_NONE(), DOCA_SUCCESS);
}

static void callbacks_must_not_be_null(void **state)
{
	assert_doca(doca_argp_register_version_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_validation_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_logger_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_dev_open_callback(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	doca_argp_set_dpdk_program(NULL);
}

static void validation_runs_once_after_the_parameters(void **state)
{
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	assert_doca(doca_argp_register_validation_callback(validate), DOCA_SUCCESS);
	assert_doca(START("-n", "3"), DOCA_SUCCESS);
	assert_calls(state, "number 3;validate;");
}

static void start_returns_what_validation_refuses(void **state)
{
	struct argp_fixture *fixture = *state;

	fixture->answer = DOCA_ERROR_IN_USE;
	assert_doca(doca_argp_register_validation_callback(validate), DOCA_SUCCESS);
	assert_doca(START_NONE(), DOCA_ERROR_IN_USE);
}

static void a_second_logger_is_refused_until_the_first_is_gone(void **state)
{
	assert_doca(doca_argp_register_logger_callback(argp_keep_message),
		    DOCA_ERROR_ALREADY_EXIST);
	assert_doca(doca_argp_disable_logger_callback(), DOCA_SUCCESS);
	assert_doca(doca_argp_disable_logger_callback(), DOCA_SUCCESS);
	assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_SUCCESS);
	assert_doca(START("-x"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("unknown flag '-x'");
}

static int start_with_an_escape(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	return START("-\033[1m") == DOCA_ERROR_NOT_SUPPORTED ? 0 : 1;
}

static void messages_go_to_stderr_without_control_characters(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_with_an_escape);
	assert_int_equal(child.status, 100);
	assert_string_equal(child.out, "");
	assert_string_equal(child.err, "prog: unknown flag '-?[1m'; --help lists all flags\n");
}

static doca_error_t destroy_inside(void *param, void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "destroy %s;", doca_error_get_name(doca_argp_destroy()));
	argp_record(fixture, "again %s;", doca_error_get_name(doca_argp_destroy()));
	argp_record(fixture, "%s;", (const char *)param);
	return fixture->answer;
}

static void add_destroyer(void)
{
	struct doca_argp_param *param = argp_param("d", NULL, DOCA_ARGP_TYPE_STRING);

	doca_argp_param_set_callback(param, destroy_inside);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
}

static void destroy_from_a_callback_waits_for_start_to_return(void **state)
{
	add_destroyer();
	assert_doca(START("-d", "text", "-n", "3"), DOCA_ERROR_BAD_STATE);
	assert_calls(state, "destroy DOCA_SUCCESS;again DOCA_ERROR_BAD_STATE;text;");
}

static void the_error_of_a_callback_that_destroys_is_returned(void **state)
{
	struct argp_fixture *fixture = *state;

	fixture->answer = DOCA_ERROR_AGAIN;
	add_destroyer();
	assert_doca(START("-d", "text"), DOCA_ERROR_AGAIN);
}

static doca_error_t start_inside(void *param, void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "start %s;", doca_error_get_name(START_NONE()));
	return DOCA_SUCCESS;
}

static void start_from_a_callback_is_refused(void **state)
{
	struct doca_argp_param *param = argp_param("s", NULL, DOCA_ARGP_TYPE_BOOLEAN);

	doca_argp_param_set_callback(param, start_inside);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(START("-s"), DOCA_SUCCESS);
	assert_calls(state, "start DOCA_ERROR_BAD_STATE;");
}

static void levels_without_flags_are_the_global_ones(void **state)
{
	int level = 0;

	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_WARNING), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR), DOCA_SUCCESS);
	assert_doca(START_NONE(), DOCA_SUCCESS);
	assert_doca(doca_argp_get_log_level(&level), DOCA_SUCCESS);
	assert_int_equal(level, DOCA_LOG_LEVEL_WARNING);
	assert_doca(doca_argp_get_sdk_log_level(&level), DOCA_SUCCESS);
	assert_int_equal(level, DOCA_LOG_LEVEL_ERROR);
	assert_doca(doca_argp_get_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_get_sdk_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void level_flags_set_the_global_levels(void **state)
{
	int level = 0;

	assert_doca(START("-l", "70", "--sdk-log-level", "20"), DOCA_SUCCESS);
	assert_doca(doca_argp_get_log_level(&level), DOCA_SUCCESS);
	assert_int_equal(level, DOCA_LOG_LEVEL_TRACE);
	assert_doca(doca_argp_get_sdk_log_level(&level), DOCA_SUCCESS);
	assert_int_equal(level, DOCA_LOG_LEVEL_CRIT);
	assert_int_equal(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_TRACE);
	assert_int_equal(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_CRIT);
}

static void a_number_that_is_no_level_changes_none(void **state)
{
	uint32_t before = doca_log_level_get_global_lower_limit();

	assert_doca(START("-l", "45"), DOCA_ERROR_INVALID_VALUE);
	assert_message("--log-level: '45' is no level");
	assert_int_equal(doca_log_level_get_global_lower_limit(), before);
}

static void a_level_is_refused_together_with_a_bad_flag(void **state)
{
	uint32_t before = doca_log_level_get_global_lower_limit();

	assert_int_not_equal(before, DOCA_LOG_LEVEL_CRIT);
	assert_doca(START("-l", "20", "--nonsense"), DOCA_ERROR_NOT_SUPPORTED);
	assert_int_equal(doca_log_level_get_global_lower_limit(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(init_refuses_a_second_parser),
		cmocka_unit_test(init_refuses_an_empty_name),
		cmocka_unit_test(init_without_a_name_takes_that_of_the_process),
		cmocka_unit_test(a_closed_parser_refuses_everything),
		argp_test(a_started_parser_refuses_what_comes_before_start),
		argp_test(a_failed_start_cannot_be_repeated),
		argp_test(start_refuses_arguments_that_are_none),
		argp_test(callbacks_must_not_be_null),
		argp_test(validation_runs_once_after_the_parameters),
		argp_test(start_returns_what_validation_refuses),
		argp_test(a_second_logger_is_refused_until_the_first_is_gone),
		cmocka_unit_test(messages_go_to_stderr_without_control_characters),
		cmocka_unit_test_setup_teardown(destroy_from_a_callback_waits_for_start_to_return,
						argp_setup, argp_teardown_closed),
		cmocka_unit_test_setup_teardown(the_error_of_a_callback_that_destroys_is_returned,
						argp_setup, argp_teardown_closed),
		argp_test(start_from_a_callback_is_refused),
		argp_test(levels_without_flags_are_the_global_ones),
		argp_test(level_flags_set_the_global_levels),
		argp_test(a_number_that_is_no_level_changes_none),
		argp_test(a_level_is_refused_together_with_a_bad_flag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
