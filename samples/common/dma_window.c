/* SPDX-License-Identifier: Apache-2.0 */
/* A window: one memcpy task and its two buffers, made once and submitted again and again. */
#include "dma_session.h"

#include "report.h"

/* For success and for error alike: the task's status tells which. Runs inside progress. */
void dma_window_completed(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			  union doca_data ctx_user_data)
{
	struct dma_window *window = task_user_data.ptr;
	struct dma_session *session = ctx_user_data.ptr;
	doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));

	window->in_flight = false;
	/* One failure stops the context, and the others come back with it: name the first only. */
	if (session->failure == DOCA_SUCCESS && !doca_ok(status, "copy a window by DMA"))
		session->failure = status;
}

bool dma_window_open(struct dma_session *session, uint32_t index)
{
	struct dma_window *window = &session->windows[index];
	size_t offset = index * session->window_size;
	union doca_data user_data = {.ptr = window};

	window->source_bytes = session->source.bytes + offset;
	window->target_bytes = session->target.bytes + offset;
	window->local_bytes = window->source_bytes;
	/* Each buffer spans all of its memory: a window can then be anywhere in it. */
	return doca_ok(doca_buf_inventory_buf_get_by_addr(session->inventory, session->source.mmap,
							  session->source.bytes,
							  session->source.len, &window->source),
		       "get a source buffer") &&
	       doca_ok(doca_buf_inventory_buf_get_by_addr(session->inventory, session->target.mmap,
							  session->target.bytes,
							  session->target.len, &window->target),
		       "get a destination buffer") &&
	       doca_ok(doca_dma_task_memcpy_alloc_init(session->dma, window->source, window->target,
						       user_data, &window->task),
		       "allocate a memcpy task");
}

/* The task is the program's again once its callback has run; freeing it keeps the buffers. */
void dma_window_close(struct dma_window *window)
{
	if (window->task != NULL)
		doca_task_free(doca_dma_task_memcpy_as_task(window->task));
	if (window->target != NULL)
		doca_ok(doca_buf_dec_refcount(window->target, NULL), "release a buffer");
	if (window->source != NULL)
		doca_ok(doca_buf_dec_refcount(window->source, NULL), "release a buffer");
}

bool dma_window_submit(struct dma_session *session, struct dma_window *window)
{
	struct doca_task *task = doca_dma_task_memcpy_as_task(window->task);
	doca_error_t result;

	/* A copy takes the source's data, and lands behind the data that the destination has. */
	if (!doca_ok(doca_buf_set_data(window->source, window->source_bytes, window->len),
		     "set the source's data") ||
	    !doca_ok(doca_buf_set_data(window->target, window->target_bytes, 0),
		     "empty the destination"))
		return false;

	window->in_flight = true;
	do {
		result = doca_task_submit(task);
		/* The queue is full: once a copy completes there is room. */
		if (result == DOCA_ERROR_AGAIN)
			(void)doca_pe_progress(session->pe);
	} while (result == DOCA_ERROR_AGAIN);

	window->in_flight = result == DOCA_SUCCESS;
	/* After a failed copy the context takes no more, which is no news. */
	return session->failure == DOCA_SUCCESS && doca_ok(result, "submit a memcpy task");
}

bool dma_window_wait(struct dma_session *session, struct dma_window *window)
{
	/* 0 means nothing to report yet: a device works on its own, so ask again. */
	while (window->in_flight)
		(void)doca_pe_progress(session->pe);
	return session->failure == DOCA_SUCCESS;
}
