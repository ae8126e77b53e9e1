/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes what the tests of DMA share, and records what callbacks see. */
#include "support/dma_fixture.h"

#include <dirent.h>
#include <poll.h>
#include <time.h>

#include "support/test.h"

#define GUARD_BYTES 64
#define GUARD_BYTE 0x5c

static size_t count_open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t num_fds = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		num_fds++;
	closedir(dir);
	return num_fds;
}

uint64_t test_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

bool test_fd_is_readable(int fd, int timeout_ms)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};

	return poll(&entry, 1, timeout_ms) == 1 && (entry.revents & POLLIN) != 0;
}

struct doca_dev *dma_open_device(void)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	for (uint32_t i = 0; i < num_devs && dev == NULL; i++) {
		if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS)
			assert_doca(doca_dev_open(list[i], &dev), DOCA_SUCCESS);
	}
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_non_null(dev);
	return dev;
}

void dma_area_open(struct dma_area *area, struct doca_dev *dev, size_t len_bytes, uint32_t access)
{
	area->len_bytes = len_bytes;
	area->memory = malloc(len_bytes + 2 * GUARD_BYTES);
	assert_non_null(area->memory);
	memset(area->memory, GUARD_BYTE, len_bytes + 2 * GUARD_BYTES);
	area->bytes = area->memory + GUARD_BYTES;

	assert_doca(doca_mmap_create(&area->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(area->mmap, area->bytes, len_bytes), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(area->mmap, access), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(area->mmap, dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(area->mmap), DOCA_SUCCESS);
}

void dma_area_close(struct dma_area *area)
{
	uint8_t *after = area->bytes + area->len_bytes;

	assert_doca(doca_mmap_destroy(area->mmap), DOCA_SUCCESS);
	for (size_t i = 0; i < GUARD_BYTES; i++) {
		assert_int_equal(area->memory[i], GUARD_BYTE);
		assert_int_equal(after[i], GUARD_BYTE);
	}
	free(area->memory);
}

static void record(struct dma_fixture *fixture, const struct dma_event *event)
{
	if (fixture->num_events < DMA_MAX_EVENTS)
		fixture->events[fixture->num_events++] = *event;
}

static void record_task(struct doca_dma_task_memcpy *memcpy_task, union doca_data task_user_data,
			union doca_data ctx_user_data, enum dma_event_kind kind)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct doca_task *task = doca_dma_task_memcpy_as_task(memcpy_task);
	struct dma_event event = {
		.kind = kind,
		.ctx = doca_task_get_ctx(task),
		.tag = task_user_data.u64,
		.status = doca_task_get_status(task),
		.state = dma_state(doca_task_get_ctx(task)),
	};

	record(fixture, &event);
	if (kind == DMA_EVENT_SUCCESS)
		fixture->num_success++;
	else
		fixture->num_error++;
	if (!fixture->options.keeps_tasks)
		dma_task_release(task);
}

void dma_record_success(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	record_task(task, task_user_data, ctx_user_data, DMA_EVENT_SUCCESS);
}

void dma_record_error(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	record_task(task, task_user_data, ctx_user_data, DMA_EVENT_ERROR);
}

void dma_record_state(const union doca_data user_data, struct doca_ctx *ctx,
		      enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_event event = {
		.kind = DMA_EVENT_STATE,
		.ctx = ctx,
		.prev = prev_state,
		.state = next_state,
	};

	record(user_data.ptr, &event);
}

struct doca_dma *dma_add_context(struct dma_fixture *fixture)
{
	const struct dma_options *options = &fixture->options;
	union doca_data user_data = {.ptr = fixture};
	struct doca_dma *dma = NULL;
	struct doca_ctx *ctx;

	assert_doca(doca_dma_create(fixture->dev, &dma), DOCA_SUCCESS);
	ctx = doca_dma_as_ctx(dma);
	assert_doca(doca_dma_task_memcpy_set_conf(dma, options->success_cb, options->error_cb,
						  options->num_tasks),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(ctx, user_data), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_state_changed_cb(ctx, options->state_cb), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(fixture->pe, ctx), DOCA_SUCCESS);
	if (!options->stays_idle)
		assert_doca(doca_ctx_start(ctx), DOCA_SUCCESS);
	return dma;
}

static void fill_defaults(struct dma_options *options)
{
	if (options->area_bytes == 0)
		options->area_bytes = 64 * 1024;
	if (options->num_bufs == 0)
		options->num_bufs = 256;
	if (options->num_tasks == 0)
		options->num_tasks = 64;
	if (!options->has_access) {
		options->source_access = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;
		options->target_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	}
	if (options->success_cb == NULL)
		options->success_cb = dma_record_success;
	if (options->error_cb == NULL)
		options->error_cb = dma_record_error;
	if (options->state_cb == NULL)
		options->state_cb = dma_record_state;
}

struct dma_fixture *dma_open(const struct dma_options *options)
{
	struct dma_fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->num_fds = count_open_fds();
	fixture->options = *options;
	fill_defaults(&fixture->options);

	fixture->dev = dma_open_device();
	dma_area_open(&fixture->source, fixture->dev, fixture->options.area_bytes,
		      fixture->options.source_access);
	dma_area_open(&fixture->target, fixture->dev, fixture->options.area_bytes,
		      fixture->options.target_access);
	for (size_t i = 0; i < fixture->source.len_bytes; i++)
		fixture->source.bytes[i] = (uint8_t)(i + i / 256 + i / 65536);
	memset(fixture->target.bytes, TARGET_BYTE, fixture->target.len_bytes);

	assert_doca(doca_buf_inventory_create(fixture->options.num_bufs, &fixture->inventory),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(fixture->inventory), DOCA_SUCCESS);
	assert_doca(doca_pe_create(&fixture->pe), DOCA_SUCCESS);
	fixture->dma = dma_add_context(fixture);
	fixture->ctx = doca_dma_as_ctx(fixture->dma);
	return fixture;
}

void dma_close(struct dma_fixture *fixture)
{
	if (fixture->dma != NULL) {
		if (dma_state(fixture->ctx) == DOCA_CTX_STATE_RUNNING)
			(void)doca_ctx_stop(fixture->ctx);
		dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
		assert_doca(doca_dma_destroy(fixture->dma), DOCA_SUCCESS);
	}
	assert_doca(doca_pe_destroy(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(fixture->inventory), DOCA_SUCCESS);
	dma_area_close(&fixture->target);
	dma_area_close(&fixture->source);
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
	assert_int_equal(count_open_fds(), fixture->num_fds);
	free(fixture);
}

struct doca_buf *dma_source(struct dma_fixture *fixture, size_t offset, size_t len_bytes)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_data(fixture->inventory, fixture->source.mmap,
						       fixture->source.bytes + offset, len_bytes,
						       &buf),
		    DOCA_SUCCESS);
	return buf;
}

