/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map's memory for other processes: the agent serves it, the map keeps the descriptor. One export
 * a kind (PCI, RDMA), whatever the device and its card: a descriptor speaks of memory alone.
 */
#include "common/mmap_export.h"

#include <errno.h>
#include <stdlib.h>

#include "common/dev.h"
#include "common/mmap.h"
#include "common/sdk_log.h"
#include "peer/agent.h"

struct mmap_export {
	struct agent_region *region;
	size_t len_bytes; /* of the descriptor */
	uint8_t descriptor[EXPORT_MAX_BYTES];
};

/* What the two kinds differ in. */
struct kind {
	const char *name;
	const char *no_right; /* why, when its permissions have none of those below */
	uint32_t export_flag;
	uint32_t read_access; /* permissions that let the importer read, write */
	uint32_t write_access;
};

#define NO_RIGHT                                                                                   \
	"its permissions let no importer in; before doca_mmap_start give "                         \
	"doca_mmap_set_permissions "

static const struct kind kinds[MMAP_NUM_EXPORTS] = {
	[MMAP_EXPORT_PCI] = {.name = "PCI",
			     .no_right =
				     NO_RIGHT "DOCA_ACCESS_FLAG_PCI_READ_ONLY or PCI_READ_WRITE",
			     .export_flag = EXPORT_PCI,
			     .read_access = DOCA_ACCESS_FLAG_PCI_READ_ONLY |
					    DOCA_ACCESS_FLAG_PCI_READ_WRITE,
			     .write_access = DOCA_ACCESS_FLAG_PCI_READ_WRITE},
	[MMAP_EXPORT_RDMA] = {.name = "RDMA",
			      .no_right = NO_RIGHT "DOCA_ACCESS_FLAG_RDMA_READ or RDMA_WRITE",
			      .export_flag = EXPORT_RDMA,
			      .read_access = DOCA_ACCESS_FLAG_RDMA_READ,
			      .write_access = DOCA_ACCESS_FLAG_RDMA_WRITE},
};

/* What is said of an export that is refused, and what was asked of the system. */
struct refusal {
	doca_error_t result;
	const char *why;
	int error; /* errno of a call that failed, or 0 */
};

static uint32_t export_flags(const struct doca_mmap *mmap, const struct kind *kind)
{
	uint32_t flags = 0;

	if ((mmap->access & kind->read_access) != 0)
		flags |= EXPORT_MAY_READ;
	if ((mmap->access & kind->write_access) != 0)
		flags |= EXPORT_MAY_WRITE;
	return flags;
}

/* The first rule that an export would break. */
static struct refusal check_export(const struct doca_mmap *mmap, const struct doca_dev *dev,
				   const struct kind *kind) REQUIRES(mmap->lock)
{
	if (mmap->is_imported)
		return (struct refusal){DOCA_ERROR_NOT_PERMITTED,
					"it is imported itself; its exporter exports it", 0};
	if (!mmap->started)
		return (struct refusal){DOCA_ERROR_NOT_PERMITTED,
					"it is not started; call doca_mmap_start first", 0};
	if (mmap_dev_index_locked(mmap, dev) == mmap->num_devs)
		return (struct refusal){DOCA_ERROR_NOT_FOUND,
					"the device was not added; call doca_mmap_add_dev before "
					"doca_mmap_start",
					0};
	if (!card_can(dev->info.function, CARD_EXPORT_PCI))
		return (struct refusal){DOCA_ERROR_NOT_SUPPORTED,
					"the device cannot export; choose one for which "
					"doca_mmap_cap_is_export_pci_supported answers 1",
					0};
	if (export_flags(mmap, kind) == 0)
		return (struct refusal){DOCA_ERROR_NOT_PERMITTED, kind->no_right, 0};
	return (struct refusal){.result = DOCA_SUCCESS};
}

/* Under the map's lock, so that two threads do not export it twice. */
static struct refusal serve(struct doca_mmap *mmap, const struct doca_dev *dev,
			    enum mmap_export_kind kind) REQUIRES(mmap->lock)
{
	const struct agent_range range = {
		.addr = mmap->addr,
		.len_bytes = mmap->len_bytes,
		.flags = export_flags(mmap, &kinds[kind]) | kinds[kind].export_flag,
	};
	struct mmap_export *made = calloc(1, sizeof(*made));
	struct refusal refusal = {DOCA_ERROR_NO_MEMORY, "out of memory", 0};

