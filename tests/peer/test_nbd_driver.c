/* SPDX-License-Identifier: Apache-2.0 */
/* What the thread behind NBD regions does when servers fail, and when processes fork and end. */
#include "support/nbd_fixture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define SERVED_BYTES (4 * MIB)
#define NUM_COPIES 8
#define DEADLINE_NS UINT64_C(500000000) /* of the region whose server fails */
#define SLACK_NS UINT64_C(1000000000)	/* of a machine that is busy with other tests */

/* Two servers, a region of each, and copies for the first. */
struct fixture {
	struct nbd_server server;
	struct nbd_server other;
	struct peer_region *region;
	struct peer_region *other_region;
	struct copy copies[NUM_COPIES];
	struct copy copy;
	uint8_t *local;
	size_t num_fds;
	size_t num_sockets;
	size_t num_threads;
};

static struct fixture *fixture_of(void **state)
{
	return *state;
}

static size_t count_sockets(void)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)) != NULL) {
		char target[7];

		if (readlinkat(dirfd(directory), entry->d_name, target, sizeof(target)) == 7 &&
		    memcmp(target, "socket:", 7) == 0)
			count++;
	}
	closedir(directory);
	return count;
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->num_fds = count_fds();
	fixture->num_sockets = count_sockets();
	fixture->num_threads = count_threads();
	fixture->local = calloc(1, SERVED_BYTES);
	assert_non_null(fixture->local);
	nbd_server_init(&fixture->server, SERVED_BYTES);
	nbd_server_init(&fixture->other, SERVED_BYTES);
	nbd_server_start(&fixture->server);
	nbd_server_start(&fixture->other);
	fixture->region = open_region_until(&fixture->server, DEADLINE_NS);
	fixture->other_region = open_region(&fixture->other);
	copy_init(&fixture->copy);
	copy_set(&fixture->copy, false, fixture->local, 0, 1000);
	for (size_t i = 0; i < NUM_COPIES; i++) {
		copy_init(&fixture->copies[i]);
		copy_set(&fixture->copies[i], i % 2 == 1, fixture->local + i * 1000, i * 1000,
			 1000);
	}
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = fixture_of(state);

	close_region(fixture->region);
	close_region(fixture->other_region);
	nbd_server_fini(&fixture->server);
	nbd_server_fini(&fixture->other);
	copy_fini(&fixture->copy);
	for (size_t i = 0; i < NUM_COPIES; i++)
		copy_fini(&fixture->copies[i]);
	assert_int_equal(count_fds(), fixture->num_fds);
	assert_int_equal(count_threads(), fixture->num_threads);
	free(fixture->local);
	free(fixture);
	return 0;
}

static void set_fault(struct fixture *fixture, enum nbd_fault fault)
{
	atomic_store(&fixture->server.plan->fault, fault);
}

static void submit_all(struct fixture *fixture)
{
	for (size_t i = 0; i < NUM_COPIES; i++)
		copy_submit(&fixture->copies[i], fixture->region);
}

static void assert_all(struct fixture *fixture, doca_error_t wanted)
{
	for (size_t i = 0; i < NUM_COPIES; i++)
		assert_doca(copy_wait(&fixture->copies[i]), wanted);
}

/* A connection was lost; the next copy makes another. */
static void assert_works_again(struct fixture *fixture)
{
	/* Not connections: the driver looks whether anybody listens when one has ended. */
	uint32_t before = atomic_load(&fixture->server.plan->num_gos);

	set_fault(fixture, NBD_SOUND);
	submit_all(fixture);
	assert_all(fixture, DOCA_SUCCESS);
	assert_int_equal(atomic_load(&fixture->server.plan->num_gos), before + 1);
}

/* Copies of the other region, until those of the first are done. */
static void others_go_on(struct fixture *fixture)
{
	size_t num_others = 0;

	while (!peer_io_is_done(&fixture->copies[0].io) || num_others == 0) {
		assert_doca(copy_run(&fixture->copy, fixture->other_region), DOCA_SUCCESS);
		num_others++;
	}
}

static void a_silent_server_ends_every_copy_at_the_deadline_and_stops_no_other(void **state)
{
	struct fixture *fixture = fixture_of(state);
	uint64_t begin = now_ns();

	set_fault(fixture, NBD_ANSWERS_NOT);
	submit_all(fixture);
	others_go_on(fixture);
	assert_all(fixture, DOCA_ERROR_TIME_OUT);
	assert_in_range(now_ns() - begin, DEADLINE_NS, DEADLINE_NS + SLACK_NS);
	assert_works_again(fixture);
}

