/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of threads: where they look for slices, sleep, and watch for queues that nobody polls.
 */
#include "engine/workers/pool.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "engine/workers/workers.h"

static struct {
	struct lock life; /* the threads start and end, and nobody forks */
	unsigned num_wanted GUARDED_BY(life);
	_Atomic unsigned num_threads; /* changed under life; to 0 under the lock below as well */
	pthread_t threads[WORKERS_MAX_THREADS] GUARDED_BY(life);
	bool handles_forks GUARDED_BY(life);

	struct lock lock;
	struct list queues GUARDED_BY(lock);
	struct list open GUARDED_BY(
		lock); /* with slices to take; whose turn is next stands first */
	unsigned num_idle GUARDED_BY(lock);
	unsigned num_running GUARDED_BY(lock); /* slices, of owners too */
	bool is_paused GUARDED_BY(lock);       /* for a fork: no slice is taken */
	bool is_ending GUARDED_BY(lock);
	bool has_watcher GUARDED_BY(lock);  /* one of the idle wakes for the watch */
	uint64_t watch_ns GUARDED_BY(lock); /* when it looks next; 0: to be set */
	bool is_watching GUARDED_BY(lock);  /* somebody may leave an op waiting */

	_Atomic unsigned bell; /* idle threads sleep on it; another number is a ring */
} the_pool = {
	.life = LOCK_INITIALIZER,
	.num_wanted = 1,
	.lock = LOCK_INITIALIZER,
	.queues = {&the_pool.queues, &the_pool.queues},
	.open = {&the_pool.open, &the_pool.open},
};

/* Of num_running: this thread's. It may fork in the middle of one, in a handler of signals. */
static _Thread_local unsigned num_own;

void workers_set_threads(unsigned num_threads)
{
	lock_take(&the_pool.life);
	the_pool.num_wanted = num_threads;
	lock_drop(&the_pool.life);
}

