/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual card: its functions, what they can do, and the limits that programs meet. */
#ifndef DEVICE_CARD_H_
#define DEVICE_CARD_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "device/settings.h"

enum card_side {
	CARD_SIDE_DPU,
	CARD_SIDE_HOST,
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

/* One PCI function. All of it is constant once the card stands. */
struct card_function {
	const char *pci_addr; /* "0000:03:00.0" */
	const char *ibdev_name;
	const char *iface_name;
	const char *vuid;
	uint8_t mac[6];
	uint8_t ipv4[4];
	uint8_t ipv6[16];
	uint16_t vhca_id;
	uint32_t iface_index;
	uint64_t active_rate_bps;
	uint32_t mtu_bytes;
	bool is_active; /* its port */
	enum card_side side;
	uint32_t capabilities;			/* mask of enum card_capability */
	const struct card_function *represents; /* the host function behind the one representor */

	/* The representor of this function, as the DPU sees it; nothing on the DPU's function. */
	const char *rep_iface_name;
	uint32_t rep_iface_index;
	uint16_t rep_ib_port;
};

#define CARD_MAX_FUNCTIONS 2

struct card {
	/* The DPU's first. With ROLE dpu the host's stands behind it, represented but not listed.
	 */
	struct card_function functions[CARD_MAX_FUNCTIONS];
	uint32_t num_functions; /* listed */
	const char *model;	/* as DEVICE has it */
	struct card_limits limits;
	enum settings_errors errors;
	uint32_t num_workers;  /* threads of the workers engine; 0: the inline engine */
	char engine_words[24]; /* the setting ENGINE that it is */
	struct peer_policy policy;
};

/*
 * The card of this process, made from the settings at the first call and the same ever after. A
 * wrong setting: one error line and INVALID_VALUE, at each call.
 */
doca_error_t card_get(const struct card **card);

/* Fill a card from settings: no environment, no state. It points into itself: not to be copied. */
void card_build(const struct settings *settings, struct card *card);

static inline bool card_can(const struct card_function *function, enum card_capability capability)
{
	return (function->capabilities & (uint32_t)capability) != 0;
}

#endif /* DEVICE_CARD_H_ */
