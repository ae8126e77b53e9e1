/* SPDX-License-Identifier: Apache-2.0 */
/* What of a map is exported. */
#ifndef COMMON_MMAP_EXPORT_H_
#define COMMON_MMAP_EXPORT_H_

#include "common/mmap.h"

/* Under the map's lock. */
static inline bool mmap_is_exported_locked(const struct doca_mmap *mmap)
{
	for (size_t i = 0; i < MMAP_NUM_EXPORTS; i++)
		if (mmap->exports[i] != NULL)
			return true;
	return false;
}

/*
 * A map that dies: no copy of another process starts on its memory after this. Waits for those that
 * run, at most 1 s an export. Holding no lock.
 */
void mmap_revoke_exports(struct doca_mmap *mmap);

#endif /* COMMON_MMAP_EXPORT_H_ */
