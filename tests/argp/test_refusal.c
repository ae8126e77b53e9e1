/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser refuses of its caller is one line of the libraries' log, and no message. */
#include "support/test.h"

#include "support/argp_fixture.h"
#include "support/log_capture.h"

/* The capture is the group's state; the parser of a test has no fixture. */
static void open_parser(void **state)
{
	num_messages = 0;
	assert_doca(doca_argp_init("prog", NULL), DOCA_SUCCESS);
	assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_SUCCESS);
	log_forget(state);
}

static void close_parser(void **state)
{
	assert_int_equal(num_messages, 0);
	log_forget(state);
	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	assert_silent(state);
}

static void a_call_before_init_says_what_to_call(void **state)
{
	log_forget(state);
	assert_doca(START_NONE(), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR",
		      "doca_argp_start refuses: the parser is not open; call doca_argp_init first");
	log_forget(state);
	doca_argp_usage();
	assert_logged(state, "ERR", "doca_argp_usage refuses: the parser is not open");
}

static void a_call_after_start_says_where_it_belongs(void **state)
{
	open_parser(state);
	assert_doca(START_NONE(), DOCA_SUCCESS);
	assert_silent(state);
	assert_doca(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "call it before doca_argp_start");
	close_parser(state);
}

static void a_refused_parameter_says_what_it_lacks(void **state)
{
	struct doca_argp_param *param = NULL;

	open_parser(state);
	assert_doca(doca_argp_param_create(&param), DOCA_SUCCESS);
	doca_argp_param_set_long_name(param, "threads");
	assert_silent(state);
	assert_doca(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
	assert_logged(state, "ERR", "'threads': it lacks a description; set it first");
	close_parser(state);
}

static void a_taken_name_says_who_has_it(void **state)
{
	open_parser(state);
	assert_doca(doca_argp_register_param(argp_param("n", "json", DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "the name --json: a built-in flag has it already");
	close_parser(state);
}

static void a_setter_with_null_is_one_line(void **state)
{
	open_parser(state);
	doca_argp_param_set_type(NULL, DOCA_ARGP_TYPE_INT);
	assert_logged(state, "ERR",
		      "doca_argp_param_set_type does nothing: param must not be NULL");
	log_forget(state);
	doca_argp_cmd_set_name(NULL, "x");
	assert_logged(state, "ERR", "doca_argp_cmd_set_name does nothing: cmd must not be NULL");
	log_forget(state);
	doca_argp_set_dpdk_program(NULL);
	assert_logged(state, "ERR", "callback must not be NULL");
	close_parser(state);
}

static void a_bad_input_is_a_message_and_no_line(void **state)
{
	open_parser(state);
	assert_doca(START("--nonsense"), DOCA_ERROR_NOT_SUPPORTED);
	assert_silent(state);
	assert_message("unknown flag");
	num_messages = 0;
	close_parser(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_before_init_says_what_to_call),
		cmocka_unit_test(a_call_after_start_says_where_it_belongs),
		cmocka_unit_test(a_refused_parameter_says_what_it_lacks),
		cmocka_unit_test(a_taken_name_says_who_has_it),
		cmocka_unit_test(a_setter_with_null_is_one_line),
		cmocka_unit_test(a_bad_input_is_a_message_and_no_line),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
