/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts whose copies are done in threads; run with SOFTDOCA_ENGINE=workers:N. */
#include "support/peer_fixture.h"

#define LEN ((size_t)2 << 20)
#define NUM_ROUNDS 20

/* By polling, or by waiting for the handle. */
static void wait_tasks(struct dma_fixture *fixture, size_t num_tasks, bool sleeps)
{
	doca_notification_handle_t handle;

	if (!sleeps) {
		dma_wait_tasks(fixture, num_tasks);
		return;
	}
	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	while (fixture->num_success + fixture->num_error < num_tasks) {
		assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(fixture->pe, handle), DOCA_SUCCESS);
		while (doca_pe_progress(fixture->pe) != 0)
			;
	}
}

/* The second copy hands on what the first has just written. */
static void a_copy_to_another_process_waits_for_those_in_threads(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	for (unsigned round = 0; round < NUM_ROUNDS; round++) {
		struct dma_fixture *dma = peer.dma;
		struct doca_buf *middle = NULL;
		size_t first = dma->num_events;

		memset(dma->source.bytes, (int)round + 1, LEN);
		assert_doca(doca_task_submit(dma_copy_task(dma, 0, LEN, 1)), DOCA_SUCCESS);
		assert_doca(doca_buf_inventory_buf_get_by_data(dma->inventory, dma->target.mmap,
							       dma->target.bytes, LEN, &middle),
			    DOCA_SUCCESS);
		assert_doca(doca_task_submit(
				    dma_task(dma, middle, peer_target(dma, peer.mmap, 0, LEN), 2)),
			    DOCA_SUCCESS);
		wait_tasks(dma, 2 * (round + 1), round % 2 == 0);
		assert_int_equal(dma->num_error, 0);
		assert_int_equal(dma->events[first].tag, 1);
		assert_int_equal(dma->events[first + 1].tag, 2);
		assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM),
				 exporter_sum(dma->source.bytes, LEN));
	}
	peer_close_all(&peer);
}

static void each_task_of_a_context_that_stops_comes_back_once(void **state)
{
	for (unsigned round = 0; round < NUM_ROUNDS; round++) {
		struct dma_options options = {.area_bytes = 8 * LEN};
		struct dma_fixture *fixture = dma_open(&options);

		for (size_t i = 0; i < 8; i++)
			assert_doca(doca_task_submit(dma_copy_task(fixture, i * LEN, LEN, i)),
				    DOCA_SUCCESS);
		if (round % 2 == 0)
			(void)doca_pe_progress(fixture->pe);
		assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
		wait_tasks(fixture, 8, round % 4 < 2);
		dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
		assert_int_equal(fixture->num_success + fixture->num_error, 8);
		for (size_t i = 0; i < fixture->num_success; i++)
			assert_true(dma_was_copied(fixture, i * LEN, LEN));
		dma_close(fixture);
	}
}

static void a_failed_copy_flushes_those_behind_it(void **state)
{
	struct dma_options options = {.area_bytes = 3 * LEN};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, LEN, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, dma_source(fixture, 0, LEN),
					      dma_target(fixture, LEN, LEN - 1), 2)),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 2 * LEN, LEN, 3)), DOCA_SUCCESS);
	wait_tasks(fixture, 3, true);
	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_was_copied(fixture, 0, LEN));
	assert_true(dma_is_untouched(fixture, LEN, 2 * LEN));
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

/* The first is done while the second is under way: its report waits, and both come in the end. */
static void optimised_reports_of_a_full_queue_come_when_the_last_copy_is_done(void **state)
{
	struct dma_options options = {.area_bytes = 2 * LEN, .num_tasks = 2};

	for (unsigned round = 0; round < NUM_ROUNDS; round++) {
		struct dma_fixture *fixture = dma_open(&options);

		for (size_t i = 0; i < 2; i++)
			assert_doca(
				doca_task_submit_ex(dma_copy_task(fixture, i * LEN, LEN, i),
						    DOCA_TASK_SUBMIT_FLAG_FLUSH |
							    DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS),
				DOCA_SUCCESS);
		wait_tasks(fixture, 2, round % 2 == 0);
		assert_int_equal(fixture->num_success, 2);
		assert_int_equal(fixture->events[0].tag, 0);
		assert_true(dma_was_copied(fixture, 0, 2 * LEN));
		dma_close(fixture);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_to_another_process_waits_for_those_in_threads),
		cmocka_unit_test(each_task_of_a_context_that_stops_comes_back_once),
		cmocka_unit_test(a_failed_copy_flushes_those_behind_it),
		cmocka_unit_test(optimised_reports_of_a_full_queue_come_when_the_last_copy_is_done),
	};

	exporter_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
