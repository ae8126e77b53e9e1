/* SPDX-License-Identifier: Apache-2.0 */
/* A connection's socket: packets out and in, and how its peer has ended. */
#include "comch/connection.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "comch/endpoint.h"

/* A packet that was read to see what comes behind it. */
struct kept_packet {
	struct kept_packet *next;
	size_t len_bytes;
	int fds[COMCH_NUM_FDS];
	unsigned num_fds;
	uint8_t bytes[];
};

struct doca_comch_connection *connection_create(struct endpoint *endpoint)
{
	struct doca_comch_connection *connection = calloc(1, sizeof(*connection));

	if (connection == NULL)
		return NULL;
	connection->channels = channels_create(endpoint->is_server);
	if (connection->channels == NULL) {
		free(connection);
		return NULL;
	}
	connection->endpoint = endpoint;
	connection->fd = -1;
	connection->peer_fd = -1;
	connection->kept_end = &connection->kept;
	list_init(&connection->link);
	list_init(&connection->ready_link);
	return connection;
}

static void close_fds(const int *fds, unsigned *num_fds)
{
	while (*num_fds > 0)
		close(fds[--*num_fds]);
}

static void drop_kept(struct doca_comch_connection *connection)
{
	close_fds(connection->fds, &connection->num_fds);
	while (connection->kept != NULL) {
		struct kept_packet *packet = connection->kept;

		connection->kept = packet->next;
		close_fds(packet->fds, &packet->num_fds);
		free(packet);
	}
	connection->kept_end = &connection->kept;
}

void connection_destroy(struct doca_comch_connection *connection)
{
	connection_close(connection);
	list_remove(&connection->link);
	channels_put(connection->channels);
	free(connection);
}

/* Of what is the connection's: its news make it ready. */
static int poll_change(struct doca_comch_connection *connection, int operation, int fd,
		       uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = connection};

	return epoll_ctl(connection->endpoint->poll_fd, operation, fd, &event) == 0 ? 0 : -errno;
}

/* Not by the close alone: a child of fork() may share the descriptor. */
static void poll_close(struct doca_comch_connection *connection, int *fd)
{
	if (*fd < 0)
		return;
	(void)poll_change(connection, EPOLL_CTL_DEL, *fd, 0);
	close(*fd);
	*fd = -1;
}

int connection_attach(struct doca_comch_connection *connection, int fd)
{
	int error;

	assert(connection->fd < 0);
	socket_widen(fd);
	connection->fd = fd;
	connection->is_cut = false;
	connection->is_examined = false;
	connection->wants_room = false;
	error = poll_change(connection, EPOLL_CTL_ADD, fd, EPOLLIN);
	if (error != 0) {
		close(fd);
		connection->fd = -1;
		return error;
	}
	return 0;
}

/* The socket alone does not tell of a peer's death while a child of the peer's has it, too. */
static void watch_peer(struct doca_comch_connection *connection)
{
	connection->peer_fd = (int)syscall(SYS_pidfd_open, connection->peer_pid, 0);
	if (connection->peer_fd >= 0)
		(void)poll_change(connection, EPOLL_CTL_ADD, connection->peer_fd, EPOLLIN);
	else if (errno == ESRCH)
		channels_note_end(connection->channels);
}

void connection_establish(struct doca_comch_connection *connection)
{
	connection->is_established = true;
	channels_open(connection->channels, connection->endpoint->bell_fd, connection->peer_pid);
	watch_peer(connection);
}

/* Somebody has seen that the peer is no more, or it can be seen here. */
static bool is_peer_gone(const struct doca_comch_connection *connection)
{
	struct pollfd peer = {.fd = connection->peer_fd, .events = POLLIN};

	return channels_are_over(connection->channels) || poll(&peer, 1, 0) > 0;
}

