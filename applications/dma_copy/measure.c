/* SPDX-License-Identifier: Apache-2.0 */
/* What the windows in the ring cost by DMA, and windows of this process by memcpy. */
#include <string.h>

#include "transfer.h"

bool transfer_measure(struct transfer *transfer, uint32_t num)
{
	struct dma_session *session = transfer->session;
	size_t size = transfer->window_size;

	/* Made as the windows are, so that memcpy has it as easy. */
	if (transfer->spare.bytes == NULL &&
	    !dma_memory_open(&transfer->spare, session->dev, transfer->num_windows * size,
			     DOCA_ACCESS_FLAG_LOCAL_READ_ONLY))
		return false;
	/* memcpy cannot reach the other process: it gets the same bytes in this one. What DMA
	 * brings anew is compared with them, so that it must not be there already. */
	for (uint32_t i = 0; i < num; i++) {
		struct dma_window *window = &session->windows[i];

		window->local_bytes =
			memcpy(transfer->spare.bytes + i * size, window->target_bytes, window->len);
		memset(window->target_bytes, ~window->local_bytes[0], window->len);
	}
	return bench_windows(&transfer->bench, session, num);
}
