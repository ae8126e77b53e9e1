/* SPDX-License-Identifier: Apache-2.0 */
/* Which device copies: the one asked for, or the first that can do DMA. */
#ifndef SAMPLES_COMMON_DMA_DEVICE_H_
#define SAMPLES_COMMON_DMA_DEVICE_H_

#include <doca_dev.h>

/* pci_addr NULL: the first with DMA. The caller closes it; NULL: none, and why was said. */
struct doca_dev *dma_device_open(const char *pci_addr);

#endif /* SAMPLES_COMMON_DMA_DEVICE_H_ */