void connection_close(struct doca_comch_connection *connection)
{
	channels_end(connection->channels);
	if (connection->fd >= 0) {
		if (connection->protocol.state == PROTOCOL_OPEN && connection_delivers(connection))
			(void)connection_send(connection,
					      &(struct comch_frame){.type = COMCH_CLOSE});
		poll_close(connection, &connection->fd);
	}
	poll_close(connection, &connection->peer_fd);
	connection->protocol.state = PROTOCOL_OVER;
	drop_kept(connection);
	list_remove(&connection->ready_link);
}

void connection_make_ready(struct doca_comch_connection *connection)
{
	if (list_is_empty(&connection->ready_link))
		list_add_tail(&connection->endpoint->ready, &connection->ready_link);
}

/* A place for descriptors, or those of a packet. */
union fd_room {
	struct cmsghdr head;
	uint8_t bytes[CMSG_SPACE(COMCH_NUM_FDS * sizeof(int))];
};

static void attach_fds(struct msghdr *packet, union fd_room *room, const int *fds)
{
	packet->msg_control = room;
	packet->msg_controllen = sizeof(*room);
	/* Its padding, too, is handed to the kernel. */
	memset(room, 0, sizeof(*room));
	room->head = (struct cmsghdr){
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN(COMCH_NUM_FDS * sizeof(int)),
	};
	memcpy(CMSG_DATA(&room->head), fds, COMCH_NUM_FDS * sizeof(int));
}

/*
 * One packet of up to two parts, and descriptors or NULL. -ETOOMANYREFS: too many are on their way
 * to others, of which the socket's room says nothing. The peer's end is told by an error once,
 * which may be ours.
 */
