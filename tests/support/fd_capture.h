/* SPDX-License-Identifier: Apache-2.0 */
/* A file without a name that a backend or a stream writes to, and its text for a test to look at.
 */
#ifndef TESTS_SUPPORT_FD_CAPTURE_H_
#define TESTS_SUPPORT_FD_CAPTURE_H_

#include <regex.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/test.h"

#define CAPTURE_BYTES (1024 * 1024)

struct log_capture {
	int fd;
	char text[CAPTURE_BYTES]; /* as capture_text last read it */
};

/* Freed by the caller, who closes its fd, or both at exit. */
static inline struct log_capture *capture_new(void)
{
	struct log_capture *capture = calloc(1, sizeof(*capture));

	assert_non_null(capture);
	capture->fd = memfd_create("capture", MFD_CLOEXEC);
	assert_true(capture->fd >= 0);
	return capture;
}

/* All that was written so far. */
static inline const char *capture_text(struct log_capture *capture)
{
	ssize_t len = pread(capture->fd, capture->text, sizeof(capture->text) - 1, 0);

	assert_true(len >= 0);
	capture->text[len] = '\0';
	return capture->text;
}

static inline void capture_clear(struct log_capture *capture)
{
	assert_int_equal(ftruncate(capture->fd, 0), 0);
	assert_int_equal(lseek(capture->fd, 0, SEEK_SET), 0);
	capture->text[0] = '\0';
}

/* Extended regular expression; a dot matches any character but the end of a line. */
static inline bool text_matches(const char *text, const char *pattern)
{
	regex_t regex;
	bool matches;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	matches = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return matches;
}

static inline unsigned num_lines(const char *text)
{
	unsigned num = 0;

	for (; *text != '\0'; text++)
		num += *text == '\n';
	return num;
}

#endif /* TESTS_SUPPORT_FD_CAPTURE_H_ */
