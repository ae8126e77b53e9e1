/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wakes one thread that waits on an eventfd, and costs the others one load while it does not wait.
 * The waiter arms, then looks for work, and waits only when there is none; whoever brings work
 * makes it visible, then wakes. Both are sequentially consistent, so that one of them sees the
 * other.
 */
#ifndef BASE_WAKER_H_
#define BASE_WAKER_H_

#include <stdatomic.h>
#include <stdbool.h>

#include "base/fd.h"

struct waker {
	_Atomic bool is_armed;
	_Atomic unsigned num_held; /* by threads that are about to wake; its owner waits for them */
	int fd;			   /* an event_fd */
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

static inline void waker_disarm(struct waker *waker)
{
	atomic_store_explicit(&waker->is_armed, false, memory_order_relaxed);
}

/* From any thread, after the work was stored: pays the wake-up that is owed. Negative errno. */
static inline int waker_wake(struct waker *waker)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (!waker_is_armed(waker) || !atomic_exchange(&waker->is_armed, false))
		return 0;
	return event_fd_signal(waker->fd);
}

#endif /* BASE_WAKER_H_ */
