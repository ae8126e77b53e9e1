/* SPDX-License-Identifier: Apache-2.0 */
/* What tests need of the system that a sandbox or qemu-user, which stands in for a kernel, may
 * lack. */
#ifndef TESTS_SUPPORT_NEEDS_H_
#define TESTS_SUPPORT_NEEDS_H_

#include "support/test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/pass_fd.h"
#include "support/under_tsan.h"

/*
 * The test ends here and is named as skipped. What cmocka's own skip() says is a failure to meson;
 * scripts/count-tap reads this line.
 */
#define skip_unless(is_there, what)                                                                \
	do {                                                                                       \
		if (!(is_there)) {                                                                 \
			print_message("# skipped: %s: %s\n", __func__, (what));                    \
			return;                                                                    \
		}                                                                                  \
	} while (0)

#define NO_KERNEL_COPIES "the kernel does not permit process_vm_readv here"
#define NO_ROBUST_LOCKS "no robust locks here: the death of who holds one is not seen"
#define NO_DROPPED_FDS "descriptors without room are not dropped here: recvmsg leaks them"
#define NO_THREADS_AFTER_FORK "the child of a process with threads can start none here"

/* Of another process, as importers do it. */
static inline bool kernel_copies(void)
{
	uint8_t byte;
	struct iovec piece = {&byte, 1};
	ssize_t got;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		pause();
		_exit(0);
	}
	got = process_vm_readv(pid, &piece, 1, &piece, 1, 0);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	return got == 1;
}

static inline bool kernel_marks_dead_owners(void)
{
	void *head;
	size_t len;

	return syscall(SYS_get_robust_list, 0, &head, &len) == 0;
}

/* In a child: it may die of it, or keep a descriptor; its last words are no result of ours. */
static inline bool child_can(bool (*do_it)(void))
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		alarm(20);
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		_exit(do_it() ? 0 : 1);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

static inline bool probe_drops_fds(void)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	const int fds[] = {STDIN_FILENO};
	char byte = 0;
	struct iovec iov = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = CMSG_LEN(0),
	};
	int pair[2];

	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0 &&
	       send_with_fds(pair[0], &byte, 1, fds, 1) &&
	       recvmsg(pair[1], &message, MSG_CMSG_CLOEXEC) == 1 &&
	       (message.msg_flags & MSG_CTRUNC) != 0;
}

static inline bool kernel_drops_fds(void)
{
	return child_can(probe_drops_fds);
}

static inline void *probe_waits(void *argument)
{
	pause();
	return argument;
}

static inline void *probe_ends(void *argument)
{
	return argument;
}

static inline bool probe_starts_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, probe_ends, NULL) == 0 &&
	       pthread_join(thread, NULL) == 0;
}

static inline bool probe_forks_beside_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, probe_waits, NULL) == 0 &&
	       child_can(probe_starts_thread);
}

static inline bool child_can_start_threads(void)
{
	return !UNDER_TSAN && child_can(probe_forks_beside_thread);
}

#endif /* TESTS_SUPPORT_NEEDS_H_ */
