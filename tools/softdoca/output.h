/* SPDX-License-Identifier: Apache-2.0 */
/* The output of one half, passed on line by line, each with a label. */
#ifndef SOFTDOCA_OUTPUT_H_
#define SOFTDOCA_OUTPUT_H_

#include <stdbool.h>
#include <stddef.h>

/* A longer line is broken. */
#define MAX_LINE 65536

struct output {
	int source; /* owned, does not block; -1: not open, or at its end */
	int target; /* borrowed */
	const char *label;
	const char *colour; /* an escape sequence, used on a terminal alone */
	int error;	    /* errno of a target that takes no more, or 0 */
	size_t len;
	char line[MAX_LINE]; /* begun and not ended */
};

void output_open(struct output *output, int source, int target);

/* Passes on what is there and returns; false when there was nothing. */
bool output_pass(struct output *output);

/* All that is there, and the last line without its end. */
void output_finish(struct output *output);

#endif /* SOFTDOCA_OUTPUT_H_ */
