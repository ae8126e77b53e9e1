/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca env: what run would set, as lines for a shell. */
#include "command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "probe.h"

static const char help[] =
	"Usage: eval \"$(softdoca env [OPTION...])\"\n"
	"\n"
	"Prints lines for a POSIX shell: the settings below, and softdoca's directories\n"
	"first in LD_LIBRARY_PATH, PKG_CONFIG_PATH (with --role dpu that of a DPU's\n"
	"half), PATH and MANPATH. What is there already is left out. A wrong setting is\n"
	"refused, and nothing printed.\n"
	"\n";

static const char notes[] =
	"\n"
	"The exit code is 0; 1: softdoca is not whole, 2: wrong use, wrong settings.\n";

/* Where it stands in PATH or MANPATH does not matter, as it has no rival. */
static bool is_in(const char *list, const char *entry)
{
	size_t entry_len = strlen(entry);
	size_t len;

	for (; list != NULL; list = list[len] == ':' ? list + len + 1 : NULL) {
		len = strcspn(list, ":");
		if (len == entry_len && memcmp(list, entry, len) == 0)
			return true;
	}
	return false;
}

/* Paths that are not there are left out: manual pages need not be installed. */
static int prepend_from_here(const struct command *self, struct setup *setup, const char *name,
			     const char *relative)
{
	char path[PATH_MAX];

	if (!probe_from_here(relative, path))
		return 0;
	if (strcmp(name, "PKG_CONFIG_PATH") != 0 && is_in(getenv(name), path))
		return 0;
	return setup_prepend(self, setup, name, path);
}

static int set_paths(const struct command *self, struct setup *setup)
{
	const char *role = getenv("SOFTDOCA_ROLE");
	bool is_dpu = role != NULL && strcmp(role, "dpu") == 0;
	int result = 0;

	if (!setup->has_card)
		result = prepend_from_here(self, setup, "PKG_CONFIG_PATH",
					   is_dpu ? LIBRARIES_FROM_HERE "/dpu/pkgconfig"
						  : LIBRARIES_FROM_HERE "/pkgconfig");
	if (result == 0)
		result = prepend_from_here(self, setup, "PATH", ".");
	return result != 0 ? result : prepend_from_here(self, setup, "MANPATH", MAN_FROM_HERE);
}

/* Within single quotes everything but a single quote is itself. */
static void print_export(const char *name, const char *rest)
{
	const char *at = getenv(name);

	printf("export %s='", name);
	for (; at != NULL && *at != '\0'; at++) {
		if (*at == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*at);
	}
	printf("'%s\n", rest);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct setup setup = {0};
	/* A shell has a PATH of its own where none is exported. */
	const char *own_path = getenv("PATH") == NULL ? "\"${PATH:+:$PATH}\"" : "";
	int result = setup_parse(self, argc, argv, &setup);

	if (result != 0 || setup.is_helped)
		return result;
	if (optind < argc)
		return refuse(self, "'%s' is no option; softdoca run starts programs",
			      argv[optind]);
	result = setup_apply(self, &setup);
	if (result == 0)
		result = set_paths(self, &setup);
	for (size_t i = 0; i < setup.num_changes && result == 0; i++)
		print_export(setup.changes[i],
			     strcmp(setup.changes[i], "PATH") == 0 ? own_path : "");
	return result != 0 ? result : finish_output(self);
}

const struct command env_command = {
	.name = "env",
	.summary = "print run's settings and paths, for a shell",
	.help = help,
	.print_options = options_print,
	.notes = notes,
	.run = run,
};
