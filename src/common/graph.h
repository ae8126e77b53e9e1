/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph, its nodes, and its instances, which have a step a node. All steps of an instance go
 * through queues by their link, so that nothing is allocated when it runs:
 *
 *     blocked --> ready --> task in flight ------------------+--> done, its successors may be ready
 *                   |  ^-- waiting for room in the context   |
 *                   +-----> due: the user's callback --------+
 *                   +-----> an instance of the sub-graph ----+
 */
#ifndef COMMON_GRAPH_H_
#define COMMON_GRAPH_H_

#include <doca_graph.h>

#include "common/ctx.h"

enum graph_node_kind {
	GRAPH_NODE_CTX,
	GRAPH_NODE_USER,
	GRAPH_NODE_GRAPH,
};

struct graph_edge {
	struct graph_edge *next; /* of the node that comes first, which owns it */
	struct doca_graph_node *to;
};

/* A context that a graph has nodes of. */
struct graph_member {
	struct graph_member *next;
	struct doca_ctx *ctx; /* borrowed; it stays as long as this */
	struct list ctx_link; /* in its graph_members */
	struct doca_graph *graph;
	struct list waiting; /* steps, until it has room */
	/*
	 * Each that waits was refused although there was room: for what its library knows alone,
	 * which wakes the engine once that has changed.
	 */
	bool is_refused;
};

struct doca_graph_node {
	struct doca_graph *graph;
	struct doca_graph_node *next; /* created before */
	enum graph_node_kind kind;
	uint32_t index; /* of its step in each instance */
	uint32_t num_dependencies;
	struct graph_edge *edges;	    /* to the nodes that depend on it */
	struct doca_graph_node *next_found; /* while a circle is looked for */
	bool is_found;
	union {
		struct graph_member *member;
		doca_graph_user_node_cb_t cb;
		struct doca_graph *sub_graph;
	};
};

struct doca_graph {
	struct doca_ctx ctx; /* first; its way into the progress engine, running while started */
	struct doca_graph_node *nodes; /* owned */
	struct graph_member *members;  /* owned */
	struct list due; /* steps whose callback comes next, ends of instances among them */
	uint32_t num_nodes;
	uint32_t num_nodes_of_it;  /* in other graphs */
	uint32_t num_started_with; /* the same, of graphs that are started */
	uint32_t max_instances;	   /* 0: there is no configuration */
	uint32_t num_instances;
	doca_graph_completion_cb_t completion_cb;
	doca_graph_completion_cb_t error_cb;
	union doca_data user_data;
};

struct graph_step {
	struct list link;		    /* in the one queue that the step is in, if any */
	const struct doca_graph_node *node; /* NULL: the end of its instance */
	struct doca_graph_instance *instance;
	uint32_t num_blockers; /* dependencies that are not done */
	uint32_t num_starts;   /* of the context, when it was given the task */
	uint32_t num_frees;    /* of the task, then */
	bool is_held;	       /* the task is TASK_HELD for it */
	union {
		void *data; /* whichever it is; a user's cookie */
		struct doca_task *task;
		struct doca_graph_instance *sub_instance;
	};
};

struct doca_graph_instance {
	struct doca_graph *graph;
	union doca_data user_data;
	bool is_running;
	doca_error_t status;	   /* of its first node that failed */
	size_t num_active;	   /* steps that are ready, waiting, due or in flight */
	struct graph_step *parent; /* that runs it; NULL: the user does */
	uint32_t num_holders;	   /* steps of others that have it for data */
	void *holder;		   /* one of them: a note of graph_check.c */
	bool is_changed;	   /* data was set since it was last looked for shared data */
	struct doca_graph_instance *next_listed; /* among those that a submit looks at */
	bool is_listed;
	struct graph_step end; /* due when all is done */
	struct graph_step steps[];
};

static inline bool graph_is_started(const struct doca_graph *graph)
{
	return graph->ctx.state != DOCA_CTX_STATE_IDLE;
}

/* BAD_STATE, and a line that says so, when a graph is started: nodes, dependencies and settings are
 * what they are. */
doca_error_t graph_check_stopped(const struct doca_graph *graph, const char *what);

/* No longer one of its graph. */
void graph_member_remove(struct graph_member *member);

/* The task that a step of a context was given is there still, and nobody uses it. */
bool graph_has_task(const struct graph_step *step);

/* Whether a step can run, as far as it is known at the submit or when it is about to. */
doca_error_t graph_check_step(struct graph_step *step, bool is_submit);

/* All steps of an instance, and of those of sub-graphs that begin with it. */
doca_error_t graph_check_instance(struct doca_graph_instance *instance);

/* A graph's own steps, for ctx_ops. */
bool graph_progress(struct doca_ctx *ctx);
bool graph_has_work(const struct doca_ctx *ctx);

#endif /* COMMON_GRAPH_H_ */
