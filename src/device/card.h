/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual cards: their functions, what these can do, and the limits that programs meet. */
#ifndef DEVICE_CARD_H_
#define DEVICE_CARD_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <doca_error.h>

#include "device/settings.h"

enum card_side {
	CARD_SIDE_DPU,
	CARD_SIDE_HOST,
};

/* The numbers are those of enum doca_pci_func_type. */
enum card_function_type {
	CARD_PF,
	CARD_VF,
	CARD_SF,
};

/* What a function can do. */
enum card_capability {
	CARD_DMA = 1 << 0,
	CARD_EXPORT_PCI = 1 << 1,
	CARD_IMPORT_PCI = 1 << 2,
	CARD_REPRESENTORS = 1 << 3,
	CARD_COMCH_SERVER = 1 << 4,
	CARD_COMCH_CLIENT = 1 << 5,
	CARD_CACHE_INVALIDATE = 1 << 6,
};

struct card_limits {
	uint64_t max_buf_size_bytes;
	uint32_t max_buf_list_len; /* elements */
	uint32_t max_num_tasks;
	uint32_t queue_depth; /* tasks in flight; 0: as many as the context has tasks */
};

/* With their NULs, as doca_dev.h has them. */
#define CARD_PCI_ADDR_SIZE 13
#define CARD_IBDEV_NAME_SIZE 64
#define CARD_IFACE_NAME_SIZE 256
#define CARD_VUID_SIZE 128

/* One function of a card. All of it is constant once the card stands. */
struct card_function {
	const struct card *card;
	const struct card_function *pf;	    /* the physical one that it is or belongs to */
	const struct card_function *rep_on; /* the DPU's that has its representor, or NULL */
	/* The first of those whose representor it has: whom it stands in for; or NULL. */
	const struct card_function *represents;
	enum card_side side;
	enum card_function_type type;
	bool is_listed;	       /* this process sees it */
	uint32_t capabilities; /* mask of enum card_capability */

	char name[32];			   /* for messages: its address, and an SF's number */
	char pci_addr[CARD_PCI_ADDR_SIZE]; /* "0000:03:00.0"; of a sub-function, its PF's */
	char ibdev_name[CARD_IBDEV_NAME_SIZE];
	char iface_name[CARD_IFACE_NAME_SIZE];
	char vuid[CARD_VUID_SIZE];
	char data_direct_pci_addr[CARD_PCI_ADDR_SIZE]; /* empty: it has none */
	uint8_t mac[6];				       /* of an Ethernet one */
	uint8_t ipv4[4];
	uint8_t ipv6[16];
	bool has_ipv4;
	bool is_hotplug;
	bool is_active; /* its port */
	uint16_t lid;	/* 0: it is an Ethernet one */
	uint16_t vhca_id;
	uint16_t uplink_ib_port;
	uint32_t iface_index;
	uint32_t host_index;
	uint32_t pf_index;
	uint32_t vf_index;
	uint32_t sf_index;
	uint32_t total_vfs;
	uint32_t mtu_bytes;
	uint64_t active_rate_bps;

	/* Its representor, where rep_on has one. */
	char rep_iface_name[CARD_IFACE_NAME_SIZE];
	uint32_t rep_iface_index;
	uint16_t rep_ib_port;
};

struct card {
	struct card_function *functions; /* the DPU's before the hosts' */
	uint32_t num_functions;
	const char *model; /* as DEVICE has it */
	struct card_limits limits;
	enum settings_errors errors;
	uint32_t num_workers;  /* threads of the workers engine; 0: the inline engine */
	char engine_words[24]; /* the setting ENGINE that it is */
	struct peer_policy policy;
};

/* All the cards, whichever side this process is on. */
struct machine {
	struct card *cards; /* owned */
	uint32_t num_cards;
	struct card_function *functions; /* owned: of all cards, one card after the other */
	uint32_t num_functions;
};

/*
 * The cards of this process, made from the settings at the first call and the same ever after. A
 * wrong setting or topology: one error line and INVALID_VALUE, at each call; NO_MEMORY with one.
 */
doca_error_t machine_get(const struct machine **machine);

/* Make the one card that settings ask for by its model, or none. NO_MEMORY. */
doca_error_t machine_build(const struct settings *settings, struct machine *machine);

void machine_release(struct machine *machine);

/* A card without functions, from the settings and, where they have none, from limits or the model.
 */
void card_init(const struct settings *settings, const struct card_limits *limits,
	       struct card *card);

/* The limits of a model. */
struct card_limits card_model_limits(enum settings_device model);

/* Mask of what a function can do. */
uint32_t card_capabilities(enum settings_device model, enum card_side side,
			   enum card_function_type type);

/* What the port of a function is by default. */
void card_port_init(enum settings_device model, struct card_function *function);

/* Once the other members are set. */
static inline void card_function_set_name(struct card_function *function)
{
	char number[16] = "";

	if (function->type == CARD_SF)
		snprintf(number, sizeof(number), ".sf%u", function->sf_index);
	snprintf(function->name, sizeof(function->name), "%s%s", function->pci_addr, number);
}

#define CARD_FUNCTION_KEY_SIZE 40

/* What no other function has: host and DPU may have addresses in common. */
static inline void card_function_key(const struct card_function *function,
				     char key[CARD_FUNCTION_KEY_SIZE])
{
	snprintf(key, CARD_FUNCTION_KEY_SIZE, "%s%s", function->name,
		 function->side == CARD_SIDE_DPU ? "@dpu" : "");
}

static inline bool card_side_is_listed(enum settings_role role, enum card_side side)
{
	return role == SETTINGS_ROLE_BOTH || (role == SETTINGS_ROLE_DPU) == (side == CARD_SIDE_DPU);
}

static inline bool card_can(const struct card_function *function, enum card_capability capability)
{
	return (function->capabilities & (uint32_t)capability) != 0;
}

#endif /* DEVICE_CARD_H_ */
