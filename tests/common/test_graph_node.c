/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes and dependencies: which are refused, circles above all. */
#include "support/graph_fixture.h"
#include "support/log_capture.h"

/* The linker sends calls of malloc() to the first, and knows the real one as the second. */
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);

/* The linker's wrapper has no other way to learn it. */
static bool next_malloc_fails;
static int num_mallocs_before; /* that do not fail */

void *__wrap_malloc(size_t size)
{
	if (!next_malloc_fails || num_mallocs_before-- > 0)
		return __real_malloc(size);
	num_mallocs_before = 0;
	next_malloc_fails = false;
	return NULL;
}

static void every_null_argument_is_refused(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *node = NULL;

	assert_doca(doca_graph_node_create_from_ctx(NULL, fixture->dma->ctx, &node),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_ctx(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_ctx(graph, fixture->dma->ctx, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_user(NULL, graph_record_call, &node),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_user(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_user(graph, graph_record_call, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_graph(NULL, graph, &node),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_graph(graph, NULL, &node),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_node_create_from_graph(graph, graph, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(node);
	node = graph_user_node(graph);
	assert_doca(doca_graph_add_dependency(NULL, node, node), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_add_dependency(graph, NULL, node), DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_graph_add_dependency(graph, node, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "to");
	graph_close(fixture);
}

static void no_memory_is_told_and_leaves_the_graph_as_it_was(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *node = NULL;
	struct doca_graph_node *other;

	next_malloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_node_create_from_ctx(graph, fixture->dma->ctx, &node),
		    DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for a context");
	num_mallocs_before = 1;
	next_malloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_node_create_from_ctx(graph, fixture->dma->ctx, &node),
		    DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for a node");
	assert_doca(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
	other = graph_ctx_node(fixture, graph);
	next_malloc_fails = true;
	assert_doca(doca_graph_node_create_from_ctx(graph, fixture->dma->ctx, &node),
		    DOCA_ERROR_NO_MEMORY);
	next_malloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_node_create_from_user(graph, graph_record_call, &node),
		    DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for a node");
	assert_null(node);

	node = graph_user_node(graph);
	next_malloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_add_dependency(graph, other, node), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for a dependency");
	graph_depend(graph, node, other);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	graph_close(fixture);
}

static void a_node_of_another_graph_is_refused(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *other = graph_add(fixture, 1);
	struct doca_graph_node *mine = graph_user_node(fixture->graph);
	struct doca_graph_node *foreign = graph_user_node(other);

	log_forget(state);
	assert_doca(doca_graph_add_dependency(fixture->graph, mine, foreign),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "one of them is another graph's");
	assert_doca(doca_graph_add_dependency(fixture->graph, foreign, mine),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_add_dependency(other, mine, mine), DOCA_ERROR_INVALID_VALUE);
	graph_remove(other);
	graph_close(fixture);
}

static void a_dependency_is_added_once(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *from[3];
	struct doca_graph_node *to[3];

	for (unsigned i = 0; i < 3; i++) {
		from[i] = graph_user_node(graph);
		to[i] = graph_user_node(graph);
	}
	for (unsigned i = 0; i < 9; i++)
		graph_depend(graph, from[i / 3], to[i % 3]);
	for (unsigned i = 0; i < 9; i++) {
		log_forget(state);
		assert_doca(doca_graph_add_dependency(graph, from[i / 3], to[i % 3]),
			    DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "it is there already");
	}
	graph_close(fixture);
}

static void a_node_cannot_depend_on_itself(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph_node *node = graph_user_node(fixture->graph);

	log_forget(state);
	assert_doca(doca_graph_add_dependency(fixture->graph, node, node),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "it closes a circle");
	graph_close(fixture);
}

static void a_circle_is_refused_however_long(void **state)
{
	enum { NUM_NODES = 1000 };
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *nodes[NUM_NODES];

	for (unsigned i = 0; i < NUM_NODES; i++) {
		nodes[i] = graph_user_node(graph);
		if (i > 0)
			graph_depend(graph, nodes[i - 1], nodes[i]);
	}
	for (unsigned i = 1; i < NUM_NODES; i++)
		assert_doca(doca_graph_add_dependency(graph, nodes[i], nodes[0]),
			    DOCA_ERROR_NOT_PERMITTED);
	/* What was refused left nothing behind. */
	graph_depend(graph, nodes[0], nodes[NUM_NODES - 1]);
	graph_depend(graph, nodes[500], nodes[502]);
	assert_doca(doca_graph_add_dependency(graph, nodes[502], nodes[500]),
		    DOCA_ERROR_NOT_PERMITTED);
	graph_close(fixture);
}

/* Every graph of four nodes, one dependency after the other: refused is what a table finds. */
static void every_small_graph_refuses_its_circles_alone(void **state)
{
	enum { NUM_NODES = 4 };
	struct graph_fixture *fixture = graph_open(1);

	for (unsigned seed = 0; seed < 2000; seed++) {
		struct doca_graph *graph = graph_add(fixture, 1);
		struct doca_graph_node *nodes[NUM_NODES];
		bool is_reached[NUM_NODES][NUM_NODES] = {{false}};
		bool is_there[NUM_NODES][NUM_NODES] = {{false}};
		unsigned random = seed * 2654435761U + 1;

		for (unsigned i = 0; i < NUM_NODES; i++) {
			nodes[i] = graph_user_node(graph);
			is_reached[i][i] = true;
		}
		for (unsigned i = 0; i < 16; i++) {
			unsigned from = (random = random * 1664525U + 1013904223U) >> 30;
			unsigned to = (random = random * 1664525U + 1013904223U) >> 30;
			doca_error_t wanted = is_there[from][to]     ? DOCA_ERROR_INVALID_VALUE
					      : is_reached[to][from] ? DOCA_ERROR_NOT_PERMITTED
								     : DOCA_SUCCESS;

			assert_doca(doca_graph_add_dependency(graph, nodes[from], nodes[to]),
				    wanted);
			if (wanted != DOCA_SUCCESS)
				continue;
			is_there[from][to] = true;
			for (unsigned j = 0; j < NUM_NODES * NUM_NODES; j++)
				if (is_reached[j / NUM_NODES][from] &&
				    is_reached[to][j % NUM_NODES])
					is_reached[j / NUM_NODES][j % NUM_NODES] = true;
		}
		graph_remove(graph);
	}
	graph_close(fixture);
}

/* Chains that grow from behind, and from both ends to the middle. */
static void dependencies_come_in_any_order(void **state)
{
	enum { NUM_NODES = 20000 };
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node **nodes = calloc(NUM_NODES, sizeof(*nodes));

	assert_non_null(nodes);
	for (unsigned i = 0; i < NUM_NODES; i++)
		nodes[i] = graph_user_node(graph);
	for (unsigned i = NUM_NODES / 2 - 1; i > 0; i--)
		graph_depend(graph, nodes[i - 1], nodes[i]);
	for (unsigned i = NUM_NODES / 2; i < NUM_NODES - 1; i += 2)
		graph_depend(graph, nodes[i], nodes[i + 1]);
	for (unsigned i = NUM_NODES / 2; i < NUM_NODES; i += 2)
		graph_depend(graph, nodes[i - 1], nodes[i]);
	assert_doca(doca_graph_add_dependency(graph, nodes[NUM_NODES - 1], nodes[0]),
		    DOCA_ERROR_NOT_PERMITTED);
	free(nodes);
	graph_close(fixture);
}

static void a_sub_graph_is_another_started_one_of_the_same_engine(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *sub = graph_add(fixture, 1);
	struct doca_graph *stranger = NULL;
	struct doca_graph_node *node = NULL;
	struct doca_pe *engine = NULL;

	assert_doca(doca_pe_create(&engine), DOCA_SUCCESS);
	assert_doca(doca_graph_create(engine, &stranger), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_node_create_from_graph(fixture->graph, stranger, &node),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "create both for one");
	log_forget(state);
	assert_doca(doca_graph_node_create_from_graph(fixture->graph, fixture->graph, &node),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "a graph cannot run itself");
	log_forget(state);
	assert_doca(doca_graph_node_create_from_graph(fixture->graph, sub, &node),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is not started; call doca_graph_start on that first");
	assert_null(node);
	graph_remove(stranger);
	graph_remove(sub);
	assert_doca(doca_pe_destroy(engine), DOCA_SUCCESS);
	graph_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_null_argument_is_refused),
		cmocka_unit_test(no_memory_is_told_and_leaves_the_graph_as_it_was),
		cmocka_unit_test(a_node_of_another_graph_is_refused),
		cmocka_unit_test(a_dependency_is_added_once),
		cmocka_unit_test(a_node_cannot_depend_on_itself),
		cmocka_unit_test(a_circle_is_refused_however_long),
		cmocka_unit_test(every_small_graph_refuses_its_circles_alone),
		cmocka_unit_test(dependencies_come_in_any_order),
		cmocka_unit_test(a_sub_graph_is_another_started_one_of_the_same_engine),
	};

	return cmocka_run_group_tests_name("graph_node", tests, log_capture_debug, NULL);
}
