/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a region by NBD: who is refused and why, and calls that fail. */
#include "support/nbd_fixture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer/self.h"
#include "support/fail_calloc.h"

#define SERVED_BYTES ((size_t)65536)
#define CONNECT_NS UINT64_C(1000000000) /* that an open may take */

/* The linker sends the calls to the first, and knows the real ones as the second. */
int __wrap_socket(int domain, int type, int protocol);
int __real_socket(int domain, int type, int protocol);
int __wrap_connect(int fd, const struct sockaddr *address, socklen_t len);
int __real_connect(int fd, const struct sockaddr *address, socklen_t len);
int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *len);
int __real_getsockopt(int fd, int level, int name, void *value, socklen_t *len);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t len);
int __real_setsockopt(int fd, int level, int name, const void *value, socklen_t len);
int __wrap_eventfd(unsigned int count, int flags);
int __real_eventfd(unsigned int count, int flags);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);
int __wrap_pthread_attr_init(pthread_attr_t *attributes);
int __real_pthread_attr_init(pthread_attr_t *attributes);
int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int __real_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
void *__wrap_nbd_create(void);
void *__real_nbd_create(void);
int __wrap_nbd_set_export_name(void *handle, const char *name);
int __real_nbd_set_export_name(void *handle, const char *name);
int __wrap_nbd_aio_connect_socket(void *handle, int fd);
int __real_nbd_aio_connect_socket(void *handle, int fd);

/* The errno of the next call, 0 for none; the linker's wrappers have no other way to learn it. */
static int socket_error, connect_error, getsockopt_error, setsockopt_error, eventfd_error;
static pid_t fake_pid; /* of the next peer, unless 0 */
static int create_error, attr_error, atfork_error, nbd_create_error, name_error, begin_error;

static int take(int *error)
{
	int taken = *error;

	*error = 0;
	errno = taken;
	return taken;
}

int __wrap_socket(int domain, int type, int protocol)
{
	return take(&socket_error) ? -1 : __real_socket(domain, type, protocol);
}

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t len)
{
	return take(&connect_error) ? -1 : __real_connect(fd, address, len);
}

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	int result = take(&getsockopt_error) ? -1 : __real_getsockopt(fd, level, name, value, len);

	if (result == 0 && name == SO_PEERCRED && fake_pid != 0) {
		((struct ucred *)value)->pid = fake_pid;
		fake_pid = 0;
	}
	return result;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	return take(&setsockopt_error) ? -1 : __real_setsockopt(fd, level, name, value, len);
}

int __wrap_eventfd(unsigned int count, int flags)
{
	return take(&eventfd_error) ? -1 : __real_eventfd(count, flags);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument)
{
	int error = take(&create_error);

	return error ? error : __real_pthread_create(thread, attributes, start, argument);
}

int __wrap_pthread_attr_init(pthread_attr_t *attributes)
{
	int error = take(&attr_error);

	return error ? error : __real_pthread_attr_init(attributes);
}

int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	int error = take(&atfork_error);

	return error ? error : __real_pthread_atfork(prepare, parent, child);
}

void *__wrap_nbd_create(void)
{
	return take(&nbd_create_error) ? NULL : __real_nbd_create();
}

int __wrap_nbd_set_export_name(void *handle, const char *name)
{
	return take(&name_error) ? -1 : __real_nbd_set_export_name(handle, name);
}

/* It owns the descriptor in each case. */
int __wrap_nbd_aio_connect_socket(void *handle, int fd)
{
	if (!take(&begin_error))
		return __real_nbd_aio_connect_socket(handle, fd);
	close(fd);
	return -1;
}

struct fixture {
	struct nbd_server server;
	size_t num_fds;
	size_t num_threads;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->num_fds = count_fds();
	fixture->num_threads = count_threads();
	nbd_server_init(&fixture->server, SERVED_BYTES);
	*state = fixture;
	return 0;
}

