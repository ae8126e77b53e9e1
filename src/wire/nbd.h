/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of the NBD protocol (fixed newstyle), as the agent speaks it: big endian, the greeting
 * by the server, the client's flags, options with their replies, then requests and simple replies.
 * Functions over bytes alone; a decode that returns false met what is no such message.
 */
#ifndef WIRE_NBD_H_
#define WIRE_NBD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/export.h"

#define NBD_MAX_OPTION_BYTES 512		   /* of an option's payload that the agent reads */
#define NBD_MAX_REQUEST_BYTES (UINT32_C(32) << 20) /* of one READ or WRITE */

#define NBD_GREETING_BYTES 18
#define NBD_CLIENT_FLAGS_BYTES 4
#define NBD_OPTION_BYTES 16
#define NBD_OPTION_REPLY_BYTES 20
#define NBD_INFO_EXPORT_BYTES 12
#define NBD_INFO_BLOCK_SIZE_BYTES 14
#define NBD_REQUEST_BYTES 28
#define NBD_SIMPLE_REPLY_BYTES 16

enum nbd_handshake_flag {
	NBD_FIXED_NEWSTYLE = 1 << 0, /* the same bits in the greeting and in the client's flags */
	NBD_NO_ZEROES = 1 << 1,
};

enum nbd_option {
	NBD_OPT_EXPORT_NAME = 1, /* no reply can refuse it: the end of the connection does */
	NBD_OPT_ABORT = 2,
	NBD_OPT_INFO = 6,
	NBD_OPT_GO = 7,
};

#define NBD_REP_ERROR (UINT32_C(1) << 31)

/*
 * How the agent answers options. An importer makes of a refusal: UNKNOWN, SHUTDOWN: NOT_FOUND;
 * POLICY: AUTHENTICATION, the secret is wrong; PLATFORM: NOT_PERMITTED, the peer's user may not
 * connect. A client that hears UNKNOWN, POLICY or PLATFORM may ask again until its deadline.
 */
enum nbd_reply {
	NBD_REP_ACK = 1,
	NBD_REP_INFO = 3,
	NBD_REP_ERR_UNSUP = NBD_REP_ERROR + 1,
	NBD_REP_ERR_POLICY = NBD_REP_ERROR + 2,
	NBD_REP_ERR_INVALID = NBD_REP_ERROR + 3,
	NBD_REP_ERR_PLATFORM = NBD_REP_ERROR + 4,
	NBD_REP_ERR_UNKNOWN = NBD_REP_ERROR + 6,
	NBD_REP_ERR_SHUTDOWN = NBD_REP_ERROR + 7,
};

enum nbd_info {
	NBD_INFO_EXPORT = 0,
	NBD_INFO_BLOCK_SIZE = 3,
};

enum nbd_transmission_flag {
	NBD_FLAG_HAS_FLAGS = 1 << 0,
	NBD_FLAG_READ_ONLY = 1 << 1,
	NBD_FLAG_SEND_FLUSH = 1 << 2,
	NBD_FLAG_CAN_MULTI_CONN = 1 << 8,
};

enum nbd_command {
	NBD_CMD_READ = 0,
	NBD_CMD_WRITE = 1,
	NBD_CMD_DISC = 2,
	NBD_CMD_FLUSH = 3,
};

/* The protocol's own numbers, whatever errno has. */
enum nbd_error {
	NBD_SUCCESS = 0,
	NBD_EPERM = 1,
	NBD_EIO = 5,
	NBD_EINVAL = 22,
	NBD_ENOSPC = 28,
	NBD_ESHUTDOWN = 108,
};

struct nbd_option_header {
	uint32_t option; /* of enum nbd_option, or anything */
	uint32_t len_bytes;
};

struct nbd_option_reply {
	uint32_t option;
	uint32_t type; /* of enum nbd_reply, or anything */
	uint32_t len_bytes;
};

/* The payload of GO and INFO; what infos it asks for is for nobody here to know: it gets all. */
struct nbd_go {
	const char *name; /* borrowed from the payload, no NUL behind it */
	uint32_t name_len;
};

struct nbd_request {
	uint16_t flags;
	uint16_t type; /* of enum nbd_command, or anything */
	uint64_t cookie;
	uint64_t offset;
	uint32_t len_bytes;
};

/* The server's side. */
void nbd_greeting_encode(uint8_t bytes[NBD_GREETING_BYTES]);
bool nbd_client_flags_decode(const uint8_t bytes[NBD_CLIENT_FLAGS_BYTES]);
bool nbd_option_decode(const uint8_t bytes[NBD_OPTION_BYTES], struct nbd_option_header *header);
bool nbd_go_decode(const uint8_t *payload, size_t len_bytes, struct nbd_go *go);
void nbd_option_reply_encode(const struct nbd_option_reply *reply,
			     uint8_t bytes[NBD_OPTION_REPLY_BYTES]);
void nbd_info_export_encode(uint64_t size_bytes, uint16_t flags,
			    uint8_t bytes[NBD_INFO_EXPORT_BYTES]);
void nbd_info_block_size_encode(uint32_t minimum, uint32_t preferred, uint32_t maximum,
				uint8_t bytes[NBD_INFO_BLOCK_SIZE_BYTES]);
bool nbd_request_decode(const uint8_t bytes[NBD_REQUEST_BYTES], struct nbd_request *request);
void nbd_simple_reply_encode(uint32_t error, uint64_t cookie,
			     uint8_t bytes[NBD_SIMPLE_REPLY_BYTES]);

/* The client's side, as far as attaching needs it. */
bool nbd_greeting_decode(const uint8_t bytes[NBD_GREETING_BYTES]);
void nbd_client_flags_encode(uint8_t bytes[NBD_CLIENT_FLAGS_BYTES]);
void nbd_option_encode(const struct nbd_option_header *header, uint8_t bytes[NBD_OPTION_BYTES]);
bool nbd_option_reply_decode(const uint8_t bytes[NBD_OPTION_REPLY_BYTES],
			     struct nbd_option_reply *reply);

/*
 * The name under which a local NBD client reaches a region: id and secret in hexadecimal, with a
 * colon between. It is as secret as the descriptor.
 */
#define NBD_NAME_LEN (2 * EXPORT_ID_BYTES + 1 + 2 * EXPORT_SECRET_BYTES)

void nbd_name_encode(const uint8_t id[EXPORT_ID_BYTES], const uint8_t secret[EXPORT_SECRET_BYTES],
		     char name[NBD_NAME_LEN + 1]);
bool nbd_name_decode(const char *name, size_t len, uint8_t id[EXPORT_ID_BYTES],
		     uint8_t secret[EXPORT_SECRET_BYTES]);

#endif /* WIRE_NBD_H_ */
