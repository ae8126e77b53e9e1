/* SPDX-License-Identifier: Apache-2.0 */
/* Inventories: their life, and the buffers that they give and take back. */
#include "support/test.h"

#include "support/pool_fixture.h"

static void create_refuses_an_empty_pool(void **state)
{
	struct doca_buf_inventory *inventory = NULL;

	assert_doca(doca_buf_inventory_create(0, &inventory), DOCA_ERROR_INVALID_VALUE);
	assert_null(inventory);
}

static void create_refuses_more_than_32_bits_can_count(void **state)
{
	struct doca_buf_inventory *inventory = NULL;

	assert_doca(doca_buf_inventory_create((size_t)UINT32_MAX + 1, &inventory),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(inventory);
}

static void create_without_memory_leaves_the_argument_untouched(void **state)
{
	struct doca_buf_inventory *inventory = NULL;

	for (int i = 0; i < 2; i++) {
		allocs_before_failure = i;
		assert_doca(doca_buf_inventory_create(1, &inventory), DOCA_ERROR_NO_MEMORY);
		assert_null(inventory);
	}
}

static void every_call_on_null_is_refused(void **state)
{
	struct pool_fixture *fixture = *state;
	const union doca_data data = {.u64 = 1};
	struct doca_buf *source = take(fixture->inventory, fixture->mmap, memory, 1);
	struct doca_buf *buf = NULL;
	union doca_data got;
	uint32_t num;

	assert_doca(doca_buf_inventory_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_expand(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_get_user_data(NULL, &got), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_get_num_elements(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_get_num_free_elements(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_addr(NULL, fixture->mmap, memory, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_dup(NULL, source, &buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(NULL, memory, 1),
		    DOCA_ERROR_INVALID_VALUE);
	release(source);
}

static void every_null_argument_is_refused(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_inventory *inventory = fixture->inventory;
	struct doca_mmap *mmap = fixture->mmap;
	struct doca_buf *source = take(inventory, mmap, memory, 1);
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_get_user_data(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_get_num_elements(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_get_num_free_elements(inventory, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, NULL, memory, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, NULL, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 1, NULL, 0, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_dup(inventory, NULL, &buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_dup(inventory, source, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_data(source, NULL, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(buf);
	release(source);
}

static void get_by_args_sets_region_and_window(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_args(fixture->inventory, fixture->mmap,
						       memory + 8, 100, memory + 18, 90, &buf),
		    DOCA_SUCCESS);
	assert_buf(buf, memory + 8, 100, memory + 18, 90);
	release(buf);
}

static void get_by_addr_has_no_valid_data(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, RANGE_BYTES);

	assert_buf(buf, memory, RANGE_BYTES, memory, 0);
	release(buf);
}

static void get_by_data_has_nothing_else(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_data(fixture->inventory, fixture->mmap,
						       memory + 1, 9, &buf),
		    DOCA_SUCCESS);
	assert_buf(buf, memory + 1, 9, memory + 1, 9);
	release(buf);
}

static void an_element_is_a_cache_line(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *bufs[NUM_BUFS];

	for (int i = 0; i < NUM_BUFS; i++) {
		bufs[i] = take(fixture->inventory, fixture->mmap, memory, 1);
		assert_int_equal((uintptr_t)bufs[i] % 64, 0);
	}
	for (int i = 0; i < NUM_BUFS; i++)
		release(bufs[i]);
}

static void an_empty_region_may_lie_anywhere_in_the_map(void **state)
{
	struct pool_fixture *fixture = *state;

	release(take(fixture->inventory, fixture->mmap, memory, 0));
	release(take(fixture->inventory, fixture->mmap, memory + RANGE_BYTES, 0));
}

static void get_refuses_regions_outside_the_map(void **state)
{
	struct doca_mmap *mmap = started_mmap(memory + 64, 64);
	struct doca_buf_inventory *inventory = ((struct pool_fixture *)*state)->inventory;
	const struct {
		uint8_t *addr;
		size_t len;
	} regions[] = {
		{memory + 63, 1},	 {memory + 63, 65}, {memory + 64, 65},
		{memory + 127, 2},	 {memory + 128, 1}, {memory + 64, SIZE_MAX},
		{memory + 65, SIZE_MAX}, {memory + 63, 0},  {memory + 129, 0},
	};
	struct doca_buf *buf = NULL;

	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
		assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, regions[i].addr,
							       regions[i].len, &buf),
			    DOCA_ERROR_INVALID_VALUE);
	assert_null(buf);
	assert_num_free(inventory, NUM_BUFS);
	release(take(inventory, mmap, memory + 64, 64));
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void get_refuses_windows_outside_the_region(void **state)
{
	struct pool_fixture *fixture = *state;
	const struct {
		uint8_t *data;
		size_t len;
	} windows[] = {{memory + 63, 1},  {memory + 64, 65},	   {memory + 127, 2},
		       {memory + 129, 0}, {memory + 65, SIZE_MAX}, {memory, 0}};
	struct doca_buf *buf = NULL;

	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
		assert_doca(doca_buf_inventory_buf_get_by_args(fixture->inventory, fixture->mmap,
							       memory + 64, 64, windows[i].data,
							       windows[i].len, &buf),
			    DOCA_ERROR_INVALID_VALUE);
	assert_null(buf);
	assert_num_free(fixture->inventory, NUM_BUFS);
}

static void get_refuses_before_start_and_after_stop(void **state)
{
	struct doca_mmap *mmap = ((struct pool_fixture *)*state)->mmap;
	struct doca_buf_inventory *inventory = NULL;
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_create(1, &inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &buf),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inventory_start(inventory), DOCA_SUCCESS);
	release(take(inventory, mmap, memory, 1));
	assert_doca(doca_buf_inventory_stop(inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &buf),
		    DOCA_ERROR_BAD_STATE);
	assert_null(buf);
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
}

/* What the inline ways of taking a buffer hand on: each code, and no buffer. */
static void assert_each_get_refuses(struct pool_fixture *fixture, size_t len, doca_error_t expected)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_args(fixture->inventory, fixture->mmap, memory,
						       len, memory, 0, &buf),
		    expected);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap, memory,
						       len, &buf),
		    expected);
	assert_doca(doca_buf_inventory_buf_get_by_data(fixture->inventory, fixture->mmap, memory,
						       len, &buf),
		    expected);
	assert_null(buf);
}

static void each_way_of_taking_a_buffer_refuses_with_the_same_code(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *bufs[NUM_BUFS];

	assert_each_get_refuses(fixture, RANGE_BYTES + 1, DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < NUM_BUFS; i++)
		bufs[i] = take(fixture->inventory, fixture->mmap, memory, 1);
	assert_each_get_refuses(fixture, 1, DOCA_ERROR_NO_MEMORY);
	for (int i = 0; i < NUM_BUFS; i++)
		release(bufs[i]);
	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_each_get_refuses(fixture, 1, DOCA_ERROR_BAD_STATE);
	assert_doca(doca_mmap_start(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_stop(fixture->inventory), DOCA_SUCCESS);
	assert_each_get_refuses(fixture, 1, DOCA_ERROR_BAD_STATE);
}

static void get_by_args_and_by_data_refuse_null(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_inventory *inventory = fixture->inventory;
	struct doca_mmap *mmap = fixture->mmap;
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_args(NULL, mmap, memory, 1, memory, 0, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_args(inventory, NULL, memory, 1, memory, 0, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_args(inventory, mmap, NULL, 1, memory, 0, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 1, memory, 0, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_data(NULL, mmap, memory, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_data(inventory, NULL, memory, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_data(inventory, mmap, NULL, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 1, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(buf);
}

static void start_and_stop_may_be_repeated(void **state)
{
	struct pool_fixture *fixture = *state;

	assert_doca(doca_buf_inventory_start(fixture->inventory), DOCA_SUCCESS);
	release(take(fixture->inventory, fixture->mmap, memory, 1));
	assert_doca(doca_buf_inventory_stop(fixture->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_stop(fixture->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(fixture->inventory), DOCA_SUCCESS);
	release(take(fixture->inventory, fixture->mmap, memory, 1));
}

static void buffers_outlive_a_stop(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 8);

	assert_doca(doca_buf_inventory_stop(fixture->inventory), DOCA_SUCCESS);
	assert_buf(buf, memory, 8, memory, 0);
	release(buf);
	assert_num_free(fixture->inventory, NUM_BUFS);
}

static void an_empty_pool_is_no_memory_until_a_buffer_returns(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *bufs[NUM_BUFS];
	struct doca_buf *buf = NULL;

	for (int i = 0; i < NUM_BUFS; i++)
		bufs[i] = take(fixture->inventory, fixture->mmap, memory, 1);
	assert_num_free(fixture->inventory, 0);
	assert_num_bufs(fixture->mmap, NUM_BUFS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap, memory, 1,
						       &buf),
		    DOCA_ERROR_NO_MEMORY);
	assert_null(buf);
	assert_num_bufs(fixture->mmap, NUM_BUFS);
	release(bufs[0]);
	bufs[0] = take(fixture->inventory, fixture->mmap, memory, 1);
	for (int i = 0; i < NUM_BUFS; i++)
		release(bufs[i]);
	assert_num_free(fixture->inventory, NUM_BUFS);
	assert_num_bufs(fixture->mmap, 0);
}

static void destroy_refuses_while_a_buffer_is_out(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 8);

	assert_doca(doca_buf_inventory_destroy(fixture->inventory), DOCA_ERROR_IN_USE);
	/* Still whole, still started. */
	release(take(fixture->inventory, fixture->mmap, memory, 8));
	release(buf);
	assert_doca(doca_buf_inventory_destroy(fixture->inventory), DOCA_SUCCESS);
	fixture->inventory = NULL;
}

static void expand_adds_elements_and_moves_none(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *bufs[3 * NUM_BUFS];
	uint32_t num = 0;

	for (int i = 0; i < NUM_BUFS; i++)
		bufs[i] = take(fixture->inventory, fixture->mmap, memory + i, 1);
	assert_doca(doca_buf_inventory_expand(fixture->inventory, 2 * NUM_BUFS), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_get_num_elements(fixture->inventory, &num), DOCA_SUCCESS);
	assert_int_equal(num, 3 * NUM_BUFS);
	assert_num_free(fixture->inventory, 2 * NUM_BUFS);
	for (int i = NUM_BUFS; i < 3 * NUM_BUFS; i++)
		bufs[i] = take(fixture->inventory, fixture->mmap, memory + i, 1);
	assert_num_free(fixture->inventory, 0);
	for (int i = 0; i < 3 * NUM_BUFS; i++) {
		assert_buf(bufs[i], memory + i, 1, memory + i, 0);
		release(bufs[i]);
	}
}

static void expand_refuses_a_pool_not_started(void **state)
{
	struct pool_fixture *fixture = *state;

	assert_doca(doca_buf_inventory_stop(fixture->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_expand(fixture->inventory, 1), DOCA_ERROR_BAD_STATE);
}

static void expand_has_bounds(void **state)
{
	struct pool_fixture *fixture = *state;

	assert_doca(doca_buf_inventory_expand(fixture->inventory, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_expand(fixture->inventory, UINT32_MAX),
		    DOCA_ERROR_INVALID_VALUE);
	assert_num_free(fixture->inventory, NUM_BUFS);
}

static void expand_without_memory_changes_nothing(void **state)
{
	struct pool_fixture *fixture = *state;
	uint32_t num = 0;

	allocs_before_failure = 0;
	assert_doca(doca_buf_inventory_expand(fixture->inventory, 1), DOCA_ERROR_NO_MEMORY);
	assert_doca(doca_buf_inventory_get_num_elements(fixture->inventory, &num), DOCA_SUCCESS);
	assert_int_equal(num, NUM_BUFS);
	assert_num_free(fixture->inventory, NUM_BUFS);
}

static void user_data_is_0_until_it_is_set_on_a_started_pool(void **state)
{
	struct doca_buf_inventory *inventory = ((struct pool_fixture *)*state)->inventory;
	union doca_data data = {.u64 = 5};

	assert_doca(doca_buf_inventory_get_user_data(inventory, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 0);
	data.u64 = 7;
	assert_doca(doca_buf_inventory_set_user_data(inventory, data), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_stop(inventory), DOCA_SUCCESS);
	data.u64 = 8;
	assert_doca(doca_buf_inventory_set_user_data(inventory, data), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inventory_get_user_data(inventory, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 7);
}

#define WITH_POOL(name) cmocka_unit_test_setup_teardown(name, setup_pool, teardown_pool)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_refuses_an_empty_pool),
		cmocka_unit_test(create_refuses_more_than_32_bits_can_count),
		cmocka_unit_test(create_without_memory_leaves_the_argument_untouched),
		WITH_POOL(every_call_on_null_is_refused),
		WITH_POOL(every_null_argument_is_refused),
		WITH_POOL(get_by_args_sets_region_and_window),
		WITH_POOL(get_by_addr_has_no_valid_data),
		WITH_POOL(get_by_data_has_nothing_else),
		WITH_POOL(an_element_is_a_cache_line),
		WITH_POOL(an_empty_region_may_lie_anywhere_in_the_map),
		WITH_POOL(get_refuses_regions_outside_the_map),
		WITH_POOL(get_refuses_windows_outside_the_region),
		WITH_POOL(get_refuses_before_start_and_after_stop),
		WITH_POOL(each_way_of_taking_a_buffer_refuses_with_the_same_code),
		WITH_POOL(get_by_args_and_by_data_refuse_null),
		WITH_POOL(start_and_stop_may_be_repeated),
		WITH_POOL(buffers_outlive_a_stop),
		WITH_POOL(an_empty_pool_is_no_memory_until_a_buffer_returns),
		WITH_POOL(destroy_refuses_while_a_buffer_is_out),
		WITH_POOL(expand_adds_elements_and_moves_none),
		WITH_POOL(expand_refuses_a_pool_not_started),
		WITH_POOL(expand_has_bounds),
		WITH_POOL(expand_without_memory_changes_nothing),
		WITH_POOL(user_data_is_0_until_it_is_set_on_a_started_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
