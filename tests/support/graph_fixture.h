/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of graphs share: a running DMA context, a graph over it, and what was called. */
#ifndef TESTS_SUPPORT_GRAPH_FIXTURE_H_
#define TESTS_SUPPORT_GRAPH_FIXTURE_H_

#include <doca_graph.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#define GRAPH_MAX_CALLS 64

/* A graph's user data points to its fixture, an instance's is its tag. */
struct graph_fixture {
	struct dma_fixture *dma;
	struct doca_graph *graph;
	size_t num_success;
	size_t num_error;
	uint64_t last_tag; /* of the instance that ended last */
	size_t num_calls;  /* of user nodes */
	uint64_t calls[GRAPH_MAX_CALLS];
};

/* What a user node is called with: it records its tag. */
struct graph_cookie {
	struct graph_fixture *fixture;
	uint64_t tag;
	doca_error_t result;
};

static inline void graph_record_success(struct doca_graph_instance *instance,
					union doca_data instance_user_data,
					union doca_data graph_user_data)
{
	struct graph_fixture *fixture = graph_user_data.ptr;

	fixture->num_success++;
	fixture->last_tag = instance_user_data.u64;
}

static inline void graph_record_error(struct doca_graph_instance *instance,
				      union doca_data instance_user_data,
				      union doca_data graph_user_data)
{
	struct graph_fixture *fixture = graph_user_data.ptr;

	fixture->num_error++;
	fixture->last_tag = instance_user_data.u64;
}

static inline doca_error_t graph_record_call(void *cookie)
{
	struct graph_cookie *call = cookie;

	if (call->fixture->num_calls < GRAPH_MAX_CALLS)
		call->fixture->calls[call->fixture->num_calls] = call->tag;
	call->fixture->num_calls++;
	return call->result;
}

/* Another graph of the fixture, configured for so many instances. */
static inline struct doca_graph *graph_add(struct graph_fixture *fixture, uint32_t num_instances)
{
	union doca_data user_data = {.ptr = fixture};
	struct doca_graph *graph = NULL;

	assert_doca(doca_graph_create(fixture->dma->pe, &graph), DOCA_SUCCESS);
	assert_doca(
		doca_graph_set_conf(graph, graph_record_success, graph_record_error, num_instances),
		DOCA_SUCCESS);
	assert_doca(doca_graph_set_user_data(graph, user_data), DOCA_SUCCESS);
	return graph;
}

/* Tasks and buffers stay for the test to free: the callbacks that would are never called. */
static inline struct graph_fixture *graph_open(uint32_t num_instances)
{
	struct graph_fixture *fixture = calloc(1, sizeof(*fixture));
	struct dma_options options = {.keeps_tasks = true};

	assert_non_null(fixture);
	fixture->dma = dma_open(&options);
	fixture->graph = graph_add(fixture, num_instances);
	return fixture;
}

static inline void graph_remove(struct doca_graph *graph)
{
	assert_doca(doca_graph_stop(graph), DOCA_SUCCESS);
	assert_doca(doca_graph_destroy(graph), DOCA_SUCCESS);
}

/* A graph that the test removed is NULL. */
static inline void graph_close(struct graph_fixture *fixture)
{
	if (fixture->graph != NULL)
		graph_remove(fixture->graph);
	assert_int_equal(fixture->dma->num_success + fixture->dma->num_error, 0);
	dma_close(fixture->dma);
	free(fixture);
}

static inline struct doca_graph_node *graph_ctx_node(struct graph_fixture *fixture,
						     struct doca_graph *graph)
{
	struct doca_graph_node *node = NULL;

	assert_doca(doca_graph_node_create_from_ctx(graph, fixture->dma->ctx, &node), DOCA_SUCCESS);
	return node;
}

static inline struct doca_graph_node *graph_user_node(struct doca_graph *graph)
{
	struct doca_graph_node *node = NULL;

	assert_doca(doca_graph_node_create_from_user(graph, graph_record_call, &node),
		    DOCA_SUCCESS);
	return node;
}

static inline struct doca_graph_node *graph_sub_node(struct doca_graph *graph,
						     struct doca_graph *sub_graph)
{
	struct doca_graph_node *node = NULL;

	assert_doca(doca_graph_node_create_from_graph(graph, sub_graph, &node), DOCA_SUCCESS);
	return node;
}

static inline struct doca_graph_instance *graph_instance(struct doca_graph *graph, uint64_t tag)
{
	union doca_data user_data = {.u64 = tag};
	struct doca_graph_instance *instance = NULL;

	assert_doca(doca_graph_instance_create(graph, &instance), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_user_data(instance, user_data), DOCA_SUCCESS);
	return instance;
}

static inline void graph_instance_remove(struct doca_graph_instance *instance)
{
	assert_doca(doca_graph_instance_destroy(instance), DOCA_SUCCESS);
}

static inline void graph_depend(struct doca_graph *graph, struct doca_graph_node *from,
				struct doca_graph_node *to)
{
	assert_doca(doca_graph_add_dependency(graph, from, to), DOCA_SUCCESS);
}

static inline void graph_set_task(struct doca_graph_instance *instance,
				  struct doca_graph_node *node, struct doca_task *task)
{
	assert_doca(doca_graph_instance_set_ctx_node_data(instance, node, task), DOCA_SUCCESS);
}

static inline void graph_set_cookie(struct doca_graph_instance *instance,
				    struct doca_graph_node *node, void *cookie)
{
	assert_doca(doca_graph_instance_set_user_node_data(instance, node, cookie), DOCA_SUCCESS);
}

static inline bool graph_has_ended(void *arg)
{
	const struct graph_fixture *fixture = arg;

	return fixture->num_success + fixture->num_error != 0;
}

/* Progress until an instance has ended, then forget it; true when it ended well. */
static inline bool graph_wait(struct graph_fixture *fixture)
{
	bool is_success;

	assert_true(pe_progress_until(fixture->dma->pe, graph_has_ended, fixture, TEST_DEADLINE_S));
	assert_int_equal(fixture->num_success + fixture->num_error, 1);
	is_success = fixture->num_success == 1;
	fixture->num_success = 0;
	fixture->num_error = 0;
	return is_success;
}

#endif /* TESTS_SUPPORT_GRAPH_FIXTURE_H_ */
