/* SPDX-License-Identifier: Apache-2.0 */
/* The instances of a graph, and the data of their nodes. */
#include "common/graph.h"

#include <stdlib.h>

#include "common/sdk_log.h"

doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
					struct doca_graph_instance **graph_instance)
{
	struct doca_graph_instance *created;

	if (graph == NULL || graph_instance == NULL)
		return REFUSE_NULL(graph == NULL ? "graph" : "graph_instance");
	if (!graph_is_started(graph)) {
		LOG_ERROR("graph %p refuses an instance: it is not started; call doca_graph_start "
			  "first",
			  (const void *)graph);
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->num_instances == graph->max_instances) {
		LOG_DEBUG("graph %p has no instance left: all %u are there; call "
			  "doca_graph_instance_destroy, or configure more with "
			  "doca_graph_set_conf",
			  (const void *)graph, graph->max_instances);
		return DOCA_ERROR_NO_MEMORY;
	}
	created = calloc(1, sizeof(*created) + graph->num_nodes * sizeof(created->steps[0]));
	if (created == NULL) {
		LOG_ERROR("graph %p: no memory for an instance of %u nodes", (const void *)graph,
			  graph->num_nodes);
		return DOCA_ERROR_NO_MEMORY;
	}
	/* What an instance changes of its graph, counts and queues, is not what the caller holds
	 * const.
	 */
	created->graph = (struct doca_graph *)graph;
	created->graph->num_instances++;
	list_init(&created->check_link);
	list_init(&created->end.link);
	created->end.instance = created;
	for (const struct doca_graph_node *node = graph->nodes; node != NULL; node = node->next) {
		struct graph_step *step = &created->steps[node->index];

		list_init(&step->link);
		step->node = node;
		step->instance = created;
	}
	*graph_instance = created;
	return DOCA_SUCCESS;
}

/* No longer the data of that step, if it has any. */
static void let_go(const struct graph_step *step)
{
	if (step->node->kind == GRAPH_NODE_GRAPH && step->sub_instance != NULL)
		step->sub_instance->num_holders--;
}

doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance)
{
	if (graph_instance == NULL)
		return REFUSE_NULL("graph_instance");
	if (graph_instance->is_running || graph_instance->num_holders != 0) {
		LOG_ERROR("graph instance %p refuses destroy: it %s", (void *)graph_instance,
			  graph_instance->is_running
				  ? "runs; wait for its callback"
				  : "is the data of a node in another; destroy that first, or set "
				    "other data");
		return DOCA_ERROR_IN_USE;
	}
	for (uint32_t i = 0; i < graph_instance->graph->num_nodes; i++)
		let_go(&graph_instance->steps[i]);
	graph_instance->graph->num_instances--;
	free(graph_instance);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance,
					       union doca_data user_data)
{
	if (graph_instance == NULL)
		return REFUSE_NULL("graph_instance");
	if (graph_instance->is_running) {
		LOG_ERROR("graph instance %p refuses user data: it runs; wait for its callback",
			  (void *)graph_instance);
		return DOCA_ERROR_IN_USE;
	}
	graph_instance->user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_get_user_data(const struct doca_graph_instance *graph_instance,
					       union doca_data *user_data)
{
	if (graph_instance == NULL || user_data == NULL)
		return REFUSE_NULL(graph_instance == NULL ? "graph_instance" : "user_data");
	*user_data = graph_instance->user_data;
	return DOCA_SUCCESS;
}

static doca_error_t refuse_data(const struct doca_graph_instance *instance,
				const struct doca_graph_node *node, const char *rule)
{
	LOG_ERROR("graph instance %p refuses data for node %p: %s", (const void *)instance,
		  (const void *)node, rule);
	return DOCA_ERROR_NOT_PERMITTED;
}

/* The step of a node that may be given data of that kind. */
static doca_error_t find_step(struct doca_graph_instance *instance,
			      const struct doca_graph_node *node, enum graph_node_kind kind,
			      struct graph_step **step)
{
	if (instance == NULL || node == NULL)
		return REFUSE_NULL(instance == NULL ? "graph_instance" : "node");
	if (instance->is_running) {
		(void)refuse_data(instance, node, "it runs; wait for its callback");
		return DOCA_ERROR_BAD_STATE;
	}
	if (node->graph != instance->graph)
		return refuse_data(instance, node, "the node is of another graph");
	if (node->kind != kind)
		return refuse_data(
			instance, node,
			"it is of another kind; call doca_graph_instance_set_ctx_node_data, "
			"_set_user_node_data or _set_sub_graph_node_data, as it was created");
	instance->is_changed = true;
	*step = &instance->steps[node->index];
	return DOCA_SUCCESS;
}

static doca_error_t check_task(const struct graph_step *step, const struct doca_task *task)
{
	if (task->ctx != step->node->member->ctx)
		return refuse_data(step->instance, step->node,
				   "the task is of another context than the node");
	if (task->phase != TASK_OWNED)
		return refuse_data(step->instance, step->node,
				   "the task is freed, or submitted; set one that is allocated");
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance,
						   struct doca_graph_node *node,
						   struct doca_task *task)
{
	struct graph_step *step = NULL;
	doca_error_t result;

	if (task == NULL)
		return REFUSE_NULL("task");
	result = find_step(graph_instance, node, GRAPH_NODE_CTX, &step);
	if (result == DOCA_SUCCESS)
		result = check_task(step, task);
	if (result != DOCA_SUCCESS)
		return result;
	step->task = task;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance,
						    struct doca_graph_node *node, void *cookie)
{
	struct graph_step *step = NULL;
	doca_error_t result = find_step(graph_instance, node, GRAPH_NODE_USER, &step);

	if (result == DOCA_SUCCESS)
		step->cookie = cookie;
	return result;
}

static doca_error_t check_sub_instance(const struct graph_step *step,
				       const struct doca_graph_instance *sub)
{
	if (sub->graph != step->node->sub_graph)
		return refuse_data(step->instance, step->node,
				   "the sub-graph's instance is of another graph than the node");
	if (sub->is_running)
		return refuse_data(step->instance, step->node,
				   "the sub-graph's instance runs; wait for its callback");
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_sub_graph_node_data(
	struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
	struct doca_graph_instance *sub_graph_instance)
{
	struct graph_step *step = NULL;
	doca_error_t result;

	if (sub_graph_instance == NULL)
		return REFUSE_NULL("sub_graph_instance");
	result = find_step(graph_instance, node, GRAPH_NODE_GRAPH, &step);
	if (result == DOCA_SUCCESS)
		result = check_sub_instance(step, sub_graph_instance);
	if (result != DOCA_SUCCESS)
		return result;
	let_go(step);
	step->sub_instance = sub_graph_instance;
	sub_graph_instance->num_holders++;
	return DOCA_SUCCESS;
}
