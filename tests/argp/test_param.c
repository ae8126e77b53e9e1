/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters: making, describing and registering them. */
#include "support/test.h"

#include "support/argp_fixture.h"

static void create_refuses_null(void **state)
{
	assert_doca(doca_argp_param_create(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void destroy_frees_what_was_never_registered(void **state)
{
	assert_doca(doca_argp_param_destroy(argp_param("n", "number", DOCA_ARGP_TYPE_INT)),
		    DOCA_SUCCESS);
	assert_doca(doca_argp_param_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void destroy_refuses_a_registered_one(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(doca_argp_param_destroy(param), DOCA_ERROR_BAD_STATE);
	assert_doca(START("-n", "3"), DOCA_SUCCESS);
	assert_calls(state, "number 3;");
}

static void destroy_refuses_one_that_was_refused(void **state)
{
	struct doca_argp_param *param = argp_param("h", NULL, DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_param_destroy(param), DOCA_ERROR_BAD_STATE);
}

static void destroy_works_when_the_parser_is_closed(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	assert_doca(doca_argp_param_destroy(param), DOCA_SUCCESS);
}

static void a_closed_parser_frees_what_it_is_given(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	assert_doca(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
}

static void register_refuses_null_and_twice(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_register_param(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
}

static void register_refuses_a_parameter_without_names(void **state)
{
	assert_doca(doca_argp_register_param(argp_param(NULL, NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_INITIALIZATION);
}

static void register_refuses_a_parameter_that_lacks_a_field(void **state)
{
	for (unsigned int missing = 0; missing < 3; missing++) {
		struct doca_argp_param *param = NULL;

		assert_doca(doca_argp_param_create(&param), DOCA_SUCCESS);
		doca_argp_param_set_short_name(param, "n");
		if (missing != 0)
			doca_argp_param_set_description(param, "What it is for");
		if (missing != 1)
			doca_argp_param_set_callback(param, argp_on_number);
		if (missing != 2)
			doca_argp_param_set_type(param, DOCA_ARGP_TYPE_INT);
		assert_doca(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
	}
}

static void register_refuses_bad_names(void **state)
{
	assert_doca(doca_argp_register_param(argp_param("", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_argp_register_param(argp_param(NULL, "--number", DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_INVALID_VALUE);
}

static void register_refuses_a_name_that_is_taken(void **state)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	assert_doca(doca_argp_register_param(argp_param("n", NULL, DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_argp_register_param(argp_param("m", "number", DOCA_ARGP_TYPE_INT)),
		    DOCA_ERROR_BAD_STATE);
	argp_add("number", "n", DOCA_ARGP_TYPE_INT); /* a short name is no long one */
}

static void register_refuses_the_built_in_names(void **state)
{
	static const char *const short_names[] = {"h", "v", "l", "j"};
	static const char *const long_names[] = {"help", "version", "log-level", "sdk-log-level",
						 "json"};

	for (size_t i = 0; i < 4; i++)
		assert_doca(doca_argp_register_param(
				    argp_param(short_names[i], NULL, DOCA_ARGP_TYPE_INT)),
			    DOCA_ERROR_BAD_STATE);
	for (size_t i = 0; i < 5; i++)
		assert_doca(doca_argp_register_param(
				    argp_param(NULL, long_names[i], DOCA_ARGP_TYPE_INT)),
			    DOCA_ERROR_BAD_STATE);
}

static void setters_survive_null(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_short_name(NULL, "x");
	doca_argp_param_set_long_name(NULL, "x");
	doca_argp_param_set_arguments(NULL, "x");
	doca_argp_param_set_description(NULL, "x");
	doca_argp_param_set_callback(NULL, argp_on_number);
	doca_argp_param_set_type(NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(NULL);
	doca_argp_param_set_cli_only(NULL);
	doca_argp_param_set_multiplicity(NULL);
	doca_argp_param_set_singular(NULL);
	doca_argp_param_set_inherited(NULL);
	doca_argp_param_set_hidden(NULL);
	doca_argp_param_set_short_name(param, NULL);
	doca_argp_param_set_long_name(param, NULL);
	doca_argp_param_set_arguments(param, NULL);
	doca_argp_param_set_description(param, NULL);
	doca_argp_param_set_callback(param, NULL);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(START("-n", "1"), DOCA_SUCCESS);
}

static void a_type_that_is_none_is_not_set(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_UNKNOWN);
	doca_argp_param_set_type(param, (enum doca_argp_type)7);
	doca_argp_param_set_type(param, (enum doca_argp_type) - 1);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(START("-n", "x"), DOCA_ERROR_INVALID_VALUE);
}

static void a_registered_parameter_does_not_change(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);

	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	doca_argp_param_set_short_name(param, "m");
	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_callback(param, argp_on_text);
	doca_argp_param_set_mandatory(param);
	assert_doca(START("-m", "1"), DOCA_ERROR_NOT_SUPPORTED);
}

static void a_name_that_is_set_twice_is_the_second(void **state)
{
	struct doca_argp_param *param = argp_param("n", NULL, DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_short_name(param, "m");
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(START("-m", "1"), DOCA_SUCCESS);
}

static void type_numbers_are_those_of_3_3(void **state)
{
	assert_int_equal(DOCA_ARGP_TYPE_UNKNOWN, 0);
	assert_int_equal(DOCA_ARGP_TYPE_STRING, 1);
	assert_int_equal(DOCA_ARGP_TYPE_INT, 2);
	assert_int_equal(DOCA_ARGP_TYPE_BOOLEAN, 3);
	assert_int_equal(DOCA_ARGP_TYPE_DEVICE, 4);
	assert_int_equal(DOCA_ARGP_TYPE_DEVICE_REP, 5);
	assert_int_equal(DOCA_ARGP_TYPE_DOUBLE, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(create_refuses_null),
		argp_test(destroy_frees_what_was_never_registered),
		argp_test(destroy_refuses_a_registered_one),
		argp_test(destroy_refuses_one_that_was_refused),
		cmocka_unit_test_setup_teardown(destroy_works_when_the_parser_is_closed, argp_setup,
						argp_teardown_closed),
		cmocka_unit_test_setup_teardown(a_closed_parser_frees_what_it_is_given, argp_setup,
						argp_teardown_closed),
		argp_test(register_refuses_null_and_twice),
		argp_test(register_refuses_a_parameter_without_names),
		argp_test(register_refuses_a_parameter_that_lacks_a_field),
		argp_test(register_refuses_bad_names),
		argp_test(register_refuses_a_name_that_is_taken),
		argp_test(register_refuses_the_built_in_names),
		argp_test(setters_survive_null),
		argp_test(a_type_that_is_none_is_not_set),
		argp_test(a_registered_parameter_does_not_change),
		argp_test(a_name_that_is_set_twice_is_the_second),
		cmocka_unit_test(type_numbers_are_those_of_3_3),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
