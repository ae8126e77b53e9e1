/* SPDX-License-Identifier: Apache-2.0 */
/* Receiving from the connection: what has come waits in the inbox. */
#include "link.h"

#include <string.h>

#include "common/report.h"

/* The bytes are gone after this callback, so that they are kept. */
void link_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
		   struct doca_comch_connection *connection)
{
	struct link *link = link_of(connection);
	struct message *message = &link->inbox[(link->first + link->num_received) % LINK_INBOX];

	(void)event;
	if (connection != link->connection && link->connection != NULL)
		return;
	if (link->num_received == LINK_INBOX || len < MESSAGE_HEAD_LEN || len > sizeof(*message)) {
		complain("the %s sends what it should not: a message of %u bytes", link->peer, len);
		link->is_loss_said = link->is_lost = true;
		return;
	}
	memcpy(message, bytes, len);
	if (message->magic != MESSAGE_MAGIC || message->extra_len != len - MESSAGE_HEAD_LEN) {
		complain("the %s speaks another protocol", link->peer);
		link->is_loss_said = link->is_lost = true;
		return;
	}
	link->num_received++;
}

bool link_has_message(struct link *link)
{
	if (link->num_received == 0)
		(void)doca_pe_progress(link->pe);
	return link->num_received > 0;
}

bool link_receive(struct link *link, struct message *message)
{
	/* What came before the other half ended still counts. */
	while (link->num_received == 0) {
		if (!link_check(link))
			return false;
		link_step(link);
	}
	*message = link->inbox[link->first];
	link->first = (link->first + 1) % LINK_INBOX;
	link->num_received--;
	if (message->type != MESSAGE_FAILED)
		return true;
	link->is_lost = link->is_loss_said = true;
	complain("the %s has failed: see what it says", link->peer);
	return false;
}

bool link_receive_one(struct link *link, enum message_type wanted, struct message *message)
{
	if (!link_receive(link, message))
		return false;
	if (message->type == wanted)
		return true;
	complain("the %s sent message %u where %u is due", link->peer, message->type, wanted);
	return false;
}
