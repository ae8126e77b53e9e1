/* SPDX-License-Identifier: Apache-2.0 */
/* The settings: each name, each value, and what is said of the wrong ones. */
#include "support/test.h"

#include "device/settings.h"

/* What settings_read must not touch when it refuses. */
static const struct settings untouched = {
	.device = SETTINGS_DEVICE_NONE,
	.max_buf_size_bytes = 77,
	.queue_depth = 78,
};

static struct settings read_one(const char *assignment)
{
	char *environment[] = {(char *)"PATH=/bin", (char *)assignment, NULL};
	char problem[SETTINGS_PROBLEM_SIZE] = "";
	struct settings settings = untouched;

	assert_doca(settings_read(environment, &settings, problem), DOCA_SUCCESS);
	assert_string_equal(problem, "");
	return settings;
}

/* Refused, with a problem of one line that has both texts in it. */
static void assert_refused(const char *assignment, const char *first, const char *second)
{
	char *environment[] = {(char *)assignment, NULL};
	char problem[SETTINGS_PROBLEM_SIZE] = "";
	struct settings settings = untouched;

	assert_doca(settings_read(environment, &settings, problem), DOCA_ERROR_INVALID_VALUE);
	assert_memory_equal(&settings, &untouched, sizeof(settings));
	if (strstr(problem, first) == NULL || strstr(problem, second) == NULL)
		fail_msg("of %s is said: %s", assignment, problem);
}

static void assert_wrong(const char *name, const char *value)
{
	char assignment[256];
	char quoted[256];

	snprintf(assignment, sizeof(assignment), "%s=%s", name, value);
	snprintf(quoted, sizeof(quoted), "variable %s has value '%s', which is wrong", name, value);
	assert_refused(assignment, quoted, "; allowed: ");
}

static void assert_not_built(const char *name, const char *value)
{
	char assignment[256];
	char quoted[256];

	snprintf(assignment, sizeof(assignment), "%s=%s", name, value);
	snprintf(quoted, sizeof(quoted), "variable %s has value '%s', which is not built yet", name,
		 value);
	assert_refused(assignment, quoted, "; allowed: ");
}

static void an_empty_environment_gives_the_defaults(void **state)
{
	char *environment[] = {NULL};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings = untouched;

	assert_doca(settings_read(environment, &settings, problem), DOCA_SUCCESS);
	assert_int_equal(settings.device, SETTINGS_DEVICE_BLUEFIELD3);
	assert_int_equal(settings.role, SETTINGS_ROLE_BOTH);
	assert_int_equal(settings.errors, SETTINGS_ERRORS_DOCUMENTED);
	assert_int_equal(settings.num_workers, 0);
	assert_int_equal(settings.max_buf_size_bytes, 0);
	assert_int_equal(settings.max_buf_list_len, 0);
	assert_int_equal(settings.queue_depth, 0);
}

static void no_environment_gives_the_defaults(void **state)
{
	const struct settings defaults = {
		.policy = {.deadline_ns = 1000000000, .connect_timeout_ns = UINT64_C(60000000000)}};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings = untouched;

	assert_doca(settings_read(NULL, &settings, problem), DOCA_SUCCESS);
	assert_memory_equal(&settings, &defaults, sizeof(settings));
}

static void device_takes_each_model(void **state)
{
	assert_int_equal(read_one("SOFTDOCA_DEVICE=bluefield3").device, SETTINGS_DEVICE_BLUEFIELD3);
	assert_int_equal(read_one("SOFTDOCA_DEVICE=bluefield2").device, SETTINGS_DEVICE_BLUEFIELD2);
	assert_int_equal(read_one("SOFTDOCA_DEVICE=connectx7").device, SETTINGS_DEVICE_CONNECTX7);
	assert_int_equal(read_one("SOFTDOCA_DEVICE=unlimited").device, SETTINGS_DEVICE_UNLIMITED);
	assert_int_equal(read_one("SOFTDOCA_DEVICE=none").device, SETTINGS_DEVICE_NONE);
}

static void device_refuses_what_is_no_model(void **state)
{
	assert_wrong("SOFTDOCA_DEVICE", "bluefield4");
	assert_wrong("SOFTDOCA_DEVICE", "BlueField3");
	assert_wrong("SOFTDOCA_DEVICE", "bluefield3 ");
	assert_wrong("SOFTDOCA_DEVICE", "");
	assert_refused("SOFTDOCA_DEVICE=x",
		       "allowed: bluefield3, bluefield2, connectx7, unlimited, none",
		       "correct or unset it");
}

