/* SPDX-License-Identifier: Apache-2.0 */
/* Instances and the data of their nodes: what is refused, and what that leaves. */
#include "support/graph_fixture.h"
#include "support/log_capture.h"

#include "support/fail_calloc.h"

/* A graph of each kind of node, and one instance. */
struct three {
	struct graph_fixture *fixture;
	struct doca_graph *sub;
	struct doca_graph_node *sub_ctx_node;
	struct doca_graph_node *ctx_node;
	struct doca_graph_node *other_ctx_node;
	struct doca_graph_node *user_node;
	struct doca_graph_node *sub_node;
	struct doca_graph_instance *instance;
	struct doca_graph_instance *sub_instance;
	struct doca_task *task;
	struct doca_task *other_task;
	struct doca_task *sub_task;
	struct graph_cookie cookie;
};

static void three_open(struct three *three)
{
	struct graph_fixture *fixture = graph_open(2);
	struct doca_graph *graph = fixture->graph;

	*three = (struct three){
		.fixture = fixture,
		.sub = graph_add(fixture, 2),
		.cookie = {.fixture = fixture},
	};
	three->sub_ctx_node = graph_ctx_node(fixture, three->sub);
	assert_doca(doca_graph_start(three->sub), DOCA_SUCCESS);
	three->ctx_node = graph_ctx_node(fixture, graph);
	three->other_ctx_node = graph_ctx_node(fixture, graph);
	three->user_node = graph_user_node(graph);
	three->sub_node = graph_sub_node(graph, three->sub);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	three->instance = graph_instance(graph, 1);
	three->sub_instance = graph_instance(three->sub, 2);
	three->task = dma_copy_task(fixture->dma, 0, 64, 1);
	three->other_task = dma_copy_task(fixture->dma, 64, 64, 2);
	three->sub_task = dma_copy_task(fixture->dma, 128, 64, 3);
}

static void three_fill(const struct three *three)
{
	struct doca_graph_instance *instance = three->instance;

	assert_doca(doca_graph_instance_set_ctx_node_data(instance, three->ctx_node, three->task),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_ctx_node_data(instance, three->other_ctx_node,
							  three->other_task),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(instance, three->sub_node,
								three->sub_instance),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_user_node_data(instance, three->user_node,
							   (void *)&three->cookie),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_ctx_node_data(three->sub_instance, three->sub_ctx_node,
							  three->sub_task),
		    DOCA_SUCCESS);
}

static void three_close(struct three *three)
{
	graph_instance_remove(three->instance);
	graph_instance_remove(three->sub_instance);
	assert_doca(doca_graph_stop(three->fixture->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_destroy(three->fixture->graph), DOCA_SUCCESS);
	three->fixture->graph = three->sub;
	dma_task_release(three->task);
	dma_task_release(three->other_task);
	dma_task_release(three->sub_task);
	graph_close(three->fixture);
}

static void every_null_argument_is_refused(void **state)
{
	union doca_data user_data = {.u64 = 0};
	struct doca_graph_instance *instance = NULL;
	struct three three;

	three_open(&three);
	assert_doca(doca_graph_instance_create(NULL, &instance), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_create(three.sub, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_user_data(NULL, user_data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_get_user_data(NULL, &user_data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_get_user_data(three.instance, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_ctx_node_data(NULL, three.ctx_node, three.task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, NULL, three.task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_user_node_data(NULL, three.user_node, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_user_node_data(three.instance, NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(NULL, three.sub_node,
								three.sub_instance),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, NULL,
								three.sub_instance),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(
		doca_graph_instance_set_sub_graph_node_data(three.instance, three.sub_node, NULL),
		DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "graph_instance");
	three_close(&three);
}

static void there_are_as_many_instances_as_configured(void **state)
{
	struct graph_fixture *fixture = graph_open(3);
	struct doca_graph_instance *instances[3];
	struct doca_graph_instance *instance = NULL;

	graph_ctx_node(fixture, fixture->graph);
	log_forget(state);
	assert_doca(doca_graph_instance_create(fixture->graph, &instance), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "call doca_graph_start first");
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < 3; i++)
		instances[i] = graph_instance(fixture->graph, i);
	log_forget(state);
	assert_doca(doca_graph_instance_create(fixture->graph, &instance), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "DBG", "all 3 are there");
	graph_instance_remove(instances[1]);
	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_graph_instance_create(fixture->graph, &instance), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for an instance of 1 nodes");
	assert_null(instance);
	instances[1] = graph_instance(fixture->graph, 1);
	for (unsigned i = 0; i < 3; i++)
		graph_instance_remove(instances[i]);
	graph_close(fixture);
}

static void user_data_is_what_was_set_last(void **state)
{
	union doca_data user_data = {.u64 = 0};
	struct three three;

	three_open(&three);
	assert_doca(doca_graph_instance_get_user_data(three.instance, &user_data), DOCA_SUCCESS);
	assert_int_equal(user_data.u64, 1);
	three_close(&three);
}

static void data_of_another_kind_of_node_is_not_permitted(void **state)
{
	struct three three;

	three_open(&three);
	log_forget(state);
	assert_doca(
		doca_graph_instance_set_ctx_node_data(three.instance, three.user_node, three.task),
		DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "it is of another kind");
	assert_doca(
		doca_graph_instance_set_ctx_node_data(three.instance, three.sub_node, three.task),
		DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_graph_instance_set_user_node_data(three.instance, three.ctx_node, NULL),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_graph_instance_set_user_node_data(three.instance, three.sub_node, NULL),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, three.ctx_node,
								three.sub_instance),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, three.user_node,
								three.sub_instance),
		    DOCA_ERROR_NOT_PERMITTED);
	three_close(&three);
}

static void a_node_of_another_graph_is_not_permitted(void **state)
{
	struct three three;

	three_open(&three);
	log_forget(state);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, three.sub_ctx_node,
							  three.task),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "the node is of another graph");
	assert_doca(
		doca_graph_instance_set_user_node_data(three.sub_instance, three.user_node, NULL),
		DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.sub_instance, three.sub_node,
								three.sub_instance),
		    DOCA_ERROR_NOT_PERMITTED);
	three_close(&three);
}

static void a_task_of_another_context_is_not_permitted(void **state)
{
	struct three three;
	struct dma_fixture *dma;
	struct doca_dma *second;
	struct doca_dma_task_memcpy *task = NULL;
	union doca_data user_data = {.u64 = 0};

	three_open(&three);
	dma = three.fixture->dma;
	second = dma_add_context(dma);
	assert_doca(doca_dma_task_memcpy_alloc_init(second, NULL, NULL, user_data, &task),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node,
							  doca_dma_task_memcpy_as_task(task)),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "the task is of another context");
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(second)), DOCA_SUCCESS);
	assert_doca(doca_dma_destroy(second), DOCA_SUCCESS);
	three_close(&three);
}

