/* SPDX-License-Identifier: Apache-2.0 */
/* How the samples speak: errors on standard error, and numbers that a person can read. */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doca_log.h>

void complain(const char *format, ...)
{
	int error = errno; /* for a %m in format */
	/* A progress bar may stand on this line of the terminal: wipe it first. */
	const char *wipe = isatty(STDERR_FILENO) ? "\r\033[K" : "";
	va_list args;

	fflush(stdout);
	fprintf(stderr, "%s%s: ", wipe, program_invocation_short_name);
	errno = error;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

bool doca_ok(doca_error_t result, const char *doing)
{
	if (result == DOCA_SUCCESS)
		return true;
	complain("cannot %s: %s (%s)", doing, doca_error_get_descr(result),
		 doca_error_get_name(result));
	return false;
}

bool stdout_ok(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	complain("cannot write to standard output: %m");
	return false;
}

bool sdk_log_open(void)
{
	struct doca_log_backend *backend;

	return doca_ok(doca_log_backend_create_with_file_sdk(stderr, &backend),
		       "send the DOCA log to standard error") &&
	       doca_ok(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_WARNING),
		       "set the level of the DOCA log");
}

struct text text_of_count(uint64_t count)
{
	struct text text = {""};
	char digits[21]; /* 2^64 - 1 has 20 */
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *out = text.chars;

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	return text;
}

static struct text counted(uint64_t count, const char *one, const char *many)
{
	struct text text = text_of_count(count);
	size_t len = strlen(text.chars);

	snprintf(text.chars + len, sizeof(text.chars) - len, "%s", count == 1 ? one : many);
	return text;
}

struct text text_of_bytes(uint64_t count)
{
	return counted(count, " byte", " bytes");
}

struct text text_of_windows(uint64_t count)
{
	return counted(count, " window", " windows");
}

struct text text_of_size(uint64_t size_bytes)
{
	const uint64_t KIB = 1024, MIB = KIB * 1024, GIB = MIB * 1024;
	struct text text;
	uint64_t unit = 1;
	const char *name = size_bytes == 1 ? "byte" : "bytes";

	if (size_bytes > 0 && size_bytes % GIB == 0) {
		unit = GIB;
		name = "GiB";
	} else if (size_bytes > 0 && size_bytes % MIB == 0) {
		unit = MIB;
		name = "MiB";
	} else if (size_bytes > 0 && size_bytes % KIB == 0) {
		unit = KIB;
		name = "KiB";
	}
	snprintf(text.chars, sizeof(text.chars), "%" PRIu64 " %s", size_bytes / unit, name);
	return text;
}