static void what_is_allowed_is_said_whole(void **state)
{
	static const struct settings none;
	const char *names[SETTINGS_MAX_NAMES];
	size_t num_names = settings_names(names, SETTINGS_OF_ENVIRONMENT);

	assert_refused("SOFTDOCA_DEVICE=x",
		       "variable SOFTDOCA_DEVICE has value 'x', which is wrong; allowed: "
		       "bluefield3, bluefield2, connectx7, unlimited, none, or a topology file: a "
		       "path of at most 511 characters with / in it or ending in .json; correct or "
		       "unset it",
		       "");
	for (size_t i = 0; i < num_names; i++) {
		for (int giver = SETTINGS_OF_CARD; giver <= SETTINGS_OF_ENVIRONMENT; giver++) {
			struct settings settings = none;
			struct settings_flaw flaw = {.why = ""};

			if (!settings_take(&settings, i, NULL, (enum settings_giver)giver, &flaw))
				assert_in_range(strlen(flaw.allowed), 1, sizeof(flaw.allowed) - 2);
		}
	}
}

static void device_takes_a_topology_file_by_its_path(void **state)
{
	char longest[SETTINGS_PATH_SIZE + 32] = "SOFTDOCA_DEVICE=/";
	char *path = strchr(longest, '/');

	assert_string_equal(read_one("SOFTDOCA_DEVICE=/etc/card").topology, "/etc/card");
	assert_string_equal(read_one("SOFTDOCA_DEVICE=./card").topology, "./card");
	assert_string_equal(read_one("SOFTDOCA_DEVICE=card.json").topology, "card.json");
	assert_string_equal(read_one("SOFTDOCA_DEVICE=.json").topology, ".json");
	assert_string_equal(read_one("SOFTDOCA_DEVICE=bluefield3").topology, "");
	assert_wrong("SOFTDOCA_DEVICE", "json");
	assert_wrong("SOFTDOCA_DEVICE", "card.json5");
	memset(path + 1, 'p', SETTINGS_PATH_SIZE - 2);
	assert_string_equal(read_one(longest).topology, path);
	strcat(path, "p");
	assert_refused(longest, "which is wrong", "at most 511 characters");
}

static void role_takes_a_side_or_both(void **state)
{
	assert_int_equal(read_one("SOFTDOCA_ROLE=both").role, SETTINGS_ROLE_BOTH);
	assert_int_equal(read_one("SOFTDOCA_ROLE=host").role, SETTINGS_ROLE_HOST);
	assert_int_equal(read_one("SOFTDOCA_ROLE=dpu").role, SETTINGS_ROLE_DPU);
	assert_wrong("SOFTDOCA_ROLE", "DPU");
	assert_wrong("SOFTDOCA_ROLE", "");
}

static void errors_takes_both_modes(void **state)
{
	assert_int_equal(read_one("SOFTDOCA_ERRORS=documented").errors, SETTINGS_ERRORS_DOCUMENTED);
	assert_int_equal(read_one("SOFTDOCA_ERRORS=hardware").errors, SETTINGS_ERRORS_HARDWARE);
	assert_wrong("SOFTDOCA_ERRORS", "none");
}

static void counts_and_bytes_are_plain_or_have_a_unit(void **state)
{
	assert_int_equal(read_one("SOFTDOCA_MAX_BUF_SIZE=1").max_buf_size_bytes, 1);
	assert_int_equal(read_one("SOFTDOCA_MAX_BUF_SIZE=0065").max_buf_size_bytes, 65);
	assert_int_equal(read_one("SOFTDOCA_MAX_BUF_SIZE=64K").max_buf_size_bytes, 65536);
	assert_int_equal(read_one("SOFTDOCA_MAX_BUF_SIZE=3M").max_buf_size_bytes, 3 << 20);
	assert_int_equal(read_one("SOFTDOCA_MAX_BUF_SIZE=2G").max_buf_size_bytes, UINT64_C(2)
											  << 30);
	assert_true(read_one("SOFTDOCA_MAX_BUF_SIZE=18446744073709551615").max_buf_size_bytes ==
		    UINT64_MAX);
	assert_int_equal(read_one("SOFTDOCA_MAX_BUF_LIST_LEN=2K").max_buf_list_len, 2048);
	assert_true(read_one("SOFTDOCA_MAX_BUF_LIST_LEN=4294967295").max_buf_list_len ==
		    UINT32_MAX);
	assert_int_equal(read_one("SOFTDOCA_QUEUE_DEPTH=16").queue_depth, 16);
}

