/* SPDX-License-Identifier: Apache-2.0 */
/* The stand-alone calls: what they read and change, how they wait, and how a wait ends. */
#include "support/event_fixture.h"

#include "common/sync_event.h"
#include "support/log_capture.h"
#include "support/under_tsan.h"

typedef doca_error_t (*wait_call)(struct doca_sync_event *event, uint64_t value, uint64_t mask);

/* One call in a thread of its own. */
struct waiter {
	pthread_t thread;
	wait_call call;
	struct doca_sync_event *event;
	uint64_t value;
	uint64_t mask;
	doca_error_t result;
	uint64_t cpu_ns; /* that it took */
};

static void *run_waiter(void *argument)
{
	struct waiter *waiter = argument;
	uint64_t before_ns = event_now_ns(CLOCK_THREAD_CPUTIME_ID);

	waiter->result = waiter->call(waiter->event, waiter->value, waiter->mask);
	waiter->cpu_ns = event_now_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns;
	return NULL;
}

static void waiter_start(struct waiter *waiter, struct event_fixture *fixture, wait_call call,
			 uint64_t value, uint64_t mask)
{
	*waiter = (struct waiter){
		.call = call, .event = fixture->event, .value = value, .mask = mask};
	assert_int_equal(pthread_create(&waiter->thread, NULL, run_waiter, waiter), 0);
}

static void waiter_end(struct waiter *waiter, doca_error_t wanted)
{
	assert_int_equal(pthread_join(waiter->thread, NULL), 0);
	assert_doca(waiter->result, wanted);
}

static void await_calls(const struct event_fixture *fixture, uint32_t num)
{
	while (atomic_load(&fixture->event->num_calls) != num)
		sched_yield();
}

static void await_sleepers(const struct event_fixture *fixture, uint32_t num)
{
	while (atomic_load(&fixture->event->page->num_sleepers) != num)
		sched_yield();
}

static const wait_call all_waits[] = {
	doca_sync_event_wait_gt,  doca_sync_event_wait_gt_yield,
	doca_sync_event_wait_eq,  doca_sync_event_wait_eq_yield,
	doca_sync_event_wait_neq, doca_sync_event_wait_neq_yield,
};

#define NUM_WAITS (sizeof(all_waits) / sizeof(all_waits[0]))

static void set_get_and_add_are_of_64_bits(void **state)
{
	struct event_fixture *fixture = event_open_started();
	uint64_t before = 0;

	assert_doca(doca_sync_event_update_set(fixture->event, UINT64_MAX - 1), DOCA_SUCCESS);
	assert_true(event_value(fixture) == UINT64_MAX - 1);
	assert_doca(doca_sync_event_update_add(fixture->event, 3, &before), DOCA_SUCCESS);
	assert_true(before == UINT64_MAX - 1);
	assert_int_equal(event_value(fixture), 1);
	assert_doca(doca_sync_event_update_add(fixture->event, 0, &before), DOCA_SUCCESS);
	assert_int_equal(before, 1);
	event_close(fixture);
}

