/* SPDX-License-Identifier: Apache-2.0 */
/* What every engine promises a context. Engines may work in threads: each wait has a deadline. */
#include "contract/engine_suite.h"

#include <time.h>

#include "support/fail_calloc.h"

#define DEADLINE_S 30
#define MAX_TESTS 64

struct engine_case *engine_case_open(void **state)
{
	struct engine_case *opened = calloc(1, sizeof(*opened));

	assert_non_null(opened);
	opened->engine = *state;
	assert_doca(opened->engine->open(&opened->queue, &opened->waker), DOCA_SUCCESS);
	for (size_t i = 0; i < sizeof(opened->from); i++)
		opened->from[i] = (uint8_t)(i + i / 256);
	memset(opened->to, ENGINE_SUITE_GUARD, sizeof(opened->to));
	opened->source = (struct copy_piece){
		.head = opened->from,
		.len_bytes = sizeof(opened->from),
		.data = opened->from,
		.data_len_bytes = sizeof(opened->from),
	};
	opened->target = (struct copy_piece){
		.head = opened->to,
		.len_bytes = ENGINE_SUITE_BYTES,
		.data = opened->to,
	};
	opened->op = (struct engine_op){
		.source = &opened->source,
		.target = &opened->target,
		.len_bytes = sizeof(opened->from),
	};
	return opened;
}

void engine_case_close(struct engine_case *engine_case)
{
	engine_case->engine->close(engine_case->queue);
	free(engine_case);
}

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

struct engine_op *engine_case_wait(struct engine_case *engine_case, size_t budget_bytes)
{
	time_t deadline_s = now_s() + DEADLINE_S;
	struct engine_op *op = NULL;

	do {
		size_t left_bytes = budget_bytes;
		enum engine_polled polled =
			engine_case->engine->poll(engine_case->queue, &left_bytes, &op);

		assert_true(left_bytes <= budget_bytes);
		if (polled == ENGINE_DONE) {
			assert_non_null(op);
			return op;
		}
		assert_null(op);
	} while (now_s() < deadline_s);
	fail_msg("no op came back");
	return NULL;
}

static void submit(struct engine_case *engine_case, struct engine_op *op)
{
	engine_case->engine->submit(engine_case->queue, op);
}

void engine_case_is_untouched(const struct engine_case *engine_case)
{
	for (size_t i = 0; i < sizeof(engine_case->to); i++)
		assert_int_equal(engine_case->to[i], ENGINE_SUITE_GUARD);
	assert_ptr_equal(engine_case->target.head, engine_case->to);
	assert_ptr_equal(engine_case->source.head, engine_case->from);
}

/* The op over that many bytes of the source is whole, and nothing else happened. */
static void assert_copied(const struct engine_case *engine_case, size_t len_bytes)
{
	assert_memory_equal(engine_case->to, engine_case->from, len_bytes);
	for (size_t i = len_bytes; i < sizeof(engine_case->to); i++)
		assert_int_equal(engine_case->to[i], ENGINE_SUITE_GUARD);
}

static void a_queue_without_memory_is_no_memory_and_none(void **state)
{
	const struct engine_ops *engine = *state;
	struct engine_queue *queue = NULL;
	struct waker waker = {.fd = -1};

	next_calloc_fails = true;
	assert_doca(engine->open(&queue, &waker), DOCA_ERROR_NO_MEMORY);
	assert_null(queue);
}

static void a_new_queue_has_no_work(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 100;
	struct engine_op *op = NULL;

	assert_false(opened->engine->has_work(opened->queue));
	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_IDLE);
	assert_int_equal(budget_bytes, 100);
	assert_null(op);
	engine_case_close(opened);
}

static void submit_moves_no_byte(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	submit(opened, &opened->op);
	engine_case_is_untouched(opened);
	assert_int_equal(opened->target.data_len_bytes, 0);
	(void)engine_case_wait(opened, SIZE_MAX);
	engine_case_close(opened);
}

static void an_op_comes_back_when_all_is_copied(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	submit(opened, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);

	assert_doca(opened->op.status, DOCA_SUCCESS);
	assert_copied(opened, ENGINE_SUITE_BYTES);
	assert_int_equal(opened->target.data_len_bytes, ENGINE_SUITE_BYTES);
	assert_false(opened->engine->has_work(opened->queue));
	engine_case_close(opened);
}

