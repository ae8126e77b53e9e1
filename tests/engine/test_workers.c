/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers engine: the contract, and what it adds: copies without their owner, in slices, by
 * threads that sleep when there is nothing to do. The argument is how many threads; 2 without.
 */
#include "contract/engine_suite.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/workers/pool.h"
#include "engine/workers/workers.h"
#include "support/dma_fixture.h"
#include "support/fail_nth.h"
#include "support/needs.h"
#include "support/process.h"
#include "support/slow_tool.h"
#include "support/under_tsan.h"
#include "support/workers_bench.h"

static unsigned num_threads; /* set once, in main */
static unsigned create_fails_in;
static unsigned atfork_fails_in;
static bool survived_atfork;

WRAPPED(int, pthread_create,
	(pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *argument),
	(thread, attr, run, argument), create_fails_in, EAGAIN)
WRAPPED(int, pthread_atfork, (void (*prepare)(void), void (*parent)(void), void (*child)(void)),
	(prepare, parent, child), atfork_fails_in, ENOMEM)

static void a_large_copy_is_done_without_a_poll(void **state)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	bench_open(&bench, WORKERS_LARGE_BYTES + 7);
	submit(&bench, &one, 0, WORKERS_LARGE_BYTES + 7);
	sleep_until_work(&bench);
	assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
	assert_ptr_equal(op, &one.op);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

static void large_copies_in_a_row_are_done_without_a_poll(void **state)
{
	struct one ones[5];
	struct bench bench;
	struct engine_op *op;

	bench_open(&bench, 5 * MIB);
	for (size_t i = 0; i < 5; i++)
		submit(&bench, &ones[i], i * MIB, MIB);
	for (size_t i = 0; i < 5; i++) {
		sleep_until_work(&bench);
		assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
		assert_ptr_equal(op, &ones[i].op);
		assert_whole(&bench, &ones[i]);
	}
	bench_close(&bench);
}

static void a_small_copy_is_done_by_who_polls(void **state)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	bench_open(&bench, WORKERS_LARGE_BYTES);
	submit(&bench, &one, 0, WORKERS_LARGE_BYTES - 1);
	assert_true(workers_engine.has_work(bench.queue));
	assert_int_equal(poll_once(&bench, 100, &op), ENGINE_PART);
	assert_int_equal(bench.to[99], bench.from[99]);
	assert_int_equal(bench.to[100], ENGINE_SUITE_GUARD);
	assert_int_equal(poll_once(&bench, SIZE_MAX, &op), ENGINE_DONE);
	assert_whole(&bench, &one);
	bench_close(&bench);
}

/* has_work, which is no poll, is false when they are taken over, and true when one is done. */
static void wait_taken_over(struct bench *bench)
{
	uint64_t deadline = (uint64_t)time(NULL) + DEADLINE_MS / 1000;
	struct pollfd nothing = {.fd = bench->waker.fd, .events = POLLIN};

	while (!atomic_load(&((struct workers_queue *)bench->queue)->has_news)) {
		assert_true((uint64_t)time(NULL) < deadline);
		(void)workers_engine.has_work(bench->queue);
		(void)poll(&nothing, 1, 1);
	}
	sleep_until_work(bench);
}

static void small_copies_that_nobody_polls_are_done_in_the_end(void **state)
{
	struct one ones[3];
	struct bench bench;
	struct engine_op *op;

	bench_open(&bench, 100);
	for (size_t i = 0; i < 3; i++)
		submit(&bench, &ones[i], 30 * i, 30);
	wait_taken_over(&bench);
	for (size_t i = 0; i < 3; i++) {
		sleep_until_work(&bench);
		assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
		assert_ptr_equal(op, &ones[i].op);
		assert_whole(&bench, &ones[i]);
	}
	bench_close(&bench);
}

static void a_copy_that_was_left_half_done_is_ended(void **state)
{
	struct bench bench;
	struct engine_op *op;
	struct one one;

	bench_open(&bench, 4 * KIB);
	submit(&bench, &one, 1, 4 * KIB - 2);
	assert_int_equal(poll_once(&bench, 1000, &op), ENGINE_PART);
	wait_taken_over(&bench);
	assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
	assert_whole(&bench, &one);
	assert_int_equal(bench.to[0], ENGINE_SUITE_GUARD);
	assert_int_equal(bench.to[4 * KIB - 1], ENGINE_SUITE_GUARD);
	bench_close(&bench);
}

