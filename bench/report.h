/* SPDX-License-Identifier: Apache-2.0 */
/* The one table: what was measured, and which goals it holds. */
#ifndef BENCH_REPORT_H_
#define BENCH_REPORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "measure.h"

#define MAX_ROWS 128

enum row_kind {
	ROW_RATIO,	/* at least firm is wanted */
	ROW_LATENCY_NS, /* at most firm is wanted */
	ROW_MISSING,	/* not measured: beside says why */
};

struct row {
	enum row_kind kind;
	char metric[64];
	struct range value;
	double firm; /* 0 with goal: for information */
	double goal;
	char beside[72];
};

struct report {
	int fd; /* where a group of goals writes its rows */
	struct plan plan;
};

struct table {
	struct row rows[MAX_ROWS];
	size_t num;
};

/* From the process that measures to the one that prints. */
void report_row(const struct report *report, const struct row *row);

/* A row of a way against another, with what both took for one copy beside. */
void report_ratio(const struct report *report, const char *metric, double firm, double goal,
		  const struct way *way, const struct way *other, size_t copies);

void report_missing(const struct report *report, const char *metric, const char *why);

/* "4.2 us": three figures, in a unit that fits. */
struct duration {
	char text[16];
};
struct duration duration_of(double ns);

/* The words of a row's verdict: goal, firm, MISSED, or none. */
const char *row_verdict(const struct row *row);
bool table_holds(const struct table *table);

void table_print(FILE *out, const struct table *table, bool has_verdicts);
void table_print_markdown(FILE *out, const struct table *table);
void table_print_csv(FILE *out, const struct table *table);

#endif /* BENCH_REPORT_H_ */
