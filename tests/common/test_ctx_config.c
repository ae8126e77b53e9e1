/* SPDX-License-Identifier: Apache-2.0 */
/* What of a context is set and read. */
#include "support/dma_fixture.h"
#include "support/log_capture.h"
#include "support/test.h"

static struct dma_fixture *open_idle(void)
{
	struct dma_options options = {.stays_idle = true};

	return dma_open(&options);
}

static struct dma_fixture *open_running(void)
{
	struct dma_options options = {0};

	return dma_open(&options);
}

static void the_number_in_flight_is_that_of_submitted_tasks_without_their_callback(void **state)
{
	struct dma_fixture *fixture = open_running();
	struct doca_task *tasks[3];
	size_t num_tasks = 99;

	for (size_t i = 0; i < 3; i++)
		tasks[i] = dma_copy_task(fixture, 64 * i, 64, i);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	assert_doca(doca_task_submit(tasks[0]), DOCA_SUCCESS);
	/* Also one that waits for a flush. */
	assert_doca(doca_task_submit_ex(tasks[1], DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	assert_int_equal(dma_inflight(fixture->ctx), 2);
	assert_doca(doca_task_submit(tasks[2]), DOCA_SUCCESS);
	for (size_t left = 3; left-- > 0;) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_doca(doca_ctx_get_num_inflight_tasks(fixture->ctx, &num_tasks),
			    DOCA_SUCCESS);
		assert_int_equal(num_tasks, left);
	}
	dma_close(fixture);
}

static void the_number_in_flight_refuses_null(void **state)
{
	struct dma_fixture *fixture = open_idle();
	size_t num_tasks = 99;

	log_forget(state);
	assert_doca(doca_ctx_get_num_inflight_tasks(NULL, &num_tasks), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "ctx");
	log_forget(state);
	assert_doca(doca_ctx_get_num_inflight_tasks(fixture->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "num_inflight_tasks");
	assert_int_equal(num_tasks, 99);
	dma_close(fixture);
}

static void user_data_is_nothing_at_first(void **state)
{
	struct dma_fixture *fixture = open_idle();
	union doca_data user_data = {.u64 = 99};
	struct doca_dma *dma = NULL;

	assert_doca(doca_dma_create(fixture->dev, &dma), DOCA_SUCCESS);
	assert_doca(doca_ctx_get_user_data(doca_dma_as_ctx(dma), &user_data), DOCA_SUCCESS);
	assert_int_equal(user_data.u64, 0);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	dma_close(fixture);
}

static void user_data_can_be_set_in_any_state(void **state)
{
	struct dma_fixture *fixture = open_running();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);
	union doca_data user_data = {.ptr = fixture};

	assert_doca(doca_ctx_set_user_data(fixture->ctx, user_data), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_set_user_data(fixture->ctx, user_data), DOCA_SUCCESS);
	dma_task_release(task);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	user_data.u64 = 7;
	assert_doca(doca_ctx_set_user_data(fixture->ctx, user_data), DOCA_SUCCESS);
	user_data.u64 = 0;
	assert_doca(doca_ctx_get_user_data(fixture->ctx, &user_data), DOCA_SUCCESS);
	assert_int_equal(user_data.u64, 7);
	dma_close(fixture);
}

static void user_data_refuses_null(void **state)
{
	struct dma_fixture *fixture = open_idle();
	union doca_data user_data = {.u64 = 99};

	assert_doca(doca_ctx_set_user_data(NULL, user_data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_get_user_data(NULL, &user_data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_get_user_data(fixture->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(user_data.u64, 99);
	dma_close(fixture);
}

static void ignore_state(const union doca_data user_data, struct doca_ctx *ctx,
			 enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
}

static void a_later_state_callback_replaces_an_earlier_one(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, ignore_state), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(fixture->num_events, 0);
	dma_close(fixture);
}

static void the_state_callback_refuses_null_and_keeps_what_is_set(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_ctx_set_state_changed_cb(NULL, ignore_state), DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "cb");
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(fixture->num_events, 1);
	dma_close(fixture);
}

static void the_state_callback_refuses_a_context_that_runs_or_stops(void **state)
{
	struct dma_fixture *fixture = open_running();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	log_forget(state);
	assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, ignore_state),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR",
		      "refuses doca_ctx_set_state_changed_cb: it is not idle; call doca_ctx_stop, "
		      "then doca_pe_progress");
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	log_forget(state);
	assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, ignore_state),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR",
		      "it is not idle; free its tasks, then call doca_pe_progress until it is "
		      "idle");
	dma_task_release(task);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_events, 3);
	dma_close(fixture);
}

