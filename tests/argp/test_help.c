/* SPDX-License-Identifier: Apache-2.0 */
/* The help text, letter for letter. */
#include "argp/argp.h"

#include "support/test.h"

#include <sys/ioctl.h>

#include "support/argp_fixture.h"

static void add_flag(const char *short_name, const char *long_name, enum doca_argp_type type,
		     const char *arguments, const char *description)
{
	struct doca_argp_param *param = argp_param(short_name, long_name, type);

	doca_argp_param_set_description(param, description);
	if (arguments != NULL)
		doca_argp_param_set_arguments(param, arguments);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
}

static int print_program(void)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *hidden;

	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	add_flag("ns", "num-src", DOCA_ARGP_TYPE_INT, NULL, "Number of source buffers");
	add_flag("t", NULL, DOCA_ARGP_TYPE_STRING, "<name>", "Two lines\nof text");
	add_flag(NULL, "quick", DOCA_ARGP_TYPE_BOOLEAN, NULL, "Less work");
	add_flag(NULL, "ratio", DOCA_ARGP_TYPE_DOUBLE, NULL, "One of two");
	add_flag("d", "device-of-the-program", DOCA_ARGP_TYPE_DEVICE, NULL,
		 "A-word-that-is-longer-than-all-the-room-there-is-for-descriptions");
	add_flag("r", NULL, DOCA_ARGP_TYPE_DEVICE_REP, "<rep>", "A representor");

	param = argp_param("m", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	param = argp_param("u", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(param);
	doca_argp_param_set_multiplicity(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	param = argp_param("w", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	param = argp_param("x", "secret", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_hidden(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);

	assert_doca(doca_argp_register_cmd(argp_cmd("get")), DOCA_SUCCESS);
	hidden = argp_cmd("secretly");
	doca_argp_cmd_set_hidden(hidden);
	assert_doca(doca_argp_register_cmd(hidden), DOCA_SUCCESS);
	doca_argp_usage();
	return doca_argp_destroy() == DOCA_SUCCESS ? 0 : 1;
}

static void help_shows_both_groups_in_columns(void **state)
{
	static const char expected[] =
		"Usage: prog [DOCA Flags] [Program Flags] [Command]\n"
		"\n"
		"DOCA Flags:\n"
		"  -h, --help                   Print this text and end\n"
		"  -v, --version                Print the versions and end\n"
		"  -l, --log-level <level>      Show the program's log down to this level: 10\n"
		"                               nothing, 20 critical, 30 errors, 40 warnings, 50\n"
		"                               information, 60 debugging, 70 traces\n"
		"      --sdk-log-level <level>  Show the libraries' log down to this level, 10 to\n"
		"                               70 as above\n"
		"  -j, --json <path>            Read flags from this JSON file too\n"
		"\n"
		"Program Flags:\n"
		"  -ns, --num-src <number>      Number of source buffers\n"
		"  -t <name>                    Two lines\n"
		"                               of text\n"
		"      --quick                  Less work\n"
		"      --ratio <decimal>        One of two\n"
		"  -d, --device-of-the-program <pci/address[,args]>\n"
		"                               "
		"A-word-that-is-longer-than-all-the-room-there-is-for-descriptions\n"
		"  -r <rep>                     A representor\n"
		"  -m <number>                  What it is for [mandatory]\n"
		"  -u <number>                  What it is for [mandatory, repeatable]\n"
		"  -w <number>                  What it is for [repeatable]\n"
		"\n"
		"Commands:\n"
		"  get                          What it does\n";
	struct argp_child child;

	argp_run_child(&child, print_program);
	assert_int_equal(child.status, 100);
	assert_string_equal(child.out, expected);
}

static int print_alone(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	doca_argp_usage();
	return doca_argp_destroy() == DOCA_SUCCESS ? 0 : 1;
}

static void help_of_a_program_without_flags_has_one_group(void **state)
{
	struct argp_child child;

	argp_run_child(&child, print_alone);
	assert_non_null(strstr(child.out, "Usage: prog [DOCA Flags]\n\nDOCA Flags:\n"));
	assert_null(strstr(child.out, "Program Flags"));
	assert_null(strstr(child.out, "Commands"));
}

static int print_narrow(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	help_print(parser_get(), parser_get()->scope, 50);
	return doca_argp_destroy() == DOCA_SUCCESS ? 0 : 1;
}

static void help_is_wrapped_at_the_width(void **state)
{
	struct argp_child child;

	argp_run_child(&child, print_narrow);
	for (const char *line = child.out; *line != '\0'; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 50);
	assert_non_null(strstr(child.out, "Show the program's\n"));
}

/* Whether help on a terminal of that many columns has that width. */
static bool terminal_gives(unsigned short num_columns, unsigned int width)
{
	struct winsize size = {.ws_col = num_columns, .ws_row = 25};
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	int slave;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		return false;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	return slave >= 0 && ioctl(slave, TIOCSWINSZ, &size) == 0 &&
	       dup2(slave, STDOUT_FILENO) >= 0 && help_width() == width;
}

static int measure_terminals(void)
{
	return terminal_gives(132, 132) && terminal_gives(10, 40) && terminal_gives(0, 80) ? 0 : 1;
}

static void the_width_is_that_of_the_terminal(void **state)
{
	struct argp_child child;

	argp_run_child(&child, measure_terminals);
	assert_int_equal(child.status, 100);
}

static doca_error_t no_dpdk(int argc, char **argv)
{
	return DOCA_SUCCESS;
}

static int print_dpdk(void)
{
	if (doca_argp_init("prog", NULL) != DOCA_SUCCESS)
		return 1;
	doca_argp_set_dpdk_program(no_dpdk);
	doca_argp_usage();
	return doca_argp_destroy() == DOCA_SUCCESS ? 0 : 1;
}

static void help_of_a_dpdk_program_says_where_its_flags_stand(void **state)
{
	struct argp_child child;

	argp_run_child(&child, print_dpdk);
	assert_non_null(strstr(child.out, "Usage: prog [DPDK Flags] -- [DOCA Flags]\n"));
}

static int print_command(void)
{
	struct doca_argp_param *inherited = argp_param("i", "inner", DOCA_ARGP_TYPE_INT);
	struct doca_argp_cmd *upper = argp_cmd("upper");
	struct doca_argp_cmd *lower = argp_cmd("lower");

	doca_argp_param_set_inherited(inherited);
	assert_doca(doca_argp_register_param(inherited), DOCA_SUCCESS);
	argp_add("n", "number", DOCA_ARGP_TYPE_INT);
	assert_doca(
		doca_argp_cmd_register_param(lower, argp_param("v", NULL, DOCA_ARGP_TYPE_STRING)),
		DOCA_SUCCESS);
	assert_doca(doca_argp_register_cmd(upper), DOCA_SUCCESS);
	assert_doca(doca_argp_cmd_register_cmd(upper, lower), DOCA_SUCCESS);
	return START("upper", "lower", "-h") == DOCA_SUCCESS ? 0 : 1;
}

static void help_of_a_command_shows_what_may_follow_it(void **state)
{
	struct argp_child child;
	char expected[ARGP_TEXT_SIZE];

	argp_run_child(&child, print_command);
	assert_int_equal(child.status, EXIT_SUCCESS);
	snprintf(expected, sizeof(expected),
		 "Usage: prog upper lower [DOCA Flags] [Program Flags]\n"
		 "\n"
		 "What it does\n"
		 "\n"
		 "%s",
		 "DOCA Flags:\n"
		 "  -h, --help                   Print this text and end\n"
		 "      --version                Print the versions and end\n");
	assert_memory_equal(child.out, expected, strlen(expected));
	assert_non_null(strstr(child.out, "\nProgram Flags:\n"
					  "  -v <text>                    What it is for\n"
					  "  -i, --inner <number>         What it is for\n"));
	assert_null(strstr(child.out, "--number"));
	assert_null(strstr(child.out, "Commands"));
}

static int print_after_command(void)
{
	if (doca_argp_register_cmd(argp_cmd("set")) != DOCA_SUCCESS || START("set") != DOCA_SUCCESS)
		return 1;
	doca_argp_usage();
	return 0;
}

static void usage_after_start_is_that_of_the_command(void **state)
{
	struct argp_child child;

	argp_run_child(&child, print_after_command);
	assert_int_equal(child.status, 100);
	assert_memory_equal(child.out, "Usage: prog set ", 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_shows_both_groups_in_columns),
		cmocka_unit_test(help_of_a_program_without_flags_has_one_group),
		cmocka_unit_test(help_is_wrapped_at_the_width),
		cmocka_unit_test(the_width_is_that_of_the_terminal),
		cmocka_unit_test(help_of_a_dpdk_program_says_where_its_flags_stand),
		argp_test(help_of_a_command_shows_what_may_follow_it),
		argp_test(usage_after_start_is_that_of_the_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
