/* SPDX-License-Identifier: Apache-2.0 */
/* Consumers of either side of a connection, between the threads that use them. */
#include "comch/channels.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comch/endpoint.h"
#include "common/sdk_log.h"

static_assert(COMCH_NUM_FDS == RING_NUM_FDS, "a frame carries the descriptors of a ring");

/* Unsaid; a peer that does not listen gets no more. */
#define MAX_ACKS (2 * CHANNELS_MAX_CONSUMERS)

/* A look at a counter is cheaper than getpid(), which each submit would call. */
static struct {
	_Atomic bool are_counted;
	_Atomic unsigned num;
} forks;

static void count_fork(void)
{
	atomic_fetch_add_explicit(&forks.num, 1, memory_order_relaxed);
}

/* False: no memory. */
static bool count_forks(void)
{
	if (atomic_exchange(&forks.are_counted, true) ||
	    pthread_atfork(NULL, NULL, count_fork) == 0)
		return true;
	atomic_store(&forks.are_counted, false);
	return false;
}

bool channels_are_inherited(const struct channels *channels)
{
	return channels->num_forks != atomic_load_explicit(&forks.num, memory_order_relaxed);
}

struct channels *channels_create(bool is_server)
{
	struct channels *channels = count_forks() ? calloc(1, sizeof(*channels)) : NULL;

	if (channels == NULL)
		return NULL;
	channels->num_forks = atomic_load_explicit(&forks.num, memory_order_relaxed);
	atomic_init(&channels->num_holds, 1);
	lock_init(&channels->lock);
	/* Ids of both sides differ: 1, 3, ... are the client's. */
	channels->last_id = is_server ? 0 : UINT32_MAX;
	list_init(&channels->outbox);
	list_init(&channels->announced);
	list_init(&channels->members);
	list_init(&channels->remotes);
	return channels;
}

void channels_hold(struct channels *channels)
{
	atomic_fetch_add_explicit(&channels->num_holds, 1, memory_order_relaxed);
}

void channels_put(struct channels *channels)
{
	if (atomic_fetch_sub_explicit(&channels->num_holds, 1, memory_order_acq_rel) != 1)
		return;
	lock_fini(&channels->lock);
	free(channels);
}

void channels_open(struct channels *channels, int bell_fd, pid_t peer_pid)
{
	lock_take(&channels->lock);
	channels->state = CHANNELS_OPEN;
	channels->bell_fd = bell_fd;
	channels->peer_pid = peer_pid;
	lock_drop(&channels->lock);
}

void remote_hold(struct channels_remote *remote)
{
	atomic_fetch_add_explicit(&remote->num_holds, 1, memory_order_relaxed);
}

void remote_put(struct channels_remote *remote)
{
	if (atomic_fetch_sub_explicit(&remote->num_holds, 1, memory_order_acq_rel) != 1)
		return;
	ring_writer_close(remote->ring);
	free(remote);
}

static struct channels_remote *remote_of(struct list *link)
{
	return CONTAINER_OF(link, struct channels_remote, link);
}

static struct channels_call *call_of(struct list *link)
{
	return CONTAINER_OF(link, struct channels_call, link);
}

/* Out of the table: producers that hold it look for another. */
static void expire_locked(struct channels *channels, struct channels_remote *remote)
	REQUIRES(&channels->lock)
{
	list_remove(&remote->link);
	channels->num_remotes--;
	atomic_store_explicit(&remote->has_expired, true, memory_order_release);
	remote_put(remote);
}

/* What is said to nobody, but for calls that are their consumers'. */
static void drop_calls_locked(struct channels *channels) REQUIRES(&channels->lock)
{
	struct list *link = channels->outbox.next;

	while (link != &channels->outbox) {
		struct channels_call *call = call_of(link);

		link = link->next;
		if (call->frame.type == COMCH_NEW_CONSUMER)
			continue;
		list_remove(&call->link);
		free(call);
	}
}

static void expire_all_locked(struct channels *channels) REQUIRES(&channels->lock)
{
	struct list *link = channels->remotes.next;

	while (link != &channels->remotes) {
		struct channels_remote *remote = remote_of(link);

		link = link->next;
		expire_locked(channels, remote);
	}
}

void channels_end(struct channels *channels)
{
	lock_take(&channels->lock);
	if (channels->state == CHANNELS_OPEN) {
		channels->state = CHANNELS_OVER;
		drop_calls_locked(channels);
		expire_all_locked(channels);
		atomic_store_explicit(&channels->has_calls, false, memory_order_relaxed);
		atomic_store_explicit(&channels->is_over, true, memory_order_release);
		list_for_each (link, &channels->members)
			doca__ctx_wake(CONTAINER_OF(link, struct channels_member, link)->ctx);
	}
	lock_drop(&channels->lock);
}

