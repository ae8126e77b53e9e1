/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of a connection. */
#include "support/comch_fixture.h"

#include "comch/endpoint.h"

static uint64_t counter(const struct doca_comch_connection *connection,
			enum doca_comch_counter counter_type)
{
	uint64_t value = 0;

	assert_doca(doca_comch_connection_get_counter(connection, counter_type, &value),
		    DOCA_SUCCESS);
	return value;
}

static void user_data_is_each_connections_own(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_connection *peer;

	comch_connect(&pair->server, &pair->client);
	peer = pair->client.peer;
	assert_int_equal(doca_comch_connection_get_user_data(peer).u64, 0);
	assert_doca(doca_comch_connection_set_user_data(peer, (union doca_data){.u64 = 7}),
		    DOCA_SUCCESS);
	assert_int_equal(doca_comch_connection_get_user_data(peer).u64, 7);
	assert_int_equal(doca_comch_connection_get_user_data(pair->server.peer).u64, 0);
	assert_doca(doca_comch_connection_set_user_data(NULL, (union doca_data){.u64 = 7}),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(doca_comch_connection_get_user_data(NULL).u64, 0);
}

static void a_connection_leads_to_its_server_or_its_client(void **state)
{
	struct comch_pair *pair = *state;

	comch_connect(&pair->server, &pair->client);
	assert_ptr_equal(doca_comch_server_get_server_ctx(pair->server.peer), pair->server.server);
	assert_null(doca_comch_client_get_client_ctx(pair->server.peer));
	assert_ptr_equal(doca_comch_client_get_client_ctx(pair->client.peer), pair->client.client);
	assert_null(doca_comch_server_get_server_ctx(pair->client.peer));
	assert_null(doca_comch_server_get_server_ctx(NULL));
	assert_null(doca_comch_client_get_client_ctx(NULL));
}

static void counters_are_as_of_the_last_update(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_connection *peer;

	pair->server.echoes = true;
	comch_connect(&pair->server, &pair->client);
	peer = pair->client.peer;
	assert_doca(comch_send(&pair->client, peer, "12345", 5), DOCA_SUCCESS);
	assert_doca(comch_send(&pair->client, peer, "67", 2), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->client.num_received == 2);
	assert_int_equal(counter(peer, DOCA_COMCH_COUNTER_SENT_MESSAGES), 0);
	assert_doca(doca_comch_connection_update_info(peer), DOCA_SUCCESS);
	assert_int_equal(counter(peer, DOCA_COMCH_COUNTER_SENT_MESSAGES), 2);
	assert_int_equal(counter(peer, DOCA_COMCH_COUNTER_SENT_BYTES), 7);
	assert_int_equal(counter(peer, DOCA_COMCH_COUNTER_RECV_MESSAGES), 2);
	assert_int_equal(counter(peer, DOCA_COMCH_COUNTER_RECV_BYTES), 7);
	assert_doca(doca_comch_connection_update_info(pair->server.peer), DOCA_SUCCESS);
	assert_int_equal(counter(pair->server.peer, DOCA_COMCH_COUNTER_RECV_BYTES), 7);
}

static void counters_of_a_connection_that_has_ended_stay(void **state)
{
	struct comch_pair *pair = *state;

	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "1", 1), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->server.num_received == 1);
	assert_doca(doca_comch_connection_update_info(pair->server.peer), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
	assert_doca(doca_comch_connection_update_info(pair->server.peer),
		    DOCA_ERROR_CONNECTION_ABORTED);
	assert_int_equal(counter(pair->server.peer, DOCA_COMCH_COUNTER_RECV_MESSAGES), 1);
	assert_doca(doca_comch_connection_update_info(pair->client.peer),
		    DOCA_ERROR_CONNECTION_ABORTED);
}

static void a_connection_that_is_not_yet_established_has_nothing_to_count(void **state)
{
	struct comch_pair *pair = *state;
	struct doca_comch_connection *early;

	early = connection_create((struct endpoint *)pair->client.ctx);
	assert_non_null(early);
	protocol_init(&early->protocol, PROTOCOL_ANSWER_AWAITED, 1, 1);
	assert_doca(doca_comch_connection_update_info(early), DOCA_ERROR_CONNECTION_INPROGRESS);
	connection_destroy(early);
}

static void wrong_arguments_are_refused(void **state)
{
	struct comch_pair *pair = *state;
	uint64_t value = 77;

	comch_connect(&pair->server, &pair->client);
	assert_doca(doca_comch_connection_update_info(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_connection_get_counter(NULL, DOCA_COMCH_COUNTER_SENT_BYTES, &value),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_connection_get_counter(pair->client.peer,
						      DOCA_COMCH_COUNTER_SENT_BYTES, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	for (int type = -1; type <= 5; type += 1 + 4 * (type == 0))
		assert_doca(doca_comch_connection_get_counter(
				    pair->client.peer, (enum doca_comch_counter)type, &value),
			    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(value, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		comch_test(user_data_is_each_connections_own),
		comch_test(a_connection_leads_to_its_server_or_its_client),
		comch_test(counters_are_as_of_the_last_update),
		comch_test(counters_of_a_connection_that_has_ended_stay),
		comch_test(a_connection_that_is_not_yet_established_has_nothing_to_count),
		comch_test(wrong_arguments_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
