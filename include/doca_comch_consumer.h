/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_comch_consumer.h
 * @brief The receiving end of comch's fast path.
 *
 * A consumer is made on an established connection. Its start is IN_PROGRESS until the other side
 * has answered, which takes progress of both control contexts, server and client; their
 * new-consumer event tells the other side's program its number. It may be connected to another
 * progress engine, in another thread, than the control context.
 *
 * A receive that is posted waits for a message, from any producer of the other side. When the
 * consumer stops, what was sent before still comes, and the other receives come back in their error
 * callback with DOCA_ERROR_IO_FAILED; when its connection has ended or the other side has died, it
 * stops by itself, and they come with DOCA_ERROR_CONNECTION_RESET. For that its own engine is
 * enough, polled or waited for by its notification handle; but where the kernel gives no pidfd of
 * the other process (before Linux 5.3, or in a pid namespace that does not have it), a consumer
 * that is starting hears of its death by progress of the control context alone.
 *
 * A forked child may stop and destroy its parent's producers and consumers, which the parent does
 * not notice; all else answers BAD_STATE there, or does nothing. Servers and clients have no such
 * rule: parent and child would share their sockets, so the child leaves them alone, destroys
 * included, and makes its own.
 *
 * What is for a DPA or a GPU answers NOT_SUPPORTED: there is none.
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
 * @brief Told that a receive is done; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
	struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Create a consumer on an established connection.
 *
 * It keeps the device, and what it needs of the connection, which may end before it. Until it is
 * destroyed the map can be neither stopped nor destroyed, which answer NOT_PERMITTED.
 *
 * @param [in] comch_connection  The connection, of a running client, or of a server that was told
 * of it.
 * @param [in] buf_mmap          A started map of memory of this process with
 * DOCA_ACCESS_FLAG_PCI_READ_WRITE, in which the buffers of all its tasks lie.
 * @param [out] consumer          The consumer, idle, the caller's until destroyed; untouched on
 * error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The connection is not established, or has ended; or the map is
 * not started.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map lacks the right.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The map was imported from another process.
 * @retval DOCA_ERROR_NO_MEMORY      There is no memory for it.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs:
 * NOT_SUPPORTED is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
					struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer);

/**
 * @brief Destroy an idle consumer.
 *
 * @param [in] consumer  The consumer; gone on success.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The argument is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle; nothing happens.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: IN_USE,
 * where the reference lists INITIALIZATION.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);

/**
 * @brief Ask whether a device can have a consumer.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief The number of a consumer, which no other producer or consumer of either side of its
 * connection has.
 *
 * @param [in] consumer  The consumer.
 * @param [out] id        Its number, not 0; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id);

/**
 * @brief Ask for the most tasks of one consumer.
 *
 * @param [in] devinfo        The device.
 * @param [out] max_num_tasks  Tasks; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
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
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
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
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len);

/**
 * @brief Ask for the most consumers of one side of a connection.
 *
 * @param [in] devinfo        The device.
 * @param [out] max_consumers  Their number; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo,
						       uint32_t *max_consumers);

/**
 * @brief Ask for the most bytes of immediate data.
 *
 * @param [in] devinfo           The device.
 * @param [out] max_imm_data_len  Bytes; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no end of a comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: the number, which
 * no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_imm_data_len);

/**
 * @brief The most bytes of immediate data that a consumer takes.
 *
 * @param [in] consumer      The consumer.
 * @param [out] imm_data_len  Bytes; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
						  uint32_t *imm_data_len);

/**
 * @brief Set the most bytes of immediate data that an idle consumer takes; else as many as the
 * device can.
 *
 * A message with more fails at its sender.
 *
 * @param [in] consumer      The consumer.
 * @param [in] imm_data_len  Bytes, at most doca_comch_consumer_cap_get_max_imm_data_len().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The consumer is NULL, or the length too large.
 * @retval DOCA_ERROR_BAD_STATE      The consumer is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: what it
 * is before the call, which no source states.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
						  uint32_t imm_data_len);

/**
 * @brief The generic context of a consumer.
 *
 * @param [in] consumer  The consumer.
 * @return Its context, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing known.
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
 * @brief Set an idle consumer's tasks; start demands it. A later call replaces an earlier one.
 *
 * @param [in] consumer             The consumer.
 * @param [in] task_completion_cb   Runs once a message.
 * @param [in] task_error_cb        Runs for a receive that no message came for.
 * @param [in] num_post_recv_tasks  Size of the pool, 1 to
 * doca_comch_consumer_cap_get_max_num_tasks().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number out of range.
 * @retval DOCA_ERROR_BAD_STATE      The consumer is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks);

/**
 * @brief Take a receive task from a running consumer's pool.
 *
 * Its submit posts it. Messages go into the posted receives in the order of their submits: to the
 * end of the valid data of the buffer, which grows by the message. The submit refuses a buffer as
 * this call does, with INVALID_VALUE.
 *
 * @param [in] consumer  The consumer.
 * @param [in] buf       The buffer or list of buffers, each in the consumer's map, with room for at
 * most doca_comch_consumer_cap_get_max_buf_size() bytes in all; it stays until the task's callback.
 * NULL: for messages of immediate data alone.
 * @param [out] task      The task, the caller's until submitted or freed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  The consumer or task is NULL; a buffer is not in the map, was
 * released, or its data window lies outside of it; or they are too many or too large.
 * @retval DOCA_ERROR_BAD_STATE      The consumer is not running.
 * @retval DOCA_ERROR_NO_MEMORY      Every task of the pool is out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: BAD_STATE
 * is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
	struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task);

/**
 * @brief Where the message goes.
 *
 * @param [in] task  The task.
 * @return The buffer, NULL if there is none, or for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Set where the message goes; the submit looks at it. Nothing, with a line in the log, for a
 * task that is submitted.
 *
 * @param [in] task  The task.
 * @param [in] buf   As for doca_comch_consumer_task_post_recv_alloc_init().
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
						struct doca_buf *buf);

/**
 * @brief Who has sent the message, in the success callback and until the next submit.
 *
 * @param [in] task  The task.
 * @return The producer's number; 0: there is no message, or for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief The immediate data of the message, in the success callback and until the next submit.
 *
 * @param [in] task  The task.
 * @return The bytes, the task's; NULL: there are none, or for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief How long the immediate data of the message is, as long as it is there.
 *
 * @param [in] task  The task.
 * @return Bytes; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing
 * known.
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief The generic task of a receive.
 *
 * @param [in] task  The task.
 * @return Its task, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_consumer.h. Differs: nothing known.
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
