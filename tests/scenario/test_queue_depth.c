/* SPDX-License-Identifier: Apache-2.0 */
/* A queue shallower than the task pool; run with SOFTDOCA_QUEUE_DEPTH=4. */
#include "support/dma_fixture.h"
#include "support/test.h"

#define DEPTH 4

static void a_full_queue_says_again_and_takes_the_task_after_one_progress(void **state)
{
	struct dma_options options = {.num_tasks = 8};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *late;

	for (uint64_t tag = 0; tag < DEPTH; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	late = dma_copy_task(fixture, 4096, 64, 9);
	assert_doca(doca_task_submit(late), DOCA_ERROR_AGAIN);
	assert_doca(doca_task_try_submit(late), DOCA_ERROR_AGAIN);
	assert_doca(doca_task_submit_ex(late, DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_ERROR_AGAIN);
	assert_int_equal(dma_inflight(fixture->ctx), DEPTH);

	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_task_submit(late), DOCA_SUCCESS);
	dma_wait_tasks(fixture, DEPTH + 1);
	assert_int_equal(fixture->num_success, DEPTH + 1);
	assert_true(dma_was_copied(fixture, 4096, 64));
	dma_close(fixture);
}

static void a_task_refused_with_again_stays_the_users(void **state)
{
	struct dma_options options = {.num_tasks = 8};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *late;

	for (uint64_t tag = 0; tag < DEPTH; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	late = dma_copy_task(fixture, 4096, 64, 9);
	assert_doca(doca_task_submit(late), DOCA_ERROR_AGAIN);
	dma_task_release(late);
	dma_wait_tasks(fixture, DEPTH);

	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_true(dma_is_untouched(fixture, 4096, 64));
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	dma_close(fixture);
}

static void progress_and_retry_ends_behind_a_queue_of_unflushed_tasks(void **state)
{
	struct dma_options options = {.num_tasks = 8};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *late;

	for (uint64_t tag = 0; tag < DEPTH; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * 64, 64, tag),
						DOCA_TASK_SUBMIT_FLAG_NONE),
			    DOCA_SUCCESS);
	late = dma_copy_task(fixture, 4096, 64, 9);
	assert_doca(doca_task_submit(late), DOCA_ERROR_AGAIN);
	doca_ctx_flush_tasks(fixture->ctx);
	dma_wait_tasks(fixture, 1);

	assert_doca(doca_task_submit(late), DOCA_SUCCESS);
	dma_wait_tasks(fixture, DEPTH + 1);
	dma_close(fixture);
}

/* AGAIN promises that progress makes room; reports that only wait for company must not deny it. */
static void progress_and_retry_ends_behind_a_queue_of_optimised_reports(void **state)
{
	struct dma_options options = {.num_tasks = 8};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *late;
	doca_error_t result = DOCA_ERROR_AGAIN;

	for (uint64_t tag = 0; tag < DEPTH; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * 64, 64, tag),
						DOCA_TASK_SUBMIT_FLAG_FLUSH |
							DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS),
			    DOCA_SUCCESS);
	late = dma_copy_task(fixture, 4096, 64, 9);
	for (unsigned i = 0; i < 1000 && result == DOCA_ERROR_AGAIN; i++) {
		(void)doca_pe_progress(fixture->pe);
		result = doca_task_submit(late);
	}
	assert_doca(result, DOCA_SUCCESS);
	dma_wait_tasks(fixture, DEPTH + 1);
	assert_int_equal(fixture->num_success, DEPTH + 1);
	dma_close(fixture);
}

/* Who waits on the handle after AGAIN must be woken by what progress would do. */
static void a_queue_full_of_waiting_reports_wakes_an_armed_engine(void **state)
{
	struct dma_options options = {.num_tasks = 8};
	struct dma_fixture *fixture = dma_open(&options);
	doca_notification_handle_t handle;
	struct doca_task *late;

	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	for (uint64_t tag = 1; tag < DEPTH; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * 64, 64, tag),
						DOCA_TASK_SUBMIT_FLAG_FLUSH |
							DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS),
			    DOCA_SUCCESS);
	dma_progress_dry(fixture);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 0, 64, DEPTH),
					DOCA_TASK_SUBMIT_FLAG_NONE),
		    DOCA_SUCCESS);
	late = dma_copy_task(fixture, 4096, 64, 9);
	assert_doca(doca_task_submit(late), DOCA_ERROR_AGAIN);
	assert_true(test_fd_is_readable(handle, 0));

	assert_doca(doca_pe_clear_notification(fixture->pe, handle), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_true(test_fd_is_readable(handle, 0));
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_task_submit(late), DOCA_SUCCESS);
	dma_wait_tasks(fixture, DEPTH + 1);
	dma_close(fixture);
}

/* The depth that the setting allows is more than the pool has. */
static void a_pool_smaller_than_the_queue_is_not_stuck_with_optimised_reports(void **state)
{
	struct dma_options options = {.num_tasks = DEPTH / 2};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 0; tag < DEPTH / 2; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * 64, 64, tag),
						DOCA_TASK_SUBMIT_FLAG_FLUSH |
							DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS),
			    DOCA_SUCCESS);

	assert_int_equal(dma_progress_dry(fixture), DEPTH / 2);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pool_smaller_than_the_queue_is_not_stuck_with_optimised_reports),
		cmocka_unit_test(a_full_queue_says_again_and_takes_the_task_after_one_progress),
		cmocka_unit_test(a_task_refused_with_again_stays_the_users),
		cmocka_unit_test(progress_and_retry_ends_behind_a_queue_of_unflushed_tasks),
		cmocka_unit_test(progress_and_retry_ends_behind_a_queue_of_optimised_reports),
		cmocka_unit_test(a_queue_full_of_waiting_reports_wakes_an_armed_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
