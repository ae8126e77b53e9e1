/* SPDX-License-Identifier: Apache-2.0 */
/* The export descriptor in bytes: what is written, and all that is looked at before it is believed.
 */
#include "wire/export.h"

#include <stdbool.h>
#include <string.h>

#include "wire/bytes.h"
#include "wire/crc32c.h"

/* Its first and last bytes are what a transfer as text would change. */
static const uint8_t magic[8] = EXPORT_MAGIC('M', 'A');
static const uint8_t event_magic[8] = EXPORT_MAGIC('S', 'E');

#define MAJOR 1
#define MINOR 0

enum offset {
	AT_MAGIC = 0,
	AT_MAJOR = 8,
	AT_MINOR = 9,
	AT_TOTAL_LEN = 10,
	AT_FLAGS = 12,
	AT_ADDR = 16,
	AT_LEN = 24,
	AT_GENERATION = 32,
	AT_ID = 40,
	AT_SECRET = 56,
	AT_BOOT_ID = 88,
	AT_PID = 104,
	AT_UID = 108,
	AT_START_TIME = 112,
	AT_CELL = 120,
	AT_ENDPOINTS = 128,
};

#define CRC_BYTES 4
#define TLV_HEAD_BYTES 2
_Static_assert(EXPORT_MIN_BYTES == AT_FLAGS + CRC_BYTES, "of any version");

static void put_head(const struct export_descriptor *descriptor, uint8_t *bytes)
{
	memcpy(bytes + AT_MAGIC, magic, sizeof(magic));
	bytes[AT_MAJOR] = MAJOR;
	bytes[AT_MINOR] = MINOR;
	put_le32(bytes + AT_FLAGS, descriptor->flags);
	put_le64(bytes + AT_ADDR, descriptor->addr);
	put_le64(bytes + AT_LEN, descriptor->len_bytes);
	put_le64(bytes + AT_GENERATION, descriptor->generation);
	memcpy(bytes + AT_ID, descriptor->id, EXPORT_ID_BYTES);
	memcpy(bytes + AT_SECRET, descriptor->secret, EXPORT_SECRET_BYTES);
	memcpy(bytes + AT_BOOT_ID, descriptor->boot_id, sizeof(descriptor->boot_id));
	put_le32(bytes + AT_PID, descriptor->pid);
	put_le32(bytes + AT_UID, descriptor->uid);
	put_le64(bytes + AT_START_TIME, descriptor->start_time);
	put_le64(bytes + AT_CELL, descriptor->cell_addr);
}

size_t export_encode(const struct export_descriptor *descriptor, uint8_t bytes[EXPORT_MAX_BYTES])
{
	size_t len = AT_ENDPOINTS;

	put_head(descriptor, bytes);
	for (uint32_t i = 0; i < descriptor->num_endpoints; i++) {
		const struct export_endpoint *endpoint = &descriptor->endpoints[i];

		if (len + TLV_HEAD_BYTES + endpoint->len_bytes + CRC_BYTES > EXPORT_MAX_BYTES)
			return 0;
		bytes[len] = endpoint->type;
		bytes[len + 1] = endpoint->len_bytes;
		memcpy(bytes + len + TLV_HEAD_BYTES, endpoint->bytes, endpoint->len_bytes);
		len += TLV_HEAD_BYTES + endpoint->len_bytes;
	}
	put_le16(bytes + AT_TOTAL_LEN, (uint16_t)(len + CRC_BYTES));
	put_le32(bytes + len, crc32c(bytes, len));
	return len + CRC_BYTES;
}

/* What begins otherwise than it should. */
static const char *name_other(const uint8_t *begin)
{
	if (memcmp(begin, magic, sizeof(magic)) == 0)
		return "it is a memory map's, which doca_mmap_create_from_export imports";
	if (memcmp(begin, event_magic, sizeof(event_magic)) == 0)
		return "it is a sync event's, which doca_sync_event_create_from_export imports";
	return "it does not begin as such a descriptor does";
}

const char *export_find_damage(const uint8_t *bytes, size_t len_bytes, const uint8_t expected[8],
			       size_t max_bytes, size_t *total_len)
{
	if (len_bytes < EXPORT_MIN_BYTES)
		return "it is shorter than any descriptor";
	if (memcmp(bytes + AT_MAGIC, expected, sizeof(magic)) != 0)
		return name_other(bytes + AT_MAGIC);
	*total_len = get_le16(bytes + AT_TOTAL_LEN);
	if (*total_len > len_bytes)
		return "it is cut short";
	if (*total_len < EXPORT_MIN_BYTES || *total_len > max_bytes)
		return "it says that it has a length that none has";
	if (crc32c(bytes, *total_len - CRC_BYTES) != get_le32(bytes + *total_len - CRC_BYTES))
		return "it is damaged: its checksum differs";
	return NULL;
}

