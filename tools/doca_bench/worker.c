/* SPDX-License-Identifier: Apache-2.0 */
/* The loops that are measured. Nothing in them but what a program does that copies by DMA. */
#include "worker.h"

#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_ctx.h>

#include "ticks.h"

#define LOOK_BYTES 65536 /* copied between two looks at the clock, and */
#define LOOK_JOBS 64	 /* jobs at most */
#define LOOK_MS 100	 /* asleep between two looks at the signal, which wakes another thread */

/* Jobs go round in the window, one behind the other. */
static uint64_t take_offset(struct worker *worker)
{
	uint64_t offset = worker->next_offset;

	worker->next_offset += worker->setting->stride;
	if (worker->next_offset == worker->end)
		worker->next_offset = worker->offset;
	return offset;
}

static bool is_over(struct worker *worker)
{
	if (worker->num_submitted >= worker->max_jobs)
		worker->is_over = true;
	if (worker->is_over || worker->num_submitted < worker->next_look)
		return worker->is_over;
	worker->next_look = worker->num_submitted + worker->look_jobs;
	worker->is_over =
		interrupted() != 0 ||
		(worker->max_seconds > 0 && now_seconds() - worker->begun >= worker->max_seconds);
	return worker->is_over;
}

static void begin(struct worker *worker)
{
	worker->next_offset = worker->offset;
	worker->num_submitted = 0;
	worker->num_done = 0;
	worker->next_look = 0;
	worker->is_over = false;
	worker->begun = now_seconds();
}

static void end(struct worker *worker)
{
	worker->ended = now_seconds();
}

static uint64_t ns_since(const struct worker *worker, uint64_t then)
{
	return (uint64_t)((double)(ticks() - then) * worker->bench->ns_per_tick);
}

/* A slot that comes to the job that it had keeps its sources, as a program's would. */
static void aim(struct worker *worker, struct slot *slot)
{
	const uint64_t pieces = worker->setting->point.pieces;
	uint64_t len = worker->piece_bytes;
	uint64_t offset = take_offset(worker);

	if (offset == slot->offset) {
		for (uint64_t i = 0; i < pieces; i++)
			(void)doca_buf_reset_data_len(slot->targets[i]);
		return;
	}
	slot->offset = offset;
	for (uint64_t i = 0; i < pieces; i++, offset += len) {
		if (i == pieces - 1)
			len = worker->setting->point.size_bytes - i * len;
		(void)doca_buf_set_data(slot->sources[i], worker->sources + offset, len);
		(void)doca_buf_inventory_buf_reuse_by_addr(slot->targets[i],
							   worker->targets + offset, len);
	}
}

static void fail(struct worker *worker, doca_error_t result)
{
	if (worker->result == DOCA_SUCCESS)
		worker->result = result;
	worker->is_over = true;
}

static void submit(struct worker *worker, struct slot *slot, bool is_last)
{
	struct doca_task *task = doca_dma_task_memcpy_as_task(slot->task);
	doca_error_t result;

	aim(worker, slot);
	if (worker->is_timed)
		slot->submitted_at = ticks();
	result = is_last ? doca_task_submit(task)
			 : doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	if (result == DOCA_SUCCESS) {
		worker->num_submitted++;
	} else {
		fail(worker, result);
		worker->idle[worker->num_idle++] = slot;
	}
}

static void submit_batch(struct worker *worker)
{
	uint64_t left = worker->setting->batch;

	if (left > worker->max_jobs - worker->num_submitted)
		left = worker->max_jobs - worker->num_submitted;
	for (; left > 0 && worker->num_idle > 0 && worker->result == DOCA_SUCCESS; left--) {
		struct slot *slot = worker->idle[--worker->num_idle];

		submit(worker, slot, left == 1 || worker->num_idle == 0);
	}
}

static void submit_batches(struct worker *worker)
{
	while (worker->num_idle >= worker->setting->batch && !is_over(worker))
		submit_batch(worker);
}

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct worker *worker = ctx_user_data.ptr;
	struct slot *slot = task_user_data.ptr;

	if (worker->is_timed)
		histogram_add(&worker->ns[BY_TASKS], ns_since(worker, slot->submitted_at));
	worker->num_done++;
	worker->idle[worker->num_idle++] = slot;
	/* One who sleeps takes first what is ready: its callbacks' submits would never let it
	 * sleep. */
	if (!worker->bench->options->is_by_event)
		submit_batches(worker);
}

