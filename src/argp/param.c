/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter: made, described, registered in a scope. */
#include "argp/argp.h"

#include <stdlib.h>
#include <string.h>

#include "common/sdk_log.h"

doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
	struct doca_argp_param *created;

	if (parser_open(__func__) == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (param == NULL)
		return REFUSE_NULL("param");
	created = calloc(1, sizeof(*created));
	if (created == NULL) {
		LOG_ERROR("no memory for a parameter");
		return DOCA_ERROR_NO_MEMORY;
	}
	list_init(&created->link);
	*param = created;
	return DOCA_SUCCESS;
}

static void param_free(struct doca_argp_param *param)
{
	free((void *)param->short_name);
	free((void *)param->long_name);
	free((void *)param->arguments);
	free((void *)param->description);
	free(param);
}

void params_free(struct list *params)
{
	struct list *next;

	for (struct list *link = params->next; link != params; link = next) {
		next = link->next;
		param_free(CONTAINER_OF(link, struct doca_argp_param, link));
	}
	list_init(params);
}

doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
	if (param == NULL)
		return REFUSE_NULL("param");
	if (param->is_registered) {
		LOG_ERROR("parameter %p refuses destroy: the parser owns it since its "
			  "registration; doca_argp_destroy frees it",
			  (void *)param);
		return DOCA_ERROR_BAD_STATE;
	}
	param_free(param);
	return DOCA_SUCCESS;
}

/* A registered parameter is in tables by its names, and read while the program starts. */
static bool can_be_set(const char *call, const struct doca_argp_param *param)
{
	if (param == NULL) {
		LOG_ERROR("%s does nothing: param must not be NULL", call);
		return false;
	}
	if (param->is_registered) {
		LOG_ERROR("%s does nothing: parameter %p is registered; call it before", call,
			  (const void *)param);
		return false;
	}
	return true;
}

static void set_text(const char *call, struct doca_argp_param *param, const char **field,
		     const char *text)
{
	if (text == NULL) {
		LOG_ERROR("%s does nothing: the text for parameter %p must not be NULL", call,
			  (void *)param);
		return;
	}
	free((void *)*field);
	*field = text_copy(text);
	if (*field != NULL)
		return;
	LOG_ERROR("%s: no memory for a text of parameter %p; its registration will be refused",
		  call, (void *)param);
	param->is_incomplete = true;
}

void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name)
{
	if (can_be_set(__func__, param))
		set_text(__func__, param, &param->short_name, name);
}

void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name)
{
	if (can_be_set(__func__, param))
		set_text(__func__, param, &param->long_name, name);
}

void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments)
{
	if (can_be_set(__func__, param))
		set_text(__func__, param, &param->arguments, arguments);
}

void doca_argp_param_set_description(struct doca_argp_param *param, const char *description)
{
	if (can_be_set(__func__, param))
		set_text(__func__, param, &param->description, description);
}

void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback)
{
	if (!can_be_set(__func__, param))
		return;
	if (callback == NULL)
		REFUSE_NULL("callback");
	else
		param->callback = callback;
}

void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type)
{
	if (!can_be_set(__func__, param))
		return;
	if ((int)type <= DOCA_ARGP_TYPE_UNKNOWN || type > DOCA_ARGP_TYPE_DOUBLE) {
		LOG_ERROR("%s does nothing: %d is no type for parameter %p; give one of enum "
			  "doca_argp_type",
			  __func__, (int)type, (void *)param);
		return;
	}
	param->type = type;
}

void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
	if (can_be_set(__func__, param))
		param->is_mandatory = true;
}

void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
	if (can_be_set(__func__, param))
		param->is_cli_only = true;
}

void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
	if (can_be_set(__func__, param))
		param->is_multiple = true;
}

void doca_argp_param_set_singular(struct doca_argp_param *param)
{
	if (can_be_set(__func__, param))
		param->is_singular = true;
}

void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
	if (can_be_set(__func__, param))
		param->is_inherited = true;
}

void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
	if (can_be_set(__func__, param))
		param->is_hidden = true;
}

