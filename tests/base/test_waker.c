/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that wakes is held in the middle of it, until the owner waits, or does not. */
#include "support/test.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>

#include "base/waker.h"

static _Atomic bool is_writing; /* it has taken the wake-up, and writes once it may */
static _Atomic bool may_write;

int __wrap_event_fd_signal(int fd);
int __real_event_fd_signal(int fd);
int __wrap_sched_yield(void);
int __real_sched_yield(void);

int __wrap_event_fd_signal(int fd)
{
	atomic_store(&is_writing, true);
	while (!atomic_load(&may_write))
		__real_sched_yield();
	return __real_event_fd_signal(fd);
}

/* The owner waits. */
int __wrap_sched_yield(void)
{
	atomic_store(&may_write, true);
	return __real_sched_yield();
}

static void *wake(void *waker)
{
	(void)waker_wake(waker);
	return NULL;
}

static bool is_readable(const struct waker *waker)
{
	struct pollfd readable = {.fd = waker->fd, .events = POLLIN};

	return poll(&readable, 1, 0) == 1;
}

static struct waker open_waker(void)
{
	struct waker waker = {.fd = event_fd_open()};

	assert_true(waker.fd >= 0);
	atomic_store(&is_writing, false);
	atomic_store(&may_write, true);
	return waker;
}

static void only_an_armed_waker_becomes_readable_and_once(void **state)
{
	struct waker waker = open_waker();

	assert_int_equal(waker_wake(&waker), 0);
	assert_false(is_readable(&waker));
	waker_arm(&waker);
	assert_int_equal(waker_wake(&waker), 0);
	assert_true(is_readable(&waker));
	assert_int_equal(event_fd_drain(waker.fd), 0);
	assert_int_equal(waker_wake(&waker), 0);
	assert_false(is_readable(&waker));
	waker_arm(&waker);
	waker_disarm(&waker);
	assert_int_equal(waker_wake(&waker), 0);
	assert_false(is_readable(&waker));
	assert_false(waker_is_held(&waker));
	event_fd_close(waker.fd);
}

static void a_disarmed_and_drained_waker_does_not_become_readable(void **state)
{
	struct waker waker = open_waker();
	pthread_t waking;

	atomic_store(&may_write, false);
	waker_arm(&waker);
	assert_int_equal(pthread_create(&waking, NULL, wake, &waker), 0);
	while (!atomic_load(&is_writing))
		__real_sched_yield();
	waker_disarm(&waker);
	assert_int_equal(event_fd_drain(waker.fd), 0);
	atomic_store(&may_write, true); /* as it would if nobody had waited for it */
	assert_int_equal(pthread_join(waking, NULL), 0);
	assert_false(is_readable(&waker));
	event_fd_close(waker.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_an_armed_waker_becomes_readable_and_once),
		cmocka_unit_test(a_disarmed_and_drained_waker_does_not_become_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
