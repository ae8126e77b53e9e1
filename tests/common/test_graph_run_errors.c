/* SPDX-License-Identifier: Apache-2.0 */
/* Instances that fail, and submits that are refused. */
#include "support/graph_fixture.h"
#include "support/log_capture.h"

/* Accepted at the submit, then it fails: its source has no data. */
static struct doca_task *failing_task(struct dma_fixture *dma)
{
	struct doca_buf *source = dma_source(dma, 0, 64);

	assert_doca(doca_buf_reset_data_len(source), DOCA_SUCCESS);
	return dma_task(dma, source, dma_target(dma, 0, 64), 0);
}

/* Refused at the submit: its destination may not be written. */
static struct doca_task *refused_task(struct dma_fixture *dma)
{
	struct doca_buf *target = dma_source(dma, 0, 64);

	assert_doca(doca_buf_reset_data_len(target), DOCA_SUCCESS);
	return dma_task(dma, dma_source(dma, 64, 64), target, 0);
}

/* First, and beside it another; a user node behind each. */
struct pair {
	struct graph_fixture *fixture;
	struct doca_graph_node *first[2];
	struct doca_graph_node *after[2];
	struct doca_graph_instance *instance;
	struct doca_task *tasks[2];
	struct graph_cookie cookies[2];
};

static void pair_open(struct pair *pair, struct graph_fixture *fixture)
{
	struct doca_graph *graph = fixture->graph;

	pair->fixture = fixture;
	for (unsigned i = 0; i < 2; i++) {
		pair->first[i] = graph_ctx_node(fixture, graph);
		pair->after[i] = graph_user_node(graph);
		graph_depend(graph, pair->first[i], pair->after[i]);
	}
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	pair->instance = graph_instance(graph, 1);
	for (unsigned i = 0; i < 2; i++) {
		pair->cookies[i] = (struct graph_cookie){fixture, i, DOCA_SUCCESS};
		graph_set_cookie(pair->instance, pair->after[i], &pair->cookies[i]);
	}
}

static void pair_set(struct pair *pair, struct doca_task *first, struct doca_task *second)
{
	pair->tasks[0] = first;
	pair->tasks[1] = second;
	for (unsigned i = 0; i < 2; i++)
		graph_set_task(pair->instance, pair->first[i], pair->tasks[i]);
}

static void pair_close(struct pair *pair)
{
	graph_instance_remove(pair->instance);
	dma_task_release(pair->tasks[0]);
	dma_task_release(pair->tasks[1]);
	graph_close(pair->fixture);
}

static void a_first_task_that_is_refused_is_the_submits_error(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct pair pair;

	pair_open(&pair, fixture);
	for (unsigned i = 0; i < 2; i++) {
		struct doca_task *good = dma_copy_task(fixture->dma, 128, 64, 0);
		struct doca_task *bad = refused_task(fixture->dma);

		pair_set(&pair, i == 0 ? bad : good, i == 0 ? good : bad);
		log_forget(state);
		assert_doca(doca_graph_instance_submit(pair.instance), DOCA_ERROR_NOT_PERMITTED);
		assert_logged(state, "ERR", "copy refused");
		assert_int_equal(dma_inflight(fixture->dma->ctx), 0);
		assert_int_equal(dma_progress_dry(fixture->dma), 0);
		assert_true(dma_is_untouched(fixture->dma, 128, 64));
		assert_int_equal(fixture->num_calls, 0);
		assert_false(graph_has_ended(fixture));
		if (i == 0) {
			dma_task_release(good);
			dma_task_release(bad);
		}
	}
	pair_close(&pair);
}

static void a_first_task_wants_its_context_running(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct pair pair;

	pair_open(&pair, fixture);
	pair_set(&pair, dma_copy_task(fixture->dma, 0, 64, 0),
		 dma_copy_task(fixture->dma, 64, 64, 0));
	assert_doca(doca_ctx_stop(fixture->dma->ctx), DOCA_ERROR_IN_PROGRESS);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(pair.instance), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "its context is not running");
	assert_false(graph_has_ended(fixture));
	pair_close(&pair);
}

