/* SPDX-License-Identifier: Apache-2.0 */
/* A connected socket to the exporter's agent on this machine. */
#include "peer/nbd/region.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static doca_error_t refusal(int error, const char **why)
{
	switch (error) {
	case ECONNREFUSED:
	case ENOENT:
	case ENOTDIR:
		*why = "nobody listens at the exporter's socket";
		return DOCA_ERROR_NOT_CONNECTED;
	case EACCES:
	case EPERM:
		*why = "the exporter's socket is closed to this user";
		return DOCA_ERROR_NOT_PERMITTED;
	case EAGAIN: /* only of a socket that does not wait */
		*why = "the exporter's agent accepts no connection now";
		return DOCA_ERROR_AGAIN;
	case ETIMEDOUT:
		*why = "the exporter's agent accepts no connection";
		return DOCA_ERROR_TIME_OUT;
	case ENOMEM:
	case ENOBUFS:
		*why = "no memory for a socket";
		return DOCA_ERROR_NO_MEMORY;
	default:
		*why = "no socket";
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
}

/* A send timeout bounds connect() too, which waits while the peer's backlog is full. */
static int bound_wait(int fd, uint64_t deadline_ns)
{
	uint64_t now = net_now_ns();
	uint64_t left_us = deadline_ns > now ? (deadline_ns - now) / 1000 + 1 : 1;
	struct timeval left = {
		.tv_sec = (time_t)(left_us / 1000000),
		.tv_usec = (suseconds_t)(left_us % 1000000),
	};

	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof(left));
}

/* 0 or an errno. */
static int connect_until(int fd, const struct export_endpoint *endpoint, uint64_t deadline_ns)
{
	/* Zeroes behind the name, if it is the longest: some look for them. */
	struct sockaddr_storage storage = {.ss_family = AF_UNIX};
	struct sockaddr_un *address = (struct sockaddr_un *)&storage;
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + endpoint->len_bytes);

	memcpy(address->sun_path, endpoint->bytes, endpoint->len_bytes);
	for (;;) {
		if (deadline_ns != 0 && bound_wait(fd, deadline_ns) != 0)
			return errno;
		if (connect(fd, (const struct sockaddr *)&storage, len) == 0)
			return 0;
		/* A full backlog, which one that waits has waited for. */
		if (errno != EINTR && (errno != EAGAIN || deadline_ns == 0))
			return errno;
		if (deadline_ns != 0 && net_now_ns() >= deadline_ns)
			return ETIMEDOUT;
	}
}

/*
 * The secret goes to the exporter's user alone, to root, who can read it anyway, and to whom the
 * settings admit; once the region is open, to the process that it was opened to.
 */
static doca_error_t check_peer(struct net_region *region, int fd, const char **why)
{
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0 ||
	    (peer.uid != region->descriptor.uid &&
	     !peer_policy_admits(&region->policy, geteuid(), peer.uid))) {
		*why = "another user listens at the exporter's socket";
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (region->driver == NULL) {
		region->peer_pid = peer.pid;
	} else if (region->peer_pid != peer.pid) {
		*why = "another process listens at the exporter's socket";
		return DOCA_ERROR_CONNECTION_RESET;
	}
	return DOCA_SUCCESS;
}

bool net_exporter_lives(const struct net_region *region)
{
	struct self_program now;

	return region->peer_pid > 0 && self_program_of(region->peer_pid, &now) == 0 &&
	       now.start_time == region->peer.start_time &&
	       strcmp(now.name, region->peer.name) == 0;
}

static doca_error_t dial_one(struct net_region *region, const struct export_endpoint *endpoint,
			     uint64_t deadline_ns, int *dialled, const char **why)
{
	int fd = socket(AF_UNIX,
			SOCK_STREAM | SOCK_CLOEXEC | (deadline_ns == 0 ? SOCK_NONBLOCK : 0), 0);
	doca_error_t result;
	int error;

	if (fd < 0)
		return refusal(errno, why);
	error = connect_until(fd, endpoint, deadline_ns);
	if (error != 0) {
		close(fd);
		return refusal(error, why);
	}
	result = check_peer(region, fd, why);
	if (result != DOCA_SUCCESS) {
		close(fd);
		return result;
	}
	*dialled = fd;
	return DOCA_SUCCESS;
}

doca_error_t net_dial(struct net_region *region, uint64_t deadline_ns, int *fd, const char **why)
{
	const struct export_descriptor *descriptor = &region->descriptor;
	doca_error_t result = DOCA_ERROR_NOT_SUPPORTED;

	*why = "the descriptor names no socket of this machine";
	for (uint32_t i = 0; i < descriptor->num_endpoints; i++) {
		const struct export_endpoint *endpoint = &descriptor->endpoints[i];

		if (endpoint->type != EXPORT_UNIX)
			continue;
		result = dial_one(region, endpoint, deadline_ns, fd, why);
		if (result != DOCA_ERROR_NOT_CONNECTED)
			break;
	}
	return result;
}
