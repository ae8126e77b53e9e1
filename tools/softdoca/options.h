/* SPDX-License-Identifier: Apache-2.0 */
/* What run and env share: options that become variables of the environment. */
#ifndef SOFTDOCA_OPTIONS_H_
#define SOFTDOCA_OPTIONS_H_

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "command.h"

#define MAX_CHANGES 32

struct setup {
	bool is_auto;
	bool is_shared;
	bool is_verbose;
	bool is_helped; /* with the help, and nothing else is to be done */
	bool has_card;	/* NVIDIA's libraries stay in place */
	char library_dir[PATH_MAX];
	size_t num_changes;
	const char *changes[MAX_CHANGES]; /* the variables that were set */
};

void options_print(void);

/* Takes the options, into the environment of this process; optind is then behind them. 0, or an
 * exit code. */
int setup_parse(const struct command *self, int argc, char **argv, struct setup *setup);

/* Has the library look at the settings, which refuses wrong ones. 0, or an exit code. */
int setup_check(const struct command *self, struct setup *setup);

/* The same, and puts the libraries into the environment. */
int setup_apply(const struct command *self, struct setup *setup);

/* Sets a variable. 0, or 1 when that failed, which is said. */
int setup_set(const struct command *self, struct setup *setup, const char *name, const char *value);

/* Puts a directory or file in front of a list with colons, once: 0, or 1 when that failed. */
int setup_prepend(const struct command *self, struct setup *setup, const char *name,
		  const char *entry);

#endif /* SOFTDOCA_OPTIONS_H_ */
