/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of a connection: to whom it belongs, what it carries, what it counts. */
#include "comch/endpoint.h"

#include <string.h>

#include "common/sdk_log.h"

doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection,
						 union doca_data user_data)
{
	if (connection == NULL)
		return REFUSE_NULL("connection");
	connection->user_data = user_data;
	return DOCA_SUCCESS;
}

union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection)
{
	if (connection == NULL) {
		(void)REFUSE_NULL("connection");
		return (union doca_data){.u64 = 0};
	}
	return connection->user_data;
}

static struct endpoint *owner(const struct doca_comch_connection *connection, bool is_server)
{
	if (connection == NULL || connection->endpoint->is_server != is_server)
		return NULL;
	return connection->endpoint;
}

struct doca_comch_server *doca_comch_server_get_server_ctx(
	const struct doca_comch_connection *connection)
{
	return (struct doca_comch_server *)owner(connection, true);
}

struct doca_comch_client *doca_comch_client_get_client_ctx(
	const struct doca_comch_connection *connection)
{
	return (struct doca_comch_client *)owner(connection, false);
}

doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection)
{
	if (comch_connection == NULL)
		return REFUSE_NULL("comch_connection");
	if (comch_connection->protocol.state == PROTOCOL_OPEN) {
		memcpy(comch_connection->shown, comch_connection->counters,
		       sizeof(comch_connection->shown));
		return DOCA_SUCCESS;
	}
	LOG_DEBUG("connection %p has nothing new to count: %s", (void *)comch_connection,
		  comch_connection->protocol.state == PROTOCOL_OVER ? "it has ended"
								    : "it is not yet established");
	return comch_connection->protocol.state == PROTOCOL_OVER ? DOCA_ERROR_CONNECTION_ABORTED
								 : DOCA_ERROR_CONNECTION_INPROGRESS;
}

doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
					       enum doca_comch_counter counter_type,
					       uint64_t *counter_value)
{
	if (comch_connection == NULL || counter_value == NULL)
		return REFUSE_NULL(comch_connection == NULL ? "comch_connection" : "counter_value");
	switch (counter_type) {
	case DOCA_COMCH_COUNTER_SENT_MESSAGES:
	case DOCA_COMCH_COUNTER_SENT_BYTES:
	case DOCA_COMCH_COUNTER_RECV_MESSAGES:
	case DOCA_COMCH_COUNTER_RECV_BYTES:
		*counter_value = comch_connection->shown[counter_type];
		return DOCA_SUCCESS;
	}
	LOG_ERROR("connection %p has no counter %d: want one of enum doca_comch_counter",
		  (const void *)comch_connection, (int)counter_type);
	return DOCA_ERROR_INVALID_VALUE;
}