bool pool_has_threads(void)
{
	return atomic_load_explicit(&the_pool.num_threads, memory_order_relaxed) != 0;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static void ring(int num_threads)
{
	atomic_fetch_add(&the_pool.bell, 1);
	(void)syscall(SYS_futex, &the_pool.bell, FUTEX_WAKE_PRIVATE, num_threads, NULL, NULL, 0);
}

static void ring_if_open(void) REQUIRES(the_pool.lock)
{
	if (the_pool.num_idle > 0 && !list_is_empty(&the_pool.open))
		ring(1);
}

/*
 * After each change of a queue: the owner and the threads are to see it. The owner cannot take what
 * it is woken for, and so end its waker, before the lock is dropped.
 */
static void show(struct workers_queue *queue, bool is_owner) REQUIRES(the_pool.lock)
{
	const bool is_open = job_is_open(queue);
	const bool has_news = queue->done.first != NULL || queue->is_halted;

	if (is_open != atomic_load_explicit(&queue->is_open, memory_order_relaxed)) {
		atomic_store_explicit(&queue->is_open, is_open, memory_order_relaxed);
		if (is_open)
			list_add_tail(&the_pool.open, &queue->open_link);
		else
			list_remove(&queue->open_link);
	}
	if (has_news == atomic_load_explicit(&queue->has_news, memory_order_relaxed))
		return;
	/* Release, paired with workers_has_work. */
	atomic_store_explicit(&queue->has_news, has_news, memory_order_release);
	if (has_news && !is_owner)
		(void)waker_wake(queue->waker);
}

/* Slices of all queues in turn; NULL: there is none. */
static struct workers_queue *take(struct slice *slice) REQUIRES(the_pool.lock)
{
	while (!the_pool.is_paused && !list_is_empty(&the_pool.open)) {
		struct workers_queue *queue =
			CONTAINER_OF(the_pool.open.next, struct workers_queue, open_link);
		bool is_taken = job_take(queue, SLICE_BYTES, slice);

		show(queue, false);
		if (!is_taken)
			continue; /* it failed, and is open no more, or with its next op */
		if (job_is_open(queue)) {
			list_remove(&queue->open_link);
			list_add_tail(&the_pool.open, &queue->open_link);
		}
		the_pool.num_running++;
		ring_if_open();
		return queue;
	}
	return NULL;
}

/*
 * Take over what waits in queues that nobody was at since the last look. An owner that is at its
 * queue right now is not waited for, and so may take the pool's lock behind its own.
 */
static void watch(void) REQUIRES(the_pool.lock)
{
	the_pool.is_watching = false;
	list_for_each (link, &the_pool.queues) {
		struct workers_queue *queue = CONTAINER_OF(link, struct workers_queue, link);

		if (!lock_try(&queue->lock)) {
			the_pool.is_watching = true;
			continue;
		}
		if (queue->is_used) {
			queue->is_used = false;
			the_pool.is_watching = true;
		} else {
			queue->is_watched = false;
			job_push(queue, 0);
			show(queue, false);
		}
		lock_drop(&queue->lock);
	}
}

static void watch_if_due(void) REQUIRES(the_pool.lock)
{
	uint64_t now;

	if (!the_pool.is_watching) {
		the_pool.watch_ns = 0;
		return;
	}
	now = now_ns();
	if (the_pool.watch_ns != 0 && now >= the_pool.watch_ns) {
		watch();
		the_pool.watch_ns = 0;
	}
	if (the_pool.watch_ns == 0)
		the_pool.watch_ns = now + POOL_WATCH_NS;
}

bool pool_watch(void)
{
	bool is_new;

	if (!pool_has_threads())
		return false;
	lock_take(&the_pool.lock);
	is_new = !the_pool.is_watching;
	the_pool.is_watching = true;
	lock_drop(&the_pool.lock);
	if (is_new)
		ring(1);
	return true;
}

/* Until the bell rings; at most one of all who rest does so no longer than to the next look. */
static void rest(void) REQUIRES(the_pool.lock)
{
	const unsigned heard = atomic_load(&the_pool.bell);
	const bool is_watcher = !the_pool.has_watcher && the_pool.is_watching;
	struct timespec timeout = {.tv_nsec = POOL_WATCH_NS};

	the_pool.has_watcher |= is_watcher;
	the_pool.num_idle++;
	lock_drop(&the_pool.lock);
	(void)syscall(SYS_futex, &the_pool.bell, FUTEX_WAIT_PRIVATE, heard,
		      is_watcher ? &timeout : NULL, NULL, 0);
	lock_take(&the_pool.lock);
	the_pool.num_idle--;
	if (is_watcher)
		the_pool.has_watcher = false;
}

/* A slice that was taken. */
static void do_slice(struct workers_queue *queue, const struct slice *slice) REQUIRES(the_pool.lock)
{
	num_own++;
	lock_drop(&the_pool.lock);
	slice_copy(slice);
	lock_take(&the_pool.lock);
	num_own--;
	the_pool.num_running--;
	job_end(queue);
}

static void *work(void *unused)
{
	struct slice slice;

	lock_take(&the_pool.lock);
	while (!the_pool.is_ending) {
		struct workers_queue *queue;

		watch_if_due();
		queue = take(&slice);
		if (queue == NULL) {
			rest();
			continue;
		}
		do_slice(queue, &slice);
		show(queue, false);
	}
	lock_drop(&the_pool.lock);
	return NULL;
}

/*
 * No slice is half done in the child, but for one that this thread is in: it goes on with what is
 * left. Nobody waits for who waits here.
 */
static void before_fork(void) ACQUIRE(the_pool.life, the_pool.lock) NO_THREAD_SAFETY_ANALYSIS
{
	lock_take(&the_pool.lock);
	the_pool.num_running -= num_own;
	lock_drop(&the_pool.lock);
	lock_take(&the_pool.life);
	lock_take(&the_pool.lock);
	the_pool.is_paused = true;
	while (the_pool.num_running > 0) {
		lock_drop(&the_pool.lock);
		sched_yield();
		lock_take(&the_pool.lock);
	}
}

static void after_fork(void) RELEASE(the_pool.life, the_pool.lock) NO_THREAD_SAFETY_ANALYSIS
{
	the_pool.num_running += num_own;
	the_pool.is_paused = false;
	ring_if_open();
	lock_drop(&the_pool.lock);
	lock_drop(&the_pool.life);
}

static void after_fork_in_child(void)
	RELEASE(the_pool.life, the_pool.lock) NO_THREAD_SAFETY_ANALYSIS
{
	atomic_store_explicit(&the_pool.num_threads, 0, memory_order_relaxed);
	the_pool.num_idle = 0;
	the_pool.has_watcher = false;
	after_fork();
}

static void end_threads(unsigned num_threads) REQUIRES(the_pool.life)
{
	lock_take(&the_pool.lock);
	the_pool.is_ending = true;
	atomic_store_explicit(&the_pool.num_threads, 0, memory_order_relaxed);
	lock_drop(&the_pool.lock);
	ring(INT_MAX);
	for (unsigned i = 0; i < num_threads; i++)
		pthread_join(the_pool.threads[i], NULL);
	lock_take(&the_pool.lock);
	the_pool.is_ending = false;
	lock_drop(&the_pool.lock);
}

/* All of them, or none. */
static int start_threads(void) REQUIRES(the_pool.life)
{
	if (!the_pool.handles_forks)
		the_pool.handles_forks =
			pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
	if (!the_pool.handles_forks)
		return -ENOMEM;
	for (unsigned i = 0; i < the_pool.num_wanted; i++) {
		int error = thread_start(&the_pool.threads[i], work, NULL);
		char name[32]; /* of which the kernel takes 15 characters, and this has */

		if (error != 0) {
			end_threads(i);
			return error;
		}
		snprintf(name, sizeof(name), "softdoca-copy%u", i);
		(void)pthread_setname_np(the_pool.threads[i], name);
	}
	atomic_store_explicit(&the_pool.num_threads, the_pool.num_wanted, memory_order_relaxed);
	return 0;
}

int pool_enter(struct workers_queue *queue)
{
	int cancel_state;
	int error = 0;

	/* As in pool_leave: who does not start all joins the others. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	lock_take(&the_pool.life);
	if (!pool_has_threads())
		error = start_threads();
	if (error == 0) {
		lock_take(&the_pool.lock);
		list_add_tail(&the_pool.queues, &queue->link);
		lock_drop(&the_pool.lock);
	}
	lock_drop(&the_pool.life);
	pthread_setcancelstate(cancel_state, NULL);
	return error;
}

void pool_leave(struct workers_queue *queue)
{
	int cancel_state;
	bool is_last;

	/* Not to be cancelled in pthread_join with a lock. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	lock_take(&the_pool.life);
	lock_take(&the_pool.lock);
	list_remove(&queue->link);
	is_last = list_is_empty(&the_pool.queues);
	lock_drop(&the_pool.lock);
	if (is_last)
		end_threads(atomic_load_explicit(&the_pool.num_threads, memory_order_relaxed));
	lock_drop(&the_pool.life);
	pthread_setcancelstate(cancel_state, NULL);
}

void pool_hand_over(struct workers_queue *queue, size_t least_bytes)
{
	lock_take(&the_pool.lock);
	job_push(queue, least_bytes);
	show(queue, true);
	ring_if_open();
	lock_drop(&the_pool.lock);
}

void pool_abort(struct workers_queue *queue)
{
	lock_take(&the_pool.lock);
	job_abort(queue);
	show(queue, true);
	lock_drop(&the_pool.lock);
}

/* One slice by the owner. False: there was none to take. */
static bool help_once(struct workers_queue *queue, size_t *budget_bytes) REQUIRES(the_pool.lock)
{
	struct slice slice;

	if (the_pool.is_paused || *budget_bytes == 0 ||
	    !job_take(queue, *budget_bytes < SLICE_BYTES ? *budget_bytes : SLICE_BYTES, &slice))
		return false;
	the_pool.num_running++;
	show(queue, true);
	ring_if_open();
	do_slice(queue, &slice);
	*budget_bytes -= slice.len_bytes;
	return true;
}

enum engine_polled pool_help(struct workers_queue *queue, size_t *budget_bytes,
			     struct engine_op **done)
{
	const size_t before_bytes = *budget_bytes;
	bool is_long = false;
	struct engine_op *op;

	/* Acquire, paired with show. */
	if (!atomic_load_explicit(&queue->has_news, memory_order_acquire) &&
	    !atomic_load_explicit(&queue->is_open, memory_order_relaxed))
		return ENGINE_IDLE;
	lock_take(&the_pool.lock);
	do {
		op = job_pop(queue);
		if (op != NULL)
			break;
		if (queue->is_halted)
			job_go_on(queue);
		is_long = queue->is_active && queue->handed.first->len_bytes > before_bytes;
	} while (help_once(queue, budget_bytes) || queue->done.first != NULL);
	show(queue, true);
	ring_if_open();
	lock_drop(&the_pool.lock);
	if (op != NULL) {
		*done = op;
		return ENGINE_DONE;
	}
	return is_long && *budget_bytes < before_bytes ? ENGINE_PART : ENGINE_IDLE;
}
