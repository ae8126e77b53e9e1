/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds, medians, random memory, and the one CPU that it all runs on. */
#include "measure.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define MAX_REPEATS 4

void give_up(const char *format, ...)
{
	va_list args;

	fputs("goals: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static cpu_set_t allowed_cpus(void)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		give_up("sched_getaffinity: %m");
	return allowed;
}

static void keep_to(const cpu_set_t *cpus)
{
	if (sched_setaffinity(0, sizeof(*cpus), cpus) != 0)
		give_up("sched_setaffinity: %m");
}

/* The last one: the first is where most interrupts go. A pinned thread has no other. */
int measuring_cpu(void)
{
	cpu_set_t allowed = allowed_cpus();

	for (int cpu = CPU_SETSIZE - 1; cpu > 0; cpu--) {
		if (CPU_ISSET(cpu, &allowed))
			return cpu;
	}
	return 0;
}

void pin_thread(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(measuring_cpu(), &one);
	keep_to(&one);
}

/* What the system does not let this process use stays out, whatever is asked for. */
void unpin_thread(void)
{
	cpu_set_t all;

	CPU_ZERO(&all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		CPU_SET(cpu, &all);
	keep_to(&all);
}

void random_fill(void *bytes, size_t len, uint64_t seed)
{
	uint64_t x = 88172645463325252U + seed * 0x9e3779b97f4a7c15U;
	uint8_t *at = bytes;

	for (size_t i = 0; i < len; i += sizeof(x)) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(at + i, &x, len - i < sizeof(x) ? len - i : sizeof(x));
	}
}

uint8_t *random_memory(size_t len, uint64_t seed)
{
	uint8_t *bytes = mmap(NULL, len + HUGE_PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED)
		give_up("no memory for %zu bytes: %m", len);
	bytes += -(uintptr_t)bytes % HUGE_PAGE;
	random_fill(bytes, len, seed);
	return bytes;
}

struct work work_make(uint8_t *to, const uint8_t *from, size_t len, size_t step, size_t num)
{
	struct work work = {calloc(num, sizeof(*work.copies)), num};

	if (work.copies == NULL)
		give_up("no memory for a list of %zu copies", num);
	for (size_t i = 0; i < num; i++)
		work.copies[i] = (struct copy){to + i * step, from + i * step, len};
	return work;
}

void work_free(struct work *work)
{
	free(work->copies);
	work->copies = NULL;
}

void run_memcpy(void *context, size_t times)
{
	const struct work *work = context;

	for (; times > 0; times--) {
		for (size_t i = 0; i < work->num; i++)
			memcpy(work->copies[i].to, work->copies[i].from, work->copies[i].len);
	}
}

void work_spoil(const struct work *work, int byte)
{
	for (size_t i = 0; i < work->num; i++)
		memset(work->copies[i].to, byte, work->copies[i].len);
}

void work_check(const struct work *work, const char *name)
{
	for (size_t i = 0; i < work->num; i++) {
		const struct copy *copy = &work->copies[i];

		if (memcmp(copy->to, copy->from, copy->len) != 0)
			give_up("%s: a byte of copy %zu of %zu, %zu bytes, is wrong: no figure",
				name, i + 1, work->num, copy->len);
	}
}

static long preemptions(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* A slice in which another process had this CPU is no measurement: once more, a few times. */
static double time_slice(const struct way *way, size_t times)
{
	uint64_t took = 0;

	for (int i = 0; i < MAX_REPEATS; i++) {
		long before = preemptions();
		uint64_t start = clock_ns();

		way->run(way->context, times);
		took = clock_ns() - start;
		if (preemptions() == before)
			break;
	}
	return (double)took / (double)times;
}

static size_t times_for(const struct way *way, uint64_t slice_ns)
{
	size_t times = 1;

	for (;;) {
		uint64_t start = clock_ns();
		uint64_t took;

		way->run(way->context, times);
		took = clock_ns() - start;
		if (took >= slice_ns / 4)
			return 1 + (size_t)((double)times * (double)slice_ns / (double)took);
		times *= 2;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

struct range range_of(const double *values, unsigned num)
{
	double sorted[MAX_ROUNDS];

	memcpy(sorted, values, num * sizeof(*values));
	qsort(sorted, num, sizeof(*sorted), compare_doubles);
	return (struct range){sorted[num / 2], sorted[0], sorted[num - 1]};
}

static double take_turn(const struct way *way, size_t times, int spoil)
{
	double took;

	work_spoil(way->work, spoil);
	way->run(way->context, 1 + times / 4); /* the caches are as this way leaves them */
	took = time_slice(way, times);
	work_check(way->work, way->name);
	return took;
}

static void measure_round(const struct plan *plan, struct way *ways, size_t num,
			  const size_t *times, unsigned round)
{
	double took[MAX_WAYS][MAX_TURNS];

	for (unsigned turn = 0; turn < plan->turns; turn++) {
		for (size_t i = 0; i < num; i++) {
			size_t next = (i + round + turn) % num; /* each is first once in a while */

			took[next][turn] = take_turn(&ways[next], times[next], (int)turn);
		}
	}
	for (size_t i = 0; i < num; i++)
		ways[i].ns[round] = range_of(took[i], plan->turns).median;
}

/* In a turn a target is copied to many times, of which one is enough for it to be right. */
static void prove(const struct way *way)
{
	work_spoil(way->work, UINT8_MAX);
	way->run(way->context, 1);
	work_check(way->work, way->name);
}

void measure(const struct plan *plan, struct way *ways, size_t num)
{
	size_t times[MAX_WAYS];

	if (num > MAX_WAYS || plan->rounds > MAX_ROUNDS || plan->turns > MAX_TURNS)
		give_up("too much at once: %zu ways in %u rounds of %u turns", num, plan->rounds,
			plan->turns);
	for (size_t i = 0; i < num; i++) {
		prove(&ways[i]);
		times[i] = times_for(&ways[i], plan->slice_ns);
	}
	for (unsigned round = 0; round < plan->rounds; round++)
		measure_round(plan, ways, num, times, round);
	for (size_t i = 0; i < num; i++)
		prove(&ways[i]);
}

struct range ratio_of(const struct plan *plan, const struct way *way, const struct way *other)
{
	double ratios[MAX_ROUNDS];

	for (unsigned i = 0; i < plan->rounds; i++)
		ratios[i] = other->ns[i] / way->ns[i];
	return range_of(ratios, plan->rounds);
}

double median_ns(const struct plan *plan, const struct way *way)
{
	return range_of(way->ns, plan->rounds).median;
}
