/* SPDX-License-Identifier: Apache-2.0 */
/* Each call about consumers is refused, whatever it is given, and writes nothing. */
#include "support/comch_fixture.h"

#include <doca_comch_consumer.h>

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
#define unsupported(call) assert_doca(call, DOCA_ERROR_NOT_SUPPORTED)

static void on_done(struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
}

static void null_is_refused(void **state)
{
	refused(doca_comch_consumer_create(NULL, NULL, NULL));
	refused(doca_comch_consumer_destroy(NULL));
	refused(doca_comch_consumer_cap_is_supported(NULL));
	refused(doca_comch_consumer_get_id(NULL, NULL));
	refused(doca_comch_consumer_cap_get_max_num_tasks(NULL, NULL));
	refused(doca_comch_consumer_cap_get_max_buf_size(NULL, NULL));
	refused(doca_comch_consumer_cap_get_max_buf_list_len(NULL, NULL));
	refused(doca_comch_consumer_cap_get_max_consumers(NULL, NULL));
	refused(doca_comch_consumer_cap_get_max_imm_data_len(NULL, NULL));
	refused(doca_comch_consumer_get_imm_data_len(NULL, NULL));
	refused(doca_comch_consumer_set_imm_data_len(NULL, 0));
	refused(doca_comch_consumer_completion_create(NULL));
	refused(doca_comch_consumer_completion_set_dpa_thread(NULL, NULL));
	refused(doca_comch_consumer_completion_destroy(NULL));
	refused(doca_comch_consumer_completion_start(NULL));
	refused(doca_comch_consumer_completion_stop(NULL));
	refused(doca_comch_consumer_completion_get_dpa_handle(NULL, NULL));
	refused(doca_comch_consumer_completion_set_max_num_consumers(NULL, 0));
	refused(doca_comch_consumer_completion_get_max_num_consumers(NULL, NULL));
	refused(doca_comch_consumer_completion_set_max_num_recv(NULL, 0));
	refused(doca_comch_consumer_completion_get_max_num_recv(NULL, NULL));
	refused(doca_comch_consumer_completion_set_imm_data_len(NULL, 0));
	refused(doca_comch_consumer_completion_get_imm_data_len(NULL, NULL));
	refused(doca_comch_consumer_set_dev_max_num_recv(NULL, 0));
	refused(doca_comch_consumer_set_completion(NULL, NULL, 0));
	refused(doca_comch_consumer_get_dpa_handle(NULL, NULL));
	refused(doca_comch_consumer_task_post_recv_set_conf(NULL, NULL, NULL, 0));
	refused(doca_comch_consumer_task_post_recv_alloc_init(NULL, NULL, NULL));
	refused(doca_comch_consumer_get_gpu_handle(NULL, NULL));
}

static void all_else_is_not_supported(void **state)
{
	struct doca_dev *dev = comch_open_device("0000:03:00.0");
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	uint64_t thing = 0;
	uint64_t handle = 0;
	uint32_t number = 77;

	unsupported(doca_comch_consumer_create((void *)&thing, (void *)&thing, (void *)&thing));
	unsupported(doca_comch_consumer_destroy((void *)&thing));
	unsupported(doca_comch_consumer_cap_is_supported(devinfo));
	unsupported(doca_comch_consumer_get_id((void *)&thing, &number));
	unsupported(doca_comch_consumer_cap_get_max_num_tasks(devinfo, &number));
	unsupported(doca_comch_consumer_cap_get_max_buf_size(devinfo, &number));
	unsupported(doca_comch_consumer_cap_get_max_buf_list_len(devinfo, &number));
	unsupported(doca_comch_consumer_cap_get_max_consumers(devinfo, &number));
	unsupported(doca_comch_consumer_cap_get_max_imm_data_len(devinfo, &number));
	unsupported(doca_comch_consumer_get_imm_data_len((void *)&thing, &number));
	unsupported(doca_comch_consumer_set_imm_data_len((void *)&thing, 0));
	unsupported(doca_comch_consumer_completion_create((void *)&thing));
	unsupported(doca_comch_consumer_completion_set_dpa_thread((void *)&thing, (void *)&thing));
	unsupported(doca_comch_consumer_completion_destroy((void *)&thing));
	unsupported(doca_comch_consumer_completion_start((void *)&thing));
	unsupported(doca_comch_consumer_completion_stop((void *)&thing));
	unsupported(doca_comch_consumer_completion_get_dpa_handle((void *)&thing, &handle));
	unsupported(doca_comch_consumer_completion_set_max_num_consumers((void *)&thing, 0));
	unsupported(doca_comch_consumer_completion_get_max_num_consumers((void *)&thing, &number));
	unsupported(doca_comch_consumer_completion_set_max_num_recv((void *)&thing, 0));
	unsupported(doca_comch_consumer_completion_get_max_num_recv((void *)&thing, &number));
	unsupported(doca_comch_consumer_completion_set_imm_data_len((void *)&thing, 0));
	unsupported(doca_comch_consumer_completion_get_imm_data_len((void *)&thing, &number));
	unsupported(doca_comch_consumer_set_dev_max_num_recv((void *)&thing, 0));
	unsupported(doca_comch_consumer_set_completion((void *)&thing, (void *)&thing, 0));
	unsupported(doca_comch_consumer_get_dpa_handle((void *)&thing, &handle));
	unsupported(
		doca_comch_consumer_task_post_recv_set_conf((void *)&thing, on_done, on_done, 0));
	unsupported(doca_comch_consumer_task_post_recv_alloc_init((void *)&thing, (void *)&thing,
								  (void *)&thing));
	unsupported(doca_comch_consumer_get_gpu_handle((void *)&thing, (void *)&thing));
	assert_int_equal(thing, 0);
	assert_int_equal(handle, 0);
	assert_int_equal(number, 77);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void nothing_has_no_task_and_no_context(void **state)
{
	assert_null(doca_comch_consumer_as_ctx(NULL));
	assert_null(doca_comch_consumer_task_post_recv_get_buf(NULL));
	doca_comch_consumer_task_post_recv_set_buf(NULL, NULL);
	assert_int_equal(doca_comch_consumer_task_post_recv_get_producer_id(NULL), 0);
	assert_null(doca_comch_consumer_task_post_recv_get_imm_data(NULL));
	assert_int_equal(doca_comch_consumer_task_post_recv_get_imm_data_len(NULL), 0);
	assert_null(doca_comch_consumer_task_post_recv_as_task(NULL));
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
