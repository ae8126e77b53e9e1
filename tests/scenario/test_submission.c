/* SPDX-License-Identifier: Apache-2.0 */
/* When submitted copies move bytes, when they are reported, and what is refused without harm. */
#include "support/dma_fixture.h"
#include "support/test.h"

#define LAZY (DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS)

static void nothing_moves_before_progress(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 4096, 1);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	doca_ctx_flush_tasks(fixture->ctx);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);

	assert_true(dma_is_untouched(fixture, 0, 4096));
	assert_int_equal(dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))), 0);
	assert_int_equal(fixture->num_success, 0);
	assert_int_equal(dma_inflight(fixture->ctx), 1);

	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_was_copied(fixture, 0, 4096));
	assert_int_equal(dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))), 4096);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	dma_task_release(task);
	dma_close(fixture);
}

static void one_call_of_progress_delivers_one_completion(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 0; tag < 32; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	for (size_t i = 1; i <= 32; i++) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, i);
		assert_int_equal(dma_inflight(fixture->ctx), 32 - i);
	}
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void a_program_that_fills_its_pool_never_sees_again(void **state)
{
	struct dma_options options = {.num_tasks = 1024, .num_bufs = 2048};
	struct dma_fixture *fixture = dma_open(&options);

	for (unsigned round = 0; round < 20; round++) {
		for (uint64_t tag = 0; tag < 1024; tag++)
			assert_doca(
				doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
				DOCA_SUCCESS);
		dma_wait_tasks(fixture, (round + 1) * (size_t)1024);
	}
	assert_int_equal(fixture->num_success, 20 * 1024);
	assert_true(dma_was_copied(fixture, 0, 64 * 1024));
	dma_close(fixture);
}

/* One progress a second: between two calls a whole batch of other work, submissions among it. */
static void a_program_that_progresses_rarely_loses_nothing(void **state)
{
	struct dma_options options = {.num_tasks = 32};
	struct dma_fixture *fixture = dma_open(&options);
	uint64_t next_tag = 0;

	for (; next_tag < 16; next_tag++)
		assert_doca(doca_task_submit(
				    dma_copy_task(fixture, (size_t)next_tag * 64, 64, next_tag)),
			    DOCA_SUCCESS);
	while (next_tag < 400) {
		size_t num_before = fixture->num_success;

		assert_doca(doca_task_submit(
				    dma_copy_task(fixture, (size_t)next_tag * 64, 64, next_tag)),
			    DOCA_SUCCESS);
		next_tag++;
		assert_int_equal(dma_inflight(fixture->ctx), 17);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, num_before + 1);
	}
	dma_wait_tasks(fixture, 400);
	for (size_t i = 0; i < 400; i++)
		assert_int_equal(fixture->events[i + 1].tag, i);
	assert_true(dma_was_copied(fixture, 0, 400 * 64));
	dma_close(fixture);
}

static void a_task_without_flush_waits_for_flush_tasks(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 1; tag <= 3; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * 64, 64, tag),
						DOCA_TASK_SUBMIT_FLAG_NONE),
			    DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_int_equal(dma_inflight(fixture->ctx), 3);
	assert_true(dma_is_untouched(fixture, 0, 256));

	doca_ctx_flush_tasks(fixture->ctx);
	assert_int_equal(dma_progress_dry(fixture), 3);
	assert_int_equal(fixture->num_success, 3);
	assert_true(dma_was_copied(fixture, 64, 192));
	dma_close(fixture);
}

static void a_later_flush_takes_the_waiting_tasks_along_in_order(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(
		doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 1), DOCA_TASK_SUBMIT_FLAG_NONE),
		DOCA_SUCCESS);
	assert_doca(
		doca_task_submit_ex(dma_copy_task(fixture, 64, 64, 2), DOCA_TASK_SUBMIT_FLAG_NONE),
		DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 128, 64, 3)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 3);

	for (size_t i = 1; i <= 3; i++)
		assert_int_equal(fixture->events[i].tag, i);
	dma_close(fixture);
}

static void a_stop_brings_waiting_tasks_back(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(
		doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 1), DOCA_TASK_SUBMIT_FLAG_NONE),
		DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	assert_int_equal(fixture->num_error, 1);
	assert_doca(fixture->events[2].status, DOCA_ERROR_IO_FAILED);
	assert_true(dma_is_untouched(fixture, 0, 64));
	dma_close(fixture);
}