static void a_later_task_that_is_refused_fails_the_instance(void **state)
{
	const struct log_capture *capture = *state;
	const char *refusal;
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *first = graph_user_node(graph);
	struct doca_graph_node *then = graph_ctx_node(fixture, graph);
	struct doca_graph_node *last = graph_user_node(graph);
	struct doca_graph_node *other = graph_ctx_node(fixture, graph);
	struct graph_cookie cookie = {.fixture = fixture};
	struct doca_task *never = dma_copy_task(fixture->dma, 128, 64, 0);
	struct doca_task *task = refused_task(fixture->dma);
	struct doca_graph_instance *instance;

	graph_depend(graph, first, then);
	graph_depend(graph, then, last);
	graph_depend(graph, last, other);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	instance = graph_instance(graph, 0);
	graph_set_cookie(instance, first, &cookie);
	graph_set_task(instance, then, task);
	graph_set_task(instance, other, never);
	for (unsigned i = 0; i < 2; i++) {
		assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
		log_forget(state);
		assert_false(graph_wait(fixture));
		assert_int_equal(fixture->num_calls, i + 1);
		assert_doca(doca_task_get_status(task), DOCA_ERROR_NOT_PERMITTED);
		assert_doca(doca_task_get_status(never), DOCA_SUCCESS);
		/* Its refusal is the error; what follows from that is no second one. */
		assert_int_equal(capture->num_lines, 2);
		refusal = strstr(capture->text, "[ERR]");
		assert_non_null(refusal);
		assert_null(strstr(refusal + 1, "[ERR]"));
		assert_non_null(strstr(refusal, "its dma node "));
		assert_non_null(strstr(refusal, "ended with DOCA_ERROR_NOT_PERMITTED"));
	}
	dma_task_release(never);
	assert_int_equal(dma_state(fixture->dma->ctx), DOCA_CTX_STATE_RUNNING);
	graph_instance_remove(instance);
	dma_task_release(task);
	graph_close(fixture);
}

static void a_user_node_that_returns_an_error_fails_the_instance(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct pair pair;

	pair_open(&pair, fixture);
	pair_set(&pair, dma_copy_task(fixture->dma, 0, 64, 0),
		 dma_copy_task(fixture->dma, 64, 64, 0));
	pair.cookies[0].result = DOCA_ERROR_TOO_BIG;
	pair.cookies[1].result = DOCA_ERROR_TOO_BIG;
	assert_doca(doca_graph_instance_submit(pair.instance), DOCA_SUCCESS);
	log_forget(state);
	assert_false(graph_wait(fixture));
	/* The other copy was on its way, and ended; what comes after it did not start. */
	assert_logged(state, "ERR", "its user node ");
	assert_logged(state, "ERR", "ended with DOCA_ERROR_TOO_BIG");
	assert_int_equal(fixture->num_calls, 1);
	assert_true(dma_was_copied(fixture->dma, 0, 128));
	assert_int_equal(dma_state(fixture->dma->ctx), DOCA_CTX_STATE_RUNNING);
	pair_close(&pair);
}

/* The task that fails stops its context: whatever is in it comes back, and what comes is refused.
 */
static void a_copy_that_fails_fails_what_its_context_has(void **state)
{
	enum { NUM_INSTANCES = 16 };
	struct graph_fixture *fixture = graph_open(NUM_INSTANCES);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *first = graph_ctx_node(fixture, graph);
	struct doca_graph_node *second = graph_ctx_node(fixture, graph);
	struct doca_graph_instance *instances[NUM_INSTANCES];
	struct doca_task *tasks[NUM_INSTANCES][2];

	graph_depend(graph, first, second);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < NUM_INSTANCES; i++) {
		instances[i] = graph_instance(graph, i);
		/* The first two are done by then, and begin their second; no others fit. */
		tasks[i][0] = i == 2 ? failing_task(fixture->dma)
				     : dma_copy_task(fixture->dma, i * 64, 64, 0);
		tasks[i][1] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		graph_set_task(instances[i], first, tasks[i][0]);
		graph_set_task(instances[i], second, tasks[i][1]);
		assert_doca(doca_graph_instance_submit(instances[i]), DOCA_SUCCESS);
	}
	dma_wait_state(fixture->dma, fixture->dma->ctx, DOCA_CTX_STATE_STOPPING);
	dma_progress_dry(fixture->dma);
	assert_int_equal(fixture->num_error, NUM_INSTANCES);
	assert_doca(doca_task_get_status(tasks[0][0]), DOCA_SUCCESS);
	assert_doca(doca_task_get_status(tasks[3][0]), DOCA_ERROR_IO_FAILED);
	for (unsigned i = 0; i < NUM_INSTANCES; i++) {
		graph_instance_remove(instances[i]);
		dma_task_release(tasks[i][0]);
		dma_task_release(tasks[i][1]);
	}
	dma_wait_state(fixture->dma, fixture->dma->ctx, DOCA_CTX_STATE_IDLE);
	graph_close(fixture);
}

