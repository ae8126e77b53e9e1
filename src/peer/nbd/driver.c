/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that drives all regions of the process: it starts with the first and ends with the
 * last. It holds the net lock while it works, not while it waits. It is left running at exit, since
 * handlers of exit() may still wait for copies; the library is never unloaded.
 */
#include "peer/nbd/region.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/fd.h"
#include "base/lock.h"

#define DRIVER_MAX_REGIONS 1024
#define DRIVER_RETRY_NS UINT64_C(5000000) /* between attempts to connect to a full backlog */
#define DRIVER_STACK_BYTES ((size_t)256 << 10)

struct net_driver {
	struct waker waker;		     /* of the thread, which alone arms it */
	_Atomic(struct peer_io *) submitted; /* the last first */
	pthread_t thread;
	bool is_orphan; /* of a forked child: there is no thread */
	bool is_stopping GUARDED_BY(the_net.lock);
	uint32_t num_removed GUARDED_BY(the_net.lock);
	uint32_t num_regions GUARDED_BY(the_net.lock);
	struct net_region *regions[DRIVER_MAX_REGIONS] GUARDED_BY(the_net.lock);
	struct pollfd polled[1 + DRIVER_MAX_REGIONS]; /* the thread's: the waker, the regions */
};

/*
 * Whoever wants the lock waits in the gate, and the thread queues there too: else it would take the
 * lock again before anybody who waits for it woke.
 */
static struct {
	struct lock gate;
	struct lock lock;
	bool handles_fork GUARDED_BY(lock);
	struct net_driver *driver GUARDED_BY(lock);
	sigset_t signals GUARDED_BY(lock); /* of the thread that is inside, as they were */
	int cancel_state GUARDED_BY(lock);
} the_net = {.gate = LOCK_INITIALIZER, .lock = LOCK_INITIALIZER};

static void take_turn(void) ACQUIRE(the_net.lock)
{
	lock_take(&the_net.gate);
	lock_take(&the_net.lock);
	lock_drop(&the_net.gate);
}

/* A signal handler that forks, or a cancellation, must not find its own thread with the lock. */
static void enter(void) ACQUIRE(the_net.lock)
{
	sigset_t all, signals;
	int cancel_state;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	take_turn();
	the_net.signals = signals;
	the_net.cancel_state = cancel_state;
}

static void leave(void) RELEASE(the_net.lock)
{
	sigset_t signals = the_net.signals;
	int cancel_state = the_net.cancel_state;

	lock_drop(&the_net.lock);
	pthread_setcancelstate(cancel_state, NULL);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
}

static void lose(struct net_region *region, doca_error_t status)
{
	/* First: libnbd must not touch the memory of what is finished. */
	session_end(region);
	transfer_fail_all(region, status);
}

/* What an io hears when a new connection cannot be made. */
static doca_error_t status_of_refusal(doca_error_t result)
{
	switch (result) {
	case DOCA_ERROR_NOT_FOUND:
		return DOCA_ERROR_SHUTDOWN;
	case DOCA_ERROR_NOT_PERMITTED:
	case DOCA_ERROR_TIME_OUT:
	case DOCA_ERROR_NO_MEMORY:
	case DOCA_ERROR_OPERATING_SYSTEM:
		return result;
	default:
		return DOCA_ERROR_CONNECTION_RESET;
	}
}

/* One attempt, for the ios that wait; the next comes soon when the peer's backlog is full. */
static void connect_again(struct net_region *region)
{
	const char *why;
	int fd;
	doca_error_t result = net_dial(region, 0, &fd, &why);

	if (result == DOCA_ERROR_AGAIN)
		return;
	/* An agent whose last region was revoked has ended, and nobody listens. */
	if (result == DOCA_ERROR_NOT_CONNECTED && net_exporter_lives(region))
		result = DOCA_ERROR_NOT_FOUND;
	if (result == DOCA_SUCCESS)
		result = session_begin(region, fd, &why);
	if (result != DOCA_SUCCESS)
		transfer_fail_all(region, status_of_refusal(result));
}

static void greet(struct net_region *region)
{
	const char *why;
	doca_error_t result = session_verdict(region, &why);

	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		lose(region, status_of_refusal(result));
}

