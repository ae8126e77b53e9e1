/* SPDX-License-Identifier: Apache-2.0 */
/* Setting DMA up and taking it down, each in the order that DOCA wants. */
#include "dma_session.h"

#include <stdlib.h>

#include <doca_ctx.h>

#include "device.h"
#include "report.h"

/* Stay within what this device says that it can do. */
static bool limits_apply(struct dma_session *session)
{
	struct doca_devinfo *devinfo = doca_dev_as_devinfo(session->dev);
	uint64_t max_size;
	uint32_t max_tasks;

	if (!doca_ok(doca_devinfo_get_pci_addr_str(devinfo, session->pci_addr),
		     "read the device's PCI address") ||
	    !doca_ok(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, &max_size),
		     "ask how much one task copies") ||
	    !doca_ok(doca_dma_cap_get_max_num_tasks(session->dma, &max_tasks),
		     "ask how many tasks a context has"))
		return false;

	if (session->window_size > max_size)
		session->window_size = (size_t)max_size;
	if (session->num_windows > max_tasks)
		session->num_windows = max_tasks;
	return true;
}

void dma_session_limit(struct dma_session *session, uint64_t total)
{
	/* One more than the whole windows: for the rest, and for nothing at all. */
	if (session->num_windows > total / session->window_size + 1)
		session->num_windows = (uint32_t)(total / session->window_size + 1);
}

static bool context_start(struct dma_session *session)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(session->dma);
	union doca_data user_data = {.ptr = session};

	return doca_ok(doca_dma_task_memcpy_set_conf(session->dma, dma_window_completed,
						     dma_window_completed, session->num_windows),
		       "configure memcpy tasks") &&
	       doca_ok(doca_ctx_set_user_data(ctx, user_data), "set the context's user data") &&
	       doca_ok(doca_pe_connect_ctx(session->pe, ctx), "connect context and engine") &&
	       doca_ok(doca_ctx_start(ctx), "start the DMA context");
}

static bool windows_open(struct dma_session *session)
{
	session->windows = calloc(session->num_windows, sizeof(*session->windows));
	if (session->windows == NULL) {
		complain("cannot allocate %u windows: %m", session->num_windows);
		return false;
	}
	if (!doca_ok(doca_buf_inventory_create((size_t)2 * session->num_windows,
					       &session->inventory),
		     "create a buffer inventory") ||
	    !doca_ok(doca_buf_inventory_start(session->inventory), "start the buffer inventory"))
		return false;

	for (uint32_t i = 0; i < session->num_windows; i++) {
		if (!dma_window_open(session, i))
			return false;
	}
	return true;
}

bool dma_session_open(struct dma_session *session, const char *pci_addr, size_t window_size,
		      uint32_t num_windows)
{
	*session = (struct dma_session){.window_size = window_size, .num_windows = num_windows};
	session->dev = device_open(pci_addr, &device_need_dma);
	if (session->dev != NULL &&
	    doca_ok(doca_pe_create(&session->pe), "create a progress engine") &&
	    doca_ok(doca_dma_create(session->dev, &session->dma), "create a DMA context") &&
	    limits_apply(session))
		return true;

	dma_session_close(session);
	return false;
}

bool dma_session_start(struct dma_session *session)
{
	return context_start(session) && windows_open(session);
}

bool dma_session_start_local(struct dma_session *session)
{
	size_t len = session->num_windows * session->window_size;

	return dma_memory_open(&session->source, session->dev, len,
			       DOCA_ACCESS_FLAG_LOCAL_READ_ONLY) &&
	       dma_memory_open(&session->target, session->dev, len,
			       DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) &&
	       dma_session_start(session);
}

/* A context is idle again once every task is freed; until then progress brings it there. */
static void context_stop(struct dma_session *session)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(session->dma);
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	doca_error_t result = doca_ctx_stop(ctx);

	if (result != DOCA_ERROR_IN_PROGRESS) {
		doca_ok(result, "stop the DMA context");
		return;
	}
	do {
		(void)doca_pe_progress(session->pe);
	} while (doca_ok(doca_ctx_get_state(ctx, &state), "ask for the context's state") &&
		 state != DOCA_CTX_STATE_IDLE);
}

void dma_session_close(struct dma_session *session)
{
	for (uint32_t i = 0; session->windows != NULL && i < session->num_windows; i++) {
		while (session->windows[i].in_flight)
			(void)doca_pe_progress(session->pe);
		dma_window_close(&session->windows[i]);
	}
	free(session->windows);
	if (session->dma != NULL) {
		context_stop(session);
		doca_ok(doca_dma_destroy(session->dma), "destroy the DMA context");
	}
	if (session->inventory != NULL)
		doca_ok(doca_buf_inventory_destroy(session->inventory), "destroy the inventory");
	dma_memory_close(&session->target);
	dma_memory_close(&session->source);
	if (session->pe != NULL)
		doca_ok(doca_pe_destroy(session->pe), "destroy the progress engine");
	if (session->dev != NULL)
		doca_ok(doca_dev_close(session->dev), "close the device");
	*session = (struct dma_session){.window_size = 0};
}
