/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nbd way, which lives in a library of its own for what it depends on: libsoftdoca_net.so.2,
 * opened when a region is first to be reached by it, and never closed.
 */
#ifndef PEER_NET_H_
#define PEER_NET_H_

#include <stdint.h>

#include <doca_error.h>

#include "peer/peer.h"

#define NET_VERSION 1 /* of all that the two libraries share: this header and peer.h */

/* As peer_open; an error's *why is a few words for a log line, and stays what it is. */
typedef doca_error_t (*net_open_fn)(const struct peer_policy *policy,
				    const struct export_descriptor *descriptor,
				    struct peer_region **region, const char **why);

struct net_way {
	uint32_t version;
	net_open_fn open;
};

/* What the library exports. NULL when it is of another version. */
#define NET_SYMBOL "softdoca_net_way"
typedef const struct net_way *(*net_way_fn)(uint32_t version);
__attribute__((visibility("default"))) const struct net_way *softdoca_net_way(uint32_t version);

/* NOT_SUPPORTED: it is not here, and *why says what to add. Any thread. */
doca_error_t net_load(const struct net_way **way, const char **why);

#endif /* PEER_NET_H_ */
