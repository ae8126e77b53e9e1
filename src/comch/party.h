/* SPDX-License-Identifier: Apache-2.0 */
/* What a producer and a consumer have in common. */
#ifndef COMCH_PARTY_H_
#define COMCH_PARTY_H_

#include "comch/channels.h"
#include "comch/connection.h"
#include "common/buf.h"
#include "common/library.h"

#define PARTY_MAX_TASKS RING_MAX_RECVS
#define PARTY_MAX_LIST_LEN 64

struct party {
	struct doca_ctx ctx;	       /* first: a party is its context, whose ops name its kind */
	struct channels *channels;     /* held: the connection may be gone */
	struct channels_member member; /* of the channels, from start to idle */
	uint32_t id;		       /* not 0 */
	struct task_pool pool;

	/* From start to idle. */
	int wait_fd;	    /* owned: an epoll, which the progress engine's handle watches */
	int peer_fd;	    /* owned, in it: a pidfd of the peer's; -1: the kernel gives none */
	uint64_t looked_ns; /* when it last saw whether the peer is there */
};

static inline struct party *party_of(struct doca_ctx *ctx)
{
	return (struct party *)ctx;
}

/*
 * On the heap, so many bytes, all zero but for the party at their beginning. BAD_STATE: the
 * connection is not established, or no more. NO_MEMORY.
 */
doca_error_t party_create(struct doca_comch_connection *connection, const struct ctx_ops *ops,
			  size_t size_bytes, struct party **party);

/* IN_USE, and nothing happens, for one that is not idle; with a line in the log. */
doca_error_t party_destroy(struct log_place place, struct party *party);

/* What start checks and makes: tasks, a place in the channels, until party_end. */
doca_error_t party_start(struct party *party);
void party_end(struct party *party);

/* That descriptor, too, wakes who waits, by events of epoll; negative errno. */
int party_watch(const struct party *party, int fd, uint32_t events);

/*
 * Nothing is to be done: look, not too often, whether the peer is there. So are the channels over
 * when it is dead, or has hung up the line to it, -1: none.
 */
void party_look(struct party *party, int line_fd);

/* BAD_STATE, with a line in the log, for a party of the process that this one was forked from. */
doca_error_t party_refuse_inherited(const struct party *party);

static inline bool party_is_inherited(const struct party *party)
{
	return channels_are_inherited(party->channels);
}

/* What a list of buffers holds. */
struct party_list {
	size_t num_bytes;  /* valid */
	size_t room_bytes; /* behind the valid ones */
};

/*
 * Whether a submit can take a list of buffers, each in memory of this process, and in that map
 * unless it is NULL; INVALID_VALUE with a line in the log.
 */
doca_error_t party_measure(const struct party *party, const struct doca_buf *head,
			   const struct doca_mmap *mmap, struct party_list *list);

#endif /* COMCH_PARTY_H_ */
