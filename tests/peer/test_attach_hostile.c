/* SPDX-License-Identifier: Apache-2.0 */
/* Attaching to agents that are hostile, or silent. */
#include "peer/attach_case.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "support/needs.h"
#include "wire/nbd.h"

static void hang_up(struct fake_agent *agent, int fd)
{
	shutdown(fd, SHUT_RDWR);
}

static void say_nothing(struct fake_agent *agent, int fd)
{
}

static void say_garbage(struct fake_agent *agent, int fd)
{
	static const char garbage[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";

	(void)send(fd, garbage, sizeof(garbage), MSG_NOSIGNAL);
}

static void say_half_a_greeting(struct fake_agent *agent, int fd)
{
	(void)send(fd, "NBDMAGIC", 8, MSG_NOSIGNAL);
	shutdown(fd, SHUT_RDWR);
}

static void say_half_a_greeting_and_wait(struct fake_agent *agent, int fd)
{
	(void)send(fd, "NBDMAGIC", 8, MSG_NOSIGNAL);
}

static void greet_and_hang_up(struct fake_agent *agent, int fd)
{
	fake_greet(fd);
	shutdown(fd, SHUT_RDWR);
}

static void greet_and_wait(struct fake_agent *agent, int fd)
{
	fake_greet(fd);
}

/* A reply to whatever was asked, with so many copies of the control page's descriptor. */
static void answer(struct fake_agent *agent, int fd, const struct attach_answer *answer,
		   uint32_t len_bytes, uint32_t num_fds)
{
	uint8_t payload[2 * ATTACH_ANSWER_BYTES] = {0};
	struct attach_request request;
	int fds[8];
	int activity_fd;

	for (uint32_t i = 0; i < num_fds; i++)
		fds[i] = fake_control_fd(agent);
	attach_answer_encode(answer, payload);
	if (fake_greet(fd) && fake_hear(fd, &request, &activity_fd)) {
		fake_reply(fd, NBD_REP_ACK, payload, len_bytes, fds, num_fds);
		close(activity_fd);
	}
}

static void answer_with_no_fd(struct fake_agent *agent, int fd)
{
	struct attach_answer right = fake_answer(agent);

	answer(agent, fd, &right, ATTACH_ANSWER_BYTES, 0);
}

static void answer_with_one_fd_too_many(struct fake_agent *agent, int fd)
{
	struct attach_answer right = fake_answer(agent);

	answer(agent, fd, &right, ATTACH_ANSWER_BYTES, 2);
}

static void answer_with_eight_fds(struct fake_agent *agent, int fd)
{
	struct attach_answer right = fake_answer(agent);

	answer(agent, fd, &right, ATTACH_ANSWER_BYTES, 8);
}

static void answer_that_promises_a_file(struct fake_agent *agent, int fd)
{
	struct attach_answer wrong = fake_answer(agent);

	wrong.has_file = true;
	answer(agent, fd, &wrong, ATTACH_ANSWER_BYTES, 1);
}

static void answer_that_promises_a_bell(struct fake_agent *agent, int fd)
{
	struct attach_answer wrong = fake_answer(agent);

	wrong.has_bell = true;
	answer(agent, fd, &wrong, ATTACH_ANSWER_BYTES, 1);
}

static void answer_that_is_long(struct fake_agent *agent, int fd)
{
	struct attach_answer right = fake_answer(agent);

	answer(agent, fd, &right, 2 * ATTACH_ANSWER_BYTES, 1);
}

static void answer_that_is_short(struct fake_agent *agent, int fd)
{
	struct attach_answer right = fake_answer(agent);

	answer(agent, fd, &right, ATTACH_ANSWER_BYTES - 1, 1);
}

static void answer_without_a_tag(struct fake_agent *agent, int fd)
{
	struct attach_answer wrong = fake_answer(agent);

	wrong.tag = 0;
	answer(agent, fd, &wrong, ATTACH_ANSWER_BYTES, 1);
}

static void answer_with_a_slot_outside(struct fake_agent *agent, int fd)
{
	struct attach_answer wrong = fake_answer(agent);

	wrong.slot = CONTROL_SLOTS;
	answer(agent, fd, &wrong, ATTACH_ANSWER_BYTES, 1);
}

/* One descriptor beside the greeting, one beside the answer. */
static void greet_with_a_fd(struct fake_agent *agent, int fd)
{
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(sizeof(int))];
	} control = {
		.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
			   .cmsg_level = SOL_SOCKET,
			   .cmsg_type = SCM_RIGHTS},
	};
	uint8_t greeting[NBD_GREETING_BYTES];
	struct iovec piece = {greeting, sizeof(greeting)};
	struct msghdr message = {
		.msg_iov = &piece,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int beside = fake_control_fd(agent);

	memcpy(CMSG_DATA(&control.header), &beside, sizeof(beside));
	nbd_greeting_encode(greeting);
	(void)sendmsg(fd, &message, MSG_NOSIGNAL);
}

