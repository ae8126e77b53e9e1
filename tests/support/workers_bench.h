/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the workers engine share: a queue with an owner, and ops to submit to it. */
#ifndef TESTS_SUPPORT_WORKERS_BENCH_H_
#define TESTS_SUPPORT_WORKERS_BENCH_H_

#include "support/test.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "engine/workers/job.h"
#include "engine/workers/pool.h"
#include "engine/workers/workers.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define DEADLINE_MS 30000
#define GUARD_BYTE 0xee

/* A queue whose owner can sleep, over two areas of bytes. */
struct bench {
	struct engine_queue *queue;
	struct waker waker;
	uint8_t *from; /* counts up, in its own way in each 64 KiB */
	uint8_t *to;   /* guard */
	size_t len_bytes;
};

/* An op from a place in from to the same in to. */
struct one {
	struct engine_op op;
	struct copy_piece source;
	struct copy_piece target;
};

static inline void bench_open(struct bench *bench, size_t len_bytes)
{
	*bench = (struct bench){.len_bytes = len_bytes, .waker.fd = event_fd_open()};
	assert_true(bench->waker.fd >= 0);
	bench->from = malloc(len_bytes);
	bench->to = malloc(len_bytes);
	assert_non_null(bench->from);
	assert_non_null(bench->to);
	for (size_t i = 0; i < len_bytes; i++)
		bench->from[i] = (uint8_t)(i * 31 + (i >> 8) + (i >> 16));
	memset(bench->to, GUARD_BYTE, len_bytes);
	assert_doca(workers_engine.open(&bench->queue, &bench->waker), DOCA_SUCCESS);
}

static inline void bench_close(struct bench *bench)
{
	assert_true(workers_engine.is_empty(bench->queue));
	workers_engine.close(bench->queue);
	close(bench->waker.fd);
	free(bench->from);
	free(bench->to);
}

static inline void one_init(struct one *one, const struct bench *bench, size_t at, size_t len_bytes)
{
	*one = (struct one){
		.source = {.head = bench->from,
			   .len_bytes = bench->len_bytes,
			   .data = bench->from + at,
			   .data_len_bytes = len_bytes},
		.target = {.head = bench->to,
			   .len_bytes = bench->len_bytes,
			   .data = bench->to + at},
		.op = {.len_bytes = len_bytes},
	};
	one->op.source = &one->source;
	one->op.target = &one->target;
}

static inline void submit(struct bench *bench, struct one *one, size_t at, size_t len_bytes)
{
	one_init(one, bench, at, len_bytes);
	workers_engine.submit(bench->queue, &one->op);
}

/* Never polls while nothing is told; what request_notification and poll(2) do. */
static inline void sleep_until_work(struct bench *bench)
{
	struct pollfd readable = {.fd = bench->waker.fd, .events = POLLIN};

	waker_arm(&bench->waker);
	if (!workers_engine.has_work(bench->queue))
		assert_int_equal(poll(&readable, 1, DEADLINE_MS), 1);
	waker_disarm(&bench->waker);
	assert_int_equal(event_fd_drain(bench->waker.fd), 0);
	assert_true(workers_engine.has_work(bench->queue));
}

static inline enum engine_polled poll_once(struct bench *bench, size_t budget_bytes,
					   struct engine_op **op)
{
	*op = NULL;
	return workers_engine.poll(bench->queue, &budget_bytes, op);
}

/* Polls all the time, or sleeps in between. */
static inline struct engine_op *wait_op(struct bench *bench, bool sleeps)
{
	uint64_t deadline_ns = (uint64_t)time(NULL) + DEADLINE_MS / 1000;
	struct engine_op *op = NULL;

	do {
		if (sleeps)
			sleep_until_work(bench);
		if (poll_once(bench, 2 * MIB, &op) == ENGINE_DONE)
			return op;
	} while ((uint64_t)time(NULL) < deadline_ns);
	fail_msg("no op came back");
	return NULL;
}

static inline void assert_whole(const struct bench *bench, const struct one *one)
{
	size_t at = (size_t)(one->source.data - bench->from);

	assert_doca(one->op.status, DOCA_SUCCESS);
	assert_int_equal(one->target.data_len_bytes, one->op.len_bytes);
	assert_memory_equal(bench->to + at, bench->from + at, one->op.len_bytes);
}

#endif /* TESTS_SUPPORT_WORKERS_BENCH_H_ */
