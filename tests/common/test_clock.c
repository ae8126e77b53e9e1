/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks: which there are, what they show, and that the margin of two at once is true. */
#include <errno.h>
#include <time.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#include <doca_clock.h>

#include "support/fail_calloc.h"

#define NS_PER_S INT64_C(1000000000)

/* The linker sends the calls to the first, and knows the real one as the second. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __real_clock_gettime(clockid_t clock, struct timespec *now);

/* What the library is told instead of the time; the wrapper has no other way to learn it. */
static const struct script {
	unsigned fails_at;    /* the call, from 1 */
	const long *shown_ns; /* call for call */
	unsigned num_shown;
	bool stands; /* then at the last; else it goes back at each call */
} * script;
static unsigned num_calls;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	if (script == NULL)
		return __real_clock_gettime(clock, now);
	num_calls++;
	if (num_calls == script->fails_at) {
		errno = EPERM;
		return -1;
	}
	*now = (struct timespec){.tv_sec = 1};
	if (num_calls <= script->num_shown)
		now->tv_nsec = script->shown_ns[num_calls - 1];
	else if (script->stands)
		now->tv_nsec = script->shown_ns[script->num_shown - 1];
	else
		now->tv_nsec = 1000000 - (long)num_calls;
	return 0;
}

static void play(const struct script *next)
{
	script = next;
	num_calls = 0;
}

static int open_clock(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_clock *clock = NULL;

	assert_doca(doca_clock_create(dev, &clock), DOCA_SUCCESS);
	/* The clock keeps it open until then. */
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	*state = clock;
	return 0;
}

static int close_clock(void **state)
{
	struct doca_dev *dev = dma_open_device();

	assert_doca(doca_clock_destroy(*state), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
	return doca_dev_close(dev) == DOCA_SUCCESS ? 0 : -1;
}

static int64_t ns_of(struct timespec time)
{
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static int64_t machine_ns(clockid_t id)
{
	struct timespec now;

	assert_int_equal(__real_clock_gettime(id, &now), 0);
	return ns_of(now);
}

static void a_device_has_both_clocks_of_a_nic_and_no_dpa(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	for (uint32_t i = 0; i < num_devs; i++) {
		assert_doca(doca_clock_cap_nic_free_running_is_supported(list[i]), DOCA_SUCCESS);
		assert_doca(doca_clock_cap_nic_real_time_is_supported(list[i]), DOCA_SUCCESS);
		assert_doca(doca_clock_cap_nic_dpa_timer_is_supported(list[i]),
			    DOCA_ERROR_NOT_SUPPORTED);
	}
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_doca(doca_clock_cap_nic_free_running_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_cap_nic_real_time_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_cap_nic_dpa_timer_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void create_and_destroy_refuse_null_and_a_lack_of_memory(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_clock *clock = NULL;

	assert_doca(doca_clock_create(NULL, &clock), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
	next_calloc_fails = true;
	assert_doca(doca_clock_create(dev, &clock), DOCA_ERROR_NO_MEMORY);
	assert_null(clock);
	assert_doca(doca_clock_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void each_clock_shows_the_time_of_its_clock_of_the_machine(void **state)
{
	static const struct {
		uint64_t type;
		clockid_t id;
	} clocks[] = {
		{DOCA_CLOCK_NIC_FREE_RUNNING, CLOCK_MONOTONIC_RAW},
		{DOCA_CLOCK_NIC_REAL_TIME, CLOCK_REALTIME},
		{DOCA_CLOCK_HOST_REAL_TIME, CLOCK_REALTIME},
		{DOCA_CLOCK_HOST_MONOTONIC, CLOCK_MONOTONIC},
		{DOCA_CLOCK_HOST_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW},
	};

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		const int64_t before = machine_ns(clocks[i].id);
		union doca_clock_timespec_t shown;

		assert_doca(doca_clock_get_timestamp(*state, clocks[i].type, &shown), DOCA_SUCCESS);
		assert_true(ns_of(shown.ts) >= before);
		assert_true(ns_of(shown.ts) <= machine_ns(clocks[i].id));
	}
}

/* It may stand for some readings: on Arm a tick is up to a microsecond. */
static void the_counter_counts_up(void **state)
{
	const int64_t until = machine_ns(CLOCK_MONOTONIC) + 1000 * 1000;
	uint64_t first = 0;
	uint64_t last = 0;

	while (first == 0 || machine_ns(CLOCK_MONOTONIC) < until) {
		union doca_clock_timespec_t shown;

		assert_doca(
			doca_clock_get_timestamp(*state, DOCA_CLOCK_HOST_COUNTER_CYCLES, &shown),
			DOCA_SUCCESS);
		assert_true(shown.counter >= last);
		last = shown.counter;
		if (first == 0)
			first = last;
	}
	assert_true(last > first);
}

/* The second clock is the first: the difference is known, and never above the margin. */
static void assert_margins_bound(const struct doca_clock *clock, uint64_t primary, uint64_t nic)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		union doca_clock_timespec_t first;
		union doca_clock_timespec_t second;
		uint64_t margin;
		int64_t difference;

		assert_doca(doca_clock_get_crosstimestamp(clock, primary, nic, &first, &second,
							  &margin),
			    DOCA_SUCCESS);
		difference = ns_of(first.ts) - ns_of(second.ts);
		assert_true((uint64_t)llabs(difference) <= margin);
		if (margin < best)
			best = margin;
	}
	/* It is below a microsecond, under a sanitizer below ten. */
	assert_true(best < 1000 * 1000);
}

static void the_margin_bounds_the_difference_and_is_small(void **state)
{
	assert_margins_bound(*state, DOCA_CLOCK_HOST_MONOTONIC_RAW, DOCA_CLOCK_NIC_FREE_RUNNING);
	assert_margins_bound(*state, DOCA_CLOCK_HOST_REAL_TIME, DOCA_CLOCK_NIC_REAL_TIME);
	assert_margins_bound(*state, DOCA_CLOCK_NIC_FREE_RUNNING, DOCA_CLOCK_NIC_FREE_RUNNING);
}

static void the_margin_of_the_counter_is_in_ticks(void **state)
{
	union doca_clock_timespec_t before;
	union doca_clock_timespec_t first;
	union doca_clock_timespec_t second;
	union doca_clock_timespec_t after;
	uint64_t margin;

	assert_doca(doca_clock_get_timestamp(*state, DOCA_CLOCK_HOST_COUNTER_CYCLES, &before),
		    DOCA_SUCCESS);
	assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_COUNTER_CYCLES,
						  DOCA_CLOCK_NIC_REAL_TIME, &first, &second,
						  &margin),
		    DOCA_SUCCESS);
	assert_doca(doca_clock_get_timestamp(*state, DOCA_CLOCK_HOST_COUNTER_CYCLES, &after),
		    DOCA_SUCCESS);
	/* What margin claims lies within, but for rounding up. */
	assert_true(before.counter + margin <= first.counter + 1);
	assert_true(first.counter + margin <= after.counter + 1);
}

static void the_closest_of_the_tries_counts(void **state)
{
	/* The primary clock before, the device's, the primary after; the rest goes back. */
	static const long shown_ns[] = {100, 7, 600, 1000, 8, 1011, 2000, 9, 2500};
	union doca_clock_timespec_t first;
	union doca_clock_timespec_t second;
	uint64_t margin = 99;

	play(&(struct script){.shown_ns = shown_ns, .num_shown = 9});
	assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_MONOTONIC,
						  DOCA_CLOCK_NIC_FREE_RUNNING, &first, &second,
						  &margin),
		    DOCA_SUCCESS);
	play(NULL);
	assert_int_equal(ns_of(first.ts), NS_PER_S + 1005);
	assert_int_equal(ns_of(second.ts), NS_PER_S + 8);
	assert_int_equal(margin, 6);
}

