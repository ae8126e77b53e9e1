/* SPDX-License-Identifier: Apache-2.0 */
/* Servers and clients in processes that come late, are slow, are many, or are killed. */
#include "support/comch_fixture.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "support/comch_child.h"

static int setup(void **state)
{
	struct comch_end *end = calloc(1, sizeof(*end));

	*state = end;
	return end == NULL ? -1 : 0;
}

static int teardown(void **state)
{
	comch_end_close(*state);
	free(*state);
	return 0;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void a_killed_client_is_one_disconnect_within_two_seconds(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;
	double killed_s;

	server->echoes = true;
	comch_server_open(server, "killed client", NULL);
	comch_start(server);
	child_start(&child, "client", "killed client", "1");
	child_says(&child, "started");
	comch_until(server, NULL, server->num_sent == 1);
	child_says(&child, "served");
	child_kill(&child);
	killed_s = now_s();
	comch_until(server, NULL, server->num_disconnects == 1);
	assert_true(now_s() - killed_s < 2);
	comch_until(server, NULL, doca_pe_progress(server->pe) == 0);
	assert_int_equal(server->num_disconnects, 1);
	assert_int_equal(server->num_connects, 1);
	assert_int_equal(comch_state(server), DOCA_CTX_STATE_RUNNING);
}

static void a_killed_server_ends_its_client_and_frees_its_name(void **state)
{
	struct comch_end *client = *state;
	struct comch_end server = {.server = NULL};
	struct comch_child child;
	double killed_s;

	child_start(&child, "server", "killed server", "16", "0");
	child_says(&child, "running");
	comch_client_open(client, "killed server", NULL);
	comch_start(client);
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(client->client, &client->peer), DOCA_SUCCESS);
	for (int i = 0; i < 5; i++)
		assert_doca(comch_send(client, client->peer, "lost", 4), DOCA_SUCCESS);
	child_kill(&child);
	killed_s = now_s();
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_IDLE);
	assert_true(now_s() - killed_s < 2);
	assert_int_equal(client->num_failed, 5);
	assert_int_equal(client->num_sent, 0);
	assert_doca(client->last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(client->num_states, 4);
	assert_int_equal(client->states[2], DOCA_CTX_STATE_STOPPING);

	comch_server_open(&server, "killed server", NULL);
	comch_connect(&server, client);
	assert_doca(doca_ctx_stop(client->ctx), DOCA_SUCCESS);
	comch_end_close(&server);
}

static void a_killed_server_that_had_stood_still_ends_its_client_too(void **state)
{
	struct comch_end *client = *state;
	struct comch_child child;

	child_start(&child, "server", "stopped server", "16", "0");
	child_says(&child, "running");
	comch_client_open(client, "stopped server", NULL);
	comch_start(client);
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(client->client, &client->peer), DOCA_SUCCESS);
	assert_int_equal(kill(child.pid, SIGSTOP), 0);
	for (int i = 0; i < 16; i++)
		assert_doca(comch_send(client, client->peer, "lost", 4), DOCA_SUCCESS);
	child_kill(&child);
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(client->num_failed, 16);
}

static void a_killed_client_is_seen_though_a_child_of_it_has_its_socket(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;

	server->echoes = true;
	comch_server_open(server, "client with an heir", NULL);
	comch_start(server);
	setenv(CHILD_HEIR, "", 1);
	child_start(&child, "client", "client with an heir", "1");
	unsetenv(CHILD_HEIR);
	child_says(&child, "started");
	comch_until(server, NULL, server->num_sent == 1);
	child_says(&child, "served");
	child_kill_before_heir(&child);
	comch_until(server, NULL, server->num_disconnects == 1);
	child_dismiss_heir(&child);
}

static void a_killed_server_is_seen_though_a_child_of_it_has_its_socket(void **state)
{
	struct comch_end *client = *state;
	struct comch_child child;

	setenv(CHILD_HEIR, "", 1);
	child_start(&child, "server", "server with an heir", "16", "0");
	unsetenv(CHILD_HEIR);
	child_says(&child, "running");
	client->greeting = "hello";
	comch_client_open(client, "server with an heir", NULL);
	comch_start(client);
	comch_until(client, NULL, client->num_received == 1);
	child_kill_before_heir(&child);
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_IDLE);
	child_dismiss_heir(&child);
}

