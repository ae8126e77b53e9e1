/* SPDX-License-Identifier: Apache-2.0 */
/* The table on stdout, with what made it above, and the progress on stderr. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <doca_version.h>
#include <softdoca.h>

#include "ticks.h"

#define SHORT_ROUND_SECONDS 1e-3
#define KERNEL_BYTES 2048 /* of a piece, from which on a kernel copies: docs/engines.md */

extern char **environ;

const char *text_of_bytes(uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	static char texts[4][32];
	static unsigned int next;
	char *text = texts[next++ % 4];
	size_t unit = 0;

	while (unit < 4 && bytes != 0 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	(void)snprintf(text, sizeof(texts[0]), "%llu %s", (unsigned long long)bytes, units[unit]);
	return text;
}

static void learn_cpu(struct bench *bench)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	struct utsname machine;
	char line[256];
	char *name = NULL;

	while (file != NULL && name == NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "model name", 10) == 0)
			name = strchr(line, ':');
	if (name != NULL) {
		name[strcspn(name, "\n")] = '\0';
		(void)snprintf(bench->cpu, sizeof(bench->cpu), "%s", name + 2);
	} else if (uname(&machine) == 0) {
		(void)snprintf(bench->cpu, sizeof(bench->cpu), "%s", machine.machine);
	}
	if (file != NULL)
		fclose(file);
}

/* All that is set, as softdoca reads it. */
static bool learn_settings(struct bench *bench)
{
	size_t len = 0;
	FILE *text = open_memstream(&bench->settings, &len);

	if (text == NULL)
		return false;
	for (char **variable = environ; *variable != NULL; variable++)
		if (strncmp(*variable, "SOFTDOCA_", 9) == 0)
			fprintf(text, "%s%s", ftell(text) > 0 ? " " : "", *variable);
	if (ftell(text) == 0)
		fputs("the defaults", text);
	return fclose(text) == 0;
}

static void learn_clock(struct bench *bench)
{
	double then = now_seconds();
	uint64_t begun = ticks();
	uint64_t least = UINT64_MAX;

	while (now_seconds() - then < 0.01)
		continue;
	bench->ns_per_tick = (now_seconds() - then) * 1e9 / (double)(ticks() - begun);
	for (int i = 0; i < 1000; i++) {
		uint64_t before = ticks();
		uint64_t taken = ticks() - before;

		if (taken < least)
			least = taken;
	}
	bench->clock_ns = (uint64_t)((double)least * bench->ns_per_tick);
}

bool report_learn(struct bench *bench)
{
	const struct doca_mmap *mmap = bench->companion.mmap;

	learn_cpu(bench);
	learn_clock(bench);
	if (!learn_settings(bench) ||
	    !DOCA(softdoca_devinfo_get_engine(doca_dev_as_devinfo(bench->dev), &bench->engine,
					      &bench->kernel)) ||
	    !DOCA(softdoca_mmap_get_way(mmap != NULL ? mmap : bench->source.mmap, &bench->way)))
		return false;
	/* Whatever engine is set, copies with another process are not its own; and what the system
	 * or a server moves, no kernel does. */
	if (mmap != NULL)
		bench->engine = "reach";
	if (mmap != NULL && strcmp(bench->way, "mapped") != 0)
		bench->kernel = "none";
	return true;
}

const char *report_kernel(const struct bench *bench, const struct result *results, size_t num)
{
	static char both[64];
	bool has_short = false;
	bool has_long = false;

	for (size_t i = 0; i < num; i++) {
		uint64_t piece = results[i].point.size_bytes / results[i].point.pieces;
		uint64_t last = piece + results[i].point.size_bytes % results[i].point.pieces;

		has_short |= piece < KERNEL_BYTES;
		has_long |= last >= KERNEL_BYTES;
	}
	if (!has_short || strcmp(bench->kernel, "none") == 0)
		return bench->kernel;
	(void)snprintf(both, sizeof(both), "memmove below 2 KiB, %s", bench->kernel);
	return has_long ? both : "memmove";
}

