/* SPDX-License-Identifier: Apache-2.0 */
/* Each call about doorbell pages is refused, and writes nothing. */
#include "support/test.h"

#include <doca_uar.h>

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
#define unsupported(call) assert_doca(call, DOCA_ERROR_NOT_SUPPORTED)

static void null_is_refused(void **state)
{
	uint64_t thing = 0;

	refused(doca_uar_create(NULL, DOCA_UAR_ALLOCATION_TYPE_BLUEFLAME, (void *)&thing));
	refused(doca_uar_create((void *)&thing, DOCA_UAR_ALLOCATION_TYPE_BLUEFLAME, NULL));
	refused(doca_uar_dpa_create(NULL, (void *)&thing));
	refused(doca_uar_dpa_create((void *)&thing, NULL));
	refused(doca_uar_destroy(NULL));
	refused(doca_uar_id_get(NULL, (void *)&thing));
	refused(doca_uar_id_get((void *)&thing, NULL));
	refused(doca_uar_page_get(NULL, (void *)&thing));
	refused(doca_uar_page_get((void *)&thing, NULL));
	refused(doca_uar_reg_addr_get(NULL, (void *)&thing));
	refused(doca_uar_reg_addr_get((void *)&thing, NULL));
	assert_int_equal(thing, 0);
}

static void all_else_is_not_supported(void **state)
{
	uint64_t thing = 0;

	unsupported(doca_uar_create((void *)&thing, DOCA_UAR_ALLOCATION_TYPE_BLUEFLAME,
				    (void *)&thing));
	unsupported(doca_uar_dpa_create((void *)&thing, (void *)&thing));
	unsupported(doca_uar_destroy((void *)&thing));
	unsupported(doca_uar_id_get((void *)&thing, (void *)&thing));
	unsupported(doca_uar_page_get((void *)&thing, (void *)&thing));
	unsupported(doca_uar_reg_addr_get((void *)&thing, (void *)&thing));
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
