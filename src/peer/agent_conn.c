/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes in and out of a connection. The memory of a region is named to the kernel alone, which
 * answers EFAULT where a load or a store of ours would be a signal in the user's program.
 */
#include "peer/agent_conn.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer/activity.h"

enum step {
	STEP_MORE,    /* something was done */
	STEP_BLOCKED, /* nothing can be, now */
	STEP_OVER,
};

struct agent_conn *conn_create(const struct conn_host *host, int fd, bool is_admitted,
			       uint64_t deadline_ns)
{
	struct agent_conn *conn = calloc(1, sizeof(*conn));

	if (conn == NULL) {
		close(fd);
		return NULL;
	}
	list_init(&conn->link);
	conn->host = host;
	conn->fd = fd;
	conn->is_admitted = is_admitted;
	conn->deadline_ns = deadline_ns;
	conn->received_fd = -1;
	nbd_greeting_encode(conn_queue(conn, NBD_GREETING_BYTES));
	conn_await(conn, CONN_FLAGS, NBD_CLIENT_FLAGS_BYTES);
	return conn;
}

void conn_forget(struct agent_conn *conn)
{
	if (conn->words != NULL)
		activity_unmap(conn->words);
	if (conn->received_fd >= 0)
		close(conn->received_fd);
	close(conn->fd);
	explicit_bzero(conn->in, sizeof(conn->in)); /* secrets went through it */
	free(conn);
}

void conn_destroy(struct agent_conn *conn)
{
	/* A child between vfork() and exec() has it too. */
	shutdown(conn->fd, SHUT_RDWR);
	conn_forget(conn);
}

bool conn_is_busy(const struct agent_conn *conn)
{
	if (conn->words != NULL)
		return activity_holds(conn->words, conn->region->tag);
	/* An answer that is not sent yet is one that its importer waits for. */
	return conn_has_output(conn) || conn->state == CONN_RECEIVE;
}

/* After a call on the socket that moved nothing. */
static enum step step_of_errno(void)
{
	if (errno == EINTR)
		return STEP_MORE;
	return errno == EAGAIN || errno == EWOULDBLOCK ? STEP_BLOCKED : STEP_OVER;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The first is kept: an option has one at most. */
static void keep_fd(struct agent_conn *conn, int fd)
{
	if (conn->received_fd < 0)
		conn->received_fd = fd;
	else
		close(fd);
}

/* Two fit where one is wanted, for the sake of alignment. */
static void keep_fds(struct agent_conn *conn, struct msghdr *message)
{
	for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
	     header = CMSG_NXTHDR(message, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = CMSG_LEN(0); at + sizeof(int) <= header->cmsg_len;
		     at += sizeof(int)) {
			int fd;

			memcpy(&fd, (const char *)header + at, sizeof(fd));
			keep_fd(conn, fd);
		}
	}
}

/* Descriptors come beside whichever bytes are read first of those that they were sent with. */
static ssize_t receive_with_fds(struct agent_conn *conn, struct iovec *iov)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct msghdr message = {
		.msg_iov = iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;

	/* Under the lock, so that a fork never sees one that is not in its place. */
	lock_take(&conn->host->table->lock);
	got = recvmsg(conn->fd, &message, MSG_CMSG_CLOEXEC);
	if (got >= 0)
		keep_fds(conn, &message);
	lock_drop(&conn->host->table->lock);
	return got;
}

static enum step receive_message(struct agent_conn *conn, size_t *budget)
{
	struct iovec iov = {
		.iov_base = conn->in + conn->in_len,
		.iov_len = least(conn->in_wanted - conn->in_len, *budget),
	};
	ssize_t got;

	if (conn->state == CONN_REQUEST || conn->state == CONN_ATTACHED)
		got = recv(conn->fd, iov.iov_base, iov.iov_len, 0);
	else
		got = receive_with_fds(conn, &iov);
	if (got < 0)
		return step_of_errno();
	if (got == 0 || conn->state == CONN_ATTACHED)
		return STEP_OVER;
	*budget -= (size_t)got;
	conn->in_len += (size_t)got;
	if (conn->in_len < conn->in_wanted)
		return STEP_MORE;
	if (conn->state == CONN_REQUEST)
		return conn_request(conn) ? STEP_MORE : STEP_OVER;
	return conn_handshake(conn) ? STEP_MORE : STEP_OVER;
}