static void a_clock_that_stands_still_gives_an_exact_reading(void **state)
{
	static const long shown_ns[] = {100, 7, 600, 5000};
	union doca_clock_timespec_t first;
	union doca_clock_timespec_t second;
	uint64_t margin = 99;

	play(&(struct script){.shown_ns = shown_ns, .num_shown = 4, .stands = true});
	assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_MONOTONIC,
						  DOCA_CLOCK_NIC_FREE_RUNNING, &first, &second,
						  &margin),
		    DOCA_SUCCESS);
	play(NULL);
	assert_int_equal(ns_of(first.ts), NS_PER_S + 5000);
	assert_int_equal(margin, 0);
}

static void a_clock_that_cannot_be_read_is_an_error_of_the_system(void **state)
{
	union doca_clock_timespec_t shown = {.counter = 99};
	union doca_clock_timespec_t other = {.counter = 99};
	uint64_t margin = 99;

	play(&(struct script){.fails_at = 1});
	assert_doca(doca_clock_get_timestamp(*state, DOCA_CLOCK_HOST_MONOTONIC, &shown),
		    DOCA_ERROR_OPERATING_SYSTEM);
	for (unsigned i = 1; i <= 4; i++) {
		const struct script fails = {.fails_at = i};

		play(&fails);
		assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_MONOTONIC,
							  DOCA_CLOCK_NIC_FREE_RUNNING, &shown,
							  &other, &margin),
			    DOCA_ERROR_OPERATING_SYSTEM);
	}
	play(NULL);
	assert_int_equal(shown.counter, 99);
	assert_int_equal(other.counter, 99);
	assert_int_equal(margin, 99);
}

