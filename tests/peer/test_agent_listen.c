/* SPDX-License-Identifier: Apache-2.0 */
/* Where importers connect to: the names, and what happens to those of the dead. */
#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "peer/agent_listen.h"
#include "support/agent_client.h"
#include "support/process.h"

#define RW (EXPORT_MAY_READ | EXPORT_MAY_WRITE)

static int make_directory(void **state)
{
	char *dir = strdup("/tmp/test_agent_listen.XXXXXX");

	*state = dir;
	return mkdtemp(dir) == NULL;
}

static int remove_directory(void **state)
{
	char *dir = *state;
	int result = rmdir(dir); /* fails when something was left in it */

	free(dir);
	return result;
}

static size_t num_names(const char *dir)
{
	DIR *handle = opendir(dir);
	size_t num = 0;

	assert_non_null(handle);
	while (readdir(handle) != NULL)
		num++;
	closedir(handle);
	return num - 2;
}

static void an_abstract_name_leads_to_the_socket_until_it_is_closed(void **state)
{
	struct agent_listener listener;
	size_t fds = open_fds();
	int fd;

	assert_int_equal(agent_listen_abstract(&listener), 0);
	assert_int_equal(listener.endpoint.bytes[0], '\0');
	assert_true((fcntl(listener.fd, F_GETFD) & FD_CLOEXEC) != 0);
	assert_true((fcntl(listener.fd, F_GETFL) & O_NONBLOCK) != 0);
	fd = client_connect_to(&listener.endpoint);
	assert_true(fd >= 0);
	close(fd);
	agent_listener_close(&listener);
	assert_int_equal(client_connect_to(&listener.endpoint), -1);
	assert_int_equal(open_fds(), fds);
}

static void a_path_leads_to_the_socket_until_it_is_closed(void **state)
{
	const char *dir = *state;
	struct agent_listener listener;
	char path[EXPORT_ENDPOINT_BYTES + 1] = {0};
	struct stat stat;
	size_t fds = open_fds();
	int fd;

	assert_int_equal(agent_listen_in(dir, &listener), 0);
	memcpy(path, listener.endpoint.bytes, listener.endpoint.len_bytes);
	assert_memory_equal(path, dir, strlen(dir));
	assert_int_equal(num_names(dir), 1);
	/* Whoever is admitted by user and secret can connect. */
	assert_int_equal(lstat(path, &stat), 0);
	assert_true(S_ISSOCK(stat.st_mode));
	assert_int_equal(stat.st_mode & 0777, 0666);
	fd = client_connect_to(&listener.endpoint);
	assert_true(fd >= 0);
	close(fd);
	agent_listener_close(&listener);
	assert_int_equal(num_names(dir), 0);
	assert_int_equal(open_fds(), fds);
}

/* A socket whose process is gone. */
static void leave_dead_socket(const char *dir, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", dir, name);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static void remove_name(const char *dir, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(unlink(path), 0);
}

static void a_start_removes_the_sockets_of_the_dead_and_nothing_else(void **state)
{
	const char *dir = *state;
	struct agent_listener living;
	struct agent_listener listener;
	char path[128];
	int fd;

	assert_int_equal(agent_listen_in(dir, &living), 0);
	leave_dead_socket(dir, "softdoca-0123456789abcdef");
	leave_dead_socket(dir, "softdoca-x");
	leave_dead_socket(dir, "another program's");
	snprintf(path, sizeof(path), "%s/softdoca-file", dir);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(num_names(dir), 5);

	assert_int_equal(agent_listen_in(dir, &listener), 0);
	assert_int_equal(num_names(dir), 4);
	fd = client_connect_to(&living.endpoint);
	assert_true(fd >= 0);
	close(fd);
	remove_name(dir, "another program's");
	remove_name(dir, "softdoca-file");
	agent_listener_close(&living);
	agent_listener_close(&listener);
}

static void a_directory_that_is_not_there_is_a_negative_errno(void **state)
{
	struct agent_listener listener;
	size_t fds = open_fds();

	assert_int_equal(agent_listen_in("/nonexistent", &listener), -ENOENT);
	assert_int_equal(open_fds(), fds);
}

static void the_longest_directory_has_room_for_a_name(void **state)
{
	const char *dir = *state;
	struct agent_listener listener;
	char longest[PEER_DIR_BYTES];
	int fd;

	snprintf(longest, sizeof(longest), "%s/", dir);
	memset(longest + strlen(longest), 'd', sizeof(longest) - 1 - strlen(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(mkdir(longest, 0700), 0);
	assert_int_equal(agent_listen_in(longest, &listener), 0);
	fd = client_connect_to(&listener.endpoint);
	assert_true(fd >= 0);
	close(fd);
	agent_listener_close(&listener);
	assert_int_equal(rmdir(longest), 0);
}

static void the_descriptor_of_an_export_names_both(void **state)
{
	struct peer_policy policy = client_policy;
	uint8_t memory[16] = "exported memory";
	struct exported exported;

	snprintf(policy.runtime_dir, sizeof(policy.runtime_dir), "%s", (const char *)*state);
	exported = client_export_with(&policy, memory, sizeof(memory), RW);
	assert_int_equal(exported.descriptor.num_endpoints, 2);
	for (int i = 0; i < 2; i++) {
		uint8_t greeting[NBD_GREETING_BYTES];
		int fd = client_connect_to(&exported.descriptor.endpoints[i]);

		assert_true(fd >= 0);
		assert_true(client_read(fd, greeting, sizeof(greeting)));
		close(fd);
	}
	agent_revoke(exported.region);
	assert_int_equal(num_names(*state), 0);
}

static void an_export_says_that_its_directory_is_not_there(void **state)
{
	struct peer_policy policy = client_policy;
	const struct agent_range range = {.addr = (uint8_t *)&policy, .len_bytes = 1, .flags = RW};
	struct agent_region *region = NULL;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why = NULL;
	size_t len = 0;
	size_t fds = open_fds();

	snprintf(policy.runtime_dir, sizeof(policy.runtime_dir), "/nonexistent");
	errno = 0;
	assert_doca(agent_export(&policy, &range, &region, bytes, &len, &why),
		    DOCA_ERROR_OPERATING_SYSTEM);
	assert_int_equal(errno, ENOENT);
	assert_non_null(strstr(why, "directory"));
	assert_null(region);
	assert_int_equal(open_fds(), fds);
}

#define DIRECTORY_TEST(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_abstract_name_leads_to_the_socket_until_it_is_closed),
		DIRECTORY_TEST(a_path_leads_to_the_socket_until_it_is_closed),
		DIRECTORY_TEST(a_start_removes_the_sockets_of_the_dead_and_nothing_else),
		cmocka_unit_test(a_directory_that_is_not_there_is_a_negative_errno),
		DIRECTORY_TEST(the_longest_directory_has_room_for_a_name),
		DIRECTORY_TEST(the_descriptor_of_an_export_names_both),
		cmocka_unit_test(an_export_says_that_its_directory_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
