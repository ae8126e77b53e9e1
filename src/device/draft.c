/* SPDX-License-Identifier: Apache-2.0 */
/* One function of a topology file: its keys, and which of them go together. */
#include "device/draft.h"

#include <stddef.h>
#include <string.h>

#define PCI_ALLOWED                                                                                \
	"such as \"0000:03:00.0\", lower-case hexadecimal digits, device 00 to 1f, function 0 to " \
	"7"
#define NAME_ALLOWED(len) "1 to " len " visible ASCII characters without \", / and \\"

#define MAX_NUMBER 65535
#define MAX_INDEX 2147483647

#define OWN(key, how, member, allowed) KEY(key, how, struct draft, member, allowed)
#define NUMBER(key, member, min, max) KEY_NUMBER(key, struct draft, function.member, min, max)

static const struct key function_keys[] = {
	[KEY_SIDE] = OWN("side", key_word, function.side, "dpu, host"),
	[KEY_TYPE] = OWN("type", key_word, function.type, "pf, vf, sf"),
	[KEY_PCI_ADDR] = OWN("pci_addr", key_pci_addr, function.pci_addr, PCI_ALLOWED),
	[KEY_IBDEV_NAME] = OWN("ibdev_name", key_name, function.ibdev_name, NAME_ALLOWED("63")),
	[KEY_IFACE_NAME] = OWN("iface_name", key_name, function.iface_name, NAME_ALLOWED("255")),
	[KEY_IFACE_INDEX] = NUMBER("iface_index", iface_index, 1, MAX_INDEX),
	[KEY_MAC_ADDR] = OWN("mac_addr", key_mac_addr, function.mac,
			     "\"02:00:5d:0c:a0:01\" in lower-case hexadecimal digits, of one "
			     "station"),
	[KEY_IPV4_ADDR] = OWN("ipv4_addr", key_ipv4_addr, function.ipv4,
			      "an IPv4 address such as \"192.0.2.1\""),
	[KEY_IPV6_ADDR] = OWN("ipv6_addr", key_ipv6_addr, function.ipv6,
			      "an IPv6 address such as \"2001:db8::1\""),
	[KEY_LID] = NUMBER("lid", lid, 1, 49151),
	[KEY_VHCA_ID] = NUMBER("vhca_id", vhca_id, 0, MAX_NUMBER),
	[KEY_ACTIVE_RATE] = NUMBER("active_rate", active_rate_bps, 1, UINT64_C(1000000000000000)),
	[KEY_UPLINK_IB_PORT] = NUMBER("uplink_ib_port", uplink_ib_port, 1, MAX_NUMBER),
	[KEY_HOST_INDEX] = NUMBER("host_index", host_index, 0, MAX_NUMBER),
	[KEY_PF_INDEX] = NUMBER("pf_index", pf_index, 0, MAX_NUMBER),
	[KEY_VF_INDEX] = NUMBER("vf_index", vf_index, 0, MAX_NUMBER - 1),
	[KEY_SF_INDEX] = NUMBER("sf_index", sf_index, 0, MAX_INDEX),
	[KEY_TOTAL_VFS] = NUMBER("total_vfs", total_vfs, 0, MAX_NUMBER),
	[KEY_IS_HOTPLUG] = OWN("is_hotplug", key_flag, function.is_hotplug, "true, false"),
	[KEY_VUID] = OWN("vuid", key_name, function.vuid, NAME_ALLOWED("127")),
	[KEY_DATA_DIRECT_PCI_ADDR] = OWN("data_direct_pci_addr", key_pci_addr,
					 function.data_direct_pci_addr, PCI_ALLOWED),
	[KEY_MTU] = NUMBER("mtu", mtu_bytes, 68, MAX_NUMBER),
	[KEY_STATE] = OWN("state", key_word, function.is_active, "down, active"),
	[KEY_REPRESENTOR] = KEY_NESTED("representor", key_object, 0, 0, "an object"),
};

