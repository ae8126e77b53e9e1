/* SPDX-License-Identifier: Apache-2.0 */
/* A progress engine: the contexts it asks in turn, and the handle that wakes whoever waits. */
#ifndef COMMON_PE_H_
#define COMMON_PE_H_

#include <stdbool.h>
#include <sys/types.h>

#include <doca_pe.h>

#include "base/list.h"
#include "base/waker.h"

/*
 * The notification handle is an epoll descriptor with two kinds of content: the waker's eventfd,
 * and what contexts watch (sockets, timers), which counts from a request to the next clear alone.
 */
struct doca_pe {
	struct list ctxs; /* connected */
	struct list
		*next; /* the link of the context that progress asks next; NULL: there is none */
	struct waker waker;
	int handle_fd;		/* owned */
	pid_t pid;		/* whose it is: a forked child has the same handle */
	bool is_watching;	/* what contexts watch makes the handle readable */
	unsigned num_callbacks; /* of users, running now: they nest */
	bool has_stepped;	/* a graph did: a context that was asked may have work */
	enum doca_pe_event_mode event_mode;
};

/* A context leaves, by its link. */
void pe_disconnect(struct doca_pe *pe, struct list *link);

/* A context's descriptor counts from now on, until pe_unwatch; negative errno. */
int pe_watch(struct doca_pe *pe, int fd);
void pe_unwatch(struct doca_pe *pe, int fd);

/* There is work for progress: pays the wake-up if one is owed. */
void pe_wake_slow(struct doca_pe *pe);

/* In the engine's own thread; others call waker_wake. */
static inline void pe_wake(struct doca_pe *pe)
{
	if (waker_is_armed(&pe->waker))
		pe_wake_slow(pe);
}

static inline bool pe_is_in_callback(const struct doca_pe *pe)
{
	return pe->num_callbacks != 0;
}

/*
 * Mark that a user's callback runs, until the scope ends, also by a C++ exception that unwinds it:
 *
 *	CALLBACK_SCOPE(pe);
 *	cb(...);
 */
static inline struct doca_pe *pe_callback_enter(struct doca_pe *pe)
{
	pe->num_callbacks++;
	return pe;
}

static inline void pe_callback_leave(struct doca_pe **pe)
{
	(*pe)->num_callbacks--;
}

#define CALLBACK_SCOPE(pe)                                                                         \
	struct doca_pe *callback_scope __attribute__((cleanup(pe_callback_leave), unused)) =       \
		pe_callback_enter(pe)

#endif /* COMMON_PE_H_ */
