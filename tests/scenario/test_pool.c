/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of pools in copies: alone, in lists with those of inventories. A pool, like all that
 * copies with it, is for one thread at a time.
 */
#include <pthread.h>

#include <doca_buf_pool.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#define NUM_ELEMENTS 16
#define ELEMENT_BYTES 1000
#define ALIGNMENT 64
#define STRIDE_BYTES 1024 /* an element and what the alignment leaves free behind it */

static struct doca_buf_pool *open_pool(const struct doca_mmap *mmap)
{
	struct doca_buf_pool *pool = NULL;

	assert_doca(doca_buf_pool_create(NUM_ELEMENTS, ELEMENT_BYTES, mmap, &pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_set_element_alignment(pool, ALIGNMENT), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	return pool;
}

/* Every buffer is back. */
static void close_pool(struct doca_buf_pool *pool)
{
	uint32_t num_free = 0;

	assert_doca(doca_buf_pool_get_num_free_elements(pool, &num_free), DOCA_SUCCESS);
	assert_int_equal(num_free, NUM_ELEMENTS);
	assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static struct doca_buf *alloc(struct doca_buf_pool *pool)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_SUCCESS);
	return buf;
}

static uint8_t *head_of(const struct doca_buf *buf)
{
	void *head = NULL;

	assert_doca(doca_buf_get_head(buf, &head), DOCA_SUCCESS);
	return head;
}

/* A buffer of the pool, all of it valid data: whatever lies there. */
static struct doca_buf *alloc_full(struct doca_buf_pool *pool)
{
	struct doca_buf *buf = alloc(pool);

	assert_doca(doca_buf_set_data_len(buf, ELEMENT_BYTES), DOCA_SUCCESS);
	return buf;
}

static void a_pool_s_buffers_are_source_and_target_of_a_copy(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf_pool *sources = open_pool(fixture->source.mmap);
	struct doca_buf_pool *targets = open_pool(fixture->target.mmap);
	struct doca_task *tasks[NUM_ELEMENTS];

	for (uint64_t i = 0; i < NUM_ELEMENTS; i++) {
		tasks[i] = dma_task(fixture, alloc_full(sources), alloc(targets), i);
		assert_doca(doca_task_submit(tasks[i]), DOCA_SUCCESS);
	}
	dma_wait_tasks(fixture, NUM_ELEMENTS);
	assert_int_equal(fixture->num_success, NUM_ELEMENTS);
	for (size_t i = 0; i < NUM_ELEMENTS; i++) {
		struct doca_buf *target = doca_dma_task_memcpy_get_dst(dma_memcpy_of(tasks[i]));
		const struct doca_buf *source =
			doca_dma_task_memcpy_get_src(dma_memcpy_of(tasks[i]));

		assert_int_equal(dma_data_len(target), ELEMENT_BYTES);
		assert_memory_equal(head_of(target), head_of(source), ELEMENT_BYTES);
		dma_task_release(tasks[i]);
	}
	close_pool(targets);
	close_pool(sources);
	dma_close(fixture);
}

static void a_copy_fills_an_element_and_not_the_gap_behind_it(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf_pool *pool = open_pool(fixture->target.mmap);
	struct doca_buf *target = alloc(pool);
	uint8_t *bytes = head_of(target);

	assert_doca(doca_task_submit(
			    dma_task(fixture, dma_source(fixture, 0, ELEMENT_BYTES), target, 1)),
		    DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_memory_equal(bytes, fixture->source.bytes, ELEMENT_BYTES);
	for (size_t i = ELEMENT_BYTES; i < STRIDE_BYTES; i++)
		assert_int_equal(bytes[i], TARGET_BYTE);
	close_pool(pool);
	dma_close(fixture);
}

static void a_source_longer_than_an_element_fails_and_leaves_it_empty(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf_pool *pool = open_pool(fixture->target.mmap);
	struct doca_buf *target = alloc(pool);
	struct doca_task *task =
		dma_task(fixture, dma_source(fixture, 0, ELEMENT_BYTES + 1), target, 1);

	assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_error, 1);
	assert_doca(doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
	assert_int_equal(dma_data_len(target), 0);
	assert_true(dma_is_untouched(fixture, 0, fixture->target.len_bytes));
	dma_task_release(task);
	close_pool(pool);
	dma_close(fixture);
}

/* From element, piece, element (1000, 500, 1000 bytes) to piece, element (1500, 1000). */
static void lists_mix_buffers_of_pools_and_inventories(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf_pool *sources = open_pool(fixture->source.mmap);
	struct doca_buf_pool *targets = open_pool(fixture->target.mmap);
	struct doca_buf *from[] = {alloc_full(sources), dma_source(fixture, 30000, 500),
				   alloc_full(sources)};
	struct doca_buf *to[] = {dma_target(fixture, 40000, 1500), alloc(targets)};
	const uint8_t *first = head_of(from[0]);
	const uint8_t *last = head_of(from[2]);
	const uint8_t *piece = fixture->target.bytes + 40000;
	const uint8_t *element = head_of(to[1]);

	assert_doca(doca_buf_chain_list(from[0], from[1]), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(from[0], from[2]), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(to[0], to[1]), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, from[0], to[0], 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1); /* whose callback releases both lists, by their heads */

	assert_int_equal(fixture->num_success, 1);
	assert_memory_equal(piece, first, 1000);
	assert_memory_equal(piece + 1000, fixture->source.bytes + 30000, 500);
	assert_memory_equal(element, last, 1000);
	close_pool(targets);
	close_pool(sources);
	dma_close(fixture);
}

static void a_copy_from_a_buffer_that_is_back_in_its_pool_is_refused(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf_pool *pool = open_pool(fixture->source.mmap);
	struct doca_buf *source = alloc_full(pool);
	struct doca_task *task = dma_task(fixture, source, dma_target(fixture, 0, 1000), 1);

	assert_doca(doca_buf_dec_refcount(source, NULL), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task)), NULL),
		    DOCA_SUCCESS);
	doca_task_free(task);
	close_pool(pool);
	dma_close(fixture);
}

