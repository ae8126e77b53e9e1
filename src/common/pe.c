/* SPDX-License-Identifier: Apache-2.0 */
/* The progress engine: asks its contexts in turn, and wakes whoever waits for them. */
#include "common/pe.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/placement.h"
#include "common/ctx.h"
#include "common/plain_copy.h"
#include "common/sdk_log.h"

/* One call of progress never copies more. */
#define PROGRESS_BUDGET_BYTES ((size_t)2 << 20)
/* And never goes round more often, for the steps of graphs, of which no user is told. */
#define MAX_ROUNDS 64

static struct doca_ctx *ctx_of(struct list *link)
{
	return CONTAINER_OF(link, struct doca_ctx, pe_link);
}

static int handle_change(struct doca_pe *pe, int operation, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return epoll_ctl(pe->handle_fd, operation, fd, &event) == 0 ? 0 : -errno;
}

/* The handle and the waker's descriptor in it; negative errno, and nothing is left. */
static int handle_open(struct doca_pe *pe)
{
	int error;

	pe->waker.fd = event_fd_open();
	if (pe->waker.fd < 0)
		return pe->waker.fd;
	pe->handle_fd = epoll_create1(EPOLL_CLOEXEC);
	if (pe->handle_fd < 0) {
		error = -errno;
		goto close_waker;
	}
	error = handle_change(pe, EPOLL_CTL_ADD, pe->waker.fd, EPOLLIN);
	if (error == 0)
		return 0;
	close(pe->handle_fd);
close_waker:
	event_fd_close(pe->waker.fd);
	return error;
}

doca_error_t doca_pe_create(struct doca_pe **pe)
{
	struct doca_pe *created;
	int error;

	if (pe == NULL)
		return REFUSE_NULL("pe");
	created = calloc(1, sizeof(*created));
	if (created == NULL) {
		LOG_ERROR("no memory for a progress engine");
		return DOCA_ERROR_NO_MEMORY;
	}
	error = handle_open(created);
	if (error != 0) {
		errno = -error;
		LOG_ERROR("progress engine: no descriptors for its notification handle: %m");
		free(created);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	created->pid = getpid();
	list_init(&created->ctxs);
	*pe = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
	if (pe == NULL)
		return REFUSE_NULL("pe");
	if (!list_is_empty(&pe->ctxs)) {
		LOG_ERROR("progress engine %p refuses destroy: %s context %p is connected; destroy "
			  "its library's object first",
			  (void *)pe, ctx_of(pe->ctxs.next)->ops->name,
			  (void *)ctx_of(pe->ctxs.next));
		return DOCA_ERROR_IN_USE;
	}
	if (pe_is_in_callback(pe)) {
		LOG_ERROR("progress engine %p refuses destroy: one of its callbacks runs; destroy "
			  "it after doca_pe_progress has returned",
			  (void *)pe);
		return DOCA_ERROR_IN_USE;
	}
	/* The work is seen, its thread is a few instructions from being done with us. */
	while (waker_is_held(&pe->waker))
		sched_yield();
	close(pe->handle_fd);
	event_fd_close(pe->waker.fd);
	free(pe);
	return DOCA_SUCCESS;
}

static COLD uint8_t refuse_progress(const struct doca_pe *pe)
{
	LOG_ERROR("doca_pe_progress does nothing: %s",
		  pe == NULL ? "pe is NULL" : "it is called from a callback of the engine");
	return 0;
}

/* The next context's in the circle, maybe the same. */
static inline struct list *link_after(const struct doca_pe *pe, const struct list *link)
{
	return doca_likely(link->next != &pe->ctxs) ? link->next : pe->ctxs.next;
}

/*
 * Once round the circle, from that context, and again for what a graph has begun. The circle is
 * whole while no callback runs, and after one this returns.
 */
static OUT_OF_LINE uint8_t progress_all(struct doca_pe *pe, struct list *first)
{
	size_t budget_bytes = PROGRESS_BUDGET_BYTES;
	unsigned num_rounds = 0;

	pe->has_stepped = false;
	pe->next = first;
	for (;;) {
		struct list *link = pe->next;

		pe->next = link_after(pe, link);
		if (ctx_progress(ctx_of(link), &budget_bytes))
			return 1;
		if (pe->next != first)
			continue;
		if (!pe->has_stepped || ++num_rounds == MAX_ROUNDS)
			return 0;
		pe->has_stepped = false;
	}
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	struct list *link;
	struct doca_task *task;

	if (doca_unlikely(pe == NULL || pe_is_in_callback(pe)))
		return refuse_progress(pe);
	link = pe->next;
	if (doca_unlikely(link == NULL))
		return 0;
	task = plain_copy(ctx_of(link), PROGRESS_BUDGET_BYTES);
	if (doca_unlikely(task == NULL))
		return progress_all(pe, link);
	pe->next = link_after(pe, link);
	return plain_complete(ctx_of(link), task) ? 1 : progress_all(pe, pe->next);
}

doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (pe == NULL || ctx == NULL)
		return REFUSE_NULL(pe == NULL ? "pe" : "ctx");
	if (ctx->state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("%s context %p refuses to be connected: it is not idle; call "
			  "doca_pe_connect_ctx before doca_ctx_start",
			  ctx->ops->name, (void *)ctx);
		return DOCA_ERROR_BAD_STATE;
	}
	if (ctx->pe != NULL) {
		LOG_ERROR("%s context %p refuses progress engine %p: it is connected to %p until "
			  "it is destroyed",
			  ctx->ops->name, (void *)ctx, (void *)pe, (void *)ctx->pe);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	ctx->pe = pe;
	list_add_tail(&pe->ctxs, &ctx->pe_link);
	if (pe->next == NULL)
		pe->next = &ctx->pe_link;
	return DOCA_SUCCESS;
}

void pe_disconnect(struct doca_pe *pe, struct list *link)
{
	if (pe->next == link)
		pe->next = link_after(pe, link);
	list_remove(link);
	if (list_is_empty(&pe->ctxs))
		pe->next = NULL;
}

doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks)
{
	size_t sum = 0;

	if (pe == NULL || num_inflight_tasks == NULL)
		return REFUSE_NULL(pe == NULL ? "pe" : "num_inflight_tasks");
	list_for_each (link, &pe->ctxs)
		sum += ctx_of(link)->num_inflight;
	*num_inflight_tasks = sum;
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle)
{
	if (pe == NULL || handle == NULL)
		return REFUSE_NULL(pe == NULL ? "pe" : "handle");
	*handle = pe->handle_fd;
	return DOCA_SUCCESS;
}

