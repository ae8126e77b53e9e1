/* SPDX-License-Identifier: Apache-2.0 */
/* Memory maps: configuration, start and stop, devices, rights, the free callback. */
#include "support/test.h"

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "common/dev.h"
#include "common/mmap.h"
#include "support/fail_calloc.h"

#define RANGE_BYTES 4096
#define NUM_DEVS 2

static uint8_t memory[RANGE_BYTES];

struct fixture {
	struct doca_mmap *mmap; /* no range, not started */
	struct doca_dev *devs[NUM_DEVS];
	struct doca_buf_inventory *inventory; /* started */
};

static int open_devs(struct doca_dev *devs[NUM_DEVS])
{
	struct doca_devinfo **list;
	uint32_t num;

	if (doca_devinfo_create_list(&list, &num) != DOCA_SUCCESS || num != NUM_DEVS)
		return -1;
	for (uint32_t i = 0; i < num; i++)
		if (doca_dev_open(list[i], &devs[i]) != DOCA_SUCCESS)
			return -1;
	return doca_devinfo_destroy_list(list) == DOCA_SUCCESS ? 0 : -1;
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	if (fixture == NULL || open_devs(fixture->devs) != 0 ||
	    doca_mmap_create(&fixture->mmap) != DOCA_SUCCESS ||
	    doca_buf_inventory_create(8, &fixture->inventory) != DOCA_SUCCESS)
		return -1;
	return doca_buf_inventory_start(fixture->inventory) == DOCA_SUCCESS ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	if (fixture->mmap != NULL && doca_mmap_destroy(fixture->mmap) != DOCA_SUCCESS)
		return -1;
	if (doca_buf_inventory_destroy(fixture->inventory) != DOCA_SUCCESS)
		return -1;
	for (int i = 0; i < NUM_DEVS; i++)
		if (doca_dev_close(fixture->devs[i]) != DOCA_SUCCESS)
			return -1;
	free(fixture);
	return 0;
}

static struct doca_mmap *mmap_in(void **state)
{
	return ((struct fixture *)*state)->mmap;
}

static struct doca_mmap *started_mmap_in(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);

	assert_doca(doca_mmap_set_memrange(mmap, memory, RANGE_BYTES), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	return mmap;
}

/* The fixture's map, gone by the test's own hand. */
static void destroy_mmap_of(struct fixture *fixture)
{
	assert_doca(doca_mmap_destroy(fixture->mmap), DOCA_SUCCESS);
	fixture->mmap = NULL;
}

static struct doca_buf *take_buf(struct fixture *fixture)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap, memory,
						       16, &buf),
		    DOCA_SUCCESS);
	return buf;
}

