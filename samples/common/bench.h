/* SPDX-License-Identifier: Apache-2.0 */
/* What the same windows cost by DMA and by memcpy. */
#ifndef SAMPLES_COMMON_BENCH_H_
#define SAMPLES_COMMON_BENCH_H_

#include <stdbool.h>

#include "dma_session.h"
#include "file.h"

#define BENCH_ROUNDS 5	 /* odd, so that one of them is the median */
#define BENCH_WINDOWS 64 /* 128 MiB a side where a window is 2 MiB: more than most caches hold */

struct bench {
	uint64_t len; /* bytes copied in each round */
	double dma_s[BENCH_ROUNDS];
	double memcpy_s[BENCH_ROUNDS];
};

struct bench_result {
	uint64_t len; /* bytes copied in each round */
	double dma_s; /* seconds, median of the rounds */
	double memcpy_s;
	double ratio; /* memcpy's seconds / DMA's, median, least and greatest of the rounds */
	double ratio_min;
	double ratio_max;
};

/*
 * All rounds over the session's first num windows, whose len and local_bytes are set: by DMA, and
 * by memcpy from local_bytes; the two take turns at going first. Only copies are timed. On false
 * the reason was said.
 */
bool bench_windows(struct bench *bench, struct dma_session *session, uint32_t num);

/* A whole file, as much of it at a time as the session has windows. */
bool bench_file(struct bench *bench, struct dma_session *session, struct source_file *source);

struct bench_result bench_sum_up(struct bench *bench);

/* Three lines of a table, on standard output. */
void bench_print(const struct bench_result *result);

#endif /* SAMPLES_COMMON_BENCH_H_ */
