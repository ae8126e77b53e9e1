/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file softdoca.h
 * @brief What the DOCA API has no words for: how softdoca does the work of a card.
 *
 * For tools that report it. A program that must also run on a card does without.
 */
#ifndef SOFTDOCA_H_
#define SOFTDOCA_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_devinfo;
struct doca_devinfo_rep;
struct doca_mmap;

/**
 * @brief What executes the copies of a device.
 *
 * @param [in] devinfo  The device.
 * @param [out] engine  As SOFTDOCA_ENGINE has it, "inline" or "workers:4"; constant while the
 * process runs; untouched on error.
 * @param [out] kernel  The loop that moves the bytes, as SOFTDOCA_KERNEL has it, never "auto";
 *                      constant while the process runs; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: softdoca's own. Differs: a card has no such function.
 */
DOCA_EXPERIMENTAL
doca_error_t softdoca_devinfo_get_engine(const struct doca_devinfo *devinfo, const char **engine,
					 const char **kernel);

/**
 * @brief The way by which copies reach the memory of a map.
 *
 * @param [in] mmap  The map.
 * @param [out] way  "local" for this process's memory; "mapped", "cma" or "nbd" for what was
 *                   imported from another; a constant; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: softdoca's own. Differs: a card has no such function.
 */
DOCA_EXPERIMENTAL
doca_error_t softdoca_mmap_get_way(const struct doca_mmap *mmap, const char **way);

/**
 * @brief The model of the virtual card that a device is a function of.
 *
 * @param [in] devinfo  The device.
 * @param [out] model   As SOFTDOCA_DEVICE or a topology file has it, "bluefield3", "bluefield2",
 *                      "connectx7" or "unlimited"; a constant; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: softdoca's own. Differs: a card has no such function.
 */
DOCA_EXPERIMENTAL
doca_error_t softdoca_devinfo_get_model(const struct doca_devinfo *devinfo, const char **model);

/**
 * @brief The side of its card that a device is on.
 *
 * @param [in] devinfo  The device.
 * @param [out] side    "dpu" or "host"; a constant; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: softdoca's own. Differs: a card has no such function.
 */
DOCA_EXPERIMENTAL
doca_error_t softdoca_devinfo_get_side(const struct doca_devinfo *devinfo, const char **side);

/**
 * @brief The state of a device's network port. It is told and changes nothing: copies go through
 * no port.
 *
 * @param [in] devinfo     The device.
 * @param [out] is_active  1 or, for a port that is down, 0; untouched on error.
 * @param [out] mtu_bytes  The largest packet; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: softdoca's own. Differs: a card has no such function.
 */
DOCA_EXPERIMENTAL
doca_error_t softdoca_devinfo_get_port(const struct doca_devinfo *devinfo, uint8_t *is_active,
				       uint32_t *mtu_bytes);

/**
 * @brief The state of the network port of the function that a representor stands for.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] is_active   1 or, for a port that is down, 0; untouched on error.
 * @param [out] mtu_bytes   The largest packet; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: softdoca's own. Differs: a card has no such function.
 */
DOCA_EXPERIMENTAL
doca_error_t softdoca_devinfo_rep_get_port(const struct doca_devinfo_rep *devinfo_rep,
					   uint8_t *is_active, uint32_t *mtu_bytes);

#ifdef __cplusplus
}
#endif

#endif /* SOFTDOCA_H_ */
