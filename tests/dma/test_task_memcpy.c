/* SPDX-License-Identifier: Apache-2.0 */
/* The copy task: its allocation, its buffers, and the copy as it should be. */
#include "support/dma_fixture.h"
#include "support/dma_list.h"
#include "support/log_capture.h"
#include "support/test.h"

#include "dma/dma.h"

#define MEBIBYTE ((size_t)1 << 20)

static const union doca_data no_data = {.u64 = 0};

static struct dma_fixture *open_keeping(void)
{
	struct dma_options options = {.keeps_tasks = true};

	return dma_open(&options);
}

static void alloc_init_gives_a_task_with_its_buffers_and_data(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *source = dma_source(fixture, 0, 64);
	struct doca_buf *target = dma_target(fixture, 0, 64);
	union doca_data user_data = {.u64 = 5};
	struct doca_dma_task_memcpy *task = NULL;

	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, source, target, user_data, &task),
		    DOCA_SUCCESS);
	assert_silent(state);
	assert_ptr_equal(doca_dma_task_memcpy_get_src(task), source);
	assert_ptr_equal(doca_dma_task_memcpy_get_dst(task), target);
	assert_int_equal(doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64, 5);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	dma_task_release(doca_dma_task_memcpy_as_task(task));
	dma_close(fixture);
}

static void alloc_init_refuses_null_but_for_the_buffers(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_dma_task_memcpy *task = NULL;

	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(NULL, NULL, NULL, no_data, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "dma");
	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "task");
	assert_null(task);

	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_SUCCESS);
	assert_null(doca_dma_task_memcpy_get_src(task));
	assert_null(doca_dma_task_memcpy_get_dst(task));
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	dma_close(fixture);
}

static void alloc_init_refuses_a_context_that_does_not_run(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma_task_memcpy *task = NULL;
	struct doca_task *kept;

	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "it is not running; call doca_ctx_start first");

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	kept = dma_copy_task(fixture, 0, 64, 0);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_ERROR_BAD_STATE);
	dma_task_release(kept);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_ERROR_BAD_STATE);
	assert_null(task);
	dma_close(fixture);
}

static void alloc_init_says_no_memory_when_every_task_is_out(void **state)
{
	struct dma_options options = {.num_tasks = 2, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma_task_memcpy *task = NULL;
	struct doca_task *kept[2] = {dma_copy_task(fixture, 0, 64, 0),
				     dma_copy_task(fixture, 64, 64, 1)};

	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "DBG", "all 2 are out; call doca_task_free");
	assert_null(task);
	dma_task_release(kept[0]);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_SUCCESS);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	dma_task_release(kept[1]);
	dma_close(fixture);
}

static void alloc_init_takes_no_task_for_buffers_beyond_a_limit(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *source = dma_list(fixture, dma_source, 3, 64);
	struct doca_buf *target = dma_list(fixture, dma_target, 4, 64);
	struct doca_dma_task_memcpy *task = NULL;

	fixture->dma->limits.max_buf_size_bytes = 191;
	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, source, NULL, no_data, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "is more than the 191 that the device takes at once");

	fixture->dma->limits.max_buf_size_bytes = 192;
	fixture->dma->limits.max_buf_list_len = 3;
	log_forget(state);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, source, target, no_data, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "has 4 elements, more than the 3 that the device takes");
	assert_null(task);
	assert_int_equal(fixture->ctx->num_allocated, 0);

	/* At the limits, and without a source whose bytes could be counted. */
	fixture->dma->limits.max_buf_list_len = 4;
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, source, target, no_data, &task),
		    DOCA_SUCCESS);
	dma_task_release(doca_dma_task_memcpy_as_task(task));
	dma_close(fixture);
}

static void alloc_init_takes_any_buffers_in_the_hardware_mode(void **state)
{
	struct dma_fixture *fixture = open_keeping();

	fixture->dma->hardware_errors = true;
	fixture->dma->limits.max_buf_size_bytes = 1;
	fixture->dma->limits.max_buf_list_len = 0;
	log_forget(state);
	dma_task_release(dma_copy_task(fixture, 0, 64, 0));
	assert_silent(state);
	dma_close(fixture);
}

static void a_task_and_its_copy_task_are_one_object(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_dma_task_memcpy *task = NULL;

	assert_null(doca_dma_task_memcpy_as_task(NULL));
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, no_data, &task),
		    DOCA_SUCCESS);
	assert_ptr_equal(doca_dma_task_memcpy_as_task(task), task);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	dma_close(fixture);
}

