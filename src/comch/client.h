/* SPDX-License-Identifier: Apache-2.0 */
/* The client: one connection, tried for until there is a server. */
#ifndef COMCH_CLIENT_H_
#define COMCH_CLIENT_H_

#include "comch/endpoint.h"

struct doca_comch_client {
	struct endpoint base; /* first: a client is its endpoint */
	/* Owned, from start until the next start or destroy. */
	struct doca_comch_connection *connection;

	/* While it is starting; CLOCK_MONOTONIC. */
	uint64_t deadline_ns;
	uint64_t warn_ns;
	uint64_t retry_ns;    /* from one attempt to the next; it grows */
	const char *obstacle; /* why the last attempt came to nothing, for log lines */
};

/* ctx_ops of a client that are in client_run.c. */
doca_error_t client_start(struct doca_ctx *ctx);
bool client_progress(struct doca_ctx *ctx);
void client_stop(struct doca_ctx *ctx);
void client_idle(struct doca_ctx *ctx);

#endif /* COMCH_CLIENT_H_ */
