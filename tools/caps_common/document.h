/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON document, built, written, and how a tool over one says what it has to say. */
#ifndef CAPS_COMMON_DOCUMENT_H_
#define CAPS_COMMON_DOCUMENT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <json-c/json.h>

#define EXIT_USAGE 2

/* Without memory for a few words the process ends, as having failed. */
_Noreturn void end_without_memory(void);
struct json_object *new_object(void);
struct json_object *new_array(void);
void put(struct json_object *object, const char *key,
	 struct json_object *value); /* takes the value; NULL is null */
void put_text(struct json_object *object, const char *key, const char *value); /* the same */
void put_number(struct json_object *object, const char *key, uint64_t value);
void put_bool(struct json_object *object, const char *key, bool value);
void append(struct json_object *array, struct json_object *value); /* takes the value */

/* A borrowed string of the object; "" where there is none. */
const char *text_of(struct json_object *object, const char *key);

/* Printing takes no memory. */
void print_scalar(struct json_object *value);
void print_json(struct json_object *document);

/* One line on standard error, begun by the tool's name. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
int refuse(const char *format, ...)
	__attribute__((format(printf, 1, 2))); /* with where help is; EXIT_USAGE */
int refuse_option(int found, char **argv,
		  const char *allowed); /* what getopt_long() did not like */

/* On standard error, for people; no line of it begins as one of doca_caps' layout. */
void say_whose(struct json_object *devices);

/* The exit code, or EXIT_FAILURE where standard output did not take all that was printed. */
int finish(int code);

/* A tool that prints one document, with --json without a line on whose devices they are. */
struct report {
	const char *help;
	/* Whether all could be told; the document is the caller's, and whole in any case. */
	bool (*make)(struct json_object **document);
};

int report_main(int argc, char **argv, const struct report *report);

#endif /* CAPS_COMMON_DOCUMENT_H_ */