static void buffers_can_be_replaced_while_the_task_is_the_callers(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_task(fixture, NULL, NULL, 0);
	struct doca_dma_task_memcpy *copy = dma_memcpy_of(task);
	struct doca_buf *source = dma_source(fixture, 0, 64);
	struct doca_buf *target = dma_target(fixture, 0, 64);

	doca_dma_task_memcpy_set_src(copy, source);
	doca_dma_task_memcpy_set_dst(copy, target);
	assert_ptr_equal(doca_dma_task_memcpy_get_src(copy), source);
	assert_ptr_equal(doca_dma_task_memcpy_get_dst(copy), target);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_true(dma_was_copied(fixture, 0, 64));

	doca_dma_task_memcpy_set_src(copy, NULL);
	doca_dma_task_memcpy_set_dst(copy, NULL);
	assert_null(doca_dma_task_memcpy_get_src(copy));
	assert_null(doca_dma_task_memcpy_get_dst(copy));
	doca_dma_task_memcpy_set_src(copy, source);
	doca_dma_task_memcpy_set_dst(copy, target);
	dma_task_release(task);
	dma_close(fixture);
}

static void buffers_of_null_are_null_and_setting_them_is_told(void **state)
{
	log_forget(state);
	doca_dma_task_memcpy_set_src(NULL, NULL);
	assert_logged(state, "ERR",
		      "doca_dma_task_memcpy_set_src does nothing: task (nil) is NULL");
	log_forget(state);
	doca_dma_task_memcpy_set_dst(NULL, NULL);
	assert_logged(state, "ERR",
		      "doca_dma_task_memcpy_set_dst does nothing: task (nil) is NULL");
	assert_null(doca_dma_task_memcpy_get_src(NULL));
	assert_null(doca_dma_task_memcpy_get_dst(NULL));
}

static void buffers_of_a_submitted_or_freed_task_stay_and_it_is_told(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);
	struct doca_dma_task_memcpy *copy = dma_memcpy_of(task);
	const struct doca_buf *source = doca_dma_task_memcpy_get_src(copy);
	struct doca_buf *target = doca_dma_task_memcpy_get_dst(copy);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	log_forget(state);
	doca_dma_task_memcpy_set_src(copy, NULL);
	assert_logged(state, "ERR", "submitted; wait for its callback");
	log_forget(state);
	doca_dma_task_memcpy_set_dst(copy, NULL);
	assert_logged(state, "ERR", "submitted; wait for its callback");
	assert_ptr_equal(doca_dma_task_memcpy_get_src(copy), source);
	assert_ptr_equal(doca_dma_task_memcpy_get_dst(copy), target);
	dma_wait_tasks(fixture, 1);
	dma_task_release(task);
	log_forget(state);
	doca_dma_task_memcpy_set_src(copy, NULL);
	assert_logged(state, "ERR", "is freed");
	dma_close(fixture);
}

static void a_copy_appends_grows_its_destination_and_is_silent(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *source = dma_source(fixture, 1000, 64);
	struct doca_buf *target = dma_target(fixture, 0, 200);
	struct doca_task *task = dma_task(fixture, source, target, 0);
	void *data = NULL;

	assert_doca(doca_buf_set_data(target, fixture->target.bytes + 10, 5), DOCA_SUCCESS);
	log_forget(state);
	for (size_t i = 0; i < 2; i++) {
		assert_doca(doca_task_try_submit(task), DOCA_SUCCESS);
		dma_wait_tasks(fixture, i + 1);
		assert_int_equal(dma_data_len(target), 5 + 64 * (i + 1));
		assert_memory_equal(fixture->target.bytes + 15 + 64 * i,
				    fixture->source.bytes + 1000, 64);
	}
	assert_silent(state);
	assert_true(dma_is_untouched(fixture, 0, 15));
	assert_true(dma_is_untouched(fixture, 15 + 128, 100));
	assert_doca(doca_buf_get_data(target, &data), DOCA_SUCCESS);
	assert_ptr_equal(data, fixture->target.bytes + 10);
	assert_int_equal(dma_data_len(source), 64);
	assert_doca(doca_buf_get_data(source, &data), DOCA_SUCCESS);
	assert_ptr_equal(data, fixture->source.bytes + 1000);
	dma_task_release(task);
	dma_close(fixture);
}

