/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of sync events share: a device, an event, and what its tasks have told. */
#ifndef TESTS_SUPPORT_EVENT_FIXTURE_H_
#define TESTS_SUPPORT_EVENT_FIXTURE_H_

#include "support/test.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "support/process.h"

#define EVENT_MAX_TOLD 64
#define EVENT_NUM_TASKS 8 /* of each kind */
#define ALL_BITS UINT64_MAX

struct event_fixture {
	size_t num_fds; /* before it, to which a close comes back; 0 of an import */
	struct doca_dev *dev;
	struct doca_sync_event *event;
	struct doca_ctx *ctx; /* once it is one */
	struct doca_pe *pe;
	unsigned num_done;
	unsigned num_failed;
	uint64_t told[EVENT_MAX_TOLD]; /* the tasks' user data, in the order of their callbacks */
	doca_error_t last_status;
	bool keeps_tasks; /* the callbacks do not free them */
};

/* The first of the list is the DPU's, the last the host's. */
static inline struct doca_dev *event_open_dev(bool is_host)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_true(num_devs > 0);
	assert_doca(doca_dev_open(list[is_host ? num_devs - 1 : 0], &dev), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	return dev;
}

/* An event that this CPU sets and another process waits for; not started. */
static inline struct event_fixture *event_open(void)
{
	struct event_fixture *opened = calloc(1, sizeof(*opened));

	assert_non_null(opened);
	opened->num_fds = open_fds();
	opened->dev = event_open_dev(true);
	assert_doca(doca_sync_event_create(&opened->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_add_publisher_location_cpu(opened->event, opened->dev),
		    DOCA_SUCCESS);
	assert_doca(doca_sync_event_add_subscriber_location_remote_pci(opened->event),
		    DOCA_SUCCESS);
	return opened;
}

static inline struct event_fixture *event_open_started(void)
{
	struct event_fixture *opened = event_open();

	assert_doca(doca_sync_event_start(opened->event), DOCA_SUCCESS);
	return opened;
}

/*
 * An import of the exporter's event, by the other function; not started. The exporter may be in
 * this very process, which then has the descriptors of both: its close counts them.
 */
static inline struct event_fixture *event_import(const uint8_t *data, size_t len)
{
	struct event_fixture *opened = calloc(1, sizeof(*opened));

	assert_non_null(opened);
	opened->dev = event_open_dev(false);
	assert_doca(doca_sync_event_create_from_export(opened->dev, data, len, &opened->event),
		    DOCA_SUCCESS);
	return opened;
}

static inline void event_tell(struct doca_task *task, uint64_t tag, void *fixture, bool is_done)
{
	struct event_fixture *told = fixture;

	told->told[(told->num_done + told->num_failed) % EVENT_MAX_TOLD] = tag;
	told->num_done += is_done;
	told->num_failed += !is_done;
	told->last_status = doca_task_get_status(task);
	if (!told->keeps_tasks)
		doca_task_free(task);
}

#define EVENT_CALLBACKS(kind)                                                                      \
	static inline void event_##kind##_done(struct doca_sync_event_task_##kind *task,           \
					       union doca_data data, union doca_data fixture)      \
	{                                                                                          \
		event_tell(doca_sync_event_task_##kind##_as_doca_task(task), data.u64,             \
			   fixture.ptr, true);                                                     \
	}                                                                                          \
	static inline void event_##kind##_failed(struct doca_sync_event_task_##kind *task,         \
						 union doca_data data, union doca_data fixture)    \
	{                                                                                          \
		event_tell(doca_sync_event_task_##kind##_as_doca_task(task), data.u64,             \
			   fixture.ptr, false);                                                    \
	}

EVENT_CALLBACKS(get)
EVENT_CALLBACKS(notify_set)
EVENT_CALLBACKS(notify_add)
EVENT_CALLBACKS(wait_eq)
EVENT_CALLBACKS(wait_neq)

#define EVENT_SET_CONF(fixture, kind)                                                              \
	assert_doca(doca_sync_event_task_##kind##_set_conf((fixture)->event, event_##kind##_done,  \
							   event_##kind##_failed,                  \
							   EVENT_NUM_TASKS),                       \
		    DOCA_SUCCESS)

/* A context with tasks of all kinds; not started. */
static inline void event_make_ctx(struct event_fixture *fixture)
{
	fixture->ctx = doca_sync_event_as_ctx(fixture->event);
	assert_non_null(fixture->ctx);
	assert_doca(doca_pe_create(&fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(fixture->pe, fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(fixture->ctx, (union doca_data){.ptr = fixture}),
		    DOCA_SUCCESS);
	EVENT_SET_CONF(fixture, get);
	EVENT_SET_CONF(fixture, notify_set);
	EVENT_SET_CONF(fixture, notify_add);
	EVENT_SET_CONF(fixture, wait_eq);
	EVENT_SET_CONF(fixture, wait_neq);
}

static inline void event_start_ctx(struct event_fixture *fixture)
{
	event_make_ctx(fixture);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
}

static inline enum doca_ctx_states event_state(const struct event_fixture *fixture)
{
	enum doca_ctx_states state;

	assert_doca(doca_ctx_get_state(fixture->ctx, &state), DOCA_SUCCESS);
	return state;
}

/* As many as before: an exporter in this process closes an importer's socket a moment later. */
static inline void event_await_fds(size_t num_fds)
{
	const time_t last = time(NULL) + PROCESS_DEADLINE_S;

	while (open_fds() != num_fds && time(NULL) < last)
		sched_yield();
	assert_int_equal(open_fds(), num_fds);
}

/* Stops it in either mode, and leaves nothing. */
static inline void event_close(struct event_fixture *fixture)
{
	if (fixture->ctx != NULL) {
		(void)doca_ctx_stop(fixture->ctx);
		while (event_state(fixture) != DOCA_CTX_STATE_IDLE)
			(void)doca_pe_progress(fixture->pe);
	} else {
		assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	}
	assert_doca(doca_sync_event_destroy(fixture->event), DOCA_SUCCESS);
	if (fixture->pe != NULL)
		assert_doca(doca_pe_destroy(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
	if (fixture->num_fds != 0)
		event_await_fds(fixture->num_fds);
	free(fixture);
}

/* A task of the fixture's event, allocated and submitted. */
#define EVENT_SUBMIT(fixture, kind, tag, ...)                                                      \
	do {                                                                                       \
		struct doca_sync_event_task_##kind *submitted;                                     \
                                                                                                   \
		assert_doca(doca_sync_event_task_##kind##_alloc_init(                              \
				    (fixture)->event, __VA_ARGS__,                                 \
				    (union doca_data){.u64 = (tag)}, &submitted),                  \
			    DOCA_SUCCESS);                                                         \
		assert_doca(                                                                       \
			doca_task_submit(doca_sync_event_task_##kind##_as_doca_task(submitted)),   \
			DOCA_SUCCESS);                                                             \
	} while (0)

/* The descriptor of a started event. */
static inline const uint8_t *event_export(struct event_fixture *fixture, size_t *len)
{
	const uint8_t *data = NULL;

	assert_doca(doca_sync_event_export_to_remote_pci(fixture->event, fixture->dev, &data, len),
		    DOCA_SUCCESS);
	return data;
}

static inline uint64_t event_value(struct event_fixture *fixture)
{
	uint64_t value = 0;

	assert_doca(doca_sync_event_get(fixture->event, &value), DOCA_SUCCESS);
	return value;
}

static inline uint64_t event_now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif /* TESTS_SUPPORT_EVENT_FIXTURE_H_ */
