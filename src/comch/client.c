/* SPDX-License-Identifier: Apache-2.0 */
/* The client as a program sees it: create, configure, its connection. */
#include "comch/client.h"

static const struct ctx_ops client_ctx_ops = {
	.name = "comch client",
	.start = client_start,
	.prepare = send_prepare,
	.is_done_when_prepared = true,
	.complete = send_complete,
	.conclude = send_conclude,
	.progress = client_progress,
	.has_work = endpoint_has_work,
	.stop = client_stop,
	.idle = client_idle,
};

doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
				      struct doca_comch_client **comch_client)
{
	const struct card_function *function;
	struct doca_comch_client *created;
	doca_error_t result;

	if (dev == NULL || comch_client == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : "comch_client");
	result = endpoint_check_name(LOG_HERE, name);
	if (result == DOCA_SUCCESS)
		result = doca__dev_require(LOG_HERE, dev, CARD_COMCH_CLIENT, "a comch client",
					   "doca_comch_cap_client_is_supported");
	if (result != DOCA_SUCCESS)
		return result;
	function = dev->info.function;
	created = doca__ctx_new(LOG_HERE, &client_ctx_ops, dev, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	endpoint_init(&created->base,
		      function->represents != NULL ? function->represents : function, name);
	*comch_client = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client)
{
	doca_error_t result;

	if (comch_client == NULL)
		return REFUSE_NULL("comch_client");
	result = doca__ctx_check_destroy(LOG_HERE, &comch_client->base.ctx);
	if (result != DOCA_SUCCESS)
		return result;
	if (comch_client->connection != NULL)
		connection_destroy(comch_client->connection);
	endpoint_delete(&comch_client->base);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client,
						uint32_t size)
{
	if (comch_client == NULL)
		return REFUSE_NULL("comch_client");
	return endpoint_set_size(LOG_HERE, &comch_client->base, size, COMCH_MAX_MSG_BYTES,
				 &comch_client->base.max_msg_bytes);
}

doca_error_t doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client,
						uint32_t *size)
{
	if (comch_client == NULL || size == NULL)
		return REFUSE_NULL(comch_client == NULL ? "comch_client" : "size");
	*size = comch_client->base.max_msg_bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client,
						   uint32_t size)
{
	if (comch_client == NULL)
		return REFUSE_NULL("comch_client");
	return endpoint_set_size(LOG_HERE, &comch_client->base, size, COMCH_MAX_RECV_QUEUE,
				 &comch_client->base.recv_queue);
}

doca_error_t doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client,
						   uint32_t *size)
{
	if (comch_client == NULL || size == NULL)
		return REFUSE_NULL(comch_client == NULL ? "comch_client" : "size");
	*size = comch_client->base.recv_queue;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_get_device(const struct doca_comch_client *comch_client,
					  struct doca_dev **dev)
{
	if (comch_client == NULL || dev == NULL)
		return REFUSE_NULL(comch_client == NULL ? "comch_client" : "dev");
	*dev = comch_client->base.ctx.dev;
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client)
{
	return comch_client == NULL ? NULL : &comch_client->base.ctx;
}

doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
					      struct doca_comch_connection **connection)
{
	if (comch_client == NULL || connection == NULL)
		return REFUSE_NULL(comch_client == NULL ? "comch_client" : "connection");
	if (comch_client->base.ctx.state != DOCA_CTX_STATE_RUNNING) {
		LOG_ERROR("comch client %p has no connection: it is not running; call "
			  "doca_ctx_start, then doca_pe_progress until it is",
			  (const void *)comch_client);
		return DOCA_ERROR_BAD_STATE;
	}
	*connection = comch_client->connection;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_task_send_set_conf(
	struct doca_comch_client *comch_client,
	doca_comch_task_send_completion_cb_t task_completion_cb,
	doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
	if (comch_client == NULL)
		return REFUSE_NULL("comch_client");
	return endpoint_set_send_conf(LOG_HERE, &comch_client->base, task_completion_cb,
				      task_error_cb, num_send_tasks);
}

doca_error_t doca_comch_client_event_msg_recv_register(struct doca_comch_client *comch_client,
						       doca_comch_event_msg_recv_cb_t recv_event_cb)
{
	if (comch_client == NULL)
		return REFUSE_NULL("comch_client");
	return endpoint_set_recv(LOG_HERE, &comch_client->base, recv_event_cb);
}

doca_error_t doca_comch_client_event_consumer_register(
	struct doca_comch_client *comch_client,
	doca_comch_event_consumer_cb_t new_consumer_event_cb,
	doca_comch_event_consumer_cb_t expired_consumer_event_cb)
{
	if (comch_client == NULL)
		return REFUSE_NULL("comch_client");
	return endpoint_set_consumer(LOG_HERE, &comch_client->base, new_consumer_event_cb,
				     expired_consumer_event_cb);
}
