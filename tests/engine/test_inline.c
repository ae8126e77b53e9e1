/* SPDX-License-Identifier: Apache-2.0 */
/* The inline engine: the contract, how it spends a budget, and what it says of a copy that fails.
 */
#include "contract/engine_suite.h"

#include "base/sink.h"
#include "engine/inline/inline.h"

#define LINE_BYTES 1024

static struct {
	unsigned num_lines;
	int level;
	char text[LINE_BYTES];
} last; /* a sink gets no pointer of its owner's */

__attribute__((format(printf, 5, 0))) static void record(int level, const char *file, int line,
							 const char *func, const char *format,
							 va_list args)
{
	last.num_lines++;
	last.level = level;
	vsnprintf(last.text, sizeof(last.text), format, args);
}

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

/* The op as it is now fails with one error line that has both texts. */
static void assert_fails_with(struct engine_case *opened, const char *cause, const char *advice)
{
	last.num_lines = 0;
	sink_set(record);
	opened->engine->submit(opened->queue, &opened->op);
	(void)engine_case_wait(opened, SIZE_MAX);
	sink_set(NULL);

	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(last.num_lines, 1);
	assert_int_equal(last.level, SINK_ERROR);
	assert_non_null(strstr(last.text, cause));
	assert_non_null(strstr(last.text, advice));
	engine_case_close(opened);
}

static void an_empty_source_is_told_with_set_data(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->op.len_bytes = 0;
	assert_fails_with(opened, "the source holds no data", "doca_buf_set_data");
}

static void too_little_room_is_told_with_both_numbers(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data_len_bytes = 96;
	assert_fails_with(opened, "4096 bytes of source data, room for 4000",
			  "doca_buf_reset_data_len");
}

static void a_source_outside_of_its_region_is_told(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->source.data = opened->from + 1;
	assert_fails_with(opened, "the data of a source buffer lies outside of its region",
			  "doca_buf_set_data");
}

static void a_target_outside_of_its_region_is_told(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	opened->target.data_len_bytes = ENGINE_SUITE_BYTES + 1;
	assert_fails_with(opened, "the data of a destination buffer lies outside of its region",
			  "doca_buf_set_data");
}

static void a_buffer_changed_under_the_copy_fails_it_and_is_told(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 10;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_PART);
	opened->source.data_len_bytes = 4;

	last.num_lines = 0;
	sink_set(record);
	(void)engine_case_wait(opened, SIZE_MAX);
	sink_set(NULL);
	assert_doca(opened->op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(opened->target.data_len_bytes, 0);
	assert_int_equal(last.num_lines, 1);
	assert_non_null(strstr(last.text, "changed while the copy was under way"));
	engine_case_close(opened);
}

static void a_copy_that_works_is_silent(void **state)
{
	struct engine_case *opened = engine_case_open(state);

	last.num_lines = 0;
	sink_set(record);
	opened->engine->submit(opened->queue, &opened->op);
	(void)engine_case_wait(opened, SIZE_MAX);
	sink_set(NULL);
	assert_int_equal(last.num_lines, 0);
	engine_case_close(opened);
}

/* What another context's copy into the same target does between two parts of this one. */
static void a_target_that_grew_between_two_polls_fails_the_copy(void **state)
{
	struct engine_case *opened = engine_case_open(state);
	size_t budget_bytes = 1000;
	struct engine_op *op = NULL;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_PART);
	opened->target.data_len_bytes = 1;
	budget_bytes = 1000;

	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_DONE);
	assert_int_equal(op->status, DOCA_ERROR_IO_FAILED);
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
	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_PART);
	opened->source.data_len_bytes = SIZE_MAX;
	budget_bytes = 1000;

	assert_int_equal(poll(opened, &budget_bytes, &op), ENGINE_DONE);
	assert_int_equal(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(budget_bytes, 1000);
	engine_case_close(opened);
}

int main(void)
{
	const struct CMUnitTest own[] = {
		cmocka_unit_test(a_budget_shrinks_by_what_was_copied),
		cmocka_unit_test(a_target_that_grew_between_two_polls_fails_the_copy),
		cmocka_unit_test(a_window_that_left_its_region_between_two_polls_fails_the_copy),
		cmocka_unit_test(a_copy_beyond_the_budget_goes_on_in_the_next_poll),
		cmocka_unit_test(an_aborted_copy_moves_no_further_byte),
		cmocka_unit_test(an_empty_source_is_told_with_set_data),
		cmocka_unit_test(too_little_room_is_told_with_both_numbers),
		cmocka_unit_test(a_source_outside_of_its_region_is_told),
		cmocka_unit_test(a_target_outside_of_its_region_is_told),
		cmocka_unit_test(a_buffer_changed_under_the_copy_fails_it_and_is_told),
		cmocka_unit_test(a_copy_that_works_is_silent),
	};

	return engine_suite_run(&inline_engine, own, sizeof(own) / sizeof(own[0]));
}
