/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a graph, and which depends on which. */
#include "common/graph.h"

#include <assert.h>
#include <stdlib.h>

#include "common/sdk_log.h"

static doca_error_t refuse_memory(const struct doca_graph *graph, const char *what)
{
	LOG_ERROR("graph %p: no memory for %s", (const void *)graph, what);
	return DOCA_ERROR_NO_MEMORY;
}

/* A node of the graph, like that one but for what the graph makes of it. */
static doca_error_t add_node(struct doca_graph *graph, const struct doca_graph_node *like,
			     struct doca_graph_node **node)
{
	struct doca_graph_node *added = malloc(sizeof(*added));

	if (added == NULL)
		return refuse_memory(graph, "a node");
	*added = *like;
	added->graph = graph;
	added->index = graph->num_nodes++;
	added->next = graph->nodes;
	graph->nodes = added;
	*node = added;
	return DOCA_SUCCESS;
}

/* The graph's record of a context, made when it is the first; NULL: no memory. */
static struct graph_member *member_of(struct doca_graph *graph, const struct doca_ctx *ctx)
{
	struct graph_member *member;

	for (member = graph->members; member != NULL; member = member->next)
		if (member->ctx == ctx)
			return member;
	member = malloc(sizeof(*member));
	if (member == NULL)
		return NULL;
	/* What a graph changes of its context is not what the caller holds const. */
	member->ctx = (struct doca_ctx *)ctx;
	member->graph = graph;
	list_add_tail(&member->ctx->graph_members, &member->ctx_link);
	list_init(&member->waiting);
	member->is_refused = false;
	member->next = graph->members;
	graph->members = member;
	return member;
}

/* The first of its graph, where the newest is. */
void graph_member_remove(struct graph_member *member)
{
	assert(member->graph->members == member);
	member->graph->members = member->next;
	list_remove(&member->ctx_link);
	free(member);
}

doca_error_t ctx_check_graphs(struct log_place place, const struct doca_ctx *ctx)
{
	const struct graph_member *member;

	if (list_is_empty(&ctx->graph_members))
		return DOCA_SUCCESS;
	member = CONTAINER_OF(ctx->graph_members.next, struct graph_member, ctx_link);
	LOG_ERROR_FROM(place,
		       "%s context %p refuses destroy: graph %p has nodes of it; call "
		       "doca_graph_destroy first",
		       ctx->ops->name, (const void *)ctx, (void *)member->graph);
	return DOCA_ERROR_IN_USE;
}

doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx *ctx,
					     struct doca_graph_node **node)
{
	struct doca_graph_node like = {.kind = GRAPH_NODE_CTX};
	struct graph_member *newest;
	doca_error_t result;

	if (graph == NULL || ctx == NULL || node == NULL)
		return REFUSE_NULL(graph == NULL ? "graph" : ctx == NULL ? "ctx" : "node");
	result = graph_check_stopped(graph, "a node");
	if (result != DOCA_SUCCESS)
		return result;
	newest = graph->members;
	like.member = member_of(graph, ctx);
	if (like.member == NULL)
		return refuse_memory(graph, "a context");
	result = add_node(graph, &like, node);
	if (result != DOCA_SUCCESS && graph->members != newest)
		graph_member_remove(graph->members);
	return result;
}

doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
					      doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node)
{
	struct doca_graph_node like = {.kind = GRAPH_NODE_USER, .cb = cb};
	doca_error_t result;

	if (graph == NULL || cb == NULL || node == NULL)
		return REFUSE_NULL(graph == NULL ? "graph" : cb == NULL ? "cb" : "node");
	result = graph_check_stopped(graph, "a node");
	if (result != DOCA_SUCCESS)
		return result;
	return add_node(graph, &like, node);
}