static void an_op_appends_and_leaves_its_source_as_it_is(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	struct copy_piece source;

	opened->source.data = opened->from + 10;
	opened->source.data_len_bytes = 20;
	opened->target.data = opened->to + 5;
	opened->target.data_len_bytes = 7;
	opened->op.len_bytes = 20;
	source = opened->source;
	submit(opened, &opened->op);
	(void)engine_case_wait(opened, SIZE_MAX);

	assert_doca(opened->op.status, DOCA_SUCCESS);
	assert_memory_equal(opened->to + 12, opened->from + 10, 20);
	assert_int_equal(opened->to[11], ENGINE_SUITE_GUARD);
	assert_int_equal(opened->to[32], ENGINE_SUITE_GUARD);
	assert_ptr_equal(opened->target.data, opened->to + 5);
	assert_int_equal(opened->target.data_len_bytes, 27);
	assert_memory_equal(&opened->source, &source, sizeof(source));
	engine_case_close(opened);
}

static void lists_of_any_cut_are_copied_as_one(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	struct copy_piece source[3];
	struct copy_piece target[2];

	for (size_t i = 0; i < 3; i++) {
		source[i] = opened->source;
		source[i].data = opened->from + 10 * i;
		source[i].data_len_bytes = i == 1 ? 0 : 10;
		source[i].next = i < 2 ? &source[i + 1] : NULL;
	}
	source[2].data = opened->from + 10;
	target[0] = opened->target;
	target[0].len_bytes = 7;
	target[0].next = &target[1];
	target[1] = opened->target;
	target[1].head = target[1].data = opened->to + 7;
	target[1].len_bytes = 20;
	opened->op.source = source;
	opened->op.target = target;
	opened->op.len_bytes = 20;
	submit(opened, &opened->op);
	(void)engine_case_wait(opened, 3);

	assert_doca(opened->op.status, DOCA_SUCCESS);
	assert_copied(opened, 20);
	assert_int_equal(target[0].data_len_bytes, 7);
	assert_int_equal(target[1].data_len_bytes, 13);
	engine_case_close(opened);
}

static void a_piece_over_itself_is_memmove_whatever_the_budget(void **state)
{
	for (size_t budget_bytes = 1; budget_bytes < 40; budget_bytes += 13) {
		struct engine_case *opened = engine_case_open(state);
		uint8_t wanted[ENGINE_SUITE_BYTES];

		memcpy(wanted, opened->from, sizeof(wanted));
		memmove(wanted + 8, wanted, 32);
		opened->source.data_len_bytes = 32;
		opened->target = opened->source;
		opened->target.data = opened->from + 8;
		opened->target.data_len_bytes = 0;
		opened->op.len_bytes = 32;
		submit(opened, &opened->op);
		(void)engine_case_wait(opened, budget_bytes);

		assert_doca(opened->op.status, DOCA_SUCCESS);
		assert_memory_equal(opened->from, wanted, sizeof(wanted));
		engine_case_close(opened);
	}
}

static void a_budget_of_nothing_does_nothing(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 0;
	struct engine_op *op = NULL;

	submit(opened, &opened->op);
	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_IDLE);
	assert_int_equal(budget_bytes, 0);
	assert_null(op);
	(void)engine_case_wait(opened, SIZE_MAX);
	engine_case_close(opened);
}

static void has_work_says_that_poll_would_not_be_idle(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	time_t deadline_s = now_s() + DEADLINE_S;
	struct engine_op *op = NULL;

	submit(opened, &opened->op);
	while (op == NULL && now_s() < deadline_s) {
		size_t budget_bytes = 1000;

		if (opened->engine->has_work(opened->queue))
			assert_int_not_equal(
				opened->engine->poll(opened->queue, &budget_bytes, &op),
				ENGINE_IDLE);
	}
	assert_ptr_equal(op, &opened->op);
	engine_case_close(opened);
}

#define NUM_OPS 5

/* Ops of 8 bytes each at their own place, all submitted. */
static void submit_many(struct engine_case *opened, struct engine_op ops[NUM_OPS],
			struct copy_piece targets[NUM_OPS])
{
	opened->source.data_len_bytes = 8;
	for (size_t i = 0; i < NUM_OPS; i++) {
		targets[i] = opened->target;
		targets[i].data = opened->to + 8 * i;
		ops[i] = (struct engine_op){
			.source = &opened->source,
			.target = &targets[i],
			.len_bytes = 8,
		};
		submit(opened, &ops[i]);
	}
}

