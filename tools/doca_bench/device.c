/* SPDX-License-Identifier: Apache-2.0 */
/* Which device copies, and what it can. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_dma.h>
#include <doca_log.h>

#include "memory.h"
#include "options.h"

struct names {
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
};

static bool names_read(const struct doca_devinfo *devinfo, struct names *names)
{
	*names = (struct names){0};
	return doca_ok(doca_devinfo_get_pci_addr_str(devinfo, names->pci_addr),
		       "read a device's PCI address") &&
	       doca_ok(doca_devinfo_get_ibdev_name(devinfo, names->ibdev, sizeof(names->ibdev)),
		       "read a device's ibdev name") &&
	       doca_ok(doca_devinfo_get_iface_name(devinfo, names->iface, sizeof(names->iface)),
		       "read a device's interface name");
}

static bool is_called(const struct doca_devinfo *devinfo, const char *name)
{
	struct names names;

	return names_read(devinfo, &names) &&
	       (strcmp(name, names.pci_addr) == 0 || strcmp(name, names.pci_addr + 5) == 0 ||
		strcmp(name, names.ibdev) == 0 || strcmp(name, names.iface) == 0);
}

static bool can_copy(const struct doca_devinfo *devinfo)
{
	return doca_dma_cap_task_memcpy_is_supported(devinfo) == DOCA_SUCCESS;
}

/* Why the library refuses stands in its log; with DOCA_LOG_LEVEL it is there already. */
static void show_refusals(void)
{
	struct doca_log_backend *backend = NULL;

	if (getenv("DOCA_LOG_LEVEL") == NULL &&
	    doca_log_backend_create_with_file_sdk(stderr, &backend) == DOCA_SUCCESS)
		(void)doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR);
}

struct doca_dev *device_open(const char *name)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t num = 0;
	uint32_t i = 0;

	show_refusals();
	if (!doca_ok(doca_devinfo_create_list(&list, &num), "list the devices"))
		return NULL;
	while (i < num && !(name == NULL ? can_copy(list[i]) : is_called(list[i], name)))
		i++;
	if (i == num)
		say("no device %s; doca_bench --query device-capabilities lists the %u there are",
		    name == NULL ? "copies by DMA" : name, num);
	else if (!can_copy(list[i]))
		say("device %s does not copy by DMA", name);
	else if (!doca_ok(doca_dev_open(list[i], &dev), "open the device"))
		dev = NULL;
	doca_ok(doca_devinfo_destroy_list(list), "release the list of devices");
	return dev;
}

bool device_limits(const struct doca_devinfo *devinfo, struct limits *limits)
{
	return doca_ok(doca_devinfo_get_pci_addr_str(devinfo, limits->pci_addr),
		       "read a device's PCI address") &&
	       doca_ok(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, &limits->max_bytes),
		       "ask how much one task copies") &&
	       doca_ok(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, &limits->max_pieces),
		       "ask how long a list may be");
}

bool device_print_all(void)
{
	struct doca_devinfo **list;
	uint32_t num = 0;

	show_refusals();
	if (!doca_ok(doca_devinfo_create_list(&list, &num), "list the devices"))
		return false;
	for (uint32_t i = 0; i < num; i++) {
		struct limits limits;
		struct names names;

		if (!names_read(list[i], &names))
			continue;
		printf("%s  %s  %s  ", names.pci_addr, names.ibdev, names.iface);
		if (can_copy(list[i]) && device_limits(list[i], &limits))
			printf("doca_dma: %llu bytes a job, %u pieces a list\n",
			       (unsigned long long)limits.max_bytes, limits.max_pieces);
		else
			puts("no doca_dma");
	}
	doca_ok(doca_devinfo_destroy_list(list), "release the list of devices");
	return num > 0;
}
