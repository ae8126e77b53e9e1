/* SPDX-License-Identifier: Apache-2.0 */
/* A server at work with clients that keep to no rules, die, or are many. */
#include "support/comch_fixture.h"

#include "comch/server.h"
#include "support/comch_raw.h"

static int setup(void **state)
{
	struct comch_end *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return -1;
	*state = server;
	comch_server_open(server, "runs", NULL);
	assert_doca(doca_comch_server_set_recv_queue_size(server->server, 2), DOCA_SUCCESS);
	comch_start(server);
	return 0;
}

static int teardown(void **state)
{
	comch_end_close(*state);
	free(*state);
	return 0;
}

static const struct comch_frame message = {.type = COMCH_DATA, .data_len_bytes = 3};

static void what_was_sent_before_the_death_is_handed_over_before_the_event(void **state)
{
	struct comch_end *server = *state;
	int fd = raw_client(server);

	raw_send(fd, &message);
	raw_send(fd, &message);
	close(fd);
	comch_until(server, NULL, server->num_disconnects == 1);
	assert_int_equal(server->num_received, 2);
	comch_until(server, NULL, doca_pe_progress(server->pe) == 0);
	assert_int_equal(server->num_disconnects, 1);
}

static void a_message_stays_whole_when_its_callback_ends_a_connection_with_more_behind_it(
	void **state)
{
	const struct comch_frame frame = {.type = COMCH_DATA, .data_len_bytes = 100};
	struct comch_end *server = *state;
	uint8_t bytes[COMCH_CONTROL_BYTES] = {0};
	int fd = raw_client(server);
	size_t len_bytes = comch_encode(&frame, bytes) + 100;

	for (int i = 1; i <= 2; i++) {
		memset(bytes + COMCH_HEAD_BYTES, i, 100);
		raw_send_bytes(fd, bytes, len_bytes);
	}
	close(fd);
	server->disconnects_on_message = true;
	comch_until(server, NULL, server->num_received == 1);
	assert_doca(server->inner, DOCA_SUCCESS);
	assert_false(server->was_overwritten);
}

static void more_messages_than_the_queue_has_room_for_end_the_connection(void **state)
{
	struct comch_end *server = *state;
	struct comch_frame frame;
	int fd = raw_client(server);

	for (int i = 0; i < 2; i++) {
		raw_send(fd, &message);
		raw_send(fd, &message);
		comch_until(server, NULL, doca_pe_progress(server->pe) == 0);
		while (raw_is_readable(fd))
			assert_int_equal(raw_receive(fd, &frame), COMCH_CREDIT);
	}
	assert_int_equal(server->num_received, 4);
	/* Each is answered as soon as it was taken: what comes at once is too much. */
	for (int i = 0; i < 10; i++)
		raw_send(fd, &(struct comch_frame){.type = COMCH_CREDIT, .num_credits = 1});
	comch_until(server, NULL, server->num_disconnects == 1);
	close(fd);
}

static void a_message_longer_than_the_clients_own_maximum_ends_the_connection(void **state)
{
	struct comch_end *server = *state;
	struct comch_frame hello = {
		.type = COMCH_HELLO,
		.version = COMCH_VERSION,
		.max_msg_bytes = 10,
		.recv_queue = 1,
	};
	int fd = raw_connect(server);

	memcpy(hello.name, raw_endpoint(server)->name, sizeof(hello.name));
	raw_send(fd, &hello);
	raw_send(fd, &(struct comch_frame){.type = COMCH_DATA, .data_len_bytes = 10});
	raw_send(fd, &(struct comch_frame){.type = COMCH_DATA, .data_len_bytes = 11});
	comch_until(server, NULL, server->num_disconnects == 1);
	assert_int_equal(server->num_received, 1);
	close(fd);
}

static void a_client_that_reads_nothing_stops_no_other(void **state)
{
	struct comch_end *server = *state;
	int deaf = raw_client(server);
	int honest = raw_client(server);
	struct comch_frame frame;

	server->echoes = true;
	for (int i = 0; i < 100; i++) {
		raw_send(honest, &message);
		comch_until(server, NULL, server->num_received == (unsigned)i + 1);
		while (raw_is_readable(honest))
			if (raw_receive(honest, &frame) == COMCH_DATA)
				raw_send(honest, &(struct comch_frame){.type = COMCH_CREDIT,
								       .num_credits = 1});
	}
	close(deaf);
	close(honest);
	comch_until(server, NULL, server->num_disconnects == 2);
}

