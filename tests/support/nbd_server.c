/* SPDX-License-Identifier: Apache-2.0 */
/* A server of the NBD protocol, fixed newstyle, written from its specification and not with what
 * the libraries have for it. */
#include "support/nbd_server.h"

#include "support/test.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECKED(call)                                                                              \
	do {                                                                                       \
		if (!(call))                                                                       \
			_exit(0);                                                                  \
	} while (0)

static bool has_fault(const struct nbd_server *server, enum nbd_fault fault)
{
	return atomic_load(&server->plan->fault) == (int)fault;
}

static bool get(int fd, void *bytes, size_t len)
{
	return len == 0 || recv(fd, bytes, len, MSG_WAITALL) == (ssize_t)len;
}

static bool put(int fd, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len > 0) {
		ssize_t sent = send(fd, from, len, MSG_NOSIGNAL);

		if (sent < 0)
			return false;
		from += sent;
		len -= (size_t)sent;
	}
	return true;
}

static bool put_be(int fd, uint64_t value, size_t len)
{
	uint64_t bytes = htobe64(value << (64 - 8 * len));

	return put(fd, &bytes, len);
}

static bool get_be(int fd, uint64_t *value, size_t len)
{
	uint64_t bytes = 0;

	if (!get(fd, &bytes, len))
		return false;
	*value = be64toh(bytes) >> (64 - 8 * len);
	return true;
}

/* Until the test kills us. */
static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void greet(const struct nbd_server *server, int fd)
{
	if (has_fault(server, NBD_GREETS_NOT))
		wait_for_ever();
	if (has_fault(server, NBD_GREETS_NONSENSE))
		CHECKED(put(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28));
	CHECKED(put(fd, "NBDMAGIC", 8));
	if (has_fault(server, NBD_GREETS_AND_LEAVES))
		_exit(0);
	if (has_fault(server, NBD_GREETS_OLD_STYLE)) {
		static const char zeroes[124];

		CHECKED(put_be(fd, UINT64_C(0x00420281861253), 8));
		CHECKED(put_be(fd, server->plan->size_bytes, 8));
		CHECKED(put_be(fd, 1, 4) && put(fd, zeroes, sizeof(zeroes)));
		wait_for_ever();
	}
	CHECKED(put(fd, "IHAVEOPT", 8) && put_be(fd, 3, 2));
}

static void put_option_reply(int fd, uint64_t option, uint64_t type, uint64_t len)
{
	CHECKED(put_be(fd, UINT64_C(0x3e889045565a9), 8) && put_be(fd, option, 4) &&
		put_be(fd, type, 4) && put_be(fd, len, 4));
}

static void hex(char *text, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
}

static bool is_right_name(const struct nbd_server *server, const uint8_t *payload, uint64_t len)
{
	char name[2 * (EXPORT_ID_BYTES + EXPORT_SECRET_BYTES) + 2];

	hex(name, server->descriptor.id, EXPORT_ID_BYTES);
	name[(size_t)2 * EXPORT_ID_BYTES] = ':';
	hex(name + 2 * EXPORT_ID_BYTES + 1, server->descriptor.secret, EXPORT_SECRET_BYTES);
	return len > 4 + strlen(name) && memcmp(payload + 4, name, strlen(name)) == 0;
}

/* The answer to GO; true when the transmission begins. */
static bool answer_go(const struct nbd_server *server, int fd, bool is_right)
{
	atomic_fetch_add(&server->plan->num_gos, 1);
	if (has_fault(server, NBD_GO_SILENT))
		wait_for_ever();
	if (has_fault(server, NBD_GO_LEAVES))
		_exit(0);
	if (has_fault(server, NBD_GO_NONSENSE))
		put_option_reply(fd, 99, 1, 0);
	if (has_fault(server, NBD_GO_REFUSED) && (is_right || server->plan->refuses_all)) {
		put_option_reply(fd, 7, server->plan->go_reply, 0);
		return false;
	}
	if (!is_right && !server->plan->has_any_name) {
		put_option_reply(fd, 7, NBD_TEST_UNKNOWN, 0);
		return false;
	}
	put_option_reply(fd, 7, 3, 12);
	CHECKED(put_be(fd, 0, 2) && put_be(fd, server->plan->size_bytes, 8) &&
		put_be(fd, server->plan->is_read_only ? 3 : 1, 2));
	put_option_reply(fd, 7, 1, 0);
	return true;
}

