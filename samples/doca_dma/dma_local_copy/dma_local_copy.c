/* SPDX-License-Identifier: Apache-2.0 */
/* Copy a file by DMA: read a window, let the device copy it, write it; several are in flight. */
#include <stdlib.h>
#include <string.h>

#include "common/bench.h"
#include "common/copy_report.h"
#include "common/dma_session.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/options.h"
#include "common/progress_bar.h"
#include "common/report.h"

#define WINDOW_SIZE ((size_t)2 * 1024 * 1024) /* less where the device takes less */
#define NUM_WINDOWS 16			      /* in flight; the file is read that far ahead */

struct copy {
	struct source_file source;
	struct target_file target;
	struct dma_session session;
	struct progress_bar bar;
	struct sha256 sha256;	 /* of the source, as it is read */
	uint64_t num_started;	 /* windows given to the device */
	struct copy_report done; /* what is written, and in the end proved */
};

/* A ring: windows finish in the order of the file, in whatever order their tasks complete. */
static struct dma_window *window_at(struct copy *copy, uint64_t number)
{
	return &copy->session.windows[number % copy->session.num_windows];
}

/* Read the next window and let the device copy it; the last one is short, or empty. */
static bool window_start(struct copy *copy, bool *at_end)
{
	struct dma_window *window = window_at(copy, copy->num_started);

	if (!source_read(&copy->source, window->source_bytes, copy->session.window_size,
			 &window->len))
		return false;
	*at_end = window->len < copy->session.window_size;
	if (window->len == 0)
		return true;
	copy->num_started++;
	return sha256_add(&copy->sha256, window->source_bytes, window->len) &&
	       dma_window_submit(&copy->session, window);
}

/* Wait for the oldest window and write what the device made of it. */
static bool window_finish(struct copy *copy)
{
	struct dma_window *window = window_at(copy, copy->done.num_windows);

	if (!dma_window_wait(&copy->session, window) ||
	    !target_write(&copy->target, window->target_bytes, window->len))
		return false;
	copy->done.num_windows++;
	copy->done.len += window->len;
	progress_bar_update(&copy->bar, copy->done.len);
	return true;
}

/* Keep every window in flight until the file ends, then finish what is left. */
static bool windows_copy(struct copy *copy)
{
	bool at_end = false;

	while (!at_end || copy->done.num_windows < copy->num_started) {
		uint64_t in_flight = copy->num_started - copy->done.num_windows;

		if (!at_end && in_flight < copy->session.num_windows) {
			if (!window_start(copy, &at_end))
				return false;
		} else if (!window_finish(copy)) {
			return false;
		}
	}
	return true;
}

static bool file_copy(struct copy *copy)
{
	bool success;

	if (!sha256_start(&copy->sha256))
		return false;
	progress_bar_start(&copy->bar, "copying", copy->source.len);
	success = windows_copy(copy);
	copy->done.digest = sha256_end(&copy->sha256);
	if (success)
		progress_bar_end(&copy->bar, copy->done.len);
	return success;
}

/* Read the copy back from its file and compare; only then does it get its name. */
static bool file_prove(struct copy *copy, bool is_kept)
{
	struct sha256_text digest;

	progress_bar_start(&copy->bar, "proving", copy->done.len);
	if (!sha256_of_file(copy->target.fd, copy->target.path, copy->session.target.bytes,
			    copy->session.window_size, &copy->bar, &digest))
		return false;
	if (strcmp(digest.chars, copy->done.digest.chars) == 0)
		return source_unchanged(&copy->source) &&
		       (!is_kept || target_commit(&copy->target));
	complain("the copy differs from %s: sha256 %s", copy->source.path, digest.chars);
	return false;
}

static bool file_measure(struct copy *copy)
{
	struct bench bench;

	if (!bench_file(&bench, &copy->session, &copy->source))
		return false;
	copy->done.bench = bench_sum_up(&bench);
	return true;
}

static bool copy_and_report(struct copy *copy, const struct options *options)
{
	return dma_session_start_local(&copy->session) && file_copy(copy) &&
	       file_prove(copy, !options->is_trial) && (!options->bench || file_measure(copy)) &&
	       copy_report_print(&copy->done, &copy->session, options);
}

static bool copy_run(struct copy *copy, const struct options *options)
{
	uint32_t num_windows = options->bench ? BENCH_WINDOWS : NUM_WINDOWS;
	bool success = false;

	if (!sdk_log_open() || !source_open(&copy->source, options->source))
		return false;
	if (target_open(&copy->target, options->target, &copy->source)) {
		if (dma_session_open(&copy->session, options->device, WINDOW_SIZE, num_windows)) {
			dma_session_limit(&copy->session, copy->source.len);
			success = copy_and_report(copy, options);
			dma_session_close(&copy->session);
		}
		target_discard(&copy->target);
	}
	source_close(&copy->source);
	return success;
}

int main(int argc, char **argv)
{
	struct copy copy = {.num_started = 0};
	struct options options;
	int exit_code = options_parse(&options, argc, argv);

	if (exit_code >= 0)
		return exit_code;
	interrupt_hold();
	exit_code = copy_run(&copy, &options) ? EXIT_SUCCESS : EXIT_FAILURE;
	interrupt_release();
	return exit_code;
}
