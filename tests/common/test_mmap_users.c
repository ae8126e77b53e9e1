/* SPDX-License-Identifier: Apache-2.0 */
/* Maps and the inventories that use them: records, counts, ends in either order, threads. */
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/pool_fixture.h"

static void get_refuses_a_map_not_started(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = NULL;

	release(take(fixture->inventory, fixture->mmap, memory, 1));
	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	for (int i = 0; i < 2; i++) /* with a record of the map that can be reused, twice */
		assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap,
							       memory, 1, &buf),
			    DOCA_ERROR_BAD_STATE);
	assert_null(buf);
	assert_doca(doca_mmap_start(fixture->mmap), DOCA_SUCCESS);
	release(take(fixture->inventory, fixture->mmap, memory, 1));
}

static void the_first_get_of_a_map_not_started_is_refused(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = NULL;

	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap, memory, 1,
						       &buf),
		    DOCA_ERROR_BAD_STATE);
	assert_null(buf);
}

static void the_first_get_of_a_map_can_run_out_of_memory(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = NULL;

	allocs_before_failure = 0;
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap, memory, 1,
						       &buf),
		    DOCA_ERROR_NO_MEMORY);
	assert_null(buf);
	assert_num_free(fixture->inventory, NUM_BUFS);
	release(take(fixture->inventory, fixture->mmap, memory, 1));
}

static void no_get_after_the_first_allocates(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *other = started_mmap(memory, 8);

	release(take(fixture->inventory, fixture->mmap, memory, 1));
	release(take(fixture->inventory, other, memory, 1));
	allocs_before_failure = 0;
	for (int i = 0; i < 10; i++) {
		release(take(fixture->inventory, fixture->mmap, memory, 1));
		release(take(fixture->inventory, other, memory, 1));
	}
	/* Even a restart finds the record of before. */
	assert_doca(doca_mmap_stop(other), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(other), DOCA_SUCCESS);
	release(take(fixture->inventory, other, memory, 1));
	assert_int_equal(allocs_before_failure, 0);
	allocs_before_failure = -1;
	assert_doca(doca_mmap_destroy(other), DOCA_SUCCESS);
}

static void one_pool_gives_buffers_of_several_maps(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *other = started_mmap(memory, 8);
	struct doca_buf *bufs[3];

	bufs[0] = take(fixture->inventory, fixture->mmap, memory, 1);
	bufs[1] = take(fixture->inventory, other, memory, 8);
	bufs[2] = take(fixture->inventory, fixture->mmap, memory, RANGE_BYTES);
	assert_num_bufs(fixture->mmap, 2);
	assert_num_bufs(other, 1);
	assert_doca(doca_mmap_destroy(other), DOCA_ERROR_NOT_PERMITTED);
	release(bufs[1]);
	assert_doca(doca_mmap_destroy(other), DOCA_SUCCESS);
	release(bufs[0]);
	release(bufs[2]);
}

