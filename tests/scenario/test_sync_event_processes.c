/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event in two processes: each wakes the other, and the end of one is seen by the other. */
#include "support/event_fixture.h"

#include <stdatomic.h>

#include "support/event_child.h"

#define END_DEADLINE_NS UINT64_C(5000000000)
#define WAKE_DEADLINE_NS UINT64_C(100000000)
#define NUM_PINGS 2000
#define ASLEEP_NS 100000 /* until whoever waits sleeps */

/*
 * An exporter: digits set the value, p answers NUM_PINGS times, s stops, d destroys, f forks, x
 * exits without a word to the library, e becomes another program.
 */
static void ping(struct event_fixture *fixture)
{
	for (uint64_t i = 0; i < NUM_PINGS; i++)
		if (doca_sync_event_wait_eq_yield(fixture->event, 2 * i + 1, ALL_BITS) !=
			    DOCA_SUCCESS ||
		    doca_sync_event_update_set(fixture->event, 2 * i + 2) != DOCA_SUCCESS)
			_exit(3);
}

/* A child of the exporter, which lives on behind it. */
static void fork_child(void)
{
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, 0);
		alarm(PROCESS_DEADLINE_S);
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		close(STDERR_FILENO); /* at whose end meson sees the test's */
		for (;;)
			pause();
	}
}

static void obey(struct event_fixture *fixture, char command)
{
	if (command == 'p')
		ping(fixture);
	else if (command == 'f')
		fork_child();
	else if (command >= '0' && command <= '9')
		assert_doca(doca_sync_event_update_set(fixture->event, (uint64_t)command - '0'),
			    DOCA_SUCCESS);
	else if (command == 's' || command == 'd')
		assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	if (command == 'd')
		assert_doca(doca_sync_event_destroy(fixture->event), DOCA_SUCCESS);
	child_write(&command, 1);
	if (command == 'x')
		_exit(0);
	if (command == 'e')
		execlp("cat", "cat", (char *)NULL);
}

