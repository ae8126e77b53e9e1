/* SPDX-License-Identifier: Apache-2.0 */
/* A picture by gnuplot: of a sweep, a curve for each value of the other sweep, memcpy beside it. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <doca_version.h>

#define NUM_PANELS 2

struct plot {
	const struct bench *bench;
	const struct result *results;
	size_t num;
	const struct sweep *x;
	const struct sweep *other; /* a curve for each of its values; NULL: one curve */
};

/* Job sizes are the best of axes; else what changes fastest. */
static struct plot plot_of(const struct bench *bench, const struct result *results, size_t num)
{
	const struct sweep *sweeps = bench->options->sweeps;
	uint64_t last = bench->options->num_sweeps - 1;
	uint64_t x = sweeps[0].offset == offsetof(struct options, point.size_bytes) ? 0 : last;

	return (struct plot){bench, results, num, &sweeps[x], last == 0 ? NULL : &sweeps[last - x]};
}

static uint64_t value_of(const struct result *result, const struct sweep *sweep)
{
	return sweep == NULL
		       ? 0
		       : *(const uint64_t *)((const char *)&result->point +
					     (sweep->offset - offsetof(struct options, point)));
}

static bool is_bytes(const struct sweep *sweep)
{
	return strstr(sweep->name, "size") != NULL || strcmp(sweep->name, "window") == 0;
}

static double figure_of(const struct plot *plot, size_t at, enum who who, int panel)
{
	const struct result *result = &plot->results[at];
	const double speed = result->speed[who][FIGURE_MEDIAN];

	if (has_latency(plot->bench->options))
		return result->ns[who][panel == 0 ? QUANTILE_MEDIAN : QUANTILE_99];
	return panel == 0 ? speed / 1e9 : speed / (double)result->point.size_bytes / 1e6;
}

static bool begins_curve(const struct plot *plot, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (value_of(&plot->results[i], plot->other) ==
		    value_of(&plot->results[at], plot->other))
			return false;
	return true;
}

/* What a value of the option is called, with the bytes in the units of the table. */
static void write_value(const struct sweep *sweep, uint64_t value, FILE *script)
{
	if (is_bytes(sweep))
		fputs(text_of_bytes(value), script);
	else
		fprintf(script, "%llu", (unsigned long long)value);
}

/* Values, then their marks on the axis, then figures. */
static void write_data(const struct plot *plot, size_t curve, FILE *script)
{
	uint64_t x;

	fprintf(script, "$c%zu << EOD\n", curve);
	for (size_t i = curve; i < plot->num; i++) {
		if (value_of(&plot->results[i], plot->other) !=
		    value_of(&plot->results[curve], plot->other))
			continue;
		x = value_of(&plot->results[i], plot->x);
		fprintf(script, "%llu \"", (unsigned long long)x);
		write_value(plot->x, x, script);
		fputs("\"", script);
		for (int column = 0; column < NUM_PANELS * NUM_WHO; column++)
			fprintf(script, " %g",
				figure_of(plot, i, column % NUM_WHO, column / NUM_WHO));
		fputs("\n", script);
	}
	fputs("EOD\n", script);
}

static void write_curves(const struct plot *plot, int panel, FILE *script)
{
	static const char *const styles[NUM_WHO] = {"linespoints lt %d pt 7 ps 0.5 title 'DMA",
						    "lines lt %d dt 3 title 'memcpy"};
	const char *comma = "plot ";
	int colour = 0;

	for (size_t i = 0; i < plot->num; i++) {
		uint64_t value = value_of(&plot->results[i], plot->other);

		colour += begins_curve(plot, i);
		for (int who = 0; who < NUM_WHO && begins_curve(plot, i); who++, comma = ", ") {
			fprintf(script, "%s$c%zu using 1:%d:xtic(2) with ", comma, i,
				3 + panel * NUM_WHO + who);
			fprintf(script, styles[who], colour);
			if (plot->other != NULL) {
				fprintf(script, ", %s ", plot->other->name);
				write_value(plot->other, value, script);
			}
			fputs("'", script);
		}
	}
	fputs("\n", script);
}

static void write_text(const char *text, FILE *script)
{
	fputc('\'', script);
	for (; *text != '\0'; text++)
		fprintf(script, *text == '\'' ? "''" : *text == '\n' ? "'.\"\\n\".'" : "%c", *text);
	fputs("'\n", script);
}

