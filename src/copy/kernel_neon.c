/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of aarch64: a line is four registers. To stream is a hint there, not another order. */
#include "copy/kernel.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#define TARGET

struct line {
	uint8x16x4_t all;
};

static inline struct line line_load(const char *from)
{
	return (struct line){vld1q_u8_x4((const uint8_t *)from)};
}

static inline void line_store(char *to, struct line line)
{
	vst1q_u8_x4((uint8_t *)to, line.all);
}

static inline void line_stream(char *to, struct line line)
{
	__asm__("stnp %q2, %q3, [%1]\n\tstnp %q4, %q5, [%1, #32]"
		: "=m"(*(char(*)[64])to)
		: "r"(to), "w"(line.all.val[0]), "w"(line.all.val[1]), "w"(line.all.val[2]),
		  "w"(line.all.val[3]));
}

static inline void line_prefetch(const char *from)
{
	__builtin_prefetch(from, 0, 3);
}

static inline void line_prefetch_once(const char *from)
{
	__builtin_prefetch(from, 0, 0);
}

#include "copy/kernel_loops.h"

static bool is_supported(void)
{
	return true;
}

const struct copy_kernel kernel_neon = {
	.name = "neon",
	.is_supported = is_supported,
	.intel = {copy_lines, stream_row},
	.others = {copy_lines, stream_row},
};
#endif
