/* SPDX-License-Identifier: Apache-2.0 */
/* Two contexts on one progress engine. */
#include "support/dma_fixture.h"
#include "support/test.h"

struct notes {
	struct doca_dma *other;
	size_t num_resubmitted;
	doca_error_t result;
};

static struct doca_task *other_task(struct dma_fixture *fixture, struct doca_dma *other,
				    size_t offset, uint64_t tag)
{
	union doca_data user_data = {.u64 = tag};
	struct doca_dma_task_memcpy *task = NULL;

	assert_doca(doca_dma_task_memcpy_alloc_init(other, dma_source(fixture, offset, 64),
						    dma_target(fixture, offset, 64), user_data,
						    &task),
		    DOCA_SUCCESS);
	return doca_dma_task_memcpy_as_task(task);
}

static void remove_other(struct dma_fixture *fixture, struct doca_dma *other)
{
	(void)doca_ctx_stop(doca_dma_as_ctx(other));
	dma_wait_state(fixture, doca_dma_as_ctx(other), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_dma_destroy(other), DOCA_SUCCESS);
}

static void completions_of_both_come_through_one_engine(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *other = dma_add_context(fixture);
	size_t num_inflight = 0;

	for (size_t i = 0; i < 16; i++) {
		assert_doca(doca_task_submit(dma_copy_task(fixture, i * 128, 64, i)), DOCA_SUCCESS);
		assert_doca(doca_task_submit(other_task(fixture, other, i * 128 + 64, 100 + i)),
			    DOCA_SUCCESS);
	}
	assert_doca(doca_pe_get_num_inflight_tasks(fixture->pe, &num_inflight), DOCA_SUCCESS);
	assert_int_equal(num_inflight, 32);
	assert_int_equal(dma_inflight(fixture->ctx), 16);
	dma_wait_tasks(fixture, 32);

	assert_int_equal(fixture->num_success, 32);
	assert_true(dma_was_copied(fixture, 0, 16 * 128));
	for (size_t i = 0; i < fixture->num_events; i++) {
		const struct dma_event *event = &fixture->events[i];

		if (event->kind == DMA_EVENT_SUCCESS)
			assert_ptr_equal(event->ctx,
					 event->tag < 100 ? fixture->ctx : doca_dma_as_ctx(other));
	}
	remove_other(fixture, other);
	dma_close(fixture);
}

static void resubmit_for_ever(struct doca_dma_task_memcpy *memcpy_task,
			      union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = fixture->options.user;
	struct doca_task *task = doca_dma_task_memcpy_as_task(memcpy_task);

	if (doca_task_get_ctx(task) != fixture->ctx) {
		dma_record_success(memcpy_task, task_user_data, ctx_user_data);
		return;
	}
	notes->num_resubmitted++;
	(void)doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(memcpy_task));
	if (doca_task_submit(task) != DOCA_SUCCESS)
		dma_task_release(task);
}

static void a_busy_context_does_not_starve_the_other(void **state)
{
	struct notes notes = {0};
	struct dma_options options = {.success_cb = resubmit_for_ever, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *other = dma_add_context(fixture);

	for (size_t i = 0; i < 8; i++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, i * 64, 64, i)), DOCA_SUCCESS);
	for (size_t i = 0; i < 8; i++)
		assert_doca(doca_task_submit(other_task(fixture, other, 4096 + i * 64, i)),
			    DOCA_SUCCESS);
	dma_wait_tasks(fixture, 8);

	assert_int_equal(fixture->num_success, 8);
	assert_in_range(notes.num_resubmitted, 4, 16);
	remove_other(fixture, other);
	dma_close(fixture);
}

static void the_fault_of_one_leaves_the_other_running(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *other = dma_add_context(fixture);
	struct doca_buf *empty = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, empty, dma_target(fixture, 0, 64), 1)),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(other_task(fixture, other, 64, 2)), DOCA_SUCCESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_wait_tasks(fixture, 2);

	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(fixture->num_error, 1);
	assert_int_equal(dma_state(doca_dma_as_ctx(other)), DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_task_submit(other_task(fixture, other, 128, 3)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 3);
	assert_int_equal(fixture->num_success, 2);
	remove_other(fixture, other);
	dma_close(fixture);
}

static void stop_other(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
		       union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = fixture->options.user;

	notes->result = doca_ctx_stop(doca_dma_as_ctx(notes->other));
	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
}

static void stop_inside_a_callback_of_the_other_is_in_progress(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.success_cb = stop_other, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	notes.other = dma_add_context(fixture);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);

	assert_doca(notes.result, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(dma_state(doca_dma_as_ctx(notes.other)), DOCA_CTX_STATE_STOPPING);
	dma_wait_state(fixture, doca_dma_as_ctx(notes.other), DOCA_CTX_STATE_IDLE);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_dma_destroy(notes.other), DOCA_SUCCESS);
	dma_close(fixture);
}

static void destroy_other(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
			  union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = fixture->options.user;

	if (notes->other != NULL) {
		notes->result = doca_dma_destroy(notes->other);
		notes->other = NULL;
	}
	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
}

static void a_callback_may_destroy_the_other_when_it_is_idle(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.success_cb = destroy_other, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	notes.other = dma_add_context(fixture);
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(notes.other)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 2)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);

	assert_doca(notes.result, DOCA_SUCCESS);
	assert_int_equal(fixture->num_success, 2);
	dma_close(fixture);
}

static void add_other(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct notes *notes = fixture->options.user;

	if (notes->other == NULL && doca_dma_create(fixture->dev, &notes->other) == DOCA_SUCCESS) {
		struct doca_ctx *ctx = doca_dma_as_ctx(notes->other);

		(void)doca_dma_task_memcpy_set_conf(notes->other, dma_record_success,
						    dma_record_error, 8);
		(void)doca_ctx_set_user_data(ctx, ctx_user_data);
		(void)doca_pe_connect_ctx(fixture->pe, ctx);
		notes->result = doca_ctx_start(ctx);
	}
	dma_record_success(memcpy_task, task_user_data, ctx_user_data);
}

static void a_callback_may_connect_and_start_another(void **state)
{
	struct notes notes = {.result = DOCA_ERROR_UNKNOWN};
	struct dma_options options = {.success_cb = add_other, .user = &notes};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_doca(notes.result, DOCA_SUCCESS);

	assert_doca(doca_task_submit(other_task(fixture, notes.other, 64, 2)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);
	assert_int_equal(fixture->num_success, 2);
	remove_other(fixture, notes.other);
	dma_close(fixture);
}

static void a_context_connects_once_and_only_while_idle(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_pe *second = NULL;

	assert_doca(doca_pe_create(&second), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(second, fixture->ctx), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(second, fixture->ctx), DOCA_ERROR_NOT_PERMITTED);

	assert_doca(doca_pe_destroy(second), DOCA_SUCCESS);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(completions_of_both_come_through_one_engine),
		cmocka_unit_test(a_busy_context_does_not_starve_the_other),
		cmocka_unit_test(the_fault_of_one_leaves_the_other_running),
		cmocka_unit_test(stop_inside_a_callback_of_the_other_is_in_progress),
		cmocka_unit_test(a_callback_may_destroy_the_other_when_it_is_idle),
		cmocka_unit_test(a_callback_may_connect_and_start_another),
		cmocka_unit_test(a_context_connects_once_and_only_while_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
