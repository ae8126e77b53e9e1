/* SPDX-License-Identifier: Apache-2.0 */
/* The help text: two groups of flags and the sub-commands, in aligned and wrapped columns. */
#include "argp/argp.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define MIN_WIDTH 40
/* Descriptions begin here at the latest; a longer flag has a line of its own. */
#define MAX_COLUMN 36

/* Where lines break, and where descriptions begin. */
struct layout {
	unsigned int width;
	unsigned int column;
};

/* What stands left of a description, in pieces. */
struct entry {
	const char *pieces[8];
	const char *description;
	const char *mark;
};

unsigned int help_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return DEFAULT_WIDTH;
	return size.ws_col < MIN_WIDTH ? MIN_WIDTH : size.ws_col;
}

static const char *placeholder(const struct doca_argp_param *param)
{
	if (param->arguments != NULL)
		return param->arguments;
	switch (param->type) {
	case DOCA_ARGP_TYPE_STRING:
		return "<text>";
	case DOCA_ARGP_TYPE_INT:
		return "<number>";
	case DOCA_ARGP_TYPE_DOUBLE:
		return "<decimal>";
	case DOCA_ARGP_TYPE_DEVICE:
		return "<pci/address[,args]>";
	case DOCA_ARGP_TYPE_DEVICE_REP:
		return "<pci/address,rep[,args]>";
	case DOCA_ARGP_TYPE_BOOLEAN:
	case DOCA_ARGP_TYPE_UNKNOWN:
		break;
	}
	return "";
}

/* False where the flag cannot be given in the scope, or is not to be shown. */
static bool param_entry(const struct doca_argp_cmd *scope, const struct doca_argp_param *param,
			struct entry *entry)
{
	const char *name = param->short_name;
	bool has_short = name != NULL && param_find(scope, false, name, strlen(name)) == param;
	bool has_long = param->long_name != NULL && param_find(scope, true, param->long_name,
							       strlen(param->long_name)) == param;
	const char *arguments = placeholder(param);

	if (param->is_hidden || (!has_short && !has_long))
		return false;
	*entry = (struct entry){
		.pieces = {has_short ? "  -" : "    ", has_short ? name : "",
			   has_short && has_long ? ", "
			   : has_short		 ? ""
						 : "  ",
			   has_long ? "--" : "", has_long ? param->long_name : "",
			   arguments[0] != '\0' ? " " : "", arguments, ""},
		.description = param->description,
		.mark = param->is_mandatory && param->is_multiple ? " [mandatory, repeatable]"
			: param->is_mandatory			  ? " [mandatory]"
			: param->is_multiple			  ? " [repeatable]"
								  : "",
	};
	return true;
}

static bool cmd_entry(const struct doca_argp_cmd *cmd, struct entry *entry)
{
	*entry = (struct entry){
		.pieces = {"  ", cmd->name, "", "", "", "", "", ""},
		.description = cmd->description,
		.mark = "",
	};
	return !cmd->is_hidden;
}

/* Write words, each line from the column on; returns where it ends. */
static unsigned int write_words(const struct layout *layout, unsigned int at, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, " \n");
		bool is_first = at == layout->column;

		if (*text == '\n' ||
		    (len > 0 && !is_first && at + 1 + len > (size_t)layout->width)) {
			printf("\n%*s", (int)layout->column, "");
			at = layout->column;
			is_first = true;
		}
		if (len > 0) {
			printf("%s%.*s", is_first ? "" : " ", (int)len, text);
			at += (unsigned int)len + (is_first ? 0 : 1);
		}
		text += len;
		if (*text == ' ' || (len == 0 && *text == '\n'))
			text++;
	}
	return at;
}

static unsigned int entry_width(const struct entry *entry)
{
	size_t len = 0;

	for (size_t i = 0; i < sizeof(entry->pieces) / sizeof(entry->pieces[0]); i++)
		len += strlen(entry->pieces[i]);
	return (unsigned int)len;
}

