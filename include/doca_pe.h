/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_pe.h
 * @brief Tasks, and the progress engine that completes them.
 *
 * A task belongs to the caller from its allocation to its submission and again from its callback
 * on; between the two it belongs to the library. Nothing of a copy happens in the submit: bytes
 * move, and callbacks run, inside doca_pe_progress().
 *
 * A progress engine, its contexts and their tasks belong to one thread at a time.
 *
 * Batches of tasks come from libraries that have types of them, which DMA has not and none here: no
 * program can have a batch, and the doca_task_batch functions refuse whatever they get.
 */
#ifndef DOCA_PE_H_
#define DOCA_PE_H_

#include <stdint.h>
#include <stdlib.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_pe;
struct doca_task;
struct doca_task_batch;
struct doca_devinfo;

/** @brief How to hand a task over; a mask of these. */
enum doca_task_submit_flag {
	DOCA_TASK_SUBMIT_FLAG_NONE = 0, /**< it may wait for a later flush */
	/** hand it over now, and all that waited before it: what doca_task_submit() does */
	DOCA_TASK_SUBMIT_FLAG_FLUSH = 1 << 0,
	/** its callback may wait until a later task without this flag completes, or the queue is
	   full */
	DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = 1 << 1,
	/** a wish of the profiler; has no effect here */
	DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_REQUESTED = 1 << 2,
	/** a mark of the profiler; has no effect here */
	DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_PROCESSED = 1 << 3,
};

/** @brief How many tasks a batch may hold, for libraries with batches. */
enum doca_task_batch_max_tasks_number {
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16 = 0, /**< 16 */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32,	 /**< 32 */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64,	 /**< 64 */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128,	 /**< 128 */
};

/** @brief How many events are told at once, for libraries with batches of events. */
enum doca_event_batch_events_number {
	DOCA_EVENT_BATCH_EVENTS_NUMBER_1 = 0, /**< 1 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_2,     /**< 2 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_4,     /**< 4 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_8,     /**< 8 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_16,    /**< 16 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_32,    /**< 32 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_64,    /**< 64 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_128,   /**< 128 */
};

/** @brief What progress looks at after a wake-up. */
enum doca_pe_event_mode {
	/** contexts that have work; the handle stays readable until doca_pe_clear_notification() */
	DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE = 0,
	/** every context; the next doca_pe_request_notification() clears the handle */
	DOCA_PE_EVENT_MODE_PROGRESS_ALL = 1,
};

/**
 * @brief Told that a task is done; it is the caller's again.
 *
 * The callback may free the task and its buffers, submit it or others again, and stop its context.
 * It may not call doca_pe_progress().
 *
 * @param [in] task            The task; doca_task_get_status() tells how it went.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task, union doca_data task_user_data,
					  union doca_data ctx_user_data);

/**
 * @brief Create a progress engine.
 *
 * @param [out] pe  The new engine, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     pe is NULL.
 * @retval DOCA_ERROR_NO_MEMORY         It could not be allocated.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  Its file descriptor could not be opened: the process or the
 *                                      machine has no more.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_pe.h. Differs: OPERATING_SYSTEM is not listed
 * there.
 */
DOCA_STABLE
doca_error_t doca_pe_create(struct doca_pe **pe);

/**
 * @brief Destroy a progress engine that no context is connected to.
 *
 * @param [in] pe  The engine; gone on success, whole on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  pe is NULL.
 * @retval DOCA_ERROR_IN_USE         A context is connected (destroy the library's object first), or
 *                                   a callback of this engine runs.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_pe_destroy(struct doca_pe *pe);

/**
 * @brief Do the next thing that there is to do, at most one completion.
 *
 * The connected contexts are asked in turn. One call copies at most 2 MiB; a longer copy goes on in
 * the next call. Steps of graphs that call nobody are no completions: one call does up to 64 rounds
 * of them, and 0 may leave more, for which doca_pe_request_notification() makes the handle
 * readable.
 *
 * @param [in] pe  The engine.
 * @return 1 when a callback ran, a context changed its state, or a part of a long copy was done;
 *         0 when there was no such thing, pe is NULL, or the call came from a callback of this
 *         engine (the log says so).
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
uint8_t doca_pe_progress(struct doca_pe *pe);

/**
 * @brief The file descriptor to wait on, the same for the engine's whole life.
 *
 * It becomes readable when doca_pe_request_notification() was called and there is, or comes, work
 * for doca_pe_progress(). The engine owns it: do not read, write or close it.
 *
 * @param [in] pe       The engine.
 * @param [out] handle  The descriptor, for poll(), select() and epoll.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle);

/**
 * @brief Make the handle unreadable after a wake-up.
 *
 * @param [in] pe      The engine.
 * @param [in] handle  Not used on Linux.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     pe is NULL.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The descriptor could not be read: someone closed it.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: INVALID_VALUE is not
 * listed there.
 */
DOCA_STABLE
doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle);

/**
 * @brief Ask for one wake-up; when there is work already, the handle is readable at once.
 *
 * @param [in] pe  The engine.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     pe is NULL.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The descriptor could not be used: someone closed it.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h; doca-samples 3.3.0, pe_event.
 * Differs: no error is listed there.
 */
DOCA_STABLE
doca_error_t doca_pe_request_notification(struct doca_pe *pe);

/**
 * @brief Count the tasks in flight of all connected contexts.
 *
 * @param [in] pe                   The engine.
 * @param [out] num_inflight_tasks  Tasks.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks);

/**
 * @brief Connect an idle context, until its library's object is destroyed.
 *
 * @param [in] pe   The engine.
 * @param [in] ctx  A context that is connected to no engine.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      ctx is not idle.
 * @retval DOCA_ERROR_NOT_PERMITTED  ctx is connected already.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: NO_MEMORY never comes
 * back.
 */
