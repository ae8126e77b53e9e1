/* SPDX-License-Identifier: Apache-2.0 */
/* Two cards in one machine: each with its model, limits and settings. */
#include "support/dma_fixture.h"
#include "support/test.h"

#include <softdoca.h>

#define NUM_DEVS 4

static struct doca_devinfo **list_devs(void)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_int_equal(num_devs, NUM_DEVS);
	return list;
}

static void each_card_has_its_model_and_limits(void **state)
{
	static const struct {
		const char *model;
		uint64_t max_bytes;
		uint32_t max_pieces;
		uint64_t rate;
	} wanted[NUM_DEVS] = {
		{"bluefield3", 2 << 20, 64, UINT64_C(400000000000)},
		{"bluefield3", 2 << 20, 64, UINT64_C(400000000000)},
		{"bluefield2", 1 << 20, 32, UINT64_C(200000000000)},
		{"bluefield2", 1 << 20, 32, UINT64_C(200000000000)},
	};
	struct doca_devinfo **list = list_devs();
	const char *model;
	uint64_t number;
	uint32_t pieces;

	for (size_t i = 0; i < NUM_DEVS; i++) {
		assert_doca(softdoca_devinfo_get_model(list[i], &model), DOCA_SUCCESS);
		assert_string_equal(model, wanted[i].model);
		assert_doca(doca_dma_cap_task_memcpy_get_max_buf_size(list[i], &number),
			    DOCA_SUCCESS);
		assert_int_equal(number, wanted[i].max_bytes);
		assert_doca(doca_dma_cap_task_memcpy_get_max_buf_list_len(list[i], &pieces),
			    DOCA_SUCCESS);
		assert_int_equal(pieces, wanted[i].max_pieces);
		assert_doca(doca_devinfo_get_active_rate(list[i], &number), DOCA_SUCCESS);
		assert_int_equal(number, wanted[i].rate);
	}
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void an_infiniband_port_has_a_lid_and_no_mac_address(void **state)
{
	struct doca_devinfo **list = list_devs();
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE] = {77};
	uint16_t lid = 77;

	assert_doca(doca_devinfo_get_lid(list[3], &lid), DOCA_SUCCESS);
	assert_int_equal(lid, 7);
	assert_doca(doca_devinfo_get_mac_addr(list[3], mac, sizeof(mac)), DOCA_ERROR_NOT_SUPPORTED);
	assert_int_equal(mac[0], 77);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void memory_exported_for_one_card_is_imported_by_the_other(void **state)
{
	static uint8_t memory[4096];
	struct doca_devinfo **list = list_devs();
	struct doca_mmap *import = NULL;
	struct doca_mmap *mmap = NULL;
	struct doca_dev *host = NULL;
	struct doca_dev *dpu = NULL;
	const void *descriptor;
	size_t len;

	assert_doca(doca_dev_open(list[1], &host), DOCA_SUCCESS);
	assert_doca(doca_dev_open(list[2], &dpu), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, host), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, sizeof(memory)), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_export_pci(mmap, host, &descriptor, &len), DOCA_SUCCESS);
	assert_doca(doca_mmap_create_from_export(NULL, descriptor, len, dpu, &import),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(import), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
}

static void count_done(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		       union doca_data ctx_user_data)
{
}

static uint32_t max_tasks(struct doca_devinfo *info)
{
	struct doca_dev *dev = NULL;
	struct doca_dma *dma = NULL;
	uint32_t max = 0;

	assert_doca(doca_dev_open(info, &dev), DOCA_SUCCESS);
	assert_doca(doca_dma_create(dev, &dma), DOCA_SUCCESS);
	assert_doca(doca_dma_cap_get_max_num_tasks(dma, &max), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_set_conf(dma, count_done, count_done, max), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_set_conf(dma, count_done, count_done, max + 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
	return max;
}

static void contexts_take_as_many_tasks_as_their_card(void **state)
{
	struct doca_devinfo **list = list_devs();

	assert_int_equal(max_tasks(list[0]), 65536);
	assert_int_equal(max_tasks(list[2]), 4096);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

/* The first card is in the hardware mode: what the second refuses comes back as an error. */
static void a_mistake_is_told_as_its_card_tells_it(void **state)
{
	const struct dma_options options = {
		.has_access = true,
		.source_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		.target_access = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
	};
	struct dma_fixture *dma = dma_open(&options);
	struct doca_task *task = dma_copy_task(dma, 0, 64, 1);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(dma, 1);
	assert_int_equal(dma->num_error, 1);
	for (size_t i = 0; i < dma->num_events; i++)
		if (dma->events[i].kind == DMA_EVENT_ERROR)
			assert_doca(dma->events[i].status, DOCA_ERROR_IO_FAILED);
	assert_true(dma_is_untouched(dma, 0, 64));
	dma_wait_state(dma, dma->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(dma);
}

static void the_first_card_takes_32_tasks_at_a_time(void **state)
{
	struct dma_fixture *dma = dma_open(&(struct dma_options){.num_tasks = 64});
	struct doca_task *tasks[33];

	for (size_t i = 0; i < 33; i++)
		tasks[i] = dma_copy_task(dma, i * 64, 64, i);
	for (size_t i = 0; i < 32; i++)
		assert_doca(doca_task_submit(tasks[i]), DOCA_SUCCESS);
	assert_doca(doca_task_submit(tasks[32]), DOCA_ERROR_AGAIN);
	dma_wait_tasks(dma, 32);
	assert_doca(doca_task_submit(tasks[32]), DOCA_SUCCESS);
	dma_wait_tasks(dma, 33);
	dma_close(dma);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_card_has_its_model_and_limits),
		cmocka_unit_test(an_infiniband_port_has_a_lid_and_no_mac_address),
		cmocka_unit_test(memory_exported_for_one_card_is_imported_by_the_other),
		cmocka_unit_test(contexts_take_as_many_tasks_as_their_card),
		cmocka_unit_test(a_mistake_is_told_as_its_card_tells_it),
		cmocka_unit_test(the_first_card_takes_32_tasks_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
