/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, registered so that a device may reach it: of this process, or of another one. */
#ifndef SAMPLES_COMMON_DMA_MEMORY_H_
#define SAMPLES_COMMON_DMA_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_mmap.h>

struct dma_memory {
	char *bytes; /* in the process that it belongs to: if imported, not for us to touch */
	size_t len;  /* of bytes */
	char *owned; /* bytes, where dma_memory_open() allocated them */
	struct doca_mmap *mmap; /* owned; NULL before it is open */
};

/*
 * Three ways to get there, each from zeros and closed in the end, also on false; the reason was
 * said then. New memory; the caller's, which stays until the close; and what another process
 * exported, at the address that it has there.
 */
bool dma_memory_open(struct dma_memory *memory, struct doca_dev *dev, size_t len, uint32_t access);
bool dma_memory_register(struct dma_memory *memory, struct doca_dev *dev, void *bytes, size_t len,
			 uint32_t access);
bool dma_memory_import(struct dma_memory *memory, struct doca_dev *dev, const void *desc,
		       size_t desc_len, void *address, size_t len);

void dma_memory_close(struct dma_memory *memory);

#endif /* SAMPLES_COMMON_DMA_MEMORY_H_ */
