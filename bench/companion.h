/* SPDX-License-Identifier: Apache-2.0 */
/* The other process: it exports memory, and then does nothing. */
#ifndef BENCH_COMPANION_H_
#define BENCH_COMPANION_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "copier.h"

struct companion {
	pid_t pid;
	int fd; /* it ends when this is closed */
	struct area area;
};

/*
 * Start one with that many random bytes, in a memory file that can be mapped or in memory of its
 * own alone, and import them. `twin` gets the same bytes: area.bytes is what to compare with.
 */
void companion_start(struct companion *companion, struct doca_dev *dev, size_t len, bool is_file,
		     uint8_t *twin);
void companion_end(struct companion *companion);

/* The companion's own part, of a fresh start of this program. */
int companion_main(char **argv);
#define COMPANION_OPTION "--companion"

#endif /* BENCH_COMPANION_H_ */
