/* SPDX-License-Identifier: Apache-2.0 */
/* The server as a program sees it: create, configure, start, disconnect, stop. */
#include "support/comch_fixture.h"

#include "support/fail_calloc.h"

static void create_refuses_what_is_no_place_or_no_name(void **state)
{
	struct doca_dev *dpu = comch_open_device("0000:03:00.0");
	struct doca_dev *host = comch_open_device("0000:b1:00.0");
	struct doca_dev_rep *rep = comch_open_rep(dpu);
	struct doca_comch_server *server = NULL;
	char name[121];

	memset(name, 'n', sizeof(name));
	name[120] = '\0';
	assert_doca(doca_comch_server_create(NULL, rep, "s", &server), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_create(dpu, NULL, "s", &server), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_create(dpu, rep, NULL, &server), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_create(dpu, rep, "s", NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_create(dpu, rep, "", &server), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_create(dpu, rep, name, &server), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_create(host, rep, "s", &server), DOCA_ERROR_NOT_SUPPORTED);
	assert_null(server);
	name[119] = '\0';
	assert_doca(doca_comch_server_create(dpu, rep, name, &server), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_ERROR_IN_USE);
	assert_doca(doca_comch_server_destroy(server), DOCA_SUCCESS);
	assert_doca(doca_comch_server_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dev_rep_close(rep), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
}

static void create_without_memory_creates_nothing(void **state)
{
	struct doca_dev *dev = comch_open_device("0000:03:00.0");
	struct doca_dev_rep *rep = comch_open_rep(dev);
	struct doca_comch_server *server = NULL;

	next_calloc_fails = true;
	assert_doca(doca_comch_server_create(dev, rep, "s", &server), DOCA_ERROR_NO_MEMORY);
	assert_null(server);
	assert_doca(doca_dev_rep_close(rep), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void sizes_are_within_the_capabilities_and_come_back(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_server *server = pair->server.server;
	uint32_t size = 0;

	assert_doca(doca_comch_server_get_max_msg_size(server, &size), DOCA_SUCCESS);
	assert_int_equal(size, 4080);
	assert_doca(doca_comch_server_get_recv_queue_size(server, &size), DOCA_SUCCESS);
	assert_int_equal(size, 8192);
	assert_doca(doca_comch_server_set_max_msg_size(server, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_set_max_msg_size(server, 4081), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_set_recv_queue_size(server, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_set_recv_queue_size(server, 8193), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_set_max_msg_size(server, 17), DOCA_SUCCESS);
	assert_doca(doca_comch_server_set_recv_queue_size(server, 18), DOCA_SUCCESS);
	assert_doca(doca_comch_server_get_max_msg_size(server, &size), DOCA_SUCCESS);
	assert_int_equal(size, 17);
	assert_doca(doca_comch_server_get_recv_queue_size(server, &size), DOCA_SUCCESS);
	assert_int_equal(size, 18);
}

static void every_null_argument_is_refused(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_server *server = pair->server.server;
	struct doca_dev *dev = NULL;
	struct doca_dev_rep *rep = NULL;
	uint32_t size = 0;

#define REFUSED(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
	REFUSED(doca_comch_server_set_max_msg_size(NULL, 1));
	REFUSED(doca_comch_server_get_max_msg_size(NULL, &size));
	REFUSED(doca_comch_server_get_max_msg_size(server, NULL));
	REFUSED(doca_comch_server_set_recv_queue_size(NULL, 1));
	REFUSED(doca_comch_server_get_recv_queue_size(NULL, &size));
	REFUSED(doca_comch_server_get_recv_queue_size(server, NULL));
	REFUSED(doca_comch_server_get_device(NULL, &dev));
	REFUSED(doca_comch_server_get_device(server, NULL));
	REFUSED(doca_comch_server_get_device_rep(NULL, &rep));
	REFUSED(doca_comch_server_get_device_rep(server, NULL));
	REFUSED(doca_comch_server_disconnect(NULL, NULL));
	REFUSED(doca_comch_server_disconnect(server, NULL));
	REFUSED(doca_comch_server_task_send_set_conf(NULL, comch_on_sent, comch_on_failed, 1));
	REFUSED(doca_comch_server_task_send_set_conf(server, NULL, comch_on_failed, 1));
	REFUSED(doca_comch_server_task_send_set_conf(server, comch_on_sent, NULL, 1));
	REFUSED(doca_comch_server_task_send_set_conf(server, comch_on_sent, comch_on_failed, 0));
	REFUSED(doca_comch_server_task_send_set_conf(server, comch_on_sent, comch_on_failed, 8193));
	REFUSED(doca_comch_server_event_msg_recv_register(NULL, comch_on_message));
	REFUSED(doca_comch_server_event_msg_recv_register(server, NULL));
	REFUSED(doca_comch_server_event_connection_status_changed_register(NULL, comch_on_connect,
									   comch_on_disconnect));
	REFUSED(doca_comch_server_event_connection_status_changed_register(server, NULL,
									   comch_on_disconnect));
	REFUSED(doca_comch_server_event_connection_status_changed_register(server, comch_on_connect,
									   NULL));
	REFUSED(doca_comch_server_event_consumer_register(NULL, NULL, NULL));
	REFUSED(doca_comch_server_event_consumer_register(server, NULL, NULL));
#undef REFUSED
	assert_null(doca_comch_server_as_ctx(NULL));
	assert_doca(doca_comch_server_get_device(server, &dev), DOCA_SUCCESS);
	assert_ptr_equal(dev, pair->server.dev);
	assert_doca(doca_comch_server_get_device_rep(server, &rep), DOCA_SUCCESS);
	assert_ptr_equal(rep, pair->server.rep);
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *comch_connection, uint32_t id)
{
}

static void a_running_server_is_not_configured(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_server *server = pair->server.server;

	assert_doca(doca_comch_server_event_consumer_register(server, on_consumer, on_consumer),
		    DOCA_SUCCESS);
	comch_start(&pair->server);
#define REFUSED(call) assert_doca(call, DOCA_ERROR_BAD_STATE)
	REFUSED(doca_comch_server_set_max_msg_size(server, 1));
	REFUSED(doca_comch_server_set_recv_queue_size(server, 1));
	REFUSED(doca_comch_server_task_send_set_conf(server, comch_on_sent, comch_on_failed, 1));
	REFUSED(doca_comch_server_event_msg_recv_register(server, comch_on_message));
	REFUSED(doca_comch_server_event_connection_status_changed_register(server, comch_on_connect,
									   comch_on_disconnect));
	REFUSED(doca_comch_server_event_consumer_register(server, on_consumer, on_consumer));
#undef REFUSED
	assert_doca(doca_comch_server_destroy(server), DOCA_ERROR_IN_USE);
}

static void start_wants_tasks_messages_and_connections(void **state)
{
	struct doca_comch_server *server = NULL;
	struct comch_end end = {.dev = comch_open_device("0000:03:00.0")};

	end.rep = comch_open_rep(end.dev);
	assert_doca(doca_comch_server_create(end.dev, end.rep, "incomplete", &server),
		    DOCA_SUCCESS);
	end.server = server;
	end.ctx = doca_comch_server_as_ctx(server);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_NOT_CONNECTED);
	comch_connect_pe(&end, NULL);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_event_connection_status_changed_register(
			    server, comch_on_connect, comch_on_disconnect),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_task_send_set_conf(server, comch_on_sent, comch_on_failed, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_event_msg_recv_register(server, comch_on_message),
		    DOCA_SUCCESS);
	assert_int_equal(end.num_states, 0);
	assert_doca(doca_ctx_start(end.ctx), DOCA_SUCCESS);
	comch_end_close(&end);
}

static void a_second_server_of_a_name_is_refused_while_the_first_runs(void **state)
{
	struct comch_pair *pair = *state;
	struct comch_end second = {.server = NULL};
	struct comch_end other = {.server = NULL};
	unsigned num_fds;

	comch_start(&pair->server);
	comch_server_open(&second, "pair", NULL);
	comch_server_open(&other, "quite another", NULL);
	num_fds = comch_num_fds();
	assert_doca(doca_ctx_start(second.ctx), DOCA_ERROR_ALREADY_EXIST);
	assert_int_equal(comch_num_fds(), num_fds);
	assert_int_equal(comch_state(&second), DOCA_CTX_STATE_IDLE);
	comch_start(&other);
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_SUCCESS);
	comch_start(&second);
	comch_end_close(&second);
	comch_end_close(&other);
}

static void names_that_begin_alike_are_told_apart(void **state)
{
	struct comch_end first = {.server = NULL};
	struct comch_end second = {.server = NULL};
	struct comch_end client = {.server = NULL};
	char name[120];

	memset(name, 'n', sizeof(name));
	/* With the run's number in front they are longer than an address. */
	name[109] = '\0';
	comch_server_open(&first, name, NULL);
	name[108] = 'm';
	comch_server_open(&second, name, NULL);
	comch_client_open(&client, name, NULL);
	comch_start(&first);
	comch_connect(&second, &client);
	assert_int_equal(first.num_connects, 0);
	comch_end_close(&client);
	comch_end_close(&first);
	comch_end_close(&second);
}

static void who_sends_again_for_ever_is_told_of_the_end(void **state)
{
	struct comch_end server = {.server = NULL};
	struct comch_end client = {.server = NULL};

	comch_server_open(&server, "again", NULL);
	comch_client_open(&client, "again", NULL);
	comch_connect(&server, &client);
	comch_end_close(&client);
	server.resubmits_failed = true;
	assert_doca(comch_send(&server, server.peer, "again", 5), DOCA_SUCCESS);
	comch_until(&server, NULL, server.num_disconnects == 1);
	assert_true(server.num_failed > 0);
	server.resubmits_failed = false;
	comch_end_close(&server);
}

static void a_stop_without_clients_is_done_at_once(void **state)
{
	struct comch_pair *pair = *state;

	comch_start(&pair->server);
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_SUCCESS);
	assert_int_equal(comch_state(&pair->server), DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->server.num_states, 2);
}

static void a_stop_with_a_client_tells_of_its_end_and_then_is_idle(void **state)
{
	struct comch_pair *pair = *state;

	comch_connect(&pair->server, &pair->client);
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(comch_state(&pair->server), DOCA_CTX_STATE_STOPPING);
	assert_int_equal(pair->server.num_disconnects, 0);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->server) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->server.num_disconnects, 1);
	comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->client.states[0], DOCA_CTX_STATE_STARTING);
	assert_int_equal(pair->client.states[1], DOCA_CTX_STATE_RUNNING);
	assert_int_equal(pair->client.states[2], DOCA_CTX_STATE_STOPPING);
	assert_int_equal(pair->client.states[3], DOCA_CTX_STATE_IDLE);
}

