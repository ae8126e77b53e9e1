/* SPDX-License-Identifier: Apache-2.0 */
/* Which device copies, and what it can. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include <doca_dma.h>

#include "caps_common/refusals.h"
#include "memory.h"
#include "options.h"

static bool is_called(const struct doca_devinfo *devinfo, const char *name)
{
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "0000:";
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";

	(void)doca_devinfo_get_pci_addr_str(devinfo, pci_addr);
	(void)doca_devinfo_get_ibdev_name(devinfo, ibdev, sizeof(ibdev));
	return strcmp(name, pci_addr) == 0 || strcmp(name, pci_addr + strlen("0000:")) == 0 ||
	       strcmp(name, ibdev) == 0;
}

static bool can_copy(const struct doca_devinfo *devinfo)
{
	return doca_dma_cap_task_memcpy_is_supported(devinfo) == DOCA_SUCCESS;
}

struct doca_dev *device_open(const char *name)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t num = 0;
	uint32_t i = 0;

	refusals_show();
	if (!DOCA(doca_devinfo_create_list(&list, &num)))
		return NULL;
	while (i < num && !(name == NULL ? can_copy(list[i]) : is_called(list[i], name)))
		i++;
	if (i == num && name == NULL)
		say("none of the %u devices copies by DMA, as a BlueField's do; SOFTDOCA_DEVICE "
		    "and "
		    "SOFTDOCA_ROLE choose them, see softdoca(7)",
		    num);
	else if (i == num)
		say("no device %s; doca_bench --query device-capabilities lists the %u there are",
		    name, num);
	else if (!can_copy(list[i]))
		say("device %s does not copy by DMA", name);
	else if (!DOCA(doca_dev_open(list[i], &dev)))
		dev = NULL;
	DOCA(doca_devinfo_destroy_list(list));
	return dev;
}

bool device_limits(const struct doca_devinfo *devinfo, struct limits *limits)
{
	return DOCA(doca_devinfo_get_pci_addr_str(devinfo, limits->pci_addr)) &&
	       DOCA(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, &limits->max_bytes)) &&
	       DOCA(doca_mmap_cap_is_create_from_export_pci_supported(devinfo,
								      &limits->can_import)) &&
	       DOCA(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, &limits->max_pieces));
}

bool device_print_all(const char *name)
{
	struct doca_devinfo **list;
	struct limits limits;
	uint32_t num = 0;
	uint32_t num_printed = 0;

	refusals_show();
	if (!DOCA(doca_devinfo_create_list(&list, &num)))
		return false;
	for (uint32_t i = 0; i < num; i++) {
		if (name != NULL && !is_called(list[i], name))
			continue;
		num_printed++;
		if (can_copy(list[i]) && device_limits(list[i], &limits))
			printf("%s  doca_dma: %llu bytes a job, %u pieces a list; %s\n",
			       limits.pci_addr, (unsigned long long)limits.max_bytes,
			       limits.max_pieces,
			       limits.can_import ? "local and remote buffers" : "local buffers");
		else if (DOCA(doca_devinfo_get_pci_addr_str(list[i], limits.pci_addr)))
			printf("%s  no doca_dma\n", limits.pci_addr);
	}
	DOCA(doca_devinfo_destroy_list(list));
	if (num_printed == 0)
		say("no device%s%s", name == NULL ? "" : " ", name == NULL ? "" : name);
	return num_printed > 0;
}
