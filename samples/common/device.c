/* SPDX-License-Identifier: Apache-2.0 */
/* Which device works: the one asked for, or the first that can. */
#include "device.h"

#include <stddef.h>
#include <stdint.h>

#include <doca_dma.h>

#include "report.h"

/* A capability query answers with its result code: DOCA_SUCCESS is yes. */
static bool has_dma(const struct doca_devinfo *devinfo)
{
	return doca_dma_cap_task_memcpy_is_supported(devinfo) == DOCA_SUCCESS;
}

const struct device_need device_need_dma = {has_dma, "copy by DMA"};

/* NULL when no device is what pci_addr asks for, or when it is no address; either is said. */
static struct doca_devinfo *choose(struct doca_devinfo **list, uint32_t num, const char *pci_addr,
				   const struct device_need *need)
{
	for (uint32_t i = 0; i < num; i++) {
		uint8_t chosen = 0;

		if (pci_addr == NULL)
			chosen = need->is_met(list[i]);
		else if (!doca_ok(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &chosen),
				  "look for the device"))
			return NULL;
		if (chosen)
			return list[i];
	}
	if (pci_addr == NULL)
		complain("no device can %s (devices found: %u)", need->words, num);
	else
		complain("no device at PCI address %s (devices found: %u)", pci_addr, num);
	return NULL;
}

struct doca_dev *device_open(const char *pci_addr, const struct device_need *need)
{
	struct doca_devinfo **list;
	struct doca_devinfo *devinfo;
	struct doca_dev *dev = NULL;
	uint32_t num = 0;

	if (!doca_ok(doca_devinfo_create_list(&list, &num), "list the devices"))
		return NULL;

	devinfo = choose(list, num, pci_addr, need);
	if (devinfo != NULL && !need->is_met(devinfo))
		complain("device %s cannot %s", pci_addr, need->words);
	else if (devinfo != NULL && !doca_ok(doca_dev_open(devinfo, &dev), "open the device"))
		dev = NULL;

	/* An open device has a devinfo of its own: the list may go. */
	doca_ok(doca_devinfo_destroy_list(list), "release the list of devices");
	return dev;
}
