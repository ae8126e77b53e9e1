/* SPDX-License-Identifier: Apache-2.0 */
/* What a server and a client have in common. */
#ifndef COMCH_ENDPOINT_H_
#define COMCH_ENDPOINT_H_

#include <stdbool.h>

#include <doca_comch.h>

#include "comch/address.h"
#include "comch/connection.h"
#include "common/library.h"

#define COMCH_MAX_SEND_TASKS 8192
#define COMCH_MAX_CLIENTS 512

struct doca_comch_task_send {
	struct doca_task base;		    /* first: a send task is its task */
	struct doca_comch_connection *peer; /* borrowed from the endpoint, which keeps it for us */
	const void *msg;		    /* the user's until the callback */
	uint32_t len_bytes;
};

struct endpoint {
	struct doca_ctx ctx;		      /* first: an endpoint is its context */
	const struct card_function *function; /* the host's: servers and clients meet by it */
	const struct peer_policy *policy;     /* the card's */
	char name[COMCH_NAME_BYTES];
	bool is_server;

	doca_comch_event_msg_recv_cb_t recv_cb; /* NULL until registered */
	doca_comch_event_consumer_cb_t new_cb;	/* NULL until registered, if ever */
	doca_comch_event_consumer_cb_t expired_cb;
	uint32_t max_msg_bytes;
	uint32_t recv_queue;
	struct task_pool pool;

	/* From start to idle. */
	struct address address;
	int poll_fd;	   /* owned: an epoll; -1 else */
	int timer_fd;	   /* owned, in it */
	int bell_fd;	   /* owned, in it: an eventfd, rung when channels have calls */
	uint64_t timer_ns; /* when the server or the client wants to be woken, 0: never */
	bool has_refused;  /* the last submit was refused with AGAIN */
	bool has_unsaid;   /* the kernel took no descriptors: the timer tries again */
	uint64_t nudge_ns; /* when whoever waits is woken to submit again, 0: never */
	uint64_t nudge_after_ns;
	struct list open;  /* established connections, owned by the server or the client */
	struct list ready; /* connections to look at next, by ready_link */
	uint8_t *frame;	   /* owned: COMCH_FRAME_BYTES, what is being read */

	/* Connections that have ended, oldest first: tasks and the user's variables may lead to
	 * them. */
	struct list ended;
	size_t num_ended;
	size_t trim_at; /* so many, that endpoint_trim looks for some to free */
};

static inline struct endpoint *endpoint_of(struct doca_ctx *ctx)
{
	return (struct endpoint *)ctx;
}

static inline const char *endpoint_kind(const struct endpoint *endpoint)
{
	return endpoint->is_server ? "server" : "client";
}

/* Checks a name at the API edge: one error line and INVALID_VALUE. */
doca_error_t endpoint_check_name(struct log_place place, const char *name);

/* Of an endpoint that is all zero but for its context. */
void endpoint_init(struct endpoint *endpoint, const struct card_function *function,
		   const char *name);
/* Its end, with that of its server or client. */
void endpoint_delete(struct endpoint *endpoint);

/* What start checks and makes: tasks, buffer, epoll and timer, watched. On an error nothing is
 * left. */
doca_error_t endpoint_start(struct endpoint *endpoint);

/* ctx_ops.idle, but for what is the server's or the client's. */
void endpoint_idle(struct endpoint *endpoint);

/* ctx_ops.has_work of both. */
bool endpoint_has_work(const struct doca_ctx *ctx);

/* What an endpoint waits with, in endpoint_wait.c. Open gives negative errno, then it is closed. */
int endpoint_open_waiting(struct endpoint *endpoint);
void endpoint_close_waiting(struct endpoint *endpoint);

/* Wakes at a time of CLOCK_MONOTONIC, 0: never. */
void endpoint_set_timer(struct endpoint *endpoint, uint64_t at_ns);
uint64_t monotonic_ns(void);

/*
 * There is room for a message: whoever was refused a submit and waits meanwhile is woken soon, and
 * again, less and less often, until there is another submit.
 */
void endpoint_nudge(struct endpoint *endpoint);

/* What the kernel has beside connections, which are made ready. */
enum endpoint_news {
	ENDPOINT_TIMER = 1 << 0,    /* it has run out, and is silent again */
	ENDPOINT_LISTENER = 1 << 1, /* somebody wants to connect */
};

unsigned endpoint_poll(struct endpoint *endpoint);

/* A listener joins the epoll; negative errno. */
int endpoint_add_listener(struct endpoint *endpoint, int fd);

/* The oldest connection that is ready, or NULL. */
struct doca_comch_connection *endpoint_next_ready(struct endpoint *endpoint);

/* A connection is over: kept while somebody may look at it. */
void endpoint_retire(struct endpoint *endpoint, struct doca_comch_connection *connection);

/* Frees the older half of those that no task leads to, once there are many. Not under a callback.
 */
void endpoint_trim(struct endpoint *endpoint);

/* Hands a message over; the callback may stop the context. */
void endpoint_deliver(struct endpoint *endpoint, struct doca_comch_connection *connection,
		      const struct comch_frame *frame);

/* Tells the user of a consumer of the peer's, if he wants to know; true when a callback ran. */
bool endpoint_report_consumer(struct endpoint *endpoint, struct doca_comch_connection *connection,
			      const struct comch_frame *frame);

/* Setters of both kinds, at the API edge: argument NULL or out of range, or not idle. */
doca_error_t endpoint_set_size(struct log_place place, struct endpoint *endpoint, uint32_t size,
			       uint32_t max, uint32_t *field);
doca_error_t endpoint_set_send_conf(struct log_place place, struct endpoint *endpoint,
				    doca_comch_task_send_completion_cb_t completion_cb,
				    doca_comch_task_send_completion_cb_t error_cb,
				    uint32_t num_send_tasks);
doca_error_t endpoint_set_recv(struct log_place place, struct endpoint *endpoint,
			       doca_comch_event_msg_recv_cb_t recv_cb);
doca_error_t endpoint_set_consumer(struct log_place place, struct endpoint *endpoint,
				   doca_comch_event_consumer_cb_t new_cb,
				   doca_comch_event_consumer_cb_t expired_cb);

/* What ctx_ops wants of the send task. */
doca_error_t send_prepare(struct doca_task *base, bool is_strict);
void send_complete(struct doca_task *base);
void send_conclude(struct doca_task *base);

#endif /* COMCH_ENDPOINT_H_ */