static void answer_with_what_is_no_page(struct fake_agent *agent, int fd)
{
	struct attach_answer right = fake_answer(agent);
	uint8_t payload[ATTACH_ANSWER_BYTES];
	struct attach_request request;
	int activity_fd;

	attach_answer_encode(&right, payload);
	if (fake_greet(fd) && fake_hear(fd, &request, &activity_fd)) {
		int plain = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

		fake_reply(fd, NBD_REP_ACK, payload, sizeof(payload), &plain, 1);
		close(plain);
		close(activity_fd);
	}
}

static void reply_to_another_option(struct fake_agent *agent, int fd)
{
	const struct nbd_option_reply reply = {.option = NBD_OPT_GO, .type = NBD_REP_ACK};
	uint8_t bytes[NBD_OPTION_REPLY_BYTES];

	nbd_option_reply_encode(&reply, bytes);
	fake_greet(fd);
	(void)send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
}

static void reply_without_its_magic(struct fake_agent *agent, int fd)
{
	static const uint8_t zeros[NBD_OPTION_REPLY_BYTES];

	fake_greet(fd);
	(void)send(fd, zeros, sizeof(zeros), MSG_NOSIGNAL);
}

static void no_hostile_agent_is_attached_to_and_none_leaves_a_descriptor(void **state)
{
	skip_unless(kernel_drops_fds(), NO_DROPPED_FDS);

	static void (*const hostile[])(struct fake_agent *, int) = {
		hang_up,
		say_garbage,
		say_half_a_greeting,
		greet_and_hang_up,
		greet_with_a_fd,
		answer_with_no_fd,
		answer_with_one_fd_too_many,
		answer_with_eight_fds,
		answer_that_promises_a_file,
		answer_that_promises_a_bell,
		answer_that_is_long,
		answer_that_is_short,
		answer_without_a_tag,
		answer_with_a_slot_outside,
		answer_with_what_is_no_page,
		reply_to_another_option,
		reply_without_its_magic,
	};

	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
		assert_refused(case_start(hostile[i]), DOCA_ERROR_NOT_CONNECTED);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void a_silent_agent_costs_one_second(void **state)
{
	static void (*const silent[])(struct fake_agent *, int) = {
		say_nothing,
		say_half_a_greeting_and_wait,
		greet_and_wait,
	};

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
		double began_s = now_s();

		assert_refused(case_start(silent[i]), DOCA_ERROR_TIME_OUT);
		assert_true(now_s() - began_s > 0.9 && now_s() - began_s < 10);
	}
}

static void ignore(int signal)
{
}

/* A timer interrupts every wait many times. */
static void signals_do_not_prolong_the_wait_nor_end_it(void **state)
{
	const struct sigaction action = {.sa_handler = ignore};
	const struct itimerspec often = {{0, 10000000}, {0, 10000000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct sigaction before;
	double began_s = now_s();
	timer_t timer;

	assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &often, NULL), 0);
	assert_refused(case_start(say_nothing), DOCA_ERROR_TIME_OUT);
	assert_true(now_s() - began_s > 0.9 && now_s() - began_s < 10);
	assert_int_equal(timer_delete(timer), 0);
	assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

/* A backlog that is full keeps the second connection waiting, and no longer than the deadline. */
static void a_full_backlog_is_a_time_out(void **state)
{
	struct attach_case *opened = case_start(NULL);
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int waiting = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(name);

	assert_int_equal(bind(listener, (struct sockaddr *)&name, sizeof(sa_family_t)), 0);
	assert_int_equal(listen(listener, 0), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&name, &len), 0);
	assert_int_equal(connect(waiting, (struct sockaddr *)&name, len), 0);
	opened->descriptor.endpoints[0].len_bytes =
		(uint8_t)(len - offsetof(struct sockaddr_un, sun_path));
	memcpy(opened->descriptor.endpoints[0].bytes, name.sun_path,
	       opened->descriptor.endpoints[0].len_bytes);
	assert_doca(attach(opened), DOCA_ERROR_TIME_OUT);
	close(listener);
	close(waiting);
	case_end(opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_hostile_agent_is_attached_to_and_none_leaves_a_descriptor),
		cmocka_unit_test(a_silent_agent_costs_one_second),
		cmocka_unit_test(signals_do_not_prolong_the_wait_nor_end_it),
		cmocka_unit_test(a_full_backlog_is_a_time_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
