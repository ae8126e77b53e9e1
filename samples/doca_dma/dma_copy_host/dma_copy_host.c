/* SPDX-License-Identifier: Apache-2.0 */
/* The host half of a copy over files: exports a buffer, and waits until the DPU half has it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>

#include "common/device.h"
#include "common/dma_memory.h"
#include "common/enter.h"
#include "common/file.h"
#include "common/handoff.h"
#include "common/interrupt.h"
#include "common/pair_options.h"
#include "common/report.h"

struct host {
	struct pair_options options;
	struct handoff handoff;
	struct dma_memory memory;
	char *bytes; /* what is exported */
	size_t len;
};

/* A map has at least one byte: memory of none has one that nobody asks for. */
static size_t exported_len(const struct host *host)
{
	return host->len == 0 ? 1 : host->len;
}

static bool bytes_load(struct host *host)
{
	struct source_file source;
	bool success;

	if (host->options.file == NULL) {
		host->len = strlen(host->options.text);
		host->bytes = strdup(host->options.text);
		return host->bytes != NULL;
	}
	if (!source_open(&source, host->options.file))
		return false;
	host->len = source.len;
	host->bytes = malloc(exported_len(host));
	if (host->bytes == NULL)
		complain("cannot allocate %s: %m", text_of_size(host->len).chars);
	success = host->bytes != NULL && source_read(&source, host->bytes, host->len, &host->len) &&
		  source_unchanged(&source);
	source_close(&source);
	return success;
}

static bool can_export(const struct doca_devinfo *devinfo)
{
	uint8_t can = 0;

	return doca_mmap_cap_is_export_pci_supported(devinfo, &can) == DOCA_SUCCESS && can != 0;
}

/* The descriptor belongs to the map: a copy of it goes into the file. */
static bool bytes_export(struct host *host, struct doca_dev *dev)
{
	struct handoff *handoff = &host->handoff;
	const void *descriptor;

	if (!dma_memory_register(&host->memory, dev, host->bytes, exported_len(host),
				 DOCA_ACCESS_FLAG_PCI_READ_ONLY) ||
	    !doca_ok(doca_mmap_export_pci(host->memory.mmap, dev, &descriptor,
					  &handoff->descriptor_len),
		     "export the memory"))
		return false;
	if (handoff->descriptor_len >= sizeof(handoff->descriptor)) {
		complain("a descriptor of %zu bytes is too long", handoff->descriptor_len);
		return false;
	}
	memcpy(handoff->descriptor, descriptor, handoff->descriptor_len);
	handoff->address = (uintptr_t)host->bytes;
	handoff->len = host->len;
	return sha256_of(host->bytes, host->len, &handoff->digest);
}

/* The memory must stay until the DPU half has copied it, and only a person knows when that is. */
static bool host_serve(struct host *host)
{
	bool success;

	printf("exported %s at 0x%" PRIx64 ", sha256 %s\n"
	       "start the DPU half with %s and %s, and press Enter here when it is done\n",
	       text_of_bytes(host->len).chars, host->handoff.address, host->handoff.digest.chars,
	       host->handoff.descriptor_path, host->handoff.info_path);
	success = stdout_ok() && handoff_write(&host->handoff) && enter_wait();
	handoff_remove(&host->handoff);
	return success;
}

static bool host_run(struct host *host)
{
	static const struct device_need NEED = {can_export, "export memory"};
	struct doca_dev *dev;
	bool success = false;

	host->handoff.descriptor_path = host->options.descriptor_path;
	host->handoff.info_path = host->options.info_path;
	if (bytes_load(host)) {
		dev = device_open(host->options.device, &NEED);
		if (dev != NULL) {
			success = bytes_export(host, dev) && host_serve(host);
			dma_memory_close(&host->memory);
			doca_ok(doca_dev_close(dev), "close the device");
		}
	}
	free(host->bytes);
	return success;
}

int main(int argc, char **argv)
{
	struct host host = {.len = 0};
	int exit_code = pair_options_of_host(&host.options, argc, argv);

	if (exit_code >= 0)
		return exit_code;
	interrupt_hold();
	exit_code = host_run(&host) ? EXIT_SUCCESS : EXIT_FAILURE;
	doca_argp_destroy();
	interrupt_release();
	return exit_code;
}