static void entry_print(const struct layout *layout, const struct entry *entry)
{
	unsigned int len = entry_width(entry);
	unsigned int at;

	for (size_t i = 0; i < sizeof(entry->pieces) / sizeof(entry->pieces[0]); i++)
		fputs(entry->pieces[i], stdout);
	if (len + 2 > layout->column)
		printf("\n%*s", (int)layout->column, "");
	else
		printf("%*s", (int)(layout->column - len), "");
	at = write_words(layout, layout->column, entry->description);
	write_words(layout, at, entry->mark);
	putchar('\n');
}

/* With layout->width 0 it only makes the column wide enough; returns the number of entries. */
static unsigned int entry_add(struct layout *layout, const struct entry *entry)
{
	unsigned int wanted = entry_width(entry) + 2;

	if (layout->width != 0)
		entry_print(layout, entry);
	else if (wanted <= MAX_COLUMN && wanted > layout->column)
		layout->column = wanted;
	return 1;
}

static unsigned int add_builtins(struct layout *layout, const struct doca_argp_cmd *scope)
{
	const struct doca_argp_param *param;
	struct entry entry;
	unsigned int num = 0;

	for (size_t i = 0; (param = builtin_at(i)) != NULL; i++) {
		if (param_entry(scope, param, &entry))
			num += entry_add(layout, &entry);
	}
	return num;
}

static unsigned int add_params(struct layout *layout, const struct doca_argp_cmd *scope)
{
	struct entry entry;
	unsigned int num = 0;

	for (const struct doca_argp_cmd *above = scope; above != NULL; above = above->parent) {
		list_for_each (link, &above->params) {
			if (param_entry(scope, CONTAINER_OF(link, struct doca_argp_param, link),
					&entry))
				num += entry_add(layout, &entry);
		}
	}
	return num;
}

static unsigned int add_cmds(struct layout *layout, const struct doca_argp_cmd *scope)
{
	struct entry entry;
	unsigned int num = 0;

	list_for_each (link, &scope->cmds) {
		if (cmd_entry(CONTAINER_OF(link, struct doca_argp_cmd, link), &entry))
			num += entry_add(layout, &entry);
	}
	return num;
}

/* The names from the program down to the scope. */
static void print_path(const struct doca_argp_cmd *scope)
{
	size_t depth = 0;

	for (const struct doca_argp_cmd *above = scope->parent; above != NULL;
	     above = above->parent)
		depth++;
	for (size_t up = depth + 1; up-- > 0;) {
		const struct doca_argp_cmd *above = scope;

		for (size_t i = 0; i < up; i++)
			above = above->parent;
		printf(" %s", above->name);
	}
}

void help_print(const struct parser *parser, const struct doca_argp_cmd *scope, unsigned int width)
{
	struct layout measure = {0};
	unsigned int num_builtins = add_builtins(&measure, scope);
	unsigned int num_params = add_params(&measure, scope);
	unsigned int num_cmds = add_cmds(&measure, scope);
	struct layout layout = {.width = width, .column = measure.column};

	fputs("Usage:", stdout);
	print_path(scope);
	printf("%s%s%s%s\n",
	       parser->dpdk_cb != NULL && scope == &parser->root ? " [DPDK Flags] --" : "",
	       num_builtins > 0 ? " [DOCA Flags]" : "", num_params > 0 ? " [Program Flags]" : "",
	       num_cmds > 0 ? " [Command]" : "");
	if (scope != &parser->root) {
		putchar('\n');
		layout.column = 0;
		write_words(&layout, 0, scope->description);
		layout.column = measure.column;
		putchar('\n');
	}
	if (num_builtins > 0) {
		puts("\nDOCA Flags:");
		add_builtins(&layout, scope);
	}
	if (num_params > 0) {
		puts("\nProgram Flags:");
		add_params(&layout, scope);
	}
	if (num_cmds > 0) {
		puts("\nCommands:");
		add_cmds(&layout, scope);
	}
}