static void optimised_reports_come_with_a_later_task_in_order(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 1), LAZY), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 64, 64, 2), LAZY), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_int_equal(fixture->num_success, 0);
	assert_int_equal(dma_inflight(fixture->ctx), 2);
	assert_true(dma_was_copied(fixture, 0, 128)); /* done, only the report waits */

	assert_doca(doca_task_submit(dma_copy_task(fixture, 128, 64, 3)), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 3);
	for (size_t i = 1; i <= 3; i++) {
		assert_int_equal(fixture->events[i].kind, DMA_EVENT_SUCCESS);
		assert_int_equal(fixture->events[i].tag, i);
	}
	dma_close(fixture);
}

/* "Progress until it returns 0" must not leave copies behind, whatever became of their reports. */
static void progress_is_never_0_while_copies_are_left(void **state)
{
	enum { COPY_BYTES = 2 << 20 };
	struct dma_options options = {.area_bytes = 4 * COPY_BYTES};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 0; tag < 3; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * COPY_BYTES,
							      COPY_BYTES, tag),
						LAZY),
			    DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)3 * COPY_BYTES, COPY_BYTES, 3)),
		    DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_true(dma_is_untouched(fixture, COPY_BYTES, COPY_BYTES)); /* 2 MiB a call */

	while (doca_pe_progress(fixture->pe) != 0)
		;
	assert_int_equal(fixture->num_success, 4);
	dma_close(fixture);
}

static void a_stop_reports_what_was_optimised_away(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 1), LAZY), DOCA_SUCCESS);
	dma_progress_dry(fixture);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	assert_int_equal(fixture->num_success, 1); /* its bytes have moved */
	assert_int_equal(fixture->num_error, 0);
	assert_true(dma_was_copied(fixture, 0, 64));
	dma_close(fixture);
}

static void a_pool_of_optimised_reports_is_not_stuck(void **state)
{
	struct dma_options options = {.num_tasks = 4};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 0; tag < 4; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, (size_t)tag * 64, 64, tag),
						LAZY),
			    DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture),
			 4); /* no later task can come: the pool is empty */

	assert_int_equal(fixture->num_success, 4);
	dma_close(fixture);
}

static void unknown_flags_are_refused(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_task_submit_ex(task, 1U << 31), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	dma_close(fixture);
}

static void check_order(bool set_after_start)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);
	uint8_t is_ordered = 0;
	size_t offset = 0;

	if (set_after_start)
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_set_ordered_completions(fixture->dma, 1), DOCA_SUCCESS);
	if (!set_after_start)
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_get_ordered_completions(fixture->dma, &is_ordered), DOCA_SUCCESS);
	assert_int_equal(is_ordered, 1);

	for (uint64_t tag = 1; tag <= 40; tag++) {
		size_t len_bytes = tag % 3 == 0 ? 4000 : (size_t)tag;

		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, offset, len_bytes, tag),
						(uint32_t)(tag % 4)),
			    DOCA_SUCCESS);
		offset += len_bytes;
	}
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 1, 41)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 41);
	for (size_t i = 1; i <= 41; i++)
		assert_int_equal(fixture->events[i].tag, i);
	assert_true(dma_was_copied(fixture, 0, offset));
	dma_close(fixture);
}

static void ordered_completions_set_before_start_come_in_order(void **state)
{
	check_order(false);
}

static void ordered_completions_set_after_start_come_in_order(void **state)
{
	check_order(true);
}

static void an_empty_task_pool_says_no_memory_until_a_task_is_freed(void **state)
{
	struct dma_options options = {.num_tasks = 4};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma_task_memcpy *tasks[5] = {NULL};
	union doca_data none = {0};

	for (size_t i = 0; i < 4; i++)
		assert_doca(
			doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &tasks[i]),
			DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &tasks[4]),
		    DOCA_ERROR_NO_MEMORY);
	assert_null(tasks[4]);
	doca_task_free(doca_dma_task_memcpy_as_task(tasks[1]));
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &tasks[1]),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < 4; i++)
		doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
	dma_close(fixture);
}

static void an_empty_inventory_says_no_memory_until_a_buffer_is_back(void **state)
{
	struct dma_options options = {.num_bufs = 2};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *first = dma_source(fixture, 0, 64);
	struct doca_buf *second = dma_target(fixture, 0, 64);
	struct doca_buf *third = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->source.mmap,
						       fixture->source.bytes, 1, &third),
		    DOCA_ERROR_NO_MEMORY);
	assert_null(third);
	assert_doca(doca_buf_dec_refcount(first, NULL), DOCA_SUCCESS);
	first = dma_source(fixture, 64, 64);
	assert_doca(doca_buf_dec_refcount(first, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(second, NULL), DOCA_SUCCESS);
	dma_close(fixture);
}