static void ops_come_back_in_the_order_of_submission(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	struct copy_piece targets[NUM_OPS];
	struct engine_op ops[NUM_OPS];

	submit_many(opened, ops, targets);
	for (size_t i = 0; i < NUM_OPS; i++) {
		assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &ops[i]);
		assert_doca(ops[i].status, DOCA_SUCCESS);
		assert_memory_equal(opened->to + 8 * i, opened->from, 8);
		assert_int_equal(targets[i].data_len_bytes, 8);
	}
	engine_case_close(opened);
}

static void an_op_that_came_back_can_be_submitted_again(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->source.data_len_bytes = 8;
	opened->op.len_bytes = 8;
	for (size_t i = 0; i < NUM_OPS; i++) {
		submit(opened, &opened->op);
		assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	}
	assert_int_equal(opened->target.data_len_bytes, 8 * NUM_OPS);
	assert_memory_equal(opened->to + 8 * (NUM_OPS - 1), opened->from, 8);
	engine_case_close(opened);
}

static void queues_know_nothing_of_each_other(void **state)
{
	struct engine_case *one = engine_case_open(state);
	struct engine_case *other = engine_case_open(state);

	one->engine->abort(one->queue);
	submit(other, &other->op);
	submit(one, &one->op);
	assert_ptr_equal(engine_case_wait(other, SIZE_MAX), &other->op);
	assert_doca(other->op.status, DOCA_SUCCESS);
	assert_ptr_equal(engine_case_wait(one, SIZE_MAX), &one->op);
	assert_doca(one->op.status, DOCA_ERROR_IO_FAILED);
	engine_case_close(one);
	engine_case_close(other);
}

static void an_op_submitted_with_an_error_comes_back_with_it(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->op.status = DOCA_ERROR_NOT_PERMITTED;
	submit(opened, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);

	assert_doca(opened->op.status, DOCA_ERROR_NOT_PERMITTED);
	engine_case_is_untouched(opened);
	assert_int_equal(opened->target.data_len_bytes, 0);
	engine_case_close(opened);
}

/* The op as it is now fails and leaves everything as it was. */
static void assert_fails(struct engine_case *opened)
{
	struct copy_piece source = opened->source;
	struct copy_piece target = opened->target;

	submit(opened, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	engine_case_is_untouched(opened);
	assert_memory_equal(&opened->source, &source, sizeof(source));
	assert_memory_equal(&opened->target, &target, sizeof(target));
	engine_case_close(opened);
}

static void an_empty_source_fails(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->source.data_len_bytes = 0;
	opened->op.len_bytes = 0;
	assert_fails(opened);
}

static void a_target_with_too_little_room_fails(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data_len_bytes = 1;
	assert_fails(opened);
}

static void a_source_window_outside_of_its_region_fails(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->source.data = opened->from + 1;
	assert_fails(opened);
}

static void a_source_window_that_wraps_fails(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->source.data_len_bytes = SIZE_MAX;
	opened->op.len_bytes = SIZE_MAX;
	assert_fails(opened);
}

static void a_target_window_outside_of_its_region_fails(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data = opened->to + ENGINE_SUITE_BYTES + 1;
	assert_fails(opened);
}

static void a_target_window_that_wraps_fails(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data_len_bytes = SIZE_MAX;
	assert_fails(opened);
}

static void an_op_that_fails_does_not_hold_up_the_next(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	struct engine_op bad = opened->op;

	bad.len_bytes = 0;
	submit(opened, &bad);
	submit(opened, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &bad);
	assert_doca(bad.status, DOCA_ERROR_IO_FAILED);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_SUCCESS);
	engine_case_close(opened);
}

static void abort_brings_back_what_waits_and_what_comes_later(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	struct copy_piece targets[NUM_OPS];
	struct engine_op ops[NUM_OPS];

	/* Before, so that none of them may be done already. */
	opened->engine->abort(opened->queue);
	submit_many(opened, ops, targets);
	for (size_t i = 0; i < NUM_OPS; i++) {
		assert_ptr_equal(engine_case_wait(opened, 1), &ops[i]);
		assert_doca(ops[i].status, DOCA_ERROR_IO_FAILED);
		assert_int_equal(targets[i].data_len_bytes, 0);
	}
	engine_case_is_untouched(opened);
	engine_case_close(opened);
}

