/* SPDX-License-Identifier: Apache-2.0 */
/* Attaches to an exporter on this machine, and trusts nothing that it sends. */
#include "peer/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "peer/activity.h"
#include "peer/self.h"
#include "wire/nbd.h"

#define ATTACH_DEADLINE_NS 1000000000u
#define MAX_FDS 3 /* the control page, the memory file, the bell */

/* One conversation. */
struct talk {
	int fd;
	uint64_t deadline_ns;
	uint32_t num_fds;
	int fds[MAX_FDS]; /* owned; what came beside the bytes */
	bool is_met;	  /* somebody listens */
	bool is_lost;	  /* before it answered */
	const char *why;
};

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t left_ns(const struct talk *talk)
{
	uint64_t now_ns = clock_ns();

	return now_ns < talk->deadline_ns ? talk->deadline_ns - now_ns : 0;
}

static doca_error_t fail(struct talk *talk, doca_error_t result, const char *why)
{
	talk->why = why;
	return result;
}

/* Ours is at fault, not the exporter. */
static doca_error_t fail_here(struct talk *talk, int error, const char *why)
{
	bool is_memory = error == ENOMEM || error == ENOBUFS;

	return fail(talk, is_memory ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_OPERATING_SYSTEM, why);
}

static doca_error_t fail_protocol(struct talk *talk)
{
	return fail(talk, DOCA_ERROR_NOT_CONNECTED, "what listens there is no exporter");
}

static doca_error_t fail_time(struct talk *talk)
{
	return fail(talk, DOCA_ERROR_TIME_OUT, "the exporter did not answer within 1 s");
}

static doca_error_t fail_lost(struct talk *talk)
{
	talk->is_lost = true;
	return fail(talk, DOCA_ERROR_NOT_CONNECTED, "the exporter closed the connection");
}

static doca_error_t fail_connect(struct talk *talk, int error)
{
	switch (error) {
	case EAGAIN:
		return fail_time(talk);
	case EACCES:
	case EPERM:
		return fail(talk, DOCA_ERROR_NOT_PERMITTED,
			    "its socket may not be connected to by this user");
	case ENOMEM:
	case ENOBUFS:
		return fail_here(talk, error, "no memory to connect");
	case ECONNREFUSED:
	case ENOENT:
		return fail(talk, DOCA_ERROR_NOT_CONNECTED,
			    "no exporter listens there: it is gone, or in another network "
			    "namespace");
	default:
		talk->is_met = true;
		return fail(talk, DOCA_ERROR_NOT_CONNECTED, "its socket cannot be connected to");
	}
}

/*
 * A full backlog is waited for as long as the send timeout says, which a socket that does not block
 * would not do.
 */
static doca_error_t connect_to(struct talk *talk, const struct export_endpoint *endpoint)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + endpoint->len_bytes);
	int error;

	memcpy(name.sun_path, endpoint->bytes, endpoint->len_bytes);
	do {
		uint64_t left_us = left_ns(talk) / 1000;
		struct timeval left = {
			.tv_sec = (time_t)(left_us / 1000000),
			.tv_usec = (suseconds_t)(left_us % 1000000),
		};

		if (left_us == 0)
			return fail_time(talk); /* a timeout of 0 would be none */
		(void)setsockopt(talk->fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof(left));
		error = connect(talk->fd, (struct sockaddr *)&name, len) == 0 ? 0 : errno;
	} while (error == EINTR);
	if (error != 0)
		return fail_connect(talk, error);
	talk->is_met = true;
	return DOCA_SUCCESS;
}

/* Before a word is said: who squats on the name of a dead exporter is not told its secret. */
static doca_error_t check_peer(struct talk *talk, const struct peer_policy *policy,
			       const struct export_descriptor *descriptor, pid_t *pid)
{
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);

	if (getsockopt(talk->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
		return fail_here(talk, errno, "the kernel does not tell whose the exporter is");
	if (peer.uid != descriptor->uid && !peer_policy_admits(policy, geteuid(), peer.uid))
		return fail(talk, DOCA_ERROR_NOT_PERMITTED,
			    "another user's process listens there: SOFTDOCA_ALLOW_UIDS can admit "
			    "it");
	*pid = peer.pid;
	return DOCA_SUCCESS;
}

/* Keep the descriptors that came; false when there are more than can be. */
static bool keep_fds(struct talk *talk, struct msghdr *message)
{
	bool is_kept = true;

	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
	     part = CMSG_NXTHDR(message, part)) {
		size_t num_bytes = part->cmsg_len - CMSG_LEN(0);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof(int) <= num_bytes; at += sizeof(int)) {
			int fd;

			memcpy(&fd, CMSG_DATA(part) + at, sizeof(fd));
			if (talk->num_fds < MAX_FDS) {
				talk->fds[talk->num_fds++] = fd;
			} else {
				close(fd);
				is_kept = false;
			}
		}
	}
	return is_kept;
}

