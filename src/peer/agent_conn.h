/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection of an importer: greeting, options, then either attached, where nothing more is
 * said, or transmission, where it reads and writes its region. One thread's, never waiting. What
 * the peer sends is bytes of anyone until it has proved a region's secret.
 */
#ifndef PEER_AGENT_CONN_H_
#define PEER_AGENT_CONN_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "peer/agent_table.h"
#include "wire/nbd.h"

#define CONN_TURN_BYTES ((size_t)256 << 10) /* moved at most before others have their turn */
#define CONN_SCRATCH_BYTES ((size_t)64 << 10)
#define CONN_OUT_BYTES 128
#define CONN_MAX_OUT_FDS 3

enum conn_state {
	CONN_FLAGS,    /* the greeting is on its way, the client's flags follow */
	CONN_OPTION,   /* an option's header */
	CONN_PAYLOAD,  /* and its payload behind it */
	CONN_ATTACHED, /* nothing but the end */
	CONN_REQUEST,  /* transmission: a request's header */
	CONN_RECEIVE,  /* the payload of a WRITE, into the region */
	CONN_DRAIN,    /* the payload of one that is refused */
};

/* What all connections of a thread share. */
struct conn_host {
	struct agent_table *table;
	int control_fd;	  /* borrowed, for importers that attach */
	uint8_t *scratch; /* CONN_SCRATCH_BYTES, where drained bytes go */
};

struct agent_conn {
	struct list link;
	const struct conn_host *host; /* borrowed */
	int fd;			      /* owned, non-blocking */
	enum conn_state state;
	bool is_admitted; /* the peer's user may connect */
	bool is_ending;	  /* closed once what is to be sent is sent */
	bool is_over;	  /* ended, to be destroyed */
	uint32_t epoll_events;
	uint64_t deadline_ns; /* by when it must have proved a secret */

	struct agent_region *region;   /* borrowed; once a secret is proved */
	const _Atomic uint64_t *words; /* owned: the activity page of an attached importer */
	int received_fd;	       /* owned: what came beside the option's bytes, or -1 */

	uint8_t in[NBD_OPTION_BYTES + NBD_MAX_OPTION_BYTES];
	size_t in_len;
	size_t in_wanted; /* bytes that make a message of this state */

	uint8_t out[CONN_OUT_BYTES];
	size_t out_len;
	size_t out_at;
	int out_fds[CONN_MAX_OUT_FDS]; /* borrowed, beside the first byte */
	size_t num_out_fds;

	struct nbd_request request;
	uint8_t *at;	 /* in the region */
	size_t left;	 /* of the request's bytes */
	uint32_t error;	 /* of enum nbd_error: the answer to a WRITE */
	bool is_sending; /* the answer of a READ, `left` bytes of the region behind `out` */
};

/* Owns the socket from here on, also when it returns NULL: no memory. The greeting is to be sent.
 */
struct agent_conn *conn_create(const struct conn_host *host, int fd, bool is_admitted,
			       uint64_t deadline_ns);

/* Also ends the connection for whoever shares the socket. */
void conn_destroy(struct agent_conn *conn);

/* A forked child's copy: the connection goes on. */
void conn_forget(struct agent_conn *conn);

/* As much as can be done now; false: it is over. */
bool conn_turn(struct agent_conn *conn);

/* What to wait for. */
static inline bool conn_has_output(const struct agent_conn *conn)
{
	return conn->out_at < conn->out_len || conn->is_sending;
}

static inline bool conn_is_proved(const struct agent_conn *conn)
{
	return conn->region != NULL;
}

/* An operation on the region's memory is under way, be it the importer's own. */
bool conn_is_busy(const struct agent_conn *conn);

/* The states of the handshake, and of transmission; false: it is over. */
bool conn_handshake(struct agent_conn *conn);
bool conn_request(struct agent_conn *conn);

/* The answer to a WRITE whose payload has been received or drained, and to what fails at once. */
void conn_reply(struct agent_conn *conn, uint32_t error);

/* The next message, of that many bytes, is awaited. */
static inline void conn_await(struct agent_conn *conn, enum conn_state state, size_t num_bytes)
{
	conn->state = state;
	conn->in_wanted = num_bytes;
}

/* Room for that many bytes more to send. */
static inline uint8_t *conn_queue(struct agent_conn *conn, size_t num_bytes)
{
	uint8_t *bytes = conn->out + conn->out_len;

	conn->out_len += num_bytes;
	return bytes;
}

#endif /* PEER_AGENT_CONN_H_ */
