/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on standard output: drawn on a terminal, silent elsewhere. */
#include "progress_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_MS 100
#define BAR_MAX 50

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool can_draw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

static int columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

static void draw(const struct progress_bar *bar, uint64_t done_bytes)
{
	static const char FULL[] = "##################################################";
	static const char EMPTY[] = "..................................................";
	double share = bar->total_bytes == 0 ? 1 : (double)done_bytes / (double)bar->total_bytes;
	char tail[64];
	int tail_len, width, full;

	if (share > 1) /* the file grew meanwhile */
		share = 1;
	tail_len = snprintf(tail, sizeof(tail), "%3d%%  %.1f of %.1f MB", (int)(share * 100),
			    (double)done_bytes / 1e6, (double)bar->total_bytes / 1e6);
	/* The last column stays free: a full line would wrap, and \r could not come back. */
	width = columns() - 1 - (int)sizeof("measuring [] ") + 1 - tail_len;
	if (width > BAR_MAX)
		width = BAR_MAX;

	if (width < 4) {
		printf("\r\033[K%s %3d%%", bar->label, (int)(share * 100));
	} else {
		full = (int)(share * width);
		printf("\r\033[K%-9s [%.*s%.*s] %s", bar->label, full, FULL, width - full, EMPTY,
		       tail);
	}
	fflush(stdout);
}

void progress_bar_start(struct progress_bar *bar, const char *label, uint64_t total_bytes)
{
	bar->label = label;
	bar->total_bytes = total_bytes;
	bar->next_draw_ms = 0;
	bar->on_terminal = can_draw();
}

void progress_bar_update(struct progress_bar *bar, uint64_t done_bytes)
{
	if (!bar->on_terminal || now_ms() < bar->next_draw_ms)
		return;
	draw(bar, done_bytes);
	bar->next_draw_ms = now_ms() + REDRAW_MS;
}

void progress_bar_end(struct progress_bar *bar, uint64_t done_bytes)
{
	if (!bar->on_terminal)
		return;
	draw(bar, done_bytes);
	putchar('\n');
	fflush(stdout);
}