static void buffers_may_be_set_after_the_allocation(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_task(fixture, NULL, NULL, 7);
	struct doca_dma_task_memcpy *memcpy_task = dma_memcpy_of(task);

	assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	doca_dma_task_memcpy_set_src(memcpy_task, dma_source(fixture, 0, 64));
	assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);

	doca_dma_task_memcpy_set_dst(memcpy_task, dma_target(fixture, 0, 64));
	assert_doca(doca_task_try_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(fixture->events[1].tag, 7);
	assert_true(dma_was_copied(fixture, 0, 64));
	dma_close(fixture);
}

static void a_second_submit_is_refused_and_the_task_completes_once(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_task_try_submit(task), DOCA_ERROR_BAD_STATE);
	assert_int_equal(dma_inflight(fixture->ctx), 1);
	assert_int_equal(dma_progress_dry(fixture), 1);

	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))), 64);
	dma_task_release(task);
	dma_close(fixture);
}

static void free_of_a_submitted_task_does_nothing(void **state)
{
	struct dma_options options = {.num_tasks = 1};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);
	struct doca_dma_task_memcpy *other = NULL;
	union doca_data none = {0};

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	doca_task_free(task);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &other),
		    DOCA_ERROR_NO_MEMORY);
	assert_int_equal(dma_progress_dry(fixture), 1);

	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_was_copied(fixture, 0, 64));
	dma_close(fixture);
}

static void a_second_free_does_nothing(void **state)
{
	struct dma_options options = {.num_tasks = 2};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma_task_memcpy *tasks[3] = {NULL};
	union doca_data none = {0};

	for (size_t i = 0; i < 2; i++)
		assert_doca(
			doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &tasks[i]),
			DOCA_SUCCESS);
	doca_task_free(doca_dma_task_memcpy_as_task(tasks[0]));
	doca_task_free(doca_dma_task_memcpy_as_task(tasks[0]));

	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &tasks[0]),
		    DOCA_SUCCESS);
	assert_ptr_not_equal(tasks[0], tasks[1]);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &tasks[2]),
		    DOCA_ERROR_NO_MEMORY);
	for (size_t i = 0; i < 2; i++)
		doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	dma_close(fixture);
}

static void a_freed_task_is_not_submitted(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *source = dma_source(fixture, 0, 64);
	struct doca_buf *target = dma_target(fixture, 0, 64);
	struct doca_task *task = dma_task(fixture, source, target, 1);

	doca_task_free(task);
	assert_doca(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	assert_int_equal(dma_progress_dry(fixture), 0);

	assert_int_equal(fixture->num_success + fixture->num_error, 0);
	assert_doca(doca_buf_dec_refcount(source, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(target, NULL), DOCA_SUCCESS);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_moves_before_progress),
		cmocka_unit_test(one_call_of_progress_delivers_one_completion),
		cmocka_unit_test(a_program_that_fills_its_pool_never_sees_again),
		cmocka_unit_test(a_program_that_progresses_rarely_loses_nothing),
		cmocka_unit_test(a_task_without_flush_waits_for_flush_tasks),
		cmocka_unit_test(a_later_flush_takes_the_waiting_tasks_along_in_order),
		cmocka_unit_test(a_stop_brings_waiting_tasks_back),
		cmocka_unit_test(optimised_reports_come_with_a_later_task_in_order),
		cmocka_unit_test(progress_is_never_0_while_copies_are_left),
		cmocka_unit_test(a_stop_reports_what_was_optimised_away),
		cmocka_unit_test(a_pool_of_optimised_reports_is_not_stuck),
		cmocka_unit_test(unknown_flags_are_refused),
		cmocka_unit_test(ordered_completions_set_before_start_come_in_order),
		cmocka_unit_test(ordered_completions_set_after_start_come_in_order),
		cmocka_unit_test(an_empty_task_pool_says_no_memory_until_a_task_is_freed),
		cmocka_unit_test(an_empty_inventory_says_no_memory_until_a_buffer_is_back),
		cmocka_unit_test(buffers_may_be_set_after_the_allocation),
		cmocka_unit_test(a_second_submit_is_refused_and_the_task_completes_once),
		cmocka_unit_test(free_of_a_submitted_task_does_nothing),
		cmocka_unit_test(a_second_free_does_nothing),
		cmocka_unit_test(a_freed_task_is_not_submitted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
