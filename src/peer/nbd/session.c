/* SPDX-License-Identifier: Apache-2.0 */
/* The NBD handshake over libnbd, one step at a time, so that it may also run in the driver. */
#include "peer/nbd/region.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <libnbd.h>

#include "wire/nbd.h"

/*
 * The name carries the secret, and libnbd's debugging, which an environment variable turns on,
 * prints it: off. Simple replies alone, into memory that libnbd need not clear before.
 */
static int configure(struct net_region *region)
{
	struct nbd_handle *handle = region->handle;
	char name[NBD_NAME_LEN + 1];
	int failed = nbd_set_debug(handle, false);

	nbd_name_encode(region->descriptor.id, region->descriptor.secret, name);
	failed |= nbd_set_export_name(handle, name);
	explicit_bzero(name, sizeof(name));
	failed |= nbd_set_opt_mode(handle, true);
	failed |= nbd_set_request_structured_replies(handle, false);
#ifdef LIBNBD_HAVE_NBD_SET_REQUEST_BLOCK_SIZE
	failed |= nbd_set_request_block_size(handle, false);
#endif
#ifdef LIBNBD_HAVE_NBD_SET_PREAD_INITIALIZE
	failed |= nbd_set_pread_initialize(handle, false);
#endif
	return failed;
}

doca_error_t session_begin(struct net_region *region, int fd, const char **why)
{
	*why = "no memory for an NBD session";
	region->handle = nbd_create();
	if (region->handle == NULL || configure(region) != 0) {
		close(fd);
		goto end_session;
	}
	/* From here on the handle owns the descriptor, and closes it in each case. */
	if (nbd_aio_connect_socket(region->handle, fd) != 0 && !session_is_dead(region))
		goto end_session;
	/* A peer may have left by now: the verdict says so. */
	region->state = NET_GREETING;
	region->fd = fd;
	region->num_asked = 0;
	region->is_answered = false;
	region->progress_ns = net_now_ns();
	return DOCA_SUCCESS;

end_session:
	session_end(region);
	return DOCA_ERROR_NO_MEMORY;
}

void session_end(struct net_region *region)
{
	nbd_close(region->handle);
	region->handle = NULL;
	region->state = NET_DOWN;
}

/* The handle stays for session_end, which frees memory, as one may not do between fork and exec. */
void session_abandon(struct net_region *region, int unused_fd)
{
	if (region->state != NET_DOWN)
		(void)dup3(unused_fd, region->fd, O_CLOEXEC);
	region->state = NET_DOWN;
}

bool session_is_dead(const struct net_region *region)
{
	return nbd_aio_is_dead(region->handle) != 0 || nbd_aio_is_closed(region->handle) != 0;
}

bool session_has_news(const struct net_region *region)
{
	struct pollfd polled = {.fd = region->fd, .events = POLLIN};

	return poll(&polled, 1, 0) > 0;
}

doca_error_t session_death(void)
{
	/* The memory that is not there is ours. */
	return nbd_get_errno() == EFAULT ? DOCA_ERROR_IO_FAILED : DOCA_ERROR_CONNECTION_RESET;
}

void session_poll_for(const struct net_region *region, struct pollfd *polled)
{
	unsigned int direction = nbd_aio_get_direction(region->handle);

	polled->fd = region->fd;
	polled->events = (short)(((direction & LIBNBD_AIO_DIRECTION_READ) != 0 ? POLLIN : 0) |
				 ((direction & LIBNBD_AIO_DIRECTION_WRITE) != 0 ? POLLOUT : 0));
	polled->revents = 0;
}

/* An error or the end shows when we read or write, whichever libnbd is ready for. */
doca_error_t session_notify(const struct net_region *region, short revents)
{
	unsigned int direction = nbd_aio_get_direction(region->handle);
	const short end = POLLHUP | POLLERR | POLLNVAL;
	int failed = 0;

	if ((direction & LIBNBD_AIO_DIRECTION_READ) != 0 && (revents & (POLLIN | end)) != 0)
		failed = nbd_aio_notify_read(region->handle);
	else if ((direction & LIBNBD_AIO_DIRECTION_WRITE) != 0 && (revents & (POLLOUT | end)) != 0)
		failed = nbd_aio_notify_write(region->handle);
	if (failed != 0)
		return session_death();
	return session_is_dead(region) ? DOCA_ERROR_CONNECTION_RESET : DOCA_SUCCESS;
}

static int note_answer(void *user_data, int *error)
{
	struct net_region *region = user_data;

	region->answer = *error;
	region->is_answered = true;
	return 1;
}

static doca_error_t refusal(const struct net_region *region, int answer, const char **why)
{
	const bool has_doubted = region->num_asked > 1;

	switch (answer) {
	case ENOTSUP: /* what libnbd makes of a refusal by policy */
		*why = "the exporter does not admit this user";
		return DOCA_ERROR_NOT_PERMITTED;
	case 0:
	case ENOENT:
	case ESHUTDOWN:
		*why = has_doubted ? "the exporter refuses the secret"
				   : "the exporter has no such region";
		return has_doubted ? DOCA_ERROR_AUTHENTICATION : DOCA_ERROR_NOT_FOUND;
	case ENOMEM:
		*why = "no memory for an NBD session";
		return DOCA_ERROR_NO_MEMORY;
	case EINVAL:
		*why = "what listens there is no exporter";
		return DOCA_ERROR_NOT_CONNECTED;
	default:
		*why = "the exporter ended the connection";
		return DOCA_ERROR_NOT_CONNECTED;
	}
}

static void ask(struct net_region *region)
{
	region->num_asked++;
	region->is_answered = false;
	nbd_aio_opt_go(region->handle,
		       (nbd_completion_callback){.callback = note_answer, .user_data = region});
}

/*
 * The exporter says that a secret is wrong and that a user is not admitted in two ways, which
 * libnbd makes one of. Who asks for what there is not learns which it was.
 */
static void ask_in_doubt(struct net_region *region)
{
	if (nbd_set_export_name(region->handle, "?") == 0)
		ask(region);
}

/* A peer that serves less than the descriptor promises is not the one that wrote it. */
static bool is_exporters(const struct net_region *region)
{
	const char *protocol = nbd_get_protocol(region->handle);
	int64_t size = nbd_get_size(region->handle);

	return protocol != NULL && strcmp(protocol, "newstyle-fixed") == 0 && size >= 0 &&
	       (uint64_t)size >= region->base.len_bytes &&
	       !(region->base.is_writable && nbd_is_read_only(region->handle) != 0);
}

doca_error_t session_verdict(struct net_region *region, const char **why)
{
	if (region->num_asked == 0 && nbd_aio_is_negotiating(region->handle) == 1)
		ask(region);
	if (session_is_dead(region))
		return refusal(region, ENOTCONN, why);
	if (region->is_answered && region->answer == ENOTSUP && region->num_asked == 1)
		ask_in_doubt(region);
	if (region->is_answered && (region->answer != 0 || region->num_asked > 1))
		return refusal(region, region->answer, why);
	if (nbd_aio_is_ready(region->handle) != 1)
		return DOCA_ERROR_IN_PROGRESS;
	if (!is_exporters(region))
		return refusal(region, EINVAL, why);
	region->state = NET_UP;
	return DOCA_SUCCESS;
}
