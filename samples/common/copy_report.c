/* SPDX-License-Identifier: Apache-2.0 */
/* What a copy tells when it is done: one line, or a short table when it was measured. */
#include "copy_report.h"

#include <stdio.h>

#include "report.h"

static void print_line(const struct copy_report *report, const struct dma_session *session,
		       const struct options *options)
{
	printf("copied %s to %s: %s in %s of %s by %s, sha256 %s of both\n", options->source,
	       options->is_trial ? "a file that is removed" : options->target,
	       text_of_bytes(report->len).chars, text_of_windows(report->num_windows).chars,
	       text_of_size(session->window_size).chars, session->pci_addr, report->digest.chars);
}

static void print_table(const struct copy_report *report, const struct dma_session *session,
			const struct options *options)
{
	printf("copied %s (%s) in %s of %s\n", options->source, text_of_bytes(report->len).chars,
	       text_of_windows(report->num_windows).chars,
	       text_of_size(session->window_size).chars);
	bench_print(&report->bench);
	printf("  %-6s  %s   source and copy agree\n", "sha256", report->digest.chars);
}

bool copy_report_print(const struct copy_report *report, const struct dma_session *session,
		       const struct options *options)
{
	if (options->bench)
		print_table(report, session, options);
	else
		print_line(report, session, options);

	return stdout_ok();
}