static void negotiate(const struct nbd_server *server, int fd)
{
	uint64_t value, option, len;
	uint8_t payload[512];

	CHECKED(get_be(fd, &value, 4));
	for (;;) {
		CHECKED(get_be(fd, &value, 8) && get_be(fd, &option, 4) && get_be(fd, &len, 4));
		CHECKED(len <= sizeof(payload) && get(fd, payload, (size_t)len));
		if (option == 7 && answer_go(server, fd, is_right_name(server, payload, len)))
			return;
		if (option == 1 || option == 2)
			_exit(0);
		if (option != 7)
			put_option_reply(fd, option, UINT32_C(0x80000001), 0);
	}
}

struct request {
	uint64_t type, cookie, offset, len;
};

static void answer(int fd, uint64_t magic, uint64_t error, uint64_t cookie)
{
	CHECKED(put_be(fd, magic, 4) && put_be(fd, error, 4) && put_be(fd, cookie, 8));
}

/* False when the request is to be answered as usual. */
static bool misbehave(const struct nbd_server *server, int fd, const struct request *request)
{
	const uint64_t simple = 0x67446698;

	switch (atomic_load(&server->plan->fault)) {
	case NBD_ANSWERS_ERROR:
		answer(fd, simple, server->plan->error, request->cookie);
		return true;
	case NBD_ANSWERS_NOT:
		return true;
	case NBD_ANSWERS_HALF:
	case NBD_ANSWERS_HALF_AND_LEAVES:
		answer(fd, simple, 0, request->cookie);
		CHECKED(put(fd, server->memory + request->offset, (size_t)request->len / 2));
		CHECKED(has_fault(server, NBD_ANSWERS_HALF));
		wait_for_ever();
		return true;
	case NBD_ANSWERS_ANOTHER:
		answer(fd, simple, 0, request->cookie + 1000);
		return true;
	case NBD_ANSWERS_NONSENSE:
		answer(fd, 0x12345678, 0, request->cookie);
		return true;
	case NBD_ANSWERS_STRUCTURED:
		CHECKED(put_be(fd, 0x668e33ef, 4) && put_be(fd, 1, 2) && put_be(fd, 1, 2) &&
			put_be(fd, request->cookie, 8) && put_be(fd, 8 + request->len, 4) &&
			put_be(fd, request->offset, 8) &&
			put(fd, server->memory + request->offset, (size_t)request->len));
		return true;
	case NBD_NEGLECTS_FIRST:
		return !atomic_exchange(&server->plan->has_neglected, true);
	case NBD_LEAVES:
		_exit(0);
	default:
		return false;
	}
}

/* The next request's first word; the end of the connection is told. */
static uint64_t wait_for_request(const struct nbd_server *server, int fd)
{
	const uint64_t one = 1;
	uint64_t magic;

	if (get_be(fd, &magic, 4))
		return magic;
	(void)!write(server->gone_fd, &one, sizeof(one));
	_exit(0);
}

static void serve(const struct nbd_server *server, int fd)
{
	static uint8_t dropped[(size_t)32 << 20];
	struct request request;
	uint64_t value;

	for (;;) {
		bool is_sound;

		value = wait_for_request(server, fd);
		while (has_fault(server, NBD_READS_NOT))
			wait_for_ever();
		CHECKED(value == 0x25609513 && get_be(fd, &value, 2) &&
			get_be(fd, &request.type, 2) && get_be(fd, &request.cookie, 8) &&
			get_be(fd, &request.offset, 8) && get_be(fd, &request.len, 4));
		CHECKED(request.type <= 1 && request.offset <= server->len_bytes &&
			request.len <= server->len_bytes - request.offset);
		atomic_fetch_add(&server->plan->num_requests, 1);
		if (request.len > atomic_load(&server->plan->max_request_bytes))
			atomic_store(&server->plan->max_request_bytes, (uint32_t)request.len);
		is_sound = has_fault(server, NBD_SOUND);
		if (request.type == 1)
			CHECKED(get(fd, is_sound ? server->memory + request.offset : dropped,
				    (size_t)request.len));
		if (server->plan->delay_ms > 0)
			(void)poll(NULL, 0, (int)server->plan->delay_ms);
		if (misbehave(server, fd, &request))
			continue;
		answer(fd, 0x67446698, 0, request.cookie);
		if (request.type == 0)
			CHECKED(put(fd, server->memory + request.offset, (size_t)request.len));
	}
}

/* Of the process that listens, who alone can close it when a signal comes. */
static int the_listener, the_gone_fd;

static void close_all(int signal)
{
	const uint64_t one = 1;

	if (getpid() != getpgrp())
		_exit(0);
	close(the_listener);
	(void)!write(the_gone_fd, &one, sizeof(one));
}

static int the_connection;

