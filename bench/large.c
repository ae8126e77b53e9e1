/* SPDX-License-Identifier: Apache-2.0 */
/* Large copies: of one pair that stays in the caches, and over more memory than they hold. */
#include "copier.h"
#include "groups.h"
#include "loops.h"

#define MIB ((size_t)1 << 20)

/* Of all others the one with the best median. */
static const struct way *find_best(const struct plan *plan, const struct way *ways, size_t num)
{
	const struct way *best = &ways[0];

	for (size_t i = 1; i < num; i++) {
		if (median_ns(plan, &ways[i]) < median_ns(plan, best))
			best = &ways[i];
	}
	return best;
}

static void measure_cached(const struct report *report, size_t len)
{
	struct field field = field_open(len);
	struct work work = work_make(field.target.bytes, field.source.bytes, len, len, 1);
	struct way ways[MAX_WAYS];
	size_t num = 1 + loops_of(&work, &ways[1], MAX_WAYS - 1);
	struct copier copier;
	char metric[64];

	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){.pieces = 1});
	ways[0] =
		(struct way){.name = "tasks", .run = copier_run, .context = &copier, .work = &work};
	measure(&report->plan, ways, num);
	snprintf(metric, sizeof(metric), "%zu MiB, one pair, to the best way", len / MIB);
	report_ratio(report, metric, 0.96, 0.98, &ways[0],
		     find_best(&report->plan, &ways[1], num - 1), 1);
	snprintf(metric, sizeof(metric), "%zu MiB, one pair, to memcpy", len / MIB);
	report_ratio(report, metric, 0, 0, &ways[0], &ways[1], 1);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

static void measure_cycling(const struct report *report, size_t len)
{
	size_t window = report->plan.window;
	struct field field = field_open(window);
	struct work work =
		work_make(field.target.bytes, field.source.bytes, len, len, window / len);
	struct copier copier;
	struct way ways[] = {
		{.name = "tasks", .run = copier_run, .context = &copier, .work = &work},
		{.name = "memcpy", .run = run_memcpy, .context = &work, .work = &work},
	};
	char metric[64];

	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){.pieces = 1});
	measure(&report->plan, ways, 2);
	snprintf(metric, sizeof(metric), "%zu MiB, cycling over %zu MiB", len / MIB, window / MIB);
	report_ratio(report, metric, 1.3, 1.5, &ways[0], &ways[1], work.num);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

void group_cached(const struct report *report)
{
	measure_cached(report, 1 * MIB);
	measure_cached(report, 2 * MIB);
}

void group_cycling(const struct report *report)
{
	measure_cycling(report, 1 * MIB);
	measure_cycling(report, 2 * MIB);
}
