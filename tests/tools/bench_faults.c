/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into doca_bench: what FAULT names goes wrong; "polls": it says how often it slept.
 * "target": the first byte that is copied is never right; "source": the first byte to copy is not
 * what it should be; "submit": the fourth task is not taken; "skip": of 97 calls of memcpy for
 * a page only one copies; else the system call of that name fails.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_pe.h>

static uint8_t *target;
static uint8_t right;
static bool is_known;
static bool is_spoilt;
static unsigned long num_polls;
static unsigned long num_submits;
static unsigned long num_copies;

static bool is_fault(const char *name)
{
	const char *fault = getenv("FAULT");

	return fault != NULL && strcmp(fault, name) == 0;
}

/* POSIX wants it so: a pointer to a function out of one to an object. */
#define REAL(type, name)                                                                           \
	type real;                                                                                 \
	*(void **)&real = dlsym(RTLD_NEXT, name)

typedef doca_error_t reuse_t(struct doca_buf *, void *, size_t, void *, size_t);
typedef doca_error_t set_data_t(struct doca_buf *, void *, size_t);
typedef uint8_t progress_t(struct doca_pe *);
typedef doca_error_t submit_t(struct doca_task *, uint32_t);
typedef pid_t fork_t(void);
typedef int socketpair_t(int, int, int, int *);
typedef int poll_t(struct pollfd *, nfds_t, int);
typedef int memfd_create_t(const char *, unsigned int);
typedef int pthread_create_t(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len,
						  void *data, size_t data_len)
{
	REAL(reuse_t *, "doca_buf_inventory_buf_reuse_by_args");
	if (target == NULL)
		target = addr;
	return real(buf, addr, len, data, data_len);
}

doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
	REAL(set_data_t *, "doca_buf_set_data");
	if (is_fault("source") && !is_spoilt)
		*(uint8_t *)data ^= 1;
	is_spoilt = true;
	return real(buf, data, data_len);
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	uint8_t result;

	REAL(progress_t *, "doca_pe_progress");
	result = real(pe);
	if (!is_fault("target") || result == 0)
		return result;
	if (!is_known)
		right = *target;
	is_known = true;
	if (*target == right)
		*target = (uint8_t)~right;
	return result;
}

/* Of all threads; one that copies does the same after each 97th. */
void *memcpy(void *to, const void *from, size_t len)
{
	uint8_t *target_byte = to;
	const uint8_t *source_byte = from;

	if (len == 4096 && num_copies++ % 97 != 0 && is_fault("skip"))
		return to;
	for (; len > 0; len--)
		__asm__ volatile("" : : "r"(*target_byte++ = *source_byte++) : "memory");
	return to;
}

doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
	REAL(submit_t *, "doca_task_submit_ex");
	return is_fault("submit") && ++num_submits == 4 ? DOCA_ERROR_AGAIN : real(task, flags);
}

pid_t fork(void)
{
	REAL(fork_t *, "fork");
	if (!is_fault("fork"))
		return real();
	errno = EAGAIN;
	return -1;
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
	REAL(socketpair_t *, "socketpair");
	if (!is_fault("socketpair"))
		return real(domain, type, protocol, ends);
	errno = EMFILE;
	return -1;
}

int poll(struct pollfd *fds, nfds_t num, int timeout_ms)
{
	REAL(poll_t *, "poll");
	num_polls++;
	return real(fds, num, timeout_ms);
}

__attribute__((destructor)) static void say_polls(void)
{
	if (is_fault("polls"))
		fprintf(stderr, "%lu polls\n", num_polls);
}

int memfd_create(const char *name, unsigned int flags)
{
	REAL(memfd_create_t *, "memfd_create");
	if (!is_fault("memfd_create") || strcmp(name, "doca_bench") != 0)
		return real(name, flags);
	errno = EMFILE;
	return -1;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
		   void *argument)
{
	REAL(pthread_create_t *, "pthread_create");
	return is_fault("pthread_create") ? EAGAIN : real(thread, attributes, start, argument);
}
