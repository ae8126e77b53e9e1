/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state machine of a context, and its tasks' way from submit to callback:
 *
 *            start                  stop, or a task failed              every task is freed
 *     IDLE ---------> RUNNING ----------------------------> STOPPING -----------------------> IDLE
 *      | ^              ^  | stop outside of callbacks, nothing to wait for       ^
 *      | +--------------|--+                                                      |
 *      +--> STARTING ---+-------- stop, or the start failed ----------------------+ (STOPPING)
 *      a library that waits for its peer
 *
 * After a user's callback a context may be gone only if it was told of IDLE: every path below ends
 * with that callback.
 */
#include "common/ctx.h"

#include <assert.h>
#include <stdlib.h>

#include "common/library.h"
#include "engine/inline/inline.h"
#include "engine/reach/reach.h"
#include "engine/workers/workers.h"

static const char *state_name(enum doca_ctx_states state)
{
	switch (state) {
	case DOCA_CTX_STATE_IDLE:
		return "idle";
	case DOCA_CTX_STATE_STARTING:
		return "starting";
	case DOCA_CTX_STATE_RUNNING:
		return "running";
	case DOCA_CTX_STATE_STOPPING:
		return "stopping";
	}
	return "unknown";
}

/*
 * The queue is full of reports that wait for a later task: none can come before they are read.
 * Nothing is under way that may yet be one of them; that there is no work now would not say so.
 */
static bool is_held_full(const struct doca_ctx *ctx)
{
	return ctx->held.first != NULL && ctx->num_inflight >= ctx->queue_depth &&
	       ctx->num_reaching == 0 && ctx->engine->is_empty(ctx->queue);
}

/* After whatever decides on it has changed, and in each slow step. */
static void choose_path(struct doca_ctx *ctx)
{
	bool is_straight = ctx->is_steady && ctx->max_plain_bytes != 0 &&
			   ctx->engine == &inline_engine && ctx->num_reaching == 0 &&
			   ctx->unflushed.first == NULL && ctx->held.first == NULL &&
			   ctx->ready.first == NULL;

	ctx->straight = is_straight ? (struct inline_queue *)ctx->queue : NULL;
}

/* The one place where the state changes. Nothing may follow it that needs the context. */
static void ctx_enter(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	enum doca_ctx_states prev = ctx->state;

	ctx->state = next;
	ctx->is_steady = next == DOCA_CTX_STATE_RUNNING;
	choose_path(ctx);
	LOG_TRACE("%s context %p: %s to %s", ctx->ops->name, (void *)ctx, state_name(prev),
		  state_name(next));
	if (ctx_has_work(ctx))
		pe_wake(ctx->pe);
	if (ctx->state_changed_cb != NULL) {
		CALLBACK_SCOPE(ctx->pe);
		ctx->state_changed_cb(ctx->user_data, ctx, prev, next);
	}
}

/*
 * Tasks come back in the order of their submission: what the engine has is older than what reaches
 * other processes, so that behind such a task the local ones go the same way.
 */
static void push(struct doca_ctx *ctx, struct engine_op *op)
{
	if (op->is_foreign || ctx->num_reaching != 0) {
		ctx->num_reaching++;
		reach_engine.submit(ctx->reach, op);
	} else {
		ctx->engine_submit(ctx->queue, op);
	}
}

static void push_unflushed(struct doca_ctx *ctx)
{
	struct engine_op *op;

	while ((op = fifo_pop(&ctx->unflushed)) != NULL)
		push(ctx, op);
}

static enum engine_polled poll_reach(struct doca_ctx *ctx, size_t *budget_bytes,
				     struct engine_op **done)
{
	enum engine_polled polled = reach_engine.poll(ctx->reach, budget_bytes, done);

	if (polled == ENGINE_DONE)
		ctx->num_reaching--;
	return polled;
}

static enum engine_polled poll_queues(struct doca_ctx *ctx, size_t *budget_bytes,
				      struct engine_op **done)
{
	enum engine_polled polled = ctx->engine_poll(ctx->queue, budget_bytes, done);

	if (polled != ENGINE_IDLE || ctx->num_reaching == 0 || !ctx->engine->is_empty(ctx->queue))
		return polled;
	return poll_reach(ctx, budget_bytes, done);
}

static bool queues_have_work(const struct doca_ctx *ctx)
{
	return ctx->engine->has_work(ctx->queue) ||
	       (ctx->num_reaching != 0 && ctx->engine->is_empty(ctx->queue) &&
		reach_engine.has_work(ctx->reach));
}

static void abort_queues(struct doca_ctx *ctx)
{
	ctx->engine->abort(ctx->queue);
	reach_engine.abort(ctx->reach);
}

