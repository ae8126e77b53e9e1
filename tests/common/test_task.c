/* SPDX-License-Identifier: Apache-2.0 */
/* What every task can do, by a copy task, and the pool it comes from. */
#include "support/dma_fixture.h"
#include "support/log_capture.h"
#include "support/test.h"

#include "dma/dma.h"
#include "support/fail_calloc.h"

#define FLUSH DOCA_TASK_SUBMIT_FLAG_FLUSH
#define LAZY DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS

static struct dma_fixture *open_keeping(void)
{
	struct dma_options options = {.keeps_tasks = true};

	return dma_open(&options);
}

/* What a task is submitted with: flags, or none of the functions that take them. */
typedef doca_error_t (*submit_fn)(struct doca_task *task);

static doca_error_t submit_ex_flush(struct doca_task *task)
{
	return doca_task_submit_ex(task, FLUSH);
}

static doca_error_t submit_ex_none(struct doca_task *task)
{
	return doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_NONE);
}

static const submit_fn submits[] = {doca_task_submit, doca_task_try_submit, submit_ex_flush,
				    submit_ex_none};

#define NUM_SUBMITS (sizeof(submits) / sizeof(submits[0]))

static void a_submitted_task_is_in_flight_until_its_callback(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 5);

	for (size_t i = 0; i < NUM_SUBMITS; i++) {
		assert_doca(submits[i](task), DOCA_SUCCESS);
		assert_int_equal(task->phase, TASK_SUBMITTED);
		assert_int_equal(dma_inflight(fixture->ctx), 1);
		doca_ctx_flush_tasks(fixture->ctx);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(task->phase, TASK_OWNED);
		assert_int_equal(dma_inflight(fixture->ctx), 0);
		assert_doca(doca_task_get_status(task), DOCA_SUCCESS);
		assert_doca(
			doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))),
			DOCA_SUCCESS);
	}
	assert_int_equal(fixture->num_success, NUM_SUBMITS);
	dma_task_release(task);
	dma_close(fixture);
}

static void submit_refuses_null(void **state)
{
	for (size_t i = 0; i < NUM_SUBMITS; i++) {
		log_forget(state);
		assert_doca(submits[i](NULL), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "task");
	}
}

static void submit_refuses_a_task_that_is_submitted_already(void **state)
{
	for (size_t i = 0; i < NUM_SUBMITS; i++) {
		struct dma_fixture *fixture = open_keeping();
		struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

		assert_doca(submits[i](task), DOCA_SUCCESS);
		log_forget(state);
		assert_doca(submits[NUM_SUBMITS - 1 - i](task), DOCA_ERROR_BAD_STATE);
		assert_logged(state, "ERR", "refuses submit: it is submitted already");
		assert_int_equal(dma_inflight(fixture->ctx), 1);
		doca_ctx_flush_tasks(fixture->ctx);
		assert_int_equal(dma_progress_dry(fixture), 1);
		assert_int_equal(fixture->num_success, 1);
		dma_task_release(task);
		dma_close(fixture);
	}
}

static void submit_refuses_a_freed_task(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	dma_task_release(task);
	for (size_t i = 0; i < NUM_SUBMITS; i++) {
		log_forget(state);
		assert_doca(submits[i](task), DOCA_ERROR_BAD_STATE);
		assert_logged(state, "ERR", "refuses submit: it is freed");
	}
	assert_int_equal(dma_progress_dry(fixture), 0);
	dma_close(fixture);
}

static void submit_refuses_a_task_of_a_stopping_context(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	for (size_t i = 0; i < NUM_SUBMITS; i++) {
		log_forget(state);
		assert_doca(submits[i](task), DOCA_ERROR_BAD_STATE);
		assert_logged(state, "ERR", "is not running; call doca_ctx_start");
	}
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	dma_task_release(task);
	dma_close(fixture);
}

