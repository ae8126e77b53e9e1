/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer arrays: created and destroyed, and refused where a GPU or a DPA is wanted. */
#include "support/test.h"

#include <doca_buf_array.h>
#include <doca_mmap.h>

#include "support/fail_calloc.h"
#include "support/log_capture.h"

/* An address to stand for what cannot be had here; nothing looks at it. */
static char nothing;

static struct doca_buf_arr *new_array(void)
{
	struct doca_buf_arr *arr = NULL;

	assert_doca(doca_buf_arr_create(3, &arr), DOCA_SUCCESS);
	return arr;
}

static struct doca_mmap *new_mmap(void)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	return mmap;
}

static void an_array_is_described_stopped_and_destroyed(void **state)
{
	struct doca_buf_arr *arr = new_array();
	struct doca_mmap *mmap = new_mmap();

	log_forget(state);
	assert_doca(doca_buf_arr_set_params(arr, mmap, 64, 128), DOCA_SUCCESS);
	assert_doca(doca_buf_arr_stop(arr), DOCA_SUCCESS);
	assert_doca(doca_buf_arr_destroy(arr), DOCA_SUCCESS);
	assert_silent(state);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void create_refuses_no_elements(void **state)
{
	struct doca_buf_arr *arr = NULL;

	log_forget(state);
	assert_doca(doca_buf_arr_create(0, &arr), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "0 elements; at least 1 is wanted");
	assert_null(arr);
}

static void create_without_memory_leaves_the_argument_untouched(void **state)
{
	struct doca_buf_arr *arr = NULL;

	log_forget(state);
	next_calloc_fails = true;
	assert_doca(doca_buf_arr_create(1, &arr), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "out of memory");
	assert_null(arr);
}

static void set_params_refuses_empty_elements(void **state)
{
	struct doca_buf_arr *arr = new_array();
	struct doca_mmap *mmap = new_mmap();

	log_forget(state);
	assert_doca(doca_buf_arr_set_params(arr, mmap, 0, 0), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "of 3 elements refuses elements of 0 bytes");
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_arr_destroy(arr), DOCA_SUCCESS);
}

static void a_target_is_not_supported(void **state)
{
	struct doca_buf_arr *arr = new_array();

	log_forget(state);
	assert_doca(doca_buf_arr_set_target_gpu(arr, (struct doca_gpu *)&nothing),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "of 3 elements refuses a GPU as its target");
	log_forget(state);
	assert_doca(doca_buf_arr_set_target_dpa(arr, (struct doca_dpa *)&nothing),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "refuses a DPA as its target");
	assert_doca(doca_buf_arr_destroy(arr), DOCA_SUCCESS);
}

static void a_handle_is_not_supported_and_not_written(void **state)
{
	struct doca_buf_arr *arr = new_array();
	struct doca_gpu_buf_arr *gpu = (struct doca_gpu_buf_arr *)&nothing;
	doca_dpa_dev_buf_arr_t dpa = 77;

	log_forget(state);
	assert_doca(doca_buf_arr_get_gpu_handle(arr, &gpu), DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "refuses to tell its handle on a GPU");
	log_forget(state);
	assert_doca(doca_buf_arr_get_dpa_handle(arr, &dpa), DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "refuses to tell its handle on a DPA");
	assert_ptr_equal(gpu, &nothing);
	assert_int_equal(dpa, 77);
	assert_doca(doca_buf_arr_destroy(arr), DOCA_SUCCESS);
}

static void start_refuses_an_array_without_a_target(void **state)
{
	struct doca_buf_arr *arr = new_array();
	struct doca_mmap *mmap = new_mmap();

	assert_doca(doca_buf_arr_set_params(arr, mmap, 64, 0), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_arr_start(arr), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "refuses start: it has no target");
	assert_doca(doca_buf_arr_destroy(arr), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void every_null_argument_is_refused(void **state)
{
	struct doca_gpu *gpu = (struct doca_gpu *)&nothing;
	struct doca_dpa *dpa = (struct doca_dpa *)&nothing;
	struct doca_buf_arr *arr = new_array();
	struct doca_mmap *mmap = new_mmap();
	struct doca_gpu_buf_arr *gpu_handle;
	doca_dpa_dev_buf_arr_t dpa_handle;

	assert_doca(doca_buf_arr_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_set_target_gpu(NULL, gpu), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_set_target_gpu(arr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_set_target_dpa(NULL, dpa), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_set_target_dpa(arr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_set_params(NULL, mmap, 1, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_set_params(arr, NULL, 1, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_get_gpu_handle(NULL, &gpu_handle), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_get_gpu_handle(arr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_get_dpa_handle(NULL, &dpa_handle), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_arr_get_dpa_handle(arr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_arr_destroy(arr), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_is_described_stopped_and_destroyed),
		cmocka_unit_test(create_refuses_no_elements),
		cmocka_unit_test(create_without_memory_leaves_the_argument_untouched),
		cmocka_unit_test(set_params_refuses_empty_elements),
		cmocka_unit_test(a_target_is_not_supported),
		cmocka_unit_test(a_handle_is_not_supported_and_not_written),
		cmocka_unit_test(start_refuses_an_array_without_a_target),
		cmocka_unit_test(every_null_argument_is_refused),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