static void a_stopped_server_ends_every_copy_at_the_deadline_and_stops_no_other(void **state)
{
	struct fixture *fixture = fixture_of(state);
	uint64_t begin = now_ns();

	nbd_server_signal(&fixture->server, SIGSTOP);
	submit_all(fixture);
	others_go_on(fixture);
	assert_all(fixture, DOCA_ERROR_TIME_OUT);
	assert_in_range(now_ns() - begin, DEADLINE_NS, DEADLINE_NS + SLACK_NS);

	/* Connected by the kernel, and not greeted. */
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_ERROR_TIME_OUT);
	nbd_server_signal(&fixture->server, SIGCONT);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_SUCCESS);
}

static void a_server_that_reads_nothing_ends_large_writes_at_the_deadline(void **state)
{
	struct fixture *fixture = fixture_of(state);

	set_fault(fixture, NBD_READS_NOT);
	copy_set(&fixture->copies[0], true, fixture->local, 0, SERVED_BYTES);
	submit_all(fixture);
	assert_all(fixture, DOCA_ERROR_TIME_OUT);
	assert_works_again(fixture);
}

static void a_server_that_goes_silent_in_a_reply_ends_it_at_the_deadline(void **state)
{
	struct fixture *fixture = fixture_of(state);

	set_fault(fixture, NBD_ANSWERS_HALF);
	submit_all(fixture);
	assert_all(fixture, DOCA_ERROR_TIME_OUT);
	assert_works_again(fixture);
}

/* Each makes the connection worthless. */
static void a_broken_connection_ends_every_copy(void **state)
{
	static const enum nbd_fault faults[] = {
		NBD_LEAVES,	      NBD_ANSWERS_HALF_AND_LEAVES, NBD_ANSWERS_ANOTHER,
		NBD_ANSWERS_NONSENSE, NBD_ANSWERS_STRUCTURED,
	};
	struct fixture *fixture = fixture_of(state);

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		uint64_t begin = now_ns();

		set_fault(fixture, faults[i]);
		submit_all(fixture);
		assert_all(fixture, DOCA_ERROR_CONNECTION_RESET);
		assert_true(now_ns() - begin < DEADLINE_NS + SLACK_NS);
		assert_works_again(fixture);
	}
}

static void a_killed_server_ends_every_copy_at_once(void **state)
{
	struct fixture *fixture = fixture_of(state);
	uint64_t begin;

	set_fault(fixture, NBD_ANSWERS_NOT);
	submit_all(fixture);
	begin = now_ns();
	nbd_server_signal(&fixture->server, SIGKILL);
	assert_all(fixture, DOCA_ERROR_CONNECTION_RESET);
	assert_true(now_ns() - begin < SLACK_NS);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_ERROR_CONNECTION_RESET);
	assert_doca(copy_run(&fixture->copy, fixture->other_region), DOCA_SUCCESS);
}

/* It is alive, its listener is not: what an agent does when its last region was revoked. */
static void a_server_that_listens_no_more_has_shut_down(void **state)
{
	struct fixture *fixture = fixture_of(state);

	doca_error_t first;

	nbd_server_close(&fixture->server);
	/* The end may come before or after the copy. */
	do {
		first = copy_run(&fixture->copies[0], fixture->region);
	} while (first == DOCA_SUCCESS);
	if (first != DOCA_ERROR_CONNECTION_RESET)
		assert_doca(first, DOCA_ERROR_SHUTDOWN);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_ERROR_SHUTDOWN);
}

/* Whether the thread has seen the end or not. */
static void a_connection_that_was_lost_unused_fails_no_copy(void **state)
{
	struct fixture *fixture = fixture_of(state);

	nbd_server_drop(&fixture->server);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_SUCCESS);
	nbd_server_drop(&fixture->server);
	for (int i = 0; i < 50; i++) {
		struct peer_region *region = open_region(&fixture->server);

		nbd_server_drop(&fixture->server);
		assert_doca(copy_run(&fixture->copies[0], region), DOCA_SUCCESS);
		nbd_server_drop(&fixture->server);
		close_region(region);
	}
}

static void what_a_new_connection_is_refused_is_what_copies_hear(void **state)
{
	static const struct {
		enum nbd_fault fault;
		uint32_t reply;
		doca_error_t wanted;
	} refusals[] = {
		{NBD_GO_REFUSED, NBD_TEST_UNKNOWN, DOCA_ERROR_SHUTDOWN},
		{NBD_GO_REFUSED, NBD_TEST_SHUTDOWN, DOCA_ERROR_SHUTDOWN},
		{NBD_GO_REFUSED, NBD_TEST_POLICY, DOCA_ERROR_CONNECTION_RESET},
		{NBD_GO_REFUSED, NBD_TEST_INVALID, DOCA_ERROR_CONNECTION_RESET},
		{NBD_GREETS_NOT, 0, DOCA_ERROR_TIME_OUT},
		{NBD_GO_SILENT, 0, DOCA_ERROR_TIME_OUT},
		{NBD_GREETS_OLD_STYLE, 0, DOCA_ERROR_CONNECTION_RESET},
		{NBD_GREETS_AND_LEAVES, 0, DOCA_ERROR_CONNECTION_RESET},
		{NBD_GO_LEAVES, 0, DOCA_ERROR_CONNECTION_RESET},
	};
	struct fixture *fixture = fixture_of(state);

	set_fault(fixture, NBD_LEAVES);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_ERROR_CONNECTION_RESET);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		fixture->server.plan->go_reply = refusals[i].reply;
		set_fault(fixture, refusals[i].fault);
		submit_all(fixture);
		assert_all(fixture, refusals[i].wanted);
	}
	set_fault(fixture, NBD_SOUND);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_SUCCESS);
}

