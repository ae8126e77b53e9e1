/* SPDX-License-Identifier: Apache-2.0 */
/* How servers and clients are configured: the checks of their setters. */
#include "comch/endpoint.h"

#include <string.h>

doca_error_t endpoint_check_name(struct log_place place, const char *name)
{
	size_t len;

	if (name == NULL)
		return doca__refuse_null(place, "name");
	len = strnlen(name, COMCH_NAME_BYTES);
	if (len > 0 && len < COMCH_NAME_BYTES)
		return DOCA_SUCCESS;
	LOG_ERROR_FROM(place,
		       "%s refused: the name is %s; want 1 to %d bytes before its end, which "
		       "doca_comch_cap_get_max_name_len counts",
		       place.func, len == 0 ? "empty" : "too long", COMCH_NAME_BYTES - 1);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t endpoint_set_size(struct log_place place, struct endpoint *endpoint, uint32_t size,
			       uint32_t max, uint32_t *field)
{
	doca_error_t result = doca__ctx_check_setter(place, &endpoint->ctx);

	if (result != DOCA_SUCCESS)
		return result;
	if (size == 0 || size > max) {
		LOG_ERROR_FROM(place, "comch %s %p refuses %s of %u: want 1 to %u",
			       endpoint_kind(endpoint), (void *)endpoint, place.func, size, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*field = size;
	return DOCA_SUCCESS;
}

doca_error_t endpoint_set_send_conf(struct log_place place, struct endpoint *endpoint,
				    doca_comch_task_send_completion_cb_t completion_cb,
				    doca_comch_task_send_completion_cb_t error_cb,
				    uint32_t num_send_tasks)
{
	return doca__tasks_set_conf(place, &endpoint->ctx, &endpoint->pool, (task_cb)completion_cb,
				    (task_cb)error_cb, num_send_tasks, COMCH_MAX_SEND_TASKS);
}

doca_error_t endpoint_set_recv(struct log_place place, struct endpoint *endpoint,
			       doca_comch_event_msg_recv_cb_t recv_cb)
{
	doca_error_t result;

	if (recv_cb == NULL)
		return doca__refuse_null(place, "recv_event_cb");
	result = doca__ctx_check_setter(place, &endpoint->ctx);
	if (result == DOCA_SUCCESS)
		endpoint->recv_cb = recv_cb;
	return result;
}

doca_error_t endpoint_set_consumer(struct log_place place, struct endpoint *endpoint,
				   doca_comch_event_consumer_cb_t new_cb,
				   doca_comch_event_consumer_cb_t expired_cb)
{
	doca_error_t result;

	if (new_cb == NULL || expired_cb == NULL)
		return doca__refuse_null(place, new_cb == NULL ? "new_consumer_event_cb"
							       : "expired_consumer_event_cb");
	result = doca__ctx_check_setter(place, &endpoint->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	endpoint->new_cb = new_cb;
	endpoint->expired_cb = expired_cb;
	return DOCA_SUCCESS;
}
