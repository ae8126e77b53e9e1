/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region reaches its exporter through a connection and a slot of an activity page that are this
 * process's. A forked child, which would share both, finds its copies of the regions orphaned: the
 * price is paid in the fork, and none in submit.
 */
#include "peer/orphan.h"

#include <assert.h>
#include <pthread.h>

#include "base/lock.h"

static struct {
	struct lock lock;
	bool handles_forks GUARDED_BY(lock);
	struct list regions GUARDED_BY(lock);
} watched = {
	.lock = LOCK_INITIALIZER,
	.regions = {.prev = &watched.regions, .next = &watched.regions},
};

static void before_fork(void) ACQUIRE(watched.lock)
{
	lock_take(&watched.lock);
}

static void after_fork(void) RELEASE(watched.lock)
{
	lock_drop(&watched.lock);
}

static void after_fork_in_child(void) RELEASE(watched.lock)
{
	list_for_each (link, &watched.regions) {
		struct peer_region *region = CONTAINER_OF(link, struct peer_region, link);

		region->ops->orphan(region);
	}
	lock_drop(&watched.lock);
}

int orphan_watch(struct peer_region *region)
{
	int error = 0;

	assert(region->ops->orphan != NULL);
	lock_take(&watched.lock);
	if (!watched.handles_forks)
		error = pthread_atfork(before_fork, after_fork, after_fork_in_child);
	if (error == 0) {
		watched.handles_forks = true;
		list_add_tail(&watched.regions, &region->link);
	}
	lock_drop(&watched.lock);
	return -error;
}

void orphan_unwatch(struct peer_region *region)
{
	lock_take(&watched.lock);
	list_remove(&region->link);
	lock_drop(&watched.lock);
}
