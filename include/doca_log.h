/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_log.h
 * @brief Log records in two tiers, the program's and the libraries', and the backends that show
 * them.
 *
 * A record of the application tier comes from doca_log(), mostly through DOCA_LOG_ERR() and its
 * siblings; a record of the SDK tier comes from the libraries. A backend shows one tier. Without a
 * backend nothing is shown. A backend lives until the program ends; there is no call to destroy
 * it.
 *
 * A record is one line: `[HH:MM:SS:microseconds][pid][source][LEVEL][file:line][function] text`,
 * in local time; the source of an SDK record is DOCA. In the text a newline is written as \\n and
 * another control character as \\xNN; a text above 4 KiB is cut, and the line says by how much.
 *
 * Levels are numbers, and a greater one is less severe: the *lower limit* of a backend is the
 * greatest number that it shows, its *upper limit* the smallest.
 */
#ifndef DOCA_LOG_H_
#define DOCA_LOG_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief How severe a record is. */
enum doca_log_level {
	DOCA_LOG_LEVEL_DISABLE = 10, /**< a limit that shows nothing; no record has it */
	DOCA_LOG_LEVEL_CRIT = 20,    /**< the program cannot go on */
	DOCA_LOG_LEVEL_ERROR = 30,   /**< something failed */
	DOCA_LOG_LEVEL_WARNING = 40, /**< something may fail */
	DOCA_LOG_LEVEL_INFO = 50,    /**< what a user wants to know */
	DOCA_LOG_LEVEL_DEBUG = 60,   /**< what a developer wants to know */
	DOCA_LOG_LEVEL_TRACE = 70,   /**< every step */
};

/** @brief A place where records go. */
struct doca_log_backend;

/**
 * @brief What a backend with a buffer calls for each record, in the thread that logs.
 *
 * It runs under the backend's lock and must return to its caller. It may call doca_log(): such a
 * record reaches every backend but those with a buffer. It must not call into other objects of the
 * libraries, for the line that it is given may come from a call that is still at work on one.
 *
 * @param [in] buf  The buffer of the backend, the record at its start, NUL at its end; the handler
 *                  may change it.
 */
typedef void (*log_flush_callback)(char *buf);

