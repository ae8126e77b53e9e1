/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_mmap_advise.h
 * @brief Advice about memory that a program no longer needs to be cached.
 *
 * One task, "invalidate cache", on one buffer. On a card, what was only in the CPU's cache of the
 * buffer's data is lost. Here the caches are coherent: the task completes with success and the
 * memory keeps its bytes.
 *
 * A submit, plain or tried, refuses with INVALID_VALUE: no buffer, a buffer in a list, more data
 * than doca_mmap_advise_task_cache_invalidate_get_max_buf_size(), a buffer that was released, or
 * whose map was stopped or destroyed.
 */
#ifndef DOCA_MMAP_ADVISE_H_
#define DOCA_MMAP_ADVISE_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_task;
struct doca_mmap_advise;
struct doca_mmap_advise_task_invalidate_cache;

/**
 * @brief Told that an invalidation is done; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(
	struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Create an advise context on a device.
 *
 * @param [in] dev           An open device that can invalidate; stays open until the context is
 *                           destroyed.
 * @param [out] mmap_advise  The new context, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot:
 * doca_mmap_advise_cap_task_cache_invalidate_is_supported().
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: NOT_SUPPORTED is not
 * listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise);

/**
 * @brief Destroy an idle advise context; its progress engine lets go of it.
 *
 * @param [in] mmap_advise  The context; gone on success, untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  mmap_advise is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle: call doca_ctx_stop(), then progress. Or a graph
 *                                   has nodes of it: call doca_graph_destroy() first.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: IN_USE is
 * not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);

/**
 * @brief The generic context of an advise context, the same object.
 *
 * @param [in] mmap_advise  The advise context.
 * @return Its context, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);

/**
 * @brief Ask whether a device can invalidate caches: the DPU's function can.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_SUCCESS              It can.
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief The most data that one task takes.
 *
 * @param [in] devinfo    The device.
 * @param [out] buf_size  Bytes; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot invalidate caches.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: NOT_SUPPORTED is not
 * listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *buf_size);

/**
 * @brief Configure the tasks of an idle advise context; a later call replaces an earlier one.
 *
 * @param [in] mmap_advise    The advise context.
 * @param [in] completion_cb  Runs when an invalidation is done.
 * @param [in] error_cb       Runs when one failed, which none does here; may be the same function.
 * @param [in] num_tasks      Tasks that can be allocated at once, 1 to 65536.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number is out of range.
 * @retval DOCA_ERROR_NOT_PERMITTED  The context is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Take a task from the context's pool.
 *
 * The buffer may be NULL here and set later, before the submit. It stays the caller's: it may not
 * be changed or released from the submit to the callback.
 *
 * @param [in] mmap_advise  A running advise context.
 * @param [in] buf          The buffer whose data is meant, or NULL.
 * @param [in] user_data    Handed to the callback.
 * @param [out] task        The task, the caller's until submitted or freed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  mmap_advise or task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      Every task of the pool is out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: only
 * NO_MEMORY is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task);

/**
 * @brief The generic task of an invalidation, the same object.
 *
 * @param [in] task  The task.
 * @return Its generic task, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
	struct doca_mmap_advise_task_invalidate_cache *task);

/**
 * @brief Set the buffer of a task.
 *
 * @param [in] task  The task, not submitted; for a submitted one or NULL the call does nothing and
 *                   says so in the log.
 * @param [in] buf   The buffer; stays the caller's.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_mmap_advise_task_invalidate_cache_set_buf(
	struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf);

/**
 * @brief Read the buffer of a task.
 *
 * @param [in] task  The task.
 * @return Its buffer, NULL when none is set or task is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap_advise.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
	const struct doca_mmap_advise_task_invalidate_cache *task);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_MMAP_ADVISE_H_ */
