/* SPDX-License-Identifier: Apache-2.0 */
/* A map over another process's memory, made from what that process exported. */
#include <stdlib.h>

#include "common/dev.h"
#include "common/mmap.h"
#include "common/sdk_log.h"
#include "peer/peer.h"
#include "wire/export.h"

#define PCI_READ DOCA_ACCESS_FLAG_PCI_READ_ONLY
#define PCI_WRITE DOCA_ACCESS_FLAG_PCI_READ_WRITE

/* The permissions that the exporter gave, as far as a descriptor tells. */
static uint32_t access_of(const struct export_descriptor *descriptor)
{
	const bool may_write = (descriptor->flags & EXPORT_MAY_WRITE) != 0;
	uint32_t access = 0;

	if ((descriptor->flags & EXPORT_RDMA) == 0)
		return may_write ? PCI_WRITE : PCI_READ;
	if ((descriptor->flags & EXPORT_MAY_READ) != 0)
		access |= DOCA_ACCESS_FLAG_RDMA_READ;
	if (may_write)
		access |= DOCA_ACCESS_FLAG_RDMA_WRITE;
	return access;
}

static uint8_t rights_of(const struct export_descriptor *descriptor)
{
	uint8_t rights = 0;

	if ((descriptor->flags & EXPORT_MAY_READ) != 0)
		rights |= MMAP_READ;
	if ((descriptor->flags & EXPORT_MAY_WRITE) != 0)
		rights |= MMAP_WRITE;
	return rights;
}

/* Everything but the region, which comes last. NULL when out of memory. */
static struct doca_mmap *make(const struct export_descriptor *descriptor, struct doca_dev *dev,
			      const union doca_data *user_data)
{
	struct doca_mmap *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	made->devs = calloc(1, sizeof(struct doca_dev *));
	if (made->devs == NULL) {
		free(made);
		return NULL;
	}
	lock_init(&made->lock);
	list_init(&made->users);
	doca__dev_hold(dev);
	made->devs[0] = dev;
	made->num_devs = 1;
	made->max_devs = 1;
	made->first_mkey = mmap_draw_mkeys(1);
	made->addr = (uint8_t *)(uintptr_t)descriptor->addr;
	made->len_bytes = descriptor->len_bytes;
	made->access = access_of(descriptor);
	made->rights = rights_of(descriptor);
	made->is_imported = true;
	made->started = true;
	made->was_started = true;
	if (user_data != NULL)
		made->user_data = *user_data;
	return made;
}

doca_error_t import_error(const struct doca_dev *dev, doca_error_t result)
{
	switch (result) {
	case DOCA_ERROR_NOT_CONNECTED:
	case DOCA_ERROR_AUTHENTICATION:
	case DOCA_ERROR_NOT_FOUND:
	case DOCA_ERROR_TIME_OUT:
	case DOCA_ERROR_OPERATING_SYSTEM:
		return dev->info.card->errors == SETTINGS_ERRORS_HARDWARE ? DOCA_ERROR_DRIVER
									  : result;
	default:
		return result;
	}
}

static doca_error_t reach(const struct export_descriptor *descriptor, struct doca_dev *dev,
			  const union doca_data *user_data, struct doca_mmap **mmap)
{
	char report[PEER_REPORT_BYTES] = "";
	struct doca_mmap *made = make(descriptor, dev, user_data);
	doca_error_t result;

	if (made == NULL) {
		LOG_ERROR("mmap import refused: no memory for it");
		return DOCA_ERROR_NO_MEMORY;
	}
	result = peer_open(&dev->info.card->policy, descriptor, &made->region, report);
	if (result != DOCA_SUCCESS) {
		LOG_ERROR("mmap import of [%p, +%zu) of process %u refused with %s: %s",
			  (void *)made->addr, made->len_bytes, descriptor->pid,
			  doca_error_get_name(result), report);
		mmap_free(made);
		return import_error(dev, result);
	}
	LOG_MMAP(DOCA_LOG_LEVEL_DEBUG, made, "imported from process %u through device %s: %s",
		 descriptor->pid, dev->info.function->name, report);
	*mmap = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev,
					  struct doca_mmap **mmap)
{
	struct export_descriptor descriptor;
	const char *why = "";
	doca_error_t result;

	if (export_desc == NULL || dev == NULL || mmap == NULL)
		return REFUSE_NULL(export_desc == NULL ? "export_desc"
				   : dev == NULL       ? "dev"
						       : "mmap");
	if (!card_can(dev->info.function, CARD_IMPORT_PCI)) {
		LOG_ERROR("mmap import refused: device %s cannot import; choose one for which "
			  "doca_mmap_cap_is_create_from_export_pci_supported answers 1",
			  dev->info.function->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	result = export_decode(export_desc, export_desc_len, &descriptor, &why);
	if (result != DOCA_SUCCESS) {
		LOG_ERROR("mmap import refused: the %zu bytes at %p are no export descriptor: %s; "
			  "pass what the export gave, whole",
			  export_desc_len, export_desc, why);
		return result;
	}
	result = reach(&descriptor, dev, user_data, mmap);
	explicit_bzero(&descriptor, sizeof(descriptor));
	return result;
}

doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export)
{
	if (mmap == NULL || from_export == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "from_export");
	*from_export = mmap->is_imported;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo,
							       uint8_t *from_export)
{
	if (devinfo == NULL || from_export == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "from_export");
	*from_export = card_can(devinfo->function, CARD_IMPORT_PCI);
	return DOCA_SUCCESS;
}
