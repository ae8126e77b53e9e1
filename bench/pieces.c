/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of 64 pieces, on either side and on both, against as many calls of memcpy. */
#include "copier.h"
#include "groups.h"

#define PIECES 64

/* Where a piece lies: in a row, or scattered so that no two that follow each other touch. */
static size_t place_of(size_t piece, bool is_in_a_row)
{
	return is_in_a_row ? piece : piece * 37 % PIECES;
}

static void measure_pieces(const struct report *report, size_t len, bool one_source,
			   bool one_target)
{
	size_t piece = len / PIECES;
	struct field field = field_open(len);
	struct work work = work_make(field.target.bytes, field.source.bytes, piece, piece, PIECES);
	struct copier copier;
	struct way ways[] = {
		{.name = "task", .run = copier_run, .context = &copier, .work = &work},
		{.name = "64 memcpy", .run = run_memcpy, .context = &work, .work = &work},
	};
	char metric[64];

	for (size_t i = 0; i < PIECES; i++) {
		work.copies[i].from = field.source.bytes + place_of(i, one_source) * piece;
		work.copies[i].to = field.target.bytes + place_of(i, one_target) * piece;
	}
	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){
			    .pieces = PIECES,
			    .one_source = one_source,
			    .one_target = one_target,
		    });
	measure(&report->plan, ways, 2);
	snprintf(metric, sizeof(metric), "%zu KiB, %s piece%s to %s", len / 1024,
		 one_source ? "1" : "64", one_source ? "" : "s", one_target ? "1" : "64");
	report_ratio(report, metric, 0.93, 0.97, &ways[0], &ways[1], 1);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

void group_pieces(const struct report *report)
{
	static const size_t SIZES[] = {65536, 262144, 1048576, 2097152};

	for (size_t i = 0; i < sizeof(SIZES) / sizeof(*SIZES); i++) {
		measure_pieces(report, SIZES[i], false, true);
		measure_pieces(report, SIZES[i], true, false);
		measure_pieces(report, SIZES[i], false, false);
	}
}
