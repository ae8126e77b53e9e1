/* SPDX-License-Identifier: Apache-2.0 */
/* The exporter's memory through the kernel (cross memory attach): one system call a copy. */
#ifndef PEER_CMA_CMA_H_
#define PEER_CMA_CMA_H_

#include "peer/attach.h"
#include "peer/peer.h"

/*
 * Tries it, for nothing else tells whether the kernel permits it. On success the attachment is the
 * region's. On an error it stays the caller's, and *why is a few words for a log line.
 * NOT_PERMITTED: the kernel refuses; NOT_SUPPORTED: what can be read is not the exporter, or there
 * is no such call; NO_MEMORY.
 */
doca_error_t cma_open(const struct export_descriptor *descriptor, struct attachment *attachment,
		      struct peer_region **region, const char **why);

#endif /* PEER_CMA_CMA_H_ */