static void the_state_is_read_through_a_whole_life(void **state)
{
	struct dma_fixture *fixture = open_idle();
	enum doca_ctx_states read = DOCA_CTX_STATE_STARTING;
	struct doca_task *task;

	assert_doca(doca_ctx_get_state(fixture->ctx, &read), DOCA_SUCCESS);
	assert_int_equal(read, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_get_state(fixture->ctx, &read), DOCA_SUCCESS);
	assert_int_equal(read, DOCA_CTX_STATE_RUNNING);
	task = dma_copy_task(fixture, 0, 64, 0);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_get_state(fixture->ctx, &read), DOCA_SUCCESS);
	assert_int_equal(read, DOCA_CTX_STATE_STOPPING);
	dma_task_release(task);
	dma_close(fixture);
}

static void the_state_refuses_null(void **state)
{
	struct dma_fixture *fixture = open_idle();
	enum doca_ctx_states read = DOCA_CTX_STATE_STARTING;

	assert_doca(doca_ctx_get_state(NULL, &read), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_get_state(fixture->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(read, DOCA_CTX_STATE_STARTING);
	dma_close(fixture);
}

/* Something to point at; never looked into. */
static struct doca_gpu *some_gpu(void **state)
{
	return (struct doca_gpu *)state;
}

static struct doca_dpa *some_dpa(void **state)
{
	return (struct doca_dpa *)state;
}

static void a_gpu_or_a_dpa_is_not_supported(void **state)
{
	struct dma_fixture *fixture = open_idle();

	log_forget(state);
	assert_doca(doca_ctx_set_datapath_on_gpu(fixture->ctx, some_gpu(state)),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "a virtual card has no GPU; leave the call out");
	log_forget(state);
	assert_doca(doca_ctx_set_datapath_on_dpa(fixture->ctx, some_dpa(state)),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "a virtual card has no DPA; leave the call out");
	dma_close(fixture);
}

static void a_gpu_or_a_dpa_refuses_null_and_a_running_context(void **state)
{
	struct dma_fixture *fixture = open_running();
	struct doca_ctx *ctx = fixture->ctx;

	assert_doca(doca_ctx_set_datapath_on_gpu(NULL, some_gpu(state)), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_set_datapath_on_gpu(ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_set_datapath_on_gpu(ctx, some_gpu(state)), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_ctx_set_datapath_on_dpa(NULL, some_dpa(state)), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_set_datapath_on_dpa(ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_set_datapath_on_dpa(ctx, some_dpa(state)), DOCA_ERROR_BAD_STATE);
	dma_close(fixture);
}

static void a_completion_vector_is_not_supported(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_ctx_set_completion_vector(fixture->ctx, 0), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_ctx_set_completion_vector(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_completion_vector(fixture->ctx, 0), DOCA_ERROR_BAD_STATE);
	dma_close(fixture);
}

static void a_device_has_no_completion_vectors(void **state)
{
	struct dma_fixture *fixture = open_idle();
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(fixture->dev);
	uint32_t num_vectors = 99;

	assert_doca(doca_ctx_cap_get_num_completion_vectors(NULL, &num_vectors),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_cap_get_num_completion_vectors(devinfo, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(num_vectors, 99);
	assert_doca(doca_ctx_cap_get_num_completion_vectors(devinfo, &num_vectors), DOCA_SUCCESS);
	assert_int_equal(num_vectors, 0);
	dma_close(fixture);
}

static void profiler_ranges_are_not_supported(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_ctx_profiler_set_max_nranges(fixture->ctx, 1), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_ctx_profiler_set_max_nranges(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_profiler_set_max_nranges(fixture->ctx, 1), DOCA_ERROR_BAD_STATE);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_number_in_flight_is_that_of_submitted_tasks_without_their_callback),
		cmocka_unit_test(the_number_in_flight_refuses_null),
		cmocka_unit_test(user_data_is_nothing_at_first),
		cmocka_unit_test(user_data_can_be_set_in_any_state),
		cmocka_unit_test(user_data_refuses_null),
		cmocka_unit_test(a_later_state_callback_replaces_an_earlier_one),
		cmocka_unit_test(the_state_callback_refuses_null_and_keeps_what_is_set),
		cmocka_unit_test(the_state_callback_refuses_a_context_that_runs_or_stops),
		cmocka_unit_test(the_state_is_read_through_a_whole_life),
		cmocka_unit_test(the_state_refuses_null),
		cmocka_unit_test(a_gpu_or_a_dpa_is_not_supported),
		cmocka_unit_test(a_gpu_or_a_dpa_refuses_null_and_a_running_context),
		cmocka_unit_test(a_completion_vector_is_not_supported),
		cmocka_unit_test(a_device_has_no_completion_vectors),
		cmocka_unit_test(profiler_ranges_are_not_supported),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