static void create_refuses_null(void **state)
{
	assert_doca(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void create_without_memory_leaves_the_argument_untouched(void **state)
{
	struct doca_mmap *mmap = NULL;

	next_calloc_fails = true;
	assert_doca(doca_mmap_create(&mmap), DOCA_ERROR_NO_MEMORY);
	assert_null(mmap);
}

static void every_call_on_null_is_refused(void **state)
{
	struct doca_dev *dev = ((struct fixture *)*state)->devs[0];
	const union doca_data data = {.u64 = 1};
	union doca_data got;
	uint32_t num;
	void *addr;
	size_t len;

	assert_doca(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_add_dev(NULL, dev), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_rm_dev(NULL, dev), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_memrange(NULL, memory, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_memrange(NULL, &addr, &len), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_permissions(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_max_num_devices(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_max_num_devices(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_num_bufs(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_user_data(NULL, &got), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_enable_thread_safety(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void every_null_argument_is_refused(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);
	void *addr;
	size_t len;

	assert_doca(doca_mmap_add_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_rm_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_memrange(mmap, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_memrange(mmap, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_memrange(mmap, &addr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_free_cb(mmap, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_max_num_devices(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_num_bufs(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_user_data(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void set_memrange_is_read_back(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);
	void *addr = NULL;
	size_t len = 0;

	assert_doca(doca_mmap_set_memrange(mmap, memory + 1, 77), DOCA_SUCCESS);
	assert_doca(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	assert_ptr_equal(addr, memory + 1);
	assert_int_equal(len, 77);
}

static void set_memrange_refuses_an_empty_range(void **state)
{
	assert_doca(doca_mmap_set_memrange(mmap_in(state), memory, 0), DOCA_ERROR_INVALID_VALUE);
}

static void set_memrange_refuses_a_range_past_the_address_space(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);

	assert_doca(doca_mmap_set_memrange(mmap, memory, SIZE_MAX), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_memrange(mmap, memory, SIZE_MAX - (uintptr_t)memory + 1),
		    DOCA_ERROR_INVALID_VALUE);
}

static void set_memrange_works_once(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);
	void *addr;
	size_t len;

	assert_doca(doca_mmap_set_memrange(mmap, memory, 8), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, 9), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	assert_int_equal(len, 8);
}

static void set_memrange_refuses_a_started_map(void **state)
{
	assert_doca(doca_mmap_set_memrange(started_mmap_in(state), memory, 1),
		    DOCA_ERROR_BAD_STATE);
}

static void set_memrange_stays_refused_after_a_stop(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);

	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, 1), DOCA_ERROR_NOT_PERMITTED);
}

static void get_memrange_refuses_a_map_without_one(void **state)
{
	void *addr = memory;
	size_t len = 5;

	assert_doca(doca_mmap_get_memrange(mmap_in(state), &addr, &len), DOCA_ERROR_BAD_STATE);
	assert_ptr_equal(addr, memory);
	assert_int_equal(len, 5);
}

static void start_fails_without_a_memory_range(void **state)
{
	assert_doca(doca_mmap_start(mmap_in(state)), DOCA_ERROR_INVALID_VALUE);
}

static void start_needs_no_device(void **state)
{
	started_mmap_in(state);
}

static void start_allocates_nothing(void **state)
{
	struct fixture *fixture = *state;

	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(fixture->mmap, memory, RANGE_BYTES), DOCA_SUCCESS);
	next_calloc_fails = true;
	assert_doca(doca_mmap_start(fixture->mmap), DOCA_SUCCESS);
	assert_true(next_calloc_fails);
	next_calloc_fails = false;
}

static void start_refuses_a_started_map(void **state)
{
	assert_doca(doca_mmap_start(started_mmap_in(state)), DOCA_ERROR_NOT_PERMITTED);
}

static void a_stopped_map_starts_again(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);

	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
}

static void stop_of_a_map_not_started_changes_nothing(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);

	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, 1), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
}

static void stop_refuses_while_a_buffer_is_out(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);
	struct doca_buf *buf = take_buf(*state);

	assert_doca(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	/* Still started. */
	assert_doca(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
}

static void destroy_refuses_while_a_buffer_is_out(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);
	struct doca_buf *buf = take_buf(*state);
	struct doca_buf *second;

	assert_doca(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	/* Still whole. */
	second = take_buf(*state);
	assert_doca(doca_buf_dec_refcount(second, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	destroy_mmap_of(*state);
}

static void destroy_of_a_started_map_stops_it(void **state)
{
	started_mmap_in(state);
	destroy_mmap_of(*state);
}

static void add_dev_refuses_a_second_time(void **state)
{
	struct fixture *fixture = *state;

	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_ERROR_ALREADY_EXIST);
	assert_int_equal(fixture->mmap->num_devs, 1);
}

static void add_dev_refuses_more_than_the_limit(void **state)
{
	struct fixture *fixture = *state;

	assert_doca(doca_mmap_set_max_num_devices(fixture->mmap, 1), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[1]), DOCA_ERROR_NO_MEMORY);
	assert_doca(doca_mmap_set_max_num_devices(fixture->mmap, 2), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[1]), DOCA_SUCCESS);
}

static void add_dev_without_memory_changes_nothing(void **state)
{
	struct fixture *fixture = *state;

	next_calloc_fails = true;
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_ERROR_NO_MEMORY);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[0]), DOCA_ERROR_NOT_FOUND);
	assert_int_equal(fixture->devs[0]->num_users, 0);
}

static void devices_of_a_started_map_are_fixed(void **state)
{
	struct fixture *fixture = *state;

	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	started_mmap_in(state);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[1]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[0]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
}

static void rm_dev_takes_the_right_one(void **state)
{
	struct fixture *fixture = *state;

	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[1]), DOCA_SUCCESS);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[0]), DOCA_ERROR_NOT_FOUND);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[1]), DOCA_SUCCESS);
}

