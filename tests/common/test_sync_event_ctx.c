/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event as a context: the order of its tasks, its end, and how it wakes who waits. */
#include "support/event_fixture.h"
#include "support/fail_nth.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>

#include "common/sync_event.h"

/* Calls of the libraries that fail: the how-manieth from now, 0: none. */
static int calloc_fails_in;
static int epoll_create_fails_in;
static int epoll_ctl_fails_in;
static int timer_fails_in;

WRAPPED(void *, calloc, (size_t num, size_t size), (num, size), calloc_fails_in, NULL)
WRAPPED(int, epoll_create1, (int flags), (flags), epoll_create_fails_in, -1)
WRAPPED(int, epoll_ctl, (int poll_fd, int op, int fd, struct epoll_event *event),
	(poll_fd, op, fd, event), epoll_ctl_fails_in, -1)
WRAPPED(int, timerfd_create, (int clock, int flags), (clock, flags), timer_fails_in, -1)

static struct event_fixture *open_ctx(void)
{
	struct event_fixture *fixture = event_open();

	event_start_ctx(fixture);
	return fixture;
}

static unsigned progress_all(struct event_fixture *fixture)
{
	unsigned num = 0;

	while (doca_pe_progress(fixture->pe) != 0)
		num++;
	return num;
}

static void tasks_are_done_in_progress_and_not_before(void **state)
{
	struct event_fixture *fixture = open_ctx();
	uint64_t before = 77;
	uint64_t value = 77;

	EVENT_SUBMIT(fixture, notify_set, 1, UINT64_MAX);
	EVENT_SUBMIT(fixture, notify_add, 2, 3, &before);
	EVENT_SUBMIT(fixture, get, 3, &value);
	assert_true(atomic_load(fixture->event->value) == 0);
	assert_int_equal(fixture->num_done, 0);
	/* Each progress is one completion. */
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_done, 1);
	assert_true(atomic_load(fixture->event->value) == UINT64_MAX);
	assert_int_equal(before, 77);
	assert_int_equal(progress_all(fixture), 2);
	assert_true(before == UINT64_MAX);
	assert_int_equal(value, 2);
	assert_int_equal(fixture->num_failed, 0);
	event_close(fixture);
}

