/* SPDX-License-Identifier: Apache-2.0 */
/* The end at the receiver: is what the file holds now what the sender read? */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/report.h"

#include "transfer.h"

/* Read it back, as often as a window is large, and look between two whether the sender lives. */
static bool file_digest(struct transfer *transfer, const struct target_file *target, void *bytes)
{
	struct sha256 sha256;
	uint64_t done = 0;
	size_t got = 0;
	bool success;

	if (lseek(target->fd, 0, SEEK_SET) != 0) {
		complain("cannot go back to the start of %s: %m", target->path);
		return false;
	}
	if (!sha256_start(&sha256))
		return false;
	do {
		(void)link_has_message(transfer->link);
		success = link_check(transfer->link) &&
			  file_read(target->fd, target->path, bytes, transfer->window_size, &got) &&
			  sha256_add(&sha256, bytes, got);
		done += got;
		progress_bar_update(&transfer->bar, done);
	} while (success && got == transfer->window_size);
	transfer->digest = sha256_end(&sha256);
	return success;
}

bool transfer_prove(struct transfer *transfer, const struct target_file *target,
		    const struct sha256_text *announced)
{
	void *bytes = malloc(transfer->window_size);
	bool success;

	if (bytes == NULL) {
		complain("cannot allocate %s: %m", text_of_size(transfer->window_size).chars);
		return false;
	}
	progress_bar_start(&transfer->bar, "proving", transfer->len);
	success = file_digest(transfer, target, bytes);
	free(bytes);
	if (!success)
		return false;
	progress_bar_end(&transfer->bar, transfer->len);
	if (strcmp(transfer->digest.chars, announced->chars) == 0)
		return true;
	complain("the copy differs from what the %s read: sha256 %s, not %s", transfer->link->peer,
		 transfer->digest.chars, announced->chars);
	return false;
}

bool transfer_tell(struct transfer *transfer, const char *path)
{
	struct message message = {.type = MESSAGE_DONE,
				  .extra_len = sizeof(transfer->digest.chars)};

	memcpy(message.extra, transfer->digest.chars, sizeof(transfer->digest.chars));
	if (link_send(transfer->link, &message))
		return true;
	complain("%s is whole, but the %s has not heard it", path, transfer->link->peer);
	return false;
}
