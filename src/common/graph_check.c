/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of an instance before it runs: a submit that is refused has started nothing. */
#include "common/graph.h"

#include "common/sdk_log.h"

static doca_error_t refuse_step(const struct graph_step *step, const char *rule,
				doca_error_t result)
{
	LOG_ERROR("graph instance %p cannot run node %p: %s", (const void *)step->instance,
		  (const void *)step->node, rule);
	return result;
}

/* What a task's submit would refuse, as far as it can be known without doing it. */
static doca_error_t check_first_task(const struct graph_step *step)
{
	const struct doca_ctx *ctx = step->task->ctx;

	if (ctx->state != DOCA_CTX_STATE_RUNNING)
		return refuse_step(step, "its context is not running; call doca_ctx_start first",
				   DOCA_ERROR_BAD_STATE);
	return ctx->ops->is_done_when_prepared ? DOCA_SUCCESS
					       : ctx->ops->prepare(step->task, false);
}

/* Instances of sub-graphs that run at once are to be checked, too. */
static doca_error_t check_sub(struct graph_step *step, bool is_submit)
{
	struct doca_graph_instance *sub = step->sub_instance;

	if (sub->is_running)
		return refuse_step(step, "its sub-graph's instance runs", DOCA_ERROR_IN_USE);
	if (is_submit && step->node->num_dependencies == 0 && !sub->is_listed) {
		sub->is_listed = true;
		sub->next_listed = step->instance->next_listed;
		step->instance->next_listed = sub;
	}
	return DOCA_SUCCESS;
}

bool graph_has_task(const struct graph_step *step)
{
	/* In this order: a task of an earlier start is not looked at. */
	return step->num_starts == step->node->member->ctx->num_starts &&
	       step->num_frees == step->task->num_frees && step->task->phase == TASK_OWNED;
}

doca_error_t graph_check_step(struct graph_step *step, bool is_submit)
{
	if (step->node->kind == GRAPH_NODE_USER)
		return DOCA_SUCCESS;
	if (step->data == NULL)
		return refuse_step(step,
				   "it has no data; call doca_graph_instance_set_ctx_node_data "
				   "or _set_sub_graph_node_data first",
				   DOCA_ERROR_INVALID_VALUE);
	if (step->node->kind == GRAPH_NODE_GRAPH)
		return check_sub(step, is_submit);
	if (is_submit ? !graph_has_task(step) : !step->is_held)
		return refuse_step(step,
				   "its task was freed since it was set, or is submitted, or in "
				   "another instance that runs; call "
				   "doca_graph_instance_set_ctx_node_data with one that is not",
				   DOCA_ERROR_BAD_STATE);
	if (is_submit && step->node->num_dependencies == 0)
		return check_first_task(step);
	return DOCA_SUCCESS;
}

/* Where what a step runs has room to note the step; without a hook a task's is free. */
static void **note_of(const struct graph_step *step)
{
	switch (step->node->kind) {
	case GRAPH_NODE_CTX:
		return &step->task->hook_data;
	case GRAPH_NODE_GRAPH:
		return &step->sub_instance->holder;
	case GRAPH_NODE_USER:
		break;
	}
	return NULL;
}

/* What two steps have could not run for both: each notes itself, then finds the note or another. */
static doca_error_t check_shared(struct doca_graph_instance *instance)
{
	const uint32_t num_steps = instance->graph->num_nodes;

	for (uint32_t i = 0; i < num_steps; i++) {
		void **note = note_of(&instance->steps[i]);

		if (note != NULL)
			*note = &instance->steps[i];
	}
	for (uint32_t i = 0; i < num_steps; i++) {
		void **note = note_of(&instance->steps[i]);

		if (note != NULL && *note != &instance->steps[i])
			return refuse_step(&instance->steps[i],
					   "another node has the same task or instance; set one "
					   "for each",
					   DOCA_ERROR_INVALID_VALUE);
	}
	instance->is_changed = false;
	return DOCA_SUCCESS;
}

static doca_error_t check_steps(struct doca_graph_instance *instance)
{
	doca_error_t result = DOCA_SUCCESS;

	for (uint32_t i = 0; i < instance->graph->num_nodes && result == DOCA_SUCCESS; i++)
		result = graph_check_step(&instance->steps[i], true);
	if (result == DOCA_SUCCESS && instance->is_changed)
		result = check_shared(instance);
	return result;
}

doca_error_t graph_check_instance(struct doca_graph_instance *instance)
{
	doca_error_t result = DOCA_SUCCESS;
	struct doca_graph_instance *next;

	instance->is_listed = true;
	for (next = instance; next != NULL && result == DOCA_SUCCESS; next = next->next_listed)
		result = check_steps(next);
	for (; instance != NULL; instance = next) {
		next = instance->next_listed;
		instance->next_listed = NULL;
		instance->is_listed = false;
	}
	return result;
}
