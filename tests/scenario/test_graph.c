/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs over several contexts: copies of two, and messages that tell of them. */
#include "support/comch_fixture.h"
#include "support/graph_fixture.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_mmap_advise.h>
#include <doca_sync_event.h>

/* A copy, a message to the client when it is done, a user node. The client has its own engine. */
struct story {
	struct graph_fixture *fixture;
	struct comch_end server;
	struct comch_end client;
	struct doca_graph_node *copy;
	struct doca_graph_node *send;
	struct doca_graph_node *call;
	struct doca_graph_instance *instance;
	struct doca_task *task;
	struct doca_comch_task_send *message;
	struct graph_cookie cookie;
};

static struct doca_graph_node *ctx_node(struct doca_graph *graph, struct doca_ctx *ctx)
{
	struct doca_graph_node *node = NULL;

	assert_doca(doca_graph_node_create_from_ctx(graph, ctx, &node), DOCA_SUCCESS);
	return node;
}

static void story_open(struct story *story, bool is_sent_first)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_graph *graph = fixture->graph;

	*story = (struct story){
		.fixture = fixture,
		.cookie = {.fixture = fixture, .tag = 5},
	};
	comch_server_open(&story->server, "graph", fixture->dma->pe);
	comch_client_open(&story->client, "graph", NULL);
	assert_doca(doca_comch_client_set_recv_queue_size(story->client.client, 1), DOCA_SUCCESS);
	comch_connect(&story->server, &story->client);

	story->copy = ctx_node(graph, fixture->dma->ctx);
	story->send = ctx_node(graph, story->server.ctx);
	story->call = graph_user_node(graph);
	graph_depend(graph, is_sent_first ? story->send : story->copy,
		     is_sent_first ? story->copy : story->send);
	graph_depend(graph, is_sent_first ? story->copy : story->send, story->call);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);

	story->instance = graph_instance(graph, 1);
	story->task = dma_copy_task(fixture->dma, 0, 64, 0);
	assert_doca(comch_task(&story->server, story->server.peer, "done", 4, &story->message),
		    DOCA_SUCCESS);
	graph_set_task(story->instance, story->copy, story->task);
	graph_set_task(story->instance, story->send, doca_comch_task_send_as_task(story->message));
	graph_set_cookie(story->instance, story->call, &story->cookie);
}

static void story_close(struct story *story, bool has_client)
{
	assert_int_equal(story->server.num_sent + story->server.num_failed, 0);
	graph_instance_remove(story->instance);
	dma_task_release(story->task);
	doca_task_free(doca_comch_task_send_as_task(story->message));
	graph_remove(story->fixture->graph);
	story->fixture->graph = NULL;
	if (has_client)
		comch_end_close(&story->client);
	comch_end_close(&story->server);
	graph_close(story->fixture);
}

static void empty_target(struct doca_task *task)
{
	assert_doca(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))),
		    DOCA_SUCCESS);
}

static void a_message_follows_its_copy(void **state)
{
	struct story story;

	story_open(&story, false);
	for (unsigned i = 1; i <= 20; i++) {
		assert_doca(doca_graph_instance_submit(story.instance), DOCA_SUCCESS);
		assert_int_equal(story.client.num_received, i - 1);
		assert_true(graph_wait(story.fixture));
		assert_int_equal(story.fixture->num_calls, i);
		comch_until(&story.server, &story.client, story.client.num_received == i);
		assert_memory_equal(story.client.last_message, "done", 4);
		empty_target(story.task);
	}
	story_close(&story, true);
}

/* The client's queue holds one message, and the client does not look for now. */
static void a_message_waits_for_room_at_its_receiver(void **state)
{
	struct story story;

	story_open(&story, false);
	assert_doca(comch_send(&story.server, story.server.peer, "busy", 4), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(story.instance), DOCA_SUCCESS);
	(void)dma_progress_dry(story.fixture->dma);
	assert_true(dma_was_copied(story.fixture->dma, 0, 64));
	assert_int_equal(story.server.num_sent, 1);
	assert_false(graph_has_ended(story.fixture));
	comch_until(&story.server, &story.client, story.client.num_received == 2);
	assert_true(graph_wait(story.fixture));
	assert_int_equal(story.fixture->num_calls, 1);
	story.server.num_sent = 0;
	story_close(&story, true);
}

