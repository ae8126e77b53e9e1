/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, from the process that measures to the table, as text, Markdown or CSV. */
#include "report.h"

#include <string.h>
#include <unistd.h>

void report_row(const struct report *report, const struct row *row)
{
	if (write(report->fd, row, sizeof(*row)) != (ssize_t)sizeof(*row))
		give_up("cannot report a row: %m");
}

struct duration duration_of(double ns)
{
	static const char *const UNITS[] = {"ns", "us", "ms", "s"};
	struct duration duration;
	size_t unit = 0;

	while (ns >= 1000 && unit < 3) {
		ns /= 1000;
		unit++;
	}
	snprintf(duration.text, sizeof(duration.text), "%.*f %s",
		 ns >= 100  ? 0
		 : ns >= 10 ? 1
			    : 2,
		 ns, UNITS[unit]);
	return duration;
}

void report_ratio(const struct report *report, const char *metric, double firm, double goal,
		  const struct way *way, const struct way *other, size_t copies)
{
	const struct plan *plan = &report->plan;
	struct row row = {
		.kind = ROW_RATIO,
		.value = ratio_of(plan, way, other),
		.firm = firm,
		.goal = goal,
	};

	snprintf(row.metric, sizeof(row.metric), "%s", metric);
	snprintf(row.beside, sizeof(row.beside), "%s, %s %s",
		 duration_of(median_ns(plan, way) / (double)copies).text, other->name,
		 duration_of(median_ns(plan, other) / (double)copies).text);
	report_row(report, &row);
}

void report_missing(const struct report *report, const char *metric, const char *why)
{
	struct row row = {.kind = ROW_MISSING};

	snprintf(row.metric, sizeof(row.metric), "%s", metric);
	snprintf(row.beside, sizeof(row.beside), "%s", why);
	report_row(report, &row);
}

static bool reaches(const struct row *row, double wanted)
{
	return row->kind == ROW_RATIO ? row->value.median >= wanted : row->value.median <= wanted;
}

const char *row_verdict(const struct row *row)
{
	if (row->kind == ROW_MISSING || row->firm == 0)
		return "";
	if (reaches(row, row->goal))
		return "goal";
	return reaches(row, row->firm) ? "firm" : "MISSED";
}

bool table_holds(const struct table *table)
{
	for (size_t i = 0; i < table->num; i++) {
		if (strcmp(row_verdict(&table->rows[i]), "MISSED") == 0)
			return false;
	}
	return true;
}

struct cells {
	char value[24];
	char firm[24];
	char goal[24];
	char rounds[48];
};

static void print_value(char *text, size_t len, const struct row *row, double value)
{
	if (row->kind == ROW_LATENCY_NS)
		snprintf(text, len, "%.0f ns", value);
	else
		snprintf(text, len, value < 10 ? "%.3f" : "%.1f", value);
}

static struct cells cells_of(const struct row *row)
{
	struct cells cells = {"-", "", "", ""};
	char low[20];
	char high[20];

	if (row->kind == ROW_MISSING)
		return cells;
	print_value(cells.value, sizeof(cells.value), row, row->value.median);
	print_value(low, sizeof(low), row, row->value.low);
	print_value(high, sizeof(high), row, row->value.high);
	snprintf(cells.rounds, sizeof(cells.rounds), "%s to %s", low, high);
	if (row->firm != 0) {
		print_value(cells.firm, sizeof(cells.firm), row, row->firm);
		print_value(cells.goal, sizeof(cells.goal), row, row->goal);
	}
	return cells;
}

void table_print(FILE *out, const struct table *table, bool has_verdicts)
{
	static const char FORMAT[] = "%-44s %8s %8s %8s  %-7s %-18s %s\n";

	fprintf(out, FORMAT, "metric", "ratio", "firm", "goal", "verdict", "rounds", "beside");
	for (size_t i = 0; i < table->num; i++) {
		const struct row *row = &table->rows[i];
		struct cells cells = cells_of(row);

		fprintf(out, FORMAT, row->metric, cells.value, cells.firm, cells.goal,
			has_verdicts ? row_verdict(row) : "", cells.rounds, row->beside);
	}
}

void table_print_markdown(FILE *out, const struct table *table)
{
	fputs("| metric | ratio | firm | goal | verdict | rounds | beside |\n"
	      "|---|---|---|---|---|---|---|\n",
	      out);
	for (size_t i = 0; i < table->num; i++) {
		const struct row *row = &table->rows[i];
		struct cells cells = cells_of(row);

		fprintf(out, "| %s | %s | %s | %s | %s | %s | %s |\n", row->metric, cells.value,
			cells.firm, cells.goal, row_verdict(row), cells.rounds, row->beside);
	}
}

void table_print_csv(FILE *out, const struct table *table)
{
	fputs("metric,value,low,high,firm,goal,verdict,beside\n", out);
	for (size_t i = 0; i < table->num; i++) {
		const struct row *row = &table->rows[i];

		fprintf(out, "\"%s\",%.4f,%.4f,%.4f,%g,%g,%s,\"%s\"\n", row->metric,
			row->value.median, row->value.low, row->value.high, row->firm, row->goal,
			row_verdict(row), row->beside);
	}
}
