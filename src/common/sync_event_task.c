/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a sync event: how many there are, what each is asked, whom it tells of its end. */
#include "common/sync_event.h"

#include <unistd.h>

#define MAX_TASKS 65536 /* of a kind */

/* Each kind's name, as in doca_sync_event_task_<name>_set_conf. */
#define KINDS(X)                                                                                   \
	X(get, EVENT_GET)                                                                          \
	X(notify_set, EVENT_NOTIFY_SET)                                                            \
	X(notify_add, EVENT_NOTIFY_ADD)                                                            \
	X(wait_eq, EVENT_WAIT_EQ)                                                                  \
	X(wait_neq, EVENT_WAIT_NEQ)

const char *event_kind_name(enum event_kind kind)
{
#define NAME(name, kind) [kind] = #name,
	static const char *const names[EVENT_NUM_KINDS] = {KINDS(NAME)};
#undef NAME

	return names[kind];
}

void event_tasks_init(struct doca_sync_event *event)
{
#define INIT(name, kind)                                                                           \
	event->tasks[kind].stride = sizeof(struct event_task);                                     \
	event->tasks[kind].set_conf = "doca_sync_event_task_" #name "_set_conf";
	KINDS(INIT)
#undef INIT
}

void event_tasks_fini(struct doca_sync_event *event)
{
	for (size_t i = 0; i < EVENT_NUM_KINDS; i++)
		doca__task_pool_fini(&event->tasks[i]);
}

/* 0, 1, 2, 4 or 8 bytes in a row, each whole. */
static bool is_mask(uint64_t mask)
{
	if (mask == 0 || mask == UINT64_MAX)
		return true;
	mask >>= __builtin_ctzll(mask) / 8 * 8;
	return mask == 0xff || mask == 0xffff || mask == 0xffffffff;
}