/* 8 bytes that other processes may map. */
static uint64_t *shared_value(void)
{
	int fd = memfd_create("value", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	uint64_t *value;

	if (fd < 0 || ftruncate(fd, 4096) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
		_exit(4);
	value = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (value == MAP_FAILED)
		_exit(4);
	return value;
}

static int run_exporter(bool is_outside)
{
	struct event_fixture *fixture = event_open();
	char command;

	if (is_outside)
		assert_doca(doca_sync_event_set_addr(fixture->event, shared_value()), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	child_announce(fixture);
	while ((command = child_command()) != 0)
		obey(fixture, command);
	_exit(0);
}

/* An importer that waits for 5 twice, by an armed context and a thread that sleeps, for good. */
static void *sleep_for_5(void *argument)
{
	struct event_fixture *fixture = argument;

	(void)doca_sync_event_wait_eq_yield(fixture->event, 5, ALL_BITS);
	return NULL;
}

static int run_importer(void)
{
	uint8_t descriptor[1024];
	struct event_fixture *sleeping;
	struct event_fixture *armed;
	pthread_t thread;
	size_t len;

	event_read(STDIN_FILENO, &len, sizeof(len));
	event_read(STDIN_FILENO, descriptor, len);
	sleeping = event_import(descriptor, len);
	assert_doca(doca_sync_event_start(sleeping->event), DOCA_SUCCESS);
	assert_int_equal(pthread_create(&thread, NULL, sleep_for_5, sleeping), 0);
	armed = event_import(descriptor, len);
	event_start_ctx(armed);
	EVENT_SUBMIT(armed, wait_eq, 1, 5, ALL_BITS);
	assert_doca(doca_pe_request_notification(armed->pe), DOCA_SUCCESS);
	child_write("w", 1);
	while (child_command() != 0)
		;
	_exit(0);
}

/* Everybody who waits for a value that does not come, in the parent. */
enum way {
	BY_SPINNING,
	BY_SLEEPING,
	BY_POLLING,
	BY_EVENTS,
	NUM_WAYS,
};

struct waiter {
	pthread_t thread;
	enum way way;
	struct event_fixture *import;
	_Atomic bool has_begun;
	doca_error_t result;
	uint64_t end_ns;
};

static void wait_until_told(struct event_fixture *import, bool is_armed)
{
	doca_notification_handle_t handle;
	struct pollfd news = {.events = POLLIN};

	assert_doca(doca_pe_get_notification_handle(import->pe, &handle), DOCA_SUCCESS);
	news.fd = handle;
	while (import->num_done + import->num_failed == 0) {
		if (doca_pe_progress(import->pe) != 0)
			continue;
		if (!is_armed) {
			sched_yield();
			continue;
		}
		(void)doca_pe_request_notification(import->pe);
		(void)poll(&news, 1, PROCESS_DEADLINE_MS);
		(void)doca_pe_clear_notification(import->pe, 0);
	}
}

static void *run_waiter(void *argument)
{
	struct waiter *waiter = argument;
	struct doca_sync_event *event = waiter->import->event;

	atomic_store(&waiter->has_begun, true);
	if (waiter->way == BY_SPINNING)
		waiter->result = doca_sync_event_wait_eq(event, 99, ALL_BITS);
	else if (waiter->way == BY_SLEEPING)
		waiter->result = doca_sync_event_wait_eq_yield(event, 99, ALL_BITS);
	else
		wait_until_told(waiter->import, waiter->way == BY_EVENTS);
	waiter->end_ns = event_now_ns(CLOCK_MONOTONIC);
	if (waiter->way == BY_POLLING || waiter->way == BY_EVENTS)
		waiter->result = waiter->import->last_status;
	return NULL;
}

static void waiter_start(struct waiter *waiter, const struct event_child *exporter, enum way way)
{
	*waiter = (struct waiter){.way = way};
	waiter->import = event_import(exporter->descriptor, exporter->len);
	if (way == BY_POLLING || way == BY_EVENTS) {
		event_start_ctx(waiter->import);
		EVENT_SUBMIT(waiter->import, wait_eq, 1, 99, ALL_BITS);
	} else {
		assert_doca(doca_sync_event_start(waiter->import->event), DOCA_SUCCESS);
	}
	assert_int_equal(pthread_create(&waiter->thread, NULL, run_waiter, waiter), 0);
	while (!atomic_load(&waiter->has_begun))
		sched_yield();
}

static void waiter_end(struct waiter *waiter, doca_error_t wanted, uint64_t begin_ns)
{
	assert_int_equal(pthread_join(waiter->thread, NULL), 0);
	assert_doca(waiter->result, wanted);
	assert_true(waiter->end_ns - begin_ns < END_DEADLINE_NS);
}

/* How the exporter ends: a command, or k for kill, or b for that with a child behind it. */
static void every_wait_ends(const char *role, char how, doca_error_t wanted)
{
	size_t num_fds = open_fds();
	struct waiter waiters[NUM_WAYS];
	struct event_child exporter;
	uint64_t begin_ns;

	event_child_start_exporter(&exporter, role);
	for (unsigned i = 0; i < NUM_WAYS; i++)
		waiter_start(&waiters[i], &exporter, (enum way)i);
	event_child_do(&exporter, '3'); /* not what they wait for */
	if (how == 'b')
		event_child_do(&exporter, 'f');
	begin_ns = event_now_ns(CLOCK_MONOTONIC);
	if (how == 'k' || how == 'b')
		assert_int_equal(kill(exporter.pid, SIGKILL), 0);
	else
		event_child_do(&exporter, how);
	for (unsigned i = 0; i < NUM_WAYS; i++)
		waiter_end(&waiters[i], wanted, begin_ns);
	/* Behind all of them: a stop rings for those that still wait. */
	for (unsigned i = 0; i < NUM_WAYS; i++)
		event_close(waiters[i].import);
	event_child_kill(&exporter);
	assert_int_equal(open_fds(), num_fds);
}

static void a_killed_exporter_ends_every_wait(void **state)
{
	every_wait_ends("exporter", 'k', DOCA_ERROR_CONNECTION_RESET);
	every_wait_ends("outside", 'k', DOCA_ERROR_CONNECTION_RESET);
}

static void a_killed_exporter_ends_every_wait_though_a_child_of_it_lives(void **state)
{
	every_wait_ends("exporter", 'b', DOCA_ERROR_CONNECTION_RESET);
}

static void an_exporter_that_exits_or_execs_ends_every_wait(void **state)
{
	every_wait_ends("exporter", 'x', DOCA_ERROR_CONNECTION_RESET);
	every_wait_ends("exporter", 'e', DOCA_ERROR_CONNECTION_RESET);
}

static void an_event_that_is_stopped_ends_every_wait(void **state)
{
	every_wait_ends("exporter", 's', DOCA_ERROR_SHUTDOWN);
}

static void an_event_that_is_destroyed_ends_every_wait(void **state)
{
	every_wait_ends("exporter", 'd', DOCA_ERROR_SHUTDOWN);
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void each_process_wakes_a_sleeper_of_the_other(void **state)
{
	static uint64_t took_ns[NUM_PINGS];
	struct event_child exporter;
	struct event_fixture *import;

	event_child_start_exporter(&exporter, "exporter");
	import = event_import(exporter.descriptor, exporter.len);
	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	event_child_tell(&exporter, 'p');
	for (uint64_t i = 0; i < NUM_PINGS; i++) {
		uint64_t asleep_ns = event_now_ns(CLOCK_MONOTONIC) + ASLEEP_NS;
		uint64_t begin_ns;

		/* The other one shall sleep by then. */
		while ((begin_ns = event_now_ns(CLOCK_MONOTONIC)) < asleep_ns)
			;
		assert_doca(doca_sync_event_update_set(import->event, 2 * i + 1), DOCA_SUCCESS);
		assert_doca(doca_sync_event_wait_eq_yield(import->event, 2 * i + 2, ALL_BITS),
			    DOCA_SUCCESS);
		took_ns[i] = (event_now_ns(CLOCK_MONOTONIC) - begin_ns) / 2;
	}
	event_child_answers(&exporter, 'p');
	qsort(took_ns, NUM_PINGS, sizeof(took_ns[0]), compare);
	print_message("# from a set to the sleeper: median %u us, 99 of 100 %u us\n",
		      (unsigned)(took_ns[NUM_PINGS / 2] / 1000),
		      (unsigned)(took_ns[NUM_PINGS * 99 / 100] / 1000));
	assert_true(took_ns[NUM_PINGS / 2] < WAKE_DEADLINE_NS);
	event_close(import);
	event_child_kill(&exporter);
}

static void a_value_in_memory_of_the_exporter_is_shared(void **state)
{
	struct event_child exporter;
	struct event_fixture *import;

	event_child_start_exporter(&exporter, "outside");
	import = event_import(exporter.descriptor, exporter.len);
	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	event_child_do(&exporter, '7');
	assert_int_equal(event_value(import), 7);
	event_child_tell(&exporter, '8');
	assert_doca(doca_sync_event_wait_gt_yield(import->event, 7, ALL_BITS), DOCA_SUCCESS);
	event_close(import);
	event_child_kill(&exporter);
}

static void an_import_of_an_exporter_that_is_gone_says_so(void **state)
{
	struct doca_dev *dev = event_open_dev(false);
	struct doca_sync_event *event = NULL;
	struct event_child exporter;

	event_child_start_exporter(&exporter, "exporter");
	event_child_do(&exporter, 's');
	assert_doca(
		doca_sync_event_create_from_export(dev, exporter.descriptor, exporter.len, &event),
		DOCA_ERROR_NOT_FOUND);
	event_child_kill(&exporter);
	assert_doca(
		doca_sync_event_create_from_export(dev, exporter.descriptor, exporter.len, &event),
		DOCA_ERROR_NOT_CONNECTED);
	assert_null(event);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void an_importer_that_is_killed_while_it_waits_disturbs_nobody(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct event_fixture *import;
	struct event_child child;
	size_t len;
	const uint8_t *data = event_export(fixture, &len);

	event_child_start(&child, "importer");
	assert_int_equal(write(child.commands, &len, sizeof(len)), sizeof(len));
	assert_int_equal(write(child.commands, data, len), (ssize_t)len);
	event_child_answers(&child, 'w');
	event_child_kill(&child);
	import = event_import(data, len);
	event_start_ctx(import);
	EVENT_SUBMIT(import, wait_eq, 1, 5, ALL_BITS);
	for (uint64_t value = 1; value <= 5; value++)
		assert_doca(doca_sync_event_update_set(fixture->event, value), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(import->pe), 1);
	assert_int_equal(import->num_done, 1);
	event_close(import);
	event_close(fixture);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_exporter_ends_every_wait),
		cmocka_unit_test(a_killed_exporter_ends_every_wait_though_a_child_of_it_lives),
		cmocka_unit_test(an_exporter_that_exits_or_execs_ends_every_wait),
		cmocka_unit_test(an_event_that_is_stopped_ends_every_wait),
		cmocka_unit_test(an_event_that_is_destroyed_ends_every_wait),
		cmocka_unit_test(each_process_wakes_a_sleeper_of_the_other),
		cmocka_unit_test(a_value_in_memory_of_the_exporter_is_shared),
		cmocka_unit_test(an_import_of_an_exporter_that_is_gone_says_so),
		cmocka_unit_test(an_importer_that_is_killed_while_it_waits_disturbs_nobody),
	};

	if (argc == 2 && strcmp(argv[1], "importer") == 0)
		return run_importer();
	if (argc == 2)
		return run_exporter(strcmp(argv[1], "outside") == 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
