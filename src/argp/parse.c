/* SPDX-License-Identifier: Apache-2.0 */
/* The command line into values; help and version end the program here. */
#include "argp/argp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

/* What is left of the command line. */
struct cursor {
	struct parser *parser;
	char **next;
	char **end;
};

__attribute__((noreturn)) static void end_program(struct parser *parser)
{
	parser_end(parser);
	exit(EXIT_SUCCESS);
}

/* Returns only what a callback refused. */
static doca_error_t run_version(struct parser *parser)
{
	bool is_given = true;
	doca_error_t result;

	if (parser->version_cb == NULL) {
		printf("DOCA version of the headers: %s\nDOCA version of the library: %s\n",
		       doca_version(), doca_version_runtime());
		end_program(parser);
	}
	result = parser->version_cb(&is_given, parser->config);
	if (result != DOCA_SUCCESS)
		return result;
	end_program(parser);
}

static doca_error_t refuse_flag(const struct parser *parser, const char *argument)
{
	char suggestion[SUGGESTION_SIZE];
	const char *value;

	for (const struct doca_argp_cmd *above = parser->scope->parent; above != NULL;
	     above = above->parent) {
		if (flag_find(above, argument, &value) == NULL)
			continue;
		input_error(parser, "flag '%.128s' is none of '%s'; give it before that name",
			    argument, parser->scope->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	suggest_flag(parser->scope, argument, suggestion);
	input_error(parser, "unknown flag '%.128s'%s%s", argument, suggestion,
		    suggestion[0] == '\0' ? "; --help lists all flags" : "");
	return DOCA_ERROR_NOT_SUPPORTED;
}

/* The text after "=", else the next argument unless that is a known flag; NULL where it lacks. */
static const char *take_value(struct cursor *cursor, const char *after_equals)
{
	const char *unused;

	if (after_equals != NULL)
		return after_equals;
	if (cursor->next == cursor->end ||
	    flag_find(cursor->parser->scope, *cursor->next, &unused) != NULL)
		return NULL;
	return *cursor->next++;
}

static doca_error_t read_value(struct cursor *cursor, const struct doca_argp_param *param,
			       const char *argument, const char *after_equals)
{
	struct parser *parser = cursor->parser;
	bool is_boolean = param->type == DOCA_ARGP_TYPE_BOOLEAN;
	const char *problem = NULL;
	struct argp_value *value;
	const char *text = NULL;

	if (!param->is_multiple && values_have(&parser->cli_values, param)) {
		input_error(parser, "flag %s%s is given twice; it may be given once",
			    PARAM_FLAG(param));
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!is_boolean) {
		text = take_value(cursor, after_equals);
		if (text == NULL) {
			input_error(parser, "flag '%.128s' lacks its value; give one behind it",
				    argument);
			return DOCA_ERROR_INVALID_VALUE;
		}
	}
	value = value_add(parser, &parser->cli_values, param);
	if (value == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (is_boolean && after_equals == NULL)
		value->as.flag = true;
	else
		problem = value_read(value, is_boolean ? after_equals : text);
	if (problem != NULL) {
		input_error(parser, "flag %s%s: '%.128s' %s", PARAM_FLAG(param),
			    is_boolean ? after_equals : text, problem);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (param->builtin == BUILTIN_JSON)
		parser->json_path = text;
	return DOCA_SUCCESS;
}

static doca_error_t read_flag(struct cursor *cursor, const char *argument)
{
	struct parser *parser = cursor->parser;
	const char *after_equals;
	const struct doca_argp_param *param = flag_find(parser->scope, argument, &after_equals);

	if (param == NULL)
		return refuse_flag(parser, argument);
	if (param->builtin == BUILTIN_HELP && after_equals == NULL) {
		help_print(parser, parser->scope, help_width());
		end_program(parser);
	}
	if (param->builtin == BUILTIN_VERSION && after_equals == NULL)
		return run_version(parser);
	return read_value(cursor, param, argument, after_equals);
}

static doca_error_t read_cmd(struct parser *parser, const char *argument)
{
	const struct doca_argp_cmd *cmd = cmd_find(parser->scope, argument);
	char suggestion[SUGGESTION_SIZE];
	struct argp_value *value;

	if (cmd == NULL) {
		suggest_cmd(parser->scope, argument, suggestion);
		input_error(parser, "argument '%.128s' is no flag and no command%s%s", argument,
			    suggestion, suggestion[0] == '\0' ? "; see --help" : "");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	value = value_add(parser, &parser->cli_values, NULL);
	if (value == NULL)
		return DOCA_ERROR_NO_MEMORY;
	value->cmd = cmd;
	parser->scope = cmd;
	return DOCA_SUCCESS;
}

/* The number of arguments before "--", where there is one. */
static int count_dpdk_args(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return i;
	}
	return 0;
}

/* The program's name, and what stands before "--". Sets how many arguments were taken. */
static doca_error_t take_dpdk_args(struct parser *parser, int argc, char **argv, int *num_taken)
{
	int num_args = count_dpdk_args(argc, argv);
	doca_error_t result = dpdk_add(parser, argv[0]);

	for (int i = 1; i < num_args && result == DOCA_SUCCESS; i++)
		result = dpdk_add(parser, argv[i]);
	*num_taken = num_args == 0 ? 1 : num_args + 1;
	return result;
}

doca_error_t command_line_read(struct parser *parser, int argc, char **argv)
{
	struct cursor cursor = {.parser = parser, .end = argv + argc};
	doca_error_t result = DOCA_SUCCESS;
	int num_taken = 1;

	if (parser->dpdk_cb != NULL)
		result = take_dpdk_args(parser, argc, argv, &num_taken);
	cursor.next = argv + num_taken;
	while (result == DOCA_SUCCESS && cursor.next != cursor.end) {
		const char *argument = *cursor.next++;

		if (argument[0] == '-' && argument[1] != '\0')
			result = read_flag(&cursor, argument);
		else
			result = read_cmd(parser, argument);
	}
	return result;
}
