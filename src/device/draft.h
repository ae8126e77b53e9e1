/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a topology file while it is read: each with where its keys stand in the file. */
#ifndef DEVICE_DRAFT_H_
#define DEVICE_DRAFT_H_

#include "device/card.h"
#include "device/file.h"

/* The keys of a function, in the order of their table. */
enum function_key {
	KEY_SIDE,
	KEY_TYPE,
	KEY_PCI_ADDR,
	KEY_IBDEV_NAME,
	KEY_IFACE_NAME,
	KEY_IFACE_INDEX,
	KEY_MAC_ADDR,
	KEY_IPV4_ADDR,
	KEY_IPV6_ADDR,
	KEY_LID,
	KEY_VHCA_ID,
	KEY_ACTIVE_RATE,
	KEY_UPLINK_IB_PORT,
	KEY_HOST_INDEX,
	KEY_PF_INDEX,
	KEY_VF_INDEX,
	KEY_SF_INDEX,
	KEY_TOTAL_VFS,
	KEY_IS_HOTPLUG,
	KEY_VUID,
	KEY_DATA_DIRECT_PCI_ADDR,
	KEY_MTU,
	KEY_STATE,
	KEY_REPRESENTOR,
	NUM_FUNCTION_KEYS,
};

/* The keys of its representor. */
enum rep_key {
	KEY_REP_ON,
	KEY_REP_IFACE_NAME,
	KEY_REP_IFACE_INDEX,
	KEY_REP_IB_PORT,
	NUM_REP_KEYS,
};

struct draft {
	struct card_function function; /* without its pointers */
	char on[CARD_PCI_ADDR_SIZE];   /* where its representor is; empty: it has none */
	uint32_t card;		       /* number */
	struct draft *pf;
	struct draft *rep_on;  /* or NULL */
	uint16_t next_ib_port; /* of representors that it has, where they name none */
	struct spot object;
	struct spot spots[NUM_FUNCTION_KEYS];
	struct spot rep_spots[NUM_REP_KEYS];
};

/* Those of all cards: a card's after those of the card before, a DPU's before its hosts'. */
struct drafts {
	const struct file *file;
	struct draft *all;
	uint32_t num;
};

static inline bool draft_has(const struct draft *draft, enum function_key key)
{
	return draft->spots[key].at != 0;
}

/* Read a function out of its object; card and object are set. */
doca_error_t draft_read(const struct file *file, enum settings_device model, struct draft *draft);

/* Fill in what was left out, of functions that are tied. */
void drafts_complete(struct drafts *drafts);

/* Tie functions to physical ones and to representors, fill in what was left out, find doubles. */
doca_error_t drafts_check(struct drafts *drafts);

#endif /* DEVICE_DRAFT_H_ */