static void a_server_that_ends_in_order_ends_its_client(void **state)
{
	struct comch_end *client = *state;
	struct comch_child child;

	client->greeting = "hello";
	child_start(&child, "server", "orderly", "16", "0");
	child_says(&child, "running");
	comch_client_open(client, "orderly", NULL);
	comch_start(client);
	comch_until(client, NULL, client->num_received == 1);
	child_finish(&child);
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(client->num_sent, 1);
	assert_int_equal(client->num_failed, 0);
}

static void a_client_waits_for_its_server(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;

	child_start(&child, "client", "late server", "1");
	child_says(&child, "started");
	server->echoes = true;
	comch_server_open(server, "late server", NULL);
	comch_start(server);
	comch_until(server, NULL, server->num_sent == 1);
	child_says(&child, "served");
	child_finish(&child);
	comch_until(server, NULL, server->num_disconnects == 1);
}

static void two_hundred_and_fifty_six_clients_are_served_and_their_death_is_seen(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;
	double killed_s;

	server->echoes = true;
	comch_server_open(server, "many clients", NULL);
	comch_start(server);
	child_start(&child, "client", "many clients", "256");
	child_says(&child, "started");
	comch_until(server, NULL, server->num_sent == 256);
	assert_int_equal(server->num_connects, 256);
	child_says(&child, "served");
	child_kill(&child);
	killed_s = now_s();
	comch_until(server, NULL, server->num_disconnects == 256);
	assert_true(now_s() - killed_s < 2);
}

/* 300 numbers to a server that takes its time, which says when it has counted them all. */
static void count_to_300(struct comch_end *client, bool waits)
{
	static uint64_t numbers[300];
	doca_notification_handle_t handle;
	struct pollfd news = {.events = POLLIN};
	unsigned num_again = 0;

	assert_doca(doca_pe_get_notification_handle(client->pe, &handle), DOCA_SUCCESS);
	news.fd = handle;
	for (unsigned i = 0; i < 300;) {
		doca_error_t result;

		numbers[i] = i;
		result = comch_send(client, client->peer, &numbers[i], sizeof(numbers[i]));
		if (result == DOCA_SUCCESS) {
			i++;
			continue;
		}
		assert_true(result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_NO_MEMORY);
		num_again += result == DOCA_ERROR_AGAIN;
		if (waits) {
			assert_doca(doca_pe_request_notification(client->pe), DOCA_SUCCESS);
			assert_int_equal(poll(&news, 1, COMCH_DEADLINE_S * 1000), 1);
			assert_doca(doca_pe_clear_notification(client->pe, 0), DOCA_SUCCESS);
		}
		while (doca_pe_progress(client->pe) != 0)
			;
	}
	assert_true(num_again > 0);
}

static void slow_server_is_not_overrun(struct comch_end *client, const char *name, bool waits)
{
	struct comch_child child;

	child_start(&child, "server", name, "4", "200");
	child_says(&child, "running");
	comch_client_open(client, name, NULL);
	comch_start(client);
	comch_until(client, NULL, comch_state(client) == DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(client->client, &client->peer), DOCA_SUCCESS);
	count_to_300(client, waits);
	child_says(&child, "counted to 300");
	comch_until(client, NULL, client->num_sent == 300);
	child_finish(&child);
}

static void a_slow_server_is_not_overrun_by_a_client_that_polls(void **state)
{
	slow_server_is_not_overrun(*state, "slow, polled", false);
}

static void a_slow_server_is_not_overrun_by_a_client_that_waits(void **state)
{
	slow_server_is_not_overrun(*state, "slow, waited for", true);
}

static void a_second_server_of_a_name_is_refused_in_another_process(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;

	comch_server_open(server, "only one", NULL);
	comch_start(server);
	child_start(&child, "server", "only one", "4", "0");
	child_says(&child, "refused");
	child_finish(&child);
}

/* The abstract address of the server of that name, as the kernel lists it. */
static socklen_t find_address(const char *name, struct sockaddr_un *address)
{
	FILE *file = fopen("/proc/net/unix", "re");
	char line[512];
	socklen_t len_bytes = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		char *at = strstr(line, "@softdoca-comch/");

		if (at == NULL || strstr(at, name) == NULL)
			continue;
		at[strcspn(at, "\n")] = '\0';
		*address = (struct sockaddr_un){.sun_family = AF_UNIX};
		memcpy(address->sun_path + 1, at + 1, strlen(at + 1));
		len_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(at));
	}
	fclose(file);
	assert_true(len_bytes != 0);
	return len_bytes;
}

