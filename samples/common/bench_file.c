/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring a file that is copied inside one process. */
#include "bench.h"

#include <string.h>

#include "progress_bar.h"

/* Fill windows from the file: fewer than all, or none, at its end. */
static bool windows_fill(struct dma_session *session, struct source_file *source,
			 uint32_t *num_filled)
{
	struct dma_window *window = session->windows;

	for (*num_filled = 0; *num_filled < session->num_windows; window++, ++*num_filled) {
		if (!source_read(source, window->source_bytes, session->window_size, &window->len))
			return false;
		if (window->len == 0)
			break;
		/* The destination is touched, and its first byte is wrong until the copy. */
		memset(window->target_bytes, ~window->source_bytes[0], window->len);
	}
	return true;
}

bool bench_file(struct bench *bench, struct dma_session *session, struct source_file *source)
{
	struct progress_bar bar;
	uint32_t num;

	*bench = (struct bench){.len = 0};
	if (!source_rewind(source))
		return false;
	progress_bar_start(&bar, "measuring", source->len);
	do {
		if (!windows_fill(session, source, &num) || !bench_windows(bench, session, num))
			return false;
		progress_bar_update(&bar, bench->len);
	} while (num == session->num_windows);
	progress_bar_end(&bar, bench->len);
	return true;
}
