/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_ctx.h
 * @brief The context: what every library object has in common. It is configured while idle,
 * connected to a progress engine, started, used through tasks, stopped.
 *
 * A context belongs to one thread at a time, the one that uses its progress engine.
 */
#ifndef DOCA_CTX_H_
#define DOCA_CTX_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_devinfo;
struct doca_gpu;
struct doca_dpa;

/** @brief Where a context is in its life. */
enum doca_ctx_states {
	DOCA_CTX_STATE_IDLE = 0,     /**< may be configured, connected, started, destroyed */
	DOCA_CTX_STATE_STARTING = 1, /**< an asynchronous start is under way */
	DOCA_CTX_STATE_RUNNING = 2,  /**< tasks may be allocated and submitted */
	DOCA_CTX_STATE_STOPPING = 3, /**< tasks come back; idle once all of them are freed */
};

/**
 * @brief Told of each change of state; the context is in @p next_state already.
 *
 * It runs inside doca_ctx_start(), doca_ctx_stop() or doca_pe_progress(), with no lock held. From
 * the call that reports DOCA_CTX_STATE_IDLE on, the context may be destroyed, also inside it.
 *
 * @param [in] user_data   What doca_ctx_set_user_data() set.
 * @param [in] ctx         The context.
 * @param [in] prev_state  The state that it left.
 * @param [in] next_state  The state that it is in.
 */
typedef void (*doca_ctx_state_changed_callback_t)(const union doca_data user_data,
						  struct doca_ctx *ctx,
						  enum doca_ctx_states prev_state,
						  enum doca_ctx_states next_state);

/**
 * @brief Start an idle context.
 *
 * A comch client or consumer is starting when this returns, until its peer has answered: that is no
 * failure. Every other context (DMA, comch server or producer, sync event, advise) is running,
 * unless its state callback, which has run inside, has stopped it.
 *
 * @param [in] ctx  An idle context that is configured and connected to a progress engine.
 *
 * @retval DOCA_SUCCESS               ctx is running.
 * @retval DOCA_ERROR_IN_PROGRESS     ctx is starting: call doca_pe_progress() until its state
 * callback tells of running, or of idle if the start failed.
 * @retval DOCA_ERROR_INVALID_VALUE   ctx is NULL, or its configuration is not complete.
 * @retval DOCA_ERROR_ALREADY_EXIST   A comch server of that name is on that function already.
 * @retval DOCA_ERROR_BAD_STATE       ctx is not idle, or a sync event that was stand-alone once or
 * is the parent's of this process.
 * @retval DOCA_ERROR_NOT_CONNECTED   ctx is not connected to a progress engine, or the connection
 * of a producer or consumer has ended.
 * @retval DOCA_ERROR_INITIALIZATION  The tasks or the queue could not be allocated; ctx stays idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: BAD_STATE is not
 * listed there; NOT_SUPPORTED and UNEXPECTED never come back.
 */
DOCA_STABLE
doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/**
 * @brief Stop a context, or go on stopping it.
 *
 * A running context is idle when this returns if no task is allocated, a server has no client, and
 * no callback of its progress engine runs. Else it is stopping, and doca_pe_progress() makes it
 * idle once every task is freed and a server has told of the end of each client. An idle context
 * stays as it is.
 *
 * Tasks that are in flight come back in doca_pe_progress(): what was done before with its own
 * status, so also messages that were sent; copies that are not done, waits of a sync event and
 * receives that got nothing with DOCA_ERROR_IO_FAILED; and what a peer's end has reached first,
 * with the error of that, as DOCA_ERROR_CONNECTION_RESET.
 *
 * @param [in] ctx  The context.
 *
 * @retval DOCA_ERROR_IN_PROGRESS    ctx is stopping: call doca_pe_progress() until it is idle.
 * @retval DOCA_ERROR_INVALID_VALUE  ctx is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h; doca-samples 3.3.0,
 * pe_async_stop. Differs: NOT_CONNECTED and UNEXPECTED never come back.
 */
DOCA_STABLE
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/**
 * @brief Count the tasks that were submitted and whose callback has not run.
 *
 * @param [in] ctx                  The context.
 * @param [out] num_inflight_tasks  Tasks.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
					     size_t *num_inflight_tasks);

/**
 * @brief Would move the data path to a GPU: there is none behind a virtual card.
 *
 * @param [in] ctx      An idle context.
 * @param [in] gpu_dev  The GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      ctx is not idle.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: it needs a GPU.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev);

/**
 * @brief Attach the caller's data to a context, in any state; it starts as 0.
 *
 * @param [in] ctx        The context.
 * @param [in] user_data  Handed to every callback of the context from now on.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  ctx is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);

/**
 * @brief Read what doca_ctx_set_user_data() attached.
 *
 * @param [in] ctx         The context.
 * @param [out] user_data  The caller's data, 0 when none was set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data);

/**
 * @brief Be told of each change of state; a later call replaces an earlier one.
 *
 * @param [in] ctx  An idle context.
 * @param [in] cb   The callback; see doca_ctx_state_changed_callback_t.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      ctx is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: BAD_STATE is not
 * listed there.
 */
DOCA_STABLE
doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
					   doca_ctx_state_changed_callback_t cb);

/**
 * @brief Read the state.
 *
 * @param [in] ctx     The context.
 * @param [out] state  Its state.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state);

/**
 * @brief Hand over the tasks that doca_task_submit_ex() took without DOCA_TASK_SUBMIT_FLAG_FLUSH.
 *
 * @param [in] ctx  A context that is not idle; for an idle one or NULL the call does nothing and
 *                  says so in the log.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/**
 * @brief Would move the data path to a DPA: there is none behind a virtual card.
 *
 * @param [in] ctx      An idle context.
 * @param [in] dpa_dev  The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      ctx is not idle.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: it needs a DPA.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev);

/**
 * @brief Would choose a completion vector: a virtual card has none.
 *
 * @param [in] ctx          An idle context.
 * @param [in] comp_vector  Index of the vector.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  ctx is NULL.
 * @retval DOCA_ERROR_BAD_STATE      ctx is not idle.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3). Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector);

/**
 * @brief Count the completion vectors of a device: 0 on a virtual card.
 *
 * @param [in] devinfo            The device.
 * @param [out] num_comp_vectors  Vectors.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_ctx.h. Differs: always 0.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
						     uint32_t *num_comp_vectors);

/**
 * @brief Would bound the parallel ranges of the NVTX profiler, which is not part of this library.
 *
 * @param [in] ctx         An idle context.
 * @param [in] num_ranges  Ranges.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  ctx is NULL.
 * @retval DOCA_ERROR_BAD_STATE      ctx is not idle.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3). Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_profiler_set_max_nranges(struct doca_ctx *ctx, uint8_t num_ranges);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_CTX_H_ */