/* One owner after another; no assertion here, for these threads are not cmocka's. */
struct relay {
	struct dma_fixture *fixture;
	struct doca_buf_pool *sources;
	struct doca_buf_pool *targets;
	struct doca_buf *held[2]; /* taken by one owner, released by the next */
	bool is_right;
};

static bool copy_one(struct relay *relay)
{
	struct doca_dma_task_memcpy *task = NULL;
	struct doca_buf *source = NULL;
	struct doca_buf *target = NULL;
	const union doca_data tag = {.u64 = 1};
	size_t num_done = relay->fixture->num_success + 1;
	uint64_t deadline_ns = test_clock_ns() + TEST_DEADLINE_S * 1000000000ULL;

	if (doca_buf_pool_buf_alloc(relay->sources, &source) != DOCA_SUCCESS ||
	    doca_buf_set_data_len(source, ELEMENT_BYTES) != DOCA_SUCCESS ||
	    doca_buf_pool_buf_alloc(relay->targets, &target) != DOCA_SUCCESS ||
	    doca_dma_task_memcpy_alloc_init(relay->fixture->dma, source, target, tag, &task) !=
		    DOCA_SUCCESS ||
	    doca_task_submit(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS)
		return false;
	while (relay->fixture->num_success < num_done && test_clock_ns() < deadline_ns)
		(void)doca_pe_progress(relay->fixture->pe);
	return relay->fixture->num_success == num_done;
}

static void *own(void *arg)
{
	struct relay *relay = arg;
	bool is_right = true;

	for (size_t i = 0; i < 2; i++) {
		if (relay->held[i] != NULL)
			is_right &= doca_buf_dec_refcount(relay->held[i], NULL) == DOCA_SUCCESS;
		is_right &=
			doca_buf_pool_buf_alloc(relay->sources, &relay->held[i]) == DOCA_SUCCESS;
	}
	for (int i = 0; is_right && i < 2 * NUM_ELEMENTS; i++)
		is_right = copy_one(relay);
	relay->is_right = is_right;
	return NULL;
}

/* A pool is for one thread at a time: the end of one thread and the start of the next order them.
 */
static void a_pool_passes_from_thread_to_thread_with_buffers_out(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct relay relay = {.fixture = fixture,
			      .sources = open_pool(fixture->source.mmap),
			      .targets = open_pool(fixture->target.mmap)};
	pthread_t thread;

	for (int i = 0; i < 4; i++) {
		relay.is_right = false;
		assert_int_equal(pthread_create(&thread, NULL, own, &relay), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_true(relay.is_right);
	}
	assert_int_equal(fixture->num_success, 4 * 2 * NUM_ELEMENTS);
	for (size_t i = 0; i < 2; i++)
		assert_doca(doca_buf_dec_refcount(relay.held[i], NULL), DOCA_SUCCESS);
	close_pool(relay.targets);
	close_pool(relay.sources);
	dma_close(fixture);
}

#define NUM_THREADS 4
#define NUM_ROUNDS 2000

struct sharer {
	struct doca_mmap *mmap;
	bool is_right;
};

static bool use_pool(struct doca_buf_pool *pool)
{
	struct doca_buf *first = NULL;
	struct doca_buf *second = NULL;
	bool is_right = true;

	for (int i = 0; is_right && i < NUM_ROUNDS; i++)
		is_right = doca_buf_pool_buf_alloc(pool, &first) == DOCA_SUCCESS &&
			   doca_buf_pool_buf_alloc(pool, &second) == DOCA_SUCCESS &&
			   doca_buf_chain_list(first, second) == DOCA_SUCCESS &&
			   doca_buf_dec_refcount(first, NULL) == DOCA_SUCCESS;
	return is_right;
}

static void *share(void *arg)
{
	struct sharer *sharer = arg;
	struct doca_buf_pool *pool = NULL;

	if (doca_buf_pool_create(2, ELEMENT_BYTES, sharer->mmap, &pool) != DOCA_SUCCESS)
		return NULL;
	sharer->is_right = doca_buf_pool_start(pool) == DOCA_SUCCESS && use_pool(pool) &&
			   doca_buf_pool_stop(pool) == DOCA_SUCCESS;
	sharer->is_right &= doca_buf_pool_destroy(pool) == DOCA_SUCCESS;
	return NULL;
}

static void pools_of_several_threads_share_a_started_map(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct sharer sharers[NUM_THREADS];
	pthread_t threads[NUM_THREADS];
	uint32_t num_bufs = 1;

	for (int i = 0; i < NUM_THREADS; i++) {
		sharers[i] = (struct sharer){.mmap = fixture->source.mmap};
		assert_int_equal(pthread_create(&threads[i], NULL, share, &sharers[i]), 0);
	}
	for (int i = 0; i < NUM_ROUNDS; i++) {
		assert_doca(doca_mmap_get_num_bufs(fixture->source.mmap, &num_bufs), DOCA_SUCCESS);
		assert_in_range(num_bufs, 0, 2 * NUM_THREADS);
	}
	for (int i = 0; i < NUM_THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_true(sharers[i].is_right);
	}
	assert_doca(doca_mmap_get_num_bufs(fixture->source.mmap, &num_bufs), DOCA_SUCCESS);
	assert_int_equal(num_bufs, 0);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pool_s_buffers_are_source_and_target_of_a_copy),
		cmocka_unit_test(a_copy_fills_an_element_and_not_the_gap_behind_it),
		cmocka_unit_test(a_source_longer_than_an_element_fails_and_leaves_it_empty),
		cmocka_unit_test(lists_mix_buffers_of_pools_and_inventories),
		cmocka_unit_test(a_copy_from_a_buffer_that_is_back_in_its_pool_is_refused),
		cmocka_unit_test(a_pool_passes_from_thread_to_thread_with_buffers_out),
		cmocka_unit_test(pools_of_several_threads_share_a_started_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
