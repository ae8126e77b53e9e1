/* SPDX-License-Identifier: Apache-2.0 */
/* What a device can do of comch. */
#include "comch/endpoint.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "comch/party.h"

#define ANY_END ((uint32_t)(CARD_COMCH_SERVER | CARD_COMCH_CLIENT))

/* doca_comch_<name>_is_supported: whether a device has one of those capabilities. */
#define DEFINE_SUPPORTED(name, capabilities)                                                       \
	doca_error_t doca_comch_##name##_is_supported(const struct doca_devinfo *devinfo)          \
	{                                                                                          \
		return doca__devinfo_can(LOG_HERE, devinfo, capabilities);                         \
	}

DEFINE_SUPPORTED(cap_server, CARD_COMCH_SERVER)
DEFINE_SUPPORTED(cap_client, CARD_COMCH_CLIENT)
DEFINE_SUPPORTED(producer_cap, ANY_END)
DEFINE_SUPPORTED(consumer_cap, ANY_END)

/* A limit of a device that has one of those capabilities. */
static doca_error_t get_limit(struct log_place place, const struct doca_devinfo *devinfo,
			      uint32_t *answer, uint32_t capabilities, uint32_t limit)
{
	doca_error_t result;

	if (answer == NULL)
		return doca__refuse_null(place, "the place for the answer");
	result = doca__devinfo_can(place, devinfo, capabilities);
	if (result == DOCA_SUCCESS)
		*answer = limit;
	return result;
}

/* doca_comch_<name>: the same. */
#define DEFINE_LIMIT(name, capabilities, limit)                                                    \
	doca_error_t doca_comch_##name(const struct doca_devinfo *devinfo, uint32_t *answer)       \
	{                                                                                          \
		return get_limit(LOG_HERE, devinfo, answer, capabilities, limit);                  \
	}

DEFINE_LIMIT(cap_get_max_name_len, ANY_END, COMCH_NAME_BYTES)
DEFINE_LIMIT(cap_get_max_msg_size, ANY_END, COMCH_MAX_MSG_BYTES)
DEFINE_LIMIT(cap_get_max_recv_queue_size, ANY_END, COMCH_MAX_RECV_QUEUE)
DEFINE_LIMIT(cap_get_max_clients, CARD_COMCH_SERVER, COMCH_MAX_CLIENTS)
DEFINE_LIMIT(cap_get_max_send_tasks, ANY_END, COMCH_MAX_SEND_TASKS)
DEFINE_LIMIT(producer_cap_get_max_num_tasks, ANY_END, PARTY_MAX_TASKS)
DEFINE_LIMIT(producer_cap_get_max_buf_size, ANY_END, RING_MAX_MSG_BYTES)
DEFINE_LIMIT(producer_cap_get_max_buf_list_len, ANY_END, PARTY_MAX_LIST_LEN)
DEFINE_LIMIT(producer_cap_get_max_producers, ANY_END, CHANNELS_MAX_CONSUMERS)
DEFINE_LIMIT(consumer_cap_get_max_num_tasks, ANY_END, PARTY_MAX_TASKS)
DEFINE_LIMIT(consumer_cap_get_max_buf_size, ANY_END, RING_MAX_MSG_BYTES)
DEFINE_LIMIT(consumer_cap_get_max_buf_list_len, ANY_END, PARTY_MAX_LIST_LEN)
DEFINE_LIMIT(consumer_cap_get_max_consumers, ANY_END, CHANNELS_MAX_CONSUMERS)
DEFINE_LIMIT(consumer_cap_get_max_imm_data_len, ANY_END, RING_MAX_IMM_BYTES)
