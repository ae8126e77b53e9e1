/* SPDX-License-Identifier: Apache-2.0 */
/* Which device works: the one asked for, or the first that can. */
#ifndef SAMPLES_COMMON_DEVICE_H_
#define SAMPLES_COMMON_DEVICE_H_

#include <stdbool.h>

#include <doca_dev.h>

/* What a device must be able to do, in words that follow "can". */
struct device_need {
	bool (*is_met)(const struct doca_devinfo *devinfo);
	const char *words;
};

/*
 * pci_addr NULL: the first that meets the need. The caller closes it; NULL: none, and why was
 * said.
 */
struct doca_dev *device_open(const char *pci_addr, const struct device_need *need);

/* The need of whoever submits copies. */
extern const struct device_need device_need_dma;

#endif /* SAMPLES_COMMON_DEVICE_H_ */
