/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of this process and all that they tell of themselves, as a document. */
#ifndef CAPS_COMMON_CARD_H_
#define CAPS_COMMON_CARD_H_

#include <stdbool.h>

#include "document.h"

/* An array, the caller's: of each device pci_addr, model, side, state, mtu, attributes (what
 * doca_caps --list-devs prints), representors (each with pci_addr, state, mtu, attributes) and
 * capabilities (module to name to value). Empty, and why has been said, on false. */
bool card_read(struct json_object **devices);

/* "host" where a host's function is among them, or a card has no DPU; "bluefield" where all are a
 * DPU's; "unknown" of none. */
const char *card_host_kind(struct json_object *devices);

#endif /* CAPS_COMMON_CARD_H_ */
