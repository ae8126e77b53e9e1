/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_dma.h
 * @brief Asynchronous memory copies by a device.
 *
 * A copy reads the data of the source list and appends it to the destination list, each element
 * from its data + data_len on; on success the destination's data lengths grow by what they got.
 * Source descriptors never change. When a copy fails, no descriptor has changed.
 *
 * What can be wrong with a copy, and where that comes back (SOFTDOCA_ERRORS selects the mode):
 *
 *   what                                    | documented (default)          | hardware
 *   ----------------------------------------|-------------------------------|----------------------
 *   destination lacks LOCAL_READ_WRITE      | submit: NOT_PERMITTED         | error callback
 *   (imported: PCI_READ_WRITE, RDMA_WRITE)  |                               |
 *   more bytes or elements than the device  | alloc_init, submit:           | error callback
 *   takes                                   | INVALID_VALUE                 |
 *   source without data, destination with   | error callback                | error callback
 *   too little room, data outside its buffer|                               |
 *   buffer released, or its map stopped or  | submit: INVALID_VALUE         | the same
 *   destroyed                               |                               |
 *
 *   imported memory: its exporter ended,    | error callback:               | error callback
 *   destroyed the map, does not answer,     | CONNECTION_RESET, SHUTDOWN,   |
 *   has unmapped a part                     | TIME_OUT, IO_FAILED           |
 *
 * An error callback finds the status DOCA_ERROR_IO_FAILED, or what the table says of imported
 * memory; in both modes the whole context stops: its other
 * tasks come back with IO_FAILED, and once all are freed it is idle and can be started again. No
 * byte of the destination is touched by what the table names; a long copy that is flushed half way
 * has written a part. doca_task_try_submit() refuses all of them, in both modes: NOT_PERMITTED for
 * the right, INVALID_VALUE for the others.
 *
 * One source element over one destination element copies like memmove; lists that overlap give
 * undefined bytes.
 */
#ifndef DOCA_DMA_H_
#define DOCA_DMA_H_

#include <inttypes.h>

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
struct doca_gpu_dma;
struct doca_dma;
struct doca_dma_task_memcpy;

/**
 * @brief Told that a copy is done; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *task,
						     union doca_data task_user_data,
						     union doca_data ctx_user_data);

/**
 * @brief Create a DMA context on a device.
 *
 * @param [in] dev   An open device that supports copies; stays open until the context is destroyed.
 * @param [out] dma  The new context, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy:
 * doca_dma_cap_task_memcpy_is_supported().
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: NOT_SUPPORTED is not listed
 * there; INITIALIZATION never comes back.
 */
DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);

/**
 * @brief Destroy an idle DMA context; its progress engine lets go of it.
 *
 * @param [in] dma  The context; gone on success, untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  dma is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle: call doca_ctx_stop(), then progress. Or a graph
 *                                   has nodes of it: call doca_graph_destroy() first.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: INVALID_VALUE is not
 * listed there.
 */
DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma);

/**
 * @brief Ask whether a device can copy.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_SUCCESS              It can.
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: DRIVER never comes back.
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief The generic context of a DMA context, the same object.
 *
 * @param [in] dma  The DMA context.
 * @return Its context, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

/**
 * @brief The largest number of tasks that a DMA context can be configured for.
 *
 * @param [in] dma             The DMA context.
 * @param [out] max_num_tasks  Tasks, a plain count.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks);

/**
 * @brief The longest list that one copy takes, on either side.
 *
 * @param [in] devinfo            The device.
 * @param [out] max_buf_list_len  Elements; 1 means no lists.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: NOT_SUPPORTED is not listed
 * there.
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							   uint32_t *max_buf_list_len);

/**
 * @brief The most that one copy takes.
 *
 * @param [in] devinfo    The device.
 * @param [out] buf_size  Bytes, over the whole source list.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: NOT_SUPPORTED is not listed
 * there.
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
						       uint64_t *buf_size);

/**
 * @brief Configure the copy tasks of an idle DMA context; a later call replaces an earlier one.
 *
 * @param [in] dma                 The DMA context.
 * @param [in] task_completion_cb  Runs when a copy is done.
 * @param [in] task_error_cb       Runs when a copy failed or was flushed; may be the same function.
 * @param [in] num_memcpy_tasks    Tasks that can be allocated at once, 1 to
 *                                 doca_dma_cap_get_max_num_tasks().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: BAD_STATE is not
 * listed there; NOT_SUPPORTED never comes back, doca_dma_create() says it first.
 */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma,
					   doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb,
					   uint32_t num_memcpy_tasks);

/**
 * @brief Take a copy task from the context's pool.
 *
 * A buffer may be NULL here and set later, before the submit. The buffers stay the caller's: they
 * may not be changed or released from the submit to the callback.
 *
 * @param [in] dma        A running DMA context.
 * @param [in] src        Head of the list to read, or NULL.
 * @param [in] dst        Head of the list to append to, or NULL.
 * @param [in] user_data  Handed to the callback.
 * @param [out] task      The task, the caller's until submitted or freed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  dma or task is NULL; in the documented mode also: the buffers
 *                                   given are more than the device takes, in bytes or elements.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      Every task of the pool is out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: only NO_MEMORY is
 * listed there.
 */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src,
					     struct doca_buf *dst, union doca_data user_data,
					     struct doca_dma_task_memcpy **task);

/**
 * @brief The generic task of a copy task, the same object.
 *
 * @param [in] task  The copy task.
 * @return Its task, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);

/**
 * @brief Set what a copy task reads.
 *
 * @param [in] task  The task, not submitted; for a submitted one or NULL the call does nothing and
 *                   says so in the log.
 * @param [in] src   Head of the list; stays the caller's.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src);

/**
 * @brief Read what a copy task reads.
 *
 * @param [in] task  The task.
 * @return Its source, NULL when none is set or task is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task);

/**
 * @brief Set what a copy task appends to.
 *
 * @param [in] task  As for doca_dma_task_memcpy_set_src().
 * @param [in] dst   Head of the list; stays the caller's.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst);

/**
 * @brief Read what a copy task appends to.
 *
 * @param [in] task  The task.
 * @return Its destination, NULL when none is set or task is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_dma.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task);

/**
 * @brief Would give the handle of a context whose data path is on a GPU: there is none.
 *
 * @param [in] dma       The DMA context.
 * @param [out] gpu_dma  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: it needs a GPU.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dma.h. Differs: never succeeds; BAD_STATE
 * never comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma);

/**
 * @brief Ask for callbacks in the order of submission. Here they always come in that order.
 *
 * @param [in] dma                  The DMA context, idle or running.
 * @param [in] ordered_completions  1 for that order, 0 for any; 0 at first.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  dma is NULL, or the value is neither.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3); doca-samples 3.3.0 call it before
 * the start. Differs: BAD_STATE never comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t ordered_completions);

/**
 * @brief Read what doca_dma_set_ordered_completions() set.
 *
 * @param [in] dma                   The DMA context.
 * @param [out] ordered_completions  0 or 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_get_ordered_completions(struct doca_dma *dma, uint8_t *ordered_completions);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_DMA_H_ */
