/* SPDX-License-Identifier: Apache-2.0 */
/* One calloc() of the library that fails. The test program is linked with --wrap=calloc. */
#ifndef TESTS_SUPPORT_FAIL_CALLOC_H_
#define TESTS_SUPPORT_FAIL_CALLOC_H_

#include <stdbool.h>
#include <stddef.h>

/* The linker sends calls of calloc() to the first, and knows the real one as the second. */
void *__wrap_calloc(size_t num, size_t size);
void *__real_calloc(size_t num, size_t size);

static bool next_calloc_fails; /* the linker's wrapper has no other way to learn it */

void *__wrap_calloc(size_t num, size_t size)
{
	if (!next_calloc_fails)
		return __real_calloc(num, size);
	next_calloc_fails = false;
	return NULL;
}

#endif /* TESTS_SUPPORT_FAIL_CALLOC_H_ */
