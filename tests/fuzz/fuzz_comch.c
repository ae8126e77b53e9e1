/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer of comch: the first byte says which end it talks to, and each packet of it follows as one
 * byte of length and so many bytes. What this end sends meanwhile is part of the input, too: a
 * packet of no bytes is a message or a receipt of ours.
 */
#include "fuzz/fuzz.h"

#include <stdbool.h>
#include <stdlib.h>

#include "comch/protocol.h"

#define QUEUE 4
#define MAX_MSG_BYTES 64

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static void check(const struct protocol *protocol)
{
	must(protocol->num_sendable <= protocol->peer_queue);
	must(protocol->num_awaited + protocol->num_owed <= protocol->recv_queue);
	must(protocol->max_msg_bytes >= 1 && protocol->max_msg_bytes <= MAX_MSG_BYTES);
	must(protocol->peer_queue <= COMCH_MAX_RECV_QUEUE);
}

static void speak(struct protocol *protocol)
{
	if (protocol->state != PROTOCOL_OPEN)
		return;
	if (protocol_is_receipt_due(protocol))
		protocol_sent_receipt(protocol);
	else if (protocol->num_sendable > 0)
		protocol_sent_message(protocol);
}

static void hear(struct protocol *protocol, const uint8_t *packet, size_t len_bytes)
{
	bool was_over = protocol->state == PROTOCOL_OVER;
	struct comch_frame frame;
	const char *why = NULL;
	enum protocol_verdict verdict =
		protocol_take(protocol, "fuzz", packet, len_bytes, &frame, &why);

	must((verdict == PROTOCOL_BROKEN) == (why != NULL));
	must(!was_over || verdict == PROTOCOL_BROKEN);
	if (verdict == PROTOCOL_CONSUMER)
		must(frame.consumer_id != 0);
	if (verdict == PROTOCOL_MESSAGE) {
		must(frame.data >= packet &&
		     frame.data + frame.data_len_bytes == packet + len_bytes);
		must(frame.data_len_bytes <= protocol->max_msg_bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	struct protocol protocol;

	if (size == 0)
		return 0;
	protocol_init(&protocol,
		      data[0] % 2 == 0 ? PROTOCOL_HELLO_AWAITED : PROTOCOL_ANSWER_AWAITED,
		      MAX_MSG_BYTES, QUEUE);
	data++;
	while (data < end) {
		size_t len_bytes = *data++;
		uint8_t *packet; /* exact, so that a sanitizer sees what reads on */

		if (len_bytes > (size_t)(end - data))
			len_bytes = (size_t)(end - data);
		if (len_bytes == 0) {
			speak(&protocol);
			continue;
		}
		packet = malloc(len_bytes);
		if (packet == NULL)
			return 0;
		for (size_t i = 0; i < len_bytes; i++)
			packet[i] = data[i];
		hear(&protocol, packet, len_bytes);
		check(&protocol);
		free(packet);
		data += len_bytes;
	}
	return 0;
}
