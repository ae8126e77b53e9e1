/* SPDX-License-Identifier: Apache-2.0 */
/* What the same windows cost by DMA and by memcpy: interleaved rounds over real data. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report.h"

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
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

		memcpy(window->target_bytes, window->local_bytes, window->len);
	}
	*seconds += now_s() - start_s;
}

static bool windows_agree(const struct dma_session *session, uint32_t num)
{
	for (uint32_t i = 0; i < num; i++) {
		const struct dma_window *window = &session->windows[i];

		if (memcmp(window->target_bytes, window->local_bytes, window->len) != 0) {
			complain("window %u differs from its source after the copy", i);
			return false;
		}
	}
	return true;
}

bool bench_windows(struct bench *bench, struct dma_session *session, uint32_t num)
{
	double untimed = 0;

	if (!copy_by_dma(session, num, &untimed) || !windows_agree(session, num))
		return false;
	copy_by_memcpy(session, num, &untimed);

	for (int i = 0; i < BENCH_ROUNDS; i++) {
		if (i % 2 == 1)
			copy_by_memcpy(session, num, &bench->memcpy_s[i]);
		if (!copy_by_dma(session, num, &bench->dma_s[i]))
			return false;
		if (i % 2 == 0)
			copy_by_memcpy(session, num, &bench->memcpy_s[i]);
	}
	for (uint32_t i = 0; i < num; i++)
		bench->len += session->windows[i].len;
	return true;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

struct bench_result bench_sum_up(struct bench *bench)
{
	struct bench_result result = {.len = bench->len};
	double ratios[BENCH_ROUNDS];

	if (bench->len == 0) /* no round took any time */
		return result;
	for (int i = 0; i < BENCH_ROUNDS; i++)
		ratios[i] = bench->memcpy_s[i] / bench->dma_s[i];
	qsort(ratios, BENCH_ROUNDS, sizeof(double), compare_doubles);
	qsort(bench->dma_s, BENCH_ROUNDS, sizeof(double), compare_doubles);
	qsort(bench->memcpy_s, BENCH_ROUNDS, sizeof(double), compare_doubles);

	result.dma_s = bench->dma_s[BENCH_ROUNDS / 2];
	result.memcpy_s = bench->memcpy_s[BENCH_ROUNDS / 2];
	result.ratio = ratios[BENCH_ROUNDS / 2];
	result.ratio_min = ratios[0];
	result.ratio_max = ratios[BENCH_ROUNDS - 1];
	return result;
}

static void print_speed(const char *name, double seconds, uint64_t len, const char *how)
{
	printf("  %-6s  %8.4f s  %6.1f GB/s   median of %d%s\n", name, seconds,
	       (double)len / seconds / 1e9, BENCH_ROUNDS, how);
}

void bench_print(const struct bench_result *result)
{
	if (result->len == 0) {
		printf("  nothing to measure in an empty file\n");
		return;
	}
	print_speed("DMA", result->dma_s, result->len, "");
	print_speed("memcpy", result->memcpy_s, result->len, ", same windows, interleaved");
	printf("  %-6s  %8.2f                  DMA to memcpy, rounds %.2f to %.2f\n", "ratio",
	       result->ratio, result->ratio_min, result->ratio_max);
}
