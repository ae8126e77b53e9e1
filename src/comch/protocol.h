/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one side of a connection knows of the conversation: which frame may come now, how many
 * messages may be on their way. No sockets, no objects: bytes in, a verdict out.
 */
#ifndef COMCH_PROTOCOL_H_
#define COMCH_PROTOCOL_H_

#include <stdbool.h>

#include "wire/comch.h"

enum protocol_state {
	PROTOCOL_HELLO_AWAITED,	 /* a server: the client has said nothing yet */
	PROTOCOL_ANSWER_AWAITED, /* a client that has said HELLO */
	PROTOCOL_OPEN,
	PROTOCOL_OVER, /* refused, closed, or against the rules: nothing more is taken */
};

enum protocol_verdict {
	PROTOCOL_GREETED,  /* a server that wants the client: answer ACCEPT */
	PROTOCOL_UNWANTED, /* a server that does not: answer REJECT with frame->reject */
	PROTOCOL_ACCEPTED, /* a client's connection is open */
	PROTOCOL_REJECTED, /* frame->reject says why */
	PROTOCOL_MESSAGE,  /* frame->data */
	PROTOCOL_RECEIPT,  /* messages of ours were taken */
	PROTOCOL_CONSUMER, /* a word about a consumer: frame->type says which */
	PROTOCOL_CLOSED,   /* in order */
	PROTOCOL_BROKEN,   /* against the rules; *why is a few words for a log line */

	/* Of connection_take alone. */
	PROTOCOL_SILENT, /* no packet is there */
	PROTOCOL_NOTED,	 /* a word about a consumer that the user does not hear of */
	PROTOCOL_DEAD,	 /* the end came without a farewell */
};

struct protocol {
	enum protocol_state state;
	uint32_t max_msg_bytes; /* ours; once open the smaller of both sides' */
	uint32_t recv_queue;	/* ours */
	uint32_t peer_queue;	/* known once open */
	uint32_t num_sendable;	/* messages that we may send now */
	uint32_t num_awaited;	/* messages that the peer may send now */
	uint32_t num_owed;	/* messages taken, of which the peer does not know */
};

void protocol_init(struct protocol *protocol, enum protocol_state state, uint32_t max_msg_bytes,
		   uint32_t recv_queue);

/* The peer's next packet. A server wants HELLO with its name; the name is not looked at later. */
enum protocol_verdict protocol_take(struct protocol *protocol, const char *name, const void *bytes,
				    size_t len_bytes, struct comch_frame *frame, const char **why);

/* A message of ours was sent, or a receipt for what is owed. */
void protocol_sent_message(struct protocol *protocol);
void protocol_sent_receipt(struct protocol *protocol);

/* What is owed is best said now: the peer may be near its end. */
static inline bool protocol_is_receipt_due(const struct protocol *protocol)
{
	return protocol->num_owed != 0 && protocol->num_owed >= protocol->num_awaited;
}

#endif /* COMCH_PROTOCOL_H_ */