/**
 * @brief Set the lower limit of one application backend.
 *
 * @param [in] backend  Of the application tier.
 * @param [in] level    Least severe level to show, one of enum doca_log_level.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  backend is NULL or shows the SDK tier, or level is no level.
 * @retval DOCA_ERROR_NOT_PERMITTED  The lower limit is strict, and level is less severe than it.
 *
 * Threads: any. Source: DOCA 3.0 API reference and newer header text (3.1 to 3.3), doca_log.h.
 * Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
						    uint32_t level);

/**
 * @brief Set the upper limit of one application backend.
 *
 * @param [in] backend      Of the application tier.
 * @param [in] upper_limit  Most severe level to show, one of enum doca_log_level.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  backend is NULL or shows the SDK tier, or upper_limit is no
 *                                   level.
 * @retval DOCA_ERROR_NOT_PERMITTED  The upper limit is strict, and upper_limit is more severe than
 *                                   it.
 *
 * Threads: any. Source: DOCA 3.0 API reference and newer header text (3.1 to 3.3), doca_log.h.
 * Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
						    uint32_t upper_limit);

/**
 * @brief Let no later change make a backend show less severe records than it does now.
 *
 * A direct change that would is refused; a global one passes the backend over. Changes to a more
 * severe lower limit still work, and are then what is frozen.
 *
 * @param [in] backend  Of the application tier.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  backend is NULL or shows the SDK tier.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);

/**
 * @brief Let no later change make a backend show more severe records than it does now.
 *
 * A direct change that would is refused; a global one passes the backend over. Changes to a less
 * severe upper limit still work, and are then what is frozen.
 *
 * @param [in] backend  Of the application tier.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  backend is NULL or shows the SDK tier.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);

/**
 * @brief Set the lower limit of every application backend, present and to come.
 *
 * A backend whose strict lower limit forbids the change keeps its own. Before the first call the
 * limit is DOCA_LOG_LEVEL_INFO.
 *
 * @param [in] level  Least severe level to show, one of enum doca_log_level.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  level is no level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);

/**
 * @brief Set the upper limit of every application backend, present and to come.
 *
 * A backend whose strict upper limit forbids the change keeps its own. Before the first call the
 * limit is DOCA_LOG_LEVEL_CRIT: nothing is too severe to be shown.
 *
 * @param [in] upper_limit  Most severe level to show, one of enum doca_log_level.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  upper_limit is no level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);

/**
 * @brief The lower limit that a new application backend starts with.
 *
 * @return One of enum doca_log_level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_lower_limit(void);

/**
 * @brief The upper limit that a new application backend starts with.
 *
 * @return One of enum doca_log_level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_upper_limit(void);

/**
 * @brief Register a name under which a part of the program logs; DOCA_LOG_REGISTER() calls it.
 *
 * @param [in] source_name  Copied; its first 255 bytes count.
 * @param [out] source      Id for doca_log(), above 0, never given twice; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  source_name or source is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The name could not be stored.
 *
 * Threads: any. Source: DOCA 3.0 API reference and newer header text (3.1 to 3.3), doca_log.h.
 * Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_register_source(const char *source_name, int *source);

/**
 * @brief Forget a source; doca_log() refuses its id from now on.
 *
 * @param [in] source  From doca_log_register_source().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  No source has that id.
 *
 * Threads: any. Source: DOCA 3.0 API reference and newer header text (3.1 to 3.3), doca_log.h.
 * Differs: there the id keeps working.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_unregister_source(int source);

/**
 * @brief Show the application tier on a stream.
 *
 * Each record is one locked write and one flush of the stream.
 *
 * @param [in] fptr      The stream, the caller's; it must stay open until the program ends.
 * @param [out] backend  The new backend, at the global limits; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  fptr or backend is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);

/**
 * @brief Show the application tier on a file descriptor.
 *
 * Each record is one write(), and more only where the system takes less than the whole.
 *
 * @param [in] fd        Open for writing, the caller's; it must stay open until the program ends.
 * @param [out] backend  The new backend, at the global limits; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  fd is not open for writing, or backend is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);

/**
 * @brief Show the application tier through a buffer and a handler.
 *
 * For each record the backend writes the line, its newline and a NUL at the start of the buffer
 * and calls the handler. A line that does not fit is cut, and ends with "..." and a newline as far
 * as there is room.
 *
 * @param [in] buf       The caller's; the backend's to write until the program ends.
 * @param [in] capacity  Size of buf in bytes, above 0.
 * @param [in] handler   Called for each record; see log_flush_callback for what it may do.
 * @param [out] backend  The new backend, at the global limits; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  buf, handler or backend is NULL, or capacity is 0.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: what happens to a line that
 * does not fit.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
					      log_flush_callback handler,
					      struct doca_log_backend **backend);

/**
 * @brief Show the application tier in the system's log.
 *
 * @param [in] name      Identity of the records, copied. Each record calls openlog() with it, so
 *                       that it becomes the identity of the whole process.
 * @param [out] backend  The new backend, at the global limits; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  name or backend is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog(const char *name,
						 struct doca_log_backend **backend);

/**
 * @brief Set the limit of one SDK backend.
 *
 * @param [in] backend  Of the SDK tier.
 * @param [in] level    Least severe level to show, one of enum doca_log_level.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  backend is NULL or shows the application tier, or level is no
 *                                   level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);

/**
 * @brief Show the SDK tier on a stream, as doca_log_backend_create_with_file() does its tier.
 *
 * @param [in] fptr      The stream, the caller's; it must stay open until the program ends.
 * @param [out] backend  The new backend, at the global SDK limit; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  fptr or backend is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: at most ten lines a second
 * from one place in the libraries, traces apart.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);

/**
 * @brief Show the SDK tier on a descriptor, as doca_log_backend_create_with_fd() does its tier.
 *
 * @param [in] fd        Open for writing, the caller's; it must stay open until the program ends.
 * @param [out] backend  The new backend, at the global SDK limit; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  fd is not open for writing, or backend is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: as
 * doca_log_backend_create_with_file_sdk().
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);

/**
 * @brief Show the SDK tier through a buffer, as doca_log_backend_create_with_buf() does its tier.
 *
 * @param [in] buf       The caller's; the backend's to write until the program ends.
 * @param [in] capacity  Size of buf in bytes, above 0.
 * @param [in] handler   Called for each record; see log_flush_callback for what it may do.
 * @param [out] backend  The new backend, at the global SDK limit; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  buf, handler or backend is NULL, or capacity is 0.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: as
 * doca_log_backend_create_with_file_sdk() and doca_log_backend_create_with_buf().
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
						  log_flush_callback handler,
						  struct doca_log_backend **backend);

/**
 * @brief Show the SDK tier in the system's log, as doca_log_backend_create_with_syslog().
 *
 * @param [in] name      Identity of the records, copied.
 * @param [out] backend  The new backend, at the global SDK limit; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  name or backend is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The backend could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: as
 * doca_log_backend_create_with_file_sdk().
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
						     struct doca_log_backend **backend);

/**
 * @brief Set the limit of every SDK backend, present and to come.
 *
 * Before the first call it is DOCA_LOG_LEVEL_INFO. The backend that DOCA_LOG_LEVEL in the
 * environment makes keeps the level given there.
 *
 * @param [in] level  Least severe level to show, one of enum doca_log_level.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  level is no level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: DOCA_LOG_LEVEL.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

/**
 * @brief The limit that a new SDK backend starts with.
 *
 * @return One of enum doca_log_level.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_sdk_limit(void);

/**
 * @brief Show the application tier on the terminal: INFO and less severe on stdout, WARNING and
 * more severe on stderr, both within the global limits.
 *
 * The pair exists once: a second call changes nothing.
 *
 * @retval DOCA_ERROR_NO_MEMORY  The pair could not be allocated; neither half exists.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: what a second call does is
 * written nowhere.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_standard(void);

/**
 * @brief Write one record of the application tier; mostly called through DOCA_LOG() and siblings.
 *
 * errno is the same before and after.
 *
 * @param [in] level   DOCA_LOG_LEVEL_CRIT to DOCA_LOG_LEVEL_TRACE.
 * @param [in] source  From doca_log_register_source(); looked at only where a backend may show
 *                     the level.
 * @param [in] fname   Name of the source file; directories before it are not shown.
 * @param [in] line    Line in it.
 * @param [in] func    Name of the function.
 * @param [in] format  As that of printf(), and its arguments.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     level is no level of a record, source is not registered, or
 *                                      a pointer is NULL.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  A backend could not write the record; the others have it.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_log.h. Differs: the form of a record.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
		      const char *format, ...) __attribute__((format(printf, 6, 7)));

/** @brief Write a record from here: a level, a format and its arguments; wants DOCA_LOG_REGISTER().
 */
