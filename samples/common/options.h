/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of dma_local_copy. */
#ifndef SAMPLES_COMMON_OPTIONS_H_
#define SAMPLES_COMMON_OPTIONS_H_

#include <stdbool.h>

#define EXIT_USAGE 2

struct options {
	const char *source; /* all borrowed from argv */
	const char *target;
	const char *device; /* a PCI address; NULL: the first device with DMA */
	bool bench;
	bool is_trial; /* no names were given: the copy is removed when it is proved */
};

/* -1: go on with *options. Else the exit code: all that there is to do is done. */
int options_parse(struct options *options, int argc, char **argv);

#endif /* SAMPLES_COMMON_OPTIONS_H_ */