/* Straight from the queue: a thread must not be given the time to be seen. */
static size_t num_handed(const struct bench *bench)
{
	return ((const struct workers_queue *)bench->queue)->num_handed;
}

static void a_large_copy_begins_once_the_small_one_before_it_is_given_back(void **state)
{
	struct one ones[2];
	struct bench bench;
	struct engine_op *op;

	bench_open(&bench, 2 * MIB);
	submit(&bench, &ones[0], 0, 100);
	submit(&bench, &ones[1], MIB, MIB);
	assert_int_equal(num_handed(&bench), 0);
	assert_int_equal(poll_once(&bench, SIZE_MAX, &op), ENGINE_DONE);
	assert_ptr_equal(op, &ones[0].op);
	assert_int_equal(num_handed(&bench), 1);
	assert_ptr_equal(wait_op(&bench, true), &ones[1].op);
	assert_whole(&bench, &ones[1]);
	bench_close(&bench);
}

static void a_large_copy_behind_a_small_one_that_failed_begins_with_the_next_poll(void **state)
{
	struct one ones[2];
	struct bench bench;
	struct engine_op *op;

	bench_open(&bench, 2 * MIB);
	one_init(&ones[0], &bench, 0, 100);
	ones[0].target.len_bytes = 99;
	workers_engine.submit(bench.queue, &ones[0].op);
	submit(&bench, &ones[1], MIB, MIB);
	assert_int_equal(poll_once(&bench, SIZE_MAX, &op), ENGINE_DONE);
	assert_doca(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(num_handed(&bench), 0);
	assert_ptr_equal(wait_op(&bench, true), &ones[1].op);
	assert_whole(&bench, &ones[1]);
	bench_close(&bench);
}

/* A small number that is another each time; the same in each run. */
static size_t next_random(uint64_t *random, size_t below)
{
	*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (size_t)(*random >> 33) % below;
}

#define MAX_OPS 32
#define MAX_PIECES 70

/* Cut len_bytes from a place on into pieces; those of a target are larger than what they get. */
static size_t cut(struct copy_piece *pieces, uint8_t *at, size_t len_bytes, uint64_t *random,
		  bool is_target)
{
	size_t num_pieces = 1 + next_random(random, MAX_PIECES - 1);
	size_t i;

	for (i = 0; len_bytes > 0; i++) {
		size_t len = i + 1 == num_pieces ? len_bytes
						 : next_random(random, 2 * len_bytes / num_pieces);

		if (len > len_bytes)
			len = len_bytes;
		pieces[i] = (struct copy_piece){.head = at,
						.len_bytes = len,
						.data = at,
						.data_len_bytes = is_target ? 0 : len,
						.next = &pieces[i + 1]};
		at += len;
		len_bytes -= len;
	}
	pieces[i - 1].next = NULL;
	return i;
}

static void lists_of_odd_pieces_are_copied_as_one(void **state)
{
	static struct copy_piece source[MAX_PIECES];
	static struct copy_piece target[MAX_PIECES];
	uint64_t random = 1;
	struct bench bench;

	bench_open(&bench, 4 * MIB);
	for (unsigned round = 0; round < 100; round++) {
		size_t len_bytes = WORKERS_LARGE_BYTES + next_random(&random, 3 * MIB);
		size_t from = next_random(&random, 100);
		size_t to = next_random(&random, 100);
		struct engine_op op = {.source = source, .target = target, .len_bytes = len_bytes};
		size_t left_bytes = len_bytes;
		size_t num_pieces;

		memset(bench.to, ENGINE_SUITE_GUARD, bench.len_bytes);
		cut(source, bench.from + from, len_bytes, &random, false);
		num_pieces = cut(target, bench.to + to, len_bytes, &random, true);
		workers_engine.submit(bench.queue, &op);
		assert_ptr_equal(wait_op(&bench, round % 2 == 0), &op);
		assert_doca(op.status, DOCA_SUCCESS);
		assert_int_equal(memcmp(bench.to + to, bench.from + from, len_bytes), 0);
		assert_true(to == 0 || bench.to[to - 1] == ENGINE_SUITE_GUARD);
		assert_int_equal(bench.to[to + len_bytes], ENGINE_SUITE_GUARD);
		for (size_t i = 0; i < num_pieces; i++)
			left_bytes -= target[i].data_len_bytes;
		assert_int_equal(left_bytes, 0);
	}
	bench_close(&bench);
}

static void pieces_over_each_other_are_memmove(void **state)
{
	static const size_t shifts[] = {1, 4 * KIB, SLICE_BYTES, 600 * KIB};
	const size_t len_bytes = 2 * MIB + 5;
	struct bench bench;

	bench_open(&bench, 4 * MIB);
	for (unsigned i = 0; i < 2 * sizeof(shifts) / sizeof(shifts[0]); i++) {
		size_t from = i % 2 == 0 ? 0 : shifts[i / 2];
		size_t to = i % 2 == 0 ? shifts[i / 2] : 0;
		struct one one;

		memcpy(bench.to, bench.from, bench.len_bytes);
		one_init(&one, &bench, 0, len_bytes);
		one.source.head = bench.to;
		one.source.data = bench.to + from;
		one.target.data = bench.to + to;
		workers_engine.submit(bench.queue, &one.op);
		assert_ptr_equal(wait_op(&bench, i % 4 < 2), &one.op);
		assert_doca(one.op.status, DOCA_SUCCESS);
		assert_int_equal(memcmp(bench.to + to, bench.from + from, len_bytes), 0);
		if (to > 0)
			assert_int_equal(memcmp(bench.to, bench.from, to), 0);
	}
	bench_close(&bench);
}

static void large_and_small_come_back_in_order_and_append(void **state)
{
	struct one ones[MAX_OPS];
	struct bench bench;
	struct copy_piece target;
	size_t at = 0;

	bench_open(&bench, MAX_OPS * MIB);
	one_init(&ones[0], &bench, 0, 1);
	target = ones[0].target;
	for (size_t i = 0; i < MAX_OPS; i++) {
		size_t len_bytes = i % 3 == 0 ? 100 + i : WORKERS_LARGE_BYTES + i;

		/* All into one target, each behind the one before. */
		one_init(&ones[i], &bench, at, len_bytes);
		ones[i].op.target = &target;
		workers_engine.submit(bench.queue, &ones[i].op);
		at += len_bytes;
	}
	for (size_t i = 0; i < MAX_OPS; i++) {
		assert_ptr_equal(wait_op(&bench, i % 2 == 0), &ones[i].op);
		assert_doca(ones[i].op.status, DOCA_SUCCESS);
	}
	assert_int_equal(target.data_len_bytes, at);
	assert_int_equal(memcmp(bench.to, bench.from, at), 0);
	bench_close(&bench);
}

static void an_abort_ends_what_is_under_way_and_flushes_the_rest(void **state)
{
	for (unsigned round = 0; round < 20; round++) {
		struct one ones[8];
		struct bench bench;
		struct engine_op *op;
		bool has_failed = false;

		bench_open(&bench, 8 * MIB);
		for (size_t i = 0; i < 8; i++)
			submit(&bench, &ones[i], i * MIB, i == 6 ? 10 : MIB);
		if (round % 2 == 1)
			(void)poll_once(&bench, 300 * KIB, &op);
		workers_engine.abort(bench.queue);
		for (size_t i = round % 2 == 1 && op != NULL ? 1 : 0; i < 8; i++) {
			assert_ptr_equal(wait_op(&bench, false), &ones[i].op);
			if (ones[i].op.status == DOCA_SUCCESS) {
				assert_false(has_failed);
				assert_whole(&bench, &ones[i]);
				continue;
			}
			has_failed = true;
			assert_doca(ones[i].op.status, DOCA_ERROR_IO_FAILED);
			assert_int_equal(ones[i].target.data_len_bytes, 0);
		}
		assert_false(workers_engine.has_work(bench.queue));
		bench_close(&bench);
	}
}

static void nothing_begins_behind_a_failed_copy_before_it_was_seen(void **state)
{
	struct one ones[2];
	struct bench bench;
	struct engine_op *op;

	bench_open(&bench, 2 * MIB);
	one_init(&ones[0], &bench, 0, MIB);
	ones[0].target.len_bytes = MIB - 1;
	workers_engine.submit(bench.queue, &ones[0].op);
	submit(&bench, &ones[1], MIB, MIB);
	sleep_until_work(&bench);
	assert_int_equal(poll_once(&bench, SIZE_MAX, &op), ENGINE_DONE);
	assert_doca(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(op->fault, COPY_TARGET_SMALL);
	workers_engine.abort(bench.queue);
	assert_ptr_equal(wait_op(&bench, true), &ones[1].op);
	assert_doca(ones[1].op.status, DOCA_ERROR_IO_FAILED);
	for (size_t i = 0; i < bench.len_bytes; i++)
		assert_int_equal(bench.to[i], ENGINE_SUITE_GUARD);
	bench_close(&bench);
}

static void an_owner_that_sleeps_is_always_woken(void **state)
{
	const unsigned num_rounds = UNDER_TSAN ? 2000 : 10000;
	struct bench bench;

	bench_open(&bench, WORKERS_LARGE_BYTES);
	for (unsigned i = 0; i < num_rounds; i++) {
		struct one one;

		submit(&bench, &one, 0, WORKERS_LARGE_BYTES);
		assert_ptr_equal(wait_op(&bench, true), &one.op);
		assert_doca(one.op.status, DOCA_SUCCESS);
	}
	bench_close(&bench);
}

/* Signals are for the program's own threads, but for those that a copy raises (a test below). */
static void assert_signals_blocked(unsigned long blocked)
{
	const unsigned long raised = 1UL << (SIGSEGV - 1) | 1UL << (SIGBUS - 1) |
				     1UL << (SIGFPE - 1) | 1UL << (SIGILL - 1) |
				     1UL << (SIGTRAP - 1) | 1UL << (SIGSYS - 1);
	const unsigned long others =
		0x7fffffffUL & ~raised & ~(1UL << (SIGKILL - 1) | 1UL << (SIGSTOP - 1));

	assert_true((blocked & others) == others);
}

/* Of the threads that copy: their number, and how often they were scheduled. */
static unsigned count_workers(unsigned long *num_switches)
{
	DIR *dir = opendir("/proc/self/task");
	unsigned num_workers = 0;
	struct dirent *entry;

	assert_non_null(dir);
	*num_switches = 0;
	while ((entry = readdir(dir)) != NULL) {
		char path[64];
		char line[256];
		bool is_worker = false;
		unsigned long number;
		FILE *status;

		snprintf(path, sizeof(path), "/proc/self/task/%.16s/status", entry->d_name);
		status = fopen(path, "r");
		while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
			if (strncmp(line, "Name:\tsoftdoca-copy", 19) == 0)
				is_worker = true;
			if (is_worker && strncmp(line, "SigBlk:", 7) == 0)
				assert_signals_blocked(strtoul(line + 7, NULL, 16));
			if (is_worker &&
			    (sscanf(line, "voluntary_ctxt_switches: %lu", &number) == 1 ||
			     sscanf(line, "nonvoluntary_ctxt_switches: %lu", &number) == 1))
				*num_switches += number;
		}
		num_workers += is_worker;
		if (status != NULL)
			fclose(status);
	}
	closedir(dir);
	return num_workers;
}

static void idle_threads_do_not_run(void **state)
{
	unsigned long num_before;
	unsigned long num_after = 0;
	struct pollfd nothing;
	struct bench bench;
	struct one one;
	unsigned tries = 0;

	bench_open(&bench, MIB);
	for (size_t len_bytes = MIB; len_bytes > 0; len_bytes /= 2) {
		submit(&bench, &one, 0, len_bytes);
		(void)wait_op(&bench, false);
	}
	nothing = (struct pollfd){.fd = bench.waker.fd, .events = POLLIN};
	/* The watch looks once or twice more, and then never. */
	do {
		assert_int_equal(count_workers(&num_before), num_threads);
		assert_int_equal(poll(&nothing, 1, 3 * POOL_WATCH_NS / 1000000), 0);
		assert_int_equal(count_workers(&num_after), num_threads);
	} while (num_after != num_before && ++tries < 5);
	assert_int_equal(num_after, num_before);
	bench_close(&bench);
}

/* What a program may do that follows writes to its pages. */
static void repair_page(int signal, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)4095;

	(void)mprotect((void *)page, 4096, PROT_READ | PROT_WRITE);
}