static void counts_and_bytes_refuse_all_else(void **state)
{
	static const char *const wrong[] = {"",	   "0",	 "0K", "-1", "+1",   " 1",   "1 ",  "1k",
					    "1KB", "1T", "K",  "x",  "0x10", "1.5K", "1e3", "many"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_wrong("SOFTDOCA_MAX_BUF_SIZE", wrong[i]);
		assert_wrong("SOFTDOCA_MAX_BUF_LIST_LEN", wrong[i]);
		assert_wrong("SOFTDOCA_QUEUE_DEPTH", wrong[i]);
	}
}

static void counts_and_bytes_refuse_an_overflow(void **state)
{
	assert_wrong("SOFTDOCA_MAX_BUF_SIZE", "18446744073709551616");
	assert_wrong("SOFTDOCA_MAX_BUF_SIZE", "99999999999999999999999");
	assert_wrong("SOFTDOCA_MAX_BUF_SIZE", "17179869184G");
	assert_wrong("SOFTDOCA_MAX_BUF_LIST_LEN", "4294967296");
	assert_wrong("SOFTDOCA_MAX_BUF_LIST_LEN", "4G");
	assert_wrong("SOFTDOCA_QUEUE_DEPTH", "4194304K");
}

static void engine_is_inline_or_1_to_64_workers(void **state)
{
	assert_int_equal(read_one("SOFTDOCA_ENGINE=inline").num_workers, 0);
	assert_int_equal(read_one("SOFTDOCA_ENGINE=workers:1").num_workers, 1);
	assert_int_equal(read_one("SOFTDOCA_ENGINE=workers:64").num_workers, 64);
	assert_int_equal(read_one("SOFTDOCA_ENGINE=workers:01").num_workers, 1);
	assert_int_equal(read_one("SOFTDOCA_ENGINE=workers:010").num_workers, 10); /* decimal */
	assert_wrong("SOFTDOCA_ENGINE", "workers:0");
	assert_wrong("SOFTDOCA_ENGINE", "workers:00");
	assert_wrong("SOFTDOCA_ENGINE", "workers:65");
	assert_wrong("SOFTDOCA_ENGINE", "workers:1000");
	assert_wrong("SOFTDOCA_ENGINE", "workers:4294967297");
	assert_wrong("SOFTDOCA_ENGINE", "workers:99999999999999999999");
	assert_wrong("SOFTDOCA_ENGINE", "workers:1K");
	assert_wrong("SOFTDOCA_ENGINE", "workers:-1");
	assert_wrong("SOFTDOCA_ENGINE", "workers:2 ");
	assert_wrong("SOFTDOCA_ENGINE", "workers:");
	assert_wrong("SOFTDOCA_ENGINE", "workers:x");
	assert_wrong("SOFTDOCA_ENGINE", "workers");
	assert_wrong("SOFTDOCA_ENGINE", "inline:1");
	assert_wrong("SOFTDOCA_ENGINE", "");
}

static void kernel_takes_those_that_this_cpu_has(void **state)
{
	const struct copy_kernel *kernel;
	char line[64];

	assert_null(read_one("SOFTDOCA_KERNEL=auto").kernel);
	assert_ptr_equal(read_one("SOFTDOCA_KERNEL=portable").kernel, &kernel_portable);
	for (size_t i = 0; (kernel = kernel_at(i)) != NULL; i++) {
		snprintf(line, sizeof(line), "SOFTDOCA_KERNEL=%s", kernel->name);
		assert_ptr_equal(read_one(line).kernel, kernel);
	}
	assert_wrong("SOFTDOCA_KERNEL", "sse");
	assert_wrong("SOFTDOCA_KERNEL", "");
}

/* No CPU is of both kinds. */
static void a_kernel_that_this_cpu_lacks_is_refused_with_those_it_has(void **state)
{
#if defined(__aarch64__)
	const char *assignment = "SOFTDOCA_KERNEL=avx2";
#else
	const char *assignment = "SOFTDOCA_KERNEL=neon";
#endif

	assert_refused(assignment, "which this CPU lacks; allowed: auto, ",
		       "portable; correct or unset it");
}

static void reach_takes_each_way(void **state)
{
	assert_int_equal(read_one("SOFTDOCA_REACH=auto").policy.reach, PEER_REACH_AUTO);
	assert_int_equal(read_one("SOFTDOCA_REACH=mapped").policy.reach, PEER_REACH_MAPPED);
	assert_int_equal(read_one("SOFTDOCA_REACH=cma").policy.reach, PEER_REACH_CMA);
	assert_int_equal(read_one("SOFTDOCA_REACH=nbd").policy.reach, PEER_REACH_NBD);
	assert_wrong("SOFTDOCA_REACH", "");
	assert_wrong("SOFTDOCA_REACH", "tcp");
}