void conn_reply(struct agent_conn *conn, uint32_t error)
{
	nbd_simple_reply_encode(error, conn->request.cookie,
				conn_queue(conn, NBD_SIMPLE_REPLY_BYTES));
	conn->in_len = 0;
	conn_await(conn, CONN_REQUEST, NBD_REQUEST_BYTES);
}

static enum step receive_payload(struct agent_conn *conn, size_t *budget)
{
	const bool is_wanted = conn->state == CONN_RECEIVE;
	size_t len = least(conn->left, *budget);
	ssize_t got;

	if (is_wanted)
		got = recv(conn->fd, conn->at, len, 0);
	else
		got = recv(conn->fd, conn->host->scratch, least(len, CONN_SCRATCH_BYTES), 0);
	if (got == 0)
		return STEP_OVER;
	if (got < 0 && errno == EFAULT && is_wanted) {
		/* What was not copied is still to be read. */
		conn->error = NBD_EIO;
		conn->state = CONN_DRAIN;
		return STEP_MORE;
	}
	if (got < 0)
		return step_of_errno();
	*budget -= (size_t)got;
	if (is_wanted)
		conn->at += got;
	conn->left -= (size_t)got;
	if (conn->left == 0)
		conn_reply(conn, conn->error);
	return STEP_MORE;
}

static void add_fds(struct agent_conn *conn, struct msghdr *message, char *control)
{
	const size_t len = conn->num_out_fds * sizeof(int);
	struct cmsghdr *header;

	message->msg_control = control;
	message->msg_controllen = CMSG_SPACE(len);
	header = CMSG_FIRSTHDR(message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(header), conn->out_fds, len);
}

/* It was looked at before, so another thread has just unmapped it. */
static enum step answer_fault(struct agent_conn *conn)
{
	if (!conn->is_sending || conn->out_at > 0)
		return STEP_OVER;
	conn->is_sending = false;
	conn->out_len = 0;
	conn_reply(conn, NBD_EIO);
	return STEP_MORE;
}

static enum step after_sending(struct agent_conn *conn, size_t sent)
{
	const size_t of_out = least(sent, conn->out_len - conn->out_at);

	conn->num_out_fds = 0;
	conn->out_at += of_out;
	if (conn->is_sending) {
		conn->at += sent - of_out;
		conn->left -= sent - of_out;
		conn->is_sending = conn->left > 0;
	}
	if (conn_has_output(conn))
		return STEP_MORE;
	conn->out_len = 0;
	conn->out_at = 0;
	return conn->is_ending ? STEP_OVER : STEP_MORE;
}

static enum step send_output(struct agent_conn *conn, size_t *budget)
{
	char control[CMSG_SPACE(CONN_MAX_OUT_FDS * sizeof(int))] __attribute__((aligned(8))) = {0};
	struct iovec iov[2] = {
		{.iov_base = conn->out + conn->out_at, .iov_len = conn->out_len - conn->out_at},
	};
	struct msghdr message = {.msg_iov = iov, .msg_iovlen = 1};
	ssize_t sent;

	if (conn->is_sending) {
		iov[1].iov_base = conn->at;
		iov[1].iov_len = least(conn->left, *budget);
		message.msg_iovlen = 2;
	}
	if (conn->num_out_fds > 0)
		add_fds(conn, &message, control);
	sent = sendmsg(conn->fd, &message, MSG_NOSIGNAL);
	if (sent < 0 && errno != EFAULT)
		return step_of_errno();
	/* qemu-user leaves out what is not there: that is no step, and never would be. */
	if (sent <= 0)
		return answer_fault(conn);
	*budget -= least((size_t)sent, *budget);
	return after_sending(conn, (size_t)sent);
}

bool conn_turn(struct agent_conn *conn)
{
	size_t budget = CONN_TURN_BYTES;
	enum step step = STEP_MORE;

	while (step == STEP_MORE && budget > 0) {
		if (conn_has_output(conn))
			step = send_output(conn, &budget);
		else if (conn->state == CONN_RECEIVE || conn->state == CONN_DRAIN)
			step = receive_payload(conn, &budget);
		else
			step = receive_message(conn, &budget);
	}
	return step != STEP_OVER;
}
