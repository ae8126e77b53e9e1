/* SPDX-License-Identifier: Apache-2.0 */
/* What libsoftdoca_net.so exports, as peer/net.h asks for it. */
#ifndef PEER_NBD_WAY_H_
#define PEER_NBD_WAY_H_

#include <stdint.h>

#include "peer/net.h"

/* NULL when the library is of another version. */
__attribute__((visibility("default"))) const struct net_way *softdoca_net_way(uint32_t version);

#endif /* PEER_NBD_WAY_H_ */
