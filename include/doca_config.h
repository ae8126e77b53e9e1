/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_config.h
 * @brief Compile-time switches of the headers.
 */
#ifndef DOCA_CONFIG_H_
#define DOCA_CONFIG_H_

#include <doca_build_config.h>

/** @brief Turns on the versioned-struct helpers of doca_compat.h; not for code of the DPA. */
#if !defined(DOCA_DPA_DEVICE) && !defined(DOCA_COMPAT_HELPERS)
#define DOCA_COMPAT_HELPERS
#endif

#endif /* DOCA_CONFIG_H_ */
