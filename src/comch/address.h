/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a server is found: a socket whose name comes from the host's function and the server's
 * name; an abstract one, which its owner's death frees, or a file in the runtime directory.
 */
#ifndef COMCH_ADDRESS_H_
#define COMCH_ADDRESS_H_

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "peer/policy.h"

struct address {
	struct sockaddr_un name;
	socklen_t len_bytes;
	bool is_path;
};

/* The function by a name that no other has. */
void address_of(const struct peer_policy *policy, const char *function, const char *server_name,
		struct address *address);

/*
 * A socket that listens, or negative errno; -EADDRINUSE: there is a server already. What a dead one
 * left in the runtime directory is removed.
 */
int address_listen(const struct address *address);

/* The socket does not listen for much longer: nothing stays in the runtime directory. */
void address_forget(const struct address *address);

/*
 * A connected socket, or negative errno; -ENOENT, -ECONNREFUSED: no server, -EAGAIN: one that does
 * not keep up.
 */
int address_connect(const struct address *address);

/* Whom a socket leads to, as seen from here; negative errno. */
int socket_get_peer(int fd, struct ucred *peer);

/* As much on its way as the system lets us. */
void socket_widen(int fd);

#endif /* COMCH_ADDRESS_H_ */
