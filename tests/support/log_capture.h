/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the libraries log, kept for a test to look at. The test program is linked with
 * --wrap=clock_gettime.
 */
#ifndef TESTS_SUPPORT_LOG_CAPTURE_H_
#define TESTS_SUPPORT_LOG_CAPTURE_H_

#include <time.h>

#include <doca_log.h>

#include "support/test.h"

struct log_capture {
	char line[4096]; /* first: the backend hands it to the handler, which finds the rest */
	char text[64 * 1024];
	struct doca_log_backend *backend;
	size_t len;
	unsigned num_lines;
};

/* The linker sends the calls to the first, and knows the real one as the second. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __real_clock_gettime(clockid_t clock, struct timespec *time);

/* One place in the libraries writes ten lines a second: each line takes a tenth of one here. */
static _Atomic time_t clock_ahead_tenths; /* threads of the libraries ask, too */

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = __real_clock_gettime(clock, time);

	time->tv_sec += clock_ahead_tenths / 10;
	time->tv_nsec += clock_ahead_tenths % 10 * 100000000;
	time->tv_sec += time->tv_nsec / 1000000000;
	time->tv_nsec %= 1000000000;
	return result;
}

static inline void log_capture_line(char *line)
{
	struct log_capture *capture = (struct log_capture *)line;
	size_t len = strlen(line);

	clock_ahead_tenths++;
	capture->num_lines++;
	if (capture->len + len >= sizeof(capture->text))
		return;
	memcpy(capture->text + capture->len, line, len + 1);
	capture->len += len;
}

/* Group fixture; each test's state is the capture. A backend cannot be taken away: no end. */
static inline int log_capture_debug(void **state)
{
	struct log_capture *capture = calloc(1, sizeof(*capture));

	*state = capture;
	if (capture == NULL || doca_log_backend_create_with_buf_sdk(
				       capture->line, sizeof(capture->line), log_capture_line,
				       &capture->backend) != DOCA_SUCCESS)
		return -1;
	return doca_log_backend_set_sdk_level(capture->backend, DOCA_LOG_LEVEL_DEBUG) ==
			       DOCA_SUCCESS
		       ? 0
		       : -1;
}

/* For one test: also what is only traced, or no longer. */
static inline void log_trace(void **state, bool is_on)
{
	const struct log_capture *capture = *state;

	assert_doca(doca_log_backend_set_sdk_level(capture->backend, is_on ? DOCA_LOG_LEVEL_TRACE
									   : DOCA_LOG_LEVEL_DEBUG),
		    DOCA_SUCCESS);
}

/* Forget what came so far. */
static inline void log_forget(void **state)
{
	struct log_capture *capture = *state;

	capture->len = 0;
	capture->num_lines = 0;
	capture->text[0] = '\0';
}

/* Exactly one line came since log_forget(), of that level ("ERR", "WRN", "DBG"), with the text. */
#define assert_logged(state, level, part) check_logged((state), (level), (part), __FILE__, __LINE__)

static inline void check_logged(void **state, const char *level, const char *part, const char *file,
				int line)
{
	const struct log_capture *capture = *state;
	char mark[16];

	snprintf(mark, sizeof(mark), "[%s]", level);
	if (capture->num_lines == 1 && strstr(capture->text, mark) != NULL &&
	    strstr(capture->text, part) != NULL)
		return;
	print_error("wanted one line of %s with \"%s\", got %u:\n%s\n", level, part,
		    capture->num_lines, capture->text);
	_fail(file, line);
}

/* Nothing came since log_forget(). */
#define assert_silent(state) assert_string_equal(((const struct log_capture *)*(state))->text, "")

#endif /* TESTS_SUPPORT_LOG_CAPTURE_H_ */
