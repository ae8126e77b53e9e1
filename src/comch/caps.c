/* SPDX-License-Identifier: Apache-2.0 */
/* What a device can do of comch. */
#include "comch/endpoint.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "comch/party.h"
#include "common/sdk_log.h"

/* Any of the capabilities, a mask. */
static doca_error_t check_capability(const struct doca_devinfo *devinfo, uint32_t capabilities,
				     const char *call)
{
	if ((devinfo->function->capabilities & capabilities) == 0) {
		LOG_DEBUG("%s: device %s has no such end of a comch", call,
			  devinfo->function->pci_addr);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

static doca_error_t get_limit(const struct doca_devinfo *devinfo, uint32_t *place,
			      uint32_t capabilities, uint32_t limit, const char *call)
{
	doca_error_t result;

	if (devinfo == NULL || place == NULL) {
		LOG_ERROR("%s refused: %s is NULL", call,
			  devinfo == NULL ? "devinfo" : "the place for the answer");
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = check_capability(devinfo, capabilities, call);
	if (result == DOCA_SUCCESS)
		*place = limit;
	return result;
}

#define ANY_END ((uint32_t)(CARD_COMCH_SERVER | CARD_COMCH_CLIENT))

doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return check_capability(devinfo, CARD_COMCH_SERVER, __func__);
}

doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return check_capability(devinfo, CARD_COMCH_CLIENT, __func__);
}

doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_name_len)
{
	return get_limit(devinfo, max_name_len, ANY_END, COMCH_NAME_BYTES, __func__);
}

doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size)
{
	return get_limit(devinfo, size, ANY_END, COMCH_MAX_MSG_BYTES, __func__);
}

doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
						    uint32_t *size)
{
	return get_limit(devinfo, size, ANY_END, COMCH_MAX_RECV_QUEUE, __func__);
}

doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
					    uint32_t *num_clients)
{
	return get_limit(devinfo, num_clients, CARD_COMCH_SERVER, COMCH_MAX_CLIENTS, __func__);
}

doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
					       uint32_t *max_send_tasks)
{
	return get_limit(devinfo, max_send_tasks, ANY_END, COMCH_MAX_SEND_TASKS, __func__);
}

doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return check_capability(devinfo, ANY_END, __func__);
}

doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return check_capability(devinfo, ANY_END, __func__);
}

doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks)
{
	return get_limit(devinfo, max_num_tasks, ANY_END, PARTY_MAX_TASKS, __func__);
}

doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size)
{
	return get_limit(devinfo, max_buf_size, ANY_END, RING_MAX_MSG_BYTES, __func__);
}

doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len)
{
	return get_limit(devinfo, max_buf_list_len, ANY_END, PARTY_MAX_LIST_LEN, __func__);
}

doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo,
						       uint32_t *max_producers)
{
	return get_limit(devinfo, max_producers, ANY_END, CHANNELS_MAX_CONSUMERS, __func__);
}

doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks)
{
	return get_limit(devinfo, max_num_tasks, ANY_END, PARTY_MAX_TASKS, __func__);
}

doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size)
{
	return get_limit(devinfo, max_buf_size, ANY_END, RING_MAX_MSG_BYTES, __func__);
}

doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len)
{
	return get_limit(devinfo, max_buf_list_len, ANY_END, PARTY_MAX_LIST_LEN, __func__);
}

doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo,
						       uint32_t *max_consumers)
{
	return get_limit(devinfo, max_consumers, ANY_END, CHANNELS_MAX_CONSUMERS, __func__);
}

doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_imm_data_len)
{
	return get_limit(devinfo, max_imm_data_len, ANY_END, RING_MAX_IMM_BYTES, __func__);
}