static void a_server_starts_again_and_takes_the_client_again(void **state)
{
	struct comch_pair *pair = *state;

	for (unsigned i = 1; i <= 3; i++) {
		comch_connect(&pair->server, &pair->client);
		assert_doca(comch_send(&pair->client, pair->client.peer, "again", 5), DOCA_SUCCESS);
		comch_until(&pair->server, &pair->client, pair->server.num_received == i);
		assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
		comch_until(&pair->server, &pair->client,
			    comch_state(&pair->server) == DOCA_CTX_STATE_IDLE &&
				    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
		assert_int_equal(pair->server.num_disconnects, i);
	}
}

static void a_disconnect_ends_the_client_and_is_no_event(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_connection *peer;

	comch_connect(&pair->server, &pair->client);
	peer = pair->server.peer;
	assert_doca(comch_send(&pair->server, peer, "bye", 3), DOCA_SUCCESS);
	assert_doca(doca_comch_server_disconnect(pair->server.server, pair->client.peer),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_disconnect(pair->server.server, peer), DOCA_SUCCESS);
	assert_doca(doca_comch_server_disconnect(pair->server.server, peer),
		    DOCA_ERROR_INVALID_VALUE);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->client.num_received, 1);
	comch_until(&pair->server, NULL, doca_pe_progress(pair->server.pe) == 0);
	assert_int_equal(pair->server.num_disconnects, 0);
	assert_int_equal(pair->server.num_sent, 1);
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_SUCCESS);
}

