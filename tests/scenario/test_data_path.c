/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the allocation of a task to its callback the library neither allocates, locks nor calls. The
 * workers engine takes the one lock of its queue: once a submit and once a progress.
 */
#include <stdlib.h>
#include <time.h>

#include <doca_buf_pool.h>

#include "support/count_calls.h"
#include "support/dma_fixture.h"
#include "support/test.h"

#define NUM_COPIES 1000

/* Of one submit or progress: its lock is taken and given back. */
static size_t calls_of_a_step(void)
{
	return getenv("SOFTDOCA_ENGINE") == NULL ? 0 : 2;
}

/* One copy from buffers and task to callback and release. */
static void copy_once(struct dma_fixture *fixture, size_t len_bytes)
{
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, len_bytes, 1)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
}

static size_t count_calls_of_copies(struct dma_fixture *fixture, size_t len_bytes)
{
	size_t num_before;

	copy_once(fixture, len_bytes); /* the first copy of an inventory from a map may register */
	num_before = num_wrapped_calls;
	for (unsigned i = 0; i < NUM_COPIES; i++)
		copy_once(fixture, len_bytes);
	return num_wrapped_calls - num_before;
}

static void the_wrappers_do_count(void **state)
{
	struct dma_options options = {0};
	size_t num_before = num_wrapped_calls;

	dma_close(dma_open(&options));
	assert_true(num_wrapped_calls > num_before);
}

static void a_thousand_copies_call_nothing_that_is_wrapped(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_int_equal(count_calls_of_copies(fixture, 64), 3 * NUM_COPIES * calls_of_a_step());
	assert_int_equal(count_calls_of_copies(fixture, 64 * 1024),
			 3 * NUM_COPIES * calls_of_a_step());
	assert_int_equal(fixture->num_success, 2 * (NUM_COPIES + 1));
	dma_close(fixture);
}

static void a_resubmission_calls_nothing_that_is_wrapped(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);
	size_t num_before = num_wrapped_calls;

	for (unsigned i = 0; i <= NUM_COPIES; i++) {
		if (i == 1 && calls_of_a_step() != 0)
			num_before = num_wrapped_calls; /* the first tells the pool to watch */
		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		(void)doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task)));
	}
	assert_int_equal(num_wrapped_calls - num_before, 2 * NUM_COPIES * calls_of_a_step());
	dma_task_release(task);
	dma_close(fixture);
}

static void a_pool_s_buffer_is_taken_and_released_without_a_call(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf_pool *pool = NULL;
	struct doca_buf *buf = NULL;
	size_t num_before;

	assert_doca(doca_buf_pool_create(1, 64, fixture->source.mmap, &pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	num_before = num_wrapped_calls;
	for (unsigned i = 0; i < NUM_COPIES; i++) { /* from the very first */
		assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_SUCCESS);
		assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	}
	assert_int_equal(num_wrapped_calls, num_before);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	dma_close(fixture);
}

static void an_armed_engine_costs_one_write_a_wake_up(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	size_t num_before;

	copy_once(fixture, 64);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	num_before = num_wrapped_calls;
	for (unsigned i = 0; i < 8; i++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 1)), DOCA_SUCCESS);
	assert_int_equal(num_wrapped_calls - num_before, 1 + 8 * calls_of_a_step());
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wrappers_do_count),
		cmocka_unit_test(a_thousand_copies_call_nothing_that_is_wrapped),
		cmocka_unit_test(a_resubmission_calls_nothing_that_is_wrapped),
		cmocka_unit_test(a_pool_s_buffer_is_taken_and_released_without_a_call),
		cmocka_unit_test(an_armed_engine_costs_one_write_a_wake_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