static doca_error_t refuse_task(const struct event_task *task, const char *why)
{
	LOG_ERROR("sync event %p: %s task %p refused: %s", (const void *)task->base.ctx,
		  event_kind_name(task->kind), (const void *)task, why);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t event_task_prepare(struct doca_task *base, bool is_strict)
{
	const struct event_task *task = (const struct event_task *)base;

	if ((task->kind == EVENT_GET || task->kind == EVENT_NOTIFY_ADD) && task->result == NULL)
		return refuse_task(task, "it has no place for the value; set its pointer first");
	if (event_task_waits(task) && !is_mask(task->mask))
		return refuse_task(task, "its mask is not 0, 1, 2, 4 or 8 bytes of 0xff in a row");
	base->op.status = DOCA_SUCCESS;
	return DOCA_SUCCESS;
}

void event_task_conclude(struct doca_task *base)
{
	const struct doca_sync_event *event = event_of(base->ctx);

	if (base->op.status != DOCA_SUCCESS && event->devs[0] != NULL &&
	    event->devs[0]->info.card->errors == SETTINGS_ERRORS_HARDWARE)
		base->op.status = DOCA_ERROR_IO_FAILED;
}

void event_task_complete(struct doca_task *base)
{
	struct event_task *task = (struct event_task *)base;
	const struct doca_sync_event *event = event_of(base->ctx);
	task_cb callback = task_callback(base);

	event_task_conclude(base);
	switch (task->kind) {
#define CALL(name, kind)                                                                           \
	case kind:                                                                                 \
		((doca_sync_event_task_##name##_completion_cb_t)callback)(                         \
			(struct doca_sync_event_task_##name *)task, base->user_data,               \
			event->ctx.user_data);                                                     \
		break;
		KINDS(CALL)
#undef CALL
	default:
		break;
	}
}

static doca_error_t set_conf(struct log_place place, struct doca_sync_event *event,
			     enum event_kind kind, task_cb completion_cb, task_cb error_cb,
			     uint32_t num_tasks)
{
	if (event == NULL)
		return doca__refuse_null(place, "event");
	if (event_is_running(event)) {
		LOG_ERROR_FROM(place, "%s refused: sync event %p is started; call it before",
			       place.func, (void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return doca__tasks_set_conf(place, &event->ctx, &event->tasks[kind], completion_cb,
				    error_cb, num_tasks > 0 ? num_tasks : 1, MAX_TASKS);
}

/* The task that request describes, for the caller. */
static doca_error_t alloc(struct log_place place, struct doca_sync_event *event,
			  const struct event_task *request, union doca_data user_data, void *task)
{
	struct doca_task *base;
	struct event_task *taken;
	doca_error_t result;

	if (event == NULL || task == NULL)
		return doca__refuse_null(place, event == NULL ? "event" : "task");
	if (event->pid != getpid()) {
		LOG_ERROR_FROM(place, "%s refused: sync event %p is of this process's parent",
			       place.func, (void *)event);
		return DOCA_ERROR_BAD_STATE;
	}
	result = tasks_take(place, &event->ctx, &event->tasks[request->kind], user_data, &base);
	if (result != DOCA_SUCCESS)
		return result;
	taken = (struct event_task *)base;
	taken->kind = request->kind;
	taken->value = request->value;
	taken->mask = request->mask;
	taken->result = request->result;
	*(struct event_task **)task = taken;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event,
						 uint64_t *ret_val_ptr, union doca_data user_data,
						 struct doca_sync_event_task_get **task)
{
	const struct event_task request = {.kind = EVENT_GET, .result = ret_val_ptr};

	return alloc(LOG_HERE, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_notify_set_alloc_init(
	struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
	struct doca_sync_event_task_notify_set **task)
{
	const struct event_task request = {.kind = EVENT_NOTIFY_SET, .value = set_val};

	return alloc(LOG_HERE, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_notify_add_alloc_init(
	struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
	union doca_data user_data, struct doca_sync_event_task_notify_add **task)
{
	const struct event_task request = {
		.kind = EVENT_NOTIFY_ADD, .value = inc_val, .result = fetched_val_ptr};

	return alloc(LOG_HERE, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event,
						     uint64_t wait_val, uint64_t mask,
						     union doca_data user_data,
						     struct doca_sync_event_task_wait_eq **task)
{
	const struct event_task request = {.kind = EVENT_WAIT_EQ, .value = wait_val, .mask = mask};

	return alloc(LOG_HERE, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event,
						      uint64_t wait_val, uint64_t mask,
						      union doca_data user_data,
						      struct doca_sync_event_task_wait_neq **task)
{
	const struct event_task request = {.kind = EVENT_WAIT_NEQ, .value = wait_val, .mask = mask};

	return alloc(LOG_HERE, event, &request, user_data, task);
}

/* What is alike for each kind: its capability, its configuration, its view as a task. */
#define DEFINE_KIND(name, kind)                                                                    \
	doca_error_t doca_sync_event_cap_task_##name##_is_supported(                               \
		const struct doca_devinfo *devinfo)                                                \
	{                                                                                          \
		return doca__devinfo_can(LOG_HERE, devinfo, EVENT_CAPABILITY);                     \
	}                                                                                          \
                                                                                                   \
	doca_error_t doca_sync_event_task_##name##_set_conf(                                       \
		struct doca_sync_event *event,                                                     \
		doca_sync_event_task_##name##_completion_cb_t completion_cb,                       \
		doca_sync_event_task_##name##_completion_cb_t error_cb, uint32_t num_tasks)        \
	{                                                                                          \
		return set_conf(LOG_HERE, event, kind, (task_cb)completion_cb, (task_cb)error_cb,  \
				num_tasks);                                                        \
	}                                                                                          \
                                                                                                   \
	struct doca_task *doca_sync_event_task_##name##_as_doca_task(                              \
		struct doca_sync_event_task_##name *task)                                          \
	{                                                                                          \
		return (struct doca_task *)task;                                                   \
	}

KINDS(DEFINE_KIND)

/* A kind's field: its setter and its getter. */
#define DEFINE_FIELD(name, field, type, member)                                                    \
	void doca_sync_event_task_##name##_set_##field(struct doca_sync_event_task_##name *task,   \
						       type field)                                 \
	{                                                                                          \
		if (task_may_set(LOG_HERE, (struct doca_task *)task))                              \
			((struct event_task *)task)->member = field;                               \
	}                                                                                          \
                                                                                                   \
	type doca_sync_event_task_##name##_get_##field(                                            \
		const struct doca_sync_event_task_##name *task)                                    \
	{                                                                                          \
		return task == NULL ? 0 : ((const struct event_task *)task)->member;               \
	}

DEFINE_FIELD(get, ret_val_ptr, uint64_t *, result)
DEFINE_FIELD(notify_set, set_val, uint64_t, value)
DEFINE_FIELD(notify_add, inc_val, uint64_t, value)
DEFINE_FIELD(notify_add, fetched_val_ptr, uint64_t *, result)
DEFINE_FIELD(wait_eq, wait_val, uint64_t, value)
DEFINE_FIELD(wait_eq, mask, uint64_t, mask)
DEFINE_FIELD(wait_neq, wait_val, uint64_t, value)
DEFINE_FIELD(wait_neq, mask, uint64_t, mask)
