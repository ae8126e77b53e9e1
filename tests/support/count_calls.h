/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers that count what the data path must not do: allocations, locks, system calls. The program
 * is linked with --wrap of each of them and the libraries' private objects.
 */
#ifndef TESTS_SUPPORT_COUNT_CALLS_H_
#define TESTS_SUPPORT_COUNT_CALLS_H_

#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <sys/types.h>

/* The linker's wrappers have no other way to tell. Threads of the libraries have numbers of their
 * own. */
static _Thread_local size_t num_wrapped_calls;

#define COUNTED(type, name, parameters, ...)                                                       \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters                                                              \
	{                                                                                          \
		num_wrapped_calls++;                                                               \
		return __real_##name(__VA_ARGS__);                                                 \
	}

COUNTED(void *, malloc, (size_t size), size)
COUNTED(void *, calloc, (size_t num, size_t size), num, size)
COUNTED(void *, realloc, (void *ptr, size_t size), ptr, size)
COUNTED(void *, aligned_alloc, (size_t alignment, size_t size), alignment, size)
COUNTED(void, free, (void *ptr), ptr)
COUNTED(int, pthread_mutex_lock, (pthread_mutex_t * mutex), mutex)
COUNTED(int, pthread_mutex_unlock, (pthread_mutex_t * mutex), mutex)
COUNTED(ssize_t, read, (int fd, void *buf, size_t size), fd, buf, size)
COUNTED(ssize_t, write, (int fd, const void *buf, size_t size), fd, buf, size)
COUNTED(int, clock_gettime, (clockid_t clock, struct timespec *now), clock, now)

#endif /* TESTS_SUPPORT_COUNT_CALLS_H_ */
