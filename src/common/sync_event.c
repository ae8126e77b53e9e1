/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event's life: created, told who sets it and who waits, started in one of two modes. */
#include "common/sync_event.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "common/buf.h"
#include "peer/peer.h"

#define VALUE_BYTES sizeof(uint64_t)

struct doca_sync_event *event_new(struct log_place place)
{
	struct doca_sync_event *made = doca__ctx_new(place, &event_ctx_ops, NULL, sizeof(*made));

	if (made == NULL)
		return NULL;
	event_tasks_init(made);
	list_init(&made->kept);
	made->pid = getpid();
	made->page_fd = -1;
	made->epoll_fd = -1;
	made->timer_fd = -1;
	return made;
}

void event_free(struct doca_sync_event *event)
{
	event_revoke(event);
	event_tasks_fini(event);
	for (size_t i = 0; i < EVENT_PARTS; i++)
		if (event->regions[i] != NULL)
			peer_close(event->regions[i]);
	if (event->page_fd >= 0)
		event_page_close(event);
	for (size_t i = 0; i < 2; i++)
		if (event->devs[i] != NULL)
			doca__dev_put(event->devs[i]);
	doca__ctx_delete(&event->ctx);
}

doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
	struct doca_sync_event *made;
	int error;

	if (event == NULL)
		return REFUSE_NULL("event");
	made = event_new(LOG_HERE);
	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	error = event_page_open(made);
	if (error != 0) {
		errno = -error;
		LOG_ERROR("no memory file or timer for a sync event: %m");
		event_free(made);
		return error == -ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_OPERATING_SYSTEM;
	}
	*event = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
	if (event == NULL)
		return REFUSE_NULL("event");
	if (event_is_running(event)) {
		LOG_ERROR("sync event %p refuses destroy: %s", (void *)event,
			  atomic_load(&event->is_started)
				  ? "it is started; call doca_sync_event_stop first"
				  : ctx_way_to_idle(&event->ctx));
		return DOCA_ERROR_BAD_STATE;
	}
	event_free(event);
	return DOCA_SUCCESS;
}

/* Whether a setter may still have its way. */
static doca_error_t check_setter(const char *call, const struct doca_sync_event *event)
{
	if (!event_is_running(event) && !event_is_imported(event))
		return DOCA_SUCCESS;
	LOG_ERROR("%s refused: sync event %p is %s", call, (const void *)event,
		  event_is_imported(event) ? "imported, and configured by its exporter"
					   : "started; call it before");
	return DOCA_ERROR_BAD_STATE;
}

static doca_error_t add_cpu(const char *call, struct doca_sync_event *event, struct doca_dev *dev,
			    uint32_t *locations, struct doca_dev **held)
{
	doca_error_t result = check_setter(call, event);

	if (result != DOCA_SUCCESS)
		return result;
	doca__dev_hold(dev);
	if (*held != NULL)
		doca__dev_put(*held);
	*held = dev;
	*locations |= EVENT_CPU;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event,
							struct doca_dev *dev)
{
	if (event == NULL || dev == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "dev");
	return add_cpu(__func__, event, dev, &event->publishers, &event->devs[0]);
}

doca_error_t doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event,
							 struct doca_dev *dev)
{
	if (event == NULL || dev == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "dev");
	return add_cpu(__func__, event, dev, &event->subscribers, &event->devs[1]);
}

static doca_error_t add_remote_pci(const char *call, struct doca_sync_event *event,
				   uint32_t *locations)
{
	doca_error_t result = check_setter(call, event);

	if (result == DOCA_SUCCESS)
		*locations |= EVENT_REMOTE_PCI;
	return result;
}

doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event)
{
	if (event == NULL)
		return REFUSE_NULL("event");
	return add_remote_pci(__func__, event, &event->publishers);
}

doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event)
{
	if (event == NULL)
		return REFUSE_NULL("event");
	return add_remote_pci(__func__, event, &event->subscribers);
}

