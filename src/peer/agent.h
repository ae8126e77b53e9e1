/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exporter's side: one thread of the process that lets importers reach exported ranges. It
 * starts with the first region and ends with the last. A forked child never serves.
 */
#ifndef PEER_AGENT_H_
#define PEER_AGENT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "peer/policy.h"
#include "wire/export.h"

struct agent_region;

struct agent_range {
	uint8_t *addr;
	size_t len_bytes;
	uint32_t flags; /* of enum export_flag: rights and kind */
	bool has_bell;
	/*
	 * With has_bell: a timer that importers on this machine get, too. It is set to ring when
	 * one of them is gone, which may have been about to.
	 */
	int bell_fd;
};

/*
 * Serve a range, without touching its memory; a bell is duplicated. Writes the descriptor and its
 * length. On an error *why is a few words for a log line. TOO_BIG: the descriptor would be;
 * NO_MEMORY; NOT_PERMITTED: it is not mapped with the rights; OPERATING_SYSTEM: no thread, socket
 * or random bytes, errno is set. Any thread.
 */
doca_error_t agent_export(const struct peer_policy *policy, const struct agent_range *range,
			  struct agent_region **region, uint8_t descriptor[EXPORT_MAX_BYTES],
			  size_t *len_bytes, const char **why);

/* False in a forked child, of what its parent exports. */
bool agent_serves(const struct agent_region *region);

/*
 * Revoke it: when this returns no copy starts, and none runs but those that did not end within 1 s.
 * Half a second more is for the agent's thread to say so, should it stand still in a region's
 * memory. Any thread, not cancelled meanwhile.
 */
void agent_revoke(struct agent_region *region);

#endif /* PEER_AGENT_H_ */
