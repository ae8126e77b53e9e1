/* SPDX-License-Identifier: Apache-2.0 */
/* What a figure depends on: the CPU, its caches, who else is there. */
#ifndef BENCH_MACHINE_H_
#define BENCH_MACHINE_H_

#include <stdio.h>

/* Lines with that in front of each. Called before this thread is pinned. */
void machine_print(FILE *out, const char *before);

#endif /* BENCH_MACHINE_H_ */
