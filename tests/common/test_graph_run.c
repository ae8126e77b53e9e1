/* SPDX-License-Identifier: Apache-2.0 */
/* Instances that end well: order, numbers, sub-graphs, events, and what callbacks may do. */
#include "support/graph_fixture.h"

#include "support/count_calls.h"

/* A task for another run: its target is empty again. */
static void empty_target(struct doca_task *task)
{
	assert_doca(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))),
		    DOCA_SUCCESS);
}

static size_t target_len(struct doca_task *task)
{
	return dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task)));
}

/* A user node on top, two copies, a user node below. */
struct diamond {
	struct graph_fixture *fixture;
	struct doca_graph_node *top;
	struct doca_graph_node *sides[2];
	struct doca_graph_node *bottom;
};

static void diamond_open(struct diamond *diamond, uint32_t num_instances)
{
	struct graph_fixture *fixture = graph_open(num_instances);
	struct doca_graph *graph = fixture->graph;

	diamond->fixture = fixture;
	diamond->bottom = graph_user_node(graph);
	diamond->top = graph_user_node(graph);
	for (unsigned i = 0; i < 2; i++) {
		diamond->sides[i] = graph_ctx_node(fixture, graph);
		graph_depend(graph, diamond->top, diamond->sides[i]);
		graph_depend(graph, diamond->sides[i], diamond->bottom);
	}
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
}

/* One instance, with what its nodes run. */
struct diamond_run {
	struct doca_graph_instance *instance;
	struct doca_task *tasks[2];
	struct graph_cookie cookies[2];
	unsigned num_runs; /* of test callbacks */
};

static void diamond_fill(const struct diamond *diamond, struct diamond_run *run, size_t offset,
			 uint64_t tag)
{
	struct graph_fixture *fixture = diamond->fixture;

	run->instance = graph_instance(fixture->graph, tag);
	for (unsigned i = 0; i < 2; i++) {
		run->cookies[i] = (struct graph_cookie){fixture, tag + i, DOCA_SUCCESS};
		run->tasks[i] = dma_copy_task(fixture->dma, offset + i * 64, 64, 0);
		graph_set_task(run->instance, diamond->sides[i], run->tasks[i]);
	}
	graph_set_cookie(run->instance, diamond->top, &run->cookies[0]);
	graph_set_cookie(run->instance, diamond->bottom, &run->cookies[1]);
}

static void diamond_empty(struct diamond_run *run)
{
	graph_instance_remove(run->instance);
	dma_task_release(run->tasks[0]);
	dma_task_release(run->tasks[1]);
}

static void a_diamond_runs_from_top_to_bottom(void **state)
{
	struct diamond diamond;
	struct diamond_run run;
	struct graph_fixture *fixture;

	diamond_open(&diamond, 1);
	fixture = diamond.fixture;
	diamond_fill(&diamond, &run, 0, 10);
	for (unsigned i = 0; i < 3; i++) {
		fixture->num_calls = 0;
		assert_doca(doca_graph_instance_submit(run.instance), DOCA_SUCCESS);
		/* Nothing runs before progress, and each call runs one callback. */
		assert_int_equal(fixture->num_calls, 0);
		assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
		assert_int_equal(fixture->num_calls, 1);
		assert_int_equal(dma_inflight(fixture->dma->ctx), 2);
		assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
		assert_int_equal(target_len(run.tasks[0]) + target_len(run.tasks[1]), 128);
		assert_int_equal(fixture->num_calls, 2);
		assert_false(graph_has_ended(fixture));
		assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
		assert_true(graph_wait(fixture));
		assert_int_equal(fixture->last_tag, 10);
		assert_int_equal(fixture->calls[0], 10);
		assert_int_equal(fixture->calls[1], 11);
		assert_int_equal(doca_pe_progress(fixture->dma->pe), 0);
		empty_target(run.tasks[0]);
		empty_target(run.tasks[1]);
	}
	assert_true(dma_was_copied(fixture->dma, 0, 128));
	diamond_empty(&run);
	graph_close(fixture);
}

