/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a sync event: how it is changed, and how a thread waits for it. */
#include "common/sync_event.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/bell.h"
#include "base/memory_file.h"
#include "common/sdk_log.h"
#include "peer/mapped/mapped.h"

/* Looks in a row of a thread that spins, before it looks for what else may have happened. */
#define SPINS 1000

_Static_assert(offsetof(struct event_page, value) == 0, "an importer counts on it");
_Static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t) && ATOMIC_LLONG_LOCK_FREE == 2,
	       "processes share it");

int event_page_open(struct doca_sync_event *event)
{
	int fd = memory_file_create("softdoca-event", sizeof(struct event_page), MEMORY_FILE_SEALS);
	int error;

	if (fd < 0)
		return fd;
	event->page =
		mmap(NULL, sizeof(struct event_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (event->page == MAP_FAILED) {
		error = -errno;
		goto close_file;
	}
	event->bell_fd = bell_open();
	if (event->bell_fd < 0) {
		error = event->bell_fd;
		goto unmap;
	}
	event->page_fd = fd;
	event->value = &event->page->value;
	return 0;

unmap:
	munmap(event->page, sizeof(struct event_page));
close_file:
	close(fd);
	return error;
}

void event_page_close(struct doca_sync_event *event)
{
	munmap(event->page, sizeof(struct event_page));
	close(event->bell_fd);
	close(event->page_fd);
}

doca_error_t event_status(const struct doca_sync_event *event)
{
	return event_is_imported(event) ? mapped_status(event->regions[0]) : DOCA_SUCCESS;
}

const char *event_status_text(doca_error_t status)
{
	return status == DOCA_ERROR_SHUTDOWN ? "its exporter has stopped or destroyed it"
					     : "the process that exported it has ended";
}

static void wake_sleepers(struct doca_sync_event *event)
{
	atomic_fetch_add(&event->page->sequence, 1);
	(void)syscall(SYS_futex, &event->page->sequence, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void event_wake(struct doca_sync_event *event)
{
	wake_sleepers(event);
	bell_ring(event->bell_fd);
}

/* After each change of the value. */
static void announce(struct doca_sync_event *event)
{
	if (doca_unlikely(atomic_load(&event->page->num_sleepers) != 0))
		wake_sleepers(event);
	if (doca_unlikely(atomic_load(&event->page->num_armed) != 0))
		bell_ring(event->bell_fd);
}

void event_set(struct doca_sync_event *event, uint64_t value)
{
	atomic_store(event->value, value);
	announce(event);
}

uint64_t event_add(struct doca_sync_event *event, uint64_t value)
{
	uint64_t before = atomic_fetch_add(event->value, value);

	announce(event);
	return before;
}

static doca_error_t refuse_call(const char *call, const struct doca_sync_event *event)
{
	LOG_ERROR("%s refused: sync event %p is %s", call, (const void *)event,
		  event->pid != getpid() ? "of the process that this one was forked from; make "
					   "one, or import it, here"
		  : event->ctx.state != DOCA_CTX_STATE_IDLE
			  ? "a context; submit its tasks"
			  : "not started; call doca_sync_event_start first");
	return DOCA_ERROR_BAD_STATE;
}

/* A call of the stand-alone mode begins, which leave ends; stop waits for it. */
static doca_error_t enter(const char *call, struct doca_sync_event *event)
{
	doca_error_t result;

	atomic_fetch_add(&event->num_calls, 1);
	if (doca_likely(atomic_load(&event->is_started) && event->pid == getpid()))
		return DOCA_SUCCESS;
	result = refuse_call(call, event);
	atomic_fetch_sub(&event->num_calls, 1); /* a destroy waits for it: the last look */
	return result;
}

static doca_error_t leave(const char *call, struct doca_sync_event *event, doca_error_t result)
{
	if (doca_unlikely(result == DOCA_ERROR_SHUTDOWN && !atomic_load(&event->is_started)))
		LOG_ERROR("%s ends: sync event %p was stopped by another thread", call,
			  (void *)event);
	else if (doca_unlikely(result != DOCA_SUCCESS))
		LOG_ERROR("%s fails with %s: sync event %p: %s", call, doca_error_get_name(result),
			  (void *)event, event_status_text(result));
	atomic_fetch_sub(&event->num_calls, 1);
	return result;
}

doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
	doca_error_t result;

	if (event == NULL || value == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "value");
	result = enter(__func__, event);
	if (result != DOCA_SUCCESS)
		return result;
	result = event_status(event);
	if (result == DOCA_SUCCESS)
		*value = atomic_load(event->value);
	return leave(__func__, event, result);
}

doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value,
					uint64_t *fetched)
{
	doca_error_t result;

	if (event == NULL || fetched == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "fetched");
	result = enter(__func__, event);
	if (result != DOCA_SUCCESS)
		return result;
	result = event_status(event);
	if (result == DOCA_SUCCESS)
		*fetched = event_add(event, value);
	return leave(__func__, event, result);
}

doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value)
{
	doca_error_t result;

	if (event == NULL)
		return REFUSE_NULL("event");
	result = enter(__func__, event);
	if (result != DOCA_SUCCESS)
		return result;
	result = event_status(event);
	if (result == DOCA_SUCCESS)
		event_set(event, value);
	return leave(__func__, event, result);
}

/* What a thread waits for. */
struct want {
	struct doca_sync_event *event;
	enum event_condition condition;
	uint64_t threshold;
	uint64_t mask;
};

static bool is_met(const struct want *want)
{
	return event_holds(atomic_load(want->event->value), want->condition, want->threshold,
			   want->mask);
}

/* IN_PROGRESS: not yet. Others: the end. */
static doca_error_t look(const struct want *want)
{
	doca_error_t status;

	if (is_met(want))
		return DOCA_SUCCESS;
	if (!atomic_load(&want->event->is_started))
		return DOCA_ERROR_SHUTDOWN;
	status = event_status(want->event);
	return status == DOCA_SUCCESS ? DOCA_ERROR_IN_PROGRESS : status;
}

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Whoever shall change the value may need this CPU for it. */
static doca_error_t spin(const struct want *want)
{
	doca_error_t result;

	while ((result = look(want)) == DOCA_ERROR_IN_PROGRESS) {
		for (int i = 0; i < SPINS && !is_met(want); i++)
			relax();
		sched_yield();
	}
	return result;
}

static doca_error_t sleep_for(const struct want *want)
{
	const struct timespec timeout = {.tv_nsec = event_look_ns(want->event)};
	struct event_page *page = want->event->page;
	doca_error_t result;

	atomic_fetch_add(&page->num_sleepers, 1);
	for (;;) {
		uint32_t sequence = atomic_load(&page->sequence);

		result = look(want);
		if (result != DOCA_ERROR_IN_PROGRESS)
			break;
		(void)syscall(SYS_futex, &page->sequence, FUTEX_WAIT, sequence, &timeout, NULL, 0);
	}
	atomic_fetch_sub(&page->num_sleepers, 1);
	return result;
}

static doca_error_t wait_for(struct log_place place, const struct want *want,
			     doca_error_t (*way)(const struct want *want))
{
	doca_error_t result;

	if (want->event == NULL)
		return doca__refuse_null(place, "event");
	result = enter(place.func, want->event);
	if (result != DOCA_SUCCESS)
		return result;
	if (doca_likely(event_can_hold(want->condition, want->threshold, want->mask)))
		return leave(place.func, want->event, way(want));
	LOG_ERROR_FROM(place,
		       "%s refused: sync event %p, value 0x%" PRIx64 ", mask 0x%" PRIx64
		       ": " EVENT_NEVER_HOLDS,
		       place.func, (void *)want->event, want->threshold, want->mask);
	atomic_fetch_sub(&want->event->num_calls, 1);
	return DOCA_ERROR_INVALID_VALUE;
}

/* doca_sync_event_wait_gt and its like: the name's end, the condition, how the thread waits. */
#define WAIT(name, compared, way)                                                                  \
	doca_error_t doca_sync_event_wait_##name(struct doca_sync_event *event,                    \
						 uint64_t threshold, uint64_t mask)                \
	{                                                                                          \
		const struct want want = {event, compared, threshold, mask};                       \
                                                                                                   \
		return wait_for(LOG_HERE, &want, way);                                             \
	}

WAIT(gt, EVENT_GT, spin)
WAIT(gt_yield, EVENT_GT, sleep_for)
WAIT(eq, EVENT_EQ, spin)
WAIT(eq_yield, EVENT_EQ, sleep_for)
WAIT(neq, EVENT_NEQ, spin)
WAIT(neq_yield, EVENT_NEQ, sleep_for)
