/* SPDX-License-Identifier: Apache-2.0 */
/* 64 threads, each with its own engine, context and inventory; one device, one started map. */
#include <pthread.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#define NUM_THREADS 64
#define NUM_ROUNDS 100
#define NUM_TASKS 8
#define BLOCK_BYTES 512
#define THREAD_BYTES ((size_t)NUM_TASKS * BLOCK_BYTES)

struct shared {
	struct doca_dev *dev;
	struct dma_area area; /* first half is read by all, second half: a part for each */
	pthread_barrier_t barrier;
};

struct worker {
	struct shared *shared;
	size_t index;
	pthread_t thread;
	const char *complaint; /* NULL: all is well */
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_buf_inventory *inventory;
	size_t num_success;
	size_t num_error;
};

static void count_success(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			  union doca_data ctx_user_data)
{
	((struct worker *)ctx_user_data.ptr)->num_success++;
	dma_task_release(doca_dma_task_memcpy_as_task(task));
}

static void count_error(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	((struct worker *)ctx_user_data.ptr)->num_error++;
	dma_task_release(doca_dma_task_memcpy_as_task(task));
}

static const char *open_worker(struct worker *worker)
{
	union doca_data user_data = {.ptr = worker};

	if (doca_pe_create(&worker->pe) != DOCA_SUCCESS)
		return "pe_create";
	if (doca_buf_inventory_create(2 * NUM_TASKS, &worker->inventory) != DOCA_SUCCESS ||
	    doca_buf_inventory_start(worker->inventory) != DOCA_SUCCESS)
		return "inventory";
	if (doca_dma_create(worker->shared->dev, &worker->dma) != DOCA_SUCCESS)
		return "dma_create";
	if (doca_dma_task_memcpy_set_conf(worker->dma, count_success, count_error, NUM_TASKS) !=
	    DOCA_SUCCESS)
		return "set_conf";
	(void)doca_ctx_set_user_data(doca_dma_as_ctx(worker->dma), user_data);
	if (doca_pe_connect_ctx(worker->pe, doca_dma_as_ctx(worker->dma)) != DOCA_SUCCESS ||
	    doca_ctx_start(doca_dma_as_ctx(worker->dma)) != DOCA_SUCCESS)
		return "start";
	return NULL;
}

static const char *close_worker(struct worker *worker)
{
	if (doca_ctx_stop(doca_dma_as_ctx(worker->dma)) != DOCA_SUCCESS ||
	    doca_dma_destroy(worker->dma) != DOCA_SUCCESS)
		return "dma_destroy";
	if (doca_pe_destroy(worker->pe) != DOCA_SUCCESS)
		return "pe_destroy";
	if (doca_buf_inventory_destroy(worker->inventory) != DOCA_SUCCESS)
		return "inventory_destroy";
	return NULL;
}

/* Where the bytes of a block come from in a round: anywhere in the shared half. */
static uint8_t *block_source(const struct worker *worker, size_t round, size_t block)
{
	size_t offset = (worker->index * 4099 + round * 257 + block * BLOCK_BYTES) %
			(worker->shared->area.len_bytes / 2 - BLOCK_BYTES);

	return worker->shared->area.bytes + offset;
}

static uint8_t *block_target(const struct worker *worker, size_t block)
{
	return worker->shared->area.bytes + worker->shared->area.len_bytes / 2 +
	       worker->index * THREAD_BYTES + block * BLOCK_BYTES;
}

static const char *submit_block(struct worker *worker, size_t round, size_t block)
{
	struct doca_dma_task_memcpy *task = NULL;
	struct doca_buf *source = NULL;
	struct doca_buf *target = NULL;
	union doca_data none = {0};

	if (doca_buf_inventory_buf_get_by_data(worker->inventory, worker->shared->area.mmap,
					       block_source(worker, round, block), BLOCK_BYTES,
					       &source) != DOCA_SUCCESS ||
	    doca_buf_inventory_buf_get_by_addr(worker->inventory, worker->shared->area.mmap,
					       block_target(worker, block), BLOCK_BYTES,
					       &target) != DOCA_SUCCESS)
		return "get buffers";
	if (doca_dma_task_memcpy_alloc_init(worker->dma, source, target, none, &task) !=
	    DOCA_SUCCESS)
		return "alloc_init";
	return doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS ? NULL
										    : "submit";
}

