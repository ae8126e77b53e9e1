/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel says of this process's mappings, without touching the memory. */
#ifndef PEER_MAPPINGS_H_
#define PEER_MAPPINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset; /* in the file, of start */
	dev_t dev;
	ino_t ino; /* 0: no file */
	bool is_readable;
	bool is_writable;
	bool is_shared;
};

/* A walk over the mappings in the order of their addresses. */
struct mappings {
	FILE *maps;
	char *line;
	size_t size;
};

/* Negative errno. */
int mappings_open(struct mappings *mappings);
void mappings_close(struct mappings *mappings);

/* The next one that ends above the address; false when there is none. */
bool mappings_next(struct mappings *mappings, uint64_t above, struct mapping *mapping);

/*
 * 0 when the whole range may be read, and written if is_writable; -EFAULT: a part of it is not
 * mapped or not readable; -EACCES: a part may not be written; others negative errno.
 */
int mappings_check(const void *addr, size_t len_bytes, bool is_writable);

#endif /* PEER_MAPPINGS_H_ */
