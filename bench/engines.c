/* SPDX-License-Identifier: Apache-2.0 */
/* Large copies by either engine, each to memcpy: what a thread of its own brings on this machine.
 */
#include <stdlib.h>

#include "copier.h"
#include "groups.h"

#define MIB ((size_t)1 << 20)

static void measure_engine(const struct report *report, const char *engine, size_t len)
{
	struct field field = field_open(len);
	struct work work = work_make(field.target.bytes, field.source.bytes, len, len, 1);
	struct copier copier;
	struct way ways[] = {
		{.name = "tasks", .run = copier_run, .context = &copier, .work = &work},
		{.name = "memcpy", .run = run_memcpy, .context = &work, .work = &work},
	};
	char metric[64];

	unpin_thread(); /* threads that start here run where they like */
	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){.pieces = 1});
	pin_thread();
	measure(&report->plan, ways, 2);
	snprintf(metric, sizeof(metric), "%zu MiB, %s, to memcpy", len / MIB, engine);
	report_ratio(report, metric, 0, 0, &ways[0], &ways[1], 1);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

/* 16 MiB in one task is more than the default card takes. */
static void measure_sizes(const struct report *report, const char *engine)
{
	struct doca_devinfo **list;
	char metric[64];
	uint32_t num;

	setenv("SOFTDOCA_ENGINE", engine, 1);
	setenv("SOFTDOCA_DEVICE", "unlimited", 1);
	if (doca_devinfo_create_list(&list, &num) != DOCA_SUCCESS) {
		snprintf(metric, sizeof(metric), "2 MiB, %s, to memcpy", engine);
		report_missing(report, metric, "there is no such engine");
		return;
	}
	must(doca_devinfo_destroy_list(list), "release the list of devices");
	measure_engine(report, engine, 2 * MIB);
	measure_engine(report, engine, report->plan.window / 4);
}

void group_inline(const struct report *report)
{
	measure_sizes(report, "inline");
}

void group_workers(const struct report *report)
{
	measure_sizes(report, "workers:1");
}
