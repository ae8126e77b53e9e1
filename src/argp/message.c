/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser tells the user of the program: to the logger callback, or to stderr. */
#include "argp/argp.h"

#include <stdio.h>
#include <string.h>

/* A longer text is cut. */
#define MAX_TEXT 1024

/* Control characters of an argument or a file could play with the terminal. */
static void make_printable(char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
	}
}

static void write_to_stderr(const char *program, const char *format, va_list args)
{
	char text[MAX_TEXT];

	vsnprintf(text, sizeof(text), format, args);
	make_printable(text);
	fprintf(stderr, "%s: %s\n", program, text);
}

void message(const struct parser *parser, enum doca_log_level level, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (parser->logger_cb != NULL)
		(void)parser->logger_cb(level, format, args);
	else
		write_to_stderr(parser->root.name, format, args);
	va_end(args);
}