struct doca_buf *dma_target(struct dma_fixture *fixture, size_t offset, size_t len_bytes)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->target.mmap,
						       fixture->target.bytes + offset, len_bytes,
						       &buf),
		    DOCA_SUCCESS);
	return buf;
}

struct doca_task *dma_task(struct dma_fixture *fixture, struct doca_buf *source,
			   struct doca_buf *target, uint64_t tag)
{
	union doca_data user_data = {.u64 = tag};
	struct doca_dma_task_memcpy *task = NULL;

	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, source, target, user_data, &task),
		    DOCA_SUCCESS);
	return doca_dma_task_memcpy_as_task(task);
}

struct doca_task *dma_copy_task(struct dma_fixture *fixture, size_t offset, size_t len_bytes,
				uint64_t tag)
{
	return dma_task(fixture, dma_source(fixture, offset, len_bytes),
			dma_target(fixture, offset, len_bytes), tag);
}

struct doca_dma_task_memcpy *dma_memcpy_of(struct doca_task *task)
{
	/* One object has two names: what as_task() gives is where the memcpy task begins. */
	struct doca_dma_task_memcpy *memcpy_task = (struct doca_dma_task_memcpy *)task;

	assert_ptr_equal(doca_dma_task_memcpy_as_task(memcpy_task), task);
	return memcpy_task;
}