static void a_map_holds_its_devices_until_they_are_removed_or_it_is_gone(void **state)
{
	struct fixture *fixture = *state;

	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(fixture->mmap, fixture->devs[1]), DOCA_SUCCESS);
	assert_int_equal(fixture->devs[0]->num_users, 1);
	assert_doca(doca_mmap_rm_dev(fixture->mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_int_equal(fixture->devs[0]->num_users, 0);
	assert_int_equal(fixture->devs[1]->num_users, 1);
	destroy_mmap_of(fixture);
	assert_int_equal(fixture->devs[1]->num_users, 0);
}

static void max_num_devices_is_16_until_it_is_set(void **state)
{
	struct doca_mmap *mmap = mmap_in(state);
	uint32_t max = 0;

	assert_doca(doca_mmap_get_max_num_devices(mmap, &max), DOCA_SUCCESS);
	assert_int_equal(max, 16);
	assert_doca(doca_mmap_set_max_num_devices(mmap, 256), DOCA_SUCCESS);
	assert_doca(doca_mmap_get_max_num_devices(mmap, &max), DOCA_SUCCESS);
	assert_int_equal(max, 256);
}

static void max_num_devices_has_bounds(void **state)
{
	struct fixture *fixture = *state;
	struct doca_mmap *mmap = fixture->mmap;

	assert_doca(doca_mmap_set_max_num_devices(mmap, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_max_num_devices(mmap, 257), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_add_dev(mmap, fixture->devs[0]), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, fixture->devs[1]), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_max_num_devices(mmap, 1), DOCA_ERROR_INVALID_VALUE);
}

static void max_num_devices_is_fixed_by_the_first_start(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);

	assert_doca(doca_mmap_set_max_num_devices(mmap, 4), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_max_num_devices(mmap, 4), DOCA_ERROR_NOT_PERMITTED);
}

static void local_write_is_the_default_right(void **state)
{
	assert_int_equal(mmap_in(state)->access, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

static void set_permissions_takes_every_mask_that_makes_sense(void **state)
{
	static const uint32_t masks[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
			DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
	};

	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		assert_doca(doca_mmap_set_permissions(mmap_in(state), masks[i]), DOCA_SUCCESS);
		assert_int_equal(mmap_in(state)->access, masks[i]);
	}
}

static void set_permissions_refuses_masks_without_sense(void **state)
{
	static const uint32_t masks[] = {
		1u << 7,
		1u << 31,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
	};

	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++)
		assert_doca(doca_mmap_set_permissions(mmap_in(state), masks[i]),
			    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(mmap_in(state)->access, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

static void set_permissions_refuses_a_started_map(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);

	assert_doca(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, 0), DOCA_SUCCESS);
}

/* What a free callback was called with. */
struct freed {
	void *addr;
	size_t len;
	int num_calls;
};

static void record_free(void *addr, size_t len, void *cookie)
{
	struct freed *freed = cookie;

	freed->addr = addr;
	freed->len = len;
	freed->num_calls++;
}

static void destroy_frees_the_range_of_a_map_that_was_started(void **state)
{
	struct freed freed = {0};

	assert_doca(doca_mmap_set_free_cb(mmap_in(state), record_free, &freed), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(started_mmap_in(state)), DOCA_SUCCESS);
	assert_int_equal(freed.num_calls, 0);
	destroy_mmap_of(*state);
	assert_int_equal(freed.num_calls, 1);
	assert_ptr_equal(freed.addr, memory);
	assert_int_equal(freed.len, RANGE_BYTES);
}

static void destroy_leaves_the_range_of_a_map_never_started(void **state)
{
	struct freed freed = {0};

	assert_doca(doca_mmap_set_free_cb(mmap_in(state), record_free, &freed), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap_in(state), memory, 8), DOCA_SUCCESS);
	destroy_mmap_of(*state);
	assert_int_equal(freed.num_calls, 0);
}

static void a_free_callback_set_after_the_last_start_never_runs(void **state)
{
	struct freed freed = {0};
	struct doca_mmap *mmap = started_mmap_in(state);

	assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_free_cb(mmap, record_free, &freed), DOCA_SUCCESS);
	destroy_mmap_of(*state);
	assert_int_equal(freed.num_calls, 0);
}

/* What counts is the callback at the last start, not that there was one at an earlier one. */
static void a_free_callback_replaced_after_the_last_start_never_runs(void **state)
{
	struct freed first = {0};
	struct freed second = {0};

	assert_doca(doca_mmap_set_free_cb(mmap_in(state), record_free, &first), DOCA_SUCCESS);
	assert_doca(doca_mmap_stop(started_mmap_in(state)), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_free_cb(mmap_in(state), record_free, &second), DOCA_SUCCESS);
	destroy_mmap_of(*state);
	assert_int_equal(first.num_calls, 0);
	assert_int_equal(second.num_calls, 0);
}