static void abort_ends_a_copy_that_is_under_way(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 1;
	struct engine_op *op = NULL;
	enum engine_polled polled;

	submit(opened, &opened->op);
	polled = opened->engine->poll(opened->queue, &budget_bytes, &op);
	opened->engine->abort(opened->queue);
	if (polled != ENGINE_DONE)
		op = engine_case_wait(opened, SIZE_MAX);

	assert_ptr_equal(op, &opened->op);
	if (opened->op.status != DOCA_SUCCESS) {
		assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
		assert_int_equal(opened->target.data_len_bytes, 0);
	}
	assert_false(opened->engine->has_work(opened->queue));
	engine_case_close(opened);
}

static void a_source_that_shrank_under_the_copy_is_a_fault(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 10;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_PART);
	opened->source.data_len_bytes = 4;

	(void)engine_case_wait(opened, SIZE_MAX);
	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(opened->op.fault, COPY_CHANGED);
	assert_int_equal(opened->target.data_len_bytes, 0);
	engine_case_close(opened);
}

/* What another context's copy into the same target does between two parts of this one. */
static void a_target_that_grew_between_two_polls_fails_the_copy(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 1000;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_PART);
	opened->target.data_len_bytes = 1;
	budget_bytes = 1000;

	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_DONE);
	assert_int_equal(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(op->fault, COPY_CHANGED);
	assert_int_equal(opened->target.data_len_bytes, 1);
	assert_int_equal(budget_bytes, 1000); /* not a byte more was copied */
	engine_case_close(opened);
}

static void a_window_that_left_its_region_between_two_polls_fails_the_copy(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 1000;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_PART);
	opened->source.data_len_bytes = SIZE_MAX;
	budget_bytes = 1000;

	assert_int_equal(opened->engine->poll(opened->queue, &budget_bytes, &op), ENGINE_DONE);
	assert_int_equal(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(op->fault, COPY_CHANGED);
	assert_int_equal(budget_bytes, 1000);
	engine_case_close(opened);
}

int engine_suite_run(const struct engine_ops *engine, const struct CMUnitTest *own, size_t num_own)
{
	static const struct CMUnitTest contract[] = {
		cmocka_unit_test(a_queue_without_memory_is_no_memory_and_none),
		cmocka_unit_test(a_new_queue_has_no_work),
		cmocka_unit_test(submit_moves_no_byte),
		cmocka_unit_test(an_op_comes_back_when_all_is_copied),
		cmocka_unit_test(an_op_appends_and_leaves_its_source_as_it_is),
		cmocka_unit_test(lists_of_any_cut_are_copied_as_one),
		cmocka_unit_test(a_piece_over_itself_is_memmove_whatever_the_budget),
		cmocka_unit_test(a_budget_of_nothing_does_nothing),
		cmocka_unit_test(has_work_says_that_poll_would_not_be_idle),
		cmocka_unit_test(ops_come_back_in_the_order_of_submission),
		cmocka_unit_test(an_op_that_came_back_can_be_submitted_again),
		cmocka_unit_test(queues_know_nothing_of_each_other),
		cmocka_unit_test(an_op_submitted_with_an_error_comes_back_with_it),
		cmocka_unit_test(an_empty_source_fails),
		cmocka_unit_test(a_target_with_too_little_room_fails),
		cmocka_unit_test(a_source_window_outside_of_its_region_fails),
		cmocka_unit_test(a_source_window_that_wraps_fails),
		cmocka_unit_test(a_target_window_outside_of_its_region_fails),
		cmocka_unit_test(a_target_window_that_wraps_fails),
		cmocka_unit_test(an_op_that_fails_does_not_hold_up_the_next),
		cmocka_unit_test(abort_brings_back_what_waits_and_what_comes_later),
		cmocka_unit_test(abort_ends_a_copy_that_is_under_way),
		cmocka_unit_test(a_source_that_shrank_under_the_copy_is_a_fault),
		cmocka_unit_test(a_target_that_grew_between_two_polls_fails_the_copy),
		cmocka_unit_test(a_window_that_left_its_region_between_two_polls_fails_the_copy),
	};
	const size_t num_contract = sizeof(contract) / sizeof(contract[0]);
	struct CMUnitTest all[MAX_TESTS];

	if (num_contract + num_own > MAX_TESTS)
		return 1;
	memcpy(all, contract, sizeof(contract));
	memcpy(all + num_contract, own, num_own * sizeof(*own));
	for (size_t i = 0; i < num_contract + num_own; i++)
		all[i].initial_state = (void *)engine;
	return _cmocka_run_group_tests(engine->name, all, num_contract + num_own, NULL, NULL);
}
