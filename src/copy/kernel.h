/* SPDX-License-Identifier: Apache-2.0 */
/* The loops that move bytes, a family a file; what a CPU lacks is never called. */
#ifndef COPY_KERNEL_H_
#define COPY_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_LEAST_BYTES 64

/* KERNEL_LEAST_BYTES or more, from and to ranges that do not overlap. */
typedef void (*copy_fn)(void *to, const void *from, size_t len_bytes);

struct copy_loops {
	copy_fn copy;
	copy_fn stream; /* past the caches; others see the bytes after copy_fence */
};

/* Which loops are fast is a matter of the CPU's maker, too. */
struct copy_kernel {
	const char *name; /* as the setting KERNEL has it */
	bool (*is_supported)(void);
	struct copy_loops intel;
	struct copy_loops others;
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
