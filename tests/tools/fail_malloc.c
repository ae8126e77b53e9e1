/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: the allocation of number FAIL_MALLOC, of those that a program itself makes, fails. */
#include <stdatomic.h>
#include <stdlib.h>

extern void *libc_malloc(size_t size) __asm__("__libc_malloc");
extern void *libc_calloc(size_t num, size_t size) __asm__("__libc_calloc");
extern void *libc_realloc(void *block, size_t size) __asm__("__libc_realloc");

static atomic_long left;

__attribute__((constructor)) static void learn(void)
{
	const char *number = getenv("FAIL_MALLOC");

	atomic_store(&left, number == NULL ? 0 : strtol(number, NULL, 10));
}

static int must_fail(void)
{
	return atomic_fetch_sub(&left, 1) == 1;
}

void *malloc(size_t size)
{
	return must_fail() ? NULL : libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
	return must_fail() ? NULL : libc_calloc(num, size);
}

void *realloc(void *block, size_t size)
{
	return must_fail() ? NULL : libc_realloc(block, size);
}
