/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rate of messages of the fast path beside that of a bare ring in shared memory: one producer,
 * one consumer in two processes, a memcpy in and a memcpy out, no checks. Rounds of the two follow
 * each other, and what counts is the middle of their ratios: on a shared machine the rates of one
 * minute are not those of the next.
 */
#include "support/comch_fast.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>

#include "support/under_tsan.h"

#define DEPTH 256u
#define ROUNDS 7
#define SPINS 2000 /* before a side that waits lets others run */
#define SLOWEST_RATIO 0.1
#define LARGEST_BYTES 4096u
#define MEMORY_BYTES ((size_t)DEPTH * LARGEST_BYTES)

struct bare {
	_Alignas(128) _Atomic uint64_t head;
	_Alignas(128) _Atomic uint64_t tail;
	_Alignas(128) _Atomic uint32_t num_begun; /* runs that the receiver is ready for */
	_Alignas(128) uint8_t slots[DEPTH * (LARGEST_BYTES + 64)];
};

/* One side; its context carries it, as its half. */
struct side {
	struct fast_half half;
	struct bare *bare;
	struct comch_end end;
	struct fast_memory memory;
	uint32_t num_runs;
	uint32_t len_bytes;
	uint64_t num_left;
	struct doca_task *idle[DEPTH];
	unsigned num_idle;
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
}

/* Each side has a CPU of its own, where there are two. */
static void pin(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

static size_t stride(const struct side *side)
{
	return ((size_t)side->len_bytes + sizeof(uint64_t) + 63) & ~(size_t)63;
}

static void bare_send_all(struct side *side)
{
	struct bare *bare = side->bare;
	uint64_t tail = atomic_load(&bare->tail);
	uint64_t first = tail;
	unsigned spins = 0;

	for (uint64_t n = first; n < first + side->num_left; n++) {
		uint8_t *slot = bare->slots + n % DEPTH * stride(side);

		while (n - tail == DEPTH) {
			tail = atomic_load_explicit(&bare->tail, memory_order_acquire);
			if (n - tail == DEPTH)
				wait_a_bit(&spins);
		}
		*(uint64_t *)(void *)slot = side->len_bytes;
		memcpy(slot + sizeof(uint64_t), side->memory.bytes + n % DEPTH * side->len_bytes,
		       side->len_bytes);
		atomic_store_explicit(&bare->head, n + 1, memory_order_release);
	}
}

static void bare_take_all(struct side *side)
{
	struct bare *bare = side->bare;
	uint64_t first = atomic_load(&bare->tail);
	uint64_t head = first;
	unsigned spins = 0;

	for (uint64_t n = first; n < first + side->num_left; n++) {
		const uint8_t *slot = bare->slots + n % DEPTH * stride(side);

		while (n == head) {
			head = atomic_load_explicit(&bare->head, memory_order_acquire);
			if (n == head)
				wait_a_bit(&spins);
		}
		memcpy(side->memory.bytes + n % DEPTH * side->len_bytes, slot + sizeof(uint64_t),
		       *(const uint64_t *)(const void *)slot);
		atomic_store_explicit(&bare->tail, n + 1, memory_order_release);
	}
}

static struct side *side_of(union doca_data ctx_user_data)
{
	return (struct side *)ctx_user_data.ptr;
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct side *side = side_of(ctx_user_data);

	side->idle[side->num_idle++] = doca_comch_producer_task_send_as_task(task);
}

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct side *side = side_of(ctx_user_data);
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

	if (doca_task_get_status(base) != DOCA_SUCCESS) {
		side->idle[side->num_idle++] = base;
		return;
	}
	side->num_left--;
	(void)doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task));
	if (doca_task_submit(base) != DOCA_SUCCESS)
		abort();
}

static void send_all(struct side *side)
{
	struct doca_pe *pe = side->half.pe;
	unsigned spins = 0;

	while (side->num_left != 0) {
		if (side->num_idle != 0 &&
		    doca_task_submit(side->idle[side->num_idle - 1]) == DOCA_SUCCESS) {
			side->num_idle--;
			side->num_left--;
			continue;
		}
		if (doca_pe_progress(pe) == 0)
			wait_a_bit(&spins);
	}
	while (side->num_idle != DEPTH)
		(void)doca_pe_progress(pe);
}

static void take_all(struct side *side)
{
	unsigned spins = 0;

	while (side->num_left != 0)
		if (doca_pe_progress(side->half.pe) == 0)
			wait_a_bit(&spins);
}

/* DEPTH tasks, with a buffer of that many bytes each. */
static void make_tasks(struct side *side)
{
	for (unsigned i = 0; i < DEPTH; i++) {
		size_t at = (size_t)i * side->len_bytes;

		if (side->half.producer != NULL) {
			struct doca_comch_producer_task_send *task;

			assert_doca(doca_comch_producer_task_send_alloc_init(
					    side->half.producer,
					    fast_data(&side->memory, at, side->len_bytes), NULL, 0,
					    side->end.new_id, &task),
				    DOCA_SUCCESS);
			side->idle[i] = doca_comch_producer_task_send_as_task(task);
		} else {
			struct doca_comch_consumer_task_post_recv *task;

			assert_doca(doca_comch_consumer_task_post_recv_alloc_init(
					    side->half.consumer,
					    fast_room(&side->memory, at, side->len_bytes), &task),
				    DOCA_SUCCESS);
			assert_doca(
				doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
				DOCA_SUCCESS);
		}
	}
	side->num_idle = side->half.producer != NULL ? DEPTH : 0;
}