static doca_error_t wait_readable(struct talk *talk)
{
	struct pollfd entry = {.fd = talk->fd, .events = POLLIN};
	int result;

	do {
		uint64_t left = left_ns(talk);
		struct timespec timeout = {
			.tv_sec = (time_t)(left / 1000000000u),
			.tv_nsec = (long)(left % 1000000000u),
		};

		result = ppoll(&entry, 1, &timeout, NULL);
	} while (result < 0 && errno == EINTR);
	if (result < 0)
		return fail_here(talk, errno, "cannot wait for the exporter");
	return result == 0 ? fail_time(talk) : DOCA_SUCCESS;
}

/* One receive, and what was wrong with it. */
static doca_error_t receive_some(struct talk *talk, void *bytes, size_t len_bytes, size_t *got)
{
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(MAX_FDS * sizeof(int))];
	} control;
	struct iovec piece = {.iov_base = bytes, .iov_len = len_bytes};
	struct msghdr message = {
		.msg_iov = &piece,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t received = recvmsg(talk->fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

	*got = 0;
	if (received < 0 && (errno == EINTR || errno == EAGAIN))
		return DOCA_SUCCESS;
	if (received < 0 && errno == ENOMEM)
		return fail_here(talk, errno, "no memory to receive");
	if (received <= 0)
		return fail_lost(talk);
	if (!keep_fds(talk, &message))
		return fail_protocol(talk);
	/* Cut off: more came than there is room for, or this process can open no more. */
	if ((message.msg_flags & MSG_CTRUNC) != 0)
		return talk->num_fds == MAX_FDS
			       ? fail_protocol(talk)
			       : fail_here(talk, EMFILE, "no file descriptor is left");
	*got = (size_t)received;
	return DOCA_SUCCESS;
}

static doca_error_t receive(struct talk *talk, uint8_t *bytes, size_t len_bytes)
{
	while (len_bytes > 0) {
		doca_error_t result = wait_readable(talk);
		size_t got = 0;

		if (result == DOCA_SUCCESS)
			result = receive_some(talk, bytes, len_bytes, &got);
		if (result != DOCA_SUCCESS)
			return result;
		bytes += got;
		len_bytes -= got;
	}
	return DOCA_SUCCESS;
}

/* So little that the socket takes it whole, whether its reader is slow or not. */
static doca_error_t send_all(struct talk *talk, const void *bytes, size_t len_bytes, int beside)
{
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(sizeof(int))];
	} control = {
		.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
			   .cmsg_level = SOL_SOCKET,
			   .cmsg_type = SCM_RIGHTS},
	};
	struct iovec piece = {.iov_base = (void *)bytes, .iov_len = len_bytes};
	struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
	ssize_t sent;

	if (beside >= 0) {
		memcpy(CMSG_DATA(&control.header), &beside, sizeof(beside));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
	}
	do {
		sent = sendmsg(talk->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	} while (sent < 0 && errno == EINTR);
	if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
		return fail_lost(talk);
	if (sent < 0)
		return fail_here(talk, errno, "cannot send to the exporter");
	return (size_t)sent == len_bytes ? DOCA_SUCCESS : fail_protocol(talk);
}