static doca_error_t open_queues(struct doca_ctx *ctx)
{
	doca_error_t result = ctx->engine->open(&ctx->queue, &ctx->pe->waker);

	if (result != DOCA_SUCCESS)
		return result;
	if (reach_engine.open(&ctx->reach, &ctx->pe->waker) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	ctx->engine->close(ctx->queue);
	return DOCA_ERROR_NO_MEMORY;
}

static void close_queues(struct doca_ctx *ctx)
{
	ctx->engine->close(ctx->queue);
	reach_engine.close(ctx->reach);
	ctx->queue = NULL;
	ctx->reach = NULL;
}

/* What is done is reported, what is not comes back with IO_FAILED. */
static void begin_stopping(struct doca_ctx *ctx)
{
	ctx->is_faulted = false;
	ctx->has_failed = false;
	abort_queues(ctx);
	if (ctx->ops->stop != NULL)
		ctx->ops->stop(ctx);
	fifo_append(&ctx->ready, &ctx->held);
	push_unflushed(ctx);
	ctx_enter(ctx, DOCA_CTX_STATE_STOPPING);
}

/* What a library's start made. */
static void release(struct doca_ctx *ctx)
{
	(void)doca__ctx_watch(ctx, -1);
	if (ctx->ops->idle != NULL)
		ctx->ops->idle(ctx);
}

void ctx_become_idle(struct doca_ctx *ctx)
{
	assert(ctx->num_inflight == 0 && ctx->num_allocated == 0);
	release(ctx);
	close_queues(ctx);
	ctx->is_faulted = false;
	ctx->has_failed = false;
	ctx->has_warned = false;
	ctx_enter(ctx, DOCA_CTX_STATE_IDLE);
}

static void warn_of_kept_tasks(struct doca_ctx *ctx)
{
	if (ctx->has_warned || ctx->num_inflight != 0 || ctx->num_allocated == 0)
		return;
	ctx->has_warned = true;
	LOG_WARNING("%s context %p stays in stopping until %zu tasks of it are freed; call "
		    "doca_task_free on each, then doca_pe_progress",
		    ctx->ops->name, (void *)ctx, ctx->num_allocated);
}

/*
 * Before the callback, which may throw and take its time: no other copy runs after a failed one,
 * whatever the engine does meanwhile.
 */
static void note_failure(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_RUNNING || ctx->is_faulted)
		return;
	ctx->has_failed = true;
	ctx->is_steady = false;
	choose_path(ctx);
	if (!ctx->ops->fails_whole)
		return;
	ctx->is_faulted = true;
	abort_queues(ctx);
}

bool ctx_settle(struct doca_ctx *ctx, bool is_told)
{
	if (ctx->is_faulted) {
		begin_stopping(ctx);
		is_told = true;
	}
	if (ctx->state == DOCA_CTX_STATE_STOPPING)
		warn_of_kept_tasks(ctx);
	return is_told;
}

bool ctx_call_hook(struct doca_ctx *ctx, struct doca_task *task)
{
	if (ctx->ops->conclude != NULL)
		ctx->ops->conclude(task);
	task->hook(task);
	return !ctx->is_steady && ctx_settle(ctx, false);
}

/*
 * Let the engine work until there is a task to report. Reports that were optimised away wait in
 * held for the next one that was not.
 */
static enum engine_polled fill_ready(struct doca_ctx *ctx, size_t *budget_bytes)
{
	struct engine_op *op;
	enum engine_polled polled;

	while ((polled = poll_queues(ctx, budget_bytes, &op)) == ENGINE_DONE) {
		/* What ends while the context stops, in a thread or a peer, has no later one. */
		if (!task_of(op)->is_lazy || op->status != DOCA_SUCCESS || !ctx->is_steady) {
			fifo_append(&ctx->ready, &ctx->held);
			fifo_push(&ctx->ready, op);
			return ENGINE_DONE;
		}
		fifo_push(&ctx->held, op);
	}
	if (is_held_full(ctx)) {
		fifo_append(&ctx->ready, &ctx->held);
		return ENGINE_DONE;
	}
	/* Idle for want of a budget: all of it was copied, and there is more. */
	return *budget_bytes == 0 && queues_have_work(ctx) ? ENGINE_PART : polled;
}

/* Nothing keeps a context from IDLE. */
static bool has_nothing_left(const struct doca_ctx *ctx)
{
	return ctx->num_allocated == 0 && (ctx->ops->is_over == NULL || ctx->ops->is_over(ctx));
}

/* A context that stops has nothing left to stop. */
static bool is_over(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_STOPPING && has_nothing_left(ctx);
}

/* The library's step beside tasks. */
static bool progress_library(struct doca_ctx *ctx)
{
	return ctx->ops->progress != NULL && ctx->ops->progress(ctx);
}

