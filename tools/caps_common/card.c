/* SPDX-License-Identifier: Apache-2.0 */
/* Asks each device for all that it tells, in the order in which doca_caps prints it. */
#include "card.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <doca_dev.h>
#include <softdoca.h>

#include "refusals.h"
#include "table.h"

/* A number that has no value is left out. */
#define PUT_NUMBER(object, key, type, get, info)                                                   \
	do {                                                                                       \
		type value_ = 0;                                                                   \
		if (get(info, &value_) == DOCA_SUCCESS)                                            \
			put_number(object, key, value_);                                           \
	} while (0)

static bool is_done(doca_error_t result, const char *what)
{
	if (result == DOCA_SUCCESS)
		return true;
	say("%s: %s (%s)", what, doca_error_get_descr(result), doca_error_get_name(result));
	return false;
}

static void put_name(struct json_object *object, const char *key, doca_error_t result,
		     const char *name)
{
	if (result == DOCA_SUCCESS)
		put_text(object, key, name);
}

static void put_func_type(struct json_object *object, doca_error_t result,
			  enum doca_pci_func_type type)
{
	static const char *const names[] = {
		[DOCA_PCI_FUNC_TYPE_PF] = "PF",
		[DOCA_PCI_FUNC_TYPE_VF] = "VF",
		[DOCA_PCI_FUNC_TYPE_SF] = "SF",
	};

	if (result == DOCA_SUCCESS)
		put_text(object, "pci_func_type", names[type]);
}

static void put_port(struct json_object *object, doca_error_t result, uint8_t is_active,
		     uint32_t mtu_bytes)
{
	put_text(object, "state",
		 result != DOCA_SUCCESS ? "unknown"
		 : is_active		? "active"
					: "down");
	if (result == DOCA_SUCCESS)
		put_number(object, "mtu", mtu_bytes);
	else
		put(object, "mtu", NULL);
}

/* A function without an address has one of zeros, as a card shows it. */
static void put_addresses(struct json_object *object, const struct doca_devinfo *devinfo)
{
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE] = {0};
	uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE] = {0};
	uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE] = {0};
	char text[INET6_ADDRSTRLEN];
	size_t len = 0;

	(void)doca_devinfo_get_mac_addr(devinfo, mac, sizeof(mac));
	(void)doca_devinfo_get_ipv4_addr(devinfo, ipv4, sizeof(ipv4));
	(void)doca_devinfo_get_ipv6_addr(devinfo, ipv6, sizeof(ipv6));
	(void)snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
		       mac[3], mac[4], mac[5]);
	put_text(object, "mac_addr", text);
	(void)snprintf(text, sizeof(text), "%u.%u.%u.%u", ipv4[0], ipv4[1], ipv4[2], ipv4[3]);
	put_text(object, "ipv4_addr", text);
	for (size_t i = 0; i < sizeof(ipv6); i += 2)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%02x%02x",
					i == 0 ? "" : ":", ipv6[i], ipv6[i + 1]);
	put_text(object, "ipv6_addr", text);
}

/* In the order of doca_caps 3.2. */
static struct json_object *attributes_of(const struct doca_devinfo *devinfo)
{
	struct json_object *attributes = new_object();
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
	enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_PF;
	doca_error_t result = doca_devinfo_get_ibdev_name(devinfo, ibdev, sizeof(ibdev));

	put_name(attributes, "ibdev_name", result, ibdev);
	result = doca_devinfo_get_iface_name(devinfo, iface, sizeof(iface));
	put_name(attributes, "iface_name", result, iface);
	PUT_NUMBER(attributes, "iface_index", uint32_t, doca_devinfo_get_iface_index, devinfo);
	result = doca_devinfo_get_pci_func_type(devinfo, &type);
	put_func_type(attributes, result, type);
	PUT_NUMBER(attributes, "uplink_ib_port", uint16_t, doca_devinfo_get_uplink_ib_port,
		   devinfo);
	put_addresses(attributes, devinfo);
	return attributes;
}

/* In the order of a public output of 2026; vhca_id as another has it. */
static struct json_object *rep_attributes_of(const struct doca_devinfo_rep *rep)
{
	struct json_object *attributes = new_object();
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
	enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_PF;
	uint8_t is_hotplug = 0;
	doca_error_t result = doca_devinfo_rep_get_pci_func_type(rep, &type);

