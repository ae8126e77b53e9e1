/* SPDX-License-Identifier: Apache-2.0 */
/* The DPU half: waits for the host half, imports its ring, and copies to or from it by DMA. */
#include "half.h"

#include "common/report.h"

struct dpu {
	struct dma_session session; /* its engine serves comch too */
	struct link link;
	struct transfer transfer;
};

/* What the host half wants, and what shall be: as many windows as the file needs. */
static bool negotiate(struct dpu *dpu, const struct dma_copy_options *options)
{
	struct dma_session *session = &dpu->session;
	struct transfer *transfer = &dpu->transfer;
	struct message offer, answer;

	if (!half_offer(&answer, MESSAGE_ANSWER, options) ||
	    !link_receive_one(&dpu->link, MESSAGE_OFFER, &offer))
		return false;
	transfer->total = answer.len;
	if (!half_agree(transfer, options, &offer))
		return false;
	if (offer.window_size == 0) {
		complain("the host half wants windows of no bytes");
		return false;
	}
	if (session->window_size > offer.window_size)
		session->window_size = offer.window_size;
	dma_session_limit(session, transfer->total);
	transfer->window_size = session->window_size;
	transfer->num_windows = session->num_windows;
	answer.window_size = (uint32_t)session->window_size;
	answer.num_windows = session->num_windows;
	return link_send(&dpu->link, &answer);
}

static bool ring_import(struct dpu *dpu, const struct dma_copy_options *options)
{
	struct dma_session *session = &dpu->session;
	size_t len = session->num_windows * session->window_size;
	bool is_sender = options->send != NULL;
	struct dma_memory *ring = is_sender ? &session->target : &session->source;
	struct dma_memory *own = is_sender ? &session->source : &session->target;
	struct message message;

	if (!link_receive_one(&dpu->link, MESSAGE_MEMORY, &message))
		return false;
	if (message.len != len) {
		complain("the host half has %s of memory where %zu bytes are due",
			 text_of_bytes(message.len).chars, len);
		return false;
	}
	return dma_memory_import(ring, session->dev, message.extra, message.extra_len,
				 (void *)(uintptr_t)message.address, len) &&
	       dma_memory_open(own, session->dev, len,
			       is_sender ? DOCA_ACCESS_FLAG_LOCAL_READ_ONLY
					 : DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) &&
	       dma_session_start(session);
}

static bool work(struct dpu *dpu, const struct dma_copy_options *options)
{
	bool success;

	dpu->transfer.link = &dpu->link;
	dpu->transfer.session = &dpu->session;
	dpu->transfer.is_measured = options->bench;
	if (!link_open_server(&dpu->link, dpu->session.dev, dpu->session.pe, options->rep_pci_addr,
			      options->name) ||
	    !link_connect(&dpu->link))
		return false;
	success = negotiate(dpu, options) && ring_import(dpu, options) &&
		  half_transfer(&dpu->transfer, options);
	if (!success)
		link_fail(&dpu->link);
	return success;
}

bool half_run_dpu(const struct dma_copy_options *options)
{
	uint32_t num_windows = options->bench ? TRANSFER_MAX_WINDOWS : TRANSFER_NUM_WINDOWS;
	struct dpu dpu = {.link = {.ctx = NULL}};
	bool success;

	if (!dma_session_open(&dpu.session, options->device, TRANSFER_WINDOW_SIZE, num_windows))
		return false;
	success = work(&dpu, options);
	link_close(&dpu.link);
	dma_memory_close(&dpu.transfer.spare);
	dma_session_close(&dpu.session);
	return success;
}
