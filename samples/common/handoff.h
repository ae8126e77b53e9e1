/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host half hands to the DPU half, in two files: the descriptor of its memory, and a few
 * lines of text on what is in it. Whoever has the descriptor may reach the memory, so that its file
 * is for its owner alone.
 */
#ifndef SAMPLES_COMMON_HANDOFF_H_
#define SAMPLES_COMMON_HANDOFF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sha256.h"

#define HANDOFF_DESCRIPTOR_PATH "dma_copy.descriptor"
#define HANDOFF_INFO_PATH "dma_copy.info"
#define HANDOFF_DESCRIPTOR_MAX 4096 /* bytes, more than a descriptor has */

struct handoff {
	const char *descriptor_path; /* borrowed, as is info_path */
	const char *info_path;
	char descriptor[HANDOFF_DESCRIPTOR_MAX];
	size_t descriptor_len;
	uint64_t address; /* of the memory, in the host half */
	uint64_t len;	  /* of what is in it, in bytes; may be 0 */
	struct sha256_text digest;
};

/* Both files appear whole, the descriptor last. Each that fails has said why. */
bool handoff_write(const struct handoff *handoff);
bool handoff_read(struct handoff *handoff);
void handoff_remove(const struct handoff *handoff);

#endif /* SAMPLES_COMMON_HANDOFF_H_ */