static void submit_of_a_full_queue_is_again_until_one_completes(void **state)
{
	struct dma_options options = {.keeps_tasks = true, .stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *tasks[3];

	fixture->ctx->max_queue_depth = 2;
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	for (size_t i = 0; i < 3; i++)
		tasks[i] = dma_copy_task(fixture, 64 * i, 64, i);
	assert_doca(doca_task_submit(tasks[0]), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(tasks[1], DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_SUBMITS; i++) {
		log_forget(state);
		assert_doca(submits[i](tasks[2]), DOCA_ERROR_AGAIN);
		assert_logged(state, "DBG", "2 tasks are in flight, which is the depth");
	}
	assert_int_equal(tasks[2]->phase, TASK_OWNED);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_task_submit(tasks[2]), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 3);
	assert_true(dma_was_copied(fixture, 0, 192));
	for (size_t i = 0; i < 3; i++)
		dma_task_release(tasks[i]);
	dma_close(fixture);
}

static void submit_ex_refuses_unknown_flags(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	log_forget(state);
	assert_doca(doca_task_submit_ex(task, FLUSH | 0x10), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR",
		      "unknown flags 0x10; want a mask of enum doca_task_submit_flag");
	assert_doca(doca_task_submit_ex(task, 0x80000000U), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	dma_task_release(task);
	dma_close(fixture);
}

static void the_flags_of_the_profiler_change_nothing(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(
		doca_task_submit_ex(task, FLUSH | DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_REQUESTED |
						  DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_PROCESSED),
		DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 1);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_task_without_flush_waits_and_goes_before_the_one_that_flushes(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *tasks[3];

	for (size_t i = 0; i < 3; i++)
		tasks[i] = dma_copy_task(fixture, 64 * i, 64, i);
	fixture->num_events = 0;
	assert_doca(doca_task_submit_ex(tasks[0], DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(tasks[1], DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_true(dma_is_untouched(fixture, 0, 192));

	assert_doca(doca_task_submit(tasks[2]), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(fixture->events[i].tag, i);
		dma_task_release(tasks[i]);
	}
	dma_close(fixture);
}

static void a_lazy_report_comes_with_the_next_that_is_not_lazy(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *tasks[3];

	for (size_t i = 0; i < 3; i++)
		tasks[i] = dma_copy_task(fixture, 64 * i, 64, i);
	fixture->num_events = 0;
	assert_doca(doca_task_submit_ex(tasks[0], FLUSH | LAZY), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(tasks[1], FLUSH | LAZY), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_true(dma_was_copied(fixture, 0, 128));
	assert_int_equal(dma_inflight(fixture->ctx), 2);

	assert_doca(doca_task_submit(tasks[2]), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(fixture->events[i].tag, i);
		dma_task_release(tasks[i]);
	}
	dma_close(fixture);
}

static void lazy_reports_come_at_last_when_every_task_waits_for_one(void **state)
{
	struct dma_options options = {.num_tasks = 2};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 0), FLUSH | LAZY),
		    DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 64, 64, 1), FLUSH | LAZY),
		    DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 2);
	assert_int_equal(fixture->num_success, 2);
	dma_close(fixture);
}

static void a_lazy_failure_is_told_at_once_behind_the_lazy_reports_before_it(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *empty = dma_source(fixture, 0, 64);
	struct doca_task *tasks[2] = {dma_copy_task(fixture, 0, 64, 0),
				      dma_task(fixture, empty, dma_target(fixture, 64, 64), 1)};

	assert_doca(doca_buf_reset_data_len(empty), DOCA_SUCCESS);
	fixture->num_events = 0;
	assert_doca(doca_task_submit_ex(tasks[0], FLUSH | LAZY), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(tasks[1], FLUSH | LAZY), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 2);

	assert_int_equal(fixture->events[0].kind, DMA_EVENT_SUCCESS);
	assert_int_equal(fixture->events[0].tag, 0);
	assert_int_equal(fixture->events[1].kind, DMA_EVENT_ERROR);
	assert_int_equal(fixture->events[1].tag, 1);
	assert_int_equal(fixture->events[2].state, DOCA_CTX_STATE_STOPPING);
	dma_task_release(tasks[0]);
	dma_task_release(tasks[1]);
	dma_close(fixture);
}

static void laziness_belongs_to_one_submission(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *lazy = dma_copy_task(fixture, 0, 64, 0);
	struct doca_task *other = dma_copy_task(fixture, 64, 64, 1);

	assert_doca(doca_task_submit_ex(lazy, FLUSH | LAZY), DOCA_SUCCESS);
	assert_doca(doca_task_submit(other), DOCA_SUCCESS);
	assert_int_equal(dma_progress_dry(fixture), 2);
	assert_doca(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(lazy))),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(lazy), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 3);
	dma_task_release(lazy);
	dma_task_release(other);
	dma_close(fixture);
}

