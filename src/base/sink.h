/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the layers below common send their log lines. Common sets the sink; until then, and in
 * tests that set none, the lines go nowhere.
 */
#ifndef BASE_SINK_H_
#define BASE_SINK_H_

#include <stdarg.h>

/* The numbers are those of enum doca_log_level, which base may not know. */
enum sink_level {
	SINK_ERROR = 30,
	SINK_DEBUG = 60,
};

typedef void (*sink_fn)(int level, const char *file, int line, const char *func, const char *format,
			va_list args);

/* Before any other thread runs: called from the constructor of the library. */
void sink_set(sink_fn fn);

void sink_write(int level, const char *file, int line, const char *func, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#define sink_error(...) sink_write(SINK_ERROR, __FILE__, __LINE__, __func__, __VA_ARGS__)
#define sink_debug(...) sink_write(SINK_DEBUG, __FILE__, __LINE__, __func__, __VA_ARGS__)

#endif /* BASE_SINK_H_ */
