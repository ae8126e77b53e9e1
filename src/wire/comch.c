/* SPDX-License-Identifier: Apache-2.0 */
/* Comch frames in bytes. Nothing is believed before its length, its range and its flags are. */
#include "wire/comch.h"

#include <stdbool.h>
#include <string.h>

#include "wire/bytes.h"

enum offset {
	AT_LEN = 0,
	AT_TYPE = 4,
	AT_FLAGS = 6,
	AT_BODY = COMCH_HEAD_BYTES,
};

/* Of a HELLO's body, of which version and name length are the same in every version. */
enum hello_offset {
	AT_MAGIC = 0,
	AT_VERSION = 4,
	AT_NAME_LEN = 6,
	AT_HELLO_MAX_MSG = 8,
	AT_HELLO_RECV_QUEUE = 12,
	AT_NAME = COMCH_HELLO_BYTES,
};

enum accept_offset {
	AT_ACCEPT_MAX_MSG = 0,
	AT_ACCEPT_RECV_QUEUE = 4,
	ACCEPT_BYTES = 8,
};

#define NUMBER_BYTES 4	  /* of REJECT, CREDIT and EXPIRED_CONSUMER */
#define NEW_BYTES 8	  /* the consumer's number, then the start's */
#define ACK_BYTES 12	  /* the same, then the code */
#define MAGIC 0x48434353u /* "SCCH" */

static size_t encode_hello(const struct comch_frame *frame, uint8_t *body)
{
	size_t name_len = strnlen(frame->name, COMCH_NAME_BYTES - 1);

	put_le32(body + AT_MAGIC, MAGIC);
	put_le16(body + AT_VERSION, (uint16_t)frame->version);
	put_le16(body + AT_NAME_LEN, (uint16_t)name_len);
	put_le32(body + AT_HELLO_MAX_MSG, frame->max_msg_bytes);
	put_le32(body + AT_HELLO_RECV_QUEUE, frame->recv_queue);
	memcpy(body + AT_NAME, frame->name, name_len);
	return COMCH_HELLO_BYTES + name_len;
}

/* How long the body of a word about a consumer is. */
static size_t consumer_bytes(enum comch_type type)
{
	return type == COMCH_EXPIRED_CONSUMER ? NUMBER_BYTES
	       : type == COMCH_NEW_CONSUMER   ? NEW_BYTES
					      : ACK_BYTES;
}

static size_t encode_consumer(const struct comch_frame *frame, uint8_t *body)
{
	put_le32(body, frame->consumer_id);
	put_le32(body + NUMBER_BYTES, frame->start);
	put_le32(body + NEW_BYTES, frame->ack);
	return consumer_bytes(frame->type);
}

static size_t encode_body(const struct comch_frame *frame, uint8_t *body)
{
	switch (frame->type) {
	case COMCH_HELLO:
		return encode_hello(frame, body);
	case COMCH_ACCEPT:
		put_le32(body + AT_ACCEPT_MAX_MSG, frame->max_msg_bytes);
		put_le32(body + AT_ACCEPT_RECV_QUEUE, frame->recv_queue);
		return ACCEPT_BYTES;
	case COMCH_REJECT:
		put_le32(body, frame->reject);
		return NUMBER_BYTES;
	case COMCH_CREDIT:
		put_le32(body, frame->num_credits);
		return NUMBER_BYTES;
	case COMCH_NEW_CONSUMER:
	case COMCH_CONSUMER_ACK:
	case COMCH_EXPIRED_CONSUMER:
		return encode_consumer(frame, body);
	case COMCH_DATA:
	case COMCH_CLOSE:
		break;
	}
	return 0;
}

size_t comch_encode(const struct comch_frame *frame, uint8_t bytes[COMCH_CONTROL_BYTES])
{
	size_t body_len = encode_body(frame, bytes + AT_BODY);

	put_le32(bytes + AT_LEN,
		 frame->type == COMCH_DATA ? frame->data_len_bytes : (uint32_t)body_len);
	put_le16(bytes + AT_TYPE, (uint16_t)frame->type);
	put_le16(bytes + AT_FLAGS, 0);
	return COMCH_HEAD_BYTES + body_len;
}

static bool are_sizes_sound(const struct comch_frame *frame)
{
	return frame->max_msg_bytes >= 1 && frame->max_msg_bytes <= COMCH_MAX_MSG_BYTES &&
	       frame->recv_queue >= 1 && frame->recv_queue <= COMCH_MAX_RECV_QUEUE;
}

