/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_uar.h
 * @brief The doorbell pages of a NIC. A virtual card has none: each call answers NOT_SUPPORTED.
 */
#ifndef DOCA_UAR_H_
#define DOCA_UAR_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dpa;
struct doca_uar;

/** @brief How the CPU would reach a doorbell page. */
enum doca_uar_allocation_type {
	DOCA_UAR_ALLOCATION_TYPE_BLUEFLAME = 0,
	DOCA_UAR_ALLOCATION_TYPE_NONCACHE = 1,
	DOCA_UAR_ALLOCATION_TYPE_NONCACHE_DEDICATED = 2,
};

/**
 * @brief Would map a doorbell page.
 *
 * @param [in] dev              The device.
 * @param [in] allocation_type  How to reach it.
 * @param [out] uar             Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_uar.h. Differs: never succeeds; DRIVER never
 * comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_create(const struct doca_dev *dev,
			     enum doca_uar_allocation_type allocation_type, struct doca_uar **uar);

/**
 * @brief Would give a doorbell page to a DPA.
 *
 * @param [in] dpa   The DPA.
 * @param [out] uar  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_uar.h. Differs: never succeeds; DRIVER never
 * comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_dpa_create(struct doca_dpa *dpa, struct doca_uar **uar);

/**
 * @brief Would unmap a doorbell page.
 *
 * @param [in] uar  The page.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  uar is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_uar.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_destroy(struct doca_uar *uar);

/**
 * @brief Would tell the number of a doorbell page.
 *
 * @param [in] uar  The page.
 * @param [out] id  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_uar.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_id_get(const struct doca_uar *uar, uint32_t *id);

/**
 * @brief Would tell the address of a doorbell page.
 *
 * @param [in] uar    The page.
 * @param [out] page  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_uar.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_page_get(const struct doca_uar *uar, void **page);

/**
 * @brief Would tell the address of a doorbell.
 *
 * @param [in] uar   The page.
 * @param [out] reg  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_uar.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_reg_addr_get(const struct doca_uar *uar, void **reg);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_UAR_H_ */
