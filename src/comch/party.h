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
	struct doca_ctx ctx;	   /* first: a party is its context, whose ops name its kind */
	struct channels *channels; /* held: the connection may be gone */
	struct member member;	   /* of the channels, from start to idle */
	uint32_t id;		   /* not 0 */
	struct task_pool pool;
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
