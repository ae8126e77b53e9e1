/* SPDX-License-Identifier: Apache-2.0 */
/* Which known name is suggested for an unknown one. */
#include "argp/argp.h"

#include "support/test.h"

#include "support/argp_fixture.h"

#define assert_suggests(typed, expected)                                                           \
	do {                                                                                       \
		char suggestion[SUGGESTION_SIZE];                                                  \
		suggest_flag(parser_get()->scope, (typed), suggestion);                            \
		assert_string_equal(suggestion, (expected));                                       \
	} while (0)

static void the_nearest_name_is_suggested(void **state)
{
	argp_add("t", "threads", DOCA_ARGP_TYPE_INT);
	argp_add("ts", "thread-size", DOCA_ARGP_TYPE_INT);
	assert_suggests("--threadz", "; did you mean --threads?");
	assert_suggests("--thread-sise", "; did you mean --thread-size?");
	assert_suggests("--ehlp", "; did you mean --help?");
	assert_suggests("--ehpl", "");
	assert_suggests("--hep", "; did you mean --help?");
	assert_suggests("--version-", "; did you mean --version?");
}

static void the_dashes_are_put_right(void **state)
{
	argp_add("ns", "num-src", DOCA_ARGP_TYPE_INT);
	assert_suggests("--ns", "; did you mean -ns?");
	assert_suggests("-num-src", "; did you mean --num-src?");
	assert_suggests("-num-src=3", "; did you mean --num-src?");
}

static void a_beginning_is_enough(void **state)
{
	argp_add(NULL, "max-message-length", DOCA_ARGP_TYPE_INT);
	assert_suggests("--max", "; did you mean --max-message-length?");
	assert_suggests("--ma", "");
}

static void short_and_far_names_are_not_guessed(void **state)
{
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	assert_suggests("-m", "");
	assert_suggests("--xyz", "");
	assert_suggests("--", "");
	assert_suggests("--=", "");
}

static void hidden_flags_are_not_told(void **state)
{
	struct doca_argp_param *param = argp_param(NULL, "secret", DOCA_ARGP_TYPE_INT);

	doca_argp_param_set_hidden(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_suggests("--secre", "");
}

static void hidden_commands_are_not_told(void **state)
{
	struct doca_argp_cmd *cmd = argp_cmd("secret");

	doca_argp_cmd_set_hidden(cmd);
	assert_doca(doca_argp_register_cmd(cmd), DOCA_SUCCESS);
	assert_doca(START("secre"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("argument 'secre' is no flag and no command; see --help");
}

static void long_texts_are_not_compared(void **state)
{
	char typed[80];

	memset(typed, 'x', sizeof(typed) - 1);
	typed[sizeof(typed) - 1] = '\0';
	argp_add(NULL, typed, DOCA_ARGP_TYPE_INT);
	typed[40] = 'y';
	assert_suggests(typed, "");
	typed[50] = '\0';
	assert_suggests(typed, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(the_nearest_name_is_suggested),
		argp_test(the_dashes_are_put_right),
		argp_test(a_beginning_is_enough),
		argp_test(short_and_far_names_are_not_guessed),
		argp_test(hidden_flags_are_not_told),
		argp_test(hidden_commands_are_not_told),
		argp_test(long_texts_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
