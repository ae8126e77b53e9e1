/* SPDX-License-Identifier: Apache-2.0 */
/* Sets DMA up for a work, and does it with tasks that stay in flight. */
#include "copier.h"

#include <stdlib.h>

#include <doca_buf_inventory.h>
#include <doca_ctx.h>

void must(doca_error_t result, const char *what)
{
	if (result != DOCA_SUCCESS)
		give_up("cannot %s: %s", what, doca_error_get_name(result));
}

struct doca_dev *open_dma_device(void)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num = 0;

	must(doca_devinfo_create_list(&list, &num), "list the devices");
	for (uint32_t i = 0; i < num && dev == NULL; i++) {
		if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS)
			must(doca_dev_open(list[i], &dev), "open the device");
	}
	must(doca_devinfo_destroy_list(list), "release the list of devices");
	if (dev == NULL)
		give_up("no device can copy");
	return dev;
}

struct area area_open(struct doca_dev *dev, uint8_t *bytes, size_t len)
{
	struct area area = {.dev = dev, .bytes = bytes, .addr = bytes};

	must(doca_mmap_create(&area.map), "create a map");
	must(doca_mmap_add_dev(area.map, dev), "give a map its device");
	must(doca_mmap_set_memrange(area.map, bytes, len), "give a map its range");
	must(doca_mmap_set_permissions(area.map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	     "give a map its rights");
	must(doca_mmap_start(area.map), "start a map");
	return area;
}

void area_close(struct area *area)
{
	must(doca_mmap_destroy(area->map), "destroy a map");
}

struct field field_open(size_t len)
{
	struct field field = {.dev = open_dma_device()};

	field.source = area_open(field.dev, random_memory(len, 1), len);
	field.target = area_open(field.dev, random_memory(len, 2), len);
	return field;
}

void field_close(struct field *field)
{
	area_close(&field->source);
	area_close(&field->target);
	must(doca_dev_close(field->dev), "close the device");
}

static void *in_area(const struct area *area, const uint8_t *bytes)
{
	return area->addr + (bytes - area->bytes);
}

static struct doca_buf *get_source(const struct copier *copier, const struct copy *copy, size_t len)
{
	struct doca_buf *buf = NULL;

	must(doca_buf_inventory_buf_get_by_data(copier->inventory, copier->source->map,
						in_area(copier->source, copy->from), len, &buf),
	     "get a source");
	return buf;
}

static struct doca_buf *get_target(const struct copier *copier, const struct copy *copy, size_t len)
{
	struct doca_buf *buf = NULL;

	must(doca_buf_inventory_buf_get_by_addr(copier->inventory, copier->target->map,
						in_area(copier->target, copy->to), len, &buf),
	     "get a target");
	return buf;
}

/* The buffers of a task: a list of its pieces on either side, or one buffer for all of them. */
static void make_lists(const struct copier *copier, struct slot *slot)
{
	const struct copier_options *options = &copier->options;
	size_t first = (size_t)(slot - copier->slots) * options->pieces;
	const struct copy *copies = &copier->work->copies[first];
	size_t whole = copies->len * options->pieces;

	slot->targets = &copier->targets[first];
	slot->num_targets = options->one_target ? 1 : options->pieces;
	slot->source = get_source(copier, copies, options->one_source ? whole : copies->len);
	slot->targets[0] = get_target(copier, copies, options->one_target ? whole : copies->len);
	for (size_t i = 1; i < options->pieces && !options->one_source; i++)
		must(doca_buf_chain_list(slot->source,
					 get_source(copier, &copies[i], copies[i].len)),
		     "chain a source");
	for (size_t i = 1; i < slot->num_targets; i++) {
		slot->targets[i] = get_target(copier, &copies[i], copies[i].len);
		must(doca_buf_chain_list(slot->targets[0], slot->targets[i]), "chain a target");
	}
}

static void fill(struct copier *copier, struct slot *slot)
{
	union doca_data user_data = {.ptr = slot};
	struct doca_dma_task_memcpy *task;

	make_lists(copier, slot);
	must(doca_dma_task_memcpy_alloc_init(copier->dma, slot->source, slot->targets[0], user_data,
					     &task),
	     "allocate a task");
	slot->task = doca_dma_task_memcpy_as_task(task);
}

static void empty(struct slot *slot)
{
	doca_task_free(slot->task);
	must(doca_buf_dec_refcount(slot->source, NULL), "release a source");
	must(doca_buf_dec_refcount(slot->targets[0], NULL), "release a target");
}

static void submit(struct slot *slot)
{
	doca_error_t result = doca_task_submit(slot->task);

	if (result != DOCA_SUCCESS)
		must(result, "submit a task");
}

static void succeeded(struct doca_dma_task_memcpy *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	struct copier *copier = ctx_data.ptr;
	struct slot *slot = task_data.ptr;

	(void)task;
	for (size_t i = 0; i < slot->num_targets; i++)
		(void)doca_buf_reset_data_len(slot->targets[i]);
	if (copier->to_submit-- > 0)
		submit(slot);
	else
		copier->in_flight--;
}

static void succeeded_renews(struct doca_dma_task_memcpy *task, union doca_data task_data,
			     union doca_data ctx_data)
{
	struct copier *copier = ctx_data.ptr;
	struct slot *slot = task_data.ptr;

