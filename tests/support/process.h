/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of several processes share: open descriptors, and a child that says how it went. */
#ifndef TESTS_SUPPORT_PROCESS_H_
#define TESTS_SUPPORT_PROCESS_H_

#include "support/test.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESS_DEADLINE_S 30
#define PROCESS_DEADLINE_MS (PROCESS_DEADLINE_S * 1000)

static inline size_t open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t num_fds = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		num_fds++;
	closedir(dir);
	return num_fds;
}

/* The function gives true in a forked child, before the deadline. */
static inline void assert_in_fork(bool (*is_right)(void *), void *argument)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(PROCESS_DEADLINE_S);
		_exit(is_right(argument) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#endif /* TESTS_SUPPORT_PROCESS_H_ */