static void a_clock_that_goes_back_all_the_time_is_an_error_of_the_system(void **state)
{
	union doca_clock_timespec_t shown = {.counter = 99};
	union doca_clock_timespec_t other = {.counter = 99};
	uint64_t margin = 99;

	play(&(struct script){0});
	assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_REAL_TIME,
						  DOCA_CLOCK_NIC_REAL_TIME, &shown, &other,
						  &margin),
		    DOCA_ERROR_OPERATING_SYSTEM);
	play(NULL);
	assert_int_equal(margin, 99);
	assert_int_equal(shown.counter, 99);
}

static void what_is_not_exactly_one_clock_is_refused(void **state)
{
	static const uint64_t types[] = {
		0,
		1 << 2,
		1 << 20,
		UINT64_C(1) << 63,
		UINT64_MAX,
		DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME,
		DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_HOST_REAL_TIME,
		DOCA_CLOCK_HOST_REAL_TIME | DOCA_CLOCK_HOST_MONOTONIC,
		DOCA_CLOCK_NIC_REAL_TIME | UINT64_C(1) << 40,
	};
	union doca_clock_timespec_t shown = {.counter = 99};
	union doca_clock_timespec_t other = {.counter = 99};
	uint64_t margin = 99;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		assert_doca(doca_clock_get_timestamp(*state, types[i], &shown),
			    DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_clock_get_crosstimestamp(*state, types[i],
							  DOCA_CLOCK_NIC_REAL_TIME, &shown, &other,
							  &margin),
			    DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_REAL_TIME,
							  types[i], &shown, &other, &margin),
			    DOCA_ERROR_INVALID_VALUE);
	}
	assert_int_equal(shown.counter, 99);
	assert_int_equal(other.counter, 99);
	assert_int_equal(margin, 99);
}

static void a_clock_of_the_machine_is_no_second_clock(void **state)
{
	static const uint64_t types[] = {
		DOCA_CLOCK_HOST_COUNTER_CYCLES,
		DOCA_CLOCK_HOST_REAL_TIME,
		DOCA_CLOCK_HOST_MONOTONIC,
		DOCA_CLOCK_HOST_MONOTONIC_RAW,
	};
	union doca_clock_timespec_t shown;
	union doca_clock_timespec_t other;
	uint64_t margin;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_NIC_REAL_TIME,
							  types[i], &shown, &other, &margin),
			    DOCA_ERROR_INVALID_VALUE);
}

static void the_timer_of_a_dpa_is_not_supported(void **state)
{
	union doca_clock_timespec_t shown;
	union doca_clock_timespec_t other;
	uint64_t margin;

	assert_doca(doca_clock_get_timestamp(*state, DOCA_CLOCK_NIC_DPA_TIMER, &shown),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_NIC_DPA_TIMER,
						  DOCA_CLOCK_NIC_REAL_TIME, &shown, &other,
						  &margin),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_clock_get_crosstimestamp(*state, DOCA_CLOCK_HOST_REAL_TIME,
						  DOCA_CLOCK_NIC_DPA_TIMER, &shown, &other,
						  &margin),
		    DOCA_ERROR_NOT_SUPPORTED);
}

static void readings_refuse_null(void **state)
{
	const uint64_t host = DOCA_CLOCK_HOST_REAL_TIME;
	const uint64_t nic = DOCA_CLOCK_NIC_REAL_TIME;
	union doca_clock_timespec_t one;
	union doca_clock_timespec_t two;
	uint64_t margin;

	assert_doca(doca_clock_get_timestamp(NULL, host, &one), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_get_timestamp(*state, host, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_get_crosstimestamp(NULL, host, nic, &one, &two, &margin),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_get_crosstimestamp(*state, host, nic, NULL, &two, &margin),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_get_crosstimestamp(*state, host, nic, &one, NULL, &margin),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_clock_get_crosstimestamp(*state, host, nic, &one, &two, NULL),
		    DOCA_ERROR_INVALID_VALUE);
}

#define clock_test(name) cmocka_unit_test_setup_teardown(name, open_clock, close_clock)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_has_both_clocks_of_a_nic_and_no_dpa),
		cmocka_unit_test(create_and_destroy_refuse_null_and_a_lack_of_memory),
		clock_test(each_clock_shows_the_time_of_its_clock_of_the_machine),
		clock_test(the_counter_counts_up),
		clock_test(the_margin_bounds_the_difference_and_is_small),
		clock_test(the_margin_of_the_counter_is_in_ticks),
		clock_test(the_closest_of_the_tries_counts),
		clock_test(a_clock_that_stands_still_gives_an_exact_reading),
		clock_test(a_clock_that_cannot_be_read_is_an_error_of_the_system),
		clock_test(a_clock_that_goes_back_all_the_time_is_an_error_of_the_system),
		clock_test(what_is_not_exactly_one_clock_is_refused),
		clock_test(a_clock_of_the_machine_is_no_second_clock),
		clock_test(the_timer_of_a_dpa_is_not_supported),
		clock_test(readings_refuse_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
