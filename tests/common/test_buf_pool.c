/* SPDX-License-Identifier: Apache-2.0 */
/* Pools: their life, how they cut a map's memory, and the buffers that they give and take back. */
#include "support/test.h"

#include <doca_buf_pool.h>

#include "support/pool_fixture.h"

#define ELEMENT_BYTES 100

static struct doca_buf_pool *new_pool(size_t num_elements, size_t element_size,
				      const struct doca_mmap *mmap)
{
	struct doca_buf_pool *pool = NULL;

	assert_doca(doca_buf_pool_create(num_elements, element_size, mmap, &pool), DOCA_SUCCESS);
	return pool;
}

static struct doca_buf_pool *started_pool(size_t num_elements, size_t element_size,
					  const struct doca_mmap *mmap)
{
	struct doca_buf_pool *pool = new_pool(num_elements, element_size, mmap);

	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	return pool;
}

static struct doca_buf *alloc(struct doca_buf_pool *pool)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_SUCCESS);
	return buf;
}

static void assert_pool_num_free(const struct doca_buf_pool *pool, uint32_t expected)
{
	uint32_t num_free = expected + 1;

	assert_doca(doca_buf_pool_get_num_free_elements(pool, &num_free), DOCA_SUCCESS);
	assert_int_equal(num_free, expected);
}

static struct doca_mmap *map_of(void **state)
{
	return ((struct pool_fixture *)*state)->mmap;
}

static void create_refuses_no_elements_and_empty_ones(void **state)
{
	struct doca_buf_pool *pool = NULL;

	assert_doca(doca_buf_pool_create(0, 1, map_of(state), &pool), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_create(1, 0, map_of(state), &pool), DOCA_ERROR_INVALID_VALUE);
	assert_null(pool);
}