static void drop(int signal)
{
	const uint64_t one = 1;

	if (getpid() == getpgrp())
		return;
	/* The process that accepted it may still have it. */
	shutdown(the_connection, SHUT_RDWR);
	(void)!write(the_gone_fd, &one, sizeof(one));
	_exit(0);
}

/* Each connection is a process: what one waits for stops no other. */
static void accept_for_ever(const struct nbd_server *server, int listener)
{
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0 && errno != EBADF)
			continue;
		if (fd < 0)
			wait_for_ever();
		atomic_fetch_add(&server->plan->num_connections, 1);
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(listener);
			the_connection = fd;
			greet(server, fd);
			negotiate(server, fd);
			serve(server, fd);
		}
		close(fd);
	}
}

void nbd_server_init(struct nbd_server *server, size_t len_bytes)
{
	memset(server, 0, sizeof(*server));
	server->len_bytes = len_bytes;
	server->memory =
		mmap(NULL, len_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(server->memory, MAP_FAILED);
	server->gone_fd = eventfd(0, EFD_CLOEXEC);
	assert_true(server->gone_fd >= 0);
	server->plan = mmap(NULL, sizeof(*server->plan), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(server->plan, MAP_FAILED);
	server->plan->size_bytes = len_bytes;
	server->plan->uid = geteuid();
	server->descriptor = (struct export_descriptor){
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE,
		.addr = NBD_SERVER_ADDR,
		.len_bytes = len_bytes,
		.uid = geteuid(),
	};
	assert_int_equal(getrandom(server->descriptor.id, EXPORT_ID_BYTES, 0), EXPORT_ID_BYTES);
	assert_int_equal(getrandom(server->descriptor.secret, EXPORT_SECRET_BYTES, 0),
			 EXPORT_SECRET_BYTES);
}

static int listen_abstract(struct nbd_server *server)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct export_endpoint *endpoint = &server->descriptor.endpoints[0];
	char *name = address.sun_path + 1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	hex(name, server->descriptor.id, EXPORT_ID_BYTES);
	endpoint->type = EXPORT_UNIX;
	endpoint->len_bytes = (uint8_t)(1 + strlen(name));
	memcpy(endpoint->bytes, address.sun_path, endpoint->len_bytes);
	server->descriptor.num_endpoints = 1;
	assert_int_equal(
		bind(fd, (const struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + endpoint->len_bytes)),
		0);
	return fd;
}

/* The pipe's end tells that it listens. */
void nbd_server_start(struct nbd_server *server)
{
	int listener = listen_abstract(server);
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	server->pid = fork();
	assert_true(server->pid >= 0);
	if (server->pid == 0) {
		close(ready[0]);
		signal(SIGCHLD, SIG_IGN);
		the_listener = listener;
		the_gone_fd = server->gone_fd;
		/* Interrupts accept(). */
		sigaction(SIGUSR1, &(const struct sigaction){.sa_handler = close_all}, NULL);
		sigaction(SIGUSR2, &(const struct sigaction){.sa_handler = drop}, NULL);
		setpgid(0, 0);
		/* Who listens is who the peer sees. */
		if (server->plan->uid != geteuid() && setresuid(-1, server->plan->uid, -1) != 0)
			_exit(1);
		/* A test that crashes leaves nobody behind. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		CHECKED(listen(listener, 100) == 0);
		close(ready[1]);
		accept_for_ever(server, listener);
	}
	close(listener);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
}

void nbd_server_signal(struct nbd_server *server, int signal)
{
	assert_int_equal(kill(-server->pid, signal), 0);
	if (signal != SIGKILL)
		return;
	while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
		;
	server->pid = 0;
}

/* The listener first, else a client could connect again. */
void nbd_server_close(struct nbd_server *server)
{
	assert_int_equal(kill(server->pid, SIGUSR1), 0);
	nbd_server_wait_gone(server);
	nbd_server_signal(server, SIGUSR1);
}

void nbd_server_drop(struct nbd_server *server)
{
	nbd_server_signal(server, SIGUSR2);
	nbd_server_wait_gone(server);
}

void nbd_server_wait_gone(struct nbd_server *server)
{
	struct pollfd polled = {.fd = server->gone_fd, .events = POLLIN};
	uint64_t count;

	assert_int_equal(poll(&polled, 1, 10000), 1);
	assert_int_equal(read(server->gone_fd, &count, sizeof(count)), sizeof(count));
}

void nbd_server_fini(struct nbd_server *server)
{
	if (server->pid > 0)
		nbd_server_signal(server, SIGKILL);
	close(server->gone_fd);
	munmap(server->memory, server->len_bytes);
	munmap(server->plan, sizeof(*server->plan));
}
