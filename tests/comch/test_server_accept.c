/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes to a server, and says what: silence, nonsense, wrong users, too many. */
#include "support/comch_fixture.h"

#include "comch/server.h"
#include "support/comch_raw.h"
#include "support/log_capture.h"

/* The uid of whoever connects, for one call; the linker's wrapper has no other way to learn it. */
static bool is_stranger;

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *len);
int __real_getsockopt(int fd, int level, int name, void *value, socklen_t *len);

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	int result = __real_getsockopt(fd, level, name, value, len);

	if (name == SO_PEERCRED && is_stranger) {
		is_stranger = false;
		((struct ucred *)value)->uid = 12345;
	}
	return result;
}

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags);
int __real_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags);
static int accept_error; /* of the next calls, as many as num_accept_errors */
static int num_accept_errors;

int __wrap_accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags)
{
	if (num_accept_errors == 0)
		return __real_accept4(fd, addr, len, flags);
	num_accept_errors--;
	errno = accept_error;
	return -1;
}

static struct comch_end the_server; /* of the test that runs; the state is the log's */
static unsigned num_fds_before;

static int setup(void **state)
{
	clock_ahead_tenths = 0; /* timers go by the real clock */
	num_fds_before = comch_num_fds();
	the_server = (struct comch_end){.server = NULL};
	comch_server_open(&the_server, "accepts", NULL);
	comch_start(&the_server);
	log_forget(state);
	return 0;
}

static int teardown(void **state)
{
	comch_end_close(&the_server);
	return comch_num_fds() == num_fds_before ? 0 : -1;
}

static const struct doca_comch_server *server(void)
{
	return the_server.server;
}

/* All that is there is looked at. */
static void settle(void)
{
	while (doca_pe_progress(the_server.pe) != 0)
		;
}

static void a_client_that_is_greeted_is_accepted(void **state)
{
	int fd = raw_client(&the_server);

	assert_int_equal(server()->num_open, 1);
	assert_int_equal(server()->num_greeting, 0);
	close(fd);
	comch_until(&the_server, NULL, the_server.num_disconnects == 1);
	assert_int_equal(server()->num_open, 0);
}

static void a_stranger_is_refused_told_why_and_counted(void **state)
{
	struct comch_frame frame;
	int fd = raw_connect(&the_server);

	is_stranger = true;
	settle();
	assert_int_equal(the_server.num_refused, 1);
	assert_int_equal(the_server.num_connects, 0);
	assert_logged(state, "WRN", "runs as user 12345, which SOFTDOCA_ALLOW_UIDS does not name");
	assert_int_equal(raw_receive(fd, &frame), COMCH_REJECT);
	assert_int_equal(frame.reject, COMCH_REJECT_PERMISSION);
	assert_int_equal(raw_receive(fd, &frame), 0);
	close(fd);
	settle();
	assert_int_equal(the_server.num_disconnects, 0);
}

static void a_stranger_that_is_allowed_is_accepted(void **state)
{
	struct peer_policy policy = *raw_endpoint(&the_server)->policy;
	int fd;

	policy.num_uids = 1;
	policy.uids[0] = 12345;
	raw_endpoint(&the_server)->policy = &policy;
	is_stranger = true;
	fd = raw_client(&the_server);
	assert_false(is_stranger);
	close(fd);
	settle();
}

static void another_name_or_version_is_refused_and_counted(void **state)
{
	const struct comch_frame future = {.type = COMCH_HELLO, .version = 1};
	struct comch_frame other = {
		.type = COMCH_HELLO,
		.version = COMCH_VERSION,
		.max_msg_bytes = 1,
		.recv_queue = 1,
		.name = "accept",
	};
	struct comch_frame frame;
	int fd = raw_connect(&the_server);

	raw_send(fd, &other);
	settle();
	assert_int_equal(raw_receive(fd, &frame), COMCH_REJECT);
	assert_int_equal(frame.reject, COMCH_REJECT_NAME);
	assert_int_equal(the_server.num_refused, 1);
	close(fd);
	fd = raw_connect(&the_server);
	raw_send(fd, &future);
	settle();
	assert_int_equal(raw_receive(fd, &frame), COMCH_REJECT);
	assert_int_equal(frame.reject, COMCH_REJECT_VERSION);
	assert_int_equal(the_server.num_refused, 2);
	close(fd);
}

static void nonsense_closes_its_connection_alone(void **state)
{
	static const uint8_t nonsense[COMCH_FRAME_BYTES + 100] = "nonsense";
	const size_t lengths[] = {1, 8, 100, COMCH_FRAME_BYTES, sizeof(nonsense)};
	int honest = raw_client(&the_server);

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct comch_frame frame;
		int fd = raw_connect(&the_server);

		raw_send_bytes(fd, nonsense, lengths[i]);
		settle();
		assert_int_equal(raw_receive(fd, &frame), 0);
		close(fd);
	}
	assert_int_equal(the_server.num_refused, 0);
	assert_int_equal(the_server.num_connects, 1);
	raw_send(honest, &(struct comch_frame){.type = COMCH_DATA, .data_len_bytes = 5});
	comch_until(&the_server, NULL, the_server.num_received == 1);
	close(honest);
	settle();
}

