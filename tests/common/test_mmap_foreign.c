/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is not the CPU's is refused, keys are made up. */
#include "support/test.h"

#include <doca_dev.h>
#include <doca_mmap.h>

#define NUM_DEVS 2

static uint8_t memory[64];

struct fixture {
	struct doca_devinfo **list;
	struct doca_dev *devs[NUM_DEVS];
	struct doca_mmap *mmap; /* started, with devs[0] and devs[1] */
	struct doca_mmap *bare; /* started, without a device */
};

static struct doca_mmap *started_mmap(struct doca_dev *const *devs, int num_devs)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	for (int i = 0; i < num_devs; i++)
		assert_doca(doca_mmap_add_dev(mmap, devs[i]), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, sizeof(memory)), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	return mmap;
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	uint32_t num;

	*state = fixture;
	if (fixture == NULL || doca_devinfo_create_list(&fixture->list, &num) != DOCA_SUCCESS ||
	    num != NUM_DEVS)
		return -1;
	for (int i = 0; i < NUM_DEVS; i++)
		if (doca_dev_open(fixture->list[i], &fixture->devs[i]) != DOCA_SUCCESS)
			return -1;
	fixture->mmap = started_mmap(fixture->devs, NUM_DEVS);
	fixture->bare = started_mmap(fixture->devs, 0);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	if (doca_mmap_destroy(fixture->bare) != DOCA_SUCCESS ||
	    doca_mmap_destroy(fixture->mmap) != DOCA_SUCCESS)
		return -1;
	for (int i = 0; i < NUM_DEVS; i++)
		if (doca_dev_close(fixture->devs[i]) != DOCA_SUCCESS)
			return -1;
	if (doca_devinfo_destroy_list(fixture->list) != DOCA_SUCCESS)
		return -1;
	free(fixture);
	return 0;
}

static void the_size_of_a_token_refuses_null(void **state)
{
	struct doca_devinfo *info = ((struct fixture *)*state)->list[0];
	size_t max;

	assert_doca(doca_mmap_cap_get_max_export_access_token_size(NULL, &max),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_cap_get_max_export_access_token_size(info, NULL),
		    DOCA_ERROR_INVALID_VALUE);
}

static void every_access_token_is_too_long(void **state)
{
	struct fixture *fixture = *state;
	struct doca_mmap *mmap = fixture->mmap;
	struct doca_dev *dev = fixture->devs[0];

	assert_doca(doca_mmap_set_export_access_token(mmap, dev, memory, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_export_access_token(mmap, dev, memory, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_export_access_token(NULL, dev, memory, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_export_access_token(mmap, NULL, memory, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_export_access_token(mmap, dev, NULL, 1),
		    DOCA_ERROR_INVALID_VALUE);
}

static void mkeys_are_constant_and_each_is_another(void **state)
{
	struct fixture *fixture = *state;
	struct doca_mmap *other = started_mmap(fixture->devs, NUM_DEVS);
	uint32_t keys[2 * NUM_DEVS];
	uint32_t again;

	for (int i = 0; i < NUM_DEVS; i++) {
		assert_doca(doca_mmap_get_mkey(fixture->mmap, fixture->devs[i], &keys[i]),
			    DOCA_SUCCESS);
		assert_doca(doca_mmap_get_mkey(other, fixture->devs[i], &keys[NUM_DEVS + i]),
			    DOCA_SUCCESS);
	}
	for (int i = 0; i < 2 * NUM_DEVS; i++)
		for (int j = 0; j < i; j++)
			assert_int_not_equal(keys[i], keys[j]);
	assert_doca(doca_mmap_get_mkey(fixture->mmap, fixture->devs[1], &again), DOCA_SUCCESS);
	assert_int_equal(again, keys[1]);
	assert_doca(doca_mmap_destroy(other), DOCA_SUCCESS);
}

static void get_mkey_refuses_null_a_stopped_map_and_a_device_not_added(void **state)
{
	struct fixture *fixture = *state;
	struct doca_dev *dev = fixture->devs[0];
	uint32_t key = 9;

	assert_doca(doca_mmap_get_mkey(NULL, dev, &key), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_mkey(fixture->mmap, NULL, &key), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_mkey(fixture->mmap, dev, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_mkey(fixture->bare, dev, &key), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_stop(fixture->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_get_mkey(fixture->mmap, dev, &key), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(key, 9);
}

static void a_dma_buf_range_is_not_supported(void **state)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 8), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_mmap_set_dmabuf_memrange(NULL, 0, memory, 0, 8), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dmabuf_memrange(mmap, -1, memory, 0, 8),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dmabuf_memrange(mmap, 0, NULL, 0, 8), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, SIZE_MAX),
		    DOCA_ERROR_INVALID_VALUE);
	/* The map has no range yet. */
	assert_doca(doca_mmap_set_memrange(mmap, memory, 8), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static void nothing_of_a_dpa_is_supported(void **state)
{
	struct fixture *fixture = *state;
	struct doca_mmap *mmap = fixture->mmap;
	struct doca_dev *dev = fixture->devs[0];
	struct doca_dpa *dpa = (struct doca_dpa *)memory;
	doca_dpa_dev_mmap_t handle = 9;

	assert_doca(doca_mmap_set_dpa_memrange(mmap, dpa, 1, 8), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_mmap_set_dpa_memrange(NULL, dpa, 1, 8), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dpa_memrange(mmap, NULL, 1, 8), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dpa_memrange(mmap, dpa, 0, 8), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_set_dpa_memrange(mmap, dpa, 1, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_mmap_dev_get_dpa_handle(NULL, dev, &handle), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_dev_get_dpa_handle(mmap, NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_dev_get_dpa_handle(mmap, dev, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(handle, 9);
}

#define WITH_MMAPS(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MMAPS(the_size_of_a_token_refuses_null),
		WITH_MMAPS(every_access_token_is_too_long),
		WITH_MMAPS(mkeys_are_constant_and_each_is_another),
		WITH_MMAPS(get_mkey_refuses_null_a_stopped_map_and_a_device_not_added),
		WITH_MMAPS(a_dma_buf_range_is_not_supported),
		WITH_MMAPS(nothing_of_a_dpa_is_supported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
