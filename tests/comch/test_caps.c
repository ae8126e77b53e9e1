/* SPDX-License-Identifier: Apache-2.0 */
/* What a device can do of comch. */
#include "support/comch_fixture.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "common/dev.h"

typedef doca_error_t (*limit_fn)(const struct doca_devinfo *devinfo, uint32_t *limit);

static const struct {
	limit_fn get;
	uint32_t wanted;
} limits[] = {
	{doca_comch_cap_get_max_name_len, 120},
	{doca_comch_cap_get_max_msg_size, 4080},
	{doca_comch_cap_get_max_recv_queue_size, 8192},
	{doca_comch_cap_get_max_send_tasks, 8192},
	{doca_comch_cap_get_max_clients, 512},
	{doca_comch_producer_cap_get_max_num_tasks, 8192},
	{doca_comch_producer_cap_get_max_buf_size, 2u << 20},
	{doca_comch_producer_cap_get_max_buf_list_len, 64},
	{doca_comch_producer_cap_get_max_producers, 128},
	{doca_comch_consumer_cap_get_max_num_tasks, 8192},
	{doca_comch_consumer_cap_get_max_buf_size, 2u << 20},
	{doca_comch_consumer_cap_get_max_buf_list_len, 64},
	{doca_comch_consumer_cap_get_max_consumers, 128},
	{doca_comch_consumer_cap_get_max_imm_data_len, 32},
};

#define NUM_LIMITS (sizeof(limits) / sizeof(limits[0]))

static void the_dpu_has_servers_and_both_sides_have_clients(void **state)
{
	struct doca_dev *dpu = comch_open_device("0000:03:00.0");
	struct doca_dev *host = comch_open_device("0000:b1:00.0");
	const struct doca_devinfo *of_dpu = doca_dev_as_devinfo(dpu);
	const struct doca_devinfo *of_host = doca_dev_as_devinfo(host);

	assert_doca(doca_comch_cap_server_is_supported(of_dpu), DOCA_SUCCESS);
	assert_doca(doca_comch_cap_client_is_supported(of_dpu), DOCA_SUCCESS);
	assert_doca(doca_comch_cap_server_is_supported(of_host), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_cap_client_is_supported(of_host), DOCA_SUCCESS);
	assert_doca(doca_comch_producer_cap_is_supported(of_dpu), DOCA_SUCCESS);
	assert_doca(doca_comch_producer_cap_is_supported(of_host), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_cap_is_supported(of_dpu), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_cap_is_supported(of_host), DOCA_SUCCESS);
	assert_doca(doca_comch_producer_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_cap_server_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_cap_client_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	doca_dev_close(dpu);
	doca_dev_close(host);
}

static void each_limit_is_told(void **state)
{
	struct doca_dev *dev = comch_open_device("0000:03:00.0");

	for (size_t i = 0; i < NUM_LIMITS; i++) {
		uint32_t limit = 0;

		assert_doca(limits[i].get(doca_dev_as_devinfo(dev), &limit), DOCA_SUCCESS);
		assert_int_equal(limit, limits[i].wanted);
		assert_doca(limits[i].get(NULL, &limit), DOCA_ERROR_INVALID_VALUE);
		assert_doca(limits[i].get(doca_dev_as_devinfo(dev), NULL),
			    DOCA_ERROR_INVALID_VALUE);
	}
	doca_dev_close(dev);
}

static void a_host_has_no_number_of_clients(void **state)
{
	struct doca_dev *dev = comch_open_device("0000:b1:00.0");
	uint32_t limit = 77;

	assert_doca(doca_comch_cap_get_max_clients(doca_dev_as_devinfo(dev), &limit),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_int_equal(limit, 77);
	assert_doca(doca_comch_cap_get_max_msg_size(doca_dev_as_devinfo(dev), &limit),
		    DOCA_SUCCESS);
	doca_dev_close(dev);
}

static void a_plain_nic_has_no_comch(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_CONNECTX7};
	struct machine machine;
	struct doca_devinfo devinfo;
	struct doca_dev dev = {.num_opens = 1};
	struct doca_comch_client *client = NULL;
	uint32_t limit = 0;

	assert_doca(machine_build(&settings, &machine), DOCA_SUCCESS);
	devinfo = (struct doca_devinfo){machine.cards, machine.functions};
	assert_doca(doca_comch_cap_server_is_supported(&devinfo), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_cap_client_is_supported(&devinfo), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_producer_cap_is_supported(&devinfo), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_cap_is_supported(&devinfo), DOCA_ERROR_NOT_SUPPORTED);
	for (size_t i = 0; i < NUM_LIMITS; i++)
		assert_doca(limits[i].get(&devinfo, &limit), DOCA_ERROR_NOT_SUPPORTED);
	dev.info = devinfo;
	assert_doca(doca_comch_client_create(&dev, "c", &client), DOCA_ERROR_NOT_SUPPORTED);
	machine_release(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_dpu_has_servers_and_both_sides_have_clients),
		cmocka_unit_test(each_limit_is_told),
		cmocka_unit_test(a_host_has_no_number_of_clients),
		cmocka_unit_test(a_plain_nic_has_no_comch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