static void a_handler_of_faults_runs_in_the_threads_too(void **state)
{
	const struct sigaction repairs = {.sa_sigaction = repair_page, .sa_flags = SA_SIGINFO};
	struct sigaction before;
	struct bench bench;
	struct engine_op *op;
	struct one one;
	uint8_t *pages;

	skip_unless(!under_valgrind(), VALGRIND_DOES_NOT_GO_ON);
	pages = mmap(NULL, MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(pages != MAP_FAILED);
	assert_int_equal(sigaction(SIGSEGV, &repairs, &before), 0);
	bench_open(&bench, MIB);
	one_init(&one, &bench, 0, MIB);
	one.target.head = pages;
	one.target.data = pages;
	workers_engine.submit(bench.queue, &one.op);
	sleep_until_work(&bench);
	assert_int_equal(poll_once(&bench, 1, &op), ENGINE_DONE);
	assert_doca(op->status, DOCA_SUCCESS);
	assert_memory_equal(pages, bench.from, MIB);
	bench_close(&bench);
	assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
	munmap(pages, MIB);
}

static void threads_end_with_the_last_queue(void **state)
{
	struct bench one;
	struct bench other;
	unsigned long unused;

	bench_open(&one, 1);
	bench_open(&other, 1);
	bench_close(&one);
	assert_int_equal(count_workers(&unused), num_threads);
	bench_close(&other);
	for (unsigned i = 0; i < 1000 && count_workers(&unused) > 0; i++)
		sched_yield(); /* /proc may be behind pthread_join */
	assert_int_equal(count_workers(&unused), 0);
}

static void a_thread_that_does_not_start_is_an_error_and_leaves_none(void **state)
{
	struct engine_queue *queue = NULL;
	struct waker waker = {.fd = -1};

	for (create_fails_in = num_threads; create_fails_in != 0;) {
		unsigned next = create_fails_in - 1;

		assert_doca(workers_engine.open(&queue, &waker), DOCA_ERROR_OPERATING_SYSTEM);
		assert_null(queue);
		assert_int_equal(create_fails_in, 0);
		create_fails_in = next;
	}
	threads_end_with_the_last_queue(state);
}

static void a_context_without_its_threads_does_not_start(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	create_fails_in = 1;
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_INITIALIZATION);
	assert_int_equal(create_fails_in, 0);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	dma_close(fixture);
}