static void calls_refuse_null(void **state)
{
	struct event_fixture *fixture = event_open_started();
	uint64_t value;

	assert_doca(doca_sync_event_get(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_get(fixture->event, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_update_add(NULL, 1, &value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_update_add(fixture->event, 1, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_update_set(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < NUM_WAITS; i++)
		assert_doca(all_waits[i](NULL, 0, 0), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(event_value(fixture), 0);
	event_close(fixture);
}

static void calls_refuse_an_event_not_started(void **state)
{
	struct event_fixture *fixture = event_open();
	uint64_t value = 7;

	log_forget(state);
	assert_doca(doca_sync_event_get(fixture->event, &value), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "doca_sync_event_start first");
	assert_doca(doca_sync_event_update_add(fixture->event, 1, &value), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_update_set(fixture->event, 1), DOCA_ERROR_BAD_STATE);
	for (size_t i = 0; i < NUM_WAITS; i++)
		assert_doca(all_waits[i](fixture->event, 0, 0), DOCA_ERROR_BAD_STATE);
	assert_int_equal(value, 7);
	event_close(fixture);
}

struct watched_line {
	char line[1024];
	const struct doca_sync_event *event;
	uint32_t num_calls; /* at the last line */
};

static void watch_line(char *line)
{
	struct watched_line *watched = (struct watched_line *)line;

	if (watched->event != NULL)
		watched->num_calls = atomic_load(&watched->event->num_calls);
}

/* Stop waits for calls that it does not know to be refused: a destroy may follow it. */
static void a_stop_waits_for_a_call_until_its_refusal_is_written(void **state)
{
	struct event_fixture *fixture = event_open();
	struct watched_line *watched = calloc(1, sizeof(*watched));
	struct doca_log_backend *backend = NULL;

	assert_non_null(watched);
	/* A backend is for good: what it has is not freed. */
	assert_doca(doca_log_backend_create_with_buf_sdk(watched->line, sizeof(watched->line),
							 watch_line, &backend),
		    DOCA_SUCCESS);
	watched->event = fixture->event;
	assert_doca(doca_sync_event_update_set(fixture->event, 1), DOCA_ERROR_BAD_STATE);
	watched->event = NULL;
	assert_int_equal(watched->num_calls, 1);
	assert_int_equal(atomic_load(&fixture->event->num_calls), 0);
	event_close(fixture);
}

static void a_wait_for_what_is_there_returns_at_once(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct doca_sync_event *event = fixture->event;

	assert_doca(doca_sync_event_update_set(event, 0x1122334455667788), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq(event, 0x1122334455667788, ALL_BITS), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq_yield(event, 0x88, 0xff), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq(event, 0x7700, 0xff00), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq(event, 0x55667788, 0xffffffff), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq(event, 0, 0), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq(event, 8, 0xf), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_gt(event, 0x1122334455667787, ALL_BITS), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_gt_yield(event, 0x87, 0xff), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_neq(event, 0x87, 0xff), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_neq_yield(event, 0, ALL_BITS), DOCA_SUCCESS);
	event_close(fixture);
}

static void a_wait_that_can_never_end_is_refused_at_once(void **state)
{
	static const struct {
		uint64_t threshold;
		uint64_t mask;
	} cases[NUM_WAITS / 2] = {{0xff, 0xff}, {0x100, 0xff}, {0, 0}};
	struct event_fixture *fixture = event_open_started();

	for (size_t i = 0; i < NUM_WAITS; i++) {
		log_forget(state);
		assert_doca(all_waits[i](fixture->event, cases[i / 2].threshold, cases[i / 2].mask),
			    DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "no value of the event");
	}
	/* A stop does not wait for them. */
	event_close(fixture);
}

/* Values that each wait passes by, then one that it is for. */
static void each_wait_ends_by_the_value_it_is_for(void **state)
{
	static const struct {
		uint64_t value;
		uint64_t passed[2];
		uint64_t wanted;
	} cases[NUM_WAITS] = {
		{5, {0x104, 0x105}, 0x106}, {5, {0x104, 0x105}, 0x106}, {5, {0x104, 0x106}, 0x105},
		{5, {0x104, 0x106}, 0x105}, {0, {0x100, 0x200}, 0x201}, {0, {0x100, 0x200}, 0x201},
	};

	for (size_t i = 0; i < NUM_WAITS; i++) {
		struct event_fixture *fixture = event_open_started();
		struct waiter waiter;

		waiter_start(&waiter, fixture, all_waits[i], cases[i].value, 0xff);
		await_calls(fixture, 1);
		for (size_t j = 0; j < 2; j++) {
			assert_doca(doca_sync_event_update_set(fixture->event, cases[i].passed[j]),
				    DOCA_SUCCESS);
			sched_yield();
			assert_int_equal(atomic_load(&fixture->event->num_calls), 1);
		}
		assert_doca(doca_sync_event_update_set(fixture->event, cases[i].wanted),
			    DOCA_SUCCESS);
		waiter_end(&waiter, DOCA_SUCCESS);
		event_close(fixture);
	}
}

static void a_wait_that_yields_sleeps(void **state)
{
	struct event_fixture *fixture = event_open_started();
	uint64_t begin_ns = event_now_ns(CLOCK_MONOTONIC);
	struct waiter waiter;

	waiter_start(&waiter, fixture, doca_sync_event_wait_eq_yield, 1, ALL_BITS);
	await_sleepers(fixture, 1);
	/* Three looks of its own, none of which is a reason to stay awake. */
	while (event_now_ns(CLOCK_MONOTONIC) - begin_ns < 800000000)
		sched_yield();
	assert_doca(doca_sync_event_update_set(fixture->event, 1), DOCA_SUCCESS);
	waiter_end(&waiter, DOCA_SUCCESS);
	print_message("# a wait of 800 ms took %u us of CPU\n", (unsigned)(waiter.cpu_ns / 1000));
	assert_true(waiter.cpu_ns < 40000000);
	event_close(fixture);
}

/* From the addition to the last of three sleepers' end. */
static uint64_t time_addition(void)
{
	struct event_fixture *fixture = event_open_started();
	struct waiter waiters[3];
	uint64_t asleep_ns;
	uint64_t begin_ns;
	uint64_t took_ns;
	uint64_t before;

	for (size_t i = 0; i < 3; i++)
		waiter_start(&waiters[i], fixture, doca_sync_event_wait_gt_yield, 9, ALL_BITS);
	await_sleepers(fixture, 3);
	/* Counted is not yet asleep. */
	asleep_ns = event_now_ns(CLOCK_MONOTONIC) + 2000000;
	while ((begin_ns = event_now_ns(CLOCK_MONOTONIC)) < asleep_ns)
		;
	assert_doca(doca_sync_event_update_add(fixture->event, 10, &before), DOCA_SUCCESS);
	for (size_t i = 0; i < 3; i++)
		waiter_end(&waiters[i], DOCA_SUCCESS);
	took_ns = event_now_ns(CLOCK_MONOTONIC) - begin_ns;
	assert_int_equal(atomic_load(&fixture->event->page->num_sleepers), 0);
	event_close(fixture);
	return took_ns;
}

/* Before it looks by itself, after 250 ms. */
static void an_addition_wakes_a_sleeper_as_well(void **state)
{
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < 5 && best_ns >= 100000000; i++) {
		uint64_t took_ns = time_addition();

		if (took_ns < best_ns)
			best_ns = took_ns;
	}
	assert_true(best_ns < 100000000);
}

/* Who stores directly wakes nobody: the sleeper looks by itself. */
static void a_direct_store_to_the_callers_memory_is_seen_soon(void **state)
{
	struct event_fixture *fixture = event_open();
	_Atomic uint64_t value = 0;
	struct waiter waiter;
	uint64_t begin_ns;

	assert_doca(doca_sync_event_set_addr(fixture->event, (uint64_t *)&value), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	waiter_start(&waiter, fixture, doca_sync_event_wait_eq_yield, 1, ALL_BITS);
	await_sleepers(fixture, 1);
	begin_ns = event_now_ns(CLOCK_MONOTONIC);
	atomic_store(&value, 1);
	waiter_end(&waiter, DOCA_SUCCESS);
	assert_true(event_now_ns(CLOCK_MONOTONIC) - begin_ns < 100000000);
	event_close(fixture);
}

static void a_lost_wake_up_delays_a_sleeper_and_no_more(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct waiter waiter;

	waiter_start(&waiter, fixture, doca_sync_event_wait_eq_yield, 1, ALL_BITS);
	await_sleepers(fixture, 1);
	/* As a peer that was killed between its store and the wake-up. */
	atomic_store(fixture->event->value, 1);
	waiter_end(&waiter, DOCA_SUCCESS);
	event_close(fixture);
}

static void a_peer_that_writes_over_the_page_delays_a_sleeper_and_no_more(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct event_page *page = fixture->event->page;
	struct waiter waiters[2];
	uint64_t before;

	for (size_t i = 0; i < 2; i++)
		waiter_start(&waiters[i], fixture, doca_sync_event_wait_gt_yield, 9, ALL_BITS);
	await_sleepers(fixture, 2);
	/* Nobody is there to be woken, then all the world is. */
	atomic_store(&page->num_sleepers, 0);
	atomic_store(&page->sequence, UINT32_MAX);
	assert_doca(doca_sync_event_update_set(fixture->event, 10), DOCA_SUCCESS);
	for (size_t i = 0; i < 2; i++)
		waiter_end(&waiters[i], DOCA_SUCCESS);
	memset(page, 0xff, sizeof(*page));
	assert_doca(doca_sync_event_update_add(fixture->event, 1, &before), DOCA_SUCCESS);
	assert_true(before == UINT64_MAX);
	assert_int_equal(event_value(fixture), 0);
	event_close(fixture);
}

static void a_stop_ends_every_wait_of_other_threads(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct waiter waiters[NUM_WAITS];

	/* None of them is met by 0, nor by its low byte. */
	for (size_t i = 0; i < NUM_WAITS; i++)
		waiter_start(&waiters[i], fixture, all_waits[i], i < 2 ? 5 : i < 4 ? 1 : 0, 0xff);
	await_calls(fixture, NUM_WAITS);
	log_forget(state);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_int_equal(atomic_load(&fixture->event->num_calls), 0);
	for (size_t i = 0; i < NUM_WAITS; i++)
		waiter_end(&waiters[i], DOCA_ERROR_SHUTDOWN);
	event_close(fixture);
}

struct adder {
	pthread_t thread;
	struct doca_sync_event *event;
	unsigned num_wrong;
};

#define ADDITIONS (UNDER_TSAN ? 2000 : 20000)

static void *add_many(void *argument)
{
	struct adder *adder = argument;

	for (int i = 0; i < ADDITIONS; i++) {
		uint64_t before = UINT64_MAX;
		uint64_t after = 0;

		if (doca_sync_event_update_add(adder->event, 1, &before) != DOCA_SUCCESS ||
		    doca_sync_event_get(adder->event, &after) != DOCA_SUCCESS || after <= before)
			adder->num_wrong++;
	}
	return NULL;
}

static void threads_may_add_and_wait_at_once(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct adder adders[4];
	struct waiter waiter;

	waiter_start(&waiter, fixture, doca_sync_event_wait_eq_yield, 4 * ADDITIONS, ALL_BITS);
	for (size_t i = 0; i < 4; i++) {
		adders[i] = (struct adder){.event = fixture->event};
		assert_int_equal(pthread_create(&adders[i].thread, NULL, add_many, &adders[i]), 0);
	}
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(adders[i].thread, NULL), 0);
		assert_int_equal(adders[i].num_wrong, 0);
	}
	waiter_end(&waiter, DOCA_SUCCESS);
	assert_int_equal(event_value(fixture), 4 * ADDITIONS);
	event_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_get_and_add_are_of_64_bits),
		cmocka_unit_test(calls_refuse_null),
		cmocka_unit_test(calls_refuse_an_event_not_started),
		cmocka_unit_test(a_stop_waits_for_a_call_until_its_refusal_is_written),
		cmocka_unit_test(a_wait_for_what_is_there_returns_at_once),
		cmocka_unit_test(a_wait_that_can_never_end_is_refused_at_once),
		cmocka_unit_test(each_wait_ends_by_the_value_it_is_for),
		cmocka_unit_test(a_wait_that_yields_sleeps),
		cmocka_unit_test(an_addition_wakes_a_sleeper_as_well),
		cmocka_unit_test(a_direct_store_to_the_callers_memory_is_seen_soon),
		cmocka_unit_test(a_lost_wake_up_delays_a_sleeper_and_no_more),
		cmocka_unit_test(a_peer_that_writes_over_the_page_delays_a_sleeper_and_no_more),
		cmocka_unit_test(a_stop_ends_every_wait_of_other_threads),
		cmocka_unit_test(threads_may_add_and_wait_at_once),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