static void waits_hold_up_no_other_and_are_done_oldest_first(void **state)
{
	static const uint64_t wanted[] = {3, 1, 4, 5};
	struct event_fixture *fixture = open_ctx();
	uint64_t value = 0;
	size_t num = 0;

	EVENT_SUBMIT(fixture, wait_eq, 1, 7, ALL_BITS);
	EVENT_SUBMIT(fixture, wait_eq, 2, 8, ALL_BITS);
	EVENT_SUBMIT(fixture, notify_set, 3, 7);
	EVENT_SUBMIT(fixture, wait_neq, 4, 0, 0xff);
	EVENT_SUBMIT(fixture, get, 5, &value);
	assert_int_equal(progress_all(fixture), 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(fixture->told[i], wanted[i]);
	assert_int_equal(value, 7);
	assert_doca(doca_ctx_get_num_inflight_tasks(fixture->ctx, &num), DOCA_SUCCESS);
	assert_int_equal(num, 1);
	event_close(fixture);
	/* The last one was told of the stop: the fixture is gone, its pools whole. */
}

#define MANY_WAITS 65536
#define GETS 200

static uint64_t time_gets(struct event_fixture *fixture)
{
	uint64_t best_ns = UINT64_MAX;
	uint64_t value = 0;

	for (int i = 0; i < 5; i++) {
		uint64_t begin_ns = event_now_ns(CLOCK_MONOTONIC);
		uint64_t took_ns;

		for (int j = 0; j < GETS; j++) {
			EVENT_SUBMIT(fixture, get, 1, &value);
			assert_int_equal(progress_all(fixture), 1);
		}
		took_ns = event_now_ns(CLOCK_MONOTONIC) - begin_ns;
		if (took_ns < best_ns)
			best_ns = took_ns;
	}
	return best_ns;
}

static void a_get_behind_many_waits_takes_no_longer(void **state)
{
	struct event_fixture *fixture = event_open();
	uint64_t alone_ns;
	uint64_t behind_ns;

	event_make_ctx(fixture);
	assert_doca(doca_sync_event_task_wait_eq_set_conf(fixture->event, event_wait_eq_done,
							  event_wait_eq_failed, MANY_WAITS),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	alone_ns = time_gets(fixture);
	for (int i = 0; i < MANY_WAITS; i++)
		EVENT_SUBMIT(fixture, wait_eq, 1, 7, ALL_BITS);
	behind_ns = time_gets(fixture);
	print_message("# %d gets: %u us, behind %d waits %u us\n", GETS,
		      (unsigned)(alone_ns / 1000), MANY_WAITS, (unsigned)(behind_ns / 1000));
	/* A walk over the waits in each makes it some hundred times. */
	assert_true(behind_ns < alone_ns * 20);
	event_close(fixture);
}

static void a_wait_is_looked_at_again_for_each_other_value(void **state)
{
	struct event_fixture *fixture = open_ctx();

	EVENT_SUBMIT(fixture, wait_eq, 1, 7, ALL_BITS);
	EVENT_SUBMIT(fixture, wait_eq, 2, 8, ALL_BITS);
	assert_int_equal(progress_all(fixture), 0);
	EVENT_SUBMIT(fixture, wait_eq, 3, 0, ALL_BITS);
	assert_int_equal(progress_all(fixture), 1);
	assert_int_equal(fixture->told[0], 3);
	EVENT_SUBMIT(fixture, notify_set, 4, 8);
	EVENT_SUBMIT(fixture, notify_set, 5, 7);
	EVENT_SUBMIT(fixture, wait_eq, 6, 7, ALL_BITS);
	assert_int_equal(progress_all(fixture), 5);
	/* 2 is older than the set that would take its value away. */
	assert_int_equal(fixture->told[2], 2);
	assert_int_equal(fixture->told[4], 1);
	assert_int_equal(fixture->told[5], 6);
	event_close(fixture);
}

static void a_stop_flushes_what_waits(void **state)
{
	struct event_fixture *fixture = open_ctx();

	EVENT_SUBMIT(fixture, wait_eq, 1, 7, ALL_BITS);
	EVENT_SUBMIT(fixture, wait_neq, 2, 0, ALL_BITS);
	EVENT_SUBMIT(fixture, notify_set, 3, 7);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fixture->num_failed, 0);
	while (event_state(fixture) != DOCA_CTX_STATE_IDLE)
		(void)doca_pe_progress(fixture->pe);
	assert_int_equal(fixture->num_failed, 3);
	assert_int_equal(fixture->num_done, 0);
	assert_int_equal(fixture->told[0], 1);
	assert_doca(fixture->last_status, DOCA_ERROR_IO_FAILED);
	assert_true(atomic_load(fixture->event->value) == 0);
	/* And again. */
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	EVENT_SUBMIT(fixture, notify_set, 4, 9);
	assert_int_equal(progress_all(fixture), 1);
	assert_int_equal(fixture->num_done, 1);
	event_close(fixture);
}

static void start_fails_without_memory_or_descriptors_and_leaves_nothing(void **state)
{
	/* The pools that a start has made stay: the next start fails at the pool behind them. */
	static const struct {
		int *fails_in;
		int in;
	} calls[] = {
		{&calloc_fails_in, 1},	  {&calloc_fails_in, 2},    {&calloc_fails_in, 2},
		{&calloc_fails_in, 2},	  {&calloc_fails_in, 2},    {&calloc_fails_in, 2},
		{&calloc_fails_in, 2},	  {&epoll_ctl_fails_in, 1}, {&epoll_ctl_fails_in, 2},
		{&epoll_ctl_fails_in, 3}, {&timer_fails_in, 1},	    {&epoll_create_fails_in, 1},
	};
	struct event_fixture *fixture = event_open();
	_Atomic uint64_t value = 0;
	size_t num_fds;

	/* The kind that has a timer. */
	assert_doca(doca_sync_event_set_addr(fixture->event, (uint64_t *)&value), DOCA_SUCCESS);
	event_make_ctx(fixture);
	num_fds = open_fds();
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		*calls[i].fails_in = calls[i].in;
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_INITIALIZATION);
		assert_int_equal(*calls[i].fails_in, 0);
		assert_int_equal(open_fds(), num_fds);
		assert_int_equal(event_state(fixture), DOCA_CTX_STATE_IDLE);
	}
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	event_close(fixture);
}

