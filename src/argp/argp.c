/* SPDX-License-Identifier: Apache-2.0 */
/* The one parser of this process: opened, set up, started, destroyed. */
#include "argp/argp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sdk_log.h"

static struct parser the_parser; /* the API names none, so there can be but one */

struct parser *parser_get(void)
{
	return &the_parser;
}

struct parser *parser_open(const char *call)
{
	if (the_parser.phase != PARSER_OFF && !the_parser.is_ending)
		return &the_parser;
	LOG_ERROR("%s refuses: the parser is not open; call doca_argp_init first", call);
	return NULL;
}

struct parser *parser_setup(const char *call)
{
	struct parser *parser = parser_open(call);

	if (parser == NULL || parser->phase == PARSER_SETUP)
		return parser;
	LOG_ERROR("%s refuses: the parser of %s has started; call it before doca_argp_start", call,
		  parser->root.name);
	return NULL;
}

char *text_copy(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = calloc(1, size);

	return copy == NULL ? NULL : memcpy(copy, text, size);
}

doca_error_t doca_argp_init(const char *program_name, void *program_config)
{
	const char *name = program_name == NULL ? program_invocation_short_name : program_name;
	struct parser *parser = &the_parser;

	if (parser->phase != PARSER_OFF) {
		LOG_ERROR("parser of %s refuses to be opened again; call doca_argp_destroy first",
			  parser->root.name);
		return DOCA_ERROR_BAD_STATE;
	}
	if (name[0] == '\0') {
		LOG_ERROR("parser refuses to open: the program's name is empty; give one, or NULL");
		return DOCA_ERROR_INVALID_VALUE;
	}
	cmd_init(&parser->root);
	parser->root.name = text_copy(name);
	if (parser->root.name == NULL) {
		LOG_ERROR("parser of %s refuses to open: out of memory", name);
		return DOCA_ERROR_NO_MEMORY;
	}

	list_init(&parser->refused_params);
	list_init(&parser->refused_cmds);
	list_init(&parser->cli_values);
	list_init(&parser->json_values);
	list_init(&parser->dpdk_copies);
	parser->scope = &parser->root;
	parser->config = program_config;
	parser->phase = PARSER_SETUP;
	return DOCA_SUCCESS;
}

void parser_end(struct parser *parser)
{
	values_free(&parser->cli_values);
	values_free(&parser->json_values);
	json_release(parser);
	dpdk_free(parser);
	params_free(&parser->refused_params);
	cmds_free(&parser->refused_cmds);
	params_free(&parser->root.params);
	cmds_free(&parser->root.cmds);
	free((void *)parser->root.name);
	*parser = (struct parser){.phase = PARSER_OFF};
}

doca_error_t doca_argp_destroy(void)
{
	struct parser *parser = parser_open(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (parser->is_running)
		parser->is_ending = true; /* the callback's own parameter may be in use */
	else
		parser_end(parser);
	return DOCA_SUCCESS;
}

static doca_error_t parser_run(struct parser *parser, int argc, char **argv)
{
	doca_error_t result;

	result = command_line_read(parser, argc, argv);
	if (result != DOCA_SUCCESS)
		return result;
	result = json_read(parser);
	if (result != DOCA_SUCCESS)
		return result;
	result = values_check(parser);
	if (result != DOCA_SUCCESS)
		return result;
	return values_run(parser);
}

/* Runs also when a C++ exception of a callback passes through. */
static void parser_leave(struct parser **parser)
{
	(*parser)->is_running = false;
	if ((*parser)->is_ending)
		parser_end(*parser);
}

static doca_error_t arguments_check(int argc, char **argv)
{
	if (argv == NULL)
		return REFUSE_NULL("argv");
	if (argc < 1) {
		LOG_ERROR("doca_argp_start refuses: argc is %d; give those of main, the program's "
			  "name first",
			  argc);
		return DOCA_ERROR_INVALID_VALUE;
	}
	for (int i = 0; i < argc; i++) {
		if (argv[i] != NULL)
			continue;
		LOG_ERROR("doca_argp_start refuses: argv[%d] of %d is NULL", i, argc);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_start(int argc, char **argv)
{
	struct parser *parser = parser_setup(__func__);
	doca_error_t result;

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	result = arguments_check(argc, argv);
	if (result != DOCA_SUCCESS)
		return result;

	struct parser *running __attribute__((cleanup(parser_leave), unused)) = parser;

	parser->phase = PARSER_STARTED;
	parser->is_running = true;
	return parser_run(parser, argc, argv);
}

void doca_argp_usage(void)
{
	const struct parser *parser = parser_open(__func__);

	if (parser != NULL)
		help_print(parser, parser->scope, help_width());
}

doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback)
{
	struct parser *parser = parser_setup(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (callback == NULL)
		return REFUSE_NULL("callback");
	parser->version_cb = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback)
{
	struct parser *parser = parser_setup(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (callback == NULL)
		return REFUSE_NULL("callback");
	parser->validation_cb = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback)
{
	struct parser *parser = parser_open(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (callback == NULL)
		return REFUSE_NULL("callback");
	if (parser->logger_cb != NULL) {
		LOG_ERROR("parser of %s refuses a second logger callback; call "
			  "doca_argp_disable_logger_callback first",
			  parser->root.name);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	parser->logger_cb = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_logger_callback(void)
{
	struct parser *parser = parser_open(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	parser->logger_cb = NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx)
{
	struct parser *parser = parser_setup(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (callback == NULL)
		return REFUSE_NULL("callback");
	parser->dev_open_cb = callback;
	parser->dev_open_ctx = usr_ctx;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_pedantic_config_parsing(void)
{
	struct parser *parser = parser_setup(__func__);

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	parser->ignores_unknown_keys = true;
	return DOCA_SUCCESS;
}

void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback)
{
	struct parser *parser = parser_setup(__func__);

	if (parser == NULL)
		return;
	if (callback == NULL)
		REFUSE_NULL("callback");
	else
		parser->dpdk_cb = callback;
}

doca_error_t doca_argp_get_log_level(int *log_level)
{
	if (log_level == NULL)
		return REFUSE_NULL("log_level");
	*log_level = the_parser.log_level != 0 ? the_parser.log_level
					       : (int)doca_log_level_get_global_lower_limit();
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_get_sdk_log_level(int *log_level)
{
	if (log_level == NULL)
		return REFUSE_NULL("log_level");
	*log_level = the_parser.sdk_log_level != 0 ? the_parser.sdk_log_level
						   : (int)doca_log_level_get_global_sdk_limit();
	return DOCA_SUCCESS;
}