static int send_packet(struct doca_comch_connection *connection, struct iovec *parts,
		       size_t num_parts, const int *fds)
{
	struct msghdr packet = {.msg_iov = parts, .msg_iovlen = num_parts};
	union fd_room room;
	ssize_t sent;

	if (fds != NULL)
		attach_fds(&packet, &room, fds);
	do {
		sent = sendmsg(connection->fd, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
	} while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return 0;
	if (errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM)
		return -EAGAIN;
	if (errno == ETOOMANYREFS)
		return -errno;
	if (errno == ECONNRESET)
		connection->is_cut = true;
	connection_make_ready(connection);
	return -errno;
}

/* Whether room to write counts as work. */
static void watch_room(struct doca_comch_connection *connection, bool wants_room)
{
	if (wants_room != connection->wants_room &&
	    poll_change(connection, EPOLL_CTL_MOD, connection->fd,
			wants_room ? EPOLLIN | EPOLLOUT : EPOLLIN) == 0)
		connection->wants_room = wants_room;
}

static int send_frame(void *who, const struct comch_frame *frame, const int *fds)
{
	uint8_t bytes[COMCH_CONTROL_BYTES];
	struct iovec part = {.iov_base = bytes};

	assert(frame->type != COMCH_DATA);
	part.iov_len = comch_encode(frame, bytes);
	return send_packet(who, &part, 1, fds);
}

int connection_send(struct doca_comch_connection *connection, const struct comch_frame *frame)
{
	return send_frame(connection, frame, NULL);
}

doca_error_t connection_send_message(struct doca_comch_connection *connection, const void *msg,
				     uint32_t len_bytes)
{
	const struct comch_frame frame = {.type = COMCH_DATA, .data_len_bytes = len_bytes};
	uint8_t head[COMCH_CONTROL_BYTES];
	struct iovec parts[2] = {
		{.iov_base = head},
		{.iov_base = (void *)msg, .iov_len = len_bytes},
	};
	int error;

	if (connection->protocol.state != PROTOCOL_OPEN || connection->is_cut)
		return DOCA_ERROR_CONNECTION_RESET;
	if (connection->protocol.num_sendable == 0) {
		connection->endpoint->has_refused = true;
		return DOCA_ERROR_AGAIN;
	}
	parts[0].iov_len = comch_encode(&frame, head);
	error = send_packet(connection, parts, 2, NULL);
	if (error == -EAGAIN) {
		watch_room(connection, true);
		connection->endpoint->has_refused = true;
		return DOCA_ERROR_AGAIN;
	}
	if (error != 0)
		return DOCA_ERROR_CONNECTION_RESET;
	connection->endpoint->has_refused = false;
	protocol_sent_message(&connection->protocol);
	connection->counters[DOCA_COMCH_COUNTER_SENT_MESSAGES]++;
	connection->counters[DOCA_COMCH_COUNTER_SENT_BYTES] += len_bytes;
	return DOCA_SUCCESS;
}

void connection_send_receipt(struct doca_comch_connection *connection)
{
	const struct comch_frame frame = {
		.type = COMCH_CREDIT,
		.num_credits = connection->protocol.num_owed,
	};
	int error = 0;

	if (connection->protocol.state != PROTOCOL_OPEN)
		return;
	if (protocol_is_receipt_due(&connection->protocol)) {
		error = connection_send(connection, &frame);
		if (error == 0)
			protocol_sent_receipt(&connection->protocol);
	}
	if (error == -EAGAIN)
		watch_room(connection, true);
}

void connection_found_room(struct doca_comch_connection *connection)
{
	watch_room(connection, false);
	endpoint_nudge(connection->endpoint);
}

/* What came with a packet; the system has closed what there was no room for. */
static void keep_fds(struct msghdr *packet, int *fds, unsigned *num_fds)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(packet);

	*num_fds = 0;
	if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
		return;
	*num_fds = (unsigned)((head->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	assert(*num_fds <= COMCH_NUM_FDS);
	memcpy(fds, CMSG_DATA(head), *num_fds * sizeof(int));
}

static ssize_t receive_packet(struct doca_comch_connection *connection, void *bytes,
			      size_t size_bytes, int *fds, unsigned *num_fds)
{
	for (;;) {
		struct iovec part = {.iov_base = bytes, .iov_len = size_bytes};
		union fd_room room;
		struct msghdr packet = {
			.msg_iov = &part,
			.msg_iovlen = 1,
			.msg_control = &room,
			/* Not the room's size, into which another would fit. */
			.msg_controllen = CMSG_LEN(COMCH_NUM_FDS * sizeof(int)),
		};
		ssize_t got = recvmsg(connection->fd, &packet,
				      MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);

		if (got >= 0) {
			keep_fds(&packet, fds, num_fds);
			return got;
		}
		if (errno == EAGAIN)
			return -EAGAIN;
		if (errno == ECONNRESET)
			connection->is_cut = true; /* told once; what is there can still be read */
		else if (errno != EINTR)
			return 0;
	}
}

static size_t take_kept(struct doca_comch_connection *connection, uint8_t *bytes)
{
	struct kept_packet *packet = connection->kept;
	size_t len_bytes = packet->len_bytes;

	memcpy(bytes, packet->bytes, len_bytes < COMCH_FRAME_BYTES ? len_bytes : COMCH_FRAME_BYTES);
	memcpy(connection->fds, packet->fds, sizeof(packet->fds));
	connection->num_fds = packet->num_fds;
	connection->kept = packet->next;
	if (connection->kept == NULL)
		connection->kept_end = &connection->kept;
	free(packet);
	return len_bytes;
}

/* 0 at the end; more than the buffer has room for when the packet is too long. */
static ssize_t read_packet(struct doca_comch_connection *connection, uint8_t *bytes)
{
	if (connection->kept != NULL)
		return (ssize_t)take_kept(connection, bytes);
	return receive_packet(connection, bytes, COMCH_FRAME_BYTES, connection->fds,
			      &connection->num_fds);
}

/* What the threads of consumers have left to be said. */
static void say_calls(struct doca_comch_connection *connection)
{
	int error = 0;

	if (channels_have_calls(connection->channels))
		error = channels_say(connection->channels, send_frame, connection);
	if (error == -EAGAIN)
		watch_room(connection, true);
	if (error == -ETOOMANYREFS) {
		connection->endpoint->has_unsaid = true;
		endpoint_nudge(connection->endpoint);
	}
}

enum protocol_verdict connection_take(struct doca_comch_connection *connection,
				      struct comch_frame *frame, const char **why)
{
	uint8_t *bytes = connection->endpoint->frame;
	enum protocol_verdict verdict;
	ssize_t len_bytes;

	say_calls(connection);
	len_bytes = read_packet(connection, bytes);
	if (len_bytes < 0) {
		if (!is_peer_gone(connection))
			return PROTOCOL_SILENT;
		/* The last that it has said may have come in between. */
		len_bytes = read_packet(connection, bytes);
	}
	if (len_bytes <= 0) {
		connection->is_cut = true;
		return PROTOCOL_DEAD;
	}
	if (len_bytes > COMCH_FRAME_BYTES) {
		*why = "a packet longer than any frame";
		verdict = PROTOCOL_BROKEN;
	} else {
		verdict = protocol_take(&connection->protocol, connection->endpoint->name, bytes,
					(size_t)len_bytes, frame, why);
	}
	if (verdict == PROTOCOL_CONSUMER)
		verdict = channels_hear(connection->channels, frame, connection->fds,
					&connection->num_fds, why);
	/* The answer goes before the user hears of it, who may then wait for the peer, and not
	 * progress. */
	if (verdict == PROTOCOL_CONSUMER)
		say_calls(connection);
	close_fds(connection->fds, &connection->num_fds);
	return verdict;
}

/* One more packet behind those that are kept; false at the end, or without memory. */
static bool keep_packet(struct doca_comch_connection *connection, bool *is_farewell)
{
	/*
	 * Memory first: without it the packet stays where it is. And not the endpoint's buffer: a
	 * callback that closes a connection may be reading a message there.
	 */
	struct kept_packet *packet = malloc(sizeof(*packet) + COMCH_FRAME_BYTES);
	struct comch_frame frame;
	size_t len_bytes;
	const char *why;
	ssize_t got;

	if (packet == NULL)
		return false;
	packet->num_fds = 0;
	got = receive_packet(connection, packet->bytes, COMCH_FRAME_BYTES, packet->fds,
			     &packet->num_fds);
	if (got <= 0) {
		/* A packet of nothing may have some beside it, too. */
		close_fds(packet->fds, &packet->num_fds);
		free(packet);
		return false;
	}
	len_bytes = got < COMCH_FRAME_BYTES ? (size_t)got : COMCH_FRAME_BYTES;
	packet->next = NULL;
	packet->len_bytes = (size_t)got;
	*connection->kept_end = packet;
	connection->kept_end = &packet->next;
	*is_farewell = comch_decode(packet->bytes, len_bytes, &frame, &why) == DOCA_SUCCESS &&
		       frame.type == COMCH_CLOSE;
	return true;
}

/*
 * The peer has hung up. It has died unless the last that it said is a farewell; and it has left
 * something unread if the system says that the connection was reset.
 */
static void examine_end(struct doca_comch_connection *connection)
{
	bool is_farewell = false;

	connection->is_examined = true;
	while (keep_packet(connection, &is_farewell))
		;
	if (!is_farewell)
		connection->is_cut = true;
	connection_make_ready(connection);
}

bool connection_delivers(struct doca_comch_connection *connection)
{
	struct pollfd news = {.fd = connection->fd};

	if (connection->fd < 0 || connection->is_cut || connection->is_examined)
		return !connection->is_cut;
	if (poll(&news, 1, 0) <= 0)
		return true;
	if ((news.revents & POLLERR) != 0)
		connection->is_cut = true;
	examine_end(connection);
	return !connection->is_cut;
}
