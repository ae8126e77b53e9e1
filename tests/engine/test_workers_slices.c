/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who takes which slice and when: the threads that copy are held in the middle of a slice, until
 * the test lets them go on.
 */
#include "support/workers_bench.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "copy/copy.h"

#define MAX_SLICES 64

/* What the hooks below see and do. */
static struct {
	pthread_t tester; /* is never held */
	_Atomic bool holds;
	_Atomic unsigned num_held;
	_Atomic unsigned num_begun;
	uint8_t *_Atomic begun[MAX_SLICES]; /* their targets */
	_Atomic unsigned num_rests;	    /* how often a thread went to sleep */
	_Atomic unsigned may_rest;	    /* so often; 0: always */
	void (*_Atomic at_yield)(void);	    /* what the tester's next yield does */
} the;

void __wrap_copy_large(void *to, const void *from, size_t len_bytes, bool is_streaming);
void __real_copy_large(void *to, const void *from, size_t len_bytes, bool is_streaming);
void __wrap_copy_long(struct copy_history *history, void *to, const void *from, size_t len_bytes);
void __real_copy_long(struct copy_history *history, void *to, const void *from, size_t len_bytes);
int __wrap_sched_yield(void);
int __real_sched_yield(void);
long __wrap_syscall(long number, ...);
long __real_syscall(long number, ...);

/* Until it is so, or the deadline. */
#define WAIT_UNTIL(condition)                                                                      \
	do {                                                                                       \
		time_t end = time(NULL) + DEADLINE_MS / 1000;                                      \
		while (!(condition) && time(NULL) < end)                                           \
			(void)__real_sched_yield();                                                \
	} while (0)

/* A thread begins to copy to a place. */
static void begin(void *to)
{
	unsigned number = atomic_fetch_add(&the.num_begun, 1);

	if (number < MAX_SLICES)
		atomic_store(&the.begun[number], to);
	if (!pthread_equal(pthread_self(), the.tester)) {
		atomic_fetch_add(&the.num_held, 1);
		WAIT_UNTIL(!atomic_load(&the.holds));
	}
}

void __wrap_copy_long(struct copy_history *history, void *to, const void *from, size_t len_bytes)
{
	begin(to);
	__real_copy_long(history, to, from, len_bytes);
}

void __wrap_copy_large(void *to, const void *from, size_t len_bytes, bool is_streaming)
{
	begin(to);
	__real_copy_large(to, from, len_bytes, is_streaming);
}

int __wrap_sched_yield(void)
{
	if (pthread_equal(pthread_self(), the.tester)) {
		void (*at_yield)(void) = atomic_exchange(&the.at_yield, NULL);

		if (at_yield != NULL)
			at_yield();
	}
	return __real_sched_yield();
}

long __wrap_syscall(long number, ...)
{
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (unsigned i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_futex && (int)arguments[1] == FUTEX_WAIT_PRIVATE) {
		unsigned rest = atomic_fetch_add(&the.num_rests, 1) + 1;

		WAIT_UNTIL(atomic_load(&the.may_rest) == 0 || atomic_load(&the.may_rest) >= rest);
	}
	return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
			      arguments[4], arguments[5]);
}

/* The first queue of the process: with that many threads, which all sleep. */
static void open_asleep(struct bench *bench, size_t len_bytes, unsigned num_threads)
{
	atomic_store(&the.holds, true);
	atomic_store(&the.num_held, 0);
	atomic_store(&the.num_begun, 0);
	atomic_store(&the.num_rests, 0);
	atomic_store(&the.may_rest, 0);
	the.tester = pthread_self();
	workers_set_threads(num_threads);
	bench_open(bench, len_bytes);
	WAIT_UNTIL(atomic_load(&the.num_rests) == num_threads);
	assert_int_equal(atomic_load(&the.num_rests), num_threads);
}

static void wait_held(unsigned num_slices)
{
	WAIT_UNTIL(atomic_load(&the.num_held) == num_slices);
	assert_int_equal(atomic_load(&the.num_held), num_slices);
}

static void let_go(void)
{
	atomic_store(&the.holds, false);
}

static void expect_help(size_t len_bytes, enum engine_polled polled)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	open_asleep(&bench, len_bytes, 1);
	submit(&bench, &one, 0, len_bytes);
	wait_held(1);
	assert_int_equal(poll_once(&bench, 2 * MIB, &op), polled);
	assert_true(atomic_load(&the.num_begun) > 1);
	let_go();
	assert_ptr_equal(wait_op(&bench, true), &one.op);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

static void help_with_a_copy_that_a_call_could_do_whole_is_no_part_of_a_long_one(void **state)
{
	expect_help(MIB, ENGINE_IDLE);
	expect_help(2 * MIB, ENGINE_IDLE);
}

/* Also where the budget is not used up. */
static void help_with_a_long_copy_is_a_part_of_it(void **state)
{
	expect_help(2 * MIB + 1, ENGINE_PART);
	expect_help(5 * MIB, ENGINE_PART);
}

static void queues_have_slices_in_turn(void **state)
{
	struct bench one_bench;
	struct bench other_bench;
	struct one one;
	struct one other;

	open_asleep(&one_bench, MIB, 1);
	bench_open(&other_bench, MIB);
	submit(&one_bench, &one, 0, MIB);
	wait_held(1);
	submit(&other_bench, &other, 0, MIB);
	let_go();
	sleep_until_work(&one_bench);
	sleep_until_work(&other_bench);
	for (unsigned i = 1; i < 7; i++) {
		const struct bench *bench = i % 2 == 0 ? &other_bench : &one_bench;
		uint8_t *to = atomic_load(&the.begun[i]);

		assert_true(to >= bench->to && to < bench->to + bench->len_bytes);
	}
	(void)wait_op(&one_bench, false);
	(void)wait_op(&other_bench, false);
	bench_close(&one_bench);
	bench_close(&other_bench);
}

