/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_compat.h
 * @brief What a declaration promises: stable, experimental or deprecated; versioned structs.
 */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <doca_config.h>

/** @brief Keep a symbol that nothing in its file refers to. */
#define DOCA_USED __attribute__((used))

/** @brief A function whose prototype and meaning stay through the 3.x releases. */
#define DOCA_STABLE __attribute__((visibility("default"))) DOCA_USED

/** @brief A function that may change; a call warns unless DOCA_ALLOW_EXPERIMENTAL_API is defined.
 */
#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL DOCA_STABLE
#else
#define DOCA_EXPERIMENTAL                                                                          \
	__attribute__((deprecated("experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it")))  \
	DOCA_STABLE
#endif

/** @brief A function on its way out; a call warns unless DOCA_ALLOW_DEPRECATED_API is defined. */
#ifdef DOCA_ALLOW_DEPRECATED_API
#define DOCA_DEPRECATED DOCA_STABLE
#else
#define DOCA_DEPRECATED                                                                            \
	__attribute__((deprecated("deprecated: define DOCA_ALLOW_DEPRECATED_API to use it")))      \
	DOCA_STABLE
#endif

#ifdef DOCA_COMPAT_HELPERS

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

/** @brief First member of a struct that carries the API version it was built with. */
#define DOCA_STRUCT_START size_t __doca_api_version

/** @brief The API version that *ptr was built with. */
#define DOCA_STRUCT_GET_VERSION(ptr) ((ptr)->__doca_api_version)

/** @brief Stamp a struct with the API version of these headers. */
#define DOCA_STRUCT_CTOR(st)                                                                       \
	do {                                                                                       \
		(st).__doca_api_version = DOCA_VERSION_EXACT;                                      \
	} while (0)

/** @brief DOCA_STRUCT_CTOR() through a pointer. */
#define DOCA_STRUCT_PTR_CTOR(ptr) DOCA_STRUCT_CTOR(*(ptr))

/** @brief Zero a struct, then stamp it. */
#define DOCA_STRUCT_MEMSET_CTOR(st)                                                                \
	do {                                                                                       \
		memset(&(st), 0, sizeof(st));                                                      \
		DOCA_STRUCT_CTOR(st);                                                              \
	} while (0)

/** @brief DOCA_STRUCT_MEMSET_CTOR() through a pointer. */
#define DOCA_STRUCT_PTR_MEMSET_CTOR(ptr) DOCA_STRUCT_MEMSET_CTOR(*(ptr))

/** @brief First item of an initialiser list: the stamp; others follow after a comma. */
#ifdef __cplusplus
#define DOCA_STRUCT_CTOR_LIST_START DOCA_VERSION_EXACT
#else
#define DOCA_STRUCT_CTOR_LIST_START .__doca_api_version = DOCA_VERSION_EXACT
#endif

/** @brief Define a stamped variable of type struct st, zero but for the stamp. */
#ifdef __cplusplus
#define DOCA_STRUCT_DEF(st, name)                                                                  \
	struct st name = [] {                                                                      \
		struct st stamped = {};                                                            \
		DOCA_STRUCT_CTOR(stamped);                                                         \
		return stamped;                                                                    \
	}()
#else
#define DOCA_STRUCT_DEF(st, name) struct st name = {DOCA_STRUCT_CTOR_LIST_START}
#endif

#endif /* DOCA_COMPAT_HELPERS */

#endif /* DOCA_COMPAT_H_ */