static void settings_of_other_machines_take_the_empty_text_alone(void **state)
{
	read_one("SOFTDOCA_LISTEN=");
	read_one("SOFTDOCA_ADVERTISE=");
	read_one("SOFTDOCA_CONFIG=");
	assert_not_built("SOFTDOCA_LISTEN", "0.0.0.0:7777");
	assert_not_built("SOFTDOCA_ADVERTISE", "192.0.2.9:7777");
}

static void runtime_dir_takes_an_absolute_path_that_leaves_room_for_a_name(void **state)
{
	char longest[] = "SOFTDOCA_RUNTIME_DIR=/"
			 "123456789012345678901234567890123456789"
			 "123456789012345678901234567890123456789";
	char *path = strchr(longest, '/');

	assert_string_equal(read_one("SOFTDOCA_RUNTIME_DIR=").policy.runtime_dir, "");
	assert_string_equal(read_one("SOFTDOCA_RUNTIME_DIR=/run/x").policy.runtime_dir, "/run/x");
	assert_int_equal(strlen(path), PEER_DIR_BYTES - 1);
	assert_string_equal(read_one(longest).policy.runtime_dir, path);
	assert_wrong("SOFTDOCA_RUNTIME_DIR", "run/x");
	assert_wrong("SOFTDOCA_RUNTIME_DIR", "/1234567890123456789012345678901234567890"
					     "123456789012345678901234567890123456789");
}

static void allow_uids_takes_numbers_with_commas_between(void **state)
{
	struct peer_policy policy = read_one("SOFTDOCA_ALLOW_UIDS=1000,0,4294967294").policy;
	char many[256] = "SOFTDOCA_ALLOW_UIDS=";

	assert_int_equal(policy.num_uids, 3);
	assert_int_equal(policy.uids[0], 1000);
	assert_int_equal(policy.uids[1], 0);
	assert_int_equal(policy.uids[2], 4294967294);
	assert_int_equal(read_one("SOFTDOCA_ALLOW_UIDS=").policy.num_uids, 0);
	assert_wrong("SOFTDOCA_ALLOW_UIDS", ",");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", "1,");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", ",1");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", "1,,2");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", "1 2");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", "root");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", "-1");
	assert_wrong("SOFTDOCA_ALLOW_UIDS", "4294967295");
	for (size_t i = 0; i < PEER_MAX_UIDS; i++)
		strcat(many, "1,");
	strcat(many, "1");
	assert_refused(many, "variable SOFTDOCA_ALLOW_UIDS has value '1,1,", "which is wrong");
}

static void times_have_defaults_and_take_seconds_with_fractions(void **state)
{
	struct peer_policy usual = read_one("PATH=/bin").policy;

	assert_int_equal(usual.connect_timeout_ns, UINT64_C(60000000000));
	assert_int_equal(usual.deadline_ns, 1000000000);
	assert_int_equal(read_one("SOFTDOCA_CONNECT_TIMEOUT=7").policy.connect_timeout_ns,
			 UINT64_C(7000000000));
	assert_int_equal(read_one("SOFTDOCA_DEADLINE=60.5").policy.deadline_ns,
			 UINT64_C(60500000000));
	assert_int_equal(read_one("SOFTDOCA_DEADLINE=0.000000001").policy.deadline_ns, 1);
	assert_int_equal(read_one("SOFTDOCA_DEADLINE=0.25000000000000").policy.deadline_ns,
			 250000000);
	assert_int_equal(read_one("SOFTDOCA_DEADLINE=1000000").policy.deadline_ns,
			 UINT64_C(1000000000000000));
}

static void times_refuse_what_is_no_time(void **state)
{
	static const char *const wrong[] = {"",
					    "0",
					    "0.0",
					    "-1",
					    "+1",
					    " 1",
					    "1 ",
					    "1s",
					    "1.",
					    ".5",
					    "1e3",
					    "1,5",
					    "nan",
					    "inf",
					    "0x3",
					    "1.5.5",
					    "1000001",
					    "1000000.000000001",
					    "0.0000000001",
					    "99999999999999999999"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_wrong("SOFTDOCA_CONNECT_TIMEOUT", wrong[i]);
		assert_wrong("SOFTDOCA_DEADLINE", wrong[i]);
	}
}

