/* SPDX-License-Identifier: Apache-2.0 */
/* The way through the NBD protocol: the contract, by the library as it is opened, over the agent.
 */
#include "contract/peer_suite.h"
#include "support/under_tsan.h"

static void an_exporters_policy_is_told_from_a_wrong_secret(void **state)
{
	struct peer_case *exported = peer_case_export(state, EXPORT_MAY_READ);

	exported->descriptor.secret[EXPORT_SECRET_BYTES - 1] ^= 1;
	assert_doca(peer_case_import(exported), DOCA_ERROR_AUTHENTICATION);
	assert_non_null(strstr(exported->report, "secret"));
	peer_case_close(exported);
}

int main(void)
{
	static const struct peer_suite suite = {
		.way = "nbd",
		.reach = PEER_REACH_NBD,
		.exporter = &agent_exporter,
		.notices_unmaps = true,
	};
	const struct CMUnitTest own[] = {
		cmocka_unit_test(an_exporters_policy_is_told_from_a_wrong_secret),
	};

	if (UNDER_TSAN) {
		printf("1..0 # SKIP the thread sanitizer starts no thread in a forked child\n");
		return 0;
	}
	return peer_suite_run(&suite, own, sizeof(own) / sizeof(own[0]));
}
