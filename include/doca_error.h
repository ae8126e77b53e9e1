/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_error.h
 * @brief The result codes of nearly every call, and their names.
 */
#ifndef DOCA_ERROR_H_
#define DOCA_ERROR_H_

#include <doca_common_defines.h>
#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Result of a call or of a task. */
enum doca_error {
	DOCA_SUCCESS = 0,		       /**< it worked */
	DOCA_ERROR_UNKNOWN = 1,		       /**< unclassified */
	DOCA_ERROR_NOT_PERMITTED = 2,	       /**< forbidden for this object */
	DOCA_ERROR_IN_USE = 3,		       /**< something still depends on it */
	DOCA_ERROR_NOT_SUPPORTED = 4,	       /**< the device or the build lacks it */
	DOCA_ERROR_AGAIN = 5,		       /**< full for now: progress, then retry */
	DOCA_ERROR_INVALID_VALUE = 6,	       /**< an argument is wrong */
	DOCA_ERROR_NO_MEMORY = 7,	       /**< no memory, or a fixed pool is empty */
	DOCA_ERROR_INITIALIZATION = 8,	       /**< a resource could not be set up */
	DOCA_ERROR_TIME_OUT = 9,	       /**< waited too long */
	DOCA_ERROR_SHUTDOWN = 10,	       /**< closing down */
	DOCA_ERROR_CONNECTION_RESET = 11,      /**< the peer reset the connection */
	DOCA_ERROR_CONNECTION_ABORTED = 12,    /**< the connection broke */
	DOCA_ERROR_CONNECTION_INPROGRESS = 13, /**< still connecting */
	DOCA_ERROR_NOT_CONNECTED = 14,	       /**< no peer, or a context without an engine */
	DOCA_ERROR_NO_LOCK = 15,	       /**< a lock was not obtained */
	DOCA_ERROR_NOT_FOUND = 16,	       /**< no such thing */
	DOCA_ERROR_IO_FAILED = 17,	       /**< the transfer failed */
	DOCA_ERROR_BAD_STATE = 18,	       /**< wrong moment in the object's life */
	DOCA_ERROR_UNSUPPORTED_VERSION = 19,   /**< versions do not match */
	DOCA_ERROR_OPERATING_SYSTEM = 20,      /**< a system call failed */
	DOCA_ERROR_DRIVER = 21,		       /**< the driver failed */
	DOCA_ERROR_UNEXPECTED = 22,	       /**< an internal surprise */
	DOCA_ERROR_ALREADY_EXIST = 23,	       /**< there is one already */
	DOCA_ERROR_FULL = 24,		       /**< the container is full */
	DOCA_ERROR_EMPTY = 25,		       /**< the container is empty */
	DOCA_ERROR_IN_PROGRESS = 26,	       /**< begun; progress will finish it */
	DOCA_ERROR_TOO_BIG = 27,	       /**< beyond what the type can hold */
	DOCA_ERROR_AUTHENTICATION = 28,	       /**< the secret was refused */
	DOCA_ERROR_BAD_CONFIG = 29,	       /**< the configuration is wrong */
	DOCA_ERROR_SKIPPED = 30,	       /**< right, but earlier output was dropped */
	DOCA_ERROR_DEVICE_FATAL_ERROR = 31,    /**< the device is beyond use */
};

/** @brief What nearly every function returns. */
typedef enum doca_error doca_error_t;

/** @brief True for every result but DOCA_SUCCESS. */
#define DOCA_IS_ERROR(result) doca_unlikely((result) != DOCA_SUCCESS)

/** @brief Keep the first error: store @p next in @p result while @p result is DOCA_SUCCESS. */
#define DOCA_ERROR_PROPAGATE(result, next)                                                         \
	do {                                                                                       \
		if ((result) == DOCA_SUCCESS)                                                      \
			(result) = (next);                                                         \
	} while (0)

/**
 * @brief The name of a code.
 *
 * @param [in] error  Any number.
 * @return Such as "DOCA_ERROR_AGAIN"; for a number that is no code a text that says so; never NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_error.h. Differs: nothing known.
 */
DOCA_STABLE
const char *doca_error_get_name(doca_error_t error);

/**
 * @brief A sentence about a code.
 *
 * @param [in] error  Any number.
 * @return A constant text; for a number that is no code a text that says so; never NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_error.h. Differs: the wording.
 */
DOCA_STABLE
const char *doca_error_get_descr(doca_error_t error);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ERROR_H_ */
