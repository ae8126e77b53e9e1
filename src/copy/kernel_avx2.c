/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of x86 CPUs with AVX2: a line is two registers. */
#include "copy/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))

struct line {
	__m256i low;
	__m256i high;
};

static inline TARGET struct line line_load(const char *from)
{
	return (struct line){_mm256_loadu_si256((const __m256i_u *)from),
			     _mm256_loadu_si256((const __m256i_u *)(from + 32))};
}

static inline TARGET void line_store(char *to, struct line line)
{
	_mm256_store_si256((__m256i *)to, line.low);
	_mm256_store_si256((__m256i *)(to + 32), line.high);
}

static inline TARGET void line_stream(char *to, struct line line)
{
	_mm256_stream_si256((__m256i *)to, line.low);
	_mm256_stream_si256((__m256i *)(to + 32), line.high);
}

static inline void line_prefetch(const char *from)
{
	_mm_prefetch(from, _MM_HINT_T0);
}

static inline void line_prefetch_once(const char *from)
{
	_mm_prefetch(from, _MM_HINT_NTA);
}

#include "copy/kernel_loops.h"

/* That the system saves the registers is part of the answer. */
static bool is_supported(void)
{
	return __builtin_cpu_supports("avx2") != 0;
}

const struct copy_kernel kernel_avx2 = {
	.name = "avx2",
	.is_supported = is_supported,
	.intel = {copy_string, stream_pages},
	.others = {copy_lines, stream_row},
};
#endif
