/* SPDX-License-Identifier: Apache-2.0 */
/* What the owner of a queue does beside the threads: with its lists, its signals, its own end. */
#include "support/workers_bench.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "support/fail_nth.h"
#include "support/needs.h"
#include "support/process.h"
#include "support/slow_tool.h"
#include "support/under_asan.h"

static unsigned create_fails_in;

WRAPPED(int, pthread_create,
	(pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *argument),
	(thread, attr, run, argument), create_fails_in, EAGAIN)

/* Threads are done with it, and the owner is not. */
static void pieces_change_when_the_owner_polls(void **state)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	bench_open(&bench, MIB);
	submit(&bench, &one, 0, MIB);
	sleep_until_work(&bench);
	assert_int_equal(one.target.data_len_bytes, 0);
	assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

static void a_list_that_changed_before_it_is_given_back_fails_the_copy(void **state)
{
	for (unsigned way = 0; way < 4; way++) {
		struct copy_piece tail;
		struct bench bench;
		struct engine_op *op;
		struct one ones[2];

		bench_open(&bench, 2 * MIB);
		one_init(&ones[0], &bench, 0, MIB);
		tail = (struct copy_piece){
			.head = bench.to + MIB, .data = bench.to + MIB, .len_bytes = MIB};
		ones[0].target.len_bytes = MIB - 1;
		ones[0].target.next = &tail;
		workers_engine.submit(bench.queue, &ones[0].op);
		sleep_until_work(&bench);
		if (way == 0)
			ones[0].target.next = NULL; /* too little room is left */
		else if (way == 1)
			ones[0].target.data_len_bytes = 1; /* grew, and has room */
		else if (way == 2)
			ones[0].target.data = bench.to - 1;
		else
			ones[0].source.data_len_bytes = SIZE_MAX;
		assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
		assert_ptr_equal(op, &ones[0].op);
		assert_doca(op->status, DOCA_ERROR_IO_FAILED);
		assert_int_equal(op->fault, COPY_CHANGED);
		assert_int_equal(ones[0].target.data_len_bytes, way == 1);
		assert_int_equal(tail.data_len_bytes, 0);
		submit(&bench, &ones[1], MIB, MIB);
		assert_ptr_equal(wait_op(&bench, true), &ones[1].op);
		assert_whole(&bench, &ones[1]);
		bench_close(&bench);
	}
}

/* What is behind a failed copy comes back flushed, as it has not begun. */
static void nothing_begins_behind_a_list_that_changed(void **state)
{
	struct one ones[2];
	struct bench bench;
	struct engine_op *op;

	bench_open(&bench, 2 * MIB);
	submit(&bench, &ones[0], 0, MIB);
	one_init(&ones[1], &bench, MIB, MIB);
	ones[1].op.target = &ones[0].target; /* waits until the first is given back */
	workers_engine.submit(bench.queue, &ones[1].op);
	sleep_until_work(&bench);
	ones[0].target.data = bench.to - 1;
	assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
	assert_int_equal(op->fault, COPY_CHANGED);
	workers_engine.abort(bench.queue);
	assert_ptr_equal(wait_op(&bench, true), &ones[1].op);
	assert_doca(ones[1].op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(ones[1].op.fault, COPY_SOUND);
	assert_int_equal(bench.to[MIB], GUARD_BYTE);
	bench_close(&bench);
}

/* The second's list is the end of the first's; then the source of the third is what both wrote. */
static void a_copy_begins_where_those_before_it_will_end(void **state)
{
	struct copy_piece tail;
	struct copy_piece copied;
	struct bench bench;
	struct one ones[3];

	bench_open(&bench, 4 * MIB);
	one_init(&ones[0], &bench, 0, MIB);
	one_init(&ones[1], &bench, MIB, MIB);
	one_init(&ones[2], &bench, 2 * MIB, 2 * MIB);
	ones[0].target.len_bytes = 100;
	tail = (struct copy_piece){.head = bench.to, .data = bench.to + 100, .len_bytes = 2 * MIB};
	ones[0].target.next = &tail;
	ones[1].op.target = &tail;
	copied = (struct copy_piece){
		.head = bench.to, .data = bench.to, .len_bytes = 100, .data_len_bytes = 100};
	copied.next = &tail;
	ones[2].op.source = &copied;
	for (size_t i = 0; i < 3; i++)
		workers_engine.submit(bench.queue, &ones[i].op);
	for (size_t i = 0; i < 3; i++) {
		assert_ptr_equal(wait_op(&bench, true), &ones[i].op);
		assert_doca(ones[i].op.status, DOCA_SUCCESS);
	}
	assert_int_equal(tail.data_len_bytes, 2 * MIB - 100);
	assert_int_equal(memcmp(bench.to, bench.from, 2 * MIB), 0);
	assert_int_equal(memcmp(bench.to + 2 * MIB, bench.from, 2 * MIB), 0);
	bench_close(&bench);
}

static uint8_t *page; /* that nobody may read before its handler let it */

static void fork_and_let(int signal)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid || mprotect(page, 1, PROT_READ) != 0)
		_exit(2);
}

