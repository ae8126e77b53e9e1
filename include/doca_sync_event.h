/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_sync_event.h
 * @brief A number of 64 bits that two processes set, add to, read and wait for.
 *
 * An event is created, told who sets it (the publisher) and who waits for it (the subscriber), one
 * location each, at least one of them the CPU of this process, and started. It is then either
 * stand-alone, from doca_sync_event_start(), used by the calls at the end of this page, or a
 * context, from doca_ctx_start(), used by its tasks: never both, and one that was stand-alone once
 * is no context any more. The locations say where the value is wanted; in either process every
 * operation is allowed.
 *
 * An event with a remote location is exported, once it is started, and imported by the other
 * process, which starts it as well and configures nothing but tasks. Processes share an event only
 * on one machine and by mapping its memory, whatever SOFTDOCA_REACH says. An import ends when its
 * exporter stops or destroys the event (DOCA_ERROR_SHUTDOWN) or ends in any way
 * (DOCA_ERROR_CONNECTION_RESET). A wait that the last value meets succeeds even then; every other
 * fails within a second, and calls that do not wait fail at once. With SOFTDOCA_ERRORS=hardware,
 * tasks fail with DOCA_ERROR_IO_FAILED. A task that fails stops its context.
 *
 * An exporter is not told that its importer has ended, as on a card: a wait for what that importer
 * would have set does not end. A program that must not hang waits by a task, with a timeout of its
 * own poll of the notification handle (nothing wakes that while nothing changes, but every 2 ms
 * where the value lies in memory of the program's) and doca_ctx_stop() at its end; or it keeps a
 * comch connection with the importer, whose disconnect event tells of its death; or it ends a
 * stand-alone wait from another thread by doca_sync_event_stop().
 *
 * The value is 0 at first and kept by a stop. It lies in memory of the event's own, or in 8 bytes
 * that doca_sync_event_set_addr() or doca_sync_event_set_doca_buf() name: others may store there
 * directly, and waiters see that within some milliseconds. That memory must outlive the event.
 *
 * An operation orders all memory before and after it, as a sequentially consistent atomic does. It
 * does not order copies of a DMA context that have not had their callback.
 *
 * Tasks are done in doca_pe_progress(), the oldest of those that can be done first; one that waits
 * holds up no other. When their context stops, tasks that wait fail with DOCA_ERROR_IO_FAILED.
 *
 * A forked child may stop and destroy its parent's stand-alone events, which the parent does not
 * notice; it leaves its parent's contexts alone. Other calls fail there with DOCA_ERROR_BAD_STATE.
 *
 * What needs a GPU, a DPA or a network is refused with DOCA_ERROR_NOT_SUPPORTED.
 */
#ifndef DOCA_SYNC_EVENT_H_
#define DOCA_SYNC_EVENT_H_

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
struct doca_dpa;
struct doca_gpu;
struct doca_task;
struct doca_sync_event;
struct doca_sync_event_remote_net;
struct doca_dpa_sync_event;
struct doca_gpu_sync_event;
struct doca_sync_event_task_get;
struct doca_sync_event_task_notify_set;
struct doca_sync_event_task_notify_add;
struct doca_sync_event_task_wait_eq;
struct doca_sync_event_task_wait_neq;

/** @brief An event as a DPA knows it. */
typedef uint64_t doca_dpa_dev_sync_event_t;

/** @brief An event of another machine as a DPA knows it. */
typedef uint64_t doca_dpa_dev_sync_event_remote_net_t;

/** @brief An event as a GPU knows it. */
typedef uint64_t doca_gpu_dev_sync_event_t;

/** @brief An event of another machine as a GPU knows it. */
typedef uint64_t doca_gpu_dev_sync_event_remote_net_t;

/**
 * @brief Told that a get task is done, or has failed; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_sync_event_task_get_completion_cb_t)(struct doca_sync_event_task_get *task,
							 union doca_data task_user_data,
							 union doca_data ctx_user_data);

/**
 * @brief Told that a set task is done, or has failed; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_sync_event_task_notify_set_completion_cb_t)(
	struct doca_sync_event_task_notify_set *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Told that an add task is done, or has failed; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_sync_event_task_notify_add_completion_cb_t)(
	struct doca_sync_event_task_notify_add *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Told that a wait task is done, or has failed; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_sync_event_task_wait_eq_completion_cb_t)(
	struct doca_sync_event_task_wait_eq *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Told that a wait task is done, or has failed; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_sync_event_task_wait_neq_completion_cb_t)(
	struct doca_sync_event_task_wait_neq *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Create an event, with the value 0.
 *
 * @param [out] event  The new event, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL.
 * @retval DOCA_ERROR_NO_MEMORY         There is no memory for it.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  A memory file or a timer could not be opened.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: OPERATING_SYSTEM is not
 * listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create(struct doca_sync_event **event);

/**
 * @brief Import an event that another process exported.
 *
 * It is started here, too. Waits at most a second for its exporter.
 *
 * @param [in] dev     A device of this process, which the event keeps open.
 * @param [in] data    The bytes that doca_sync_event_export_to_remote_pci() gave.
 * @param [in] sz      How many; at least those.
 * @param [out] event  The event, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE        A pointer is NULL, or the bytes are damaged, cut short,
 *                                         or no event's.
 * @retval DOCA_ERROR_NOT_SUPPORTED        The device shares no events, or the memory of the event
 *                                         cannot be mapped here.
 * @retval DOCA_ERROR_NO_MEMORY            There is no memory for it.
 * @retval DOCA_ERROR_NOT_FOUND            The exporter has stopped or destroyed the event.
 * @retval DOCA_ERROR_NOT_CONNECTED        The exporter is gone, or on another machine.
 * @retval DOCA_ERROR_NOT_PERMITTED        The exporter is another user's, and SOFTDOCA_ALLOW_UIDS
 *                                         does not admit it.
 * @retval DOCA_ERROR_AUTHENTICATION       The descriptor is forged.
 * @retval DOCA_ERROR_UNSUPPORTED_VERSION  It is whole, and of a later version.
 * @retval DOCA_ERROR_TIME_OUT             The exporter did not answer.
 * @retval DOCA_ERROR_OPERATING_SYSTEM     No descriptor is left.
 * @retval DOCA_ERROR_DRIVER               With SOFTDOCA_ERRORS=hardware, in place of NOT_FOUND,
 *                                         NOT_CONNECTED, AUTHENTICATION, TIME_OUT and
 *                                         OPERATING_SYSTEM.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: codes behind NO_MEMORY
 * are not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data,
						size_t sz, struct doca_sync_event **event);

/**
 * @brief Whether a device can import events.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it can.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_create_from_export_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Would import an event of another machine.
 *
 * @param [in] dev     A device.
 * @param [in] data    The exported bytes.
 * @param [in] sz      How many.
 * @param [out] event  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_create_from_export(
	struct doca_dev *dev, const uint8_t *data, size_t sz,
	struct doca_sync_event_remote_net **event);

/**
 * @brief Whether a device can import events of another machine.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Destroy an event that is not started; leaves its progress engine.
 *
 * Its export ends, as by a stop. Memory that it was given stays.
 *
 * @param [in] event  The event; gone on success.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started: stop it first.
 * @retval DOCA_ERROR_IN_USE         A graph has nodes of it: call doca_graph_destroy() first.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: BAD_STATE and
 * IN_USE are not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

/**
 * @brief Would destroy an event of another machine.
 *
 * @param [in] event  The event.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event);

/**
 * @brief The CPU of this process sets the event.
 *
 * @param [in] event  The event.
 * @param [in] dev    A device of this process, which the event keeps open.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is another location.
 * @retval DOCA_ERROR_BAD_STATE      The event is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: BAD_STATE is
 * not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event,
							struct doca_dev *dev);

/**
 * @brief Would let a DPA be the publisher.
 *
 * @param [in] event  The event.
 * @param [in] dpa    The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event,
							struct doca_dpa *dpa);

/**
 * @brief Would let a GPU be the publisher.
 *
 * @param [in] event  The event.
 * @param [in] gpu    The GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event,
							struct doca_gpu *gpu);

/**
 * @brief The other side of the card, another process, sets the event.
 *
 * @param [in] event  The event.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is another location.
 * @retval DOCA_ERROR_BAD_STATE      The event is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: BAD_STATE is
 * not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event);

/**
 * @brief Would let another machine be the publisher.
 *
 * @param [in] event  The event.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event);

/**
 * @brief The CPU of this process waits for the event.
 *
 * @param [in] event  The event.
 * @param [in] dev    A device of this process, which the event keeps open.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is another location.
 * @retval DOCA_ERROR_BAD_STATE      The event is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: BAD_STATE is
 * not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event,
							 struct doca_dev *dev);

/**
 * @brief Would let a DPA be the subscriber.
 *
 * @param [in] event  The event.
 * @param [in] dpa    The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
							 struct doca_dpa *dpa);

/**
 * @brief Would let a GPU be the subscriber.
 *
 * @param [in] event  The event.
 * @param [in] gpu    The GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event,
							 struct doca_gpu *gpu);

/**
 * @brief The other side of the card, another process, waits for the event.
 *
 * @param [in] event  The event.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is another location.
 * @retval DOCA_ERROR_BAD_STATE      The event is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: BAD_STATE is
 * not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event);

/**
 * @brief Let the value lie in memory of the caller.
 *
 * @param [in] event  The event.
 * @param [in] addr   8 bytes at a multiple of 8, which stay there while the event does; what they
 *                    hold is the value.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or addr is no multiple of 8.
 * @retval DOCA_ERROR_BAD_STATE      The event is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * NOT_SUPPORTED, listed there, never comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr);

/**
 * @brief Let the value lie in the data of a buffer.
 *
 * @param [in] event  The event.
 * @param [in] buf    A buffer, alone, with 8 bytes of data at a multiple of 8. The event takes no
 *                    reference: buffer and map are kept while the event is.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the buffer is in a list, has not 8
 *                                   bytes of data, or not at a multiple of 8.
 * @retval DOCA_ERROR_BAD_STATE      The event is started, or imported.
 * @retval DOCA_ERROR_NOT_PERMITTED  Its map lacks DOCA_ACCESS_FLAG_LOCAL_READ_WRITE or
 *                                   DOCA_ACCESS_FLAG_RDMA_ATOMIC, or is an import.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf);

/**
 * @brief Start an event as stand-alone.
 *
 * @param [in] event  The event.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event is NULL, has not one publisher and one subscriber
 *                                   location, or both are remote.
 * @retval DOCA_ERROR_BAD_STATE      It is started already, as either, or the parent's of this
 *                                   process.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: BAD_STATE is
 * not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_start(struct doca_sync_event *event);

/**
 * @brief Stop a stand-alone event; success when it is stopped already.
 *
 * Threads that wait for it come back with DOCA_ERROR_SHUTDOWN before this returns. Its export ends:
 * importers find DOCA_ERROR_SHUTDOWN, and it is exported anew after the next start.
 *
 * @param [in] event  The event.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is a running context: call doca_ctx_stop().
 *
 * Threads: any, one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * BAD_STATE is not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

/**
 * @brief The event as a context.
 *
 * @param [in] event  The event.
 * @return The event's context; NULL for NULL, and for an event that was started as stand-alone.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

/**
 * @brief Whether a device has get tasks.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it has.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Tell how many get tasks there are, and whom they tell of their end.
 *
 * @param [in] event          The event.
 * @param [in] completion_cb  Called for a task that is done.
 * @param [in] error_cb       Called for a task that has failed.
 * @param [in] num_tasks      How many, at most 65536; 0 stands for 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or num_tasks is too large.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t completion_cb,
	doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Allocate a get task, which reads the value.
 *
 * A submit without a pointer is refused with DOCA_ERROR_INVALID_VALUE.
 *
 * @param [in] event        The event, a running context.
 * @param [in] ret_val_ptr  Where the value goes when it is done; the caller keeps it until then.
 * @param [in] user_data    What the task carries.
 * @param [out] task        The task, the caller's; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event or task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are out, or none were configured.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: only
 * NO_MEMORY is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event,
						 uint64_t *ret_val_ptr, union doca_data user_data,
						 struct doca_sync_event_task_get **task);

/**
 * @brief The task as any task.
 *
 * @param [in] task  The task.
 * @return The same task; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task);

/**
 * @brief Replace where the value goes.
 *
 * @param [in] task         The task, the caller's; else nothing is done, and the log says so.
 * @param [in] ret_val_ptr  Where the value goes when it is done; the caller keeps it until then.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task,
					      uint64_t *ret_val_ptr);

/**
 * @brief Where the value goes.
 *
 * @param [in] task  The task.
 * @return What was set last; NULL for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_get_get_ret_val_ptr(const struct doca_sync_event_task_get *task);

/**
 * @brief Whether a device has set tasks.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it has.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_set_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Tell how many set tasks there are, and whom they tell of their end.
 *
 * @param [in] event          The event.
 * @param [in] completion_cb  Called for a task that is done.
 * @param [in] error_cb       Called for a task that has failed.
 * @param [in] num_tasks      How many, at most 65536; 0 stands for 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or num_tasks is too large.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_notify_set_completion_cb_t completion_cb,
	doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Allocate a set task.
 *
 * @param [in] event      The event, a running context.
 * @param [in] set_val    The value to set.
 * @param [in] user_data  What the task carries.
 * @param [out] task      The task, the caller's; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event or task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are out, or none were configured.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: only
 * NO_MEMORY is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_alloc_init(
	struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
	struct doca_sync_event_task_notify_set **task);

/**
 * @brief The task as any task.
 *
 * @param [in] task  The task.
 * @return The same task; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_notify_set_as_doca_task(
	struct doca_sync_event_task_notify_set *task);

/**
 * @brief Replace the value to set.
 *
 * @param [in] task     The task, the caller's; else nothing is done, and the log says so.
 * @param [in] set_val  The value to set.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_set_set_set_val(struct doca_sync_event_task_notify_set *task,
						 uint64_t set_val);

/**
 * @brief The value to set.
 *
 * @param [in] task  The task.
 * @return What was set last; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_notify_set_get_set_val(
	const struct doca_sync_event_task_notify_set *task);

/**
 * @brief Whether a device has add tasks.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it has.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_add_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Tell how many add tasks there are, and whom they tell of their end.
 *
 * @param [in] event          The event.
 * @param [in] completion_cb  Called for a task that is done.
 * @param [in] error_cb       Called for a task that has failed.
 * @param [in] num_tasks      How many, at most 65536; 0 stands for 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or num_tasks is too large.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_set_conf(
	struct doca_sync_event *event,
	doca_sync_event_task_notify_add_completion_cb_t completion_cb,
	doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Allocate an add task.
 *
 * A submit without a pointer is refused with DOCA_ERROR_INVALID_VALUE.
 *
 * @param [in] event            The event, a running context.
 * @param [in] inc_val          What to add, modulo 2^64.
 * @param [in] fetched_val_ptr  Where the value before the addition goes; the caller keeps it until
 *                              the callback.
 * @param [in] user_data        What the task carries.
 * @param [out] task            The task, the caller's; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event or task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are out, or none were configured.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: only
 * NO_MEMORY is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_alloc_init(
	struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
	union doca_data user_data, struct doca_sync_event_task_notify_add **task);

/**
 * @brief The task as any task.
 *
 * @param [in] task  The task.
 * @return The same task; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_notify_add_as_doca_task(
	struct doca_sync_event_task_notify_add *task);

/**
 * @brief Replace what to add.
 *
 * @param [in] task     The task, the caller's; else nothing is done, and the log says so.
 * @param [in] inc_val  What to add, modulo 2^64.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_inc_val(struct doca_sync_event_task_notify_add *task,
						 uint64_t inc_val);

/**
 * @brief What to add.
 *
 * @param [in] task  The task.
 * @return What was set last; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_notify_add_get_inc_val(
	const struct doca_sync_event_task_notify_add *task);

/**
 * @brief Replace where the value before the addition goes.
 *
 * @param [in] task             The task, the caller's; else nothing is done, and the log says so.
 * @param [in] fetched_val_ptr  Where the value before the addition goes; the caller keeps it until
 *                              the callback.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_fetched_val_ptr(
	struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr);

/**
 * @brief Where the value before the addition goes.
 *
 * @param [in] task  The task.
 * @return What was set last; NULL for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
	const struct doca_sync_event_task_notify_add *task);

/**
 * @brief Whether a device has wait tasks.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it has.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Tell how many wait tasks there are, and whom they tell of their end.
 *
 * @param [in] event          The event.
 * @param [in] completion_cb  Called for a task that is done.
 * @param [in] error_cb       Called for a task that has failed.
 * @param [in] num_tasks      How many, at most 65536; 0 stands for 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or num_tasks is too large.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_eq_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
	doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Allocate a wait task, done once (value & mask) == wait_val.
 *
 * A submit with another mask, or with a wait_val that has bits outside of it and that no value can
 * meet, is refused with DOCA_ERROR_INVALID_VALUE.
 *
 * @param [in] event      The event, a running context.
 * @param [in] wait_val   The value to wait for.
 * @param [in] mask       The bits that are compared: 0, 1, 2, 4 or 8 bytes of 0xff in a row.
 * @param [in] user_data  What the task carries.
 * @param [out] task      The task, the caller's; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event or task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are out, or none were configured.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: only
 * NO_MEMORY is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event,
						     uint64_t wait_val, uint64_t mask,
						     union doca_data user_data,
						     struct doca_sync_event_task_wait_eq **task);

/**
 * @brief The task as any task.
 *
 * @param [in] task  The task.
 * @return The same task; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
	struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Replace the value that the task compares with.
 *
 * @param [in] task      The task, the caller's; else nothing is done, and the log says so.
 * @param [in] wait_val  The value to wait for.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_eq_set_wait_val(struct doca_sync_event_task_wait_eq *task,
					       uint64_t wait_val);

/**
 * @brief The value that the task compares with.
 *
 * @param [in] task  The task.
 * @return What was set last; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_eq_get_wait_val(const struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Replace the bits that are compared.
 *
 * @param [in] task  The task, the caller's; else nothing is done, and the log says so.
 * @param [in] mask  The bits that are compared: 0, 1, 2, 4 or 8 bytes of 0xff in a row.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_eq_set_mask(struct doca_sync_event_task_wait_eq *task,
					   uint64_t mask);

/**
 * @brief The bits that are compared.
 *
 * @param [in] task  The task.
 * @return What was set last; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_eq_get_mask(const struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Whether a device has wait tasks.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it has.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Tell how many wait tasks there are, and whom they tell of their end.
 *
 * @param [in] event          The event.
 * @param [in] completion_cb  Called for a task that is done.
 * @param [in] error_cb       Called for a task that has failed.
 * @param [in] num_tasks      How many, at most 65536; 0 stands for 1.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or num_tasks is too large.
 * @retval DOCA_ERROR_NOT_PERMITTED  The event is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_neq_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
	doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Allocate a wait task, done once (value & mask) != wait_val.
 *
 * A submit with another mask, or with a wait_val and a mask of 0, which every value meets, is
 * refused with DOCA_ERROR_INVALID_VALUE.
 *
 * @param [in] event      The event, a running context.
 * @param [in] wait_val   The value to wait to be left.
 * @param [in] mask       The bits that are compared: 0, 1, 2, 4 or 8 bytes of 0xff in a row.
 * @param [in] user_data  What the task carries.
 * @param [out] task      The task, the caller's; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  event or task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are out, or none were configured.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: only
 * NO_MEMORY is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event,
						      uint64_t wait_val, uint64_t mask,
						      union doca_data user_data,
						      struct doca_sync_event_task_wait_neq **task);

/**
 * @brief The task as any task.
 *
 * @param [in] task  The task.
 * @return The same task; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
	struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Replace the value that the task compares with.
 *
 * @param [in] task      The task, the caller's; else nothing is done, and the log says so.
 * @param [in] wait_val  The value to wait to be left.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_neq_set_wait_val(struct doca_sync_event_task_wait_neq *task,
						uint64_t wait_val);

/**
 * @brief The value that the task compares with.
 *
 * @param [in] task  The task.
 * @return What was set last; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_neq_get_wait_val(
	const struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Replace the bits that are compared.
 *
 * @param [in] task  The task, the caller's; else nothing is done, and the log says so.
 * @param [in] mask  The bits that are compared: 0, 1, 2, 4 or 8 bytes of 0xff in a row.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_neq_set_mask(struct doca_sync_event_task_wait_neq *task,
					    uint64_t mask);

/**
 * @brief The bits that are compared.
 *
 * @param [in] task  The task.
 * @return What was set last; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing
 * known.
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_neq_get_mask(const struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Let another process import a started event.
 *
 * Any number of processes may import it. A value in memory of the caller can be shared if it is
 * mapped shared from a memory file (memfd) sealed with F_SEAL_SHRINK, of which importers get the
 * whole.
 *
 * @param [in] event  The event, with a remote publisher or subscriber.
 * @param [in] dev    A device of this process.
 * @param [out] data  The descriptor, at most 1024 bytes, the event's, until it is stopped; a
 *                    secret, to be sent as one. The same at each call.
 * @param [out] sz    Its length in bytes.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED     It has no remote location, is imported itself, the device
 *                                      cannot export, or the value lies in memory that another
 *                                      process cannot map.
 * @retval DOCA_ERROR_NO_MEMORY         There is no memory for it.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started, or the parent's of this process.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  No thread, socket or descriptor is left.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: codes behind
 * NO_MEMORY are not listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
						  struct doca_dev *dev, const uint8_t **data,
						  size_t *sz);

/**
 * @brief Whether a device can export events.
 *
 * @param [in] devinfo  The device.
 * @return DOCA_SUCCESS: it can.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Would give an event as a DPA knows it.
 *
 * @param [in] event               The event.
 * @param [in] dpa                 The DPA.
 * @param [out] dpa_dev_se_handle  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
					    doca_dpa_dev_sync_event_t *dpa_dev_se_handle);

/**
 * @brief Whether a device can share events with a DPA.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Would give an event as a GPU knows it.
 *
 * @param [in] event        The event.
 * @param [in] gpu          The GPU.
 * @param [out] gpu_dev_se  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event, struct doca_gpu *gpu,
					    doca_gpu_dev_sync_event_t **gpu_dev_se);

/**
 * @brief Whether a device can share events with a GPU.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Would let another machine import an event.
 *
 * @param [in] event  The event.
 * @param [out] data  Not written.
 * @param [out] sz    Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data, size_t *sz);

/**
 * @brief Whether a device can export events to another machine.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Would give an event of another machine as a DPA knows it.
 *
 * @param [in] event              The event.
 * @param [in] dpa                The DPA.
 * @param [out] dpa_remote_event  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_get_dpa_handle(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);

/**
 * @brief Whether a device can share events of another machine with a DPA.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Would give an event of another machine as a GPU knows it.
 *
 * @param [in] event              The event.
 * @param [in] gpu                The GPU.
 * @param [out] gpu_remote_event  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_get_gpu_handle(
	struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);

/**
 * @brief Whether a device can share events of another machine with a GPU.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Read the value.
 *
 * @param [in] event   The event.
 * @param [out] value  The value; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          Of an import: its exporter has stopped or destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);

/**
 * @brief Add to the value, at once for all who read it.
 *
 * @param [in] event     The event.
 * @param [in] value     What to add, modulo 2^64.
 * @param [out] fetched  The value before; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          Of an import: its exporter has stopped or destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value,
					uint64_t *fetched);

/**
 * @brief Set the value.
 *
 * @param [in] event  The event.
 * @param [in] value  The new value.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          Of an import: its exporter has stopped or destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value);

/**
 * @brief Wait until (value & mask) > threshold; the thread spins.
 *
 * For short waits: it uses its CPU, and lets others have it now and then.
 *
 * @param [in] event      The event.
 * @param [in] threshold  What the masked value must be greater than.
 * @param [in] mask       The bits that are compared; any.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL, or no value can end the wait.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          The event was stopped meanwhile, here or by its exporter, or
 *                                      the exporter has destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t threshold,
				     uint64_t mask);

/**
 * @brief Wait until (value & mask) > threshold; the thread sleeps.
 *
 * A change by a call or a task of any process wakes it.
 *
 * @param [in] event      The event.
 * @param [in] threshold  What the masked value must be greater than.
 * @param [in] mask       The bits that are compared; any.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL, or no value can end the wait.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          The event was stopped meanwhile, here or by its exporter, or
 *                                      the exporter has destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there; there the thread polls and yields.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event, uint64_t threshold,
					   uint64_t mask);

/**
 * @brief Wait until (value & mask) == threshold; the thread spins.
 *
 * For short waits: it uses its CPU, and lets others have it now and then.
 *
 * @param [in] event      The event.
 * @param [in] threshold  What the masked value must be.
 * @param [in] mask       The bits that are compared; any.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL, or no value can end the wait.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          The event was stopped meanwhile, here or by its exporter, or
 *                                      the exporter has destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t threshold,
				     uint64_t mask);

/**
 * @brief Wait until (value & mask) == threshold; the thread sleeps.
 *
 * A change by a call or a task of any process wakes it.
 *
 * @param [in] event      The event.
 * @param [in] threshold  What the masked value must be.
 * @param [in] mask       The bits that are compared; any.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL, or no value can end the wait.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          The event was stopped meanwhile, here or by its exporter, or
 *                                      the exporter has destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there; there the thread polls and yields.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event, uint64_t threshold,
					   uint64_t mask);

/**
 * @brief Wait until (value & mask) != threshold; the thread spins.
 *
 * For short waits: it uses its CPU, and lets others have it now and then.
 *
 * @param [in] event      The event.
 * @param [in] threshold  What the masked value must not be.
 * @param [in] mask       The bits that are compared; any.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL, or no value can end the wait.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          The event was stopped meanwhile, here or by its exporter, or
 *                                      the exporter has destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t threshold,
				      uint64_t mask);

/**
 * @brief Wait until (value & mask) != threshold; the thread sleeps.
 *
 * A change by a call or a task of any process wakes it.
 *
 * @param [in] event      The event.
 * @param [in] threshold  What the masked value must not be.
 * @param [in] mask       The bits that are compared; any.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     event is NULL, or no value can end the wait.
 * @retval DOCA_ERROR_BAD_STATE         The event is not started as stand-alone, or the parent's of
 *                                      this process.
 * @retval DOCA_ERROR_SHUTDOWN          The event was stopped meanwhile, here or by its exporter, or
 *                                      the exporter has destroyed it.
 * @retval DOCA_ERROR_CONNECTION_RESET  Of an import: its exporter has ended.
 *
 * Threads: any, while it is started. Source: DOCA 3.0 API reference, doca_sync_event.h. Differs:
 * only INVALID_VALUE is listed there; there the thread polls and yields.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event, uint64_t threshold,
					    uint64_t mask);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_SYNC_EVENT_H_ */
