/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C (Castagnoli): finds damage, keeps nobody out. */
#ifndef WIRE_CRC32C_H_
#define WIRE_CRC32C_H_

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(const void *bytes, size_t len_bytes);

#endif /* WIRE_CRC32C_H_ */
