/* SPDX-License-Identifier: Apache-2.0 */
/* The output of one half, passed on line by line, each with a label. */
#ifndef SOFTDOCA_OUTPUT_H_
#define SOFTDOCA_OUTPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A longer line is broken. */
#define MAX_LINE 65536

struct output {
	int source;   /* does not block; -1: not open. Kept open: a terminal that is closed hangs up
		       */
	FILE *target; /* borrowed */
	const char *label;
	const char *colour; /* an escape sequence */
	bool is_coloured;
	bool has_ended; /* nothing more is to be read */
	int error;	/* errno of a target that takes no more, or 0 */
	size_t len;
	char line[MAX_LINE]; /* begun and not ended */
};

/* Whether what is written there may be coloured: a terminal that can, and NO_COLOR not set. */
bool output_is_coloured(int fd);

void output_open(struct output *output, int source, FILE *target);

/* Passes on what is there and returns; false when there was nothing. */
bool output_pass(struct output *output);

/* All that is there, and the last line without its end. */
void output_finish(struct output *output);

#endif /* SOFTDOCA_OUTPUT_H_ */
