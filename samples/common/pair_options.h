/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of dma_copy_host and dma_copy_dpu. */
#ifndef SAMPLES_COMMON_PAIR_OPTIONS_H_
#define SAMPLES_COMMON_PAIR_OPTIONS_H_

struct pair_options {
	const char *device; /* a PCI address; NULL: the first that can. All until argp is closed */
	const char *descriptor_path;
	const char *info_path;
	const char *text;   /* of the host half: what to export */
	const char *file;   /* of the host half: export its bytes; NULL: the text */
	const char *output; /* of the DPU half: write the copy there; NULL: nowhere */
};

/* -1: go on with *options. Else the exit code: all that there is to do is done. */
int pair_options_of_host(struct pair_options *options, int argc, char **argv);
int pair_options_of_dpu(struct pair_options *options, int argc, char **argv);

#endif /* SAMPLES_COMMON_PAIR_OPTIONS_H_ */
