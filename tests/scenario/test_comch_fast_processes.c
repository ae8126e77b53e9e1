/* SPDX-License-Identifier: Apache-2.0 */
/* The fast path between processes: what goes there and back, and what is left when one is killed.
 */
#include "support/comch_fast.h"

#include <sys/socket.h>

#include "support/comch_child.h"

#define ECHO_BYTES (2u << 20)

/* The child: sends back what it gets, one buffer. */
struct echo {
	struct comch_end client;
	struct fast_memory memory;
	struct fast_half consumer;
	struct fast_half producer;
	struct doca_buf *buf;
	bool is_full;
};

static void post_echo(struct echo *echo)
{
	(void)doca_buf_reset_data_len(echo->buf);
	assert_doca(fast_post(&echo->consumer, echo->buf, 0), DOCA_SUCCESS);
}

/* What has come goes back, then there is room for more. */
static void step_echo(struct echo *echo)
{
	if (doca_pe_progress(echo->client.pe) == 0)
		sched_yield();
	if (echo->consumer.num_done == 1) {
		echo->is_full = true;
		echo->consumer.num_done = 0;
	}
	if (echo->is_full && fast_send(&echo->producer, echo->client.new_id, echo->buf) == 0)
		echo->is_full = false;
	if (echo->producer.num_done == 1) {
		echo->producer.num_done = 0;
		post_echo(echo);
	}
}

