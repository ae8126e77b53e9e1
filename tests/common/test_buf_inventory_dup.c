/* SPDX-License-Identifier: Apache-2.0 */
/* Inventories: duplicates of buffers and lists, and buffers that are aimed anew. */
#include "support/test.h"

#include "support/pool_fixture.h"

/* Three elements, the second of another map. */
static struct doca_buf *make_list(struct pool_fixture *fixture, struct doca_mmap *other)
{
	struct doca_buf *head = take(fixture->inventory, fixture->mmap, memory, 8);

	assert_doca(doca_buf_chain_list(head, take(fixture->inventory, other, memory + 8, 8)),
		    DOCA_SUCCESS);
	assert_doca(
		doca_buf_chain_list(head, take(fixture->inventory, fixture->mmap, memory + 16, 8)),
		DOCA_SUCCESS);
	return head;
}

static void dup_describes_the_same_memory(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_inventory *other = started_inventory(1);
	struct doca_buf *source = NULL;
	struct doca_buf *copy = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_args(fixture->inventory, fixture->mmap, memory,
						       64, memory + 8, 16, &source),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_inc_refcount(source, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_dup(other, source, &copy), DOCA_SUCCESS);
	assert_ptr_not_equal(copy, source);
	assert_buf(copy, memory, 64, memory + 8, 16);
	assert_int_equal(copy->refcount, 1);
	assert_num_free(other, 0);
	assert_num_bufs(fixture->mmap, 2);
	release(copy);
	assert_num_free(other, 1);
	release(source);
	release(source);
	assert_doca(doca_buf_inventory_destroy(other), DOCA_SUCCESS);
}

static void dup_of_a_head_duplicates_the_list(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *other_mmap = started_mmap(memory, 64);
	struct doca_buf_inventory *other = started_inventory(3);
	struct doca_buf *source = make_list(fixture, other_mmap);
	struct doca_buf *copy = NULL;
	struct doca_buf *element;
	uint32_t len;

	assert_doca(doca_buf_inventory_buf_dup(other, source, &copy), DOCA_SUCCESS);
	assert_doca(doca_buf_get_list_len(copy, &len), DOCA_SUCCESS);
	assert_int_equal(len, 3);
	element = copy;
	for (int i = 0; i < 3; i++) {
		assert_buf(element, memory + 8 * i, 8, memory + 8 * i, 0);
		assert_doca(doca_buf_get_next_in_list(element, &element), DOCA_SUCCESS);
	}
	assert_num_bufs(other_mmap, 2);
	assert_num_bufs(fixture->mmap, 4);
	release(copy);
	assert_num_free(other, 3);
	release(source);
	assert_doca(doca_buf_inventory_destroy(other), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(other_mmap), DOCA_SUCCESS);
}

static void a_dup_that_does_not_fit_takes_nothing(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_inventory *other = started_inventory(2);
	struct doca_buf *source = make_list(fixture, fixture->mmap);
	struct doca_buf *copy = NULL;

	assert_doca(doca_buf_inventory_buf_dup(other, source, &copy), DOCA_ERROR_NO_MEMORY);
	assert_null(copy);
	assert_num_free(other, 2);
	assert_num_bufs(fixture->mmap, 3);
	release(source);
	assert_doca(doca_buf_inventory_destroy(other), DOCA_SUCCESS);
}

static void a_dup_whose_second_map_cannot_be_recorded_takes_nothing(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *other_mmap = started_mmap(memory, 64);
	struct doca_buf_inventory *other = started_inventory(3);
	struct doca_buf *source = make_list(fixture, other_mmap);
	struct doca_buf *copy = NULL;

	allocs_before_failure = 1;
	assert_doca(doca_buf_inventory_buf_dup(other, source, &copy), DOCA_ERROR_NO_MEMORY);
	assert_null(copy);
	assert_num_free(other, 3);
	release(source);
	assert_doca(doca_buf_inventory_destroy(other), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(other_mmap), DOCA_SUCCESS);
}

