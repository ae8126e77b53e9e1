/* SPDX-License-Identifier: Apache-2.0 */
/* A memcpy() that loses the last byte of what is copied in bulk. */
#include <stddef.h>

void *__real_memcpy(void *to, const void *from, size_t len);
void *__wrap_memcpy(void *to, const void *from, size_t len);

void *__wrap_memcpy(void *to, const void *from, size_t len)
{
	return __real_memcpy(to, from, len == 65536 ? len - 1 : len);
}