/* An event loop sleeps meanwhile, and is woken when there is room. */
static void a_message_that_waits_for_its_receiver_keeps_no_loop_awake(void **state)
{
	enum { MAX_WAKE_UPS = 20 };
	struct story story;
	struct doca_pe *pe;
	doca_notification_handle_t handle;
	unsigned num_wake_ups = 0;

	story_open(&story, false);
	pe = story.fixture->dma->pe;
	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	assert_doca(comch_send(&story.server, story.server.peer, "busy", 4), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(story.instance), DOCA_SUCCESS);
	for (unsigned round = 0; !graph_has_ended(story.fixture); num_wake_ups++) {
		assert_true(num_wake_ups < MAX_WAKE_UPS);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
		if (!test_fd_is_readable(handle, round == 0 ? 0 : TEST_DEADLINE_S * 1000)) {
			assert_int_equal(round++, 0);
			comch_until(&story.client, NULL, story.client.num_received == 1);
		}
		assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
		(void)doca_pe_progress(pe);
	}
	assert_true(graph_wait(story.fixture));
	story.server.num_sent = 0;
	story_close(&story, true);
}

static void messages_that_wait_keep_their_order(void **state)
{
	enum { NUM_MESSAGES = 10 };
	struct graph_fixture *fixture;
	struct doca_graph *graph;
	struct doca_graph_node *node;
	struct doca_graph_node *spare;
	struct doca_graph_instance *instances[NUM_MESSAGES];
	struct doca_comch_task_send *messages[NUM_MESSAGES];
	struct doca_task *tasks[NUM_MESSAGES];
	uint64_t numbers[NUM_MESSAGES];
	struct story story;

	story_open(&story, false);
	fixture = story.fixture;
	graph = graph_add(fixture, NUM_MESSAGES);
	node = ctx_node(graph, story.server.ctx);
	spare = ctx_node(graph, fixture->dma->ctx);
	graph_depend(graph, node, spare);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < NUM_MESSAGES; i++) {
		numbers[i] = i;
		instances[i] = graph_instance(graph, i);
		tasks[i] = dma_copy_task(fixture->dma, i * 64, 64, 0);
		assert_doca(comch_task(&story.server, story.server.peer, &numbers[i],
				       sizeof(numbers[i]), &messages[i]),
			    DOCA_SUCCESS);
		graph_set_task(instances[i], node, doca_comch_task_send_as_task(messages[i]));
		graph_set_task(instances[i], spare, tasks[i]);
		assert_doca(doca_graph_instance_submit(instances[i]), DOCA_SUCCESS);
	}
	comch_until(&story.server, &story.client, fixture->num_success == NUM_MESSAGES);
	comch_until(&story.server, &story.client, story.client.num_received == NUM_MESSAGES);
	for (unsigned i = 0; i < NUM_MESSAGES; i++) {
		assert_int_equal(story.client.numbers[i], i);
		graph_instance_remove(instances[i]);
		doca_task_free(doca_comch_task_send_as_task(messages[i]));
		dma_task_release(tasks[i]);
	}
	graph_remove(graph);
	story_close(&story, true);
}

/* Of two clients one does not look; the other has its messages all the same. */
static void a_receiver_that_is_full_holds_up_no_other(void **state)
{
	struct story story;
	struct comch_end second = {.dev = NULL};
	struct doca_graph *graph;
	struct doca_graph_node *node;
	struct doca_graph_instance *instances[2];
	struct doca_comch_task_send *messages[2];
	struct graph_fixture *fixture;

	story_open(&story, false);
	fixture = story.fixture;
	graph = graph_add(fixture, 2);
	node = ctx_node(graph, story.server.ctx);
	assert_doca(doca_graph_start(graph), DOCA_SUCCESS);
	assert_doca(comch_send(&story.server, story.server.peer, "busy", 4), DOCA_SUCCESS);
	for (unsigned i = 0; i < 2; i++) {
		instances[i] = graph_instance(graph, i);
		assert_doca(comch_task(&story.server, story.server.peer, "news", 4, &messages[i]),
			    DOCA_SUCCESS);
		graph_set_task(instances[i], node, doca_comch_task_send_as_task(messages[i]));
		assert_doca(doca_graph_instance_submit(instances[i]), DOCA_SUCCESS);
		if (i == 0) {
			comch_client_open(&second, "graph", NULL);
			comch_connect(&story.server, &second);
		}
	}
	comch_until(&story.server, &second, graph_has_ended(fixture));
	assert_true(graph_wait(fixture));
	assert_int_equal(fixture->last_tag, 1);
	comch_until(&story.server, &second, second.num_received == 1);
	comch_until(&story.server, &story.client, story.client.num_received == 2);
	assert_true(graph_wait(fixture));
	assert_int_equal(fixture->last_tag, 0);
	story.server.num_sent = 0;
	for (unsigned i = 0; i < 2; i++) {
		graph_instance_remove(instances[i]);
		doca_task_free(doca_comch_task_send_as_task(messages[i]));
	}
	graph_remove(graph);
	comch_end_close(&second);
	story_close(&story, true);
}

