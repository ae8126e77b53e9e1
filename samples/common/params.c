/* SPDX-License-Identifier: Apache-2.0 */
/* A command line read by doca_argp: a table of flags, and one call. */
#include "params.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

static bool param_register(const struct param *param)
{
	struct doca_argp_param *made;

	if (!doca_ok(doca_argp_param_create(&made), "create a parameter"))
		return false;
	if (param->short_name != NULL)
		doca_argp_param_set_short_name(made, param->short_name);
	doca_argp_param_set_long_name(made, param->long_name);
	if (param->arguments != NULL)
		doca_argp_param_set_arguments(made, param->arguments);
	doca_argp_param_set_description(made, param->description);
	doca_argp_param_set_callback(made, param->set);
	doca_argp_param_set_type(made, param->arguments != NULL ? DOCA_ARGP_TYPE_STRING
								: DOCA_ARGP_TYPE_BOOLEAN);
	return doca_ok(doca_argp_register_param(made), "register a parameter");
}

int params_read(const struct param *params, size_t num_params, void *config,
		doca_argp_validation_cb_t is_valid, int argc, char **argv)
{
	/* Before the flags: --sdk-log-level sets the level of the backends that there are. */
	if (!sdk_log_open() ||
	    !doca_ok(doca_argp_init(program_invocation_short_name, config), "open the parser"))
		return EXIT_FAILURE;

	for (size_t i = 0; i < num_params; i++) {
		if (!param_register(&params[i]))
			goto failed;
	}
	if (is_valid != NULL &&
	    !doca_ok(doca_argp_register_validation_callback(is_valid), "register the validation"))
		goto failed;
	if (doca_argp_start(argc, argv) == DOCA_SUCCESS)
		return -1;
	/* The parser, or is_valid, has named what is wrong. */
	doca_argp_destroy();
	fprintf(stderr, "Try '%s --help'.\n", program_invocation_short_name);
	return EXIT_USAGE;

failed:
	doca_argp_destroy();
	return EXIT_FAILURE;
}
