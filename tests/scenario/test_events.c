/* SPDX-License-Identifier: Apache-2.0 */
/* The notification handle: when it is readable, in both event modes. */
#include <sys/epoll.h>
#include <unistd.h>

#include "support/dma_fixture.h"
#include "support/test.h"

static int handle_of(struct dma_fixture *fixture)
{
	doca_notification_handle_t handle = doca_event_invalid_handle;

	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	assert_true(handle >= 0);
	return handle;
}

static void arm(struct dma_fixture *fixture)
{
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
}

static void clear(struct dma_fixture *fixture)
{
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
}

static void submit_copy(struct dma_fixture *fixture, size_t offset)
{
	assert_doca(doca_task_submit(dma_copy_task(fixture, offset, 64, offset)), DOCA_SUCCESS);
}

static void armed_without_work_a_later_submit_wakes_epoll_wait(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN};

	assert_true(epoll_fd >= 0);
	assert_int_equal(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, handle_of(fixture), &event), 0);
	arm(fixture);
	assert_int_equal(epoll_wait(epoll_fd, &event, 1, 0), 0);
	submit_copy(fixture, 0);
	assert_int_equal(epoll_wait(epoll_fd, &event, 1, TEST_DEADLINE_S * 1000), 1);

	assert_true(dma_is_untouched(fixture, 0, 64));
	clear(fixture);
	assert_int_equal(epoll_wait(epoll_fd, &event, 1, 0), 0);
	assert_int_equal(dma_progress_dry(fixture), 1);
	close(epoll_fd);
	dma_close(fixture);
}

static void armed_with_work_pending_the_handle_is_readable_at_once(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	submit_copy(fixture, 0);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	arm(fixture);
	assert_true(test_fd_is_readable(handle_of(fixture), 0));
	clear(fixture);
	assert_int_equal(dma_progress_dry(fixture), 1);
	arm(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	dma_close(fixture);
}

static void work_left_over_from_a_wake_up_wakes_again_after_the_next_arm(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (size_t i = 0; i < 4; i++)
		submit_copy(fixture, i * 64);
	for (size_t i = 1; i <= 4; i++) {
		arm(fixture);
		assert_true(test_fd_is_readable(handle_of(fixture), 0));
		clear(fixture);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, i);
	}
	arm(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	dma_close(fixture);
}

static void an_unarmed_handle_never_becomes_readable(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	int handle = handle_of(fixture);
	struct doca_task *kept = dma_copy_task(fixture, 0, 64, 1);

	assert_false(test_fd_is_readable(handle, 0));
	for (size_t i = 0; i < 100; i++) {
		submit_copy(fixture, i * 64);
		assert_false(test_fd_is_readable(handle, 0));
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_false(test_fd_is_readable(handle, 0));
	}
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_false(test_fd_is_readable(handle, 0));
	dma_task_release(kept);
	assert_false(test_fd_is_readable(handle, 0));
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_false(test_fd_is_readable(handle, 0));
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_false(test_fd_is_readable(handle, 0));
	dma_close(fixture);
}

static void one_arm_is_one_wake_up(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	arm(fixture);
	submit_copy(fixture, 0);
	assert_true(test_fd_is_readable(handle_of(fixture), 0));
	clear(fixture);
	submit_copy(fixture, 64);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	assert_int_equal(dma_progress_dry(fixture), 2);
	dma_close(fixture);
}

static void arming_twice_is_as_arming_once(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	arm(fixture);
	arm(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	submit_copy(fixture, 0);
	assert_true(test_fd_is_readable(handle_of(fixture), 0));
	clear(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	assert_int_equal(dma_progress_dry(fixture), 1);
	dma_close(fixture);
}

static void the_idle_transition_after_the_last_free_wakes_an_armed_engine(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *first = dma_copy_task(fixture, 0, 64, 1);
	struct doca_task *last = dma_copy_task(fixture, 64, 64, 2);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_progress_dry(fixture);
	arm(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	dma_task_release(first);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	dma_task_release(last);
	assert_true(test_fd_is_readable(handle_of(fixture), TEST_DEADLINE_S * 1000));

	clear(fixture);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void armed_after_the_last_free_the_handle_is_readable_at_once(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_task_release(task);
	arm(fixture);
	assert_true(test_fd_is_readable(handle_of(fixture), 0));
	clear(fixture);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void a_stop_with_tasks_in_flight_wakes_an_armed_engine(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(
		doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 1), DOCA_TASK_SUBMIT_FLAG_NONE),
		DOCA_SUCCESS);
	arm(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_true(test_fd_is_readable(handle_of(fixture), TEST_DEADLINE_S * 1000));
	clear(fixture);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 1);
	dma_close(fixture);
}

static void unflushed_tasks_wake_an_armed_engine_when_they_are_flushed(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	arm(fixture);
	assert_doca(
		doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 1), DOCA_TASK_SUBMIT_FLAG_NONE),
		DOCA_SUCCESS);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	doca_ctx_flush_tasks(fixture->ctx);
	assert_true(test_fd_is_readable(handle_of(fixture), TEST_DEADLINE_S * 1000));
	clear(fixture);
	assert_int_equal(dma_progress_dry(fixture), 1);
	dma_close(fixture);
}

static void a_fault_left_half_told_wakes_again(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 0, 64), 1)),
		    DOCA_SUCCESS);
	submit_copy(fixture, 64);
	/* Only what the handle says is progressed: IDLE must still be reached. */
	for (unsigned i = 0; i < 10 && dma_state(fixture->ctx) != DOCA_CTX_STATE_IDLE; i++) {
		arm(fixture);
		assert_true(test_fd_is_readable(handle_of(fixture), TEST_DEADLINE_S * 1000));
		clear(fixture);
		(void)doca_pe_progress(fixture->pe);
	}
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 2);
	dma_close(fixture);
}

