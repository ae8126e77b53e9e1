/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the JSON file for DPDK. */
#include "support/test.h"

#include "support/argp_fixture.h"

static char dpdk_args[ARGP_TEXT_SIZE]; /* the callback of DPDK has no argument for it */
static char **dpdk_argv;

static doca_error_t keep_args(int argc, char **argv)
{
	dpdk_args[0] = '\0';
	dpdk_argv = argv;
	assert_null(argv[argc]);
	for (int i = 1; i < argc; i++) {
		strcat(dpdk_args, argv[i]);
		strcat(dpdk_args, i + 1 < argc ? "|" : "");
	}
	return DOCA_SUCCESS;
}

static doca_error_t start_dpdk(const char *section)
{
	struct argp_file file;
	char text[1024];
	doca_error_t result;

	snprintf(text, sizeof(text), "{\"doca_dpdk_flags\": %s}", section);
	file = argp_write_file(text, strlen(text));
	result = START("-x", "--", "-j", file.path);
	unlink(file.path);
	return result;
}

static void devices_and_flags_follow_those_of_the_line(void **state)
{
	doca_argp_set_dpdk_program(keep_args);
	assert_doca(start_dpdk("{\"devices\": [{\"device\": \"pf\", \"id\": \"0000:03:00.0\", "
			       "\"hws\": true}, {\"device\": \"sf\", \"id\": \"4\"}, "
			       "{\"device\": \"vf\", \"id\": \"b1:00.3\", \"hws\": false}, "
			       "{\"device\": \"gpu\", \"id\": \"ca:00.0\"}],"
			       "\"core-mask\": 255, \"core-list\": \"0-3\", "
			       "\"flags\": \" --no-huge  -m 64 \"}"),
		    DOCA_SUCCESS);
	assert_string_equal(dpdk_args, "-x|-a|0000:03:00.0,dv_flow_en=2|-a|auxiliary:mlx5_core.sf.4"
				       "|-a|b1:00.3|-a|ca:00.0|-c|0xff|-l|0-3|--no-huge|-m|64");
	assert_string_equal(dpdk_argv[0], "prog"); /* lives after the callback */
}

static void a_core_mask_may_be_a_text(void **state)
{
	doca_argp_set_dpdk_program(keep_args);
	assert_doca(start_dpdk("{\"core-mask\": \"0xff\", \"flags\": \"\", \"devices\": []}"),
		    DOCA_SUCCESS);
	assert_string_equal(dpdk_args, "-x|-c|0xff");
}

static void the_section_is_refused_where_the_program_has_no_dpdk(void **state)
{
	struct argp_file file = argp_write_file("{\"doca_dpdk_flags\": {}}", 23);

	assert_doca(START("-j", file.path), DOCA_ERROR_NOT_SUPPORTED);
	unlink(file.path);
	assert_message(":1:2: 'doca_dpdk_flags': the program does not use DPDK");
}

static void an_unknown_key_names_the_nearest(void **state)
{
	doca_argp_set_dpdk_program(keep_args);
	assert_doca(start_dpdk("{\"core-msk\": 1}"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message(":1:22: 'core-msk': unknown key; did you mean core-mask?");
}

static void unknown_keys_are_ignored_when_asked(void **state)
{
	doca_argp_set_dpdk_program(keep_args);
	assert_doca(doca_argp_disable_pedantic_config_parsing(), DOCA_SUCCESS);
	assert_doca(start_dpdk("{\"other\": 1, \"flags\": \"-m 1\"}"), DOCA_SUCCESS);
	assert_string_equal(dpdk_args, "-x|-m|1");
}

static void values_of_the_wrong_type_are_refused(void **state)
{
	static const char *const sections[] = {
		"{\"devices\": {}}",
		"{\"devices\": [1]}",
		"{\"devices\": [{\"device\": \"pf\"}]}",
		"{\"devices\": [{\"id\": \"03:00.0\"}]}",
		"{\"devices\": [{\"device\": 1, \"id\": \"03:00.0\"}]}",
		"{\"devices\": [{\"device\": \"pf\", \"id\": \"03:00.0\", \"hws\": 1}]}",
		"{\"devices\": [{\"device\": \"pf\", \"id\": \"03:00.0\", \"other\": 1}]}",
		"{\"devices\": [{\"device\": \"disk\", \"id\": \"03:00.0\"}]}",
		"{\"core-mask\": 0}",
		"{\"core-mask\": -1}",
		"{\"core-mask\": 1.5}",
		"{\"core-mask\": 99999999999999999999999}",
		"{\"core-list\": 3}",
		"{\"flags\": [\"-m\"]}",
	};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		num_messages = 0;
		doca_argp_set_dpdk_program(keep_args);
		assert_doca(start_dpdk(sections[i]), DOCA_ERROR_INVALID_VALUE);
		assert_message(" wanted");
		assert_message(":1:22: '");
		assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
		assert_doca(doca_argp_init("prog", *state), DOCA_SUCCESS);
		assert_doca(doca_argp_register_logger_callback(argp_keep_message), DOCA_SUCCESS);
	}
}

static void a_long_id_is_refused(void **state)
{
	char section[256];

	snprintf(section, sizeof(section),
		 "{\"devices\": [{\"device\": \"pf\", \"id\": \"%0150d\"}]}", 1);
	doca_argp_set_dpdk_program(keep_args);
	assert_doca(start_dpdk(section), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(devices_and_flags_follow_those_of_the_line),
		argp_test(a_core_mask_may_be_a_text),
		argp_test(the_section_is_refused_where_the_program_has_no_dpdk),
		argp_test(an_unknown_key_names_the_nearest),
		argp_test(unknown_keys_are_ignored_when_asked),
		argp_test(values_of_the_wrong_type_are_refused),
		argp_test(a_long_id_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
