/* SPDX-License-Identifier: Apache-2.0 */
/* The other half of a copy: a process that exports memory, fills it and looks at it when asked. */
#ifndef DOCA_BENCH_COMPANION_H_
#define DOCA_BENCH_COMPANION_H_

#include <sys/types.h>

#include "memory.h"

struct companion {
	pid_t pid; /* 0: none */
	int socket;
	struct doca_mmap *mmap;
	uint8_t *bytes; /* an address of the companion */
};

/* Before the first call of the library: the child is to be a process of its own to it. */
bool companion_start(struct companion *companion);

/* False, and a line said, when it could not, or is gone. */
bool companion_import(struct companion *companion, struct doca_dev *dev, size_t len,
		      bool is_written);
bool companion_make_wrong(struct companion *companion, uint64_t len);

/* Its answer to memory_is_right; *is_right is false only when it answered. */
bool companion_look(struct companion *companion, uint64_t at, uint64_t len,
		    struct wrong_byte *wrong, bool *is_right);

/* Says how it ended, or was stopped, if it has: the reason of what failed with its memory. */
void companion_say_end(struct companion *companion);

void companion_stop(struct companion *companion);

#endif /* DOCA_BENCH_COMPANION_H_ */
