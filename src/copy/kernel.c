/* SPDX-License-Identifier: Apache-2.0 */
/* The list of kernels, and the one for CPUs that no other serves. */
#include "copy/kernel.h"

#include <string.h>

static void portable_copy(void *to, const void *from, size_t len_bytes)
{
	memcpy(to, from, len_bytes);
}

static bool portable_is_supported(void)
{
	return true;
}

/* Its memcpy knows best when to stream. */
const struct copy_kernel kernel_portable = {
	.name = "portable",
	.is_supported = portable_is_supported,
	.intel = {portable_copy, portable_copy},
	.others = {portable_copy, portable_copy},
};

static const struct copy_kernel *const kernels[] = {
#if defined(__x86_64__)
	&kernel_avx512,
	&kernel_avx2,
#elif defined(__aarch64__)
	&kernel_neon,
#endif
	&kernel_portable,
};

const struct copy_kernel *kernel_at(size_t index)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernels[i]->is_supported() && index-- == 0)
			return kernels[i];
	return NULL;
}

const struct copy_kernel *kernel_find(const char *name)
{
	const struct copy_kernel *kernel;

	for (size_t i = 0; (kernel = kernel_at(i)) != NULL; i++)
		if (strcmp(kernel->name, name) == 0)
			break;
	return kernel;
}
