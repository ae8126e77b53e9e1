/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of the parser fails once: an error, no crash, and nothing is lost. */
#include "support/test.h"

#include "support/argp_fixture.h"

/* The linker sends calls of calloc() to the first, and knows the real one as the second. */
void *__wrap_calloc(size_t num, size_t size);
void *__real_calloc(size_t num, size_t size);

static unsigned int calls_until_failure; /* 0: none fails; the wrapper has no other way to know */

void *__wrap_calloc(size_t num, size_t size)
{
	if (calls_until_failure == 0 || --calls_until_failure > 0)
		return __real_calloc(num, size);
	return NULL;
}

static doca_error_t on_dpdk(int argc, char **argv)
{
	return DOCA_SUCCESS;
}

static doca_error_t register_all(void)
{
	struct doca_argp_param *param = NULL;
	struct doca_argp_cmd *cmd = NULL;
	doca_error_t result = doca_argp_param_create(&param);

	if (result != DOCA_SUCCESS)
		return result;
	doca_argp_param_set_short_name(param, "n");
	doca_argp_param_set_long_name(param, "number");
	doca_argp_param_set_arguments(param, "<n>");
	doca_argp_param_set_description(param, "A number");
	doca_argp_param_set_callback(param, argp_on_number);
	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_INT);
	result = doca_argp_register_param(param);
	if (result != DOCA_SUCCESS)
		return result;

	result = doca_argp_cmd_create(&cmd);
	if (result != DOCA_SUCCESS)
		return result;
	doca_argp_cmd_set_name(cmd, "set");
	doca_argp_cmd_set_description(cmd, "Set it");
	doca_argp_cmd_set_callback(cmd, argp_on_cmd);
	return doca_argp_register_cmd(cmd);
}

static doca_error_t run_all(struct argp_fixture *fixture, const char *path)
{
	doca_error_t result = doca_argp_init("prog", fixture);

	if (result != DOCA_SUCCESS)
		return result;
	assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_SUCCESS);
	doca_argp_set_dpdk_program(on_dpdk);
	result = register_all();
	if (result == DOCA_SUCCESS)
		result = START("-x", "--", "-j", path, "set");
	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	return result;
}

static void each_failed_allocation_is_an_error_and_no_leak(void **state)
{
	static const char text[] = "{\"doca_program_flags\": {\"number\": 1}, \"doca_dpdk_flags\": "
				   "{\"devices\": [{\"device\": \"pf\", \"id\": \"03:00.0\"}], "
				   "\"core-mask\": 1, \"core-list\": \"1\", \"flags\": \"-m 1\"}}";
	struct argp_file file = argp_write_file(text, sizeof(text) - 1);
	struct argp_fixture fixture = {0};
	unsigned int num_failures = 0;
	doca_error_t result;

	do {
		fixture.calls[0] = '\0';
		calls_until_failure = num_failures + 1;
		result = run_all(&fixture, file.path);
		if (calls_until_failure > 0)
			break; /* there were fewer calls: none failed */
		num_failures++;
		/* json-c answers a failed allocation with a text that it cannot read. */
		assert_true(result == DOCA_ERROR_NO_MEMORY || result == DOCA_ERROR_INITIALIZATION ||
			    result == DOCA_ERROR_INVALID_VALUE);
		assert_string_equal(fixture.calls, "");
	} while (num_failures < 1000);
	calls_until_failure = 0;
	unlink(file.path);
	assert_doca(result, DOCA_SUCCESS);
	assert_string_equal(fixture.calls, "number 1;cmd;");
	assert_true(num_failures > 20);
}

static void out_parameters_are_untouched_without_memory(void **state)
{
	struct doca_argp_param *param = NULL;
	struct doca_argp_cmd *cmd = NULL;

	calls_until_failure = 1;
	assert_doca(doca_argp_param_create(&param), DOCA_ERROR_NO_MEMORY);
	calls_until_failure = 1;
	assert_doca(doca_argp_cmd_create(&cmd), DOCA_ERROR_NO_MEMORY);
	assert_null(param);
	assert_null(cmd);
}

static void a_text_without_memory_fails_the_registration(void **state)
{
	struct doca_argp_param *param = argp_param("n", "number", DOCA_ARGP_TYPE_INT);
	struct doca_argp_cmd *cmd = argp_cmd("set");

	calls_until_failure = 1;
	doca_argp_param_set_arguments(param, "<n>");
	assert_doca(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
	calls_until_failure = 1;
	doca_argp_cmd_set_description(cmd, "Other");
	assert_doca(doca_argp_register_cmd(cmd), DOCA_ERROR_INITIALIZATION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_failed_allocation_is_an_error_and_no_leak),
		argp_test(out_parameters_are_untouched_without_memory),
		argp_test(a_text_without_memory_fails_the_registration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
