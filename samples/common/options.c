/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of dma_local_copy. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

static const char HELP[] =
	" [options] [SOURCE DESTINATION]\n"
	"Copy a file by DOCA DMA in windows that the device can take, many in flight\n"
	"at once, and prove by SHA-256 that the copy is the source. DESTINATION appears\n"
	"whole or not at all. Without names the program copies itself, and removes the\n"
	"copy when it is proved.\n"
	"\n"
	"  -p, --pci-addr PCI  copy with the device at this PCI address, such as\n"
	"                      0000:03:00.0; default: the first that can do DMA\n"
	"                      (-d, --device do the same)\n"
	"  -b, --bench         then time the same windows by DMA and by memcpy\n"
	"  -h, --help          print this and exit\n"
	"\n"
	"Exit status: 0 copied and proved, 1 failed, 2 wrong usage.\n";

#define TRIAL_SOURCE "/proc/self/exe"
#define TRIAL_TARGET "/tmp/dma_local_copy.trial"

static int usage_error(void)
{
	fprintf(stderr, "Try '%s --help'.\n", program_invocation_short_name);
	return EXIT_USAGE;
}

int options_parse(struct options *options, int argc, char **argv)
{
	static const struct option LONG[] = {
		{"pci-addr", required_argument, NULL, 'p'},
		{"device", required_argument, NULL, 'p'},
		{"bench", no_argument, NULL, 'b'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	*options = (struct options){.bench = false};
	while ((option = getopt_long(argc, argv, "p:d:bh", LONG, NULL)) != -1) {
		switch (option) {
		case 'p':
		case 'd':
			options->device = optarg;
			break;
		case 'b':
			options->bench = true;
			break;
		case 'h':
			printf("Usage: %s%s", program_invocation_short_name, HELP);
			return EXIT_SUCCESS;
		default: /* getopt_long() has named it */
			return usage_error();
		}
	}
	if (argc == optind) {
		options->is_trial = true;
		options->source = TRIAL_SOURCE;
		options->target = TRIAL_TARGET;
		return -1;
	}
	if (argc - optind != 2) {
		complain("wants a SOURCE and a DESTINATION, got %d names", argc - optind);
		return usage_error();
	}
	options->source = argv[optind];
	options->target = argv[optind + 1];
	return -1;
}