static void on_error(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		     union doca_data ctx_user_data)
{
	struct worker *worker = ctx_user_data.ptr;

	fail(worker, doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
	worker->num_done++;
	worker->idle[worker->num_idle++] = task_user_data.ptr;
}

static void wait_for_event(struct worker *worker)
{
	struct pollfd event = {.fd = worker->handle, .events = POLLIN};

	if (doca_pe_request_notification(worker->pe) != DOCA_SUCCESS)
		return;
	(void)poll(&event, 1, LOOK_MS);
	(void)doca_pe_clear_notification(worker->pe, worker->handle);
}

void worker_run_tasks(struct worker *worker)
{
	const bool is_by_event = worker->bench->options->is_by_event != 0;

	begin(worker);
	submit_batches(worker);
	/* Reports of a batch whose last task was not taken never come. */
	while (worker->num_done < worker->num_submitted && worker->result == DOCA_SUCCESS &&
	       interrupted() == 0) {
		if (is_by_event)
			wait_for_event(worker);
		while (doca_pe_progress(worker->pe) != 0)
			;
		if (is_by_event)
			submit_batches(worker);
	}
	end(worker);
}

static void copy_job(struct worker *worker)
{
	const uint64_t pieces = worker->setting->point.pieces;
	const uint64_t len = worker->piece_bytes;
	const uint64_t offset = take_offset(worker);
	const uint8_t *source = worker->bench->source.bytes + offset;
	uint8_t *target = worker->bench->target.bytes + offset;

	for (uint64_t i = 0; i + 1 < pieces; i++, source += len, target += len)
		memcpy(target, source, len);
	memcpy(target, source, worker->setting->point.size_bytes - len * (pieces - 1));
}

void worker_run_memcpy(struct worker *worker)
{
	begin(worker);
	for (; !is_over(worker); worker->num_submitted++) {
		uint64_t then = worker->is_timed ? ticks() : 0;

		copy_job(worker);
		if (worker->is_timed)
			histogram_add(&worker->ns[BY_MEMCPY], ns_since(worker, then));
	}
	worker->num_done = worker->num_submitted;
	end(worker);
}

static bool context_open(struct worker *worker)
{
	const struct result *setting = worker->setting;
	const uint64_t num_bufs = 2 * setting->depth * setting->point.pieces;
	union doca_data user_data = {.ptr = worker};
	struct doca_ctx *ctx;

	if (!DOCA(doca_pe_create(&worker->pe)) ||
	    !DOCA(doca_pe_get_notification_handle(worker->pe, &worker->handle)) ||
	    !DOCA(doca_buf_inventory_create(num_bufs, &worker->inventory)) ||
	    !DOCA(doca_buf_inventory_start(worker->inventory)) ||
	    !DOCA(doca_dma_create(worker->bench->dev, &worker->dma)))
		return false;
	ctx = doca_dma_as_ctx(worker->dma);
	return DOCA(doca_dma_task_memcpy_set_conf(worker->dma, on_done, on_error,
						  (uint32_t)setting->depth)) &&
	       DOCA(doca_ctx_set_user_data(ctx, user_data)) &&
	       DOCA(doca_pe_connect_ctx(worker->pe, ctx)) && DOCA(doca_ctx_start(ctx));
}

/* A list whose elements each may lie anywhere in the memory. */
static bool list_open(struct worker *worker, struct doca_mmap *mmap, uint8_t *bytes,
		      struct doca_buf **list)
{
	const size_t len = worker->bench->source.len;

	for (uint64_t i = 0; i < worker->setting->point.pieces; i++) {
		if (!DOCA(doca_buf_inventory_buf_get_by_addr(worker->inventory, mmap, bytes, len,
							     &list[i])) ||
		    (i > 0 && !DOCA(doca_buf_chain_list_tail(list[0], list[i - 1], list[i]))))
			return false;
	}
	return true;
}

static bool slot_open(struct worker *worker, struct slot *slot)
{
	union doca_data user_data = {.ptr = slot};

	slot->offset = UINT64_MAX;
	if (!list_open(worker, worker->source_mmap, worker->sources, slot->sources) ||
	    !list_open(worker, worker->target_mmap, worker->targets, slot->targets) ||
	    !DOCA(doca_dma_task_memcpy_alloc_init(worker->dma, slot->sources[0], slot->targets[0],
						  user_data, &slot->task)))
		return false;
	worker->idle[worker->num_idle++] = slot;
	return true;
}

/* The companion's memory stands in for one of the sides. */
static void take_sides(struct worker *worker)
{
	const struct bench *bench = worker->bench;
	const struct companion *companion = &bench->companion;
	const bool is_in = bench->options->has_remote_input;
	const bool is_out = bench->options->has_remote_output;
	const struct point *point = &worker->setting->point;

	worker->sources = is_in ? companion->bytes : bench->source.bytes;
	worker->source_mmap = is_in ? companion->mmap : bench->source.mmap;
	worker->targets = is_out ? companion->bytes : bench->target.bytes;
	worker->target_mmap = is_out ? companion->mmap : bench->target.mmap;
	worker->end = worker->offset + worker->setting->num_jobs * worker->setting->stride;
	worker->piece_bytes = point->size_bytes / point->pieces;
	worker->look_jobs = 1 + LOOK_BYTES / point->size_bytes;
	if (worker->look_jobs > LOOK_JOBS)
		worker->look_jobs = LOOK_JOBS;
}

/* Last of all: an engine's own threads are not to inherit it. */
static bool bind_to_cpu(const struct worker *worker)
{
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(worker->cpu, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) == 0)
		return true;
	say("cannot run on CPU %d: %m", worker->cpu);
	return false;
}