static void free_gives_the_task_back_and_leaves_its_buffers(void **state)
{
	struct dma_options options = {.num_tasks = 1, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);
	struct doca_buf *source = (struct doca_buf *)task_src(dma_memcpy_of(task));
	struct doca_buf *target = task_dst(dma_memcpy_of(task));
	uint16_t refcount = 0;

	log_forget(state);
	doca_task_free(task);
	assert_silent(state);
	assert_doca(doca_buf_dec_refcount(source, &refcount), DOCA_SUCCESS);
	assert_int_equal(refcount, 1);
	assert_doca(doca_buf_dec_refcount(target, &refcount), DOCA_SUCCESS);
	assert_int_equal(refcount, 1);
	assert_ptr_equal(dma_copy_task(fixture, 0, 64, 0), task);
	dma_task_release(task);
	dma_close(fixture);
}

static void free_of_null_or_of_a_freed_task_does_nothing_and_is_told(void **state)
{
	struct dma_options options = {.num_tasks = 2};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *kept = dma_copy_task(fixture, 64, 64, 0);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	log_forget(state);
	doca_task_free(NULL);
	assert_logged(state, "ERR", "is NULL");

	dma_task_release(task);
	log_forget(state);
	doca_task_free(task);
	assert_logged(state, "ERR", "is freed");
	assert_int_equal(fixture->ctx->num_allocated, 1);

	/* Once only in the pool: the next two are two. */
	assert_ptr_equal(dma_copy_task(fixture, 0, 64, 0), task);
	assert_null(fixture->dma->pool.free);
	dma_task_release(task);
	dma_task_release(kept);
	dma_close(fixture);
}

static void free_of_a_submitted_task_does_nothing_and_is_told(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	log_forget(state);
	doca_task_free(task);
	assert_logged(state, "ERR", "is submitted already");
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(fixture->ctx->num_allocated, 0);
	dma_close(fixture);
}

