/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state machine of a context, and its tasks' way from submit to callback:
 *
 *            start                  stop, or a task failed              every task is freed
 *     IDLE ---------> RUNNING ----------------------------> STOPPING -----------------------> IDLE
 *       ^                | stop outside of callbacks, no task allocated
 *       +----------------+
 *
 * After a user's callback a context may be gone only if it was told of IDLE: every path below ends
 * with that callback.
 */
#include "common/ctx.h"

#include <assert.h>

#include "common/pe.h"
#include "common/sdk_log.h"

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

/* The queue is full of reports that wait for a later task: none can come before they are read. */
static bool is_held_full(const struct doca_ctx *ctx)
{
	return ctx->held.first != NULL && ctx->num_inflight >= ctx->queue_depth &&
	       !ctx->engine->has_work(ctx->queue);
}

/* The one place where the state changes. Nothing may follow it that needs the context. */
static void ctx_enter(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	enum doca_ctx_states prev = ctx->state;

	ctx->state = next;
	LOG_TRACE("%s context %p: %s to %s", ctx->ops->name, (void *)ctx, state_name(prev),
		  state_name(next));
	if (ctx_has_work(ctx))
		pe_wake(ctx->pe);
	if (ctx->state_changed_cb != NULL) {
		CALLBACK_SCOPE(ctx->pe);
		ctx->state_changed_cb(ctx->user_data, ctx, prev, next);
	}
}

static void push_unflushed(struct doca_ctx *ctx)
{
	struct engine_op *op;

	while ((op = fifo_pop(&ctx->unflushed)) != NULL)
		ctx->engine_submit(ctx->queue, op);
}

/* What is done is reported, what is not comes back with IO_FAILED. */
static void begin_stopping(struct doca_ctx *ctx)
{
	ctx->is_faulted = false;
	ctx->engine->abort(ctx->queue);
	fifo_append(&ctx->ready, &ctx->held);
	push_unflushed(ctx);
	ctx_enter(ctx, DOCA_CTX_STATE_STOPPING);
}