static void dup_refuses_an_inner_element(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *source = make_list(fixture, fixture->mmap);
	struct doca_buf *copy = NULL;
	struct doca_buf *inner;

	assert_doca(doca_buf_get_next_in_list(source, &inner), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_dup(fixture->inventory, inner, &copy),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_null(copy);
	release(source);
}

static void dup_refuses_what_is_not_started(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *uncounted = NULL;
	struct doca_buf *source;
	struct doca_buf *copy = NULL;

	/* Only such a map stops while a buffer is out. */
	assert_doca(doca_mmap_create(&uncounted), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(uncounted, memory, 8), DOCA_SUCCESS);
	assert_doca(doca_mmap_enable_thread_safety(uncounted), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(uncounted), DOCA_SUCCESS);
	source = take(fixture->inventory, uncounted, memory, 8);
	assert_doca(doca_buf_inventory_stop(fixture->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_dup(fixture->inventory, source, &copy),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inventory_start(fixture->inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(uncounted), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_dup(fixture->inventory, source, &copy),
		    DOCA_ERROR_BAD_STATE);
	release(source);
	assert_doca(doca_buf_inventory_buf_dup(fixture->inventory, source, &copy),
		    DOCA_ERROR_BAD_STATE);
	assert_null(copy);
	assert_doca(doca_mmap_destroy(uncounted), DOCA_SUCCESS);
}

static void reuse_aims_a_buffer_elsewhere(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 8);

	assert_doca(doca_buf_inc_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_reuse_by_args(buf, memory + 8, 32, memory + 9, 10),
		    DOCA_SUCCESS);
	assert_buf(buf, memory + 8, 32, memory + 9, 10);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(buf, memory + 16, 8), DOCA_SUCCESS);
	assert_buf(buf, memory + 16, 8, memory + 16, 0);
	assert_doca(doca_buf_inventory_buf_reuse_by_data(buf, memory + 24, 9), DOCA_SUCCESS);
	assert_buf(buf, memory + 24, 9, memory + 24, 9);
	assert_int_equal(buf->refcount, 2);
	release(buf);
	release(buf);
}

static void reuse_keeps_the_list(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *head = make_list(fixture, fixture->mmap);
	struct doca_buf *inner;
	uint32_t len;

	assert_doca(doca_buf_get_next_in_list(head, &inner), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(head, memory + 64, 1), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(inner, memory + 65, 1), DOCA_SUCCESS);
	assert_doca(doca_buf_get_list_len(head, &len), DOCA_SUCCESS);
	assert_int_equal(len, 3);
	release(head);
	assert_num_free(fixture->inventory, NUM_BUFS);
}

static void a_refused_reuse_changes_nothing(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 8);

	assert_doca(doca_buf_inventory_buf_reuse_by_addr(buf, memory, RANGE_BYTES + 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_args(buf, memory, 8, memory + 4, 5),
		    DOCA_ERROR_INVALID_VALUE);
	assert_buf(buf, memory, 8, memory, 0);
	release(buf);
}

static void reuse_refuses_a_released_buffer(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 8);

	release(buf);
	assert_doca(doca_buf_inventory_buf_reuse_by_args(buf, memory, 8, memory, 0),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(buf, memory, 8), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inventory_buf_reuse_by_data(buf, memory, 8), DOCA_ERROR_BAD_STATE);
}

static void reuse_refuses_null(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 8);

	assert_doca(doca_buf_inventory_buf_reuse_by_args(NULL, memory, 8, memory, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_args(buf, NULL, 8, memory, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_args(buf, memory, 8, NULL, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(buf, NULL, 8), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_reuse_by_data(NULL, memory, 8),
		    DOCA_ERROR_INVALID_VALUE);
	assert_buf(buf, memory, 8, memory, 0);
	release(buf);
}

#define WITH_POOL(name) cmocka_unit_test_setup_teardown(name, setup_pool, teardown_pool)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_POOL(dup_describes_the_same_memory),
		WITH_POOL(dup_of_a_head_duplicates_the_list),
		WITH_POOL(a_dup_that_does_not_fit_takes_nothing),
		WITH_POOL(a_dup_whose_second_map_cannot_be_recorded_takes_nothing),
		WITH_POOL(dup_refuses_an_inner_element),
		WITH_POOL(dup_refuses_what_is_not_started),
		WITH_POOL(reuse_aims_a_buffer_elsewhere),
		WITH_POOL(reuse_keeps_the_list),
		WITH_POOL(a_refused_reuse_changes_nothing),
		WITH_POOL(reuse_refuses_a_released_buffer),
		WITH_POOL(reuse_refuses_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