void dma_task_release(struct doca_task *task)
{
	struct doca_dma_task_memcpy *memcpy_task = (struct doca_dma_task_memcpy *)task;
	struct doca_buf *source = (struct doca_buf *)doca_dma_task_memcpy_get_src(memcpy_task);
	struct doca_buf *target = doca_dma_task_memcpy_get_dst(memcpy_task);

	doca_task_free(task);
	if (source != NULL)
		(void)doca_buf_dec_refcount(source, NULL);
	if (target != NULL)
		(void)doca_buf_dec_refcount(target, NULL);
}

enum doca_ctx_states dma_state(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_STARTING;

	/* Callbacks call this: no assertion, a failure shows as a state that no test expects. */
	(void)doca_ctx_get_state(ctx, &state);
	return state;
}

size_t dma_inflight(const struct doca_ctx *ctx)
{
	size_t num_tasks = SIZE_MAX;

	assert_doca(doca_ctx_get_num_inflight_tasks(ctx, &num_tasks), DOCA_SUCCESS);
	return num_tasks;
}

size_t dma_data_len(const struct doca_buf *buf)
{
	size_t len_bytes = SIZE_MAX;

	assert_doca(doca_buf_get_data_len(buf, &len_bytes), DOCA_SUCCESS);
	return len_bytes;
}

bool dma_was_copied(const struct dma_fixture *fixture, size_t offset, size_t len_bytes)
{
	return memcmp(fixture->target.bytes + offset, fixture->source.bytes + offset, len_bytes) ==
	       0;
}

bool dma_is_untouched(const struct dma_fixture *fixture, size_t offset, size_t len_bytes)
{
	for (size_t i = 0; i < len_bytes; i++) {
		if (fixture->target.bytes[offset + i] != TARGET_BYTE)
			return false;
	}
	return true;
}

bool pe_progress_until(struct doca_pe *pe, bool (*condition)(void *arg), void *arg,
		       unsigned deadline_s)
{
	uint64_t deadline_ns = test_clock_ns() + (uint64_t)deadline_s * 1000000000U;

	while (!condition(arg)) {
		if (doca_pe_progress(pe) == 0 && test_clock_ns() > deadline_ns)
			return false;
	}
	return true;
}

struct waited {
	struct dma_fixture *fixture;
	size_t num_tasks;
	struct doca_ctx *ctx;
	enum doca_ctx_states state;
};

static bool tasks_have_completed(void *arg)
{
	const struct waited *waited = arg;

	return waited->fixture->num_success + waited->fixture->num_error >= waited->num_tasks;
}

static bool state_is_reached(void *arg)
{
	const struct waited *waited = arg;

	return dma_state(waited->ctx) == waited->state;
}

void dma_wait_tasks(struct dma_fixture *fixture, size_t num_tasks)
{
	struct waited waited = {.fixture = fixture, .num_tasks = num_tasks};

	assert_true(pe_progress_until(fixture->pe, tasks_have_completed, &waited, TEST_DEADLINE_S));
}

void dma_wait_state(struct dma_fixture *fixture, struct doca_ctx *ctx, enum doca_ctx_states state)
{
	struct waited waited = {.ctx = ctx, .state = state};

	assert_true(pe_progress_until(fixture->pe, state_is_reached, &waited, TEST_DEADLINE_S));
}

size_t dma_progress_dry(struct dma_fixture *fixture)
{
	size_t num_steps = 0;

	for (unsigned num_idle = 0; num_idle < 100; num_idle++) {
		if (doca_pe_progress(fixture->pe) != 0) {
			num_steps++;
			num_idle = 0;
		}
	}
	return num_steps;
}
