/* SPDX-License-Identifier: Apache-2.0 */
/* A client at work: it looks for its server, and meets ones that keep to no rules. */
#include "support/comch_fixture.h"

#include "comch/client.h"
#include "support/comch_raw.h"
#include "support/log_capture.h"

/* The errno of the next send, 0 for none; the linker's wrapper has no other way to learn it. */
static int next_send_error;

ssize_t __wrap_sendmsg(int fd, const struct msghdr *packet, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *packet, int flags);

ssize_t __wrap_sendmsg(int fd, const struct msghdr *packet, int flags)
{
	if (next_send_error == 0)
		return __real_sendmsg(fd, packet, flags);
	errno = next_send_error;
	next_send_error = 0;
	return -1;
}

static struct comch_end the_client; /* of the test that runs; the state is the log's */
static struct peer_policy the_policy;
static unsigned num_fds_before;

static int setup(void **state)
{
	clock_ahead_tenths = 0; /* timers go by the real clock */
	num_fds_before = comch_num_fds();
	the_client = (struct comch_end){.server = NULL};
	comch_client_open(&the_client, "looks", NULL);
	the_policy = *raw_endpoint(&the_client)->policy;
	raw_endpoint(&the_client)->policy = &the_policy;
	log_forget(state);
	return 0;
}

static int teardown(void **state)
{
	comch_end_close(&the_client);
	return comch_num_fds() == num_fds_before ? 0 : -1;
}

/* The client's socket at a server that the test is; it has said HELLO. */
static int take_client(int listen_fd)
{
	struct comch_frame frame;
	int fd;

	comch_until(&the_client, NULL, raw_is_readable(listen_fd));
	fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(raw_receive(fd, &frame), COMCH_HELLO);
	assert_string_equal(frame.name, raw_endpoint(&the_client)->name);
	return fd;
}

static int accepted_client(int listen_fd)
{
	int fd = take_client(listen_fd);

	raw_send_accept(fd);
	comch_until(&the_client, NULL, comch_state(&the_client) == DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(the_client.client, &the_client.peer),
		    DOCA_SUCCESS);
	return fd;
}

static void wait_for_idle(void)
{
	comch_until(&the_client, NULL, comch_state(&the_client) == DOCA_CTX_STATE_IDLE);
}

static void no_server_is_the_end_after_the_timeout(void **state)
{
	the_policy.connect_timeout_ns = 200000000;
	comch_start(&the_client);
	wait_for_idle();
	assert_int_equal(the_client.num_states, 3);
	assert_int_equal(the_client.states[1], DOCA_CTX_STATE_STOPPING);
	assert_logged(state, "ERR",
		      "looks\" of device 0000:b1:00.0 after 200 ms "
		      "(SOFTDOCA_CONNECT_TIMEOUT): no server of that name");
}

static void a_long_search_is_a_warning_after_a_second_and_then_each_ten(void **state)
{
	const struct log_capture *capture = *state;
	time_t begin_tenths;

	comch_start(&the_client);
	comch_until(&the_client, NULL, capture->num_lines == 1);
	assert_logged(state, "WRN", "looks\" of device 0000:b1:00.0: no server");
	log_forget(state);
	begin_tenths = clock_ahead_tenths;
	for (int i = 0; i < 3; i++) {
		clock_ahead_tenths = begin_tenths + i * 40;
		(void)doca_pe_progress(the_client.pe);
	}
	assert_silent(state);
	clock_ahead_tenths = begin_tenths + 110;
	comch_until(&the_client, NULL, capture->num_lines == 1);
	assert_logged(state, "WRN", "still looks for server");
}

static void a_server_that_does_not_answer_is_the_end_after_the_timeout(void **state)
{
	int listen_fd = raw_listen(&the_client);
	int fd;

	the_policy.connect_timeout_ns = 200000000;
	comch_start(&the_client);
	fd = take_client(listen_fd);
	wait_for_idle();
	assert_logged(state, "ERR", "the server is there and does not answer, or not yet");
	close(fd);
	close(listen_fd);
}