static void a_fork_that_cannot_be_handled_is_an_error(void **state)
{
	assert_true(survived_atfork);
}

/* In a child, where no thread is: what the parent had under way is ended by who polls. */
static bool copies_alone(void *argument)
{
	struct bench *bench = argument;
	struct engine_op *op;
	unsigned num_done = 0;

	for (unsigned i = 0; i < 100000 && num_done < 4; i++) {
		if (!workers_engine.has_work(bench->queue))
			return false;
		num_done += poll_once(bench, MIB, &op) == ENGINE_DONE && op->status == DOCA_SUCCESS;
	}
	return num_done == 4 && memcmp(bench->to, bench->from, 8 * MIB) == 0 &&
	       !workers_engine.has_work(bench->queue);
}

static void a_forked_child_copies_alone(void **state)
{
	struct one ones[4];
	struct bench bench;

	bench_open(&bench, 8 * MIB);
	for (size_t i = 0; i < 4; i++)
		submit(&bench, &ones[i], i * 2 * MIB, i == 3 ? 2 * MIB : 2 * MIB);
	assert_in_fork(copies_alone, &bench);
	for (size_t i = 0; i < 4; i++) {
		assert_ptr_equal(wait_op(&bench, true), &ones[i].op);
		assert_whole(&bench, &ones[i]);
	}
	bench_close(&bench);
}

