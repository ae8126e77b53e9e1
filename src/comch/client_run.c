/* SPDX-License-Identifier: Apache-2.0 */
/* A client at work: it looks for its server, then listens to it. */
#include "comch/client.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/sdk_log.h"

#define MAX_STEPS 64 /* of one call of progress that runs no callback */
#define FIRST_RETRY_NS UINT64_C(1000000)
#define LAST_RETRY_NS UINT64_C(50000000)
#define FIRST_WARNING_NS UINT64_C(1000000000)
#define NEXT_WARNING_NS UINT64_C(10000000000)
#define NS_PER_MS UINT64_C(1000000)

static struct doca_comch_client *client_of(struct doca_ctx *ctx)
{
	return (struct doca_comch_client *)ctx;
}

doca_error_t client_start(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);
	uint64_t now_ns = monotonic_ns();
	doca_error_t result = endpoint_start(&client->base);

	if (result != DOCA_SUCCESS)
		return result;
	if (client->connection != NULL)
		connection_destroy(client->connection);
	client->connection = connection_create(&client->base);
	if (client->connection == NULL) {
		client_idle(ctx);
		LOG_ERROR("comch client %p cannot start: no memory for a connection",
			  (void *)client);
		return DOCA_ERROR_INITIALIZATION;
	}
	client->deadline_ns = now_ns + client->base.policy->connect_timeout_ns;
	client->retry_ns = FIRST_RETRY_NS;
	client->warn_ns = now_ns + FIRST_WARNING_NS;
	client->obstacle = "no server of that name";
	/* The first attempt is progress's, at once. */
	endpoint_set_timer(&client->base, now_ns);
	return DOCA_ERROR_IN_PROGRESS;
}

void client_stop(struct doca_ctx *ctx)
{
	connection_close(client_of(ctx)->connection);
}

void client_idle(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);

	if (client->connection != NULL) {
		connection_close(client->connection);
		client->connection->has_ended = true;
	}
	endpoint_idle(&client->base);
}

/* The start is over, or the connection is. Always true. */
static bool fail(struct doca_comch_client *client)
{
	connection_close(client->connection);
	doca__ctx_fail(&client->base.ctx);
	return true;
}

static bool give_up(struct doca_comch_client *client, const char *reason)
{
	LOG_ERROR("comch client %p gives up on server \"%s\" of device %s: %s", (void *)client,
		  client->base.name, client->base.function->name, reason);
	return fail(client);
}

/* The server at the other end is one of ours; else a line says why not. */
static bool is_server_trusted(struct doca_comch_client *client, int fd)
{
	struct ucred peer = {.uid = (uid_t)-1};

	(void)socket_get_peer(fd, &peer);
	client->connection->peer_pid = peer.pid;
	if (peer_policy_admits(client->base.policy, geteuid(), peer.uid))
		return true;
	LOG_ERROR("comch client %p refuses server \"%s\" of device %s: process %d runs as user %u, "
		  "which SOFTDOCA_ALLOW_UIDS does not name",
		  (void *)client, client->base.name, client->base.function->name, (int)peer.pid,
		  (unsigned int)peer.uid);
	return false;
}

/* The socket is taken over. */
static void greet(struct doca_comch_client *client, int fd)
{
	struct doca_comch_connection *connection = client->connection;
	struct comch_frame hello = {
		.type = COMCH_HELLO,
		.version = COMCH_VERSION,
		.max_msg_bytes = client->base.max_msg_bytes,
		.recv_queue = client->base.recv_queue,
	};

	memcpy(hello.name, client->base.name, sizeof(hello.name));
	if (connection_attach(connection, fd) != 0) {
		client->obstacle = "descriptors or memory are short here";
		return;
	}
	protocol_init(&connection->protocol, PROTOCOL_ANSWER_AWAITED, client->base.max_msg_bytes,
		      client->base.recv_queue);
	client->obstacle = "the server is there and does not answer, or not yet";
	/* Also a server that has hung up already may have said why. */
	(void)connection_send(connection, &hello);
}

/* One attempt; true when the client has given up. */
static bool attempt(struct doca_comch_client *client)
{
	int fd = address_connect(&client->base.address);

	switch (fd) {
	case -EACCES:
	case -EPERM:
		return give_up(client, "this user may not connect to its socket");
	case -ENOENT:
	case -ECONNREFUSED:
		client->obstacle = "no server of that name";
		return false;
	case -EAGAIN:
		client->obstacle = "the server does not keep up with its clients";
		return false;
	default:
		break;
	}
	if (fd < 0) {
		client->obstacle = "descriptors or memory are short here";
		return false;
	}
	if (!is_server_trusted(client, fd)) {
		close(fd);
		return fail(client);
	}
	greet(client, fd);
	return false;
}

