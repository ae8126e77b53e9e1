/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON document, its writer that takes no memory, and the options of a tool that prints one. */
#include "document.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json_visit.h>

#include <doca_version.h>

void end_without_memory(void)
{
	say("out of memory");
	exit(EXIT_FAILURE);
}

static struct json_object *checked(struct json_object *value)
{
	if (value == NULL)
		end_without_memory();
	return value;
}

struct json_object *new_object(void)
{
	return checked(json_object_new_object());
}

struct json_object *new_array(void)
{
	return checked(json_object_new_array());
}

void put(struct json_object *object, const char *key, struct json_object *value)
{
	if (json_object_object_add(object, key, value) != 0)
		end_without_memory();
}

void put_text(struct json_object *object, const char *key, const char *value)
{
	put(object, key, value == NULL ? NULL : checked(json_object_new_string(value)));
}

void put_number(struct json_object *object, const char *key, uint64_t value)
{
	put(object, key, checked(json_object_new_uint64(value)));
}

void put_bool(struct json_object *object, const char *key, bool value)
{
	put(object, key, checked(json_object_new_boolean(value)));
}

void append(struct json_object *array, struct json_object *value)
{
	if (json_object_array_add(array, checked(value)) != 0)
		end_without_memory();
}

const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value == NULL ? "" : json_object_get_string(value);
}

void print_scalar(struct json_object *value)
{
	if (json_object_is_type(value, json_type_int))
		printf("%" PRIu64, json_object_get_uint64(value));
	else if (json_object_is_type(value, json_type_boolean))
		fputs(json_object_get_boolean(value) ? "true" : "false", stdout);
	else
		fputs(value == NULL ? "null" : json_object_get_string(value), stdout);
}

static bool is_nested(struct json_object *value)
{
	return json_object_is_type(value, json_type_object) ||
	       json_object_is_type(value, json_type_array);
}

static void print_quoted(const char *text)
{
	putchar('"');
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned int)*text);
		else
			printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	}
	putchar('"');
}

struct place {
	int depth;
	bool is_first; /* in the innermost object or array */
};

static int print_node(struct json_object *value, int flags, struct json_object *parent,
		      const char *key, size_t *index, void *argument)
{
	struct place *place = argument;
	const bool is_object = json_object_is_type(value, json_type_object);
	const bool is_end = flags == JSON_C_VISIT_SECOND;

	place->depth -= is_end;
	if (parent != NULL && !is_end && !place->is_first)
		putchar(',');
	if (is_end ? !place->is_first : parent != NULL)
		printf("\n%*s", 2 * place->depth, "");
	if (is_end) {
		putchar(is_object ? '}' : ']');
		place->is_first = false;
		return JSON_C_VISIT_RETURN_CONTINUE;
	}
	if (key != NULL) {
		print_quoted(key);
		fputs(": ", stdout);
	}
	place->is_first = is_nested(value);
	place->depth += is_nested(value);
	if (is_nested(value))
		putchar(is_object ? '{' : '[');
	else if (json_object_is_type(value, json_type_string))
		print_quoted(json_object_get_string(value));
	else
		print_scalar(value);
	return JSON_C_VISIT_RETURN_CONTINUE;
}

/* json-c's own writer leaves out, in silence, what it has no memory for. */
void print_json(struct json_object *document)
{
	struct place place = {.is_first = true};

	(void)json_c_visit(document, 0, print_node, &place);
	putchar('\n');
}

void say(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

int refuse(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("; see --help\n", stderr);
	return EXIT_USAGE;
}

int refuse_option(int found, char **argv, const char *allowed)
{
	const char *option = argv[optind - 1];

	if (found == ':')
		return refuse("option %s wants a value", option);
	if (optopt != 0 && strncmp(option, "--", 2) != 0)
		return refuse("unknown option -%c; allowed: %s", optopt, allowed);
	if (optopt != 0)
		return refuse("option %s takes no value", option);
	return refuse("unknown option %s; allowed: %s", option, allowed);
}

void say_whose(struct json_object *devices)
{
	if (json_object_array_length(devices) == 0)
		say("no devices; SOFTDOCA_DEVICE and SOFTDOCA_ROLE choose them, see softdoca(7)");
	else
		say("softdoca's devices, in software; see softdoca(7)");
}

int finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	say("standard output: %s", strerror(errno));
	return EXIT_FAILURE;
}

static int print_report(const struct report *report, bool is_json)
{
	struct json_object *document;
	const bool is_whole = report->make(&document);

	if (!is_json && is_whole)
		say_whose(json_object_object_get(document, "devices"));
	print_json(document);
	json_object_put(document);
	return is_whole ? EXIT_SUCCESS : EXIT_FAILURE;
}

int report_main(int argc, char **argv, const struct report *report)
{
	static const struct option longs[] = {{"json", no_argument, NULL, 'j'},
					      {"help", no_argument, NULL, 'h'},
					      {"version", no_argument, NULL, 'v'},
					      {NULL, 0, NULL, 0}};
	bool is_json = false;
	int found;

	opterr = 0;
	while ((found = getopt_long(argc, argv, ":hvV", longs, NULL)) != -1) {
		if (found == 'h') {
			fputs(report->help, stdout);
			return finish(EXIT_SUCCESS);
		}
		if (found == 'v' || found == 'V') {
			printf("%s " DOCA_VERSION_STRING " of softdoca\n",
			       program_invocation_short_name);
			return finish(EXIT_SUCCESS);
		}
		if (found != 'j')
			return refuse_option(found, argv, "--json, --help, --version");
		is_json = true;
	}
	if (optind < argc)
		return refuse("'%s' is no option", argv[optind]);
	return finish(print_report(report, is_json));
}
