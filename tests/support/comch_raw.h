/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer of comch that keeps to no rules: a socket of its own that connects to a server, or stands
 * in for one, and frames as the test wants them. After comch_fixture.h.
 */
#ifndef TESTS_SUPPORT_COMCH_RAW_H_
#define TESTS_SUPPORT_COMCH_RAW_H_

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "comch/address.h"
#include "comch/endpoint.h"

static inline struct endpoint *raw_endpoint(const struct comch_end *end)
{
	return (struct endpoint *)end->ctx;
}

static inline struct address raw_address(const struct comch_end *end)
{
	const struct endpoint *endpoint = raw_endpoint(end);
	char function[CARD_FUNCTION_KEY_SIZE];
	struct address address;

	card_function_key(endpoint->function, function);
	address_of(endpoint->policy, function, endpoint->name, &address);
	return address;
}

/* Connected to where the end's server is. */
static inline int raw_connect(const struct comch_end *end)
{
	struct address address = raw_address(end);
	int fd = address_connect(&address);

	assert_true(fd >= 0);
	return fd;
}

/* Listens where the end's server would. */
static inline int raw_listen(const struct comch_end *end)
{
	struct address address = raw_address(end);
	int fd = address_listen(&address);

	assert_true(fd >= 0);
	return fd;
}

static inline void raw_send_bytes(int fd, const void *bytes, size_t len_bytes)
{
	assert_int_equal(send(fd, bytes, len_bytes, MSG_NOSIGNAL), len_bytes);
}

/* Of DATA its bytes are zero. */
static inline void raw_send(int fd, const struct comch_frame *frame)
{
	static uint8_t bytes[COMCH_FRAME_BYTES];
	size_t len_bytes = comch_encode(frame, bytes);

	if (frame->type == COMCH_DATA)
		len_bytes += frame->data_len_bytes;
	raw_send_bytes(fd, bytes, len_bytes);
}

static inline void raw_send_hello(int fd, const struct comch_end *end)
{
	struct comch_frame hello = {
		.type = COMCH_HELLO,
		.version = COMCH_VERSION,
		.max_msg_bytes = COMCH_MAX_MSG_BYTES,
		.recv_queue = 4,
	};

	memcpy(hello.name, raw_endpoint(end)->name, sizeof(hello.name));
	raw_send(fd, &hello);
}

static inline void raw_send_accept(int fd)
{
	raw_send(fd, &(struct comch_frame){.type = COMCH_ACCEPT,
					   .max_msg_bytes = COMCH_MAX_MSG_BYTES,
					   .recv_queue = 4});
}

static inline bool raw_is_readable(int fd)
{
	struct pollfd news = {.fd = fd, .events = POLLIN};

	return poll(&news, 1, 0) == 1;
}

/* The type of what came, 0 at the end; the frame's data is not kept. */
static inline int raw_receive(int fd, struct comch_frame *frame)
{
	static uint8_t bytes[COMCH_FRAME_BYTES];
	ssize_t got = recv(fd, bytes, sizeof(bytes), 0);
	const char *why;

	if (got < 0 && errno == ECONNRESET)
		got = recv(fd, bytes, sizeof(bytes), 0);
	assert_true(got >= 0);
	if (got == 0)
		return 0;
	assert_doca(comch_decode(bytes, (size_t)got, frame, &why), DOCA_SUCCESS);
	return (int)frame->type;
}

/* The server's next client is this socket, greeted and accepted. */
static inline int raw_client(struct comch_end *server)
{
	unsigned num_connects = server->num_connects;
	struct comch_frame frame;
	int fd = raw_connect(server);

	raw_send_hello(fd, server);
	comch_until(server, NULL, server->num_connects == num_connects + 1);
	assert_int_equal(raw_receive(fd, &frame), COMCH_ACCEPT);
	return fd;
}

#endif /* TESTS_SUPPORT_COMCH_RAW_H_ */