static void free_tasks(struct side *side)
{
	assert_int_equal(side->num_idle, DEPTH);
	while (side->num_idle != 0) {
		struct doca_task *task = side->idle[--side->num_idle];
		struct doca_buf *buf =
			side->half.producer != NULL
				? (struct doca_buf *)(uintptr_t)
					  doca_comch_producer_task_send_get_buf(
						  (struct doca_comch_producer_task_send *)task)
				: doca_comch_consumer_task_post_recv_get_buf(
					  (struct doca_comch_consumer_task_post_recv *)task);

		assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
		doca_task_free(task);
	}
}

/* Connected, with memory, full of what differs from message to message. */
static void side_open(struct side *side, struct bare *bare, bool is_server)
{
	side->bare = bare;
	if (is_server)
		comch_server_open(&side->end, "rate", NULL);
	else
		comch_client_open(&side->end, "rate", NULL);
	comch_hear_of_consumers(&side->end);
	comch_start(&side->end);
	comch_until(&side->end, NULL,
		    is_server ? side->end.num_connects == 1
			      : comch_state(&side->end) == DOCA_CTX_STATE_RUNNING);
	if (!is_server)
		assert_doca(doca_comch_client_get_connection(side->end.client, &side->end.peer),
			    DOCA_SUCCESS);
	fast_memory_open(&side->memory, side->end.dev, MEMORY_BYTES);
	for (size_t i = 0; i < MEMORY_BYTES; i++)
		side->memory.bytes[i] = (uint8_t)(i * 11 + i / 4096);
}

static void side_close(struct side *side)
{
	fast_close(&side->half);
	fast_memory_close(&side->memory);
	comch_end_close(&side->end);
}

static void wait_for_run(struct side *side)
{
	side->num_runs++;
	while (atomic_load(&side->bare->num_begun) < side->num_runs)
		sched_yield();
}

/* Messages a second. */
static double receive(struct side *side, void (*all)(struct side *), uint32_t num_msgs)
{
	double begin_s;

	side->num_left = num_msgs;
	atomic_store(&side->bare->num_begun, ++side->num_runs);
	begin_s = now_s();
	all(side);
	return num_msgs / (now_s() - begin_s);
}

static int compare(const void *left, const void *right)
{
	double difference = *(const double *)left - *(const double *)right;

	return difference < 0 ? -1 : difference > 0;
}

/* The producer's process. */
static void run_sender(struct bare *bare, uint32_t len_bytes, uint32_t num_msgs)
{
	static struct side side;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(1);
	side_open(&side, bare, false);
	fast_producer_open(&side.half, &side.end, DEPTH, NULL);
	assert_doca(
		doca_comch_producer_task_send_set_conf(side.half.producer, on_sent, on_sent, DEPTH),
		DOCA_SUCCESS);
	comch_until(&side.end, NULL, side.end.num_new == 1);
	assert_doca(doca_ctx_start(side.half.ctx), DOCA_SUCCESS);
	side.len_bytes = len_bytes;
	make_tasks(&side);
	for (unsigned round = 0; round < ROUNDS; round++) {
		side.num_left = num_msgs;
		wait_for_run(&side);
		bare_send_all(&side);
		side.num_left = num_msgs;
		wait_for_run(&side);
		send_all(&side);
	}
	free_tasks(&side);
	wait_for_run(&side);
	side_close(&side);
}

static void report(uint32_t len_bytes, double *bares, double *rates, double *ratios)
{
	qsort(bares, ROUNDS, sizeof(double), compare);
	qsort(rates, ROUNDS, sizeof(double), compare);
	qsort(ratios, ROUNDS, sizeof(double), compare);
	print_message("# %u bytes: %.2f, in a bare ring %.2f million messages a second, ratio %.2f "
		      "[%.2f %.2f]\n",
		      len_bytes, rates[ROUNDS / 2] / 1e6, bares[ROUNDS / 2] / 1e6,
		      ratios[ROUNDS / 2], ratios[0], ratios[ROUNDS - 1]);
	assert_true(ratios[ROUNDS / 2] > SLOWEST_RATIO);
}

static void run_receiver(struct bare *bare, uint32_t len_bytes, uint32_t num_msgs)
{
	static struct side side;
	double bares[ROUNDS];
	double rates[ROUNDS];
	double ratios[ROUNDS];

	memset(&side, 0, sizeof(side));
	side_open(&side, bare, true);
	fast_consumer_open(&side.half, &side.end, &side.memory, DEPTH, NULL);
	assert_doca(doca_comch_consumer_task_post_recv_set_conf(side.half.consumer, on_received,
								on_received, DEPTH),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(side.half.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(
		&side.end, NULL,
		(doca_pe_progress(side.half.pe), fast_state(&side.half) == DOCA_CTX_STATE_RUNNING));
	side.len_bytes = len_bytes;
	make_tasks(&side);
	for (unsigned i = 0; i < ROUNDS; i++) {
		bares[i] = receive(&side, bare_take_all, num_msgs);
		rates[i] = receive(&side, take_all, num_msgs);
		ratios[i] = rates[i] / bares[i];
	}
	assert_doca(doca_ctx_stop(side.half.ctx), DOCA_ERROR_IN_PROGRESS);
	fast_until(&side.half, side.num_idle == DEPTH);
	free_tasks(&side);
	atomic_store(&bare->num_begun, ++side.num_runs);
	side_close(&side);
	report(len_bytes, bares, rates, ratios);
}

static void assert_rate(uint32_t len_bytes, uint32_t num_msgs)
{
	struct bare *bare = mmap(NULL, sizeof(*bare), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	char full_name[120];
	int status;
	pid_t pid;

	assert_true(bare != MAP_FAILED);
	(void)comch_name("rate", full_name);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		run_sender(bare, len_bytes, num_msgs);
		_exit(0);
	}
	run_receiver(bare, len_bytes, num_msgs);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	munmap(bare, sizeof(*bare));
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