static void a_server_of_another_user_is_refused_at_once(void **state)
{
	int listen_fd = raw_listen(&the_client);
	struct comch_frame frame;
	int fd;

	if (geteuid() != 0) {
		/* Whoever is not root meets no other user here. */
		close(listen_fd);
		return;
	}
	comch_start(&the_client);
	assert_int_equal(seteuid(12345), 0);
	/* The listener is root's, who is always right; ours is not. */
	comch_until(&the_client, NULL, raw_is_readable(listen_fd));
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(comch_state(&the_client), DOCA_CTX_STATE_STARTING);
	close(listen_fd);
	assert_doca(doca_ctx_stop(the_client.ctx), DOCA_ERROR_IN_PROGRESS);
	wait_for_idle();

	assert_int_equal(seteuid(12345), 0);
	listen_fd = raw_listen(&the_client);
	assert_int_equal(seteuid(0), 0);
	log_forget(state);
	comch_start(&the_client);
	wait_for_idle();
	assert_logged(state, "ERR", "runs as user 12345, which SOFTDOCA_ALLOW_UIDS does not name");

	/* It has said nothing to that server. */
	fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	assert_int_equal(raw_receive(fd, &frame), 0);
	close(fd);
	the_policy.num_uids = 1;
	the_policy.uids[0] = 12345;
	comch_start(&the_client);
	close(accepted_client(listen_fd));
	wait_for_idle();
	close(listen_fd);
}

static void a_refusal_for_the_user_or_the_version_is_the_end_at_once(void **state)
{
	const enum comch_reject rejects[] = {COMCH_REJECT_PERMISSION, COMCH_REJECT_VERSION,
					     (enum comch_reject)99};
	const char *const texts[] = {"it refuses this user", "it speaks another version",
				     "it refuses this client"};
	int listen_fd = raw_listen(&the_client);

	for (size_t i = 0; i < sizeof(rejects) / sizeof(rejects[0]); i++) {
		int fd;

		comch_start(&the_client);
		log_forget(state);
		fd = take_client(listen_fd);
		raw_send(fd, &(struct comch_frame){.type = COMCH_REJECT, .reject = rejects[i]});
		wait_for_idle();
		assert_logged(state, "ERR", texts[i]);
		close(fd);
	}
	close(listen_fd);
}

static void a_refusal_is_heard_although_the_greeting_came_too_late(void **state)
{
	int listen_fd = raw_listen(&the_client);
	int fd;

	next_send_error = EPIPE;
	comch_start(&the_client);
	comch_until(&the_client, NULL, raw_is_readable(listen_fd));
	fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	raw_send(fd,
		 &(struct comch_frame){.type = COMCH_REJECT, .reject = COMCH_REJECT_PERMISSION});
	close(fd);
	wait_for_idle();
	assert_logged(state, "ERR", "it refuses this user");
	close(listen_fd);
}

static void a_send_that_is_interrupted_is_tried_again(void **state)
{
	int listen_fd = raw_listen(&the_client);
	struct comch_frame frame;
	int fd;

	next_send_error = EINTR;
	comch_start(&the_client);
	fd = accepted_client(listen_fd);
	next_send_error = EINTR;
	assert_doca(comch_send(&the_client, the_client.peer, "1", 1), DOCA_SUCCESS);
	assert_int_equal(raw_receive(fd, &frame), COMCH_DATA);
	next_send_error = ENOBUFS;
	assert_doca(comch_send(&the_client, the_client.peer, "2", 1), DOCA_ERROR_AGAIN);
	close(fd);
	wait_for_idle();
	close(listen_fd);
}

static void a_full_server_and_one_that_hangs_up_are_tried_again(void **state)
{
	int listen_fd = raw_listen(&the_client);
	int fd;

	comch_start(&the_client);
	fd = take_client(listen_fd);
	raw_send(fd, &(struct comch_frame){.type = COMCH_REJECT, .reject = COMCH_REJECT_FULL});
	close(fd);
	fd = take_client(listen_fd);
	raw_send(fd, &(struct comch_frame){.type = COMCH_REJECT, .reject = COMCH_REJECT_NAME});
	close(fd);
	close(take_client(listen_fd));
	fd = accepted_client(listen_fd);
	close(fd);
	wait_for_idle();
	close(listen_fd);
}

