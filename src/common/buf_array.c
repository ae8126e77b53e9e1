/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffer arrays, which serve programs on a GPU or a DPA alone. A virtual card has neither: an array
 * never gets a target, so that nothing of it but its size is ever looked at.
 */
#include <stdlib.h>

#include <doca_buf_array.h>

#include "common/sdk_log.h"

struct doca_buf_arr {
	size_t num_elements;
};

#define LOG_REFUSAL(arr, format, ...)                                                              \
	LOG_ERROR("buffer array %p of %zu elements refuses " format, (const void *)(arr),          \
		  (arr)->num_elements, ##__VA_ARGS__)

static doca_error_t refuse_target(const struct doca_buf_arr *arr, const char *what)
{
	LOG_REFUSAL(arr, "%s: the virtual card has none; use buffers of doca_buf_pool.h", what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr)
{
	struct doca_buf_arr *made;

	if (buf_arr == NULL)
		return REFUSE_NULL("buf_arr");
	if (num_elem == 0) {
		LOG_ERROR("buffer array create refused: 0 elements; at least 1 is wanted");
		return DOCA_ERROR_INVALID_VALUE;
	}
	made = calloc(1, sizeof(*made));
	if (made == NULL) {
		LOG_ERROR("buffer array create: out of memory for %zu bytes", sizeof(*made));
		return DOCA_ERROR_NO_MEMORY;
	}
	made->num_elements = num_elem;
	*buf_arr = made;
	return DOCA_SUCCESS;
}

/* Needs a GPU. */
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler)
{
	if (buf_arr == NULL || gpu_handler == NULL)
		return REFUSE_NULL(buf_arr == NULL ? "buf_arr" : "gpu_handler");
	return refuse_target(buf_arr, "a GPU as its target");
}

/* Needs a DPA. */
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler)
{
	if (buf_arr == NULL || dpa_handler == NULL)
		return REFUSE_NULL(buf_arr == NULL ? "buf_arr" : "dpa_handler");
	return refuse_target(buf_arr, "a DPA as its target");
}

doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap,
				     size_t elem_size, uint64_t start_offset)
{
	if (buf_arr == NULL || mmap == NULL)
		return REFUSE_NULL(buf_arr == NULL ? "buf_arr" : "mmap");
	if (elem_size == 0) {
		LOG_REFUSAL(buf_arr, "elements of 0 bytes; at least 1 is wanted");
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* Needs a target, which needs a GPU or a DPA. */
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
	if (buf_arr == NULL)
		return REFUSE_NULL("buf_arr");
	LOG_REFUSAL(buf_arr, "start: it has no target, a GPU or a DPA, and the virtual card has "
			     "neither; use buffers of doca_buf_pool.h");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr)
{
	return buf_arr == NULL ? REFUSE_NULL("buf_arr") : DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
	if (buf_arr == NULL)
		return REFUSE_NULL("buf_arr");
	free(buf_arr);
	return DOCA_SUCCESS;
}

/* Needs a GPU. */
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr)
{
	if (buf_arr == NULL || gpu_buf_arr == NULL)
		return REFUSE_NULL(buf_arr == NULL ? "buf_arr" : "gpu_buf_arr");
	return refuse_target(buf_arr, "to tell its handle on a GPU");
}

/* Needs a DPA. */
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
					 doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
	if (buf_arr == NULL || dpa_buf_arr == NULL)
		return REFUSE_NULL(buf_arr == NULL ? "buf_arr" : "dpa_buf_arr");
	return refuse_target(buf_arr, "to tell its handle on a DPA");
}