	(void)task;
	empty(slot);
	fill(copier, slot);
	if (copier->to_submit-- > 0)
		submit(slot);
	else
		copier->in_flight--;
}

static void failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	must(doca_task_get_status(doca_dma_task_memcpy_as_task(task)), "copy");
}

static void start(struct copier *copier)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(copier->dma);
	union doca_data user_data = {.ptr = copier};

	must(doca_dma_task_memcpy_set_conf(copier->dma,
					   copier->options.renews ? succeeded_renews : succeeded,
					   failed, (uint32_t)copier->num),
	     "configure tasks");
	must(doca_ctx_set_user_data(ctx, user_data), "set the user data of a context");
	must(doca_pe_connect_ctx(copier->pe, ctx), "connect a context");
	must(doca_ctx_start(ctx), "start a context");
}

void copier_open(struct copier *copier, const struct area *source, const struct area *target,
		 const struct work *work, struct copier_options options)
{
	*copier = (struct copier){
		.options = options,
		.work = work,
		.source = source,
		.target = target,
		.num = work->num / options.pieces,
	};
	copier->slots = calloc(copier->num, sizeof(*copier->slots));
	copier->targets = calloc(work->num, sizeof(struct doca_buf *));
	if (copier->slots == NULL || copier->targets == NULL)
		give_up("no memory for %zu tasks", copier->num);
	must(doca_pe_create(&copier->pe), "create a progress engine");
	must(doca_dma_create(target->dev, &copier->dma), "create a DMA context");
	must(doca_buf_inventory_create(2 * work->num, &copier->inventory), "create an inventory");
	must(doca_buf_inventory_start(copier->inventory), "start an inventory");
	start(copier);
	for (size_t i = 0; i < copier->num; i++)
		fill(copier, &copier->slots[i]);
}

void copier_close(struct copier *copier)
{
	for (size_t i = 0; i < copier->num; i++)
		empty(&copier->slots[i]);
	must(doca_ctx_stop(doca_dma_as_ctx(copier->dma)), "stop a context");
	must(doca_dma_destroy(copier->dma), "destroy a context");
	must(doca_buf_inventory_destroy(copier->inventory), "destroy an inventory");
	must(doca_pe_destroy(copier->pe), "destroy a progress engine");
	free(copier->targets);
	free(copier->slots);
}

void copier_run(void *context, size_t times)
{
	struct copier *copier = context;

	copier->to_submit = (int64_t)(copier->num * (times - 1));
	copier->in_flight = copier->num;
	for (size_t i = 0; i < copier->num; i++)
		submit(&copier->slots[i]);
	while (copier->in_flight > 0)
		(void)doca_pe_progress(copier->pe);
}
