/* SPDX-License-Identifier: Apache-2.0 */
/* The advise context: its life, its configuration, what it refuses at a submit. */
#include "support/dma_fixture.h"
#include "support/log_capture.h"
#include "support/test.h"

#include <doca_mmap_advise.h>

#include "support/fail_calloc.h"

#define NUM_TASKS 4

/* An advise context beside a DMA context that stays idle, and what its callbacks saw. */
struct advise_case {
	struct dma_fixture *dma;
	struct doca_mmap_advise *advise;
	struct doca_ctx *ctx;
	unsigned num_done;
	unsigned num_failed;
	uint64_t last_tag;
	struct doca_mmap_advise_task_invalidate_cache *last_task;
	doca_error_t last_status;
};

static struct doca_task *task_of(struct doca_mmap_advise_task_invalidate_cache *task)
{
	return doca_mmap_advise_task_invalidate_cache_as_doca_task(task);
}

static void on_done(struct doca_mmap_advise_task_invalidate_cache *task,
		    union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct advise_case *one = ctx_user_data.ptr;

	one->num_done++;
	one->last_tag = task_user_data.u64;
	one->last_task = task;
	one->last_status = doca_task_get_status(task_of(task));
}

static void on_error(struct doca_mmap_advise_task_invalidate_cache *task,
		     union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct advise_case *one = ctx_user_data.ptr;

	one->num_failed++;
}

static struct advise_case *open_idle(void)
{
	const struct dma_options options = {.stays_idle = true};
	struct advise_case *one = test_malloc(sizeof(*one));

	*one = (struct advise_case){.dma = dma_open(&options)};
	assert_doca(doca_mmap_advise_create(one->dma->dev, &one->advise), DOCA_SUCCESS);
	one->ctx = doca_mmap_advise_as_ctx(one->advise);
	assert_doca(doca_pe_connect_ctx(one->dma->pe, one->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(one->ctx, (union doca_data){.ptr = one}), DOCA_SUCCESS);
	return one;
}

static struct advise_case *open_running(void)
{
	struct advise_case *one = open_idle();

	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error,
								    NUM_TASKS),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(one->ctx), DOCA_SUCCESS);
	return one;
}

static void close_case(struct advise_case *one)
{
	assert_int_equal(one->num_failed, 0);
	assert_doca(doca_ctx_stop(one->ctx), DOCA_SUCCESS);
	assert_doca(doca_mmap_advise_destroy(one->advise), DOCA_SUCCESS);
	dma_close(one->dma);
	test_free(one);
}

static struct doca_mmap_advise_task_invalidate_cache *take(struct advise_case *one,
							   struct doca_buf *buf, uint64_t tag)
{
	struct doca_mmap_advise_task_invalidate_cache *task = NULL;

	assert_doca(doca_mmap_advise_task_invalidate_cache_alloc_init(
			    one->advise, buf, (union doca_data){.u64 = tag}, &task),
		    DOCA_SUCCESS);
	return task;
}

