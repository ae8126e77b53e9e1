/* SPDX-License-Identifier: Apache-2.0 */
/* Measures one setting: rounds of tasks and memcpy in turn, each looked at before it counts. */
#ifndef DOCA_BENCH_MEASURE_H_
#define DOCA_BENCH_MEASURE_H_

#include "bench.h"

#define EXIT_WRONG_BYTE 3

/* The setting of a result, made from its point. An exit code: 0, or a line was said. Of a sweep the
 * window may hold no job: num_jobs is 0 then, and nothing is to be measured. */
int setting_make(const struct bench *bench, struct point point, struct result *result);

/* Of all windows, on one side. */
static inline uint64_t setting_bytes(const struct result *result)
{
	return result->num_threads * result->num_jobs * result->stride;
}

/* An exit code: 0, also when it was interrupted; else a line was said and the result is none. */
int measure(struct bench *bench, struct result *result,
	    void (*tell)(const struct result *result, uint64_t round, uint64_t num_rounds));

#endif /* DOCA_BENCH_MEASURE_H_ */
