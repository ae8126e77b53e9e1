/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a topology file leaves out. Numbers are counted up past those that the file gives, so that
 * no two defaults are alike; names come from addresses and numbers.
 */
#include "device/draft.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FIRST_IFACE_INDEX 2 /* 1 is the loopback */
#define FIRST_REP_IB_PORT 2 /* 1 is the uplink */
#define FIRST_MAC 0xa001

/*
 * Where a key stands in the file, and what was read from it, as offsets in a draft; and what those
 * have in common whose values must differ.
 */
struct place {
	size_t spot;
	size_t value;
	size_t size;
	size_t scope;
	size_t scope_size; /* 0: nothing */
};

#define PLACE_IN(spot, member, scope, scope_size)                                                  \
	(struct place)                                                                             \
	{                                                                                          \
		offsetof(struct draft, spot), offsetof(struct draft, function.member),             \
			sizeof(((struct draft *)NULL)->function.member), scope, scope_size         \
	}
#define PLACE(spot, member) PLACE_IN(spot, member, 0, 0)
#define PLACE_OF_SAME(spot, member, same, type)                                                    \
	PLACE_IN(spot, member, offsetof(struct draft, same), sizeof(type))

/* Whether the file gives a value to any function, of those that a place and its draft ask for. */
static bool is_given(const struct drafts *drafts, struct place place, const struct draft *of,
		     const void *value)
{
	for (uint32_t i = 0; i < drafts->num; i++) {
		const char *draft = (const char *)&drafts->all[i];

		if (((const struct spot *)(draft + place.spot))->at != 0 &&
		    memcmp(draft + place.scope, (const char *)of + place.scope, place.scope_size) ==
			    0 &&
		    memcmp(draft + place.value, value, place.size) == 0)
			return true;
	}
	return false;
}

static uint32_t next_iface_index(const struct drafts *drafts, uint32_t *last)
{
	do
		++*last;
	while (is_given(drafts, PLACE(spots[KEY_IFACE_INDEX], iface_index), drafts->all, last) ||
	       is_given(drafts, PLACE(rep_spots[KEY_REP_IFACE_INDEX], rep_iface_index), drafts->all,
			last));
	return *last;
}

/* The two numbers below differ by card, and by PF. */
static void next_number(const struct drafts *drafts, struct place place, const struct draft *of,
			uint16_t *next, uint16_t *number)
{
	while (is_given(drafts, place, of, next))
		++*next;
	*number = (*next)++;
}

static void name_ibdev(const struct drafts *drafts, uint32_t *next, struct card_function *function)
{
	do {
		memset(function->ibdev_name, 0, sizeof(function->ibdev_name));
		snprintf(function->ibdev_name, sizeof(function->ibdev_name), "mlx5_%u", (*next)++);
	} while (is_given(drafts, PLACE(spots[KEY_IBDEV_NAME], ibdev_name), drafts->all,
			  function->ibdev_name));
}

static void next_mac(const struct drafts *drafts, uint16_t *next, uint8_t mac[6])
{
	do {
		const uint8_t bytes[6] = {0x02,		 0x00, 0x5d, 0x0c, (uint8_t)(*next >> 8),
					  (uint8_t)*next};

		memcpy(mac, bytes, sizeof(bytes));
		++*next;
	} while (is_given(drafts, PLACE(spots[KEY_MAC_ADDR], mac), drafts->all, mac));
}

/* The address that a host gives its interface itself: RFC 4291, appendix A. */
static void make_ipv6(const uint8_t mac[6], uint8_t ipv6[16])
{
	const uint8_t bytes[16] = {0xfe, 0x80, [8] = mac[0] ^ 2, mac[1], mac[2],
				   0xff, 0xfe, mac[3],		 mac[4], mac[5]};

	memcpy(ipv6, bytes, sizeof(bytes));
}

/* What a name says of a virtual or sub-function: "vf3". */
static void number_text(const struct card_function *function, char text[16])
{
	text[0] = '\0';
	if (function->type != CARD_PF)
		snprintf(text, 16, "%s%u", function->type == CARD_VF ? "vf" : "sf",
			 function->type == CARD_VF ? function->vf_index : function->sf_index);
}

