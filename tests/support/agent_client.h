/* SPDX-License-Identifier: Apache-2.0 */
/* An importer as the agent sees it: connects, says what a test wants said, reads what comes. */
#ifndef TESTS_SUPPORT_AGENT_CLIENT_H_
#define TESTS_SUPPORT_AGENT_CLIENT_H_

#include "support/test.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "peer/agent.h"
#include "peer/activity.h"
#include "peer/control.h"
#include "support/pass_fd.h"
#include "wire/attach.h"
#include "wire/bytes.h"
#include "wire/export.h"
#include "wire/nbd.h"

#define CLIENT_DEADLINE_S 20

static const struct peer_policy client_policy = {
	.deadline_ns = UINT64_C(10000000000),
	.connect_timeout_ns = UINT64_C(60000000000),
};

/* A range that this process exports, and its descriptor decoded. */
struct exported {
	struct agent_region *region;
	struct export_descriptor descriptor;
};

static inline struct exported client_export_range(const struct peer_policy *policy,
						  const struct agent_range *range)
{
	uint8_t bytes[EXPORT_MAX_BYTES];
	struct exported exported;
	const char *why = NULL;
	size_t len_bytes;

	assert_doca(agent_export(policy, range, &exported.region, bytes, &len_bytes, &why),
		    DOCA_SUCCESS);
	assert_doca(export_decode(bytes, len_bytes, &exported.descriptor, &why), DOCA_SUCCESS);
	return exported;
}

static inline struct exported client_export_with(const struct peer_policy *policy, void *addr,
						 size_t len, uint32_t flags)
{
	const struct agent_range range = {.addr = addr, .len_bytes = len, .flags = flags};

	return client_export_range(policy, &range);
}

static inline struct exported client_export(void *addr, size_t len, uint32_t flags)
{
	return client_export_with(&client_policy, addr, len, flags);
}

static inline int client_connect_socket(int fd, const struct export_endpoint *endpoint)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};

	assert_int_equal(endpoint->type, EXPORT_UNIX);
	memcpy(name.sun_path, endpoint->bytes, endpoint->len_bytes);
	return connect(fd, (const struct sockaddr *)&name,
		       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + endpoint->len_bytes));
}

/* Nothing waits for ever: a read or write that takes too long fails. */
static inline int client_socket(void)
{
	const struct timeval limit = {.tv_sec = CLIENT_DEADLINE_S};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)), 0);
	return fd;
}

static inline int client_connect_to(const struct export_endpoint *endpoint)
{
	int fd = client_socket();

	if (client_connect_socket(fd, endpoint) == 0)
		return fd;
	close(fd);
	return -1;
}

static inline int client_connect(const struct exported *exported)
{
	int fd = client_connect_to(&exported->descriptor.endpoints[0]);

	assert_true(fd >= 0);
	return fd;
}

static inline bool client_read(int fd, void *bytes, size_t len)
{
	return recv(fd, bytes, len, MSG_WAITALL) == (ssize_t)len;
}

static inline void client_write(int fd, const void *bytes, size_t len)
{
	assert_true(send_with_fds(fd, bytes, len, NULL, 0));
}

/* The agent has closed the connection, or does so before the deadline. */
static inline bool client_is_closed(int fd)
{
	char byte;
	ssize_t got;

	do {
		got = recv(fd, &byte, 1, 0);
	} while (got > 0);
	return got == 0 || errno == ECONNRESET;
}

static inline int client_greeted(const struct exported *exported)
{
	uint8_t greeting[NBD_GREETING_BYTES];
	uint8_t flags[NBD_CLIENT_FLAGS_BYTES];
	int fd = client_connect(exported);

	assert_true(client_read(fd, greeting, sizeof(greeting)));
	assert_true(nbd_greeting_decode(greeting));
	nbd_client_flags_encode(flags);
	client_write(fd, flags, sizeof(flags));
	return fd;
}

static inline void client_send_option(int fd, uint32_t option, const void *payload, size_t len,
				      const int *fds, size_t num_fds)
{
	const struct nbd_option_header header = {.option = option, .len_bytes = (uint32_t)len};
	uint8_t bytes[NBD_OPTION_BYTES + 1024];

	nbd_option_encode(&header, bytes);
	if (len > 0)
		memcpy(bytes + NBD_OPTION_BYTES, payload, len);
	assert_true(send_with_fds(fd, bytes, NBD_OPTION_BYTES + len, fds, num_fds));
}

/* The type of the next reply, whose payload is put there. */
static inline uint32_t client_read_reply(int fd, uint32_t option, void *payload, size_t size)
{
	uint8_t bytes[NBD_OPTION_REPLY_BYTES];
	struct nbd_option_reply reply;

	assert_true(client_read(fd, bytes, sizeof(bytes)));
	assert_true(nbd_option_reply_decode(bytes, &reply));
	assert_int_equal(reply.option, option);
	assert_true(reply.len_bytes <= size);
	if (reply.len_bytes > 0)
		assert_true(client_read(fd, payload, reply.len_bytes));
	return reply.type;
}

static inline void client_send_go(int fd, uint32_t option, const struct export_descriptor *of)
{
	uint8_t payload[4 + NBD_NAME_LEN + 1 + 2];

	put_be32(payload, NBD_NAME_LEN);
	nbd_name_encode(of->id, of->secret, (char *)payload + 4);
	put_be16(payload + 4 + NBD_NAME_LEN, 0);
	client_send_option(fd, option, payload, 4 + NBD_NAME_LEN + 2, NULL, 0);
}

