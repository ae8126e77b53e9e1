/* SPDX-License-Identifier: Apache-2.0 */
/* Results in files: each is a row of the same fields, in CSV as in JSON. */
#include "report.h"

#include <errno.h>
#include <fnmatch.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

#define MAX_FIELDS 64

/* A text, or a number: whole, if it has no digits behind its point. */
struct field {
	const char *name;
	const char *text;
	double number;
	int digits;
};

static void add(struct field **at, const char *name, double number, int digits)
{
	*(*at)++ = (struct field){.name = name, .number = number, .digits = digits};
}

static void add_text(struct field **at, const char *name, const char *text)
{
	*(*at)++ = (struct field){.name = name, .text = text};
}

static void add_setting(struct field **at, const struct bench *bench, const struct result *result)
{
	static const char *const modes[] = {"throughput", "bulk-latency", "precision-latency",
					    "max-bandwidth"};

	add_text(at, "mode", modes[bench->options->mode]);
	add_text(at, "direction", direction_of(bench->options));
	add_text(at, "wait", bench->options->is_by_event ? "event" : "poll");
	add_text(at, "cpu", bench->cpu);
	add_text(at, "device", bench->limits.pci_addr);
	add_text(at, "engine", bench->engine);
	add_text(at, "kernel", bench->kernel);
	add_text(at, "way", bench->way);
	add_text(at, "settings", bench->settings);
	add(at, "job_size", (double)result->point.size_bytes, 0);
	add(at, "pieces", (double)result->point.pieces, 0);
	add(at, "depth", (double)result->depth, 0);
	add(at, "batch", (double)result->batch, 0);
	add(at, "window", (double)(result->num_jobs * result->stride), 0);
	add(at, "job_count", (double)result->num_jobs, 0);
	add(at, "cores", (double)result->point.num_cores, 0);
	add(at, "threads", (double)result->num_threads, 0);
}

static void add_latency(struct field **at, const char *const names[6], const struct latency *ns)
{
	const double values[] = {ns->min, ns->p50, ns->p90, ns->p99, ns->p999, ns->max};

	for (int i = 0; i < 6; i++)
		add(at, names[i], values[i], 1);
}

static size_t fields_of(const struct bench *bench, const struct result *result,
			struct field fields[MAX_FIELDS])
{
	static const char *const dma[] = {"ns_min", "ns_median", "ns_90",
					  "ns_99",  "ns_99.9",	 "ns_max"};
	static const char *const copy[] = {"memcpy_ns_min", "memcpy_ns_median", "memcpy_ns_90",
					   "memcpy_ns_99",  "memcpy_ns_99.9",	"memcpy_ns_max"};
	struct field *at = fields;

	add_setting(&at, bench, result);
	add(&at, "rounds", (double)result->num_rounds, 0);
	add(&at, "jobs_done", (double)result->jobs_done, 0);
	add(&at, "seconds", result->seconds, 6);
	add(&at, "cut_short", result->is_cut_short, 0);
	add(&at, "bytes_per_second", result->dma.median, 0);
	add(&at, "bytes_per_second_min", result->dma.min, 0);
	add(&at, "bytes_per_second_max", result->dma.max, 0);
	add(&at, "jobs_per_second", jobs_a_second(result), 0);
	add(&at, "memcpy_bytes_per_second", result->copy.median, 0);
	add(&at, "ratio", result->ratio.median, 4);
	add(&at, "ratio_min", result->ratio.min, 4);
	add(&at, "ratio_max", result->ratio.max, 4);
	if (has_latency(bench->options)) {
		add_latency(&at, dma, &result->dma_ns);
		add_latency(&at, copy, &result->copy_ns);
	}
	return (size_t)(at - fields);
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

static void write_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++)
		fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', file);
}

static void write_row(const struct bench *bench, const struct result *result, bool is_head,
		      FILE *file)
{
	struct field fields[MAX_FIELDS];
	size_t num = fields_of(bench, result, fields);
	const char *comma = "";

	for (size_t i = 0; i < num; i++) {
		if (!is_wanted(bench->options->csv_stats, fields[i].name))
			continue;
		fputs(comma, file);
		comma = ",";
		if (is_head)
			fputs(fields[i].name, file);
		else if (fields[i].text != NULL)
			write_text(file, fields[i].text);
		else
			fprintf(file, "%.*f", fields[i].digits, fields[i].number);
	}
	fputc('\n', file);
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

static struct json_object *json_of(const struct field *field)
{
	if (field->text != NULL)
		return json_object_new_string(field->text);
	if (field->digits == 0)
		return json_object_new_int64((int64_t)(field->number + 0.5));
	return json_object_new_double(field->number);
}

bool report_json(const struct bench *bench, const struct result *results, size_t num)
{
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const char *name = bench->options->json_file;
	FILE *file = fopen(name, "we");

	json_object_object_add(top, "doca_bench", json_object_new_string(DOCA_VERSION_STRING));
	json_object_object_add(top, "results", list);
	for (size_t i = 0; i < num; i++) {
		struct field fields[MAX_FIELDS];
		size_t num_fields = fields_of(bench, &results[i], fields);
		struct json_object *object = json_object_new_object();

		for (size_t k = 0; k < num_fields; k++)
			json_object_object_add(object, fields[k].name, json_of(&fields[k]));
		json_object_array_add(list, object);
	}
	if (file != NULL)
		fprintf(file, "%s\n", json_object_to_json_string_ext(top, JSON_C_TO_STRING_PRETTY));
	json_object_put(top);
	return close_file(file, name);
}
