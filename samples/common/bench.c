/* SPDX-License-Identifier: Apache-2.0 */
/* What the same windows cost by DMA and by memcpy: interleaved rounds over real data. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "progress_bar.h"
#include "report.h"

struct rounds {
	double dma_s[BENCH_ROUNDS];
	double memcpy_s[BENCH_ROUNDS];
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Fill windows from the file: fewer than all, or none, at its end. */
static bool windows_fill(struct dma_session *session, struct source_file *source,
			 uint32_t *num_filled)
{
	struct dma_window *window = session->windows;

	for (*num_filled = 0; *num_filled < session->num_windows; window++, ++*num_filled) {
		if (!source_read(source, window->source_bytes, session->window_size, &window->len))
			return false;
		if (window->len == 0)
			break;
		/* The destination is touched, and its first byte is wrong until the copy. */
		memset(window->target_bytes, ~window->source_bytes[0], window->len);
	}
	return true;
}

static bool copy_by_dma(struct dma_session *session, uint32_t num, double *seconds)
{
	double start_s = now_s();

	for (uint32_t i = 0; i < num; i++) {
		if (!dma_window_submit(session, &session->windows[i]))
			return false;
	}
	for (uint32_t i = 0; i < num; i++) {
		if (!dma_window_wait(session, &session->windows[i]))
			return false;
	}
	*seconds += now_s() - start_s;
	return true;
}

static void copy_by_memcpy(struct dma_session *session, uint32_t num, double *seconds)
{
	double start_s = now_s();

	for (uint32_t i = 0; i < num; i++) {
		struct dma_window *window = &session->windows[i];

		memcpy(window->target_bytes, window->source_bytes, window->len);
	}
	*seconds += now_s() - start_s;
}

static bool windows_agree(const struct dma_session *session, uint32_t num)
{
	for (uint32_t i = 0; i < num; i++) {
		const struct dma_window *window = &session->windows[i];

		if (memcmp(window->target_bytes, window->source_bytes, window->len) != 0) {
			complain("window %u differs from its source after the copy", i);
			return false;
		}
	}
	return true;
}

/* All rounds over the windows that are filled now; the two ways take turns at going first. */
static bool windows_measure(struct dma_session *session, uint32_t num, struct rounds *rounds)
{
	double untimed = 0;

	if (!copy_by_dma(session, num, &untimed) || !windows_agree(session, num))
		return false;
	copy_by_memcpy(session, num, &untimed);

	for (int i = 0; i < BENCH_ROUNDS; i++) {
		if (i % 2 == 1)
			copy_by_memcpy(session, num, &rounds->memcpy_s[i]);
		if (!copy_by_dma(session, num, &rounds->dma_s[i]))
			return false;
		if (i % 2 == 0)
			copy_by_memcpy(session, num, &rounds->memcpy_s[i]);
	}
	return true;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void rounds_sum_up(struct rounds *rounds, struct bench_result *result)
{
	double ratios[BENCH_ROUNDS];

	for (int i = 0; i < BENCH_ROUNDS; i++)
		ratios[i] = rounds->memcpy_s[i] / rounds->dma_s[i];
	qsort(ratios, BENCH_ROUNDS, sizeof(double), compare_doubles);
	qsort(rounds->dma_s, BENCH_ROUNDS, sizeof(double), compare_doubles);
	qsort(rounds->memcpy_s, BENCH_ROUNDS, sizeof(double), compare_doubles);

	result->dma_s = rounds->dma_s[BENCH_ROUNDS / 2];
	result->memcpy_s = rounds->memcpy_s[BENCH_ROUNDS / 2];
	result->ratio = ratios[BENCH_ROUNDS / 2];
	result->ratio_min = ratios[0];
	result->ratio_max = ratios[BENCH_ROUNDS - 1];
}

bool bench_run(struct bench_result *result, struct dma_session *session, struct source_file *source)
{
	struct rounds rounds = {.dma_s = {0}};
	struct progress_bar bar;
	uint32_t num;

	result->len = 0;
	if (!source_rewind(source))
		return false;
	progress_bar_start(&bar, "measuring", source->len);
	do {
		if (!windows_fill(session, source, &num) || !windows_measure(session, num, &rounds))
			return false;
		for (uint32_t i = 0; i < num; i++)
			result->len += session->windows[i].len;
		progress_bar_update(&bar, result->len);
	} while (num == session->num_windows);
	progress_bar_end(&bar, result->len);
	rounds_sum_up(&rounds, result);
	return true;
}