/* echo NAME POSTS: with or without a posted receive. */
static int child_echo(const char *name, bool posts)
{
	static struct echo echo;

	comch_client_open(&echo.client, name, NULL);
	comch_hear_of_consumers(&echo.client);
	comch_start(&echo.client);
	comch_until(&echo.client, NULL, comch_state(&echo.client) == DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(echo.client.client, &echo.client.peer),
		    DOCA_SUCCESS);
	fast_memory_open(&echo.memory, echo.client.dev, ECHO_BYTES);
	fast_consumer_open(&echo.consumer, &echo.client, &echo.memory, 1, echo.client.pe);
	fast_producer_open(&echo.producer, &echo.client, 1, echo.client.pe);
	assert_doca(doca_ctx_start(echo.consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_start(echo.producer.ctx), DOCA_SUCCESS);
	comch_until(&echo.client, NULL, fast_state(&echo.consumer) == DOCA_CTX_STATE_RUNNING);
	echo.buf = fast_room(&echo.memory, 0, ECHO_BYTES);
	echo.consumer.keeps_buffers = echo.producer.keeps_buffers = true;
	if (posts)
		post_echo(&echo);
	child_tell("running");
	while (!child_is_dismissed())
		step_echo(&echo);
	fast_close(&echo.producer);
	fast_close(&echo.consumer);
	assert_doca(doca_buf_dec_refcount(echo.buf, NULL), DOCA_SUCCESS);
	fast_memory_close(&echo.memory);
	comch_end_close(&echo.client);
	return 0;
}

/* The parent: a server, a child that echoes, a consumer and a producer on engines of their own. */
struct fast_server {
	struct comch_end server;
	struct comch_child child;
	struct fast_memory memory;
	struct fast_half consumer;
	struct fast_half producer;
	uint8_t *sent; /* in the memory */
	uint8_t *received;
	unsigned num_fds;
};

static void open_server(struct fast_server *server, const char *name, const char *posts)
{
	comch_server_open(&server->server, name, NULL);
	comch_hear_of_consumers(&server->server);
	comch_start(&server->server);
	child_start(&server->child, "echo", name, posts);
	comch_until(&server->server, NULL, server->server.num_new == 1);
	fast_memory_open(&server->memory, server->server.dev, 2 * ECHO_BYTES);
	server->sent = server->memory.bytes;
	server->received = server->memory.bytes + ECHO_BYTES;
	fast_consumer_open(&server->consumer, &server->server, &server->memory, 2, NULL);
	fast_producer_open(&server->producer, &server->server, 2, NULL);
	assert_doca(doca_ctx_start(server->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_start(server->producer.ctx), DOCA_SUCCESS);
	comch_until(&server->server, NULL,
		    (doca_pe_progress(server->consumer.pe),
		     fast_state(&server->consumer) == DOCA_CTX_STATE_RUNNING));
	child_says(&server->child, "running");
}

static int setup(void **state)
{
	struct fast_server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return -1;
	*state = server;
	server->num_fds = comch_num_fds();
	return 0;
}

static int teardown(void **state)
{
	struct fast_server *server = *state;
	bool is_even;

	fast_close(&server->producer);
	fast_close(&server->consumer);
	fast_memory_close(&server->memory);
	comch_end_close(&server->server);
	is_even = comch_num_fds() == server->num_fds;
	free(server);
	return is_even ? 0 : -1;
}

/* Until there is room, without any progress. */
static doca_error_t send_at_last(struct fast_server *server, struct doca_buf *buf)
{
	const time_t until_s = comch_now() + COMCH_DEADLINE_S;
	struct doca_comch_producer_task_send *task = NULL;
	doca_error_t result;

	assert_doca(doca_comch_producer_task_send_alloc_init(server->producer.producer, buf, NULL,
							     0, server->server.new_id, &task),
		    DOCA_SUCCESS);
	do {
		result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
		if (result == DOCA_ERROR_AGAIN)
			sched_yield();
	} while (result == DOCA_ERROR_AGAIN && comch_now() < until_s);
	return result;
}

static void messages_of_all_lengths_go_there_and_back(void **state)
{
	struct fast_server *server = *state;
	const size_t lens[] = {1,    63,    107,	108,	  109,	   4096,
			       9000, 65536, 300 * 1000, 1u << 20, 2u << 20};
	unsigned num_done = 0;

	open_server(server, "there and back", "yes");
	for (size_t i = 0; i < ECHO_BYTES; i++)
		server->sent[i] = (uint8_t)(i * 7 + (i >> 9));
	for (int round = 0; round < 10; round++) {
		for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
			memset(server->received, 0, lens[i]);
			assert_doca(fast_post(&server->consumer,
					      fast_room(&server->memory, ECHO_BYTES, lens[i]), i),
				    DOCA_SUCCESS);
			assert_doca(send_at_last(server, fast_data(&server->memory, 0, lens[i])),
				    DOCA_SUCCESS);
			num_done++;
			fast_until(&server->producer, server->producer.num_done == num_done);
			fast_until(&server->consumer, server->consumer.num_done == num_done);
			assert_memory_equal(server->sent, server->received, lens[i]);
		}
	}
	child_finish(&server->child);
	comch_until(&server->server, NULL, server->server.num_expired == 1);
	comch_until(&server->server, NULL, server->server.num_disconnects == 1);
}

static void a_killed_peer_ends_what_is_there_within_two_seconds(void **state)
{
	struct fast_server *server = *state;
	time_t killed_s;

	open_server(server, "killed peer", "no");
	assert_doca(fast_post(&server->consumer, fast_room(&server->memory, 0, 64), 0),
		    DOCA_SUCCESS);
	child_kill(&server->child);
	killed_s = comch_now();
	comch_until(&server->server, NULL,
		    (doca_pe_progress(server->consumer.pe), doca_pe_progress(server->producer.pe),
		     fast_state(&server->consumer) == DOCA_CTX_STATE_IDLE) &&
			    fast_state(&server->producer) == DOCA_CTX_STATE_IDLE);
	assert_in_range(comch_now() - killed_s, 0, 2);
	assert_doca(server->consumer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(server->consumer.num_failed, 1);
	assert_int_equal(server->server.num_disconnects, 1);
	assert_int_equal(comch_state(&server->server), DOCA_CTX_STATE_RUNNING);
}

/* One call of progress, when the handle says so. */
static void progress_when_woken(struct doca_pe *pe)
{
	struct pollfd handle = {.events = POLLIN};

	assert_doca(doca_pe_get_notification_handle(pe, &handle.fd), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_int_equal(poll(&handle, 1, 2000), 1);
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	(void)doca_pe_progress(pe);
}

static void a_consumer_alone_sees_a_killed_peer(void **state)
{
	struct fast_server *server = *state;
	time_t killed_s;

	open_server(server, "seen alone", "no");
	assert_doca(fast_post(&server->consumer, fast_room(&server->memory, 0, 64), 0),
		    DOCA_SUCCESS);
	child_kill(&server->child);
	killed_s = comch_now();
	fast_until(&server->consumer, fast_state(&server->consumer) == DOCA_CTX_STATE_IDLE);
	assert_in_range(comch_now() - killed_s, 0, 2);
	assert_doca(server->consumer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(server->server.num_disconnects, 0);
	fast_until(&server->producer, fast_state(&server->producer) == DOCA_CTX_STATE_IDLE);
}

static void whoever_waits_for_a_consumer_alone_is_woken_by_a_killed_peer(void **state)
{
	struct fast_server *server = *state;
	time_t killed_s;

	open_server(server, "waited alone", "no");
	child_kill(&server->child);
	killed_s = comch_now();
	while (fast_state(&server->consumer) != DOCA_CTX_STATE_IDLE)
		progress_when_woken(server->consumer.pe);
	while (fast_state(&server->producer) != DOCA_CTX_STATE_IDLE)
		progress_when_woken(server->producer.pe);
	assert_in_range(comch_now() - killed_s, 0, 2);
}

static void a_start_alone_sees_a_killed_peer(void **state)
{
	struct fast_server *server = *state;
	time_t killed_s;

	open_server(server, "start alone", "no");
	fast_close(&server->consumer);
	memset(&server->consumer, 0, sizeof(server->consumer));
	fast_consumer_open(&server->consumer, &server->server, &server->memory, 2, NULL);
	assert_doca(doca_ctx_start(server->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	child_kill(&server->child);
	killed_s = comch_now();
	while (fast_state(&server->consumer) != DOCA_CTX_STATE_IDLE)
		progress_when_woken(server->consumer.pe);
	assert_in_range(comch_now() - killed_s, 0, 2);
}

static void a_sender_that_spins_sees_a_killed_peer(void **state)
{
	struct fast_server *server = *state;
	struct doca_buf *buf;

	open_server(server, "spinner", "no");
	buf = fast_data(&server->memory, 0, 64);
	assert_doca(fast_send(&server->producer, server->server.new_id, buf), DOCA_ERROR_AGAIN);
	child_kill(&server->child);
	assert_doca(send_at_last(server, buf), DOCA_SUCCESS);
	fast_until(&server->producer, server->producer.num_failed == 1);
	assert_doca(server->producer.last_status, DOCA_ERROR_CONNECTION_RESET);
	fast_until(&server->producer, fast_state(&server->producer) == DOCA_CTX_STATE_IDLE);
}

static void what_was_sent_before_a_kill_is_received(void **state)
{
	struct fast_server *server = *state;

	open_server(server, "last words", "yes");
	memcpy(server->sent, "last words", 10);
	assert_doca(fast_post(&server->consumer, fast_room(&server->memory, ECHO_BYTES, 64), 0),
		    DOCA_SUCCESS);
	assert_doca(fast_post(&server->consumer, fast_room(&server->memory, ECHO_BYTES, 64), 1),
		    DOCA_SUCCESS);
	assert_doca(send_at_last(server, fast_data(&server->memory, 0, 10)), DOCA_SUCCESS);
	/* The child has its room again once the echo is on its way. */
	assert_doca(send_at_last(server, fast_data(&server->memory, 0, 10)), DOCA_SUCCESS);
	child_kill(&server->child);
	comch_until(&server->server, NULL, server->server.num_disconnects == 1);
	fast_until(&server->consumer, fast_state(&server->consumer) == DOCA_CTX_STATE_IDLE);
	assert_in_range(server->consumer.num_done, 1, 2);
	assert_int_equal(server->consumer.num_done + server->consumer.num_failed, 2);
	assert_memory_equal(server->received, "last words", 10);
}

static void a_disconnected_client_ends_its_halves(void **state)
{
	struct fast_server *server = *state;

	open_server(server, "disconnected", "yes");
	assert_doca(doca_comch_server_disconnect(server->server.server, server->server.peer),
		    DOCA_ERROR_IN_USE);
	assert_doca(doca_ctx_stop(server->consumer.ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_server_disconnect(server->server.server, server->server.peer),
		    DOCA_ERROR_IN_USE);
	assert_doca(doca_ctx_stop(server->producer.ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_server_disconnect(server->server.server, server->server.peer),
		    DOCA_SUCCESS);
	child_finish(&server->child);
}

#define fast_server_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		fast_server_test(messages_of_all_lengths_go_there_and_back),
		fast_server_test(a_killed_peer_ends_what_is_there_within_two_seconds),
		fast_server_test(a_consumer_alone_sees_a_killed_peer),
		fast_server_test(whoever_waits_for_a_consumer_alone_is_woken_by_a_killed_peer),
		fast_server_test(a_start_alone_sees_a_killed_peer),
		fast_server_test(a_sender_that_spins_sees_a_killed_peer),
		fast_server_test(what_was_sent_before_a_kill_is_received),
		fast_server_test(a_disconnected_client_ends_its_halves),
	};

	if (argc == 4 && strcmp(argv[1], "echo") == 0)
		return child_echo(argv[2], strcmp(argv[3], "yes") == 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
