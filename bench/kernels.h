/* SPDX-License-Identifier: Apache-2.0 */
/* The library's own loops, called directly: what a task makes of them is seen beside them. */
#ifndef BENCH_KERNELS_H_
#define BENCH_KERNELS_H_

#include <stddef.h>

/* As the library chooses; before run_kernel(). The kernel's name. */
const char *kernels_choose(void);

/* A way of measure(). context: the work, of copies that do not overlap. */
void run_kernel(void *work, size_t times);

#endif /* BENCH_KERNELS_H_ */
