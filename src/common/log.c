/* SPDX-License-Identifier: Apache-2.0 */
/* Log sources, the form of a record, and the application's way into the log. */
#include "common/log_backend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/lock.h"
#include "common/sdk_log.h"

/* Of a source's, a file's and a function's name in a record. */
#define NAME_BYTES 255

/* A line stops growing here, so that the mark of a cut and the newline still fit. */
#define LINE_ROOM (LOG_LINE_BYTES - 64)

/* Ids are given once and never again: an id that was forgotten is not another's name. */
static struct {
	struct lock lock;
	char **names GUARDED_BY(lock); /* owned; id 1 is at 0; NULL once unregistered */
	size_t num_names GUARDED_BY(lock);
	size_t capacity GUARDED_BY(lock);
} sources = {.lock = LOCK_INITIALIZER};

static const struct {
	const char *text;
	uint32_t level;
} level_names[] = {
	{"disable", DOCA_LOG_LEVEL_DISABLE}, {"10", DOCA_LOG_LEVEL_DISABLE},
	{"critical", DOCA_LOG_LEVEL_CRIT},   {"crit", DOCA_LOG_LEVEL_CRIT},
	{"20", DOCA_LOG_LEVEL_CRIT},	     {"error", DOCA_LOG_LEVEL_ERROR},
	{"30", DOCA_LOG_LEVEL_ERROR},	     {"warning", DOCA_LOG_LEVEL_WARNING},
	{"warn", DOCA_LOG_LEVEL_WARNING},    {"40", DOCA_LOG_LEVEL_WARNING},
	{"info", DOCA_LOG_LEVEL_INFO},	     {"50", DOCA_LOG_LEVEL_INFO},
	{"debug", DOCA_LOG_LEVEL_DEBUG},     {"60", DOCA_LOG_LEVEL_DEBUG},
	{"trace", DOCA_LOG_LEVEL_TRACE},     {"70", DOCA_LOG_LEVEL_TRACE},
};

bool log_level_parse(const char *text, uint32_t *level)
{
	for (size_t i = 0; i < sizeof(level_names) / sizeof(level_names[0]); i++) {
		if (strcasecmp(text, level_names[i].text) == 0) {
			*level = level_names[i].level;
			return true;
		}
	}
	return false;
}

/* NULL for what no record can have. */
static const char *level_tag(uint32_t level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_CRIT:
		return "CRIT";
	case DOCA_LOG_LEVEL_ERROR:
		return "ERR";
	case DOCA_LOG_LEVEL_WARNING:
		return "WRN";
	case DOCA_LOG_LEVEL_INFO:
		return "INF";
	case DOCA_LOG_LEVEL_DEBUG:
		return "DBG";
	case DOCA_LOG_LEVEL_TRACE:
		return "TRC";
	default:
		return NULL;
	}
}

bool log_level_is_known(uint32_t level)
{
	return level == DOCA_LOG_LEVEL_DISABLE || level_tag(level) != NULL;
}

/* Control characters are spelled out: a record stays one line and cannot steer a terminal. */
static size_t line_add(struct log_line *line, const char *text, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < len && line->len < LINE_ROOM; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x20 && c != 0x7f) {
			line->bytes[line->len++] = (char)c;
			continue;
		}
		line->bytes[line->len++] = '\\';
		if (c == '\n') {
			line->bytes[line->len++] = 'n';
			continue;
		}
		line->bytes[line->len++] = 'x';
		line->bytes[line->len++] = hex[c >> 4];
		line->bytes[line->len++] = hex[c & 15];
	}
	return i;
}

static void line_add_name(struct log_line *line, const char *name)
{
	line_add(line, name, strnlen(name, NAME_BYTES));
}

/* Only for text that surely fits. */
__attribute__((format(printf, 2, 3))) static void line_print(struct log_line *line,
							     const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line->len += (size_t)vsnprintf(line->bytes + line->len, LOG_LINE_BYTES - line->len, format,
				       args);
	va_end(args);
}

static void line_add_prefix(struct log_line *line, const struct log_record *record)
{
	const char *slash = strrchr(record->file, '/');
	struct timespec now;
	struct tm local;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);

	line_print(line, "[%02d:%02d:%02d:%06ld][%d][", local.tm_hour, local.tm_min, local.tm_sec,
		   now.tv_nsec / 1000, (int)getpid());
	line_add_name(line, record->source);
	line_print(line, "][%s][", level_tag(record->level));
	line_add_name(line, slash == NULL ? record->file : slash + 1);
	line_print(line, ":%d][", record->line);
	line_add_name(line, record->func);
	line_print(line, "] ");
}

