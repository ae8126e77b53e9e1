/* SPDX-License-Identifier: Apache-2.0 */
/* A bit at a time: what it runs over has a few hundred bytes, once an export or import. */
#include "wire/crc32c.h"

#define POLYNOMIAL 0x82f63b78u /* bits reversed */

uint32_t crc32c(const void *bytes, size_t len_bytes)
{
	const uint8_t *byte = bytes;
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < len_bytes; i++) {
		crc ^= byte[i];
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ ((crc & 1) != 0 ? POLYNOMIAL : 0);
	}
	return ~crc;
}