static void the_deadline_begins_anew_with_each_answer(void **state)
{
	struct fixture *fixture = fixture_of(state);
	uint64_t begin = now_ns();

	/* 8 answers, each late, together beyond the deadline. */
	fixture->server.plan->delay_ms = 100;
	submit_all(fixture);
	assert_all(fixture, DOCA_SUCCESS);
	assert_true(now_ns() - begin > DEADLINE_NS);
}

static void an_idle_region_has_no_deadline(void **state)
{
	struct fixture *fixture = fixture_of(state);

	/* The other server is silent: its copy ends later than ours could, after which we go on. */
	struct peer_region *silent = open_region_until(&fixture->other, 3 * DEADLINE_NS / 2);

	atomic_store(&fixture->other.plan->fault, NBD_ANSWERS_NOT);
	assert_doca(copy_run(&fixture->copy, silent), DOCA_ERROR_TIME_OUT);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_SUCCESS);
	assert_int_equal(atomic_load(&fixture->server.plan->num_connections), 1);
	close_region(silent);
}

/* Regions come and go while another is busy: nobody waits for ever for the thread. */
static void regions_are_opened_and_closed_while_another_is_busy(void **state)
{
	struct fixture *fixture = fixture_of(state);

	for (size_t i = 0; i < NUM_COPIES; i++)
		copy_set(&fixture->copies[i], false, fixture->local + i * MIB / 2, i * MIB / 2,
			 MIB / 2);
	submit_all(fixture);
	for (int i = 0; i < 50; i++) {
		struct peer_region *region = open_region(&fixture->other);

		for (size_t at = 0; at < NUM_COPIES; at++)
			if (peer_io_is_done(&fixture->copies[at].io))
				copy_submit(&fixture->copies[at], fixture->region);
		assert_doca(copy_run(&fixture->copy, region), DOCA_SUCCESS);
		close_region(region);
	}
	assert_all(fixture, DOCA_SUCCESS);
}

static void the_end_of_a_closed_region_is_seen_by_its_server(void **state)
{
	struct fixture *fixture = fixture_of(state);
	struct peer_region *region = open_region(&fixture->other);

	close_region(region);
	/* Else the thread, which sleeps in poll(), would keep the socket. */
	nbd_server_wait_gone(&fixture->other);
}

/* A child: it has nothing of its parent's. */
static bool child_is_right(struct fixture *fixture)
{
	size_t num_fds = count_fds();
	struct copy copy;

	if (count_sockets() != fixture->num_sockets)
		return false;
	for (size_t i = 0; i < NUM_COPIES; i++)
		if (!peer_io_is_done(&fixture->copies[i].io) ||
		    fixture->copies[i].io.status != DOCA_ERROR_CONNECTION_RESET ||
		    !waker_is_armed(&fixture->copies[i].waker))
			return false;
	copy_init(&copy);
	copy_set(&copy, false, fixture->local, 0, 100);
	copy_submit(&copy, fixture->region);
	if (!peer_io_is_done(&copy.io) || copy.io.status != DOCA_ERROR_CONNECTION_RESET)
		return false;
	copy_fini(&copy);
	close_region(fixture->region);
	close_region(fixture->other_region);
	/* What stood in the place of the connections. */
	return count_fds() == num_fds - 2;
}

/* As another program: what libnbd keeps for the parent's threads is no leak of the child's. */
static void end_child(bool is_right)
{
	if (is_right)
		execlp("true", "true", (char *)NULL);
	_exit(1);
}

