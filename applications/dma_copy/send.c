/* SPDX-License-Identifier: Apache-2.0 */
/* The sender: reads windows of the file, brings them into the ring, and announces each. */
#include <string.h>

#include "common/file.h"
#include "common/report.h"

#include "transfer.h"

#define MAX_IN_FLIGHT 4 /* copies by DMA while the next windows are read */

struct sender {
	struct transfer *transfer;
	struct source_file source;
	struct sha256 sha256; /* of what was read */
	uint64_t num_read;    /* windows, the last of which may be on their way to the ring */
	bool at_end;	      /* of the file */
};

static bool window_read(struct sender *sender)
{
	struct transfer *transfer = sender->transfer;
	uint64_t number = sender->num_read;
	char *bytes = transfer_bytes(transfer, number, true);
	size_t *len = transfer_len(transfer, number);

	if (!source_read(&sender->source, bytes, transfer->window_size, len) ||
	    !sha256_add(&sender->sha256, bytes, *len))
		return false;
	sender->at_end = *len < transfer->window_size;
	if (*len == 0)
		return true;
	sender->num_read++;
	return transfer_submit(transfer, number);
}

/* The oldest window that is read is in the ring: say so. */
static bool window_announce(struct sender *sender)
{
	struct transfer *transfer = sender->transfer;
	uint64_t number = transfer->num_filled;
	struct message message = {
		.type = MESSAGE_FILLED, .number = number, .len = *transfer_len(transfer, number)};

	if (!transfer_wait(transfer, number))
		return false;
	transfer->num_filled++;
	return link_send(transfer->link, &message);
}

/* The receiver takes windows in the order of the file. */
static bool window_release(struct sender *sender)
{
	struct transfer *transfer = sender->transfer;
	struct message message;

	if (!link_receive_one(transfer->link, MESSAGE_EMPTIED, &message))
		return false;
	if (message.number != transfer->num_emptied || message.number >= transfer->num_filled) {
		complain("the %s took a window that is not there", transfer->link->peer);
		return false;
	}
	transfer->len += *transfer_len(transfer, transfer->num_emptied++);
	progress_bar_update(&transfer->bar, transfer->len);
	return true;
}

/* Read on while the ring has room; announce what is in it; wait for room. Until all is announced.
 */
static bool windows_send(struct sender *sender)
{
	const struct transfer *transfer = sender->transfer;
	uint64_t max_in_flight = transfer->session == NULL ? 1 : MAX_IN_FLIGHT;
	bool success = true;

	while (success && (!sender->at_end || transfer->num_filled < sender->num_read)) {
		bool is_full = sender->num_read - transfer->num_emptied == transfer->num_windows;
		uint64_t in_flight = sender->num_read - transfer->num_filled;

		if (!sender->at_end && !is_full && in_flight < max_in_flight)
			success = window_read(sender);
		else if (in_flight > 0)
			success = window_announce(sender);
		else
			success = window_release(sender);
	}
	return success;
}

/* The last window is announced: say so, and what all of them should be. */
static bool end_announce(struct sender *sender)
{
	struct transfer *transfer = sender->transfer;
	struct message message = {.type = MESSAGE_END, .extra_len = sizeof(transfer->digest.chars)};

	memcpy(message.extra, transfer->digest.chars, sizeof(transfer->digest.chars));
	return source_unchanged(&sender->source) && link_send(transfer->link, &message);
}

/* What is left in the ring is taken; then the receiver says what its copy is. */
static bool done_hear(struct sender *sender)
{
	struct transfer *transfer = sender->transfer;
	struct message message;

	while (transfer->num_emptied < transfer->num_filled) {
		if (!window_release(sender))
			return false;
	}
	progress_bar_end(&transfer->bar, transfer->len);
	if (!link_receive_one(transfer->link, MESSAGE_DONE, &message))
		return false;
	if (message.extra_len == sizeof(transfer->digest.chars) &&
	    memcmp(message.extra, transfer->digest.chars, message.extra_len) == 0)
		return true;
	complain("the %s has a copy with another sha256", transfer->link->peer);
	return false;
}

bool transfer_send(struct transfer *transfer, const char *path)
{
	struct sender sender = {.transfer = transfer};
	bool success;

	if (!source_open(&sender.source, path))
		return false;
	success = sha256_start(&sender.sha256);
	if (success) {
		progress_bar_start(&transfer->bar, "sending", transfer->total);
		success = windows_send(&sender);
		transfer->digest = sha256_end(&sender.sha256);
	}
	success = success && end_announce(&sender) && done_hear(&sender);
	source_close(&sender.source);
	return success;
}
