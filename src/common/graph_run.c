/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How instances run. Whatever becomes ready goes into a list of the caller's, and run() starts it:
 * neither chains of nodes nor graphs of graphs make a recursion.
 */
#include "common/graph.h"

#include "common/pe.h"
#include "common/sdk_log.h"

static struct graph_step *take_step(struct list *steps)
{
	struct graph_step *step = CONTAINER_OF(steps->next, struct graph_step, link);

	list_remove(&step->link);
	return step;
}

/* The user's code comes next, when the graph progresses. */
static void make_due(struct graph_step *step)
{
	struct doca_graph *graph = step->instance->graph;

	list_add_tail(&graph->due, &step->link);
	pe_wake(graph->ctx.pe);
}

static void make_ready(struct graph_step *step, struct list *ready)
{
	step->instance->num_active++;
	list_add_tail(ready, &step->link);
}

/* A user's node tells nobody else; what a task or a sub-graph failed for has a line already. */
static void tell_failure(const struct graph_step *step, doca_error_t status)
{
	const struct doca_graph_node *node = step->node;
	const char *kind = "user";
	const void *what = step->data;

	if (node->kind == GRAPH_NODE_CTX) {
		kind = node->member->ctx->ops->name;
		what = node->member->ctx;
	} else if (node->kind == GRAPH_NODE_GRAPH) {
		kind = "sub-graph";
		what = node->sub_graph;
	}
	LOG_AT(node->kind == GRAPH_NODE_USER ? DOCA_LOG_LEVEL_ERROR : DOCA_LOG_LEVEL_WARNING,
	       "graph %p: instance %p fails: its %s node %p (%p) ended with %s",
	       (const void *)node->graph, (const void *)step->instance, kind, (const void *)node,
	       what, doca_error_get_name(status));
}

/* What has not started does not start: those steps that are in a queue. */
static void fail_instance(struct doca_graph_instance *instance, const struct graph_step *step,
			  doca_error_t status)
{
	tell_failure(step, status);
	instance->status = status;
	for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
		struct list *link = &instance->steps[i].link;

		if (!list_is_empty(link)) {
			list_remove(link);
			instance->num_active--;
		}
	}
}

static void release_successors(const struct graph_step *step, struct list *ready)
{
	for (const struct graph_edge *edge = step->node->edges; edge != NULL; edge = edge->next) {
		struct graph_step *next = &step->instance->steps[edge->to->index];

		if (--next->num_blockers == 0)
			make_ready(next, ready);
	}
}

/* The task is the caller's again. */
static void release_task(struct graph_step *step)
{
	if (step->is_held)
		step->task->phase = TASK_OWNED;
	step->is_held = false;
}

/* An instance is over. Of one that failed there may be tasks that were not run. */
static void end_instance(struct doca_graph_instance *instance)
{
	instance->is_running = false;
	if (instance->status == DOCA_SUCCESS)
		return;
	for (uint32_t i = 0; i < instance->graph->num_nodes; i++)
		release_task(&instance->steps[i]);
}

/* A step is over, and with it maybe its instance, the step that runs that, and so on. */
static void end_step(struct graph_step *step, doca_error_t status, struct list *ready)
{
	struct doca_graph_instance *instance;

	for (;; step = instance->parent, status = instance->status) {
		instance = step->instance;
		instance->num_active--;
		if (instance->status == DOCA_SUCCESS) {
			if (status == DOCA_SUCCESS)
				release_successors(step, ready);
			else
				fail_instance(instance, step, status);
		}
		if (instance->num_active != 0)
			return;
		if (instance->parent == NULL)
			break;
		end_instance(instance);
	}
	make_due(&instance->end);
}

static void begin_instance(struct doca_graph_instance *instance, struct graph_step *parent,
			   struct list *ready)
{
	instance->is_running = true;
	instance->status = DOCA_SUCCESS;
	instance->parent = parent;
	for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
		struct graph_step *step = &instance->steps[i];

		if (step->node->kind == GRAPH_NODE_CTX && step->task != NULL &&
		    graph_has_task(step)) {
			step->task->phase = TASK_HELD;
			step->is_held = true;
		}
		step->num_blockers = step->node->num_dependencies;
		if (step->num_blockers == 0)
			make_ready(step, ready);
	}
}

static void run(struct list *ready);

static void end_and_run(struct graph_step *step, doca_error_t status)
{
	struct list ready;

	list_init(&ready);
	end_step(step, status, &ready);
	run(&ready);
}

static void task_ended(struct doca_task *task)
{
	task->hook = NULL;
	task->ctx->pe->has_stepped = true;
	end_and_run(task->hook_data, task->op.status);
}

static doca_error_t submit_task(struct graph_step *step)
{
	struct doca_task *task = step->task;
	doca_error_t result;

	release_task(step);
	result = doca_task_submit(task);
	if (result == DOCA_SUCCESS) {
		task->hook = task_ended;
		task->hook_data = step;
		task->ctx->pe->has_stepped = true;
	} else if (result == DOCA_ERROR_AGAIN) {
		task->phase = TASK_HELD;
		step->is_held = true;
	} else {
		task->op.status = result;
	}
	return result;
}