static void a_task_can_be_used_outside_after_it_ran_in_a_graph(void **state)
{
	struct diamond diamond;
	struct diamond_run run;
	struct dma_fixture *dma;

	diamond_open(&diamond, 1);
	dma = diamond.fixture->dma;
	diamond_fill(&diamond, &run, 0, 0);
	assert_doca(doca_graph_instance_submit(run.instance), DOCA_SUCCESS);
	assert_true(graph_wait(diamond.fixture));
	assert_int_equal(dma->num_success, 0);
	assert_doca(doca_task_get_status(run.tasks[0]), DOCA_SUCCESS);

	empty_target(run.tasks[0]);
	assert_doca(doca_task_submit(run.tasks[0]), DOCA_SUCCESS);
	dma_wait_tasks(dma, 1);
	assert_int_equal(dma->num_success, 1);
	dma->num_success = 0;
	/* And in the graph again. */
	empty_target(run.tasks[0]);
	empty_target(run.tasks[1]);
	assert_doca(doca_graph_instance_submit(run.instance), DOCA_SUCCESS);
	assert_true(graph_wait(diamond.fixture));
	diamond_empty(&run);
	graph_close(diamond.fixture);
}

#define NUM_SIDE_BY_SIDE 24

static bool all_have_ended(void *arg)
{
	const struct graph_fixture *fixture = arg;

	return fixture->num_success + fixture->num_error == NUM_SIDE_BY_SIDE;
}

static void more_instances_than_the_context_has_room_for_wait_their_turn(void **state)
{
	struct diamond diamond;
	struct diamond_run runs[NUM_SIDE_BY_SIDE];
	struct graph_fixture *fixture;

	diamond_open(&diamond, NUM_SIDE_BY_SIDE);
	fixture = diamond.fixture;
	for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++)
		diamond_fill(&diamond, &runs[i], i * 128, i);
	for (unsigned round = 0; round < 4; round++) {
		fixture->num_success = 0;
		for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++)
			assert_doca(doca_graph_instance_submit(runs[i].instance), DOCA_SUCCESS);
		assert_true(pe_progress_until(fixture->dma->pe, all_have_ended, fixture,
					      TEST_DEADLINE_S));
		assert_int_equal(fixture->num_success, NUM_SIDE_BY_SIDE);
		for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++) {
			empty_target(runs[i].tasks[0]);
			empty_target(runs[i].tasks[1]);
		}
	}
	assert_int_equal(fixture->num_calls, 4 * 2 * NUM_SIDE_BY_SIDE);
	assert_true(dma_was_copied(fixture->dma, 0, NUM_SIDE_BY_SIDE * 128));
	for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++)
		diamond_empty(&runs[i]);
	graph_close(fixture);
}

/* First nodes that find the context full wait, beside tasks of the user's that are in it. */
static void a_full_context_refuses_no_submit(void **state)
{
	struct graph_fixture *fixture = graph_open(8);
	struct doca_graph_node *node = graph_ctx_node(fixture, fixture->graph);
	struct doca_graph_instance *instances[8];
	struct doca_task *tasks[8];
	struct doca_task *own[4];

	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < 4; i++) {
		own[i] = dma_copy_task(fixture->dma, 4096 + i * 64, 64, 0);
		assert_doca(doca_task_submit(own[i]), DOCA_SUCCESS);
	}
	for (unsigned i = 0; i < 8; i++) {
		instances[i] = graph_instance(fixture->graph, i);
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		graph_set_task(instances[i], node, tasks[i]);
		if (i < 7)
			assert_doca(doca_graph_instance_submit(instances[i]), DOCA_SUCCESS);
	}
	assert_int_equal(dma_inflight(fixture->dma->ctx), 4);
	/* There is room then, but not for one that comes later. */
	assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
	assert_int_equal(dma_inflight(fixture->dma->ctx), 3);
	assert_doca(doca_graph_instance_submit(instances[7]), DOCA_SUCCESS);
	assert_int_equal(dma_inflight(fixture->dma->ctx), 3);
	for (unsigned i = 0; i < 8; i++) {
		while (fixture->num_success == i)
			assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
		/* In the order of their submits. */
		assert_int_equal(fixture->last_tag, i);
	}
	assert_int_equal(fixture->dma->num_success, 4);
	fixture->dma->num_success = 0;
	for (unsigned i = 0; i < 8; i++) {
		graph_instance_remove(instances[i]);
		dma_task_release(tasks[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		dma_task_release(own[i]);
	graph_close(fixture);
}

#define NUM_RESUBMITS 50

static void submit_again(struct doca_graph_instance *instance, union doca_data instance_user_data,
			 union doca_data graph_user_data)
{
	struct diamond_run *run = instance_user_data.ptr;
	struct graph_fixture *fixture = graph_user_data.ptr;

	fixture->num_success++;
	(void)doca_buf_reset_data_len(
		doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)run->tasks[0]));
	(void)doca_buf_reset_data_len(
		doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)run->tasks[1]));
	if (++run->num_runs < NUM_RESUBMITS && doca_graph_instance_submit(instance) != DOCA_SUCCESS)
		fixture->num_error++;
}