static void a_copy_that_fails_in_a_graph_says_why(void **state)
{
	const struct log_capture *capture = *state;
	struct graph_fixture *fixture = graph_open(1);
	struct pair pair;

	pair_open(&pair, fixture);
	pair_set(&pair, failing_task(fixture->dma), dma_copy_task(fixture->dma, 64, 64, 0));
	assert_doca(doca_graph_instance_submit(pair.instance), DOCA_SUCCESS);
	log_forget(state);
	assert_false(graph_wait(fixture));
	assert_non_null(strstr(capture->text, "holds no data"));
	assert_non_null(strstr(capture->text, "ended with DOCA_ERROR_IO_FAILED"));
	pair_close(&pair);
}

static void an_instance_runs_again_once_its_context_does(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct pair pair;

	pair_open(&pair, fixture);
	pair_set(&pair, failing_task(fixture->dma), dma_copy_task(fixture->dma, 64, 64, 0));
	assert_doca(doca_graph_instance_submit(pair.instance), DOCA_SUCCESS);
	assert_false(graph_wait(fixture));
	dma_task_release(pair.tasks[0]);
	dma_task_release(pair.tasks[1]);
	dma_wait_state(fixture->dma, fixture->dma->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(fixture->dma->ctx), DOCA_SUCCESS);
	pair_set(&pair, dma_copy_task(fixture->dma, 0, 64, 0),
		 dma_copy_task(fixture->dma, 64, 64, 0));
	assert_doca(doca_graph_instance_submit(pair.instance), DOCA_SUCCESS);
	assert_true(graph_wait(fixture));
	assert_int_equal(fixture->num_calls, 2);
	pair_close(&pair);
}

/* What waits for room is told as soon as one of its nodes fails, not when room comes. */
static void an_instance_that_fails_waits_for_no_room(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *copies[6];
	struct doca_graph_node *user = graph_user_node(graph);
	struct graph_cookie cookie = {.fixture = fixture, .result = DOCA_ERROR_UNKNOWN};
	struct doca_task *tasks[6];
	struct doca_graph_instance *instance;

	for (unsigned i = 0; i < 6; i++)
		copies[i] = graph_ctx_node(fixture, graph);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	instance = graph_instance(graph, 0);
	graph_set_cookie(instance, user, &cookie);
	for (unsigned i = 0; i < 6; i++) {
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		graph_set_task(instance, copies[i], tasks[i]);
	}
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	assert_int_equal(dma_inflight(fixture->dma->ctx), 4);
	while (fixture->num_calls == 0)
		assert_int_equal(doca_pe_progress(fixture->dma->pe), 1);
	assert_false(graph_wait(fixture));
	assert_false(dma_was_copied(fixture->dma, 0, 6 * 64));
	assert_int_equal(dma_inflight(fixture->dma->ctx), 0);
	assert_int_equal(dma_progress_dry(fixture->dma), 0);
	graph_instance_remove(instance);
	for (unsigned i = 0; i < 6; i++)
		dma_task_release(tasks[i]);
	graph_close(fixture);
}

static doca_error_t stop_the_context(void *cookie)
{
	struct graph_fixture *fixture = cookie;

	fixture->num_calls++;
	return doca_ctx_stop(fixture->dma->ctx) == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS
									  : DOCA_ERROR_UNEXPECTED;
}

/* What is in flight comes back, what comes after is refused, and the node itself is no failure. */
static void a_node_that_stops_its_context_fails_the_instance(void **state)
{
	struct graph_fixture *fixture = graph_open(2);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *node = NULL;
	struct doca_graph_node *copy = graph_ctx_node(fixture, graph);
	struct doca_graph_instance *instances[2];
	struct doca_task *tasks[2];

	assert_doca(doca_graph_node_create_from_user(graph, stop_the_context, &node), DOCA_SUCCESS);
	graph_depend(graph, node, copy);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < 2; i++) {
		instances[i] = graph_instance(graph, i);
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		graph_set_task(instances[i], copy, tasks[i]);
		graph_set_cookie(instances[i], node, fixture);
		assert_doca(doca_graph_instance_submit(instances[i]), DOCA_SUCCESS);
	}
	(void)dma_progress_dry(fixture->dma);
	assert_int_equal(fixture->num_calls, 2);
	assert_int_equal(fixture->num_error, 2);
	assert_true(dma_is_untouched(fixture->dma, 0, 128));
	for (unsigned i = 0; i < 2; i++) {
		graph_instance_remove(instances[i]);
		dma_task_release(tasks[i]);
	}
	graph_close(fixture);
}

