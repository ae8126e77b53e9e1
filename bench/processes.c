/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of another process: mapped here, against the local task; and by system calls. */
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "companion.h"
#include "copier.h"
#include "groups.h"

#define MIB ((size_t)1 << 20)
#define PIECES 64
#define PIECE 4096

/* Tasks of the same size and number from either memory take turns. */
static void measure_mapped(const struct report *report, const struct field *field,
			   const struct companion *companion, size_t len, size_t num)
{
	const uint8_t *twin = companion->area.bytes;
	struct work works[] = {work_make(field->target.bytes, twin, len, len, num),
			       work_make(field->target.bytes, field->source.bytes, len, len, num)};
	struct copier copiers[2];
	struct way ways[] = {
		{.name = "mapped", .run = copier_run, .context = &copiers[0], .work = &works[0]},
		{.name = "local", .run = copier_run, .context = &copiers[1], .work = &works[1]},
	};
	char metric[64];

	copier_open(&copiers[0], &companion->area, &field->target, &works[0],
		    (struct copier_options){.pieces = 1});
	copier_open(&copiers[1], &field->source, &field->target, &works[1],
		    (struct copier_options){.pieces = 1});
	measure(&report->plan, ways, 2);
	snprintf(metric, sizeof(metric), "mapped, %zu KiB x %zu, to local", len / 1024, num);
	report_ratio(report, metric, 0.90, 0.97, &ways[0], &ways[1], num);
	for (size_t i = 0; i < 2; i++) {
		copier_close(&copiers[i]);
		work_free(&works[i]);
	}
}

/* 64 MiB in one task is more than the default card takes. */
void group_mapped(const struct report *report)
{
	struct companion companion;
	struct field field;

	setenv("SOFTDOCA_REACH", "mapped", 1);
	setenv("SOFTDOCA_DEVICE", "unlimited", 1);
	field = field_open(report->plan.window);
	companion_start(&companion, field.dev, report->plan.window, true,
			random_memory(report->plan.window, 3));
	measure_mapped(report, &field, &companion, 4096, 32);
	measure_mapped(report, &field, &companion, 65536, 32);
	measure_mapped(report, &field, &companion, 1 * MIB, 1);
	measure_mapped(report, &field, &companion, 2 * MIB, 1);
	measure_mapped(report, &field, &companion, report->plan.window, 1);
	companion_end(&companion);
	field_close(&field);
}

/* What a program would write: a call a piece. */
struct calls {
	const struct companion *companion;
	const struct work *work;
};

static void run_calls(void *context, size_t times)
{
	const struct calls *calls = context;
	const struct area *area = &calls->companion->area;

	for (; times > 0; times--) {
		for (size_t i = 0; i < calls->work->num; i++) {
			const struct copy *copy = &calls->work->copies[i];
			struct iovec here = {copy->to, copy->len};
			struct iovec there = {area->addr + (copy->from - area->bytes), copy->len};

			if (process_vm_readv(calls->companion->pid, &here, 1, &there, 1, 0) !=
			    (ssize_t)copy->len)
				give_up("process_vm_readv: %m");
		}
	}
}

/* The least that the kernel does it in. */
static void run_one_call(void *context, size_t times)
{
	const struct calls *calls = context;
	const struct area *area = &calls->companion->area;
	struct iovec here[PIECES];
	struct iovec there[PIECES];

	for (size_t i = 0; i < PIECES; i++) {
		const struct copy *copy = &calls->work->copies[i];

		here[i] = (struct iovec){copy->to, copy->len};
		there[i] = (struct iovec){area->addr + (copy->from - area->bytes), copy->len};
	}
	for (; times > 0; times--) {
		if (process_vm_readv(calls->companion->pid, here, PIECES, there, PIECES, 0) !=
		    (ssize_t)PIECES * PIECE)
			give_up("process_vm_readv: %m");
	}
}

static void measure_cma(const struct report *report, const struct field *field,
			const struct companion *companion)
{
	/* Pieces that do not touch: each is a part of its own of the one call. */
	struct work work =
		work_make(field->target.bytes, companion->area.bytes, PIECE, PIECE, PIECES);
	struct calls calls = {companion, &work};
	struct copier copiers[2];
	struct way ways[] = {
		{.name = "one task of 64",
		 .run = copier_run,
		 .context = &copiers[0],
		 .work = &work},
		{.name = "64 calls", .run = run_calls, .context = &calls, .work = &work},
		{.name = "64 tasks", .run = copier_run, .context = &copiers[1], .work = &work},
		{.name = "one call", .run = run_one_call, .context = &calls, .work = &work},
	};

	for (size_t i = 0; i < PIECES; i++)
		work.copies[i].from += i * PIECE;
	copier_open(&copiers[0], &companion->area, &field->target, &work,
		    (struct copier_options){.pieces = PIECES, .one_target = true});
	copier_open(&copiers[1], &companion->area, &field->target, &work,
		    (struct copier_options){.pieces = 1});
	measure(&report->plan, ways, 4);
	report_ratio(report, "cma, 64 pieces of 4 KiB, to 64 calls", 3, 3.5, &ways[0], &ways[1], 1);
	report_ratio(report, "cma, 64 pieces of 4 KiB, to 64 tasks", 0, 0, &ways[0], &ways[2], 1);
	report_ratio(report, "cma, 64 pieces of 4 KiB, to 1 call", 0, 0, &ways[0], &ways[3], 1);
	copier_close(&copiers[0]);
	copier_close(&copiers[1]);
	work_free(&work);
}

/* Some systems have no such call, or forbid it. */
static bool can_read_others(void)
{
	char from = 1;
	char to = 0;
	struct iovec here = {&to, 1};
	struct iovec there = {&from, 1};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

void group_cma(const struct report *report)
{
	size_t len = (size_t)2 * PIECES * PIECE;
	struct companion companion;
	struct field field;

	if (!can_read_others()) {
		report_missing(report, "cma, 64 pieces of 4 KiB, to 64 calls",
			       "process_vm_readv does not work here");
		return;
	}
	setenv("SOFTDOCA_REACH", "cma", 1);
	field = field_open(len);
	companion_start(&companion, field.dev, len, false, random_memory(len, 3));
	measure_cma(report, &field, &companion);
	companion_end(&companion);
	field_close(&field);
}
