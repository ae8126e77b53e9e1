/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of dma_copy_host and dma_copy_dpu. */
#include "pair_options.h"

#include "handoff.h"
#include "params.h"
#include "report.h"

#define DEFAULT_TEXT "These bytes were copied by DMA from the memory of the host half."

#define DESCRIPTOR "Descriptor of the memory, a secret; default: " HANDOFF_DESCRIPTOR_PATH
#define INFO "Its address, length and SHA-256; default: " HANDOFF_INFO_PATH

static doca_error_t set_device(void *param, void *config)
{
	((struct pair_options *)config)->device = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_descriptor_path(void *param, void *config)
{
	((struct pair_options *)config)->descriptor_path = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_info_path(void *param, void *config)
{
	((struct pair_options *)config)->info_path = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_text(void *param, void *config)
{
	((struct pair_options *)config)->text = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_file(void *param, void *config)
{
	((struct pair_options *)config)->file = param;
	return DOCA_SUCCESS;
}

static doca_error_t set_output(void *param, void *config)
{
	((struct pair_options *)config)->output = param;
	return DOCA_SUCCESS;
}

static doca_error_t is_valid(void *config)
{
	struct pair_options *options = config;

	if (options->text != NULL && options->file != NULL) {
		complain("wants a text or a file, got both");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (options->text == NULL)
		options->text = DEFAULT_TEXT;
	return DOCA_SUCCESS;
}

static int parse(struct pair_options *options, const struct param *params, size_t num_params,
		 int argc, char **argv)
{
	*options = (struct pair_options){.descriptor_path = HANDOFF_DESCRIPTOR_PATH,
					 .info_path = HANDOFF_INFO_PATH};
	return params_read(params, num_params, options, is_valid, argc, argv);
}

int pair_options_of_host(struct pair_options *options, int argc, char **argv)
{
	static const struct param PARAMS[] = {
		{"p", "pci-addr", "<address>", "Device; default: the first that can export memory",
		 set_device},
		{"t", "text", "<text>", "Text to export", set_text},
		{"f", "file", "<path>", "Export the bytes of this file instead", set_file},
		{"d", "descriptor-path", "<path>", DESCRIPTOR, set_descriptor_path},
		{"b", "buffer-info-path", "<path>", INFO, set_info_path},
	};

	return parse(options, PARAMS, sizeof(PARAMS) / sizeof(PARAMS[0]), argc, argv);
}

int pair_options_of_dpu(struct pair_options *options, int argc, char **argv)
{
	static const struct param PARAMS[] = {
		{"p", "pci-addr", "<address>", "Device; default: the first that can do DMA",
		 set_device},
		{"o", "output", "<path>", "Write the copy to this file", set_output},
		{"d", "descriptor-path", "<path>", DESCRIPTOR, set_descriptor_path},
		{"b", "buffer-info-path", "<path>", INFO, set_info_path},
	};

	return parse(options, PARAMS, sizeof(PARAMS) / sizeof(PARAMS[0]), argc, argv);
}