static void a_restarted_map_gives_buffers_with_its_new_rights(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf = take(fixture->inventory, fixture->mmap, memory, 1);

	assert_int_equal(buf_user(buf)->access, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	release(buf);
	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(fixture->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_start(fixture->mmap), DOCA_SUCCESS);
	buf = take(fixture->inventory, fixture->mmap, memory, 1);
	assert_int_equal(buf_user(buf)->access, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	release(buf);
}

static void a_buffer_of_a_map_without_count_keeps_its_record_for_itself(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *uncounted = NULL;
	struct doca_buf *stale;
	struct doca_buf *buf;

	assert_doca(doca_mmap_create(&uncounted), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(uncounted, memory, 8), DOCA_SUCCESS);
	assert_doca(doca_mmap_enable_thread_safety(uncounted), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(uncounted), DOCA_SUCCESS);
	stale = take(fixture->inventory, uncounted, memory, 8);
	assert_doca(doca_mmap_destroy(uncounted), DOCA_SUCCESS);
	/* Had this map taken the record over, the stale buffer would count as its own. */
	buf = take(fixture->inventory, fixture->mmap, memory, 8);
	assert_ptr_not_equal(buf_user(buf), buf_user(stale));
	assert_doca(doca_buf_inventory_buf_reuse_by_addr(stale, memory, 8), DOCA_ERROR_BAD_STATE);
	release(stale);
	assert_num_bufs(fixture->mmap, 1);
	release(buf);
}

static void pool_and_map_may_end_in_either_order(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_mmap *other = started_mmap(memory, 8);

	release(take(fixture->inventory, other, memory, 8));
	release(take(fixture->inventory, fixture->mmap, memory, 8));
	assert_doca(doca_mmap_destroy(other), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(fixture->inventory), DOCA_SUCCESS);
	fixture->inventory = NULL;
	assert_num_bufs(fixture->mmap, 0);
}

static void num_bufs_is_the_sum_over_every_pool(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf_inventory *other = started_inventory(1);
	struct doca_buf *bufs[3];

	bufs[0] = take(fixture->inventory, fixture->mmap, memory, 8);
	bufs[1] = take(fixture->inventory, fixture->mmap, memory, 8);
	bufs[2] = take(other, fixture->mmap, memory, 8);
	assert_num_bufs(fixture->mmap, 3);
	for (int i = 0; i < 3; i++)
		release(bufs[i]);
	assert_num_bufs(fixture->mmap, 0);
	assert_doca(doca_buf_inventory_destroy(other), DOCA_SUCCESS);
	assert_num_bufs(fixture->mmap, 0);
}

static void with_thread_safety_buffers_are_not_counted(void **state)
{
	struct pool_fixture *fixture = *state;
	struct doca_buf *buf;
	uint32_t num = 99;

	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_enable_thread_safety(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(fixture->mmap), DOCA_SUCCESS);
	buf = take(fixture->inventory, fixture->mmap, memory, 8);
	assert_doca(doca_mmap_get_num_bufs(fixture->mmap, &num), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(num, 99);
	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(fixture->mmap), DOCA_SUCCESS);
	fixture->mmap = NULL;
	release(buf);
}

#define NUM_THREADS 8
#define NUM_ROUNDS 5000

struct sharing {
	struct doca_mmap *mmap;
	atomic_int num_running;
	atomic_int num_failures;
};

static bool take_and_release(struct doca_buf_inventory *inventory, struct doca_mmap *mmap)
{
	struct doca_buf *first;
	struct doca_buf *second;
	void *addr;
	size_t len;

	return doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &first) ==
		       DOCA_SUCCESS &&
	       doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 8, &second) ==
		       DOCA_SUCCESS &&
	       doca_mmap_get_memrange(mmap, &addr, &len) == DOCA_SUCCESS && addr == memory &&
	       doca_buf_chain_list(first, second) == DOCA_SUCCESS &&
	       doca_buf_dec_refcount(first, NULL) == DOCA_SUCCESS;
}

static bool use_pools_of_its_own(struct doca_mmap *mmap)
{
	struct doca_buf_inventory *inventory;
	bool is_right = true;

	for (int i = 0; is_right && i < 10; i++) {
		if (doca_buf_inventory_create(2, &inventory) != DOCA_SUCCESS)
			return false;
		is_right = doca_buf_inventory_start(inventory) == DOCA_SUCCESS;
		for (int j = 0; is_right && j < NUM_ROUNDS / 10; j++)
			is_right = take_and_release(inventory, mmap);
		if (doca_buf_inventory_destroy(inventory) != DOCA_SUCCESS)
			is_right = false;
	}
	return is_right;
}

static void *share(void *arg)
{
	struct sharing *sharing = arg;

	if (!use_pools_of_its_own(sharing->mmap))
		atomic_fetch_add(&sharing->num_failures, 1);
	atomic_fetch_sub(&sharing->num_running, 1);
	return NULL;
}

static void threads_share_a_started_map(void **state)
{
	struct sharing sharing = {.mmap = ((struct pool_fixture *)*state)->mmap,
				  .num_running = NUM_THREADS};
	pthread_t threads[NUM_THREADS];
	uint32_t num_bufs;

	for (int i = 0; i < NUM_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, share, &sharing), 0);
	while (atomic_load(&sharing.num_running) > 0) {
		assert_doca(doca_mmap_get_num_bufs(sharing.mmap, &num_bufs), DOCA_SUCCESS);
		assert_true(num_bufs <= 2 * NUM_THREADS);
	}
	for (int i = 0; i < NUM_THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(atomic_load(&sharing.num_failures), 0);
	assert_num_bufs(sharing.mmap, 0);
}

#define WITH_POOL(name) cmocka_unit_test_setup_teardown(name, setup_pool, teardown_pool)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_POOL(get_refuses_a_map_not_started),
		WITH_POOL(the_first_get_of_a_map_not_started_is_refused),
		WITH_POOL(the_first_get_of_a_map_can_run_out_of_memory),
		WITH_POOL(no_get_after_the_first_allocates),
		WITH_POOL(one_pool_gives_buffers_of_several_maps),
		WITH_POOL(a_restarted_map_gives_buffers_with_its_new_rights),
		WITH_POOL(a_buffer_of_a_map_without_count_keeps_its_record_for_itself),
		WITH_POOL(pool_and_map_may_end_in_either_order),
		WITH_POOL(num_bufs_is_the_sum_over_every_pool),
		WITH_POOL(with_thread_safety_buffers_are_not_counted),
		WITH_POOL(threads_share_a_started_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