/* The last reply to a GO or an INFO; the infos before it are put there. */
static inline uint32_t client_go(int fd, uint32_t option, const struct export_descriptor *of,
				 uint64_t *size, uint16_t *flags)
{
	uint8_t info[64];
	uint32_t type;

	client_send_go(fd, option, of);
	while ((type = client_read_reply(fd, option, info, sizeof(info))) == NBD_REP_INFO) {
		if (get_be16(info) == NBD_INFO_EXPORT) {
			*size = get_be64(info + 2);
			*flags = get_be16(info + 10);
		}
	}
	return type;
}

/* In transmission. */
static inline int client_opened(const struct exported *exported)
{
	uint64_t size = 0;
	uint16_t flags;
	int fd = client_greeted(exported);

	assert_int_equal(client_go(fd, NBD_OPT_GO, &exported->descriptor, &size, &flags),
			 NBD_REP_ACK);
	assert_true(size == exported->descriptor.len_bytes);
	return fd;
}

static inline void client_request(int fd, uint16_t type, uint64_t offset, uint32_t len)
{
	uint8_t bytes[NBD_REQUEST_BYTES];

	put_be32(bytes, 0x25609513);
	put_be16(bytes + 4, 0);
	put_be16(bytes + 6, type);
	put_be64(bytes + 8, offset ^ len ^ UINT64_C(0xabcdef));
	put_be64(bytes + 16, offset);
	put_be32(bytes + 24, len);
	client_write(fd, bytes, sizeof(bytes));
}

/* The error of the reply to that request. */
static inline uint32_t client_reply(int fd, uint64_t offset, uint32_t len)
{
	uint8_t bytes[NBD_SIMPLE_REPLY_BYTES];

	assert_true(client_read(fd, bytes, sizeof(bytes)));
	assert_int_equal(get_be32(bytes), 0x67446698);
	assert_true(get_be64(bytes + 8) == (offset ^ len ^ UINT64_C(0xabcdef)));
	return get_be32(bytes + 4);
}

static inline uint32_t client_read_at(int fd, uint64_t offset, void *bytes, uint32_t len)
{
	uint32_t error;

	client_request(fd, NBD_CMD_READ, offset, len);
	error = client_reply(fd, offset, len);
	if (error == NBD_SUCCESS && len > 0)
		assert_true(client_read(fd, bytes, len));
	return error;
}

static inline uint32_t client_write_at(int fd, uint64_t offset, const void *bytes, uint32_t len)
{
	client_request(fd, NBD_CMD_WRITE, offset, len);
	if (len > 0)
		client_write(fd, bytes, len);
	return client_reply(fd, offset, len);
}

/* What an attached importer has. */
struct attached {
	int fd;
	const struct control *control;
	int file_fd; /* -1: the memory cannot be mapped */
	int bell_fd; /* -1: there is none */
	struct attach_answer answer;
};

/* The type of the reply; *attached only with ACK. */
static inline uint32_t client_attach(int fd, const struct export_descriptor *of, int activity,
				     struct attached *attached)
{
	uint8_t bytes[NBD_OPTION_REPLY_BYTES + ATTACH_ANSWER_BYTES];
	uint8_t payload[ATTACH_REQUEST_BYTES];
	struct attach_request request;
	struct nbd_option_reply reply;
	int fds[MAX_PASSED_FDS];
	int num_fds;

	memcpy(request.id, of->id, sizeof(request.id));
	memcpy(request.secret, of->secret, sizeof(request.secret));
	attach_request_encode(&request, payload);
	client_send_option(fd, ATTACH_OPTION, payload, sizeof(payload), &activity,
			   activity >= 0 ? 1 : 0);
	num_fds = receive_with_fds(fd, bytes, NBD_OPTION_REPLY_BYTES, fds);
	assert_true(num_fds >= 0);
	assert_true(nbd_option_reply_decode(bytes, &reply));
	assert_int_equal(reply.option, ATTACH_OPTION);
	if (reply.type != NBD_REP_ACK) {
		assert_int_equal(reply.len_bytes, 0);
		assert_int_equal(num_fds, 0);
		return reply.type;
	}
	assert_int_equal(reply.len_bytes, ATTACH_ANSWER_BYTES);
	assert_true(client_read(fd, bytes, ATTACH_ANSWER_BYTES));
	attach_answer_decode(bytes, &attached->answer);
	attached->fd = fd;
	assert_int_equal(num_fds, 1 + attached->answer.has_file + attached->answer.has_bell);
	assert_int_equal(control_map(fds[0], &attached->control), 0);
	close(fds[0]);
	attached->file_fd = attached->answer.has_file ? fds[1] : -1;
	attached->bell_fd = attached->answer.has_bell ? fds[num_fds - 1] : -1;
	return reply.type;
}

static inline void client_detach(const struct attached *attached)
{
	control_unmap(attached->control);
	if (attached->file_fd >= 0)
		close(attached->file_fd);
	if (attached->bell_fd >= 0)
		close(attached->bell_fd);
	close(attached->fd);
}

static inline enum control_verdict client_verdict(const struct attached *attached)
{
	return control_check(attached->control, attached->answer.slot, attached->answer.generation);
}

#endif /* TESTS_SUPPORT_AGENT_CLIENT_H_ */