static void callbacks_may_disconnect_and_stop(void **state)
{
	struct comch_pair *pair = *state;

	pair->server.disconnects_on_connect = true;
	comch_start(&pair->server);
	comch_start(&pair->client);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_doca(pair->server.inner, DOCA_SUCCESS);

	pair->server.disconnects_on_connect = false;
	pair->server.disconnects_on_message = true;
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "1", 1), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_doca(pair->server.inner, DOCA_SUCCESS);

	pair->server.disconnects_on_message = false;
	pair->server.stops_on_message = true;
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "2", 1), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->server) == DOCA_CTX_STATE_IDLE &&
			    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_doca(pair->server.inner, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(pair->server.num_disconnects, 1);
}

static void both_ends_work_on_one_progress_engine(void **state)
{
	struct comch_end server = {.greeting = "hello"};
	struct comch_end client = {.greeting = "hi"};
	struct doca_pe *pe = NULL;

	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	comch_server_open(&server, "one engine", pe);
	comch_client_open(&client, "one engine", pe);
	comch_start(&server);
	comch_start(&client);
	comch_until(&server, NULL,
		    server.num_received == 1 && client.num_received == 1 && server.num_sent == 1 &&
			    client.num_sent == 1);
	assert_memory_equal(server.last_message, "hi", 2);
	assert_memory_equal(client.last_message, "hello", 5);
	comch_end_close(&client);
	comch_end_close(&server);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_refuses_what_is_no_place_or_no_name),
		cmocka_unit_test(create_without_memory_creates_nothing),
		comch_test(sizes_are_within_the_capabilities_and_come_back),
		comch_test(every_null_argument_is_refused),
		comch_test(a_running_server_is_not_configured),
		cmocka_unit_test(start_wants_tasks_messages_and_connections),
		comch_test(a_second_server_of_a_name_is_refused_while_the_first_runs),
		cmocka_unit_test(names_that_begin_alike_are_told_apart),
		cmocka_unit_test(who_sends_again_for_ever_is_told_of_the_end),
		comch_test(a_stop_without_clients_is_done_at_once),
		comch_test(a_stop_with_a_client_tells_of_its_end_and_then_is_idle),
		comch_test(a_server_starts_again_and_takes_the_client_again),
		comch_test(a_disconnect_ends_the_client_and_is_no_event),
		comch_test(callbacks_may_disconnect_and_stop),
		cmocka_unit_test(both_ends_work_on_one_progress_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
