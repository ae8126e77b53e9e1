/* SPDX-License-Identifier: Apache-2.0 */
/* The file of SOFTDOCA_CONFIG: the settings' names with texts or numbers, under the environment. */
#include "support/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "device/settings.h"
#include "support/topology_text.h"

/* Settings of a file of that text, ' for ", and of one variable beside it, or NULL. */
static doca_error_t read_file(const char *text, const char *variable, struct settings *settings,
			      char problem[SETTINGS_PROBLEM_SIZE])
{
	char path[] = "/tmp/softdoca-config.XXXXXX";
	char config[64];
	char *environment[] = {(char *)variable, config, NULL};
	char *quoted = topology_quote(text);
	int fd = mkstemp(path);
	doca_error_t result;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, quoted, strlen(quoted)), strlen(quoted));
	snprintf(config, sizeof(config), "SOFTDOCA_CONFIG=%s", path);
	problem[0] = '\0';
	result = settings_read(variable == NULL ? environment + 1 : environment, settings, problem);
	unlink(path);
	close(fd);
	free(quoted);
	return result;
}

static struct settings read_settings(const char *text, const char *variable)
{
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings;

	assert_doca(read_file(text, variable, &settings, problem), DOCA_SUCCESS);
	assert_string_equal(problem, "");
	return settings;
}

