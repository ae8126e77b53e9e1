/* SPDX-License-Identifier: Apache-2.0 */
/* One thread that copies: by tasks of a context of its own, or by memcpy, as long as it is told. */
#ifndef DOCA_BENCH_WORKER_H_
#define DOCA_BENCH_WORKER_H_

#include <pthread.h>

#include <doca_buf_inventory.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "bench.h"
#include "histogram.h"

/* A task, and the buffers that it is pointed at one job after the other with. */
struct slot {
	struct doca_dma_task_memcpy *task;
	struct doca_buf **sources; /* pieces of them; the targets follow */
	struct doca_buf **targets;
	uint64_t offset;       /* what they point at */
	uint64_t submitted_at; /* ticks */
};

struct crew; /* in measure.c */

struct worker {
	struct crew *crew;
	pthread_t thread;
	bool is_open;
	const struct bench *bench;
	const struct result *setting;
	uint64_t number;
	int cpu;
	uint64_t offset; /* of its window, on both sides */
	uint64_t end;	 /* of its window */
	uint64_t piece_bytes;
	uint8_t *sources; /* where tasks find both sides' memory */
	uint8_t *targets;
	struct doca_mmap *source_mmap;
	struct doca_mmap *target_mmap;
	uint64_t look_jobs; /* between two looks at the clock */
	bool is_timed;	    /* each job is */

	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_buf_inventory *inventory;
	doca_notification_handle_t handle;
	struct slot *slots;	/* depth of them */
	struct doca_buf **bufs; /* all of the slots' */
	struct slot **idle;	/* a stack of those without a job */
	uint64_t num_idle;

	/* The phase: what it may do, and what it did. */
	uint64_t max_jobs;
	double max_seconds;   /* 0: any time */
	uint64_t next_offset; /* of a job */
	uint64_t num_submitted;
	uint64_t num_done;
	uint64_t next_look; /* at the clock, when so many are submitted */
	double begun;
	double ended;
	bool is_over;
	doca_error_t result; /* the first that failed */
	struct histogram ns[NUM_WHO];
};

/* False, and a line said, when it cannot; worker_close in both cases. On the thread that copies. */
bool worker_open(struct worker *worker);
void worker_close(struct worker *worker);

/* Until max_jobs or max_seconds; num_done, begun and ended say what became of it. */
void worker_run_tasks(struct worker *worker);
void worker_run_memcpy(struct worker *worker);

#endif /* DOCA_BENCH_WORKER_H_ */
