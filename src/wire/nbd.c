/* SPDX-License-Identifier: Apache-2.0 */
/* NBD messages in bytes. */
#include "wire/nbd.h"

#include <string.h>

#include "wire/bytes.h"

#define GREETING_MAGIC UINT64_C(0x4e42444d41474943) /* "NBDMAGIC" */
#define OPTION_MAGIC UINT64_C(0x49484156454f5054)   /* "IHAVEOPT" */
#define OPTION_REPLY_MAGIC UINT64_C(0x0003e889045565a9)
#define REQUEST_MAGIC UINT32_C(0x25609513)
#define SIMPLE_REPLY_MAGIC UINT32_C(0x67446698)

#define HANDSHAKE_FLAGS (NBD_FIXED_NEWSTYLE | NBD_NO_ZEROES)

void nbd_greeting_encode(uint8_t bytes[NBD_GREETING_BYTES])
{
	put_be64(bytes, GREETING_MAGIC);
	put_be64(bytes + 8, OPTION_MAGIC);
	put_be16(bytes + 16, HANDSHAKE_FLAGS);
}

bool nbd_greeting_decode(const uint8_t bytes[NBD_GREETING_BYTES])
{
	return get_be64(bytes) == GREETING_MAGIC && get_be64(bytes + 8) == OPTION_MAGIC &&
	       (get_be16(bytes + 16) & NBD_FIXED_NEWSTYLE) != 0;
}

void nbd_client_flags_encode(uint8_t bytes[NBD_CLIENT_FLAGS_BYTES])
{
	put_be32(bytes, HANDSHAKE_FLAGS);
}

bool nbd_client_flags_decode(const uint8_t bytes[NBD_CLIENT_FLAGS_BYTES])
{
	uint32_t flags = get_be32(bytes);

	return (flags & NBD_FIXED_NEWSTYLE) != 0 && (flags & ~(uint32_t)HANDSHAKE_FLAGS) == 0;
}

void nbd_option_encode(const struct nbd_option_header *header, uint8_t bytes[NBD_OPTION_BYTES])
{
	put_be64(bytes, OPTION_MAGIC);
	put_be32(bytes + 8, header->option);
	put_be32(bytes + 12, header->len_bytes);
}

bool nbd_option_decode(const uint8_t bytes[NBD_OPTION_BYTES], struct nbd_option_header *header)
{
	if (get_be64(bytes) != OPTION_MAGIC)
		return false;
	header->option = get_be32(bytes + 8);
	header->len_bytes = get_be32(bytes + 12);
	return true;
}

bool nbd_go_decode(const uint8_t *payload, size_t len_bytes, struct nbd_go *go)
{
	uint32_t name_len;
	size_t rest;

	if (len_bytes < 6)
		return false;
	name_len = get_be32(payload);
	if (name_len > len_bytes - 6)
		return false;
	rest = len_bytes - 6 - name_len; /* the infos it asks for, a number each */
	if (rest != 2 * (size_t)get_be16(payload + 4 + name_len))
		return false;
	go->name = (const char *)payload + 4;
	go->name_len = name_len;
	return true;
}

void nbd_option_reply_encode(const struct nbd_option_reply *reply,
			     uint8_t bytes[NBD_OPTION_REPLY_BYTES])
{
	put_be64(bytes, OPTION_REPLY_MAGIC);
	put_be32(bytes + 8, reply->option);
	put_be32(bytes + 12, reply->type);
	put_be32(bytes + 16, reply->len_bytes);
}

bool nbd_option_reply_decode(const uint8_t bytes[NBD_OPTION_REPLY_BYTES],
			     struct nbd_option_reply *reply)
{
	if (get_be64(bytes) != OPTION_REPLY_MAGIC)
		return false;
	reply->option = get_be32(bytes + 8);
	reply->type = get_be32(bytes + 12);
	reply->len_bytes = get_be32(bytes + 16);
	return true;
}

void nbd_info_export_encode(uint64_t size_bytes, uint16_t flags,
			    uint8_t bytes[NBD_INFO_EXPORT_BYTES])
{
	put_be16(bytes, NBD_INFO_EXPORT);
	put_be64(bytes + 2, size_bytes);
	put_be16(bytes + 10, flags);
}

void nbd_info_block_size_encode(uint32_t minimum, uint32_t preferred, uint32_t maximum,
				uint8_t bytes[NBD_INFO_BLOCK_SIZE_BYTES])
{
	put_be16(bytes, NBD_INFO_BLOCK_SIZE);
	put_be32(bytes + 2, minimum);
	put_be32(bytes + 6, preferred);
	put_be32(bytes + 10, maximum);
}

bool nbd_request_decode(const uint8_t bytes[NBD_REQUEST_BYTES], struct nbd_request *request)
{
	if (get_be32(bytes) != REQUEST_MAGIC)
		return false;
	request->flags = get_be16(bytes + 4);
	request->type = get_be16(bytes + 6);
	request->cookie = get_be64(bytes + 8);
	request->offset = get_be64(bytes + 16);
	request->len_bytes = get_be32(bytes + 24);
	return true;
}

void nbd_simple_reply_encode(uint32_t error, uint64_t cookie, uint8_t bytes[NBD_SIMPLE_REPLY_BYTES])
{
	put_be32(bytes, SIMPLE_REPLY_MAGIC);
	put_be32(bytes + 4, error);
	put_be64(bytes + 8, cookie);
}

static const char digits[] = "0123456789abcdef";

static void hex_encode(const uint8_t *bytes, size_t num, char *text)
{
	for (size_t i = 0; i < num; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 0xf];
	}
}

/* The digit's value, or 16. Its time tells nothing of a secret: the peer sent that itself. */
static unsigned int hex_digit(char digit)
{
	const char *at = digit == '\0' ? NULL : strchr(digits, digit);

	return at == NULL ? 16 : (unsigned int)(at - digits);
}

static bool hex_decode(const char *text, size_t num, uint8_t *bytes)
{
	for (size_t i = 0; i < num; i++) {
		unsigned int high = hex_digit(text[2 * i]);
		unsigned int low = hex_digit(text[2 * i + 1]);

		if (high > 15 || low > 15)
			return false;
		bytes[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

void nbd_name_encode(const uint8_t id[EXPORT_ID_BYTES], const uint8_t secret[EXPORT_SECRET_BYTES],
		     char name[NBD_NAME_LEN + 1])
{
	hex_encode(id, EXPORT_ID_BYTES, name);
	name[2 * EXPORT_ID_BYTES] = ':';
	hex_encode(secret, EXPORT_SECRET_BYTES, name + 2 * EXPORT_ID_BYTES + 1);
	name[NBD_NAME_LEN] = '\0';
}

bool nbd_name_decode(const char *name, size_t len, uint8_t id[EXPORT_ID_BYTES],
		     uint8_t secret[EXPORT_SECRET_BYTES])
{
	return len == NBD_NAME_LEN && name[2 * EXPORT_ID_BYTES] == ':' &&
	       hex_decode(name, EXPORT_ID_BYTES, id) &&
	       hex_decode(name + 2 * EXPORT_ID_BYTES + 1, EXPORT_SECRET_BYTES, secret);
}
