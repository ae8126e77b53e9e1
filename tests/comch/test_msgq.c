/* SPDX-License-Identifier: Apache-2.0 */
/* Each call about message queues of a DPA is refused, and writes nothing. */
#include "support/test.h"

#include <doca_comch_msgq.h>

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
#define unsupported(call) assert_doca(call, DOCA_ERROR_NOT_SUPPORTED)

static void null_is_refused(void **state)
{
	uint64_t thing = 0;

	refused(doca_comch_msgq_create(NULL, (void *)&thing));
	refused(doca_comch_msgq_create((void *)&thing, NULL));
	refused(doca_comch_msgq_destroy(NULL));
	refused(doca_comch_msgq_set_dpa_consumer(NULL, (void *)&thing));
	refused(doca_comch_msgq_set_dpa_consumer((void *)&thing, NULL));
	refused(doca_comch_msgq_set_max_num_consumers(NULL, 0));
	refused(doca_comch_msgq_set_dpa_producer(NULL, (void *)&thing));
	refused(doca_comch_msgq_set_dpa_producer((void *)&thing, NULL));
	refused(doca_comch_msgq_set_max_num_producers(NULL, 0));
	refused(doca_comch_msgq_start(NULL));
	refused(doca_comch_msgq_stop(NULL));
	refused(doca_comch_msgq_consumer_create(NULL, (void *)&thing));
	refused(doca_comch_msgq_consumer_create((void *)&thing, NULL));
	refused(doca_comch_msgq_producer_create(NULL, (void *)&thing));
	refused(doca_comch_msgq_producer_create((void *)&thing, NULL));
	assert_int_equal(thing, 0);
}

static void all_else_is_not_supported(void **state)
{
	uint64_t thing = 0;

	unsupported(doca_comch_msgq_create((void *)&thing, (void *)&thing));
	unsupported(doca_comch_msgq_destroy((void *)&thing));
	unsupported(doca_comch_msgq_set_dpa_consumer((void *)&thing, (void *)&thing));
	unsupported(doca_comch_msgq_set_max_num_consumers((void *)&thing, 0));
	unsupported(doca_comch_msgq_set_dpa_producer((void *)&thing, (void *)&thing));
	unsupported(doca_comch_msgq_set_max_num_producers((void *)&thing, 0));
	unsupported(doca_comch_msgq_start((void *)&thing));
	unsupported(doca_comch_msgq_stop((void *)&thing));
	unsupported(doca_comch_msgq_consumer_create((void *)&thing, (void *)&thing));
	unsupported(doca_comch_msgq_producer_create((void *)&thing, (void *)&thing));
	assert_int_equal(thing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_refused),
		cmocka_unit_test(all_else_is_not_supported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