/* Nothing is left of what was refused. */
static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	nbd_server_fini(&fixture->server);
	assert_int_equal(count_fds(), fixture->num_fds);
	assert_int_equal(count_threads(), fixture->num_threads);
	free(fixture);
	return 0;
}

static struct nbd_server *server_of(void **state)
{
	return &((struct fixture *)*state)->server;
}

/* The open fails so, and says why with these words. */
static void assert_refused(const struct nbd_server *server, doca_error_t wanted, const char *words)
{
	struct peer_region *region = NULL;
	const char *why = NULL;

	assert_doca(try_open(server, &region, &why), wanted);
	assert_null(region);
	assert_non_null(why);
	if (strstr(why, words) == NULL)
		fail_msg("'%s' does not say '%s'", why, words);
}

static void assert_opens(const struct nbd_server *server)
{
	close_region(open_region(server));
}

static void nobody_there_is_not_connected(void **state)
{
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	nbd_server_signal(server, SIGKILL);
	assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "nobody listens");
	/* A process that lives has ended its agent. */
	server->descriptor.pid = (uint32_t)getpid();
	assert_int_equal(self_boot_id(server->descriptor.boot_id), 0);
	assert_int_equal(self_start_time(&server->descriptor.start_time), 0);
	assert_refused(server, DOCA_ERROR_NOT_FOUND, "destroyed");
}

static void a_path_that_is_not_there_is_not_connected(void **state)
{
	static const char path[] = "/nonexistent/softdoca.socket";
	struct nbd_server *server = server_of(state);

	server->descriptor.num_endpoints = 1;
	server->descriptor.endpoints[0].type = EXPORT_UNIX;
	server->descriptor.endpoints[0].len_bytes = sizeof(path) - 1;
	memcpy(server->descriptor.endpoints[0].bytes, path, sizeof(path) - 1);
	assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "nobody listens");
}

static void a_descriptor_without_a_socket_of_this_machine_is_not_supported(void **state)
{
	struct nbd_server *server = server_of(state);

	assert_refused(server, DOCA_ERROR_NOT_SUPPORTED, "no socket");
	server->descriptor.num_endpoints = 1;
	server->descriptor.endpoints[0].type = EXPORT_VSOCK;
	server->descriptor.endpoints[0].len_bytes = 8;
	assert_refused(server, DOCA_ERROR_NOT_SUPPORTED, "no socket");
}

static void each_socket_of_a_descriptor_is_tried(void **state)
{
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	server->descriptor.endpoints[2] = server->descriptor.endpoints[0];
	server->descriptor.endpoints[0].bytes[5] ^= 0x40;
	server->descriptor.endpoints[1].type = EXPORT_IPV4;
	server->descriptor.endpoints[1].len_bytes = 6;
	server->descriptor.num_endpoints = 3;
	assert_opens(server);
}

static void the_longest_name_is_asked_for(void **state)
{
	struct nbd_server *server = server_of(state);

	server->descriptor.num_endpoints = 1;
	server->descriptor.endpoints[0].type = EXPORT_UNIX;
	server->descriptor.endpoints[0].len_bytes = EXPORT_ENDPOINT_BYTES;
	memset(server->descriptor.endpoints[0].bytes, 'x', EXPORT_ENDPOINT_BYTES);
	assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "nobody listens");
}

/* Needs to be root, to make a server of another user. */
static void a_server_of_a_third_user_never_hears_the_secret(void **state)
{
	struct nbd_server *server = server_of(state);
	struct peer_policy policy = policy_of(PATIENCE_NS);
	struct peer_region *region = NULL;
	const char *why = NULL;

	if (geteuid() != 0)
		return;
	server->plan->uid = 1234;
	nbd_server_start(server);
	assert_refused(server, DOCA_ERROR_NOT_PERMITTED, "another user");
	assert_int_equal(atomic_load(&server->plan->num_gos), 0);

	policy.num_uids = 1;
	policy.uids[0] = 1234;
	assert_doca(
		softdoca_net_way(NET_VERSION)->open(&policy, &server->descriptor, &region, &why),
		DOCA_SUCCESS);
	close_region(region);
	server->descriptor.uid = 1234;
	assert_opens(server);
}