static void assert_refused(const char *text, unsigned int line, const char *what)
{
	struct settings settings = {.queue_depth = 77};
	char problem[SETTINGS_PROBLEM_SIZE];
	char place[16];

	snprintf(place, sizeof(place), ":%u: ", line);
	assert_doca(read_file(text, NULL, &settings, problem), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(settings.queue_depth, 77);
	if (strstr(problem, "/tmp/softdoca-config.") != problem || strstr(problem, place) == NULL ||
	    strstr(problem, what) == NULL)
		fail_msg("of %s is said: %s", text, problem);
}

static void a_file_gives_texts_and_numbers(void **state)
{
	struct settings settings = read_settings(
		"{'DEVICE': 'bluefield2', 'ROLE': 'dpu', 'ERRORS': 'hardware', 'MAX_BUF_SIZE': "
		"'4K', 'MAX_BUF_LIST_LEN': 5, 'QUEUE_DEPTH': 6, 'ENGINE': 'workers:2', 'KERNEL': "
		"'portable', 'REACH': 'nbd', 'RUNTIME_DIR': '/run/x', 'ALLOW_UIDS': 7, "
		"'CONNECT_TIMEOUT': 2, 'DEADLINE': 0.25, 'LISTEN': '', 'ADVERTISE': ''}",
		NULL);

	assert_int_equal(settings.device, SETTINGS_DEVICE_BLUEFIELD2);
	assert_int_equal(settings.role, SETTINGS_ROLE_DPU);
	assert_int_equal(settings.errors, SETTINGS_ERRORS_HARDWARE);
	assert_int_equal(settings.max_buf_size_bytes, 4096);
	assert_int_equal(settings.max_buf_list_len, 5);
	assert_int_equal(settings.queue_depth, 6);
	assert_int_equal(settings.num_workers, 2);
	assert_ptr_equal(settings.kernel, &kernel_portable);
	assert_int_equal(settings.policy.reach, PEER_REACH_NBD);
	assert_string_equal(settings.policy.runtime_dir, "/run/x");
	assert_int_equal(settings.policy.num_uids, 1);
	assert_int_equal(settings.policy.uids[0], 7);
	assert_int_equal(settings.policy.connect_timeout_ns, 2000000000);
	assert_int_equal(settings.policy.deadline_ns, 250000000);
	settings = read_settings("{'DEADLINE': 0.50000000000000000000000000000000000000}", NULL);
	assert_int_equal(settings.policy.deadline_ns, 500000000);
}

static void the_environment_counts_more_than_the_file(void **state)
{
	struct settings settings = read_settings(
		"{'DEVICE': 'a.json', 'ROLE': 'host', 'QUEUE_DEPTH': 6}", "SOFTDOCA_ROLE=dpu");

	assert_int_equal(settings.role, SETTINGS_ROLE_DPU);
	assert_int_equal(settings.queue_depth, 6);
	assert_string_equal(settings.topology, "/tmp/a.json");
	settings = read_settings("{'DEVICE': 'a.json'}", "SOFTDOCA_DEVICE=unlimited");
	assert_string_equal(settings.topology, "");
	assert_int_equal(settings.device, SETTINGS_DEVICE_UNLIMITED);
}

static void a_topology_file_is_found_beside_the_file_that_names_it(void **state)
{
	struct settings settings = read_settings("{\n'DEVICE': './a.json'}", NULL);
	char name[SETTINGS_PATH_SIZE + 32] = "{'DEVICE': './";

	assert_string_equal(settings.topology, "/tmp/./a.json");
	assert_ptr_equal(strstr(settings.topology_by, "/tmp/softdoca-config."),
			 settings.topology_by);
	assert_non_null(strstr(settings.topology_by, ":2: key 'DEVICE'"));
	assert_string_equal(read_settings("{'DEVICE': '/etc/a'}", NULL).topology, "/etc/a");
	settings = read_settings("{'DEVICE': 'a.json'}", "SOFTDOCA_DEVICE=b.json");
	assert_string_equal(settings.topology, "b.json");
	assert_string_equal(settings.topology_by, "variable SOFTDOCA_DEVICE");
	memset(name + strlen(name), 'p', SETTINGS_PATH_SIZE - 3 - strlen("/tmp/"));
	strcat(name, "'}");
	assert_int_equal(strlen(read_settings(name, NULL).topology), SETTINGS_PATH_SIZE - 1);
	strcpy(strchr(name, '}') - 1, "p'}");
	assert_refused(name, 1, "which is too long a path from the file's folder; allowed: ");
}

static void an_empty_file_gives_the_defaults(void **state)
{
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings = read_settings(" {\n}\n", NULL);
	struct settings defaults;

	assert_doca(settings_read(NULL, &defaults, problem), DOCA_SUCCESS);
	settings.given = 0; /* CONFIG */
	assert_memory_equal(&settings, &defaults, sizeof(settings));
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
	assert_refused("{\n'ROLE': 'arm'}", 2,
		       "key 'ROLE' has value \"arm\", which is wrong; allowed: both, host, dpu");
	assert_refused("{\n\n'ROEL': 'host'}", 3, "the nearest of those allowed: 'ROLE'");
	assert_refused("{'role': 'host'}", 1, "the nearest of those allowed: 'ROLE'");
	assert_refused("{'ROLE': 'host',\n'ROLE': 'host'}", 2, "stands in this object a second");
	assert_refused("{'QUEUE_DEPTH': 0}", 1, "has value 0, which is wrong");
	assert_refused("{'QUEUE_DEPTH': 1.5}", 1, "has value 1.5, which is wrong");
	assert_refused("{'MAX_BUF_SIZE': 99999999999999999999999}", 1, "value 999999999999999");
	assert_refused("{'MAX_BUF_SIZE': 1000000000000000000000000000000000000}", 1,
		       "which is wrong; allowed: 1 to 18446744073709551615 bytes");
	assert_refused("{'ROLE': null}", 1,
		       "has value null, which is wrong; allowed: both, host, dpu");
	assert_refused("{'REACH': 7}", 1, "allowed: auto, mapped, cma, nbd");
	assert_refused("{'$schema': 7}", 1, "key '$schema' has value 7, which is wrong");
	assert_refused("{'DEADLINE': 1e3}", 1, "has value 1e3, which is wrong");
	assert_refused("{'DEADLINE': null}", 1, "has value null, which is wrong");
	assert_refused("{'DEADLINE': ['1']}", 1, "allowed: seconds above 0");
	assert_refused("{'ROLE': '1234567890123456789012345678901234567890123456789012345678901234"
		       "567890'}",
		       1, "8...\", which is wrong; allowed: both");
	assert_refused("{'ROLE': [1234567890123456789012345678901234567890123456789012345678901234"
		       "567890]}",
		       1, "8...], which is wrong; allowed: both");
	assert_refused("{'one': 1}", 1, "\"one\" is no key here; allowed: ERRORS, MAX_BUF_SIZE");
	assert_refused("{'ROLE': 'ho\\u0000st'}", 1, "which is wrong");
	assert_refused("{'LISTEN': '0.0.0.0:1'}", 1, "which is not built yet; allowed: the empty");
	assert_refused("{'CONFIG': 'other.json'}", 1,
		       "key 'CONFIG' has value \"other.json\", which is the environment's alone; "
		       "allowed: SOFTDOCA_CONFIG");
}

static void what_is_no_json_is_refused(void **state)
{
	assert_refused("", 1, "this is no JSON: unexpected end");
	assert_refused("{\n'ROLE: 'dpu',\n'ERRORS': 'hardware'}", 2,
		       "this is no JSON: a text begins here and does not end in its line; "
		       "allowed: JSON as RFC 8259 has it");
	assert_refused("{\n'DEADLINE': 1,\n}", 3, "this is no JSON: a comma stands before this }");
	assert_refused("\xef\xbb\xbf{}", 1, "this is no JSON: it begins with a byte order mark");
	assert_refused("{'DEADLINE': 01}", 1, "this is no JSON");
	assert_refused("{'DEADLINE': 1.}", 1, "has value 1., which is wrong");
	assert_refused("{'DEADLINE': .5}", 1, "this is no JSON");
	assert_refused("{'DEADLINE': +1}", 1, "this is no JSON");
	assert_refused("{'DEADLINE': NaN}", 1, "");
	assert_refused("{'DEADLINE': Infinity}", 1, "");
	assert_refused("{\v}", 1, "this is no JSON");
	assert_refused("{'ROLE': 'dpu',,}", 1, "this is no JSON");
	assert_refused("{'ROLE': '\\x'}", 1, "this is no JSON");
	assert_refused("{", 1, "this is no JSON: unexpected end");
	assert_refused("[]", 1, "no JSON object");
	assert_refused("7", 1, "no JSON object");
	assert_refused("null", 1, "no JSON object");
	assert_refused("{'ROLE': 'host',}", 1, "this is no JSON");
	assert_refused("{'ROLE': 'host'}\n\n{}", 3, "this is no JSON");
	assert_refused("{/* */}", 1, "this is no JSON");
	assert_refused("{'ROLE': nul}", 1, "this is no JSON");
	assert_refused("{'ROLE': '\xff'}", 1, "this is no JSON: invalid utf-8");
	assert_refused("{'ROLE': [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]"
		       "]]]]]]]]]]]]]}",
		       1, "this is nested too deep; allowed: 32 levels");
	assert_refused("{'ROLE': [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
		       1, "key 'ROLE' has value [[");
	assert_refused("{'ROLE': [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
		       1, "this is nested too deep");
}

static void assert_path_refused(const char *path, const char *why)
{
	struct settings settings;
	char problem[SETTINGS_PROBLEM_SIZE];
	char wanted[128];
	char config[128];
	char *environment[] = {config, NULL};

	snprintf(config, sizeof(config), "SOFTDOCA_CONFIG=%s", path);
	assert_doca(settings_read(environment, &settings, problem), DOCA_ERROR_INVALID_VALUE);
	snprintf(wanted, sizeof(wanted), "variable SOFTDOCA_CONFIG: %s", path);
	if (strncmp(problem, wanted, strlen(wanted)) != 0 || strstr(problem, why) == NULL)
		fail_msg("of %s is said: %s", path, problem);
}

static void what_is_no_file_of_its_size_is_refused_without_waiting(void **state)
{
	char dir[] = "/tmp/softdoca-config.XXXXXX";
	char path[64];
	FILE *file;

	assert_non_null(mkdtemp(dir));
	assert_path_refused(dir, "it is no regular file");
	assert_path_refused("/dev/zero", "it is no regular file");
	snprintf(path, sizeof(path), "%s/file", dir);
	assert_path_refused(path, "No such file");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_path_refused(path, "it is no regular file");
	unlink(path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), (4 << 20) + 1), 0);
	assert_path_refused(path, "File too large");
	assert_int_equal(ftruncate(fileno(file), 3), 0);
	assert_refused("{'ROLE': '\x01'}", 1, "this is no JSON: a control character in a text");
	fclose(file);
	if (geteuid() != 0) {
		assert_int_equal(chmod(path, 0), 0);
		assert_path_refused(path, "Permission denied");
	}
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_gives_texts_and_numbers),
		cmocka_unit_test(the_environment_counts_more_than_the_file),
		cmocka_unit_test(a_topology_file_is_found_beside_the_file_that_names_it),
		cmocka_unit_test(an_empty_file_gives_the_defaults),
		cmocka_unit_test(what_is_wrong_is_said_with_its_line),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(what_is_no_file_of_its_size_is_refused_without_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