static void a_thousand_silent_connections_do_not_keep_a_client_out(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;
	struct sockaddr_un address;
	socklen_t len_bytes;
	int silent[1000];
	int num_silent = 0;

	server->echoes = true;
	comch_server_open(server, "beleaguered", NULL);
	comch_start(server);
	len_bytes = find_address("beleaguered", &address);
	child_start(&child, "client", "beleaguered", "1");
	child_says(&child, "started");
	/* As many at once as this process may have, then more in the place of those dropped. */
	for (int i = 0; i < 1000; i++) {
		int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (fd < 0)
			break;
		if (connect(fd, (struct sockaddr *)&address, len_bytes) != 0)
			close(fd);
		else
			silent[num_silent++] = fd;
		(void)doca_pe_progress(server->pe);
	}
	assert_true(num_silent > 100);
	comch_until(server, NULL, server->num_sent == 1);
	child_says(&child, "served");
	for (int i = 0; i < num_silent; i++)
		close(silent[i]);
	child_finish(&child);
	comch_until(server, NULL, server->num_disconnects == 1);
	assert_int_equal(server->num_connects, 1);
}

static void a_client_gives_up_after_its_timeout(void **state)
{
	struct comch_end *server = *state;
	struct comch_child child;
	double begin_s = now_s();

	comch_server_open(server, "somebody else", NULL);
	comch_start(server);
	setenv("SOFTDOCA_CONNECT_TIMEOUT", "0.5", 1);
	child_start(&child, "client", "nobody", "1");
	unsetenv("SOFTDOCA_CONNECT_TIMEOUT");
	child_says(&child, "started");
	child_says(&child, "idle");
	assert_true(now_s() - begin_s >= 0.5);
	child_finish(&child);
}

static void a_runtime_directory_is_where_they_meet_and_death_does_not_block_it(void **state)
{
	struct comch_end *other = *state;
	char dir[] = "/tmp/softdoca-comch.XXXXXX";
	struct comch_child server;
	struct comch_child second;
	struct comch_child client;

	comch_server_open(other, "in a directory", NULL);
	comch_start(other); /* it is not in the directory: nobody finds it */
	assert_non_null(mkdtemp(dir));
	setenv("SOFTDOCA_RUNTIME_DIR", dir, 1);
	child_start(&server, "server", "in a directory", "4", "0");
	child_says(&server, "running");
	child_start(&second, "server", "in a directory", "4", "0");
	child_says(&second, "refused");
	child_finish(&second);
	child_kill(&server);
	assert_int_not_equal(rmdir(dir), 0);
	child_start(&server, "server", "in a directory", "4", "0");
	child_says(&server, "running");
	child_start(&client, "client", "in a directory", "1");
	unsetenv("SOFTDOCA_RUNTIME_DIR");
	child_says(&client, "started");
	child_says(&client, "served");
	child_finish(&client);
	child_finish(&server);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(other->num_connects, 0);
}

#define process_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		process_test(a_killed_client_is_one_disconnect_within_two_seconds),
		process_test(a_killed_server_ends_its_client_and_frees_its_name),
		process_test(a_killed_server_that_had_stood_still_ends_its_client_too),
		process_test(a_killed_client_is_seen_though_a_child_of_it_has_its_socket),
		process_test(a_killed_server_is_seen_though_a_child_of_it_has_its_socket),
		process_test(a_server_that_ends_in_order_ends_its_client),
		process_test(a_client_waits_for_its_server),
		process_test(two_hundred_and_fifty_six_clients_are_served_and_their_death_is_seen),
		process_test(a_slow_server_is_not_overrun_by_a_client_that_polls),
		process_test(a_slow_server_is_not_overrun_by_a_client_that_waits),
		process_test(a_second_server_of_a_name_is_refused_in_another_process),
		process_test(a_thousand_silent_connections_do_not_keep_a_client_out),
		process_test(a_client_gives_up_after_its_timeout),
		process_test(a_runtime_directory_is_where_they_meet_and_death_does_not_block_it),
	};
	char name[120];
	int status;

	if (child_is_me(argc, argv, &status))
		return status;
	/* Children have names of this run. */
	comch_name("", name);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
