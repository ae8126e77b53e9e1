/* SPDX-License-Identifier: Apache-2.0 */
/* The exporter's process of the peer suite: serves one range and does as it is told. */
#include "contract/peer_suite.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/peer_exporter.h"
#include "support/process.h"

uint8_t peer_suite_byte(size_t at)
{
	return (uint8_t)(at * 31 + at / 256);
}

static bool send_all(int fd, const void *bytes, size_t len_bytes)
{
	for (size_t done = 0; done < len_bytes;) {
		ssize_t sent =
			send(fd, (const uint8_t *)bytes + done, len_bytes - done, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		done += (size_t)sent;
	}
	return true;
}

void peer_exporter_receive(int fd, void *bytes, size_t len_bytes)
{
	assert_int_equal(recv(fd, bytes, len_bytes, MSG_WAITALL), len_bytes);
}

static void make_memory(struct suite_memory *memory, bool is_in_file)
{
	memory->file_fd = -1;
	if (is_in_file) {
		memory->file_fd = memfd_create("suite", MFD_CLOEXEC | MFD_ALLOW_SEALING);
		assert_true(memory->file_fd >= 0);
		assert_int_equal(ftruncate(memory->file_fd, PEER_SUITE_ALL_BYTES), 0);
	}
	memory->all =
		mmap(NULL, PEER_SUITE_ALL_BYTES, PROT_READ | PROT_WRITE,
		     is_in_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, memory->file_fd, 0);
	assert_ptr_not_equal(memory->all, MAP_FAILED);
	if (is_in_file)
		assert_int_equal(fcntl(memory->file_fd, F_ADD_SEALS,
				       F_SEAL_SHRINK | F_SEAL_GROW |
					       ((memory->range.flags & EXPORT_MAY_WRITE) != 0
							? 0
							: F_SEAL_FUTURE_WRITE)),
				 0);
	memset(memory->all, PEER_SUITE_GUARD, PEER_SUITE_ALL_BYTES);
	memory->range.addr = memory->all + PEER_SUITE_OFFSET;
	memory->range.len_bytes = PEER_SUITE_BYTES;
	for (size_t i = 0; i < PEER_SUITE_BYTES; i++)
		memory->range.addr[i] = peer_suite_byte(i);
}

/* From the end of the range's first page to the end of all. */
static void unmap(const struct suite_memory *memory)
{
	uint8_t *first = memory->all + PEER_SUITE_GUARD_BYTES + sysconf(_SC_PAGESIZE);

	(void)munmap(first, (size_t)(memory->all + PEER_SUITE_ALL_BYTES - first));
}

/* The process goes on as a program that echoes. */
static void become_another_program(int control)
{
	(void)dup2(control, STDIN_FILENO);
	(void)dup2(control, STDOUT_FILENO);
	execlp("cat", "cat", (char *)NULL);
	_exit(127);
}

/*
 * Through the kernel: what an importer asked for was written by the agent's thread, and the order
 * of two processes is unknown to the thread sanitizer.
 */
static void send_memory(int control, const uint8_t *all)
{
	uint8_t *copy = malloc(PEER_SUITE_ALL_BYTES);
	struct iovec from = {(void *)(uintptr_t)all, PEER_SUITE_ALL_BYTES};
	struct iovec to = {copy, PEER_SUITE_ALL_BYTES};

	if (copy == NULL)
		_exit(1);
	if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != PEER_SUITE_ALL_BYTES)
		memcpy(copy, all, PEER_SUITE_ALL_BYTES); /* the kernel does not permit it here */
	if (!send_all(control, copy, PEER_SUITE_ALL_BYTES))
		_exit(1);
	free(copy);
}

static void obey(const struct peer_suite *suite, const struct suite_memory *memory, void *started,
		 int control)
{
	char command;

	while (recv(control, &command, 1, MSG_WAITALL) == 1) {
		switch (command) {
		case PEER_EXPORTER_REVOKE:
			suite->exporter->revoke(started);
			break;
		case PEER_EXPORTER_UNMAP:
			unmap(memory);
			break;
		case PEER_EXPORTER_FETCH:
			send_memory(control, memory->all);
			break;
		case PEER_EXPORTER_EXEC:
			become_another_program(control);
			break;
		default:
			_exit(1);
		}
		if (!send_all(control, &command, 1))
			_exit(1);
	}
}

static void run(const struct peer_suite *suite, uint32_t rights, int control)
{
	struct suite_memory memory = {.range = {.flags = rights | EXPORT_PCI}};
	uint8_t descriptor[EXPORT_MAX_BYTES];
	size_t len_bytes = 0;
	void *started;

	/* Its end is the test's, even should that be killed. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(PROCESS_DEADLINE_S);
	make_memory(&memory, suite->is_in_file);
	started = suite->exporter->start(&memory, descriptor, &len_bytes);
	if (started == NULL || !send_all(control, &len_bytes, sizeof(len_bytes)) ||
	    !send_all(control, descriptor, len_bytes))
		_exit(1);
	obey(suite, &memory, started, control);
	_exit(0);
}

pid_t peer_exporter_start(const struct peer_suite *suite, uint32_t rights, int *control,
			  struct export_descriptor *descriptor)
{
	const struct timeval deadline = {.tv_sec = PROCESS_DEADLINE_S};
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why = NULL;
	size_t len_bytes;
	int sockets[2];
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(sockets[0]);
		run(suite, rights, sockets[1]);
	}
	close(sockets[1]);
	*control = sockets[0];
	(void)setsockopt(*control, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof(deadline));
	peer_exporter_receive(*control, &len_bytes, sizeof(len_bytes));
	assert_in_range(len_bytes, 1, sizeof(bytes));
	peer_exporter_receive(*control, bytes, len_bytes);
	assert_doca(export_decode(bytes, len_bytes, descriptor, &why), DOCA_SUCCESS);
	return pid;
}

void peer_exporter_tell(int control, enum peer_exporter_command command, void *answer,
			size_t len_bytes)
{
	char byte = (char)command;

	assert_true(send_all(control, &byte, 1));
	if (len_bytes > 0)
		peer_exporter_receive(control, answer, len_bytes);
	if (command == PEER_EXPORTER_EXEC)
		assert_true(send_all(control, &byte, 1)); /* for the echo */
	byte = 0;
	peer_exporter_receive(control, &byte, 1);
	assert_int_equal(byte, (char)command);
}
