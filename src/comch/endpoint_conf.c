/* SPDX-License-Identifier: Apache-2.0 */
/* How servers and clients are configured: the checks of their setters. */
#include "comch/endpoint.h"

#include <string.h>

#include "common/sdk_log.h"

static doca_error_t refuse_null(const char *call, const char *what)
{
	LOG_ERROR("%s refused: %s is NULL", call, what);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t endpoint_check_name(const char *call, const char *name)
{
	size_t len;

	if (name == NULL)
		return refuse_null(call, "name");
	len = strnlen(name, COMCH_NAME_BYTES);
	if (len > 0 && len < COMCH_NAME_BYTES)
		return DOCA_SUCCESS;
	LOG_ERROR("%s refused: the name is %s; want 1 to %d bytes before its end, which "
		  "doca_comch_cap_get_max_name_len counts",
		  call, len == 0 ? "empty" : "too long", COMCH_NAME_BYTES - 1);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t endpoint_check_setter(const char *call, const struct endpoint *endpoint)
{
	if (endpoint == NULL)
		return refuse_null(call, "the server or client");
	if (endpoint->ctx.state != DOCA_CTX_STATE_IDLE) {
		LOG_ERROR("comch %s %p refuses %s: it is not idle; call it before doca_ctx_start",
			  endpoint_kind(endpoint), (const void *)endpoint, call);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

doca_error_t endpoint_set_size(const char *call, struct endpoint *endpoint, uint32_t size,
			       uint32_t max, uint32_t *place)
{
	doca_error_t result = endpoint_check_setter(call, endpoint);

	if (result != DOCA_SUCCESS)
		return result;
	if (size == 0 || size > max) {
		LOG_ERROR("comch %s %p refuses %s of %u: want 1 to %u", endpoint_kind(endpoint),
			  (void *)endpoint, call, size, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*place = size;
	return DOCA_SUCCESS;
}

doca_error_t endpoint_set_send_conf(const char *call, struct endpoint *endpoint,
				    doca_comch_task_send_completion_cb_t completion_cb,
				    doca_comch_task_send_completion_cb_t error_cb,
				    uint32_t num_send_tasks)
{
	doca_error_t result;

	if (endpoint != NULL && (completion_cb == NULL || error_cb == NULL))
		return refuse_null(call,
				   completion_cb == NULL ? "task_completion_cb" : "task_error_cb");
	if (endpoint == NULL)
		return refuse_null(call, "the server or client");
	result = endpoint_set_size(call, endpoint, num_send_tasks, COMCH_MAX_SEND_TASKS,
				   &endpoint->num_send_tasks);
	if (result != DOCA_SUCCESS)
		return result;
	endpoint->completion_cb = completion_cb;
	endpoint->error_cb = error_cb;
	return DOCA_SUCCESS;
}

doca_error_t endpoint_set_recv(const char *call, struct endpoint *endpoint,
			       doca_comch_event_msg_recv_cb_t recv_cb)
{
	doca_error_t result;

	if (endpoint != NULL && recv_cb == NULL)
		return refuse_null(call, "recv_event_cb");
	result = endpoint_check_setter(call, endpoint);
	if (result == DOCA_SUCCESS)
		endpoint->recv_cb = recv_cb;
	return result;
}

doca_error_t endpoint_set_consumer(const char *call, struct endpoint *endpoint,
				   doca_comch_event_consumer_cb_t new_cb,
				   doca_comch_event_consumer_cb_t expired_cb)
{
	doca_error_t result;

	if (endpoint != NULL && (new_cb == NULL || expired_cb == NULL))
		return refuse_null(call, new_cb == NULL ? "new_consumer_event_cb"
							: "expired_consumer_event_cb");
	result = endpoint_check_setter(call, endpoint);
	if (result == DOCA_SUCCESS) {
		endpoint->new_cb = new_cb;
		endpoint->expired_cb = expired_cb;
	}
	return result;
}
