/* SPDX-License-Identifier: Apache-2.0 */
/* The one pointer through which the lower layers log. */
#include "base/sink.h"

#include <stddef.h>

static sink_fn the_sink; /* set once, before threads */

void sink_set(sink_fn fn)
{
	the_sink = fn;
}

void sink_write(int level, const char *file, int line, const char *func, const char *format, ...)
{
	va_list args;

	if (the_sink == NULL)
		return;
	va_start(args, format);
	the_sink(level, file, line, func, format, args);
	va_end(args);
}