/* Nobody takes it away or changes it, and then it is the caller's again, run or not. */
static void a_task_is_the_librarys_while_its_instance_runs(void **state)
{
	struct graph_fixture *fixture = graph_open(2);
	struct doca_graph *graph = fixture->graph;
	struct doca_graph_node *first = graph_user_node(graph);
	struct doca_graph_node *then = graph_ctx_node(fixture, graph);
	struct graph_cookie cookie = {.fixture = fixture};
	struct doca_task *task = dma_copy_task(fixture->dma, 0, 64, 0);
	struct doca_buf *target = dma_target(fixture->dma, 1024, 64);
	struct doca_graph_instance *instances[2];

	graph_depend(graph, first, then);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < 2; i++) {
		instances[i] = graph_instance(graph, i);
		graph_set_cookie(instances[i], first, &cookie);
		graph_set_task(instances[i], then, task);
	}
	for (unsigned i = 0; i < 2; i++) {
		cookie.result = i == 0 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
		assert_doca(doca_graph_instance_submit(instances[0]), DOCA_SUCCESS);
		log_forget(state);
		doca_task_free(task);
		assert_logged(state, "ERR", "is in a graph's instance that runs");
		assert_doca(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
		doca_dma_task_memcpy_set_dst(dma_memcpy_of(task), target);
		assert_ptr_not_equal(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task)), target);
		assert_doca(doca_graph_instance_set_ctx_node_data(instances[1], then, task),
			    DOCA_ERROR_NOT_PERMITTED);
		assert_doca(doca_graph_instance_submit(instances[1]), DOCA_ERROR_BAD_STATE);
		assert_int_equal(graph_wait(fixture), i == 0);
		if (i == 0)
			assert_doca(doca_buf_reset_data_len(
					    doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))),
				    DOCA_SUCCESS);
	}
	assert_true(dma_was_copied(fixture->dma, 0, 64));
	for (unsigned i = 0; i < 2; i++)
		graph_instance_remove(instances[i]);
	assert_doca(doca_buf_dec_refcount(target, NULL), DOCA_SUCCESS);
	dma_task_release(task);
	graph_close(fixture);
}

/* Its memory may be another's task, also after the context has started anew, or nobody's. */
static void a_task_that_was_freed_since_it_was_set_is_refused(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph_node *node = graph_ctx_node(fixture, fixture->graph);
	struct doca_task *first = dma_copy_task(fixture->dma, 0, 64, 0);
	struct doca_task *second;
	struct doca_graph_instance *instance;

	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	graph_set_task(instance, node, first);
	dma_task_release(first);
	assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
	second = dma_copy_task(fixture->dma, 0, 64, 0);
	assert_ptr_equal(second, first);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "its task was freed since it was set");
	graph_set_task(instance, node, second);
	dma_task_release(second);

	assert_doca(doca_ctx_stop(fixture->dma->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma->dma, dma_record_success,
						  dma_record_error, 3),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->dma->ctx), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
	assert_true(dma_is_untouched(fixture->dma, 0, 64));
	graph_instance_remove(instance);
	graph_close(fixture);
}

/* An outer graph: a user node, then an inner graph, then a user node. The inner one copies. */
struct nest {
	struct graph_fixture *fixture;
	struct doca_graph *inner;
	struct doca_graph_node *before;
	struct doca_graph_node *sub_node;
	struct doca_graph_node *after;
	struct doca_graph_node *copy;
	struct doca_graph_instance *outer_instance;
	struct doca_graph_instance *inner_instance;
	struct graph_cookie cookie;
};