static bool all_were_submitted_again(void *arg)
{
	const struct graph_fixture *fixture = arg;

	return fixture->num_success == (size_t)NUM_RESUBMITS * 4;
}

static void an_instance_is_submitted_again_by_its_callback(void **state)
{
	struct diamond diamond;
	struct diamond_run runs[4] = {{.num_runs = 0}};
	struct graph_fixture *fixture;

	diamond_open(&diamond, 4);
	fixture = diamond.fixture;
	assert_doca(doca_graph_stop(fixture->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_set_conf(fixture->graph, submit_again, graph_record_error, 4),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < 4; i++) {
		union doca_data user_data = {.ptr = &runs[i]};

		diamond_fill(&diamond, &runs[i], i * 128, i);
		assert_doca(doca_graph_instance_set_user_data(runs[i].instance, user_data),
			    DOCA_SUCCESS);
		assert_doca(doca_graph_instance_submit(runs[i].instance), DOCA_SUCCESS);
	}
	assert_true(pe_progress_until(fixture->dma->pe, all_were_submitted_again, fixture,
				      TEST_DEADLINE_S));
	assert_int_equal(fixture->num_error, 0);
	assert_int_equal(doca_pe_progress(fixture->dma->pe), 0);
	for (unsigned i = 0; i < 4; i++)
		diamond_empty(&runs[i]);
	graph_close(fixture);
}

static void destroy_all(struct doca_graph_instance *instance, union doca_data instance_user_data,
			union doca_data graph_user_data)
{
	struct graph_fixture *fixture = graph_user_data.ptr;

	if (doca_graph_instance_destroy(instance) == DOCA_SUCCESS &&
	    doca_graph_stop(fixture->graph) == DOCA_SUCCESS &&
	    doca_graph_destroy(fixture->graph) == DOCA_SUCCESS)
		fixture->num_success++;
}

static void the_last_callback_may_destroy_instance_and_graph(void **state)
{
	struct diamond diamond;
	struct diamond_run run;
	struct graph_fixture *fixture;

	diamond_open(&diamond, 1);
	fixture = diamond.fixture;
	assert_doca(doca_graph_stop(fixture->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_set_conf(fixture->graph, destroy_all, graph_record_error, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	diamond_fill(&diamond, &run, 0, 0);
	assert_doca(doca_graph_instance_submit(run.instance), DOCA_SUCCESS);
	assert_true(graph_wait(fixture));
	fixture->graph = NULL;
	assert_int_equal(doca_pe_progress(fixture->dma->pe), 0);
	dma_task_release(run.tasks[0]);
	dma_task_release(run.tasks[1]);
	graph_close(fixture);
}

/* What progress says in a callback, although there is a task for it. */
static unsigned progress_beside_a_task(struct graph_fixture *fixture)
{
	struct doca_task *spare = fixture->dma->options.user;

	(void)doca_buf_reset_data_len(
		doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)spare));
	return doca_task_submit(spare) == DOCA_SUCCESS ? doca_pe_progress(fixture->dma->pe) : 1;
}

static doca_error_t progress_in_node(void *cookie)
{
	struct graph_fixture *fixture = cookie;

	fixture->num_calls += 1U + progress_beside_a_task(fixture);
	return DOCA_SUCCESS;
}

static void progress_at_end(struct doca_graph_instance *instance,
			    union doca_data instance_user_data, union doca_data graph_user_data)
{
	struct graph_fixture *fixture = graph_user_data.ptr;

	fixture->num_success += 1U + progress_beside_a_task(fixture);
}

static void callbacks_are_callbacks_of_the_engine(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph_node *copy = graph_ctx_node(fixture, fixture->graph);
	struct doca_graph_node *node = NULL;
	struct doca_graph_instance *instance;
	struct doca_task *task = dma_copy_task(fixture->dma, 0, 64, 0);

	assert_doca(doca_graph_node_create_from_user(fixture->graph, progress_in_node, &node),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_set_conf(fixture->graph, progress_at_end, graph_record_error, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	graph_set_task(instance, copy, task);
	graph_set_cookie(instance, node, fixture);
	fixture->dma->options.user = dma_copy_task(fixture->dma, 64, 64, 0);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	/* Progress in a callback does nothing. */
	while (fixture->num_calls == 0)
		assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
	assert_int_equal(fixture->num_calls, 1);
	dma_wait_tasks(fixture->dma, 1);
	assert_true(graph_wait(fixture));
	dma_wait_tasks(fixture->dma, 2);
	fixture->dma->num_success = 0;
	graph_instance_remove(instance);
	dma_task_release(task);
	dma_task_release(fixture->dma->options.user);
	graph_close(fixture);
}

/* The instance that a node submits, and one that it destroys. */
struct others {
	struct doca_graph_instance *submitted;
	struct doca_graph_instance *destroyed;
};

static doca_error_t handle_others(void *cookie)
{
	struct others *others = cookie;

	if (others == NULL)
		return DOCA_SUCCESS;
	if (doca_graph_instance_destroy(others->destroyed) != DOCA_SUCCESS)
		return DOCA_ERROR_UNEXPECTED;
	return doca_graph_instance_submit(others->submitted);
}

static void a_node_may_submit_and_destroy_other_instances(void **state)
{
	struct graph_fixture *fixture = graph_open(3);
	struct doca_graph_node *copy = graph_ctx_node(fixture, fixture->graph);
	struct doca_graph_node *node = NULL;
	struct doca_graph_instance *instances[3];
	struct doca_task *tasks[2];
	struct others others;

	assert_doca(doca_graph_node_create_from_user(fixture->graph, handle_others, &node),
		    DOCA_SUCCESS);
	graph_depend(fixture->graph, node, copy);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < 3; i++)
		instances[i] = graph_instance(fixture->graph, i);
	others = (struct others){.submitted = instances[1], .destroyed = instances[2]};
	for (unsigned i = 0; i < 2; i++) {
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		graph_set_task(instances[i], copy, tasks[i]);
	}
	graph_set_cookie(instances[0], node, &others);
	assert_doca(doca_graph_instance_submit(instances[0]), DOCA_SUCCESS);
	(void)dma_progress_dry(fixture->dma);
	assert_int_equal(fixture->num_success, 2);
	assert_true(dma_was_copied(fixture->dma, 0, 128));
	for (unsigned i = 0; i < 2; i++) {
		graph_instance_remove(instances[i]);
		dma_task_release(tasks[i]);
	}
	graph_close(fixture);
}

#define NUM_IN_CHAIN 20000

static doca_error_t count_call(void *cookie)
{
	*(size_t *)cookie += 1;
	return DOCA_SUCCESS;
}

/* Long, and a wide part behind it that ends in one node. */
static void a_graph_of_thousands_of_nodes_runs(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *first = graph_ctx_node(fixture, graph);
	struct doca_graph_node *last = graph_ctx_node(fixture, graph);
	struct doca_graph_node **nodes = calloc(2 * NUM_IN_CHAIN, sizeof(*nodes));
	struct doca_graph_instance *instance;
	struct doca_task *tasks[2];
	size_t num_calls = 0;

	assert_non_null(nodes);
	for (size_t i = 0; i < (size_t)2 * NUM_IN_CHAIN; i++) {
		struct doca_graph_node *before = i == 0		    ? first
						 : i < NUM_IN_CHAIN ? nodes[i - 1]
								    : nodes[NUM_IN_CHAIN - 1];

		assert_doca(doca_graph_node_create_from_user(graph, count_call, &nodes[i]),
			    DOCA_SUCCESS);
		graph_depend(graph, before, nodes[i]);
		if (i >= NUM_IN_CHAIN)
			graph_depend(graph, nodes[i], last);
	}
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	instance = graph_instance(graph, 0);
	for (size_t i = 0; i < (size_t)2 * NUM_IN_CHAIN; i++)
		graph_set_cookie(instance, nodes[i], &num_calls);
	for (unsigned i = 0; i < 2; i++)
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
	graph_set_task(instance, first, tasks[0]);
	graph_set_task(instance, last, tasks[1]);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	assert_true(graph_wait(fixture));
	assert_int_equal(num_calls, 2 * NUM_IN_CHAIN);
	assert_true(dma_was_copied(fixture->dma, 0, 128));
	graph_instance_remove(instance);
	dma_task_release(tasks[0]);
	dma_task_release(tasks[1]);
	free(nodes);
	graph_close(fixture);
}

#define NUM_NESTED 1000

/* Each has a copy, and then the next graph. One task is enough: each is done with it first. */
static void graphs_in_graphs_run_however_deep(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graphs[NUM_NESTED + 1];
	struct doca_graph_instance *instances[NUM_NESTED + 1];
	struct doca_buf *source = dma_source(fixture->dma, 0, 8);
	struct doca_buf *target = dma_target(fixture->dma, 0, (NUM_NESTED + 1) * 8);
	struct doca_task *task = dma_task(fixture->dma, source, target, 0);

	for (unsigned i = 0; i <= NUM_NESTED; i++) {
		struct doca_graph *graph = i < NUM_NESTED ? graph_add(fixture, 1) : fixture->graph;
		struct doca_graph_node *node = graph_ctx_node(fixture, graph);
		struct doca_graph_node *sub_node = NULL;

		graphs[i] = graph;
		if (i > 0) {
			sub_node = graph_sub_node(graph, graphs[i - 1]);
			graph_depend(graph, node, sub_node);
		}
		assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
		instances[i] = graph_instance(graph, i);
		graph_set_task(instances[i], node, task);
		if (i > 0)
			assert_doca(doca_graph_instance_set_sub_graph_node_data(
					    instances[i], sub_node, instances[i - 1]),
				    DOCA_SUCCESS);
	}
	assert_doca(doca_graph_instance_submit(instances[NUM_NESTED]), DOCA_SUCCESS);
	assert_true(graph_wait(fixture));
	/* Theirs is the one callback. */
	assert_int_equal(fixture->last_tag, NUM_NESTED);
	assert_int_equal(dma_data_len(target), (NUM_NESTED + 1) * 8);
	for (unsigned i = NUM_NESTED + 1; i-- > 0;)
		graph_instance_remove(instances[i]);
	graph_remove(fixture->graph);
	for (unsigned i = NUM_NESTED - 1; i > 0; i--)
		graph_remove(graphs[i]);
	fixture->graph = graphs[0];
	dma_task_release(task);
	graph_close(fixture);
}

/* An event loop that only progresses when it was woken, until progress has nothing to do. */
static void the_engines_handle_wakes_for_each_step(void **state)
{
	struct diamond diamond;
	struct diamond_run runs[8];
	struct graph_fixture *fixture;
	struct doca_pe *pe;
	doca_notification_handle_t handle;

	diamond_open(&diamond, 8);
	fixture = diamond.fixture;
	pe = fixture->dma->pe;
	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	for (unsigned i = 0; i < 8; i++)
		diamond_fill(&diamond, &runs[i], i * 128, i);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_false(test_fd_is_readable(handle, 0));
	for (unsigned i = 0; i < 8; i++)
		assert_doca(doca_graph_instance_submit(runs[i].instance), DOCA_SUCCESS);
	while (fixture->num_success < 8) {
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(pe), 1);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	}
	assert_false(test_fd_is_readable(handle, 0));
	assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
	for (unsigned i = 0; i < 8; i++)
		diamond_empty(&runs[i]);
	graph_close(fixture);
}

/*
 * Steps of which nobody is told are no completions. One call makes but so many of them; a loop that
 * sleeps once there was no completion is woken for the rest.
 */
static void a_long_row_of_copies_completes_once(void **state)
{
	enum { NUM_NODES = 120 };
	struct graph_fixture *fixture = graph_open(1);
	struct doca_pe *pe = fixture->dma->pe;
	struct doca_graph_node *node = NULL;
	struct doca_task *tasks[NUM_NODES];
	struct doca_graph_node *nodes[NUM_NODES];
	struct doca_graph_instance *instance;
	doca_notification_handle_t handle;
	unsigned num_calls = 0;
	uint8_t done;

	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	for (unsigned i = 0; i < NUM_NODES; i++) {
		nodes[i] = graph_ctx_node(fixture, fixture->graph);
		if (i != 0)
			graph_depend(fixture->graph, node, nodes[i]);
		node = nodes[i];
	}
	assert_doca(doca_ctx_stop(fixture->dma->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma->dma, dma_record_success,
						  dma_record_error, NUM_NODES),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->dma->ctx), DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	for (unsigned i = 0; i < NUM_NODES; i++) {
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		graph_set_task(instance, nodes[i], tasks[i]);
	}
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	for (; !graph_has_ended(fixture); num_calls++) {
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
		done = doca_pe_progress(pe);
		assert_int_equal(done, graph_has_ended(fixture));
	}
	assert_true(graph_wait(fixture));
	assert_true(num_calls > 1 && num_calls < 10);
	assert_int_equal(doca_pe_progress(pe), 0);
	assert_true(dma_was_copied(fixture->dma, 0, NUM_NODES * 64));
	graph_instance_remove(instance);
	for (unsigned i = 0; i < NUM_NODES; i++)
		dma_task_release(tasks[i]);
	graph_close(fixture);
}

static void a_run_allocates_nothing_and_makes_no_system_call(void **state)
{
	struct diamond diamond;
	struct diamond_run runs[NUM_SIDE_BY_SIDE];
	struct graph_fixture *fixture;

	diamond_open(&diamond, NUM_SIDE_BY_SIDE);
	fixture = diamond.fixture;
	for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++)
		diamond_fill(&diamond, &runs[i], i * 128, i);
	num_wrapped_calls = 0;
	for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++)
		assert_doca(doca_graph_instance_submit(runs[i].instance), DOCA_SUCCESS);
	while (fixture->num_success < NUM_SIDE_BY_SIDE)
		(void)doca_pe_progress(fixture->dma->pe);
	assert_int_equal(num_wrapped_calls, 0);
	for (unsigned i = 0; i < NUM_SIDE_BY_SIDE; i++)
		diamond_empty(&runs[i]);
	graph_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_diamond_runs_from_top_to_bottom),
		cmocka_unit_test(a_task_can_be_used_outside_after_it_ran_in_a_graph),
		cmocka_unit_test(more_instances_than_the_context_has_room_for_wait_their_turn),
		cmocka_unit_test(a_full_context_refuses_no_submit),
		cmocka_unit_test(an_instance_is_submitted_again_by_its_callback),
		cmocka_unit_test(the_last_callback_may_destroy_instance_and_graph),
		cmocka_unit_test(callbacks_are_callbacks_of_the_engine),
		cmocka_unit_test(a_node_may_submit_and_destroy_other_instances),
		cmocka_unit_test(a_graph_of_thousands_of_nodes_runs),
		cmocka_unit_test(graphs_in_graphs_run_however_deep),
		cmocka_unit_test(the_engines_handle_wakes_for_each_step),
		cmocka_unit_test(a_long_row_of_copies_completes_once),
		cmocka_unit_test(a_run_allocates_nothing_and_makes_no_system_call),
	};

	/* Contexts that are soon full. */
	setenv("SOFTDOCA_QUEUE_DEPTH", "4", 1);
	return cmocka_run_group_tests_name("graph_run", tests, NULL, NULL);
}
