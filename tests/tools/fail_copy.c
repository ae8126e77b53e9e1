/* SPDX-License-Identifier: Apache-2.0 */
/* A memcpy() that loses the last byte of what is copied in bulk; or, where FAULT is set, copies
 * only one of 97 of it. */
#include <stddef.h>
#include <stdlib.h>

void *__real_memcpy(void *to, const void *from, size_t len);
void *__wrap_memcpy(void *to, const void *from, size_t len);

void *__wrap_memcpy(void *to, const void *from, size_t len)
{
	static unsigned long num;

	if (len != 65536)
		return __real_memcpy(to, from, len);
	if (getenv("FAULT") == NULL)
		return __real_memcpy(to, from, len - 1);
	return num++ % 97 == 0 ? __real_memcpy(to, from, len) : to;
}
