/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of a comch connection, one a packet, little endian: a head (length of what follows it,
 * type, flags, which are 0), then what the type says. A client opens with HELLO, the server answers
 * ACCEPT or REJECT, and from then on both send DATA, CREDIT and at the end CLOSE. Beside them go
 * words about consumers of the fast path: NEW_CONSUMER, with descriptors, its CONSUMER_ACK, and
 * EXPIRED_CONSUMER.
 */
#ifndef WIRE_COMCH_H_
#define WIRE_COMCH_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define COMCH_VERSION 3
#define COMCH_MAX_MSG_BYTES 4080
#define COMCH_MAX_RECV_QUEUE 8192
#define COMCH_NAME_BYTES 120 /* of the longest name, with its NUL */

#define COMCH_NUM_FDS 3 /* beside NEW_CONSUMER, and no other frame */

#define COMCH_HEAD_BYTES 8
#define COMCH_HELLO_BYTES 16 /* behind the head, before the name */
/* The longest frame but for DATA, and the longest of all. */
#define COMCH_CONTROL_BYTES (COMCH_HEAD_BYTES + COMCH_HELLO_BYTES + COMCH_NAME_BYTES - 1)
#define COMCH_FRAME_BYTES (COMCH_HEAD_BYTES + COMCH_MAX_MSG_BYTES)

enum comch_type {
	COMCH_HELLO = 1,
	COMCH_ACCEPT = 2,
	COMCH_REJECT = 3,
	COMCH_DATA = 4,
	COMCH_CREDIT = 5,
	COMCH_CLOSE = 6,
	COMCH_NEW_CONSUMER = 7,
	COMCH_CONSUMER_ACK = 8,
	COMCH_EXPIRED_CONSUMER = 9,
};

/* Why a server does not want a client. */
enum comch_reject {
	COMCH_REJECT_VERSION = 1,
	COMCH_REJECT_NAME = 2,	     /* the server at this address has another */
	COMCH_REJECT_PERMISSION = 3, /* not this user */
	COMCH_REJECT_FULL = 4,	     /* too many clients for now */
};

/* What becomes of a consumer that was announced. */
enum comch_ack {
	COMCH_ACK_TAKEN = 1,   /* it can be sent to */
	COMCH_ACK_FULL = 2,    /* too many consumers */
	COMCH_ACK_REFUSED = 3, /* its segment is none, or cannot be mapped */
};

struct comch_frame {
	enum comch_type type;
	uint32_t version;	/* HELLO; the others' fields are 0 when it is not ours */
	uint32_t max_msg_bytes; /* HELLO, ACCEPT: 1 to COMCH_MAX_MSG_BYTES */
	uint32_t recv_queue;	/* HELLO, ACCEPT: messages that may be on their way, 1 to the cap */
	char name[COMCH_NAME_BYTES]; /* HELLO */
	uint32_t reject;      /* REJECT: enum comch_reject, or a code that is not known here */
	uint32_t num_credits; /* CREDIT: messages that were taken, at least 1 */
	uint32_t consumer_id; /* NEW_CONSUMER, CONSUMER_ACK, EXPIRED_CONSUMER: not 0 */
	uint32_t start;	      /* NEW_CONSUMER, CONSUMER_ACK: which of its starts, any number */
	uint32_t ack;	      /* CONSUMER_ACK: enum comch_ack, or a code that is not known here */
	const uint8_t *data;  /* DATA: in the decoded bytes */
	uint32_t data_len_bytes; /* DATA: at least 1 */
};

/* The bytes used; of DATA the head alone, which the data follows. */
size_t comch_encode(const struct comch_frame *frame, uint8_t bytes[COMCH_CONTROL_BYTES]);

/*
 * A whole packet, from anyone. INVALID_VALUE: it is no frame; *why is a few words for a log line,
 * *frame is undefined.
 */
doca_error_t comch_decode(const void *bytes, size_t len_bytes, struct comch_frame *frame,
			  const char **why);

#endif /* WIRE_COMCH_H_ */
