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

doca_error_t softdoca_devinfo_get_model(const struct doca_devinfo *devinfo, const char **model)
{
	if (devinfo == NULL || model == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "model");
	*model = devinfo->card->model;
	return DOCA_SUCCESS;
}

doca_error_t softdoca_devinfo_get_side(const struct doca_devinfo *devinfo, const char **side)
{
	if (devinfo == NULL || side == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "side");
	*side = devinfo->function->side == CARD_SIDE_DPU ? "dpu" : "host";
	return DOCA_SUCCESS;
}

static void tell_port(const struct card_function *function, uint8_t *is_active, uint32_t *mtu_bytes)
{
	*is_active = function->is_active;
	*mtu_bytes = function->mtu_bytes;
}

doca_error_t softdoca_devinfo_get_port(const struct doca_devinfo *devinfo, uint8_t *is_active,
				       uint32_t *mtu_bytes)
{
	if (devinfo == NULL || is_active == NULL || mtu_bytes == NULL)
		return REFUSE_NULL(devinfo == NULL     ? "devinfo"
				   : is_active == NULL ? "is_active"
						       : "mtu_bytes");
	tell_port(devinfo->function, is_active, mtu_bytes);
	return DOCA_SUCCESS;
}

doca_error_t softdoca_devinfo_rep_get_port(const struct doca_devinfo_rep *devinfo_rep,
					   uint8_t *is_active, uint32_t *mtu_bytes)
{
	if (devinfo_rep == NULL || is_active == NULL || mtu_bytes == NULL)
		return REFUSE_NULL(devinfo_rep == NULL ? "devinfo_rep"
				   : is_active == NULL ? "is_active"
						       : "mtu_bytes");
	tell_port(devinfo_rep->function, is_active, mtu_bytes);
	return DOCA_SUCCESS;
}

doca_error_t softdoca_mmap_get_way(const struct doca_mmap *mmap, const char **way)
{
	if (mmap == NULL || way == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "way");
	*way = mmap->region == NULL ? "local" : mmap->region->ops->name;
	return DOCA_SUCCESS;
}
