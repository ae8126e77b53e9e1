/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver: takes windows out of the ring, writes the file, and proves it before it has its
 * name. */
#include <string.h>

#include "common/file.h"
#include "common/report.h"

#include "transfer.h"

struct receiver {
	struct transfer *transfer;
	struct target_file target;
	bool at_end;		      /* the sender has announced its last window */
	struct sha256_text announced; /* the sender's, then */
};

static bool filled(struct receiver *receiver, const struct message *message)
{
	struct transfer *transfer = receiver->transfer;

	if (receiver->at_end || message->number != transfer->num_filled || message->len == 0 ||
	    message->len > transfer->window_size ||
	    transfer->num_filled - transfer->num_emptied == transfer->num_windows) {
		complain("the %s filled a window that it may not", transfer->link->peer);
		return false;
	}
	transfer->num_filled++;
	*transfer_len(transfer, message->number) = message->len;
	return transfer_submit(transfer, message->number);
}

static bool hear(struct receiver *receiver)
{
	struct message message;

	if (!link_receive(receiver->transfer->link, &message))
		return false;
	if (message.type == MESSAGE_FILLED)
		return filled(receiver, &message);
	if (message.type != MESSAGE_END || message.extra_len != sizeof(receiver->announced.chars)) {
		complain("the %s sent message %u where a window is due",
			 receiver->transfer->link->peer, message.type);
		return false;
	}
	receiver->at_end = true;
	memcpy(receiver->announced.chars, message.extra, sizeof(receiver->announced.chars));
	receiver->announced.chars[sizeof(receiver->announced.chars) - 1] = '\0';
	return true;
}

/* The bytes of the oldest window are this half's: write them. */
static bool window_write(struct receiver *receiver, uint64_t number)
{
	struct transfer *transfer = receiver->transfer;
	size_t len = *transfer_len(transfer, number);

	if (!transfer_wait(transfer, number))
		return false;
	transfer->len += len;
	return target_write(&receiver->target, transfer_bytes(transfer, number, false), len);
}

static bool window_release(struct receiver *receiver)
{
	struct transfer *transfer = receiver->transfer;
	struct message message = {.type = MESSAGE_EMPTIED, .number = transfer->num_emptied++};

	progress_bar_update(&transfer->bar, transfer->len);
	return link_send(transfer->link, &message);
}

/* Write what is in the ring; measure it while it is still there. */
static bool windows_take(struct receiver *receiver, uint32_t num)
{
	struct transfer *transfer = receiver->transfer;

	for (uint32_t i = 0; i < num; i++) {
		if (!window_write(receiver, transfer->num_emptied + i))
			return false;
	}
	if (transfer->is_measured && !transfer_measure(transfer, num))
		return false;
	for (uint32_t i = 0; i < num; i++) {
		if (!window_release(receiver))
			return false;
	}
	return true;
}

static bool windows_receive(struct receiver *receiver)
{
	struct transfer *transfer = receiver->transfer;
	bool success = true;

	while (success && (!receiver->at_end || transfer->num_emptied < transfer->num_filled)) {
		uint32_t in_ring = (uint32_t)(transfer->num_filled - transfer->num_emptied);
		/* Measured is a whole ring, or what is left. */
		bool wants_more =
			!receiver->at_end && in_ring < transfer->num_windows &&
			(transfer->is_measured || in_ring == 0 || link_has_message(transfer->link));

		if (wants_more)
			success = hear(receiver);
		else
			success = windows_take(receiver, transfer->is_measured ? in_ring : 1);
	}
	return success;
}

static bool file_receive(struct receiver *receiver, const char *path)
{
	struct transfer *transfer = receiver->transfer;

	progress_bar_start(&transfer->bar, "receiving", transfer->total);
	if (!windows_receive(receiver))
		return false;
	progress_bar_end(&transfer->bar, transfer->len);
	return transfer_prove(transfer, &receiver->target, &receiver->announced) &&
	       target_commit(&receiver->target) && transfer_tell(transfer, path);
}

bool transfer_receive(struct transfer *transfer, const char *path)
{
	struct receiver receiver = {.transfer = transfer};
	bool success;

	if (!target_open(&receiver.target, path, NULL))
		return false;
	success = file_receive(&receiver, path);
	target_discard(&receiver.target);
	return success;
}
