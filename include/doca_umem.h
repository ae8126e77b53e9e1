/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_umem.h
 * @brief A program's memory as a NIC's own programs know it. A virtual card runs none: each call
 * answers NOT_SUPPORTED.
 */
#ifndef DOCA_UMEM_H_
#define DOCA_UMEM_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dpa;
struct doca_gpu;
struct doca_umem;

/**
 * @brief Would register memory.
 *
 * @param [in] dev           The device.
 * @param [in] address       Its first byte.
 * @param [in] size          Bytes.
 * @param [in] access_flags  Mask of enum doca_access_flag.
 * @param [out] umem_obj     Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds; NO_MEMORY,
 * DRIVER never come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_create(const struct doca_dev *dev, void *address, size_t size,
			      uint32_t access_flags, struct doca_umem **umem_obj);

/**
 * @brief Would register memory of a DPA.
 *
 * @param [in] dpa           The DPA.
 * @param [in] address       Its first byte.
 * @param [in] size          Bytes.
 * @param [in] access_flags  Mask of enum doca_access_flag.
 * @param [out] umem_obj     Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds; NO_MEMORY,
 * DRIVER never come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_dpa_create(struct doca_dpa *dpa, uint64_t address, size_t size,
				  uint32_t access_flags, struct doca_umem **umem_obj);

/**
 * @brief Would register memory of a GPU.
 *
 * @param [in] gpu           The GPU.
 * @param [in] dev           The device.
 * @param [in] address       Its first byte.
 * @param [in] size          Bytes.
 * @param [in] access_flags  Mask of enum doca_access_flag.
 * @param [out] umem_obj     Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds; NO_MEMORY,
 * DRIVER never come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_gpu_create(struct doca_gpu *gpu, struct doca_dev *dev, void *address,
				  size_t size, uint32_t access_flags, struct doca_umem **umem_obj);

/**
 * @brief Would forget registered memory.
 *
 * @param [in] umem_obj  The memory.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  umem_obj is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds; DRIVER never
 * comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_destroy(struct doca_umem *umem_obj);

/**
 * @brief Would tell the number of registered memory.
 *
 * @param [in] umem_obj  The memory.
 * @param [out] umem_id  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_get_id(const struct doca_umem *umem_obj, uint32_t *umem_id);

/**
 * @brief Would tell the size of registered memory.
 *
 * @param [in] umem_obj    The memory.
 * @param [out] umem_size  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_get_size(const struct doca_umem *umem_obj, uint32_t *umem_size);

/**
 * @brief Would tell the first byte of registered memory.
 *
 * @param [in] umem_obj    The memory.
 * @param [out] umem_addr  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_umem.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_get_address(const struct doca_umem *umem_obj, void **umem_addr);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_UMEM_H_ */
