/* SPDX-License-Identifier: Apache-2.0 */
/* How the samples speak: errors on standard error, and numbers that a person can read. */
#ifndef SAMPLES_COMMON_REPORT_H_
#define SAMPLES_COMMON_REPORT_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

/* A short text by value, so that printf("%s", text_of_count(n).chars) needs no buffer. */
struct text {
	char chars[40];
};

/* Print one line "program: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether a DOCA call succeeded; if not, say what it was for and what DOCA says. */
bool doca_ok(doca_error_t result, const char *doing);

/* Whether all that was printed has left the program; if not, say so. */
bool stdout_ok(void);

/* Have DOCA explain its refusals on standard error: its log is silent until a program asks. */
bool sdk_log_open(void);

/* 123,456,789 */
struct text text_of_count(uint64_t count);

/* 1 byte, 123,456 bytes */
struct text text_of_bytes(uint64_t count);

/* 1 window, 53 windows */
struct text text_of_windows(uint64_t count);

/* 2 MiB, 4 KiB, 1000 bytes: exact, in the largest unit that divides. */
struct text text_of_size(uint64_t size_bytes);

#endif /* SAMPLES_COMMON_REPORT_H_ */
