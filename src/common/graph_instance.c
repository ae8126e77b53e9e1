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

/* What is wrong with data for a node, which is what a node of that kind runs; or NULL. */
static const char *find_fault(const struct doca_graph_instance *instance,
			      const struct doca_graph_node *node, enum graph_node_kind kind,
			      const void *data)
{
	const struct doca_graph_instance *sub = data;
	const struct doca_task *task = data;

	if (node->graph != instance->graph)
		return "the node is of another graph";
	if (node->kind != kind)
		return "it is of another kind; call doca_graph_instance_set_ctx_node_data, "
		       "_set_user_node_data or _set_sub_graph_node_data, as it was created";
	if (kind == GRAPH_NODE_CTX && task->ctx != node->member->ctx)
		return "the task is of another context than the node";
	if (kind == GRAPH_NODE_CTX && task->phase != TASK_OWNED)
		return "the task is freed, or submitted; set one that is allocated";
	if (kind == GRAPH_NODE_GRAPH && sub->graph != node->sub_graph)
		return "the sub-graph's instance is of another graph than the node";
	if (kind == GRAPH_NODE_GRAPH && sub->is_running)
		return "the sub-graph's instance runs; wait for its callback";
	return NULL;
}

static doca_error_t set_data(struct log_place place, struct doca_graph_instance *instance,
			     const struct doca_graph_node *node, enum graph_node_kind kind,
			     void *data)
{
	struct graph_step *step;
	const char *fault;

	if (instance == NULL || node == NULL || (data == NULL && kind != GRAPH_NODE_USER))
		return doca__refuse_null(place, instance == NULL ? "graph_instance"
						: node == NULL	 ? "node"
								 : "the node's data");
	fault = instance->is_running ? "it runs; wait for its callback"
				     : find_fault(instance, node, kind, data);
	if (fault != NULL) {
		LOG_ERROR_FROM(place, "graph instance %p refuses data for node %p: %s",
			       (void *)instance, (const void *)node, fault);
		return instance->is_running ? DOCA_ERROR_BAD_STATE : DOCA_ERROR_NOT_PERMITTED;
	}
	step = &instance->steps[node->index];
	let_go(step);
	step->data = data;
	if (kind == GRAPH_NODE_GRAPH)
		step->sub_instance->num_holders++;
	instance->is_changed = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance,
						   struct doca_graph_node *node,
						   struct doca_task *task)
{
	return set_data(LOG_HERE, graph_instance, node, GRAPH_NODE_CTX, task);
}

doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance,
						    struct doca_graph_node *node, void *cookie)
{
	return set_data(LOG_HERE, graph_instance, node, GRAPH_NODE_USER, cookie);
}

doca_error_t doca_graph_instance_set_sub_graph_node_data(
	struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
	struct doca_graph_instance *sub_graph_instance)
{
	return set_data(LOG_HERE, graph_instance, node, GRAPH_NODE_GRAPH, sub_graph_instance);
}
