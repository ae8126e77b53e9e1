/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca run: becomes a program, its environment set up. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

static const char help[] =
	"Usage: softdoca run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	"\n"
	"Becomes PROGRAM, with the settings below in its environment, and softdoca's\n"
	"libraries first in LD_LIBRARY_PATH; what it starts inherits them. A wrong\n"
	"setting is refused before.\n"
	"\n";

static const char notes[] =
	"\n"
	"The exit code is PROGRAM's; 127: not found, 126: cannot be run, 1: softdoca is\n"
	"not whole, 2: wrong use or a wrong setting. The manual page softdoca(7) says\n"
	"what each may be.\n"
	"\n"
	"--auto looks for a DOCA that is not softdoca, in a child that has 10 seconds.\n"
	"Where that sees a card, its libraries come first, and there is no shared heap;\n"
	"else softdoca's do.\n"
	"\n"
	"--shared-heap preloads libsoftdoca_heap.so, before the user's LD_PRELOAD:\n"
	"blocks of 64 KiB and more, of malloc and its relatives, C++'s new, and private\n"
	"anonymous readable and writable mmap, are then sealed memory files. What is\n"
	"smaller stays as it is. Its limits:\n"
	"\n"
	"  - A program that is linked statically, or has rights that its caller lacks\n"
	"    (setuid, setgid, file capabilities), ignores what is preloaded and runs\n"
	"    with ordinary memory.\n"
	"  - A block is one file descriptor, from 1024 up where the limit allows; the\n"
	"    soft limit is raised to the hard one. When half of them, 16384 blocks or\n"
	"    the memory run out, blocks are ordinary memory again, in silence.\n"
	"  - The memory is shared with the children after fork: a child sees what its\n"
	"    parent writes later, where it has not written itself. What a child writes\n"
	"    is its own, except after vfork or clone, and in blocks whose protection\n"
	"    was changed: there the parent sees it.\n"
	"  - A block cannot grow in place: realloc and mremap to a larger size copy it.\n"
	"    What is unmapped in part returns to the system with the last page of its\n"
	"    block.\n"
	"  - MADV_DONTNEED gives zeros through the C library's madvise, not in a bare\n"
	"    system call.\n";

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
	struct setup setup = {0};
	int result = setup_parse(self, argc, argv, &setup);

	if (result != 0 || setup.is_helped)
		return result;
	if (optind == argc || argv[optind][0] == '\0')
		return refuse(self, "no program");
	result = setup_apply(self, &setup);
	return result != 0 ? result : become(self, argv + optind);
}

const struct command run_command = {
	.name = "run",
	.summary = "run a program with settings, a role, or memory that others can map",
	.help = help,
	.print_options = options_print,
	.notes = notes,
	.run = run,
};
