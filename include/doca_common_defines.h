/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_common_defines.h
 * @brief Branch hints that the other headers share.
 */
#ifndef DOCA_COMMON_DEFINES_H_
#define DOCA_COMMON_DEFINES_H_

#if defined(__GNUC__)
/** @brief Tell the compiler that a condition is mostly true; the value is 0 or 1. */
#define doca_likely(x) __builtin_expect(!!(x), 1)
/** @brief Tell the compiler that a condition is mostly false; the value is 0 or 1. */
#define doca_unlikely(x) __builtin_expect(!!(x), 0)
#else
#define doca_likely(x) (x)
#define doca_unlikely(x) (x)
#endif

#endif /* DOCA_COMMON_DEFINES_H_ */
