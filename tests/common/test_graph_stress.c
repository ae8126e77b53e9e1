/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random graphs with random failures, many instances at once: every instance ends once, a node runs
 * at most once and only after all it depends on, and an instance that ends well has run whole.
 */
#include "support/graph_fixture.h"

#define NUM_GRAPHS 1000
#define NUM_ROUNDS 3
#define MAX_NODES 16
#define MAX_INSTANCES 6
#define COPY_BYTES 8

enum kind {
	KIND_CTX,
	KIND_USER,
	KIND_GRAPH,
	NUM_KINDS,
};

/* A node as it was asked for. */
struct plan_node {
	enum kind kind;
	struct doca_graph_node *node;
	uint32_t dependencies; /* a bit for each node before it */
	unsigned context;
};

struct plan {
	struct doca_graph *graph;
	struct plan *sub; /* what its nodes of kind KIND_GRAPH run */
	unsigned num_nodes;
	struct plan_node nodes[MAX_NODES];
};

struct stress;

/* A node of an instance, the cookie of its callback. */
struct run_node {
	struct run *run;
	unsigned index;
	unsigned num_calls;
	doca_error_t result; /* of the callback */
	struct doca_task *task;
	struct run *sub;
};

struct run {
	struct stress *stress;
	const struct plan *plan;
	struct doca_graph_instance *instance;
	unsigned num_success;
	unsigned num_error;
	bool is_bad;	 /* a node of it fails */
	bool has_failed; /* one has */
	struct run_node nodes[MAX_NODES];
};

struct stress {
	struct dma_fixture *dma;
	struct doca_dma *contexts[2];
	uint64_t random;
	bool has_faults;	/* copies fail in flight, or the test stops: contexts stop */
	unsigned num_too_early; /* nodes that ran before what they depend on, or after a failure */
	unsigned num_ended;
};

static unsigned random_below(struct stress *stress, unsigned bound)
{
	stress->random = stress->random * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)((stress->random >> 33) % bound);
}

static size_t copied(struct doca_task *task)
{
	size_t len_bytes = 0;

	(void)doca_buf_get_data_len(
		doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)task), &len_bytes);
	return len_bytes;
}

static bool has_run(const struct run_node *node, enum kind kind)
{
	return kind == KIND_CTX ? copied(node->task) != 0 : node->num_calls != 0;
}

static bool is_done(const struct run_node *node)
{
	const struct run *sub = node->sub;

	switch (node->run->plan->nodes[node->index].kind) {
	case KIND_CTX:
		return copied(node->task) == COPY_BYTES;
	case KIND_USER:
		return node->num_calls == 1 && node->result == DOCA_SUCCESS;
	default:
		break;
	}
	/* A sub-graph's own nodes are no graphs: no deeper. */
	for (unsigned i = 0; i < sub->plan->num_nodes; i++) {
		if (sub->plan->nodes[i].kind == KIND_CTX ? copied(sub->nodes[i].task) != COPY_BYTES
							 : sub->nodes[i].num_calls != 1)
			return false;
	}
	return true;
}

static bool may_run(const struct run_node *node)
{
	uint32_t dependencies = node->run->plan->nodes[node->index].dependencies;

	for (unsigned i = 0; i < node->index; i++)
		if ((dependencies & 1U << i) != 0 && !is_done(&node->run->nodes[i]))
			return false;
	return true;
}

static doca_error_t on_node(void *cookie)
{
	struct run_node *node = cookie;

	node->num_calls++;
	if (!may_run(node) || node->run->has_failed)
		node->run->stress->num_too_early++;
	node->run->has_failed |= node->result != DOCA_SUCCESS;
	return node->result;
}

static void on_success(struct doca_graph_instance *instance, union doca_data instance_user_data,
		       union doca_data graph_user_data)
{
	struct run *run = instance_user_data.ptr;

	run->num_success++;
	run->stress->num_ended++;
}

