/* SPDX-License-Identifier: Apache-2.0 */
/* The conversation on a connection. */
#include "comch/protocol.h"

#include <assert.h>
#include <string.h>

void protocol_init(struct protocol *protocol, enum protocol_state state, uint32_t max_msg_bytes,
		   uint32_t recv_queue)
{
	*protocol = (struct protocol){
		.state = state,
		.max_msg_bytes = max_msg_bytes,
		.recv_queue = recv_queue,
	};
}

static void open_conversation(struct protocol *protocol, const struct comch_frame *frame)
{
	protocol->state = PROTOCOL_OPEN;
	if (frame->max_msg_bytes < protocol->max_msg_bytes)
		protocol->max_msg_bytes = frame->max_msg_bytes;
	protocol->peer_queue = frame->recv_queue;
	protocol->num_sendable = frame->recv_queue;
	protocol->num_awaited = protocol->recv_queue;
}

static enum protocol_verdict take_hello(struct protocol *protocol, const char *name,
					struct comch_frame *frame, const char **why)
{
	if (frame->type != COMCH_HELLO) {
		*why = "not a greeting first";
		return PROTOCOL_BROKEN;
	}
	if (frame->version != COMCH_VERSION)
		frame->reject = COMCH_REJECT_VERSION;
	else if (strcmp(frame->name, name) != 0)
		frame->reject = COMCH_REJECT_NAME;
	if (frame->reject != 0)
		return PROTOCOL_UNWANTED;
	open_conversation(protocol, frame);
	return PROTOCOL_GREETED;
}

static enum protocol_verdict take_answer(struct protocol *protocol, const struct comch_frame *frame,
					 const char **why)
{
	if (frame->type == COMCH_REJECT)
		return PROTOCOL_REJECTED;
	if (frame->type != COMCH_ACCEPT) {
		*why = "not an answer to the greeting first";
		return PROTOCOL_BROKEN;
	}
	open_conversation(protocol, frame);
	return PROTOCOL_ACCEPTED;
}

static enum protocol_verdict take_message(struct protocol *protocol,
					  const struct comch_frame *frame, const char **why)
{
	if (frame->data_len_bytes > protocol->max_msg_bytes) {
		*why = "a message longer than both sides allow";
		return PROTOCOL_BROKEN;
	}
	if (protocol->num_awaited == 0) {
		*why = "more messages than the receive queue has room for";
		return PROTOCOL_BROKEN;
	}
	protocol->num_awaited--;
	protocol->num_owed++;
	return PROTOCOL_MESSAGE;
}

static enum protocol_verdict take_open(struct protocol *protocol, const struct comch_frame *frame,
				       const char **why)
{
	switch (frame->type) {
	case COMCH_DATA:
		return take_message(protocol, frame, why);
	case COMCH_CREDIT:
		if (frame->num_credits > protocol->peer_queue - protocol->num_sendable) {
			*why = "a receipt for more messages than were sent";
			return PROTOCOL_BROKEN;
		}
		protocol->num_sendable += frame->num_credits;
		return PROTOCOL_RECEIPT;
	case COMCH_NEW_CONSUMER:
	case COMCH_CONSUMER_ACK:
	case COMCH_EXPIRED_CONSUMER:
		return PROTOCOL_CONSUMER;
	case COMCH_CLOSE:
		return PROTOCOL_CLOSED;
	case COMCH_HELLO:
	case COMCH_ACCEPT:
	case COMCH_REJECT:
		break;
	}
	*why = "a second greeting";
	return PROTOCOL_BROKEN;
}

static enum protocol_verdict take_frame(struct protocol *protocol, const char *name,
					struct comch_frame *frame, const char **why)
{
	switch (protocol->state) {
	case PROTOCOL_HELLO_AWAITED:
		return take_hello(protocol, name, frame, why);
	case PROTOCOL_ANSWER_AWAITED:
		return take_answer(protocol, frame, why);
	case PROTOCOL_OPEN:
		return take_open(protocol, frame, why);
	case PROTOCOL_OVER:
		break;
	}
	*why = "a frame behind the last one";
	return PROTOCOL_BROKEN;
}

enum protocol_verdict protocol_take(struct protocol *protocol, const char *name, const void *bytes,
				    size_t len_bytes, struct comch_frame *frame, const char **why)
{
	enum protocol_verdict verdict = PROTOCOL_BROKEN;

	if (comch_decode(bytes, len_bytes, frame, why) == DOCA_SUCCESS)
		verdict = take_frame(protocol, name, frame, why);
	if (verdict == PROTOCOL_UNWANTED || verdict == PROTOCOL_REJECTED ||
	    verdict == PROTOCOL_CLOSED || verdict == PROTOCOL_BROKEN)
		protocol->state = PROTOCOL_OVER;
	return verdict;
}

void protocol_sent_message(struct protocol *protocol)
{
	assert(protocol->state == PROTOCOL_OPEN && protocol->num_sendable > 0);
	protocol->num_sendable--;
}

void protocol_sent_receipt(struct protocol *protocol)
{
	protocol->num_awaited += protocol->num_owed;
	protocol->num_owed = 0;
}
