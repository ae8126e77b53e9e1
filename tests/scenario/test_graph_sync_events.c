/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events as contexts of a graph: nodes that set, add, read and wait, beside copies. */
#include "support/event_fixture.h"
#include "support/graph_fixture.h"

#define EVENT_TASK(fixture, kind, task, ...)                                                       \
	do {                                                                                       \
		struct doca_sync_event_task_##kind *made = NULL;                                   \
                                                                                                   \
		assert_doca(doca_sync_event_task_##kind##_alloc_init((fixture)->event,             \
								     __VA_ARGS__, no_data, &made), \
			    DOCA_SUCCESS);                                                         \
		*(task) = doca_sync_event_task_##kind##_as_doca_task(made);                        \
	} while (0)

static const union doca_data no_data;

/* A graph over a DMA context and an event of one engine. The event's value is 0. */
struct scene {
	struct graph_fixture *fixture;
	struct doca_graph *graph;
	struct event_fixture *event;
};

static void scene_open(struct scene *scene)
{
	struct event_fixture *event;

	scene->fixture = graph_open(4);
	scene->graph = scene->fixture->graph;
	event = event_open();
	event->keeps_tasks = true;
	event->ctx = doca_sync_event_as_ctx(event->event);
	assert_doca(doca_pe_connect_ctx(scene->fixture->dma->pe, event->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(event->ctx, (union doca_data){.ptr = event}),
		    DOCA_SUCCESS);
	EVENT_SET_CONF(event, get);
	EVENT_SET_CONF(event, notify_set);
	EVENT_SET_CONF(event, notify_add);
	EVENT_SET_CONF(event, wait_eq);
	assert_doca(doca_ctx_start(event->ctx), DOCA_SUCCESS);
	scene->event = event;
}

static void scene_close(struct scene *scene)
{
	struct event_fixture *event = scene->event;

	assert_int_equal(event->num_done + event->num_failed, 0);
	graph_remove(scene->graph);
	scene->fixture->graph = NULL;
	event->pe = scene->fixture->dma->pe;
	(void)doca_ctx_stop(event->ctx);
	while (event_state(event) != DOCA_CTX_STATE_IDLE)
		(void)doca_pe_progress(event->pe);
	event->pe = NULL;
	event->ctx = NULL;
	event_close(event);
	graph_close(scene->fixture);
}

static struct doca_graph_node *event_node(struct scene *scene)
{
	struct doca_graph_node *node = NULL;

	assert_doca(doca_graph_node_create_from_ctx(scene->graph, scene->event->ctx, &node),
		    DOCA_SUCCESS);
	return node;
}

/* A copy, the event is added to, two copies, the event is read. */
static void an_event_between_copies_counts_the_runs(void **state)
{
	struct scene scene;
	struct dma_fixture *dma;
	struct doca_graph_node *copies[3];
	struct doca_graph_node *add;
	struct doca_graph_node *get;
	struct doca_graph_instance *instance;
	struct doca_task *tasks[3];
	struct doca_task *add_task;
	struct doca_task *get_task;
	uint64_t before = 0;
	uint64_t after = 0;

	scene_open(&scene);
	dma = scene.fixture->dma;
	add = event_node(&scene);
	get = event_node(&scene);
	for (unsigned i = 0; i < 3; i++) {
		copies[i] = graph_ctx_node(scene.fixture, scene.graph);
		graph_depend(scene.graph, i == 0 ? copies[0] : add, i == 0 ? add : copies[i]);
		if (i > 0)
			graph_depend(scene.graph, copies[i], get);
	}
	assert_doca(doca_graph_start(scene.graph), DOCA_SUCCESS);
	instance = graph_instance(scene.graph, 0);
	EVENT_TASK(scene.event, notify_add, &add_task, 1, &before);
	EVENT_TASK(scene.event, get, &get_task, &after);
	graph_set_task(instance, add, add_task);
	graph_set_task(instance, get, get_task);
	for (uint64_t round = 1; round <= 20; round++) {
		for (unsigned i = 0; i < 3; i++) {
			tasks[i] = dma_copy_task(dma, i * 64, 64, 0);
			graph_set_task(instance, copies[i], tasks[i]);
		}
		assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
		assert_true(graph_wait(scene.fixture));
		assert_int_equal(before, round - 1);
		assert_int_equal(after, round);
		assert_true(dma_was_copied(dma, 0, 192));
		for (unsigned i = 0; i < 3; i++)
			dma_task_release(tasks[i]);
	}
	graph_instance_remove(instance);
	doca_task_free(add_task);
	doca_task_free(get_task);
	scene_close(&scene);
}

/* An instance that waits for a value, then copies; the first half of the tests below. */
struct waiter {
	struct doca_graph_node *wait;
	struct doca_graph_node *copy;
	struct doca_graph_instance *instance;
	struct doca_task *wait_task;
	struct doca_task *copy_task;
};

static void waiter_open(struct waiter *waiter, struct scene *scene)
{
	waiter->wait = event_node(scene);
	waiter->copy = graph_ctx_node(scene->fixture, scene->graph);
	graph_depend(scene->graph, waiter->wait, waiter->copy);
	assert_doca(doca_graph_start(scene->graph), DOCA_SUCCESS);
	waiter->instance = graph_instance(scene->graph, 1);
	EVENT_TASK(scene->event, wait_eq, &waiter->wait_task, 7, ALL_BITS);
	waiter->copy_task = dma_copy_task(scene->fixture->dma, 0, 64, 0);
	graph_set_task(waiter->instance, waiter->wait, waiter->wait_task);
	graph_set_task(waiter->instance, waiter->copy, waiter->copy_task);
	assert_doca(doca_graph_instance_submit(waiter->instance), DOCA_SUCCESS);
}

static void waiter_close(struct waiter *waiter)
{
	graph_instance_remove(waiter->instance);
	doca_task_free(waiter->wait_task);
	dma_task_release(waiter->copy_task);
}

/* By a graph of its own, and by a program that sleeps until it is woken. */
static void one_graph_sets_what_another_waits_for(void **state)
{
	struct scene scene;
	struct waiter waiter;
	struct doca_pe *pe;
	struct doca_graph *graph;
	struct doca_graph_node *set;
	struct doca_graph_instance *instance;
	struct doca_task *set_value;
	doca_notification_handle_t handle;

	scene_open(&scene);
	pe = scene.fixture->dma->pe;
	waiter_open(&waiter, &scene);
	(void)dma_progress_dry(scene.fixture->dma);
	assert_false(graph_has_ended(scene.fixture));

	graph = graph_add(scene.fixture, 1);
	assert_doca(doca_graph_node_create_from_ctx(graph, scene.event->ctx, &set), DOCA_SUCCESS);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	instance = graph_instance(graph, 2);
	EVENT_TASK(scene.event, notify_set, &set_value, 7);
	graph_set_task(instance, set, set_value);
	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_false(test_fd_is_readable(handle, 0));
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	while (scene.fixture->num_success < 2) {
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
		(void)doca_pe_progress(pe);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	}
	assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
	assert_true(dma_was_copied(scene.fixture->dma, 0, 64));
	graph_instance_remove(instance);
	graph_remove(graph);
	doca_task_free(set_value);
	waiter_close(&waiter);
	scene_close(&scene);
}

/* A node that waits for ever ends with its context; the copy behind it does not start. */
static void a_stop_of_the_event_fails_who_waits_for_it(void **state)
{
	struct scene scene;
	struct waiter waiter;

	scene_open(&scene);
	waiter_open(&waiter, &scene);
	(void)dma_progress_dry(scene.fixture->dma);
	assert_doca(doca_ctx_stop(scene.event->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_false(graph_wait(scene.fixture));
	assert_true(dma_is_untouched(scene.fixture->dma, 0, 64));
	assert_doca(doca_task_get_status(waiter.wait_task), DOCA_ERROR_IO_FAILED);
	waiter_close(&waiter);
	scene_close(&scene);
}

/* And by itself, as any task, after it ran in a graph. */
static void a_first_task_without_a_place_is_the_submits_error(void **state)
{
	struct scene scene;
	struct doca_graph_node *add;
	struct doca_graph_node *copy;
	struct doca_graph_instance *instance;
	struct doca_task *add_task;
	struct doca_task *copy_task;
	uint64_t place = 0;

	scene_open(&scene);
	copy = graph_ctx_node(scene.fixture, scene.graph);
	add = event_node(&scene);
	assert_doca(doca_graph_start(scene.graph), DOCA_SUCCESS);
	instance = graph_instance(scene.graph, 0);
	EVENT_TASK(scene.event, notify_add, &add_task, 5, NULL);
	copy_task = dma_copy_task(scene.fixture->dma, 0, 64, 0);
	graph_set_task(instance, add, add_task);
	graph_set_task(instance, copy, copy_task);
	assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(dma_progress_dry(scene.fixture->dma), 0);
	assert_true(dma_is_untouched(scene.fixture->dma, 0, 64));

	doca_task_free(add_task);
	EVENT_TASK(scene.event, notify_add, &add_task, 5, &place);
	graph_set_task(instance, add, add_task);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	assert_true(graph_wait(scene.fixture));
	assert_int_equal(place, 0);
	assert_doca(doca_task_submit(add_task), DOCA_SUCCESS);
	(void)dma_progress_dry(scene.fixture->dma);
	assert_int_equal(place, 5);
	assert_int_equal(scene.event->num_done, 1);
	scene.event->num_done = 0;
	graph_instance_remove(instance);
	doca_task_free(add_task);
	dma_task_release(copy_task);
	scene_close(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_between_copies_counts_the_runs),
		cmocka_unit_test(one_graph_sets_what_another_waits_for),
		cmocka_unit_test(a_stop_of_the_event_fails_who_waits_for_it),
		cmocka_unit_test(a_first_task_without_a_place_is_the_submits_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
