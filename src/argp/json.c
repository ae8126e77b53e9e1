/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON file into values: its syntax, its sections, the flags in them. */
#include "argp/argp.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

/* Up to here a double holds every whole number; json-c cuts much larger ones without a word. */
#define MAX_EXACT_DOUBLE (INT64_C(1) << 53)

static const char *const section_names[] = {"doca_general_flags", "doca_program_flags",
					    "doca_dpdk_flags"};
static const char *const general_keys[] = {"log-level", "sdk-log-level"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

doca_error_t json_refuse(const struct json_section *section, const char *key, doca_error_t result,
			 const char *format, ...)
{
	struct json_place place =
		json_place_of_key(section->text, section->len, section->name, key);
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	input_error(section->parser, "%s:%u:%u: '%.64s': %s", section->file, place.line,
		    place.column, key == NULL ? section->name : key, text);
	return result;
}

static doca_error_t refuse_unknown(const struct json_section *section, const char *key,
				   const char *suggestion)
{
	if (section->parser->ignores_unknown_keys)
		return DOCA_SUCCESS;
	return json_refuse(section, key, DOCA_ERROR_NOT_SUPPORTED, "unknown key%s", suggestion);
}

static const char *read_text(struct argp_value *value, struct json_object *item)
{
	const char *text;

	if (!json_object_is_type(item, json_type_string))
		return "a text in quotes is wanted";
	text = json_object_get_string(item);
	if (strlen(text) != (size_t)json_object_get_string_len(item))
		return "the text holds a NUL";
	value->as.text = text;
	if (value->param->type == DOCA_ARGP_TYPE_STRING)
		return NULL;
	return device_text_check(text, value->param->type == DOCA_ARGP_TYPE_DEVICE_REP);
}

static const char *read_int(struct argp_value *value, struct json_object *item)
{
	int64_t number = json_object_get_int64(item);

	if (!json_object_is_type(item, json_type_int))
		return "a whole number is wanted";
	if (number < INT_MIN || number > INT_MAX)
		return "the number is too large: it is between -2147483648 and 2147483647";
	if (value->param->builtin != BUILTIN_NONE && !level_is_valid((int)number))
		return "that is no level: give 10, 20, 30, 40, 50, 60 or 70";
	value->as.number = (int)number;
	return NULL;
}

static const char *read_double(struct argp_value *value, struct json_object *item)
{
	int64_t number = json_object_get_int64(item);

	value->as.real = json_object_get_double(item);
	if (json_object_is_type(item, json_type_double))
		return isfinite(value->as.real) ? NULL : "the number is too large";
	if (!json_object_is_type(item, json_type_int))
		return "a number is wanted";
	if (number > MAX_EXACT_DOUBLE || number < -MAX_EXACT_DOUBLE)
		return "the number is too large without a point or an exponent";
	return NULL;
}

/* What is wrong with an item as a value of its parameter; NULL when it was read. */
static const char *read_item(struct argp_value *value, struct json_object *item)
{
	switch (value->param->type) {
	case DOCA_ARGP_TYPE_INT:
		return read_int(value, item);
	case DOCA_ARGP_TYPE_DOUBLE:
		return read_double(value, item);
	case DOCA_ARGP_TYPE_BOOLEAN:
		value->as.flag = json_object_get_boolean(item);
		return json_object_is_type(item, json_type_boolean) ? NULL
								    : "true or false is wanted";
	case DOCA_ARGP_TYPE_STRING:
	case DOCA_ARGP_TYPE_DEVICE:
	case DOCA_ARGP_TYPE_DEVICE_REP:
	case DOCA_ARGP_TYPE_UNKNOWN:
		break;
	}
	return read_text(value, item);
}

static doca_error_t add_item(const struct json_section *section, const char *key,
			     const struct doca_argp_param *param, struct json_object *item)
{
	struct argp_value *value = value_add(section->parser, &section->parser->json_values, param);
	const char *problem;

	if (value == NULL)
		return DOCA_ERROR_NO_MEMORY;
	problem = read_item(value, item);
	if (problem == NULL)
		return DOCA_SUCCESS;
	return json_refuse(section, key, DOCA_ERROR_INVALID_VALUE, "%s", problem);
}

static doca_error_t add_param(const struct json_section *section, const char *key,
			      const struct doca_argp_param *param, struct json_object *item)
{
	doca_error_t result = DOCA_SUCCESS;

	if (param->is_cli_only)
		return json_refuse(section, key, DOCA_ERROR_NOT_SUPPORTED,
				   "only the command line may give it");
	if (values_have(&section->parser->cli_values, param))
		return DOCA_SUCCESS; /* the command line's values stand in place of the file's */
	if (!json_object_is_type(item, json_type_array))
		return add_item(section, key, param, item);
	if (!param->is_multiple)
		return json_refuse(section, key, DOCA_ERROR_INVALID_VALUE,
				   "it takes one value, not an array");
	for (size_t i = 0; i < json_object_array_length(item) && result == DOCA_SUCCESS; i++)
		result = add_item(section, key, param, json_object_array_get_idx(item, i));
	return result;
}

static doca_error_t read_general(const struct json_section *section)
{
	const struct doca_argp_cmd *root = &section->parser->root;
	char suggestion[SUGGESTION_SIZE];
	doca_error_t result = DOCA_SUCCESS;

	json_object_object_foreach(section->object, key, item)
	{
		if (strcmp(key, general_keys[0]) == 0 || strcmp(key, general_keys[1]) == 0) {
			result = add_param(section, key, param_find(root, true, key, strlen(key)),
					   item);
		} else {
			suggest_key(key, general_keys, COUNT(general_keys), suggestion);
			result = refuse_unknown(section, key, suggestion);
		}
		if (result != DOCA_SUCCESS)
			break;
	}
	return result;
}

static doca_error_t read_program(const struct json_section *section)
{
	const struct doca_argp_cmd *root = &section->parser->root;
	char suggestion[SUGGESTION_SIZE];
	doca_error_t result = DOCA_SUCCESS;

	json_object_object_foreach(section->object, key, item)
	{
		const struct doca_argp_param *param = param_find_own(root, true, key, strlen(key));

		if (param != NULL) {
			result = add_param(section, key, param, item);
		} else {
			suggest_param_key(root, key, suggestion);
			result = refuse_unknown(section, key, suggestion);
		}
		if (result != DOCA_SUCCESS)
			break;
	}
	return result;
}

static doca_error_t read_section(const struct json_section *section)
{
	static doca_error_t (*const readers[])(const struct json_section *) = {
		read_general, read_program, json_dpdk_read};
	char suggestion[SUGGESTION_SIZE];

	for (size_t i = 0; i < COUNT(section_names); i++) {
		if (strcmp(section->name, section_names[i]) != 0)
			continue;
		if (!json_object_is_type(section->object, json_type_object))
			return json_refuse(section, NULL, DOCA_ERROR_INVALID_VALUE,
					   "an object is wanted");
		return readers[i](section);
	}
	suggest_key(section->name, section_names, COUNT(section_names), suggestion);
	return refuse_unknown(section, NULL, suggestion);
}

static doca_error_t refuse_syntax(const struct json_section *file, size_t offset,
				  const char *problem)
{
	struct json_place place = json_place_of(file->text, offset);

	input_error(file->parser, "%s:%u:%u: %s", file->file, place.line, place.column, problem);
	return DOCA_ERROR_INVALID_VALUE;
}

/* Sets file->object, which the caller puts. */
static doca_error_t parse(struct json_section *file)
{
	struct json_tokener *tokener = json_tokener_new();
	enum json_tokener_error error;
	size_t end;

	if (tokener == NULL) {
		input_error(file->parser, "%s: out of memory", file->file);
		return DOCA_ERROR_NO_MEMORY;
	}
	/* With the NUL: the end of the text is the end of the file. */
	file->object = json_tokener_parse_ex(tokener, file->text, (int)file->len + 1);
	error = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);

	if (end > file->len)
		end = file->len;
	if (error != json_tokener_success)
		return refuse_syntax(file, end, json_tokener_error_desc(error));
	end = json_skip_space(file->text, file->len, end);
	if (end != file->len)
		return refuse_syntax(file, end, "something follows the end of the JSON");
	if (!json_object_is_type(file->object, json_type_object))
		return refuse_syntax(file, json_skip_space(file->text, file->len, 0),
				     "an object is wanted: {...}");
	return DOCA_SUCCESS;
}

doca_error_t json_read_text(struct parser *parser, const char *file, const char *text, size_t len)
{
	struct json_section whole = {.parser = parser, .file = file, .text = text, .len = len};
	doca_error_t result = parse(&whole);

	parser->json = whole.object; /* values point into it */
	if (result != DOCA_SUCCESS)
		return result;
	json_object_object_foreach(whole.object, key, item)
	{
		struct json_section section = whole;

		section.name = key;
		section.object = item;
		result = read_section(&section);
		if (result != DOCA_SUCCESS)
			break;
	}
	return result;
}

doca_error_t json_read(struct parser *parser)
{
	doca_error_t result;
	char *text;
	size_t len;

	if (parser->json_path == NULL)
		return DOCA_SUCCESS;
	result = json_file_load(parser, parser->json_path, &text, &len);
	if (result != DOCA_SUCCESS)
		return result;
	result = json_read_text(parser, parser->json_path, text, len);
	free(text);
	return result;
}

void json_release(struct parser *parser)
{
	json_object_put(parser->json);
	parser->json = NULL;
}
