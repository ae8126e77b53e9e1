/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of this process, and what its files offer each other. Its life:
 *
 *	     doca_argp_init            doca_argp_start
 *	OFF ---------------> SETUP --------------------> STARTED
 *	 ^ doca_argp_destroy   |                            |
 *	 +---------------------+----------------------------+
 *
 * The program and each sub-command are a scope: parameters and sub-commands that may follow its
 * name. doca_argp_start() reads all input into a list of values and checks it before the first
 * callback runs. What the values point to lives until doca_argp_destroy().
 */
#ifndef ARGP_ARGP_H_
#define ARGP_ARGP_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_argp.h>

#include "base/json_text.h"
#include "base/list.h"

struct json_object;

enum parser_phase {
	PARSER_OFF,
	PARSER_SETUP,
	PARSER_STARTED,
};

/* The flags that every program has. */
enum builtin {
	BUILTIN_NONE, /* a parameter of the program's */
	BUILTIN_HELP,
	BUILTIN_VERSION,
	BUILTIN_LOG_LEVEL,
	BUILTIN_SDK_LOG_LEVEL,
	BUILTIN_JSON,
};

struct doca_argp_param {
	struct list link;	/* of its scope, or of those refused */
	const char *short_name; /* owned, as the other texts; NULL: not set */
	const char *long_name;
	const char *arguments;
	const char *description;
	doca_argp_param_cb_t callback;
	enum doca_argp_type type;
	enum builtin builtin;
	bool is_registered; /* or refused: the parser owns it */
	bool is_incomplete; /* a text could not be copied */
	bool is_mandatory;
	bool is_cli_only;
	bool is_multiple;
	bool is_singular;
	bool is_inherited;
	bool is_hidden;
};

/* A sub-command; also the program itself, the root of all scopes. */
struct doca_argp_cmd {
	struct list link;	      /* of its parent, or of those refused */
	struct list params;	      /* owned */
	struct list cmds;	      /* owned */
	struct doca_argp_cmd *parent; /* NULL: the program, or not registered yet */
	const char *name;	      /* owned; NULL: not set */
	const char *description;      /* owned */
	doca_argp_cmd_cb_t callback;
	bool is_registered; /* or refused: the parser owns it */
	bool is_incomplete; /* a text could not be copied */
	bool is_hidden;
};

/* One parameter or sub-command, as it was given. */
struct argp_value {
	struct list link;
	const struct doca_argp_param *param; /* NULL: a sub-command */
	const struct doca_argp_cmd *cmd;
	union {
		const char *text; /* of argv, or of the JSON file */
		int number;
		double real;
		bool flag;
	} as;
	struct doca_dev *parent; /* opened for a representor, closed with the parser; or NULL */
};

struct parser {
	enum parser_phase phase;
	bool is_running; /* inside doca_argp_start() */
	bool is_ending;	 /* a callback called doca_argp_destroy() */

	struct doca_argp_cmd root; /* its name is the program's */
	struct list refused_params;
	struct list refused_cmds;

	void *config; /* the user's */
	doca_argp_param_cb_t version_cb;
	doca_argp_validation_cb_t validation_cb;
	doca_argp_logger_cb_t logger_cb;
	doca_argp_dpdk_cb_t dpdk_cb;
	doca_argp_dev_open_cb_t dev_open_cb;
	void *dev_open_ctx; /* the user's */
	bool ignores_unknown_keys;

	const struct doca_argp_cmd *scope; /* the last sub-command given, or the root */
	struct list cli_values;
	struct list json_values;
	const char *json_path;	  /* NULL: none was given; borrowed from argv */
	struct json_object *json; /* counted: texts of json_values point into it */
	char **dpdk_argv;	  /* owned, NULL at its end; its callback may reorder it */
	size_t num_dpdk_args;
	size_t max_dpdk_args;	 /* that there is room for, besides the NULL */
	struct list dpdk_copies; /* owned; dpdk_argv may point to them */
	int log_level;		 /* 0: not given */
	int sdk_log_level;
};

/* argp.c */

/* The parser, for a call that wants it open, or not started; NULL, with a log line, otherwise. */
struct parser *parser_open(const char *call);
struct parser *parser_setup(const char *call);

/* The parser in any phase. */
struct parser *parser_get(void);

/* Free what the parser owns, whether or not it runs. */
void parser_end(struct parser *parser);

/* A copy for the parser, or NULL. */
char *text_copy(const char *text);

/* param.c */

/* Register in a scope, or refuse; owned by the parser either way. */
doca_error_t param_register(const char *call, struct doca_argp_cmd *scope,
			    struct doca_argp_param *param);

/* Whether a name can stand on the command line; a log line where it cannot. */
bool name_is_valid(const char *call, const char *name);