static void an_unknown_peer_never_hears_the_secret(void **state)
{
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	getsockopt_error = ENOPROTOOPT;
	assert_refused(server, DOCA_ERROR_NOT_PERMITTED, "another user");
	assert_int_equal(atomic_load(&server->plan->num_gos), 0);
}

static void a_wrong_secret_is_told_from_an_unwanted_user(void **state)
{
	struct nbd_server *server = server_of(state);

	atomic_store(&server->plan->fault, NBD_GO_REFUSED);
	server->plan->go_reply = NBD_TEST_POLICY;
	nbd_server_start(server);
	assert_refused(server, DOCA_ERROR_AUTHENTICATION, "secret");
	server->plan->go_reply = NBD_TEST_PLATFORM;
	server->plan->refuses_all = true;
	assert_refused(server, DOCA_ERROR_NOT_PERMITTED, "user");
	/* A server that has something for every name. */
	server->plan->refuses_all = false;
	server->plan->has_any_name = true;
	assert_refused(server, DOCA_ERROR_AUTHENTICATION, "secret");
}

static void each_refusal_of_the_export_has_its_error(void **state)
{
	static const struct {
		uint32_t reply;
		doca_error_t wanted;
		const char *words;
	} refusals[] = {
		{NBD_TEST_UNKNOWN, DOCA_ERROR_NOT_FOUND, "no such region"},
		{NBD_TEST_SHUTDOWN, DOCA_ERROR_NOT_FOUND, "no such region"},
		{NBD_TEST_INVALID, DOCA_ERROR_NOT_CONNECTED, "no exporter"},
		{NBD_TEST_TOO_BIG, DOCA_ERROR_NOT_CONNECTED, "no exporter"},
		{NBD_TEST_BLOCK_SIZE, DOCA_ERROR_NOT_CONNECTED, "no exporter"},
		/* libnbd then asks in the old manner, which has no refusal. */
		{NBD_TEST_UNSUP, DOCA_ERROR_NOT_CONNECTED, "ended"},
	};
	struct nbd_server *server = server_of(state);

	atomic_store(&server->plan->fault, NBD_GO_REFUSED);
	nbd_server_start(server);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		server->plan->go_reply = refusals[i].reply;
		assert_refused(server, refusals[i].wanted, refusals[i].words);
	}
}

static void an_unknown_name_is_not_found(void **state)
{
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	server->descriptor.id[0] ^= 1;
	assert_refused(server, DOCA_ERROR_NOT_FOUND, "no such region");
}

static void a_silent_server_is_given_up_in_time(void **state)
{
	static const enum nbd_fault faults[] = {NBD_GREETS_NOT, NBD_GO_SILENT};
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	for (size_t i = 0; i < 2; i++) {
		uint64_t begin = now_ns();

		atomic_store(&server->plan->fault, faults[i]);
		assert_refused(server, DOCA_ERROR_TIME_OUT, "does not answer");
		assert_in_range(now_ns() - begin, CONNECT_NS, 2 * CONNECT_NS);
	}
}

/* It stops accepting when its queue is full: the kernel makes us wait then. */
static void a_stopped_server_is_given_up_in_time(void **state)
{
	struct nbd_server *server = server_of(state);
	uint64_t begin = now_ns();

	nbd_server_start(server);
	nbd_server_signal(server, SIGSTOP);
	assert_refused(server, DOCA_ERROR_TIME_OUT, "does not answer");
	assert_in_range(now_ns() - begin, CONNECT_NS, 2 * CONNECT_NS);
	nbd_server_signal(server, SIGCONT);
	assert_opens(server);
}