static void progress_all_needs_no_clear(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < 100; i++) {
		arm(fixture);
		assert_false(test_fd_is_readable(handle_of(fixture), 0));
		submit_copy(fixture, i * 64);
		assert_true(test_fd_is_readable(handle_of(fixture), TEST_DEADLINE_S * 1000));
		assert_int_equal(dma_progress_dry(fixture), 1);
	}
	dma_close(fixture);
}

static void progress_selective_stays_readable_until_the_clear(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE),
		    DOCA_SUCCESS);
	arm(fixture);
	submit_copy(fixture, 0);
	assert_int_equal(dma_progress_dry(fixture), 1);
	assert_true(test_fd_is_readable(handle_of(fixture), 0));
	clear(fixture);
	assert_false(test_fd_is_readable(handle_of(fixture), 0));
	dma_close(fixture);
}

static void the_event_mode_changes_while_the_context_runs(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (size_t i = 0; i < 10; i++) {
		enum doca_pe_event_mode mode = i % 2 == 0 ? DOCA_PE_EVENT_MODE_PROGRESS_ALL
							  : DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE;

		assert_doca(doca_pe_set_event_mode(fixture->pe, mode), DOCA_SUCCESS);
		arm(fixture);
		submit_copy(fixture, i * 64);
		assert_true(test_fd_is_readable(handle_of(fixture), TEST_DEADLINE_S * 1000));
		clear(fixture);
		assert_int_equal(dma_progress_dry(fixture), 1);
	}
	dma_close(fixture);
}

static void the_handle_is_the_same_for_the_engines_whole_life(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	int handle = handle_of(fixture);

	arm(fixture);
	submit_copy(fixture, 0);
	clear(fixture);
	dma_progress_dry(fixture);
	assert_int_equal(handle_of(fixture), handle);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(armed_without_work_a_later_submit_wakes_epoll_wait),
		cmocka_unit_test(armed_with_work_pending_the_handle_is_readable_at_once),
		cmocka_unit_test(work_left_over_from_a_wake_up_wakes_again_after_the_next_arm),
		cmocka_unit_test(an_unarmed_handle_never_becomes_readable),
		cmocka_unit_test(one_arm_is_one_wake_up),
		cmocka_unit_test(arming_twice_is_as_arming_once),
		cmocka_unit_test(the_idle_transition_after_the_last_free_wakes_an_armed_engine),
		cmocka_unit_test(armed_after_the_last_free_the_handle_is_readable_at_once),
		cmocka_unit_test(a_stop_with_tasks_in_flight_wakes_an_armed_engine),
		cmocka_unit_test(unflushed_tasks_wake_an_armed_engine_when_they_are_flushed),
		cmocka_unit_test(a_fault_left_half_told_wakes_again),
		cmocka_unit_test(progress_all_needs_no_clear),
		cmocka_unit_test(progress_selective_stays_readable_until_the_clear),
		cmocka_unit_test(the_event_mode_changes_while_the_context_runs),
		cmocka_unit_test(the_handle_is_the_same_for_the_engines_whole_life),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
