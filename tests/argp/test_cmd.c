/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-commands: making and registering them, and what may stand after their names. */
#include "support/test.h"

#include "support/argp_fixture.h"

static void create_refuses_null(void **state)
{
	assert_doca(doca_argp_cmd_create(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void destroy_frees_all_that_is_below(void **state)
{
	struct doca_argp_cmd *upper = argp_cmd("upper");
	struct doca_argp_cmd *lower = argp_cmd("lower");

	assert_doca(doca_argp_cmd_register_param(lower, argp_param("n", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_cmd(upper, lower), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_destroy(lower), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_destroy(upper), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void destroy_refuses_a_registered_or_refused_one(void **state)
{
	struct doca_argp_cmd *first = argp_cmd("set");
	struct doca_argp_cmd *second = argp_cmd("set");

	assert_doca(doca_argp_register_cmd(first), DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(second), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_destroy(first), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_destroy(second), DOCA_ERROR_BAD_STATE);
}

static void a_closed_parser_frees_what_it_is_given(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("set");
	struct doca_argp_cmd *other = argp_cmd("get");
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_param(cmd, param), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_destroy(other), DOCA_SUCCESS);
}

static void register_refuses_null_and_twice(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("set");

	assert_doca(doca_argp_register_cmd(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_register_cmd(cmd, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_cmd_register_cmd(NULL, argp_cmd("x")), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_cmd_register_param(cmd, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_cmd_register_param(NULL, argp_param("n", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_INVALID_VALUE);
}

static void register_refuses_one_that_lacks_a_field(void **state)
{
	for (unsigned int missing = 0; missing < 3; missing++) {
		struct doca_argp_cmd *cmd = NULL;

		assert_doca(doca_argp_cmd_create(&cmd), DOCA_SUCCESS);
		if (missing != 0)
			doca_argp_cmd_set_name(cmd, "set");
		if (missing != 1)
			doca_argp_cmd_set_description(cmd, "What it does");
		if (missing != 2)
			doca_argp_cmd_set_callback(cmd, argp_on_cmd);
		assert_doca(doca_argp_register_cmd(cmd), DOCA_ERROR_INITIALIZATION);
	}
}

static void register_refuses_a_bad_name(void **state)
{
	assert_doca(doca_argp_register_cmd(argp_cmd("")), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_cmd(argp_cmd("-set")), DOCA_ERROR_INVALID_VALUE);
}

static void register_refuses_a_circle(void **state)
{
	struct doca_argp_cmd *upper = argp_cmd("upper");
	struct doca_argp_cmd *lower = argp_cmd("lower");

	assert_doca(doca_argp_cmd_register_cmd(upper, lower), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_cmd(lower, upper), DOCA_ERROR_INVALID_VALUE);
}

static void register_refuses_itself(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("set");

	assert_doca(doca_argp_cmd_register_cmd(cmd, cmd), DOCA_ERROR_INVALID_VALUE);
}

static void setters_survive_null_and_registration(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("set");

	doca_argp_cmd_set_name(NULL, "x");
	doca_argp_cmd_set_description(NULL, "x");
	doca_argp_cmd_set_callback(NULL, argp_on_cmd);
	doca_argp_cmd_set_hidden(NULL);
	doca_argp_cmd_set_name(cmd, NULL);
	doca_argp_cmd_set_description(cmd, NULL);
	doca_argp_cmd_set_callback(cmd, NULL);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	doca_argp_cmd_set_name(cmd, "get");
	assert_doca(START("set"), DOCA_SUCCESS);
	assert_calls(state, "cmd;");
}

static void a_command_and_its_flags_run_in_the_order_of_the_line(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("set");

	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	assert_doca(doca_argp_cmd_register_param(cmd, argp_param("t", NULL, DOCA_ARGP_TYPE_STRING)),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	assert_doca(START("-n", "3", "set", "-t", "x"), DOCA_SUCCESS);
	assert_calls(state, "number 3;cmd;text x;");
}

static void commands_nest(void **state)
{
	struct doca_argp_cmd *upper = argp_cmd("upper");

	assert_doca(doca_argp_register_cmd(upper), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_cmd(upper, argp_cmd("lower")), DOCA_SUCCESS);
	assert_doca(START("upper", "lower"), DOCA_SUCCESS);
	assert_calls(state, "cmd;cmd;");
}

static void only_an_inherited_flag_may_stand_after_the_command(void **state)
{
	struct doca_argp_param *inherited = argp_param("i", NULL, DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_inherited(inherited);
	assert_doca(doca_argp_register_param(inherited), DOCA_SUCCESS);
	argp_add("n", NULL, DOCA_ARGP_TYPE_INT);
	assert_doca(doca_argp_register_cmd(argp_cmd("set")), DOCA_SUCCESS);
	assert_doca(START("set", "-i", "1", "-n", "2"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("flag '-n' is none of 'set'; give it before that name");
	assert_calls(state, "");
}

static void an_inherited_flag_reaches_every_level(void **state)
{
	struct doca_argp_param *inherited = argp_param("i", NULL, DOCA_ARGP_TYPE_INT);
	struct doca_argp_cmd *upper = argp_cmd("upper");

	doca_argp_param_set_inherited(inherited);
	assert_doca(doca_argp_register_param(inherited), DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(upper), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_cmd(upper, argp_cmd("lower")), DOCA_SUCCESS);
	assert_doca(START("upper", "lower", "-i", "1"), DOCA_SUCCESS);
	assert_calls(state, "cmd;cmd;number 1;");
}

static void a_command_may_name_its_flag_as_a_built_in_one(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("set");

	assert_doca(doca_argp_cmd_register_param(cmd,
						 argp_param("v", "version", DOCA_ARGP_TYPE_STRING)),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_param(cmd, argp_param("h", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_register_param(cmd, argp_param(NULL, "help", DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_cmd_register_param(cmd, argp_param("v", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	assert_doca(START("set", "-v", "x"), DOCA_SUCCESS);
	assert_calls(state, "cmd;text x;");
}

static void two_commands_may_have_flags_of_the_same_name(void **state)
{
	struct doca_argp_cmd *set = argp_cmd("set");
	struct doca_argp_cmd *get = argp_cmd("get");

	assert_doca(doca_argp_cmd_register_param(set, argp_param("n", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_param(get, argp_param("n", NULL, DOCA_ARGP_TYPE_STRING)),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(set), DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(get), DOCA_SUCCESS);
	assert_doca(START("get", "-n", "x"), DOCA_SUCCESS);
	assert_calls(state, "cmd;text x;");
}

static void an_unknown_command_names_the_nearest(void **state)
{
	assert_doca(doca_argp_register_cmd(argp_cmd("inspect")), DOCA_SUCCESS);
	assert_doca(START("inspct"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("argument 'inspct' is no flag and no command; did you mean inspect?");
}

static void start_returns_what_a_command_refuses(void **state)
{
	struct argp_fixture *fixture = *state;

	fixture->answer = DOCA_ERROR_NOT_PERMITTED;
	assert_doca(doca_argp_register_cmd(argp_cmd("set")), DOCA_SUCCESS);
	assert_doca(START("set"), DOCA_ERROR_NOT_PERMITTED);
}

static void a_mandatory_flag_of_a_command_is_wanted_with_it_alone(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);
	struct doca_argp_cmd *cmd = argp_cmd("set");

	doca_argp_param_set_mandatory(param);
	assert_doca(doca_argp_cmd_register_param(cmd, param), DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	assert_doca(START_NONE(), DOCA_SUCCESS);
}

static void a_mandatory_flag_of_a_command_is_missed(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);
	struct doca_argp_cmd *cmd = argp_cmd("set");

	doca_argp_param_set_mandatory(param);
	assert_doca(doca_argp_cmd_register_param(cmd, param), DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	assert_doca(START("set"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag --number is missing; it is mandatory");
	assert_calls(state, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(create_refuses_null),
		argp_test(destroy_frees_all_that_is_below),
		argp_test(destroy_refuses_a_registered_or_refused_one),
		cmocka_unit_test_setup_teardown(a_closed_parser_frees_what_it_is_given, argp_setup,
						argp_teardown_closed),
		argp_test(register_refuses_null_and_twice),
		argp_test(register_refuses_one_that_lacks_a_field),
		argp_test(register_refuses_a_bad_name),
		argp_test(register_refuses_a_circle),
		argp_test(register_refuses_itself),
		argp_test(setters_survive_null_and_registration),
		argp_test(a_command_and_its_flags_run_in_the_order_of_the_line),
		argp_test(commands_nest),
		argp_test(only_an_inherited_flag_may_stand_after_the_command),
		argp_test(an_inherited_flag_reaches_every_level),
		argp_test(a_command_may_name_its_flag_as_a_built_in_one),
		argp_test(two_commands_may_have_flags_of_the_same_name),
		argp_test(an_unknown_command_names_the_nearest),
		argp_test(start_returns_what_a_command_refuses),
		argp_test(a_mandatory_flag_of_a_command_is_wanted_with_it_alone),
		argp_test(a_mandatory_flag_of_a_command_is_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
