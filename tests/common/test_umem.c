/* SPDX-License-Identifier: Apache-2.0 */
/* Each call about memory for a NIC's programs is refused, and writes nothing. */
#include "support/test.h"

#include <doca_umem.h>

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
#define unsupported(call) assert_doca(call, DOCA_ERROR_NOT_SUPPORTED)

static void null_is_refused(void **state)
{
	uint64_t thing = 0;

	refused(doca_umem_create(NULL, (void *)&thing, 0, 0, (void *)&thing));
	refused(doca_umem_create((void *)&thing, NULL, 0, 0, (void *)&thing));
	refused(doca_umem_create((void *)&thing, (void *)&thing, 0, 0, NULL));
	refused(doca_umem_dpa_create(NULL, 0, 0, 0, (void *)&thing));
	refused(doca_umem_dpa_create((void *)&thing, 0, 0, 0, NULL));
	refused(doca_umem_gpu_create(NULL, (void *)&thing, (void *)&thing, 0, 0, (void *)&thing));
	refused(doca_umem_gpu_create((void *)&thing, NULL, (void *)&thing, 0, 0, (void *)&thing));
	refused(doca_umem_gpu_create((void *)&thing, (void *)&thing, NULL, 0, 0, (void *)&thing));
	refused(doca_umem_gpu_create((void *)&thing, (void *)&thing, (void *)&thing, 0, 0, NULL));
	refused(doca_umem_destroy(NULL));
	refused(doca_umem_get_id(NULL, (void *)&thing));
	refused(doca_umem_get_id((void *)&thing, NULL));
	refused(doca_umem_get_size(NULL, (void *)&thing));
	refused(doca_umem_get_size((void *)&thing, NULL));
	refused(doca_umem_get_address(NULL, (void *)&thing));
	refused(doca_umem_get_address((void *)&thing, NULL));
	assert_int_equal(thing, 0);
}

static void all_else_is_not_supported(void **state)
{
	uint64_t thing = 0;

	unsupported(doca_umem_create((void *)&thing, (void *)&thing, 0, 0, (void *)&thing));
	unsupported(doca_umem_dpa_create((void *)&thing, 0, 0, 0, (void *)&thing));
	unsupported(doca_umem_gpu_create((void *)&thing, (void *)&thing, (void *)&thing, 0, 0,
					 (void *)&thing));
	unsupported(doca_umem_destroy((void *)&thing));
	unsupported(doca_umem_get_id((void *)&thing, (void *)&thing));
	unsupported(doca_umem_get_size((void *)&thing, (void *)&thing));
	unsupported(doca_umem_get_address((void *)&thing, (void *)&thing));
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
