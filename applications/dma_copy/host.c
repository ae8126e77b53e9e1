/* SPDX-License-Identifier: Apache-2.0 */
/* The host half: connects, exports a ring of windows, and moves a file through it. */
#include "half.h"

#include <string.h>

#include <doca_comch.h>
#include <doca_dma.h>

#include "common/device.h"
#include "common/report.h"

#include "shared_memory.h"

struct host {
	struct doca_dev *dev; /* owned, as are those below */
	struct doca_pe *pe;
	struct link link;
	struct shared_memory ring;
	struct dma_memory memory; /* the ring, registered */
	struct transfer transfer;
};

static bool can_serve(const struct doca_devinfo *devinfo)
{
	uint8_t can_export = 0;

	return doca_comch_cap_client_is_supported(devinfo) == DOCA_SUCCESS &&
	       doca_mmap_cap_is_export_pci_supported(devinfo, &can_export) == DOCA_SUCCESS &&
	       can_export != 0;
}

/* The DPU half says how large the windows are, as its device copies them, and how many. */
static bool negotiate(struct host *host, const struct dma_copy_options *options)
{
	struct transfer *transfer = &host->transfer;
	struct message message;

	if (!half_offer(&message, MESSAGE_OFFER, options))
		return false;
	transfer->total = message.len;
	message.window_size = TRANSFER_WINDOW_SIZE;
	if (!link_send(&host->link, &message) ||
	    !link_receive_one(&host->link, MESSAGE_ANSWER, &message) ||
	    !half_agree(transfer, options, &message))
		return false;
	transfer->window_size = message.window_size;
	transfer->num_windows = message.num_windows;
	if (message.window_size > 0 && message.window_size <= TRANSFER_WINDOW_SIZE &&
	    message.num_windows > 0 && message.num_windows <= TRANSFER_MAX_WINDOWS)
		return true;
	complain("the DPU half wants %u windows of %u bytes, which is no sense",
		 message.num_windows, message.window_size);
	return false;
}

/* The descriptor is a secret: it goes to the DPU half, and nowhere else. */
static bool ring_export(struct host *host, const struct dma_copy_options *options)
{
	struct transfer *transfer = &host->transfer;
	size_t len = transfer->num_windows * transfer->window_size, descriptor_len;
	bool is_receiver = options->receive != NULL;
	uint32_t access =
		is_receiver ? DOCA_ACCESS_FLAG_PCI_READ_WRITE : DOCA_ACCESS_FLAG_PCI_READ_ONLY;
	struct message message = {.type = MESSAGE_MEMORY, .len = len};
	const void *descriptor;

	if (!shared_memory_open(&host->ring, len, is_receiver) ||
	    !dma_memory_register(&host->memory, host->dev, host->ring.bytes, len, access) ||
	    !doca_ok(doca_mmap_export_pci(host->memory.mmap, host->dev, &descriptor,
					  &descriptor_len),
		     "export the ring"))
		return false;
	if (descriptor_len > sizeof(message.extra)) {
		complain("a descriptor of %zu bytes is too long", descriptor_len);
		return false;
	}
	transfer->ring = host->ring.bytes;
	message.address = (uintptr_t)host->ring.bytes;
	message.extra_len = (uint32_t)descriptor_len;
	memcpy(message.extra, descriptor, descriptor_len);
	return link_send(&host->link, &message);
}

static bool work(struct host *host, const struct dma_copy_options *options)
{
	bool success;

	host->transfer.link = &host->link;
	if (!link_open_client(&host->link, host->dev, host->pe, options->name) ||
	    !link_connect(&host->link))
		return false;
	success = negotiate(host, options) && ring_export(host, options) &&
		  half_transfer(&host->transfer, options);
	if (!success)
		link_fail(&host->link);
	return success;
}

bool half_run_host(const struct dma_copy_options *options)
{
	static const struct device_need NEED = {can_serve, "export memory and connect to the DPU"};
	struct host host = {.ring = {.fd = -1}};
	bool success = false;

	host.dev = device_open(options->device, &NEED);
	if (host.dev == NULL)
		return false;
	if (doca_ok(doca_pe_create(&host.pe), "create a progress engine")) {
		success = work(&host, options);
		dma_memory_close(&host.memory);
		shared_memory_close(&host.ring);
		link_close(&host.link);
		doca_ok(doca_pe_destroy(host.pe), "destroy the progress engine");
	}
	doca_ok(doca_dev_close(host.dev), "close the device");
	return success;
}