static void a_thread_that_takes_a_slice_wakes_the_next(void **state)
{
	struct bench bench;
	struct one one;

	open_asleep(&bench, MIB, 3);
	submit(&bench, &one, 0, MIB);
	wait_held(3);
	let_go();
	assert_ptr_equal(wait_op(&bench, false), &one.op);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

/* Between any two looks of the watch there is a poll. */
static void a_small_copy_that_is_polled_is_never_handed_over(void **state)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	open_asleep(&bench, 1000, 1);
	atomic_store(&the.may_rest, 1);
	submit(&bench, &one, 0, 1000);
	for (unsigned i = 2; i < 7; i++) {
		WAIT_UNTIL(atomic_load(&the.num_rests) == i);
		assert_int_equal(atomic_load(&the.num_rests), i);
		assert_int_equal(poll_once(&bench, 1, &op), ENGINE_PART);
		assert_int_equal(((struct workers_queue *)bench.queue)->num_handed, 0);
		atomic_store(&the.may_rest, i);
	}
	atomic_store(&the.may_rest, 0);
	assert_int_equal(poll_once(&bench, 1000, &op), ENGINE_DONE);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

/* An owner that is held in its copy, in another thread than the tester's. */
static void *submit_and_poll_small(void *bench)
{
	struct engine_op *op;
	struct one one;

	submit(bench, &one, 0, 512 * KIB);
	return (void *)(intptr_t)(poll_once(bench, MIB, &op) == ENGINE_DONE && op == &one.op);
}

static void a_small_copy_is_not_taken_from_an_owner_that_is_slow_with_it(void **state)
{
	struct bench bench;
	pthread_t owner;
	void *is_done;

	open_asleep(&bench, MIB, 1);
	assert_int_equal(pthread_create(&owner, NULL, submit_and_poll_small, &bench), 0);
	WAIT_UNTIL(atomic_load(&the.num_rests) >= 6); /* four looks, and what the submit woke */
	assert_true(atomic_load(&the.num_rests) >= 6);
	assert_int_equal(atomic_load(&the.num_begun), 1);
	let_go();
	assert_int_equal(pthread_join(owner, &is_done), 0);
	assert_non_null(is_done);
	assert_int_equal(memcmp(bench.to, bench.from, 512 * KIB), 0);
	bench_close(&bench);
}

/* The fork waits for the slice that is held: its thread takes no other. */
static void let_go_on_to_the_next_or_to_sleep(void)
{
	unsigned num_rests = atomic_load(&the.num_rests);

	let_go();
	WAIT_UNTIL(atomic_load(&the.num_begun) > 1 || atomic_load(&the.num_rests) > num_rests);
	atomic_store(&the.holds, atomic_load(&the.num_begun) > 1);
}

static void fork_at_a_slice(void (*at_yield)(void))
{
	pid_t pid;

	atomic_store(&the.at_yield, at_yield);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_null(atomic_load(&the.at_yield));
}

static void a_fork_waits_for_one_slice_and_wakes_who_sleeps_for_it(void **state)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	open_asleep(&bench, 4 * MIB, 1);
	submit(&bench, &one, 0, 4 * MIB);
	wait_held(1);
	fork_at_a_slice(let_go_on_to_the_next_or_to_sleep);
	assert_false(atomic_load(&the.holds)); /* no other slice began before the fork */
	sleep_until_work(&bench);
	assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

/* Another thread's queue. */
static struct {
	struct bench bench;
	struct one one;
	_Atomic bool is_submitted;
	_Atomic bool may_poll;
	_Atomic bool has_polled;
	enum engine_polled polled;
	bool is_whole;
} other;

static void *submit_and_poll(void *unused)
{
	struct engine_op *op;

	submit(&other.bench, &other.one, 0, 4 * MIB);
	atomic_store(&other.is_submitted, true);
	WAIT_UNTIL(atomic_load(&other.may_poll));
	other.polled = poll_once(&other.bench, 1000, &op);
	atomic_store(&other.has_polled, true);
	other.is_whole = wait_op(&other.bench, false) == &other.one.op;
	return NULL;
}

/* The owner polls while the fork waits: it copies nothing. */
static void let_poll(void)
{
	atomic_store(&other.may_poll, true);
	WAIT_UNTIL(atomic_load(&other.has_polled) || atomic_load(&the.num_begun) > 1);
	let_go();
}

static void an_owner_does_not_help_while_a_fork_waits(void **state)
{
	pthread_t owner;

	open_asleep(&other.bench, 4 * MIB, 1);
	assert_int_equal(pthread_create(&owner, NULL, submit_and_poll, NULL), 0);
	wait_held(1);
	WAIT_UNTIL(atomic_load(&other.is_submitted));
	fork_at_a_slice(let_poll);
	assert_int_equal(pthread_join(owner, NULL), 0);
	assert_int_equal(other.polled, ENGINE_IDLE);
	assert_true(other.is_whole);
	bench_close(&other.bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			help_with_a_copy_that_a_call_could_do_whole_is_no_part_of_a_long_one),
		cmocka_unit_test(help_with_a_long_copy_is_a_part_of_it),
		cmocka_unit_test(queues_have_slices_in_turn),
		cmocka_unit_test(a_thread_that_takes_a_slice_wakes_the_next),
		cmocka_unit_test(a_small_copy_that_is_polled_is_never_handed_over),
		cmocka_unit_test(a_small_copy_is_not_taken_from_an_owner_that_is_slow_with_it),
		cmocka_unit_test(a_fork_waits_for_one_slice_and_wakes_who_sleeps_for_it),
		cmocka_unit_test(an_owner_does_not_help_while_a_fork_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
