/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on standard output: drawn on a terminal, silent elsewhere. */
#ifndef SAMPLES_COMMON_PROGRESS_BAR_H_
#define SAMPLES_COMMON_PROGRESS_BAR_H_

#include <stdbool.h>
#include <stdint.h>

struct progress_bar {
	const char *label; /* borrowed from the caller */
	uint64_t total_bytes;
	uint64_t next_draw_ms; /* redraw at most ten times a second */
	bool on_terminal;
};

void progress_bar_start(struct progress_bar *bar, const char *label, uint64_t total_bytes);
void progress_bar_update(struct progress_bar *bar, uint64_t done_bytes);

/* Draw the last state and leave the line. */
void progress_bar_end(struct progress_bar *bar, uint64_t done_bytes);

#endif /* SAMPLES_COMMON_PROGRESS_BAR_H_ */