static const char *run_round(struct worker *worker, size_t round)
{
	uint64_t deadline_ns = test_clock_ns() + (uint64_t)TEST_DEADLINE_S * 1000000000U;

	for (size_t block = 0; block < NUM_TASKS; block++) {
		const char *complaint = submit_block(worker, round, block);

		if (complaint != NULL)
			return complaint;
	}
	while (worker->num_success < (round + 1) * NUM_TASKS) {
		if (doca_pe_progress(worker->pe) == 0 && test_clock_ns() > deadline_ns)
			return "deadline";
	}
	for (size_t block = 0; block < NUM_TASKS; block++) {
		if (memcmp(block_target(worker, block), block_source(worker, round, block),
			   BLOCK_BYTES) != 0)
			return "bytes differ";
	}
	return worker->num_error == 0 ? NULL : "an error callback ran";
}

static void *work(void *arg)
{
	struct worker *worker = arg;

	pthread_barrier_wait(&worker->shared->barrier);
	worker->complaint = open_worker(worker);
	for (size_t round = 0; round < NUM_ROUNDS && worker->complaint == NULL; round++)
		worker->complaint = run_round(worker, round);
	if (worker->complaint == NULL)
		worker->complaint = close_worker(worker);
	return NULL;
}

static void sixty_four_threads_share_a_device_and_a_map(void **state)
{
	static struct worker workers[NUM_THREADS]; /* too large for a stack */
	struct shared shared = {.dev = dma_open_device()};
	uint32_t num_bufs = 1;

	dma_area_open(&shared.area, shared.dev, 2 * NUM_THREADS * THREAD_BYTES,
		      DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	for (size_t i = 0; i < shared.area.len_bytes; i++)
		shared.area.bytes[i] = (uint8_t)(i * 7 + i / 256);
	assert_int_equal(pthread_barrier_init(&shared.barrier, NULL, NUM_THREADS), 0);
	for (size_t i = 0; i < NUM_THREADS; i++) {
		workers[i] = (struct worker){.shared = &shared, .index = i};
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	/* Counting is allowed beside: an answer of the moment. */
	assert_doca(doca_mmap_get_num_bufs(shared.area.mmap, &num_bufs), DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_THREADS; i++)
		pthread_join(workers[i].thread, NULL);

	for (size_t i = 0; i < NUM_THREADS; i++) {
		if (workers[i].complaint != NULL)
			print_error("thread %zu: %s\n", i, workers[i].complaint);
		assert_null(workers[i].complaint);
		assert_int_equal(workers[i].num_success, NUM_ROUNDS * NUM_TASKS);
	}
	assert_doca(doca_mmap_get_num_bufs(shared.area.mmap, &num_bufs), DOCA_SUCCESS);
	assert_int_equal(num_bufs, 0);
	pthread_barrier_destroy(&shared.barrier);
	dma_area_close(&shared.area);
	assert_doca(doca_dev_close(shared.dev), DOCA_SUCCESS);
}

static void *open_and_close(void *arg)
{
	const char **complaint = arg;

	for (unsigned i = 0; i < 200; i++) {
		struct doca_devinfo **list = NULL;
		struct doca_dev *dev = NULL;
		uint32_t num_devs = 0;

		if (doca_devinfo_create_list(&list, &num_devs) != DOCA_SUCCESS ||
		    doca_dev_open(list[i % num_devs], &dev) != DOCA_SUCCESS ||
		    doca_devinfo_destroy_list(list) != DOCA_SUCCESS ||
		    doca_dev_close(dev) != DOCA_SUCCESS)
			*complaint = "open or close was refused";
	}
	return NULL;
}

static void threads_open_and_close_devices_at_once(void **state)
{
	pthread_t threads[16];
	const char *complaints[16] = {NULL};

	for (size_t i = 0; i < 16; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, open_and_close, &complaints[i]),
				 0);
	for (size_t i = 0; i < 16; i++) {
		pthread_join(threads[i], NULL);
		assert_null(complaints[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sixty_four_threads_share_a_device_and_a_map),
		cmocka_unit_test(threads_open_and_close_devices_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
