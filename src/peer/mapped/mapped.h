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

#endif /* PEER_MAPPED_MAPPED_H_ */
