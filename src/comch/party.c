/* SPDX-License-Identifier: Apache-2.0 */
/* What a producer and a consumer have in common: their life, their tasks, their buffers. */
#include "comch/party.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "comch/endpoint.h"

#define LOOK_EVERY_NS UINT64_C(10000000)
#define NS_PER_S UINT64_C(1000000000)

doca_error_t party_create(struct doca_comch_connection *connection, const struct ctx_ops *ops,
			  size_t size_bytes, struct party **party)
{
	struct party *created;
	uint32_t id;

	if (channels_are_inherited(connection->channels)) {
		LOG_ERROR("no %s on connection %p: it is of the process that this one was forked "
			  "from; connect here",
			  ops->name, (void *)connection);
		return DOCA_ERROR_BAD_STATE;
	}
	id = channels_draw_id(connection->channels);
	if (id == 0) {
		LOG_ERROR("no %s on connection %p: it is not established, or has ended; create one "
			  "once the client is running, or in the server's connection event",
			  ops->name, (void *)connection);
		return DOCA_ERROR_BAD_STATE;
	}
	created = doca__ctx_new(LOG_HERE, ops, connection->endpoint->ctx.dev, size_bytes);
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->channels = connection->channels;
	channels_hold(created->channels);
	list_init(&created->member.link);
	created->id = id;
	*party = created;
	return DOCA_SUCCESS;
}

doca_error_t party_destroy(struct log_place place, struct party *party)
{
	doca_error_t result = doca__ctx_check_destroy(place, &party->ctx);

	if (result != DOCA_SUCCESS)
		return result;
	doca__task_pool_fini(&party->pool);
	channels_put(party->channels);
	doca__ctx_delete(&party->ctx);
	return DOCA_SUCCESS;
}

int party_watch(const struct party *party, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events};

	return epoll_ctl(party->wait_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

/* Negative errno; party_end closes what is open. */
static int open_waiting(struct party *party)
{
	int error = 0;

	party->looked_ns = 0;
	party->peer_fd = -1;
	party->wait_fd = epoll_create1(EPOLL_CLOEXEC);
	if (party->wait_fd < 0)
		return -errno;
	party->peer_fd = (int)syscall(SYS_pidfd_open, party->channels->peer_pid, 0);
	if (party->peer_fd >= 0)
		error = party_watch(party, party->peer_fd, EPOLLIN);
	else if (errno == ESRCH)
		channels_note_end(party->channels);
	return error == 0 ? doca__ctx_watch(&party->ctx, party->wait_fd) : error;
}

void party_look(struct party *party, int line_fd)
{
	struct pollfd signs[] = {
		{.fd = party->peer_fd, .events = POLLIN},
		{.fd = line_fd},
	};
	struct timespec now;
	uint64_t now_ns;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	now_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
	if (now_ns - party->looked_ns < LOOK_EVERY_NS)
		return;
	party->looked_ns = now_ns;
	if (poll(signs, 2, 0) > 0)
		channels_note_end(party->channels);
}

doca_error_t party_start(struct party *party)
{
	doca_error_t result;
	int error;

	if (party_is_inherited(party))
		return party_refuse_inherited(party);
	result = doca__tasks_start(LOG_HERE, &party->ctx, &party->pool);
	if (result != DOCA_SUCCESS)
		return result;
	if (!channels_join(party->channels, &party->member, &party->ctx)) {
		LOG_ERROR("%s %p refuses start: its connection has ended; create another on one "
			  "that is established",
			  party->ctx.ops->name, (void *)party);
		return DOCA_ERROR_NOT_CONNECTED;
	}
	error = open_waiting(party);
	if (error == 0)
		return DOCA_SUCCESS;
	party_end(party);
	errno = -error;
	LOG_ERROR("%s %p cannot start: no means to wait for its peer: %m", party->ctx.ops->name,
		  (void *)party);
	return DOCA_ERROR_INITIALIZATION;
}

void party_end(struct party *party)
{
	channels_leave(party->channels, &party->member);
	if (party->peer_fd >= 0)
		close(party->peer_fd);
	if (party->wait_fd >= 0)
		close(party->wait_fd);
}

doca_error_t party_refuse_inherited(const struct party *party)
{
	LOG_ERROR("%s %p is of the process that this one was forked from; make another here, on a "
		  "connection of this process",
		  party->ctx.ops->name, (const void *)party);
	return DOCA_ERROR_BAD_STATE;
}

/* What is wrong with one buffer, or NULL. */
static const char *find_fault(const struct doca_buf *buf, const struct doca_mmap *mmap)
{
	const struct doca_mmap *its = buf->refcount == 0 ? NULL : mmap_of(buf_user(buf));

	if (buf->refcount == 0)
		return "was released; keep it until the callback";
	if (its == NULL)
		return "belongs to an mmap that was stopped or destroyed; keep that until the "
		       "callback";
	if (piece_region(&buf->piece) != NULL)
		return "is in another process's memory; want memory of this process, to which "
		       "doca_dma can copy";
	if (mmap != NULL && mmap != its)
		return "is not in the mmap that the consumer was created with";
	return piece_is_sound(&buf->piece) ? NULL : "has a data window that lies outside of it";
}

/* From here on; of a list that is a circle it ends. */
static uint32_t count_pieces(const struct copy_piece *piece)
{
	uint32_t num = 0;

	for (; piece != NULL && num < UINT16_MAX; piece = piece->next)
		num++;
	return num;
}

doca_error_t party_measure(const struct party *party, const struct doca_buf *head,
			   const struct doca_mmap *mmap, struct party_list *list)
{
	const char *kind = party->ctx.ops->name;
	uint32_t num_elements = 0;

	*list = (struct party_list){0};
	for (const struct copy_piece *piece = head == NULL ? NULL : &head->piece; piece != NULL;
	     piece = piece->next) {
		const struct doca_buf *buf = (const struct doca_buf *)piece;
		const char *fault = find_fault(buf, mmap);

		if (doca_unlikely(fault != NULL)) {
			LOG_ERROR("%s %p refuses a task: buffer %p [%p, +%zu) %s", kind,
				  (const void *)party, (const void *)buf, (const void *)piece->head,
				  piece->len_bytes, fault);
			return DOCA_ERROR_INVALID_VALUE;
		}
		if (doca_unlikely(++num_elements > PARTY_MAX_LIST_LEN)) {
			LOG_ERROR("%s %p refuses a task: its list has %u buffers, more than "
				  "the %u of its cap_get_max_buf_list_len",
				  kind, (const void *)party,
				  count_pieces(piece) + PARTY_MAX_LIST_LEN, PARTY_MAX_LIST_LEN);
			return DOCA_ERROR_INVALID_VALUE;
		}
		/* Windows lie in memory: sums of so few cannot overflow. */
		list->num_bytes += piece->data_len_bytes;
		list->room_bytes += piece_room(piece);
	}
	return DOCA_SUCCESS;
}