static void on_error(struct doca_graph_instance *instance, union doca_data instance_user_data,
		     union doca_data graph_user_data)
{
	struct run *run = instance_user_data.ptr;

	run->num_error++;
	run->stress->num_ended++;
}

static void add_node(struct stress *stress, struct plan *plan, struct plan_node *node)
{
	switch (node->kind) {
	case KIND_CTX:
		node->context = random_below(stress, 2);
		assert_doca(doca_graph_node_create_from_ctx(
				    plan->graph, doca_dma_as_ctx(stress->contexts[node->context]),
				    &node->node),
			    DOCA_SUCCESS);
		break;
	case KIND_USER:
		assert_doca(doca_graph_node_create_from_user(plan->graph, on_node, &node->node),
			    DOCA_SUCCESS);
		break;
	default:
		assert_doca(doca_graph_node_create_from_graph(plan->graph, plan->sub->graph,
							      &node->node),
			    DOCA_SUCCESS);
	}
}

static void plan_open(struct stress *stress, struct plan *plan, struct plan *sub)
{
	unsigned density = 1 + random_below(stress, 6);

	*plan = (struct plan){.sub = sub, .num_nodes = 1 + random_below(stress, MAX_NODES)};
	assert_doca(doca_graph_create(stress->dma->pe, &plan->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_set_conf(plan->graph, on_success, on_error,
					MAX_INSTANCES * (sub == NULL ? MAX_NODES : 1)),
		    DOCA_SUCCESS);
	for (unsigned i = 0; i < plan->num_nodes; i++) {
		struct plan_node *node = &plan->nodes[i];

		node->kind = i == 0 ? KIND_CTX
				    : random_below(stress, sub == NULL ? KIND_GRAPH : NUM_KINDS);
		add_node(stress, plan, node);
		for (unsigned j = 0; j < i; j++) {
			if (random_below(stress, density) != 0)
				continue;
			node->dependencies |= 1U << j;
			assert_doca(doca_graph_add_dependency(plan->graph, plan->nodes[j].node,
							      node->node),
				    DOCA_SUCCESS);
			assert_doca(doca_graph_add_dependency(plan->graph, node->node,
							      plan->nodes[j].node),
				    DOCA_ERROR_NOT_PERMITTED);
		}
	}
	assert_doca(doca_graph_start(plan->graph), DOCA_SUCCESS);
}

static void plan_close(struct plan *plan)
{
	assert_doca(doca_graph_stop(plan->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_destroy(plan->graph), DOCA_SUCCESS);
}

static struct run *run_open(struct stress *stress, const struct plan *plan);

/* What a node runs, once and for all but tasks. */
static void fill_node(struct stress *stress, struct run *run, unsigned index)
{
	struct doca_graph_node *node = run->plan->nodes[index].node;
	struct run_node *filled = &run->nodes[index];

	filled->run = run;
	filled->index = index;
	if (run->plan->nodes[index].kind == KIND_USER)
		assert_doca(doca_graph_instance_set_user_node_data(run->instance, node, filled),
			    DOCA_SUCCESS);
	if (run->plan->nodes[index].kind == KIND_GRAPH) {
		filled->sub = run_open(stress, run->plan->sub);
		assert_doca(doca_graph_instance_set_sub_graph_node_data(run->instance, node,
									filled->sub->instance),
			    DOCA_SUCCESS);
	}
}

static struct run *run_open(struct stress *stress, const struct plan *plan)
{
	struct run *run = calloc(1, sizeof(*run));
	union doca_data user_data = {.ptr = run};

	assert_non_null(run);
	run->stress = stress;
	run->plan = plan;
	assert_doca(doca_graph_instance_create(plan->graph, &run->instance), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_user_data(run->instance, user_data), DOCA_SUCCESS);
	for (unsigned i = 0; i < plan->num_nodes; i++)
		fill_node(stress, run, i);
	return run;
}

static void run_close(struct run *run)
{
	assert_doca(doca_graph_instance_destroy(run->instance), DOCA_SUCCESS);
	for (unsigned i = 0; i < run->plan->num_nodes; i++)
		if (run->nodes[i].sub != NULL)
			run_close(run->nodes[i].sub);
	free(run);
}

/* A copy, or one that is refused, or one that fails. */
static struct doca_task *new_task(struct stress *stress, unsigned context, bool is_refused,
				  bool is_faulty)
{
	struct dma_fixture *dma = stress->dma;
	struct doca_buf *source = dma_source(dma, 0, COPY_BYTES);
	struct doca_buf *target = dma_target(dma, 0, COPY_BYTES);
	struct doca_task *task;

	if (is_refused) {
		assert_doca(doca_buf_dec_refcount(target, NULL), DOCA_SUCCESS);
		target = dma_source(dma, 0, COPY_BYTES);
		assert_doca(doca_buf_reset_data_len(target), DOCA_SUCCESS);
	} else if (is_faulty) {
		assert_doca(doca_buf_reset_data_len(source), DOCA_SUCCESS);
	}
	dma->dma = stress->contexts[context];
	task = dma_task(dma, source, target, 0);
	dma->dma = stress->contexts[0];
	return task;
}

/* One round's tasks and failures. Refused are only later tasks, so that each submit is taken. */
static void run_prepare(struct stress *stress, struct run *run)
{
	run->is_bad = false;
	run->has_failed = false;
	run->num_success = 0;
	run->num_error = 0;
	for (unsigned i = 0; i < run->plan->num_nodes; i++) {
		const struct plan_node *plan = &run->plan->nodes[i];
		struct run_node *node = &run->nodes[i];
		bool fails = random_below(stress, 40) == 0;
		bool is_faulty = fails && stress->has_faults;
		bool is_refused = fails && !is_faulty && plan->dependencies != 0;

		node->num_calls = 0;
		node->result = fails && !is_faulty ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
		if (plan->kind == KIND_CTX) {
			node->task = new_task(stress, plan->context, is_refused, is_faulty);
			assert_doca(doca_graph_instance_set_ctx_node_data(run->instance, plan->node,
									  node->task),
				    DOCA_SUCCESS);
			run->is_bad |= is_refused || is_faulty;
		} else if (plan->kind == KIND_USER) {
			run->is_bad |= node->result != DOCA_SUCCESS;
		} else {
			run_prepare(stress, node->sub);
			run->is_bad |= node->sub->is_bad;
		}
	}
}

static void run_release(struct run *run)
{
	for (unsigned i = 0; i < run->plan->num_nodes; i++) {
		if (run->nodes[i].task != NULL)
			dma_task_release(run->nodes[i].task);
		if (run->nodes[i].sub != NULL)
			run_release(run->nodes[i].sub);
		run->nodes[i].task = NULL;
	}
}

static void run_check(const struct run *run, bool is_sub)
{
	bool is_whole = run->num_success == 1;

	assert_int_equal(run->num_success + run->num_error, is_sub ? 0 : 1);
	/* Where contexts stop, what is good may fail with the others. */
	if (!is_sub && !run->stress->has_faults)
		assert_int_equal(is_whole, !run->is_bad);
	assert_false(is_whole && run->is_bad);
	for (unsigned i = 0; i < run->plan->num_nodes; i++) {
		const struct run_node *node = &run->nodes[i];
		enum kind kind = run->plan->nodes[i].kind;

		assert_true(node->num_calls <= 1);
		if (kind != KIND_GRAPH && has_run(node, kind))
			assert_true(may_run(node));
		if (is_whole)
			assert_true(is_done(node));
		if (kind == KIND_GRAPH)
			run_check(node->sub, true);
	}
}

/* Every other one is not polled but waited for, by the engine's handle. */
static void wait_all(struct stress *stress, unsigned num_runs, bool is_polled)
{
	const uint64_t deadline_ns = test_clock_ns() + (uint64_t)TEST_DEADLINE_S * 1000000000U;
	struct doca_pe *pe = stress->dma->pe;
	doca_notification_handle_t handle;

	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	while (stress->num_ended < num_runs) {
		if (!is_polled) {
			assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
			assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
			assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
		}
		while (doca_pe_progress(pe) != 0)
			;
		assert_true(test_clock_ns() < deadline_ns);
	}
	assert_int_equal(doca_pe_progress(pe), 0);
}

/* Somewhere in the middle. */
static void stop_one(struct stress *stress)
{
	for (unsigned i = random_below(stress, 40); i > 0; i--)
		(void)doca_pe_progress(stress->dma->pe);
	(void)doca_ctx_stop(doca_dma_as_ctx(stress->contexts[random_below(stress, 2)]));
}

static void restart_contexts(struct stress *stress)
{
	for (unsigned i = 0; i < 2; i++) {
		struct doca_ctx *ctx = doca_dma_as_ctx(stress->contexts[i]);

		if (dma_state(ctx) == DOCA_CTX_STATE_RUNNING)
			continue;
		dma_wait_state(stress->dma, ctx, DOCA_CTX_STATE_IDLE);
		assert_doca(doca_ctx_start(ctx), DOCA_SUCCESS);
	}
}

static void stress_one(struct stress *stress)
{
	struct plan sub;
	struct plan plan;
	struct run *runs[MAX_INSTANCES];
	unsigned num_runs = 1 + random_below(stress, MAX_INSTANCES);

	stress->has_faults = random_below(stress, 3) == 0;
	plan_open(stress, &sub, NULL);
	plan_open(stress, &plan, &sub);
	for (unsigned i = 0; i < num_runs; i++)
		runs[i] = run_open(stress, &plan);
	for (unsigned round = 0; round < NUM_ROUNDS; round++) {
		stress->num_ended = 0;
		for (unsigned i = 0; i < num_runs; i++)
			run_prepare(stress, runs[i]);
		for (unsigned i = 0; i < num_runs; i++)
			assert_doca(doca_graph_instance_submit(runs[i]->instance), DOCA_SUCCESS);
		if (stress->has_faults && round == 1)
			stop_one(stress);
		wait_all(stress, num_runs, round % 2 == 0);
		for (unsigned i = 0; i < num_runs; i++)
			run_check(runs[i], false);
		for (unsigned i = 0; i < num_runs; i++)
			run_release(runs[i]);
		restart_contexts(stress);
	}
	assert_int_equal(stress->num_too_early, 0);
	for (unsigned i = 0; i < num_runs; i++)
		run_close(runs[i]);
	plan_close(&plan);
	plan_close(&sub);
}

static void random_graphs_keep_their_promises(void **state)
{
	const char *seed = getenv("SEED");
	struct dma_options options = {
		.num_tasks = MAX_INSTANCES * MAX_NODES * MAX_NODES,
		.num_bufs = 2 * MAX_INSTANCES * MAX_NODES * MAX_NODES,
		.keeps_tasks = true,
	};
	struct stress stress = {.dma = dma_open(&options)};

	stress.contexts[0] = stress.dma->dma;
	stress.contexts[1] = dma_add_context(stress.dma);
	for (unsigned i = 0; i < NUM_GRAPHS; i++) {
		stress.random = i + (seed == NULL ? 0 : strtoull(seed, NULL, 0));
		stress_one(&stress);
	}
	assert_int_equal(stress.dma->num_success + stress.dma->num_error, 0);
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(stress.contexts[1])), DOCA_SUCCESS);
	assert_doca(doca_dma_destroy(stress.contexts[1]), DOCA_SUCCESS);
	dma_close(stress.dma);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs_keep_their_promises),
	};

	/* Contexts that are soon full. */
	setenv("SOFTDOCA_QUEUE_DEPTH", "4", 1);
	return cmocka_run_group_tests_name("graph_stress", tests, NULL, NULL);
}