bool channels_are_used(struct channels *channels)
{
	bool is_used;

	lock_take(&channels->lock);
	is_used = !list_is_empty(&channels->members);
	lock_drop(&channels->lock);
	return is_used;
}

uint32_t channels_draw_id(struct channels *channels)
{
	uint32_t id = 0;

	lock_take(&channels->lock);
	if (channels->state == CHANNELS_OPEN && !channels_are_over(channels)) {
		channels->last_id += 2;
		id = channels->last_id;
	}
	lock_drop(&channels->lock);
	return id;
}

bool channels_join(struct channels *channels, struct channels_member *member, struct doca_ctx *ctx)
{
	bool is_open;

	member->ctx = ctx;
	lock_take(&channels->lock);
	is_open = channels->state == CHANNELS_OPEN && !channels_are_over(channels);
	if (is_open)
		list_add_tail(&channels->members, &member->link);
	lock_drop(&channels->lock);
	return is_open;
}

void channels_leave(struct channels *channels, struct channels_member *member)
{
	/* Of the parent's threads one may have held the lock in the fork. */
	if (channels_are_inherited(channels)) {
		list_remove(&member->link);
		return;
	}
	lock_take(&channels->lock);
	list_remove(&member->link);
	lock_drop(&channels->lock);
}

/* One more call; the endpoint's thread hears of it. */
static void push_locked(struct channels *channels, struct channels_call *call)
	REQUIRES(&channels->lock)
{
	const uint64_t one = 1;

	list_add_tail(&channels->outbox, &call->link);
	atomic_store_explicit(&channels->has_calls, true, memory_order_release);
	/* A counter that is full is readable, which is all that is wanted. */
	if (write(channels->bell_fd, &one, sizeof(one)) < 0)
		return;
}

static struct channels_call *call_create(enum comch_type type, uint32_t id, uint32_t start)
{
	struct channels_call *call = calloc(1, sizeof(*call));

	if (call != NULL) {
		call->frame.type = type;
		call->frame.consumer_id = id;
		call->frame.start = start;
		list_init(&call->link);
	}
	return call;
}

struct channels_call *channels_announce(struct channels *channels, uint32_t id, const int *fds,
					struct doca_ctx *ctx)
{
	struct channels_call *call = call_create(COMCH_NEW_CONSUMER, id, 0);

	if (call == NULL)
		return NULL;
	call->fds = fds;
	call->ctx = ctx;
	lock_take(&channels->lock);
	call->frame.start = channels->num_starts++;
	if (channels->state == CHANNELS_OPEN)
		push_locked(channels, call);
	lock_drop(&channels->lock);
	return call;
}

void channels_withdraw(struct channels *channels, struct channels_call *call)
{
	/* The parent's consumer is still there. */
	if (channels_are_inherited(channels)) {
		list_remove(&call->link);
		free(call);
		return;
	}
	lock_take(&channels->lock);
	list_remove(&call->link);
	if (channels->state == CHANNELS_OPEN && call->fds == NULL) {
		call->frame.type = COMCH_EXPIRED_CONSUMER;
		call->ctx = NULL;
		push_locked(channels, call);
	} else {
		free(call);
	}
	lock_drop(&channels->lock);
}

/* What was said is done with, but for a consumer, whose answer comes. */
static void said_locked(struct channels *channels, struct channels_call *call)
	REQUIRES(&channels->lock)
{
	list_remove(&call->link);
	channels->num_acks -= call->frame.type == COMCH_CONSUMER_ACK;
	if (call->frame.type == COMCH_NEW_CONSUMER) {
		call->fds = NULL;
		list_add_tail(&channels->announced, &call->link);
	} else {
		free(call);
	}
}

int channels_say(struct channels *channels,
		 int (*send)(void *who, const struct comch_frame *frame, const int *fds), void *who)
{
	struct list *link;
	int error = 0;

	lock_take(&channels->lock);
	link = channels->outbox.next;
	while (link != &channels->outbox && error == 0) {
		struct channels_call *call = call_of(link);

		link = link->next;
		error = send(who, &call->frame, call->fds);
		if (error == 0)
			said_locked(channels, call);
	}
	atomic_store_explicit(&channels->has_calls, !list_is_empty(&channels->outbox),
			      memory_order_relaxed);
	lock_drop(&channels->lock);
	return error;
}