static void assert_child(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_forked_child_has_no_regions_and_the_parent_keeps_them(void **state)
{
	struct fixture *fixture = fixture_of(state);
	pid_t pid;

	set_fault(fixture, NBD_ANSWERS_NOT);
	submit_all(fixture);
	/* Their eventfds are the parent's too, which nothing of the child may signal. */
	for (size_t i = 0; i < NUM_COPIES; i++)
		waker_arm(&fixture->copies[i].waker);
	pid = fork();
	if (pid == 0) {
		alarm(PATIENCE_MS / 1000);
		end_child(child_is_right(fixture));
	}
	assert_child(pid);
	/* The child has let go of a connection that the parent goes on to use. */
	assert_all(fixture, DOCA_ERROR_TIME_OUT);
	assert_works_again(fixture);
	assert_doca(copy_run(&fixture->copy, fixture->other_region), DOCA_SUCCESS);
}

static void *copy_for_ever(void *argument)
{
	struct fixture *fixture = argument;

	while (copy_run(&fixture->copy, fixture->other_region) == DOCA_SUCCESS &&
	       !atomic_load(&fixture->other.plan->is_over))
		;
	return NULL;
}

static void forks_at_any_time_hang_nobody(void **state)
{
	struct fixture *fixture = fixture_of(state);
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, copy_for_ever, fixture), 0);
	for (int i = 0; i < 50; i++) {
		pid_t pid;

		submit_all(fixture);
		pid = fork();
		if (pid == 0) {
			alarm(PATIENCE_MS / 1000);
			for (size_t at = 0; at < NUM_COPIES; at++)
				if (!peer_io_is_done(&fixture->copies[at].io))
					_exit(1);
			close_region(fixture->region);
			close_region(fixture->other_region);
			end_child(true);
		}
		assert_child(pid);
		assert_all(fixture, DOCA_SUCCESS);
	}
	atomic_store(&fixture->other.plan->is_over, true);
	pthread_join(thread, NULL);
	assert_doca(fixture->copy.io.status, DOCA_SUCCESS);
}

#if !UNDER_TSAN

/* What handlers of exit() and destructors may still do; they have no other way to reach it. */
static struct fixture *exiting;

static void copy_at_exit(void)
{
	set_fault(exiting, NBD_SOUND);
	if (copy_run(&exiting->copies[1], exiting->region) != DOCA_SUCCESS)
		_exit(2);
}

static void copy_in_destructor(void) __attribute__((destructor));
static void copy_in_destructor(void)
{
	if (exiting == NULL)
		return;
	/* Before the leak checker looks: what is still open is not lost. */
	_exit(copy_run(&exiting->copies[2], exiting->region) == DOCA_SUCCESS ? 0 : 3);
}

/* In a process that opened its regions itself, and exits with copies under way. */
static void exit_with_regions(struct fixture *fixture)
{
	alarm(PATIENCE_MS / 1000);
	close_region(fixture->region);
	close_region(fixture->other_region);
	fixture->region = open_region(&fixture->server);
	exiting = fixture;
	atexit(copy_at_exit);
	copy_submit(&fixture->copies[0], fixture->region);
	exit(0);
}

static void a_process_exits_with_copies_under_way_and_copies_at_exit(void **state)
{
	struct fixture *fixture = fixture_of(state);
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		exit_with_regions(fixture);
	assert_child(pid);
	assert_doca(copy_run(&fixture->copies[0], fixture->region), DOCA_SUCCESS);
}

static void a_process_may_become_another_program(void **state)
{
	struct fixture *fixture = fixture_of(state);
	pid_t pid = fork();

	if (pid == 0) {
		fixture->region = open_region(&fixture->server);
		copy_submit(&fixture->copies[0], fixture->region);
		execlp("true", "true", (char *)NULL);
		_exit(1);
	}
	assert_child(pid);
}

#endif /* !UNDER_TSAN */

#define DRIVER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DRIVER_TEST(a_silent_server_ends_every_copy_at_the_deadline_and_stops_no_other),
		DRIVER_TEST(a_stopped_server_ends_every_copy_at_the_deadline_and_stops_no_other),
		DRIVER_TEST(a_server_that_reads_nothing_ends_large_writes_at_the_deadline),
		DRIVER_TEST(a_server_that_goes_silent_in_a_reply_ends_it_at_the_deadline),
		DRIVER_TEST(a_broken_connection_ends_every_copy),
		DRIVER_TEST(a_killed_server_ends_every_copy_at_once),
		DRIVER_TEST(a_server_that_listens_no_more_has_shut_down),
		DRIVER_TEST(a_connection_that_was_lost_unused_fails_no_copy),
		DRIVER_TEST(what_a_new_connection_is_refused_is_what_copies_hear),
		DRIVER_TEST(the_deadline_begins_anew_with_each_answer),
		DRIVER_TEST(an_idle_region_has_no_deadline),
		DRIVER_TEST(regions_are_opened_and_closed_while_another_is_busy),
		DRIVER_TEST(the_end_of_a_closed_region_is_seen_by_its_server),
		DRIVER_TEST(a_forked_child_has_no_regions_and_the_parent_keeps_them),
		DRIVER_TEST(forks_at_any_time_hang_nobody),
#if !UNDER_TSAN
		DRIVER_TEST(a_process_exits_with_copies_under_way_and_copies_at_exit),
		DRIVER_TEST(a_process_may_become_another_program),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
