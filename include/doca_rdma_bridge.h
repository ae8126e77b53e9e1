/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_rdma_bridge.h
 * @brief The bridge to ibverbs. There is no RDMA behind a virtual card: each call answers
 * NOT_SUPPORTED.
 *
 * The types of ibverbs are only named here, so that no rdma-core is needed; a program that uses
 * them includes infiniband/verbs.h.
 */
#ifndef DOCA_RDMA_BRIDGE_H_
#define DOCA_RDMA_BRIDGE_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ibv_pd;
struct doca_buf;
struct doca_dev;
struct doca_mmap;

/**
 * @brief Would tell the protection domain of a device.
 *
 * @param [in] dev  The device.
 * @param [out] pd  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_rdma_bridge.h. Differs: never succeeds;
 * BAD_STATE never comes back.
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd);

/**
 * @brief Would open the device of a protection domain.
 *
 * @param [in] pd    The protection domain.
 * @param [out] dev  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_rdma_bridge.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev);

/**
 * @brief Would tell the memory key of a buffer for a device.
 *
 * @param [in] buf    The buffer.
 * @param [in] dev    The device.
 * @param [out] mkey  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_rdma_bridge.h. Differs: never succeeds.
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev,
					   uint32_t *mkey);

/**
 * @brief Would tell the memory key of a map in a protection domain.
 *
 * @param [in] mmap   The map.
 * @param [in] pd     The protection domain.
 * @param [out] mkey  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_rdma_bridge.h. Differs: never succeeds;
 * NOT_FOUND, OPERATING_SYSTEM never come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap, struct ibv_pd *pd,
						    uint32_t *mkey);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_RDMA_BRIDGE_H_ */
