/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of x86 CPUs with AVX-512: a line is one register. */
#include "copy/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f")))

struct line {
	__m512i all;
};

static inline TARGET struct line line_load(const char *from)
{
	return (struct line){_mm512_loadu_si512(from)};
}

static inline TARGET void line_store(char *to, struct line line)
{
	_mm512_store_si512(to, line.all);
}

static inline TARGET void line_stream(char *to, struct line line)
{
	_mm512_stream_si512((__m512i *)to, line.all);
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
	return __builtin_cpu_supports("avx512f") != 0;
}

const struct copy_kernel kernel_avx512 = {
	.name = "avx512",
	.is_supported = is_supported,
	.intel = {copy_string, stream_pages},
	.others = {copy_lines, stream_row},
};
#endif
