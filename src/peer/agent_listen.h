/* SPDX-License-Identifier: Apache-2.0 */
/* Where importers connect to: a socket of this machine's network namespace, or one in a directory.
 */
#ifndef PEER_AGENT_LISTEN_H_
#define PEER_AGENT_LISTEN_H_

#include <stdint.h>

#include "wire/export.h"

#define AGENT_MAX_LISTENERS 4

struct agent_listener {
	int fd; /* non-blocking, listening */
	struct export_endpoint endpoint;
};

/* Results are 0 or negative errno. */
int agent_listen_abstract(struct agent_listener *listener);

/* Removes the sockets there that dead processes left. */
int agent_listen_in(const char *dir, struct agent_listener *listener);

/* Also takes its name out of its directory. */
void agent_listener_close(struct agent_listener *listener);

#endif /* PEER_AGENT_LISTEN_H_ */
