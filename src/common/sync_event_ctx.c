/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sync event as a context: its tasks are kept from their submit until doca_pe_progress finds that
 * they can be done, the oldest first; one that waits holds up no other.
 */
#include "common/sync_event.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/pe.h"

static struct event_task *task_at(struct list *link)
{
	return CONTAINER_OF(link, struct event_task, link);
}

static bool can_be_done(const struct doca_sync_event *event, const struct event_task *task)
{
	if (!event_task_waits(task))
		return true;
	return event_holds(event, task->kind == EVENT_WAIT_EQ ? EVENT_EQ : EVENT_NEQ, task->value,
			   task->mask);
}

/*
 * The task whose turn it is, and with what status; NULL: none. The oldest that can be done, or when
 * the exporter is gone the oldest; but what it had set before is what was waited for.
 */
static struct event_task *find_ready(struct doca_sync_event *event, doca_error_t *status)
{
	*status = event_status(event);
	list_for_each (link, &event->kept) {
		if (can_be_done(event, task_at(link)) &&
		    (*status == DOCA_SUCCESS || event_task_waits(task_at(link)))) {
			*status = DOCA_SUCCESS;
			return task_at(link);
		}
	}
	if (*status == DOCA_SUCCESS || list_is_empty(&event->kept))
		return NULL;
	return task_at(event->kept.next);
}

/*
 * Before a look that says whether to sleep: what rang before is forgotten, and from now on the bell
 * rings for this context while tasks wait. Whoever changes the value behind that look sees that it
 * is armed.
 */
static void arm(struct doca_sync_event *event)
{
	const struct itimerspec soon = {.it_value.tv_nsec = event_look_ns(event)};
	struct epoll_event events[2];

	if (event->num_waits != 0) {
		if (!event->is_armed)
			atomic_fetch_add(&event->page->num_armed, 1);
		event->is_armed = true;
		(void)timerfd_settime(event->timer_fd, 0, &soon, NULL);
	}
	(void)epoll_wait(event->epoll_fd, events, 2, 0);
}

static void disarm(struct doca_sync_event *event)
{
	static const struct itimerspec never;

	/* What a child shares with its parent is armed still. */
	if (event->is_armed && event->pid == getpid()) {
		atomic_fetch_sub(&event->page->num_armed, 1);
		(void)timerfd_settime(event->timer_fd, 0, &never, NULL);
	}
	event->is_armed = false;
}

/* Also asked by doca_pe_request_notification, once the engine watches. */
static bool event_has_work(const struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);
	doca_error_t status;

	if (ctx->pe->is_watching)
		arm(event);
	return find_ready(event, &status) != NULL;
}

static void event_keep(struct doca_task *base)
{
	struct event_task *task = (struct event_task *)base;
	struct doca_sync_event *event = event_of(base->ctx);

	list_add_tail(&event->kept, &task->link);
	event->num_waits += event_task_waits(task);
	if (doca_unlikely(waker_is_armed(&base->ctx->pe->waker)) && event_has_work(base->ctx))
		pe_wake(base->ctx->pe);
}

static void give_back(struct doca_sync_event *event, struct event_task *task, doca_error_t status)
{
	list_remove(&task->link);
	event->num_waits -= event_task_waits(task);
	if (event->num_waits == 0)
		disarm(event);
	doca__ctx_done(&task->base, status);
}

static void execute(struct doca_sync_event *event, const struct event_task *task)
{
	switch (task->kind) {
	case EVENT_GET:
		*task->result = atomic_load(event->value);
		break;
	case EVENT_NOTIFY_SET:
		event_set(event, task->value);
		break;
	case EVENT_NOTIFY_ADD:
		*task->result = event_add(event, task->value);
		break;
	default:
		break;
	}
}

/* One task, whose callback follows. */
static bool event_progress(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);
	struct event_task *task;
	doca_error_t status;

	if (event->is_armed && !ctx->pe->is_watching)
		disarm(event);
	task = find_ready(event, &status);
	if (task == NULL)
		return false;
	if (status == DOCA_SUCCESS)
		execute(event, task);
	else
		LOG_ERROR("sync event %p: %s task %p fails with %s: %s", (void *)event,
			  event_kind_name(task->kind), (void *)task, doca_error_get_name(status),
			  event_status_text(status));
	give_back(event, task, status);
	return false;
}

static int watch(struct doca_sync_event *event, int fd)
{
	struct epoll_event edge = {.events = EPOLLIN | EPOLLET};

	return epoll_ctl(event->epoll_fd, EPOLL_CTL_ADD, fd, &edge) == 0 ? 0 : -errno;
}

static int open_watch(struct doca_sync_event *event)
{
	int error;

	event->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (event->epoll_fd < 0)
		return -errno;
	event->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (event->timer_fd < 0)
		return -errno;
	error = watch(event, event->bell_fd);
	if (error == 0)
		error = watch(event, event->timer_fd);
	if (error == 0)
		error = doca__ctx_watch(&event->ctx, event->epoll_fd);
	return error;
}

/* Of open_watch, whole or not. */
static void close_watch(struct doca_sync_event *event)
{
	if (event->timer_fd >= 0)
		close(event->timer_fd);
	if (event->epoll_fd >= 0)
		close(event->epoll_fd);
	event->timer_fd = -1;
	event->epoll_fd = -1;
}

static doca_error_t open_pools(struct doca_sync_event *event)
{
	doca_error_t result = DOCA_SUCCESS;

	for (size_t i = 0; i < EVENT_NUM_KINDS && result == DOCA_SUCCESS; i++)
		if (event->tasks[i].num_configured > 0)
			result = doca__tasks_start(LOG_HERE, &event->ctx, &event->tasks[i]);
	return result;
}

static doca_error_t event_ctx_start(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);
	doca_error_t result;
	int error;

	if (event->was_started || event->pid != getpid()) {
		LOG_ERROR("sync event %p refuses doca_ctx_start: it %s", (void *)event,
			  event->was_started
				  ? "was started by doca_sync_event_start; create another"
				  : "is of this process's parent");
		return DOCA_ERROR_BAD_STATE;
	}
	result = event_check_locations(event);
	if (result == DOCA_SUCCESS)
		result = open_pools(event);
	if (result != DOCA_SUCCESS)
		return result;
	error = open_watch(event);
	if (error == 0)
		return DOCA_SUCCESS;
	close_watch(event);
	errno = -error;
	LOG_ERROR("sync event %p cannot start: no descriptors to watch it with: %m", (void *)event);
	return DOCA_ERROR_INITIALIZATION;
}

static void event_ctx_stop(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);
	doca_error_t status = event_status(event);

	event_revoke(event);
	while (!list_is_empty(&event->kept))
		give_back(event, task_at(event->kept.next),
			  status == DOCA_SUCCESS ? DOCA_ERROR_IO_FAILED : status);
}

static void event_ctx_idle(struct doca_ctx *ctx)
{
	event_revoke(event_of(ctx));
	close_watch(event_of(ctx));
}

const struct ctx_ops event_ctx_ops = {
	.name = "sync event",
	.start = event_ctx_start,
	.prepare = event_task_prepare,
	.keep = event_keep,
	.fails_whole = true, /* what fails one task fails all: the exporter is gone */
	.complete = event_task_complete,
	.conclude = event_task_conclude,
	.progress = event_progress,
	.has_work = event_has_work,
	.stop = event_ctx_stop,
	.idle = event_ctx_idle,
};