static void nest_open(struct nest *nest, bool is_first)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *outer = fixture->graph;
	struct doca_graph_node *spare;
	struct doca_task *task = dma_copy_task(fixture->dma, 1024, 64, 0);

	*nest = (struct nest){.fixture = fixture, .inner = graph_add(fixture, 1)};
	nest->copy = graph_ctx_node(fixture, nest->inner);
	assert_doca(doca_graph_start(nest->inner), DOCA_SUCCESS);
	spare = graph_ctx_node(fixture, outer);
	nest->before = graph_user_node(outer);
	nest->sub_node = graph_sub_node(outer, nest->inner);
	nest->after = graph_user_node(outer);
	if (!is_first)
		graph_depend(outer, nest->before, nest->sub_node);
	graph_depend(outer, nest->sub_node, nest->after);
	/* At the very end. */
	graph_depend(outer, nest->after, spare);
	assert_doca(doca_graph_start(outer), DOCA_SUCCESS);
	nest->outer_instance = graph_instance(outer, 1);
	nest->inner_instance = graph_instance(nest->inner, 2);
	nest->cookie = (struct graph_cookie){.fixture = fixture};
	graph_set_cookie(nest->outer_instance, nest->before, &nest->cookie);
	graph_set_cookie(nest->outer_instance, nest->after, &nest->cookie);
	graph_set_task(nest->outer_instance, spare, task);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(
			    nest->outer_instance, nest->sub_node, nest->inner_instance),
		    DOCA_SUCCESS);
	fixture->dma->options.user = task;
}

static void nest_close(struct nest *nest)
{
	graph_instance_remove(nest->outer_instance);
	graph_instance_remove(nest->inner_instance);
	graph_remove(nest->fixture->graph);
	nest->fixture->graph = nest->inner;
	dma_task_release(nest->fixture->dma->options.user);
	graph_close(nest->fixture);
}

static void a_sub_graph_that_fails_fails_the_node_alone_is_told(void **state)
{
	struct nest nest;
	struct doca_task *task;

	nest_open(&nest, false);
	task = refused_task(nest.fixture->dma);
	graph_set_task(nest.inner_instance, nest.copy, task);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_SUCCESS);
	assert_false(graph_wait(nest.fixture));
	assert_int_equal(nest.fixture->last_tag, 1);
	assert_int_equal(nest.fixture->num_calls, 1);
	dma_task_release(task);

	/* By a task that fails while it runs. */
	task = failing_task(nest.fixture->dma);
	graph_set_task(nest.inner_instance, nest.copy, task);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_SUCCESS);
	assert_false(graph_wait(nest.fixture));
	assert_int_equal(nest.fixture->last_tag, 1);
	assert_int_equal(nest.fixture->num_calls, 2);
	assert_int_equal(dma_progress_dry(nest.fixture->dma), 0);
	dma_task_release(task);
	nest_close(&nest);
}

static void a_sub_graph_without_data_fails_its_node_when_that_starts(void **state)
{
	struct nest nest;

	nest_open(&nest, false);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_SUCCESS);
	assert_false(graph_wait(nest.fixture));
	assert_int_equal(nest.fixture->num_calls, 1);
	nest_close(&nest);
}

static void a_sub_graph_that_runs_by_itself_fails_the_node(void **state)
{
	struct nest nest;
	struct doca_task *task;

	nest_open(&nest, false);
	task = dma_copy_task(nest.fixture->dma, 0, 64, 0);
	graph_set_task(nest.inner_instance, nest.copy, task);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_SUCCESS);
	/* Before the node is reached. */
	assert_doca(doca_graph_instance_submit(nest.inner_instance), DOCA_SUCCESS);
	while (nest.fixture->num_success + nest.fixture->num_error < 2)
		(void)doca_pe_progress(nest.fixture->dma->pe);
	assert_int_equal(nest.fixture->num_success, 1);
	assert_int_equal(nest.fixture->num_error, 1);
	dma_task_release(task);
	nest_close(&nest);
}

/* Its copy waits for room, so that only its instance tells that it runs. */
static void a_sub_graph_that_waits_by_itself_fails_the_node(void **state)
{
	struct nest nest;
	struct doca_task *task;
	struct doca_task *own[4];

	nest_open(&nest, false);
	for (unsigned i = 0; i < 4; i++) {
		own[i] = dma_copy_task(nest.fixture->dma, 4096 + i * 64, 64, 0);
		assert_doca(doca_task_submit(own[i]), DOCA_SUCCESS);
	}
	task = dma_copy_task(nest.fixture->dma, 0, 64, 0);
	graph_set_task(nest.inner_instance, nest.copy, task);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(nest.inner_instance), DOCA_SUCCESS);
	while (nest.fixture->num_success + nest.fixture->num_error < 2)
		(void)doca_pe_progress(nest.fixture->dma->pe);
	assert_int_equal(nest.fixture->num_success, 1);
	assert_int_equal(nest.fixture->num_error, 1);
	dma_wait_tasks(nest.fixture->dma, 4);
	nest.fixture->dma->num_success = 0;
	for (unsigned i = 0; i < 4; i++)
		dma_task_release(own[i]);
	dma_task_release(task);
	nest_close(&nest);
}