/* NULL, or what is wrong. */
static const char *decode_hello(const uint8_t *body, size_t len_bytes, struct comch_frame *frame)
{
	size_t name_len;

	if (len_bytes < COMCH_HELLO_BYTES || get_le32(body + AT_MAGIC) != MAGIC)
		return "no greeting of comch";
	frame->version = get_le16(body + AT_VERSION);
	if (frame->version != COMCH_VERSION)
		return NULL;
	name_len = get_le16(body + AT_NAME_LEN);
	frame->max_msg_bytes = get_le32(body + AT_HELLO_MAX_MSG);
	frame->recv_queue = get_le32(body + AT_HELLO_RECV_QUEUE);
	if (!are_sizes_sound(frame))
		return "a greeting with sizes out of range";
	if (name_len == 0 || name_len >= COMCH_NAME_BYTES ||
	    len_bytes != COMCH_HELLO_BYTES + name_len ||
	    memchr(body + AT_NAME, '\0', name_len) != NULL)
		return "a greeting with a name of a wrong length";
	memcpy(frame->name, body + AT_NAME, name_len);
	return NULL;
}

static const char *decode_accept(const uint8_t *body, size_t len_bytes, struct comch_frame *frame)
{
	if (len_bytes != ACCEPT_BYTES)
		return "an acceptance of a wrong length";
	frame->max_msg_bytes = get_le32(body + AT_ACCEPT_MAX_MSG);
	frame->recv_queue = get_le32(body + AT_ACCEPT_RECV_QUEUE);
	return are_sizes_sound(frame) ? NULL : "an acceptance with sizes out of range";
}

/* What is said of a consumer, which has a number. */
static const char *decode_consumer(const uint8_t *body, size_t len_bytes, struct comch_frame *frame)
{
	if (len_bytes != consumer_bytes(frame->type) || get_le32(body) == 0)
		return "a word about no consumer";
	frame->consumer_id = get_le32(body);
	if (len_bytes > NUMBER_BYTES)
		frame->start = get_le32(body + NUMBER_BYTES);
	if (len_bytes > NEW_BYTES)
		frame->ack = get_le32(body + NEW_BYTES);
	return NULL;
}

static const char *decode_body(const uint8_t *body, size_t len_bytes, struct comch_frame *frame)
{
	switch (frame->type) {
	case COMCH_HELLO:
		return decode_hello(body, len_bytes, frame);
	case COMCH_ACCEPT:
		return decode_accept(body, len_bytes, frame);
	case COMCH_REJECT:
		if (len_bytes != NUMBER_BYTES)
			return "a refusal of a wrong length";
		frame->reject = get_le32(body);
		return NULL;
	case COMCH_DATA:
		if (len_bytes == 0 || len_bytes > COMCH_MAX_MSG_BYTES)
			return "a message of a wrong length";
		frame->data = body;
		frame->data_len_bytes = (uint32_t)len_bytes;
		return NULL;
	case COMCH_CREDIT:
		if (len_bytes != NUMBER_BYTES || get_le32(body) == 0)
			return "a receipt that is none";
		frame->num_credits = get_le32(body);
		return NULL;
	case COMCH_NEW_CONSUMER:
	case COMCH_CONSUMER_ACK:
	case COMCH_EXPIRED_CONSUMER:
		return decode_consumer(body, len_bytes, frame);
	case COMCH_CLOSE:
		return len_bytes == 0 ? NULL : "a farewell with something behind it";
	}
	return "a frame of an unknown type";
}

doca_error_t comch_decode(const void *bytes, size_t len_bytes, struct comch_frame *frame,
			  const char **why)
{
	const uint8_t *head = bytes;

	*frame = (struct comch_frame){0};
	if (len_bytes < COMCH_HEAD_BYTES ||
	    get_le32(head + AT_LEN) != len_bytes - COMCH_HEAD_BYTES) {
		*why = "a packet whose length is not what it says";
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (get_le16(head + AT_FLAGS) != 0) {
		*why = "a frame with unknown flags";
		return DOCA_ERROR_INVALID_VALUE;
	}
	frame->type = (enum comch_type)get_le16(head + AT_TYPE);
	*why = decode_body(head + AT_BODY, len_bytes - COMCH_HEAD_BYTES, frame);
	return *why == NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}
