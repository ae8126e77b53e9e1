/* SPDX-License-Identifier: Apache-2.0 */
/* Labelled lines. The targets are line buffered, so that a line goes out when it is whole. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define END_OF_COLOUR "\033[0m"

bool output_is_coloured(int fd)
{
	const char *term = getenv("TERM");
	const char *no_colour = getenv("NO_COLOR");

	return isatty(fd) && (no_colour == NULL || no_colour[0] == '\0') && term != NULL &&
	       strcmp(term, "dumb") != 0;
}

void output_open(struct output *output, int source, FILE *target)
{
	output->source = source;
	output->target = target;
	output->is_coloured = output_is_coloured(fileno(target));
	output->has_ended = false;
	output->len = 0;
}

/* A line that returns to its beginning shows what was written last, as on a terminal: else it would
 * be written over the label. */
static void pass_line(struct output *output, const char *line, size_t len)
{
	FILE *target = output->target;
	const char *last;

	while (len > 0 && line[len - 1] == '\r')
		len--;
	last = memrchr(line, '\r', len);
	if (last != NULL) {
		len -= (size_t)(last + 1 - line);
		line = last + 1;
	}
	if (output->is_coloured)
		fprintf(target, "%s%s" END_OF_COLOUR, output->colour, output->label);
	else
		fputs(output->label, target);
	fwrite(line, 1, len, target);
	putc('\n', target);
	if (ferror(target) && output->error == 0)
		output->error = errno;
}

static void pass_lines(struct output *output)
{
	char *line = output->line;
	char *end = line + output->len;
	char *newline;

	while ((newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
		pass_line(output, line, (size_t)(newline - line));
		line = newline + 1;
	}
	output->len = (size_t)(end - line);
	if (output->len == MAX_LINE) {
		pass_line(output, line, output->len);
		output->len = 0;
	}
	memmove(output->line, line, output->len);
}

bool output_pass(struct output *output)
{
	ssize_t len;

	if (output->source < 0 || output->has_ended)
		return false;
	len = read(output->source, output->line + output->len, MAX_LINE - output->len);
	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	/* A terminal whose other side is closed says EIO. */
	output->has_ended = len <= 0;
	if (len > 0) {
		output->len += (size_t)len;
		pass_lines(output);
	}
	return len > 0;
}

void output_finish(struct output *output)
{
	while (output_pass(output))
		;
	if (output->len > 0)
		pass_line(output, output->line, output->len);
	output->len = 0;
}
