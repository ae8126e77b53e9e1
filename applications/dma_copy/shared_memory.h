/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of windows of the host half: memory that another process may map instead of asking. */
#ifndef SAMPLES_APPLICATIONS_DMA_COPY_SHARED_MEMORY_H_
#define SAMPLES_APPLICATIONS_DMA_COPY_SHARED_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>

struct shared_memory {
	char *bytes; /* owned */
	size_t len;
	int fd; /* owned, of the file that the bytes are in */
};

/* All pages are there. The other half only reads it, or writes too. False: why was said. */
bool shared_memory_open(struct shared_memory *memory, size_t len, bool is_written_by_peer);
void shared_memory_close(struct shared_memory *memory);

#endif /* SAMPLES_APPLICATIONS_DMA_COPY_SHARED_MEMORY_H_ */
