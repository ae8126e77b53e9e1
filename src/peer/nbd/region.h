/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region reached through the NBD protocol, and what the files of this folder do to it. Each
 * region has a connection of its own; the driver's thread moves the data of all of them. Whoever
 * touches a region or a libnbd handle holds the net lock (driver.c), but for a region that its
 * opener has not handed over yet.
 */
#ifndef PEER_NBD_REGION_H_
#define PEER_NBD_REGION_H_

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "peer/peer.h"
#include "peer/self.h"

#define REGION_MAX_COMMANDS 64		       /* a bit each */
#define REGION_CONNECT_NS UINT64_C(1000000000) /* on one machine */

/*
 * Of one command. Small enough that a region keeps the thread from others for less than a
 * millisecond at a time, large enough that the protocol costs nothing.
 */
#define REGION_MAX_COMMAND_BYTES ((size_t)1 << 20)

/* So often may younger commands be answered before the oldest, which a peer does not do. */
#define REGION_MAX_OVERTAKEN 4096

struct nbd_handle;
struct net_driver;
struct net_region;

/* One read or write of bytes that are contiguous on both sides. */
struct net_command {
	struct net_region *region;
	struct peer_io *io;
	uint64_t number; /* in order of issue */
	int error;	 /* once landed: an errno, as libnbd has it */
};

/* Where the next command of an io begins. */
struct net_walk {
	struct peer_io *io; /* NULL: between two */
	uint32_t local;	    /* the piece, and the bytes of it that are behind us */
	uint32_t remote;
	size_t local_bytes;
	size_t remote_bytes;
	size_t left_bytes;
};

enum net_state {
	NET_DOWN,     /* no connection; the next io makes one */
	NET_GREETING, /* until the peer has said what it serves */
	NET_UP,
};

struct net_region {
	struct peer_region base; /* first */
	struct net_driver *driver;
	struct export_descriptor descriptor; /* the secret too: to connect again */
	struct peer_policy policy;
	enum net_state state;
	struct nbd_handle *handle; /* owned; NULL when down */
	int fd;			   /* the handle's, while it lives */
	pid_t peer_pid;		   /* who listens there, as this process sees it; 0: invisible */
	struct self_program peer;  /* and what it was when the region was opened */
	uint32_t num_asked;	   /* the greeting: how often for an export */
	bool is_answered;	   /* and heard: */
	int answer;		   /* 0 or an errno, as libnbd has it */
	uint64_t progress_ns;	   /* when the peer last did something, or was first asked to */
	uint32_t num_overtaken;	   /* in a row */
	struct peer_io *first_io;  /* in order of submission, linked through next */
	struct peer_io *last_io;
	struct peer_io *next_io; /* the first that was not begun */
	struct net_walk walk;	 /* of the one before it, while it is not issued whole */
	uint64_t num_issued;
	uint64_t flying; /* mask of the commands that the peer has */
	uint64_t landed; /* of those that it has answered, their io not told; others are spare */
	struct net_command commands[REGION_MAX_COMMANDS];
};

static inline uint64_t net_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* dial.c: that is the program that the region was opened to. */
bool net_exporter_lives(const struct net_region *region);

/*
 * Connect to the exporter's socket, and see that its owner is the exporter's user, ours or
 * root, and the same process as before. Waits until the deadline for a peer that accepts no more,
 * or not at all when it is 0: AGAIN. NOT_CONNECTED: nobody listens.
 */
doca_error_t net_dial(struct net_region *region, uint64_t deadline_ns, int *fd, const char **why);

/* session.c: the handshake. Begin owns the descriptor, also on an error. */
doca_error_t session_begin(struct net_region *region, int fd, const char **why);

/* What follows from what was heard so far: IN_PROGRESS, SUCCESS (then the region is up), or why
 * not. */
doca_error_t session_verdict(struct net_region *region, const char **why);

/* What to poll for, and what to do when poll() says so: not SUCCESS when the connection is dead. */
void session_poll_for(const struct net_region *region, struct pollfd *polled);
doca_error_t session_notify(const struct net_region *region, short revents);
bool session_is_dead(const struct net_region *region);

/* Whether there is something to read now: of a peer that was asked nothing, its end. */
bool session_has_news(const struct net_region *region);

/* What the call of libnbd that has just found it dead says of it. */
doca_error_t session_death(void);

/* The connection is gone, and libnbd touches no memory of ours any more. */
void session_end(struct net_region *region);

/* In a forked child, which shares the connection with its parent: put another descriptor in its
 * place. */
void session_abandon(struct net_region *region, int unused_fd);

/* transfer.c: an io comes behind all others, and begins when there is room. */
void transfer_add(struct net_region *region, struct peer_io *io);

/* Give the peer what there is room for, finish what it has answered. Not SUCCESS: the connection is
 * of no more use. */
doca_error_t transfer_step(struct net_region *region);

/* Finish what the peer has answered. */
void transfer_settle(struct net_region *region);

/* The connection is gone: finish every io. */
void transfer_fail_all(struct net_region *region, doca_error_t status);

/* The same in a forked child: it wakes nobody, since what would be woken is its parent's. */
void transfer_abandon_all(struct net_region *region);

/* driver.c: hand a region over; NO_MEMORY, OPERATING_SYSTEM. Then submit, from any thread. */
doca_error_t driver_add(struct net_region *region, const char **why);
void driver_submit(struct net_driver *driver, struct peer_io *io);

/* Take a region back, ended; returns when nobody else knows it. */
void driver_remove(struct net_region *region);

#endif /* PEER_NBD_REGION_H_ */