static void a_server_that_talks_nonsense_first_is_given_up(void **state)
{
	int listen_fd = raw_listen(&the_client);
	int fd;

	comch_start(&the_client);
	fd = take_client(listen_fd);
	raw_send(fd, &(struct comch_frame){.type = COMCH_DATA, .data_len_bytes = 3});
	wait_for_idle();
	assert_logged(state, "ERR", "not an answer to the greeting first");
	close(fd);
	close(listen_fd);
}

static void a_running_client_leaves_a_server_that_breaks_the_rules(void **state)
{
	int listen_fd = raw_listen(&the_client);
	int fd;

	comch_start(&the_client);
	fd = accepted_client(listen_fd);
	log_forget(state);
	raw_send(fd, &(struct comch_frame){.type = COMCH_CREDIT, .num_credits = 1});
	wait_for_idle();
	assert_logged(state, "WRN", "a receipt for more messages than were sent");
	close(fd);
	close(listen_fd);
}

static void a_dead_server_fails_what_has_no_callback_yet_read_or_not(void **state)
{
	int listen_fd = raw_listen(&the_client);

	for (int is_read = 0; is_read <= 1; is_read++) {
		struct comch_frame frame;
		int fd;

		comch_start(&the_client);
		fd = accepted_client(listen_fd);
		the_client.num_failed = 0;
		for (int i = 0; i < 3; i++)
			assert_doca(comch_send(&the_client, the_client.peer, "lost", 4),
				    DOCA_SUCCESS);
		for (int i = 0; is_read && i < 3; i++)
			assert_int_equal(raw_receive(fd, &frame), COMCH_DATA);
		/* What it had said arrives nevertheless. */
		raw_send(fd, &(struct comch_frame){.type = COMCH_DATA, .data_len_bytes = 3});
		close(fd);
		the_client.num_received = 0;
		wait_for_idle();
		assert_int_equal(the_client.num_failed, 3);
		assert_doca(the_client.last_status, DOCA_ERROR_CONNECTION_RESET);
		assert_int_equal(the_client.num_received, 1);
		assert_int_equal(the_client.num_sent, 0);
	}
	close(listen_fd);
}

static void a_farewell_after_all_was_read_is_success(void **state)
{
	int listen_fd = raw_listen(&the_client);
	struct comch_frame frame;
	int fd;

	comch_start(&the_client);
	fd = accepted_client(listen_fd);
	assert_doca(comch_send(&the_client, the_client.peer, "read", 4), DOCA_SUCCESS);
	assert_int_equal(raw_receive(fd, &frame), COMCH_DATA);
	raw_send(fd, &(struct comch_frame){.type = COMCH_CLOSE});
	close(fd);
	wait_for_idle();
	assert_int_equal(the_client.num_sent, 1);
	close(listen_fd);
}

static void a_submit_to_a_dead_server_is_taken_and_fails(void **state)
{
	int listen_fd = raw_listen(&the_client);
	int fd;

	comch_start(&the_client);
	fd = accepted_client(listen_fd);
	close(fd);
	assert_doca(comch_send(&the_client, the_client.peer, "late", 4), DOCA_SUCCESS);
	assert_doca(comch_send(&the_client, the_client.peer, "late", 4), DOCA_SUCCESS);
	wait_for_idle();
	assert_int_equal(the_client.num_failed, 2);
	assert_doca(the_client.last_status, DOCA_ERROR_CONNECTION_RESET);
	close(listen_fd);
}

#define client_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		client_test(no_server_is_the_end_after_the_timeout),
		client_test(a_long_search_is_a_warning_after_a_second_and_then_each_ten),
		client_test(a_server_that_does_not_answer_is_the_end_after_the_timeout),
		client_test(a_server_of_another_user_is_refused_at_once),
		client_test(a_refusal_for_the_user_or_the_version_is_the_end_at_once),
		client_test(a_refusal_is_heard_although_the_greeting_came_too_late),
		client_test(a_send_that_is_interrupted_is_tried_again),
		client_test(a_full_server_and_one_that_hangs_up_are_tried_again),
		client_test(a_server_that_talks_nonsense_first_is_given_up),
		client_test(a_running_client_leaves_a_server_that_breaks_the_rules),
		client_test(a_dead_server_fails_what_has_no_callback_yet_read_or_not),
		client_test(a_farewell_after_all_was_read_is_success),
		client_test(a_submit_to_a_dead_server_is_taken_and_fails),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
