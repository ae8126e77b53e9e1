/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca: the table of its sub-commands, its help, and who is called. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doca_version.h>

#define MAX_NAME 32

static const struct command *const commands[] = {
	&doctor_command,
	&env_command,
	&pair_command,
	&run_command,
};

#define NUM_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void say_name(const struct command *self)
{
	if (self == NULL)
		fputs("softdoca: ", stderr);
	else
		fprintf(stderr, "softdoca %s: ", self->name);
}

void say(const struct command *self, const char *format, ...)
{
	va_list arguments;

	say_name(self);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

int refuse(const struct command *self, const char *format, ...)
{
	va_list arguments;

	say_name(self);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	if (self == NULL)
		fputs("; see softdoca --help\n", stderr);
	else
		fprintf(stderr, "; see softdoca help %s\n", self->name);
	return EXIT_USAGE;
}

int refuse_option(const struct command *self, int found, char **argv)
{
	const char *option = argv[optind - 1];

	if (found == ':')
		return refuse(self, "option %s wants a value", option);
	/* A letter that getopt has not passed yet is the first of a group. */
	if (optopt != 0 && strncmp(option, "--", 2) != 0)
		return refuse(self, "unknown option -%c", optopt);
	if (optopt != 0)
		return refuse(self, "option %s takes no value", option);
	return refuse(self, "unknown option %s", option);
}

int finish_output(const struct command *self)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	say(self, "standard output: %s", strerror(errno));
	return 1;
}

int print_help(const struct command *self)
{
	fputs(self->help, stdout);
	if (self->print_options != NULL)
		self->print_options();
	if (self->notes != NULL)
		fputs(self->notes, stdout);
	return finish_output(self);
}

static int print_overview(void)
{
	fputs("Usage: softdoca COMMAND [ARGUMENT...]\n\nRun programs on softdoca's virtual "
	      "card.\n\n",
	      stdout);
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	printf("  %-8s %s\n", "help", "explain a command: softdoca help COMMAND");
	fputs("\n  -h, --help     this text\n  -v, --version  the version of softdoca (-V, too)\n",
	      stdout);
	return finish_output(NULL);
}

/* How many letters must be changed, left out or added. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[MAX_NAME + 1];
	size_t len = strlen(b);

	for (size_t j = 0; j <= len; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 1; j <= len; j++) {
			size_t best = diagonal + (a[i] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[len];
}

static int refuse_unknown(const char *typed)
{
	const struct command *nearest = NULL;
	size_t least = strlen(typed);

	for (size_t i = 0; i < NUM_COMMANDS && least <= MAX_NAME; i++) {
		size_t distance = edit_distance(typed, commands[i]->name);

		if (distance < least && distance <= 2) {
			least = distance;
			nearest = commands[i];
		}
	}
	if (nearest == NULL)
		return refuse(NULL, "unknown command '%s'", typed);
	return refuse(NULL, "unknown command '%s'; did you mean %s?", typed, nearest->name);
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

static int help(const char *name)
{
	const struct command *command;

	if (name == NULL)
		return print_overview();
	command = find(name);
	return command == NULL ? refuse_unknown(name) : print_help(command);
}

/* Of a caller that closed them: what is opened later must not become a standard stream. */
static void open_standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	const struct command *command;

	open_standard_streams();
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	if (argc < 2)
		return refuse(NULL, "no command");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(NULL);
	if (strcmp(argv[1], "help") == 0)
		return argc > 3 ? refuse(NULL, "help explains one command") : help(argv[2]);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-v") == 0 ||
	    strcmp(argv[1], "-V") == 0) {
		puts("softdoca " DOCA_VERSION_STRING);
		return finish_output(NULL);
	}
	if (argv[1][0] == '-')
		return refuse(NULL, "unknown option %s", argv[1]);
	command = find(argv[1]);
	if (command == NULL)
		return refuse_unknown(argv[1]);
	opterr = 0;
	return command->run(command, argc - 1, argv + 1);
}
