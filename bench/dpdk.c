/* SPDX-License-Identifier: Apache-2.0 */
/* A peer: DPDK's dmadev skeleton. */
#include "groups.h"

void group_dpdk(const struct report *report)
{
	report_missing(report, "64 B, to DPDK's dma skeleton",
		       "built without DPDK: install libdpdk-dev");
}