static void an_unknown_name_is_refused_with_the_nearest_known_one(void **state)
{
	assert_refused("SOFTDOCA_DEVCE=none", "SOFTDOCA_DEVCE is no setting",
		       "the nearest is SOFTDOCA_DEVICE;");
	assert_refused("SOFTDOCA_reach=cma", "SOFTDOCA_reach is no setting",
		       "the nearest is SOFTDOCA_REACH;");
	assert_refused("SOFTDOCA_ROLES=dpu", "SOFTDOCA_ROLES is no setting",
		       "the nearest is SOFTDOCA_ROLE;");
	assert_refused("SOFTDOCA_BUF_LIST_LEN=1", "SOFTDOCA_BUF_LIST_LEN is no setting",
		       "the nearest is SOFTDOCA_MAX_BUF_LIST_LEN;");
	assert_refused("SOFTDOCA_QUEUEDEPTH=", "SOFTDOCA_QUEUEDEPTH is no setting",
		       "the nearest is SOFTDOCA_QUEUE_DEPTH;");
	assert_refused("SOFTDOCA_=1", "SOFTDOCA_ is no setting", "correct or unset it");
	assert_refused("SOFTDOCA_FOO=1",
		       "variable SOFTDOCA_FOO is no setting, nor near one: softdoca(7) has them "
		       "all; correct or unset it",
		       "");
}

static void a_very_long_name_or_value_is_cut_in_what_is_said(void **state)
{
	char name[4096] = "SOFTDOCA_";
	char value[4096] = "SOFTDOCA_ROLE=";

	memset(name + strlen(name), 'A', 4000);
	name[4000] = '=';
	assert_refused(name, "is no setting", "correct or unset it");
	memset(value + strlen(value), 'a', 4000);
	assert_refused(value, "allowed: both, host, dpu", "correct or unset it");
}

static void names_of_others_are_left_alone(void **state)
{
	char *environment[] = {(char *)"softdoca_device=x",  (char *)"SOFTDOCA=x",
			       (char *)"MY_SOFTDOCA_ROLE=x", (char *)"SOFTDOCA_NO_ASSIGNMENT",
			       (char *)"SOFTDOCA_ROLE=dpu",  NULL};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings = untouched;

	assert_doca(settings_read(environment, &settings, problem), DOCA_SUCCESS);
	assert_int_equal(settings.role, SETTINGS_ROLE_DPU);
}

static void of_a_name_given_twice_the_first_counts(void **state)
{
	char *environment[] = {(char *)"SOFTDOCA_ROLE=dpu", (char *)"SOFTDOCA_ROLE=host", NULL};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings;

	assert_doca(settings_read(environment, &settings, problem), DOCA_SUCCESS);
	assert_int_equal(settings.role, SETTINGS_ROLE_DPU);
}

static void a_right_setting_beside_a_wrong_one_is_not_taken(void **state)
{
	char *environment[] = {(char *)"SOFTDOCA_ROLE=dpu", (char *)"SOFTDOCA_ERRORS=x", NULL};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings = untouched;

	assert_doca(settings_read(environment, &settings, problem), DOCA_ERROR_INVALID_VALUE);
	assert_memory_equal(&settings, &untouched, sizeof(settings));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_environment_gives_the_defaults),
		cmocka_unit_test(no_environment_gives_the_defaults),
		cmocka_unit_test(device_takes_each_model),
		cmocka_unit_test(device_refuses_what_is_no_model),
		cmocka_unit_test(what_is_allowed_is_said_whole),
		cmocka_unit_test(device_takes_a_topology_file_by_its_path),
		cmocka_unit_test(role_takes_a_side_or_both),
		cmocka_unit_test(errors_takes_both_modes),
		cmocka_unit_test(counts_and_bytes_are_plain_or_have_a_unit),
		cmocka_unit_test(counts_and_bytes_refuse_all_else),
		cmocka_unit_test(counts_and_bytes_refuse_an_overflow),
		cmocka_unit_test(engine_is_inline_or_1_to_64_workers),
		cmocka_unit_test(kernel_takes_those_that_this_cpu_has),
		cmocka_unit_test(a_kernel_that_this_cpu_lacks_is_refused_with_those_it_has),
		cmocka_unit_test(reach_takes_each_way),
		cmocka_unit_test(settings_of_other_machines_take_the_empty_text_alone),
		cmocka_unit_test(runtime_dir_takes_an_absolute_path_that_leaves_room_for_a_name),
		cmocka_unit_test(allow_uids_takes_numbers_with_commas_between),
		cmocka_unit_test(times_have_defaults_and_take_seconds_with_fractions),
		cmocka_unit_test(times_refuse_what_is_no_time),
		cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest_known_one),
		cmocka_unit_test(a_very_long_name_or_value_is_cut_in_what_is_said),
		cmocka_unit_test(names_of_others_are_left_alone),
		cmocka_unit_test(of_a_name_given_twice_the_first_counts),
		cmocka_unit_test(a_right_setting_beside_a_wrong_one_is_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
