/* SPDX-License-Identifier: Apache-2.0 */
/* The inline engine: the contract, how it spends a budget, and why a copy fails.
 */
#include "contract/engine_suite.h"

#include "engine/inline/inline.h"

static enum engine_polled poll(struct engine_case *opened, size_t *budget_bytes,
			       struct engine_op **op)
{
	return opened->engine->poll(opened->queue, budget_bytes, op);
}

static void a_budget_shrinks_by_what_was_copied(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = ENGINE_SUITE_BYTES + 100;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_true(opened->engine->has_work(opened->queue));
	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_DONE);
	assert_int_equal(budget_bytes, 100);
	engine_case_close(opened);
}

static void a_copy_beyond_the_budget_goes_on_in_the_next_poll(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	for (size_t done = 1000; done < ENGINE_SUITE_BYTES; done += 1000) {
		size_t budget_bytes = 1000;

		assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_PART);
		assert_null(op);
		assert_int_equal(budget_bytes, 0);
		assert_memory_equal(opened->to, opened->from, done);
		assert_int_equal(opened->to[done], ENGINE_SUITE_GUARD);
		assert_int_equal(opened->target.data_len_bytes, 0);
		assert_true(opened->engine->has_work(opened->queue));
	}
	assert_ptr_equal(engine_case_wait(opened, 1000), &opened->op);
	assert_int_equal(opened->target.data_len_bytes, ENGINE_SUITE_BYTES);
	engine_case_close(opened);
}

static void an_aborted_copy_moves_no_further_byte(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 10;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_PART);
	opened->engine->abort(opened->queue);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(opened->to[10], ENGINE_SUITE_GUARD);
	engine_case_close(opened);
}

/* The op as it is now comes back with that fault; whoever knows the objects words it. */
static void assert_fails_with(struct engine_case *opened, enum copy_fault fault)
{
	opened->engine->submit(opened->queue, &opened->op);
	(void)engine_case_wait(opened, SIZE_MAX);

	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(opened->op.fault, fault);
	engine_case_close(opened);
}

static void an_empty_source_is_a_fault(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->op.len_bytes = 0;
	assert_fails_with(opened, COPY_SOURCE_EMPTY);
}

static void too_little_room_is_a_fault(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data_len_bytes = 96;
	assert_fails_with(opened, COPY_TARGET_SMALL);
}

static void a_source_outside_of_its_region_is_a_fault(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->source.data = opened->from + 1;
	assert_fails_with(opened, COPY_SOURCE_OUTSIDE);
}

static void a_target_outside_of_its_region_is_a_fault(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data_len_bytes = ENGINE_SUITE_BYTES + 1;
	assert_fails_with(opened, COPY_TARGET_OUTSIDE);
}

static void a_copy_that_works_or_is_flushed_has_no_fault(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->engine->submit(opened->queue, &opened->op);
	(void)engine_case_wait(opened, SIZE_MAX);
	assert_int_equal(opened->op.fault, COPY_SOUND);
	opened->engine->abort(opened->queue);
	opened->engine->submit(opened->queue, &opened->op);
	(void)engine_case_wait(opened, SIZE_MAX);
	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(opened->op.fault, COPY_SOUND);
	engine_case_close(opened);
}

int main(void)
{
	const struct CMUnitTest own[] = {
		cmocka_unit_test(a_budget_shrinks_by_what_was_copied),
		cmocka_unit_test(a_copy_beyond_the_budget_goes_on_in_the_next_poll),
		cmocka_unit_test(an_aborted_copy_moves_no_further_byte),
		cmocka_unit_test(an_empty_source_is_a_fault),
		cmocka_unit_test(too_little_room_is_a_fault),
		cmocka_unit_test(a_source_outside_of_its_region_is_a_fault),
		cmocka_unit_test(a_target_outside_of_its_region_is_a_fault),
		cmocka_unit_test(a_copy_that_works_or_is_flushed_has_no_fault),
	};

	return engine_suite_run(&inline_engine, own, sizeof(own) / sizeof(own[0]));
}