static void step(struct net_region *region)
{
	doca_error_t result;

	/* Who left while nothing was asked of it has failed no copy: a new connection tells why. */
	if (region->state == NET_UP && region->first_io != NULL && region->flying == 0 &&
	    session_has_news(region))
		session_end(region);
	if (region->state == NET_DOWN && region->first_io != NULL)
		connect_again(region);
	if (region->state == NET_GREETING)
		greet(region);
	if (region->state != NET_UP)
		return;
	result = transfer_step(region);
	if (result != DOCA_SUCCESS)
		lose(region, result);
}

static void notify(struct net_region *region, short revents)
{
	doca_error_t result;

	if (revents == 0 || region->state == NET_DOWN)
		return;
	region->progress_ns = net_now_ns();
	result = session_notify(region, revents);
	if (result == DOCA_SUCCESS)
		return;
	/* What the peer answered before it left is answered. */
	if (region->state == NET_UP)
		transfer_settle(region);
	else
		greet(region);
	if (region->state != NET_DOWN)
		lose(region, result);
}

static uint64_t limit_ns(const struct net_region *region)
{
	uint64_t limit = region->policy.deadline_ns;

	return region->state != NET_UP && limit > REGION_CONNECT_NS ? REGION_CONNECT_NS : limit;
}

/* The time left until the region's peer must have done something, or is to be connected to again;
 * ends what is over. */
static uint64_t watch(struct net_region *region, uint64_t now_ns)
{
	uint64_t limit = limit_ns(region);
	uint64_t passed = now_ns > region->progress_ns ? now_ns - region->progress_ns : 0;

	if (region->first_io == NULL)
		return UINT64_MAX;
	if (passed < limit)
		return region->state == NET_DOWN ? DRIVER_RETRY_NS : limit - passed;
	lose(region, DOCA_ERROR_TIME_OUT);
	return UINT64_MAX;
}

static void accept_submitted(struct net_driver *driver)
{
	/* Pairs with the release in driver_submit. */
	struct peer_io *io =
		atomic_exchange_explicit(&driver->submitted, NULL, memory_order_acquire);
	struct peer_io *first = NULL;

	while (io != NULL) {
		struct peer_io *next = io->next;

		io->next = first;
		first = io;
		io = next;
	}
	while (first != NULL) {
		struct peer_io *next = first->next;

		transfer_add((struct net_region *)first->region, first);
		first = next;
	}
}

/* Do what can be done without waiting; the milliseconds to wait then, -1 for ever. */
static int work(struct net_driver *driver) REQUIRES(the_net.lock)
{
	uint64_t left_ns = UINT64_MAX;

	accept_submitted(driver);
	for (uint32_t i = 0; i < driver->num_regions; i++) {
		struct net_region *region = driver->regions[i];
		uint64_t its_ns;

		step(region);
		its_ns = watch(region, net_now_ns());
		if (its_ns < left_ns)
			left_ns = its_ns;
	}
	if (left_ns == UINT64_MAX)
		return -1;
	/* Rounded up, so that it is over when we come back. */
	return left_ns / 1000000 < INT_MAX - 1 ? (int)(left_ns / 1000000) + 1 : INT_MAX;
}

static nfds_t poll_for(struct net_driver *driver) REQUIRES(the_net.lock)
{
	driver->polled[0] = (struct pollfd){.fd = driver->waker.fd, .events = POLLIN};
	for (uint32_t i = 0; i < driver->num_regions; i++) {
		struct pollfd *polled = &driver->polled[1 + i];

		polled->fd = -1;
		polled->revents = 0;
		if (driver->regions[i]->state != NET_DOWN)
			session_poll_for(driver->regions[i], polled);
	}
	return 1 + driver->num_regions;
}

/* Wait outside of the lock. Regions that were removed meanwhile make what poll() said worthless; it
 * says it again. */
static void wait_for_events(struct net_driver *driver, int timeout_ms) REQUIRES(the_net.lock)
{
	nfds_t num_polled = poll_for(driver);
	uint32_t num_removed = driver->num_removed;

	waker_arm(&driver->waker);
	if (atomic_load_explicit(&driver->submitted, memory_order_relaxed) != NULL)
		timeout_ms = 0;
	lock_drop(&the_net.lock);
	poll(driver->polled, num_polled, timeout_ms);
	take_turn();
	waker_disarm(&driver->waker);
	if (driver->polled[0].revents != 0)
		event_fd_drain(driver->waker.fd);
	if (num_removed != driver->num_removed)
		return;
	for (nfds_t i = 1; i < num_polled; i++)
		notify(driver->regions[i - 1], driver->polled[i].revents);
}

