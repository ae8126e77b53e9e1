/* SPDX-License-Identifier: Apache-2.0 */
/* A server at work: from start to idle, one step of progress at a time. */
#include "comch/server.h"

#include <errno.h>
#include <unistd.h>

#include "common/pe.h"
#include "common/sdk_log.h"

#define MAX_STEPS 64  /* of one call of progress that runs no callback */
#define POLL_EVERY 16 /* steps: also a server with busy clients takes new ones */

static struct doca_comch_server *server_of(struct doca_ctx *ctx)
{
	return (struct doca_comch_server *)ctx;
}

static doca_error_t refuse_start(const struct doca_comch_server *server, int error)
{
	const struct endpoint *base = &server->base;

	if (error == -EADDRINUSE) {
		LOG_ERROR("comch server %p refuses start: device %s has a server \"%s\" already, "
			  "here or in another process; choose another name, or end that one",
			  (const void *)server, base->function->name, base->name);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	errno = -error;
	LOG_ERROR("comch server %p cannot start: no listener for \"%s\"%s%s: %m",
		  (const void *)server, base->name, base->address.is_path ? " at " : "",
		  base->address.is_path ? base->address.name.sun_path : "");
	return DOCA_ERROR_INITIALIZATION;
}

doca_error_t server_start(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);
	doca_error_t result;
	int error;

	if (server->connect_cb == NULL) {
		LOG_ERROR("comch server %p refuses start: nobody is told of clients; call "
			  "doca_comch_server_event_connection_status_changed_register first",
			  (void *)server);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = endpoint_start(&server->base);
	if (result != DOCA_SUCCESS)
		return result;
	server->listen_fd = address_listen(&server->base.address);
	error = server->listen_fd;
	if (error >= 0)
		error = endpoint_add_listener(&server->base, server->listen_fd);
	if (error < 0) {
		server_idle(ctx);
		return refuse_start(server, error);
	}
	return DOCA_SUCCESS;
}

/* The name is free again; who has not said who it is, is gone. */
static void stop_listening(struct doca_comch_server *server)
{
	if (server->listen_fd >= 0) {
		address_forget(&server->base.address);
		close(server->listen_fd);
		server->listen_fd = -1;
	}
	server->resume_ns = 0;
	while (!list_is_empty(&server->greeting))
		server_drop(server, CONTAINER_OF(server->greeting.next,
						 struct doca_comch_connection, link));
	while (!list_is_empty(&server->refused))
		connection_destroy(
			CONTAINER_OF(server->refused.next, struct doca_comch_connection, link));
}

void server_stop(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);

	stop_listening(server);
	list_for_each (link, &server->base.open) {
		struct doca_comch_connection *client =
			CONTAINER_OF(link, struct doca_comch_connection, link);

		connection_close(client);
		connection_make_ready(client);
	}
}

bool server_is_over(const struct doca_ctx *ctx)
{
	return list_is_empty(&((const struct endpoint *)ctx)->open);
}

void server_idle(struct doca_ctx *ctx)
{
	stop_listening(server_of(ctx));
	endpoint_idle(&server_of(ctx)->base);
}

void server_report(struct doca_comch_server *server, struct doca_comch_connection *client,
		   doca_comch_event_connection_status_changed_cb_t callback, uint8_t is_successful)
{
	CALLBACK_SCOPE(server->base.ctx.pe);
	/* The event has nothing to ask for: the server stands in for it. */
	callback((struct doca_comch_event_connection_status_changed *)server, client,
		 is_successful);
}

static void report_refused(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	endpoint_retire(&server->base, client);
	server_report(server, client, server->connect_cb, 0);
}

static void report_gone(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	server->num_open--;
	endpoint_retire(&server->base, client);
	server_report(server, client, server->disconnect_cb, 1);
}

/* A client's next packet; true when a callback ran. */
static bool listen_to(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	const char *why = "it ended without a farewell";
	struct comch_frame frame;

	switch (connection_take(client, &frame, &why)) {
	case PROTOCOL_SILENT:
		connection_send_receipt(client);
		list_remove(&client->ready_link);
		return false;
	case PROTOCOL_MESSAGE:
		/* The others' turn comes first. */
		list_remove(&client->ready_link);
		connection_make_ready(client);
		endpoint_deliver(&server->base, client, &frame);
		return true;
	case PROTOCOL_RECEIPT:
		endpoint_nudge(&server->base);
		return false;
	case PROTOCOL_CONSUMER:
		return endpoint_report_consumer(&server->base, client, &frame);
	case PROTOCOL_NOTED:
		return false;
	case PROTOCOL_CLOSED:
		LOG_DEBUG("comch server %p \"%s\": client %p has closed its connection",
			  (void *)server, server->base.name, (void *)client);
		break;
	default:
		LOG_WARNING("comch server %p \"%s\": connection %p to process %d is over: %s",
			    (void *)server, server->base.name, (void *)client,
			    (int)client->peer_pid, why);
	}
	report_gone(server, client);
	return true;
}

static bool step(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	if (client->fd >= 0)
		return client->is_established ? listen_to(server, client)
					      : server_greet(server, client);
	if (client->is_established)
		report_gone(server, client);
	else
		report_refused(server, client);
	return true;
}

static void ask_kernel(struct doca_comch_server *server)
{
	unsigned news = endpoint_poll(&server->base);

	server->num_steps = 0;
	if (server->listen_fd < 0)
		return;
	if ((news & ENDPOINT_TIMER) != 0)
		server_expire(server);
	if ((news & ENDPOINT_LISTENER) != 0)
		server_accept(server);
}

bool server_progress(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);

	endpoint_trim(&server->base);
	for (int i = 0; i < MAX_STEPS; i++) {
		struct doca_comch_connection *client;

		if (list_is_empty(&server->base.ready) || server->num_steps >= POLL_EVERY)
			ask_kernel(server);
		client = endpoint_next_ready(&server->base);
		if (client == NULL)
			return false;
		server->num_steps++;
		if (step(server, client))
			return true;
	}
	return true; /* work is left */
}