static struct channels_remote *find_locked(struct channels *channels, uint32_t id)
	REQUIRES(&channels->lock)
{
	list_for_each (link, &channels->remotes)
		if (remote_of(link)->id == id)
			return remote_of(link);
	return NULL;
}

struct channels_remote *channels_find(struct channels *channels, uint32_t id)
{
	struct channels_remote *remote;

	lock_take(&channels->lock);
	remote = find_locked(channels, id);
	if (remote != NULL)
		remote_hold(remote);
	lock_drop(&channels->lock);
	return remote;
}

/* NULL: it cannot be sent to, for the reason in *ack. */
static struct channels_remote *remote_create(uint32_t id, const int *fds, unsigned *num_fds,
					     enum comch_ack *ack)
{
	const char *why = "its descriptors have not arrived";
	struct channels_remote *remote = calloc(1, sizeof(*remote));
	int error = -ENOMEM;

	*ack = COMCH_ACK_REFUSED;
	if (remote == NULL) {
		why = "no memory is left here";
	} else if (*num_fds == COMCH_NUM_FDS) {
		*num_fds = 0;
		error = ring_writer_open(fds, &remote->ring, &why);
	}
	if (error != 0) {
		free(remote);
		LOG_WARNING("comch refuses consumer %u of the peer: %s", id, why);
		return NULL;
	}
	atomic_init(&remote->num_holds, 1);
	remote->id = id;
	*ack = COMCH_ACK_TAKEN;
	return remote;
}

/* A consumer of the peer's that wants to be known; it is answered either way. */
static enum protocol_verdict hear_new(struct channels *channels, const struct comch_frame *frame,
				      const int *fds, unsigned *num_fds, const char **why)
{
	const uint32_t id = frame->consumer_id;
	enum comch_ack ack = COMCH_ACK_FULL;
	struct channels_remote *remote = NULL;
	struct channels_call *call;
	bool is_known;
	bool is_flood;

	/* Only this thread adds to the table. */
	lock_take(&channels->lock);
	is_known = find_locked(channels, id) != NULL;
	is_flood = channels->num_acks >= MAX_ACKS;
	lock_drop(&channels->lock);
	call = is_known || is_flood ? NULL : call_create(COMCH_CONSUMER_ACK, id, frame->start);
	if (call == NULL) {
		*why = is_known	  ? "a consumer that is there already"
		       : is_flood ? "consumers without end"
				  : "there is no memory for its consumer";
		return PROTOCOL_BROKEN;
	}
	if (channels->num_remotes < CHANNELS_MAX_CONSUMERS)
		remote = remote_create(id, fds, num_fds, &ack);
	call->frame.ack = ack;
	lock_take(&channels->lock);
	if (remote != NULL) {
		list_add_tail(&channels->remotes, &remote->link);
		channels->num_remotes++;
	}
	channels->num_acks++;
	push_locked(channels, call);
	lock_drop(&channels->lock);
	return remote == NULL ? PROTOCOL_NOTED : PROTOCOL_CONSUMER;
}

/* An answer to that start of a consumer of ours, if it is still there. */
static void hear_ack(struct channels *channels, const struct comch_frame *frame)
{
	lock_take(&channels->lock);
	list_for_each (link, &channels->announced) {
		struct channels_call *call = call_of(link);

		if (call->frame.consumer_id != frame->consumer_id ||
		    call->frame.start != frame->start)
			continue;
		/* Code 0 is no answer. */
		atomic_store_explicit(&call->answer,
				      frame->ack == 0 ? COMCH_ACK_REFUSED : frame->ack,
				      memory_order_release);
		doca__ctx_wake(call->ctx);
	}
	lock_drop(&channels->lock);
}

static enum protocol_verdict hear_expired(struct channels *channels, uint32_t id)
{
	struct channels_remote *remote;

	lock_take(&channels->lock);
	remote = find_locked(channels, id);
	if (remote != NULL)
		expire_locked(channels, remote);
	lock_drop(&channels->lock);
	/* Else it was refused. */
	return remote == NULL ? PROTOCOL_NOTED : PROTOCOL_CONSUMER;
}

enum protocol_verdict channels_hear(struct channels *channels, const struct comch_frame *frame,
				    const int *fds, unsigned *num_fds, const char **why)
{
	switch (frame->type) {
	case COMCH_NEW_CONSUMER:
		return hear_new(channels, frame, fds, num_fds, why);
	case COMCH_CONSUMER_ACK:
		hear_ack(channels, frame);
		return PROTOCOL_NOTED;
	default:
		return hear_expired(channels, frame->consumer_id);
	}
}
