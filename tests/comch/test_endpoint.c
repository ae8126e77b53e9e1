/* SPDX-License-Identifier: Apache-2.0 */
/* Starts without memory or descriptors, waiting by the notification handle, exhausted queues. */
#include "support/comch_fixture.h"
#include "support/fail_nth.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "comch/endpoint.h"

/* Calls of the libraries that fail: the how-manieth from now, 0: none. */
static int calloc_fails_in;
static int malloc_fails_in;
static int epoll_create_fails_in;
static int epoll_ctl_fails_in;
static int timer_fails_in;
static int eventfd_fails_in;
static int listen_fails_in;

WRAPPED(void *, calloc, (size_t num, size_t size), (num, size), calloc_fails_in, NULL)
WRAPPED(void *, malloc, (size_t size), (size), malloc_fails_in, NULL)
WRAPPED(int, epoll_create1, (int flags), (flags), epoll_create_fails_in, -1)
WRAPPED(int, epoll_ctl, (int poll_fd, int op, int fd, struct epoll_event *event),
	(poll_fd, op, fd, event), epoll_ctl_fails_in, -1)
WRAPPED(int, timerfd_create, (int clock, int flags), (clock, flags), timer_fails_in, -1)
WRAPPED(int, eventfd, (unsigned count, int flags), (count, flags), eventfd_fails_in, -1)
WRAPPED(int, listen, (int fd, int backlog), (fd, backlog), listen_fails_in, -1)

static void start_fails(struct comch_end *end, int *fails_in, int in)
{
	unsigned num_fds = comch_num_fds();

	*fails_in = in;
	assert_doca(doca_ctx_start(end->ctx), DOCA_ERROR_INITIALIZATION);
	assert_int_equal(*fails_in, 0);
	assert_int_equal(comch_num_fds(), num_fds);
	assert_int_equal(comch_state(end), DOCA_CTX_STATE_IDLE);
}

static void a_start_that_cannot_be_leaves_nothing_and_can_be_tried_again(void **state)
{
	struct comch_pair *pair = *state;
	struct comch_end *const ends[] = {&pair->server, &pair->client};

	for (int i = 0; i < 2; i++) {
		start_fails(ends[i], &calloc_fails_in, 1);
		start_fails(ends[i], &malloc_fails_in, 1);
		start_fails(ends[i], &epoll_create_fails_in, 1);
		start_fails(ends[i], &timer_fails_in, 1);
		start_fails(ends[i], &epoll_ctl_fails_in, 1);
		start_fails(ends[i], &epoll_ctl_fails_in, 2);
		start_fails(ends[i], &epoll_ctl_fails_in, 3);
		start_fails(ends[i], &eventfd_fails_in, 1);
	}
	start_fails(&pair->server, &epoll_ctl_fails_in, 4);
	start_fails(&pair->server, &listen_fails_in, 1);
	/* The client's connection, and its channels. */
	start_fails(&pair->client, &calloc_fails_in, 1);
	start_fails(&pair->client, &calloc_fails_in, 2);
	comch_connect(&pair->server, &pair->client);
}

/* Wait as a program does that does not poll: until the handle says so. */
static void wait_for_work(struct comch_end *end)
{
	doca_notification_handle_t handle;
	struct pollfd news = {.events = POLLIN};

	assert_doca(doca_pe_get_notification_handle(end->pe, &handle), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(end->pe), DOCA_SUCCESS);
	news.fd = handle;
	assert_int_equal(poll(&news, 1, COMCH_DEADLINE_S * 1000), 1);
	assert_doca(doca_pe_clear_notification(end->pe, 0), DOCA_SUCCESS);
	while (doca_pe_progress(end->pe) != 0)
		;
}

static void both_ends_are_woken_by_the_notification_handle(void **state)
{
	struct comch_pair *pair = *state;

	pair->server.echoes = true;
	comch_start(&pair->client);
	wait_for_work(&pair->client); /* the first attempt, for which there is no server */
	comch_start(&pair->server);
	wait_for_work(&pair->client);
	while (pair->server.num_connects == 0) {
		wait_for_work(&pair->server);
		if (pair->server.num_connects == 0)
			wait_for_work(&pair->client);
	}
	wait_for_work(&pair->client);
	assert_int_equal(comch_state(&pair->client), DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(pair->client.client, &pair->client.peer),
		    DOCA_SUCCESS);
	for (unsigned i = 1; i <= 10; i++) {
		assert_doca(comch_send(&pair->client, pair->client.peer, "ping", 4), DOCA_SUCCESS);
		while (pair->server.num_received < i)
			wait_for_work(&pair->server);
		while (pair->client.num_received < i)
			wait_for_work(&pair->client);
	}
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
	while (comch_state(&pair->server) != DOCA_CTX_STATE_IDLE)
		wait_for_work(&pair->server);
	while (comch_state(&pair->client) != DOCA_CTX_STATE_IDLE)
		wait_for_work(&pair->client);
}

static void who_progresses_after_a_refusal_and_then_waits_is_woken_when_there_is_room(void **state)
{
	struct comch_pair *pair = *state;

	assert_doca(doca_comch_server_set_recv_queue_size(pair->server.server, 1), DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "1", 1), DOCA_SUCCESS);
	assert_doca(comch_send(&pair->client, pair->client.peer, "2", 1), DOCA_ERROR_AGAIN);
	comch_until(&pair->server, NULL, pair->server.num_received == 1);
	/* The receipt is taken here, and nothing else will come. */
	while (doca_pe_progress(pair->client.pe) != 0)
		;
	assert_int_equal(pair->client.peer->protocol.num_sendable, 1);
	wait_for_work(&pair->client);
	wait_for_work(&pair->client);
	assert_doca(comch_send(&pair->client, pair->client.peer, "2", 1), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->server.num_received == 2);
}

static void a_quiet_pair_wakes_nobody(void **state)
{
	struct comch_pair *pair = *state;
	doca_notification_handle_t handle;
	struct pollfd news = {.events = POLLIN};

	comch_connect(&pair->server, &pair->client);
	comch_until(&pair->server, &pair->client,
		    doca_pe_progress(pair->server.pe) + doca_pe_progress(pair->client.pe) == 0);
	for (int i = 0; i < 2; i++) {
		struct doca_pe *pe = i == 0 ? pair->server.pe : pair->client.pe;

		assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
		news.fd = handle;
		assert_int_equal(poll(&news, 1, 100), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		comch_test(a_start_that_cannot_be_leaves_nothing_and_can_be_tried_again),
		comch_test(both_ends_are_woken_by_the_notification_handle),
		comch_test(
			who_progresses_after_a_refusal_and_then_waits_is_woken_when_there_is_room),
		comch_test(a_quiet_pair_wakes_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