DOCA_STABLE
doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/**
 * @brief Choose what a wake-up means; DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE at first.
 *
 * @param [in] pe          The engine; not from inside one of its callbacks.
 * @param [in] event_mode  The mode.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  pe is NULL or event_mode is none.
 * @retval DOCA_ERROR_BAD_STATE      The call comes from a callback of this engine.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: the initial mode is
 * not written down there, nor BAD_STATE.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode);

/**
 * @brief Hand a task to its context.
 *
 * On success the task is the library's until its callback. What is wrong with the data of the copy
 * may come back here or in the error callback; the library's task says which (doca_dma.h).
 *
 * @param [in] task  An allocated task that is not submitted.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  task is NULL, or a buffer of it is not set; else as the task.
 * @retval DOCA_ERROR_BAD_STATE      Its context is not running, or the task is submitted or freed.
 * @retval DOCA_ERROR_AGAIN          The queue is full: call doca_pe_progress(), then submit again.
 * @retval DOCA_ERROR_NOT_PERMITTED  As the task.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: a task that is
 * submitted already is refused.
 */
DOCA_STABLE
doca_error_t doca_task_submit(struct doca_task *task);

/**
 * @brief Hand a task over with flags.
 *
 * @param [in] task   As for doca_task_submit().
 * @param [in] flags  Mask of enum doca_task_submit_flag.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An unknown flag; else as doca_task_submit().
 * @retval DOCA_ERROR_BAD_STATE      As doca_task_submit().
 * @retval DOCA_ERROR_AGAIN          As doca_task_submit().
 * @retval DOCA_ERROR_NOT_PERMITTED  As doca_task_submit().
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: the profiling flags
 * have no effect.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);

/**
 * @brief As doca_task_submit(), but all that can be told in advance is refused here.
 *
 * @param [in] task  As for doca_task_submit().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  As doca_task_submit(), or the copy could not succeed: an empty
 *                                   source, too little room, a limit of the device.
 * @retval DOCA_ERROR_BAD_STATE      As doca_task_submit().
 * @retval DOCA_ERROR_AGAIN          As doca_task_submit().
 * @retval DOCA_ERROR_NOT_PERMITTED  A memory map lacks the right for this copy.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: the codes but
 * INVALID_VALUE are left to the task there.
 */
DOCA_STABLE
doca_error_t doca_task_try_submit(struct doca_task *task);

/**
 * @brief Give a task back to its context; its buffers are not touched.
 *
 * @param [in] task  A task that is not submitted, also the one whose callback runs. For NULL, a
 *                   submitted or a freed one the call does nothing and says so in the log.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
void doca_task_free(struct doca_task *task);

/**
 * @brief How a task went; meaningful from its callback on.
 *
 * @param [in] task  The task.
 * @return DOCA_SUCCESS, the error it failed with, or DOCA_ERROR_INVALID_VALUE when task is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_task_get_status(const struct doca_task *task);

/**
 * @brief Replace the caller's data of a task.
 *
 * @param [in] task       The task, not submitted; NULL does nothing and says so in the log.
 * @param [in] user_data  Handed to its callback.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);

/**
 * @brief Read the caller's data of a task.
 *
 * @param [in] task  The task.
 * @return What the allocation or doca_task_set_user_data() set; 0 for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
union doca_data doca_task_get_user_data(const struct doca_task *task);

/**
 * @brief The context that a task was allocated from.
 *
 * @param [in] task  The task.
 * @return Its context, NULL for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);

/**
 * @brief Would hand all tasks of a batch to their context at once; there is no batch.
 *
 * @param [in] task_batch  The batch.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  task_batch is NULL, or no batch, which is every other case.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no success.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);

/**
 * @brief As doca_task_batch_submit(), but all that can be told in advance is refused here.
 *
 * @param [in] task_batch  The batch.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  task_batch is NULL, or no batch, which is every other case.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no success.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);

/**
 * @brief Would give a batch back to its context; does nothing and says so in the log.
 *
 * @param [in] task_batch  The batch.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other effect.
 */
DOCA_EXPERIMENTAL
void doca_task_batch_free(struct doca_task_batch *task_batch);

/**
 * @brief How a batch went.
 *
 * @param [in] task_batch  The batch.
 * @return DOCA_ERROR_INVALID_VALUE: task_batch is NULL, or no batch.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other answer.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);

/**
 * @brief Would replace the caller's data of a batch; does nothing and says so in the log.
 *
 * @param [in] task_batch  The batch.
 * @param [in] user_data   Not used.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other effect.
 */
DOCA_EXPERIMENTAL
void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data);

/**
 * @brief The caller's data of a batch.
 *
 * @param [in] task_batch  The batch.
 * @return 0, and the log says why.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other answer.
 */
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch);

/**
 * @brief The context that a batch was allocated from.
 *
 * @param [in] task_batch  The batch.
 * @return NULL, and the log says why.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other answer.
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);

/**
 * @brief The user data of the context that a batch was allocated from.
 *
 * @param [in] task_batch  The batch.
 * @return 0, and the log says why.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other answer.
 */
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch);

/**
 * @brief How many tasks a batch holds.
 *
 * @param [in] task_batch  The batch.
 * @return 0, and the log says why.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_pe.h. Differs: no other answer.
 */
DOCA_EXPERIMENTAL
uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_PE_H_ */
