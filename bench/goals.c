/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the goals, group by group, and prints one table of them. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "companion.h"
#include "groups.h"
#include "machine.h"
#include "sweep.h"

#define MIB ((size_t)1 << 20)

struct group {
	const char *name;
	void (*run)(const struct report *report);
};

static const struct group GROUPS[] = {
	{"tasks", group_tasks},	    {"offsets", group_offsets}, {"cached", group_cached},
	{"cycling", group_cycling}, {"pieces", group_pieces},	{"mapped", group_mapped},
	{"cma", group_cma},	    {"inline", group_inline},	{"workers", group_workers},
	{"dpdk", group_dpdk},
};
#define NUM_GROUPS (sizeof(GROUPS) / sizeof(*GROUPS))

static const struct plan WHOLE = {.rounds = 9, .turns = 5, .slice_ns = 1000000, .window = 64 * MIB};
static const struct plan QUICK = {.rounds = 1, .turns = 1, .slice_ns = 50000, .window = 4 * MIB};

struct options {
	struct plan plan;
	bool is_quick;
	const char *group;
	const char *csv;
	const char *markdown;
	const char *sweep;
};

static const char HELP[] =
	"Usage: goals [OPTION]...\n"
	"Measure what softdoca promises of its speed, as ratios within this run.\n"
	"Exit status: 0 no firm goal is missed, 1 one is, 2 it could not be measured.\n"
	"\n"
	"  -g, --group NAME      this group alone: tasks, offsets, cached, cycling, pieces,\n"
	"                        mapped, cma, inline, workers, dpdk\n"
	"  -r, --rounds N        rounds, 1 to 31 (9)\n"
	"  -q, --quick           one short round: that it runs, no verdicts\n"
	"  -c, --csv FILE        the table as CSV, too\n"
	"  -m, --markdown FILE   the machine and the table as Markdown, too\n"
	"  -s, --sweep FILE      no goals: the rate by size, as CSV for a picture\n"
	"  -h, --help\n";

static void usage(const char *why, const char *value)
{
	fprintf(stderr, "goals: %s %s; see goals --help\n", why, value);
	exit(2);
}

static unsigned parse_rounds(const char *text)
{
	char *end;
	unsigned long rounds;

	errno = 0;
	rounds = strtoul(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || rounds < 1 || rounds > MAX_ROUNDS)
		usage("--rounds takes 1 to 31, not", text);
	return (unsigned)rounds;
}

static void check_group(const char *name)
{
	for (size_t i = 0; i < NUM_GROUPS; i++) {
		if (strcmp(GROUPS[i].name, name) == 0)
			return;
	}
	usage("there is no group", name);
}

static void parse(struct options *options, int argc, char **argv)
{
	static const struct option LONG[] = {
		{"group", required_argument, NULL, 'g'},
		{"rounds", required_argument, NULL, 'r'},
		{"quick", no_argument, NULL, 'q'},
		{"csv", required_argument, NULL, 'c'},
		{"markdown", required_argument, NULL, 'm'},
		{"sweep", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "g:r:qc:m:s:h", LONG, NULL)) != -1) {
		if (option == 'g')
			check_group(options->group = optarg);
		else if (option == 'r')
			options->plan.rounds = parse_rounds(optarg);
		else if (option == 'q')
			options->is_quick = true;
		else if (option == 'c')
			options->csv = optarg;
		else if (option == 'm')
			options->markdown = optarg;
		else if (option == 's')
			options->sweep = optarg;
		else if (option == 'h')
			exit(fputs(HELP, stdout) < 0 || fflush(stdout) != 0 ? 2 : 0);
		else
			exit(2);
	}
	if (optind < argc)
		usage("no argument is taken:", argv[optind]);
	if (options->is_quick)
		options->plan = QUICK;
}

static void run_group(const struct group *group, const struct plan *plan, int fd)
{
	struct report report = {.fd = fd, .plan = *plan};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin_thread();
	group->run(&report);
	exit(0);
}

/* A group that ends early has said why; without its rows nothing is proved. */
static void measure_group(const struct group *group, const struct plan *plan, struct table *table)
{
	int fds[2];
	int status;
	pid_t pid;

	fflush(NULL);
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		give_up("cannot start the group %s: %m", group->name);
	if (pid == 0) {
		close(fds[0]);
		run_group(group, plan, fds[1]);
	}
	close(fds[1]);
	while (table->num < MAX_ROWS && read(fds[0], &table->rows[table->num],
					     sizeof(struct row)) == (ssize_t)sizeof(struct row))
		table->num++;
	close(fds[0]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		give_up("the group %s could not be measured", group->name);
}

static void measure_groups(const struct options *options, struct table *table)
{
	bool on_terminal = isatty(STDERR_FILENO);

	for (size_t i = 0; i < NUM_GROUPS; i++) {
		if (options->group != NULL && strcmp(options->group, GROUPS[i].name) != 0)
			continue;
		if (on_terminal)
			fprintf(stderr, "\r\033[Kmeasuring: %s (%zu of %zu)", GROUPS[i].name, i + 1,
				NUM_GROUPS);
		measure_group(&GROUPS[i], &options->plan, table);
	}
	if (on_terminal)
		fputs("\r\033[K", stderr);
}

static void write_file(const char *path, const struct table *table, bool is_markdown)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		give_up("cannot write %s: %m", path);
	if (is_markdown) {
		machine_print(file, "- ");
		fputc('\n', file);
		table_print_markdown(file, table);
	} else {
		table_print_csv(file, table);
	}
	if (fclose(file) != 0)
		give_up("cannot write %s: %m", path);
}

int main(int argc, char **argv)
{
	static struct table table;
	struct options options = {.plan = WHOLE};

	if (argc == 5 && strcmp(argv[1], COMPANION_OPTION) == 0)
		return companion_main(argv + 2);
	parse(&options, argc, argv);
	if (options.sweep != NULL) {
		options.plan.turns = options.plan.turns / 2 + 1; /* a picture needs no more */
		sweep(&options.plan, options.sweep);
		return 0;
	}
	machine_print(stdout, "");
	measure_groups(&options, &table);
	putchar('\n');
	table_print(stdout, &table, !options.is_quick);
	if (options.csv != NULL)
		write_file(options.csv, &table, false);
	if (options.markdown != NULL)
		write_file(options.markdown, &table, true);
	if (fflush(stdout) != 0)
		give_up("cannot write the table: %m");
	return options.is_quick || table_holds(&table) ? 0 : 1;
}
