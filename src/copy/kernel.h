/* SPDX-License-Identifier: Apache-2.0 */
/* The loops that move bytes, a family a file; what a CPU lacks is never called. */
#ifndef COPY_KERNEL_H_
#define COPY_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>

#define COPY_KERNEL_BYTES ((size_t)2 << 10) /* from here on a kernel copies: it relies on it */

/* COPY_KERNEL_BYTES or more, from and to ranges that do not overlap. */
typedef void (*copy_fn)(void *to, const void *from, size_t len_bytes);

struct copy_kernel {
	const char *name; /* as the setting KERNEL has it */
	bool (*is_supported)(void);
	copy_fn copy;
	/*
	 * Past the caches: in one row with prefetches ahead, and four pages at a time. Which is
	 * fast is a matter of the CPU's maker. Others see the bytes after copy_fence.
	 */
	copy_fn stream_row;
	copy_fn stream_pages;
};

extern const struct copy_kernel kernel_avx512;
extern const struct copy_kernel kernel_avx2;
extern const struct copy_kernel kernel_neon;
extern const struct copy_kernel kernel_portable;

/* The kernels of this CPU, best first: the one at index, or NULL behind the last. */
const struct copy_kernel *kernel_at(size_t index);

/* The kernel of that name, or NULL when this CPU has none. */
const struct copy_kernel *kernel_find(const char *name);

#endif /* COPY_KERNEL_H_ */
