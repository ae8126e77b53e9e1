/* SPDX-License-Identifier: Apache-2.0 */
/* What a bad pair of addresses costs: the worst of many, against the aligned copy of that size. */
#include "copier.h"
#include "groups.h"
#include "kernels.h"

#define ROOM 8192 /* for the offsets */

struct offsets {
	size_t source;
	size_t target;
};

/* The first is the aligned one. */
static const struct offsets PAIRS[] = {
	{0, 0},	 {1, 0},  {0, 1},   {13, 37},  {0, 16},	  {63, 0},
	{0, 63}, {0, 65}, {257, 0}, {0, 2049}, {2049, 0}, {1, 4095},
};
#define NUM_PAIRS (sizeof(PAIRS) / sizeof(*PAIRS))

/* The pair whose median is the lowest. */
static size_t find_worst(const struct plan *plan, const struct way *ways)
{
	size_t worst = 1;

	for (size_t i = 2; i < NUM_PAIRS; i++) {
		if (median_ns(plan, &ways[i]) > median_ns(plan, &ways[worst]))
			worst = i;
	}
	return worst;
}

static void report_worst(const struct report *report, const char *what, size_t len, double firm,
			 double goal, const struct way *ways)
{
	size_t worst = find_worst(&report->plan, ways);
	struct row row = {
		.kind = ROW_RATIO,
		.value = ratio_of(&report->plan, &ways[worst], &ways[0]),
		.firm = firm,
		.goal = goal,
	};

	snprintf(row.metric, sizeof(row.metric), "%zu KiB, worst offsets, %s", len / 1024, what);
	snprintf(row.beside, sizeof(row.beside), "%s at +%zu to +%zu, aligned %s",
		 duration_of(median_ns(&report->plan, &ways[worst])).text, PAIRS[worst].source,
		 PAIRS[worst].target, duration_of(median_ns(&report->plan, &ways[0])).text);
	report_row(report, &row);
}

static void measure_size(const struct report *report, size_t len, double firm, double goal)
{
	struct field field = field_open(len + ROOM);
	struct copier copiers[NUM_PAIRS];
	struct work works[NUM_PAIRS];
	struct way ways[3 * NUM_PAIRS];

	for (size_t i = 0; i < NUM_PAIRS; i++) {
		struct work *work = &works[i];

		*work = work_make(field.target.bytes + PAIRS[i].target,
				  field.source.bytes + PAIRS[i].source, len, len, 1);
		copier_open(&copiers[i], &field.source, &field.target, work,
			    (struct copier_options){.pieces = 1});
		ways[i] = (struct way){"tasks", copier_run, &copiers[i], work, {0}};
		ways[NUM_PAIRS + i] = (struct way){"the loop", run_kernel, work, work, {0}};
		ways[2 * NUM_PAIRS + i] = (struct way){"memcpy", run_memcpy, work, work, {0}};
	}
	measure(&report->plan, ways, 3 * NUM_PAIRS);
	report_worst(report, "tasks", len, firm, goal, ways);
	report_worst(report, "the loop alone", len, 0, 0, ways + NUM_PAIRS);
	report_worst(report, "memcpy", len, 0, 0, ways + 2 * NUM_PAIRS);
	for (size_t i = 0; i < NUM_PAIRS; i++) {
		copier_close(&copiers[i]);
		work_free(&works[i]);
	}
	field_close(&field);
}

void group_offsets(const struct report *report)
{
	kernels_choose();
	measure_size(report, 4096, 0.68, 0.85);
	measure_size(report, 16384, 0.68, 0.85);
	measure_size(report, 65536, 0.85, 0.95);
	measure_size(report, 262144, 0.85, 0.95);
}
