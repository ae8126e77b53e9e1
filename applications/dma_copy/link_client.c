/* SPDX-License-Identifier: Apache-2.0 */
/* The host's end of the connection: a client, which learns of its loss by the context's state. */
#include "link.h"

#include <stddef.h>

#include "common/report.h"

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
			  enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct link *link = user_data.ptr;

	(void)ctx;
	(void)prev_state;
	if (next_state == DOCA_CTX_STATE_RUNNING) {
		if (!doca_ok(doca_comch_client_get_connection(link->client, &link->connection),
			     "get the connection"))
			link->is_lost = true;
	} else if (next_state != DOCA_CTX_STATE_STARTING) {
		link->connection = NULL;
		link->is_lost = true;
	}
}

bool link_open_client(struct link *link, struct doca_dev *dev, struct doca_pe *pe, const char *name)
{
	*link = (struct link){.peer = "DPU half", .pe = pe};
	if (!doca_ok(doca_comch_client_create(dev, name, &link->client), "create a comch client"))
		return false;
	link->ctx = doca_comch_client_as_ctx(link->client);
	return doca_ok(doca_comch_client_set_max_msg_size(link->client, sizeof(struct message)),
		       "set the size of messages") &&
	       doca_ok(doca_comch_client_task_send_set_conf(link->client, link_sent, link_sent, 1),
		       "configure send tasks") &&
	       doca_ok(doca_comch_client_event_msg_recv_register(link->client, link_received),
		       "register for messages") &&
	       doca_ok(doca_ctx_set_state_changed_cb(link->ctx, state_changed),
		       "register for the context's states") &&
	       link_start(link);
}