/*
 * The context's own steps, before those of its tasks, while it is not steady. True: it took one,
 * and *told is the answer.
 */
static bool progress_itself(struct doca_ctx *ctx, bool *told)
{
	*told = true;
	if (ctx->state == DOCA_CTX_STATE_IDLE) {
		*told = false;
		return true;
	}
	if (ctx->has_failed) {
		ctx->has_failed = false;
		ctx->is_steady = !ctx->is_faulted;
		choose_path(ctx);
		if (progress_library(ctx))
			return true;
	}
	if (ctx->is_faulted) {
		begin_stopping(ctx);
		return true;
	}
	if (is_over(ctx)) {
		ctx_become_idle(ctx);
		return true;
	}
	warn_of_kept_tasks(ctx);
	return false;
}

/* Whatever the path: the task is the user's again, who is called. True when the user was. */
static bool complete(struct doca_ctx *ctx, struct doca_task *task)
{
	const bool has_failed = task->op.status != DOCA_SUCCESS;

	choose_path(ctx);
	ctx->num_inflight--;
	task->phase = TASK_OWNED;
	if (doca_unlikely(has_failed))
		note_failure(ctx);
	if (doca_unlikely(task->hook != NULL))
		return ctx_call_hook(ctx, task);
	if (ctx->ops->complete != NULL) {
		CALLBACK_SCOPE(ctx->pe);
		ctx->ops->complete(task);
	} else {
		if (has_failed && ctx->ops->conclude != NULL)
			ctx->ops->conclude(task);
		ctx_call_back(ctx, task,
			      has_failed ? task->pool->error_cb : task->pool->completion_cb);
	}
	return doca_likely(ctx->is_steady) || ctx_settle(ctx, true);
}

bool ctx_progress(struct doca_ctx *ctx, size_t *budget_bytes)
{
	bool is_told;

	if (doca_unlikely(!ctx->is_steady) && progress_itself(ctx, &is_told))
		return is_told;
	if (ctx->ready.first == NULL) {
		enum engine_polled polled = fill_ready(ctx, budget_bytes);

		choose_path(ctx);
		if (polled == ENGINE_PART)
			return true;
		/* Progress may give a kept task back, and then did nothing else. */
		if (polled != ENGINE_DONE) {
			if (progress_library(ctx))
				return true;
			if (ctx->ready.first == NULL)
				return false;
		}
	}
	return complete(ctx, task_of(fifo_pop(&ctx->ready)));
}

bool ctx_has_work(const struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return false;
	return ctx->is_faulted || ctx->ready.first != NULL || queues_have_work(ctx) ||
	       is_held_full(ctx) || is_over(ctx) ||
	       (ctx->ops->has_work != NULL && ctx->ops->has_work(ctx));
}

static void submit(struct doca_ctx *ctx, struct doca_task *task, uint32_t flags)
{
	if (ctx->ops->is_done_when_prepared) {
		fifo_push(&ctx->ready, &task->op);
	} else if (ctx->ops->keep != NULL) {
		ctx->ops->keep(task);
		return;
	} else if ((flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) == 0) {
		fifo_push(&ctx->unflushed, &task->op);
		if (!is_held_full(ctx))
			return;
	} else {
		push_unflushed(ctx);
		push(ctx, &task->op);
	}
	pe_wake(ctx->pe);
}

void ctx_submit(struct doca_ctx *ctx, struct doca_task *task, uint32_t flags)
{
	task->phase = TASK_SUBMITTED;
	task->is_lazy = (flags & DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) != 0;
	ctx->num_inflight++;
	submit(ctx, task, flags);
	choose_path(ctx);
}

static const struct engine_ops *engine_of(const struct card *card)
{
	if (card == NULL || card->num_workers == 0)
		return engine_find("inline");
	static_assert(SETTINGS_MAX_WORKERS <= WORKERS_MAX_THREADS, "what is set can be had");
	workers_set_threads(card->num_workers);
	return engine_find("workers");
}

void *doca__ctx_new(struct log_place place, const struct ctx_ops *ops, struct doca_dev *dev,
		    size_t size_bytes)
{
	const struct card *card = dev == NULL ? NULL : dev->info.card;
	struct doca_ctx *ctx = calloc(1, size_bytes);

	if (ctx == NULL) {
		LOG_ERROR_FROM(place, "no memory for one more %s context", ops->name);
		return NULL;
	}
	*ctx = (struct doca_ctx){
		.state = DOCA_CTX_STATE_IDLE,
		.has_engine = !ops->is_done_when_prepared && ops->keep == NULL,
		.ops = ops,
		.engine = engine_of(card),
		.dev = dev,
		.max_queue_depth = card == NULL ? 0 : card->limits.queue_depth,
		.watched_fd = -1,
	};
	list_init(&ctx->pe_link);
	list_init(&ctx->graph_members);
	if (dev != NULL)
		doca__dev_hold(dev);
	return ctx;
}

