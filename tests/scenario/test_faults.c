/* SPDX-License-Identifier: Apache-2.0 */
/* One failed copy stops the whole context; it runs again after a start. */
#include "support/dma_fixture.h"
#include "support/test.h"

/* A task that the library accepts and then fails. */
static struct doca_task *failing_task(struct dma_fixture *fixture, size_t offset, uint64_t tag)
{
	struct doca_buf *empty = dma_source(fixture, offset, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	return dma_task(fixture, empty, dma_target(fixture, offset, 64), tag);
}

static void a_failed_copy_is_told_first_then_the_others_are_flushed(void **state)
{
	static const enum dma_event_kind kinds[] = {
		DMA_EVENT_STATE, DMA_EVENT_SUCCESS, DMA_EVENT_ERROR, DMA_EVENT_STATE,
		DMA_EVENT_ERROR, DMA_EVENT_ERROR,   DMA_EVENT_STATE};
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(failing_task(fixture, 64, 2)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 128, 64, 3)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 192, 64, 4)), DOCA_SUCCESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	assert_int_equal(fixture->num_events, 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(fixture->events[i].kind, kinds[i]);
	assert_int_equal(fixture->events[2].tag, 2);
	assert_doca(fixture->events[2].status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(fixture->events[2].state, DOCA_CTX_STATE_RUNNING);
	assert_int_equal(fixture->events[3].prev, DOCA_CTX_STATE_RUNNING);
	assert_int_equal(fixture->events[3].state, DOCA_CTX_STATE_STOPPING);
	for (size_t i = 4; i < 6; i++) {
		assert_int_equal(fixture->events[i].tag, i - 1);
		assert_doca(fixture->events[i].status, DOCA_ERROR_IO_FAILED);
		assert_int_equal(fixture->events[i].state, DOCA_CTX_STATE_STOPPING);
	}
	assert_int_equal(fixture->events[6].prev, DOCA_CTX_STATE_STOPPING);
	assert_int_equal(fixture->events[6].state, DOCA_CTX_STATE_IDLE);
	assert_true(dma_was_copied(fixture, 0, 64));
	assert_true(dma_is_untouched(fixture, 64, 192));
	dma_close(fixture);
}

static void a_faulted_context_stays_in_stopping_until_its_tasks_are_freed(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *failed = failing_task(fixture, 0, 1);
	struct doca_task *flushed = dma_copy_task(fixture, 64, 64, 2);

	assert_doca(doca_task_submit(failed), DOCA_SUCCESS);
	assert_doca(doca_task_submit(flushed), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);
	dma_progress_dry(fixture);

	assert_int_equal(fixture->num_error, 2);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_BAD_STATE);
	dma_task_release(failed);
	dma_progress_dry(fixture);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	dma_task_release(flushed);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void a_faulted_context_restarts_with_a_bare_start(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (size_t round = 0; round < 50; round++) {
		assert_doca(doca_task_submit(failing_task(fixture, 0, 1)), DOCA_SUCCESS);
		dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
		assert_doca(doca_task_submit(dma_copy_task(fixture, round * 64, 64, 2)),
			    DOCA_SUCCESS);
		dma_wait_tasks(fixture, 2 * (round + 1));
	}
	assert_int_equal(fixture->num_success, 50);
	assert_int_equal(fixture->num_error, 50);
	assert_true(dma_was_copied(fixture, 0, 50 * 64));
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	dma_close(fixture);
}

static void tasks_held_back_are_flushed_by_a_fault(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(failing_task(fixture, 0, 1)), DOCA_SUCCESS);
	assert_doca(
		doca_task_submit_ex(dma_copy_task(fixture, 64, 64, 2), DOCA_TASK_SUBMIT_FLAG_NONE),
		DOCA_SUCCESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	assert_int_equal(fixture->num_error, 2);
	assert_true(dma_is_untouched(fixture, 0, 128));
	dma_close(fixture);
}

static void a_lazy_task_that_fails_is_told_at_once(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit_ex(failing_task(fixture, 0, 1),
					DOCA_TASK_SUBMIT_FLAG_FLUSH |
						DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS),
		    DOCA_SUCCESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	assert_int_equal(fixture->num_error, 1);
	dma_close(fixture);
}

static void a_plain_stop_flushes_submitted_tasks_and_moves_no_byte(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 0; tag < 8; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fixture->num_error, 0); /* callbacks wait for progress */
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	assert_int_equal(fixture->num_error, 8);
	assert_int_equal(fixture->num_success, 0);
	assert_true(dma_is_untouched(fixture, 0, 512));
	dma_close(fixture);
}

static void a_failed_copy_leaves_every_descriptor_as_it_was(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *source = dma_source(fixture, 0, 64);
	struct doca_buf *target = dma_target(fixture, 0, 100);
	struct doca_task *task = dma_task(fixture, source, target, 1);
	void *data = NULL;

	assert_doca(doca_buf_set_data(target, fixture->target.bytes + 10, 30), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS); /* 60 bytes of room for 64 */
	dma_wait_tasks(fixture, 1);

	assert_int_equal(fixture->num_error, 1);
	assert_doca(doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
	assert_int_equal(dma_data_len(source), 64);
	assert_int_equal(dma_data_len(target), 30);
	assert_doca(doca_buf_get_data(target, &data), DOCA_SUCCESS);
	assert_ptr_equal(data, fixture->target.bytes + 10);
	assert_true(dma_is_untouched(fixture, 0, 1024));
	dma_task_release(task);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_copy_is_told_first_then_the_others_are_flushed),
		cmocka_unit_test(a_faulted_context_stays_in_stopping_until_its_tasks_are_freed),
		cmocka_unit_test(a_faulted_context_restarts_with_a_bare_start),
		cmocka_unit_test(tasks_held_back_are_flushed_by_a_fault),
		cmocka_unit_test(a_lazy_task_that_fails_is_told_at_once),
		cmocka_unit_test(a_plain_stop_flushes_submitted_tasks_and_moves_no_byte),
		cmocka_unit_test(a_failed_copy_leaves_every_descriptor_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
