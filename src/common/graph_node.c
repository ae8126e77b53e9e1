/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a graph, and which depends on which. */
#include "common/graph.h"

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
	member->ctx = ctx;
	list_init(&member->waiting);
	member->next = graph->members;
	graph->members = member;
	return member;
}

doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx *ctx,
					     struct doca_graph_node **node)
{
	struct doca_graph_node like = {.kind = GRAPH_NODE_CTX};
	doca_error_t result;

	if (graph == NULL || ctx == NULL || node == NULL)
		return REFUSE_NULL(graph == NULL ? "graph" : ctx == NULL ? "ctx" : "node");
	result = graph_check_stopped(graph, "a node");
	if (result != DOCA_SUCCESS)
		return result;
	like.member = member_of(graph, ctx);
	if (like.member == NULL)
		return refuse_memory(graph, "a context");
	return add_node(graph, &like, node);
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

/* What can be reached from a node, one edge at a time. */
struct search {
	enum graph_way way;
	struct doca_graph_node *first; /* found, linked */
	struct doca_graph_node *last;
	struct doca_graph_node *at; /* whose edges are followed */
	struct graph_edge *edge;    /* the next of them */
};

/* False when the search of the other way was here. */
static bool search_find(struct search *search, struct doca_graph_node *node)
{
	const enum graph_way way = search->way;

	if (node->is_found[way])
		return true;
	node->is_found[way] = true;
	node->next_found[way] = NULL;
	if (search->last != NULL)
		search->last->next_found[way] = node;
	search->last = node;
	return !node->is_found[way == GRAPH_OUT ? GRAPH_IN : GRAPH_OUT];
}

static void search_begin(struct search *search, enum graph_way way, struct doca_graph_node *node)
{
	*search = (struct search){.way = way, .first = node, .at = node, .edge = node->edges[way]};
	(void)search_find(search, node);
}

static void search_end(struct search *search)
{
	for (struct doca_graph_node *node = search->first; node != NULL;
	     node = node->next_found[search->way])
		node->is_found[search->way] = false;
}

/* The next edge, which is behind the search then; NULL at the end. */
static struct graph_edge *search_next(struct search *search)
{
	struct graph_edge *edge;

	while (search->edge == NULL) {
		search->at = search->at->next_found[search->way];
		if (search->at == NULL)
			return NULL;
		search->edge = search->at->edges[search->way];
	}
	edge = search->edge;
	search->edge = edge->next[search->way];
	return edge;
}

/*
 * From can be reached from to. Both sides are searched in turn until one is at its end, so that
 * a part that is small costs little, however large the graph.
 */
static bool forms_circle(struct doca_graph_node *from, struct doca_graph_node *to)
{
	struct search searches[2];
	bool is_apart = from != to;
	struct graph_edge *edge;

	search_begin(&searches[0], GRAPH_OUT, to);
	search_begin(&searches[1], GRAPH_IN, from);
	for (unsigned turn = 0; is_apart; turn ^= 1) {
		edge = search_next(&searches[turn]);
		if (edge == NULL)
			break;
		is_apart = search_find(&searches[turn], edge->node[searches[turn].way]);
	}
	search_end(&searches[0]);
	search_end(&searches[1]);
	return !is_apart;
}

/* Looked for from both ends, as one of them may have thousands. */
static bool depends_already(const struct doca_graph_node *from, const struct doca_graph_node *to)
{
	const struct graph_edge *out = from->edges[GRAPH_OUT];
	const struct graph_edge *in = to->edges[GRAPH_IN];

	while (out != NULL && in != NULL) {
		if (out->node[GRAPH_OUT] == to || in->node[GRAPH_IN] == from)
			return true;
		out = out->next[GRAPH_OUT];
		in = in->next[GRAPH_IN];
	}
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
	*edge = (struct graph_edge){
		.node = {[GRAPH_OUT] = to, [GRAPH_IN] = from},
		.next = {[GRAPH_OUT] = from->edges[GRAPH_OUT], [GRAPH_IN] = to->edges[GRAPH_IN]},
	};
	from->edges[GRAPH_OUT] = edge;
	to->edges[GRAPH_IN] = edge;
	to->num_dependencies++;
	return DOCA_SUCCESS;
}