/* The flag as help and messages show it: the long name where there is one. */
#define PARAM_FLAG(param)                                                                          \
	(param)->long_name != NULL ? "--" : "-",                                                   \
		(param)->long_name != NULL ? (param)->long_name : (param)->short_name

/* builtin.c */

/* The n-th built-in flag, or NULL. */
const struct doca_argp_param *builtin_at(size_t n);

bool level_is_valid(int level);

/* cmd.c */

void cmd_init(struct doca_argp_cmd *cmd);

/* Empty a list of parameters or of sub-commands. */
void params_free(struct list *params);
void cmds_free(struct list *cmds);

/* lookup.c: names. A text of len bytes, without its dashes, is looked up in a scope. */

const struct doca_argp_param *param_find(const struct doca_argp_cmd *scope, bool is_long,
					 const char *name, size_t len);
const struct doca_argp_param *param_find_own(const struct doca_argp_cmd *scope, bool is_long,
					     const char *name, size_t len);
const struct doca_argp_cmd *cmd_find(const struct doca_argp_cmd *scope, const char *name);

/* Split "-x=value" and find its flag; *value is NULL where there is none. NULL: unknown. */
const struct doca_argp_param *flag_find(const struct doca_argp_cmd *scope, const char *argument,
					const char **value);

/* suggest.c */

/* Room for "; did you mean --name?" and its NUL; a longer name is no suggestion. */
#define SUGGESTION_SIZE 96

/* What a known name is near to what was typed; an empty text where none is. */
void suggest_flag(const struct doca_argp_cmd *scope, const char *typed, char text[SUGGESTION_SIZE]);
void suggest_cmd(const struct doca_argp_cmd *scope, const char *typed, char text[SUGGESTION_SIZE]);
void suggest_key(const char *typed, const char *const *keys, size_t num_keys,
		 char text[SUGGESTION_SIZE]);
void suggest_param_key(const struct doca_argp_cmd *scope, const char *typed,
		       char text[SUGGESTION_SIZE]);

/* message.c */

/* Tell the user what is wrong with the input: one line, to the logger callback or to stderr. */
void message(const struct parser *parser, enum doca_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define input_error(parser, ...) message(parser, DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)

/* value.c */

/* Append to a list; NULL, with a message, where there is no memory. */
struct argp_value *value_add(struct parser *parser, struct list *values,
			     const struct doca_argp_param *param);
bool values_have(const struct list *values, const struct doca_argp_param *param);
void values_free(struct list *values);

/* What is wrong with a text as a value of the parameter's type: NULL when it was read. */
const char *value_read(struct argp_value *value, const char *text);

/* parse.c: the command line into values. */
doca_error_t command_line_read(struct parser *parser, int argc, char **argv);

/* json.c: the file into values. */
doca_error_t json_read(struct parser *parser);

/* The same of a text in memory, which a NUL follows; file is its name, for messages. */
doca_error_t json_read_text(struct parser *parser, const char *file, const char *text, size_t len);

void json_release(struct parser *parser);

/* json_file.c: the bytes and a NUL, the caller's to free. */
doca_error_t json_file_load(const struct parser *parser, const char *path, char **text,
			    size_t *len);

/* json_dpdk.c: the section of DPDK into arguments. */

struct json_section {
	struct parser *parser;
	const char *file; /* its name, for messages */
	const char *text;
	size_t len;
	const char *name;
	struct json_object *object; /* borrowed */
};

doca_error_t json_dpdk_read(const struct json_section *section);

/* A message with the place of a key, and a result for the caller to return. */
doca_error_t json_refuse(const struct json_section *section, const char *key, doca_error_t result,
			 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* dpdk.c */

/* Append a text that outlives the parser, or a copy of a text, or what a format makes. */
doca_error_t dpdk_add(struct parser *parser, char *argument);
doca_error_t dpdk_add_copy(struct parser *parser, const char *text, size_t len);
doca_error_t dpdk_add_format(struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void dpdk_free(struct parser *parser);

/* run.c: checks over all values, then the callbacks. */
doca_error_t values_check(const struct parser *parser);
doca_error_t values_run(struct parser *parser);

/* device.c */

/* What is wrong with the text of a device or representor; NULL: nothing. */
const char *device_text_check(const char *text, bool is_rep);

doca_error_t device_open(struct parser *parser, const char *text,
			 struct doca_argp_device_ctx *device);

/* The parent goes into value->parent. */
doca_error_t device_rep_open(struct parser *parser, struct argp_value *value,
			     struct doca_argp_device_rep_ctx *rep);

/* help.c */

/* The width of the terminal behind stdout, or 80. */
unsigned int help_width(void);

void help_print(const struct parser *parser, const struct doca_argp_cmd *scope, unsigned int width);

#endif /* ARGP_ARGP_H_ */
