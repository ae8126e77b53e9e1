/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of a run: a table, CSV, JSON. Each states what made the figures. */
#ifndef DOCA_BENCH_REPORT_H_
#define DOCA_BENCH_REPORT_H_

#include <stddef.h>
#include <stdio.h>

#include "bench.h"

/* What the machine and the library are; false, and a line said, when it cannot be told. */
bool report_learn(struct bench *bench);

/* What moves the bytes of these results; constant until the next call. */
const char *report_kernel(const struct bench *bench, const struct result *results, size_t num);

void report_begin(const struct bench *bench, const struct result *results, size_t num);
void report_row(const struct bench *bench, const struct result *result);
void report_end(const struct result *results, size_t num, size_t num_planned);

/* How far it is, over itself on a terminal; NULL wipes it. */
void report_progress(const struct bench *bench, const char *text);

/* Before anything is measured: an exit code, and a line said, of what would keep the files that are
 * asked for from being written. */
int report_check(const struct bench *bench);
bool plot_has_gnuplot(const struct bench *bench);

/* False, and a line said, when the file could not be written. */
bool report_csv(const struct bench *bench, const struct result *results, size_t num);
bool report_json(const struct bench *bench, const struct result *results, size_t num);
bool report_plot(const struct bench *bench, const struct result *results, size_t num);

/* The end of writing such a file, also of one that could not be opened. */
bool report_close(FILE *file, const char *name);

/* 4 KiB, 1500 B; in one of a few buffers that are used in turn. */
const char *text_of_bytes(uint64_t bytes);

#endif /* DOCA_BENCH_REPORT_H_ */
