/* SPDX-License-Identifier: Apache-2.0 */
/* The program whose input is fuzzed: a parameter of each kind, and commands. */
#ifndef TESTS_FUZZ_FUZZ_ARGP_H_
#define TESTS_FUZZ_FUZZ_ARGP_H_

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argp/argp.h"

/* Reads the whole value, so that a sanitizer sees one that is not there. */
static inline doca_error_t fuzz_on_text(void *param, void *config)
{
	return strlen(param) == 13 ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

static inline doca_error_t fuzz_on_number(void *param, void *config)
{
	return *(int *)param == 13 ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

static inline doca_error_t fuzz_on_flag(void *param, void *config)
{
	return *(bool *)param ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static inline doca_error_t fuzz_on_real(void *param, void *config)
{
	return *(double *)param == 13 ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

static inline doca_error_t fuzz_on_device(void *param, void *config)
{
	struct doca_argp_device_ctx *device = param;

	if (device->devargs != NULL && strlen(device->devargs) == 0)
		abort(); /* an empty text is none */
	return doca_dev_close(device->dev);
}

static inline doca_error_t fuzz_on_rep(void *param, void *config)
{
	return doca_dev_rep_close(((struct doca_argp_device_rep_ctx *)param)->dev_rep);
}

static inline doca_error_t fuzz_on_cmd(void *config)
{
	return DOCA_SUCCESS;
}

static inline doca_error_t fuzz_on_dpdk(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (strlen(argv[i]) == 13)
			return DOCA_ERROR_UNEXPECTED;
	}
	return argv[argc] == NULL ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

__attribute__((format(printf, 2, 0))) static inline doca_error_t fuzz_on_message(
	enum doca_log_level level, const char *format, va_list args)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, args);
	return DOCA_SUCCESS;
}

static inline void fuzz_must(doca_error_t result)
{
	if (result != DOCA_SUCCESS)
		abort();
}

static inline struct doca_argp_param *fuzz_param(const char *short_name, const char *long_name,
						 enum doca_argp_type type)
{
	static const doca_argp_param_cb_t callbacks[] = {
		[DOCA_ARGP_TYPE_STRING] = fuzz_on_text,	   [DOCA_ARGP_TYPE_INT] = fuzz_on_number,
		[DOCA_ARGP_TYPE_BOOLEAN] = fuzz_on_flag,   [DOCA_ARGP_TYPE_DEVICE] = fuzz_on_device,
		[DOCA_ARGP_TYPE_DEVICE_REP] = fuzz_on_rep, [DOCA_ARGP_TYPE_DOUBLE] = fuzz_on_real,
	};
	struct doca_argp_param *param = NULL;

	fuzz_must(doca_argp_param_create(&param));
	doca_argp_param_set_short_name(param, short_name);
	doca_argp_param_set_long_name(param, long_name);
	doca_argp_param_set_description(param, "A parameter of the program that is fuzzed");
	doca_argp_param_set_callback(param, callbacks[type]);
	doca_argp_param_set_type(param, type);
	return param;
}

static inline struct doca_argp_cmd *fuzz_cmd(const char *name)
{
	struct doca_argp_cmd *cmd = NULL;

	fuzz_must(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "A command of the program that is fuzzed");
	doca_argp_cmd_set_callback(cmd, fuzz_on_cmd);
	return cmd;
}

static inline void fuzz_open(bool has_dpdk)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;

	fuzz_must(doca_argp_init("fuzz", NULL));
	fuzz_must(doca_argp_register_logger_callback(fuzz_on_message));
	param = fuzz_param("ns", "numbers", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(param);
	fuzz_must(doca_argp_register_param(param));
	param = fuzz_param("t", "text", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_inherited(param);
	fuzz_must(doca_argp_register_param(param));
	fuzz_must(doca_argp_register_param(fuzz_param("f", "flag", DOCA_ARGP_TYPE_BOOLEAN)));
	fuzz_must(doca_argp_register_param(fuzz_param("r", "real", DOCA_ARGP_TYPE_DOUBLE)));
	fuzz_must(doca_argp_register_param(fuzz_param("d", "device", DOCA_ARGP_TYPE_DEVICE)));
	fuzz_must(doca_argp_register_param(fuzz_param("p", "rep", DOCA_ARGP_TYPE_DEVICE_REP)));
	param = fuzz_param("s", "single", DOCA_ARGP_TYPE_BOOLEAN);
	doca_argp_param_set_singular(param);
	fuzz_must(doca_argp_register_param(param));

	cmd = fuzz_cmd("set");
	param = fuzz_param("v", "value", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(param);
	fuzz_must(doca_argp_cmd_register_param(cmd, param));
	fuzz_must(doca_argp_cmd_register_cmd(cmd, fuzz_cmd("more")));
	fuzz_must(doca_argp_register_cmd(cmd));
	if (has_dpdk)
		doca_argp_set_dpdk_program(fuzz_on_dpdk);
}

#endif /* TESTS_FUZZ_FUZZ_ARGP_H_ */
