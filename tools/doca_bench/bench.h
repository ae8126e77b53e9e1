/* SPDX-License-Identifier: Apache-2.0 */
/* What all parts of a run share: the device, the memory of both sides, and what copies it. */
#ifndef DOCA_BENCH_BENCH_H_
#define DOCA_BENCH_BENCH_H_

#include "companion.h"
#include "device.h"
#include "memory.h"
#include "options.h"

struct bench {
	const struct options *options;
	struct doca_dev *dev;
	struct limits limits;
	/* Of this process: memcpy copies from one to the other. One of them is no task's, where the
	 * companion's memory stands in for it. */
	struct memory source;
	struct memory target;
	struct companion companion;
	double ns_per_tick;
	uint64_t clock_ns; /* of a reading, which every latency contains */
	const char *engine;
	const char *kernel; /* of pieces that are long enough */
	const char *way;
	char cpu[128];
	char *settings;	     /* owned */
	size_t num_left_out; /* of a sweep: the window holds no job */
};

enum { FIGURE_MIN, FIGURE_MEDIAN, FIGURE_MAX, NUM_FIGURES };
enum who { BY_TASKS, BY_MEMCPY, NUM_WHO };
enum {
	QUANTILE_MEDIAN = 1,
	QUANTILE_99 = 3,
	NUM_QUANTILES = 6
}; /* minimum, 50, 90, 99, 99.9 %, maximum */

/* One setting, measured. */
struct result {
	struct point point; /* as the options have it */
	uint64_t depth;	    /* that the window and the mode left of it */
	uint64_t batch;	    /* the same */
	uint64_t num_jobs;  /* in the window */
	uint64_t stride;    /* from one job to the next */
	uint64_t num_threads;
	uint64_t num_rounds; /* 0: none was whole */
	uint64_t jobs_done;  /* of all threads and rounds */
	double seconds;	     /* that they took, from the first begun to the last done */
	double speed[NUM_WHO][NUM_FIGURES]; /* bytes a second, all threads */
	double ratio[NUM_FIGURES]; /* of rounds' speeds; with latency only of the median latencies
				    */
	double ns[NUM_WHO][NUM_QUANTILES]; /* a job, in modes with latency */
	bool is_cut_short;
};

/* The signal that asked to stop, or 0. */
int interrupted(void);

static inline double jobs_a_second(const struct result *result)
{
	return result->speed[BY_TASKS][FIGURE_MEDIAN] / (double)result->point.size_bytes;
}

#endif /* DOCA_BENCH_BENCH_H_ */