static void a_receipt_waits_until_there_is_room_for_it(void **state)
{
	struct comch_end *server = *state;
	struct doca_comch_connection *peer;
	static uint8_t bytes[4080];
	struct comch_frame frame;
	int fd = raw_client(server);
	int small = 1;

	/* Beside the conversation the socket is filled, so that nothing more can be written. */
	peer = server->peer;
	setsockopt(peer->fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	while (send(peer->fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	raw_send(fd, &message);
	comch_until(server, NULL, server->num_received == 1);
	comch_until(server, NULL, peer->wants_room);
	assert_int_equal(peer->protocol.num_owed, 1);
	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	comch_until(server, NULL, !peer->wants_room && peer->protocol.num_owed == 0);
	assert_int_equal(raw_receive(fd, &frame), COMCH_CREDIT);
	assert_int_equal(frame.num_credits, 1);
	close(fd);
	comch_until(server, NULL, server->num_disconnects == 1);
}

static void a_message_that_finds_no_room_is_for_again(void **state)
{
	struct comch_end *server = *state;
	static uint8_t bytes[4080];
	doca_notification_handle_t handle;
	int fd = raw_client(server);
	int small = 1;

	setsockopt(server->peer->fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	while (send(server->peer->fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	assert_doca(comch_send(server, server->peer, bytes, sizeof(bytes)), DOCA_ERROR_AGAIN);
	assert_int_equal(server->peer->protocol.num_sendable, 4);
	assert_doca(doca_pe_get_notification_handle(server->pe, &handle), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(server->pe), 0);
	assert_doca(doca_pe_request_notification(server->pe), DOCA_SUCCESS);
	assert_false(raw_is_readable(handle));
	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	/* Also who progresses before the submit and then waits is woken to submit again. */
	for (int i = 0; i < 2; i++) {
		struct pollfd news = {.fd = handle, .events = POLLIN};

		assert_int_equal(poll(&news, 1, COMCH_DEADLINE_S * 1000), 1);
		assert_doca(doca_pe_clear_notification(server->pe, 0), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(server->pe), 0);
		assert_false(server->peer->wants_room);
		assert_doca(doca_pe_request_notification(server->pe), DOCA_SUCCESS);
	}
	assert_doca(comch_send(server, server->peer, bytes, sizeof(bytes)), DOCA_SUCCESS);
	comch_until(server, NULL, server->num_sent == 1);
	close(fd);
	comch_until(server, NULL, server->num_disconnects == 1);
}

static void connections_that_ended_are_freed_in_time_and_not_under_a_task(void **state)
{
	struct comch_end *server = *state;
	struct doca_comch_task_send *task = NULL;
	struct doca_comch_connection *first;
	int fd = raw_client(server);

	first = server->peer;
	assert_doca(comch_task(server, first, "late", 4, &task), DOCA_SUCCESS);
	close(fd);
	for (unsigned i = 0; i < 1000; i++) {
		fd = raw_client(server);
		close(fd);
		comch_until(server, NULL, server->num_disconnects == i + 2);
	}
	assert_true(raw_endpoint(server)->num_ended < 300);
	assert_doca(doca_task_submit(doca_comch_task_send_as_task(task)), DOCA_SUCCESS);
	comch_until(server, NULL, server->num_failed == 1);
	assert_doca(server->last_status, DOCA_ERROR_CONNECTION_RESET);
}

static void two_hundred_and_fifty_six_clients_are_served_in_turn(void **state)
{
	struct comch_end *server = *state;
	int fds[256];

	for (int i = 0; i < 256; i++)
		fds[i] = raw_client(server);
	for (int i = 0; i < 256; i++) {
		raw_send(fds[i], &message);
		raw_send(fds[i], &message);
	}
	comch_until(server, NULL, server->num_received == 512);
	assert_doca(doca_ctx_stop(server->ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(server, NULL, comch_state(server) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(server->num_disconnects, 256);
	for (int i = 0; i < 256; i++)
		close(fds[i]);
}

#define server_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		server_test(what_was_sent_before_the_death_is_handed_over_before_the_event),
		server_test(
			a_message_stays_whole_when_its_callback_ends_a_connection_with_more_behind_it),
		server_test(more_messages_than_the_queue_has_room_for_end_the_connection),
		server_test(a_message_longer_than_the_clients_own_maximum_ends_the_connection),
		server_test(a_client_that_reads_nothing_stops_no_other),
		server_test(a_receipt_waits_until_there_is_room_for_it),
		server_test(a_message_that_finds_no_room_is_for_again),
		server_test(connections_that_ended_are_freed_in_time_and_not_under_a_task),
		server_test(two_hundred_and_fifty_six_clients_are_served_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
