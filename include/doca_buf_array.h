/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_buf_array.h
 * @brief Buffer arrays: what a program on a GPU or a DPA uses in the place of buffers.
 *
 * There is no GPU and no DPA here, and an array is of use to nothing else. So that programs build
 * and take their way without one, an array can be created, described and destroyed; giving it a
 * target and asking for a handle answer DOCA_ERROR_NOT_SUPPORTED, and it never starts.
 */
#ifndef DOCA_BUF_ARRAY_H_
#define DOCA_BUF_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_gpu;
struct doca_dpa;
struct doca_mmap;
struct doca_gpu_buf_arr;

/** @brief An array of equal pieces of a map's memory. */
struct doca_buf_arr;

/** @brief An array's handle on a DPA; for programs that name it, nothing here fills one. */
typedef uint64_t doca_dpa_dev_buf_arr_t;

/**
 * @brief Create an array, without target and parameters.
 *
 * @param [in] num_elem  Elements, above 0.
 * @param [out] buf_arr  The new array, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS              The array exists.
 * @retval DOCA_ERROR_INVALID_VALUE  num_elem is 0, or buf_arr is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr);

/**
 * @brief Would make a GPU the array's target; there is none.
 *
 * @param [in] buf_arr      The array.
 * @param [in] gpu_handler  The GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  In every other case.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: there is no
 * success, and no BAD_STATE because no array starts.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
					 struct doca_gpu *gpu_handler);

/**
 * @brief Would make a DPA the array's target; there is none.
 *
 * @param [in] buf_arr      The array.
 * @param [in] dpa_handler  The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  In every other case.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: there is no
 * success, and no BAD_STATE because no array starts.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
					 struct doca_dpa *dpa_handler);

/**
 * @brief Say what the elements are: their size, and where in a map the first begins.
 *
 * Only a start would use it. The map is not looked at and stays the caller's.
 *
 * @param [in] buf_arr       The array.
 * @param [in] mmap          The map.
 * @param [in] elem_size     Length of each element in bytes, above 0.
 * @param [in] start_offset  From the start of the map's range, in bytes.
 *
 * @retval DOCA_SUCCESS              The values are possible.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or elem_size is 0.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: no BAD_STATE,
 * because no array starts.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap,
				     size_t elem_size, uint64_t start_offset);

/**
 * @brief Would start an array that has a target; none has.
 *
 * @param [in] buf_arr  The array.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  buf_arr is NULL.
 * @retval DOCA_ERROR_BAD_STATE      In every other case: it has no target.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: there is no
 * success, and no NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

/**
 * @brief Stop an array; as none is started, nothing changes.
 *
 * @param [in] buf_arr  The array.
 *
 * @retval DOCA_SUCCESS              The array is not started.
 * @retval DOCA_ERROR_INVALID_VALUE  buf_arr is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: the sources do
 * not state the code for an array that is not started.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

/**
 * @brief Free an array.
 *
 * @param [in] buf_arr  The array; gone on success.
 *
 * @retval DOCA_SUCCESS              The array is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  buf_arr is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

/**
 * @brief Would tell the handle of an array in a GPU's memory; there is no GPU.
 *
 * @param [in] buf_arr       The array.
 * @param [out] gpu_buf_arr  Untouched.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  In every other case.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: NOT_SUPPORTED
 * where the reference has BAD_STATE for an array that is not started.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr);

/**
 * @brief Would tell the handle of an array in a DPA's memory; there is no DPA.
 *
 * @param [in] buf_arr       The array.
 * @param [out] dpa_buf_arr  Untouched.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  In every other case.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_array.h. Differs: NOT_SUPPORTED
 * where the reference has BAD_STATE for an array that is not started.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
					 doca_dpa_dev_buf_arr_t *dpa_buf_arr);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_BUF_ARRAY_H_ */
