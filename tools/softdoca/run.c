/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca run: becomes a program, its environment set up. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAP "libsoftdoca_heap.so"

static const char help[] =
	"Usage: softdoca run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	"\n"
	"Becomes PROGRAM, with the settings below in its environment; what it starts inherits "
	"them.\n"
	"\n"
	"  --role host|dpu|both  which side's functions of the card it sees: sets SOFTDOCA_ROLE\n"
	"  --shared-heap         other processes can map its large memory, and copy as from their "
	"own\n"
	"  -h, --help            this text\n"
	"\n"
	"The exit code is PROGRAM's; 127: not found, 126: cannot be run, 1: no heap, 2: wrong "
	"use.\n"
	"\n"
	"--shared-heap preloads " HEAP ", before the user's LD_PRELOAD: blocks of 64 KiB\n"
	"and more, of malloc and its relatives, C++'s new, and private anonymous readable and "
	"writable\n"
	"mmap, are then sealed memory files. What is smaller stays as it is. Its limits:\n"
	"\n"
	"  - A program that is linked statically, or has rights that its caller lacks (setuid, "
	"setgid,\n"
	"    file capabilities), ignores what is preloaded and runs with ordinary memory.\n"
	"  - A block is one file descriptor, from 1024 up where the limit allows; the soft limit "
	"is\n"
	"    raised to the hard one. When half of them, 16384 blocks or the memory run out, "
	"blocks\n"
	"    are ordinary memory again, in silence.\n"
	"  - The memory is shared with the children after fork: a child sees what its parent "
	"writes\n"
	"    later, where it has not written itself. What a child writes is its own, except after\n"
	"    vfork or clone, and in blocks whose protection was changed: there the parent sees "
	"it.\n"
	"  - A block cannot grow in place: realloc and mremap to a larger size copy it. What is\n"
	"    unmapped in part returns to the system with the last page of its block.\n"
	"  - MADV_DONTNEED gives zeros through the C library's madvise, not in a bare system "
	"call.\n";

/* The heap is where both are installed, or beside this program, where both are built. */
static bool find_heap(char path[PATH_MAX])
{
	static const char *const places[] = {LIBRARIES_FROM_HERE "/" HEAP, HEAP};
	char here[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", here, sizeof(here) - 1);
	char *slash;

	if (len < 0)
		return false;
	here[len] = '\0';
	slash = strrchr(here, '/');
	if (slash == NULL)
		return false;
	slash[1] = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char place[PATH_MAX + sizeof(LIBRARIES_FROM_HERE HEAP)];

		snprintf(place, sizeof(place), "%s%s", here, places[i]);
		if (realpath(place, path) != NULL && access(path, R_OK) == 0)
			return true;
	}
	return false;
}

static int preload_heap(const struct command *self)
{
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX];
	char *list;
	int result;

	if (!find_heap(path)) {
		say(self, "%s is neither in %s from this program nor beside it; reinstall softdoca",
		    HEAP, LIBRARIES_FROM_HERE);
		return 1;
	}
	if (strpbrk(path, " :") != NULL) {
		say(self, "cannot preload %s: LD_PRELOAD takes no path with a space or colon",
		    path);
		return 1;
	}
	if (asprintf(&list, others == NULL || others[0] == '\0' ? "%s" : "%s:%s", path, others) < 0)
		return 1;
	result = setenv("LD_PRELOAD", list, 1) == 0 ? 0 : 1;
	free(list);
	return result;
}

static bool is_role(const char *text)
{
	return strcmp(text, "host") == 0 || strcmp(text, "dpu") == 0 || strcmp(text, "both") == 0;
}

static int become(const struct command *self, char **argv)
{
	int error;

	execvp(argv[0], argv);
	error = errno;
	say(self, "cannot run %s: %s", argv[0], strerror(error));
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

static int run(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'},
		{"role", required_argument, NULL, 'r'},
		{"shared-heap", no_argument, NULL, 's'},
		{NULL, 0, NULL, 0},
	};
	const char *role = NULL;
	bool is_shared = false;
	int found;

	while ((found = getopt_long(argc, argv, "+:h", options, NULL)) != -1) {
		switch (found) {
		case 'h':
			return print_help(self);
		case 'r':
			role = optarg;
			break;
		case 's':
			is_shared = true;
			break;
		default:
			return refuse_option(self, found, argv);
		}
	}
	if (role != NULL && !is_role(role))
		return refuse(self, "--role is '%s'; allowed: host, dpu, both", role);
	if (optind == argc || argv[optind][0] == '\0')
		return refuse(self, "no program");
	if (role != NULL && setenv("SOFTDOCA_ROLE", role, 1) != 0) {
		say(self, "cannot set SOFTDOCA_ROLE: %s", strerror(errno));
		return 1;
	}
	if (is_shared) {
		int result = preload_heap(self);

		if (result != 0)
			return result;
	}
	return become(self, argv + optind);
}

const struct command run_command = {
	.name = "run",
	.summary = "run a program with a role, or with memory that others can map",
	.help = help,
	.run = run,
};
