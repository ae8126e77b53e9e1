/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How an importer on the same machine attaches to a region: one option of the NBD handshake, ours,
 * on the agent's AF_UNIX socket. The agent speaks first (greeting), the importer sends its flags
 * and the request, the agent answers, and from then on the connection carries nothing: its end is
 * the news that one side is gone. File descriptors travel beside the bytes (SCM_RIGHTS).
 */
#ifndef WIRE_ATTACH_H_
#define WIRE_ATTACH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/export.h"

#define ATTACH_OPTION 0x53444154u /* "SDAT": no option of the NBD protocol */

/* Payload of the request; beside it: the descriptor of the importer's activity page. */
#define ATTACH_REQUEST_BYTES (EXPORT_ID_BYTES + EXPORT_SECRET_BYTES)

struct attach_request {
	uint8_t id[EXPORT_ID_BYTES];
	uint8_t secret[EXPORT_SECRET_BYTES];
};

/*
 * Payload of the answer, big endian as NBD is; beside it: the descriptor of the control page, the
 * memory file's when has_file is set, and the bell's when has_bell is.
 */
#define ATTACH_ANSWER_BYTES 52

struct attach_answer {
	uint64_t tag;	      /* the region's, for the activity page; never 0 */
	uint64_t file_offset; /* of the range's first byte in the memory file */
	uint64_t generation;  /* that the region's slot holds while it may be used */
	uint32_t slot;	      /* of the region in the control page */
	uint32_t flags;	      /* what was exported, whatever a descriptor says of it */
	uint64_t addr;
	uint64_t len_bytes;
	bool has_file;
	bool has_bell;
};

void attach_request_encode(const struct attach_request *request,
			   uint8_t bytes[ATTACH_REQUEST_BYTES]);
void attach_request_decode(const uint8_t bytes[ATTACH_REQUEST_BYTES],
			   struct attach_request *request);
void attach_answer_encode(const struct attach_answer *answer, uint8_t bytes[ATTACH_ANSWER_BYTES]);
void attach_answer_decode(const uint8_t bytes[ATTACH_ANSWER_BYTES], struct attach_answer *answer);

#endif /* WIRE_ATTACH_H_ */
