/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a connection knows of the fast path: the consumers of either side, and the contexts that use
 * it. The thread of the server or the client talks on the socket, in connection.c; consumers and
 * producers may be other threads', and leave here what is to be said. They keep it when the
 * connection has gone.
 */
#ifndef COMCH_CHANNELS_H_
#define COMCH_CHANNELS_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/list.h"
#include "base/lock.h"
#include "comch/protocol.h"
#include "comch/ring.h"
#include "common/ctx.h"

#define CHANNELS_MAX_CONSUMERS 128 /* of one side of a connection; producers are not counted */

/* A consumer of the peer's, shared by the producers of this process that send to it. */
struct channels_remote {
	struct list link; /* in the channels' remotes */
	_Atomic unsigned num_holds;
	_Atomic bool has_expired;
	uint32_t id;
	struct ring_writer *ring; /* owned */
};

/* Something to be said: a consumer of ours is there, or is no more, or one of theirs was heard of.
 */
struct channels_call {
	struct list link; /* in the outbox; a NEW_CONSUMER that was sent: in the announced */
	struct comch_frame frame;
	const int *fds;	      /* NEW_CONSUMER: borrowed from the consumer, NULL once sent */
	struct doca_ctx *ctx; /* NEW_CONSUMER: the consumer's, woken by the answer */
	/* NEW_CONSUMER: enum comch_ack, 0 until it came; release, acquired by the consumer. */
	_Atomic uint32_t answer;
};

/* A producer or a consumer that is not idle; embedded there. */
struct channels_member {
	struct list link;
	struct doca_ctx *ctx;
};

enum channels_state {
	CHANNELS_CLOSED, /* the connection is not yet established */
	CHANNELS_OPEN,
	CHANNELS_OVER,
};

struct channels {
	_Atomic unsigned num_holds;
	_Atomic bool is_over; /* release, under the lock or by who saw the peer dead; for all */
	_Atomic bool has_calls;
	unsigned num_forks; /* of this process's ancestors when it was made; constant */
	pid_t peer_pid;	    /* constant while open */

	struct lock lock; /* guards what follows */
	enum channels_state state;
	int bell_fd;	       /* the endpoint's, while open */
	uint32_t last_id;      /* of a consumer or producer of ours */
	uint32_t num_starts;   /* of consumers, ever: the next one's number */
	struct list outbox;    /* calls, oldest first; owned but for NEW_CONSUMER */
	struct list announced; /* calls of consumers; each is its consumer's */
	struct list members;
	struct list remotes; /* one hold each */
	unsigned num_remotes;
	unsigned num_acks; /* in the outbox */
};

/* NULL without memory; held once. */
struct channels *channels_create(bool is_server);
void channels_hold(struct channels *channels);
void channels_put(struct channels *channels);

/* --- The thread of the server or client --- */

/* The connection is established; the bell is rung when there is something to say. */
void channels_open(struct channels *channels, int bell_fd, pid_t peer_pid);

/* The connection is over: nothing more is said, the bell is not rung, all members are woken. */
void channels_end(struct channels *channels);

static inline bool channels_have_calls(const struct channels *channels)
{
	return atomic_load_explicit(&channels->has_calls, memory_order_acquire);
}

/*
 * Say what there is to say, each by that function, until it gives an error, which is returned: it
 * gets the frame and COMCH_NUM_FDS descriptors or NULL.
 */
int channels_say(struct channels *channels,
		 int (*send)(void *who, const struct comch_frame *frame, const int *fds),
		 void *who);

/*
 * The peer's word about a consumer, and the descriptors beside it, which are taken over if
 * *num_fds becomes 0. PROTOCOL_CONSUMER: the user is told; PROTOCOL_NOTED: nobody is;
 * PROTOCOL_BROKEN: *why is a few words for a log line.
 */
enum protocol_verdict channels_hear(struct channels *channels, const struct comch_frame *frame,
				    const int *fds, unsigned *num_fds, const char **why);

/* A context is not idle. */
bool channels_are_used(struct channels *channels);

/* --- Any thread --- */

/* The connection is over, or the peer known to be dead. */
static inline bool channels_are_over(const struct channels *channels)
{
	return atomic_load_explicit(&channels->is_over, memory_order_acquire);
}

/* They are the process's that this one was forked from, which alone uses them. */
bool channels_are_inherited(const struct channels *channels);

/* A number for a consumer or a producer; 0: the connection is not open. */
uint32_t channels_draw_id(struct channels *channels);

/* A context starts: false when the connection is over. And it is idle. */
bool channels_join(struct channels *channels, struct channels_member *member, struct doca_ctx *ctx);
void channels_leave(struct channels *channels, struct channels_member *member);

/*
 * A consumer says that it is there, and with what descriptors, which it keeps open; NULL without
 * memory. What comes back is its own until it withdraws, which says that it is no more.
 */
struct channels_call *channels_announce(struct channels *channels, uint32_t id, const int *fds,
					struct doca_ctx *ctx);
void channels_withdraw(struct channels *channels, struct channels_call *call);

/* A consumer of the peer's, held, or NULL. */
struct channels_remote *channels_find(struct channels *channels, uint32_t id);
void remote_hold(struct channels_remote *remote);
void remote_put(struct channels_remote *remote);

static inline bool remote_has_expired(const struct channels_remote *remote)
{
	return atomic_load_explicit(&remote->has_expired, memory_order_acquire);
}

/* Somebody has seen that the peer is no more. */
static inline void channels_note_end(struct channels *channels)
{
	atomic_store_explicit(&channels->is_over, true, memory_order_release);
}

#endif /* COMCH_CHANNELS_H_ */
