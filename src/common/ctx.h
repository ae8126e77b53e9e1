/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A context: states, tasks in flight, and the queue of the engine that executes them. A library
 * embeds it in its own object and gives it a table of what is the library's own.
 */
#ifndef COMMON_CTX_H_
#define COMMON_CTX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_ctx.h>

#include "base/list.h"
#include "base/placement.h"
#include "common/pe.h"
#include "common/task.h"
#include "device/settings.h"
#include "engine/engine.h"

struct inline_queue;
struct log_place;

struct ctx_ops {
	const char *name; /* "dma", for log lines */

	/*
	 * Check the configuration and size the pools, whose tasks make the queue_depth; the context
	 * is IDLE, connected. IN_PROGRESS: it is STARTING until doca__ctx_started or
	 * doca__ctx_fail.
	 */
	doca_error_t (*start)(struct doca_ctx *ctx);
	/*
	 * Check a task and fill its op. Strict is try_submit: what plain submit lets fail in the
	 * engine is refused here. On an error the task is as before.
	 */
	doca_error_t (*prepare)(struct doca_task *task, bool strict);
	/* Prepare has done the work, too: the callback comes next, with the op's status. */
	bool is_done_when_prepared;
	/*
	 * For a library whose tasks are no copies: it takes over a task that is submitted, and
	 * gives it back with doca__ctx_done, at the latest in stop. NULL: an engine copies.
	 */
	void (*keep)(struct doca_task *task);
	/* A task that failed stops the whole context, as on a card. */
	bool fails_whole;
	/*
	 * Run the callback that the task's status calls for; the task is OWNED. NULL: conclude,
	 * which then is for tasks that failed alone, and the pool's callback as it is.
	 */
	void (*complete)(struct doca_task *task);
	/*
	 * For a task with a hook: what complete does before the callback, its last word on the
	 * status, and the line that says why it failed. NULL: nothing.
	 */
	void (*conclude)(struct doca_task *task);

	/* From here on, what is beside tasks. NULL: nothing. */

	/*
	 * What the library does beside tasks, while the context is not IDLE and no task waits for
	 * its callback: one step; true when a user's callback ran or the state changed, and then
	 * nothing may follow that needs the context.
	 */
	bool (*progress)(struct doca_ctx *ctx);
	/* True when progress has something to do that the watched descriptor does not tell. */
	bool (*has_work)(const struct doca_ctx *ctx);
	/* STOPPING begins, before its callback: end what is the library's own. */
	void (*stop)(struct doca_ctx *ctx);
	/* Nothing of the library's own is left that keeps the context from IDLE. */
	bool (*is_over)(const struct doca_ctx *ctx);
	/* IDLE comes, before its callback: release what start made. */
	void (*idle)(struct doca_ctx *ctx);
};

struct doca_ctx {
	/* The submit and progress paths. */
	enum doca_ctx_states state;
	bool is_steady;	 /* RUNNING, and nothing failed: progress looks at tasks alone */
	bool has_engine; /* its tasks are copies that an engine does; constant */
	bool is_faulted; /* RUNNING, but a task failed: STOPPING comes next */
	/*
	 * The last task did: the library's progress comes before the next. A peer's end is found in
	 * ops->progress; without this a program that resubmits each failed task from its callback
	 * never lets it run.
	 */
	bool has_failed;
	bool has_warned; /* that it waits for tasks to be freed; once a stop */
	/*
	 * The queue, while a plain copy can go straight into it and its callback is the next:
	 * steady, with the inline engine, and nothing waits elsewhere. Else NULL. See plain_copy.h.
	 */
	struct inline_queue *straight;
	size_t max_plain_bytes; /* of a copy that its library need not look at; 0: there is none */
	const struct ctx_ops *ops;
	struct doca_pe *pe;	    /* borrowed; NULL until connected */
	struct engine_queue *queue; /* owned, from start to IDLE */
	struct engine_queue *reach; /* owned: for copies that reach other processes */
	void (*engine_submit)(struct engine_queue *queue, struct engine_op *op);
	enum engine_polled (*engine_poll)(struct engine_queue *queue, size_t *budget_bytes,
					  struct engine_op **done);
	size_t num_inflight;	      /* submitted, callback not yet run */
	size_t num_allocated;	      /* out of the pool */
	size_t num_reaching;	      /* in the reach queue */
	size_t queue_depth;	      /* bound of num_inflight: its tasks, or the device's */
	struct engine_fifo unflushed; /* submitted without FLUSH */
	struct engine_fifo held;      /* done, report optimised away for now */
	struct engine_fifo ready;     /* done, the callback comes next */

