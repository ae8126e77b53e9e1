/* SPDX-License-Identifier: Apache-2.0 */
/* The producer of the fast path: there is none, and each call says so. */
#include <doca_comch_producer.h>

#include <stddef.h>

#include "common/dev.h"
#include "common/sdk_log.h"

static doca_error_t refuse(const char *call)
{
	LOG_ERROR("%s refused: producers of comch are not built yet; send messages with "
		  "doca_comch_server_task_send_alloc_init and its client's twin",
		  call);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t answer(const char *call, const struct doca_devinfo *devinfo)
{
	LOG_DEBUG("%s: device %s has no producers of comch", call, devinfo->function->pci_addr);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
					struct doca_comch_producer **producer)
{
	if (comch_connection == NULL)
		return REFUSE_NULL("comch_connection");
	if (producer == NULL)
		return REFUSE_NULL("producer");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	if (id == NULL)
		return REFUSE_NULL("id");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_num_tasks == NULL)
		return REFUSE_NULL("max_num_tasks");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_buf_size == NULL)
		return REFUSE_NULL("max_buf_size");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_buf_list_len == NULL)
		return REFUSE_NULL("max_buf_list_len");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo,
						       uint32_t *max_producers)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_producers == NULL)
		return REFUSE_NULL("max_producers");
	return answer(__func__, devinfo);
}

struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer)
{
	(void)refuse(__func__);
	return NULL;
}

doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
						      uint32_t dev_num_send)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
						       struct doca_dpa_completion *dpa_comp)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	if (dpa_comp == NULL)
		return REFUSE_NULL("dpa_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
						doca_dpa_dev_comch_producer_t *dpa_producer)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	if (dpa_producer == NULL)
		return REFUSE_NULL("dpa_producer");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	if (task_completion_cb == NULL)
		return REFUSE_NULL("task_completion_cb");
	if (task_error_cb == NULL)
		return REFUSE_NULL("task_error_cb");
	return refuse(__func__);
}

doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer,
						      const struct doca_buf *buf, uint8_t *imm_data,
						      uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	if (task == NULL)
		return REFUSE_NULL("task");
	return refuse(__func__);
}

const struct doca_buf *doca_comch_producer_task_send_get_buf(
	const struct doca_comch_producer_task_send *task)
{
	(void)refuse(__func__);
	return NULL;
}

void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
					   const struct doca_buf *buf)
{
	(void)refuse(__func__);
}

uint32_t doca_comch_producer_task_send_get_consumer_id(
	const struct doca_comch_producer_task_send *task)
{
	(void)refuse(__func__);
	return 0;
}

void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
						   const uint32_t consumer_id)
{
	(void)refuse(__func__);
}

uint8_t *doca_comch_producer_task_send_get_imm_data(
	const struct doca_comch_producer_task_send *task)
{
	(void)refuse(__func__);
	return NULL;
}

uint32_t doca_comch_producer_task_send_get_imm_data_len(
	const struct doca_comch_producer_task_send *task)
{
	(void)refuse(__func__);
	return 0;
}

void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
						uint8_t *imm_data, uint32_t imm_data_len)
{
	(void)refuse(__func__);
}

struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task)
{
	(void)refuse(__func__);
	return NULL;
}

doca_error_t doca_comch_producer_get_gpu_handle(struct doca_comch_producer *producer,
						struct doca_comch_gpu_producer **gpu_producer)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	if (gpu_producer == NULL)
		return REFUSE_NULL("gpu_producer");
	return refuse(__func__);
}
