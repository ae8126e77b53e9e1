/* SPDX-License-Identifier: Apache-2.0 */
/* The names and the descriptions of the result codes. */
#include <doca_error.h>

/* A code that is missing here is a -Wswitch error below. */
#define ERRORS(X)                                                                                  \
	X(DOCA_SUCCESS, "success")                                                                 \
	X(DOCA_ERROR_UNKNOWN, "unclassified error")                                                \
	X(DOCA_ERROR_NOT_PERMITTED, "not permitted for this object")                               \
	X(DOCA_ERROR_IN_USE, "in use: something still depends on it")                              \
	X(DOCA_ERROR_NOT_SUPPORTED, "not supported by this device or this build")                  \
	X(DOCA_ERROR_AGAIN, "full for the moment: make progress, then try again")                  \
	X(DOCA_ERROR_INVALID_VALUE, "invalid argument")                                            \
	X(DOCA_ERROR_NO_MEMORY, "out of memory, or a fixed pool is used up")                       \
	X(DOCA_ERROR_INITIALIZATION, "a resource could not be set up")                             \
	X(DOCA_ERROR_TIME_OUT, "timed out")                                                        \
	X(DOCA_ERROR_SHUTDOWN, "shutting down")                                                    \
	X(DOCA_ERROR_CONNECTION_RESET, "connection reset by the peer")                             \
	X(DOCA_ERROR_CONNECTION_ABORTED, "connection broken")                                      \
	X(DOCA_ERROR_CONNECTION_INPROGRESS, "connection not yet made")                             \
	X(DOCA_ERROR_NOT_CONNECTED, "not connected")                                               \
	X(DOCA_ERROR_NO_LOCK, "lock not obtained")                                                 \
	X(DOCA_ERROR_NOT_FOUND, "not found")                                                       \
	X(DOCA_ERROR_IO_FAILED, "transfer failed")                                                 \
	X(DOCA_ERROR_BAD_STATE, "wrong state of the object for this call")                         \
	X(DOCA_ERROR_UNSUPPORTED_VERSION, "version not supported")                                 \
	X(DOCA_ERROR_OPERATING_SYSTEM, "system call failed")                                       \
	X(DOCA_ERROR_DRIVER, "driver failed")                                                      \
	X(DOCA_ERROR_UNEXPECTED, "unexpected internal error")                                      \
	X(DOCA_ERROR_ALREADY_EXIST, "exists already")                                              \
	X(DOCA_ERROR_FULL, "container full")                                                       \
	X(DOCA_ERROR_EMPTY, "container empty")                                                     \
	X(DOCA_ERROR_IN_PROGRESS, "begun, not yet finished: make progress")                        \
	X(DOCA_ERROR_TOO_BIG, "too big")                                                           \
	X(DOCA_ERROR_AUTHENTICATION, "authentication failed")                                      \
	X(DOCA_ERROR_BAD_CONFIG, "bad configuration")                                              \
	X(DOCA_ERROR_SKIPPED, "right result, but earlier output was dropped")                      \
	X(DOCA_ERROR_DEVICE_FATAL_ERROR, "device beyond use")

const char *doca_error_get_name(doca_error_t error)
{
#define X(code, descr)                                                                             \
	case code:                                                                                 \
		return #code;

	switch (error) {
		ERRORS(X)
	}
#undef X
	return "unrecognized error code";
}

const char *doca_error_get_descr(doca_error_t error)
{
#define X(code, descr)                                                                             \
	case code:                                                                                 \
		return descr;

	switch (error) {
		ERRORS(X)
	}
#undef X
	return "not a result code of this API";
}
