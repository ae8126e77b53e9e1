/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptor of a sync event: the export descriptors of its memory in a head of its own, so
 * that it is no memory map's and no memory map's is one of it. A bearer secret, as these are.
 * Little endian, version 1: magic, version, total length, the descriptors as {length, bytes}, a
 * CRC-32C of all before it.
 */
#ifndef WIRE_EVENT_H_
#define WIRE_EVENT_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "wire/export.h"

#define EVENT_PARTS 2 /* the page that all share; the value, when it is not in that page */
/* 1024 with both parts as long as they can be would be too many: encode says so. */
#define EVENT_MAX_BYTES 1024

/* An export descriptor in bytes. */
struct event_part {
	size_t len_bytes; /* 0: not there, and none behind it */
	uint8_t bytes[EXPORT_MAX_BYTES];
};

/* The bytes used, 0 when they would be more than EVENT_MAX_BYTES. */
size_t event_encode(const struct event_part parts[EVENT_PARTS], uint8_t bytes[EVENT_MAX_BYTES]);

/*
 * Bytes from anyone; len_bytes may be more than the descriptor says it has. On an error *why is a
 * few words for a log line and nothing is written. INVALID_VALUE: damaged, or no sync event's;
 * UNSUPPORTED_VERSION: whole, and it or a part is of a version that is not ours.
 */
doca_error_t event_decode(const void *bytes, size_t len_bytes,
			  struct export_descriptor parts[EVENT_PARTS], uint32_t *num_parts,
			  const char **why);

#endif /* WIRE_EVENT_H_ */
