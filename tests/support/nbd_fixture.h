/* SPDX-License-Identifier: Apache-2.0 */
/* A region of a small NBD server, and copies from and to it that are waited for. */
#ifndef TESTS_SUPPORT_NBD_FIXTURE_H_
#define TESTS_SUPPORT_NBD_FIXTURE_H_

#include "support/test.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <time.h>

#include "peer/nbd/way.h"
#include "support/let_go.h"
#include "support/nbd_server.h"
#include "support/under_tsan.h"

#define PATIENCE_MS 20000 /* a test that waits longer has failed */
#define PATIENCE_NS (PATIENCE_MS * UINT64_C(1000000))

/* An io with a waker of its own. */
struct copy {
	struct peer_io io;
	struct waker waker;
};

static inline uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline void copy_init(struct copy *copy)
{
	memset(copy, 0, sizeof(*copy));
	copy->waker.fd = event_fd_open();
	assert_true(copy->waker.fd >= 0);
	copy->io.waker = &copy->waker;
}

static inline void copy_fini(struct copy *copy)
{
	wait_until_let_go(&copy->waker);
	event_fd_close(copy->waker.fd);
}

/* One piece on both sides. */
static inline void copy_set(struct copy *copy, bool is_write, void *local, size_t offset,
			    size_t len)
{
	copy->io.is_write = is_write;
	copy->io.num_local = 1;
	copy->io.num_remote = 1;
	copy->io.len_bytes = len;
	copy->io.local[0] = (struct iovec){local, len};
	copy->io.remote[0] = (struct iovec){(void *)(uintptr_t)(NBD_SERVER_ADDR + offset), len};
}

static inline void copy_submit(struct copy *copy, struct peer_region *region)
{
	copy->io.region = region;
	copy->io.status = DOCA_ERROR_UNKNOWN;
	atomic_store(&copy->io.is_done, false);
	region->ops->submit(region, &copy->io);
}

/* Sleeps until it is woken, as a progress engine does. */
static inline doca_error_t copy_wait(struct copy *copy)
{
	struct pollfd polled = {.fd = copy->waker.fd, .events = POLLIN};

	for (;;) {
		waker_arm(&copy->waker);
		if (peer_io_is_done(&copy->io))
			break;
		assert_int_equal(poll(&polled, 1, PATIENCE_MS), 1);
		event_fd_drain(copy->waker.fd);
	}
	waker_disarm(&copy->waker);
	return copy->io.status;
}

static inline doca_error_t copy_run(struct copy *copy, struct peer_region *region)
{
	copy_submit(copy, region);
	return copy_wait(copy);
}

/* The entries of a directory of /proc/self, without the two dots. */
static inline size_t count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	assert_non_null(directory);
	while (readdir(directory) != NULL)
		count++;
	closedir(directory);
	return count - 2;
}

static inline size_t count_fds(void)
{
	return count_entries("/proc/self/fd");
}

static inline void *nothing(void *argument)
{
	return argument;
}

/* The first thread of a process may bring a sanitizer's own. */
static inline size_t count_threads(void)
{
	pthread_t thread;

	if (UNDER_TSAN) {
		assert_int_equal(pthread_create(&thread, NULL, nothing, NULL), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
	return count_entries("/proc/self/task");
}

static inline struct peer_policy policy_of(uint64_t deadline_ns)
{
	return (struct peer_policy){.deadline_ns = deadline_ns};
}

static inline doca_error_t try_open(const struct nbd_server *server, struct peer_region **region,
				    const char **why)
{
	struct peer_policy policy = policy_of(PATIENCE_NS);

	return softdoca_net_way(NET_VERSION)->open(&policy, &server->descriptor, region, why);
}

static inline struct peer_region *open_region_until(const struct nbd_server *server,
						    uint64_t deadline_ns)
{
	struct peer_policy policy = policy_of(deadline_ns);
	struct peer_region *region = NULL;
	const char *why = NULL;

	assert_doca(
		softdoca_net_way(NET_VERSION)->open(&policy, &server->descriptor, &region, &why),
		DOCA_SUCCESS);
	return region;
}

/* With a deadline that a busy machine keeps. */
static inline struct peer_region *open_region(const struct nbd_server *server)
{
	return open_region_until(server, PATIENCE_NS);
}

/* As it was opened: directly, unknown to peer_close. */
static inline void close_region(struct peer_region *region)
{
	region->ops->close(region);
}

#endif /* TESTS_SUPPORT_NBD_FIXTURE_H_ */
