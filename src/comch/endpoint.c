/* SPDX-License-Identifier: Apache-2.0 */
/* What a server and a client have in common: how they start, wait, and let go of connections. */
#include "comch/endpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/pe.h"

#define MAX_ENDED 128 /* connections that have ended, before the older ones are freed */

void endpoint_init(struct endpoint *endpoint, const struct card_function *function,
		   const char *name)
{
	endpoint->function = function;
	endpoint->policy = &endpoint->ctx.dev->info.card->policy;
	endpoint->pool.stride = sizeof(struct doca_comch_task_send);
	endpoint->pool.set_conf = endpoint->is_server ? "doca_comch_server_task_send_set_conf"
						      : "doca_comch_client_task_send_set_conf";
	memcpy(endpoint->name, name, strlen(name) + 1);
	endpoint->max_msg_bytes = COMCH_MAX_MSG_BYTES;
	endpoint->recv_queue = COMCH_MAX_RECV_QUEUE;
	endpoint->poll_fd = -1;
	endpoint->timer_fd = -1;
	endpoint->bell_fd = -1;
	endpoint->trim_at = MAX_ENDED;
	list_init(&endpoint->open);
	list_init(&endpoint->ready);
	list_init(&endpoint->ended);
}

static struct doca_comch_connection *connection_of(struct list *link)
{
	return CONTAINER_OF(link, struct doca_comch_connection, link);
}

static void free_ended(struct endpoint *endpoint)
{
	while (!list_is_empty(&endpoint->ended))
		connection_destroy(connection_of(endpoint->ended.next));
	endpoint->num_ended = 0;
	endpoint->trim_at = MAX_ENDED;
}

void endpoint_delete(struct endpoint *endpoint)
{
	doca__task_pool_fini(&endpoint->pool);
	free_ended(endpoint);
	doca__ctx_delete(&endpoint->ctx);
}

doca_error_t endpoint_start(struct endpoint *endpoint)
{
	const char *kind = endpoint_kind(endpoint);
	char function[CARD_FUNCTION_KEY_SIZE];
	doca_error_t result = doca__tasks_start(LOG_HERE, &endpoint->ctx, &endpoint->pool);
	int error;

	if (result != DOCA_SUCCESS)
		return result;
	if (endpoint->recv_cb == NULL) {
		LOG_ERROR("comch %s %p refuses start: nobody is told of messages; call "
			  "doca_comch_%s_event_msg_recv_register first",
			  kind, (void *)endpoint, kind);
		return DOCA_ERROR_INVALID_VALUE;
	}
	free_ended(endpoint);
	card_function_key(endpoint->function, function);
	address_of(endpoint->policy, function, endpoint->name, &endpoint->address);
	error = endpoint_open_waiting(endpoint);
	if (error != 0) {
		endpoint_close_waiting(endpoint);
		errno = -error;
		LOG_ERROR("comch %s %p cannot start: no means to wait for its peers: %m", kind,
			  (void *)endpoint);
		return DOCA_ERROR_INITIALIZATION;
	}
	return DOCA_SUCCESS;
}

void endpoint_idle(struct endpoint *endpoint)
{
	(void)doca__ctx_watch(&endpoint->ctx, -1);
	endpoint_close_waiting(endpoint);
}

bool endpoint_has_work(const struct doca_ctx *ctx)
{
	const struct endpoint *endpoint = (const struct endpoint *)ctx;

	return !list_is_empty(&endpoint->ready);
}

struct doca_comch_connection *endpoint_next_ready(struct endpoint *endpoint)
{
	if (list_is_empty(&endpoint->ready))
		return NULL;
	return CONTAINER_OF(endpoint->ready.next, struct doca_comch_connection, ready_link);
}

static struct doca_comch_task_send *task_at(const struct task_pool *pool, uint32_t index)
{
	return (struct doca_comch_task_send *)((char *)pool->tasks + index * pool->stride);
}

static bool leads_a_task_to(const struct endpoint *endpoint,
			    const struct doca_comch_connection *connection)
{
	for (uint32_t i = 0; i < endpoint->pool.num_tasks; i++) {
		const struct doca_comch_task_send *task = task_at(&endpoint->pool, i);

		if (task->base.phase != TASK_FREE && task->peer == connection)
			return true;
	}
	return false;
}

void endpoint_trim(struct endpoint *endpoint)
{
	struct list *link = endpoint->ended.next;
	size_t num_old = endpoint->num_ended / 2;

	if (endpoint->num_ended < endpoint->trim_at)
		return;
	for (size_t i = 0; i < num_old && link != &endpoint->ended; i++) {
		struct doca_comch_connection *connection = connection_of(link);

		link = link->next;
		if (leads_a_task_to(endpoint, connection))
			continue;
		connection_destroy(connection);
		endpoint->num_ended--;
	}
	endpoint->trim_at = endpoint->num_ended + MAX_ENDED;
}

void endpoint_retire(struct endpoint *endpoint, struct doca_comch_connection *connection)
{
	connection_close(connection);
	connection->has_ended = true;
	list_remove(&connection->link);
	list_add_tail(&endpoint->ended, &connection->link);
	endpoint->num_ended++;
}

void endpoint_deliver(struct endpoint *endpoint, struct doca_comch_connection *connection,
		      const struct comch_frame *frame)
{
	connection->counters[DOCA_COMCH_COUNTER_RECV_MESSAGES]++;
	connection->counters[DOCA_COMCH_COUNTER_RECV_BYTES] += frame->data_len_bytes;
	LOG_TRACE("comch %s %p: a message of %u bytes on connection %p", endpoint_kind(endpoint),
		  (void *)endpoint, frame->data_len_bytes, (void *)connection);
	{
		CALLBACK_SCOPE(endpoint->ctx.pe);
		/* The event has nothing to ask for: the endpoint stands in for it. */
		endpoint->recv_cb((struct doca_comch_event_msg_recv *)endpoint,
				  (uint8_t *)frame->data, frame->data_len_bytes, connection);
	}
	connection_send_receipt(connection);
}

bool endpoint_report_consumer(struct endpoint *endpoint, struct doca_comch_connection *connection,
			      const struct comch_frame *frame)
{
	doca_comch_event_consumer_cb_t callback =
		frame->type == COMCH_NEW_CONSUMER ? endpoint->new_cb : endpoint->expired_cb;

	LOG_DEBUG("comch %s %p: consumer %u of connection %p %s", endpoint_kind(endpoint),
		  (void *)endpoint, frame->consumer_id, (void *)connection,
		  frame->type == COMCH_NEW_CONSUMER ? "can be sent to" : "is no more");
	/* The others' turn comes first. */
	list_remove(&connection->ready_link);
	connection_make_ready(connection);
	if (callback == NULL)
		return false;
	CALLBACK_SCOPE(endpoint->ctx.pe);
	/* The event has nothing to ask for: the endpoint stands in for it. */
	callback((struct doca_comch_event_consumer *)endpoint, connection, frame->consumer_id);
	return true;
}
