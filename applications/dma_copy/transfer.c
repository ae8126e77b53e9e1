/* SPDX-License-Identifier: Apache-2.0 */
/* Windows in this process: where their bytes are, and how they get to the ring or come from it. */
#include "transfer.h"

char *transfer_bytes(const struct transfer *transfer, uint64_t number, bool is_sender)
{
	uint64_t slot = number % transfer->num_windows;

	if (transfer->session == NULL)
		return transfer->ring + slot * transfer->window_size;
	return is_sender ? transfer->session->windows[slot].source_bytes
			 : transfer->session->windows[slot].target_bytes;
}

size_t *transfer_len(struct transfer *transfer, uint64_t number)
{
	return &transfer->lens[number % transfer->num_windows];
}

static struct dma_window *window_at(const struct transfer *transfer, uint64_t number)
{
	return &transfer->session->windows[number % transfer->num_windows];
}

/* The host half's bytes are in the ring: there is nothing to move. */
bool transfer_submit(struct transfer *transfer, uint64_t number)
{
	if (transfer->session == NULL)
		return true;
	window_at(transfer, number)->len = *transfer_len(transfer, number);
	return dma_window_submit(transfer->session, window_at(transfer, number));
}

bool transfer_wait(struct transfer *transfer, uint64_t number)
{
	return transfer->session == NULL ||
	       dma_window_wait(transfer->session, window_at(transfer, number));
}
