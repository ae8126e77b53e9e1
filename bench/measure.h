/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ratios within one run: ways to do the same copies take turns, in rounds, in one pinned thread,
 * over memory that was filled with random bytes and touched first. A ratio is taken within each
 * round; what is reported is the median of the rounds, with the lowest and the highest.
 */
#ifndef BENCH_MEASURE_H_
#define BENCH_MEASURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_ROUNDS 31
#define MAX_WAYS 40
#define MAX_TURNS 15

struct plan {
	unsigned rounds;
	unsigned turns;	   /* of each way in a round, whose figure is their median */
	uint64_t slice_ns; /* of one turn, at least */
	size_t window;	   /* bytes that a copy over more than the caches cycles through */
};

struct copy {
	uint8_t *to;
	const uint8_t *from;
	size_t len;
};

/* What all ways of one measurement copy. */
struct work {
	struct copy *copies;
	size_t num;
};

struct way {
	const char *name;
	void (*run)(void *context, size_t times); /* all of the work, that many times */
	void *context;
	const struct work *work;
	double ns[MAX_ROUNDS]; /* of all the work once, in each round */
};

struct range {
	double median;
	double low;
	double high;
};

/* Say why, and end the process: there is no half a measurement. */
__attribute__((format(printf, 1, 2), noreturn)) void give_up(const char *format, ...);

uint64_t clock_ns(void);

/* The CPU that all is measured on; keep this thread to it; let it run anywhere again. */
int measuring_cpu(void);
void pin_thread(void);
void unpin_thread(void);

/* Touched, random, on a border of 2 MiB; the same bytes for the same seed. */
uint8_t *random_memory(size_t len, uint64_t seed);
void random_fill(void *bytes, size_t len, uint64_t seed);

/* num copies of len bytes, step bytes apart on both sides; work_free() frees the list alone. */
struct work work_make(uint8_t *to, const uint8_t *from, size_t len, size_t step, size_t num);
void work_free(struct work *work);

/* The way that every other is held against: a bare loop of memcpy(). context: the work. */
void run_memcpy(void *work, size_t times);

/* Spoil every target; look at every byte of them, and give up when one is wrong. */
void work_spoil(const struct work *work, int byte);
void work_check(const struct work *work, const char *name);

/*
 * Let the ways take turns. Before a turn all targets are spoiled, after it every byte is looked at.
 * Turns are short, so that what disturbs the machine disturbs all ways alike.
 */
void measure(const struct plan *plan, struct way *ways, size_t num);

struct range range_of(const double *values, unsigned num);

/* How many times as fast as the other way; its time for the work once. */
struct range ratio_of(const struct plan *plan, const struct way *way, const struct way *other);
double median_ns(const struct plan *plan, const struct way *way);

#endif /* BENCH_MEASURE_H_ */