	if (made == NULL)
		return refusal;
	errno = 0;
	refusal.result = agent_export(&dev->info.card->policy, &range, &made->region,
				      made->descriptor, &made->len_bytes, &refusal.why);
	if (refusal.result == DOCA_SUCCESS) {
		mmap->exports[kind] = made;
		return refusal;
	}
	refusal.error = refusal.result == DOCA_ERROR_OPERATING_SYSTEM ? errno : 0;
	/* What this call may answer: the rest is a driver's failure. */
	if (refusal.result != DOCA_ERROR_NO_MEMORY && refusal.result != DOCA_ERROR_NOT_PERMITTED)
		refusal.result = DOCA_ERROR_DRIVER;
	free(made);
	return refusal;
}

static void revoke(struct mmap_export **export)
{
	if (*export == NULL)
		return;
	agent_revoke((*export)->region);
	/* The descriptor holds a secret. */
	explicit_bzero(*export, sizeof(**export));
	free(*export);
	*export = NULL;
}

/* A forked child has its parent's exports, and serves none: it exports anew. */
static void drop_inherited(struct mmap_export **export)
{
	if (*export != NULL && !agent_serves((*export)->region))
		revoke(export);
}

static doca_error_t export_as(struct doca_mmap *mmap, const struct doca_dev *dev,
			      const void **export_desc, size_t *export_desc_len,
			      enum mmap_export_kind kind)
{
	struct refusal refusal;

	if (mmap == NULL || dev == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "dev");
	if (export_desc == NULL || export_desc_len == NULL)
		return REFUSE_NULL(export_desc == NULL ? "export_desc" : "export_desc_len");
	lock_take(&mmap->lock);
	drop_inherited(&mmap->exports[kind]);
	refusal = check_export(mmap, dev, &kinds[kind]);
	if (refusal.result == DOCA_SUCCESS && mmap->exports[kind] == NULL)
		refusal = serve(mmap, dev, kind);
	if (refusal.result == DOCA_SUCCESS) {
		*export_desc = mmap->exports[kind]->descriptor;
		*export_desc_len = mmap->exports[kind]->len_bytes;
	}
	lock_drop(&mmap->lock);
	if (refusal.result == DOCA_SUCCESS) {
		LOG_MMAP(DOCA_LOG_LEVEL_DEBUG, mmap, "exported for %s through device %s",
			 kinds[kind].name, dev->info.function->name);
	} else if (refusal.error != 0) {
		errno = refusal.error;
		LOG_MMAP_REFUSAL(mmap, "%s export through device %s: %s: %m", kinds[kind].name,
				 dev->info.function->name, refusal.why);
	} else {
		LOG_MMAP_REFUSAL(mmap, "%s export through device %s: %s", kinds[kind].name,
				 dev->info.function->name, refusal.why);
	}
	return refusal.result;
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
				  const void **export_desc, size_t *export_desc_len)
{
	return export_as(mmap, dev, export_desc, export_desc_len, MMAP_EXPORT_PCI);
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev,
				   const void **export_desc, size_t *export_desc_len)
{
	return export_as(mmap, dev, export_desc, export_desc_len, MMAP_EXPORT_RDMA);
}

void mmap_revoke_exports(struct doca_mmap *mmap)
{
	for (size_t i = 0; i < MMAP_NUM_EXPORTS; i++)
		revoke(&mmap->exports[i]);
}

doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported)
{
	if (mmap == NULL || exported == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "exported");
	lock_take(mmap_lock(mmap));
	*exported = mmap_is_exported_locked(mmap);
	lock_drop(mmap_lock(mmap));
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
						   uint8_t *mmap_export)
{
	if (devinfo == NULL || mmap_export == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "mmap_export");
	*mmap_export = card_can(devinfo->function, CARD_EXPORT_PCI);
	return DOCA_SUCCESS;
}
