/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hundred thousand rounds in event mode between two processes: in each, one submits a set and
 * waits, asleep, for what the other sets then. A wake-up that is lost would show as a round that
 * takes as long as a context waits before it looks by itself.
 */
#include "support/event_fixture.h"

#include "support/event_child.h"
#include "support/under_tsan.h"

#define MAX_ROUNDS 100000U
/* Shorter than the 250 ms after which a sleeper looks by itself; a machine may stand still. */
#define LATE_NS UINT64_C(200000000)
#define MAX_LATE 20

static unsigned rounds_of(enum doca_pe_event_mode mode)
{
	unsigned num = mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE ? MAX_ROUNDS : MAX_ROUNDS / 5;

	return UNDER_TSAN ? num / 20 : num;
}

struct player {
	struct event_fixture *fixture;
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_wait_eq *wait;
	struct pollfd news;
	bool needs_no_clear;
	unsigned num_slept;
};

static void player_open(struct player *player, struct event_fixture *fixture,
			enum doca_pe_event_mode mode)
{
	const union doca_data none = {.u64 = 0};
	doca_notification_handle_t handle;

	event_start_ctx(fixture);
	fixture->keeps_tasks = true;
	*player = (struct player){
		.fixture = fixture,
		.news = {.events = POLLIN},
		.needs_no_clear = mode == DOCA_PE_EVENT_MODE_PROGRESS_ALL,
	};
	assert_doca(doca_pe_set_event_mode(fixture->pe, mode), DOCA_SUCCESS);
	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	player->news.fd = handle;
	assert_doca(
		doca_sync_event_task_notify_set_alloc_init(fixture->event, 0, none, &player->set),
		DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_wait_eq_alloc_init(fixture->event, 0, ALL_BITS, none,
							    &player->wait),
		    DOCA_SUCCESS);
}

static void player_close(struct player *player)
{
	doca_task_free(doca_sync_event_task_notify_set_as_doca_task(player->set));
	doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(player->wait));
	event_close(player->fixture);
}

/* Until that many tasks in all were told of, asleep in between. */
static void sleep_until(struct player *player, unsigned num_done)
{
	struct event_fixture *fixture = player->fixture;

	while (fixture->num_done < num_done) {
		if (doca_pe_progress(fixture->pe) != 0)
			continue;
		assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
		player->num_slept += poll(&player->news, 1, 0) == 0;
		assert_int_equal(poll(&player->news, 1, PROCESS_DEADLINE_MS), 1);
		if (!player->needs_no_clear)
			assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
		assert_int_equal(fixture->num_failed, 0);
	}
}

static void submit_set(struct player *player, uint64_t value)
{
	doca_sync_event_task_notify_set_set_set_val(player->set, value);
	assert_doca(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(player->set)),
		    DOCA_SUCCESS);
}

static void submit_wait(struct player *player, uint64_t value)
{
	doca_sync_event_task_wait_eq_set_wait_val(player->wait, value);
	assert_doca(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(player->wait)),
		    DOCA_SUCCESS);
}

/* The exporter: answers each odd value with the even one behind it. */
static int run_exporter(enum doca_pe_event_mode mode)
{
	struct event_fixture *fixture = event_open();
	const unsigned num_rounds = rounds_of(mode);
	struct player player;

	player_open(&player, fixture, mode);
	child_announce(fixture);
	for (unsigned i = 0; i < num_rounds; i++) {
		submit_wait(&player, 2 * (uint64_t)i + 1);
		sleep_until(&player, 2 * i + 1);
		submit_set(&player, 2 * (uint64_t)i + 2);
		sleep_until(&player, 2 * i + 2);
	}
	while (child_command() != 0)
		;
	player_close(&player);
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

static void check_rounds(const char *role, enum doca_pe_event_mode mode)
{
	const unsigned num_rounds = rounds_of(mode);
	static uint32_t took_ns[MAX_ROUNDS];
	struct event_child exporter;
	struct player player;
	unsigned num_late = 0;

	event_child_start_exporter(&exporter, role);
	player_open(&player, event_import(exporter.descriptor, exporter.len), mode);
	for (unsigned i = 0; i < num_rounds; i++) {
		uint64_t begin_ns = event_now_ns(CLOCK_MONOTONIC);
		uint64_t round_ns;

		/* The wait is behind the set in one round, before it in the next. */
		if (i % 2 == 0)
			submit_set(&player, 2 * (uint64_t)i + 1);
		submit_wait(&player, 2 * (uint64_t)i + 2);
		if (i % 2 == 1)
			submit_set(&player, 2 * (uint64_t)i + 1);
		sleep_until(&player, 2 * i + 2);
		round_ns = event_now_ns(CLOCK_MONOTONIC) - begin_ns;
		took_ns[i] = (uint32_t)(round_ns / 2 < UINT32_MAX ? round_ns / 2 : UINT32_MAX);
		num_late += round_ns > LATE_NS;
	}
	qsort(took_ns, num_rounds, sizeof(took_ns[0]), compare);
	print_message("# from a set to the callback: median %u us, 99 of 100 %u us, at most %u us; "
		      "%u of %u waits slept, %u were late\n",
		      took_ns[num_rounds / 2] / 1000, took_ns[num_rounds / 100 * 99] / 1000,
		      took_ns[num_rounds - 1] / 1000, player.num_slept, num_rounds, num_late);
	assert_true(took_ns[num_rounds / 2] < 100000000);
	assert_true(num_late <= MAX_LATE);
	assert_true(player.num_slept > num_rounds / 10);
	player_close(&player);
	close(exporter.commands);
	assert_int_equal(waitpid(exporter.pid, NULL, 0), exporter.pid);
	close(exporter.answers);
}

static void no_wake_up_is_lost_in_the_selective_mode(void **state)
{
	check_rounds("selective", DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
}

static void no_wake_up_is_lost_in_the_mode_that_needs_no_clear(void **state)
{
	check_rounds("all", DOCA_PE_EVENT_MODE_PROGRESS_ALL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_wake_up_is_lost_in_the_selective_mode),
		cmocka_unit_test(no_wake_up_is_lost_in_the_mode_that_needs_no_clear),
	};

	if (argc == 2)
		return run_exporter(strcmp(argv[1], "all") == 0
					    ? DOCA_PE_EVENT_MODE_PROGRESS_ALL
					    : DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
