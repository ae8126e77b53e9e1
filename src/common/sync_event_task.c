/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a sync event: how many there are, what each is asked, whom it tells of its end. */
#include "common/sync_event.h"

#include <inttypes.h>
#include <unistd.h>

#include "common/sdk_log.h"

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

static doca_error_t refuse_wait(const struct event_task *task, const char *why)
{
	LOG_ERROR("sync event %p: %s task %p refused: wait_val 0x%" PRIx64 ", mask 0x%" PRIx64
		  ": %s",
		  (const void *)task->base.ctx, event_kind_name(task->kind), (const void *)task,
		  task->value, task->mask, why);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t event_task_prepare(struct doca_task *base, bool is_strict)
{
	const struct event_task *task = (const struct event_task *)base;

	if ((task->kind == EVENT_GET || task->kind == EVENT_NOTIFY_ADD) && task->result == NULL)
		return refuse_task(task, "it has no place for the value; set its pointer first");
	if (event_task_waits(task) && !is_mask(task->mask))
		return refuse_wait(task, "the mask is not 0, 1, 2, 4 or 8 bytes of 0xff in a row");
	if (event_task_waits(task) &&
	    !event_can_hold(event_task_condition(task), task->value, task->mask))
		return refuse_wait(task, EVENT_NEVER_HOLDS);
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
	const struct event_tasks *tasks = &event->tasks[task->kind];
	void (*callback)(void) =
		base->op.status == DOCA_SUCCESS ? tasks->completion_cb : tasks->error_cb;

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

static doca_error_t set_conf(const char *call, struct doca_sync_event *event, enum event_kind kind,
			     void (*completion_cb)(void), void (*error_cb)(void),
			     uint32_t num_tasks)
{
	if (event == NULL || completion_cb == NULL || error_cb == NULL)
		return doca__refuse_null(__FILE__, __LINE__, call,
					 event == NULL		 ? "event"
					 : completion_cb == NULL ? "completion_cb"
								 : "error_cb");
	if (event_is_running(event)) {
		LOG_ERROR("%s refused: sync event %p is started; call it before", call,
			  (void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (num_tasks > MAX_TASKS) {
		LOG_ERROR("%s refused: %u tasks; want at most %d", call, num_tasks, MAX_TASKS);
		return DOCA_ERROR_INVALID_VALUE;
	}
	event->tasks[kind].completion_cb = completion_cb;
	event->tasks[kind].error_cb = error_cb;
	event->tasks[kind].num_tasks = num_tasks > 0 ? num_tasks : 1;
	return DOCA_SUCCESS;
}

/* The task that request describes, for the caller. */
static doca_error_t alloc(const char *call, struct doca_sync_event *event,
			  const struct event_task *request, union doca_data user_data, void *place)
{
	struct event_task *taken;

	if (event == NULL || place == NULL)
		return doca__refuse_null(__FILE__, __LINE__, call,
					 event == NULL ? "event" : "task");
	if (event->ctx.state != DOCA_CTX_STATE_RUNNING || event->pid != getpid()) {
		LOG_ERROR("%s refused: sync event %p is no running context; %s", call,
			  (void *)event,
			  event->pid != getpid() ? "it is of this process's parent"
			  : event->was_started	 ? "it is stand-alone, and can be no context any "
						   "more; create another for tasks"
			  : event->ctx.state == DOCA_CTX_STATE_IDLE ? "call doca_ctx_start first"
								    : ctx_way_to_idle(&event->ctx));
		return DOCA_ERROR_BAD_STATE;
	}
	if (event->tasks[request->kind].num_tasks == 0) {
		LOG_ERROR("%s refused: sync event %p was started without such tasks; call "
			  "doca_sync_event_task_%s_set_conf before doca_ctx_start",
			  call, (void *)event, event_kind_name(request->kind));
		return DOCA_ERROR_NO_MEMORY;
	}
	taken = (struct event_task *)task_pool_take(&event->tasks[request->kind].pool);
	if (taken == NULL) {
		LOG_DEBUG("sync event %p has no %s task left: all %u are out; call doca_task_free, "
			  "or configure more with doca_sync_event_task_%s_set_conf",
			  (void *)event, event_kind_name(request->kind),
			  event->tasks[request->kind].num_tasks, event_kind_name(request->kind));
		return DOCA_ERROR_NO_MEMORY;
	}
	event->ctx.num_allocated++;
	taken->base.user_data = user_data;
	taken->kind = request->kind;
	taken->value = request->value;
	taken->mask = request->mask;
	taken->result = request->result;
	*(struct event_task **)place = taken;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event,
						 uint64_t *ret_val_ptr, union doca_data user_data,
						 struct doca_sync_event_task_get **task)
{
	const struct event_task request = {.kind = EVENT_GET, .result = ret_val_ptr};

	return alloc(__func__, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_notify_set_alloc_init(
	struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
	struct doca_sync_event_task_notify_set **task)
{
	const struct event_task request = {.kind = EVENT_NOTIFY_SET, .value = set_val};

	return alloc(__func__, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_notify_add_alloc_init(
	struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
	union doca_data user_data, struct doca_sync_event_task_notify_add **task)
{
	const struct event_task request = {
		.kind = EVENT_NOTIFY_ADD, .value = inc_val, .result = fetched_val_ptr};

	return alloc(__func__, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event,
						     uint64_t wait_val, uint64_t mask,
						     union doca_data user_data,
						     struct doca_sync_event_task_wait_eq **task)
{
	const struct event_task request = {.kind = EVENT_WAIT_EQ, .value = wait_val, .mask = mask};

	return alloc(__func__, event, &request, user_data, task);
}

doca_error_t doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event,
						      uint64_t wait_val, uint64_t mask,
						      union doca_data user_data,
						      struct doca_sync_event_task_wait_neq **task)
{
	const struct event_task request = {.kind = EVENT_WAIT_NEQ, .value = wait_val, .mask = mask};

	return alloc(__func__, event, &request, user_data, task);
}

/* A task's fields are its owner's to set. */
static bool may_set(const void *task, const char *call)
{
	const struct event_task *found = task;

	if (found != NULL && found->base.phase == TASK_OWNED)
		return true;
	LOG_ERROR("%s does nothing: task %p is %s", call, task,
		  found == NULL			   ? "NULL"
		  : found->base.phase == TASK_FREE ? "freed"
						   : "submitted; wait for its callback");
	return false;
}

/* What is alike for each kind: its capability, its configuration, its view as a task. */
#define DEFINE_KIND(name, kind)                                                                    \
	doca_error_t doca_sync_event_cap_task_##name##_is_supported(                               \
		const struct doca_devinfo *devinfo)                                                \
	{                                                                                          \
		return event_answer(__func__, devinfo, true);                                      \
	}                                                                                          \
                                                                                                   \
	doca_error_t doca_sync_event_task_##name##_set_conf(                                       \
		struct doca_sync_event *event,                                                     \
		doca_sync_event_task_##name##_completion_cb_t completion_cb,                       \
		doca_sync_event_task_##name##_completion_cb_t error_cb, uint32_t num_tasks)        \
	{                                                                                          \
		return set_conf(__func__, event, kind, (void (*)(void))completion_cb,              \
				(void (*)(void))error_cb, num_tasks);                              \
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
		if (may_set(task, __func__))                                                       \
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
