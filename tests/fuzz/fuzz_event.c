/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptor of a sync event: the input, with and without right checksums, its own and its
 * first part's. What is accepted is encoded and accepted again, as the same.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "wire/bytes.h"
#include "wire/crc32c.h"
#include "wire/event.h"

static void decode(const uint8_t *bytes, size_t len)
{
	struct export_descriptor decoded[EVENT_PARTS];
	struct export_descriptor again[EVENT_PARTS];
	struct event_part parts[EVENT_PARTS] = {0};
	uint8_t encoded[EVENT_MAX_BYTES];
	const char *why = NULL;
	uint32_t num_parts = 0;
	uint32_t num_again = 0;
	size_t encoded_len;

	memset(decoded, 0, sizeof(decoded));
	memset(again, 0, sizeof(again));
	if (event_decode(bytes, len, decoded, &num_parts, &why) != DOCA_SUCCESS) {
		if (why == NULL)
			abort();
		return;
	}
	if (num_parts == 0 || num_parts > EVENT_PARTS)
		abort();
	for (uint32_t i = 0; i < num_parts; i++)
		parts[i].len_bytes = export_encode(&decoded[i], parts[i].bytes);
	encoded_len = event_encode(parts, encoded);
	if (encoded_len == 0)
		return; /* two parts as long as they can be */
	if (event_decode(encoded, encoded_len, again, &num_again, &why) != DOCA_SUCCESS ||
	    num_again != num_parts || memcmp(decoded, again, sizeof(again)) != 0)
		abort();
}

static void mend(uint8_t *bytes, size_t len)
{
	put_le16(bytes + 10, (uint16_t)len);
	put_le32(bytes + len - 4, crc32c(bytes, len - 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *mended;
	size_t part;

	decode(data, size);
	if (size < 16 || size > EVENT_MAX_BYTES)
		return 0;
	mended = malloc(size);
	if (mended == NULL)
		return 0;
	memcpy(mended, data, size);
	part = get_le16(mended + 12);
	if (part >= 16 && part + 14 <= size - 4)
		mend(mended + 14, part);
	mend(mended, size);
	decode(mended, size);
	free(mended);
	return 0;
}
