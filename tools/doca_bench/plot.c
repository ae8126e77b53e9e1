/* SPDX-License-Identifier: Apache-2.0 */
/* A picture by gnuplot: bandwidth and rate by job size, a curve for each window, memcpy beside it.
 */
#include "report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one curve are those that differ in nothing but the job's size. */
static bool is_same_curve(const struct result *a, const struct result *b)
{
	struct point left = a->point;
	struct point right = b->point;

	left.size_bytes = right.size_bytes = 0;
	return memcmp(&left, &right, sizeof(left)) == 0;
}

static bool begins_curve(const struct result *results, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_same_curve(&results[i], &results[at]))
			return false;
	return true;
}

static void write_data(const struct result *results, size_t num, size_t curve, FILE *script)
{
	fprintf(script, "$c%zu << EOD\n", curve);
	for (size_t i = curve; i < num; i++) {
		double size = (double)results[i].point.size_bytes;
		double dma = results[i].speed[BY_TASKS][FIGURE_MEDIAN];
		double copy = results[i].speed[BY_MEMCPY][FIGURE_MEDIAN];

		if (is_same_curve(&results[i], &results[curve]))
			fprintf(script, "%.0f %f %f %f %f\n", size, dma / 1e9, copy / 1e9,
				dma / size / 1e6, copy / size / 1e6);
	}
	fputs("EOD\n", script);
}

/* What tells it from the others: the window, and what else was swept. */
static void write_title(const struct bench *bench, const struct result *result, FILE *script)
{
	if (result->point.window_bytes != 0)
		fprintf(script, "window %s", text_of_bytes(result->point.window_bytes));
	else
		fprintf(script, "%llu jobs in turn", (unsigned long long)result->num_jobs);
	for (uint64_t i = 0; i < bench->options->num_sweeps; i++) {
		const struct sweep *sweep = &bench->options->sweeps[i];
		size_t offset = sweep->offset - offsetof(struct options, point);

		if (offset != offsetof(struct point, size_bytes) &&
		    offset != offsetof(struct point, window_bytes))
			fprintf(script, ", %s %llu", sweep->name,
				*(const unsigned long long *)((const char *)&result->point +
							      offset));
	}
}

static void write_curves(const struct bench *bench, const struct result *results, size_t num,
			 int column, FILE *script)
{
	const char *comma = "plot ";
	int colour = 1;

	for (size_t i = 0; i < num; i++) {
		if (!begins_curve(results, i))
			continue;
		fprintf(script,
			"%s$c%zu using 1:%d with linespoints lt %d pt 7 ps 0.5 title 'DMA, ", comma,
			i, column, colour);
		write_title(bench, &results[i], script);
		fprintf(script, "', $c%zu using 1:%d with lines lt %d dt 3 title 'memcpy'", i,
			column + 1, colour++);
		comma = ", ";
	}
	fputs("\n", script);
}

static void write_text(const char *text, FILE *script)
{
	fputc('\'', script);
	for (; *text != '\0'; text++)
		fprintf(script, *text == '\'' ? "''" : "%c", *text);
	fputs("'\n", script);
}

static void write_script(const struct bench *bench, const struct result *results, size_t num,
			 FILE *script)
{
	char title[512];

	(void)snprintf(title, sizeof(title), "%s, %s: engine %s, kernel %s, way %s; %s", bench->cpu,
		       options_direction(bench->options), bench->engine,
		       report_kernel(bench, results, num), bench->way, bench->settings);
	for (size_t i = 0; i < num; i++)
		if (begins_curve(results, i))
			write_data(results, num, i, script);
	fputs("set terminal svg size 900,900 dynamic background rgb 'white' font ',13' noenhanced\n"
	      "set output ",
	      script);
	write_text(bench->options->plot_file, script);
	fputs("set multiplot layout 2,1 title ", script);
	write_text(title, script);
	fputs("set grid\nset logscale x 2\nset format x '%.0b%BB'\nset key outside below\n"
	      "set offsets graph 0.03, graph 0.03, 0, 0\n"
	      "set ylabel 'GB/s, by job size'\nset yrange [0:*]\n",
	      script);
	write_curves(bench, results, num, 2, script);
	fputs("set ylabel 'million jobs a second, by job size'\nset logscale y\nset yrange [*:*]\n",
	      script);
	write_curves(bench, results, num, 4, script);
	fputs("unset multiplot\nunset output\n", script);
}

bool plot_has_gnuplot(const struct bench *bench)
{
	FILE *found = popen("command -v gnuplot >/dev/null", "we");

	if (found != NULL && pclose(found) == 0)
		return true;
	say("%s cannot be written: there is no gnuplot; Debian has it in gnuplot-nox",
	    bench->options->plot_file);
	return false;
}

bool report_plot(const struct bench *bench, const struct result *results, size_t num)
{
	FILE *script;
	int status;

	/* It may end before it has read all; its exit code tells. */
	signal(SIGPIPE, SIG_IGN);
	script = popen("exec gnuplot -", "we");
	if (script == NULL) {
		say("cannot run gnuplot: %m");
		return false;
	}
	write_script(bench, results, num, script);
	status = pclose(script);
	if (status != 0)
		say("%s is not whole: gnuplot failed", bench->options->plot_file);
	return status == 0;
}
