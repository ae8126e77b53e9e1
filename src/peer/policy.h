/* SPDX-License-Identifier: Apache-2.0 */
/* What the settings ask of everything that talks to other processes. */
#ifndef PEER_POLICY_H_
#define PEER_POLICY_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum peer_reach {
	PEER_REACH_AUTO,
	PEER_REACH_MAPPED,
	PEER_REACH_CMA,
	PEER_REACH_NBD,
};

#define PEER_MAX_UIDS 64
#define PEER_DIR_BYTES                                                                             \
	80 /* of a runtime directory with its NUL: a socket's name must fit behind it */

struct peer_policy {
	enum peer_reach reach;
	uint64_t deadline_ns; /* without any progress of a task */
	uint64_t connect_timeout_ns;
	uint32_t num_uids; /* beside our own and root's, that may connect */
	uid_t uids[PEER_MAX_UIDS];
	char runtime_dir[PEER_DIR_BYTES]; /* empty: abstract sockets alone */
};

/* Whether a process of that user, seen from here, may connect to us. */
static inline bool peer_policy_admits(const struct peer_policy *policy, uid_t own, uid_t peer)
{
	if (peer == own || peer == 0)
		return true;
	for (uint32_t i = 0; i < policy->num_uids; i++)
		if (policy->uids[i] == peer)
			return true;
	return false;
}

#endif /* PEER_POLICY_H_ */
