/* SPDX-License-Identifier: Apache-2.0 */
/* The list of devices, and what a device that need not be open tells of itself. */
#include "common/dev.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/shape.h"
#include "common/sdk_log.h"

/* What an element of a list takes: its pointer, and what that leads to. */
struct list_room {
	struct doca_devinfo *pointer;
	struct doca_devinfo info;
};

bool getter_accepts(const char *call, const void *info, const void *answer, uint32_t size_bytes,
		    uint32_t wanted_bytes)
{
	if (info == NULL) {
		LOG_ERROR("%s refused: the info is NULL; take one from a list or an open device",
			  call);
		return false;
	}
	if (answer == NULL) {
		LOG_ERROR("%s refused: the place for the answer is NULL; give a variable", call);
		return false;
	}
	if (size_bytes < wanted_bytes) {
		LOG_ERROR("%s refused: the buffer %p has %u bytes, the answer wants %u; give one "
			  "of the size that doca_dev.h defines for it",
			  call, answer, size_bytes, wanted_bytes);
		return false;
	}
	return true;
}

bool getter_has_arguments(const char *call, const void *info, const void *answer)
{
	return getter_accepts(call, info, answer, 0, 0);
}

doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs)
{
	const struct machine *machine;
	struct doca_devinfo *infos;
	struct doca_devinfo **list;
	uint32_t num_infos = 0;
	void *room;
	doca_error_t result;

	if (dev_list == NULL || nb_devs == NULL) {
		LOG_ERROR("device list refused: %s is NULL; give a variable",
			  dev_list == NULL ? "dev_list" : "nb_devs");
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = machine_get(&machine);
	if (result != DOCA_SUCCESS)
		return result;
	/* The pointers, a NULL, and what they point to, in one piece of memory. */
	room = calloc(machine->num_functions + 1, sizeof(struct list_room));
	list = room;
	if (list == NULL) {
		LOG_ERROR("device list refused: out of memory");
		return DOCA_ERROR_NO_MEMORY;
	}

	infos = (struct doca_devinfo *)&list[machine->num_functions + 1];
	for (uint32_t i = 0; i < machine->num_functions; i++) {
		const struct card_function *function = &machine->functions[i];

		if (!function->is_listed)
			continue;
		infos[i] = (struct doca_devinfo){function->card, function};
		list[num_infos++] = &infos[i];
	}
	*dev_list = list;
	*nb_devs = num_infos;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
	if (dev_list == NULL) {
		LOG_ERROR("device list destroy refused: dev_list is NULL; give what "
			  "doca_devinfo_create_list gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	free(dev_list);
	return DOCA_SUCCESS;
}

doca_error_t pci_addr_compare(const char *call, const char *pci_addr, const char *text,
			      uint8_t *is_equal)
{
	static const char domain[] = "0000:";

	if (text == NULL || !pci_addr_is_valid(text, strlen(text))) {
		LOG_ERROR("%s refused: '%.32s' is no PCI address; give one like 0000:03:00.0 or "
			  "03:00.0, its letters in lower case",
			  call, text == NULL ? "NULL" : text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (strlen(text) < strlen(pci_addr) && strncmp(pci_addr, domain, strlen(domain)) == 0)
		pci_addr += strlen(domain);
	*is_equal = strcmp(text, pci_addr) == 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str)
{
	if (!getter_has_arguments(__func__, devinfo, pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(pci_addr_str, devinfo->function->pci_addr, strlen(devinfo->function->pci_addr) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr_str, uint8_t *is_equal)
{
	if (!getter_has_arguments(__func__, devinfo, is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	return pci_addr_compare(__func__, devinfo->function->pci_addr, pci_addr_str, is_equal);
}

doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr,
					uint32_t size)
{
	if (!getter_accepts(__func__, devinfo, ipv4_addr, size, DOCA_DEVINFO_IPV4_ADDR_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	if (!devinfo->function->has_ipv4) {
		LOG_DEBUG("device %s has no IPv4 address", devinfo->function->name);
		return DOCA_ERROR_NOT_FOUND;
	}
	memcpy(ipv4_addr, devinfo->function->ipv4, DOCA_DEVINFO_IPV4_ADDR_SIZE);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr,
					uint32_t size)
{
	if (!getter_accepts(__func__, devinfo, ipv6_addr, size, DOCA_DEVINFO_IPV6_ADDR_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(ipv6_addr, devinfo->function->ipv6, DOCA_DEVINFO_IPV6_ADDR_SIZE);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr,
				       uint32_t size)
{
	if (!getter_accepts(__func__, devinfo, mac_addr, size, DOCA_DEVINFO_MAC_ADDR_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	if (devinfo->function->lid != 0) {
		LOG_DEBUG("device %s has no MAC address: it is an InfiniBand one",
			  devinfo->function->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	memcpy(mac_addr, devinfo->function->mac, DOCA_DEVINFO_MAC_ADDR_SIZE);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name,
					 uint32_t size)
{
	if (!getter_accepts(__func__, devinfo, iface_name, size, DOCA_DEVINFO_IFACE_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(iface_name, devinfo->function->iface_name,
	       strlen(devinfo->function->iface_name) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name,
					 uint32_t size)
{
	if (!getter_accepts(__func__, devinfo, ibdev_name, size, DOCA_DEVINFO_IBDEV_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(ibdev_name, devinfo->function->ibdev_name,
	       strlen(devinfo->function->ibdev_name) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid)
{
	if (!getter_has_arguments(__func__, devinfo, lid))
		return DOCA_ERROR_INVALID_VALUE;
	if (devinfo->function->lid == 0) {
		LOG_DEBUG("device %s has no lid: it is an Ethernet one", devinfo->function->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	*lid = devinfo->function->lid;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index)
{
	if (!getter_has_arguments(__func__, devinfo, sf_index))
		return DOCA_ERROR_INVALID_VALUE;
	if (devinfo->function->type != CARD_SF) {
		LOG_DEBUG("device %s has no sf index: it is no sub-function",
			  devinfo->function->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	*sf_index = devinfo->function->sf_index;
	return DOCA_SUCCESS;
}

doca_error_t data_direct_get(const struct card_function *function, char *pci_addr_str)
{
	if (function->data_direct_pci_addr[0] == '\0') {
		LOG_DEBUG("function %s has no data-direct function", function->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	memcpy(pci_addr_str, function->data_direct_pci_addr, CARD_PCI_ADDR_SIZE);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_data_direct_pci_dev(struct doca_devinfo *devinfo, char *pci_addr_str)
{
	if (!getter_has_arguments(__func__, devinfo, pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	return data_direct_get(devinfo->function, pci_addr_str);
}

/* doca_devinfo_<name>: the type of the answer, and what it is, by devinfo. */
#define DEFINE_GETTER(name, type, value)                                                           \
	doca_error_t doca_devinfo_##name(const struct doca_devinfo *devinfo, type *answer)         \
	{                                                                                          \
		if (!getter_has_arguments(__func__, devinfo, answer))                              \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*answer = (value);                                                                 \
		return DOCA_SUCCESS;                                                               \
	}

static_assert((int)CARD_PF == DOCA_PCI_FUNC_TYPE_PF && (int)CARD_VF == DOCA_PCI_FUNC_TYPE_VF &&
		      (int)CARD_SF == DOCA_PCI_FUNC_TYPE_SF,
	      "a type is cast");
static_assert(CARD_PCI_ADDR_SIZE == DOCA_DEVINFO_PCI_ADDR_SIZE &&
		      CARD_IBDEV_NAME_SIZE == DOCA_DEVINFO_IBDEV_NAME_SIZE &&
		      CARD_IFACE_NAME_SIZE == DOCA_DEVINFO_IFACE_NAME_SIZE &&
		      CARD_VUID_SIZE == DOCA_DEVINFO_REP_VUID_SIZE,
	      "what a card has fits where a program has room");

DEFINE_GETTER(get_active_rate, uint64_t, devinfo->function->active_rate_bps)
DEFINE_GETTER(get_vhca_id, uint16_t, devinfo->function->vhca_id)
DEFINE_GETTER(get_pci_func_type, enum doca_pci_func_type,
	      (enum doca_pci_func_type)devinfo->function->type)
DEFINE_GETTER(get_uplink_ib_port, uint16_t, devinfo->function->uplink_ib_port)
DEFINE_GETTER(get_iface_index, uint32_t, devinfo->function->iface_index)
DEFINE_GETTER(cap_is_hotplug_manager_supported, uint8_t, 0)
DEFINE_GETTER(cap_is_notification_moderation_supported, uint8_t, 0)
DEFINE_GETTER(cap_is_accelerate_resource_reclaim_supported, uint8_t, 0)
DEFINE_GETTER(rep_cap_is_filter_all_supported, uint8_t,
	      card_can(devinfo->function, CARD_REPRESENTORS))
DEFINE_GETTER(rep_cap_is_filter_net_supported, uint8_t,
	      card_can(devinfo->function, CARD_REPRESENTORS))
DEFINE_GETTER(rep_cap_is_filter_emulated_supported, uint8_t,
	      card_can(devinfo->function, CARD_REPRESENTORS))
