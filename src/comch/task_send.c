/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The send task. Its submit writes the message to the socket; whether it has arrived is looked at
 * when its callback runs.
 */
#include "comch/endpoint.h"

doca_error_t send_prepare(struct doca_task *base, bool is_strict)
{
	struct doca_comch_task_send *task = (struct doca_comch_task_send *)base;
	struct doca_comch_connection *peer = task->peer;
	doca_error_t result = connection_send_message(peer, task->msg, task->len_bytes);

	if (result == DOCA_ERROR_AGAIN) {
		LOG_DEBUG("task %p refuses submit for now: connection %p takes no more, %u of %u "
			  "messages may be sent; call doca_pe_progress, then submit again",
			  (void *)task, (void *)peer, peer->protocol.num_sendable,
			  peer->protocol.peer_queue);
		return result;
	}
	LOG_TRACE("comch %s %p: task %p submitted, %u bytes to connection %p",
		  endpoint_kind(peer->endpoint), (void *)peer->endpoint, (void *)task,
		  task->len_bytes, (void *)peer);
	base->op.status = result;
	return DOCA_SUCCESS;
}

void send_conclude(struct doca_task *base)
{
	const struct doca_comch_task_send *task = (const struct doca_comch_task_send *)base;
	const struct endpoint *endpoint = endpoint_of(base->ctx);

	if (base->op.status == DOCA_SUCCESS && !connection_delivers(task->peer))
		base->op.status = DOCA_ERROR_CONNECTION_RESET;
	if (base->op.status != DOCA_SUCCESS)
		LOG_ERROR("comch %s %p: send task %p fails with CONNECTION_RESET: connection %p "
			  "has ended before its %u bytes arrived",
			  endpoint_kind(endpoint), (const void *)endpoint, (const void *)task,
			  (void *)task->peer, task->len_bytes);
}

void send_complete(struct doca_task *base)
{
	send_conclude(base);
	((doca_comch_task_send_completion_cb_t)task_callback(base))(
		(struct doca_comch_task_send *)base, base->user_data, base->ctx->user_data);
}

static doca_error_t check_message(struct log_place place, const struct endpoint *endpoint,
				  const struct doca_comch_connection *peer, uint32_t len)
{
	if (peer->endpoint != endpoint) {
		LOG_ERROR_FROM(place,
			       "comch %s %p refuses a task: connection %p is not one of its own",
			       endpoint_kind(endpoint), (const void *)endpoint, (const void *)peer);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (len == 0 || len > peer->protocol.max_msg_bytes) {
		LOG_ERROR_FROM(place,
			       "comch %s %p refuses a message of %u bytes: want 1 to %u, the "
			       "smaller of both sides' maximum",
			       endpoint_kind(endpoint), (const void *)endpoint, len,
			       peer->protocol.max_msg_bytes);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t send_alloc_init(struct log_place place, struct endpoint *endpoint,
				    struct doca_comch_connection *peer, const void *msg,
				    uint32_t len, struct doca_comch_task_send **task)
{
	struct doca_task *taken;
	doca_error_t result;

	if (endpoint == NULL || peer == NULL || msg == NULL || task == NULL)
		return doca__refuse_null(place, endpoint == NULL ? "the server or client"
						: peer == NULL	 ? "peer"
						: msg == NULL	 ? "msg"
								 : "task");
	result = check_message(place, endpoint, peer, len);
	if (result == DOCA_SUCCESS)
		result = tasks_take(place, &endpoint->ctx, &endpoint->pool,
				    (union doca_data){.u64 = 0}, &taken);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct doca_comch_task_send *)taken;
	(*task)->peer = peer;
	(*task)->msg = msg;
	(*task)->len_bytes = len;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task)
{
	return send_alloc_init(LOG_HERE, (struct endpoint *)comch_server, peer, msg, len, task);
}

doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task)
{
	return send_alloc_init(LOG_HERE, (struct endpoint *)comch_client, peer, msg, len, task);
}

struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task)
{
	return task == NULL ? NULL : &task->base;
}
