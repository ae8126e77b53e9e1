/* SPDX-License-Identifier: Apache-2.0 */
/* The exporter's memory file, mapped here too: a copy is a copy, without a system call. */
#ifndef PEER_MAPPED_MAPPED_H_
#define PEER_MAPPED_MAPPED_H_

#include "peer/attach.h"
#include "peer/peer.h"

/*
 * On success the attachment is the region's. On an error it stays the caller's, and *why is a few
 * words for a log line. NOT_SUPPORTED: the range cannot be mapped, or not safely; NO_MEMORY.
 */
doca_error_t mapped_open(const struct export_descriptor *descriptor, struct attachment *attachment,
			 struct peer_region **region, const char **why);

/*
 * Of a region that peer_open reached by this way: where its range is here, until it is closed, and
 * its bell, or -1. Memory with a bell is mapped even if it is ours: its exporter may take it away.
 * Its life is a socket, readable once the exporter is gone.
 */
void *mapped_memory(const struct peer_region *region);
int mapped_bell(const struct peer_region *region);
int mapped_life(const struct peer_region *region);

/*
 * Whether the range may still be used: else SHUTDOWN, or CONNECTION_RESET, also in a forked child.
 * The memory is there in any case. Loads alone.
 */
doca_error_t mapped_status(const struct peer_region *region);

#endif /* PEER_MAPPED_MAPPED_H_ */
