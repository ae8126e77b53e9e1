/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks and memcpy from 64 bytes to the window, one pair of buffers and as many as the window has.
 */
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "copier.h"

#define MAX_TASKS 65536 /* of a context: smaller copies do not fill the window */

struct rates {
	double tasks;
	double memcpy;
	double ratio;
};

static struct rates measure_rates(const struct plan *plan, const struct field *field, size_t len,
				  size_t num)
{
	struct work work = work_make(field->target.bytes, field->source.bytes, len, len, num);
	struct copier copier;
	struct way ways[] = {
		{.name = "tasks", .run = copier_run, .context = &copier, .work = &work},
		{.name = "memcpy", .run = run_memcpy, .context = &work, .work = &work},
	};
	double bytes = (double)len * (double)num;

	copier_open(&copier, &field->source, &field->target, &work,
		    (struct copier_options){.pieces = 1});
	measure(plan, ways, 2);
	copier_close(&copier);
	work_free(&work);
	return (struct rates){
		.tasks = bytes / median_ns(plan, &ways[0]),
		.memcpy = bytes / median_ns(plan, &ways[1]),
		.ratio = ratio_of(plan, &ways[0], &ways[1]).median,
	};
}

static void sweep_size(const struct plan *plan, const struct field *field, size_t len, FILE *file)
{
	struct rates rates = measure_rates(plan, field, len, 1);

	fprintf(file, "%zu,%.3f,%.3f,%.3f", len, rates.tasks, rates.memcpy, rates.ratio);
	if (plan->window / len <= MAX_TASKS) {
		rates = measure_rates(plan, field, len, plan->window / len);
		fprintf(file, ",%.3f,%.3f,%.3f\n", rates.tasks, rates.memcpy, rates.ratio);
	} else {
		fputs(",,,\n", file);
	}
}

void sweep(const struct plan *plan, const char *path)
{
	FILE *file = fopen(path, "w");
	struct field field;

	if (file == NULL)
		give_up("cannot write %s: %m", path);
	setenv("SOFTDOCA_DEVICE", "unlimited", 1);
	pin_thread();
	field = field_open(plan->window);
	fputs("bytes,pair_tasks,pair_memcpy,pair_ratio,window_tasks,window_memcpy,window_ratio\n",
	      file);
	for (size_t len = 64; len <= plan->window; len *= 4) {
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\r\033[Kmeasuring: %zu bytes", len);
		sweep_size(plan, &field, len, file);
	}
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	field_close(&field);
	if (fclose(file) != 0)
		give_up("cannot write %s: %m", path);
}