static void a_first_message_is_sent_once(void **state)
{
	struct story story;

	story_open(&story, true);
	assert_doca(doca_graph_instance_submit(story.instance), DOCA_SUCCESS);
	comch_until(&story.server, &story.client, graph_has_ended(story.fixture));
	assert_true(graph_wait(story.fixture));
	(void)dma_progress_dry(story.fixture->dma);
	while (doca_pe_progress(story.client.pe) != 0)
		;
	assert_int_equal(story.client.num_received, 1);
	story_close(&story, true);
}

static void a_message_to_nobody_fails_the_instance(void **state)
{
	struct story story;

	story_open(&story, false);
	comch_end_close(&story.client);
	comch_until(&story.server, NULL, story.server.num_disconnects == 1);
	assert_doca(doca_graph_instance_submit(story.instance), DOCA_SUCCESS);
	assert_false(graph_wait(story.fixture));
	assert_true(dma_was_copied(story.fixture->dma, 0, 64));
	assert_int_equal(story.fixture->num_calls, 0);
	story_close(&story, false);
}

/* Written, but its receiver ends before it has looked: known when it is reported. */
static void a_message_that_is_lost_on_its_way_fails_the_instance(void **state)
{
	struct story story;

	story_open(&story, true);
	assert_doca(doca_graph_instance_submit(story.instance), DOCA_SUCCESS);
	comch_end_close(&story.client);
	assert_false(graph_wait(story.fixture));
	assert_doca(doca_task_get_status(doca_comch_task_send_as_task(story.message)),
		    DOCA_ERROR_CONNECTION_RESET);
	assert_true(dma_is_untouched(story.fixture->dma, 0, 64));
	story_close(&story, false);
}

static void never_called(struct doca_mmap_advise_task_invalidate_cache *task,
			 union doca_data task_user_data, union doca_data ctx_user_data)
{
	*(volatile bool *)ctx_user_data.ptr = true;
}

static struct doca_mmap_advise *advise_open(const struct graph_fixture *fixture, bool *was_called)
{
	union doca_data user_data = {.ptr = was_called};
	struct doca_mmap_advise *advise = NULL;

	assert_doca(doca_mmap_advise_create(fixture->dma->dev, &advise), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(fixture->dma->pe, doca_mmap_advise_as_ctx(advise)),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(doca_mmap_advise_as_ctx(advise), user_data),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_advise_task_invalidate_cache_set_conf(advise, never_called,
								    never_called, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(doca_mmap_advise_as_ctx(advise)), DOCA_SUCCESS);
	return advise;
}

/*
 * A cache is invalidated, which a submit does at once, and beside it there is a copy. The one that
 * was created first starts first.
 */
static void refuse_what_a_submit_does(bool is_copied_first)
{
	struct graph_fixture *fixture = graph_open(1);
	struct doca_task *task = dma_copy_task(fixture->dma, 0, 64, 0);
	struct doca_buf *buf = dma_target(fixture->dma, 1024, 64);
	struct doca_mmap_advise_task_invalidate_cache *invalidate = NULL;
	struct doca_mmap_advise *advise;
	struct doca_graph_node *first;
	struct doca_graph_node *second = NULL;
	struct doca_graph_instance *instance;
	union doca_data user_data = {.u64 = 0};
	bool was_called = false;

	advise = advise_open(fixture, &was_called);
	if (is_copied_first)
		second = ctx_node(fixture->graph, fixture->dma->ctx);
	first = ctx_node(fixture->graph, doca_mmap_advise_as_ctx(advise));
	if (!is_copied_first)
		second = ctx_node(fixture->graph, fixture->dma->ctx);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	assert_doca(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, user_data,
								      &invalidate),
		    DOCA_SUCCESS);
	graph_set_task(instance, first,
		       doca_mmap_advise_task_invalidate_cache_as_doca_task(invalidate));
	graph_set_task(instance, second, task);

