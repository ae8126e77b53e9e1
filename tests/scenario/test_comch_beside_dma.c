/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and copies through one progress engine: neither keeps the other waiting. */
#include "support/comch_fixture.h"

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dma.h>
#include <doca_mmap.h>

#define NUM_ROUNDS 200
#define AREA_BYTES 4096

struct copies {
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_buf *source;
	struct doca_buf *target;
	uint8_t area[2 * AREA_BYTES];
	unsigned num_done;
	unsigned num_left;
};

static void on_copied(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct copies *copies = ctx_user_data.ptr;

	copies->num_done++;
	if (--copies->num_left == 0) {
		doca_task_free(doca_dma_task_memcpy_as_task(task));
		return;
	}
	(void)doca_buf_reset_data_len(copies->target);
	(void)doca_task_submit(doca_dma_task_memcpy_as_task(task));
}

static void copies_open(struct copies *copies, struct doca_dev *dev, struct doca_pe *pe)
{
	assert_doca(doca_dma_create(dev, &copies->dma), DOCA_SUCCESS);
	copies->ctx = doca_dma_as_ctx(copies->dma);
	assert_doca(doca_dma_task_memcpy_set_conf(copies->dma, on_copied, on_copied, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(copies->ctx, (union doca_data){.ptr = copies}),
		    DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(pe, copies->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(copies->ctx), DOCA_SUCCESS);
	assert_doca(doca_mmap_create(&copies->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(copies->mmap, dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(copies->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(copies->mmap, copies->area, sizeof(copies->area)),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_start(copies->mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_create(2, &copies->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(copies->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_data(copies->inventory, copies->mmap,
						       copies->area, AREA_BYTES, &copies->source),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(copies->inventory, copies->mmap,
						       copies->area + AREA_BYTES, AREA_BYTES,
						       &copies->target),
		    DOCA_SUCCESS);
}

static void copies_begin(struct copies *copies, unsigned num_copies)
{
	struct doca_dma_task_memcpy *task = NULL;

	copies->num_left = num_copies;
	assert_doca(doca_dma_task_memcpy_alloc_init(copies->dma, copies->source, copies->target,
						    (union doca_data){.u64 = 0}, &task),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_dma_task_memcpy_as_task(task)), DOCA_SUCCESS);
}

static void copies_close(struct copies *copies)
{
	assert_doca(doca_ctx_stop(copies->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_destroy(copies->dma), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(copies->source, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(copies->target, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(copies->inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(copies->mmap), DOCA_SUCCESS);
}

static void copies_that_never_end_let_messages_through(void **state)
{
	struct comch_end server = {.echoes = true};
	struct comch_end client = {.server = NULL};
	struct copies copies = {.num_done = 0};
	struct doca_pe *pe = NULL;
	unsigned num_done;

	memset(copies.area, 0x5a, AREA_BYTES);
	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	comch_server_open(&server, "beside dma", pe);
	comch_client_open(&client, "beside dma", pe);
	copies_open(&copies, server.dev, pe);
	copies_begin(&copies, UINT32_MAX);
	comch_connect(&server, &client);
	for (unsigned i = 1; i <= NUM_ROUNDS; i++) {
		assert_doca(comch_send(&client, client.peer, "ping", 4), DOCA_SUCCESS);
		comch_until(&client, NULL, client.num_received == i);
	}
	num_done = copies.num_done;
	assert_true(num_done >= NUM_ROUNDS);
	comch_until(&client, NULL, copies.num_done > num_done + 100);
	copies.num_left = 1;
	comch_until(&client, NULL, copies.num_left == 0);
	assert_memory_equal(copies.area, copies.area + AREA_BYTES, AREA_BYTES);
	copies_close(&copies);
	comch_end_close(&client);
	comch_end_close(&server);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_that_never_end_let_messages_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
