/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of dma_copy, in either role. */
#ifndef SAMPLES_APPLICATIONS_DMA_COPY_OPTIONS_H_
#define SAMPLES_APPLICATIONS_DMA_COPY_OPTIONS_H_

#include <stdbool.h>

struct dma_copy_options {
	const char *send;	  /* file to send, or NULL; all until argp is closed */
	const char *receive;	  /* file to write, or NULL: one of the two is there */
	const char *file;	  /* it is one of the two, and which its being there has said */
	const char *device;	  /* a PCI address; NULL: the first that can */
	const char *rep_pci_addr; /* of the DPU half: the host's function; NULL: the first */
	const char *name;	  /* that the halves find each other by */
	bool bench;		  /* of a DPU half that receives: measure too */
};

/* -1: go on with *options. Else the exit code: all that there is to do is done. */
int dma_copy_options_parse(struct dma_copy_options *options, int argc, char **argv);

#endif /* SAMPLES_APPLICATIONS_DMA_COPY_OPTIONS_H_ */
