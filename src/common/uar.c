/* SPDX-License-Identifier: Apache-2.0 */
/* Doorbell pages, of which a virtual card has none. */
#include <doca_uar.h>

#include "common/sdk_log.h"

#define REFUSE(null_argument) REFUSE_LACKING(null_argument, "doorbell pages")

doca_error_t doca_uar_create(const struct doca_dev *dev,
			     enum doca_uar_allocation_type allocation_type, struct doca_uar **uar)
{
	return REFUSE(NAME_IF_NULL(dev) ?: NAME_IF_NULL(uar));
}

doca_error_t doca_uar_dpa_create(struct doca_dpa *dpa, struct doca_uar **uar)
{
	return REFUSE(NAME_IF_NULL(dpa) ?: NAME_IF_NULL(uar));
}

doca_error_t doca_uar_destroy(struct doca_uar *uar)
{
	return REFUSE(NAME_IF_NULL(uar));
}

doca_error_t doca_uar_id_get(const struct doca_uar *uar, uint32_t *id)
{
	return REFUSE(NAME_IF_NULL(uar) ?: NAME_IF_NULL(id));
}

doca_error_t doca_uar_page_get(const struct doca_uar *uar, void **page)
{
	return REFUSE(NAME_IF_NULL(uar) ?: NAME_IF_NULL(page));
}

doca_error_t doca_uar_reg_addr_get(const struct doca_uar *uar, void **reg)
{
	return REFUSE(NAME_IF_NULL(uar) ?: NAME_IF_NULL(reg));
}
