/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls on memory files that fail once, with names as they are linked where offsets have 64 bits.
 * The test program is linked with --wrap=memfd_create --wrap=ftruncate64 --wrap=mmap64
 * --wrap=fcntl64.
 */
#ifndef TESTS_SUPPORT_FAIL_MEMORY_FILE_H_
#define TESTS_SUPPORT_FAIL_MEMORY_FILE_H_

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/types.h>

/* The linker sends the calls to the first, and knows the real ones as the second. */
int __wrap_memfd_create(const char *name, unsigned int flags);
int __real_memfd_create(const char *name, unsigned int flags);
int __wrap_ftruncate64(int fd, off_t len);
int __real_ftruncate64(int fd, off_t len);
void *__wrap_mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__real_mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
int __wrap_fcntl64(int fd, int command, ...);
int __real_fcntl64(int fd, int command, ...);

/* The errno of the next call, 0 for none; the linker's wrappers have no other way to learn it. */
static int next_memfd_create_error;
static int next_ftruncate_error;
static int next_mmap_error;
static int next_fcntl_error;

static inline int take_call_error(int *error)
{
	int taken = *error;

	*error = 0;
	if (taken != 0)
		errno = taken;
	return taken;
}

int __wrap_memfd_create(const char *name, unsigned int flags)
{
	if (take_call_error(&next_memfd_create_error) != 0)
		return -1;
	return __real_memfd_create(name, flags);
}

int __wrap_ftruncate64(int fd, off_t len)
{
	if (take_call_error(&next_ftruncate_error) != 0)
		return -1;
	return __real_ftruncate64(fd, len);
}

void *__wrap_mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (take_call_error(&next_mmap_error) != 0)
		return MAP_FAILED;
	return __real_mmap64(addr, len, prot, flags, fd, offset);
}

int __wrap_fcntl64(int fd, int command, ...)
{
	va_list args;
	long argument;

	va_start(args, command);
	argument = va_arg(args, long);
	va_end(args);
	if (take_call_error(&next_fcntl_error) != 0)
		return -1;
	return __real_fcntl64(fd, command, argument);
}

#endif /* TESTS_SUPPORT_FAIL_MEMORY_FILE_H_ */