static void a_refused_destroy_frees_nothing(void **state)
{
	struct freed freed = {0};
	struct doca_buf *buf;

	assert_doca(doca_mmap_set_free_cb(mmap_in(state), record_free, &freed), DOCA_SUCCESS);
	started_mmap_in(state);
	buf = take_buf(*state);
	assert_doca(doca_mmap_destroy(mmap_in(state)), DOCA_ERROR_NOT_PERMITTED);
	assert_int_equal(freed.num_calls, 0);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	destroy_mmap_of(*state);
	assert_int_equal(freed.num_calls, 1);
}

static void set_free_cb_refuses_null_and_a_started_map(void **state)
{
	struct freed freed = {0};
	struct doca_mmap *mmap = started_mmap_in(state);

	assert_doca(doca_mmap_set_free_cb(NULL, record_free, &freed), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_free_cb(mmap, record_free, &freed), DOCA_ERROR_BAD_STATE);
}

static void user_data_is_0_until_it_is_set_at_any_time(void **state)
{
	struct doca_mmap *mmap = started_mmap_in(state);
	union doca_data data = {.u64 = 5};

	assert_doca(doca_mmap_get_user_data(mmap, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 0);
	assert_doca(doca_mmap_set_user_data(mmap, (union doca_data){.u64 = 7}), DOCA_SUCCESS);
	assert_doca(doca_mmap_get_user_data(mmap, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 7);
}

static void enable_thread_safety_refuses_a_started_map(void **state)
{
	assert_doca(doca_mmap_enable_thread_safety(started_mmap_in(state)),
		    DOCA_ERROR_NOT_PERMITTED);
}

#define WITH_MMAP(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_refuses_null),
		cmocka_unit_test(create_without_memory_leaves_the_argument_untouched),
		WITH_MMAP(every_call_on_null_is_refused),
		WITH_MMAP(every_null_argument_is_refused),
		WITH_MMAP(set_memrange_is_read_back),
		WITH_MMAP(set_memrange_refuses_an_empty_range),
		WITH_MMAP(set_memrange_refuses_a_range_past_the_address_space),
		WITH_MMAP(set_memrange_works_once),
		WITH_MMAP(set_memrange_refuses_a_started_map),
		WITH_MMAP(set_memrange_stays_refused_after_a_stop),
		WITH_MMAP(get_memrange_refuses_a_map_without_one),
		WITH_MMAP(start_fails_without_a_memory_range),
		WITH_MMAP(start_needs_no_device),
		WITH_MMAP(start_allocates_nothing),
		WITH_MMAP(start_refuses_a_started_map),
		WITH_MMAP(a_stopped_map_starts_again),
		WITH_MMAP(stop_of_a_map_not_started_changes_nothing),
		WITH_MMAP(stop_refuses_while_a_buffer_is_out),
		WITH_MMAP(destroy_refuses_while_a_buffer_is_out),
		WITH_MMAP(destroy_of_a_started_map_stops_it),
		WITH_MMAP(add_dev_refuses_a_second_time),
		WITH_MMAP(add_dev_refuses_more_than_the_limit),
		WITH_MMAP(add_dev_without_memory_changes_nothing),
		WITH_MMAP(devices_of_a_started_map_are_fixed),
		WITH_MMAP(rm_dev_takes_the_right_one),
		WITH_MMAP(a_map_holds_its_devices_until_they_are_removed_or_it_is_gone),
		WITH_MMAP(max_num_devices_is_16_until_it_is_set),
		WITH_MMAP(max_num_devices_has_bounds),
		WITH_MMAP(max_num_devices_is_fixed_by_the_first_start),
		WITH_MMAP(local_write_is_the_default_right),
		WITH_MMAP(set_permissions_takes_every_mask_that_makes_sense),
		WITH_MMAP(set_permissions_refuses_masks_without_sense),
		WITH_MMAP(set_permissions_refuses_a_started_map),
		WITH_MMAP(destroy_frees_the_range_of_a_map_that_was_started),
		WITH_MMAP(destroy_leaves_the_range_of_a_map_never_started),
		WITH_MMAP(a_free_callback_set_after_the_last_start_never_runs),
		WITH_MMAP(a_free_callback_replaced_after_the_last_start_never_runs),
		WITH_MMAP(a_refused_destroy_frees_nothing),
		WITH_MMAP(set_free_cb_refuses_null_and_a_started_map),
		WITH_MMAP(user_data_is_0_until_it_is_set_at_any_time),
		WITH_MMAP(enable_thread_safety_refuses_a_started_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
