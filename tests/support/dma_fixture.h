/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of DMA share: an open device, a running context, two guarded areas of memory. */
#ifndef TESTS_SUPPORT_DMA_FIXTURE_H_
#define TESTS_SUPPORT_DMA_FIXTURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds that a test waits for what must come at once; long, for slow checkers. */
#define TEST_DEADLINE_S 30

enum dma_event_kind {
	DMA_EVENT_SUCCESS,
	DMA_EVENT_ERROR,
	DMA_EVENT_STATE,
};

/* One callback, as the recording callbacks saw it. */
struct dma_event {
	enum dma_event_kind kind;
	const struct doca_ctx *ctx;
	uint64_t tag;		    /* the task's user data */
	doca_error_t status;	    /* the task's */
	enum doca_ctx_states prev;  /* of a DMA_EVENT_STATE */
	enum doca_ctx_states state; /* of the context while the callback ran */
};

#define DMA_MAX_EVENTS 512

/* Zeros stand for the usual: see dma_open(). */
struct dma_options {
	size_t area_bytes;
	size_t num_bufs;
	uint32_t num_tasks;
	uint32_t source_access; /* used when has_access is set */
	uint32_t target_access;
	bool has_access;
	bool keeps_tasks; /* the recording callbacks do not free the task and its buffers */
	bool stays_idle;  /* the context is not started */
	doca_dma_task_memcpy_completion_cb_t success_cb;
	doca_dma_task_memcpy_completion_cb_t error_cb;
	doca_ctx_state_changed_callback_t state_cb;
	void *user; /* the test's own */
};

struct dma_area {
	struct doca_mmap *mmap;
	uint8_t *bytes;
	size_t len_bytes;
	uint8_t *memory; /* owned: a guard, bytes, a guard */
};

/* A context's user data points to its fixture. */
struct dma_fixture {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_dma *dma; /* NULL: the test destroyed it */
	struct doca_ctx *ctx;
	struct doca_buf_inventory *inventory;
	struct dma_area source;
	struct dma_area target;
	struct dma_options options;
	size_t num_success;
	size_t num_error;
	size_t num_events; /* recorded; those beyond the room are only counted above */
	struct dma_event events[DMA_MAX_EVENTS];
	size_t num_fds; /* open before */
};

/*
 * The first device with DMA, an engine, a running context of 64 tasks with the recording callbacks,
 * an inventory of 256 buffers, two areas of 64 KiB: the source counts up, the target is filled with
 * TARGET_BYTE.
 */
#define TARGET_BYTE 0xa5
struct dma_fixture *dma_open(const struct dma_options *options);

/*
 * Stop what runs, destroy all; then the guards must be whole, every buffer back and no file
 * descriptor left.
 */
void dma_close(struct dma_fixture *fixture);

/* The pieces that dma_open() is made of, for tests that need more of them. */
struct doca_dev *dma_open_device(void);
struct doca_dma *dma_add_context(struct dma_fixture *fixture);
void dma_area_open(struct dma_area *area, struct doca_dev *dev, size_t len_bytes, uint32_t access);
void dma_area_close(struct dma_area *area);

/* Buffers over a part of an area: full of data for the source, empty for the target. */
struct doca_buf *dma_source(struct dma_fixture *fixture, size_t offset, size_t len_bytes);
struct doca_buf *dma_target(struct dma_fixture *fixture, size_t offset, size_t len_bytes);

/* A task of the fixture's context over two buffers. */
struct doca_task *dma_task(struct dma_fixture *fixture, struct doca_buf *source,
			   struct doca_buf *target, uint64_t tag);

/* A task that copies len_bytes at offset of the source to the same offset of the target. */
struct doca_task *dma_copy_task(struct dma_fixture *fixture, size_t offset, size_t len_bytes,
				uint64_t tag);

/* The memcpy view of a memcpy task. */
struct doca_dma_task_memcpy *dma_memcpy_of(struct doca_task *task);

/* Free a task and release both its buffers. */
void dma_task_release(struct doca_task *task);

/* The recording callbacks, for tests that wrap them. */
void dma_record_success(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			union doca_data ctx_user_data);
void dma_record_error(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		      union doca_data ctx_user_data);
void dma_record_state(const union doca_data user_data, struct doca_ctx *ctx,
		      enum doca_ctx_states prev_state, enum doca_ctx_states next_state);

enum doca_ctx_states dma_state(const struct doca_ctx *ctx);
size_t dma_inflight(const struct doca_ctx *ctx);
size_t dma_data_len(const struct doca_buf *buf);

/* The part of the target holds the same bytes as that part of the source. */
bool dma_was_copied(const struct dma_fixture *fixture, size_t offset, size_t len_bytes);

/* The part of the target is as dma_open() filled it. */
bool dma_is_untouched(const struct dma_fixture *fixture, size_t offset, size_t len_bytes);

/* Progress until the condition holds; false when the deadline passed first. */
bool pe_progress_until(struct doca_pe *pe, bool (*condition)(void *arg), void *arg,
		       unsigned deadline_s);

/* Progress until that many tasks have completed since dma_open(); fails the test otherwise. */
void dma_wait_tasks(struct dma_fixture *fixture, size_t num_tasks);

/* Progress until the context is in that state; fails the test otherwise. */
void dma_wait_state(struct dma_fixture *fixture, struct doca_ctx *ctx, enum doca_ctx_states state);

/* Progress until it has answered 0 a hundred times in a row. Returns how often it answered 1. */
size_t dma_progress_dry(struct dma_fixture *fixture);

/* Monotonic clock, in nanoseconds. */
uint64_t test_clock_ns(void);

/* True when poll() finds the descriptor readable within the time. */
bool test_fd_is_readable(int fd, int timeout_ms);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TESTS_SUPPORT_DMA_FIXTURE_H_ */
