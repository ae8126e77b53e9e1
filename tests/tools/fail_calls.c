/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linked into softdoca with --wrap: the call whose number is in FAIL_CALL fails, and stderr says
 * which it was; with a + behind the number, all that follow fail too.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The linker sends the calls to the first of each, and knows the real ones as the second. */
pid_t __wrap_fork(void);
pid_t __real_fork(void);
int __wrap_inotify_add_watch(int fd, const char *path, uint32_t mask);
int __real_inotify_add_watch(int fd, const char *path, uint32_t mask);
int __wrap_inotify_init1(int flags);
int __real_inotify_init1(int flags);
int __wrap_open64(const char *path, int flags);
int __real_open64(const char *path, int flags);
int __wrap_openpty(int *ours, int *theirs, char *name, const struct termios *mode,
		   const struct winsize *size);
int __real_openpty(int *ours, int *theirs, char *name, const struct termios *mode,
		   const struct winsize *size);
int __wrap_pipe2(int ends[2], int flags);
int __real_pipe2(int ends[2], int flags);
int __wrap_prctl(int option, unsigned long value);
int __real_prctl(int option, unsigned long value);
int __wrap_signalfd(int fd, const sigset_t *mask, int flags);
int __real_signalfd(int fd, const sigset_t *mask, int flags);

static bool fails_now(const char *name)
{
	static int num_calls;
	const char *number = getenv("FAIL_CALL");

	if (number == NULL || ++num_calls < atoi(number) ||
	    (num_calls > atoi(number) && strchr(number, '+') == NULL))
		return false;
	dprintf(STDERR_FILENO, "failed: %s\n", name);
	errno = EMFILE;
	return true;
}

pid_t __wrap_fork(void)
{
	return fails_now("fork") ? -1 : __real_fork();
}

int __wrap_inotify_add_watch(int fd, const char *path, uint32_t mask)
{
	return fails_now("inotify_add_watch") ? -1 : __real_inotify_add_watch(fd, path, mask);
}

int __wrap_inotify_init1(int flags)
{
	return fails_now("inotify_init1") ? -1 : __real_inotify_init1(flags);
}

/* The standard streams may do without. */
int __wrap_open64(const char *path, int flags)
{
	bool counts = (flags & O_ACCMODE) == O_RDONLY;

	return counts && fails_now("open") ? -1 : __real_open64(path, flags);
}

int __wrap_openpty(int *ours, int *theirs, char *name, const struct termios *mode,
		   const struct winsize *size)
{
	return fails_now("openpty") ? -1 : __real_openpty(ours, theirs, name, mode, size);
}

int __wrap_pipe2(int ends[2], int flags)
{
	return fails_now("pipe2") ? -1 : __real_pipe2(ends, flags);
}

/* The dying wish of a half is one of two ways to end it. */
int __wrap_prctl(int option, unsigned long value)
{
	bool counts = option == PR_SET_CHILD_SUBREAPER;

	return counts && fails_now("prctl") ? -1 : __real_prctl(option, value);
}

int __wrap_signalfd(int fd, const sigset_t *mask, int flags)
{
	return fails_now("signalfd") ? -1 : __real_signalfd(fd, mask, flags);
}
