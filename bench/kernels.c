/* SPDX-License-Identifier: Apache-2.0 */
/* The one file that looks behind include/: src/copy, without the library around it. */
#include "kernels.h"

#include <stdlib.h>

#include "copy/copy.h"
#include "measure.h"

const char *kernels_choose(void)
{
	const char *name = getenv("SOFTDOCA_KERNEL");
	const struct copy_kernel *kernel = name != NULL ? kernel_find(name) : NULL;
	struct cache_facts facts = cache_look();

	if (kernel == NULL)
		kernel = kernel_at(0);
	copy_choose(kernel, &facts);
	return kernel->name;
}

void run_kernel(void *context, size_t times)
{
	const struct work *work = context;

	for (; times > 0; times--) {
		for (size_t i = 0; i < work->num; i++)
			copy_slice(work->copies[i].to, work->copies[i].from, work->copies[i].len,
				   false);
	}
}
