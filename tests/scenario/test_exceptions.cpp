/* SPDX-License-Identifier: Apache-2.0 */
/* C++ exceptions thrown through a callback: the library is whole, and usable, after each. */
#include "support/dma_fixture.h"
#include "support/test.h"

namespace
{

struct thrown {
	int number;
};

/* What the callbacks throw on; the fixture's options.user points to it. */
struct plan {
	unsigned num_task_throws; /* the next callbacks of tasks that throw */
	bool is_state_thrown;
	enum doca_ctx_states state;
};

struct plan *plan_of(union doca_data ctx_user_data)
{
	auto *fixture = static_cast<struct dma_fixture *>(ctx_user_data.ptr);

	return static_cast<struct plan *>(fixture->options.user);
}

void throw_from_task(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		     union doca_data ctx_user_data)
{
	struct plan *plan = plan_of(ctx_user_data);

	dma_record_success(task, task_user_data, ctx_user_data);
	if (plan->num_task_throws > 0) {
		plan->num_task_throws--;
		throw thrown{1};
	}
}

void throw_from_error(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct plan *plan = plan_of(ctx_user_data);

	dma_record_error(task, task_user_data, ctx_user_data);
	if (plan->num_task_throws > 0) {
		plan->num_task_throws--;
		throw thrown{2};
	}
}

void throw_from_state(const union doca_data user_data, struct doca_ctx *ctx,
		      enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct plan *plan = plan_of(user_data);

	dma_record_state(user_data, ctx, prev_state, next_state);
	if (plan->is_state_thrown && plan->state == next_state) {
		plan->is_state_thrown = false;
		throw thrown{3};
	}
}

struct dma_fixture *open_with(struct plan *plan)
{
	struct dma_options options = {};

	options.success_cb = throw_from_task;
	options.error_cb = throw_from_error;
	options.state_cb = throw_from_state;
	options.user = plan;
	return dma_open(&options);
}

/* The number that the call threw, 0 for none. */
template <typename F> int caught(F call)
{
	try {
		call();
	} catch (const thrown &exception) {
		return exception.number;
	}
	return 0;
}

/* What shows that no callback is thought to run: a stop without tasks is idle at once. */
void check_outside_of_callbacks(struct dma_fixture *fixture)
{
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
}

void a_throw_from_a_task_callback_passes_through_progress(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	plan.num_task_throws = 1;
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 2)), DOCA_SUCCESS);
	assert_int_equal(caught([=] { doca_pe_progress(fixture->pe); }), 1);

	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(dma_inflight(fixture->ctx), 1);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 2);
	assert_true(dma_was_copied(fixture, 0, 128));
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_thousand_throws_leave_nothing_behind(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	for (unsigned i = 0; i < 1000; i++) {
		plan.num_task_throws = 1;
		assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, i)), DOCA_SUCCESS);
		assert_int_equal(caught([=] { doca_pe_progress(fixture->pe); }), 1);
	}
	assert_int_equal(fixture->num_success, 1000);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_throw_from_an_error_callback_still_stops_the_context(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	plan.num_task_throws = 1;
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 0, 64), 1)),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 2)), DOCA_SUCCESS);
	assert_int_equal(caught([=] { doca_pe_progress(fixture->pe); }), 2);

	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 2);
	assert_int_equal(fixture->num_success, 0);
	assert_true(dma_is_untouched(fixture, 0, 128));
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

/* A stop at once, before progress could tell of the fault; the next life knows nothing of it. */
void a_context_stopped_after_a_throw_of_its_error_callback_runs_again(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	plan.num_task_throws = 1;
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 0, 64), 1)),
		    DOCA_SUCCESS);
	assert_int_equal(caught([=] { doca_pe_progress(fixture->pe); }), 2);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 2)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_throw_from_every_flushed_task_loses_none(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	for (unsigned i = 0; i < 8; i++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, i * 64, 64, i)), DOCA_SUCCESS);
	plan.num_task_throws = 8;
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(caught([=] { doca_pe_progress(fixture->pe); }), 2);

	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 8);
	dma_close(fixture);
}

void a_throw_on_running_passes_through_start_and_the_context_runs(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	plan.is_state_thrown = true;
	plan.state = DOCA_CTX_STATE_RUNNING;
	assert_int_equal(caught([=] { (void)doca_ctx_start(fixture->ctx); }), 3);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_throw_on_stopping_passes_through_stop_and_the_context_stops(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	plan.is_state_thrown = true;
	plan.state = DOCA_CTX_STATE_STOPPING;
	assert_int_equal(caught([=] { (void)doca_ctx_stop(fixture->ctx); }), 3);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 1);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_throw_on_idle_passes_through_an_empty_stop(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	plan.is_state_thrown = true;
	plan.state = DOCA_CTX_STATE_IDLE;
	assert_int_equal(caught([=] { (void)doca_ctx_stop(fixture->ctx); }), 3);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_throw_on_idle_passes_through_progress(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	plan.is_state_thrown = true;
	plan.state = DOCA_CTX_STATE_IDLE;
	assert_int_equal(
		caught([=] { dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE); }), 3);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	check_outside_of_callbacks(fixture);
	dma_close(fixture);
}

void a_throw_on_stopping_after_a_fault_passes_through_progress(void **)
{
	struct plan plan = {};
	struct dma_fixture *fixture = open_with(&plan);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 0, 64), 1)),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 2)), DOCA_SUCCESS);
	plan.is_state_thrown = true;
	plan.state = DOCA_CTX_STATE_STOPPING;
	assert_int_equal(
		caught([=] { dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_STOPPING); }), 3);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 2);
	dma_close(fixture);
}

} /* namespace */

int main()
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_throw_from_a_task_callback_passes_through_progress),
		cmocka_unit_test(a_thousand_throws_leave_nothing_behind),
		cmocka_unit_test(a_throw_from_an_error_callback_still_stops_the_context),
		cmocka_unit_test(a_context_stopped_after_a_throw_of_its_error_callback_runs_again),
		cmocka_unit_test(a_throw_from_every_flushed_task_loses_none),
		cmocka_unit_test(a_throw_on_running_passes_through_start_and_the_context_runs),
		cmocka_unit_test(a_throw_on_stopping_passes_through_stop_and_the_context_stops),
		cmocka_unit_test(a_throw_on_idle_passes_through_an_empty_stop),
		cmocka_unit_test(a_throw_on_idle_passes_through_progress),
		cmocka_unit_test(a_throw_on_stopping_after_a_fault_passes_through_progress),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