	/* It has no buffer. */
	if (is_copied_first) {
		assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
		assert_false(graph_wait(fixture));
		empty_target(task);
	} else {
		assert_doca(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
		assert_int_equal(dma_progress_dry(fixture->dma), 0);
		assert_true(dma_is_untouched(fixture->dma, 0, 64));
		assert_false(graph_has_ended(fixture));
	}

	doca_mmap_advise_task_invalidate_cache_set_buf(invalidate, buf);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	assert_true(graph_wait(fixture));
	assert_true(dma_was_copied(fixture->dma, 0, 64));
	assert_false(was_called);
	graph_instance_remove(instance);
	doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(invalidate));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(doca_mmap_advise_as_ctx(advise)), DOCA_SUCCESS);
	graph_remove(fixture->graph);
	fixture->graph = NULL;
	assert_doca(doca_mmap_advise_destroy(advise), DOCA_SUCCESS);
	dma_task_release(task);
	graph_close(fixture);
}

static void a_first_task_that_its_submit_does_is_refused_there(void **state)
{
	refuse_what_a_submit_does(false);
}

static void it_fails_the_instance_when_another_has_started(void **state)
{
	refuse_what_a_submit_does(true);
}

/* Also when the one task that a context takes has just made room, and nothing else is to do. */
static void a_copy_that_waits_for_room_wakes_the_engine(void **state)
{
	struct graph_fixture *fixture = graph_open(1);
	struct dma_fixture *dma = fixture->dma;
	struct doca_graph_node *node = ctx_node(fixture->graph, dma->ctx);
	struct doca_task *own = dma_copy_task(dma, 0, 64, 0);
	struct doca_task *task = dma_copy_task(dma, 64, 64, 0);
	struct doca_graph_instance *instance;
	doca_notification_handle_t handle;

	assert_doca(doca_pe_get_notification_handle(dma->pe, &handle), DOCA_SUCCESS);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	instance = graph_instance(fixture->graph, 0);
	graph_set_task(instance, node, task);
	assert_doca(doca_task_submit(own), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_submit(instance), DOCA_SUCCESS);
	while (!graph_has_ended(fixture)) {
		assert_doca(doca_pe_request_notification(dma->pe), DOCA_SUCCESS);
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(dma->pe, handle), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(dma->pe), 1);
	}
	assert_true(graph_wait(fixture));
	assert_int_equal(dma->num_success, 1);
	dma->num_success = 0;
	assert_true(dma_was_copied(dma, 0, 128));
	graph_instance_remove(instance);
	dma_task_release(own);
	dma_task_release(task);
	graph_close(fixture);
}

/* One context is stopped under a graph of two; the other's copies are whole. */
static void a_context_that_is_stopped_fails_what_needs_it(void **state)
{
	enum { NUM_INSTANCES = 8 };
	struct graph_fixture *fixture = graph_open(NUM_INSTANCES);
	struct dma_fixture *dma = fixture->dma;
	struct doca_dma *first_dma = dma->dma;
	struct doca_dma *second_dma = dma_add_context(dma);
	struct doca_ctx *second_ctx = doca_dma_as_ctx(second_dma);
	struct doca_graph_node *first = ctx_node(fixture->graph, dma->ctx);
	struct doca_graph_node *second = ctx_node(fixture->graph, second_ctx);
	struct doca_graph_instance *instances[NUM_INSTANCES];
	struct doca_task *tasks[NUM_INSTANCES][2];

	graph_depend(fixture->graph, first, second);
	assert_doca(doca_graph_start(fixture->graph), DOCA_SUCCESS);
	for (unsigned i = 0; i < NUM_INSTANCES; i++) {
		instances[i] = graph_instance(fixture->graph, i);
		tasks[i][0] = dma_copy_task(dma, i * 64, 64, 0);
		dma->dma = second_dma;
		tasks[i][1] = dma_copy_task(dma, 4096 + i * 64, 64, 0);
		dma->dma = first_dma;
		graph_set_task(instances[i], first, tasks[i][0]);
		graph_set_task(instances[i], second, tasks[i][1]);
		assert_doca(doca_graph_instance_submit(instances[i]), DOCA_SUCCESS);
	}
	while (fixture->num_success < 2)
		assert_int_equal(doca_pe_progress(dma->pe), 1);
	assert_doca(doca_ctx_stop(second_ctx), DOCA_ERROR_IN_PROGRESS);
	(void)dma_progress_dry(dma);
	assert_int_equal(fixture->num_success + fixture->num_error, NUM_INSTANCES);
	assert_true(fixture->num_error > 0);
	assert_true(dma_was_copied(dma, 0, NUM_INSTANCES * 64));
	for (unsigned i = 0; i < NUM_INSTANCES; i++) {
		graph_instance_remove(instances[i]);
		dma_task_release(tasks[i][0]);
		dma_task_release(tasks[i][1]);
	}
	dma_wait_state(dma, second_ctx, DOCA_CTX_STATE_IDLE);
	graph_remove(fixture->graph);
	fixture->graph = NULL;
	assert_doca(doca_dma_destroy(second_dma), DOCA_SUCCESS);
	graph_close(fixture);
}

