/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a user: copies 4 KiB through DMA, in C or C++, and says so. */
#include <stdio.h>
#include <string.h>

#include <doca_argp.h>
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_version.h>

#define LEN 4096

static char source[LEN], target[LEN];
static int num_done;

static void done(struct doca_dma_task_memcpy *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	num_done++;
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

#define MUST(call)                                                                                 \
	do {                                                                                       \
		doca_error_t result = (call);                                                      \
		if (result != DOCA_SUCCESS) {                                                      \
			printf("%s: %s\n", #call, doca_error_get_name(result));                    \
			return 1;                                                                  \
		}                                                                                  \
	} while (0)

static int copy(struct doca_dev *dev)
{
	struct doca_mmap *mmap[2];
	struct doca_buf *from, *to;
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_dma_task_memcpy *task;
	union doca_data none = {NULL};
	char *bytes[2] = {source, target};

	for (int i = 0; i < 2; i++) {
		MUST(doca_mmap_create(&mmap[i]));
		MUST(doca_mmap_set_memrange(mmap[i], bytes[i], LEN));
		MUST(doca_mmap_add_dev(mmap[i], dev));
		MUST(doca_mmap_start(mmap[i]));
	}
	MUST(doca_buf_inventory_create(2, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap[0], source, LEN, &from));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap[1], target, LEN, &to));
	MUST(doca_pe_create(&pe));
	MUST(doca_dma_create(dev, &dma));
	MUST(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
	MUST(doca_dma_task_memcpy_set_conf(dma, done, done, 1));
	MUST(doca_ctx_start(doca_dma_as_ctx(dma)));
	MUST(doca_dma_task_memcpy_alloc_init(dma, from, to, none, &task));
	MUST(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	for (int i = 0; i < 10 && num_done == 0; i++)
		(void)doca_pe_progress(pe);

	MUST(doca_ctx_stop(doca_dma_as_ctx(dma)));
	MUST(doca_dma_destroy(dma));
	MUST(doca_pe_destroy(pe));
	MUST(doca_buf_dec_refcount(from, NULL));
	MUST(doca_buf_dec_refcount(to, NULL));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_destroy(mmap[0]));
	MUST(doca_mmap_destroy(mmap[1]));
	return 0;
}

int main(int argc, char **argv)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t num_devs;

	memset(source, 'x', LEN);
	MUST(doca_argp_init("consumer", NULL));
	MUST(doca_argp_start(argc, argv));
	MUST(doca_argp_destroy());
	MUST(doca_devinfo_create_list(&list, &num_devs));
	MUST(doca_dev_open(list[0], &dev));
	MUST(doca_devinfo_destroy_list(list));
	if (copy(dev) != 0)
		return 1;
	MUST(doca_dev_close(dev));
	printf("%s copied %d: %s\n", doca_version_runtime(), num_done,
	       memcmp(source, target, LEN) == 0 ? "same" : "different");
	return memcmp(source, target, LEN) != 0;
}
