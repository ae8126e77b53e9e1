/* SPDX-License-Identifier: Apache-2.0 */
/* What a copy tells when it is done: one line, or a short table when it was measured. */
#include "copy_report.h"

#include <stdio.h>

#include "report.h"

static void print_line(const struct copy_report *report, const struct dma_session *session,
		       const struct options *options)
{
	printf("copied %s to %s: %s %s in %s %s of %s by %s, sha256 %s of both\n", options->source,
	       options->target, text_of_count(report->len).chars,
	       report->len == 1 ? "byte" : "bytes", text_of_count(report->num_windows).chars,
	       report->num_windows == 1 ? "window" : "windows",
	       text_of_size(session->window_size).chars, session->pci_addr, report->digest.chars);
}

static void print_speed(const char *name, double seconds, uint64_t len, const char *how)
{
	printf("  %-6s  %8.4f s  %6.1f GB/s   median of %d%s\n", name, seconds,
	       (double)len / seconds / 1e9, BENCH_ROUNDS, how);
}

static void print_table(const struct copy_report *report, const struct dma_session *session,
			const struct options *options)
{
	const struct bench_result *bench = &report->bench;

	printf("copied %s (%s %s) in %s %s of %s\n", options->source,
	       text_of_count(report->len).chars, report->len == 1 ? "byte" : "bytes",
	       text_of_count(report->num_windows).chars,
	       report->num_windows == 1 ? "window" : "windows",
	       text_of_size(session->window_size).chars);
	if (bench->len == 0) {
		printf("  nothing to measure in an empty file\n");
	} else {
		print_speed("DMA", bench->dma_s, bench->len, "");
		print_speed("memcpy", bench->memcpy_s, bench->len, ", same windows, interleaved");
		printf("  %-6s  %8.2f                  DMA to memcpy, rounds %.2f to %.2f\n",
		       "ratio", bench->ratio, bench->ratio_min, bench->ratio_max);
	}
	printf("  %-6s  %s   source and copy agree\n", "sha256", report->digest.chars);
}

bool copy_report_print(const struct copy_report *report, const struct dma_session *session,
		       const struct options *options)
{
	if (options->bench)
		print_table(report, session, options);
	else
		print_line(report, session, options);

	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	complain("cannot write to standard output: %m");
	return false;
}
