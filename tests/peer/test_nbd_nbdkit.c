/* SPDX-License-Identifier: Apache-2.0 */
/* An NBD server that others wrote: nbdkit. It takes any name for the one disk that it has. */
#include "support/nbd_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define DISK_BYTES (8 * MIB)

static bool is_in_path(const char *name)
{
	char *path = strdup(getenv("PATH") != NULL ? getenv("PATH") : "");
	bool is_there = false;

	for (char *at, *dir = strtok_r(path, ":", &at); dir != NULL && !is_there;
	     dir = strtok_r(NULL, ":", &at)) {
		char file[4096];

		snprintf(file, sizeof(file), "%s/%s", dir, name);
		is_there = access(file, X_OK) == 0;
	}
	free(path);
	return is_there;
}

/* A socket with a name that the kernel chooses. */
static int bind_abstract(struct export_endpoint *endpoint)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t len = sizeof(address);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(sa_family_t)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	endpoint->type = EXPORT_UNIX;
	endpoint->len_bytes = (uint8_t)(len - offsetof(struct sockaddr_un, sun_path));
	memcpy(endpoint->bytes, address.sun_path, endpoint->len_bytes);
	return fd;
}

/* It is handed the socket, on which its process listens already: the pipe's end tells. */
static pid_t start_nbdkit(struct export_descriptor *descriptor, const char *filter)
{
	int fd = bind_abstract(&descriptor->endpoints[0]);
	char own[16], byte;
	int ready[2];
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (listen(fd, 10) != 0 || (fd != 3 && dup2(fd, 3) != 3))
			_exit(126);
		(void)fcntl(3, F_SETFD, 0);
		setenv("LISTEN_FDS", "1", 1);
		snprintf(own, sizeof(own), "%d", (int)getpid());
		setenv("LISTEN_PID", own, 1);
		execlp("nbdkit", "nbdkit", "-f", filter, "memory", "8M", (char *)NULL);
		_exit(127);
	}
	close(fd);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	descriptor->num_endpoints = 1;
	descriptor->addr = NBD_SERVER_ADDR;
	descriptor->len_bytes = DISK_BYTES;
	descriptor->uid = geteuid();
	descriptor->flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE;
	return pid;
}

static void stop(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static struct peer_region *open_at(const struct export_descriptor *descriptor)
{
	struct peer_policy policy = policy_of(PATIENCE_NS);
	struct peer_region *region = NULL;
	const char *why = NULL;

	assert_doca(softdoca_net_way(NET_VERSION)->open(&policy, descriptor, &region, &why),
		    DOCA_SUCCESS);
	return region;
}

/* In pieces, so that its threads answer in an order of their own. */
static void what_is_written_is_read_back(void **state)
{
	struct export_descriptor descriptor = {0};
	pid_t pid = start_nbdkit(&descriptor, "--threads=8");
	struct peer_region *region = open_at(&descriptor);
	uint8_t *written = malloc(DISK_BYTES);
	uint8_t *got = calloc(1, DISK_BYTES);
	struct copy copy;

	for (size_t i = 0; i < DISK_BYTES; i++)
		written[i] = (uint8_t)(i * 7 + (i >> 9));
	copy_init(&copy);
	copy_set(&copy, true, written, 0, DISK_BYTES);
	assert_doca(copy_run(&copy, region), DOCA_SUCCESS);
	copy_set(&copy, false, got, 0, DISK_BYTES);
	copy.io.num_local = PEER_MAX_PIECES;
	for (size_t i = 0; i < PEER_MAX_PIECES; i++)
		copy.io.local[i] = (struct iovec){got + i * DISK_BYTES / PEER_MAX_PIECES,
						  DISK_BYTES / PEER_MAX_PIECES};
	assert_doca(copy_run(&copy, region), DOCA_SUCCESS);
	assert_memory_equal(got, written, DISK_BYTES);

	stop(pid);
	assert_doca(copy_run(&copy, region), DOCA_ERROR_CONNECTION_RESET);
	close_region(region);
	copy_fini(&copy);
	free(written);
	free(got);
}

static void a_read_only_server_is_refused_for_a_writable_region(void **state)
{
	struct export_descriptor descriptor = {0};
	pid_t pid = start_nbdkit(&descriptor, "-r");
	struct peer_policy policy = policy_of(PATIENCE_NS);
	struct peer_region *region = NULL;
	const char *why = NULL;

	assert_doca(softdoca_net_way(NET_VERSION)->open(&policy, &descriptor, &region, &why),
		    DOCA_ERROR_NOT_CONNECTED);
	assert_non_null(strstr(why, "no exporter"));
	descriptor.flags = EXPORT_MAY_READ;
	close_region(open_at(&descriptor));
	descriptor.len_bytes++;
	assert_doca(softdoca_net_way(NET_VERSION)->open(&policy, &descriptor, &region, &why),
		    DOCA_ERROR_NOT_CONNECTED);
	stop(pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(a_read_only_server_is_refused_for_a_writable_region),
	};

	if (!is_in_path("nbdkit")) {
		printf("1..0 # SKIP nbdkit is not installed\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
