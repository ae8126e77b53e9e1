/* SPDX-License-Identifier: Apache-2.0 */
/* A long source copied through few windows: they move over it, and hand on what arrives. */
#include "dma_session.h"

#include "interrupt.h"
#include "progress_bar.h"
#include "report.h"

static struct dma_window *window_at(struct dma_session *session, uint64_t number)
{
	return &session->windows[number % session->num_windows];
}

/* The window moves; where it copies to is its own. */
static bool window_start(struct dma_session *session, uint64_t number, uint64_t len)
{
	struct dma_window *window = window_at(session, number);
	uint64_t offset = number * session->window_size;
	uint64_t rest = len - offset;

	window->source_bytes = session->source.bytes + offset;
	window->len = rest < session->window_size ? (size_t)rest : session->window_size;
	return dma_window_submit(session, window);
}

bool dma_stream(struct dma_session *session, uint64_t len, dma_stream_sink_t sink, void *context)
{
	uint64_t num_windows = len / session->window_size + (len % session->window_size != 0);
	uint64_t started = 0, done_bytes = 0;
	struct progress_bar bar;

	progress_bar_start(&bar, "copying", len);
	for (uint64_t finished = 0; finished < num_windows; finished++) {
		struct dma_window *window = window_at(session, finished);

		for (; started < num_windows && started - finished < session->num_windows;
		     started++) {
			if (!window_start(session, started, len))
				return false;
		}
		if (interrupt_waits()) {
			complain("interrupted while copying");
			return false;
		}
		if (!dma_window_wait(session, window) ||
		    !sink(context, window->target_bytes, window->len))
			return false;
		done_bytes += window->len;
		progress_bar_update(&bar, done_bytes);
	}
	progress_bar_end(&bar, done_bytes);
	return true;
}
