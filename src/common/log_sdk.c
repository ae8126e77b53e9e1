/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries' own lines: their rate, the sink of the lower layers, and DOCA_LOG_LEVEL. */
#include "common/sdk_log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/sink.h"
#include "common/log_backend.h"
#include "common/log_output.h"

#define SECOND_NS 1000000000LL
#define LINES_A_SECOND 10

/* More than there are places that log; a fixed table, so that logging allocates nothing. */
#define NUM_CAUSES 512
#define NUM_PROBES 16

/* A place in the code that logs, and when each of the ten lines it may write is free again. */
struct cause {
	uint64_t key; /* hash of file and line; 0 is a free entry */
	int64_t free_at_ns[LINES_A_SECOND];
	uint32_t oldest; /* index: the one that is free first */
	uint64_t num_left_out;
};

static struct {
	struct lock lock;
	struct cause causes[NUM_CAUSES] GUARDED_BY(lock);
} limiter = {.lock = LOCK_INITIALIZER};

/* FNV-1a. Two places with the same hash would share their ten lines, and that is all. */
static uint64_t cause_key(const char *file, int line)
{
	const uint64_t prime = 0x100000001b3ULL;
	uint64_t key = 0xcbf29ce484222325ULL;

	for (const char *c = file; *c != '\0'; c++)
		key = (key ^ (unsigned char)*c) * prime;
	key = (key ^ (uint32_t)line) * prime;
	return key == 0 ? 1 : key;
}

/* Takes the entry of another cause when all probed ones are in use. */
static struct cause *cause_find(uint64_t key) REQUIRES(limiter.lock)
{
	struct cause *cause;

	for (size_t i = 0; i < NUM_PROBES; i++) {
		cause = &limiter.causes[(key + i) % NUM_CAUSES];
		if (cause->key == key)
			return cause;
		if (cause->key == 0)
			break;
	}
	if (cause->key != 0)
		cause = &limiter.causes[key % NUM_CAUSES];
	memset(cause, 0, sizeof(*cause));
	cause->key = key;
	return cause;
}

/*
 * True when the cause may write a line now, with the number of lines that were left out before it:
 * telling that number is a line too, so it takes two of the ten.
 */
static bool limiter_admit(const char *file, int line, int64_t now_ns, uint64_t *num_left_out)
{
	bool is_admitted = false;
	struct cause *cause;
	uint32_t num_needed;

	lock_take(&limiter.lock);
	cause = cause_find(cause_key(file, line));
	num_needed = cause->num_left_out > 0 ? 2 : 1;
	if (cause->free_at_ns[(cause->oldest + num_needed - 1) % LINES_A_SECOND] > now_ns) {
		cause->num_left_out++;
		goto drop;
	}
	for (uint32_t i = 0; i < num_needed; i++) {
		cause->free_at_ns[cause->oldest] = now_ns + SECOND_NS;
		cause->oldest = (cause->oldest + 1) % LINES_A_SECOND;
	}
	*num_left_out = cause->num_left_out;
	cause->num_left_out = 0;
	is_admitted = true;
drop:
	lock_drop(&limiter.lock);
	return is_admitted;
}

__attribute__((format(printf, 2, 3))) static void write_line(const struct log_record *record,
							     const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_backends_write(LOG_TIER_SDK, record, format, args);
	va_end(args);
}

void log_sdk_write_at(int64_t now_ns, const struct log_record *record, const char *format,
		      va_list args)
{
	uint64_t num_left_out = 0;

	if (record->level != DOCA_LOG_LEVEL_TRACE &&
	    !limiter_admit(record->file, record->line, now_ns, &num_left_out))
		return;
	if (num_left_out > 0)
		write_line(record, "%llu similar lines were left out",
			   (unsigned long long)num_left_out);
	log_backends_write(LOG_TIER_SDK, record, format, args);
}

static void write_now(uint32_t level, struct log_place place, const char *format, va_list args)
{
	const struct log_record record = {.level = level,
					  .source = "DOCA",
					  .file = place.file,
					  .line = place.line,
					  .func = place.func};
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	log_sdk_write_at(now.tv_sec * SECOND_NS + now.tv_nsec, &record, format, args);
}

bool doca__log_wants(uint32_t level)
{
	return log_sdk_wants(level);
}

void doca__log_write(uint32_t level, struct log_place place, const char *format, ...)
{
	va_list args;

	/* Again, for who calls without LOG_AT: what nobody sees must not use up the ten lines. */
	if (!doca__log_wants(level))
		return;
	va_start(args, format);
	write_now(level, place, format, args);
	va_end(args);
}

doca_error_t doca__refuse_null(struct log_place place, const char *what)
{
	doca__log_write(DOCA_LOG_LEVEL_ERROR, place, "%s refuses: %s must not be NULL", place.func,
			what);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca__refuse_lacking(struct log_place place, const char *null_argument,
				  const char *lacking)
{
	if (null_argument != NULL)
		return doca__refuse_null(place, null_argument);
	doca__log_write(DOCA_LOG_LEVEL_ERROR, place,
			"%s refused: a virtual card has no %s; leave the call out", place.func,
			lacking);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static void write_sunk(int level, const char *file, int line, const char *func, const char *format,
		       va_list args)
{
	if (doca__log_wants((uint32_t)level))
		write_now((uint32_t)level, (struct log_place){file, line, func}, format, args);
}

/* To stderr itself: there need not be a backend. */
__attribute__((format(printf, 2, 3))) static void warn_on_stderr(int source_line,
								 const char *format, ...)
{
	const struct log_record record = {.level = DOCA_LOG_LEVEL_WARNING,
					  .source = "DOCA",
					  .file = __FILE__,
					  .line = source_line,
					  .func = "log_sdk_read_environment"};
	struct log_line line;
	va_list args;

	va_start(args, format);
	log_line_format(&line, &record, format, args);
	va_end(args);
	log_fd_write(STDERR_FILENO, &line);
}

void log_sdk_read_environment(void)
{
	const char *text = secure_getenv("DOCA_LOG_LEVEL");
	uint32_t level;

	if (text == NULL)
		return;
	if (!log_level_parse(text, &level)) {
		warn_on_stderr(__LINE__,
			       "DOCA_LOG_LEVEL is ignored: \"%.64s\" is no level; allowed are "
			       "disable, critical, error, warning, info, debug, trace, or 10, 20, "
			       "30, 40, 50, 60, 70",
			       text);
		return;
	}
	/* Closed: the number would be some file of the program's before long. */
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		return;
	log_backend_create_for_environment(level);
}

/* As early as DOCA_LOG_REGISTER: the lines of other constructors are not lost. */
__attribute__((constructor(101))) static void log_sdk_init(void)
{
	sink_set(write_sunk);
	log_sdk_read_environment();
}
