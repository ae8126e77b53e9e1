/* SPDX-License-Identifier: Apache-2.0 */
/* Results in files: each is an object of JSON, and a row of CSV has the same members. */
#include "report.h"

#include <fnmatch.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include <doca_version.h>

static void add_text(struct json_object *row, const char *name, const char *text)
{
	json_object_object_add(row, name, json_object_new_string(text));
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

/* Whether one of the patterns, with commas between, is that name's. */
static bool is_wanted(const char *patterns, const char *name)
{
	bool is_found = patterns == NULL;

	while (!is_found && patterns != NULL) {
		char pattern[64];
		size_t len = strcspn(patterns, ",");

		(void)snprintf(pattern, sizeof(pattern), "%.*s", (int)len, patterns);
		is_found = fnmatch(pattern, name, 0) == 0;
		patterns = patterns[len] == ',' ? patterns + len + 1 : NULL;
	}
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

static bool close_file(FILE *file, const char *name)
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

	if (file != NULL && fseek(file, 0, SEEK_END) == 0 && ftell(file) <= 0)
		write_row(bench, &results[0], true, file);
	for (size_t i = 0; i < num && file != NULL; i++)
		write_row(bench, &results[i], false, file);
	return close_file(file, options->csv_file);
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
	return close_file(file, bench->options->json_file);
}
