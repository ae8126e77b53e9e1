/* SPDX-License-Identifier: Apache-2.0 */
/* DMA tasks that do a work, through the shared libraries as any program uses them. */
#ifndef BENCH_COPIER_H_
#define BENCH_COPIER_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "measure.h"

/* Give up, with those words, unless it worked. */
void must(doca_error_t result, const char *what);

struct doca_dev *open_dma_device(void);

/* Registered memory. For another process's: the address there of what `bytes` are a copy of. */
struct area {
	struct doca_dev *dev;
	struct doca_mmap *map;
	uint8_t *bytes;
	uint8_t *addr;
};

struct area area_open(struct doca_dev *dev, uint8_t *bytes, size_t len);
void area_close(struct area *area);

/* A device with two areas of random bytes, of this process. */
struct field {
	struct doca_dev *dev;
	struct area source;
	struct area target;
};

struct field field_open(size_t len);
void field_close(struct field *field);

struct slot {
	struct doca_task *task;
	struct doca_buf *source;   /* heads */
	struct doca_buf **targets; /* every element, to be rewound; borrowed from the copier */
	size_t num_targets;
};

/*
 * Each task takes the next `pieces` copies of the work, as lists; a side whose pieces lie in a row
 * may be one buffer instead.
 */
struct copier_options {
	size_t pieces;
	bool one_source;
	bool one_target;
	bool renews; /* task and buffers are freed in each callback, and new ones taken */
};

struct copier {
	struct copier_options options;
	const struct work *work;
	const struct area *source;
	const struct area *target;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_buf_inventory *inventory;
	struct slot *slots;	   /* one a task */
	struct doca_buf **targets; /* of all slots */
	size_t num;
	int64_t to_submit; /* what callbacks have still to do */
	size_t in_flight;
};

void copier_open(struct copier *copier, const struct area *source, const struct area *target,
		 const struct work *work, struct copier_options options);
void copier_close(struct copier *copier);

/* A way of measure(), at least once: all tasks in flight, each submitted again by its callback. */
void copier_run(void *copier, size_t times);

#endif /* BENCH_COPIER_H_ */