static void a_task_that_is_freed_or_submitted_is_not_permitted(void **state)
{
	struct three three;
	struct doca_task *spare;

	three_open(&three);
	spare = dma_copy_task(three.fixture->dma, 0, 64, 0);
	dma_task_release(spare);
	log_forget(state);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node, spare),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "the task is freed, submitted");

	assert_doca(doca_task_submit(three.task), DOCA_SUCCESS);
	assert_doca(
		doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node, three.task),
		DOCA_ERROR_NOT_PERMITTED);
	dma_wait_tasks(three.fixture->dma, 1);
	three.fixture->dma->num_success = 0;
	assert_doca(
		doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node, three.task),
		DOCA_SUCCESS);
	three_close(&three);
}

static void two_nodes_of_an_instance_cannot_share_a_task(void **state)
{
	struct three three;

	three_open(&three);
	three_fill(&three);
	/* Two nodes that change tasks have one in common in between. */
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, three.other_ctx_node,
							  three.task),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "another node has the same task");
	assert_int_equal(dma_inflight(three.fixture->dma->ctx), 0);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node,
							  three.other_task),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_SUCCESS);
	assert_true(graph_wait(three.fixture));
	three_close(&three);
}

static void an_instance_of_the_wrong_graph_or_one_that_runs_is_not_permitted(void **state)
{
	struct three three;

	three_open(&three);
	three_fill(&three);
	log_forget(state);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, three.sub_node,
								three.instance),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "is of another graph than the node");
	assert_doca(doca_graph_instance_submit(three.sub_instance), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, three.sub_node,
								three.sub_instance),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "the sub-graph's instance runs");
	log_forget(state);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "its sub-graph's instance runs");
	assert_true(graph_wait(three.fixture));
	assert_int_equal(three.fixture->last_tag, 2);
	three_close(&three);
}

static void two_nodes_of_an_instance_cannot_share_a_sub_instance(void **state)
{
	struct three three;
	struct doca_graph *graph;
	struct doca_graph_node *nodes[2];
	struct doca_graph_node *copy;
	struct doca_graph_instance *instance;

	three_open(&three);
	graph = graph_add(three.fixture, 1);
	copy = graph_ctx_node(three.fixture, graph);
	nodes[0] = graph_sub_node(graph, three.sub);
	nodes[1] = graph_sub_node(graph, three.sub);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	instance = graph_instance(graph, 0);
	assert_doca(doca_graph_instance_set_ctx_node_data(instance, copy, three.task),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_ctx_node_data(three.sub_instance, three.sub_ctx_node,
							  three.sub_task),
		    DOCA_SUCCESS);
	for (unsigned i = 0; i < 2; i++)
		assert_doca(doca_graph_instance_set_sub_graph_node_data(instance, nodes[i],
									three.sub_instance),
			    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "another node has the same task or instance");
	graph_instance_remove(instance);
	graph_remove(graph);
	three_close(&three);
}

