/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, registered so that a device may reach it: of this process, or of another one. */
#include "dma_memory.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

#define ALIGNMENT ((size_t)2 * 1024 * 1024) /* that of a huge page; the device needs none */

/* Not zero: bytes that a copy forgets are then seen, and every page is there before the clock. */
#define FILL 0xa5

bool dma_memory_register(struct dma_memory *memory, struct doca_dev *dev, void *bytes, size_t len,
			 uint32_t access)
{
	memory->bytes = bytes;
	memory->len = len;
	/* Configure, then start: afterwards neither devices nor range nor rights change. */
	return doca_ok(doca_mmap_create(&memory->mmap), "create a memory map") &&
	       doca_ok(doca_mmap_add_dev(memory->mmap, dev), "give the memory map its device") &&
	       doca_ok(doca_mmap_set_memrange(memory->mmap, bytes, len),
		       "give the memory map its range") &&
	       doca_ok(doca_mmap_set_permissions(memory->mmap, access),
		       "give the memory map its permissions") &&
	       doca_ok(doca_mmap_start(memory->mmap), "start the memory map");
}

bool dma_memory_open(struct dma_memory *memory, struct doca_dev *dev, size_t len, uint32_t access)
{
	memory->owned = aligned_alloc(ALIGNMENT, (len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	if (memory->owned == NULL) {
		complain("cannot allocate %s for windows: %m", text_of_size(len).chars);
		return false;
	}
	memset(memory->owned, FILL, len);
	return dma_memory_register(memory, dev, memory->owned, len, access);
}

bool dma_memory_import(struct dma_memory *memory, struct doca_dev *dev, const void *desc,
		       size_t desc_len, void *address, size_t len)
{
	if (!doca_ok(doca_mmap_create_from_export(NULL, desc, desc_len, dev, &memory->mmap),
		     "import the memory of the other half"))
		return false;
	memory->bytes = address;
	memory->len = len;
	return true;
}

/* The map goes before the memory that it describes; destroying it stops it. */
void dma_memory_close(struct dma_memory *memory)
{
	if (memory->mmap != NULL)
		doca_ok(doca_mmap_destroy(memory->mmap), "destroy a memory map");
	free(memory->owned);
	*memory = (struct dma_memory){.len = 0};
}