/* Also one that does not run has room: for a refusal. */
static bool has_room(const struct graph_member *member)
{
	return member->ctx->num_inflight < member->ctx->queue_depth;
}

/* Behind those that wait already, so that none waits for ever. */
static doca_error_t start_task(struct graph_step *step)
{
	struct graph_member *member = step->node->member;
	bool is_first = list_is_empty(&member->waiting);
	doca_error_t result = is_first ? submit_task(step) : DOCA_ERROR_AGAIN;

	if (result != DOCA_ERROR_AGAIN)
		return result;
	member->is_refused = is_first && has_room(member);
	list_add_tail(&member->waiting, &step->link);
	return DOCA_SUCCESS;
}

static doca_error_t start_step(struct graph_step *step, struct list *ready)
{
	doca_error_t result = graph_check_step(step, false);

	if (result != DOCA_SUCCESS)
		return result;
	switch (step->node->kind) {
	case GRAPH_NODE_CTX:
		return start_task(step);
	case GRAPH_NODE_USER:
		make_due(step);
		break;
	case GRAPH_NODE_GRAPH:
		begin_instance(step->sub_instance, step, ready);
		break;
	}
	return DOCA_SUCCESS;
}

static void run(struct list *ready)
{
	while (!list_is_empty(ready)) {
		struct graph_step *step = take_step(ready);
		doca_error_t result = start_step(step, ready);

		if (result != DOCA_SUCCESS)
			end_step(step, result, ready);
	}
}

doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance)
{
	doca_error_t result;
	struct list ready;

	if (graph_instance == NULL)
		return REFUSE_NULL("graph_instance");
	if (graph_instance->is_running) {
		LOG_ERROR("graph instance %p refuses submit: it runs; wait for its callback",
			  (void *)graph_instance);
		return DOCA_ERROR_IN_USE;
	}
	result = graph_check_instance(graph_instance);
	if (result != DOCA_SUCCESS)
		return result;
	list_init(&ready);
	begin_instance(graph_instance, NULL, &ready);
	run(&ready);
	if (graph_instance->num_active != 0)
		return DOCA_SUCCESS;
	/* Nothing ends well before progress: nothing has run. */
	list_remove(&graph_instance->end.link);
	end_instance(graph_instance);
	return graph_instance->status;
}

/*
 * Submit what waits, until there is no more room. Not all may wait for the same: a message whose
 * receiver is full holds up none to another. They keep their order.
 */
static void retry(struct graph_member *member, struct list *ready)
{
	struct list again;

	list_init(&again);
	while (!list_is_empty(&member->waiting) && has_room(member)) {
		struct graph_step *step = take_step(&member->waiting);
		doca_error_t result = submit_task(step);

		if (result == DOCA_ERROR_AGAIN)
			list_add_tail(&again, &step->link);
		else if (result != DOCA_SUCCESS)
			end_step(step, result, ready);
	}
	member->is_refused = list_is_empty(&member->waiting);
	while (!list_is_empty(&again)) {
		struct list *last = again.prev;

		list_remove(last);
		list_add_tail(member->waiting.next, last);
	}
}

struct user_call {
	struct graph_step *step;
	doca_error_t status;
};

static void user_call_leave(struct user_call *call)
{
	end_and_run(call->step, call->status);
}

static void call_user(struct graph_step *step)
{
	/* What it is when a C++ exception leaves the callback. */
	struct user_call call
		__attribute__((cleanup(user_call_leave))) = {step, DOCA_ERROR_UNEXPECTED};

	CALLBACK_SCOPE(step->instance->graph->ctx.pe);
	call.status = step->node->cb(step->data);
}

/* The last touch: the callback may be the end of instance and graph. */
static void report(struct doca_graph_instance *instance)
{
	const struct doca_graph *graph = instance->graph;
	doca_graph_completion_cb_t callback =
		instance->status == DOCA_SUCCESS ? graph->completion_cb : graph->error_cb;

	end_instance(instance);
	CALLBACK_SCOPE(graph->ctx.pe);
	callback(instance, instance->user_data, graph->user_data);
}

bool graph_progress(struct doca_ctx *ctx)
{
	struct doca_graph *graph = (struct doca_graph *)ctx;
	struct graph_step *step;
	struct list ready;

	list_init(&ready);
	for (struct graph_member *member = graph->members; member != NULL; member = member->next)
		retry(member, &ready);
	run(&ready);
	if (list_is_empty(&graph->due))
		return false;
	step = take_step(&graph->due);
	if (step->node == NULL)
		report(step->instance);
	else
		call_user(step);
	return true;
}

bool graph_has_work(const struct doca_ctx *ctx)
{
	const struct doca_graph *graph = (const struct doca_graph *)ctx;

	for (const struct graph_member *member = graph->members; member != NULL;
	     member = member->next)
		if (!list_is_empty(&member->waiting) && !member->is_refused && has_room(member))
			return true;
	return !list_is_empty(&graph->due);
}
