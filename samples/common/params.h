/* SPDX-License-Identifier: Apache-2.0 */
/* A command line read by doca_argp: a table of flags, and one call. */
#ifndef SAMPLES_COMMON_PARAMS_H_
#define SAMPLES_COMMON_PARAMS_H_

#include <stddef.h>

#include <doca_argp.h>

#define EXIT_USAGE 2

struct param {
	const char *short_name; /* NULL: none */
	const char *long_name;
	const char *arguments; /* as the help shows its value; NULL: a flag without one */
	const char *description;
	doca_argp_param_cb_t set; /* gets a text, or a bool where there is no value */
};

/*
 * -1: go on; all that the callbacks and is_valid did to config holds until doca_argp_destroy().
 * Else the exit code, and the reason was said. is_valid may say the reason and return an error.
 */
int params_read(const struct param *params, size_t num_params, void *config,
		doca_argp_validation_cb_t is_valid, int argc, char **argv);

#endif /* SAMPLES_COMMON_PARAMS_H_ */