static void get_head(const uint8_t *bytes, struct export_descriptor *descriptor)
{
	descriptor->flags = get_le32(bytes + AT_FLAGS);
	descriptor->addr = get_le64(bytes + AT_ADDR);
	descriptor->len_bytes = get_le64(bytes + AT_LEN);
	descriptor->generation = get_le64(bytes + AT_GENERATION);
	memcpy(descriptor->id, bytes + AT_ID, EXPORT_ID_BYTES);
	memcpy(descriptor->secret, bytes + AT_SECRET, EXPORT_SECRET_BYTES);
	memcpy(descriptor->boot_id, bytes + AT_BOOT_ID, sizeof(descriptor->boot_id));
	descriptor->pid = get_le32(bytes + AT_PID);
	descriptor->uid = get_le32(bytes + AT_UID);
	descriptor->start_time = get_le64(bytes + AT_START_TIME);
	descriptor->cell_addr = get_le64(bytes + AT_CELL);
}

static const char *find_impossible(const struct export_descriptor *descriptor)
{
	uint64_t end;

	if (descriptor->len_bytes == 0)
		return "its range is empty";
	if (__builtin_add_overflow(descriptor->addr, descriptor->len_bytes, &end))
		return "its range goes beyond the last address";
	if ((descriptor->flags & (EXPORT_MAY_READ | EXPORT_MAY_WRITE)) == 0)
		return "it gives no right";
	return NULL;
}

enum length_verdict {
	LENGTH_RIGHT,
	LENGTH_WRONG,
	LENGTH_OF_UNKNOWN_TYPE,
};

static enum length_verdict check_length(uint8_t type, uint8_t len_bytes)
{
	bool is_right;

	switch (type) {
	case EXPORT_UNIX:
		is_right = len_bytes > 1 && len_bytes <= EXPORT_ENDPOINT_BYTES;
		break;
	case EXPORT_IPV4:
		is_right = len_bytes == 6;
		break;
	case EXPORT_IPV6:
		is_right = len_bytes == 22;
		break;
	case EXPORT_VSOCK:
		is_right = len_bytes == 8;
		break;
	default:
		return LENGTH_OF_UNKNOWN_TYPE;
	}
	return is_right ? LENGTH_RIGHT : LENGTH_WRONG;
}

static const char *get_endpoints(const uint8_t *bytes, size_t end,
				 struct export_descriptor *descriptor)
{
	size_t at = AT_ENDPOINTS;

	while (at < end) {
		enum length_verdict verdict;
		struct export_endpoint *endpoint;

		if (end - at < TLV_HEAD_BYTES || end - at - TLV_HEAD_BYTES < bytes[at + 1])
			return "an endpoint goes beyond its end";
		verdict = check_length(bytes[at], bytes[at + 1]);
		if (verdict == LENGTH_WRONG)
			return "an endpoint has a length that its type has not";
		if (verdict == LENGTH_RIGHT) {
			if (descriptor->num_endpoints == EXPORT_MAX_ENDPOINTS)
				return "it has too many endpoints";
			endpoint = &descriptor->endpoints[descriptor->num_endpoints++];
			endpoint->type = bytes[at];
			endpoint->len_bytes = bytes[at + 1];
			memcpy(endpoint->bytes, bytes + at + TLV_HEAD_BYTES, endpoint->len_bytes);
		}
		at += TLV_HEAD_BYTES + (size_t)bytes[at + 1];
	}
	return NULL;
}

doca_error_t export_decode(const void *bytes, size_t len_bytes,
			   struct export_descriptor *descriptor, const char **why)
{
	struct export_descriptor found = {0};
	const uint8_t *byte = bytes;
	const char *problem;
	size_t total_len;

	problem = export_find_damage(byte, len_bytes, magic, EXPORT_MAX_BYTES, &total_len);
	if (problem != NULL)
		goto refuse;
	if (byte[AT_MAJOR] != MAJOR) {
		*why = "it is of a version that this library does not know";
		return DOCA_ERROR_UNSUPPORTED_VERSION;
	}
	if (total_len < AT_ENDPOINTS + CRC_BYTES) {
		problem = "it is shorter than one of its version";
		goto refuse;
	}
	get_head(byte, &found);
	problem = find_impossible(&found);
	if (problem == NULL)
		problem = get_endpoints(byte, total_len - CRC_BYTES, &found);
	if (problem != NULL)
		goto refuse;
	*descriptor = found;
	return DOCA_SUCCESS;

refuse:
	*why = problem;
	return DOCA_ERROR_INVALID_VALUE;
}
