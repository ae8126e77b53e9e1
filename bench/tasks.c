/* SPDX-License-Identifier: Apache-2.0 */
/* The path of a task: how much of a bare memcpy loop is left, and how long one task takes. */
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "calls.h"
#include "copier.h"
#include "groups.h"

#define DEPTH 32
#define APART 2048 /* mod 4096: small copies do not wait for stores that look like their source */
#define NUM_LATENCIES 100000
#define P50 50000 /* which of them, sorted */
#define P99 99000

static void measure_depth(const struct report *report, const char *metric, size_t len, bool renews,
			  double firm, double goal)
{
	struct field field = field_open(DEPTH * len + APART);
	struct work work =
		work_make(field.target.bytes + APART, field.source.bytes, len, len, DEPTH);
	struct copier copier;
	struct way ways[] = {
		{.name = "tasks", .run = copier_run, .context = &copier, .work = &work},
		{.name = "memcpy", .run = run_memcpy, .context = &work, .work = &work},
	};

	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){.pieces = 1, .renews = renews});
	measure(&report->plan, ways, 2);
	report_ratio(report, metric, firm, goal, &ways[0], &ways[1], DEPTH);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

/* The same tasks by a library that does nothing but be called. */
struct caller {
	struct bare_queue queue;
	struct bare_task tasks[DEPTH];
	int64_t to_submit;
	size_t in_flight;
};

static void call_again(struct bare_task *task, void *user_data)
{
	struct caller *caller = user_data;

	bare_rewind(task);
	if (caller->to_submit-- > 0)
		bare_submit(&caller->queue, task);
	else
		caller->in_flight--;
}

static void run_calls(void *context, size_t times)
{
	struct caller *caller = context;

	caller->to_submit = (int64_t)(DEPTH * (times - 1));
	caller->in_flight = DEPTH;
	for (size_t i = 0; i < DEPTH; i++)
		bare_submit(&caller->queue, &caller->tasks[i]);
	while (caller->in_flight > 0)
		(void)bare_progress(&caller->queue);
}

static void measure_calls(const struct report *report)
{
	struct field field = field_open(DEPTH * 64 + APART);
	struct work work = work_make(field.target.bytes + APART, field.source.bytes, 64, 64, DEPTH);
	struct caller caller = {.to_submit = 0};
	struct way ways[] = {
		{.name = "calls", .run = run_calls, .context = &caller, .work = &work},
		{.name = "memcpy", .run = run_memcpy, .context = &work, .work = &work},
	};

	for (size_t i = 0; i < DEPTH; i++)
		caller.tasks[i] = (struct bare_task){
			.from = work.copies[i].from,
			.to = work.copies[i].to,
			.len = work.copies[i].len,
			.completed = call_again,
			.user_data = &caller,
		};
	measure(&report->plan, ways, 2);
	report_ratio(report, "64 B, depth 32, the calls alone", 0, 0, &ways[0], &ways[1], DEPTH);
	field_close(&field);
	work_free(&work);
}

/* Where the CPU counts time by an instruction, a clock that costs less than what is timed. */
static uint64_t ticks(void)
{
#if defined(__x86_64__)
	unsigned cpu;

	return __rdtscp(&cpu);
#elif defined(__aarch64__)
	uint64_t count;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(count));
	return count;
#else
	return clock_ns();
#endif
}

static double ns_of_a_tick(void)
{
	uint64_t start_ns = clock_ns();
	uint64_t start = ticks();

	while (clock_ns() - start_ns < 20000000)
		continue;
	return (double)(clock_ns() - start_ns) / (double)(ticks() - start);
}

static int compare_ticks(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

struct latencies {
	double p50[MAX_ROUNDS];
	double p99[MAX_ROUNDS];
};

/* A round of single runs, each timed by itself: what is read off the clock is part of it. */
static void time_singles(void (*run)(void *context, size_t times), void *context,
			 struct latencies *latencies, unsigned round, double tick_ns)
{
	uint64_t *took = malloc(NUM_LATENCIES * sizeof(*took));

	if (took == NULL)
		give_up("no memory for latencies");
	for (size_t i = 0; i < NUM_LATENCIES; i++) {
		uint64_t start = ticks();

		run(context, 1);
		took[i] = ticks() - start;
	}
	qsort(took, NUM_LATENCIES, sizeof(*took), compare_ticks);
	latencies->p50[round] = (double)took[P50] * tick_ns;
	latencies->p99[round] = (double)took[P99] * tick_ns;
	free(took);
}

static void report_latency(const struct report *report, const struct latencies *task,
			   const struct latencies *bare)
{
	unsigned rounds = report->plan.rounds;
	double bare_ns = range_of(bare->p50, rounds).median;
	struct row row = {
		.kind = ROW_LATENCY_NS,
		.metric = "64 B, one task, submit to callback, p50",
		.value = range_of(task->p50, rounds),
		.firm = 100,
		.goal = 40,
	};

	snprintf(row.beside, sizeof(row.beside), "p99 %.0f ns; memcpy %.0f ns, ratio %.2f",
		 range_of(task->p99, rounds).median, bare_ns, bare_ns / row.value.median);
	report_row(report, &row);
}

static void measure_latency(const struct report *report)
{
	struct field field = field_open(64);
	struct work work = work_make(field.target.bytes, field.source.bytes, 64, 64, 1);
	double tick_ns = ns_of_a_tick();
	struct latencies task;
	struct latencies bare;
	struct copier copier;

	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){.pieces = 1});
	for (unsigned i = 0; i < report->plan.rounds; i++) {
		work_spoil(&work, (int)i);
		time_singles(copier_run, &copier, &task, i, tick_ns);
		work_check(&work, "tasks");
		time_singles(run_memcpy, &work, &bare, i, tick_ns);
	}
	report_latency(report, &task, &bare);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

void group_tasks(const struct report *report)
{
	measure_depth(report, "64 B, depth 32, resubmitted", 64, false, 0.12, 0.17);
	measure_calls(report);
	measure_depth(report, "64 B, depth 32, task and buffers renewed", 64, true, 0.065, 0.085);
	measure_depth(report, "4 KiB, depth 32", 4096, false, 0.72, 0.80);
	measure_depth(report, "64 KiB, depth 32", 65536, false, 0.93, 0.97);
	measure_latency(report);
}
