/* SPDX-License-Identifier: Apache-2.0 */
/* What is for a DPA or a GPU says that there is none. */
#include "support/test.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

static void what_only_a_dpa_or_gpu_could_do_is_not_supported(void **state)
{
	uint64_t place = 0;
	void *thing = &place;
	uint32_t number = 77;

	assert_doca(doca_comch_consumer_completion_create(thing), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_set_dpa_thread(thing, thing),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_destroy(thing), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_start(thing), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_stop(thing), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_get_dpa_handle(thing, &place),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_set_max_num_consumers(thing, 0),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_get_max_num_consumers(thing, &number),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_set_max_num_recv(thing, 0),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_get_max_num_recv(thing, &number),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_set_imm_data_len(thing, 0),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_completion_get_imm_data_len(thing, &number),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_set_dev_max_num_recv(thing, 0), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_set_completion(thing, thing, 0), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_get_dpa_handle(thing, &place), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_consumer_get_gpu_handle(thing, thing), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_producer_set_dev_max_num_send(thing, 0), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_producer_dpa_completion_attach(thing, thing),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_producer_get_dpa_handle(thing, &place), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_comch_producer_get_gpu_handle(thing, thing), DOCA_ERROR_NOT_SUPPORTED);
	assert_int_equal(place, 0);
	assert_int_equal(number, 77);
}

static void null_is_refused(void **state)
{
	uint64_t place = 0;
	void *thing = &place;

	assert_doca(doca_comch_consumer_completion_create(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_set_dpa_thread(NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_set_dpa_thread(thing, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_dpa_handle(NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_dpa_handle(thing, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_set_max_num_consumers(NULL, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_max_num_consumers(NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_max_num_consumers(thing, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_set_max_num_recv(NULL, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_max_num_recv(NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_max_num_recv(thing, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_set_imm_data_len(NULL, 0),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_imm_data_len(NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_completion_get_imm_data_len(thing, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_set_dev_max_num_recv(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_set_completion(NULL, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_set_completion(thing, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_get_dpa_handle(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_get_dpa_handle(thing, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_get_gpu_handle(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_get_gpu_handle(thing, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_set_dev_max_num_send(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_dpa_completion_attach(NULL, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_dpa_completion_attach(thing, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_get_dpa_handle(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_get_dpa_handle(thing, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_get_gpu_handle(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_get_gpu_handle(thing, NULL), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_a_dpa_or_gpu_could_do_is_not_supported),
		cmocka_unit_test(null_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
