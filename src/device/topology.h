/* SPDX-License-Identifier: Apache-2.0 */
/* Topology files: the cards of a machine as softdoca-topology(5) and their schema have them. */
#ifndef DEVICE_TOPOLOGY_H_
#define DEVICE_TOPOLOGY_H_

#include "device/card.h"
#include "device/file.h"

#define TOPOLOGY_MAX_CARDS 16
#define TOPOLOGY_MAX_FUNCTIONS 1024 /* of all cards */

/*
 * Make the cards of the file that the settings name. INVALID_VALUE, with a problem as of
 * settings_read(), or NO_MEMORY, and nothing is made.
 */
doca_error_t topology_read(const struct settings *settings, struct machine *machine,
			   char problem[SETTINGS_PROBLEM_SIZE]);

/* The same of a file that is read already. */
doca_error_t topology_build(const struct file *file, const struct settings *settings,
			    struct machine *machine);

#endif /* DEVICE_TOPOLOGY_H_ */
