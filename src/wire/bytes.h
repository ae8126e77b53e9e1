/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in bytes that leave the process, at any alignment: little endian, and big endian. */
#ifndef WIRE_BYTES_H_
#define WIRE_BYTES_H_

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define BYTES_OF(bits, order)                                                                      \
	static inline void put_##order##bits(uint8_t *bytes, uint##bits##_t value)                 \
	{                                                                                          \
		value = hto##order##bits(value);                                                   \
		memcpy(bytes, &value, sizeof(value));                                              \
	}                                                                                          \
                                                                                                   \
	static inline uint##bits##_t get_##order##bits(const uint8_t *bytes)                       \
	{                                                                                          \
		uint##bits##_t value;                                                              \
                                                                                                   \
		memcpy(&value, bytes, sizeof(value));                                              \
		return order##bits##toh(value);                                                    \
	}

BYTES_OF(16, le)
BYTES_OF(32, le)
BYTES_OF(64, le)
BYTES_OF(16, be)
BYTES_OF(32, be)
BYTES_OF(64, be)

#undef BYTES_OF

#endif /* WIRE_BYTES_H_ */
