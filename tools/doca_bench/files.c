/* SPDX-License-Identifier: Apache-2.0 */
/* Results in files: each is an object of JSON, and a row of CSV has the same members. */
#include "report.h"

#include <errno.h>
#include <fnmatch.h>
#include <json-c/json.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doca_version.h>

static void add_text(struct json_object *row, const char *name, const char *text)
{
	json_object_object_add(row, name, json_object_new_string(text == NULL ? "" : text));
}

static void add_count(struct json_object *row, const char *name, double count)
{
	json_object_object_add(row, name, json_object_new_int64((int64_t)(count + 0.5)));
}

static void add_number(struct json_object *row, const char *name, double number)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%.9g", number);
	json_object_object_add(row, name, json_object_new_double_s(number, text));
}

static void add_setting(struct json_object *row, const struct bench *bench,
			const struct result *result)
{
	add_text(row, "mode", options_mode(bench->options));
	add_text(row, "direction", options_direction(bench->options));
	add_text(row, "wait", bench->options->is_by_event ? "event" : "poll");
	add_text(row, "cpu", bench->cpu);
	add_text(row, "device", bench->limits.pci_addr);
	add_text(row, "engine", bench->engine);
	add_text(row, "kernel", report_kernel(bench, result, 1));
	add_text(row, "way", bench->way);
	add_text(row, "settings", bench->settings);
	add_count(row, "job_size", (double)result->point.size_bytes);
	add_count(row, "pieces", (double)result->point.pieces);
	add_count(row, "depth", (double)result->depth);
	add_count(row, "batch", (double)result->batch);
	add_count(row, "window", (double)(result->num_jobs * result->stride));
	add_count(row, "job_count", (double)result->num_jobs);
	add_count(row, "cores", (double)result->point.num_cores);
	add_count(row, "threads", (double)result->num_threads);
}

static struct json_object *row_of(const struct bench *bench, const struct result *result)
{
	static const char *const quantiles[] = {"min", "median", "90", "99", "99.9", "max"};
	static const char *const names[NUM_WHO] = {"ns_%s", "memcpy_ns_%s"};
	struct json_object *row = json_object_new_object();
	const double *tasks = result->speed[BY_TASKS];
	char name[32];

	add_setting(row, bench, result);
	add_count(row, "rounds", (double)result->num_rounds);
	add_count(row, "jobs_done", (double)result->jobs_done);
	add_number(row, "seconds", result->seconds);
	add_count(row, "cut_short", result->is_cut_short);
	add_count(row, "bytes_per_second", tasks[FIGURE_MEDIAN]);
	add_count(row, "bytes_per_second_min", tasks[FIGURE_MIN]);
	add_count(row, "bytes_per_second_max", tasks[FIGURE_MAX]);
	add_count(row, "jobs_per_second", jobs_a_second(result));
	add_count(row, "memcpy_bytes_per_second", result->speed[BY_MEMCPY][FIGURE_MEDIAN]);
	add_number(row, "ratio", result->ratio[FIGURE_MEDIAN]);
	if (!has_latency(bench->options)) {
		add_number(row, "ratio_min", result->ratio[FIGURE_MIN]);
		add_number(row, "ratio_max", result->ratio[FIGURE_MAX]);
		return row;
	}
	for (int i = 0; i < NUM_WHO * NUM_QUANTILES; i++) {
		(void)snprintf(name, sizeof(name), names[i / NUM_QUANTILES],
			       quantiles[i % NUM_QUANTILES]);
		add_count(row, name, result->ns[i / NUM_QUANTILES][i % NUM_QUANTILES]);
	}
	return row;
}

/* Cuts the next pattern of a list off; false behind the last. */
static bool next_pattern(const char **patterns, char pattern[64])
{
	size_t len;

	if (*patterns == NULL)
		return false;
	len = strcspn(*patterns, ",");
	(void)snprintf(pattern, 64, "%.*s", (int)len, *patterns);
	*patterns = (*patterns)[len] == ',' ? *patterns + len + 1 : NULL;
	return true;
}

/* Whether one of the patterns, with commas between, is that name's. */
static bool is_wanted(const char *patterns, const char *name)
{
	bool is_found = patterns == NULL;
	char pattern[64];

	while (!is_found && next_pattern(&patterns, pattern))
		is_found = fnmatch(pattern, name, 0) == 0;
	return is_found;
}

static void write_value(FILE *file, struct json_object *value)
{
	const char *text = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string)) {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text != '\0'; text++)
		fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', file);
}

static void write_row(const struct bench *bench, const struct result *result, bool is_head,
		      FILE *file)
{
	struct json_object *row = row_of(bench, result);
	const char *comma = "";

	json_object_object_foreach(row, name, value)
	{
		if (!is_wanted(bench->options->csv_stats, name))
			continue;
		fputs(comma, file);
		comma = ",";
		if (is_head)
			fputs(name, file);
		else
			write_value(file, value);
	}
	fputc('\n', file);
	json_object_put(row);
}

