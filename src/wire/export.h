/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The export descriptor: what a process needs to reach one range of another's memory. It is a
 * bearer secret. On the wire, little endian, version 1: a fixed head of 128 bytes, endpoints as
 * {type, length, bytes}, a CRC-32C of all before it.
 */
#ifndef WIRE_EXPORT_H_
#define WIRE_EXPORT_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define EXPORT_MAX_BYTES 512
#define EXPORT_ID_BYTES 16
#define EXPORT_SECRET_BYTES 32
#define EXPORT_MAX_ENDPOINTS 16
#define EXPORT_ENDPOINT_BYTES 108 /* of the longest endpoint, a socket's name */

enum export_flag {
	EXPORT_MAY_READ = 1 << 0,  /* the importer may */
	EXPORT_MAY_WRITE = 1 << 1, /* it may read then, too */
	EXPORT_TLS = 1 << 2,	   /* network endpoints want TLS */
	EXPORT_CMA = 1 << 3,	   /* reading the process's memory from outside is offered */
	EXPORT_PCI = 1 << 4,	   /* doca_mmap_export_pci made it */
	EXPORT_RDMA = 1 << 5,	   /* doca_mmap_export_rdma did */
};

enum export_endpoint_type {
	EXPORT_UNIX = 1,  /* the name in struct sockaddr_un, an abstract one with its leading NUL */
	EXPORT_IPV4 = 2,  /* port, address: network byte order */
	EXPORT_IPV6 = 3,  /* port, address, scope */
	EXPORT_VSOCK = 4, /* cid, port; nothing here serves it */
};

struct export_endpoint {
	uint8_t type; /* enum export_endpoint_type; others are skipped by decode */
	uint8_t len_bytes;
	uint8_t bytes[EXPORT_ENDPOINT_BYTES];
};

struct export_descriptor {
	uint32_t flags; /* mask of enum export_flag */
	uint64_t addr;	/* of the range, in the exporter */
	uint64_t len_bytes;
	uint64_t generation;
	uint8_t id[EXPORT_ID_BYTES];	     /* random, public */
	uint8_t secret[EXPORT_SECRET_BYTES]; /* random, never logged */
	uint8_t boot_id[16];		     /* of the exporter's kernel */
	uint32_t pid;			     /* hints, as the exporter sees itself */
	uint32_t uid;
	uint64_t start_time;
	uint64_t cell_addr; /* where the exporter's memory holds the id */
	uint32_t num_endpoints;
	struct export_endpoint endpoints[EXPORT_MAX_ENDPOINTS];
};

/* The bytes used, 0 when the endpoints make it longer than EXPORT_MAX_BYTES. */
size_t export_encode(const struct export_descriptor *descriptor, uint8_t bytes[EXPORT_MAX_BYTES]);

/*
 * Whether bytes that begin with a magic of 8, a version and their length are whole, whatever
 * version they are of: NULL, and *total_len is theirs, or why not. Of every descriptor.
 */
#define EXPORT_MIN_BYTES 16
#define EXPORT_MAGIC(c, d)                                                                         \
	{                                                                                          \
		0x89, 'O', 'D', c, d, 0x0d, 0x0a, 0x1a                                             \
	}
const char *export_find_damage(const uint8_t *bytes, size_t len_bytes, const uint8_t magic[8],
			       size_t max_bytes, size_t *total_len);

/*
 * Bytes from anyone; len_bytes may be more than the descriptor says it has. On an error *why is a
 * few words for a log line and *descriptor is untouched. INVALID_VALUE: damaged, or says what
 * cannot be; UNSUPPORTED_VERSION: whole, and of a version that is not ours.
 */
doca_error_t export_decode(const void *bytes, size_t len_bytes,
			   struct export_descriptor *descriptor, const char **why);

#endif /* WIRE_EXPORT_H_ */
