/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_comch_consumer.h
 * @brief The receiving end of comch's fast path. Each call answers NOT_SUPPORTED.
 *
 * There is no way to get a consumer, its completion object, nor one of its tasks: each function
 * refuses whatever it is given, with a line in the log that says so.
 */
#ifndef DOCA_COMCH_CONSUMER_H_
#define DOCA_COMCH_CONSUMER_H_

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
struct doca_mmap;
struct doca_task;
struct doca_dpa_thread;
struct doca_comch_connection;
struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_comch_gpu_consumer;

/** @brief A consumer's completion object as a DPA knows it. */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;
/** @brief A consumer as a DPA knows it. */
typedef uint64_t doca_dpa_dev_comch_consumer_t;

/**
 * @brief Would be told that a buffer was filled; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
	struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Would create a consumer.
 *
 * @param [in] comch_connection  The connection.
 * @param [in] buf_mmap  Memory that holds the buffers.
 * @param [out] consumer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
					struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer);

/**
 * @brief Would destroy a consumer.
 *
 * @param [in] consumer  The consumer.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);

/**
 * @brief Ask whether a device can have a consumer: none can.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Would tell the number of a consumer.
 *
 * @param [in] consumer  The consumer.
 * @param [out] id  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id);

/**
 * @brief Would tell the most tasks of one consumer.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_num_tasks  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
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
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
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
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len);

/**
 * @brief Would tell the most consumers of one connection.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_consumers  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo,
						       uint32_t *max_consumers);

/**
 * @brief Would tell the most immediate bytes of one message.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_imm_data_len  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_imm_data_len);

/**
 * @brief Would tell what was set as the most immediate bytes.
 *
 * @param [in] consumer  The consumer.
 * @param [out] imm_data_len  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
						  uint32_t *imm_data_len);

/**
 * @brief Would bound the immediate bytes of a message.
 *
 * @param [in] consumer  The consumer.
 * @param [in] imm_data_len  Their number.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
						  uint32_t imm_data_len);

/**
 * @brief The generic context of a consumer.
 *
 * @param [in] consumer  The consumer.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no
 * consumer to ask.
 */
DOCA_STABLE
struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);

/**
 * @brief Would create the place where a DPA sees completions.
 *
 * @param [out] consumer_comp  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_create(
	struct doca_comch_consumer_completion **consumer_comp);

/**
 * @brief Would name the DPA thread that it wakes.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [in] dpa_thread  A thread of a DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_dpa_thread(
	struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread);

/**
 * @brief Would destroy such a place.
 *
 * @param [in] consumer_comp  The completion object.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_destroy(
	struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Would start it.
 *
 * @param [in] consumer_comp  The completion object.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_start(
	struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Would stop it.
 *
 * @param [in] consumer_comp  The completion object.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_stop(
	struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Would give it as a DPA knows it.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [out] consumer_comp_handle  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);

/**
 * @brief Would bound its consumers.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [in] max_num_consumers  Consumers.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers);

/**
 * @brief Would tell the bound of its consumers.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [out] max_num_consumers  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers);

/**
 * @brief Would bound its receives.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [in] max_num_recv  Receives.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_recv(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv);

/**
 * @brief Would tell the bound of its receives.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [out] max_num_recv  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_recv(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv);

/**
 * @brief Would bound the immediate bytes that it sees.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [in] imm_data_len  Their number.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_imm_data_len(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len);

/**
 * @brief Would tell the bound of its immediate bytes.
 *
 * @param [in] consumer_comp  The completion object.
 * @param [out] imm_data_len  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_imm_data_len(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len);

/**
 * @brief Would bound the receives that a DPA has under way.
 *
 * @param [in] consumer  The consumer.
 * @param [in] dev_num_recv  Receives under way.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
						      uint32_t dev_num_recv);

/**
 * @brief Would tie a consumer to its place of completions.
 *
 * @param [in] consumer  The consumer.
 * @param [in] consumer_comp  The completion object.
 * @param [in] user_data  A value.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_completion(
	struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
	uint32_t user_data);

/**
 * @brief Would give a consumer as a DPA knows it.
 *
 * @param [in] consumer  The consumer.
 * @param [out] dpa_consumer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
						doca_dpa_dev_comch_consumer_t *dpa_consumer);

/**
 * @brief Would configure the tasks that wait for a message.
 *
 * @param [in] consumer  The consumer.
 * @param [in] task_completion_cb  Would run when a task is done.
 * @param [in] task_error_cb  Would run when it failed.
 * @param [in] num_post_recv_tasks  Tasks.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks);

/**
 * @brief Would take such a task from the pool.
 *
 * @param [in] consumer  The consumer.
 * @param [in] buf  A buffer.
 * @param [out] task  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
	struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task);

/**
 * @brief Would tell where the message goes.
 *
 * @param [in] task  The task.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Would say where the message goes.
 *
 * @param [in] task  The task.
 * @param [in] buf  A buffer.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
						struct doca_buf *buf);

/**
 * @brief Would tell who has sent the message.
 *
 * @param [in] task  The task.
 * @return 0.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Would give the immediate bytes of the message.
 *
 * @param [in] task  The task.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Would tell how many immediate bytes there are.
 *
 * @param [in] task  The task.
 * @return 0.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief The generic task of one of its tasks.
 *
 * @param [in] task  The task.
 * @return NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: there is no task to
 * ask.
 */
DOCA_STABLE
struct doca_task *doca_comch_consumer_task_post_recv_as_task(
	struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Would give a consumer as a GPU knows it.
 *
 * @param [in] consumer  The consumer.
 * @param [out] gpu_consumer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: doca_comch_consumer.h as public programs use it. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_get_gpu_handle(struct doca_comch_consumer *consumer,
						struct doca_comch_gpu_consumer **gpu_consumer);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_COMCH_CONSUMER_H_ */
