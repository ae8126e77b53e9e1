/* SPDX-License-Identifier: Apache-2.0 */
/* The eventfd that is a level: readable from the first signal to the drain. */
#include "support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/fd.h"
#include "support/fail_fd.h"

static bool is_readable(int fd)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};

	return poll(&entry, 1, 0) == 1 && (entry.revents & POLLIN) != 0;
}

static int open_event(void **state)
{
	int fd = event_fd_open();

	*state = (void *)(intptr_t)fd;
	return fd < 0 ? -1 : 0;
}

static int close_event(void **state)
{
	event_fd_close((int)(intptr_t)*state);
	return 0;
}

static int fd_of(void **state)
{
	return (int)(intptr_t)*state;
}

static void a_new_event_is_not_readable(void **state)
{
	assert_false(is_readable(fd_of(state)));
}

static void signal_makes_it_readable_until_one_drain(void **state)
{
	assert_int_equal(event_fd_signal(fd_of(state)), 0);
	assert_int_equal(event_fd_signal(fd_of(state)), 0);
	assert_true(is_readable(fd_of(state)));
	assert_true(is_readable(fd_of(state)));

	assert_int_equal(event_fd_drain(fd_of(state)), 0);
	assert_false(is_readable(fd_of(state)));
}

static void it_is_readable_again_after_a_drain_and_a_signal(void **state)
{
	assert_int_equal(event_fd_signal(fd_of(state)), 0);
	assert_int_equal(event_fd_drain(fd_of(state)), 0);

	assert_int_equal(event_fd_signal(fd_of(state)), 0);
	assert_true(is_readable(fd_of(state)));
}

static void drain_of_an_unreadable_event_neither_blocks_nor_fails(void **state)
{
	assert_int_equal(event_fd_drain(fd_of(state)), 0);
	assert_false(is_readable(fd_of(state)));
}

static void signal_of_a_full_counter_neither_blocks_nor_fails(void **state)
{
	uint64_t full = UINT64_MAX - 1;

	assert_int_equal(write(fd_of(state), &full, sizeof(full)), sizeof(full));

	assert_int_equal(event_fd_signal(fd_of(state)), 0);
	assert_true(is_readable(fd_of(state)));
}

static void an_interrupted_signal_is_tried_again(void **state)
{
	next_write_error = EINTR;
	assert_int_equal(event_fd_signal(fd_of(state)), 0);
	assert_true(is_readable(fd_of(state)));
}

static void an_interrupted_drain_is_tried_again(void **state)
{
	assert_int_equal(event_fd_signal(fd_of(state)), 0);

	next_read_error = EINTR;
	assert_int_equal(event_fd_drain(fd_of(state)), 0);
	assert_false(is_readable(fd_of(state)));
}

static void what_is_no_descriptor_is_a_negative_errno(void **state)
{
	assert_int_equal(event_fd_signal(-1), -EBADF);
	assert_int_equal(event_fd_drain(-1), -EBADF);
}

static void open_without_a_descriptor_left_is_a_negative_errno(void **state)
{
	next_eventfd_error = EMFILE;
	assert_int_equal(event_fd_open(), -EMFILE);
}

static void a_child_program_does_not_inherit_it(void **state)
{
	assert_true((fcntl(fd_of(state), F_GETFD) & FD_CLOEXEC) != 0);
}

static void close_gives_the_descriptor_back(void **state)
{
	int fd = event_fd_open();

	assert_true(fd >= 0);
	event_fd_close(fd);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

#define EVENT_TEST(test) cmocka_unit_test_setup_teardown(test, open_event, close_event)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EVENT_TEST(a_new_event_is_not_readable),
		EVENT_TEST(signal_makes_it_readable_until_one_drain),
		EVENT_TEST(it_is_readable_again_after_a_drain_and_a_signal),
		EVENT_TEST(drain_of_an_unreadable_event_neither_blocks_nor_fails),
		EVENT_TEST(signal_of_a_full_counter_neither_blocks_nor_fails),
		EVENT_TEST(an_interrupted_signal_is_tried_again),
		EVENT_TEST(an_interrupted_drain_is_tried_again),
		cmocka_unit_test(what_is_no_descriptor_is_a_negative_errno),
		cmocka_unit_test(open_without_a_descriptor_left_is_a_negative_errno),
		EVENT_TEST(a_child_program_does_not_inherit_it),
		cmocka_unit_test(close_gives_the_descriptor_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