static void a_server_that_leaves_is_not_connected(void **state)
{
	static const enum nbd_fault faults[] = {NBD_GREETS_AND_LEAVES, NBD_GREETS_NONSENSE,
						NBD_GO_LEAVES, NBD_GO_NONSENSE};
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		uint32_t before = atomic_load(&server->plan->num_connections);

		atomic_store(&server->plan->fault, faults[i]);
		assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "ended");
		assert_int_equal(atomic_load(&server->plan->num_connections), before + 2);
	}
	atomic_store(&server->plan->fault, NBD_SOUND);
	assert_opens(server);
}

static void an_old_server_is_refused(void **state)
{
	struct nbd_server *server = server_of(state);

	atomic_store(&server->plan->fault, NBD_GREETS_OLD_STYLE);
	nbd_server_start(server);
	assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "no exporter");
	assert_int_equal(atomic_load(&server->plan->num_gos), 0);
}

static void a_server_that_serves_less_than_the_descriptor_says_is_refused(void **state)
{
	static const uint64_t sizes[] = {0, SERVED_BYTES - 1, UINT64_MAX, UINT64_C(1) << 63};
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		server->plan->size_bytes = sizes[i];
		assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "no exporter");
	}
	server->plan->size_bytes = SERVED_BYTES + 1;
	assert_opens(server);
}

static void a_server_that_serves_read_only_what_is_writable_is_refused(void **state)
{
	struct nbd_server *server = server_of(state);

	server->plan->is_read_only = true;
	nbd_server_start(server);
	assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "no exporter");
	server->descriptor.flags = EXPORT_MAY_READ;
	assert_opens(server);
}

static void each_error_of_the_socket_has_its_own(void **state)
{
	static const struct {
		int error;
		doca_error_t wanted;
	} errors[] = {
		{ECONNREFUSED, DOCA_ERROR_NOT_CONNECTED}, {ENOENT, DOCA_ERROR_NOT_CONNECTED},
		{EACCES, DOCA_ERROR_NOT_PERMITTED},	  {EPERM, DOCA_ERROR_NOT_PERMITTED},
		{ETIMEDOUT, DOCA_ERROR_TIME_OUT},	  {ENOMEM, DOCA_ERROR_NO_MEMORY},
		{ENOBUFS, DOCA_ERROR_NO_MEMORY},	  {EPROTOTYPE, DOCA_ERROR_OPERATING_SYSTEM},
	};
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		connect_error = errors[i].error;
		assert_refused(server, errors[i].wanted, "");
	}
	socket_error = EMFILE;
	assert_refused(server, DOCA_ERROR_OPERATING_SYSTEM, "no socket");
	setsockopt_error = ENOMEM;
	assert_refused(server, DOCA_ERROR_NO_MEMORY, "no memory");
	connect_error = EINTR;
	assert_opens(server);
	connect_error = EAGAIN;
	assert_opens(server);
}

static void without_memory_for_a_session_it_is_no_memory(void **state)
{
	int *const errors[] = {&nbd_create_error, &name_error, &begin_error};
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		*errors[i] = ENOMEM;
		assert_refused(server, DOCA_ERROR_NO_MEMORY, "session");
	}
	next_calloc_fails = true;
	assert_refused(server, DOCA_ERROR_NO_MEMORY, "region");
	assert_opens(server);
}

/* A verdict of one socket is the exporter's. */
static void the_next_socket_is_not_tried_when_the_first_refuses(void **state)
{
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	server->descriptor.endpoints[1] = server->descriptor.endpoints[0];
	server->descriptor.num_endpoints = 2;
	connect_error = EACCES;
	assert_refused(server, DOCA_ERROR_NOT_PERMITTED, "closed to this user");
	assert_int_equal(atomic_load(&server->plan->num_gos), 0);
}

/* A region whose connection has been lost; the next copy makes another. */
static struct peer_region *open_and_lose(struct nbd_server *server, struct copy *copy)
{
	static uint8_t local[100];
	struct peer_region *region;

	nbd_server_start(server);
	region = open_region(server);
	copy_init(copy);
	copy_set(copy, false, local, 0, sizeof(local));
	atomic_store(&server->plan->fault, NBD_LEAVES);
	assert_doca(copy_run(copy, region), DOCA_ERROR_CONNECTION_RESET);
	atomic_store(&server->plan->fault, NBD_SOUND);
	return region;
}

