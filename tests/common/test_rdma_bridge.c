/* SPDX-License-Identifier: Apache-2.0 */
/* Each call of the bridge to ibverbs is refused, and writes nothing. */
#include "support/test.h"
#include "support/log_capture.h"

#include <doca_rdma_bridge.h>

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
#define unsupported(call) assert_doca(call, DOCA_ERROR_NOT_SUPPORTED)

static void null_is_refused(void **state)
{
	uint64_t thing = 0;

	refused(doca_rdma_bridge_get_dev_pd(NULL, (void *)&thing));
	refused(doca_rdma_bridge_get_dev_pd((void *)&thing, NULL));
	refused(doca_rdma_bridge_open_dev_from_pd(NULL, (void *)&thing));
	refused(doca_rdma_bridge_open_dev_from_pd((void *)&thing, NULL));
	refused(doca_rdma_bridge_get_buf_mkey(NULL, (void *)&thing, (void *)&thing));
	refused(doca_rdma_bridge_get_buf_mkey((void *)&thing, NULL, (void *)&thing));
	refused(doca_rdma_bridge_get_buf_mkey((void *)&thing, (void *)&thing, NULL));
	refused(doca_rdma_bridge_get_mmap_mkey_from_pd(NULL, (void *)&thing, (void *)&thing));
	refused(doca_rdma_bridge_get_mmap_mkey_from_pd((void *)&thing, NULL, (void *)&thing));
	refused(doca_rdma_bridge_get_mmap_mkey_from_pd((void *)&thing, (void *)&thing, NULL));
	assert_int_equal(thing, 0);
}

static void all_else_is_not_supported(void **state)
{
	uint64_t thing = 0;

	unsupported(doca_rdma_bridge_get_dev_pd((void *)&thing, (void *)&thing));
	unsupported(doca_rdma_bridge_open_dev_from_pd((void *)&thing, (void *)&thing));
	unsupported(doca_rdma_bridge_get_buf_mkey((void *)&thing, (void *)&thing, (void *)&thing));
	unsupported(doca_rdma_bridge_get_mmap_mkey_from_pd((void *)&thing, (void *)&thing,
							   (void *)&thing));
	assert_int_equal(thing, 0);
}

static void a_refusal_is_one_line_that_says_what_is_missing(void **state)
{
	uint64_t thing = 0;

	log_forget(state);
	unsupported(doca_rdma_bridge_get_dev_pd((void *)&thing, (void *)&thing));
	assert_logged(state, "ERR",
		      "doca_rdma_bridge_get_dev_pd refused: a virtual card has no RDMA; leave the "
		      "call out");
	log_forget(state);
	refused(doca_rdma_bridge_get_dev_pd((void *)&thing, NULL));
	assert_logged(state, "ERR", "doca_rdma_bridge_get_dev_pd refuses: pd must not be NULL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_refused),
		cmocka_unit_test(all_else_is_not_supported),
		cmocka_unit_test(a_refusal_is_one_line_that_says_what_is_missing),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
