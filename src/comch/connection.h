/* SPDX-License-Identifier: Apache-2.0 */
/* A connection: its socket, the conversation on it, what it counts. */
#ifndef COMCH_CONNECTION_H_
#define COMCH_CONNECTION_H_

#include <stdbool.h>
#include <sys/types.h>

#include <doca_comch.h>

#include "base/list.h"
#include "comch/channels.h"
#include "comch/protocol.h"

struct endpoint;
struct kept_packet;

#define COMCH_NUM_COUNTERS (DOCA_COMCH_COUNTER_RECV_BYTES + 1)

struct doca_comch_connection {
	struct endpoint *endpoint;
	struct list link; /* of whoever owns it */
	struct list
		ready_link; /* in the endpoint's, while there is something to read or to report */
	int fd;		    /* -1: not connected, or no more */
	struct protocol protocol;
	uint64_t deadline_ns; /* of a greeting; CLOCK_MONOTONIC */
	bool is_established;  /* its greeting has succeeded, once */
	bool has_ended;	      /* the user was told, or has ended it */
	bool is_cut; /* the peer died or left something unread: what is not yet reported failed */
	bool is_examined;	  /* the peer has hung up, and is_cut says how */
	bool wants_room;	  /* a receipt or a message waits until the socket can be written */
	struct kept_packet *kept; /* owned: read ahead, oldest first */
	struct kept_packet **kept_end;
	int fds[COMCH_NUM_FDS]; /* owned: what came with the packet that was read last */
	unsigned num_fds;
	pid_t peer_pid;
	int peer_fd; /* owned: a pidfd, once established; -1 else, or without one of the kernel's */
	struct channels *channels; /* held; the only thing here that other threads touch */
	union doca_data user_data;
	uint64_t counters[COMCH_NUM_COUNTERS];
	uint64_t shown[COMCH_NUM_COUNTERS]; /* as of the last update */
};

/* On the heap, not connected; NULL without memory. */
struct doca_comch_connection *connection_create(struct endpoint *endpoint);

/* Out of all lists, closed, freed. */
void connection_destroy(struct doca_comch_connection *connection);

/* Takes a socket over, also on an error: negative errno. */
int connection_attach(struct doca_comch_connection *connection, int fd);

/* Its greeting has succeeded. */
void connection_establish(struct doca_comch_connection *connection);

/* Ends the connection here; an open one says farewell. What was read ahead is dropped. */
void connection_close(struct doca_comch_connection *connection);

/* Sends a frame that is no DATA. Negative errno, -EAGAIN when there is no room. */
int connection_send(struct doca_comch_connection *connection, const struct comch_frame *frame);

/*
 * Sends a message. AGAIN: not now, nothing happened. CONNECTION_RESET: never, the peer is gone.
 */
doca_error_t connection_send_message(struct doca_comch_connection *connection, const void *msg,
				     uint32_t len_bytes);

/* Tells the peer how many of its messages were taken, if it is time to; when there is room. */
void connection_send_receipt(struct doca_comch_connection *connection);

/*
 * The next packet, if any, and what it means; before it what consumers have to say goes out. The
 * frame's data is valid until the next call.
 */
enum protocol_verdict connection_take(struct doca_comch_connection *connection,
				      struct comch_frame *frame, const char **why);

/* The socket can be written again. */
void connection_found_room(struct doca_comch_connection *connection);

/*
 * Whether what was sent and not yet reported has arrived, as far as can be known now: false once
 * the peer has died, or has ended with something unread.
 */
bool connection_delivers(struct doca_comch_connection *connection);

/* Something is there to read or to report. */
void connection_make_ready(struct doca_comch_connection *connection);

#endif /* COMCH_CONNECTION_H_ */