static const struct key rep_keys[] = {
	[KEY_REP_ON] = OWN("on", key_pci_addr, on, PCI_ALLOWED),
	[KEY_REP_IFACE_NAME] =
		OWN("iface_name", key_name, function.rep_iface_name, NAME_ALLOWED("255")),
	[KEY_REP_IFACE_INDEX] = NUMBER("iface_index", rep_iface_index, 1, MAX_INDEX),
	[KEY_REP_IB_PORT] = NUMBER("ib_port", rep_ib_port, 1, MAX_NUMBER),
};

/* Of those that file_read_object() asks for. */
#define NUM_REQUIRED_FUNCTION_KEYS (KEY_PCI_ADDR + 1)
#define NUM_REQUIRED_REP_KEYS (KEY_REP_ON + 1)

#define ON(side, type) (1 << (3 * (side) + (type)))
#define ON_BOTH(type) (ON(CARD_SIDE_DPU, type) | ON(CARD_SIDE_HOST, type))
#define ON_HOST                                                                                    \
	(ON(CARD_SIDE_HOST, CARD_PF) | ON(CARD_SIDE_HOST, CARD_VF) | ON(CARD_SIDE_HOST, CARD_SF))

/* Keys that only some functions have; those that are required are so of each that may have them. */
static const struct rule {
	enum function_key key;
	uint32_t who; /* a bit for each side and type */
	bool is_required;
	const char *allowed;
} rules[] = {
	{KEY_VF_INDEX, ON_BOTH(CARD_VF), true, "on a vf"},
	{KEY_SF_INDEX, ON_BOTH(CARD_SF), true, "on an sf"},
	{KEY_TOTAL_VFS, ON_BOTH(CARD_PF), false, "on a pf"},
	{KEY_UPLINK_IB_PORT, ON_BOTH(CARD_PF), false, "on a pf"},
	{KEY_HOST_INDEX, ON_HOST, false, "on a function of a host"},
	{KEY_REPRESENTOR, ON_HOST | ON_BOTH(CARD_VF) | ON_BOTH(CARD_SF), false,
	 "on a function of a host, or on a vf or sf"},
};

static doca_error_t check_rules(const struct file *file, const struct draft *draft)
{
	const struct card_function *function = &draft->function;
	doca_error_t result = DOCA_SUCCESS;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && result == DOCA_SUCCESS; i++) {
		enum function_key key = rules[i].key;
		bool fits = (rules[i].who & ON(function->side, function->type)) != 0;

		if (fits && rules[i].is_required && !draft_has(draft, key))
			result = file_refuse_missing(file, &draft->object, &function_keys[key]);
		else if (!fits && draft_has(draft, key))
			result =
				file_refuse_value(file, function_keys[key].name, &draft->spots[key],
						  "this function cannot have", rules[i].allowed);
	}
	if (result == DOCA_SUCCESS && draft_has(draft, KEY_LID) && draft_has(draft, KEY_MAC_ADDR))
		result = file_refuse_value(file, "lid", &draft->spots[KEY_LID],
					   "an Ethernet port cannot have", "lid or mac_addr");
	return result;
}

doca_error_t draft_read(const struct file *file, enum settings_device model, struct draft *draft)
{
	struct card_function *function = &draft->function;
	doca_error_t result;

	card_port_init(model, function);
	result = file_read_object(file, &draft->object, function_keys, NUM_FUNCTION_KEYS,
				  NUM_REQUIRED_FUNCTION_KEYS, draft, draft->spots);
	if (result == DOCA_SUCCESS)
		result = check_rules(file, draft);
	if (result == DOCA_SUCCESS && draft_has(draft, KEY_REPRESENTOR))
		result = file_read_object(file, &draft->spots[KEY_REPRESENTOR], rep_keys,
					  NUM_REP_KEYS, NUM_REQUIRED_REP_KEYS, draft,
					  draft->rep_spots);
	function->capabilities = card_capabilities(model, function->side, function->type);
	function->has_ipv4 = draft_has(draft, KEY_IPV4_ADDR);
	return result;
}
