/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys, tokens, and memory that is not the CPU's. What a virtual card has not got is refused in one
 * place, after the arguments.
 */
#include "common/mmap.h"

#include "common/dev.h"
#include "common/sdk_log.h"

/* An export carries a secret of its own making: there is none for the program to choose. */
#define MAX_ACCESS_TOKEN_BYTES 0

doca_error_t doca_mmap_set_export_access_token(struct doca_mmap *mmap, const struct doca_dev *dev,
					       const uint8_t *token, size_t token_sz)
{
	if (mmap == NULL || dev == NULL || token == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : dev == NULL ? "dev" : "token");
	LOG_MMAP_REFUSAL(
		mmap,
		"an access token of %zu bytes: device %s takes at most %u "
		"(doca_mmap_cap_get_max_export_access_token_size), and an empty one is none",
		token_sz, dev->info.function->name, MAX_ACCESS_TOKEN_BYTES);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_mmap_cap_get_max_export_access_token_size(const struct doca_devinfo *devinfo,
							    size_t *max_sz)
{
	if (devinfo == NULL || max_sz == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "max_sz");
	*max_sz = MAX_ACCESS_TOKEN_BYTES;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_mkey(const struct doca_mmap *mmap, const struct doca_dev *dev,
				uint32_t *mkey)
{
	bool started;
	bool found;
	uint32_t index;

	if (mmap == NULL || dev == NULL || mkey == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : dev == NULL ? "dev" : "mkey");
	lock_take(mmap_lock(mmap));
	started = mmap->started;
	index = mmap_dev_index_locked(mmap, dev);
	found = index < mmap->num_devs;
	if (started && found)
		*mkey = mmap->first_mkey + index;
	lock_drop(mmap_lock(mmap));
	if (started && found)
		return DOCA_SUCCESS;
	LOG_MMAP_REFUSAL(mmap, "a key for device %s: %s", dev->info.function->name,
			 started ? "it was not added; call doca_mmap_add_dev before doca_mmap_start"
				 : "the mmap is not started; call doca_mmap_start first");
	return DOCA_ERROR_INVALID_VALUE;
}

/* What set_dmabuf_memrange and set_dpa_memrange would refuse on a card, too. */
static bool is_range(uint64_t addr, size_t len)
{
	return len != 0 && addr <= UINT64_MAX - len;
}

doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr,
					   size_t dmabuf_offset, size_t len)
{
	if (mmap == NULL || addr == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "addr");
	if (dmabuf_fd < 0 || !is_range((uintptr_t)addr, len) || !is_range(dmabuf_offset, len)) {
		LOG_MMAP_REFUSAL(mmap,
				 "dma-buf range [%p, +%zu) of descriptor %d at offset "
				 "%zu: a descriptor that is open and at least one byte are wanted",
				 addr, len, dmabuf_fd, dmabuf_offset);
		return DOCA_ERROR_INVALID_VALUE;
	}
	LOG_MMAP_REFUSAL(mmap,
			 "dma-buf range [%p, +%zu): a virtual card reaches the CPU's own "
			 "memory only; call doca_mmap_set_memrange with such memory",
			 addr, len);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
					uint64_t dpa_addr, size_t len)
{
	if (mmap == NULL || dpa == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "dpa");
	if (dpa_addr == 0 || !is_range(dpa_addr, len)) {
		LOG_MMAP_REFUSAL(mmap,
				 "DPA range [0x%llx, +%zu): an address above 0 and at "
				 "least one byte are wanted",
				 (unsigned long long)dpa_addr, len);
		return DOCA_ERROR_INVALID_VALUE;
	}
	LOG_MMAP_REFUSAL(mmap,
			 "DPA range [0x%llx, +%zu): a virtual card has no DPA; call "
			 "doca_mmap_set_memrange with the CPU's memory",
			 (unsigned long long)dpa_addr, len);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
	if (mmap == NULL || dev == NULL || dpa_mmap_handle == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : dev == NULL ? "dev" : "dpa_mmap_handle");
	LOG_MMAP_REFUSAL(
		mmap, "a DPA handle for device %s: a virtual card has no DPA; leave the call out",
		dev->info.function->name);
	return DOCA_ERROR_NOT_SUPPORTED;
}
