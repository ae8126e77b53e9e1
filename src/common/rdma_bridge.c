/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge to ibverbs, which a virtual card has not. */
#include <doca_rdma_bridge.h>

#include "common/sdk_log.h"

#define REFUSE(null_argument) REFUSE_LACKING(null_argument, "RDMA")

doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
	return REFUSE(NAME_IF_NULL(dev) ?: NAME_IF_NULL(pd));
}

doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev)
{
	return REFUSE(NAME_IF_NULL(pd) ?: NAME_IF_NULL(dev));
}

doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev,
					   uint32_t *mkey)
{
	return REFUSE(NAME_IF_NULL(buf) ?: NAME_IF_NULL(dev) ?: NAME_IF_NULL(mkey));
}

doca_error_t doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap, struct ibv_pd *pd,
						    uint32_t *mkey)
{
	return REFUSE(NAME_IF_NULL(mmap) ?: NAME_IF_NULL(pd) ?: NAME_IF_NULL(mkey));
}