/* As systemd names interfaces: by the address, in decimal. */
static void name_iface(struct card_function *function)
{
	unsigned int domain = 0;
	unsigned int bus = 0;
	unsigned int device = 0;
	unsigned int number = 0;
	int len = 2;

	sscanf(function->pci_addr, "%x:%x:%x.%x", &domain, &bus, &device, &number);
	memcpy(function->iface_name, "en", 2);
	if (domain != 0)
		len += snprintf(function->iface_name + len, 16, "P%u", domain);
	len += snprintf(function->iface_name + len, 32, "p%us%uf%u", bus, device, number);
	if (function->type == CARD_SF)
		snprintf(function->iface_name + len, 16, "s%u", function->sf_index);
}

static void name_vuid(const struct draft *draft, struct card_function *function)
{
	unsigned int socket = function->side == CARD_SIDE_DPU ? 0 : 1 + function->host_index;
	char number[16];

	number_text(function, number);
	if (number[0] != '\0') {
		number[0] -= 'a' - 'A';
		number[1] -= 'a' - 'A';
	}
	snprintf(function->vuid, sizeof(function->vuid), "MT%04uSOFTDOCAS%uD0F%u%s", draft->card,
		 socket, function->pf_index, number);
}

/* "pf0hpf", "pf0vf3"; of a second host "h1pf0vf3"; of the DPU itself "dpf0sf4". */
static void name_rep(struct card_function *function)
{
	char number[16];
	char where[16] = "";

	number_text(function, number);
	if (function->side == CARD_SIDE_DPU)
		snprintf(where, sizeof(where), "d");
	else if (function->host_index != 0)
		snprintf(where, sizeof(where), "h%u", function->host_index);
	snprintf(function->rep_iface_name, sizeof(function->rep_iface_name), "%spf%u%s", where,
		 function->pf_index, function->type == CARD_PF ? "hpf" : number);
}

void drafts_complete(struct drafts *drafts)
{
	uint32_t iface_index = FIRST_IFACE_INDEX - 1;
	uint32_t ibdev = 0;
	uint16_t mac = FIRST_MAC;
	uint16_t vhca_id = 0;

	for (struct draft *draft = drafts->all; draft < drafts->all + drafts->num; draft++) {
		struct card_function *function = &draft->function;

		if (draft != drafts->all && draft->card != draft[-1].card)
			vhca_id = 0;
		if (!draft_has(draft, KEY_VHCA_ID))
			next_number(drafts,
				    PLACE_OF_SAME(spots[KEY_VHCA_ID], vhca_id, card, uint32_t),
				    draft, &vhca_id, &function->vhca_id);
		if (!draft_has(draft, KEY_IBDEV_NAME))
			name_ibdev(drafts, &ibdev, function);
		if (!draft_has(draft, KEY_IFACE_NAME))
			name_iface(function);
		if (!draft_has(draft, KEY_IFACE_INDEX))
			function->iface_index = next_iface_index(drafts, &iface_index);
		if (!draft_has(draft, KEY_VUID))
			name_vuid(draft, function);
		if (!draft_has(draft, KEY_MAC_ADDR))
			next_mac(drafts, &mac, function->mac);
		if (!draft_has(draft, KEY_IPV6_ADDR))
			make_ipv6(function->mac, function->ipv6);
	}
	/* Representors after all functions, as they come into being. */
	for (struct draft *draft = drafts->all; draft < drafts->all + drafts->num; draft++) {
		struct card_function *function = &draft->function;

		if (draft->rep_on == NULL)
			continue;
		if (draft->rep_on->next_ib_port == 0)
			draft->rep_on->next_ib_port = FIRST_REP_IB_PORT;
		if (draft->rep_spots[KEY_REP_IB_PORT].at == 0)
			next_number(drafts,
				    PLACE_OF_SAME(rep_spots[KEY_REP_IB_PORT], rep_ib_port, rep_on,
						  void *),
				    draft, &draft->rep_on->next_ib_port, &function->rep_ib_port);
		if (draft->rep_spots[KEY_REP_IFACE_NAME].at == 0)
			name_rep(function);
		if (draft->rep_spots[KEY_REP_IFACE_INDEX].at == 0)
			function->rep_iface_index = next_iface_index(drafts, &iface_index);
	}
}
