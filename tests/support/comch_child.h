/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers and clients in processes of their own: the test program starts itself again with the role
 * in its arguments. A child tells in lines what has happened to it, and ends when its input does.
 * After comch_fixture.h.
 */
#ifndef TESTS_SUPPORT_COMCH_CHILD_H_
#define TESTS_SUPPORT_COMCH_CHILD_H_

#include <sched.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "support/run_again.h"

#define CHILD_MAX_CLIENTS 256

struct comch_child {
	pid_t pid;
	int input;  /* its end is the child's, too */
	int output; /* the lines */
	char line[256];
};

/* The role and its arguments, at most five; uid 0: as the test runs. */
static inline void child_start_as(struct comch_child *child, uid_t uid, const char *const *words)
{
	int input[2];
	int output[2];

	assert_int_equal(pipe2(input, O_CLOEXEC), 0);
	assert_int_equal(pipe2(output, O_CLOEXEC), 0);
	child->pid = fork();
	assert_true(child->pid >= 0);
	if (child->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (dup2(input[0], STDIN_FILENO) < 0 || dup2(output[1], STDOUT_FILENO) < 0 ||
		    (uid != 0 && setuid(uid) != 0))
			_exit(126);
		run_again(words);
		_exit(127);
	}
	close(input[0]);
	close(output[1]);
	child->input = input[1];
	child->output = output[0];
}

#define child_start(child, ...) child_start_as((child), 0, (const char *const[]){__VA_ARGS__, NULL})

/* The next line, without its end; "" once the child is silent for good. */
static inline const char *child_line(struct comch_child *child)
{
	struct pollfd news = {.fd = child->output, .events = POLLIN};
	size_t len = 0;

	for (;;) {
		char c;

		if (poll(&news, 1, COMCH_DEADLINE_S * 1000) != 1) {
			print_error("a child says nothing more\n");
			_fail(__FILE__, __LINE__);
		}
		if (read(child->output, &c, 1) != 1 || c == '\n')
			break;
		if (len < sizeof(child->line) - 1)
			child->line[len++] = c;
	}
	child->line[len] = '\0';
	return child->line;
}

#define child_says(child, text) assert_string_equal(child_line(child), text)

static inline void child_reap(struct comch_child *child, bool is_killed)
{
	int status = -1;

	close(child->input);
	assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
	close(child->output);
	assert_int_equal(is_killed ? WIFSIGNALED(status) : status == 0, 1);
}

/* Ends by itself, as its input does, with success. */
static inline void child_finish(struct comch_child *child)
{
	child_reap(child, false);
}

static inline void child_kill(struct comch_child *child)
{
	assert_int_equal(kill(child->pid, SIGKILL), 0);
	child_reap(child, true);
}

/* In the child: whether the parent has let go of it. */
static inline bool child_is_dismissed(void)
{
	struct pollfd news = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&news, 1, 0) != 0;
}

#define CHILD_HEIR "TEST_COMCH_HEIR" /* in a child's environment: it leaves an heir */

/* In the child: a child of its own that has its sockets, until the parent lets go of it. */
static inline void child_leave_heir(void)
{
	struct pollfd news = {.fd = STDIN_FILENO, .events = POLLIN};

	if (getenv(CHILD_HEIR) == NULL || fork() != 0)
		return;
	(void)poll(&news, 1, -1);
	_exit(0);
}

/* It alone: its heir is still there. */
static inline void child_kill_before_heir(struct comch_child *child)
{
	assert_int_equal(kill(child->pid, SIGKILL), 0);
	assert_int_equal(waitpid(child->pid, NULL, 0), child->pid);
}

static inline void child_dismiss_heir(struct comch_child *child)
{
	close(child->input);
	close(child->output);
}

static inline void child_tell(const char *line)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "%s\n", line);

	if (write(STDOUT_FILENO, text, (size_t)len) != len)
		_exit(125);
}

/* server NAME QUEUE PAUSE_US: echoes; pauses so long between two looks. */
static inline int child_server(const char *name, uint32_t queue, long pause_us)
{
	struct comch_end server = {.echoes = true};
	uint64_t wanted = 0;

	comch_server_open(&server, name, NULL);
	assert_doca(doca_comch_server_set_recv_queue_size(server.server, queue), DOCA_SUCCESS);
	if (doca_ctx_start(server.ctx) != DOCA_SUCCESS) {
		child_tell("refused");
		comch_end_close(&server);
		return 0;
	}
	child_tell("running");
	server.echoes = pause_us == 0;
	while (!child_is_dismissed()) {
		unsigned num_received = server.num_received;

		if (doca_pe_progress(server.pe) == 0 || pause_us != 0)
			nanosleep(&(struct timespec){.tv_nsec = 1000 * (pause_us + 10)}, NULL);
		if (num_received == 0 && server.num_received != 0)
			child_leave_heir();
		/* A slow one wants what it gets to be counted up. */
		if (pause_us != 0 && server.num_received != num_received &&
		    memcmp(server.last_message, &wanted, sizeof(wanted)) == 0 && ++wanted == 300)
			child_tell("counted to 300");
	}
	comch_end_close(&server);
	return 0;
}

/* client NAME NUM: says hello, waits for the echo, goes on until it is dismissed or alone. */
static inline int child_client(const char *name, unsigned num_clients)
{
	static struct comch_end clients[CHILD_MAX_CLIENTS];
	struct doca_pe *pe = NULL;
	unsigned num_idle = 0;
	bool was_served = false;

	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	for (unsigned i = 0; i < num_clients; i++) {
		clients[i].greeting = "hello";
		comch_client_open(&clients[i], name, pe);
		comch_start(&clients[i]);
	}
	child_tell("started");
	while (!child_is_dismissed() && num_idle < num_clients) {
		unsigned num_served = 0;

		if (doca_pe_progress(pe) == 0)
			sched_yield();
		num_idle = 0;
		for (unsigned i = 0; i < num_clients; i++) {
			num_served += clients[i].num_received > 0;
			num_idle += comch_state(&clients[i]) == DOCA_CTX_STATE_IDLE;
		}
		if (num_served == num_clients && !was_served) {
			child_leave_heir();
			child_tell("served");
		}
		was_served = was_served || num_served == num_clients;
	}
	if (num_idle == num_clients)
		child_tell("idle");
	for (unsigned i = 0; i < num_clients; i++)
		comch_end_close(&clients[i]);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
	return 0;
}

/* True when this process is such a child; *status is main's then. */
static inline bool child_is_me(int argc, char **argv, int *status)
{
	if (argc == 5 && strcmp(argv[1], "server") == 0)
		*status = child_server(argv[2], (uint32_t)atoi(argv[3]), atol(argv[4]));
	else if (argc == 4 && strcmp(argv[1], "client") == 0)
		*status = child_client(argv[2], (unsigned)atoi(argv[3]));
	else
		return false;
	return true;
}

#endif /* TESTS_SUPPORT_COMCH_CHILD_H_ */