static void a_full_backlog_is_waited_for_when_it_connects_again(void **state)
{
	struct copy copy;
	struct peer_region *region = open_and_lose(server_of(state), &copy);

	connect_error = EAGAIN;
	assert_doca(copy_run(&copy, region), DOCA_SUCCESS);
	assert_int_equal(connect_error, 0);
	copy_fini(&copy);
	close_region(region);
}

static void another_process_is_not_connected_to_again(void **state)
{
	struct nbd_server *server = server_of(state);
	struct copy copy;
	struct peer_region *region = open_and_lose(server, &copy);
	uint32_t num_gos = atomic_load(&server->plan->num_gos);

	fake_pid = getpid();
	assert_doca(copy_run(&copy, region), DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(fake_pid, 0);
	assert_int_equal(atomic_load(&server->plan->num_gos), num_gos);
	assert_doca(copy_run(&copy, region), DOCA_SUCCESS);
	copy_fini(&copy);
	close_region(region);
}

/* It must be the first test: the process watches for forks once. */
static void without_a_thread_no_region_is_opened(void **state)
{
	struct nbd_server *server = server_of(state);

	nbd_server_start(server);
	atfork_error = ENOMEM;
	assert_refused(server, DOCA_ERROR_NO_MEMORY, "thread");
	eventfd_error = EMFILE;
	assert_refused(server, DOCA_ERROR_OPERATING_SYSTEM, "thread");
	create_error = EAGAIN;
	assert_refused(server, DOCA_ERROR_OPERATING_SYSTEM, "thread");
	attr_error = ENOMEM;
	assert_refused(server, DOCA_ERROR_OPERATING_SYSTEM, "thread");
	assert_opens(server);
}

static void nothing_happens_to_who_ignores_no_signal(void **state)
{
	struct nbd_server *server = server_of(state);
	struct sigaction action;

	nbd_server_start(server);
	atomic_store(&server->plan->fault, NBD_GREETS_AND_LEAVES);
	assert_refused(server, DOCA_ERROR_NOT_CONNECTED, "ended");
	assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
	assert_ptr_equal(action.sa_handler, SIG_DFL);
}

#define SESSION_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SESSION_TEST(without_a_thread_no_region_is_opened),
		SESSION_TEST(nobody_there_is_not_connected),
		SESSION_TEST(a_path_that_is_not_there_is_not_connected),
		SESSION_TEST(a_descriptor_without_a_socket_of_this_machine_is_not_supported),
		SESSION_TEST(each_socket_of_a_descriptor_is_tried),
		SESSION_TEST(the_longest_name_is_asked_for),
		SESSION_TEST(a_server_of_a_third_user_never_hears_the_secret),
		SESSION_TEST(an_unknown_peer_never_hears_the_secret),
		SESSION_TEST(a_wrong_secret_is_told_from_an_unwanted_user),
		SESSION_TEST(each_refusal_of_the_export_has_its_error),
		SESSION_TEST(an_unknown_name_is_not_found),
		SESSION_TEST(a_silent_server_is_given_up_in_time),
		SESSION_TEST(a_stopped_server_is_given_up_in_time),
		SESSION_TEST(a_server_that_leaves_is_not_connected),
		SESSION_TEST(an_old_server_is_refused),
		SESSION_TEST(a_server_that_serves_less_than_the_descriptor_says_is_refused),
		SESSION_TEST(a_server_that_serves_read_only_what_is_writable_is_refused),
		SESSION_TEST(each_error_of_the_socket_has_its_own),
		SESSION_TEST(the_next_socket_is_not_tried_when_the_first_refuses),
		SESSION_TEST(a_full_backlog_is_waited_for_when_it_connects_again),
		SESSION_TEST(another_process_is_not_connected_to_again),
		SESSION_TEST(without_memory_for_a_session_it_is_no_memory),
		SESSION_TEST(nothing_happens_to_who_ignores_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
