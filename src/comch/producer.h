/* SPDX-License-Identifier: Apache-2.0 */
/* The producer: it writes messages to the rings of the peer's consumers. */
#ifndef COMCH_PRODUCER_H_
#define COMCH_PRODUCER_H_

#include <doca_comch_producer.h>

#include "comch/party.h"

struct doca_comch_producer_task_send {
	struct doca_task base;	    /* first: a send is its task */
	const struct doca_buf *buf; /* the user's; NULL: immediate data alone */
	uint8_t *imm;		    /* the user's, read in submit */
	uint32_t imm_bytes;
	uint32_t consumer_id;
};

/* A consumer that had no room when asked last. */
struct producer_refusal {
	struct channels_remote *remote; /* held */
	bool was_waited_for;		/* somebody has asked since to be woken */
};

struct doca_comch_producer {
	struct party base; /* first: a producer is its party */

	/* From start to idle. */
	struct channels_remote *remote; /* held: the consumer sent to last; NULL: none yet */

	/*
	 * Whoever waits for the progress engine waits for them; once he has been woken he submits
	 * again or not: progress forgets those.
	 */
	struct producer_refusal refused[CHANNELS_MAX_CONSUMERS];
	unsigned num_refused;
	bool has_bells; /* of those that were waited for, in the party's epoll */
};

/* ctx_ops of the task, in task_producer_send.c. */
doca_error_t producer_send_prepare(struct doca_task *base, bool is_strict);
void producer_send_complete(struct doca_task *base);
void producer_send_conclude(struct doca_task *base);

/* A consumer has no room, or has taken a message. */
void producer_note_refusal(struct doca_comch_producer *producer, struct channels_remote *remote);
void producer_forget_refusal(struct doca_comch_producer *producer,
			     const struct channels_remote *remote);

#endif /* COMCH_PRODUCER_H_ */