static void *drive(void *argument)
{
	struct net_driver *driver = argument;

	take_turn();
	while (!driver->is_stopping)
		wait_for_events(driver, work(driver));
	lock_drop(&the_net.lock);
	return NULL;
}

static void before_fork(void) ACQUIRE(the_net.lock)
{
	enter();
}

static void after_fork_in_parent(void) RELEASE(the_net.lock)
{
	leave();
}

static void abandon(struct net_region *region, int unused_fd)
{
	session_abandon(region, unused_fd);
	transfer_abandon_all(region);
	region->base.ops->orphan(&region->base);
}

/* The child has neither the thread nor, from now on, a connection: they are its parent's. */
static void after_fork_in_child(void) RELEASE(the_net.lock)
{
	struct net_driver *driver = the_net.driver;

	lock_init(&the_net.gate);
	if (driver != NULL) {
		accept_submitted(driver);
		for (uint32_t i = 0; i < driver->num_regions; i++)
			abandon(driver->regions[i], driver->waker.fd);
		event_fd_close(driver->waker.fd);
		driver->is_orphan = true;
		the_net.driver = NULL;
	}
	leave();
}

/* With every signal blocked, which the thread inherits. */
static int start_thread(struct net_driver *driver)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);

	if (error != 0)
		return error;
	pthread_attr_setstacksize(&attributes, DRIVER_STACK_BYTES);
	error = pthread_create(&driver->thread, &attributes, drive, driver);
	pthread_attr_destroy(&attributes);
	return error;
}

static doca_error_t start(const char **why) REQUIRES(the_net.lock)
{
	struct net_driver *driver;

	*why = "no memory for the network thread";
	if (!the_net.handles_fork &&
	    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0)
		return DOCA_ERROR_NO_MEMORY;
	the_net.handles_fork = true;
	driver = calloc(1, sizeof(*driver));
	if (driver == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*why = "no descriptor or thread for the network";
	driver->waker.fd = event_fd_open();
	if (driver->waker.fd < 0)
		goto free_driver;
	if (start_thread(driver) != 0)
		goto close_fd;
	the_net.driver = driver;
	return DOCA_SUCCESS;

close_fd:
	event_fd_close(driver->waker.fd);
free_driver:
	free(driver);
	return DOCA_ERROR_OPERATING_SYSTEM;
}

doca_error_t driver_add(struct net_region *region, const char **why)
{
	doca_error_t result = DOCA_SUCCESS;
	struct net_driver *driver;

	enter();
	if (the_net.driver == NULL)
		result = start(why);
	driver = the_net.driver;
	if (result == DOCA_SUCCESS && driver->num_regions == DRIVER_MAX_REGIONS) {
		*why = "this process has as many regions as there may be";
		result = DOCA_ERROR_NO_MEMORY;
	}
	if (result == DOCA_SUCCESS) {
		region->driver = driver;
		driver->regions[driver->num_regions++] = region;
		/* So that it watches the connection while nothing is submitted, too. */
		waker_wake(&driver->waker);
	}
	leave();
	return result;
}

/* The last region of a driver; the thread ends, and with it the driver. */
static void end(struct net_driver *driver)
{
	if (!driver->is_orphan) {
		event_fd_signal(driver->waker.fd);
		pthread_join(driver->thread, NULL);
		event_fd_close(driver->waker.fd);
	}
	free(driver);
}

void driver_remove(struct net_region *region)
{
	struct net_driver *driver = region->driver;
	uint32_t at = 0;
	bool is_last;

	enter();
	while (driver->regions[at] != region)
		at++;
	driver->regions[at] = driver->regions[--driver->num_regions];
	driver->num_removed++;
	session_end(region);
	is_last = driver->num_regions == 0;
	driver->is_stopping = is_last;
	if (is_last && the_net.driver == driver)
		the_net.driver = NULL;
	else if (!driver->is_orphan)
		waker_wake(&driver->waker); /* its poll() holds the socket */
	leave();
	if (is_last)
		end(driver);
}

void driver_submit(struct net_driver *driver, struct peer_io *io)
{
	struct peer_io *first;

	first = atomic_load_explicit(&driver->submitted, memory_order_relaxed);
	do {
		io->next = first;
	} while (!atomic_compare_exchange_weak_explicit(
		&driver->submitted, &first, io, memory_order_release, memory_order_relaxed));
	waker_wake(&driver->waker);
}