/* Event mode. */

static bool is_readable(struct event_fixture *fixture, int timeout_ms)
{
	doca_notification_handle_t handle;
	struct pollfd news = {.events = POLLIN};

	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	news.fd = handle;
	return poll(&news, 1, timeout_ms) == 1;
}

/* A context of the same event in another thread's hands: an import by this very process. */
static struct event_fixture *open_other(struct event_fixture *fixture)
{
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *other = event_import(data, len);

	assert_doca(doca_sync_event_start(other->event), DOCA_SUCCESS);
	return other;
}

static void arm(struct event_fixture *fixture)
{
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
}

static void clear(struct event_fixture *fixture)
{
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
}

static void a_change_by_another_wakes_an_armed_engine(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct event_fixture *other = open_other(fixture);

	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	assert_int_equal(progress_all(fixture), 0);
	assert_int_equal(atomic_load(&fixture->event->page->num_armed), 0);
	arm(fixture);
	assert_int_equal(atomic_load(&fixture->event->page->num_armed), 1);
	assert_false(is_readable(fixture, 0));
	assert_doca(doca_sync_event_update_set(other->event, 5), DOCA_SUCCESS);
	assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
	clear(fixture);
	assert_int_equal(progress_all(fixture), 1);
	assert_int_equal(fixture->num_done, 1);
	assert_int_equal(atomic_load(&fixture->event->page->num_armed), 0);
	/* Nothing to wait for: changes ring no bell. */
	arm(fixture);
	assert_doca(doca_sync_event_update_set(other->event, 6), DOCA_SUCCESS);
	assert_false(is_readable(fixture, 20));
	event_close(other);
	event_close(fixture);
}

static void a_change_before_the_arm_makes_it_readable(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct event_fixture *other = open_other(fixture);

	EVENT_SUBMIT(fixture, wait_neq, 1, 0, ALL_BITS);
	assert_doca(doca_sync_event_update_set(other->event, 5), DOCA_SUCCESS);
	arm(fixture);
	assert_true(is_readable(fixture, 0));
	clear(fixture);
	assert_int_equal(progress_all(fixture), 1);
	event_close(other);
	event_close(fixture);
}

static void a_submit_behind_the_arm_makes_it_readable_when_it_can_be_done(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct event_fixture *other = open_other(fixture);

	arm(fixture);
	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	assert_false(is_readable(fixture, 0));
	assert_doca(doca_sync_event_update_set(other->event, 5), DOCA_SUCCESS);
	assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
	clear(fixture);
	assert_int_equal(progress_all(fixture), 1);
	arm(fixture);
	EVENT_SUBMIT(fixture, notify_set, 2, 6);
	assert_true(is_readable(fixture, 0));
	clear(fixture);
	assert_int_equal(progress_all(fixture), 1);
	event_close(other);
	event_close(fixture);
}

static void a_change_that_is_not_the_one_lets_it_wait_on(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct event_fixture *other = open_other(fixture);

	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	for (uint64_t value = 1; value <= 5; value++) {
		arm(fixture);
		assert_false(is_readable(fixture, 0));
		assert_doca(doca_sync_event_update_set(other->event, value), DOCA_SUCCESS);
		assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
		clear(fixture);
		assert_int_equal(progress_all(fixture), value == 5);
	}
	event_close(other);
	event_close(fixture);
}

static void every_armed_context_of_an_event_hears_the_bell(void **state)
{
	struct event_fixture *fixture = open_ctx();
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *others[3];
	uint64_t value = 0;

	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	arm(fixture);
	for (size_t i = 0; i < 3; i++) {
		others[i] = event_import(data, len);
		event_start_ctx(others[i]);
		EVENT_SUBMIT(others[i], wait_eq, 1, 5, ALL_BITS);
		arm(others[i]);
	}
	/* The last one has a task besides. */
	EVENT_SUBMIT(others[2], notify_add, 2, 5, &value);
	assert_int_equal(progress_all(others[2]), 2);
	assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
	assert_int_equal(progress_all(fixture), 1);
	for (size_t i = 0; i < 2; i++) {
		assert_true(is_readable(others[i], PROCESS_DEADLINE_MS));
		assert_int_equal(progress_all(others[i]), 1);
	}
	for (size_t i = 3; i-- > 0;)
		event_close(others[i]);
	event_close(fixture);
}