bool name_is_valid(const char *call, const char *name)
{
	if (name[0] != '\0' && name[0] != '-')
		return true;
	LOG_ERROR("%s refuses the name '%s': a name is not empty and has no dash before it", call,
		  name);
	return false;
}

static doca_error_t check_fields(const char *call, const struct doca_argp_param *param)
{
	const char *missing = NULL;

	if (param->is_incomplete)
		missing = "a text that there was no memory for";
	else if (param->short_name == NULL && param->long_name == NULL)
		missing = "a short or a long name";
	else if (param->description == NULL)
		missing = "a description";
	else if (param->callback == NULL)
		missing = "a callback";
	else if (param->type == DOCA_ARGP_TYPE_UNKNOWN)
		missing = "a type";
	if (missing != NULL) {
		LOG_ERROR("%s refuses parameter %p '%s': it lacks %s; set it first", call,
			  (const void *)param,
			  param->long_name != NULL    ? param->long_name
			  : param->short_name != NULL ? param->short_name
						      : "",
			  missing);
		return DOCA_ERROR_INITIALIZATION;
	}
	if ((param->short_name != NULL && !name_is_valid(call, param->short_name)) ||
	    (param->long_name != NULL && !name_is_valid(call, param->long_name)))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

/*
 * Whether a name is taken in a scope: by one of its own parameters, or by a built-in flag. A
 * sub-command may take those over, as public programs do with -v; but -h is always help.
 */
static bool name_is_taken(const char *call, const struct doca_argp_cmd *scope, bool is_long,
			  const char *name)
{
	const struct doca_argp_param *other;

	if (name == NULL)
		return false;
	other = param_find_own(scope, is_long, name, strlen(name));
	if (other == NULL) {
		other = param_find(&parser_get()->root, is_long, name, strlen(name));
		if (other == NULL || other->builtin == BUILTIN_NONE ||
		    (scope != &parser_get()->root && other->builtin != BUILTIN_HELP))
			return false;
	}
	LOG_ERROR("%s refuses the name %s%s: %s has it already; give another", call,
		  is_long ? "--" : "-", name,
		  other->builtin != BUILTIN_NONE ? "a built-in flag" : "another parameter");
	return true;
}

static doca_error_t check_new(const char *call, const struct doca_argp_cmd *scope,
			      const struct doca_argp_param *param)
{
	doca_error_t result;

	if (parser_setup(call) == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (scope == NULL) {
		LOG_ERROR("%s refuses: cmd must not be NULL", call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = check_fields(call, param);
	if (result != DOCA_SUCCESS)
		return result;
	if (name_is_taken(call, scope, false, param->short_name) ||
	    name_is_taken(call, scope, true, param->long_name))
		return DOCA_ERROR_BAD_STATE;
	return DOCA_SUCCESS;
}

doca_error_t param_register(const char *call, struct doca_argp_cmd *scope,
			    struct doca_argp_param *param)
{
	struct parser *parser = parser_get();
	doca_error_t result;

	if (param == NULL) {
		LOG_ERROR("%s refuses: input_param must not be NULL", call);
		return parser->phase == PARSER_SETUP ? DOCA_ERROR_INVALID_VALUE
						     : DOCA_ERROR_BAD_STATE;
	}
	if (param->is_registered) {
		LOG_ERROR("%s refuses parameter %p: it is registered already", call, (void *)param);
		return DOCA_ERROR_BAD_STATE;
	}

	result = check_new(call, scope, param);
	if (result == DOCA_SUCCESS) {
		list_add_tail(&scope->params, &param->link);
	} else if (parser->phase == PARSER_OFF) {
		param_free(param);
		return result;
	} else {
		/* Kept, so that a program that destroys it all the same is told and does not crash.
		 */
		list_add_tail(&parser->refused_params, &param->link);
	}
	param->is_registered = true;
	return result;
}

doca_error_t doca_argp_register_param(struct doca_argp_param *input_param)
{
	return param_register(__func__, &parser_get()->root, input_param);
}
