/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_comch_producer.h
 * @brief The sending end of comch's fast path.
 *
 * A producer is made on an established connection and starts at once. It sends to any consumer of
 * the other side whose number the new-consumer event of the server or client told. It may be
 * connected to another progress engine, in another thread, than the control context. When its
 * connection has ended or the other side has died, it stops by itself, by progress of its own
 * engine; but without a pidfd (see doca_comch_consumer.h) by that of the control context.
 *
 * In a forked child see doca_comch_consumer.h.
 *
 * What is for a DPA or a GPU answers NOT_SUPPORTED: there is none.
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
 * @brief Told that a send is done; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
	struct doca_comch_producer_task_send *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Create a producer on an established connection.
 *
 * It keeps the device, and what it needs of the connection, which may end before it.
 *
 * @param [in] comch_connection  The connection, of a running client, or of a server that was told
 * of it.
 * @param [out] producer          The producer, idle, the caller's until destroyed; untouched on
 * error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The connection is not established, or has ended.
 * @retval DOCA_ERROR_NO_MEMORY      There is no memory for it.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs:
 * NOT_PERMITTED, for a peer of another version, never comes: those do not connect.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
					struct doca_comch_producer **producer);

/**
 * @brief Destroy an idle producer.
 *
 * @param [in] producer  The producer; gone on success.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The argument is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle; nothing happens.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: IN_USE,
 * where the reference lists INITIALIZATION.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/**
 * @brief Ask whether a device can have a producer.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief The number of a producer, which no other producer or consumer of either side of its
 * connection has.
 *
 * @param [in] producer  The producer.
 * @param [out] id        Its number, not 0; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id);

/**
 * @brief Ask for the most tasks of one producer.
 *
 * @param [in] devinfo        The device.
 * @param [out] max_num_tasks  Tasks; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks);

/**
 * @brief Ask for the most bytes of one message.
 *
 * @param [in] devinfo       The device.
 * @param [out] max_buf_size  Bytes, over all buffers of a list; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size);

/**
 * @brief Ask for the longest list of buffers of one task.
 *
 * @param [in] devinfo           The device.
 * @param [out] max_buf_list_len  Buffers; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len);

/**
 * @brief Ask for the most producers of one side of a connection.
 *
 * @param [in] devinfo        The device.
 * @param [out] max_producers  Their number; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: the number, which
 * no source states; more are not refused.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo,
						       uint32_t *max_producers);

/**
 * @brief The generic context of a producer.
 *
 * @param [in] producer  The producer.
 * @return Its context, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing known.
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
 * @brief Set an idle producer's tasks; start demands it. A later call replaces an earlier one.
 *
 * @param [in] producer            The producer.
 * @param [in] task_completion_cb  Runs once a message that was handed over.
 * @param [in] task_error_cb       Runs once one that was not.
 * @param [in] num_send_tasks      Size of the pool, 1 to
 * doca_comch_producer_cap_get_max_num_tasks().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number out of range.
 * @retval DOCA_ERROR_BAD_STATE      The producer is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/**
 * @brief Take a send task from a running producer's pool.
 *
 * Its submit writes the message where the consumer finds it, or answers
 *
 * - DOCA_ERROR_AGAIN: the consumer has posted no buffer, or its memory is full. That changes
 * without progress here.
 * - DOCA_ERROR_INVALID_VALUE: there is nothing to send, or too much at once; a buffer was released,
 *   is another process's, or its data window lies outside of it; or the peer has no such consumer.
 *
 * The task fails, in its error callback, with INVALID_VALUE if the message is longer than the
 * buffer that is posted for it, which stays posted, or its immediate data longer than the consumer
 * takes; with CONNECTION_RESET if the consumer or the connection has ended. A message that was
 * handed over is received unless the peer dies before.
 *
 * @param [in] producer      The producer.
 * @param [in] buf           The message, a buffer or a list of at most
 * doca_comch_producer_cap_get_max_buf_list_len(), in memory of this process; it stays as it is
 * until the task's callback. NULL: immediate data alone.
 * @param [in] imm_data      Immediate data, which stays until the callback; NULL if there is none.
 * @param [in] imm_data_len  Its bytes, at most doca_comch_consumer_cap_get_max_imm_data_len().
 * @param [in] consumer_id   A consumer of the peer's, as its event told.
 * @param [out] task          The task, the caller's until submitted or freed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The producer or task is NULL, or the immediate data is NULL or
 * too long.
 * @retval DOCA_ERROR_BAD_STATE      The producer is not running.
 * @retval DOCA_ERROR_NO_MEMORY      Every task of the pool is out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: BAD_STATE
 * is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer,
						      const struct doca_buf *buf, uint8_t *imm_data,
						      uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task);

/**
 * @brief What is sent.
 *
 * @param [in] task  The task.
 * @return The buffer, NULL if there is none, or for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
const struct doca_buf *doca_comch_producer_task_send_get_buf(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Set what is sent. Nothing, with a line in the log, for a task that is submitted.
 *
 * @param [in] task  The task.
 * @param [in] buf   As for doca_comch_producer_task_send_alloc_init().
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
					   const struct doca_buf *buf);

/**
 * @brief Whom it is sent to.
 *
 * @param [in] task  The task.
 * @return The consumer's number; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_consumer_id(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Set whom it is sent to. Nothing, with a line in the log, for a task that is submitted.
 *
 * @param [in] task         The task.
 * @param [in] consumer_id  A consumer of the peer's.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
						   const uint32_t consumer_id);

/**
 * @brief The immediate data that is sent.
 *
 * @param [in] task  The task.
 * @return The caller's bytes, NULL if there are none, or for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
uint8_t *doca_comch_producer_task_send_get_imm_data(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief How long the immediate data is.
 *
 * @param [in] task  The task.
 * @return Bytes; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_imm_data_len(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Set the immediate data. Nothing, with a line in the log, for a task that is submitted, or
 * data that doca_comch_producer_task_send_alloc_init() would refuse.
 *
 * @param [in] task          The task.
 * @param [in] imm_data      As there.
 * @param [in] imm_data_len  As there.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
						uint8_t *imm_data, uint32_t imm_data_len);

/**
 * @brief The generic task of a send.
 *
 * @param [in] task  The task.
 * @return Its task, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_producer.h. Differs: nothing known.
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
