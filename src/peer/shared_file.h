/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory file that a range of this process lies in, when an importer may map it too: it cannot
 * shrink under the importer, and for a range that may only be read it cannot be written through
 * another mapping. A program's own memory file is never sealed; softdoca's heap is.
 */
#ifndef PEER_SHARED_FILE_H_
#define PEER_SHARED_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How the link of a descriptor of softdoca's own heap begins. */
#define SHARED_FILE_HEAP "/memfd:softdoca-heap"

struct shared_file {
	int fd; /* a new one, the caller's to close */
	dev_t dev;
	ino_t ino;
	uint64_t offset; /* of the range's first byte */
};

/* -ENOENT: it lies in none. Others negative errno. Touches no page of the range. */
int shared_file_find(const void *addr, size_t len_bytes, bool is_writable,
		     struct shared_file *file);

/* Whether the file's seals let an importer map it so. */
bool shared_file_is_sealed_for(int fd, bool is_writable);

#endif /* PEER_SHARED_FILE_H_ */
