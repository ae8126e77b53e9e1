/* SPDX-License-Identifier: Apache-2.0 */
/* What all values together must be, and then the callbacks, one after the other. */
#include "argp/argp.h"

#include "common/sdk_log.h"

static bool is_given(const struct parser *parser, const struct doca_argp_param *param)
{
	return values_have(&parser->cli_values, param) || values_have(&parser->json_values, param);
}

/* The parameter that must stand alone, where one was given; and how many values there are. */
static const struct doca_argp_param *find_singular(const struct parser *parser, size_t *num_values)
{
	const struct list *const lists[] = {&parser->json_values, &parser->cli_values};
	const struct doca_argp_param *singular = NULL;

	*num_values = 0;
	for (size_t i = 0; i < 2; i++) {
		list_for_each (link, lists[i]) {
			const struct doca_argp_param *param =
				CONTAINER_OF(link, struct argp_value, link)->param;

			if (param != NULL && param->builtin == BUILTIN_JSON)
				continue; /* the file itself is no flag of the program's */
			(*num_values)++;
			if (param != NULL && param->is_singular)
				singular = param;
		}
	}
	return singular;
}

static doca_error_t check_mandatory(const struct parser *parser, const struct doca_argp_cmd *scope)
{
	list_for_each (link, &scope->params) {
		const struct doca_argp_param *param =
			CONTAINER_OF(link, struct doca_argp_param, link);

		if (!param->is_mandatory || is_given(parser, param))
			continue;
		input_error(parser, "flag %s%s is missing; it is mandatory", PARAM_FLAG(param));
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t values_check(const struct parser *parser)
{
	size_t num_values;
	const struct doca_argp_param *singular = find_singular(parser, &num_values);
	doca_error_t result = DOCA_SUCCESS;

	if (singular != NULL && num_values > 1) {
		input_error(parser, "flag %s%s must be given alone", PARAM_FLAG(singular));
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (singular != NULL)
		return DOCA_SUCCESS;
	for (const struct doca_argp_cmd *scope = parser->scope;
	     scope != NULL && result == DOCA_SUCCESS; scope = scope->parent)
		result = check_mandatory(parser, scope);
	return result;
}

static void set_level(struct parser *parser, const struct argp_value *value)
{
	enum builtin builtin = value->param == NULL ? BUILTIN_NONE : value->param->builtin;

	if (builtin == BUILTIN_LOG_LEVEL) {
		parser->log_level = value->as.number;
		doca_log_level_set_global_lower_limit((uint32_t)value->as.number);
	}
	if (builtin == BUILTIN_SDK_LOG_LEVEL) {
		parser->sdk_log_level = value->as.number;
		doca_log_level_set_global_sdk_limit((uint32_t)value->as.number);
	}
}

static doca_error_t run_device(struct parser *parser, const struct argp_value *value)
{
	struct doca_argp_device_ctx device = {0};
	doca_error_t result = device_open(parser, value->as.text, &device);

	return result != DOCA_SUCCESS ? result : value->param->callback(&device, parser->config);
}

static doca_error_t run_device_rep(struct parser *parser, struct argp_value *value)
{
	struct doca_argp_device_rep_ctx rep = {0};
	doca_error_t result = device_rep_open(parser, value, &rep);

	return result != DOCA_SUCCESS ? result : value->param->callback(&rep, parser->config);
}

static doca_error_t run_value(struct parser *parser, struct argp_value *value)
{
	const struct doca_argp_param *param = value->param;

	if (param == NULL)
		return value->cmd->callback(parser->config);
	if (param->builtin != BUILTIN_NONE)
		return DOCA_SUCCESS;
	switch (param->type) {
	case DOCA_ARGP_TYPE_STRING:
		return param->callback((void *)value->as.text, parser->config);
	case DOCA_ARGP_TYPE_DEVICE:
		return run_device(parser, value);
	case DOCA_ARGP_TYPE_DEVICE_REP:
		return run_device_rep(parser, value);
	case DOCA_ARGP_TYPE_INT:
	case DOCA_ARGP_TYPE_BOOLEAN:
	case DOCA_ARGP_TYPE_DOUBLE:
	case DOCA_ARGP_TYPE_UNKNOWN:
		break;
	}
	return param->callback(&value->as, parser->config);
}

/* A callback that destroyed the parser is the last to run. */
static doca_error_t after_callback(const struct parser *parser, doca_error_t result)
{
	if (result != DOCA_SUCCESS || !parser->is_ending)
		return result;
	LOG_ERROR("doca_argp_start of %s stops: a callback called doca_argp_destroy",
		  parser->root.name);
	return DOCA_ERROR_BAD_STATE;
}

static doca_error_t run_list(struct parser *parser, struct list *values)
{
	doca_error_t result = DOCA_SUCCESS;

	list_for_each (link, values) {
		result = run_value(parser, CONTAINER_OF(link, struct argp_value, link));
		result = after_callback(parser, result);
		if (result != DOCA_SUCCESS)
			break;
	}
	return result;
}

doca_error_t values_run(struct parser *parser)
{
	doca_error_t result;

	list_for_each (link, &parser->json_values)
		set_level(parser, CONTAINER_OF(link, struct argp_value, link));
	list_for_each (link, &parser->cli_values)
		set_level(parser, CONTAINER_OF(link, struct argp_value, link));

	result = run_list(parser, &parser->json_values);
	if (result != DOCA_SUCCESS)
		return result;
	result = run_list(parser, &parser->cli_values);
	if (result != DOCA_SUCCESS)
		return result;
	if (parser->validation_cb != NULL)
		result = after_callback(parser, parser->validation_cb(parser->config));
	if (result != DOCA_SUCCESS || parser->dpdk_cb == NULL)
		return result;
	return after_callback(parser,
			      parser->dpdk_cb((int)parser->num_dpdk_args, parser->dpdk_argv));
}