void report_begin(const struct bench *bench, const struct result *results, size_t num)
{
	const struct options *options = bench->options;

	printf("doca_bench " DOCA_VERSION_STRING " of softdoca: %s of doca_dma, %s, by %s\n"
	       "  CPU       %s\n"
	       "  device    %s, engine %s, kernel %s, way %s\n"
	       "  settings  %s\n"
	       "  memcpy    the same sizes, in turn with the tasks; list: pieces on either side\n"
	       "  ratio     %s\n",
	       options_mode(options), options_direction(options),
	       options->is_by_event ? "event" : "polling", bench->cpu, bench->limits.pci_addr,
	       bench->engine, report_kernel(bench, results, num), bench->way, bench->settings,
	       has_latency(options) ? "memcpy's median latency to DMA's"
				    : "DMA's rate to memcpy's: median [least most] of rounds");
	if (bench->num_left_out > 0)
		printf("  left out  %zu settings, whose window holds no job\n",
		       bench->num_left_out);
	if (has_latency(options))
		printf("  clock     %llu ns a reading, in each latency\n\n"
		       "%9s %4s %5s %9s %4s %6s %6s %6s %6s %6s %6s\n",
		       (unsigned long long)bench->clock_ns, "job size", "list", "depth", "window",
		       "thrd", "min", "median", "90 %", "99 %", "99.9 %", "max");
	else
		printf("\n%9s %4s %5s %9s %4s %6s %6s %6s %6s\n", "job size", "list", "depth",
		       "window", "thrd", "GB/s", "jobs/s", "memcpy", "ratio");
	fflush(stdout);
}

/* Three digits of it, and what it is in: 0.631, 12.8, 3.12M, 637ns. */
static const char *text_of(double value, const char *const *units)
{
	static char texts[8][16];
	static unsigned int next;
	char *text = texts[next++ % 8];

	for (; value >= 999.5 && units[1] != NULL; units++)
		value /= 1000;
	/* Fewer where the zeros before them take the room. */
	(void)snprintf(text, sizeof(texts[0]), "%.*g%s",
		       value < 0.001  ? 1
		       : value < 0.01 ? 2
				      : 3,
		       value, *units);
	return text;
}

static const char *const plain[] = {"", NULL};
static const char *const counts[] = {"", "k", "M", "G", NULL};
static const char *const times[] = {"ns", "us", "ms", "s", NULL};

static void print_latency(const double ns[NUM_QUANTILES])
{
	for (int i = 0; i < NUM_QUANTILES; i++)
		printf(" %6s", text_of(ns[i], times));
	puts("");
}

/* Whether what a thread wakes and fills its queue with is most of what was measured. */
static bool is_short(const struct result *result)
{
	return result->seconds < SHORT_ROUND_SECONDS * (double)result->num_rounds ||
	       result->jobs_done < result->depth * result->num_threads * result->num_rounds;
}

static void print_speed(const struct result *result)
{
	printf(" %6s %6s %6s %6s [%s %s]%s\n",
	       text_of(result->speed[BY_TASKS][FIGURE_MEDIAN] / 1e9, plain),
	       text_of(jobs_a_second(result), counts),
	       text_of(result->speed[BY_MEMCPY][FIGURE_MEDIAN] / 1e9, plain),
	       text_of(result->ratio[FIGURE_MEDIAN], plain),
	       text_of(result->ratio[FIGURE_MIN], plain), text_of(result->ratio[FIGURE_MAX], plain),
	       is_short(result) ? "*" : "");
}

void report_row(const struct bench *bench, const struct result *result)
{
	printf("%9s %4llu %5llu %9s %4llu", text_of_bytes(result->point.size_bytes),
	       (unsigned long long)result->point.pieces, (unsigned long long)result->depth,
	       text_of_bytes(result->num_jobs * result->stride),
	       (unsigned long long)result->num_threads);
	if (has_latency(bench->options)) {
		print_latency(result->ns[BY_TASKS]);
		printf("%25s %-7s%-2s", "memcpy, ratio",
		       text_of(result->ratio[FIGURE_MEDIAN], plain), is_short(result) ? "*" : "");
		print_latency(result->ns[BY_MEMCPY]);
	} else {
		print_speed(result);
	}
	fflush(stdout);
}

void report_end(const struct result *results, size_t num, size_t num_planned)
{
	size_t num_short = 0;

	for (size_t i = 0; i < num; i++)
		num_short += is_short(&results[i]);
	if (num_short > 0)
		printf("* TOO SHORT to compare: rounds of less than %g ms, or of fewer jobs than "
		       "are in\n  flight; raise --run-limit-seconds, -jobs or -bytes, or lower "
		       "--rounds\n",
		       SHORT_ROUND_SECONDS * 1e3);
	if (num < num_planned || (num > 0 && results[num - 1].is_cut_short))
		printf("CUT SHORT by a %s: %zu of %zu settings\n",
		       interrupted() != 0 ? "signal" : "failure", num, num_planned);
	fflush(stdout);
}

void report_progress(const struct bench *bench, const char *text)
{
	static double last;
	bool is_terminal = isatty(STDERR_FILENO) != 0;
	double interval = bench->options->interval_seconds;
	double now = now_seconds();

	if (text == NULL) {
		if (is_terminal)
			fputs("\r\033[K", stderr);
		return;
	}
	if ((!is_terminal && interval == 0) || now - last < interval)
		return;
	last = now;
	fprintf(stderr, is_terminal ? "\r\033[K%s" : "%s\n", text);
	fflush(stderr);
}
