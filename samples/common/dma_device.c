/* SPDX-License-Identifier: Apache-2.0 */
/* Which device copies: the one asked for, or the first that can do DMA. */
#include "dma_device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dma.h>

#include "report.h"

/* A capability query answers with its result code: DOCA_SUCCESS is yes. */
static bool has_dma(const struct doca_devinfo *devinfo)
{
	return doca_dma_cap_task_memcpy_is_supported(devinfo) == DOCA_SUCCESS;
}

/* NULL when no device is what pci_addr asks for, or when it is no address; either is said. */
static struct doca_devinfo *choose(struct doca_devinfo **list, uint32_t num, const char *pci_addr)
{
	for (uint32_t i = 0; i < num; i++) {
		uint8_t chosen = 0;

		if (pci_addr == NULL)
			chosen = has_dma(list[i]);
		else if (!doca_ok(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &chosen),
				  "look for the device"))
			return NULL;
		if (chosen)
			return list[i];
	}
	if (pci_addr == NULL)
		complain("no device can copy by DMA (devices found: %u)", num);
	else
		complain("no device at PCI address %s (devices found: %u)", pci_addr, num);
	return NULL;
}

struct doca_dev *dma_device_open(const char *pci_addr)
{
	struct doca_devinfo **list;
	struct doca_devinfo *devinfo;
	struct doca_dev *dev = NULL;
	uint32_t num = 0;

	if (!doca_ok(doca_devinfo_create_list(&list, &num), "list the devices"))
		return NULL;

	devinfo = choose(list, num, pci_addr);
	if (devinfo != NULL && !has_dma(devinfo))
		complain("device %s cannot copy by DMA", pci_addr);
	else if (devinfo != NULL && !doca_ok(doca_dev_open(devinfo, &dev), "open the device"))
		dev = NULL;

	/* An open device has a devinfo of its own: the list may go. */
	doca_ok(doca_devinfo_destroy_list(list), "release the list of devices");
	return dev;
}
