/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The send task. Its submit writes the message to the socket; whether it has arrived is looked at
 * when its callback runs.
 */
#include "comch/endpoint.h"

#include "common/sdk_log.h"

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
	const struct endpoint *endpoint = endpoint_of(base->ctx);
	doca_comch_task_send_completion_cb_t callback;

	send_conclude(base);
	callback = base->op.status == DOCA_SUCCESS ? endpoint->completion_cb : endpoint->error_cb;
	callback((struct doca_comch_task_send *)base, base->user_data, endpoint->ctx.user_data);
}

static doca_error_t check_message(const struct endpoint *endpoint,
				  const struct doca_comch_connection *peer, uint32_t len)
{
	if (endpoint->ctx.state != DOCA_CTX_STATE_RUNNING) {
		LOG_ERROR("comch %s %p refuses a task: it is not running; %s",
			  endpoint_kind(endpoint), (const void *)endpoint,
			  ctx_way_to_running(&endpoint->ctx));
		return DOCA_ERROR_BAD_STATE;
	}
	if (peer->endpoint != endpoint) {
		LOG_ERROR("comch %s %p refuses a task: connection %p is not one of its own",
			  endpoint_kind(endpoint), (const void *)endpoint, (const void *)peer);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (len == 0 || len > peer->protocol.max_msg_bytes) {
		LOG_ERROR("comch %s %p refuses a message of %u bytes: want 1 to %u, the smaller of "
			  "both sides' maximum",
			  endpoint_kind(endpoint), (const void *)endpoint, len,
			  peer->protocol.max_msg_bytes);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t send_alloc_init(struct endpoint *endpoint, struct doca_comch_connection *peer,
			     const void *msg, uint32_t len, struct doca_comch_task_send **task)
{
	struct doca_comch_task_send *taken;
	doca_error_t result = check_message(endpoint, peer, len);

	if (result != DOCA_SUCCESS)
		return result;
	taken = (struct doca_comch_task_send *)task_pool_take(&endpoint->pool);
	if (taken == NULL) {
		LOG_DEBUG("comch %s %p has no task left: all %u are out; call doca_task_free, or "
			  "configure more with doca_comch_%s_task_send_set_conf",
			  endpoint_kind(endpoint), (void *)endpoint, endpoint->num_send_tasks,
			  endpoint_kind(endpoint));
		return DOCA_ERROR_NO_MEMORY;
	}
	endpoint->ctx.num_allocated++;
	taken->base.user_data = (union doca_data){.u64 = 0};
	taken->peer = peer;
	taken->msg = msg;
	taken->len_bytes = len;
	*task = taken;
	return DOCA_SUCCESS;
}

/* What both kinds of alloc_init refuse first. */
static const char *find_null(const void *endpoint, const void *peer, const void *msg,
			     const void *task)
{
	return endpoint == NULL ? "the server or client"
	       : peer == NULL	? "peer"
	       : msg == NULL	? "msg"
	       : task == NULL	? "task"
				: NULL;
}

doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task)
{
	const char *missing = find_null(comch_server, peer, msg, task);

	if (missing != NULL)
		return REFUSE_NULL(missing);
	return send_alloc_init((struct endpoint *)comch_server, peer, msg, len, task);
}

doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task)
{
	const char *missing = find_null(comch_client, peer, msg, task);

	if (missing != NULL)
		return REFUSE_NULL(missing);
	return send_alloc_init((struct endpoint *)comch_client, peer, msg, len, task);
}

struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task)
{
	return task == NULL ? NULL : &task->base;
}
