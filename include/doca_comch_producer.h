/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_comch_producer.h
 * @brief The sending end of comch's fast path. Each call answers NOT_SUPPORTED.
 *
 * There is no way to get a producer, nor one of its tasks: each function refuses whatever it is
 * given, with a line in the log that says so.
 */
#ifndef DOCA_COMCH_PRODUCER_H_
#define DOCA_COMCH_PRODUCER_H_

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
struct doca_dpa_thread;
struct doca_dpa_completion;
struct doca_comch_connection;
struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_comch_gpu_producer;

/** @brief A producer as a DPA knows it. */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/**
 * @brief Would be told that a send is done; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
	struct doca_comch_producer_task_send *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Would create a producer.
 *
 * @param [in] comch_connection  The connection.
 * @param [out] producer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
					struct doca_comch_producer **producer);

/**
 * @brief Would destroy a producer.
 *
 * @param [in] producer  The producer.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/**
 * @brief Ask whether a device can have a producer: none can.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Would tell the number of a producer.
 *
 * @param [in] producer  The producer.
 * @param [out] id  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id);

/**
 * @brief Would tell the most tasks of one producer.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_num_tasks  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks);

/**
 * @brief Would tell the largest buffer of one task.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_buf_size  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size);

/**
 * @brief Would tell the longest list of one task.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_buf_list_len  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len);

/**
 * @brief Would tell the most producers of one connection.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_producers  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo,
						       uint32_t *max_producers);

/**
 * @brief The generic context of a producer.
 *
 * @param [in] producer  The producer.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no
 * producer to ask.
 */
DOCA_STABLE
struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/**
 * @brief Would bound the sends that a DPA has under way.
 *
 * @param [in] producer  The producer.
 * @param [in] dev_num_send  Sends under way.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
						      uint32_t dev_num_send);

/**
 * @brief Would tie a producer to completions of a DPA.
 *
 * @param [in] producer  The producer.
 * @param [in] dpa_comp  A completion object of a DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
						       struct doca_dpa_completion *dpa_comp);

/**
 * @brief Would give a producer as a DPA knows it.
 *
 * @param [in] producer  The producer.
 * @param [out] dpa_producer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
						doca_dpa_dev_comch_producer_t *dpa_producer);

/**
 * @brief Would configure the tasks that send.
 *
 * @param [in] producer  The producer.
 * @param [in] task_completion_cb  Would run when a task is done.
 * @param [in] task_error_cb  Would run when it failed.
 * @param [in] num_send_tasks  Tasks.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/**
 * @brief Would take such a task from the pool.
 *
 * @param [in] producer  The producer.
 * @param [in] buf  A buffer.
 * @param [in] imm_data  Bytes that go beside the buffer.
 * @param [in] imm_data_len  Their number.
 * @param [in] consumer_id  Whom to send to.
 * @param [out] task  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer,
						      const struct doca_buf *buf, uint8_t *imm_data,
						      uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task);

/**
 * @brief Would tell what is sent.
 *
 * @param [in] task  The task.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
const struct doca_buf *doca_comch_producer_task_send_get_buf(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Would say what is sent.
 *
 * @param [in] task  The task.
 * @param [in] buf  A buffer.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
					   const struct doca_buf *buf);

/**
 * @brief Would tell to whom it is sent.
 *
 * @param [in] task  The task.
 * @return 0.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_consumer_id(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Would say to whom it is sent.
 *
 * @param [in] task  The task.
 * @param [in] consumer_id  Whom to send to.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
						   const uint32_t consumer_id);

/**
 * @brief Would give the immediate bytes to send.
 *
 * @param [in] task  The task.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
uint8_t *doca_comch_producer_task_send_get_imm_data(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Would tell how many immediate bytes there are.
 *
 * @param [in] task  The task.
 * @return 0.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_imm_data_len(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Would set the immediate bytes to send.
 *
 * @param [in] task  The task.
 * @param [in] imm_data  Bytes that go beside the buffer.
 * @param [in] imm_data_len  Their number.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
						uint8_t *imm_data, uint32_t imm_data_len);

/**
 * @brief The generic task of one of its tasks.
 *
 * @param [in] task  The task.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task);

/**
 * @brief Would give a producer as a GPU knows it.
 *
 * @param [in] producer  The producer.
 * @param [out] gpu_producer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: doca_comch_producer.h as public programs use it. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_get_gpu_handle(struct doca_comch_producer *producer,
						struct doca_comch_gpu_producer **gpu_producer);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_COMCH_PRODUCER_H_ */