static doca_error_t ask(struct talk *talk, const struct export_descriptor *descriptor,
			int activity_fd)
{
	const struct nbd_option_header header = {
		.option = ATTACH_OPTION,
		.len_bytes = ATTACH_REQUEST_BYTES,
	};
	uint8_t head[NBD_CLIENT_FLAGS_BYTES + NBD_OPTION_BYTES];
	uint8_t payload[ATTACH_REQUEST_BYTES];
	struct attach_request request;
	doca_error_t result;

	memcpy(request.id, descriptor->id, sizeof(request.id));
	memcpy(request.secret, descriptor->secret, sizeof(request.secret));
	attach_request_encode(&request, payload);
	nbd_client_flags_encode(head);
	nbd_option_encode(&header, head + NBD_CLIENT_FLAGS_BYTES);
	result = send_all(talk, head, sizeof(head), -1);
	if (result == DOCA_SUCCESS)
		result = send_all(talk, payload, sizeof(payload), activity_fd);
	explicit_bzero(&request, sizeof(request));
	explicit_bzero(payload, sizeof(payload));
	return result;
}

static doca_error_t refused(struct talk *talk, uint32_t type)
{
	switch (type) {
	case NBD_REP_ERR_POLICY:
		return fail(talk, DOCA_ERROR_AUTHENTICATION, "the exporter refuses the secret");
	case NBD_REP_ERR_UNKNOWN:
	case NBD_REP_ERR_SHUTDOWN:
		return fail(talk, DOCA_ERROR_NOT_FOUND, "the exporter has ended this export");
	case NBD_REP_ERR_PLATFORM:
		return fail(talk, DOCA_ERROR_NOT_PERMITTED,
			    "the exporter refuses this user: its SOFTDOCA_ALLOW_UIDS can admit it");
	case NBD_REP_ERR_UNSUP:
		return fail(talk, DOCA_ERROR_NOT_SUPPORTED, "the exporter cannot be attached to");
	case NBD_REP_ERR_INVALID: /* the request is right, but its page did not arrive */
		return fail(talk, DOCA_ERROR_OPERATING_SYSTEM,
			    "the exporter is out of descriptors or memory");
	default:
		return fail_protocol(talk);
	}
}

static doca_error_t hear(struct talk *talk, struct attach_answer *answer)
{
	uint8_t head[NBD_OPTION_REPLY_BYTES];
	uint8_t payload[ATTACH_ANSWER_BYTES];
	struct nbd_option_reply reply;
	doca_error_t result = receive(talk, head, sizeof(head));

	if (result != DOCA_SUCCESS)
		return result;
	if (!nbd_option_reply_decode(head, &reply) || reply.option != ATTACH_OPTION)
		return fail_protocol(talk);
	if (reply.type != NBD_REP_ACK)
		return refused(talk, reply.type);
	if (reply.len_bytes != ATTACH_ANSWER_BYTES)
		return fail_protocol(talk);
	result = receive(talk, payload, sizeof(payload));
	if (result != DOCA_SUCCESS)
		return result;
	attach_answer_decode(payload, answer);
	if (answer->tag == 0 || answer->slot >= CONTROL_SLOTS ||
	    talk->num_fds != 1u + answer->has_file + answer->has_bell)
		return fail_protocol(talk);
	return DOCA_SUCCESS;
}

/* Rights and range; what else the flags say is the exporter's. */
static bool is_of(const struct export_descriptor *descriptor, const struct attach_answer *answer)
{
	const uint32_t told = EXPORT_MAY_READ | EXPORT_MAY_WRITE | EXPORT_PCI | EXPORT_RDMA;

	return descriptor->addr == answer->addr && descriptor->len_bytes == answer->len_bytes &&
	       (descriptor->flags & told) == (answer->flags & told);
}

static doca_error_t talk_over(struct talk *talk, const struct export_descriptor *descriptor,
			      int activity_fd, struct attach_answer *answer)
{
	uint8_t greeting[NBD_GREETING_BYTES];
	doca_error_t result = receive(talk, greeting, sizeof(greeting));

	if (result != DOCA_SUCCESS)
		return result;
	if (!nbd_greeting_decode(greeting) || talk->num_fds > 0)
		return fail_protocol(talk);
	result = ask(talk, descriptor, activity_fd);
	if (result == DOCA_SUCCESS)
		result = hear(talk, answer);
	/* Who knows the secret may have written the rest of the descriptor anew. */
	if (result == DOCA_SUCCESS && !is_of(descriptor, answer))
		return fail(talk, DOCA_ERROR_AUTHENTICATION,
			    "the descriptor is not as the exporter made it");
	return result;
}

