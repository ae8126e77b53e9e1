/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event's exporter or importer in a process of its own: the test program starts itself again
 * with the role in its arguments, and tells it what to do by one byte each. After event_fixture.h.
 */
#ifndef TESTS_SUPPORT_EVENT_CHILD_H_
#define TESTS_SUPPORT_EVENT_CHILD_H_

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "support/run_again.h"

struct event_child {
	pid_t pid;
	int commands;
	int answers;
	uint8_t descriptor[1024]; /* of an exporter */
	size_t len;
};

static inline void event_read(int fd, void *bytes, size_t len)
{
	uint8_t *at = bytes;

	while (len > 0) {
		struct pollfd news = {.fd = fd, .events = POLLIN};
		ssize_t got;

		assert_int_equal(poll(&news, 1, PROCESS_DEADLINE_MS), 1);
		got = read(fd, at, len);
		if (got <= 0)
			fail_msg("the child has ended");
		at += got;
		len -= (size_t)got;
	}
}

/* The program anew: ROLE, then what the parent writes to its input comes to its run. */
static inline void event_child_start(struct event_child *child, const char *role)
{
	int commands[2];
	int answers[2];

	assert_int_equal(pipe2(commands, O_CLOEXEC), 0);
	assert_int_equal(pipe2(answers, O_CLOEXEC), 0);
	fflush(NULL);
	child->pid = fork();
	assert_true(child->pid >= 0);
	if (child->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (dup2(commands[0], STDIN_FILENO) < 0 || dup2(answers[1], STDOUT_FILENO) < 0)
			_exit(126);
		run_again((const char *const[]){role, NULL});
		_exit(127);
	}
	close(commands[0]);
	close(answers[1]);
	child->commands = commands[1];
	child->answers = answers[0];
}

static inline void event_child_start_exporter(struct event_child *child, const char *role)
{
	event_child_start(child, role);
	event_read(child->answers, &child->len, sizeof(child->len));
	assert_in_range(child->len, 1, sizeof(child->descriptor));
	event_read(child->answers, child->descriptor, child->len);
}

/* Do it; the child answers when it is done. */
static inline void event_child_tell(struct event_child *child, char command)
{
	assert_int_equal(write(child->commands, &command, 1), 1);
}

static inline void event_child_answers(struct event_child *child, char wanted)
{
	char answer = 0;

	event_read(child->answers, &answer, 1);
	assert_int_equal(answer, wanted);
}

static inline void event_child_do(struct event_child *child, char command)
{
	event_child_tell(child, command);
	event_child_answers(child, command);
}

static inline void event_child_reap(struct event_child *child)
{
	assert_int_equal(waitpid(child->pid, NULL, 0), child->pid);
	close(child->commands);
	close(child->answers);
}

static inline void event_child_kill(struct event_child *child)
{
	/* It may have ended by itself. */
	(void)kill(child->pid, SIGKILL);
	event_child_reap(child);
}

/* In the child. */

static inline void child_write(const void *bytes, size_t len)
{
	if (write(STDOUT_FILENO, bytes, len) != (ssize_t)len)
		_exit(125);
}

/* The next command; 0 once the parent is silent for good. */
static inline char child_command(void)
{
	char command = 0;

	return read(STDIN_FILENO, &command, 1) == 1 ? command : 0;
}

static inline void child_announce(struct event_fixture *fixture)
{
	size_t len = 0;
	const uint8_t *data = event_export(fixture, &len);

	child_write(&len, sizeof(len));
	child_write(data, len);
}

#endif /* TESTS_SUPPORT_EVENT_CHILD_H_ */
