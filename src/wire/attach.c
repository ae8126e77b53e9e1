/* SPDX-License-Identifier: Apache-2.0 */
/* The payloads of the attach option in bytes. */
#include "wire/attach.h"

#include <string.h>

#include "wire/bytes.h"

enum answer_offset {
	AT_TAG = 0,
	AT_FILE_OFFSET = 8,
	AT_GENERATION = 16,
	AT_SLOT = 24,
	AT_BITS = 28,
	AT_ADDR = 32,
	AT_LEN = 40,
	AT_FLAGS = 48,
};

#define BIT_HAS_FILE 1u
#define BIT_HAS_BELL 2u

void attach_request_encode(const struct attach_request *request,
			   uint8_t bytes[ATTACH_REQUEST_BYTES])
{
	memcpy(bytes, request->id, EXPORT_ID_BYTES);
	memcpy(bytes + EXPORT_ID_BYTES, request->secret, EXPORT_SECRET_BYTES);
}

void attach_request_decode(const uint8_t bytes[ATTACH_REQUEST_BYTES],
			   struct attach_request *request)
{
	memcpy(request->id, bytes, EXPORT_ID_BYTES);
	memcpy(request->secret, bytes + EXPORT_ID_BYTES, EXPORT_SECRET_BYTES);
}

void attach_answer_encode(const struct attach_answer *answer, uint8_t bytes[ATTACH_ANSWER_BYTES])
{
	put_be64(bytes + AT_TAG, answer->tag);
	put_be64(bytes + AT_FILE_OFFSET, answer->file_offset);
	put_be64(bytes + AT_GENERATION, answer->generation);
	put_be32(bytes + AT_SLOT, answer->slot);
	put_be32(bytes + AT_BITS,
		 (answer->has_file ? BIT_HAS_FILE : 0) | (answer->has_bell ? BIT_HAS_BELL : 0));
	put_be64(bytes + AT_ADDR, answer->addr);
	put_be64(bytes + AT_LEN, answer->len_bytes);
	put_be32(bytes + AT_FLAGS, answer->flags);
}

void attach_answer_decode(const uint8_t bytes[ATTACH_ANSWER_BYTES], struct attach_answer *answer)
{
	answer->tag = get_be64(bytes + AT_TAG);
	answer->file_offset = get_be64(bytes + AT_FILE_OFFSET);
	answer->generation = get_be64(bytes + AT_GENERATION);
	answer->slot = get_be32(bytes + AT_SLOT);
	answer->has_file = (get_be32(bytes + AT_BITS) & BIT_HAS_FILE) != 0;
	answer->has_bell = (get_be32(bytes + AT_BITS) & BIT_HAS_BELL) != 0;
	answer->addr = get_be64(bytes + AT_ADDR);
	answer->len_bytes = get_be64(bytes + AT_LEN);
	answer->flags = get_be32(bytes + AT_FLAGS);
}
