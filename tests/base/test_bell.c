/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bell.h"

#include <fcntl.h>
#include <sys/epoll.h>

#include "base/fd.h"
#include "support/process.h"

static bool has_news(int epoll_fd, int timeout_ms)
{
	struct epoll_event event;

	return epoll_wait(epoll_fd, &event, 1, timeout_ms) == 1;
}

static int watch(int bell_fd)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	assert_true(epoll_fd >= 0);
	assert_int_equal(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, bell_fd, &event), 0);
	return epoll_fd;
}

static void each_ring_is_news_once_to_each_that_watches(void **state)
{
	int bell = bell_open();
	int watches[2] = {watch(bell), watch(bell)};

	assert_true(fcntl(bell, F_GETFD) & FD_CLOEXEC);
	for (int i = 0; i < 100; i++) {
		bell_ring(bell);
		for (int j = 0; j < 2; j++) {
			assert_true(has_news(watches[j], PROCESS_DEADLINE_MS));
			assert_false(has_news(watches[j], 0));
		}
	}
	close(watches[0]);
	close(watches[1]);
	close(bell);
}

static void a_descriptor_of_another_kind_is_none(void **state)
{
	int bell = bell_open();
	int event_fd = event_fd_open();

	assert_true(bell_is_one(bell));
	assert_false(bell_is_one(event_fd));
	assert_false(bell_is_one(-1));
	close(event_fd);
	close(bell);
	assert_false(bell_is_one(bell));
}

int __wrap_timerfd_create(int clock, int flags);
int __real_timerfd_create(int clock, int flags);

static bool has_no_timers;

int __wrap_timerfd_create(int clock, int flags)
{
	if (!has_no_timers)
		return __real_timerfd_create(clock, flags);
	errno = EMFILE;
	return -1;
}

static void open_without_a_descriptor_left_is_a_negative_errno(void **state)
{
	has_no_timers = true;
	assert_int_equal(bell_open(), -EMFILE);
	has_no_timers = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_ring_is_news_once_to_each_that_watches),
		cmocka_unit_test(a_descriptor_of_another_kind_is_none),
		cmocka_unit_test(open_without_a_descriptor_left_is_a_negative_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