static doca_error_t refuse_handle(const struct doca_pe *pe, const char *call, int error)
{
	errno = -error;
	LOG_ERROR("%s: notification handle %d of progress engine %p is unusable: %m", call,
		  pe->handle_fd, (const void *)pe);
	return DOCA_ERROR_OPERATING_SYSTEM;
}

/* Whether what contexts watch makes the handle readable. */
static int set_watching(struct doca_pe *pe, bool is_watching)
{
	int error = 0;

	if (pe->is_watching == is_watching)
		return 0;
	list_for_each (link, &pe->ctxs) {
		int fd = ctx_of(link)->watched_fd;

		if (fd >= 0 && error == 0)
			error = handle_change(pe, EPOLL_CTL_MOD, fd, is_watching ? EPOLLIN : 0);
	}
	pe->is_watching = is_watching;
	return error;
}

int pe_watch(struct doca_pe *pe, int fd)
{
	return handle_change(pe, EPOLL_CTL_ADD, fd, pe->is_watching ? EPOLLIN : 0);
}

void pe_unwatch(struct doca_pe *pe, int fd)
{
	/* A forked child has the same epoll: what its parent waits for is not taken out. */
	if (pe->pid == getpid())
		(void)handle_change(pe, EPOLL_CTL_DEL, fd, 0);
}

doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle)
{
	int error;

	if (pe == NULL)
		return REFUSE_NULL("pe");
	/* Whoever was woken by what a context watches is armed still. */
	waker_disarm(&pe->waker);
	error = set_watching(pe, false);
	if (error == 0)
		error = event_fd_drain(pe->waker.fd);
	return error == 0 ? DOCA_SUCCESS : refuse_handle(pe, __func__, error);
}

static bool has_work(const struct doca_pe *pe)
{
	list_for_each (link, &pe->ctxs)
		if (ctx_has_work(ctx_of(link)))
			return true;
	return false;
}

doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	int error = 0;

	if (pe == NULL)
		return REFUSE_NULL("pe");
	if (pe->event_mode == DOCA_PE_EVENT_MODE_PROGRESS_ALL)
		error = event_fd_drain(pe->waker.fd);
	if (error == 0)
		error = set_watching(pe, true);
	waker_arm(&pe->waker);
	if (has_work(pe)) {
		waker_disarm(&pe->waker);
		if (error == 0)
			error = event_fd_signal(pe->waker.fd);
	}
	return error == 0 ? DOCA_SUCCESS : refuse_handle(pe, __func__, error);
}

void pe_wake_slow(struct doca_pe *pe)
{
	int error = waker_wake(&pe->waker);

	if (error != 0)
		refuse_handle(pe, "wake-up", error);
}

doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode)
{
	if (pe == NULL)
		return REFUSE_NULL("pe");
	if (event_mode != DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE &&
	    event_mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL) {
		LOG_ERROR("progress engine %p refuses event mode %d: want "
			  "DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE or _ALL",
			  (void *)pe, (int)event_mode);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (pe_is_in_callback(pe)) {
		LOG_ERROR("progress engine %p refuses a new event mode: one of its callbacks runs; "
			  "call it after doca_pe_progress has returned",
			  (void *)pe);
		return DOCA_ERROR_BAD_STATE;
	}
	pe->event_mode = event_mode;
	return DOCA_SUCCESS;
}
