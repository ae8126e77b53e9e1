/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of dma_copy, in either role. */
#include "options.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "common/params.h"
#include "common/report.h"

#define DEFAULT_NAME "dma_copy"

static doca_error_t set_send(void *param, void *config)
{
	((struct dma_copy_options *)config)->send = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_receive(void *param, void *config)
{
	((struct dma_copy_options *)config)->receive = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_file(void *param, void *config)
{
	((struct dma_copy_options *)config)->file = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_device(void *param, void *config)
{
	((struct dma_copy_options *)config)->device = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_name(void *param, void *config)
{
	((struct dma_copy_options *)config)->name = param;
	return DOCA_SUCCESS;
}

#ifdef DOCA_ARCH_DPU
static doca_error_t set_rep_pci_addr(void *param, void *config)
{
	((struct dma_copy_options *)config)->rep_pci_addr = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_bench(void *param, void *config)
{
	((struct dma_copy_options *)config)->bench = *(bool *)param;
	return DOCA_SUCCESS;
}
#endif

static doca_error_t is_valid(void *config)
{
	struct dma_copy_options *options = config;

	/* As DOCA's dma_copy has it: the half that has the file sends it. */
	if (options->file != NULL && options->send == NULL && options->receive == NULL)
		*(access(options->file, F_OK) == 0 ? &options->send : &options->receive) =
			options->file;
	else if (options->file != NULL)
		options->send = options->receive = NULL;
	if ((options->send == NULL) == (options->receive == NULL))
		complain("wants a file to send or a file to receive");
	else if (options->bench && options->receive == NULL)
		complain("measures what it receives: --bench wants --receive");
	else
		return DOCA_SUCCESS;
	return DOCA_ERROR_INVALID_VALUE;
}

int dma_copy_options_parse(struct dma_copy_options *options, int argc, char **argv)
{
	static const struct param PARAMS[] = {
		{"s", "send", "<path>", "Send this file to the other half", set_send},
		{NULL, "receive", "<path>",
		 "Write what the other half sends to this file, which appears whole or not at all",
		 set_receive},
		{"f", "file", "<path>", "Send this file where it is there, else receive it",
		 set_file},
		{"p", "pci-addr", "<address>", "Device; default: the first that can", set_device},
		{"n", "name", "<name>",
		 "Name that the halves find each other by; default: " DEFAULT_NAME, set_name},
#ifdef DOCA_ARCH_DPU
		{"r", "rep-pci", "<address>",
		 "The host's function to serve; default: the first that the device represents",
		 set_rep_pci_addr},
		{"b", "bench", NULL, "Time the windows that come by DMA and by memcpy", set_bench},
#endif
	};

	*options = (struct dma_copy_options){.name = DEFAULT_NAME};
	return params_read(PARAMS, sizeof(PARAMS) / sizeof(PARAMS[0]), options, is_valid, argc,
			   argv);
}
