/* SPDX-License-Identifier: Apache-2.0 */
/* An eventfd as a level, for waking whoever waits in poll() or epoll_wait(). */
#include "base/fd.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int event_fd_open(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

int event_fd_signal(int fd)
{
	uint64_t one = 1;
	ssize_t written;

	do {
		written = write(fd, &one, sizeof(one));
	} while (written < 0 && errno == EINTR);
	/* EAGAIN: the counter is full, so the descriptor is readable, which is all that is asked.
	 */
	return written < 0 && errno != EAGAIN ? -errno : 0;
}

int event_fd_drain(int fd)
{
	uint64_t count;
	ssize_t got;

	do {
		got = read(fd, &count, sizeof(count));
	} while (got < 0 && errno == EINTR);
	return got < 0 && errno != EAGAIN ? -errno : 0;
}

void event_fd_close(int fd)
{
	close(fd);
}
