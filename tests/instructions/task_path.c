/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of 64 bytes, 32 at a time, whose instructions gate.py counts: task_path WHAT NUMBER. WHAT
 * is how much of a copy is made anew each time: nothing (the task is submitted again), task, or all
 * (the task and both buffers).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#define DEPTH 32
#define COPY_BYTES 64

enum anew {
	ANEW_NOTHING,
	ANEW_TASK,
	ANEW_ALL,
	ANEW_COUNT,
};

static const char *const anew_names[ANEW_COUNT] = {"nothing", "task", "all"};

struct path {
	enum anew anew;
	unsigned long left; /* to be submitted */
	unsigned long done;
	struct doca_dma *dma;
	struct doca_pe *pe;
	struct doca_buf_inventory *inventory;
	struct doca_mmap *source_map;
	struct doca_mmap *target_map;
	struct doca_buf *sources[DEPTH];
	struct doca_buf *targets[DEPTH];
	char source[DEPTH][COPY_BYTES];
	char target[DEPTH][COPY_BYTES];
};

static void must(doca_error_t result, const char *what)
{
	if (result == DOCA_SUCCESS)
		return;
	fprintf(stderr, "%s: %s\n", what, doca_error_get_descr(result));
	exit(1);
}

#define MUST(call) must(call, #call)

static void get_buffers(struct path *path, uint64_t slot)
{
	MUST(doca_buf_inventory_buf_get_by_data(path->inventory, path->source_map,
						path->source[slot], COPY_BYTES,
						&path->sources[slot]));
	MUST(doca_buf_inventory_buf_get_by_addr(path->inventory, path->target_map,
						path->target[slot], COPY_BYTES,
						&path->targets[slot]));
}

static void drop_buffers(struct path *path, uint64_t slot)
{
	MUST(doca_buf_dec_refcount(path->sources[slot], NULL));
	MUST(doca_buf_dec_refcount(path->targets[slot], NULL));
}

static void submit_new(struct path *path, uint64_t slot)
{
	struct doca_dma_task_memcpy *task;

	MUST(doca_dma_task_memcpy_alloc_init(path->dma, path->sources[slot], path->targets[slot],
					     (union doca_data){.u64 = slot}, &task));
	MUST(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

/* A copy is done: begin another in its slot, or leave what is left there to the end. */
static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct path *path = ctx_data.ptr;
	uint64_t slot = task_data.u64;
	bool is_last = path->left == 0;

	path->done++;
	if (!is_last)
		path->left--;
	if (is_last || path->anew != ANEW_NOTHING)
		doca_task_free(doca_dma_task_memcpy_as_task(task));
	if (is_last || path->anew == ANEW_ALL)
		drop_buffers(path, slot);
	if (is_last)
		return;
	if (path->anew == ANEW_ALL)
		get_buffers(path, slot);
	else
		MUST(doca_buf_reset_data_len(path->targets[slot]));
	if (path->anew == ANEW_NOTHING)
		MUST(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	else
		submit_new(path, slot);
}

static void on_error(struct doca_dma_task_memcpy *task, union doca_data task_data,
		     union doca_data ctx_data)
{
	must(doca_task_get_status(doca_dma_task_memcpy_as_task(task)), "a copy");
}

static struct doca_mmap *map(struct doca_dev *dev, void *memory)
{
	struct doca_mmap *made;

	MUST(doca_mmap_create(&made));
	MUST(doca_mmap_add_dev(made, dev));
	MUST(doca_mmap_set_memrange(made, memory, (size_t)DEPTH * COPY_BYTES));
	MUST(doca_mmap_start(made));
	return made;
}

static struct doca_dev *open_first(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t num_devs;

	MUST(doca_devinfo_create_list(&list, &num_devs));
	MUST(doca_dev_open(list[0], &dev));
	MUST(doca_devinfo_destroy_list(list));
	return dev;
}

static void set_up(struct path *path)
{
	struct doca_dev *dev = open_first();
	struct doca_ctx *ctx;

	path->source_map = map(dev, path->source);
	path->target_map = map(dev, path->target);
	MUST(doca_buf_inventory_create(2 * (size_t)DEPTH, &path->inventory));
	MUST(doca_buf_inventory_start(path->inventory));
	MUST(doca_pe_create(&path->pe));
	MUST(doca_dma_create(dev, &path->dma));
	ctx = doca_dma_as_ctx(path->dma);
	MUST(doca_pe_connect_ctx(path->pe, ctx));
	MUST(doca_ctx_set_user_data(ctx, (union doca_data){.ptr = path}));
	MUST(doca_dma_task_memcpy_set_conf(path->dma, on_done, on_error, DEPTH));
	MUST(doca_ctx_start(ctx));
}

int main(int argc, char **argv)
{
	static struct path path;
	unsigned long number = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	while (argc == 3 && path.anew < ANEW_COUNT && strcmp(argv[1], anew_names[path.anew]) != 0)
		path.anew++;
	if (number < DEPTH || path.anew == ANEW_COUNT) {
		fprintf(stderr, "usage: task_path nothing|task|all NUMBER, from %d\n", DEPTH);
		return 2;
	}
	memset(path.source, 'a', sizeof(path.source));
	set_up(&path);
	path.left = number - DEPTH;
	for (uint64_t slot = 0; slot < DEPTH; slot++) {
		get_buffers(&path, slot);
		submit_new(&path, slot);
	}
	while (path.done < number)
		(void)doca_pe_progress(path.pe);
	if (memcmp(path.source, path.target, sizeof(path.source)) != 0) {
		fprintf(stderr, "the copies differ\n");
		return 1;
	}
	return 0;
}
