/* SPDX-License-Identifier: Apache-2.0 */
/* A graph from create to destroy. */
#include "common/graph.h"

#include <stdlib.h>

#include "common/library.h"

static doca_error_t start_ctx(struct doca_ctx *ctx)
{
	return DOCA_SUCCESS;
}

/* It has no tasks of its own. */
static const struct ctx_ops graph_ctx_ops = {
	.name = "graph",
	.start = start_ctx,
	.progress = graph_progress,
	.has_work = graph_has_work,
};

doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
	struct doca_graph *created;

	if (pe == NULL || graph == NULL)
		return REFUSE_NULL(pe == NULL ? "pe" : "graph");
	created = doca__ctx_new(LOG_HERE, &graph_ctx_ops, NULL, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	list_init(&created->due);
	(void)doca_pe_connect_ctx(pe, &created->ctx);
	*graph = created;
	return DOCA_SUCCESS;
}

static void free_node(struct doca_graph_node *node)
{
	if (node->kind == GRAPH_NODE_GRAPH)
		node->sub_graph->num_nodes_of_it--;
	while (node->edges != NULL) {
		struct graph_edge *edge = node->edges;

		node->edges = edge->next;
		free(edge);
	}
	free(node);
}

doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
	if (graph == NULL)
		return REFUSE_NULL("graph");
	if (graph_is_started(graph)) {
		LOG_ERROR("graph %p refuses destroy: it is started; call doca_graph_stop first",
			  (void *)graph);
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->num_nodes_of_it != 0) {
		LOG_ERROR("graph %p refuses destroy: %u nodes of other graphs run it; destroy "
			  "those graphs first",
			  (void *)graph, graph->num_nodes_of_it);
		return DOCA_ERROR_BAD_STATE;
	}
	while (graph->nodes != NULL) {
		struct doca_graph_node *node = graph->nodes;

		graph->nodes = node->next;
		free_node(node);
	}
	while (graph->members != NULL) {
		struct graph_member *member = graph->members;

		graph->members = member->next;
		free(member);
	}
	doca__ctx_delete(&graph->ctx);
	return DOCA_SUCCESS;
}

doca_error_t graph_check_stopped(const struct doca_graph *graph, const char *what)
{
	if (!graph_is_started(graph))
		return DOCA_SUCCESS;
	LOG_ERROR("graph %p refuses %s: it is started; call doca_graph_stop first",
		  (const void *)graph, what);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_graph_set_conf(struct doca_graph *graph,
				 doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances)
{
	doca_error_t result;

	if (graph == NULL)
		return REFUSE_NULL("graph");
	if (graph_completion_cb == NULL || graph_error_cb == NULL)
		return REFUSE_NULL(graph_completion_cb == NULL ? "graph_completion_cb"
							       : "graph_error_cb");
	if (num_instances == 0) {
		LOG_ERROR("graph %p refuses 0 instances: want at least 1", (void *)graph);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = graph_check_stopped(graph, "a configuration");
	if (result != DOCA_SUCCESS)
		return result;
	graph->completion_cb = graph_completion_cb;
	graph->error_cb = graph_error_cb;
	graph->max_instances = num_instances;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data)
{
	doca_error_t result;

	if (graph == NULL)
		return REFUSE_NULL("graph");
	result = graph_check_stopped(graph, "user data");
	if (result == DOCA_SUCCESS)
		graph->user_data = user_data;
	return result;
}

doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data *user_data)
{
	if (graph == NULL || user_data == NULL)
		return REFUSE_NULL(graph == NULL ? "graph" : "user_data");
	*user_data = graph->user_data;
	return DOCA_SUCCESS;
}

static doca_error_t check_members(const struct doca_graph *graph)
{
	if (graph->members == NULL) {
		LOG_ERROR("graph %p refuses start: it has no node of a context; call "
			  "doca_graph_node_create_from_ctx first",
			  (const void *)graph);
		return DOCA_ERROR_BAD_STATE;
	}
	for (const struct graph_member *member = graph->members; member != NULL;
	     member = member->next) {
		const struct doca_ctx *ctx = member->ctx;

		if (ctx->state != DOCA_CTX_STATE_RUNNING) {
			LOG_ERROR("graph %p refuses start: its %s context %p is not running; call "
				  "doca_ctx_start first",
				  (const void *)graph, ctx->ops->name, (const void *)ctx);
			return DOCA_ERROR_BAD_STATE;
		}
		if (ctx->pe != graph->ctx.pe) {
			LOG_ERROR(
				"graph %p refuses start: its %s context %p is connected to "
				"progress engine %p, the graph was created for %p; use one engine "
				"for all",
				(const void *)graph, ctx->ops->name, (const void *)ctx,
				(const void *)ctx->pe, (const void *)graph->ctx.pe);
			return DOCA_ERROR_INVALID_VALUE;
		}
	}
	return DOCA_SUCCESS;
}

static doca_error_t check_sub_graphs(const struct doca_graph *graph)
{
	for (const struct doca_graph_node *node = graph->nodes; node != NULL; node = node->next) {
		if (node->kind == GRAPH_NODE_GRAPH && !graph_is_started(node->sub_graph)) {
			LOG_ERROR("graph %p refuses start: its sub-graph %p is not started; call "
				  "doca_graph_start on that first",
				  (const void *)graph, (const void *)node->sub_graph);
			return DOCA_ERROR_BAD_STATE;
		}
	}
	return DOCA_SUCCESS;
}

/* A sub-graph does not stop before those that run it. */
static void count_started(const struct doca_graph *graph, uint32_t difference)
{
	for (const struct doca_graph_node *node = graph->nodes; node != NULL; node = node->next)
		if (node->kind == GRAPH_NODE_GRAPH)
			node->sub_graph->num_started_with += difference;
}

doca_error_t doca_graph_start(struct doca_graph *graph)
{
	doca_error_t result;

	if (graph == NULL)
		return REFUSE_NULL("graph");
	if (graph_is_started(graph))
		return DOCA_SUCCESS;
	if (graph->max_instances == 0) {
		LOG_ERROR("graph %p refuses start: it has no configuration; call "
			  "doca_graph_set_conf first",
			  (void *)graph);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = check_members(graph);
	if (result == DOCA_SUCCESS)
		result = check_sub_graphs(graph);
	if (result != DOCA_SUCCESS)
		return result;
	if (doca_ctx_start(&graph->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_NO_MEMORY;
	count_started(graph, 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_stop(struct doca_graph *graph)
{
	if (graph == NULL)
		return REFUSE_NULL("graph");
	if (!graph_is_started(graph))
		return DOCA_SUCCESS;
	if (graph->num_instances != 0) {
		LOG_ERROR("graph %p refuses stop: it has %u instances; call "
			  "doca_graph_instance_destroy on each first",
			  (void *)graph, graph->num_instances);
		return DOCA_ERROR_IN_USE;
	}
	if (graph->num_started_with != 0) {
		LOG_ERROR("graph %p refuses stop: %u nodes of started graphs run it; stop those "
			  "graphs first",
			  (void *)graph, graph->num_started_with);
		return DOCA_ERROR_IN_USE;
	}
	count_started(graph, -1U);
	ctx_become_idle(&graph->ctx);
	return DOCA_SUCCESS;
}
