/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a server comes to its clients. Anyone on the machine can connect to its socket, so that those
 * who have not yet said who they are cost little: they are few, and not for long.
 */
#include "comch/server.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/sdk_log.h"

#define MAX_ACCEPTS 16		     /* at once: clients that are there have their turn */
#define PAUSE_NS UINT64_C(100000000) /* without descriptors or memory */

static struct doca_comch_connection *oldest_greeting(const struct doca_comch_server *server)
{
	return CONTAINER_OF(server->greeting.next, struct doca_comch_connection, link);
}

static void arm_timer(struct doca_comch_server *server)
{
	uint64_t at_ns = server->resume_ns;

	if (!list_is_empty(&server->greeting)) {
		uint64_t deadline_ns = oldest_greeting(server)->deadline_ns;

		if (at_ns == 0 || deadline_ns < at_ns)
			at_ns = deadline_ns;
	}
	endpoint_set_timer(&server->base, at_ns);
}

void server_drop(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	server->num_greeting--;
	connection_destroy(client);
}

static void drop_oldest(struct doca_comch_server *server, const char *reason)
{
	struct doca_comch_connection *client = oldest_greeting(server);

	LOG_WARNING("comch server %p \"%s\" drops a connection of process %d: it has said nothing, "
		    "and %s",
		    (void *)server, server->base.name, (int)client->peer_pid, reason);
	server_drop(server, client);
}

/* Nothing comes in until there are descriptors or memory again. */
static void pause_listening(struct doca_comch_server *server, int error)
{
	errno = -error;
	LOG_WARNING("comch server %p \"%s\" takes no clients for a moment: %m", (void *)server,
		    server->base.name);
	(void)epoll_ctl(server->base.poll_fd, EPOLL_CTL_DEL, server->listen_fd, NULL);
	server->resume_ns = monotonic_ns() + PAUSE_NS;
}

void server_expire(struct doca_comch_server *server)
{
	uint64_t now_ns = monotonic_ns();

	while (!list_is_empty(&server->greeting) && oldest_greeting(server)->deadline_ns <= now_ns)
		drop_oldest(server, "its time is over");
	if (server->resume_ns != 0 && server->resume_ns <= now_ns)
		server->resume_ns = endpoint_add_listener(&server->base, server->listen_fd) == 0
					    ? 0
					    : now_ns + PAUSE_NS;
	arm_timer(server);
}

static void send_reject(struct doca_comch_connection *client, enum comch_reject reject)
{
	(void)connection_send(client,
			      &(struct comch_frame){.type = COMCH_REJECT, .reject = reject});
}

/* So many that their news would have no bound. */
static bool is_flooded(const struct doca_comch_server *server)
{
	size_t num_refused = 0;

	list_for_each (link, &server->refused)
		num_refused++;
	return num_refused >= SERVER_MAX_GREETING;
}

/* The user is told of it, unless they flood; its socket is closed. */
static void refuse(struct doca_comch_server *server, struct doca_comch_connection *client,
		   enum comch_reject reject)
{
	send_reject(client, reject);
	connection_close(client);
	list_remove(&client->link);
	server->num_greeting--;
	if (is_flooded(server)) {
		connection_destroy(client);
		return;
	}
	list_add_tail(&server->refused, &client->link);
	connection_make_ready(client);
}

static void admit(struct doca_comch_server *server, struct doca_comch_connection *client,
		  const struct ucred *peer)
{
	client->peer_pid = peer->pid;
	client->deadline_ns = monotonic_ns() + SERVER_GREETING_NS;
	protocol_init(&client->protocol, PROTOCOL_HELLO_AWAITED, server->base.max_msg_bytes,
		      server->base.recv_queue);
	list_add_tail(&server->greeting, &client->link);
	server->num_greeting++;
	if (!peer_policy_admits(server->base.policy, geteuid(), peer->uid)) {
		LOG_WARNING("comch server %p \"%s\" refuses a client: process %d runs as user %u, "
			    "which SOFTDOCA_ALLOW_UIDS does not name",
			    (void *)server, server->base.name, (int)peer->pid,
			    (unsigned int)peer->uid);
		refuse(server, client, COMCH_REJECT_PERMISSION);
		return;
	}
	connection_make_ready(client);
	if (server->num_greeting > SERVER_MAX_GREETING)
		drop_oldest(server, "many more wait");
}

/* Takes the socket over; negative errno when it could not be served. */
static int take_in(struct doca_comch_server *server, int fd)
{
	struct doca_comch_connection *client = connection_create(&server->base);
	struct ucred peer;
	int error = client == NULL ? -ENOMEM : socket_get_peer(fd, &peer);

	if (error != 0) {
		close(fd);
	} else {
		error = connection_attach(client, fd);
		if (error == 0) {
			admit(server, client, &peer);
			return 0;
		}
	}
	if (client != NULL)
		connection_destroy(client);
	return error;
}

void server_accept(struct doca_comch_server *server)
{
	for (int i = 0; i < MAX_ACCEPTS && server->resume_ns == 0; i++) {
		int fd = accept4(server->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		int error = fd < 0 ? -errno : take_in(server, fd);

		if (error == -EAGAIN)
			break;
		if (error == 0 || error == -EINTR || error == -ECONNABORTED)
			continue;
		if (list_is_empty(&server->greeting))
			pause_listening(server, error);
		else
			drop_oldest(server, "descriptors or memory are short");
	}
	arm_timer(server);
}

/* A client that said the right words. */
static bool welcome(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	const struct comch_frame accept = {
		.type = COMCH_ACCEPT,
		.max_msg_bytes = server->base.max_msg_bytes,
		.recv_queue = server->base.recv_queue,
	};

	if (server->num_open >= COMCH_MAX_CLIENTS) {
		LOG_WARNING("comch server %p \"%s\" has no place for process %d: %d clients are "
			    "there; it tries again",
			    (void *)server, server->base.name, (int)client->peer_pid,
			    COMCH_MAX_CLIENTS);
		client->protocol.state = PROTOCOL_OVER;
		send_reject(client, COMCH_REJECT_FULL);
		server_drop(server, client);
		return false;
	}
	if (connection_send(client, &accept) != 0) {
		server_drop(server, client);
		return false;
	}
	LOG_DEBUG("comch server %p \"%s\": process %d is client %p", (void *)server,
		  server->base.name, (int)client->peer_pid, (void *)client);
	connection_establish(client);
	list_remove(&client->link);
	list_add_tail(&server->base.open, &client->link);
	server->num_greeting--;
	server->num_open++;
	server_report(server, client, server->connect_cb, 1);
	return true;
}

bool server_greet(struct doca_comch_server *server, struct doca_comch_connection *client)
{
	const char *why = "the connection was closed";
	struct comch_frame frame;

	switch (connection_take(client, &frame, &why)) {
	case PROTOCOL_SILENT:
		list_remove(&client->ready_link);
		return false;
	case PROTOCOL_GREETED:
		return welcome(server, client);
	case PROTOCOL_UNWANTED:
		LOG_WARNING("comch server %p \"%s\" refuses process %d: %s", (void *)server,
			    server->base.name, (int)client->peer_pid,
			    frame.reject == COMCH_REJECT_VERSION
				    ? "it speaks another version; use one softdoca on both sides"
				    : "it asks for a server of another name");
		refuse(server, client, (enum comch_reject)frame.reject);
		return false;
	case PROTOCOL_DEAD:
		break;
	default:
		LOG_WARNING("comch server %p \"%s\" drops a connection of process %d: %s",
			    (void *)server, server->base.name, (int)client->peer_pid, why);
	}
	server_drop(server, client);
	return false;
}
