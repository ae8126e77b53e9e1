/* SPDX-License-Identifier: Apache-2.0 */
/* A sub-command of softdoca, and how each speaks. */
#ifndef SOFTDOCA_COMMAND_H_
#define SOFTDOCA_COMMAND_H_

#define EXIT_USAGE 2
#define EXIT_CANNOT_RUN 126 /* as shells have it */
#define EXIT_NOT_FOUND 127

struct command {
	const char *name;
	const char *summary; /* one line */
	const char *help;
	void (*print_options)(void); /* behind help, or NULL */
	const char *notes;	     /* behind those, or NULL */
	/* argv[0] is the command's name; returns the exit code. */
	int (*run)(const struct command *self, int argc, char **argv);
};

extern const struct command doctor_command;
extern const struct command env_command;
extern const struct command pair_command;
extern const struct command run_command;

/* One line on stderr: "softdoca NAME: text". */
__attribute__((format(printf, 2, 3))) void say(const struct command *self, const char *format, ...);

/* The same, with where to read more; returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int refuse(const struct command *self, const char *format,
						 ...);

/* What getopt_long stumbled over, as refuse() says it. */
int refuse_option(const struct command *self, int found, char **argv);

/* 0 when all of stdout has been written; else 1, and says so. */
int finish_output(const struct command *self);

int print_help(const struct command *self);

#endif /* SOFTDOCA_COMMAND_H_ */
