/* SPDX-License-Identifier: Apache-2.0 */
/* What maps, buffers, inventories and pools say when they refuse: one line, the object, what to
 * call. */
#include "support/test.h"

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>
#include <doca_mmap.h>

#include "support/log_capture.h"

static uint8_t memory[64];

/* "[0x..., +64)", as the lines name a range. */
static const char *range_text(const void *addr, size_t len, char text[64])
{
	snprintf(text, 64, "[%p, +%zu)", addr, len);
	return text;
}

static struct doca_mmap *new_mmap(size_t len)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	if (len > 0)
		assert_doca(doca_mmap_set_memrange(mmap, memory, len), DOCA_SUCCESS);
	return mmap;
}

static struct doca_buf_inventory *new_inventory(void)
{
	struct doca_buf_inventory *inventory = NULL;

	assert_doca(doca_buf_inventory_create(1, &inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(inventory), DOCA_SUCCESS);
	return inventory;
}

static void start_without_a_range_says_what_to_call(void **state)
{
	struct doca_mmap *mmap = new_mmap(0);

	log_forget(state);
	assert_doca(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR",
		      "refuses start: no memory range set; call "
		      "doca_mmap_set_memrange first");
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_refusal_of_a_started_map_names_it_and_its_range(void **state)
{
	struct doca_mmap *mmap = new_mmap(64);
	char range[64];
	char name[32];

	snprintf(name, sizeof(name), "mmap %p", (void *)mmap);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", range_text(memory, 64, range));
	assert_logged(state, "ERR", name);
	assert_logged(state, "ERR", "call doca_mmap_stop first");
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_buffer_outside_the_map_names_both_ranges(void **state)
{
	struct doca_buf_inventory *inventory = new_inventory();
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf *buf;
	char range[64];

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 8, 25, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", range_text(memory + 8, 25, range));
	assert_logged(state, "ERR", range_text(memory, 32, range));
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_buffer_of_a_map_not_started_is_one_line(void **state)
{
	struct doca_buf_inventory *inventory = new_inventory();
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf *buf;

	log_forget(state);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &buf),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "it is not started; call doca_mmap_start first");
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_busy_map_tells_how_many_buffers_are_out(void **state)
{
	struct doca_buf_inventory *inventory = new_inventory();
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf *buf;

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &buf),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR",
		      "refuses destroy: 1 buffers of it are out; release them with "
		      "doca_buf_dec_refcount first");
	log_forget(state);
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR",
		      "1 of 1 elements are out; release them with "
		      "doca_buf_dec_refcount first");
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void an_empty_pool_is_no_error_line(void **state)
{
	struct doca_buf_inventory *inventory = new_inventory();
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf *buf;
	struct doca_buf *more;

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &buf),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &more),
		    DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "DBG", "is empty: all 1 elements are out");
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static struct doca_buf_pool *new_pool(size_t num_elements, const struct doca_mmap *mmap)
{
	struct doca_buf_pool *pool = NULL;

	assert_doca(doca_buf_pool_create(num_elements, 16, mmap, &pool), DOCA_SUCCESS);
	return pool;
}

static void a_pool_that_does_not_fit_names_the_map_and_its_range(void **state)
{
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf_pool *pool = new_pool(3, mmap);
	char range[64];

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_pool_start(pool), DOCA_ERROR_INITIALIZATION);
	assert_logged(state, "ERR", "of 3 elements of 16 bytes refuses start");
	assert_logged(state, "ERR", range_text(memory, 32, range));
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_busy_pool_tells_how_many_buffers_are_out(void **state)
{
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf_pool *pool = new_pool(2, mmap);
	struct doca_buf *buf = NULL;

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_pool_stop(pool), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR",
		      "refuses stop: 1 are out; release them with doca_buf_dec_refcount first");
	log_forget(state);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "refuses destroy: 1 are out");
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void each_refusal_of_a_pool_says_what_to_do(void **state)
{
	struct doca_mmap *mmap = new_mmap(0);
	struct doca_buf_pool *pool = NULL;
	struct doca_buf *buf = NULL;

	log_forget(state);
	assert_doca(doca_buf_pool_create(1, 16, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "call doca_mmap_set_memrange first");
	assert_doca(doca_mmap_set_memrange(mmap, memory, 32), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_pool_create(0, 16, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "0 elements of 16 bytes; from 1 to");
	pool = new_pool(1, mmap);
	log_forget(state);
	assert_doca(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "it is not started; call doca_mmap_start first");
	log_forget(state);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "call doca_buf_pool_start first");
	log_forget(state);
	assert_doca(doca_buf_pool_set_element_alignment(pool, 3), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "an alignment of 3 bytes; a power of two is wanted");
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_pool_set_element_alignment(pool, 2), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "call doca_buf_pool_stop first");
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void an_exhausted_pool_is_no_error_line(void **state)
{
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf_pool *pool = new_pool(1, mmap);
	struct doca_buf *buf = NULL;
	struct doca_buf *more = NULL;

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_pool_start(pool), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_buf_alloc(pool, &buf), DOCA_SUCCESS);
	assert_silent(state);
	assert_doca(doca_buf_pool_buf_alloc(pool, &more), DOCA_ERROR_EMPTY);
	assert_logged(state, "DBG", "is empty: all 1 elements are out");
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_second_release_names_the_buffer_and_its_range(void **state)
{
	struct doca_buf_inventory *inventory = new_inventory();
	struct doca_mmap *mmap = new_mmap(32);
	struct doca_buf *buf;
	char range[64];

	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 9, &buf),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", range_text(memory, 9, range));
	assert_logged(state, "ERR", "it was released before");
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void a_null_argument_is_named(void **state)
{
	size_t len;

	log_forget(state);
	assert_doca(doca_buf_get_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "buf");
	assert_logged(state, "ERR", "doca_buf_get_len");
}

static void success_is_silent(void **state)
{
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	log_forget(state);
	inventory = new_inventory();
	mmap = new_mmap(32);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, &buf),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_silent(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_without_a_range_says_what_to_call),
		cmocka_unit_test(a_refusal_of_a_started_map_names_it_and_its_range),
		cmocka_unit_test(a_buffer_outside_the_map_names_both_ranges),
		cmocka_unit_test(a_buffer_of_a_map_not_started_is_one_line),
		cmocka_unit_test(a_busy_map_tells_how_many_buffers_are_out),
		cmocka_unit_test(an_empty_pool_is_no_error_line),
		cmocka_unit_test(a_pool_that_does_not_fit_names_the_map_and_its_range),
		cmocka_unit_test(a_busy_pool_tells_how_many_buffers_are_out),
		cmocka_unit_test(each_refusal_of_a_pool_says_what_to_do),
		cmocka_unit_test(an_exhausted_pool_is_no_error_line),
		cmocka_unit_test(a_second_release_names_the_buffer_and_its_range),
		cmocka_unit_test(a_null_argument_is_named),
		cmocka_unit_test(success_is_silent),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