static void the_status_is_that_of_the_last_completion(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(doca_task_get_status(task), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
	dma_task_release(task);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	/* A task that was taken anew knows nothing of its earlier life. */
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_ptr_equal(dma_copy_task(fixture, 0, 64, 0), task);
	assert_doca(doca_task_get_status(task), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);
	assert_doca(doca_task_get_status(task), DOCA_SUCCESS);
	dma_task_release(task);
	dma_close(fixture);
}

static void the_status_of_null_is_an_error(void **state)
{
	assert_doca(doca_task_get_status(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void user_data_is_that_of_the_allocation_until_it_is_replaced(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 5);
	union doca_data user_data = {.u64 = 6};

	assert_int_equal(doca_task_get_user_data(task).u64, 5);
	doca_task_set_user_data(task, user_data);
	assert_int_equal(doca_task_get_user_data(task).u64, 6);

	fixture->num_events = 0;
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->events[0].tag, 6);
	dma_task_release(task);
	dma_close(fixture);
}

static void user_data_of_null_is_nothing_and_is_told(void **state)
{
	union doca_data user_data = {.u64 = 6};

	log_forget(state);
	doca_task_set_user_data(NULL, user_data);
	assert_logged(state, "ERR", "task");
	log_forget(state);
	assert_int_equal(doca_task_get_user_data(NULL).u64, 0);
	assert_logged(state, "ERR", "task");
}

static void a_task_knows_its_context(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_ptr_equal(doca_task_get_ctx(task), fixture->ctx);
	assert_null(doca_task_get_ctx(NULL));
	dma_task_release(task);
	dma_close(fixture);
}

static void a_submission_is_traced_with_bytes_and_addresses(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_copy_task(fixture, 128, 64, 0);
	char wanted[128];

	snprintf(wanted, sizeof(wanted), "submitted, 64 bytes from %p to %p",
		 (void *)(fixture->source.bytes + 128), (void *)(fixture->target.bytes + 128));
	log_trace(state, true);
	log_forget(state);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_logged(state, "TRC", wanted);
	log_trace(state, false);
	dma_wait_tasks(fixture, 1);
	dma_task_release(task);
	dma_close(fixture);
}

#define STRIDE (sizeof(struct doca_task) + 16)

static void a_pool_gives_each_task_once_in_the_order_of_memory(void **state)
{
	struct task_pool pool = {.stride = STRIDE};
	struct doca_ctx ctx;
	char *last = NULL;

	assert_doca(task_pool_init(&pool, &ctx, 4), DOCA_SUCCESS);
	for (size_t i = 0; i < 4; i++) {
		struct doca_task *task = task_pool_take(&pool);

		assert_non_null(task);
		assert_ptr_equal(task->ctx, &ctx);
		assert_ptr_equal(task->pool, &pool);
		assert_int_equal(task->phase, TASK_OWNED);
		if (last != NULL)
			assert_ptr_equal((char *)task, last + STRIDE);
		last = (char *)task;
	}
	assert_null(task_pool_take(&pool));
	doca__task_pool_fini(&pool);
	assert_null(pool.tasks);
	assert_null(pool.free);
}

static void a_pool_of_the_same_size_is_kept(void **state)
{
	struct task_pool pool = {.stride = STRIDE};
	struct doca_ctx ctx;
	void *tasks;

	assert_doca(task_pool_init(&pool, &ctx, 4), DOCA_SUCCESS);
	tasks = pool.tasks;
	next_calloc_fails = true; /* nothing is allocated that could fail */
	assert_doca(task_pool_init(&pool, &ctx, 4), DOCA_SUCCESS);
	assert_true(next_calloc_fails);
	next_calloc_fails = false;
	assert_ptr_equal(pool.tasks, tasks);
	doca__task_pool_fini(&pool);
}

static void a_pool_without_memory_for_another_size_is_as_it_was(void **state)
{
	struct task_pool pool = {.stride = STRIDE};
	struct task_pool before;
	struct doca_ctx ctx;

	assert_doca(task_pool_init(&pool, &ctx, 4), DOCA_SUCCESS);
	before = pool;
	next_calloc_fails = true;
	assert_doca(task_pool_init(&pool, &ctx, 5), DOCA_ERROR_NO_MEMORY);
	assert_memory_equal(&pool, &before, sizeof(pool));
	doca__task_pool_fini(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_submitted_task_is_in_flight_until_its_callback),
		cmocka_unit_test(submit_refuses_null),
		cmocka_unit_test(submit_refuses_a_task_that_is_submitted_already),
		cmocka_unit_test(submit_refuses_a_freed_task),
		cmocka_unit_test(submit_refuses_a_task_of_a_stopping_context),
		cmocka_unit_test(submit_of_a_full_queue_is_again_until_one_completes),
		cmocka_unit_test(submit_ex_refuses_unknown_flags),
		cmocka_unit_test(the_flags_of_the_profiler_change_nothing),
		cmocka_unit_test(a_task_without_flush_waits_and_goes_before_the_one_that_flushes),
		cmocka_unit_test(a_lazy_report_comes_with_the_next_that_is_not_lazy),
		cmocka_unit_test(lazy_reports_come_at_last_when_every_task_waits_for_one),
		cmocka_unit_test(a_lazy_failure_is_told_at_once_behind_the_lazy_reports_before_it),
		cmocka_unit_test(laziness_belongs_to_one_submission),
		cmocka_unit_test(free_gives_the_task_back_and_leaves_its_buffers),
		cmocka_unit_test(free_of_null_or_of_a_freed_task_does_nothing_and_is_told),
		cmocka_unit_test(free_of_a_submitted_task_does_nothing_and_is_told),
		cmocka_unit_test(the_status_is_that_of_the_last_completion),
		cmocka_unit_test(the_status_of_null_is_an_error),
		cmocka_unit_test(user_data_is_that_of_the_allocation_until_it_is_replaced),
		cmocka_unit_test(user_data_of_null_is_nothing_and_is_told),
		cmocka_unit_test(a_task_knows_its_context),
		cmocka_unit_test(a_submission_is_traced_with_bytes_and_addresses),
		cmocka_unit_test(a_pool_gives_each_task_once_in_the_order_of_memory),
		cmocka_unit_test(a_pool_of_the_same_size_is_kept),
		cmocka_unit_test(a_pool_without_memory_for_another_size_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
