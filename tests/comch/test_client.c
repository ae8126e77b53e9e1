/* SPDX-License-Identifier: Apache-2.0 */
/* The client as a program sees it: create, configure, connect, stop. */
#include "support/comch_fixture.h"

#include "support/fail_calloc.h"

static void create_refuses_what_is_no_place_or_no_name(void **state)
{
	struct doca_dev *dev = comch_open_device("0000:b1:00.0");
	struct doca_comch_client *client = NULL;
	char name[121];

	memset(name, 'n', sizeof(name));
	name[120] = '\0';
	assert_doca(doca_comch_client_create(NULL, "c", &client), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_create(dev, NULL, &client), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_create(dev, "c", NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_create(dev, "", &client), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_create(dev, name, &client), DOCA_ERROR_INVALID_VALUE);
	next_calloc_fails = true;
	assert_doca(doca_comch_client_create(dev, "c", &client), DOCA_ERROR_NO_MEMORY);
	assert_null(client);
	name[119] = '\0';
	assert_doca(doca_comch_client_create(dev, name, &client), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	assert_doca(doca_comch_client_destroy(client), DOCA_SUCCESS);
	assert_doca(doca_comch_client_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void sizes_are_within_the_capabilities_and_come_back(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_client *client = pair->client.client;
	uint32_t size = 0;

	assert_doca(doca_comch_client_get_max_msg_size(client, &size), DOCA_SUCCESS);
	assert_int_equal(size, 4080);
	assert_doca(doca_comch_client_get_recv_queue_size(client, &size), DOCA_SUCCESS);
	assert_int_equal(size, 8192);
	assert_doca(doca_comch_client_set_max_msg_size(client, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_set_max_msg_size(client, 4081), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_set_recv_queue_size(client, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_set_recv_queue_size(client, 8193), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_set_max_msg_size(client, 17), DOCA_SUCCESS);
	assert_doca(doca_comch_client_set_recv_queue_size(client, 18), DOCA_SUCCESS);
	assert_doca(doca_comch_client_get_max_msg_size(client, &size), DOCA_SUCCESS);
	assert_int_equal(size, 17);
	assert_doca(doca_comch_client_get_recv_queue_size(client, &size), DOCA_SUCCESS);
	assert_int_equal(size, 18);
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *comch_connection, uint32_t id)
{
}

static void every_null_argument_is_refused(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_client *client = pair->client.client;
	struct doca_comch_connection *connection = NULL;
	struct doca_dev *dev = NULL;
	uint32_t size = 0;

#define REFUSED(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
	REFUSED(doca_comch_client_set_max_msg_size(NULL, 1));
	REFUSED(doca_comch_client_get_max_msg_size(NULL, &size));
	REFUSED(doca_comch_client_get_max_msg_size(client, NULL));
	REFUSED(doca_comch_client_set_recv_queue_size(NULL, 1));
	REFUSED(doca_comch_client_get_recv_queue_size(NULL, &size));
	REFUSED(doca_comch_client_get_recv_queue_size(client, NULL));
	REFUSED(doca_comch_client_get_device(NULL, &dev));
	REFUSED(doca_comch_client_get_device(client, NULL));
	REFUSED(doca_comch_client_get_connection(NULL, &connection));
	REFUSED(doca_comch_client_get_connection(client, NULL));
	REFUSED(doca_comch_client_task_send_set_conf(NULL, comch_on_sent, comch_on_failed, 1));
	REFUSED(doca_comch_client_task_send_set_conf(client, NULL, comch_on_failed, 1));
	REFUSED(doca_comch_client_task_send_set_conf(client, comch_on_sent, NULL, 1));
	REFUSED(doca_comch_client_task_send_set_conf(client, comch_on_sent, comch_on_failed, 0));
	REFUSED(doca_comch_client_task_send_set_conf(client, comch_on_sent, comch_on_failed, 8193));
	REFUSED(doca_comch_client_event_msg_recv_register(NULL, comch_on_message));
	REFUSED(doca_comch_client_event_msg_recv_register(client, NULL));
	REFUSED(doca_comch_client_event_consumer_register(NULL, on_consumer, on_consumer));
	REFUSED(doca_comch_client_event_consumer_register(client, NULL, on_consumer));
	REFUSED(doca_comch_client_event_consumer_register(client, on_consumer, NULL));
#undef REFUSED
	assert_null(doca_comch_client_as_ctx(NULL));
	assert_doca(doca_comch_client_get_device(client, &dev), DOCA_SUCCESS);
	assert_ptr_equal(dev, pair->client.dev);
}

static void a_started_client_is_not_configured_and_has_no_connection_yet(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_client *client = pair->client.client;
	struct doca_comch_connection *connection = NULL;

	assert_doca(doca_comch_client_event_consumer_register(client, on_consumer, on_consumer),
		    DOCA_SUCCESS);
#define REFUSED(call) assert_doca(call, DOCA_ERROR_BAD_STATE)
	REFUSED(doca_comch_client_get_connection(client, &connection));
	comch_start(&pair->client);
	assert_int_equal(comch_state(&pair->client), DOCA_CTX_STATE_STARTING);
	REFUSED(doca_comch_client_get_connection(client, &connection));
	REFUSED(doca_comch_client_set_max_msg_size(client, 1));
	REFUSED(doca_comch_client_set_recv_queue_size(client, 1));
	REFUSED(doca_comch_client_task_send_set_conf(client, comch_on_sent, comch_on_failed, 1));
	REFUSED(doca_comch_client_event_msg_recv_register(client, comch_on_message));
	REFUSED(doca_comch_client_event_consumer_register(client, on_consumer, on_consumer));
	REFUSED(doca_ctx_start(pair->client.ctx));
#undef REFUSED
	assert_null(connection);
	assert_doca(doca_comch_client_destroy(client), DOCA_ERROR_IN_USE);
}

static void start_wants_tasks_and_messages(void **state)
{
	struct comch_end end = {.dev = comch_open_device("0000:b1:00.0")};

	assert_doca(doca_comch_client_create(end.dev, "incomplete", &end.client), DOCA_SUCCESS);
	end.ctx = doca_comch_client_as_ctx(end.client);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_NOT_CONNECTED);
	comch_connect_pe(&end, NULL);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_event_msg_recv_register(end.client, comch_on_message),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_INVALID_VALUE);
	assert_doca(
		doca_comch_client_task_send_set_conf(end.client, comch_on_sent, comch_on_failed, 1),
		DOCA_SUCCESS);
	assert_doca(doca_ctx_start(end.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_end_close(&end);
}

static void a_client_may_start_before_its_server(void **state)
{
	struct comch_pair *pair = *state;

	comch_start(&pair->client);
	for (int i = 0; i < 10; i++)
		(void)doca_pe_progress(pair->client.pe);
	assert_int_equal(comch_state(&pair->client), DOCA_CTX_STATE_STARTING);
	comch_start(&pair->server);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_RUNNING);
}

static void a_stop_while_starting_leaves_nothing(void **state)
{
	struct comch_pair *pair = *state;
	unsigned num_fds = comch_num_fds();

	for (int is_there = 0; is_there <= 1; is_there++) {
		if (is_there)
			comch_start(&pair->server);
		comch_start(&pair->client);
		(void)doca_pe_progress(pair->client.pe);
		assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_ERROR_IN_PROGRESS);
		assert_int_equal(comch_state(&pair->client), DOCA_CTX_STATE_STOPPING);
		comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
		if (!is_there)
			assert_int_equal(comch_num_fds(), num_fds);
	}
	comch_until(&pair->server, NULL, doca_pe_progress(pair->server.pe) == 0);
	assert_int_equal(pair->server.num_disconnects, pair->server.num_connects);
}

static void a_client_on_the_dpu_stands_in_for_one_on_the_host(void **state)
{
	struct comch_pair *pair = *state;
	struct comch_end stand_in = {.greeting = "from the DPU"};

	comch_client_open_on(&stand_in, "0000:03:00.0", "pair", NULL);
	comch_connect(&pair->server, &stand_in);
	comch_until(&pair->server, &stand_in, pair->server.num_received == 1);
	comch_end_close(&stand_in);
}

static void a_stop_of_a_running_client_is_one_disconnect_of_its_server(void **state)
{
	struct comch_pair *pair = *state;

	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "last", 4), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->client.num_sent, 1);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
	assert_int_equal(pair->server.num_received, 1);
	comch_until(&pair->server, NULL, doca_pe_progress(pair->server.pe) == 0);
	assert_int_equal(pair->server.num_disconnects, 1);
	assert_int_equal(comch_state(&pair->server), DOCA_CTX_STATE_RUNNING);
}

static void callbacks_may_stop_the_client(void **state)
{
	struct comch_pair *pair = *state;

	pair->server.greeting = "stop";
	pair->client.stops_on_message = true;
	comch_start(&pair->server);
	comch_start(&pair->client);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_doca(pair->client.inner, DOCA_ERROR_IN_PROGRESS);
	pair->server.greeting = NULL;
	pair->client.stops_on_message = false;
	pair->client.stops_on_sent = true;
	pair->client.greeting = "stop";
	comch_start(&pair->client);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE &&
			    pair->server.num_disconnects == 2);
	assert_doca(pair->client.inner, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(pair->server.num_received, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_refuses_what_is_no_place_or_no_name),
		comch_test(sizes_are_within_the_capabilities_and_come_back),
		comch_test(every_null_argument_is_refused),
		comch_test(a_started_client_is_not_configured_and_has_no_connection_yet),
		cmocka_unit_test(start_wants_tasks_and_messages),
		comch_test(a_client_may_start_before_its_server),
		comch_test(a_stop_while_starting_leaves_nothing),
		comch_test(a_client_on_the_dpu_stands_in_for_one_on_the_host),
		comch_test(a_stop_of_a_running_client_is_one_disconnect_of_its_server),
		comch_test(callbacks_may_stop_the_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