	const struct engine_ops *engine;
	struct doca_dev *dev;	/* held; or NULL */
	size_t max_queue_depth; /* the device's; 0: none */
	uint32_t num_starts; /* another number: tasks of before are gone, and their memory may be */
	union doca_data user_data;
	doca_ctx_state_changed_callback_t state_changed_cb;
	struct list pe_link;	   /* in the engine's contexts */
	struct list graph_members; /* of graphs that have nodes of it, and keep it alive */
	/* Readable when progress has something to do; -1: none. Never one that shows errors. */
	int watched_fd;
};

/* How a context that is not idle becomes it, as a log line ends. */
static inline const char *ctx_way_to_idle(const struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_STOPPING)
		return "call doca_ctx_stop, then doca_pe_progress until it is idle";
	return ctx->num_allocated == 0
		       ? "it is stopping; call doca_pe_progress until it is idle"
		       : "free its tasks, then call doca_pe_progress until it is idle";
}

/* The same of one that is not running. */
static inline const char *ctx_way_to_running(const struct doca_ctx *ctx)
{
	switch (ctx->state) {
	case DOCA_CTX_STATE_IDLE:
		return "call doca_ctx_start first";
	case DOCA_CTX_STATE_STARTING:
		return "it is starting; progress it, and the server and the client that connect "
		       "it, until it is running";
	default:
		return "it stops; call doca_pe_progress until it is idle, then start it again";
	}
}

/* IN_USE, and a line that names a graph, while there are nodes of it: no destroy takes it away. */
doca_error_t ctx_check_graphs(struct log_place place, const struct doca_ctx *ctx);

/*
 * From a library's progress: STARTING becomes RUNNING; STARTING or RUNNING becomes STOPPING. The
 * state callback runs: nothing may follow that needs the context.
 */
DOCA_STABLE
void doca__ctx_started(struct doca_ctx *ctx);
DOCA_STABLE
void doca__ctx_fail(struct doca_ctx *ctx);

/* A task that keep took over is done, with that status: its callback comes in progress. */
DOCA_STABLE
void doca__ctx_done(struct doca_task *task, doca_error_t status);

/* From any thread, once has_work is true; the context is not idle until this has returned. */
DOCA_STABLE
void doca__ctx_wake(struct doca_ctx *ctx);

/*
 * A descriptor that wakes who waits for the context, from start to idle; the library's own. It is
 * an epoll, an eventfd or a timerfd. -1 takes it back. Negative errno.
 */
DOCA_STABLE
int doca__ctx_watch(struct doca_ctx *ctx, int fd);

/*
 * One step for the progress engine, which copies at most *budget_bytes and shrinks them; true when
 * a user's callback ran or a part of a copy was done.
 */
bool ctx_progress(struct doca_ctx *ctx, size_t *budget_bytes);

/* A task's hook is told of its end; what follows the end of any in a context that is not steady. */
OUT_OF_LINE bool ctx_call_hook(struct doca_ctx *ctx, struct doca_task *task);
COLD bool ctx_settle(struct doca_ctx *ctx, bool is_told);

/*
 * Whatever its type, a callback of a task takes it and two words; a task of any type starts with
 * its struct doca_task.
 */
typedef void (*plain_cb)(struct doca_task *task, union doca_data task_data,
			 union doca_data ctx_data);

static inline void ctx_call_back(struct doca_ctx *ctx, struct doca_task *task, task_cb callback)
{
	CALLBACK_SCOPE(ctx->pe);
	((plain_cb)callback)(task, task->user_data, ctx->user_data);
}

/* True when ctx_progress has something to do. */
bool ctx_has_work(const struct doca_ctx *ctx);

/* IDLE, at once, also in a callback: nothing of it is in flight or allocated. */
void ctx_become_idle(struct doca_ctx *ctx);

/* A task went back to its pool: the last of a context that stops lets it be idle. */
static inline void ctx_task_freed(struct doca_ctx *ctx)
{
	ctx->num_allocated--;
	if (doca_unlikely(ctx->state == DOCA_CTX_STATE_STOPPING) && ctx->num_allocated == 0)
		pe_wake(ctx->pe);
}

/* Count, phase and push of a task that was prepared; flags of enum doca_task_submit_flag. */
void ctx_submit(struct doca_ctx *ctx, struct doca_task *task, uint32_t flags);

#endif /* COMMON_CTX_H_ */
