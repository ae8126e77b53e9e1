/* SPDX-License-Identifier: Apache-2.0 */
/* The rate by size, for a picture. */
#ifndef BENCH_SWEEP_H_
#define BENCH_SWEEP_H_

#include "measure.h"

/*
 * CSV, a line a size: bytes, then for one pair of buffers, and for as many as fill the window, what
 * tasks and memcpy do in GB/s and the ratio.
 */
void sweep(const struct plan *plan, const char *path);

#endif /* BENCH_SWEEP_H_ */
