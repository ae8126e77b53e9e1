/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of this process, which a forked child must not use. */
#ifndef PEER_ORPHAN_H_
#define PEER_ORPHAN_H_

#include "peer/peer.h"

/* -ENOMEM when a fork could not be told. Any thread. */
int orphan_watch(struct peer_region *region);
void orphan_unwatch(struct peer_region *region);

#endif /* PEER_ORPHAN_H_ */
