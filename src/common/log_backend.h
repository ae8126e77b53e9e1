/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a record travels: from doca_log() (log.c) or doca__log_write() (log_sdk.c) through one
 * formatting (log.c) to every backend of its tier that shows its level (log_backend.c), and out
 * (log_output.c).
 */
#ifndef COMMON_LOG_BACKEND_H_
#define COMMON_LOG_BACKEND_H_

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_log.h>

/* Who speaks: the program, or our libraries. */
enum log_tier {
	LOG_TIER_APP,
	LOG_TIER_SDK,
	LOG_NUM_TIERS,
};

/* The limits that have a global value, where every new backend starts. */
enum log_limit {
	LOG_LIMIT_LOWER, /* application tier: the least severe level shown */
	LOG_LIMIT_UPPER, /* application tier: the most severe level shown */
	LOG_LIMIT_SDK,	 /* SDK tier: the least severe level shown */
	LOG_NUM_LIMITS,
};

/* A text is cut beyond this many bytes, and the record says so. */
#define LOG_TEXT_BYTES 4096
#define LOG_LINE_BYTES 8192

struct log_record {
	uint32_t level;
	const char *source;
	const char *file; /* may have directories before its name */
	int line;
	const char *func;
};

/* A record as it is written: one line, its newline last. */
struct log_line {
	size_t len;
	char bytes[LOG_LINE_BYTES];
};

/* One of enum doca_log_level. */
bool log_level_is_known(uint32_t level);

/* A name in any case, or its number: false, and the level untouched, for any other text. */
bool log_level_parse(const char *text, uint32_t *level);

/* The caller's errno is what %m in the format means. */
void log_line_format(struct log_line *line, const struct log_record *record, const char *format,
		     va_list args) __attribute__((format(printf, 3, 0)));

uint32_t log_global_get(enum log_limit limit);

/* Changes every backend of the tier but those whose strict limit forbids it. */
void log_global_set(enum log_limit limit, uint32_t level);

/* The least severe level that any backend of a tier shows, 0 when there is none; read by any
 * thread, written in log_backend.c. */
extern _Atomic uint32_t log_least_severe[LOG_NUM_TIERS];

/* One load: true when some backend of that tier may show the level. */
static inline bool log_backends_want(enum log_tier tier, uint32_t level)
{
	return level <= atomic_load_explicit(&log_least_severe[tier], memory_order_relaxed);
}

/* What doca__log_wants answers, without a call. */
static inline bool log_sdk_wants(uint32_t level)
{
	return log_backends_want(LOG_TIER_SDK, level);
}

/* False when a backend could not take the record; errno is preserved. */
bool log_backends_write(enum log_tier tier, const struct log_record *record, const char *format,
			va_list args) __attribute__((format(printf, 3, 0)));

/* An SDK backend on stderr that no global limit changes. */
doca_error_t log_backend_create_for_environment(uint32_t level);

/* What the library's constructor does with DOCA_LOG_LEVEL. */
void log_sdk_read_environment(void);

/* doca__log_write() at a time of a clock that never goes back. */
void log_sdk_write_at(int64_t now_ns, const struct log_record *record, const char *format,
		      va_list args) __attribute__((format(printf, 3, 0)));

#endif /* COMMON_LOG_BACKEND_H_ */