/* Both ways to submit refuse, and the task stays the caller's. */
static void assert_refused(void **state, struct advise_case *one, struct doca_buf *buf,
			   const char *why)
{
	struct doca_mmap_advise_task_invalidate_cache *task = take(one, buf, 0);

	log_forget(state);
	assert_doca(doca_task_submit(task_of(task)), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", why);
	log_forget(state);
	assert_doca(doca_task_try_submit(task_of(task)), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", why);
	assert_int_equal(doca_pe_progress(one->dma->pe), 0);
	assert_int_equal(one->num_done, 0);
	doca_task_free(task_of(task));
}

static void the_device_of_the_dpu_alone_can_invalidate(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;
	uint64_t size = 99;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_int_equal(num_devs, 2);
	assert_doca(doca_mmap_advise_cap_task_cache_invalidate_is_supported(list[0]), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_mmap_advise_cap_task_cache_invalidate_is_supported(list[1]),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "DBG", "0000:b1:00.0 does not");
	assert_doca(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(list[1], &size),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_int_equal(size, 99);
	assert_doca(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(list[0], &size),
		    DOCA_SUCCESS);
	assert_int_equal(size, 2 * 1024 * 1024);
	assert_doca(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(list[0], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(NULL, &size),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_advise_cap_task_cache_invalidate_is_supported(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void create_refuses_null_a_device_that_cannot_and_a_lack_of_memory(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_mmap_advise *advise = NULL;
	struct doca_devinfo **list = NULL;
	struct doca_dev *host = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_mmap_advise_create(NULL, &advise), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_advise_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_doca(doca_dev_open(list[1], &host), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_mmap_advise_create(host, &advise), DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "refuses an advise context: it has none; choose one for which");
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_mmap_advise_create(dev, &advise), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for one more advise context");
	assert_null(advise);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void a_context_keeps_its_device_open_until_it_is_destroyed(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_mmap_advise *advise = NULL;

	assert_doca(doca_mmap_advise_create(dev, &advise), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	assert_doca(doca_mmap_advise_destroy(advise), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_advise_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(doca_mmap_advise_as_ctx(NULL));
}

static void destroy_refuses_a_context_that_is_not_idle(void **state)
{
	struct advise_case *one = open_running();

	log_forget(state);
	assert_doca(doca_mmap_advise_destroy(one->advise), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR",
		      "it is not idle, 0 of its tasks are not freed; call "
		      "doca_ctx_stop");
	close_case(one);
}

static void set_conf_refuses_null_and_numbers_out_of_range(void **state)
{
	struct advise_case *one = open_idle();

	assert_doca(
		doca_mmap_advise_task_invalidate_cache_set_conf(NULL, on_done, on_error, NUM_TASKS),
		DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, NULL, on_error,
								    NUM_TASKS),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, NULL,
								    NUM_TASKS),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(
		doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error, 0),
		DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error,
								    65537),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "of 65537 tasks: want 1 to 65536");
	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error,
								    65536),
		    DOCA_SUCCESS);
	close_case(one);
}

static void set_conf_is_not_permitted_unless_idle(void **state)
{
	struct advise_case *one = open_running();
	struct doca_mmap_advise_task_invalidate_cache *task = take(one, NULL, 0);

	log_forget(state);
	assert_doca(
		doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error, 1),
		DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "it is not idle; call doca_ctx_stop, then");
	assert_doca(doca_ctx_stop(one->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(
		doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error, 1),
		DOCA_ERROR_NOT_PERMITTED);
	doca_task_free(task_of(task));
	dma_wait_state(one->dma, one->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(
		doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error, 1),
		DOCA_SUCCESS);
	close_case(one);
}

static void start_wants_a_configuration_and_memory(void **state)
{
	struct advise_case *one = open_idle();

	log_forget(state);
	assert_doca(doca_ctx_start(one->ctx), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "call doca_mmap_advise_task_invalidate_cache_set_conf first");
	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(one->advise, on_done, on_error,
								    NUM_TASKS),
		    DOCA_SUCCESS);
	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_ctx_start(one->ctx), DOCA_ERROR_INITIALIZATION);
	assert_logged(state, "ERR", "no memory for 4 tasks");
	assert_doca(doca_ctx_start(one->ctx), DOCA_SUCCESS);
	close_case(one);
}

static void alloc_init_refuses_null_and_a_context_that_does_not_run(void **state)
{
	struct advise_case *one = open_idle();
	const union doca_data data = {0};
	struct doca_mmap_advise_task_invalidate_cache *task = NULL;

	assert_doca(doca_mmap_advise_task_invalidate_cache_alloc_init(NULL, NULL, data, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(
		doca_mmap_advise_task_invalidate_cache_alloc_init(one->advise, NULL, data, NULL),
		DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(
		doca_mmap_advise_task_invalidate_cache_alloc_init(one->advise, NULL, data, &task),
		DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "it is not running; call doca_ctx_start first");
	assert_null(task);
	close_case(one);
}

static void a_pool_whose_tasks_are_all_out_gives_none(void **state)
{
	struct advise_case *one = open_running();
	struct doca_mmap_advise_task_invalidate_cache *tasks[NUM_TASKS + 1] = {NULL};

	for (unsigned i = 0; i < NUM_TASKS; i++)
		tasks[i] = take(one, NULL, i);
	log_forget(state);
	assert_doca(doca_mmap_advise_task_invalidate_cache_alloc_init(
			    one->advise, NULL, (union doca_data){0}, &tasks[NUM_TASKS]),
		    DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "DBG", "has no task left: all 4 are out");
	assert_null(tasks[NUM_TASKS]);
	doca_task_free(task_of(tasks[0]));
	tasks[0] = take(one, NULL, 0);
	for (unsigned i = 0; i < NUM_TASKS; i++)
		doca_task_free(task_of(tasks[i]));
	close_case(one);
}

static void an_invalidation_completes_in_progress_and_leaves_the_memory_as_it_is(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = dma_source(one->dma, 0, 1024);
	struct doca_mmap_advise_task_invalidate_cache *task = take(one, buf, 77);
	uint8_t before[1024];

	memcpy(before, one->dma->source.bytes, sizeof(before));
	log_forget(state);
	for (unsigned i = 1; i <= 3; i++) { /* the same task, again */
		assert_doca(doca_task_submit(task_of(task)), DOCA_SUCCESS);
		assert_int_equal(one->num_done, i - 1);
		assert_int_equal(dma_inflight(one->ctx), 1);
		assert_int_equal(doca_pe_progress(one->dma->pe), 1);
		assert_int_equal(one->num_done, i);
	}
	assert_silent(state);
	assert_int_equal(doca_pe_progress(one->dma->pe), 0);
	assert_int_equal(one->last_tag, 77);
	assert_ptr_equal(one->last_task, task);
	assert_doca(one->last_status, DOCA_SUCCESS);
	assert_memory_equal(before, one->dma->source.bytes, sizeof(before));
	assert_int_equal(dma_data_len(buf), 1024);
	doca_task_free(task_of(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	close_case(one);
}

static void a_buffer_without_data_and_try_submit_are_fine(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = dma_target(one->dma, 0, 64);
	struct doca_mmap_advise_task_invalidate_cache *task = take(one, buf, 0);

	assert_doca(doca_task_try_submit(task_of(task)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(one->dma->pe), 1);
	assert_int_equal(one->num_done, 1);
	doca_task_free(task_of(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	close_case(one);
}

static void an_armed_engine_is_woken_by_a_submit(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = dma_source(one->dma, 0, 64);
	struct doca_mmap_advise_task_invalidate_cache *task = take(one, buf, 0);
	doca_notification_handle_t handle;

	assert_doca(doca_pe_get_notification_handle(one->dma->pe, &handle), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(one->dma->pe), DOCA_SUCCESS);
	assert_false(test_fd_is_readable(handle, 0));
	assert_doca(doca_task_submit(task_of(task)), DOCA_SUCCESS);
	assert_true(test_fd_is_readable(handle, 0));
	assert_doca(doca_pe_clear_notification(one->dma->pe, handle), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(one->dma->pe), 1);
	doca_task_free(task_of(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	close_case(one);
}

static void a_task_without_a_buffer_is_refused(void **state)
{
	struct advise_case *one = open_running();

	assert_refused(state, one, NULL,
		       "it is not set; call doca_mmap_advise_task_invalidate_cache_set_buf first");
	close_case(one);
}

static void a_released_buffer_is_refused(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = dma_source(one->dma, 0, 64);

	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_refused(state, one, buf, "it was released; keep it until the callback");
	close_case(one);
}

static void an_element_of_a_list_is_refused_wherever_it_stands(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *head = dma_source(one->dma, 0, 64);
	struct doca_buf *tail = dma_source(one->dma, 64, 64);

	assert_doca(doca_buf_chain_list(head, tail), DOCA_SUCCESS);
	assert_refused(state, one, head, "it is in a list; submit a task for each");
	assert_refused(state, one, tail, "it is in a list; submit a task for each");
	assert_doca(doca_buf_dec_refcount(head, NULL), DOCA_SUCCESS);
	close_case(one);
}

static void more_data_than_the_device_takes_is_refused(void **state)
{
	const size_t max_bytes = (size_t)2 << 20;
	struct advise_case *one = open_running();
	struct dma_area area;
	struct doca_buf *buf = NULL;
	struct doca_mmap_advise_task_invalidate_cache *task;

	dma_area_open(&area, one->dma->dev, max_bytes + 1, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	assert_doca(doca_buf_inventory_buf_get_by_data(one->dma->inventory, area.mmap, area.bytes,
						       max_bytes + 1, &buf),
		    DOCA_SUCCESS);
	assert_refused(state, one, buf, "2097153 bytes: it has more data than");
	assert_doca(doca_buf_set_data_len(buf, max_bytes), DOCA_SUCCESS);
	task = take(one, buf, 0);
	assert_doca(doca_task_submit(task_of(task)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(one->dma->pe), 1);
	assert_int_equal(one->num_done, 1);
	doca_task_free(task_of(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	dma_area_close(&area);
	close_case(one);
}

static void a_buffer_whose_map_was_stopped_is_refused(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = NULL;
	struct doca_mmap *mmap = NULL;

	/* Only such a map stops while a buffer is out. */
	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, one->dma->source.bytes, 64), DOCA_SUCCESS);
	assert_doca(doca_mmap_enable_thread_safety(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_data(one->dma->inventory, mmap,
						       one->dma->source.bytes, 64, &buf),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_refused(state, one, buf, "its mmap was stopped or destroyed");
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	close_case(one);
}

static void the_buffer_is_its_owners_to_set(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = dma_source(one->dma, 0, 64);
	struct doca_mmap_advise_task_invalidate_cache *task = take(one, NULL, 0);

	assert_null(doca_mmap_advise_task_invalidate_cache_get_buf(task));
	doca_mmap_advise_task_invalidate_cache_set_buf(task, buf);
	assert_ptr_equal(doca_mmap_advise_task_invalidate_cache_get_buf(task), buf);
	assert_doca(doca_task_submit(task_of(task)), DOCA_SUCCESS);
	log_forget(state);
	doca_mmap_advise_task_invalidate_cache_set_buf(task, NULL);
	assert_logged(state, "ERR", "submitted; wait for its callback");
	assert_ptr_equal(doca_mmap_advise_task_invalidate_cache_get_buf(task), buf);
	assert_int_equal(doca_pe_progress(one->dma->pe), 1);
	doca_task_free(task_of(task));
	log_forget(state);
	doca_mmap_advise_task_invalidate_cache_set_buf(task, NULL);
	assert_logged(state, "ERR", "freed");
	log_forget(state);
	doca_mmap_advise_task_invalidate_cache_set_buf(NULL, buf);
	assert_logged(state, "ERR", "NULL");
	assert_null(doca_mmap_advise_task_invalidate_cache_get_buf(NULL));
	assert_null(task_of(NULL));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	close_case(one);
}

static void stop_gives_every_task_back_before_idle(void **state)
{
	struct advise_case *one = open_running();
	struct doca_buf *buf = dma_source(one->dma, 0, 64);
	struct doca_mmap_advise_task_invalidate_cache *tasks[2];

	for (unsigned i = 0; i < 2; i++) {
		tasks[i] = take(one, buf, i);
		assert_doca(doca_task_submit(task_of(tasks[i])), DOCA_SUCCESS);
	}
	assert_doca(doca_ctx_stop(one->ctx), DOCA_ERROR_IN_PROGRESS);
	(void)dma_progress_dry(one->dma);
	assert_int_equal(one->num_done, 2); /* they were done already */
	assert_int_equal(dma_state(one->ctx), DOCA_CTX_STATE_STOPPING);
	assert_doca(doca_task_submit(task_of(tasks[0])), DOCA_ERROR_BAD_STATE);
	for (unsigned i = 0; i < 2; i++)
		doca_task_free(task_of(tasks[i]));
	dma_wait_state(one->dma, one->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(one->ctx), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	close_case(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_device_of_the_dpu_alone_can_invalidate),
		cmocka_unit_test(create_refuses_null_a_device_that_cannot_and_a_lack_of_memory),
		cmocka_unit_test(a_context_keeps_its_device_open_until_it_is_destroyed),
		cmocka_unit_test(destroy_refuses_a_context_that_is_not_idle),
		cmocka_unit_test(set_conf_refuses_null_and_numbers_out_of_range),
		cmocka_unit_test(set_conf_is_not_permitted_unless_idle),
		cmocka_unit_test(start_wants_a_configuration_and_memory),
		cmocka_unit_test(alloc_init_refuses_null_and_a_context_that_does_not_run),
		cmocka_unit_test(a_pool_whose_tasks_are_all_out_gives_none),
		cmocka_unit_test(
			an_invalidation_completes_in_progress_and_leaves_the_memory_as_it_is),
		cmocka_unit_test(a_buffer_without_data_and_try_submit_are_fine),
		cmocka_unit_test(an_armed_engine_is_woken_by_a_submit),
		cmocka_unit_test(a_task_without_a_buffer_is_refused),
		cmocka_unit_test(a_released_buffer_is_refused),
		cmocka_unit_test(an_element_of_a_list_is_refused_wherever_it_stands),
		cmocka_unit_test(more_data_than_the_device_takes_is_refused),
		cmocka_unit_test(a_buffer_whose_map_was_stopped_is_refused),
		cmocka_unit_test(the_buffer_is_its_owners_to_set),
		cmocka_unit_test(stop_gives_every_task_back_before_idle),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
