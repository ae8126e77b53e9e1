/* SPDX-License-Identifier: Apache-2.0 */
/* Copy a file between host and DPU: comch for what there is to say, DMA for the bytes. */
#include <stdlib.h>

#include <doca_argp.h>

#include "common/interrupt.h"

#include "half.h"

#ifdef DOCA_ARCH_DPU
#define half_run half_run_dpu
#else
#define half_run half_run_host
#endif

int main(int argc, char **argv)
{
	struct dma_copy_options options;
	int exit_code = dma_copy_options_parse(&options, argc, argv);

	if (exit_code >= 0)
		return exit_code;
	interrupt_hold();
	exit_code = half_run(&options) ? EXIT_SUCCESS : EXIT_FAILURE;
	doca_argp_destroy();
	interrupt_release();
	return exit_code;
}