static void empty_elements_of_a_source_add_nothing_and_full_ones_of_a_destination_stay(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *source = dma_list(fixture, dma_source, 3, 64);
	struct doca_buf *target = dma_list(fixture, dma_target, 3, 64);
	struct doca_task *task;
	struct doca_buf *middle = NULL;

	assert_doca(doca_buf_get_next_in_list(source, &middle), DOCA_SUCCESS);
	assert_doca(doca_buf_reset_data_len(middle), DOCA_SUCCESS);
	assert_doca(doca_buf_get_next_in_list(target, &middle), DOCA_SUCCESS);
	assert_doca(doca_buf_set_data_len(middle, 64), DOCA_SUCCESS);
	task = dma_task(fixture, source, target, 0);
	assert_doca(doca_task_try_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);

	assert_true(dma_was_copied(fixture, 0, 64));
	assert_true(dma_is_untouched(fixture, 64, 64));
	assert_true(dma_was_copied(fixture, 128, 64));
	dma_task_release(task);
	dma_close(fixture);
}

/* Copy within one area, in steps of two mebibytes, and compare with memmove. */
static void check_overlap(size_t from, size_t to, size_t len_bytes)
{
	struct dma_options options = {.area_bytes = 6 * MEBIBYTE, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct dma_area *area = &fixture->target;
	uint8_t *wanted = malloc(area->len_bytes);
	struct doca_buf *source = NULL;
	struct doca_buf *target = NULL;
	struct doca_task *task;

	assert_non_null(wanted);
	for (size_t i = 0; i < area->len_bytes; i++)
		area->bytes[i] = (uint8_t)(i + i / 256 + i / 65536);
	memcpy(wanted, area->bytes, area->len_bytes);
	memmove(wanted + to, wanted + from, len_bytes);

	fixture->dma->limits.max_buf_size_bytes = 6 * MEBIBYTE;
	assert_doca(doca_buf_inventory_buf_get_by_data(fixture->inventory, area->mmap,
						       area->bytes + from, len_bytes, &source),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, area->mmap,
						       area->bytes + to, len_bytes, &target),
		    DOCA_SUCCESS);
	task = dma_task(fixture, source, target, 0);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 0);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_true(memcmp(area->bytes, wanted, area->len_bytes) == 0);
	free(wanted);
	dma_task_release(task);
	dma_close(fixture);
}

static void one_buffer_over_another_is_memmove_across_steps(void **state)
{
	check_overlap(0, 12345, 5 * MEBIBYTE);
	check_overlap(12345, 0, 5 * MEBIBYTE);
	check_overlap(4096, 4096, 5 * MEBIBYTE);
}

/* The two arguments that a callback gets beside its task. */
struct seen {
	struct doca_dma_task_memcpy *task;
	uint64_t task_data;
};

static void see(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		union doca_data ctx_user_data)
{
	struct seen *seen = ctx_user_data.ptr;

	seen->task = task;
	seen->task_data = task_user_data.u64;
}

static void callbacks_get_task_and_both_data(void **state)
{
	struct dma_options options = {.success_cb = see, .error_cb = see, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 7);
	struct seen seen = {0};
	union doca_data user_data = {.ptr = &seen};

	assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, dma_record_state),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_ctx_set_user_data(fixture->ctx, user_data), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_ptr_equal(seen.task, task);
	assert_int_equal(seen.task_data, 7);

	user_data.ptr = fixture;
	assert_doca(doca_ctx_set_user_data(fixture->ctx, user_data), DOCA_SUCCESS);
	dma_task_release(task);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alloc_init_gives_a_task_with_its_buffers_and_data),
		cmocka_unit_test(alloc_init_refuses_null_but_for_the_buffers),
		cmocka_unit_test(alloc_init_refuses_a_context_that_does_not_run),
		cmocka_unit_test(alloc_init_says_no_memory_when_every_task_is_out),
		cmocka_unit_test(alloc_init_takes_no_task_for_buffers_beyond_a_limit),
		cmocka_unit_test(alloc_init_takes_any_buffers_in_the_hardware_mode),
		cmocka_unit_test(a_task_and_its_copy_task_are_one_object),
		cmocka_unit_test(buffers_can_be_replaced_while_the_task_is_the_callers),
		cmocka_unit_test(buffers_of_null_are_null_and_setting_them_is_told),
		cmocka_unit_test(buffers_of_a_submitted_or_freed_task_stay_and_it_is_told),
		cmocka_unit_test(a_copy_appends_grows_its_destination_and_is_silent),
		cmocka_unit_test(
			empty_elements_of_a_source_add_nothing_and_full_ones_of_a_destination_stay),
		cmocka_unit_test(one_buffer_over_another_is_memmove_across_steps),
		cmocka_unit_test(callbacks_get_task_and_both_data),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
