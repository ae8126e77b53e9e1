/* SPDX-License-Identifier: Apache-2.0 */
/* Open devices: one object a function, counted opens, and users that keep it open. */
#include "support/test.h"

#include <pthread.h>

#include "common/dev.h"
#include "support/fail_calloc.h"

#define NUM_THREADS 8
#define NUM_ROUNDS 2000

static int setup_list(void **state)
{
	struct doca_devinfo **list;
	uint32_t num_devs;

	if (doca_devinfo_create_list(&list, &num_devs) != DOCA_SUCCESS || num_devs != 2)
		return -1;
	*state = list;
	return 0;
}

static int teardown_list(void **state)
{
	return doca_devinfo_destroy_list(*state) == DOCA_SUCCESS ? 0 : -1;
}

static struct doca_dev *open_dev(struct doca_devinfo *info)
{
	struct doca_dev *dev = NULL;

	assert_doca(doca_dev_open(info, &dev), DOCA_SUCCESS);
	assert_non_null(dev);
	return dev;
}

static void open_gives_a_device_that_close_ends(void **state)
{
	struct doca_devinfo **list = *state;

	assert_doca(doca_dev_close(open_dev(list[0])), DOCA_SUCCESS);
}

static void open_of_an_open_device_gives_the_same_and_counts(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *first = open_dev(list[0]);
	struct doca_dev *second = open_dev(list[0]);

	assert_ptr_equal(first, second);
	assert_doca(doca_dev_close(first), DOCA_SUCCESS);
	/* Still open, or this would be another object. */
	assert_ptr_equal(open_dev(list[0]), second);
	assert_doca(doca_dev_close(second), DOCA_SUCCESS);
	assert_doca(doca_dev_close(second), DOCA_SUCCESS);
}

static void open_from_another_list_gives_the_same_device(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *first = open_dev(list[1]);
	struct doca_devinfo **other;
	struct doca_dev *second;
	uint32_t num_devs;

	assert_doca(doca_devinfo_create_list(&other, &num_devs), DOCA_SUCCESS);
	second = open_dev(other[1]);
	assert_doca(doca_devinfo_destroy_list(other), DOCA_SUCCESS);
	assert_ptr_equal(first, second);
	assert_doca(doca_dev_close(first), DOCA_SUCCESS);
	assert_doca(doca_dev_close(second), DOCA_SUCCESS);
}

static void open_through_the_info_of_an_open_device_gives_the_same(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *first = open_dev(list[0]);
	struct doca_dev *second = open_dev(doca_dev_as_devinfo(first));

	assert_ptr_equal(first, second);
	assert_doca(doca_dev_close(first), DOCA_SUCCESS);
	assert_doca(doca_dev_close(second), DOCA_SUCCESS);
}

static void two_functions_are_two_devices(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *dpu = open_dev(list[0]);
	struct doca_dev *host = open_dev(list[1]);

	assert_ptr_not_equal(dpu, host);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
}

static void open_refuses_null(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *dev = NULL;

	assert_doca(doca_dev_open(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
	assert_null(dev);
	assert_doca(doca_dev_open(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
}

static void open_without_memory_gives_none_and_can_be_tried_again(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *dev = NULL;

	next_calloc_fails = true;
	assert_doca(doca_dev_open(list[0], &dev), DOCA_ERROR_NO_MEMORY);
	assert_null(dev);
	assert_doca(doca_dev_close(open_dev(list[0])), DOCA_SUCCESS);
}

static void close_of_null_is_no_error(void **state)
{
	assert_doca(doca_dev_close(NULL), DOCA_SUCCESS);
}

static void the_last_close_is_refused_while_the_device_has_a_user(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *dev = open_dev(list[0]);

	doca__dev_hold(dev);
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	/* Nothing changed: it is open still, once. */
	assert_ptr_equal(open_dev(list[0]), dev);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	doca__dev_put(dev);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void the_last_close_waits_for_each_user(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *dev = open_dev(list[0]);

	doca__dev_hold(dev);
	doca__dev_hold(dev);
	doca__dev_put(dev);
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	doca__dev_put(dev);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void the_info_of_an_open_device_outlives_its_list(void **state)
{
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t num_devs;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	dev = open_dev(list[1]);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_doca(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), addr), DOCA_SUCCESS);
	assert_string_equal(addr, "0000:b1:00.0");
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void the_info_of_no_device_is_null(void **state)
{
	assert_null(doca_dev_as_devinfo(NULL));
}

static void accelerate_resource_reclaim_is_not_supported(void **state)
{
	struct doca_devinfo **list = *state;
	struct doca_dev *dev = open_dev(list[0]);

	assert_doca(doca_dev_accelerate_resource_reclaim(dev), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_dev_accelerate_resource_reclaim(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

/* Opens, holds, puts and closes; NULL when a round went wrong. */
static void *open_and_close(void *arg)
{
	struct doca_devinfo *info = arg;

	for (int i = 0; i < NUM_ROUNDS; i++) {
		struct doca_dev *dev;

		if (doca_dev_open(info, &dev) != DOCA_SUCCESS ||
		    dev->info.function != info->function)
			return NULL;
		doca__dev_hold(dev);
		doca__dev_put(dev);
		if (doca_dev_close(dev) != DOCA_SUCCESS)
			return NULL;
	}
	return info;
}

static void threads_open_and_close_one_device_without_a_lost_count(void **state)
{
	struct doca_devinfo **list = *state;
	pthread_t threads[NUM_THREADS];
	struct doca_dev *dev;
	void *result;

	for (size_t i = 0; i < NUM_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, open_and_close, list[0]), 0);
	for (size_t i = 0; i < NUM_THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &result), 0);
		assert_ptr_equal(result, list[0]);
	}
	dev = open_dev(list[0]);
	assert_int_equal(dev->num_opens, 1);
	assert_int_equal(dev->num_users, 0);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_gives_a_device_that_close_ends),
		cmocka_unit_test(open_of_an_open_device_gives_the_same_and_counts),
		cmocka_unit_test(open_from_another_list_gives_the_same_device),
		cmocka_unit_test(open_through_the_info_of_an_open_device_gives_the_same),
		cmocka_unit_test(two_functions_are_two_devices),
		cmocka_unit_test(open_refuses_null),
		cmocka_unit_test(open_without_memory_gives_none_and_can_be_tried_again),
		cmocka_unit_test(close_of_null_is_no_error),
		cmocka_unit_test(the_last_close_is_refused_while_the_device_has_a_user),
		cmocka_unit_test(the_last_close_waits_for_each_user),
		cmocka_unit_test(the_info_of_an_open_device_outlives_its_list),
		cmocka_unit_test(the_info_of_no_device_is_null),
		cmocka_unit_test(accelerate_resource_reclaim_is_not_supported),
		cmocka_unit_test(threads_open_and_close_one_device_without_a_lost_count),
	};

	return cmocka_run_group_tests(tests, setup_list, teardown_list);
}
