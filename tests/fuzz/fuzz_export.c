/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The export descriptor: the input, with and without a right checksum behind it. What is accepted
 * is encoded and accepted again, as the same.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "wire/bytes.h"
#include "wire/crc32c.h"
#include "wire/export.h"

static void decode(const uint8_t *bytes, size_t len)
{
	struct export_descriptor decoded;
	struct export_descriptor again;
	uint8_t encoded[EXPORT_MAX_BYTES];
	const char *why = NULL;
	size_t encoded_len;

	if (export_decode(bytes, len, &decoded, &why) != DOCA_SUCCESS) {
		if (why == NULL)
			abort();
		return;
	}
	if (decoded.len_bytes == 0 || decoded.addr + decoded.len_bytes < decoded.addr)
		abort();
	encoded_len = export_encode(&decoded, encoded);
	if (export_decode(encoded, encoded_len, &again, &why) != DOCA_SUCCESS ||
	    memcmp(&decoded, &again, sizeof(again)) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *mended;

	decode(data, size);
	if (size < 16 || size > EXPORT_MAX_BYTES)
		return 0;
	mended = malloc(size);
	if (mended == NULL)
		return 0;
	memcpy(mended, data, size);
	put_le16(mended + 10, (uint16_t)size);
	put_le32(mended + size - 4, crc32c(mended, size - 4));
	decode(mended, size);
	free(mended);
	return 0;
}
