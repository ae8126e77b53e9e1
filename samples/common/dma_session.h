/* SPDX-License-Identifier: Apache-2.0 */
/* All that DMA copies need: device, context, engine, memory, windows. */
#ifndef SAMPLES_COMMON_DMA_SESSION_H_
#define SAMPLES_COMMON_DMA_SESSION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "dma_memory.h"

/* One task and the two pieces of memory that it copies between. Where these are may change. */
struct dma_window {
	struct doca_dma_task_memcpy *task; /* owned */
	struct doca_buf *source;	   /* owned */
	struct doca_buf *target;	   /* owned */
	char *source_bytes;	 /* in the session's source memory; it may be moved there */
	char *target_bytes;	 /* in the session's target memory, likewise */
	const char *local_bytes; /* the source's bytes, where this process can read them */
	size_t len;		 /* bytes to copy, at most the session's window_size */
	bool in_flight;		 /* between submit and the callback */
};

struct dma_session {
	struct doca_dev *dev;		      /* owned, as are those below */
	struct doca_pe *pe;		      /* hands out completions */
	struct doca_dma *dma;		      /* does the copies */
	struct dma_memory source;	      /* read by the device */
	struct dma_memory target;	      /* written by the device */
	struct doca_buf_inventory *inventory; /* two descriptors a window */
	struct dma_window *windows;	      /* num_windows of them */
	size_t window_size;		      /* no more than the device copies in one task */
	uint32_t num_windows;		      /* all may be in flight at once */
	doca_error_t failure; /* of the first copy that failed: it stops the context */
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
};

/*
 * Device, engine and context for windows of at most window_size, at most num_windows of them. On
 * false the reason was said and nothing is left open.
 */
bool dma_session_open(struct dma_session *session, const char *pci_addr, size_t window_size,
		      uint32_t num_windows);

/* Before the start: no more windows than so many bytes need. */
void dma_session_limit(struct dma_session *session, uint64_t total);

/*
 * Once the caller has opened source and target memory: windows side by side in both, ready to be
 * submitted. On false the reason was said; close the session all the same.
 */
bool dma_session_start(struct dma_session *session);

/* The same, with memory of this process on both sides. */
bool dma_session_start_local(struct dma_session *session);

/* Wait for what is in flight, then take everything down in reverse order. */
void dma_session_close(struct dma_session *session);

/* dma_window.c: callbacks for doca_dma_task_memcpy_set_conf(), and a window's life. */
void dma_window_completed(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			  union doca_data ctx_user_data);
bool dma_window_open(struct dma_session *session, uint32_t index);
void dma_window_close(struct dma_window *window);

/* Start copying the first window->len bytes of its source. */
bool dma_window_submit(struct dma_session *session, struct dma_window *window);

/* Progress until this window's copy is over; true when it succeeded. */
bool dma_window_wait(struct dma_session *session, struct dma_window *window);

/* Takes bytes that arrived, in their order; false ends the copy. */
typedef bool (*dma_stream_sink_t)(void *context, const void *bytes, size_t len);

/* dma_stream.c: copy the first len bytes of the source memory through the windows. */
bool dma_stream(struct dma_session *session, uint64_t len, dma_stream_sink_t sink, void *context);

#endif /* SAMPLES_COMMON_DMA_SESSION_H_ */