void doca__ctx_delete(struct doca_ctx *ctx)
{
	assert(ctx->state == DOCA_CTX_STATE_IDLE && list_is_empty(&ctx->graph_members));
	if (ctx->pe != NULL)
		pe_disconnect(ctx->pe, &ctx->pe_link);
	if (ctx->dev != NULL)
		doca__dev_put(ctx->dev);
	free(ctx);
}

/* The first reason why a context cannot start, as far as it is the same for every library. */
static doca_error_t check_start(const struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("%s context %p refuses start: it is %s; only an idle context starts: "
			  "%s",
			  ctx->ops->name, (const void *)ctx, state_name(ctx->state),
			  ctx_way_to_idle(ctx));
		return DOCA_ERROR_BAD_STATE;
	}
	if (ctx->pe == NULL) {
		LOG_ERROR("%s context %p refuses start: no progress engine; call "
			  "doca_pe_connect_ctx first",
			  ctx->ops->name, (const void *)ctx);
		return DOCA_ERROR_NOT_CONNECTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
	doca_error_t opened;
	doca_error_t result;

	if (ctx == NULL)
		return REFUSE_NULL("ctx");
	result = check_start(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	ctx->queue_depth = 0;
	result = ctx->ops->start(ctx);
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		return result;
	opened = open_queues(ctx);
	if (opened != DOCA_SUCCESS) {
		LOG_ERROR("%s context %p cannot start: %s", ctx->ops->name, (void *)ctx,
			  opened == DOCA_ERROR_NO_MEMORY
				  ? "no memory for its queues"
				  : "no threads for its copies; ask for fewer with "
				    "SOFTDOCA_ENGINE=workers:N, or for none with inline");
		release(ctx);
		return DOCA_ERROR_INITIALIZATION;
	}
	if (ctx->max_queue_depth != 0 && ctx->max_queue_depth < ctx->queue_depth)
		ctx->queue_depth = ctx->max_queue_depth;
	ctx->num_starts++;
	ctx->engine_submit = ctx->engine->submit;
	ctx->engine_poll = ctx->engine->poll;
	ctx_enter(ctx, result == DOCA_SUCCESS ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_STARTING);
	return result;
}

void doca__ctx_started(struct doca_ctx *ctx)
{
	assert(ctx->state == DOCA_CTX_STATE_STARTING);
	ctx_enter(ctx, DOCA_CTX_STATE_RUNNING);
}

void doca__ctx_fail(struct doca_ctx *ctx)
{
	assert(ctx->state == DOCA_CTX_STATE_STARTING || ctx->state == DOCA_CTX_STATE_RUNNING);
	begin_stopping(ctx);
}

void doca__ctx_done(struct doca_task *task, doca_error_t status)
{
	task->op.status = status;
	fifo_push(&task->ctx->ready, &task->op);
	pe_wake(task->ctx->pe);
}

void doca__ctx_wake(struct doca_ctx *ctx)
{
	(void)waker_wake(&ctx->pe->waker);
}

int doca__ctx_watch(struct doca_ctx *ctx, int fd)
{
	int error = 0;

	if (ctx->watched_fd >= 0)
		pe_unwatch(ctx->pe, ctx->watched_fd);
	ctx->watched_fd = -1;
	if (fd >= 0)
		error = pe_watch(ctx->pe, fd);
	if (fd >= 0 && error == 0)
		ctx->watched_fd = fd;
	return error;
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	if (ctx == NULL)
		return REFUSE_NULL("ctx");
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	if (ctx->state == DOCA_CTX_STATE_STOPPING)
		return DOCA_ERROR_IN_PROGRESS;
	if (ctx->state == DOCA_CTX_STATE_RUNNING && !pe_is_in_callback(ctx->pe) &&
	    has_nothing_left(ctx)) {
		ctx_become_idle(ctx);
		return DOCA_SUCCESS;
	}
	LOG_DEBUG("%s context %p begins to stop: %zu tasks in flight, %zu to be freed",
		  ctx->ops->name, (void *)ctx, ctx->num_inflight, ctx->num_allocated);
	begin_stopping(ctx);
	return DOCA_ERROR_IN_PROGRESS;
}

void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
	if (ctx == NULL || ctx->state == DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("doca_ctx_flush_tasks does nothing: context %p is %s", (void *)ctx,
			  ctx == NULL ? "NULL" : "idle");
		return;
	}
	push_unflushed(ctx);
	choose_path(ctx);
	if (ctx_has_work(ctx))
		pe_wake(ctx->pe);
}