#define DOCA_LOG(level, ...)                                                                       \
	doca_log((level), log_source, __FILE__, __LINE__, __func__, __VA_ARGS__)

/** @brief DOCA_LOG() at DOCA_LOG_LEVEL_CRIT. */
#define DOCA_LOG_CRIT(...) DOCA_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
/** @brief DOCA_LOG() at DOCA_LOG_LEVEL_ERROR. */
#define DOCA_LOG_ERR(...) DOCA_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
/** @brief DOCA_LOG() at DOCA_LOG_LEVEL_WARNING. */
#define DOCA_LOG_WARN(...) DOCA_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
/** @brief DOCA_LOG() at DOCA_LOG_LEVEL_INFO. */
#define DOCA_LOG_INFO(...) DOCA_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
/** @brief DOCA_LOG() at DOCA_LOG_LEVEL_DEBUG. */
#define DOCA_LOG_DBG(...) DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)

/** @brief DOCA_LOG() at DOCA_LOG_LEVEL_TRACE where DOCA_LOGGING_ALLOW_TRACE is defined; elsewhere
 * an empty statement that evaluates nothing. */
#ifdef DOCA_LOGGING_ALLOW_TRACE
#define DOCA_LOG_TRC(...) DOCA_LOG(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)
#else
#define DOCA_LOG_TRC(...)                                                                          \
	do {                                                                                       \
	} while (0)
#endif

/**
 * @brief Give this source file a name in the log, before main(): `DOCA_LOG_REGISTER(A::B);` at file
 * scope. The typedef at its end is there to take the semicolon.
 */
#define DOCA_LOG_REGISTER(source)                                                                  \
	static int log_source;                                                                     \
	static __attribute__((constructor(101), used)) void doca_log_register_this_file(void)      \
	{                                                                                          \
		doca_log_register_source(#source, &log_source);                                    \
	}                                                                                          \
	typedef int doca_log_source_of_this_file

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_LOG_H_ */