static doca_error_t check_sub_graph(const struct doca_graph *graph,
				    const struct doca_graph *sub_graph)
{
	if (sub_graph == graph) {
		LOG_ERROR("graph %p refuses a node: a graph cannot run itself; use another",
			  (const void *)graph);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (sub_graph->ctx.pe != graph->ctx.pe) {
		LOG_ERROR("graph %p refuses a node: it was created for progress engine %p, "
			  "sub-graph %p for %p; create both for one",
			  (const void *)graph, (const void *)graph->ctx.pe, (const void *)sub_graph,
			  (const void *)sub_graph->ctx.pe);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!graph_is_started(sub_graph)) {
		LOG_ERROR("graph %p refuses a node: sub-graph %p is not started; call "
			  "doca_graph_start on that first",
			  (const void *)graph, (const void *)sub_graph);
		return DOCA_ERROR_BAD_STATE;
	}
	return graph_check_stopped(graph, "a node");
}

doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
					       struct doca_graph *sub_graph,
					       struct doca_graph_node **node)
{
	struct doca_graph_node like = {.kind = GRAPH_NODE_GRAPH, .sub_graph = sub_graph};
	doca_error_t result;

	if (graph == NULL || sub_graph == NULL || node == NULL)
		return REFUSE_NULL(graph == NULL       ? "graph"
				   : sub_graph == NULL ? "sub_graph"
						       : "node");
	result = check_sub_graph(graph, sub_graph);
	if (result == DOCA_SUCCESS)
		result = add_node(graph, &like, node);
	if (result == DOCA_SUCCESS)
		sub_graph->num_nodes_of_it++;
	return result;
}

/*
 * From can be reached from to. What begins nowhere, or leads nowhere yet, closes no circle: a graph
 * that grows at its ends is never searched.
 */
static bool forms_circle(const struct doca_graph_node *from, struct doca_graph_node *to)
{
	struct doca_graph_node *last = to;
	bool is_found = from == to;

	if (from->num_dependencies == 0 || to->edges == NULL)
		return is_found;
	to->is_found = true;
	to->next_found = NULL;
	for (struct doca_graph_node *node = to; node != NULL && !is_found;
	     node = node->next_found) {
		for (struct graph_edge *edge = node->edges; edge != NULL; edge = edge->next) {
			if (edge->to == from)
				is_found = true;
			if (edge->to->is_found)
				continue;
			edge->to->is_found = true;
			edge->to->next_found = NULL;
			last->next_found = edge->to;
			last = edge->to;
		}
	}
	for (struct doca_graph_node *node = to; node != NULL; node = node->next_found)
		node->is_found = false;
	return is_found;
}

static bool depends_already(const struct doca_graph_node *from, const struct doca_graph_node *to)
{
	if (to->num_dependencies != 0)
		for (const struct graph_edge *edge = from->edges; edge != NULL; edge = edge->next)
			if (edge->to == to)
				return true;
	return false;
}

static doca_error_t check_dependency(const struct doca_graph *graph, struct doca_graph_node *from,
				     struct doca_graph_node *to)
{
	const char *rule = NULL;
	doca_error_t result = graph_check_stopped(graph, "a dependency");

	if (result != DOCA_SUCCESS)
		return result;
	if (from->graph != graph || to->graph != graph) {
		result = DOCA_ERROR_INVALID_VALUE;
		rule = "one of them is another graph's; use nodes of one";
	} else if (depends_already(from, to)) {
		result = DOCA_ERROR_INVALID_VALUE;
		rule = "it is there already; add it once";
	} else if (forms_circle(from, to)) {
		result = DOCA_ERROR_NOT_PERMITTED;
		rule = "it closes a circle, none of whose nodes could start; leave one of its "
		       "dependencies out";
	}
	if (rule != NULL)
		LOG_ERROR("graph %p refuses a dependency from node %p to node %p: %s",
			  (const void *)graph, (void *)from, (void *)to, rule);
	return result;
}

doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from,
				       struct doca_graph_node *to)
{
	struct graph_edge *edge;
	doca_error_t result;

	if (graph == NULL || from == NULL || to == NULL)
		return REFUSE_NULL(graph == NULL ? "graph" : from == NULL ? "from" : "to");
	result = check_dependency(graph, from, to);
	if (result != DOCA_SUCCESS)
		return result;
	edge = malloc(sizeof(*edge));
	if (edge == NULL)
		return refuse_memory(graph, "a dependency");
	edge->to = to;
	edge->next = from->edges;
	from->edges = edge;
	to->num_dependencies++;
	return DOCA_SUCCESS;
}
