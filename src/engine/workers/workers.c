/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner's side of a queue. What is small is copied in poll, as the inline engine does, under a
 * lock that nobody else waits for; what is large is handed to the pool, and so is what stays
 * unpolled. Ops are in order: those that are done, those handed, those that wait.
 */
#include "engine/workers/workers.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/workers/pool.h"

static struct workers_queue *queue_of(const struct engine_queue *queue)
{
	return (struct workers_queue *)queue;
}

/* Its own, taken by nobody but the watch, and that for a few instructions. */
static struct workers_queue *queue_take(const struct engine_queue *queue) NO_THREAD_SAFETY_ANALYSIS
{
	lock_take(&queue_of(queue)->lock);
	return queue_of(queue);
}

static void queue_drop(struct workers_queue *queue) NO_THREAD_SAFETY_ANALYSIS
{
	lock_drop(&queue->lock);
}

static doca_error_t workers_open(struct engine_queue **queue, struct waker *waker)
{
	struct workers_queue *opened = calloc(1, sizeof(*opened));

	if (opened == NULL)
		return DOCA_ERROR_NO_MEMORY;
	opened->waker = waker;
	lock_init(&opened->lock);
	if (pool_enter(opened) != 0) {
		lock_fini(&opened->lock);
		free(opened);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	*queue = (struct engine_queue *)opened;
	return DOCA_SUCCESS;
}

static void workers_close(struct engine_queue *queue)
{
	assert(queue_of(queue)->waiting.first == NULL && queue_of(queue)->num_handed == 0);
	pool_leave(queue_of(queue));
	lock_fini(&queue_of(queue)->lock);
	free(queue);
}

static void workers_abort(struct engine_queue *engine_queue)
{
	struct workers_queue *queue = queue_take(engine_queue);

	pool_abort(queue);
	queue_drop(queue);
}

/* Large ones that are the oldest of those that wait begin without their owner. */
static void hand_over(struct workers_queue *queue)
{
	if (queue->waiting.first != NULL &&
	    queue->waiting.first->len_bytes >= WORKERS_LARGE_BYTES && pool_has_threads())
		pool_hand_over(queue, WORKERS_LARGE_BYTES);
}

static void workers_submit(struct engine_queue *engine_queue, struct engine_op *op)
{
	struct workers_queue *queue = queue_take(engine_queue);

	fifo_push(&queue->waiting, op);
	if (queue->waiting.first == op)
		hand_over(queue);
	queue->is_used = true;
	if (!queue->is_watched && queue->waiting.first != NULL)
		queue->is_watched = pool_watch();
	queue_drop(queue);
}

/* Poll would not be idle. */
static bool has_work_now(const struct workers_queue *queue)
{
	if (queue->num_handed == 0)
		return queue->waiting.first != NULL;
	/* Acquire, paired with show. */
	return atomic_load_explicit(&queue->has_news, memory_order_acquire) ||
	       (!pool_has_threads() && atomic_load_explicit(&queue->is_open, memory_order_relaxed));
}

static bool workers_has_work(const struct engine_queue *engine_queue)
{
	struct workers_queue *queue = queue_take(engine_queue);
	bool has_work = has_work_now(queue);

	queue_drop(queue);
	return has_work;
}

static bool workers_is_empty(const struct engine_queue *engine_queue)
{
	struct workers_queue *queue = queue_take(engine_queue);
	bool is_empty = queue->waiting.first == NULL && queue->num_handed == 0;

	queue_drop(queue);
	return is_empty;
}

/* Nothing is handed, and an op waits. */
static enum engine_polled copy(struct workers_queue *queue, size_t *budget_bytes,
			       struct engine_op **done)
{
	struct engine_op *op = queue->waiting.first;

	if ((queue->is_aborted || !place_copy_plain(&queue->place, op, budget_bytes)) &&
	    !place_step(&queue->place, op, budget_bytes, queue->is_aborted))
		return ENGINE_PART;
	*done = fifo_pop(&queue->waiting);
	queue->is_halted = op->status != DOCA_SUCCESS && !queue->is_aborted;
	if (!queue->is_halted)
		hand_over(queue);
	return ENGINE_DONE;
}

static enum engine_polled workers_poll(struct engine_queue *engine_queue, size_t *budget_bytes,
				       struct engine_op **done)
{
	enum engine_polled polled = ENGINE_IDLE;
	struct workers_queue *queue;

	if (*budget_bytes == 0)
		return ENGINE_IDLE;
	queue = queue_take(engine_queue);
	if (queue->num_handed == 0) {
		queue->is_halted = false;
		hand_over(queue);
	}
	if (queue->waiting.first != NULL)
		queue->is_used = true;
	if (queue->num_handed != 0)
		polled = pool_help(queue, budget_bytes, done);
	else if (queue->waiting.first != NULL)
		polled = copy(queue, budget_bytes, done);
	queue_drop(queue);
	return polled;
}

const struct engine_ops workers_engine = {
	.name = "workers",
	.open = workers_open,
	.close = workers_close,
	.abort = workers_abort,
	.submit = workers_submit,
	.poll = workers_poll,
	.has_work = workers_has_work,
	.is_empty = workers_is_empty,
};
