/* SPDX-License-Identifier: Apache-2.0 */
/* Which device copies, and what it can. */
#ifndef DOCA_BENCH_DEVICE_H_
#define DOCA_BENCH_DEVICE_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>

struct limits {
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint64_t max_bytes;  /* of a task */
	uint32_t max_pieces; /* of a list */
	uint8_t can_import;  /* memory of a companion */
};

/* By PCI address or ibdev name; NULL: the first that copies. NULL, and a line said, when there is
 * none. */
struct doca_dev *device_open(const char *name);

bool device_limits(const struct doca_devinfo *devinfo, struct limits *limits);

/* All, or that one; false, and a line said, when there is none. */
bool device_print_all(const char *name);

#endif /* DOCA_BENCH_DEVICE_H_ */