static doca_error_t set_value_at(const char *call, struct doca_sync_event *event, void *addr)
{
	if ((uintptr_t)addr % VALUE_BYTES != 0) {
		LOG_ERROR("%s refused: %p is not a multiple of 8, so that no CPU changes 8 bytes "
			  "there at once; align them",
			  call, addr);
		return DOCA_ERROR_INVALID_VALUE;
	}
	event->value = addr;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr)
{
	doca_error_t result;

	if (event == NULL || addr == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "addr");
	result = check_setter(__func__, event);
	return result == DOCA_SUCCESS ? set_value_at(__func__, event, addr) : result;
}

/* The first rule that a buffer breaks. */
static doca_error_t check_buf(const struct doca_buf *buf, const char **why)
{
	const uint32_t wanted = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

	if (buf->refcount == 0 || mmap_of(buf_user(buf)) == NULL) {
		*why = "it was released, or its mmap stopped";
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (buf->is_inner || buf->piece.next != NULL) {
		*why = "it is in a list; take one that is alone";
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (buf->piece.data_len_bytes != VALUE_BYTES) {
		*why = "its data are not 8 bytes; call doca_buf_set_data";
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (piece_region(&buf->piece) != NULL) {
		*why = "its memory is another process's; that exports a sync event for it";
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if ((buf_user(buf)->access & wanted) != wanted) {
		*why = "its mmap lacks DOCA_ACCESS_FLAG_LOCAL_READ_WRITE or RDMA_ATOMIC";
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf)
{
	doca_error_t result;
	const char *why;

	if (event == NULL || buf == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "buf");
	result = check_setter(__func__, event);
	if (result != DOCA_SUCCESS)
		return result;
	result = check_buf(buf, &why);
	if (result != DOCA_SUCCESS) {
		LOG_ERROR("sync event %p refuses buffer %p: %s", (void *)event, (void *)buf, why);
		return result;
	}
	return set_value_at(__func__, event, buf->piece.data);
}

doca_error_t event_check_locations(const struct doca_sync_event *event)
{
	const uint32_t publishers = event->publishers;
	const uint32_t subscribers = event->subscribers;
	const char *why = NULL;

	if (event_is_imported(event))
		return DOCA_SUCCESS;
	if (publishers == 0)
		why = "no publisher; call doca_sync_event_add_publisher_location_cpu or "
		      "_remote_pci";
	else if (subscribers == 0)
		why = "no subscriber; call doca_sync_event_add_subscriber_location_cpu or "
		      "_remote_pci";
	else if ((publishers & (publishers - 1)) != 0 || (subscribers & (subscribers - 1)) != 0)
		why = "it has one publisher location and one subscriber location, not more";
	else if ((publishers & subscribers & EVENT_REMOTE_PCI) != 0)
		why = "one of publisher and subscriber is this CPU, not both remote";
	if (why == NULL)
		return DOCA_SUCCESS;
	LOG_ERROR("sync event %p refuses start: %s", (const void *)event, why);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
	doca_error_t result;

	if (event == NULL)
		return REFUSE_NULL("event");
	if (event_is_running(event) || event->pid != getpid()) {
		LOG_ERROR("sync event %p refuses start: it is %s", (void *)event,
			  event->ctx.state != DOCA_CTX_STATE_IDLE ? "a context that runs"
			  : event->pid != getpid()		  ? "of this process's parent"
								  : "started already");
		return DOCA_ERROR_BAD_STATE;
	}
	result = event_check_locations(event);
	if (result != DOCA_SUCCESS)
		return result;
	event->was_started = true;
	atomic_store(&event->is_started, true);
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
	if (event == NULL)
		return REFUSE_NULL("event");
	if (event->ctx.state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("sync event %p refuses stop: it is a context; call doca_ctx_stop",
			  (void *)event);
		return DOCA_ERROR_BAD_STATE;
	}
	atomic_store(&event->is_started, false);
	event_revoke(event);
	/* What other threads of the parent do, a child waits for in vain. */
	if (event->pid != getpid())
		return DOCA_SUCCESS;
	event_wake(event);
	while (atomic_load(&event->num_calls) != 0)
		sched_yield();
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event)
{
	if (event == NULL)
		return NULL;
	if (event->was_started) {
		LOG_ERROR("sync event %p is no context: it was started by doca_sync_event_start; "
			  "create another",
			  (void *)event);
		return NULL;
	}
	return &event->ctx;
}
