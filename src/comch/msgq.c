/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues of a DPA, which a virtual card has not. */
#include <doca_comch_msgq.h>

#include "common/sdk_log.h"

#define REFUSE(null_argument) REFUSE_LACKING(null_argument, "DPA")

doca_error_t doca_comch_msgq_create(struct doca_dev *dev, struct doca_comch_msgq **msgq)
{
	return REFUSE(NAME_IF_NULL(dev) ?: NAME_IF_NULL(msgq));
}

doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq)
{
	return REFUSE(NAME_IF_NULL(msgq));
}

doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa)
{
	return REFUSE(NAME_IF_NULL(msgq) ?: NAME_IF_NULL(dpa));
}

doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_consumers)
{
	return REFUSE(NAME_IF_NULL(msgq));
}

doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa)
{
	return REFUSE(NAME_IF_NULL(msgq) ?: NAME_IF_NULL(dpa));
}

doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_producers)
{
	return REFUSE(NAME_IF_NULL(msgq));
}

doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq)
{
	return REFUSE(NAME_IF_NULL(msgq));
}

doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq)
{
	return REFUSE(NAME_IF_NULL(msgq));
}

doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_consumer **consumer)
{
	return REFUSE(NAME_IF_NULL(msgq) ?: NAME_IF_NULL(consumer));
}

doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_producer **producer)
{
	return REFUSE(NAME_IF_NULL(msgq) ?: NAME_IF_NULL(producer));
}
