/* SPDX-License-Identifier: Apache-2.0 */
/* The server: its listener, the clients that it has and those that have yet to say who they are. */
#ifndef COMCH_SERVER_H_
#define COMCH_SERVER_H_

#include "comch/endpoint.h"

#define SERVER_MAX_GREETING 64 /* clients that have said nothing yet; the oldest goes first */
#define SERVER_GREETING_NS UINT64_C(3000000000)

struct doca_comch_server {
	struct endpoint base;	  /* first: a server is its endpoint */
	struct doca_dev_rep *rep; /* borrowed: whoever opened it keeps it open */
	doca_comch_event_connection_status_changed_cb_t connect_cb; /* NULL until registered */
	doca_comch_event_connection_status_changed_cb_t disconnect_cb;

	/* From start to idle; accepted clients, also those that are closed and not yet reported,
	 * are in the endpoint's open. */
	int listen_fd;	      /* owned; -1 else */
	uint64_t resume_ns;   /* when it is listened to again; 0: it is */
	struct list greeting; /* owned, oldest first */
	struct list refused;  /* owned: closed, to be reported */
	uint32_t num_greeting;
	uint32_t num_open;
	uint32_t num_steps; /* since the kernel was asked */
};

/* ctx_ops of a server that are in server_run.c. */
doca_error_t server_start(struct doca_ctx *ctx);
bool server_progress(struct doca_ctx *ctx);
void server_stop(struct doca_ctx *ctx);
bool server_is_over(const struct doca_ctx *ctx);
void server_idle(struct doca_ctx *ctx);

/* Whoever waits at the listener, a few at a time: see server_accept.c. */
void server_accept(struct doca_comch_server *server);

/* What has taken too long: clients that say nothing, a listener that was put aside. */
void server_expire(struct doca_comch_server *server);

/* The next packet of a client that has yet to say who it is; true when a callback ran. */
bool server_greet(struct doca_comch_server *server, struct doca_comch_connection *client);

/* A client that is out of all lists but greeting is freed. */
void server_drop(struct doca_comch_server *server, struct doca_comch_connection *client);

/* Tells the user; nothing may follow that needs the server. */
void server_report(struct doca_comch_server *server, struct doca_comch_connection *client,
		   doca_comch_event_connection_status_changed_cb_t callback, uint8_t is_successful);

#endif /* COMCH_SERVER_H_ */