static void a_sub_instance_outlasts_the_nodes_that_have_it(void **state)
{
	struct three three;
	struct doca_graph_instance *other;

	three_open(&three);
	three_fill(&three);
	log_forget(state);
	assert_doca(doca_graph_instance_destroy(three.sub_instance), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "is the data of a node in another");
	other = graph_instance(three.sub, 0);
	assert_doca(
		doca_graph_instance_set_sub_graph_node_data(three.instance, three.sub_node, other),
		DOCA_SUCCESS);
	assert_doca(doca_graph_instance_destroy(other), DOCA_ERROR_IN_USE);
	graph_instance_remove(three.sub_instance);
	three.sub_instance = other;
	three_close(&three);
}

static void a_submit_wants_data_for_every_node(void **state)
{
	struct three three;

	three_open(&three);
	for (unsigned i = 0; i < 3; i++) {
		struct doca_graph_instance *instance = three.instance;

		log_forget(state);
		assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "it has no data");
		if (i == 0)
			assert_doca(doca_graph_instance_set_ctx_node_data(instance, three.ctx_node,
									  three.task),
				    DOCA_SUCCESS);
		if (i == 1)
			assert_doca(doca_graph_instance_set_ctx_node_data(
					    instance, three.other_ctx_node, three.other_task),
				    DOCA_SUCCESS);
	}
	/* The sub-graph's instance begins at once: it is looked at, too. */
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, three.sub_node,
								three.sub_instance),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_ERROR_INVALID_VALUE);
	three_fill(&three);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_SUCCESS);
	assert_true(graph_wait(three.fixture));
	assert_int_equal(three.fixture->num_calls, 1);
	three_close(&three);
}

static void a_submit_refuses_tasks_that_are_freed_or_submitted(void **state)
{
	struct three three;

	three_open(&three);
	three_fill(&three);
	assert_doca(doca_task_submit(three.other_task), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "its task was freed since it was set");
	dma_wait_tasks(three.fixture->dma, 1);
	three.fixture->dma->num_success = 0;

	dma_task_release(three.task);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_ERROR_BAD_STATE);
	assert_int_equal(dma_inflight(three.fixture->dma->ctx), 0);
	assert_false(graph_has_ended(three.fixture));
	three.task = dma_copy_task(three.fixture->dma, 0, 64, 0);
	three_close(&three);
}

static void an_instance_that_runs_is_the_librarys(void **state)
{
	union doca_data user_data = {.u64 = 0};
	struct three three;

	three_open(&three);
	three_fill(&three);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(three.instance), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "refuses submit: it runs");
	assert_doca(doca_graph_instance_submit(three.sub_instance), DOCA_ERROR_IN_USE);
	log_forget(state);
	assert_doca(doca_graph_instance_destroy(three.instance), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "refuses destroy: it runs");
	assert_doca(doca_graph_instance_destroy(three.sub_instance), DOCA_ERROR_IN_USE);
	log_forget(state);
	assert_doca(doca_graph_instance_set_user_data(three.instance, user_data),
		    DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "refuses user data: it runs");
	log_forget(state);
	assert_doca(
		doca_graph_instance_set_ctx_node_data(three.instance, three.ctx_node, three.task),
		DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "it runs; wait for its callback");
	assert_doca(doca_graph_instance_set_user_node_data(three.instance, three.user_node, NULL),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(three.instance, three.sub_node,
								three.sub_instance),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_graph_stop(three.fixture->graph), DOCA_ERROR_IN_USE);
	assert_true(graph_wait(three.fixture));
	assert_int_equal(three.fixture->last_tag, 1);
	assert_true(dma_was_copied(three.fixture->dma, 0, 192));
	three_close(&three);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_null_argument_is_refused),
		cmocka_unit_test(there_are_as_many_instances_as_configured),
		cmocka_unit_test(user_data_is_what_was_set_last),
		cmocka_unit_test(data_of_another_kind_of_node_is_not_permitted),
		cmocka_unit_test(a_node_of_another_graph_is_not_permitted),
		cmocka_unit_test(a_task_of_another_context_is_not_permitted),
		cmocka_unit_test(a_task_that_is_freed_or_submitted_is_not_permitted),
		cmocka_unit_test(two_nodes_of_an_instance_cannot_share_a_task),
		cmocka_unit_test(an_instance_of_the_wrong_graph_or_one_that_runs_is_not_permitted),
		cmocka_unit_test(two_nodes_of_an_instance_cannot_share_a_sub_instance),
		cmocka_unit_test(a_sub_instance_outlasts_the_nodes_that_have_it),
		cmocka_unit_test(a_submit_wants_data_for_every_node),
		cmocka_unit_test(a_submit_refuses_tasks_that_are_freed_or_submitted),
		cmocka_unit_test(an_instance_that_runs_is_the_librarys),
	};

	return cmocka_run_group_tests_name("graph_instance", tests, log_capture_debug, NULL);
}
