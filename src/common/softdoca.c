/* SPDX-License-Identifier: Apache-2.0 */
/* What softdoca tells of itself, beyond the DOCA API. */
#include <softdoca.h>

#include "common/dev.h"
#include "common/mmap.h"
#include "common/sdk_log.h"
#include "copy/copy.h"
#include "peer/peer.h"

doca_error_t softdoca_devinfo_get_engine(const struct doca_devinfo *devinfo, const char **engine,
					 const char **kernel)
{
	if (devinfo == NULL || engine == NULL || kernel == NULL)
		return REFUSE_NULL(devinfo == NULL  ? "devinfo"
				   : engine == NULL ? "engine"
						    : "kernel");
	*engine = devinfo->card->engine_words;
	*kernel = copy_kernel_name();
	return DOCA_SUCCESS;
}

doca_error_t softdoca_mmap_get_way(const struct doca_mmap *mmap, const char **way)
{
	if (mmap == NULL || way == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "way");
	*way = mmap->region == NULL ? "local" : mmap->region->ops->name;
	return DOCA_SUCCESS;
}
