/* SPDX-License-Identifier: Apache-2.0 */
/* Each call that a first export makes fails once: the export says so, and leaves nothing behind. */
#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "support/agent_client.h"
#include "support/process.h"

#define NEVER 1000000

/* Which call from now on fails; the linker's wrappers have no other way to learn it. */
static _Atomic int calls_until_failure = NEVER;

static bool must_fail(void)
{
	if (atomic_fetch_sub(&calls_until_failure, 1) != 0)
		return false;
	errno = ENOMEM;
	return true;
}

#define FAILING(type, name, failure, parameters, ...)                                              \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters                                                              \
	{                                                                                          \
		return must_fail() ? (failure) : __real_##name(__VA_ARGS__);                       \
	}

FAILING(void *, calloc, NULL, (size_t num, size_t size), num, size)
FAILING(int, socket, -1, (int domain, int type, int protocol), domain, type, protocol)
FAILING(int, accept4, -1, (int fd, struct sockaddr *name, socklen_t *len, int flags), fd, name, len,
	flags)
FAILING(int, bind, -1, (int fd, const struct sockaddr *name, socklen_t len), fd, name, len)
FAILING(int, listen, -1, (int fd, int backlog), fd, backlog)
FAILING(int, epoll_create1, -1, (int flags), flags)
FAILING(int, epoll_ctl, -1, (int epoll, int what, int fd, struct epoll_event *event), epoll, what,
	fd, event)
FAILING(int, eventfd, -1, (unsigned int count, int flags), count, flags)
FAILING(ssize_t, getrandom, -1, (void *bytes, size_t len, unsigned int flags), bytes, len, flags)
FAILING(int, memfd_create, -1, (const char *name, unsigned int flags), name, flags)
FAILING(int, chmod, -1, (const char *path, mode_t mode), path, mode)
FAILING(int, rename, -1, (const char *from, const char *to), from, to)
FAILING(int, pthread_attr_init, ENOMEM, (pthread_attr_t * attr), attr)
FAILING(int, pthread_create, ENOMEM,
	(pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg), thread,
	attr, run, arg)
FAILING(int, pthread_atfork, ENOMEM,
	(void (*before)(void), void (*after)(void), void (*child)(void)), before, after, child)

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	return must_fail() ? -1 : __real_open64(path, flags);
}

/* Memory that is not there, and so is left out of what is sent: that is what qemu-user does. */
static _Atomic(void *) absent;

ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
	struct msghdr first = *message;

	if (message->msg_iovlen < 2 || message->msg_iov[1].iov_base != atomic_load(&absent))
		return __real_sendmsg(fd, message, flags);
	first.msg_iovlen = 1;
	return first.msg_iov[0].iov_len == 0 ? 0 : __real_sendmsg(fd, &first, flags);
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

/* How many calls it is whose failures were seen. */
static int fail_each_call(const struct peer_policy *policy, size_t wanted_fds)
{
	static uint8_t memory[64];
	const struct agent_range range = {
		.addr = memory, .len_bytes = sizeof(memory), .flags = EXPORT_MAY_READ};

	for (int i = 0;; i++) {
		struct agent_region *region = NULL;
		uint8_t bytes[EXPORT_MAX_BYTES];
		const char *why = NULL;
		size_t len = 0;
		doca_error_t result;
		int left;

		errno = 0;
		atomic_store(&calls_until_failure, i);
		result = agent_export(policy, &range, &region, bytes, &len, &why);
		left = atomic_exchange(&calls_until_failure, NEVER);
		if (result == DOCA_SUCCESS) {
			agent_revoke(region);
			assert_int_equal(open_fds(), wanted_fds);
			if (left >= 0)
				return i; /* there was no such call any more */
			continue;
		}
		assert_true(result == DOCA_ERROR_NO_MEMORY ||
			    result == DOCA_ERROR_OPERATING_SYSTEM);
		assert_int_equal(errno, ENOMEM);
		assert_non_null(why);
		assert_null(region);
		assert_int_equal(len, 0);
		assert_int_equal(open_fds(), wanted_fds);
		if (policy->runtime_dir[0] != '\0')
			assert_int_equal(num_names(policy->runtime_dir), 0);
	}
}

static void each_call_of_an_export_that_fails_leaves_nothing_behind(void **state)
{
	char dir[] = "/tmp/test_agent_failures.XXXXXX";
	struct peer_policy policy = client_policy;

	assert_non_null(mkdtemp(dir));
	snprintf(policy.runtime_dir, sizeof(policy.runtime_dir), "%s", dir);
	assert_true(fail_each_call(&policy, open_fds()) >= 20);
	assert_int_equal(rmdir(dir), 0);
}

static void each_call_of_a_second_export_that_fails_leaves_the_first(void **state)
{
	uint8_t memory[16] = "the first export";
	struct exported first = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	uint8_t bytes[16];
	int fd;

	assert_true(fail_each_call(&client_policy, open_fds()) >= 5);
	fd = client_opened(&first);
	assert_int_equal(client_read_at(fd, 0, bytes, sizeof(bytes)), NBD_SUCCESS);
	assert_memory_equal(bytes, memory, sizeof(bytes));
	close(fd);
	agent_revoke(first.region);
}

/* Without memory for a connection, or without epoll, its peer is sent away and the next is served.
 */
static void a_connection_that_cannot_be_kept_is_closed(void **state)
{
	uint8_t memory[16] = {0};
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	int fd;

	for (int i = 1; i <= 2; i++) {
		int rejected = client_socket();

		atomic_store(&calls_until_failure, i);
		assert_int_equal(client_connect_socket(rejected, &exported.descriptor.endpoints[0]),
				 0);
		assert_true(client_is_closed(rejected));
		atomic_store(&calls_until_failure, NEVER);
		close(rejected);
	}
	fd = client_opened(&exported);
	close(fd);
	agent_revoke(exported.region);
}

static void one_that_cannot_be_accepted_is_once_the_agent_has_rested(void **state)
{
	uint8_t memory[16] = {0};
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	uint8_t greeting[NBD_GREETING_BYTES];
	int served = client_opened(&exported);
	int waiting = client_socket();
	uint8_t byte;

	atomic_store(&calls_until_failure, 0);
	assert_int_equal(client_connect_socket(waiting, &exported.descriptor.endpoints[0]), 0);
	/* Those that are there are served meanwhile. */
	assert_int_equal(client_read_at(served, 0, &byte, 1), NBD_SUCCESS);
	assert_true(client_read(waiting, greeting, sizeof(greeting)));
	assert_true(atomic_exchange(&calls_until_failure, NEVER) < 0);
	close(waiting);
	close(served);
	agent_revoke(exported.region);
}

static void an_answer_of_which_nothing_more_can_be_sent_ends_the_connection(void **state)
{
	uint8_t memory[16] = {0};
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	int fd = client_opened(&exported);

	atomic_store(&absent, memory);
	client_request(fd, NBD_CMD_READ, 0, sizeof(memory));
	assert_int_equal(client_reply(fd, 0, sizeof(memory)), NBD_SUCCESS);
	assert_true(client_is_closed(fd));
	atomic_store(&absent, NULL);
	close(fd);
	agent_revoke(exported.region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_call_of_an_export_that_fails_leaves_nothing_behind),
		cmocka_unit_test(each_call_of_a_second_export_that_fails_leaves_the_first),
		cmocka_unit_test(a_connection_that_cannot_be_kept_is_closed),
		cmocka_unit_test(one_that_cannot_be_accepted_is_once_the_agent_has_rested),
		cmocka_unit_test(an_answer_of_which_nothing_more_can_be_sent_ends_the_connection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
