/* SPDX-License-Identifier: Apache-2.0 */
/* Other ways to copy: those that a program might write by hand. */
#ifndef BENCH_LOOPS_H_
#define BENCH_LOOPS_H_

#include "measure.h"

/*
 * Set name, run and context of those that this CPU has, memcpy first; give their number. The copies
 * of the work must be multiples of 16 KiB, and so must the addresses be.
 */
size_t loops_of(const struct work *work, struct way *ways, size_t max);

#endif /* BENCH_LOOPS_H_ */