/* Nothing is left that a fork waits for. */
static bool forks_again(void)
{
	fork_and_let(0);
	return true;
}

/* In a child, where no thread is: the slices are this one's. */
static bool forks_in_a_slice(void *argument)
{
	struct sigaction action = {.sa_handler = fork_and_let};
	struct bench *bench = argument;
	struct engine_op *op;

	page = bench->from + 2 * MIB - 4096;
	page -= (uintptr_t)page % 4096;
	if (sigaction(SIGSEGV, &action, NULL) != 0 || mprotect(page, 1, PROT_NONE) != 0)
		return false;
	return poll_once(bench, SIZE_MAX, &op) == ENGINE_DONE &&
	       poll_once(bench, SIZE_MAX, &op) == ENGINE_DONE && op->status == DOCA_SUCCESS &&
	       memcmp(bench->to, bench->from, 2 * MIB) == 0 && forks_again();
}

static void a_handler_of_signals_in_a_slice_may_fork(void **state)
{
	struct bench bench;
	struct one ones[2];

	skip_unless(!under_valgrind(), VALGRIND_DOES_NOT_GO_ON);
	bench_open(&bench, 2 * MIB);
	submit(&bench, &ones[0], 0, MIB);
	one_init(&ones[1], &bench, MIB, MIB);
	ones[1].op.target = &ones[0].target; /* no thread begins with it */
	workers_engine.submit(bench.queue, &ones[1].op);
	sleep_until_work(&bench);
	assert_in_fork(forks_in_a_slice, &bench);
	for (size_t i = 0; i < 2; i++)
		assert_ptr_equal(wait_op(&bench, true), &ones[i].op);
	assert_int_equal(memcmp(bench.to, bench.from, 2 * MIB), 0);
	bench_close(&bench);
}

/* *argument: open was left by return. */
static void *open_cancelled(void *argument)
{
	struct engine_queue *queue = NULL;
	struct waker waker = {.fd = -1};

	create_fails_in = 2; /* those before it are joined, where threads end */
	pthread_cancel(pthread_self());
	if (workers_engine.open(&queue, &waker) == DOCA_ERROR_OPERATING_SYSTEM)
		*(bool *)argument = true;
	pthread_testcancel();
	return NULL;
}

static void a_thread_that_is_cancelled_while_threads_do_not_start_ends_behind_it(void **state)
{
	bool has_returned = false;
	struct bench bench;
	pthread_t thread;
	void *result;

	skip_unless(!UNDER_ASAN, "the address sanitizer fails by itself when a cancelled thread "
				 "unwinds");
	assert_int_equal(pthread_create(&thread, NULL, open_cancelled, &has_returned), 0);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_true(has_returned);
	bench_open(&bench, 1);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_change_when_the_owner_polls),
		cmocka_unit_test(a_list_that_changed_before_it_is_given_back_fails_the_copy),
		cmocka_unit_test(nothing_begins_behind_a_list_that_changed),
		cmocka_unit_test(a_copy_begins_where_those_before_it_will_end),
		cmocka_unit_test(a_handler_of_signals_in_a_slice_may_fork),
		cmocka_unit_test(
			a_thread_that_is_cancelled_while_threads_do_not_start_ends_behind_it),
	};

	workers_set_threads(2);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
