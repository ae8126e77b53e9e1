/* SPDX-License-Identifier: Apache-2.0 */
/* Sends: what is refused, what arrives, back-pressure, and sends whose peer is gone. */
#include "support/comch_fixture.h"

static void a_message_arrives_whole_and_an_echo_comes_back(void **state)
{
	struct comch_pair *pair = *state;
	uint8_t message[4080];

	for (size_t i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)(i * 7);
	pair->server.echoes = true;
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, message, sizeof(message)),
		    DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->client.num_received == 1);
	assert_doca(pair->server.inner, DOCA_SUCCESS);
	assert_int_equal(pair->client.last_len, sizeof(message));
	assert_memory_equal(pair->client.last_message, message, sizeof(message));
	assert_int_equal(pair->client.num_sent, 1);
	assert_int_equal(pair->client.num_failed, 0);
}

static void alloc_init_refuses_what_is_no_message(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_task_send *task = NULL;
	struct doca_comch_connection *peer;
	struct doca_comch_client *client = pair->client.client;
	struct doca_comch_server *server = pair->server.server;
	uint8_t message[4096] = {0};

	assert_doca(doca_comch_server_set_max_msg_size(server, 100), DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	peer = pair->client.peer;
	assert_doca(doca_comch_client_task_send_alloc_init(NULL, peer, message, 1, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_task_send_alloc_init(client, NULL, message, 1, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_task_send_alloc_init(client, peer, NULL, 1, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_task_send_alloc_init(client, peer, message, 1, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_task_send_alloc_init(client, peer, message, 0, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_task_send_alloc_init(client, peer, message, 101, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_client_task_send_alloc_init(client, pair->server.peer, message, 1,
							   &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(
		doca_comch_server_task_send_alloc_init(NULL, pair->server.peer, message, 1, &task),
		DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_task_send_alloc_init(server, pair->server.peer, message, 101,
							   &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_server_task_send_alloc_init(server, peer, message, 1, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(task);
	assert_doca(comch_send(&pair->client, peer, message, 100), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client,
		    pair->server.num_received == 1 && pair->client.num_sent == 1);
	assert_int_equal(pair->server.last_len, 100);
}

static void the_smaller_maximum_of_the_client_binds_the_server(void **state)
{
	struct comch_pair *pair = *state;
	uint8_t message[64] = {0};

	assert_doca(doca_comch_client_set_max_msg_size(pair->client.client, 32), DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->server, pair->server.peer, message, 33),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(comch_send(&pair->server, pair->server.peer, message, 32), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->client.num_received == 1);
}

static void an_empty_pool_has_no_memory_until_a_task_is_freed(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_task_send *tasks[COMCH_NUM_TASKS];
	struct doca_comch_task_send *task = NULL;

	comch_connect(&pair->server, &pair->client);
	for (int i = 0; i < COMCH_NUM_TASKS; i++)
		assert_doca(comch_task(&pair->client, pair->client.peer, "m", 1, &tasks[i]),
			    DOCA_SUCCESS);
	assert_doca(comch_task(&pair->client, pair->client.peer, "m", 1, &task),
		    DOCA_ERROR_NO_MEMORY);
	doca_task_free(doca_comch_task_send_as_task(tasks[0]));
	assert_doca(comch_task(&pair->client, pair->client.peer, "m", 1, &tasks[0]), DOCA_SUCCESS);
	for (int i = 0; i < COMCH_NUM_TASKS; i++)
		doca_task_free(doca_comch_task_send_as_task(tasks[i]));
}

static void a_full_receive_queue_answers_again_and_loses_nothing(void **state)
{
	struct comch_pair *pair = *state;
	uint64_t numbers[100];
	unsigned num_submitted = 0;
	unsigned num_again = 0;

	assert_doca(doca_comch_server_set_recv_queue_size(pair->server.server, 10), DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	for (uint64_t i = 0; i < 100; i++)
		numbers[i] = i;
	for (; num_submitted < 10; num_submitted++)
		assert_doca(comch_send(&pair->client, pair->client.peer, &numbers[num_submitted],
				       sizeof(uint64_t)),
			    DOCA_SUCCESS);
	assert_doca(comch_send(&pair->client, pair->client.peer, &numbers[10], sizeof(uint64_t)),
		    DOCA_ERROR_AGAIN);
	comch_until(&pair->client, NULL, pair->client.num_sent == 10);
	assert_doca(comch_send(&pair->client, pair->client.peer, &numbers[10], sizeof(uint64_t)),
		    DOCA_ERROR_AGAIN);
	while (num_submitted < 100) {
		doca_error_t result = comch_send(&pair->client, pair->client.peer,
						 &numbers[num_submitted], sizeof(uint64_t));

		if (result == DOCA_SUCCESS) {
			num_submitted++;
			continue;
		}
		assert_doca(result, DOCA_ERROR_AGAIN);
		num_again++;
		(void)doca_pe_progress(pair->server.pe);
		(void)doca_pe_progress(pair->client.pe);
	}
	assert_true(num_again > 0);
	comch_until(&pair->server, &pair->client,
		    pair->server.num_received == 100 && pair->client.num_sent == 100);
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(pair->server.numbers[i], i);
}

static void one_message_taken_makes_room_for_one(void **state)
{
	struct comch_pair *pair = *state;

	assert_doca(doca_comch_server_set_recv_queue_size(pair->server.server, 2), DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "1", 1), DOCA_SUCCESS);
	assert_doca(comch_send(&pair->client, pair->client.peer, "2", 1), DOCA_SUCCESS);
	assert_doca(comch_send(&pair->client, pair->client.peer, "3", 1), DOCA_ERROR_AGAIN);
	comch_until(&pair->server, NULL, pair->server.num_received == 1);
	comch_until(&pair->client, NULL, doca_pe_progress(pair->client.pe) == 0);
	assert_doca(comch_send(&pair->client, pair->client.peer, "3", 1), DOCA_SUCCESS);
	assert_doca(comch_send(&pair->client, pair->client.peer, "4", 1), DOCA_ERROR_AGAIN);
	comch_until(&pair->server, &pair->client, pair->server.num_received == 3);
}

static void a_task_can_be_submitted_again(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_task_send *task = NULL;

	pair->client.keeps_tasks = true;
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_task(&pair->client, pair->client.peer, "twice", 5, &task), DOCA_SUCCESS);
	for (unsigned i = 1; i <= 2; i++) {
		assert_doca(doca_task_try_submit(doca_comch_task_send_as_task(task)), DOCA_SUCCESS);
		assert_doca(doca_task_submit(doca_comch_task_send_as_task(task)),
			    DOCA_ERROR_BAD_STATE);
		comch_until(&pair->server, &pair->client,
			    pair->server.num_received == i && pair->client.num_sent == i);
	}
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void sends_without_a_callback_yet_fail_when_the_server_stops_before_it_reads(void **state)
{
	struct comch_pair *pair = *state;

	comch_connect(&pair->server, &pair->client);
	for (int i = 0; i < 5; i++)
		assert_doca(comch_send(&pair->client, pair->client.peer, "lost", 4), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, NULL, comch_state(&pair->server) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->server.num_received, 0);
	assert_int_equal(pair->server.num_disconnects, 1);
	comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->client.num_failed, 5);
	assert_int_equal(pair->client.num_sent, 0);
	assert_doca(pair->client.last_status, DOCA_ERROR_CONNECTION_RESET);
}

static void a_send_that_was_read_succeeds_though_the_server_has_stopped_since(void **state)
{
	struct comch_pair *pair = *state;

	pair->server.echoes = true;
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "read", 4), DOCA_SUCCESS);
	comch_until(&pair->server, NULL, pair->server.num_received == 1);
	comch_until(&pair->server, NULL, pair->server.num_sent == 1);
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->client.num_sent, 1);
	assert_int_equal(pair->client.num_failed, 0);
	assert_int_equal(pair->client.num_received, 1);
}

static void a_submit_on_a_dead_connection_is_taken_and_fails(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_task_send *task = NULL;

	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_task(&pair->server, pair->server.peer, "early", 5, &task), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_comch_task_send_as_task(task)), DOCA_SUCCESS);
	comch_until(&pair->server, NULL, pair->server.num_failed == 1);
	assert_doca(pair->server.last_status, DOCA_ERROR_CONNECTION_RESET);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
	assert_doca(comch_send(&pair->server, pair->server.peer, "late", 4), DOCA_SUCCESS);
	comch_until(&pair->server, NULL, pair->server.num_failed == 2);
	assert_int_equal(comch_state(&pair->server), DOCA_CTX_STATE_RUNNING);
	assert_int_equal(pair->server.num_disconnects, 1);
}

static void a_kept_task_holds_the_stop_until_it_is_freed(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_task_send *task = NULL;

	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_task(&pair->client, pair->client.peer, "kept", 4, &task), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client, pair->server.num_disconnects == 1);
	assert_int_equal(comch_state(&pair->client), DOCA_CTX_STATE_STOPPING);
	assert_doca(doca_task_submit(doca_comch_task_send_as_task(task)), DOCA_ERROR_BAD_STATE);
	doca_task_free(doca_comch_task_send_as_task(task));
	comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
}

static void no_task_comes_from_an_end_that_does_not_run(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_task_send *task = NULL;
	struct doca_comch_connection *peer;

	comch_connect(&pair->server, &pair->client);
	peer = pair->client.peer;
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	assert_doca(comch_task(&pair->client, peer, "idle", 4, &task), DOCA_ERROR_BAD_STATE);
	assert_null(doca_comch_task_send_as_task(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		comch_test(a_message_arrives_whole_and_an_echo_comes_back),
		comch_test(alloc_init_refuses_what_is_no_message),
		comch_test(the_smaller_maximum_of_the_client_binds_the_server),
		comch_test(an_empty_pool_has_no_memory_until_a_task_is_freed),
		comch_test(a_full_receive_queue_answers_again_and_loses_nothing),
		comch_test(one_message_taken_makes_room_for_one),
		comch_test(a_task_can_be_submitted_again),
		comch_test(sends_without_a_callback_yet_fail_when_the_server_stops_before_it_reads),
		comch_test(a_send_that_was_read_succeeds_though_the_server_has_stopped_since),
		comch_test(a_submit_on_a_dead_connection_is_taken_and_fails),
		comch_test(a_kept_task_holds_the_stop_until_it_is_freed),
		comch_test(no_task_comes_from_an_end_that_does_not_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
