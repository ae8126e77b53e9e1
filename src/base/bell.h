/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bell that processes share without trust: a timer, which whoever rings sets to expire at once.
 * Each that waits watches it with EPOLLIN | EPOLLET in an epoll of its own, and nobody reads it.
 * Neither side can be made to wait by what another does with the descriptor: whoever writes to an
 * eventfd can, and whoever reads a socket that another process reads, too.
 */
#ifndef BASE_BELL_H_
#define BASE_BELL_H_

#include <errno.h>
#include <stdbool.h>
#include <sys/timerfd.h>

/* A new one, or negative errno. */
static inline int bell_open(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

static inline void bell_ring(int fd)
{
	static const struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};

	(void)timerfd_settime(fd, 0, &at_once, NULL);
}

/* Whether a descriptor that came from elsewhere is one. */
static inline bool bell_is_one(int fd)
{
	struct itimerspec left;

	return fd >= 0 && timerfd_gettime(fd, &left) == 0;
}

#endif /* BASE_BELL_H_ */
