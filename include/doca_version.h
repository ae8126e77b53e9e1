/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_version.h
 * @brief The API level of these headers and of the loaded library.
 */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <stddef.h>

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Major number, 0 to 255. */
#define DOCA_VERSION_MAJOR 3
/** @brief Minor number, 0 to 255. */
#define DOCA_VERSION_MINOR 3
/** @brief Patch number, 0 to 9999. */
#define DOCA_VERSION_PATCH 0
/** @brief The three numbers as text. */
#define DOCA_VERSION_STRING "3.3.0"

/** @brief A comparable number made of all three parts. */
#define DOCA_VERSION_CALC_EXACT(major, minor, patch)                                               \
	((size_t)((((size_t)(major)) << 24) | (((size_t)(minor)) << 16) | ((size_t)(patch))))

/** @brief The exact number of these headers. */
#define DOCA_VERSION_EXACT                                                                         \
	DOCA_VERSION_CALC_EXACT(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH)

/** @brief A comparable number of an official release. */
#define DOCA_VERSION_CALC(major, minor, patch)                                                     \
	((size_t)((((size_t)(major)) << 24) | (((size_t)(minor)) << 16) |                          \
		  (((size_t)(patch)) * 1000)))

/** @brief The official number of these headers. */
#define DOCA_VERSION_OFFICIAL                                                                      \
	DOCA_VERSION_CALC(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH)

/** @brief 1 when the given release is the one of these headers. */
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch)                                               \
	(DOCA_VERSION_CALC(major, minor, patch) == DOCA_VERSION_OFFICIAL)

/** @brief 1 when the given release is this one or an earlier one. */
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch)                                              \
	(DOCA_VERSION_CALC(major, minor, patch) <= DOCA_VERSION_OFFICIAL)

/**
 * @brief The version of the headers that the caller was compiled with.
 *
 * @return A constant string such as "3.3.0".
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_version.h. Differs: the patch number is not
 * padded to four digits.
 */
static inline const char *doca_version(void)
{
	return DOCA_VERSION_STRING;
}

/**
 * @brief The version of the library that is loaded.
 *
 * @return A constant string such as "3.3.0".
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_version.h. Differs: as doca_version().
 */
DOCA_EXPERIMENTAL
const char *doca_version_runtime(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_VERSION_H_ */
