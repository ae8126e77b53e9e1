/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wakes one thread that waits on an eventfd, and costs the others one load while it does not wait.
 * The waiter arms, then looks for work, and waits only when there is none; whoever brings work
 * makes it visible, then wakes. Both are sequentially consistent, so that one of them sees the
 * other.
 */
#ifndef BASE_WAKER_H_
#define BASE_WAKER_H_

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/fd.h"

struct waker {
	_Atomic bool is_armed;
	_Atomic unsigned
		num_held; /* by threads about to wake, or waking; its owner waits for them */
	int fd;		  /* an event_fd */
};

/*
 * Another thread holds a waker from before it shows the work until it has woken: whoever sees the
 * work may take the waker's owner down.
 */
static inline void waker_hold(struct waker *waker)
{
	atomic_fetch_add_explicit(&waker->num_held, 1, memory_order_relaxed);
}

/* Release, paired with waker_is_held. */
static inline void waker_put(struct waker *waker)
{
	atomic_fetch_sub_explicit(&waker->num_held, 1, memory_order_release);
}

/* Asked by the owner, who has seen all work: nobody takes a new hold. */
static inline bool waker_is_held(const struct waker *waker)
{
	return atomic_load_explicit(&waker->num_held, memory_order_acquire) != 0;
}

static inline bool waker_is_armed(const struct waker *waker)
{
	return atomic_load_explicit(&waker->is_armed, memory_order_relaxed);
}

static inline void waker_arm(struct waker *waker)
{
	atomic_store_explicit(&waker->is_armed, true, memory_order_seq_cst);
	atomic_thread_fence(memory_order_seq_cst);
}

/*
 * By the owner, before it drains: from here on nobody makes the descriptor readable. Who took the
 * wake-up is about to: that is waited for, as are holders, all a few instructions from done.
 */
static inline void waker_disarm(struct waker *waker)
{
	if (atomic_exchange(&waker->is_armed, false))
		return;
	while (waker_is_held(waker))
		sched_yield();
}

/* From any thread, after the work was stored: pays the wake-up that is owed. Negative errno. */
static inline int waker_wake(struct waker *waker)
{
	int error = 0;

	atomic_thread_fence(memory_order_seq_cst);
	if (!waker_is_armed(waker))
		return 0;
	/* Seen by who disarms and finds the wake-up taken. */
	waker_hold(waker);
	if (atomic_exchange(&waker->is_armed, false))
		error = event_fd_signal(waker->fd);
	waker_put(waker);
	return error;
}

#endif /* BASE_WAKER_H_ */
