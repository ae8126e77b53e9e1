/* SPDX-License-Identifier: Apache-2.0 */
/* The cheapest clock that the CPU has, for latencies of tens of nanoseconds. */
#ifndef DOCA_BENCH_TICKS_H_
#define DOCA_BENCH_TICKS_H_

#include <stdint.h>
#include <time.h>

static inline double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t now;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
	return now;
#else
	return (uint64_t)(now_seconds() * 1e9);
#endif
}

#endif /* DOCA_BENCH_TICKS_H_ */
