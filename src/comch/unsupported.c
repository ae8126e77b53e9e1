/* SPDX-License-Identifier: Apache-2.0 */
/* What of the fast path is for a DPA or a GPU, which a virtual card has not: each call says so. */
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "common/sdk_log.h"

#define REFUSE(null_argument) REFUSE_LACKING(null_argument, "DPA or GPU")

doca_error_t doca_comch_consumer_completion_create(
	struct doca_comch_consumer_completion **consumer_comp)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_set_dpa_thread(
	struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread)
{
	return REFUSE(NAME_IF_NULL(consumer_comp) ?: NAME_IF_NULL(dpa_thread));
}

doca_error_t doca_comch_consumer_completion_destroy(
	struct doca_comch_consumer_completion *consumer_comp)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_start(
	struct doca_comch_consumer_completion *consumer_comp)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_stop(
	struct doca_comch_consumer_completion *consumer_comp)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
	return REFUSE(NAME_IF_NULL(consumer_comp) ?: NAME_IF_NULL(consumer_comp_handle));
}

doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers)
{
	return REFUSE(NAME_IF_NULL(consumer_comp) ?: NAME_IF_NULL(max_num_consumers));
}

doca_error_t doca_comch_consumer_completion_set_max_num_recv(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_get_max_num_recv(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv)
{
	return REFUSE(NAME_IF_NULL(consumer_comp) ?: NAME_IF_NULL(max_num_recv));
}

doca_error_t doca_comch_consumer_completion_set_imm_data_len(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len)
{
	return REFUSE(NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_completion_get_imm_data_len(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len)
{
	return REFUSE(NAME_IF_NULL(consumer_comp) ?: NAME_IF_NULL(imm_data_len));
}

doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
						      uint32_t dev_num_recv)
{
	return REFUSE(NAME_IF_NULL(consumer));
}

doca_error_t doca_comch_consumer_set_completion(
	struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
	uint32_t user_data)
{
	return REFUSE(NAME_IF_NULL(consumer) ?: NAME_IF_NULL(consumer_comp));
}

doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
						doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
	return REFUSE(NAME_IF_NULL(consumer) ?: NAME_IF_NULL(dpa_consumer));
}

doca_error_t doca_comch_consumer_get_gpu_handle(struct doca_comch_consumer *consumer,
						struct doca_comch_gpu_consumer **gpu_consumer)
{
	return REFUSE(NAME_IF_NULL(consumer) ?: NAME_IF_NULL(gpu_consumer));
}

doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
						      uint32_t dev_num_send)
{
	return REFUSE(NAME_IF_NULL(producer));
}

doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
						       struct doca_dpa_completion *dpa_comp)
{
	return REFUSE(NAME_IF_NULL(producer) ?: NAME_IF_NULL(dpa_comp));
}

doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
						doca_dpa_dev_comch_producer_t *dpa_producer)
{
	return REFUSE(NAME_IF_NULL(producer) ?: NAME_IF_NULL(dpa_producer));
}

doca_error_t doca_comch_producer_get_gpu_handle(struct doca_comch_producer *producer,
						struct doca_comch_gpu_producer **gpu_producer)
{
	return REFUSE(NAME_IF_NULL(producer) ?: NAME_IF_NULL(gpu_producer));
}
