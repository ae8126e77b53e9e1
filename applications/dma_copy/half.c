/* SPDX-License-Identifier: Apache-2.0 */
/* What the two roles share: who sends, what is told in the end. */
#include "half.h"

#include <stdio.h>
#include <sys/stat.h>

#include "common/report.h"

bool half_offer(struct message *offer, enum message_type type,
		const struct dma_copy_options *options)
{
	struct stat info = {.st_size = 0};

	*offer = (struct message){.type = type, .is_sender = options->send != NULL};
	if (options->send != NULL && stat(options->send, &info) != 0) {
		complain("cannot look at %s: %m", options->send);
		return false;
	}
	offer->len = (uint64_t)info.st_size;
	return true;
}

bool half_agree(struct transfer *transfer, const struct dma_copy_options *options,
		const struct message *offer)
{
	bool is_sender = options->send != NULL;

	if (is_sender == (offer->is_sender != 0)) {
		complain("this half and the %s both want to %s", transfer->link->peer,
			 is_sender ? "send" : "receive");
		return false;
	}
	if (!is_sender)
		transfer->total = offer->len;
	return true;
}

static void print_line(const struct transfer *transfer, const struct dma_copy_options *options)
{
	bool is_sender = options->send != NULL;

	printf("%s %s %s the %s: %s in %s of %s, sha256 %s of both\n",
	       is_sender ? "sent" : "received", is_sender ? options->send : options->receive,
	       is_sender ? "to" : "from", transfer->link->peer, text_of_bytes(transfer->len).chars,
	       text_of_windows(transfer->num_filled).chars,
	       text_of_size(transfer->window_size).chars, transfer->digest.chars);
}

static void print_table(struct transfer *transfer, const struct dma_copy_options *options)
{
	struct bench_result result = bench_sum_up(&transfer->bench);

	printf("received %s (%s) in %s of %s from the %s\n", options->receive,
	       text_of_bytes(transfer->len).chars, text_of_windows(transfer->num_filled).chars,
	       text_of_size(transfer->window_size).chars, transfer->link->peer);
	bench_print(&result);
	printf("  %-6s  %s   %s and copy agree\n", "sha256", transfer->digest.chars,
	       transfer->link->peer);
}

bool half_transfer(struct transfer *transfer, const struct dma_copy_options *options)
{
	if (options->send != NULL ? !transfer_send(transfer, options->send)
				  : !transfer_receive(transfer, options->receive))
		return false;
	if (transfer->is_measured)
		print_table(transfer, options);
	else
		print_line(transfer, options);
	return stdout_ok();
}
