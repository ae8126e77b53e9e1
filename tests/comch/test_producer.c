/* SPDX-License-Identifier: Apache-2.0 */
/* Each call about producers is refused, whatever it is given, and writes nothing. */
#include "support/comch_fixture.h"

#include <doca_comch_producer.h>

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
#define unsupported(call) assert_doca(call, DOCA_ERROR_NOT_SUPPORTED)

static void on_done(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
}

static void null_is_refused(void **state)
{
	refused(doca_comch_producer_create(NULL, NULL));
	refused(doca_comch_producer_destroy(NULL));
	refused(doca_comch_producer_cap_is_supported(NULL));
	refused(doca_comch_producer_get_id(NULL, NULL));
	refused(doca_comch_producer_cap_get_max_num_tasks(NULL, NULL));
	refused(doca_comch_producer_cap_get_max_buf_size(NULL, NULL));
	refused(doca_comch_producer_cap_get_max_buf_list_len(NULL, NULL));
	refused(doca_comch_producer_cap_get_max_producers(NULL, NULL));
	refused(doca_comch_producer_set_dev_max_num_send(NULL, 0));
	refused(doca_comch_producer_dpa_completion_attach(NULL, NULL));
	refused(doca_comch_producer_get_dpa_handle(NULL, NULL));
	refused(doca_comch_producer_task_send_set_conf(NULL, NULL, NULL, 0));
	refused(doca_comch_producer_task_send_alloc_init(NULL, NULL, NULL, 0, 0, NULL));
	refused(doca_comch_producer_get_gpu_handle(NULL, NULL));
}

static void all_else_is_not_supported(void **state)
{
	struct doca_dev *dev = comch_open_device("0000:03:00.0");
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	uint64_t thing = 0;
	uint64_t handle = 0;
	uint32_t number = 77;
	uint8_t bytes[1] = {0};

	unsupported(doca_comch_producer_create((void *)&thing, (void *)&thing));
	unsupported(doca_comch_producer_destroy((void *)&thing));
	unsupported(doca_comch_producer_cap_is_supported(devinfo));
	unsupported(doca_comch_producer_get_id((void *)&thing, &number));
	unsupported(doca_comch_producer_cap_get_max_num_tasks(devinfo, &number));
	unsupported(doca_comch_producer_cap_get_max_buf_size(devinfo, &number));
	unsupported(doca_comch_producer_cap_get_max_buf_list_len(devinfo, &number));
	unsupported(doca_comch_producer_cap_get_max_producers(devinfo, &number));
	unsupported(doca_comch_producer_set_dev_max_num_send((void *)&thing, 0));
	unsupported(doca_comch_producer_dpa_completion_attach((void *)&thing, (void *)&thing));
	unsupported(doca_comch_producer_get_dpa_handle((void *)&thing, &handle));
	unsupported(doca_comch_producer_task_send_set_conf((void *)&thing, on_done, on_done, 0));
	unsupported(doca_comch_producer_task_send_alloc_init((void *)&thing, (void *)&thing, bytes,
							     0, 0, (void *)&thing));
	unsupported(doca_comch_producer_get_gpu_handle((void *)&thing, (void *)&thing));
	assert_int_equal(thing, 0);
	assert_int_equal(handle, 0);
	assert_int_equal(number, 77);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void nothing_has_no_task_and_no_context(void **state)
{
	assert_null(doca_comch_producer_as_ctx(NULL));
	assert_null(doca_comch_producer_task_send_get_buf(NULL));
	doca_comch_producer_task_send_set_buf(NULL, NULL);
	assert_int_equal(doca_comch_producer_task_send_get_consumer_id(NULL), 0);
	doca_comch_producer_task_send_set_consumer_id(NULL, 0);
	assert_null(doca_comch_producer_task_send_get_imm_data(NULL));
	assert_int_equal(doca_comch_producer_task_send_get_imm_data_len(NULL), 0);
	doca_comch_producer_task_send_set_imm_data(NULL, NULL, 0);
	assert_null(doca_comch_producer_task_send_as_task(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_refused),
		cmocka_unit_test(all_else_is_not_supported),
		cmocka_unit_test(nothing_has_no_task_and_no_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
