/* SPDX-License-Identifier: Apache-2.0 */
/* What both ends of the connection share, from the start to the end. */
#include "link.h"

#include <poll.h>

#include "common/interrupt.h"
#include "common/report.h"

#define LOOK_MS 100 /* how often to look whether a signal waits */

struct link *link_of(struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_comch_client *client = doca_comch_client_get_client_ctx(connection);
	union doca_data user_data = {.ptr = NULL};

	doca_ok(doca_ctx_get_user_data(server != NULL ? doca_comch_server_as_ctx(server)
						      : doca_comch_client_as_ctx(client),
				       &user_data),
		"find out whose connection that is");
	return user_data.ptr;
}

bool link_start(struct link *link)
{
	union doca_data user_data = {.ptr = link};
	doca_error_t result;

	if (!doca_ok(doca_ctx_set_user_data(link->ctx, user_data), "set the context's user data") ||
	    !doca_ok(doca_pe_connect_ctx(link->pe, link->ctx), "connect comch and engine"))
		return false;
	result = doca_ctx_start(link->ctx);
	/* A client is still looking for its server. */
	return result == DOCA_ERROR_IN_PROGRESS || doca_ok(result, "start comch");
}

/* Its last words may not have been read yet. */
static bool has_failed(const struct link *link)
{
	for (uint32_t i = 0; i < link->num_received; i++) {
		if (link->inbox[(link->first + i) % LINK_INBOX].type == MESSAGE_FAILED)
			return true;
	}
	return false;
}

void link_say_loss(struct link *link)
{
	if (link->is_loss_said || !(link->is_lost || has_failed(link)))
		return;
	complain(has_failed(link) ? "the %s has failed: see what it says" : "the %s is gone",
		 link->peer);
	link->is_loss_said = link->is_lost = true;
}

bool link_check(struct link *link)
{
	if (interrupt_waits()) {
		complain("interrupted");
		return false;
	}
	if (link->is_lost)
		link_say_loss(link);
	return !link->is_lost;
}

/* Do what there is to do; if there is nothing, sleep until there is, or until it is time to look.
 */
void link_step(struct link *link)
{
	struct pollfd readable = {.events = POLLIN};
	doca_notification_handle_t handle;

	if (doca_pe_progress(link->pe) != 0)
		return;
	if (doca_pe_get_notification_handle(link->pe, &handle) != DOCA_SUCCESS ||
	    doca_pe_request_notification(link->pe) != DOCA_SUCCESS)
		return;
	readable.fd = handle;
	(void)poll(&readable, 1, LOOK_MS);
	(void)doca_pe_clear_notification(link->pe, handle);
}

bool link_connect(struct link *link)
{
	while (link->connection == NULL) {
		if (link->is_lost && !link->is_loss_said) {
			complain("no %s is there", link->peer);
			link->is_loss_said = true;
		}
		if (!link_check(link))
			return false;
		link_step(link);
	}
	return true;
}

/* Stopping an end with a connection takes time: the other side is told. */
static void stop(struct link *link)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
	doca_error_t result = doca_ctx_stop(link->ctx);

	/* A client whose server is gone has stopped by itself. */
	if (result != DOCA_ERROR_IN_PROGRESS && result != DOCA_ERROR_BAD_STATE)
		doca_ok(result, "stop comch");
	while (doca_ok(doca_ctx_get_state(link->ctx, &state), "ask for the context's state") &&
	       state != DOCA_CTX_STATE_IDLE)
		link_step(link);
}

void link_close(struct link *link)
{
	link->is_loss_said = true; /* what comes now is no news */
	if (link->ctx != NULL)
		stop(link);
	if (link->server != NULL)
		doca_ok(doca_comch_server_destroy(link->server), "destroy the comch server");
	if (link->client != NULL)
		doca_ok(doca_comch_client_destroy(link->client), "destroy the comch client");
	if (link->rep != NULL)
		doca_ok(doca_dev_rep_close(link->rep), "close the representor");
	link->ctx = NULL;
}
