/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a sync event in bytes. */
#include "wire/event.h"

#include <string.h>

#include "wire/bytes.h"
#include "wire/crc32c.h"

static const uint8_t magic[8] = EXPORT_MAGIC('S', 'E');

#define MAJOR 1
#define MINOR 0

enum offset {
	AT_MAGIC = 0,
	AT_MAJOR = 8,
	AT_MINOR = 9,
	AT_TOTAL_LEN = 10,
	AT_PARTS = 12,
};

#define CRC_BYTES 4
_Static_assert(EXPORT_MIN_BYTES == AT_PARTS + CRC_BYTES, "its head is an export's");
#define PART_HEAD_BYTES 2

size_t event_encode(const struct event_part parts[EVENT_PARTS], uint8_t bytes[EVENT_MAX_BYTES])
{
	size_t len = AT_PARTS;

	memcpy(bytes + AT_MAGIC, magic, sizeof(magic));
	bytes[AT_MAJOR] = MAJOR;
	bytes[AT_MINOR] = MINOR;
	for (size_t i = 0; i < EVENT_PARTS && parts[i].len_bytes > 0; i++) {
		if (len + PART_HEAD_BYTES + parts[i].len_bytes + CRC_BYTES > EVENT_MAX_BYTES)
			return 0;
		put_le16(bytes + len, (uint16_t)parts[i].len_bytes);
		memcpy(bytes + len + PART_HEAD_BYTES, parts[i].bytes, parts[i].len_bytes);
		len += PART_HEAD_BYTES + parts[i].len_bytes;
	}
	put_le16(bytes + AT_TOTAL_LEN, (uint16_t)(len + CRC_BYTES));
	put_le32(bytes + len, crc32c(bytes, len));
	return len + CRC_BYTES;
}

static doca_error_t get_parts(const uint8_t *bytes, size_t end, struct export_descriptor *parts,
			      uint32_t *num_parts, const char **why)
{
	size_t at = AT_PARTS;

	for (*num_parts = 0; at < end; ++*num_parts) {
		doca_error_t result;
		size_t len;

		*why = "it has parts that none has";
		if (*num_parts == EVENT_PARTS || end - at < PART_HEAD_BYTES)
			return DOCA_ERROR_INVALID_VALUE;
		len = get_le16(bytes + at);
		at += PART_HEAD_BYTES;
		if (len > end - at)
			return DOCA_ERROR_INVALID_VALUE;
		result = export_decode(bytes + at, len, &parts[*num_parts], why);
		if (result != DOCA_SUCCESS)
			return result;
		at += len;
	}
	*why = "it has no parts";
	return *num_parts > 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t event_decode(const void *bytes, size_t len_bytes,
			  struct export_descriptor parts[EVENT_PARTS], uint32_t *num_parts,
			  const char **why)
{
	struct export_descriptor found[EVENT_PARTS];
	const uint8_t *byte = bytes;
	uint32_t num_found = 0;
	doca_error_t result;
	size_t total_len;

	*why = export_find_damage(byte, len_bytes, magic, EVENT_MAX_BYTES, &total_len);
	if (*why != NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (byte[AT_MAJOR] != MAJOR) {
		*why = "it is of a version that this library does not know";
		return DOCA_ERROR_UNSUPPORTED_VERSION;
	}
	result = get_parts(byte, total_len - CRC_BYTES, found, &num_found, why);
	if (result == DOCA_SUCCESS) {
		memcpy(parts, found, num_found * sizeof(found[0]));
		*num_parts = num_found;
	}
	explicit_bzero(found, sizeof(found));
	return result;
}
