/* SPDX-License-Identifier: Apache-2.0 */
/* Memory registered for programs of the NIC, of which a virtual card has none. */
#include <doca_umem.h>

#include "common/sdk_log.h"

#define REFUSE(null_argument)                                                                      \
	REFUSE_LACKING(null_argument, "programs of its own that would reach memory")

doca_error_t doca_umem_create(const struct doca_dev *dev, void *address, size_t size,
			      uint32_t access_flags, struct doca_umem **umem_obj)
{
	return REFUSE(NAME_IF_NULL(dev) ?: NAME_IF_NULL(address) ?: NAME_IF_NULL(umem_obj));
}

doca_error_t doca_umem_dpa_create(struct doca_dpa *dpa, uint64_t address, size_t size,
				  uint32_t access_flags, struct doca_umem **umem_obj)
{
	return REFUSE(NAME_IF_NULL(dpa) ?: NAME_IF_NULL(umem_obj));
}

doca_error_t doca_umem_gpu_create(struct doca_gpu *gpu, struct doca_dev *dev, void *address,
				  size_t size, uint32_t access_flags, struct doca_umem **umem_obj)
{
	const char *missing = NAME_IF_NULL(gpu) ?: NAME_IF_NULL(dev);

	return REFUSE(missing ?: NAME_IF_NULL(address) ?: NAME_IF_NULL(umem_obj));
}

doca_error_t doca_umem_destroy(struct doca_umem *umem_obj)
{
	return REFUSE(NAME_IF_NULL(umem_obj));
}

doca_error_t doca_umem_get_id(const struct doca_umem *umem_obj, uint32_t *umem_id)
{
	return REFUSE(NAME_IF_NULL(umem_obj) ?: NAME_IF_NULL(umem_id));
}

doca_error_t doca_umem_get_size(const struct doca_umem *umem_obj, uint32_t *umem_size)
{
	return REFUSE(NAME_IF_NULL(umem_obj) ?: NAME_IF_NULL(umem_size));
}

doca_error_t doca_umem_get_address(const struct doca_umem *umem_obj, void **umem_addr)
{
	return REFUSE(NAME_IF_NULL(umem_obj) ?: NAME_IF_NULL(umem_addr));
}
