/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of goals. Each is measured in a process of its own, with settings of its own. */
#ifndef BENCH_GROUPS_H_
#define BENCH_GROUPS_H_

#include "report.h"

void group_tasks(const struct report *report);
void group_offsets(const struct report *report);
void group_cached(const struct report *report);
void group_cycling(const struct report *report);
void group_pieces(const struct report *report);
void group_mapped(const struct report *report);
void group_cma(const struct report *report);
void group_inline(const struct report *report);
void group_workers(const struct report *report);
void group_dpdk(const struct report *report);

#endif /* BENCH_GROUPS_H_ */