static void become_idle(struct doca_ctx *ctx)
{
	assert(ctx->num_inflight == 0 && ctx->num_allocated == 0);
	ctx->engine->close(ctx->queue);
	ctx->queue = NULL;
	ctx->is_faulted = false;
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

static void complete(struct doca_ctx *ctx, struct doca_task *task)
{
	ctx->num_inflight--;
	task->phase = TASK_OWNED;
	if (doca_unlikely(task->op.status != DOCA_SUCCESS) &&
	    ctx->state == DOCA_CTX_STATE_RUNNING && !ctx->is_faulted) {
		/*
		 * Before the callback, which may throw and take its time: no other copy runs after
		 * a failed one, whatever the engine does meanwhile.
		 */
		ctx->is_faulted = true;
		ctx->engine->abort(ctx->queue);
	}
	{
		CALLBACK_SCOPE(ctx->pe);
		ctx->ops->complete(task);
	}
	if (doca_unlikely(ctx->is_faulted))
		begin_stopping(ctx);
	if (doca_unlikely(ctx->state == DOCA_CTX_STATE_STOPPING))
		warn_of_kept_tasks(ctx);
}

/*
 * Let the engine work until there is a task to report. Reports that were optimised away wait in
 * held for the next one that was not.
 */
static enum engine_polled fill_ready(struct doca_ctx *ctx, size_t *budget_bytes)
{
	struct engine_op *op;
	enum engine_polled polled;

	while ((polled = ctx->engine_poll(ctx->queue, budget_bytes, &op)) == ENGINE_DONE) {
		if (!task_of(op)->is_lazy || op->status != DOCA_SUCCESS) {
			fifo_append(&ctx->ready, &ctx->held);
			fifo_push(&ctx->ready, op);
			return ENGINE_DONE;
		}
		fifo_push(&ctx->held, op);
	}
	if (doca_unlikely(is_held_full(ctx))) {
		fifo_append(&ctx->ready, &ctx->held);
		return ENGINE_DONE;
	}
	/* Work is left, so it is the budget that is used up: something was copied. */
	return ctx->engine->has_work(ctx->queue) ? ENGINE_PART : polled;
}

bool ctx_progress(struct doca_ctx *ctx, size_t *budget_bytes)
{
	if (doca_unlikely(ctx->state != DOCA_CTX_STATE_RUNNING || ctx->is_faulted)) {
		if (ctx->state == DOCA_CTX_STATE_IDLE)
			return false;
		if (ctx->is_faulted) {
			begin_stopping(ctx);
			return true;
		}
		if (ctx->num_allocated == 0) {
			become_idle(ctx);
			return true;
		}
		warn_of_kept_tasks(ctx);
	}
	if (ctx->ready.first == NULL) {
		enum engine_polled polled = fill_ready(ctx, budget_bytes);

		if (polled != ENGINE_DONE)
			return polled == ENGINE_PART;
	}
	complete(ctx, task_of(fifo_pop(&ctx->ready)));
	return true;
}

bool ctx_has_work(const struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return false;
	return ctx->is_faulted || ctx->ready.first != NULL || ctx->engine->has_work(ctx->queue) ||
	       is_held_full(ctx) ||
	       (ctx->state == DOCA_CTX_STATE_STOPPING && ctx->num_allocated == 0);
}

void ctx_task_freed(struct doca_ctx *ctx)
{
	ctx->num_allocated--;
	if (doca_unlikely(ctx->state == DOCA_CTX_STATE_STOPPING) && ctx->num_allocated == 0)
		pe_wake(ctx->pe);
}

void ctx_submit(struct doca_ctx *ctx, struct doca_task *task, uint32_t flags)
{
	task->phase = TASK_SUBMITTED;
	task->is_lazy = (flags & DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) != 0;
	ctx->num_inflight++;
	if ((flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) == 0) {
		fifo_push(&ctx->unflushed, &task->op);
		if (doca_unlikely(is_held_full(ctx)))
			pe_wake(ctx->pe);
		return;
	}
	if (doca_unlikely(ctx->unflushed.first != NULL))
		push_unflushed(ctx);
	ctx->engine_submit(ctx->queue, &task->op);
	pe_wake(ctx->pe);
}

static const struct engine_ops *engine_of(enum settings_engine engine)
{
	switch (engine) {
	case SETTINGS_ENGINE_INLINE:
		break;
	}
	return engine_find("inline");
}

void doca__ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops, enum settings_engine engine)
{
	*ctx = (struct doca_ctx){
		.state = DOCA_CTX_STATE_IDLE,
		.ops = ops,
		.engine = engine_of(engine),
	};
	list_init(&ctx->pe_link);
}

void doca__ctx_fini(struct doca_ctx *ctx)
{
	assert(ctx->state == DOCA_CTX_STATE_IDLE);
	if (ctx->pe != NULL)
		pe_disconnect(ctx->pe, &ctx->pe_link);
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
	doca_error_t result;

	if (ctx == NULL)
		return REFUSE_NULL("ctx");
	result = check_start(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	result = ctx->ops->start(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	if (ctx->engine->open(&ctx->queue) != DOCA_SUCCESS) {
		LOG_ERROR("%s context %p cannot start: no memory for its queue", ctx->ops->name,
			  (void *)ctx);
		return DOCA_ERROR_INITIALIZATION;
	}
	ctx->engine_submit = ctx->engine->submit;
	ctx->engine_poll = ctx->engine->poll;
	ctx_enter(ctx, DOCA_CTX_STATE_RUNNING);
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	if (ctx == NULL)
		return REFUSE_NULL("ctx");
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	if (ctx->state == DOCA_CTX_STATE_STOPPING)
		return DOCA_ERROR_IN_PROGRESS;
	if (!pe_is_in_callback(ctx->pe) && ctx->num_allocated == 0) {
		become_idle(ctx);
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
	if (ctx_has_work(ctx))
		pe_wake(ctx->pe);
}