static void warn(struct doca_comch_client *client, uint64_t now_ns)
{
	if (now_ns < client->warn_ns)
		return;
	client->warn_ns = now_ns + NEXT_WARNING_NS;
	LOG_WARNING(
		"comch client %p still looks for server \"%s\" of device %s: %s; it goes on for "
		"%llu s (SOFTDOCA_CONNECT_TIMEOUT)",
		(void *)client, client->base.name, client->base.function->name, client->obstacle,
		(unsigned long long)((client->deadline_ns - now_ns + 1000 * NS_PER_MS - 1) /
				     (1000 * NS_PER_MS)));
}

/* The time for another attempt; true when the client has given up. */
static bool tick(struct doca_comch_client *client)
{
	uint64_t now_ns = monotonic_ns();
	uint64_t next_ns = now_ns + client->retry_ns;

	if (client->base.ctx.state != DOCA_CTX_STATE_STARTING)
		return false;
	if (now_ns >= client->deadline_ns) {
		LOG_ERROR("comch client %p gives up on server \"%s\" of device %s after %llu ms "
			  "(SOFTDOCA_CONNECT_TIMEOUT): %s",
			  (void *)client, client->base.name, client->base.function->name,
			  (unsigned long long)(client->base.policy->connect_timeout_ns / NS_PER_MS),
			  client->obstacle);
		return fail(client);
	}
	if (client->connection->fd < 0 && attempt(client))
		return true;
	warn(client, now_ns);
	client->retry_ns *= 2;
	if (client->retry_ns > LAST_RETRY_NS)
		client->retry_ns = LAST_RETRY_NS;
	endpoint_set_timer(&client->base,
			   next_ns < client->deadline_ns ? next_ns : client->deadline_ns);
	return false;
}

static bool is_rejected(struct doca_comch_client *client, uint32_t reject)
{
	switch (reject) {
	case COMCH_REJECT_VERSION:
		return give_up(client, "it speaks another version; use one softdoca on both sides");
	case COMCH_REJECT_PERMISSION:
		return give_up(client,
			       "it refuses this user; name it in SOFTDOCA_ALLOW_UIDS there");
	case COMCH_REJECT_FULL:
		client->obstacle = "the server has no place for another client";
		break;
	case COMCH_REJECT_NAME:
		client->obstacle = "another server has its address";
		break;
	default:
		return give_up(client, "it refuses this client");
	}
	connection_close(client->connection);
	return false;
}

/* While starting: the server's answer; true when the state changed. */
static bool take_answer(struct doca_comch_client *client)
{
	struct doca_comch_connection *connection = client->connection;
	struct comch_frame frame;
	const char *why;

	switch (connection_take(connection, &frame, &why)) {
	case PROTOCOL_SILENT:
		list_remove(&connection->ready_link);
		return false;
	case PROTOCOL_ACCEPTED:
		connection_establish(connection);
		list_add_tail(&client->base.open, &connection->link);
		endpoint_set_timer(&client->base, 0);
		LOG_DEBUG("comch client %p is connected to server \"%s\", process %d",
			  (void *)client, client->base.name, (int)connection->peer_pid);
		doca__ctx_started(&client->base.ctx);
		return true;
	case PROTOCOL_REJECTED:
		return is_rejected(client, frame.reject);
	case PROTOCOL_DEAD:
		connection_close(connection);
		return false;
	default:
		return give_up(client, why);
	}
}

/* While running: a packet of the server; true when a callback ran. */
static bool listen_to(struct doca_comch_client *client)
{
	struct doca_comch_connection *connection = client->connection;
	const char *why = "it ended without a farewell";
	struct comch_frame frame;

	switch (connection_take(connection, &frame, &why)) {
	case PROTOCOL_SILENT:
		connection_send_receipt(connection);
		list_remove(&connection->ready_link);
		return false;
	case PROTOCOL_MESSAGE:
		endpoint_deliver(&client->base, connection, &frame);
		return true;
	case PROTOCOL_RECEIPT:
		endpoint_nudge(&client->base);
		return false;
	case PROTOCOL_CONSUMER:
		return endpoint_report_consumer(&client->base, connection, &frame);
	case PROTOCOL_NOTED:
		return false;
	case PROTOCOL_CLOSED:
		LOG_DEBUG("comch client %p stops: server \"%s\" has closed the connection",
			  (void *)client, client->base.name);
		return fail(client);
	default:
		LOG_WARNING("comch client %p stops: the connection to server \"%s\", process %d, "
			    "is over: %s",
			    (void *)client, client->base.name, (int)connection->peer_pid, why);
		return fail(client);
	}
}

bool client_progress(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);

	for (int i = 0; i < MAX_STEPS; i++) {
		if (ctx->state == DOCA_CTX_STATE_STOPPING)
			return false;
		if (!list_is_empty(&client->base.ready)) {
			if (ctx->state == DOCA_CTX_STATE_STARTING ? take_answer(client)
								  : listen_to(client))
				return true;
			continue;
		}
		if ((endpoint_poll(&client->base) & ENDPOINT_TIMER) != 0 && tick(client))
			return true;
		if (list_is_empty(&client->base.ready))
			return false;
	}
	return true; /* work is left */
}