/* And large ones that the child submits, too. */
static bool submits_and_copies(void *argument)
{
	struct bench *bench = argument;
	struct engine_op *op;
	struct one one;

	submit(bench, &one, 0, 2 * MIB);
	return poll_once(bench, SIZE_MAX, &op) == ENGINE_DONE && op->status == DOCA_SUCCESS &&
	       memcmp(bench->to, bench->from, 2 * MIB) == 0;
}

static void a_forked_child_may_submit(void **state)
{
	struct bench bench;

	bench_open(&bench, 2 * MIB);
	assert_in_fork(submits_and_copies, &bench);
	bench_close(&bench);
}

static void *use_a_queue(void *failed)
{
	for (unsigned round = 0; round < 5; round++) {
		struct one ones[4];
		struct bench bench;

		bench_open(&bench, 4 * MIB);
		for (size_t i = 0; i < 4; i++)
			submit(&bench, &ones[i], i * MIB, i % 2 == 0 ? MIB : 1000);
		for (size_t i = 0; i < 4; i++)
			if (wait_op(&bench, round % 2 == 0) != &ones[i].op ||
			    ones[i].op.status != DOCA_SUCCESS ||
			    memcmp(bench.to + i * MIB, bench.from + i * MIB,
				   ones[i].op.len_bytes) != 0)
				*(bool *)failed = true;
		bench_close(&bench);
	}
	return NULL;
}