	put_func_type(attributes, result, type);
	(void)doca_devinfo_rep_get_is_hotplug(rep, &is_hotplug);
	put_text(attributes, "hotplug", is_hotplug ? "yes" : "no");
	result = doca_devinfo_rep_get_vuid(rep, vuid, sizeof(vuid));
	put_name(attributes, "vuid", result, vuid);
	put_text(attributes, "rep_type", "NET"); /* softdoca emulates none */
	result = doca_devinfo_rep_get_iface_name(rep, iface, sizeof(iface));
	put_name(attributes, "iface_name", result, iface);
	PUT_NUMBER(attributes, "iface_index", uint32_t, doca_devinfo_rep_get_iface_index, rep);
	PUT_NUMBER(attributes, "ib_port", uint16_t, doca_devinfo_rep_get_ib_port, rep);
	PUT_NUMBER(attributes, "host_index", uint32_t, doca_devinfo_rep_get_host_index, rep);
	PUT_NUMBER(attributes, "pf_index", uint32_t, doca_devinfo_rep_get_pf_index, rep);
	PUT_NUMBER(attributes, "vf_index", uint32_t, doca_devinfo_rep_get_vf_index, rep);
	PUT_NUMBER(attributes, "sf_index", uint32_t, doca_devinfo_rep_get_sf_index, rep);
	PUT_NUMBER(attributes, "vhca_id", uint16_t, doca_devinfo_rep_get_vhca_id, rep);
	return attributes;
}

static struct json_object *representor_of(const struct doca_devinfo_rep *rep)
{
	struct json_object *representor = new_object();
	char pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "";
	uint8_t is_active = 0;
	uint32_t mtu_bytes = 0;
	doca_error_t result;

	(void)doca_devinfo_rep_get_pci_addr_str(rep, pci_addr);
	put_text(representor, "pci_addr", pci_addr);
	result = softdoca_devinfo_rep_get_port(rep, &is_active, &mtu_bytes);
	put_port(representor, result, is_active, mtu_bytes);
	put(representor, "attributes", rep_attributes_of(rep));
	return representor;
}

static bool put_representors(struct json_object *device, struct doca_dev *dev)
{
	struct json_object *representors = new_array();
	struct doca_devinfo_rep **list;
	uint32_t num = 0;
	uint8_t has_any = 0;

	put(device, "representors", representors);
	(void)doca_devinfo_rep_cap_is_filter_all_supported(doca_dev_as_devinfo(dev), &has_any);
	if (!has_any)
		return true;
	if (!is_done(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num),
		     "doca_devinfo_rep_create_list"))
		return false;
	for (uint32_t i = 0; i < num; i++)
		append(representors, representor_of(list[i]));
	(void)doca_devinfo_rep_destroy_list(list);
	return true;
}

static bool put_device(struct json_object *devices, struct doca_devinfo *devinfo)
{
	struct json_object *device = new_object();
	struct json_object *capabilities = new_object();
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "";
	const char *model = NULL;
	const char *side = NULL;
	uint8_t is_active = 0;
	uint32_t mtu_bytes = 0;
	struct doca_dev *dev;
	bool is_read;
	doca_error_t result = softdoca_devinfo_get_port(devinfo, &is_active, &mtu_bytes);

	append(devices, device);
	(void)doca_devinfo_get_pci_addr_str(devinfo, pci_addr);
	(void)softdoca_devinfo_get_model(devinfo, &model);
	(void)softdoca_devinfo_get_side(devinfo, &side);
	put_text(device, "pci_addr", pci_addr);
	put_text(device, "model", model);
	put_text(device, "side", side);
	put_port(device, result, is_active, mtu_bytes);
	put(device, "attributes", attributes_of(devinfo));
	put(device, "capabilities", capabilities);
	if (!is_done(doca_dev_open(devinfo, &dev), "doca_dev_open"))
		return false;
	is_read = put_representors(device, dev);
	for (size_t i = 0; i < num_libraries; i++)
		if (libraries[i].num > 0)
			put(capabilities, libraries[i].module, library_ask(&libraries[i], dev));
	return is_done(doca_dev_close(dev), "doca_dev_close") && is_read;
}

bool card_read(struct json_object **devices)
{
	struct json_object *read = new_array();
	struct doca_devinfo **list;
	uint32_t num = 0;
	bool is_read = true;

	*devices = read;
	refusals_show();
	if (!is_done(doca_devinfo_create_list(&list, &num), "doca_devinfo_create_list"))
		return false;
	for (uint32_t i = 0; i < num && is_read; i++)
		is_read = put_device(read, list[i]);
	(void)doca_devinfo_destroy_list(list);
	if (is_read)
		return true;
	json_object_put(read);
	*devices = new_array();
	return false;
}

const char *card_host_kind(struct json_object *devices)
{
	const size_t num = json_object_array_length(devices);

	for (size_t i = 0; i < num; i++) {
		struct json_object *device = json_object_array_get_idx(devices, i);

		if (strcmp(text_of(device, "side"), "host") == 0 ||
		    strncmp(text_of(device, "model"), "connectx", strlen("connectx")) == 0)
			return "host";
	}
	return num > 0 ? "bluefield" : "unknown";
}
