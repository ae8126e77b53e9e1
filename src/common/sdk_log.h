/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the libraries log. Whoever decides an error logs it, once, with the object and the cause. A
 * line is written only where an SDK backend exists; at most ten a second from one place in the
 * code, traces apart.
 */
#ifndef COMMON_SDK_LOG_H_
#define COMMON_SDK_LOG_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_log.h>

/* True when a line of that level would reach a backend. One load; any thread. */
DOCA_STABLE
bool doca__log_wants(uint32_t level);

/* The place in the code that a line is from: of a helper, the one that calls it. */
struct log_place {
	const char *file;
	int line;
	const char *func;
};

#define LOG_HERE ((struct log_place){__FILE__, __LINE__, __func__})

DOCA_STABLE
void doca__log_write(uint32_t level, struct log_place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The refusal of an argument that is NULL: one line, and its error. */
DOCA_STABLE
doca_error_t doca__refuse_null(struct log_place place, const char *what);

#define REFUSE_NULL(what) doca__refuse_null(LOG_HERE, what)

/*
 * The refusal of a call that needs what a virtual card lacks: NOT_SUPPORTED and one line, but
 * REFUSE_NULL's when there is the name of an argument that is NULL.
 */
DOCA_STABLE
doca_error_t doca__refuse_lacking(struct log_place place, const char *null_argument,
				  const char *lacking);

#define REFUSE_LACKING(null_argument, lacking)                                                     \
	doca__refuse_lacking(LOG_HERE, null_argument, lacking)

#define NAME_IF_NULL(argument) ((argument) == NULL ? #argument : NULL)

#define LOG_FROM(place, level, ...)                                                                \
	do {                                                                                       \
		if (doca_unlikely(doca__log_wants(level)))                                         \
			doca__log_write(level, place, __VA_ARGS__);                                \
	} while (0)

#define LOG_ERROR_FROM(place, ...) LOG_FROM(place, DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)

#define LOG_AT(level, ...) LOG_FROM(LOG_HERE, level, __VA_ARGS__)

#define LOG_ERROR(...) LOG_AT(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define LOG_WARNING(...) LOG_AT(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define LOG_DEBUG(...) LOG_AT(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)
#define LOG_TRACE(...) LOG_AT(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)

#endif /* COMMON_SDK_LOG_H_ */