static doca_error_t map_control(struct talk *talk, struct attachment *attachment)
{
	int error = control_map(talk->fds[0], &attachment->control);
	enum control_verdict verdict;

	if (error == -ENOMEM)
		return fail_here(talk, ENOMEM, "no memory for the exporter's control page");
	if (error != 0)
		return fail_protocol(talk);
	verdict = attach_check(attachment);
	if (verdict == CONTROL_ALIVE)
		return DOCA_SUCCESS;
	control_unmap(attachment->control);
	if (verdict == CONTROL_REVOKED)
		return refused(talk, NBD_REP_ERR_SHUTDOWN);
	return fail(talk, DOCA_ERROR_NOT_CONNECTED, "the exporter has ended");
}

static doca_error_t attach_to(struct talk *talk, const struct peer_policy *policy,
			      const struct export_descriptor *descriptor,
			      const struct export_endpoint *endpoint, struct attachment *attachment)
{
	struct attachment opened = {0};
	doca_error_t result;
	int activity_fd;

	talk->num_fds = 0;
	talk->is_lost = false;
	talk->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (talk->fd < 0)
		return fail_here(talk, errno, "cannot open a socket");
	activity_fd = activity_hold();
	if (activity_fd < 0) {
		result = fail_here(talk, -activity_fd, "cannot make an activity page");
		goto close_socket;
	}
	result = connect_to(talk, endpoint);
	if (result == DOCA_SUCCESS)
		result = check_peer(talk, policy, descriptor, &opened.pid);
	if (result == DOCA_SUCCESS)
		result = talk_over(talk, descriptor, activity_fd, &opened.answer);
	if (result == DOCA_SUCCESS)
		result = map_control(talk, &opened);
	if (result != DOCA_SUCCESS)
		goto close_fds;

	close(talk->fds[0]);
	opened.fd = talk->fd;
	opened.file_fd = opened.answer.has_file ? talk->fds[1] : -1;
	opened.bell_fd = opened.answer.has_bell ? talk->fds[talk->num_fds - 1] : -1;
	*attachment = opened;
	return DOCA_SUCCESS;

close_fds:
	for (uint32_t i = 0; i < talk->num_fds; i++)
		close(talk->fds[i]);
	activity_put();
close_socket:
	close(talk->fd);
	return result;
}

/* Several endpoints are ways to the same exporter: what one of them has decided is decided. */
static doca_error_t attach_to_any(struct talk *talk, const struct peer_policy *policy,
				  const struct export_descriptor *descriptor,
				  struct attachment *attachment)
{
	doca_error_t result = DOCA_ERROR_NOT_SUPPORTED;

	for (uint32_t i = 0; i < descriptor->num_endpoints; i++) {
		const struct export_endpoint *endpoint = &descriptor->endpoints[i];

		if (endpoint->type != EXPORT_UNIX)
			continue;
		result = attach_to(talk, policy, descriptor, endpoint, attachment);
		/* An agent with too many strangers sends one away; its last revoke, all. */
		if (talk->is_lost)
			result = attach_to(talk, policy, descriptor, endpoint, attachment);
		if (result != DOCA_ERROR_NOT_CONNECTED)
			break;
	}
	return result;
}

doca_error_t attach_open(const struct peer_policy *policy,
			 const struct export_descriptor *descriptor, struct attachment *attachment,
			 const char **why)
{
	struct talk talk = {
		.deadline_ns = clock_ns() + ATTACH_DEADLINE_NS,
		.why = "its descriptor names no socket on this machine",
	};
	doca_error_t result = attach_to_any(&talk, policy, descriptor, attachment);

	if (result == DOCA_ERROR_NOT_CONNECTED && !talk.is_met &&
	    self_sees(descriptor->boot_id, (pid_t)descriptor->pid, descriptor->start_time))
		result = fail(&talk, DOCA_ERROR_NOT_FOUND,
			      "the process lives; it has ended this export, or is in another "
			      "network namespace");
	*why = talk.why;
	return result;
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void attach_drop_file(struct attachment *attachment)
{
	drop(&attachment->file_fd);
}

void attach_leave(struct attachment *attachment)
{
	drop(&attachment->fd);
	drop(&attachment->file_fd);
	drop(&attachment->bell_fd);
}

void attach_close(struct attachment *attachment)
{
	control_unmap(attachment->control);
	attach_leave(attachment);
	activity_put();
}
