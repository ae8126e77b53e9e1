/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls on an eventfd that fail or are interrupted once. The test program is linked with
 * --wrap=eventfd --wrap=read --wrap=write.
 */
#ifndef TESTS_SUPPORT_FAIL_FD_H_
#define TESTS_SUPPORT_FAIL_FD_H_

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

/* The linker sends the calls to the first, and knows the real ones as the second. */
int __wrap_eventfd(unsigned int count, int flags);
int __real_eventfd(unsigned int count, int flags);
ssize_t __wrap_read(int fd, void *bytes, size_t len);
ssize_t __real_read(int fd, void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __real_write(int fd, const void *bytes, size_t len);

/* The errno of the next call, 0 for none; the linker's wrappers have no other way to learn it. */
static int next_eventfd_error;
static int next_read_error;
static int next_write_error;

static inline int take_error(int *error)
{
	int taken = *error;

	*error = 0;
	return taken;
}

int __wrap_eventfd(unsigned int count, int flags)
{
	int error = take_error(&next_eventfd_error);

	if (error == 0)
		return __real_eventfd(count, flags);
	errno = error;
	return -1;
}

ssize_t __wrap_read(int fd, void *bytes, size_t len)
{
	int error = take_error(&next_read_error);

	if (error == 0)
		return __real_read(fd, bytes, len);
	errno = error;
	return -1;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	int error = take_error(&next_write_error);

	if (error == 0)
		return __real_write(fd, bytes, len);
	errno = error;
	return -1;
}

#endif /* TESTS_SUPPORT_FAIL_FD_H_ */
