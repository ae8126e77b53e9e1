/* SPDX-License-Identifier: Apache-2.0 */
/* What softdoca doctor compiles, links and runs: one copy, as a program of DOCA does it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#define SIZE 4096
#define MAX_ROUNDS 1000000

static void on_end(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	*(int *)task_data.ptr =
		doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS ? 1 : 2;
}

int main(void)
{
	static uint8_t memory[2 * SIZE];
	struct doca_devinfo **list;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_buf *source;
	struct doca_buf *target;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_dma_task_memcpy *task;
	union doca_data data;
	int state = 0;
	uint32_t num;
	doca_error_t result;

#define TRY(call)                                                                                  \
	do {                                                                                       \
		result = (call);                                                                   \
		if (result != DOCA_SUCCESS) {                                                      \
			printf(#call ": %s\n", doca_error_get_name(result));                       \
			return 1;                                                                  \
		}                                                                                  \
	} while (0)

	memset(memory, 0x5d, SIZE);
	data.ptr = &state;
	TRY(doca_devinfo_create_list(&list, &num));
	TRY(num > 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND);
	TRY(doca_dev_open(list[0], &dev));
	TRY(doca_mmap_create(&mmap));
	TRY(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	TRY(doca_mmap_add_dev(mmap, dev));
	TRY(doca_mmap_start(mmap));
	TRY(doca_buf_inventory_create(2, &inventory));
	TRY(doca_buf_inventory_start(inventory));
	TRY(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, SIZE, &source));
	TRY(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + SIZE, SIZE, &target));
	TRY(doca_pe_create(&pe));
	TRY(doca_dma_create(dev, &dma));
	TRY(doca_dma_task_memcpy_set_conf(dma, on_end, on_end, 1));
	TRY(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
	TRY(doca_ctx_start(doca_dma_as_ctx(dma)));
	TRY(doca_dma_task_memcpy_alloc_init(dma, source, target, data, &task));
	TRY(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	for (int i = 0; i < MAX_ROUNDS && state == 0; i++)
		doca_pe_progress(pe);
	if (state != 1 || memcmp(memory, memory + SIZE, SIZE) != 0) {
		printf("the copy %s\n", state == 1 ? "has wrong bytes" : "failed");
		return 1;
	}
	printf("copied\n");
	return 0;
}
