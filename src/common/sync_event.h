/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sync event: a number of 64 bits that processes set and wait for. Stand-alone, whose calls come
 * from any threads, or a context, whose tasks are one thread's.
 */
#ifndef COMMON_SYNC_EVENT_H_
#define COMMON_SYNC_EVENT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_sync_event.h>

#include "base/list.h"
#include "common/library.h"
#include "wire/event.h"

struct agent_region;
struct peer_region;

/*
 * What all share who use an event, in a memory file of its own. Who changes the value looks for
 * waiters behind that, who waits counts itself and then looks at the value, all of it sequentially
 * consistent: one of them sees the other. A waiter that was killed stays counted, which costs
 * setters a system call. A peer may write anything here: it delays a wake-up at most until the
 * waiter looks again by itself.
 */
struct event_page {
	_Atomic uint64_t value;
	_Atomic uint32_t sequence;     /* the futex of those who sleep, changed to wake them */
	_Atomic uint32_t num_sleepers; /* threads in doca_sync_event_wait_*_yield */
	_Atomic uint32_t num_armed;    /* contexts that want the bell */
};

/* How long nobody waits without a look, should a wake-up not come. */
#define EVENT_LOOK_NS 250000000
/* The same where others may store to the value, who wake nobody. */
#define EVENT_LOOK_OUTSIDE_NS 2000000

enum event_location {
	EVENT_CPU = 1 << 0,
	EVENT_REMOTE_PCI = 1 << 1,
};

enum event_condition {
	EVENT_GT,
	EVENT_EQ,
	EVENT_NEQ,
};

enum event_kind {
	EVENT_GET,
	EVENT_NOTIFY_SET,
	EVENT_NOTIFY_ADD,
	EVENT_WAIT_EQ,
	EVENT_WAIT_NEQ,
	EVENT_NUM_KINDS,
};

struct event_task {
	struct doca_task base;
	struct list link; /* in the event's kept, from submit until it can be done */
	enum event_kind kind;
	uint64_t value; /* to set, to add, to wait for */
	uint64_t mask;
	uint64_t *result; /* where the old value goes */
};

struct event_export {
	struct agent_region *regions[EVENT_PARTS]; /* the second may be NULL */
	size_t len_bytes;			   /* of the descriptor */
	uint8_t descriptor[EVENT_MAX_BYTES];
};

struct doca_sync_event {
	struct doca_ctx ctx; /* first */
	pid_t pid;	     /* whose it is: not a forked child's */
	bool was_started;    /* stand-alone, once at least */
	_Atomic bool is_started;
	_Atomic uint32_t num_calls; /* of the stand-alone mode, under way in any thread */

	_Atomic uint64_t *value; /* in the page, or where set_addr or set_doca_buf said */
	struct event_page *page;
	int page_fd; /* owned; -1 of an import */
	/*
	 * Owned, but of an import: its region's. A timer that the page's sharers have in their
	 * epolls, edge triggered, and set to ring: no sharer can make that wait, as it could with
	 * an eventfd.
	 */
	int bell_fd;
	struct peer_region *regions[EVENT_PARTS]; /* owned by an import; [0] is the page's */

	uint32_t publishers; /* mask of enum event_location */
	uint32_t subscribers;
	struct doca_dev *devs[2];    /* held; of publisher and subscriber, or of the import */
	struct event_export *export; /* owned; NULL: not exported */

	/* The context's. */
	struct task_pool tasks[EVENT_NUM_KINDS];
	struct list kept; /* in the order of submission */
	uint32_t num_waits;
	bool is_armed; /* counted in the page */
	int epoll_fd;  /* watched: the bell, and a timer to look again */
	int timer_fd;
};

static inline struct doca_sync_event *event_of(const struct doca_ctx *ctx)
{
	return (struct doca_sync_event *)(uintptr_t)ctx;
}

static inline bool event_is_imported(const struct doca_sync_event *event)
{
	return event->regions[0] != NULL;
}

static inline bool event_is_outside(const struct doca_sync_event *event)
{
	return event->value != &event->page->value;
}

static inline long event_look_ns(const struct doca_sync_event *event)
{
	return event_is_outside(event) ? EVENT_LOOK_OUTSIDE_NS : EVENT_LOOK_NS;
}

static inline bool event_holds(const struct doca_sync_event *event, enum event_condition condition,
			       uint64_t value, uint64_t mask)
{
	uint64_t found = atomic_load(event->value) & mask;

	switch (condition) {
	case EVENT_GT:
		return found > value;
	case EVENT_EQ:
		return found == value;
	case EVENT_NEQ:
		return found != value;
	}
	return false;
}

/* In one of the two modes. */
static inline bool event_is_running(const struct doca_sync_event *event)
{
	return atomic_load(&event->is_started) || event->ctx.state != DOCA_CTX_STATE_IDLE;
}

static inline bool event_task_waits(const struct event_task *task)
{
	return task->kind == EVENT_WAIT_EQ || task->kind == EVENT_WAIT_NEQ;
}

/* An event with neither memory nor locations; NULL: no memory. */
struct doca_sync_event *event_new(struct log_place place);

/* The end of one that is not running, or was not finished. */
void event_free(struct doca_sync_event *event);

/* A page of its own, with its bell; negative errno. */
int event_page_open(struct doca_sync_event *event);
void event_page_close(struct doca_sync_event *event);

/* Changes wake who waits. */
void event_set(struct doca_sync_event *event, uint64_t value);
uint64_t event_add(struct doca_sync_event *event, uint64_t value);
/* Whoever sleeps or is armed looks again. */
void event_wake(struct doca_sync_event *event);

/* What a function needs for each capability that sync events have. */
#define EVENT_CAPABILITY CARD_EXPORT_PCI

/* Whether the exporter of an import still has the event: else SHUTDOWN, CONNECTION_RESET. */
doca_error_t event_status(const struct doca_sync_event *event);
/* Such a status in words. */
const char *event_status_text(doca_error_t status);

/* Whether the locations are one publisher's and one subscriber's that go together. */
doca_error_t event_check_locations(const struct doca_sync_event *event);

/* No importer uses it any more, and none can. */
void event_revoke(struct doca_sync_event *event);

/* "wait_eq" */
const char *event_kind_name(enum event_kind kind);
doca_error_t event_task_prepare(struct doca_task *base, bool is_strict);
void event_task_complete(struct doca_task *base);
void event_task_conclude(struct doca_task *base);

extern const struct ctx_ops event_ctx_ops;
void event_tasks_init(struct doca_sync_event *event);
void event_tasks_fini(struct doca_sync_event *event);

#endif /* COMMON_SYNC_EVENT_H_ */