/* Of each library one, idle, each refused with a line while the graph is there. */
static void no_context_goes_while_a_graph_has_nodes_of_it(void **state)
{
	struct story story;
	struct doca_graph *graph;
	struct doca_dma *dma;
	struct doca_sync_event *event = NULL;
	struct doca_mmap_advise *advise = NULL;
	struct doca_comch_server *server = NULL;
	struct doca_comch_client *client = NULL;
	struct doca_comch_producer *producer = NULL;
	struct doca_comch_consumer *consumer = NULL;
	struct dma_area area;

	story_open(&story, false);
	graph = graph_add(story.fixture, 1);
	dma = dma_add_context(story.fixture->dma);
	(void)ctx_node(graph, doca_dma_as_ctx(dma));
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(dma)), DOCA_SUCCESS);
	assert_doca(doca_sync_event_create(&event), DOCA_SUCCESS);
	(void)ctx_node(graph, doca_sync_event_as_ctx(event));
	assert_doca(doca_mmap_advise_create(story.fixture->dma->dev, &advise), DOCA_SUCCESS);
	(void)ctx_node(graph, doca_mmap_advise_as_ctx(advise));
	assert_doca(doca_comch_server_create(story.server.dev, story.server.rep, "idle", &server),
		    DOCA_SUCCESS);
	(void)ctx_node(graph, doca_comch_server_as_ctx(server));
	assert_doca(doca_comch_client_create(story.client.dev, "idle", &client), DOCA_SUCCESS);
	(void)ctx_node(graph, doca_comch_client_as_ctx(client));
	assert_doca(doca_comch_producer_create(story.server.peer, &producer), DOCA_SUCCESS);
	(void)ctx_node(graph, doca_comch_producer_as_ctx(producer));
	dma_area_open(&area, story.server.dev, 4096, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	assert_doca(doca_comch_consumer_create(story.server.peer, area.mmap, &consumer),
		    DOCA_SUCCESS);
	(void)ctx_node(graph, doca_comch_consumer_as_ctx(consumer));

	assert_doca(doca_dma_destroy(dma), DOCA_ERROR_IN_USE);
	assert_doca(doca_sync_event_destroy(event), DOCA_ERROR_IN_USE);
	assert_doca(doca_mmap_advise_destroy(advise), DOCA_ERROR_IN_USE);
	assert_doca(doca_comch_server_destroy(server), DOCA_ERROR_IN_USE);
	assert_doca(doca_comch_client_destroy(client), DOCA_ERROR_IN_USE);
	assert_doca(doca_comch_producer_destroy(producer), DOCA_ERROR_IN_USE);
	assert_doca(doca_comch_consumer_destroy(consumer), DOCA_ERROR_IN_USE);
	assert_doca(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);

	graph_remove(graph);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	assert_doca(doca_sync_event_destroy(event), DOCA_SUCCESS);
	assert_doca(doca_mmap_advise_destroy(advise), DOCA_SUCCESS);
	assert_doca(doca_comch_server_destroy(server), DOCA_SUCCESS);
	assert_doca(doca_comch_client_destroy(client), DOCA_SUCCESS);
	assert_doca(doca_comch_producer_destroy(producer), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_destroy(consumer), DOCA_SUCCESS);
	dma_area_close(&area);
	story_close(&story, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_follows_its_copy),
		cmocka_unit_test(a_message_waits_for_room_at_its_receiver),
		cmocka_unit_test(a_message_that_waits_for_its_receiver_keeps_no_loop_awake),
		cmocka_unit_test(messages_that_wait_keep_their_order),
		cmocka_unit_test(a_receiver_that_is_full_holds_up_no_other),
		cmocka_unit_test(a_first_message_is_sent_once),
		cmocka_unit_test(a_message_to_nobody_fails_the_instance),
		cmocka_unit_test(a_message_that_is_lost_on_its_way_fails_the_instance),
		cmocka_unit_test(a_first_task_that_its_submit_does_is_refused_there),
		cmocka_unit_test(it_fails_the_instance_when_another_has_started),
		cmocka_unit_test(a_copy_that_waits_for_room_wakes_the_engine),
		cmocka_unit_test(a_context_that_is_stopped_fails_what_needs_it),
		cmocka_unit_test(no_context_goes_while_a_graph_has_nodes_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