static void queues_of_many_threads_share_the_pool(void **state)
{
	bool failed[6] = {false};
	pthread_t threads[6];

	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, use_a_queue, &failed[i]), 0);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_false(failed[i]);
	}
}

/* The very first queue of the process, before there is a handler of forks. */
static bool open_without_atfork(void)
{
	struct engine_queue *queue = NULL;
	struct waker waker = {.fd = -1};

	atfork_fails_in = 1;
	return workers_engine.open(&queue, &waker) == DOCA_ERROR_OPERATING_SYSTEM && queue == NULL;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest own[] = {
		cmocka_unit_test(a_large_copy_is_done_without_a_poll),
		cmocka_unit_test(large_copies_in_a_row_are_done_without_a_poll),
		cmocka_unit_test(a_small_copy_is_done_by_who_polls),
		cmocka_unit_test(small_copies_that_nobody_polls_are_done_in_the_end),
		cmocka_unit_test(a_copy_that_was_left_half_done_is_ended),
		cmocka_unit_test(a_large_copy_begins_once_the_small_one_before_it_is_given_back),
		cmocka_unit_test(
			a_large_copy_behind_a_small_one_that_failed_begins_with_the_next_poll),
		cmocka_unit_test(lists_of_odd_pieces_are_copied_as_one),
		cmocka_unit_test(pieces_over_each_other_are_memmove),
		cmocka_unit_test(large_and_small_come_back_in_order_and_append),
		cmocka_unit_test(an_abort_ends_what_is_under_way_and_flushes_the_rest),
		cmocka_unit_test(nothing_begins_behind_a_failed_copy_before_it_was_seen),
		cmocka_unit_test(an_owner_that_sleeps_is_always_woken),
		cmocka_unit_test(idle_threads_do_not_run),
		cmocka_unit_test(a_handler_of_faults_runs_in_the_threads_too),
		cmocka_unit_test(threads_end_with_the_last_queue),
		cmocka_unit_test(a_thread_that_does_not_start_is_an_error_and_leaves_none),
		cmocka_unit_test(a_context_without_its_threads_does_not_start),
		cmocka_unit_test(a_fork_that_cannot_be_handled_is_an_error),
		cmocka_unit_test(a_forked_child_copies_alone),
		cmocka_unit_test(a_forked_child_may_submit),
		cmocka_unit_test(queues_of_many_threads_share_the_pool),
	};

	char engine[32];

	num_threads = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
	snprintf(engine, sizeof(engine), "workers:%u", num_threads % 65);
	setenv("SOFTDOCA_ENGINE", engine, 1);
	workers_set_threads(num_threads);
	survived_atfork = open_without_atfork();
	return engine_suite_run(&workers_engine, own, sizeof(own) / sizeof(own[0]));
}