static void who_hangs_up_before_or_after_the_greeting_is_forgotten(void **state)
{
	int fd = raw_connect(&the_server);

	close(fd);
	settle();
	fd = raw_connect(&the_server);
	settle();
	assert_int_equal(server()->num_greeting, 1);
	close(fd);
	settle();
	fd = raw_connect(&the_server);
	raw_send_hello(fd, &the_server);
	close(fd);
	settle();
	assert_int_equal(server()->num_greeting, 0);
	assert_int_equal(the_server.num_connects, 0);
	assert_int_equal(the_server.num_disconnects, 0);
	assert_int_equal(the_server.num_refused, 0);
}

static void who_says_nothing_is_dropped_after_three_seconds(void **state)
{
	struct comch_frame frame;
	int fd = raw_connect(&the_server);
	time_t begin_s;

	settle();
	begin_s = comch_now();
	assert_int_equal(server()->num_greeting, 1);
	comch_until(&the_server, NULL, server()->num_greeting == 0);
	assert_true(comch_now() - begin_s >= 2 && comch_now() - begin_s <= 4);
	assert_int_equal(raw_receive(fd, &frame), 0);
	assert_logged(state, "WRN", "it has said nothing, and its time is over");
	close(fd);
}

static void silent_ones_are_few_and_an_honest_one_is_served(void **state)
{
	int silent[SERVER_MAX_GREETING + 10];
	int num_alive = 0;
	int honest;

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		silent[i] = raw_connect(&the_server);
	honest = raw_client(&the_server);
	settle();
	assert_true(server()->num_greeting <= SERVER_MAX_GREETING);
	assert_false(raw_is_readable(honest));
	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
		num_alive += !raw_is_readable(silent[i]);
		close(silent[i]);
	}
	assert_in_range(num_alive, SERVER_MAX_GREETING - 1, SERVER_MAX_GREETING);
	close(honest);
	comch_until(&the_server, NULL, the_server.num_disconnects == 1);
}

static void no_descriptors_are_a_pause_that_ends(void **state)
{
	int fd = raw_connect(&the_server);

	raw_send_hello(fd, &the_server);
	accept_error = EMFILE;
	num_accept_errors = 1;
	settle();
	assert_logged(state, "WRN", "takes no clients for a moment");
	assert_int_not_equal(server()->resume_ns, 0);
	comch_until(&the_server, NULL, the_server.num_connects == 1);
	close(fd);
	settle();
}

static void short_descriptors_cost_the_silent_ones_first(void **state)
{
	int silent = raw_connect(&the_server);
	int fd;

	settle();
	fd = raw_connect(&the_server);
	raw_send_hello(fd, &the_server);
	accept_error = EMFILE;
	num_accept_errors = 1;
	comch_until(&the_server, NULL, the_server.num_connects == 1);
	assert_int_equal(server()->num_greeting, 0);
	close(silent);
	close(fd);
	settle();
}

static void interrupted_and_aborted_accepts_are_tried_again(void **state)
{
	int fd = raw_connect(&the_server);

	raw_send_hello(fd, &the_server);
	accept_error = ECONNABORTED;
	num_accept_errors = 2;
	comch_until(&the_server, NULL, the_server.num_connects == 1);
	assert_int_equal(server()->resume_ns, 0);
	close(fd);
	settle();
}

static void one_client_more_than_there_is_room_for_is_told_so(void **state)
{
	struct comch_frame frame;
	int fds[COMCH_MAX_CLIENTS];
	int fd;

	for (size_t i = 0; i < COMCH_MAX_CLIENTS; i++)
		fds[i] = raw_client(&the_server);
	log_forget(state);
	fd = raw_connect(&the_server);
	raw_send_hello(fd, &the_server);
	settle();
	assert_int_equal(raw_receive(fd, &frame), COMCH_REJECT);
	assert_int_equal(frame.reject, COMCH_REJECT_FULL);
	assert_int_equal(raw_receive(fd, &frame), 0);
	close(fd);
	assert_int_equal(the_server.num_refused, 0);
	close(fds[0]);
	comch_until(&the_server, NULL, the_server.num_disconnects == 1);
	fds[0] = raw_client(&the_server);
	for (size_t i = 0; i < COMCH_MAX_CLIENTS; i++)
		close(fds[i]);
	comch_until(&the_server, NULL, the_server.num_disconnects == COMCH_MAX_CLIENTS + 1);
	assert_true(raw_endpoint(&the_server)->num_ended <= 256);
}

static void a_stop_drops_who_has_not_been_greeted(void **state)
{
	struct comch_frame frame;
	int fd = raw_connect(&the_server);

	settle();
	assert_doca(doca_ctx_stop(the_server.ctx), DOCA_SUCCESS);
	assert_int_equal(raw_receive(fd, &frame), 0);
	close(fd);
}

#define accept_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		accept_test(a_client_that_is_greeted_is_accepted),
		accept_test(a_stranger_is_refused_told_why_and_counted),
		accept_test(a_stranger_that_is_allowed_is_accepted),
		accept_test(another_name_or_version_is_refused_and_counted),
		accept_test(nonsense_closes_its_connection_alone),
		accept_test(who_hangs_up_before_or_after_the_greeting_is_forgotten),
		accept_test(who_says_nothing_is_dropped_after_three_seconds),
		accept_test(silent_ones_are_few_and_an_honest_one_is_served),
		accept_test(no_descriptors_are_a_pause_that_ends),
		accept_test(short_descriptors_cost_the_silent_ones_first),
		accept_test(interrupted_and_aborted_accepts_are_tried_again),
		accept_test(one_client_more_than_there_is_room_for_is_told_so),
		accept_test(a_stop_drops_who_has_not_been_greeted),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
