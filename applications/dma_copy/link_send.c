/* SPDX-License-Identifier: Apache-2.0 */
/* Sending through the connection: one message at a time, until it has arrived. */
#include "link.h"

#include "common/interrupt.h"
#include "common/report.h"

/* For a success and for a failure alike. */
void link_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
	       union doca_data ctx_user_data)
{
	struct link *link = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_task_send_as_task(task);

	(void)task_user_data;
	link->send_status = doca_task_get_status(base);
	link->is_sending = false;
	doca_task_free(base);
}

static doca_error_t task_create(struct link *link, const struct message *message,
				struct doca_comch_task_send **task)
{
	uint32_t len = (uint32_t)MESSAGE_HEAD_LEN + message->extra_len;

	if (link->server != NULL)
		return doca_comch_server_task_send_alloc_init(link->server, link->connection,
							      message, len, task);
	return doca_comch_client_task_send_alloc_init(link->client, link->connection, message, len,
						      task);
}

/* The message is the task's until the callback has run: it is waited for. */
static doca_error_t send_and_wait(struct link *link, const struct message *message)
{
	struct doca_comch_task_send *task;
	doca_error_t result = task_create(link, message, &task);

	if (result != DOCA_SUCCESS)
		return result;
	link->is_sending = true;
	do {
		result = doca_task_submit(doca_comch_task_send_as_task(task));
		/* The other half has not yet seen what was sent before. */
		if (result == DOCA_ERROR_AGAIN)
			link_step(link);
	} while (result == DOCA_ERROR_AGAIN && !link->is_lost && !interrupt_waits());

	if (result != DOCA_SUCCESS) {
		doca_task_free(doca_comch_task_send_as_task(task));
		link->is_sending = false;
		return result;
	}
	while (link->is_sending)
		link_step(link);
	return link->send_status;
}

/* What the other half said before it ended may still be on its way. */
static void progress_all(struct link *link)
{
	while (doca_pe_progress(link->pe) != 0)
		;
}

bool link_send(struct link *link, struct message *message)
{
	doca_error_t result;

	if (!link_check(link))
		return false;
	message->magic = MESSAGE_MAGIC;
	result = send_and_wait(link, message);
	if (result == DOCA_SUCCESS)
		return true;
	if (result != DOCA_ERROR_CONNECTION_RESET && result != DOCA_ERROR_AGAIN)
		doca_ok(result, "send a message");
	progress_all(link);
	link->is_lost = true;
	return link_check(link);
}

void link_fail(struct link *link)
{
	struct message message = {.magic = MESSAGE_MAGIC, .type = MESSAGE_FAILED};

	/* Perhaps this one fails because the other one did. */
	progress_all(link);
	link_say_loss(link);
	/* Whether it hears this does not matter any more. */
	if (link->connection != NULL && !link->is_lost)
		(void)send_and_wait(link, &message);
}