static void create_refuses_more_than_32_bits_can_count(void **state)
{
	struct doca_buf_pool *pool = NULL;

	assert_doca(doca_buf_pool_create((size_t)UINT32_MAX + 1, 1, map_of(state), &pool),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(pool);
}

static void create_refuses_a_map_without_a_range(void **state)
{
	struct doca_mmap *mmap = NULL;
	struct doca_buf_pool *pool = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_create(1, 1, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
	assert_null(pool);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void create_without_memory_leaves_the_argument_untouched(void **state)
{
	struct doca_buf_pool *pool = NULL;

	allocs_before_failure = 0;
	assert_doca(doca_buf_pool_create(1, 1, map_of(state), &pool), DOCA_ERROR_NO_MEMORY);
	assert_null(pool);
}

static void every_null_argument_is_refused(void **state)
{
	struct doca_buf_pool *pool = started_pool(1, 1, map_of(state));
	const union doca_data data = {.u64 = 1};
	struct doca_buf_pool *made = NULL;
	struct doca_buf *buf = NULL;
	union doca_data got;
	uint32_t num;
	size_t size;

	assert_doca(doca_buf_pool_create(1, 1, NULL, &made), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_create(1, 1, map_of(state), NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_buf_alloc(NULL, &buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_buf_alloc(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_set_element_alignment(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_num_elements(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_num_elements(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_num_free_elements(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_num_free_elements(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_user_data(NULL, &got), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_user_data(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_element_alignment(NULL, &size), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_element_alignment(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(made);
	assert_null(buf);
	assert_pool_num_free(pool, 1);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_buffer_is_a_whole_element_without_valid_data(void **state)
{
	struct doca_buf_pool *pool = started_pool(3, ELEMENT_BYTES, map_of(state));
	struct doca_buf *bufs[3];

	for (int i = 0; i < 3; i++) {
		uint8_t *element = memory + (ptrdiff_t)i * ELEMENT_BYTES;

		bufs[i] = alloc(pool);
		assert_buf(bufs[i], element, ELEMENT_BYTES, element, 0);
		assert_int_equal((uintptr_t)bufs[i] % 64, 0);
		assert_int_equal(bufs[i]->refcount, 1);
	}
	for (int i = 0; i < 3; i++)
		release(bufs[i]);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void an_empty_pool_is_empty_until_a_buffer_returns(void **state)
{
	struct doca_buf_pool *pool = started_pool(2, ELEMENT_BYTES, map_of(state));
	struct doca_buf *first = alloc(pool);
	struct doca_buf *second = alloc(pool);
	struct doca_buf *buf = NULL;

	assert_pool_num_free(pool, 0);
	assert_num_bufs(map_of(state), 2);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_EMPTY);
	assert_null(buf);
	assert_num_bufs(map_of(state), 2);
	release(first);
	assert_pool_num_free(pool, 1);
	first = alloc(pool);
	assert_buf(first, memory, ELEMENT_BYTES, memory, 0);
	release(first);
	release(second);
	assert_pool_num_free(pool, 2);
	assert_num_bufs(map_of(state), 0);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_buffer_comes_back_whole_whatever_was_done_to_it(void **state)
{
	struct doca_buf_pool *pool = started_pool(1, ELEMENT_BYTES, map_of(state));
	struct doca_buf *buf = alloc(pool);

	assert_doca(doca_buf_set_data(buf, memory + 7, 20), DOCA_SUCCESS);
	release(buf);
	buf = alloc(pool);
	assert_buf(buf, memory, ELEMENT_BYTES, memory, 0);
	assert_doca(doca_buf_inventory_buf_reuse_by_data(buf, memory + 500, 8), DOCA_SUCCESS);
	assert_buf(buf, memory + 500, 8, memory + 500, 8);
	release(buf);
	buf = alloc(pool);
	assert_buf(buf, memory, ELEMENT_BYTES, memory, 0);
	release(buf);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void alloc_refuses_before_start_and_after_stop(void **state)
{
	struct doca_buf_pool *pool = new_pool(1, 1, map_of(state));
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	release(alloc(pool));
	assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_null(buf);
	assert_pool_num_free(pool, 1);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void start_and_stop_may_be_repeated(void **state)
{
	struct doca_buf_pool *pool = new_pool(1, 1, map_of(state));

	assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	for (int i = 0; i < 2; i++) {
		assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
		assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
		release(alloc(pool));
		assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
		assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	}
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_second_start_with_a_buffer_out_changes_nothing(void **state)
{
	struct doca_buf_pool *pool = started_pool(2, 8, map_of(state));
	struct doca_buf *buf = alloc(pool);

	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	assert_pool_num_free(pool, 1);
	assert_num_bufs(map_of(state), 1);
	release(buf);
	assert_num_bufs(map_of(state), 0);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void start_refuses_a_map_not_started(void **state)
{
	struct doca_mmap *mmap = map_of(state);
	struct doca_buf_pool *pool = new_pool(1, 1, mmap);
	struct doca_buf *buf = NULL;

	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	release(alloc(pool));
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

/* What a pool's start answers over a map of a range, which nothing looks at. */
static doca_error_t start_of(void *addr, size_t len, size_t num_elements, size_t element_size,
			     size_t alignment)
{
	struct doca_mmap *mmap = started_mmap(addr, len);
	struct doca_buf_pool *pool = new_pool(num_elements, element_size, mmap);
	struct doca_buf *buf = NULL;
	doca_error_t result;

	assert_doca(doca_buf_pool_set_element_alignment(pool, alignment), DOCA_SUCCESS);
	result = doca_buf_pool_start(pool);
	if (result != DOCA_SUCCESS) /* and nothing half done */
		assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	return result;
}

static void start_refuses_a_range_that_is_too_short(void **state)
{
	assert_doca(start_of(memory, 300, 3, 100, 1), DOCA_SUCCESS);
	assert_doca(start_of(memory, 299, 3, 100, 1), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(memory, 100, 1, 101, 1), DOCA_ERROR_INITIALIZATION);
	/* Room that alignment takes: before the first element and between two. */
	assert_doca(start_of(memory + 64, 228, 2, 100, 128), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(memory + 64, 292, 2, 100, 128), DOCA_SUCCESS);
	assert_doca(start_of(memory + 64, 291, 2, 100, 128), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(memory + 128, 228, 2, 100, 128), DOCA_SUCCESS);
	assert_doca(start_of(memory + 128, 227, 2, 100, 128), DOCA_ERROR_INITIALIZATION);
}

static void start_refuses_sizes_whose_sum_does_not_fit_a_number(void **state)
{
	const size_t half = SIZE_MAX / 2 + 1;
	const size_t wide = (size_t)1 << 46;
	const size_t num_wides = (size_t)1 << 18; /* so many are 2 to the power of 64 */
	uint8_t *far = (uint8_t *)wide;

	assert_doca(start_of(memory, RANGE_BYTES, 1, SIZE_MAX, 1), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(memory, RANGE_BYTES, 1, SIZE_MAX, 2), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(memory, RANGE_BYTES, 3, half, 1), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(memory, RANGE_BYTES, 1, 1, half), DOCA_ERROR_INITIALIZATION);
	/* Those that would wrap to almost nothing. */
	assert_doca(start_of(far, RANGE_BYTES, num_wides + 1, 1, wide), DOCA_ERROR_INITIALIZATION);
	assert_doca(start_of(far + 1, RANGE_BYTES, num_wides, 1, wide), DOCA_ERROR_INITIALIZATION);
}

static void elements_begin_at_multiples_of_the_alignment(void **state)
{
	struct doca_mmap *mmap = started_mmap(memory + 1, RANGE_BYTES - 1);
	struct doca_buf_pool *pool = new_pool(3, ELEMENT_BYTES, mmap);
	struct doca_buf *bufs[3];
	size_t alignment = 0;

	assert_doca(doca_buf_pool_set_element_alignment(pool, 64), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_get_element_alignment(pool, &alignment), DOCA_SUCCESS);
	assert_int_equal(alignment, 64);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	for (int i = 0; i < 3; i++) {
		bufs[i] = alloc(pool);
		assert_int_equal((uintptr_t)bufs[i]->piece.head % 64, 0);
		assert_in_range((uintptr_t)bufs[i]->piece.head, (uintptr_t)(memory + 1),
				(uintptr_t)(memory + RANGE_BYTES - ELEMENT_BYTES));
		assert_int_equal(bufs[i]->piece.len_bytes, ELEMENT_BYTES);
		if (i > 0)
			assert_ptr_equal(bufs[i]->piece.head, bufs[i - 1]->piece.head + 128);
	}
	for (int i = 0; i < 3; i++)
		release(bufs[i]);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void an_alignment_is_a_power_of_two_and_1_at_first(void **state)
{
	const size_t refused[] = {0, 3, 6, 96, SIZE_MAX};
	struct doca_buf_pool *pool = new_pool(1, 1, map_of(state));
	size_t alignment = 0;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		assert_doca(doca_buf_pool_set_element_alignment(pool, refused[i]),
			    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_pool_get_element_alignment(pool, &alignment), DOCA_SUCCESS);
	assert_int_equal(alignment, 1);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_started_pool_refuses_to_be_configured(void **state)
{
	struct doca_buf_pool *pool = started_pool(1, 1, map_of(state));
	union doca_data data = {.u64 = 7};
	size_t alignment = 0;

	assert_doca(doca_buf_pool_set_element_alignment(pool, 2), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_set_user_data(pool, data), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_get_element_alignment(pool, &alignment), DOCA_SUCCESS);
	assert_int_equal(alignment, 1);
	assert_doca(doca_buf_pool_get_user_data(pool, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 0);
	assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_set_element_alignment(pool, 2), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void user_data_stays_as_it_was_set_before_the_start(void **state)
{
	struct doca_buf_pool *pool = new_pool(1, 1, map_of(state));
	union doca_data data = {.u64 = 7};

	assert_doca(doca_buf_pool_set_user_data(pool, data), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	data.u64 = 0;
	assert_doca(doca_buf_pool_get_user_data(pool, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 7);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void elements_are_counted_in_every_state(void **state)
{
	struct doca_buf_pool *pool = new_pool(5, 1, map_of(state));
	struct doca_buf *buf;
	uint32_t num = 0;

	assert_pool_num_free(pool, 5);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	buf = alloc(pool);
	assert_doca(doca_buf_pool_get_num_elements(pool, &num), DOCA_SUCCESS);
	assert_int_equal(num, 5);
	assert_pool_num_free(pool, 4);
	release(buf);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void stop_and_destroy_refuse_while_a_buffer_is_out(void **state)
{
	struct doca_buf_pool *pool = started_pool(2, 8, map_of(state));
	struct doca_buf *buf = alloc(pool);

	assert_doca(doca_buf_pool_stop(pool), DOCA_ERROR_IN_USE);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_ERROR_IN_USE);
	/* Still whole, still started. */
	release(alloc(pool));
	release(buf);
	assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_buffer_keeps_the_map_busy_and_a_pool_does_not(void **state)
{
	struct doca_mmap *mmap = started_mmap(memory, RANGE_BYTES);
	struct doca_buf_pool *pool = started_pool(1, 8, mmap);
	struct doca_buf *buf = alloc(pool);

	assert_doca(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	release(buf);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_map_that_stops_stops_its_pool(void **state)
{
	struct doca_mmap *mmap = map_of(state);
	struct doca_buf_pool *pool = started_pool(1, 8, mmap);
	struct doca_buf *buf = NULL;

	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	release(alloc(pool));
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void start_refuses_while_buffers_of_before_are_out(void **state)
{
	struct doca_buf_pool *pool;
	struct doca_mmap *mmap = NULL;
	struct doca_buf *buf;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, RANGE_BYTES), DOCA_SUCCESS);
	assert_doca(doca_mmap_enable_thread_safety(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	pool = started_pool(2, 8, mmap);
	buf = alloc(pool);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(buf, memory, 8), DOCA_ERROR_BAD_STATE);
	release(buf);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	release(alloc(pool));
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void each_element_of_a_mixed_list_goes_back_home(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_pool *pool = started_pool(2, 8, fixture->mmap);
	struct doca_buf *list = alloc(pool);

	assert_doca(doca_buf_chain_list(list, take(fixture->inventory, fixture->mmap, memory, 8)),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(list, alloc(pool)), DOCA_SUCCESS);
	assert_num_bufs(fixture->mmap, 3);
	assert_pool_num_free(pool, 0);
	assert_num_free(fixture->inventory, NUM_BUFS - 1);
	release(list);
	assert_num_bufs(fixture->mmap, 0);
	assert_pool_num_free(pool, 2);
	assert_num_free(fixture->inventory, NUM_BUFS);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

static void a_duplicate_of_a_pool_s_buffer_is_the_inventory_s(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_pool *pool = started_pool(1, 8, fixture->mmap);
	struct doca_buf *buf = alloc(pool);
	struct doca_buf *copy = NULL;

	assert_doca(doca_buf_set_data_len(buf, 5), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_dup(fixture->inventory, buf, &copy), DOCA_SUCCESS);
	assert_buf(copy, memory, 8, memory, 5);
	assert_num_free(fixture->inventory, NUM_BUFS - 1);
	release(buf);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_buf(copy, memory, 8, memory, 5);
	release(copy);
	assert_num_free(fixture->inventory, NUM_BUFS);
}

static void neither_start_nor_alloc_allocates(void **state)
{
	struct doca_buf_pool *pool = new_pool(1, 8, map_of(state));

	allocs_before_failure = 0;
	for (int i = 0; i < 10; i++) {
		assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
		release(alloc(pool));
		assert_doca(doca_buf_pool_stop(pool), DOCA_SUCCESS);
	}
	assert_int_equal(allocs_before_failure, 0);
	allocs_before_failure = -1;
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
}

#define WITH_POOL(name) cmocka_unit_test_setup_teardown(name, setup_pool, teardown_pool)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_POOL(create_refuses_no_elements_and_empty_ones),
		WITH_POOL(create_refuses_more_than_32_bits_can_count),
		WITH_POOL(create_refuses_a_map_without_a_range),
		WITH_POOL(create_without_memory_leaves_the_argument_untouched),
		WITH_POOL(every_null_argument_is_refused),
		WITH_POOL(a_buffer_is_a_whole_element_without_valid_data),
		WITH_POOL(an_empty_pool_is_empty_until_a_buffer_returns),
		WITH_POOL(a_buffer_comes_back_whole_whatever_was_done_to_it),
		WITH_POOL(alloc_refuses_before_start_and_after_stop),
		WITH_POOL(start_and_stop_may_be_repeated),
		WITH_POOL(a_second_start_with_a_buffer_out_changes_nothing),
		WITH_POOL(start_refuses_a_map_not_started),
		cmocka_unit_test(start_refuses_a_range_that_is_too_short),
		cmocka_unit_test(start_refuses_sizes_whose_sum_does_not_fit_a_number),
		cmocka_unit_test(elements_begin_at_multiples_of_the_alignment),
		WITH_POOL(an_alignment_is_a_power_of_two_and_1_at_first),
		WITH_POOL(a_started_pool_refuses_to_be_configured),
		WITH_POOL(user_data_stays_as_it_was_set_before_the_start),
		WITH_POOL(elements_are_counted_in_every_state),
		WITH_POOL(stop_and_destroy_refuse_while_a_buffer_is_out),
		cmocka_unit_test(a_buffer_keeps_the_map_busy_and_a_pool_does_not),
		WITH_POOL(a_map_that_stops_stops_its_pool),
		cmocka_unit_test(start_refuses_while_buffers_of_before_are_out),
		WITH_POOL(each_element_of_a_mixed_list_goes_back_home),
		WITH_POOL(a_duplicate_of_a_pool_s_buffer_is_the_inventory_s),
		WITH_POOL(neither_start_nor_alloc_allocates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
