/* SPDX-License-Identifier: Apache-2.0 */
/* What public programs do inside their completion callbacks. */
#include "support/dma_fixture.h"
#include "support/test.h"

#define NUM_RESUBMISSIONS 1000000U

/* What the callbacks of one test keep; options.user points to it. */
struct notes {
	size_t num_calls;
	size_t num_refused;
	doca_error_t result;
	doca_error_t other_result;
	uint8_t progressed;
	uint32_t num_free_bufs;
	struct doca_task *next_task;
};

static struct notes *notes_of(union doca_data ctx_user_data)
{
	return ((struct dma_fixture *)ctx_user_data.ptr)->options.user;
}

static void resubmit(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
		     union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = notes_of(ctx_user_data);

	fixture->num_success++;
	if (fixture->num_success == NUM_RESUBMISSIONS)
		return;
	(void)doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(memcpy_task));
	if (doca_task_submit(doca_dma_task_memcpy_as_task(memcpy_task)) != DOCA_SUCCESS)
		notes->num_refused++;
}

static void a_task_is_resubmitted_a_million_times_from_its_callback(void **state)
{
	struct notes notes = {0};
	struct dma_options options = {.success_cb = resubmit, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	while (fixture->num_success < NUM_RESUBMISSIONS) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(notes.num_refused, 0);
	}

	assert_int_equal(fixture->num_error, 0);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	assert_int_equal(dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))), 64);
	assert_true(dma_was_copied(fixture, 0, 64));
	assert_true(dma_is_untouched(fixture, 64, 4096));
	dma_task_release(task);
	dma_close(fixture);
}

static void release_and_count(struct doca_dma_task_memcpy *memcpy_task,
			      union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;

	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
	(void)doca_buf_inventory_get_num_free_elements(fixture->inventory,
						       &notes_of(ctx_user_data)->num_free_bufs);
}

static void the_callback_frees_its_task_and_both_buffers(void **state)
{
	struct notes notes = {0};
	struct dma_options options = {
		.num_tasks = 1, .num_bufs = 2, .success_cb = release_and_count, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t round = 0; round < 1000; round++) {
		notes.num_free_bufs = 0;
		assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 4096, round)), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(notes.num_free_bufs, 2);
	}
	assert_int_equal(fixture->num_success, 1000);
	dma_close(fixture);
}

static void one_callback(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
			 union doca_data ctx_user_data)
{
	if (doca_task_get_status(doca_dma_task_memcpy_as_task(memcpy_task)) == DOCA_SUCCESS)
		dma_record_success(memcpy_task, task_user_data, ctx_user_data);
	else
		dma_record_error(memcpy_task, task_user_data, ctx_user_data);
}

static void one_callback_serves_both_outcomes_by_the_status(void **state)
{
	struct dma_options options = {.success_cb = one_callback, .error_cb = one_callback};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 64, 64), 2)),
		    DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);

	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(fixture->num_error, 1);
	assert_int_equal(fixture->events[1].tag, 1);
	assert_doca(fixture->events[1].status, DOCA_SUCCESS);
	assert_int_equal(fixture->events[2].tag, 2);
	assert_doca(fixture->events[2].status, DOCA_ERROR_IO_FAILED);
	dma_close(fixture);
}

static void progress_inside(struct doca_dma_task_memcpy *memcpy_task,
			    union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = notes_of(ctx_user_data);

	notes->progressed = (uint8_t)(notes->progressed | doca_pe_progress(fixture->pe));
	notes->num_calls++;
	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
}

static void progress_inside_a_callback_is_refused(void **state)
{
	struct notes notes = {0};
	struct dma_options options = {.success_cb = progress_inside, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 2)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);

	assert_int_equal(notes.num_calls, 1);
	assert_int_equal(notes.progressed, 0);
	assert_true(dma_is_untouched(fixture, 64, 64));
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(notes.num_calls, 2);
	assert_int_equal(notes.progressed, 0);
	dma_close(fixture);
}

static void stop_once(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = notes_of(ctx_user_data);

	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
	if (notes->num_calls++ == 0)
		notes->result = doca_ctx_stop(fixture->ctx);
}

