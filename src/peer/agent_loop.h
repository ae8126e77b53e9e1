/* SPDX-License-Identifier: Apache-2.0 */
/* The agent: its listeners, its connections, and the one thread that serves them. */
#ifndef PEER_AGENT_LOOP_H_
#define PEER_AGENT_LOOP_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "peer/agent_conn.h"
#include "peer/agent_listen.h"
#include "peer/agent_table.h"
#include "peer/policy.h"

#define AGENT_MAX_UNPROVED 64		   /* connections; the oldest goes when one more comes... */
#define AGENT_MOMENT_NS UINT64_C(40000000) /* ...but not before it has had that long */
#define AGENT_MAX_CONNS 1024		   /* in all */
#define AGENT_PROVE_NS UINT64_C(3000000000)
#define AGENT_REST_NS UINT64_C(1000000000)
#define AGENT_REVOKE_NS UINT64_C(1000000000)

struct agent {
	struct agent_table table; /* its lock guards all that a forked child must close */
	struct conn_host host;
	struct peer_policy policy;
	uid_t uid;
	pthread_t thread;
	pthread_cond_t changed; /* with table.lock: is_ready, and regions' is_ended */
	bool is_ready GUARDED_BY(table.lock);
	int start_error GUARDED_BY(table.lock); /* of the thread; negative errno */
	_Atomic bool is_stopping;

	struct control *control; /* owned, made by the thread */
	int control_fd;
	int epoll_fd;
	int event_fd; /* somebody wants something of the thread */
	uint32_t num_listeners;
	struct agent_listener listeners[AGENT_MAX_LISTENERS];

	struct list unproved GUARDED_BY(table.lock); /* oldest first */
	struct list proved GUARDED_BY(table.lock);
	struct list dead; /* their last event may still be at hand */
	uint32_t num_unproved;
	uint32_t num_conns;
	uint64_t rest_ns; /* no connection is accepted until then; 0: they are */
	bool is_crowded;  /* nor while so many have proved nothing */
	uint8_t scratch[CONN_SCRATCH_BYTES];
};

/* The thread; its argument is the agent. It ends once is_stopping was set and event_fd signalled.
 */
void *agent_run(void *agent);

uint64_t agent_now_ns(void);

#endif /* PEER_AGENT_LOOP_H_ */
