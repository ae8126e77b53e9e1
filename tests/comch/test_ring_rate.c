/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rate of a ring beside that of a bare one: one producer, one consumer in two processes,
 * indexes in shared memory, a memcpy in and a memcpy out, no checks. Rounds of the two follow each
 * other, and what counts is the middle of their ratios: on a shared machine the rates of one minute
 * are not those of the next.
 */
#include "support/process.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

#include "comch/ring.h"
#include "support/under_tsan.h"

#define DEPTH 256u
#define ROUNDS 7
#define SPINS 2000 /* before a side that waits lets others run */
#define SLOWEST_RATIO 0.1

struct bare {
	_Alignas(128) _Atomic uint64_t head;
	_Alignas(128) _Atomic uint64_t tail;
	_Alignas(128) uint8_t slots[];
};

struct run {
	uint32_t len_bytes;
	uint32_t num_msgs;
	uint8_t *source; /* DEPTH messages each */
	uint8_t *target;
	struct bare *bare;
	struct ring_reader *reader;
	struct ring_writer *writer;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void wait_a_bit(unsigned *spins)
{
	if (++*spins % SPINS == 0)
		sched_yield();
#if defined(__x86_64__)
	else
		__builtin_ia32_pause();
#endif
}

/* Each side has a CPU of its own, where there are two. */
static void pin(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

static size_t stride(const struct run *run)
{
	return ((size_t)run->len_bytes + sizeof(uint64_t) + 63) & ~(size_t)63;
}

static void bare_send_all(struct run *run)
{
	struct bare *bare = run->bare;
	uint64_t tail = atomic_load(&bare->tail);
	unsigned spins = 0;

	for (uint64_t n = 0; n < run->num_msgs; n++) {
		uint8_t *slot = bare->slots + n % DEPTH * stride(run);

		while (n - tail == DEPTH) {
			tail = atomic_load_explicit(&bare->tail, memory_order_acquire);
			if (n - tail == DEPTH)
				wait_a_bit(&spins);
		}
		*(uint64_t *)(void *)slot = run->len_bytes;
		memcpy(slot + sizeof(uint64_t), run->source + n % DEPTH * run->len_bytes,
		       run->len_bytes);
		atomic_store_explicit(&bare->head, n + 1, memory_order_release);
	}
}

static void bare_take_all(struct run *run)
{
	struct bare *bare = run->bare;
	uint64_t head = 0;
	unsigned spins = 0;

	for (uint64_t n = 0; n < run->num_msgs; n++) {
		const uint8_t *slot = bare->slots + n % DEPTH * stride(run);

		while (n == head) {
			head = atomic_load_explicit(&bare->head, memory_order_acquire);
			if (n == head)
				wait_a_bit(&spins);
		}
		memcpy(run->target + n % DEPTH * run->len_bytes, slot + sizeof(uint64_t),
		       *(const uint64_t *)(const void *)slot);
		atomic_store_explicit(&bare->tail, n + 1, memory_order_release);
	}
}

static void ring_send_all(struct run *run)
{
	struct copy_piece piece = {.len_bytes = run->len_bytes, .data_len_bytes = run->len_bytes};
	struct ring_msg msg = {.pieces = &piece, .len_bytes = run->len_bytes, .producer_id = 1};
	unsigned spins = 0;

	for (uint32_t n = 0; n < run->num_msgs; n++) {
		piece.head = piece.data = run->source + n % DEPTH * run->len_bytes;
		while (ring_send(run->writer, &msg) != RING_OK)
			wait_a_bit(&spins);
	}
}

static void ring_take_all(struct run *run)
{
	unsigned spins = 0;

	for (uint32_t n = 0; n < DEPTH; n++)
		ring_post(run->reader, run->len_bytes);
	for (uint32_t n = 0; n < run->num_msgs; n++) {
		uint8_t *target = run->target + n % DEPTH * run->len_bytes;
		struct copy_piece piece = {
			.head = target, .len_bytes = run->len_bytes, .data = target};
		struct ring_view view;

		while (ring_take(run->reader, &view) != RING_OK)
			wait_a_bit(&spins);
		if (!ring_copy_out(&view, &piece))
			abort();
		ring_release(run->reader);
		ring_post(run->reader, run->len_bytes);
	}
}

/* Messages a second, from a process of its own to this one. */
static double measure(struct run *run, void (*send_all)(struct run *),
		      void (*take_all)(struct run *))
{
	double begin_s;
	double end_s;
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(PROCESS_DEADLINE_S);
		pin(1);
		send_all(run);
		_exit(0);
	}
	begin_s = now_s();
	take_all(run);
	end_s = now_s();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_memory_equal(run->source, run->target, (size_t)DEPTH * run->len_bytes);
	return run->num_msgs / (end_s - begin_s);
}

static double measure_bare(struct run *run)
{
	size_t len = sizeof(struct bare) + DEPTH * stride(run);
	double rate;

	run->bare = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	assert_true(run->bare != MAP_FAILED);
	rate = measure(run, bare_send_all, bare_take_all);
	munmap(run->bare, len);
	return rate;
}

static double measure_ring(struct run *run)
{
	const struct ring_conf conf = {.num_recvs = DEPTH, .max_msg_bytes = run->len_bytes};
	const char *why;
	int fds[RING_NUM_FDS];
	double rate;

	assert_int_equal(ring_reader_create(&conf, &run->reader), 0);
	for (unsigned i = 0; i < RING_NUM_FDS; i++)
		fds[i] = dup(ring_reader_fds(run->reader)[i]);
	assert_int_equal(ring_writer_open(fds, &run->writer, &why), 0);
	rate = measure(run, ring_send_all, ring_take_all);
	ring_writer_close(run->writer);
	ring_reader_destroy(run->reader);
	return rate;
}

static int compare(const void *left, const void *right)
{
	double difference = *(const double *)left - *(const double *)right;

	return difference < 0 ? -1 : difference > 0;
}

static void assert_rate(uint32_t len_bytes, uint32_t num_msgs)
{
	struct run run = {.len_bytes = len_bytes, .num_msgs = num_msgs};
	size_t bytes = (size_t)DEPTH * len_bytes;
	double bares[ROUNDS];
	double rings[ROUNDS];
	double ratios[ROUNDS];

	run.source = malloc(bytes);
	run.target = calloc(1, bytes);
	assert_true(run.source != NULL && run.target != NULL);
	for (size_t at = 0; at < bytes; at += 256)
		assert_int_equal(getrandom(run.source + at, bytes - at < 256 ? bytes - at : 256, 0),
				 bytes - at < 256 ? bytes - at : 256);
	for (unsigned i = 0; i < ROUNDS; i++) {
		bares[i] = measure_bare(&run);
		rings[i] = measure_ring(&run);
		ratios[i] = rings[i] / bares[i];
	}
	qsort(bares, ROUNDS, sizeof(double), compare);
	qsort(rings, ROUNDS, sizeof(double), compare);
	qsort(ratios, ROUNDS, sizeof(double), compare);
	print_message("# %u bytes: ring %.2f, bare ring %.2f million messages a second, ratio %.2f "
		      "[%.2f %.2f]\n",
		      len_bytes, rings[ROUNDS / 2] / 1e6, bares[ROUNDS / 2] / 1e6,
		      ratios[ROUNDS / 2], ratios[0], ratios[ROUNDS - 1]);
	assert_true(ratios[ROUNDS / 2] > SLOWEST_RATIO);
	free(run.source);
	free(run.target);
}

static void small_messages_are_as_fast_as_in_a_bare_ring(void **state)
{
	assert_rate(64, 400000);
}

static void pages_are_as_fast_as_in_a_bare_ring(void **state)
{
	assert_rate(4096, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_messages_are_as_fast_as_in_a_bare_ring),
		cmocka_unit_test(pages_are_as_fast_as_in_a_bare_ring),
	};

	if (UNDER_TSAN) {
		puts("1..0 # SKIP rates under the thread sanitizer are its own");
		return 0;
	}
	pin(0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