bool worker_open(struct worker *worker)
{
	const uint64_t depth = worker->setting->depth;
	const uint64_t pieces = worker->setting->point.pieces;

	take_sides(worker);
	worker->slots = calloc(depth, sizeof(*worker->slots));
	worker->idle = calloc(depth, sizeof(struct slot *));
	worker->bufs = calloc(2 * depth * pieces, sizeof(struct doca_buf *));
	if (worker->slots == NULL || worker->idle == NULL || worker->bufs == NULL) {
		say("cannot allocate %llu tasks: %m", (unsigned long long)depth);
		return false;
	}
	if (!context_open(worker))
		return false;
	for (uint64_t i = 0; i < depth; i++) {
		worker->slots[i].sources = &worker->bufs[2 * i * pieces];
		worker->slots[i].targets = worker->slots[i].sources + pieces;
		if (!slot_open(worker, &worker->slots[i]))
			return false;
	}
	return bind_to_cpu(worker);
}

static void stop(struct worker *worker)
{
	doca_error_t result = doca_ctx_stop(doca_dma_as_ctx(worker->dma));

	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		say("doca_ctx_stop: %s", doca_error_get_name(result));
	/* One that failed or was interrupted left tasks in flight. */
	for (worker->is_over = true; worker->num_done < worker->num_submitted;)
		(void)doca_pe_progress(worker->pe);
}

static void context_close(struct worker *worker)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(worker->dma);
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	while (DOCA(doca_ctx_get_state(ctx, &state)) && state != DOCA_CTX_STATE_IDLE)
		(void)doca_pe_progress(worker->pe);
	DOCA(doca_dma_destroy(worker->dma));
}

void worker_close(struct worker *worker)
{
	const uint64_t pieces = worker->setting->point.pieces;

	if (worker->dma != NULL)
		stop(worker);
	for (uint64_t i = 0; worker->slots != NULL && i < worker->setting->depth; i++)
		if (worker->slots[i].task != NULL)
			doca_task_free(doca_dma_task_memcpy_as_task(worker->slots[i].task));
	/* Each list goes by its head; one that is not whole goes with the process. */
	for (uint64_t i = 0; worker->bufs != NULL && i < 2 * worker->setting->depth; i++)
		if (worker->bufs[i * pieces] != NULL)
			DOCA(doca_buf_dec_refcount(worker->bufs[i * pieces], NULL));
	if (worker->dma != NULL)
		context_close(worker);
	if (worker->inventory != NULL)
		DOCA(doca_buf_inventory_destroy(worker->inventory));
	if (worker->pe != NULL)
		DOCA(doca_pe_destroy(worker->pe));
	free(worker->slots);
	free(worker->idle);
	free(worker->bufs);
}
