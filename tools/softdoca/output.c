/* SPDX-License-Identifier: Apache-2.0 */
/* Labelled lines. Each is written at once, so that the lines of two halves do not mix. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define END_OF_COLOUR "\033[0m"

static bool is_coloured(int fd)
{
	const char *term = getenv("TERM");
	const char *no_colour = getenv("NO_COLOR");

	return isatty(fd) && (no_colour == NULL || no_colour[0] == '\0') && term != NULL &&
	       strcmp(term, "dumb") != 0;
}

void output_open(struct output *output, int source, int target)
{
	output->source = source;
	output->target = target;
	output->len = 0;
	if (!is_coloured(target))
		output->colour = NULL;
}

static struct iovec piece(const char *text, size_t len)
{
	return (struct iovec){.iov_base = (void *)text, .iov_len = len};
}

/* The target is never told to not block: it is shared with others. */
static int write_all(int fd, struct iovec *pieces, int num_pieces)
{
	while (num_pieces > 0) {
		ssize_t done = writev(fd, pieces, num_pieces);

		if (done < 0 && errno != EINTR)
			return errno;
		while (num_pieces > 0 && done >= (ssize_t)pieces->iov_len) {
			done -= (ssize_t)pieces->iov_len;
			pieces++;
			num_pieces--;
		}
		if (num_pieces > 0 && done > 0) {
			pieces->iov_base = (char *)pieces->iov_base + done;
			pieces->iov_len -= (size_t)done;
		}
	}
	return 0;
}

/* A line that returns to its beginning shows what was written last, as on a terminal: else it would
 * be written over the label. */
static void pass_line(struct output *output, const char *line, size_t len)
{
	struct iovec pieces[5];
	const char *last;

	while (len > 0 && line[len - 1] == '\r')
		len--;
	last = memrchr(line, '\r', len);
	if (last != NULL) {
		len -= (size_t)(last + 1 - line);
		line = last + 1;
	}
	pieces[0] = piece(output->colour, output->colour == NULL ? 0 : strlen(output->colour));
	pieces[1] = piece(output->label, strlen(output->label));
	pieces[2] = piece(END_OF_COLOUR, output->colour == NULL ? 0 : strlen(END_OF_COLOUR));
	pieces[3] = piece(line, len);
	pieces[4] = piece("\n", 1);
	if (output->error == 0)
		output->error = write_all(output->target, pieces, 5);
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

	if (output->source < 0)
		return false;
	len = read(output->source, output->line + output->len, MAX_LINE - output->len);
	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	/* A terminal whose other side is closed says EIO. */
	if (len <= 0) {
		close(output->source);
		output->source = -1;
		return false;
	}
	output->len += (size_t)len;
	pass_lines(output);
	return true;
}

void output_finish(struct output *output)
{
	while (output_pass(output))
		;
	if (output->len > 0)
		pass_line(output, output->line, output->len);
	output->len = 0;
	if (output->source >= 0)
		close(output->source);
	output->source = -1;
}