bool report_close(FILE *file, const char *name)
{
	bool is_written = file != NULL && !ferror(file);

	if (file != NULL && fclose(file) != 0)
		is_written = false;
	if (!is_written)
		say("cannot write %s: %m", name);
	return is_written;
}

bool report_csv(const struct bench *bench, const struct result *results, size_t num)
{
	const struct options *options = bench->options;
	FILE *file = fopen(options->csv_file, options->is_csv_appended ? "ae" : "we");

	/* A pipe has no end to seek, and nothing before it. */
	if (file != NULL && (fseek(file, 0, SEEK_END) != 0 || ftell(file) <= 0))
		write_row(bench, &results[0], true, file);
	for (size_t i = 0; i < num && file != NULL; i++)
		write_row(bench, &results[i], false, file);
	return report_close(file, options->csv_file);
}

bool report_json(const struct bench *bench, const struct result *results, size_t num)
{
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	FILE *file = fopen(bench->options->json_file, "we");

	add_text(top, "doca_bench", DOCA_VERSION_STRING);
	json_object_object_add(top, "results", list);
	for (size_t i = 0; i < num; i++)
		json_object_array_add(list, row_of(bench, &results[i]));
	if (file != NULL)
		fprintf(file, "%s\n", json_object_to_json_string_ext(top, JSON_C_TO_STRING_PRETTY));
	json_object_put(top);
	return report_close(file, bench->options->json_file);
}

/* The head of a CSV file with those columns; NULL: all. To be freed. */
static char *head_of(const struct bench *bench, const char *patterns)
{
	const struct result nothing = {.point = {.size_bytes = 1, .pieces = 1}};
	struct options options = *bench->options;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	if (file == NULL)
		return NULL;
	options.csv_stats = patterns;
	write_row(&(struct bench){.options = &options, .kernel = ""}, &nothing, true, file);
	fclose(file);
	return text;
}

/* Each pattern is a column's at least. */
static int check_stats(const struct bench *bench)
{
	const char *patterns = bench->options->csv_stats;
	char *all = head_of(bench, NULL);
	char pattern[64];
	int code = 0;

	while (code == 0 && all != NULL && next_pattern(&patterns, pattern)) {
		char *head = head_of(bench, pattern);

		if (head != NULL && head[0] == '\n')
			code = refuse("--csv-stats: '%s' is no column; they are %.*s", pattern,
				      (int)strcspn(all, "\n"), all);
		free(head);
	}
	free(all);
	return code;
}

/* What is appended to has the same columns. */
static int check_head(const struct bench *bench)
{
	const struct options *options = bench->options;
	struct stat info;
	FILE *file;
	char *wanted;
	char *head = NULL;
	size_t len = 0;
	int code = 0;

	/* From a terminal or a pipe there would be nothing to read. */
	if (!options->is_csv_appended || options->csv_file == NULL ||
	    stat(options->csv_file, &info) != 0 || !S_ISREG(info.st_mode))
		return 0;
	file = fopen(options->csv_file, "re");
	wanted = file == NULL ? NULL : head_of(bench, options->csv_stats);
	if (wanted != NULL && getline(&head, &len, file) > 0 && strcmp(head, wanted) != 0)
		code = refuse("--csv-append-mode: %s has other columns than this run; name another "
			      "file",
			      options->csv_file);
	free(head);
	free(wanted);
	if (file != NULL)
		fclose(file);
	return code;
}

/* What would keep it from being written is told while nothing is lost yet. */
static int check_file(const char *option, const char *name)
{
	char folder[PATH_MAX];
	struct stat info;
	bool is_there = stat(name, &info) == 0;

	if (strcmp(name, "-") == 0)
		return refuse("--%s is '-'; standard output has the table, name a file", option);
	(void)snprintf(folder, sizeof(folder), "%s", name);
	errno = is_there && S_ISDIR(info.st_mode) ? EISDIR : 0;
	if (errno == 0 &&
	    (is_there ? access(name, W_OK) : access(dirname(folder), W_OK | X_OK)) == 0)
		return 0;
	say("cannot write %s: %m", name);
	return EXIT_FAILURE;
}

int report_check(const struct bench *bench)
{
	const char *const options[] = {"csv-output-file", "json-output-file", "plot"};
	const char *const names[] = {bench->options->csv_file, bench->options->json_file,
				     bench->options->plot_file};
	int code = check_stats(bench);

	for (int i = 0; i < 3 && code == 0; i++) {
		if (names[i] == NULL)
			continue;
		code = check_file(options[i], names[i]);
		for (int k = 0; k < i && code == 0; k++)
			if (names[k] != NULL && strcmp(names[i], names[k]) == 0)
				code = refuse("--%s and --%s are one file, %s", options[k],
					      options[i], names[i]);
	}
	if (code == 0)
		code = check_head(bench);
	if (code == 0 && names[2] != NULL && !plot_has_gnuplot(bench))
		code = EXIT_FAILURE;
	return code;
}