/* The middle one of three has none for its inner one; that is seen when it starts. */
static void a_sub_graph_without_an_instance_fails_its_node(void **state)
{
	struct nest nest;
	struct doca_graph *graph;
	struct doca_graph_node *copy;
	struct doca_graph_node *sub_node;
	struct doca_graph_instance *instance;
	struct doca_task *task;

	nest_open(&nest, false);
	task = dma_copy_task(nest.fixture->dma, 0, 64, 0);
	graph = graph_add(nest.fixture, 1);
	copy = graph_ctx_node(nest.fixture, graph);
	sub_node = graph_sub_node(graph, nest.fixture->graph);
	graph_depend(graph, copy, sub_node);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	instance = graph_instance(graph, 7);
	graph_set_task(instance, copy, task);
	graph_instance_remove(nest.outer_instance);
	nest.outer_instance = graph_instance(nest.fixture->graph, 1);
	graph_set_cookie(nest.outer_instance, nest.before, &nest.cookie);
	assert_doca(doca_graph_instance_set_sub_graph_node_data(instance, sub_node,
								nest.outer_instance),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	assert_false(graph_wait(nest.fixture));
	assert_int_equal(nest.fixture->last_tag, 7);
	assert_int_equal(nest.fixture->num_calls, 1);
	graph_instance_remove(instance);
	graph_remove(graph);
	dma_task_release(task);
	nest_close(&nest);
}

static void a_first_task_in_a_first_sub_graph_is_the_submits_error(void **state)
{
	struct nest nest;
	struct doca_task *task;

	nest_open(&nest, true);
	task = refused_task(nest.fixture->dma);
	graph_set_task(nest.inner_instance, nest.copy, task);
	log_forget(state);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "copy refused");
	assert_int_equal(dma_progress_dry(nest.fixture->dma), 0);
	assert_int_equal(nest.fixture->num_calls, 0);
	dma_task_release(task);

	task = dma_copy_task(nest.fixture->dma, 0, 64, 0);
	graph_set_task(nest.inner_instance, nest.copy, task);
	assert_doca(doca_graph_instance_submit(nest.outer_instance), DOCA_SUCCESS);
	assert_true(graph_wait(nest.fixture));
	assert_int_equal(nest.fixture->num_calls, 2);
	assert_true(dma_was_copied(nest.fixture->dma, 0, 64));
	/* By itself it has its own callback again. */
	assert_doca(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(nest.inner_instance), DOCA_SUCCESS);
	assert_true(graph_wait(nest.fixture));
	assert_int_equal(nest.fixture->last_tag, 2);
	dma_task_release(task);
	nest_close(&nest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_first_task_that_is_refused_is_the_submits_error),
		cmocka_unit_test(a_first_task_wants_its_context_running),
		cmocka_unit_test(a_later_task_that_is_refused_fails_the_instance),
		cmocka_unit_test(a_user_node_that_returns_an_error_fails_the_instance),
		cmocka_unit_test(a_copy_that_fails_fails_what_its_context_has),
		cmocka_unit_test(a_copy_that_fails_in_a_graph_says_why),
		cmocka_unit_test(an_instance_runs_again_once_its_context_does),
		cmocka_unit_test(an_instance_that_fails_waits_for_no_room),
		cmocka_unit_test(a_node_that_stops_its_context_fails_the_instance),
		cmocka_unit_test(a_task_is_the_librarys_while_its_instance_runs),
		cmocka_unit_test(a_task_that_was_freed_since_it_was_set_is_refused),
		cmocka_unit_test(a_sub_graph_that_fails_fails_the_node_alone_is_told),
		cmocka_unit_test(a_sub_graph_without_data_fails_its_node_when_that_starts),
		cmocka_unit_test(a_sub_graph_that_runs_by_itself_fails_the_node),
		cmocka_unit_test(a_sub_graph_that_waits_by_itself_fails_the_node),
		cmocka_unit_test(a_sub_graph_without_an_instance_fails_its_node),
		cmocka_unit_test(a_first_task_in_a_first_sub_graph_is_the_submits_error),
	};

	/* Contexts that are soon full. */
	setenv("SOFTDOCA_QUEUE_DEPTH", "4", 1);
	return cmocka_run_group_tests_name("graph_run_errors", tests, log_capture_debug, NULL);
}