static void stop_from_a_callback_flushes_the_tasks_in_flight(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.success_cb = stop_once, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 1; tag <= 16; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);

	assert_doca(notes.result, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(fixture->num_error, 15);
	/* RUNNING, the first task, STOPPING, fifteen flushed in order, IDLE. */
	assert_int_equal(fixture->num_events, 19);
	assert_int_equal(fixture->events[2].kind, DMA_EVENT_STATE);
	assert_int_equal(fixture->events[2].state, DOCA_CTX_STATE_STOPPING);
	for (size_t i = 3; i < 18; i++) {
		assert_int_equal(fixture->events[i].kind, DMA_EVENT_ERROR);
		assert_doca(fixture->events[i].status, DOCA_ERROR_IO_FAILED);
		assert_int_equal(fixture->events[i].state, DOCA_CTX_STATE_STOPPING);
		assert_int_equal(fixture->events[i].tag, i - 1);
	}
	assert_true(dma_is_untouched(fixture, 128, 16 * 64));
	dma_close(fixture);
}

static void stop_from_the_callback_of_the_last_task_is_in_progress(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.success_cb = stop_once, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);

	assert_doca(notes.result, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void submit_another(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
			   union doca_data ctx_user_data)
{
	struct notes *notes = notes_of(ctx_user_data);
	struct doca_task *next_task = notes->next_task;

	notes->next_task = NULL;
	if (next_task != NULL)
		notes->result = doca_task_submit(next_task);
	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
}

static void a_callback_submits_another_task(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.success_cb = submit_another, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	notes.next_task = dma_copy_task(fixture, 64, 64, 2);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);

	assert_doca(notes.result, DOCA_SUCCESS);
	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_is_untouched(fixture, 64, 64));
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 2);
	assert_true(dma_was_copied(fixture, 0, 128));
	dma_close(fixture);
}

static void resubmit_whatever_happened(struct doca_dma_task_memcpy *memcpy_task,
				       union doca_data task_user_data,
				       union doca_data ctx_user_data)
{
	struct notes *notes = notes_of(ctx_user_data);
	struct doca_task *task = doca_dma_task_memcpy_as_task(memcpy_task);

	notes->num_calls++;
	(void)doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(memcpy_task));
	if (doca_task_submit(task) == DOCA_SUCCESS)
		return;
	notes->num_refused++;
	dma_task_release(task);
}

static void programs_that_always_resubmit_still_come_to_an_end(void **state)
{
	struct notes notes = {0};
	struct dma_options options = {.success_cb = resubmit_whatever_happened,
				      .error_cb = resubmit_whatever_happened,
				      .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 2)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 128, 64), 3)),
		    DOCA_SUCCESS);

	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(notes.num_refused, 3);
	assert_in_range(notes.num_calls, 3, 16);
	dma_close(fixture);
}

static void restart_once(const union doca_data user_data, struct doca_ctx *ctx,
			 enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct notes *notes = notes_of(user_data);

	/* The context already is in the state that is told. */
	if (dma_state(ctx) != next_state)
		notes->num_refused++;
	if (next_state == DOCA_CTX_STATE_STOPPING)
		notes->result = doca_ctx_stop(ctx);
	if (next_state == DOCA_CTX_STATE_IDLE && notes->num_calls++ == 0)
		notes->other_result = doca_ctx_start(ctx);
}

static void a_state_callback_may_stop_again_and_start_again(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN, .other_result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.state_cb = restart_once, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_RUNNING);

	assert_int_equal(notes.num_refused, 0);
	assert_doca(notes.result, DOCA_ERROR_IN_PROGRESS);
	assert_doca(notes.other_result, DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 2)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);
	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(fixture->num_error, 1);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_is_resubmitted_a_million_times_from_its_callback),
		cmocka_unit_test(the_callback_frees_its_task_and_both_buffers),
		cmocka_unit_test(one_callback_serves_both_outcomes_by_the_status),
		cmocka_unit_test(progress_inside_a_callback_is_refused),
		cmocka_unit_test(stop_from_a_callback_flushes_the_tasks_in_flight),
		cmocka_unit_test(stop_from_the_callback_of_the_last_task_is_in_progress),
		cmocka_unit_test(a_callback_submits_another_task),
		cmocka_unit_test(programs_that_always_resubmit_still_come_to_an_end),
		cmocka_unit_test(a_state_callback_may_stop_again_and_start_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
