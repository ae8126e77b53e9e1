/* SPDX-License-Identifier: Apache-2.0 */
/* The server as a program sees it: create, configure, disconnect. */
#include "comch/server.h"

static const struct ctx_ops server_ctx_ops = {
	.name = "comch server",
	.start = server_start,
	.prepare = send_prepare,
	.is_done_when_prepared = true,
	.complete = send_complete,
	.conclude = send_conclude,
	.progress = server_progress,
	.has_work = endpoint_has_work,
	.stop = server_stop,
	.is_over = server_is_over,
	.idle = server_idle,
};

static doca_error_t check_place(struct log_place place, const struct doca_dev *dev,
				const struct doca_dev_rep *repr)
{
	doca_error_t result =
		doca__dev_require(place, dev, CARD_COMCH_SERVER, "a comch server",
				  "doca_comch_cap_server_is_supported, a function of a DPU,");

	if (result != DOCA_SUCCESS || repr->info.dev == dev)
		return result;
	LOG_ERROR_FROM(place,
		       "device %s refuses a comch server: representor %s is one of device %s; open "
		       "one from doca_devinfo_rep_create_list of this device",
		       dev->info.function->name, repr->info.function->name,
		       repr->info.dev->info.function->name);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr,
				      const char *name, struct doca_comch_server **comch_server)
{
	struct doca_comch_server *created;
	doca_error_t result;

	if (dev == NULL || repr == NULL || comch_server == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : repr == NULL ? "repr" : "comch_server");
	result = endpoint_check_name(LOG_HERE, name);
	if (result == DOCA_SUCCESS)
		result = check_place(LOG_HERE, dev, repr);
	if (result != DOCA_SUCCESS)
		return result;
	created = doca__ctx_new(LOG_HERE, &server_ctx_ops, dev, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->base.is_server = true;
	endpoint_init(&created->base, repr->info.function, name);
	created->rep = repr;
	created->listen_fd = -1;
	list_init(&created->greeting);
	list_init(&created->refused);
	*comch_server = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server)
{
	doca_error_t result;

	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	result = doca__ctx_check_destroy(LOG_HERE, &comch_server->base.ctx);
	if (result != DOCA_SUCCESS)
		return result;
	endpoint_delete(&comch_server->base);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server,
						uint32_t size)
{
	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	return endpoint_set_size(LOG_HERE, &comch_server->base, size, COMCH_MAX_MSG_BYTES,
				 &comch_server->base.max_msg_bytes);
}

doca_error_t doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server,
						uint32_t *size)
{
	if (comch_server == NULL || size == NULL)
		return REFUSE_NULL(comch_server == NULL ? "comch_server" : "size");
	*size = comch_server->base.max_msg_bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server,
						   uint32_t size)
{
	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	return endpoint_set_size(LOG_HERE, &comch_server->base, size, COMCH_MAX_RECV_QUEUE,
				 &comch_server->base.recv_queue);
}

doca_error_t doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server,
						   uint32_t *size)
{
	if (comch_server == NULL || size == NULL)
		return REFUSE_NULL(comch_server == NULL ? "comch_server" : "size");
	*size = comch_server->base.recv_queue;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_get_device(const struct doca_comch_server *comch_server,
					  struct doca_dev **dev)
{
	if (comch_server == NULL || dev == NULL)
		return REFUSE_NULL(comch_server == NULL ? "comch_server" : "dev");
	*dev = comch_server->base.ctx.dev;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server,
					      struct doca_dev_rep **rep)
{
	if (comch_server == NULL || rep == NULL)
		return REFUSE_NULL(comch_server == NULL ? "comch_server" : "rep");
	*rep = comch_server->rep;
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server)
{
	return comch_server == NULL ? NULL : &comch_server->base.ctx;
}

doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
					  struct doca_comch_connection *connection)
{
	if (comch_server == NULL || connection == NULL)
		return REFUSE_NULL(comch_server == NULL ? "comch_server" : "connection");
	if (connection->endpoint != &comch_server->base || connection->has_ended) {
		LOG_ERROR("comch server %p refuses disconnect: connection %p %s",
			  (void *)comch_server, (void *)connection,
			  connection->endpoint != &comch_server->base ? "is not one of its own"
								      : "has ended already");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (channels_are_used(connection->channels)) {
		LOG_ERROR("comch server %p refuses disconnect: producers or consumers use "
			  "connection %p; stop them first, until they are idle",
			  (void *)comch_server, (void *)connection);
		return DOCA_ERROR_IN_USE;
	}
	LOG_DEBUG("comch server %p disconnects connection %p", (void *)comch_server,
		  (void *)connection);
	comch_server->num_open--;
	endpoint_retire(&comch_server->base, connection);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_task_send_set_conf(
	struct doca_comch_server *comch_server,
	doca_comch_task_send_completion_cb_t task_completion_cb,
	doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	return endpoint_set_send_conf(LOG_HERE, &comch_server->base, task_completion_cb,
				      task_error_cb, num_send_tasks);
}

doca_error_t doca_comch_server_event_msg_recv_register(struct doca_comch_server *comch_server,
						       doca_comch_event_msg_recv_cb_t recv_event_cb)
{
	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	return endpoint_set_recv(LOG_HERE, &comch_server->base, recv_event_cb);
}

doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
	doca_error_t result;

	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	if (connect_event_cb == NULL || disconnect_event_cb == NULL)
		return REFUSE_NULL(connect_event_cb == NULL ? "connect_event_cb"
							    : "disconnect_event_cb");
	result = doca__ctx_check_setter(LOG_HERE, &comch_server->base.ctx);
	if (result != DOCA_SUCCESS)
		return result;
	comch_server->connect_cb = connect_event_cb;
	comch_server->disconnect_cb = disconnect_event_cb;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_event_consumer_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_consumer_cb_t new_consumer_event_cb,
	doca_comch_event_consumer_cb_t expired_consumer_event_cb)
{
	if (comch_server == NULL)
		return REFUSE_NULL("comch_server");
	return endpoint_set_consumer(LOG_HERE, &comch_server->base, new_consumer_event_cb,
				     expired_consumer_event_cb);
}