void log_line_format(struct log_line *line, const struct log_record *record, const char *format,
		     va_list args)
{
	char text[LOG_TEXT_BYTES + 1];
	size_t whole, kept;
	int printed;

	/* First, while errno is still the caller's. */
	printed = vsnprintf(text, sizeof(text), format, args);
	if (printed < 0) {
		/* A wide string that has no multibyte form: what was meant is better than nothing.
		 */
		snprintf(text, sizeof(text), "%s", format);
		printed = (int)strlen(text);
	}
	whole = (size_t)printed;

	line->len = 0;
	line_add_prefix(line, record);
	kept = line_add(line, text, whole < LOG_TEXT_BYTES ? whole : LOG_TEXT_BYTES);
	if (kept < whole)
		line_print(line, "... (%zu bytes left out)", whole - kept);
	line->bytes[line->len++] = '\n';
}

static doca_error_t sources_add(const char *source_name, int *source)
{
	doca_error_t result = DOCA_ERROR_NO_MEMORY;
	char *name = strndup(source_name, NAME_BYTES);

	if (name == NULL)
		return DOCA_ERROR_NO_MEMORY;

	lock_take(&sources.lock);
	if (sources.num_names == sources.capacity) {
		size_t capacity = sources.capacity == 0 ? 16 : sources.capacity * 2;
		char **names = realloc(sources.names, capacity * sizeof(*names));

		if (names == NULL)
			goto drop;
		sources.names = names;
		sources.capacity = capacity;
	}
	sources.names[sources.num_names++] = name;
	*source = (int)sources.num_names;
	name = NULL;
	result = DOCA_SUCCESS;
drop:
	lock_drop(&sources.lock);
	free(name);
	return result;
}

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
	doca_error_t result;

	if (source_name == NULL || source == NULL) {
		LOG_ERROR("log refuses a source: source_name %p and source %p must not be NULL",
			  (const void *)source_name, (void *)source);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = sources_add(source_name, source);
	if (result != DOCA_SUCCESS)
		LOG_ERROR("log cannot register the source %s: out of memory", source_name);
	return result;
}

doca_error_t doca_log_unregister_source(int source)
{
	char *name = NULL;

	lock_take(&sources.lock);
	if (source > 0 && (size_t)source <= sources.num_names) {
		name = sources.names[source - 1];
		sources.names[source - 1] = NULL;
	}
	lock_drop(&sources.lock);
	if (name == NULL) {
		LOG_ERROR("log cannot forget source %d: doca_log_register_source gave no such id",
			  source);
		return DOCA_ERROR_INVALID_VALUE;
	}
	free(name);
	return DOCA_SUCCESS;
}

/* A copy, for the name may be unregistered while its record is written. */
static bool source_get_name(int source, char name[NAME_BYTES + 1])
{
	bool is_registered = false;

	lock_take(&sources.lock);
	if (source > 0 && (size_t)source <= sources.num_names &&
	    sources.names[source - 1] != NULL) {
		memcpy(name, sources.names[source - 1], strlen(sources.names[source - 1]) + 1);
		is_registered = true;
	}
	lock_drop(&sources.lock);
	return is_registered;
}

doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
		      const char *format, ...)
{
	char name[NAME_BYTES + 1];
	struct log_record record = {
		.level = level, .source = name, .file = fname, .line = line, .func = func};
	va_list args;
	bool is_written;

	if (level_tag(level) == NULL) {
		LOG_ERROR("log refuses a record: %u is no level of a record; use enum "
			  "doca_log_level, DOCA_LOG_LEVEL_CRIT to DOCA_LOG_LEVEL_TRACE",
			  level);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (fname == NULL || func == NULL || format == NULL) {
		LOG_ERROR("log refuses a record: fname %p, func %p and format %p must not be NULL",
			  (const void *)fname, (const void *)func, (const void *)format);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!log_backends_want(LOG_TIER_APP, level))
		return DOCA_SUCCESS;
	if (!source_get_name(source, name)) {
		LOG_ERROR("log refuses a record from %s:%d: source %d is not registered; call "
			  "doca_log_register_source or use DOCA_LOG_REGISTER",
			  fname, line, source);
		return DOCA_ERROR_INVALID_VALUE;
	}

	va_start(args, format);
	is_written = log_backends_write(LOG_TIER_APP, &record, format, args);
	va_end(args);
	return is_written ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t global_set(enum log_limit limit, uint32_t level)
{
	if (!log_level_is_known(level)) {
		LOG_ERROR("log refuses a global limit: %u is no level; use enum doca_log_level",
			  level);
		return DOCA_ERROR_INVALID_VALUE;
	}
	log_global_set(limit, level);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
	return global_set(LOG_LIMIT_LOWER, level);
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit)
{
	return global_set(LOG_LIMIT_UPPER, upper_limit);
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
	return global_set(LOG_LIMIT_SDK, level);
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
	return log_global_get(LOG_LIMIT_LOWER);
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
	return log_global_get(LOG_LIMIT_UPPER);
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
	return log_global_get(LOG_LIMIT_SDK);
}
