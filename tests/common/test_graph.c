/* SPDX-License-Identifier: Apache-2.0 */
/* A graph from create to destroy: what it wants before it starts, what keeps it from stopping. */
#include "support/graph_fixture.h"
#include "support/log_capture.h"

#include "support/fail_calloc.h"

static void every_null_argument_is_refused(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	union doca_data user_data = {.u64 = 0};
	struct doca_graph *graph = NULL;

	assert_doca(doca_graph_create(NULL, &graph), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_create(fixture->dma->pe, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_set_conf(NULL, graph_record_success, graph_record_error, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_set_conf(fixture->graph, NULL, graph_record_error, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_set_conf(fixture->graph, graph_record_success, NULL, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_set_user_data(NULL, user_data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_get_user_data(NULL, &user_data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_get_user_data(fixture->graph, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_start(NULL), DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_graph_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "graph");
	assert_null(graph);
	graph_close(fixture);
}

static void user_data_is_what_was_set_last(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	union doca_data user_data = {.u64 = 7};
	struct doca_graph *graph = NULL;

	assert_doca(doca_graph_create(fixture->dma->pe, &graph), DOCA_SUCCESS);
	assert_doca(doca_graph_get_user_data(graph, &user_data), DOCA_SUCCESS);
	assert_int_equal(user_data.u64, 0);
	user_data.u64 = 11;
	assert_doca(doca_graph_set_user_data(graph, user_data), DOCA_SUCCESS);
	user_data.u64 = 0;
	assert_doca(doca_graph_get_user_data(graph, &user_data), DOCA_SUCCESS);
	assert_int_equal(user_data.u64, 11);
	graph_remove(graph);
	graph_close(fixture);
}

static void create_and_start_tell_that_there_is_no_memory(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = NULL;

	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_create(fixture->dma->pe, &graph), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for one more graph context");
	assert_null(graph);

	graph_ctx_node(fixture, fixture->graph);
	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_start(fixture->graph), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for its queues");
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	graph_close(fixture);
}

static void start_wants_a_configuration(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = NULL;

	assert_doca(doca_graph_create(fixture->dma->pe, &graph), DOCA_SUCCESS);
	graph_ctx_node(fixture, graph);
	log_forget(state);
	assert_doca(doca_graph_start(graph), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "call doca_graph_set_conf first");
	graph_remove(graph);
	graph_close(fixture);
}

static void start_wants_a_node_of_a_context(void **state)
{
	struct graph_fixture *fixture = graph_open(1);

	log_forget(state);
	assert_doca(doca_graph_start(fixture->graph), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "it has no node of a context");
	graph_user_node(fixture->graph);
	assert_doca(doca_graph_start(fixture->graph), DOCA_ERROR_BAD_STATE);
	graph_ctx_node(fixture, fixture->graph);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	graph_close(fixture);
}

static void start_wants_contexts_that_run(void **state)
{
	struct graph_fixture *fixture = graph_open(1);

	graph_ctx_node(fixture, fixture->graph);
	assert_doca(doca_ctx_stop(fixture->dma->ctx), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_start(fixture->graph), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is not running; call doca_ctx_start first");
	assert_doca(doca_ctx_start(fixture->dma->ctx), DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	graph_close(fixture);
}

static void start_wants_one_engine_for_all(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = NULL;
	struct doca_pe *other = NULL;

	assert_doca(doca_pe_create(&other), DOCA_SUCCESS);
	assert_doca(doca_graph_create(other, &graph), DOCA_SUCCESS);
	assert_doca(doca_graph_set_conf(graph, graph_record_success, graph_record_error, 1),
		    DOCA_SUCCESS);
	graph_ctx_node(fixture, graph);
	log_forget(state);
	assert_doca(doca_graph_start(graph), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "use one engine for all");
	log_forget(state);
	assert_doca(doca_pe_destroy(other), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "graph context");
	graph_remove(graph);
	assert_doca(doca_pe_destroy(other), DOCA_SUCCESS);
	graph_close(fixture);
}

static void a_started_graph_is_not_changed(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	union doca_data user_data = {.u64 = 0};
	struct doca_graph_node *first = graph_ctx_node(fixture, fixture->graph);
	struct doca_graph_node *second = graph_ctx_node(fixture, fixture->graph);
	struct doca_graph *sub = graph_add(fixture, 1);
	struct doca_graph_node *node = NULL;

	graph_ctx_node(fixture, sub);
	assert_doca(doca_graph_start(sub), DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	assert_doca(
		doca_graph_set_conf(fixture->graph, graph_record_success, graph_record_error, 2),
		DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_set_user_data(fixture->graph, user_data), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_node_create_from_ctx(fixture->graph, fixture->dma->ctx, &node),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_node_create_from_user(fixture->graph, graph_record_call, &node),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_node_create_from_graph(fixture->graph, sub, &node),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_add_dependency(fixture->graph, first, second), DOCA_ERROR_BAD_STATE);
	log_forget(state);
	assert_doca(doca_graph_destroy(fixture->graph), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "call doca_graph_stop first");
	assert_null(node);
	graph_remove(sub);
	graph_close(fixture);
}

static void set_conf_wants_an_instance(void **state)
{
	struct graph_fixture *fixture = graph_open(1);

	log_forget(state);
	assert_doca(
		doca_graph_set_conf(fixture->graph, graph_record_success, graph_record_error, 0),
		DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "refuses 0 instances");
	graph_close(fixture);
}

static void stop_wants_every_instance_destroyed(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph_instance *instance;

	graph_ctx_node(fixture, fixture->graph);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	log_forget(state);
	assert_doca(doca_graph_stop(fixture->graph), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "it has 1 instances");
	graph_instance_remove(instance);
	assert_doca(doca_graph_stop(fixture->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_stop(fixture->graph), DOCA_SUCCESS);
	graph_close(fixture);
}

static void a_sub_graph_outlasts_the_graphs_that_run_it(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *sub = graph_add(fixture, 1);

	graph_ctx_node(fixture, sub);
	graph_ctx_node(fixture, fixture->graph);
	assert_doca(doca_graph_start(sub), DOCA_SUCCESS);
	graph_sub_node(fixture->graph, sub);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_stop(sub), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "nodes of started graphs run it");
	assert_doca(doca_graph_stop(fixture->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_stop(sub), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_destroy(sub), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "nodes of other graphs run it");

	log_forget(state);
	assert_doca(doca_graph_start(fixture->graph), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is not started; call doca_graph_start on that first");
	assert_doca(doca_graph_destroy(fixture->graph), DOCA_SUCCESS);
	fixture->graph = NULL;
	assert_doca(doca_graph_destroy(sub), DOCA_SUCCESS);
	graph_close(fixture);
}

static void circles_of_graphs_never_start(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *outer = fixture->graph;
	struct doca_graph *inner = graph_add(fixture, 1);
	struct doca_graph_node *node = NULL;

	graph_ctx_node(fixture, inner);
	graph_ctx_node(fixture, outer);
	assert_doca(doca_graph_start(inner), DOCA_SUCCESS);
	graph_sub_node(outer, inner);
	/* Only while the outer one is started, and then the inner one cannot be changed. */
	assert_doca(doca_graph_start(outer), DOCA_SUCCESS);
	assert_doca(doca_graph_node_create_from_graph(inner, outer, &node), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_stop(inner), DOCA_ERROR_IN_USE);
	assert_doca(doca_graph_stop(outer), DOCA_SUCCESS);
	assert_doca(doca_graph_stop(inner), DOCA_SUCCESS);
	assert_doca(doca_graph_node_create_from_graph(inner, outer, &node), DOCA_ERROR_BAD_STATE);
	assert_null(node);
	assert_doca(doca_graph_destroy(outer), DOCA_SUCCESS);
	fixture->graph = inner;
	graph_close(fixture);
}

static void a_stopped_graph_gets_more_and_starts_again(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph_node *first = graph_ctx_node(fixture, fixture->graph);
	struct doca_graph_node *second;
	struct doca_graph_instance *instance;
	struct doca_task *task = dma_copy_task(fixture->dma, 0, 64, 0);
	struct graph_cookie cookie = {.fixture = fixture, .tag = 3};

	for (unsigned i = 0; i < 3; i++) {
		assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
		assert_doca(doca_graph_stop(fixture->graph), DOCA_SUCCESS);
	}
	second = graph_user_node(fixture->graph);
	assert_doca(doca_graph_add_dependency(fixture->graph, first, second), DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	assert_doca(doca_graph_instance_set_ctx_node_data(instance, first, task), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_user_node_data(instance, second, &cookie),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	assert_true(graph_wait(fixture));
	assert_int_equal(fixture->num_calls, 1);
	assert_true(dma_was_copied(fixture->dma, 0, 64));
	graph_instance_remove(instance);
	dma_task_release(task);
	graph_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_null_argument_is_refused),
		cmocka_unit_test(user_data_is_what_was_set_last),
		cmocka_unit_test(create_and_start_tell_that_there_is_no_memory),
		cmocka_unit_test(start_wants_a_configuration),
		cmocka_unit_test(start_wants_a_node_of_a_context),
		cmocka_unit_test(start_wants_contexts_that_run),
		cmocka_unit_test(start_wants_one_engine_for_all),
		cmocka_unit_test(a_started_graph_is_not_changed),
		cmocka_unit_test(set_conf_wants_an_instance),
		cmocka_unit_test(stop_wants_every_instance_destroyed),
		cmocka_unit_test(a_sub_graph_outlasts_the_graphs_that_run_it),
		cmocka_unit_test(circles_of_graphs_never_start),
		cmocka_unit_test(a_stopped_graph_gets_more_and_starts_again),
	};

	return cmocka_run_group_tests_name("graph", tests, log_capture_debug, NULL);
}