/* Nobody is woken by a direct store. */
static void an_armed_engine_looks_again_where_others_may_store(void **state)
{
	_Atomic uint64_t value = 0;
	struct event_fixture *fixture = event_open();
	uint64_t begin_ns;

	assert_doca(doca_sync_event_set_addr(fixture->event, (uint64_t *)&value), DOCA_SUCCESS);
	event_start_ctx(fixture);
	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	arm(fixture);
	begin_ns = event_now_ns(CLOCK_MONOTONIC);
	atomic_store(&value, 5);
	assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
	assert_int_equal(progress_all(fixture), 1);
	assert_true(event_now_ns(CLOCK_MONOTONIC) - begin_ns < 100000000);
	event_close(fixture);
}

/* So that the timeout of a program's poll is its watchdog. */
static void an_armed_engine_is_not_woken_while_nothing_changes(void **state)
{
	struct event_fixture *fixture = open_ctx();
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *import = event_import(data, len);

	event_start_ctx(import);
	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	EVENT_SUBMIT(import, wait_eq, 1, 5, ALL_BITS);
	arm(fixture);
	arm(import);
	assert_false(is_readable(fixture, 600));
	assert_false(is_readable(import, 0));
	event_close(import);
	event_close(fixture);
}

/* As one that was killed between its store and the bell. */
static void an_importer_that_is_gone_wakes_an_armed_engine(void **state)
{
	struct event_fixture *fixture = open_ctx();
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *import = event_import(data, len);

	EVENT_SUBMIT(fixture, wait_eq, 1, 5, ALL_BITS);
	arm(fixture);
	atomic_store(import->event->value, 5);
	assert_false(is_readable(fixture, 0));
	/* Not a stop, which rings by itself. */
	assert_doca(doca_sync_event_destroy(import->event), DOCA_SUCCESS);
	assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
	assert_doca(doca_dev_close(import->dev), DOCA_SUCCESS);
	free(import);
	clear(fixture);
	assert_int_equal(progress_all(fixture), 1);
	event_close(fixture);
}

static void in_the_mode_that_needs_no_clear_none_is_missed(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct event_fixture *other = open_other(fixture);

	assert_doca(doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
		    DOCA_SUCCESS);
	for (uint64_t value = 1; value <= 20; value++) {
		EVENT_SUBMIT(fixture, wait_eq, 1, value, ALL_BITS);
		arm(fixture);
		assert_false(is_readable(fixture, 0));
		assert_doca(doca_sync_event_update_set(other->event, value), DOCA_SUCCESS);
		assert_true(is_readable(fixture, PROCESS_DEADLINE_MS));
		assert_int_equal(progress_all(fixture), 1);
	}
	event_close(other);
	event_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_are_done_in_progress_and_not_before),
		cmocka_unit_test(waits_hold_up_no_other_and_are_done_oldest_first),
		cmocka_unit_test(a_get_behind_many_waits_takes_no_longer),
		cmocka_unit_test(a_wait_is_looked_at_again_for_each_other_value),
		cmocka_unit_test(a_stop_flushes_what_waits),
		cmocka_unit_test(start_fails_without_memory_or_descriptors_and_leaves_nothing),
		cmocka_unit_test(a_change_by_another_wakes_an_armed_engine),
		cmocka_unit_test(a_change_before_the_arm_makes_it_readable),
		cmocka_unit_test(a_submit_behind_the_arm_makes_it_readable_when_it_can_be_done),
		cmocka_unit_test(a_change_that_is_not_the_one_lets_it_wait_on),
		cmocka_unit_test(every_armed_context_of_an_event_hears_the_bell),
		cmocka_unit_test(an_armed_engine_looks_again_where_others_may_store),
		cmocka_unit_test(an_armed_engine_is_not_woken_while_nothing_changes),
		cmocka_unit_test(an_importer_that_is_gone_wakes_an_armed_engine),
		cmocka_unit_test(in_the_mode_that_needs_no_clear_none_is_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
