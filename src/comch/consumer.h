/* SPDX-License-Identifier: Apache-2.0 */
/* The consumer: a ring that the peer's producers write to, and the receives posted there. */
#ifndef COMCH_CONSUMER_H_
#define COMCH_CONSUMER_H_

#include <doca_comch_consumer.h>

#include "comch/party.h"

struct doca_comch_consumer_task_post_recv {
	struct doca_task base; /* first: a receive is its task */
	struct doca_buf *buf;  /* the user's; NULL: for immediate data alone */
	uint32_t capacity_bytes;

	/* Of the message, once done. */
	uint32_t producer_id;
	uint32_t imm_bytes;
	uint8_t imm[RING_MAX_IMM_BYTES];
};

struct doca_comch_consumer {
	struct party base;	/* first: a consumer is its party */
	struct doca_mmap *mmap; /* held: only compared, and by its address */
	uint32_t max_imm_bytes;

	/* From start to idle. */
	struct ring_reader *ring; /* owned */
	struct channels_call
		*call; /* owned: the peer knows of us; NULL once it has been told otherwise */
	uint64_t starting_ns;	   /* since when it is seen to be starting, 0: not yet */
	bool has_warned;	   /* that nobody answers */
	struct engine_fifo posted; /* tasks, in the order of the ring's receives */
};

/* ctx_ops of the task, in task_post_recv.c. */
doca_error_t post_recv_prepare(struct doca_task *base, bool is_strict);
void post_recv_keep(struct doca_task *base);
void post_recv_complete(struct doca_task *base);

/* The next message goes into the oldest receive, whose task is done; what ring_take says. */
enum ring_verdict post_recv_take(struct doca_comch_consumer *consumer);

#endif /* COMCH_CONSUMER_H_ */
