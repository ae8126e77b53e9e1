/* SPDX-License-Identifier: Apache-2.0 */
/* What the same windows cost by DMA and by memcpy. */
#ifndef SAMPLES_COMMON_BENCH_H_
#define SAMPLES_COMMON_BENCH_H_

#include <stdbool.h>

#include "dma_session.h"
#include "file.h"

#define BENCH_ROUNDS 5	 /* odd, so that one of them is the median */
#define BENCH_WINDOWS 64 /* 128 MiB a side where a window is 2 MiB: more than most caches hold */

struct bench_result {
	uint64_t len; /* bytes copied in each round */
	double dma_s; /* seconds, median of the rounds */
	double memcpy_s;
	double ratio; /* memcpy's seconds / DMA's, median, least and greatest of the rounds */
	double ratio_min;
	double ratio_max;
};

/*
 * Read the source from its start, as much at a time as the session has windows, and copy that in
 * each round both ways. Only copies are timed. On false the reason was said.
 */
bool bench_run(struct bench_result *result, struct dma_session *session,
	       struct source_file *source);

#endif /* SAMPLES_COMMON_BENCH_H_ */