/* A little more than there is: gnuplot complains of a range of one value. */
static void write_panel(const struct plot *plot, int panel, FILE *script)
{
	static const char *const labels[][NUM_PANELS] = {{"GB/s", "million jobs a second"},
							 {"median, ns", "99 %, ns"}};
	bool has_zero = panel == 0 && !has_latency(plot->bench->options);
	double least = figure_of(plot, 0, BY_TASKS, panel);
	double most = least;

	for (size_t i = 0; i < plot->num * NUM_WHO; i++) {
		double figure = figure_of(plot, i / NUM_WHO, i % NUM_WHO, panel);

		least = figure < least ? figure : least;
		most = figure > most ? figure : most;
	}
	has_zero |= most < least * 20; /* few of the marks of a logarithm would be in sight */
	fprintf(script, "set ylabel '%s'\nset yrange [%g:%g]\n%sset logscale y\n",
		labels[has_latency(plot->bench->options)][panel], has_zero ? 0 : least / 1.3,
		most * (has_zero ? 1.05 : 1.3), has_zero ? "un" : "");
	write_curves(plot, panel, script);
}

static void write_title(const struct plot *plot, FILE *script)
{
	const struct bench *bench = plot->bench;
	const struct options *options = bench->options;
	const struct result *first = &plot->results[0];
	time_t now = time(NULL);
	struct tm day;
	char date[16];
	char *title = NULL;

	(void)strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &day));
	if (asprintf(&title,
		     "doca_bench " DOCA_VERSION_STRING " of softdoca: %s, %s, by %s; %s\n"
		     "depth %llu, threads %llu, window %s, unless swept\n"
		     "%s: engine %s, kernel %s, way %s; %s",
		     options_mode(options), options_direction(options),
		     options->is_by_event ? "event" : "polling", date,
		     (unsigned long long)first->depth, (unsigned long long)first->num_threads,
		     text_of_bytes(first->num_jobs * first->stride), bench->cpu, bench->engine,
		     report_kernel(bench, plot->results, plot->num), bench->way,
		     bench->settings) < 0)
		return;
	fputs("set multiplot layout 2,1 title ", script);
	write_text(title, script);
	free(title);
}

static void write_script(const struct plot *plot, FILE *script)
{
	const bool is_log = is_bytes(plot->x) || plot->x->is_factor;
	const double first = (double)plot->x->start;
	double last = first;

	for (size_t i = 0; i < plot->num; i++) {
		if ((double)value_of(&plot->results[i], plot->x) > last)
			last = (double)value_of(&plot->results[i], plot->x);
		if (begins_curve(plot, i))
			write_data(plot, i, script);
	}
	fputs("set terminal svg size 900,1000 dynamic background rgb 'white' font ',13' "
	      "noenhanced\n",
	      script);
	write_title(plot, script);
	fprintf(script,
		"set grid\nset xtics rotate by 30 right\n%sset key outside below\nset xlabel "
		"'%s'\nset xrange [%g:%g]\n",
		is_log ? "set logscale x 2\n" : "", plot->x->name, is_log ? first / 1.2 : first - 1,
		is_log ? last * 1.2 : last + 1);
	for (int panel = 0; panel < NUM_PANELS; panel++)
		write_panel(plot, panel, script);
	fputs("unset multiplot\n", script);
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

/* What gnuplot makes of the script; to be freed. NULL, and a line said, when it fails. */
static char *run_gnuplot(FILE *script, ssize_t *len)
{
	char command[64];
	char *svg = NULL;
	size_t room = 0;
	FILE *gnuplot;

	(void)snprintf(command, sizeof(command), "exec gnuplot /proc/%d/fd/%d", getpid(),
		       fileno(script));
	gnuplot = fflush(script) == 0 ? popen(command, "re") : NULL;
	*len = gnuplot == NULL ? 0 : getdelim(&svg, &room, '\0', gnuplot);
	if (gnuplot != NULL && pclose(gnuplot) == 0 && *len > 0)
		return svg;
	say("there is no plot: gnuplot failed");
	free(svg);
	return NULL;
}

/* gnuplot is not told the name of the file, in which anything could be, and writes without a look
 * at what comes of it. */
bool report_plot(const struct bench *bench, const struct result *results, size_t num)
{
	const struct plot plot = plot_of(bench, results, num);
	int fd = memfd_create("plot", MFD_CLOEXEC);
	FILE *script = fd < 0 ? NULL : fdopen(fd, "we");
	char *svg;
	FILE *file;
	ssize_t len;
	bool is_written;

	if (script == NULL) {
		say("cannot write the plot's script: %m");
		return false;
	}
	write_script(&plot, script);
	svg = run_gnuplot(script, &len);
	fclose(script);
	if (svg == NULL)
		return false;
	file = fopen(bench->options->plot_file, "we");
	if (file != NULL)
		fwrite(svg, 1, (size_t)len, file);
	is_written = report_close(file, bench->options->plot_file);
	free(svg);
	return is_written;
}
