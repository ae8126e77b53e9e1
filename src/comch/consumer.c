/* SPDX-License-Identifier: Apache-2.0 */
/* The consumer of the fast path: there is none, and each call says so. */
#include <doca_comch_consumer.h>

#include <stddef.h>

#include "common/dev.h"
#include "common/sdk_log.h"

static doca_error_t refuse(const char *call)
{
	LOG_ERROR("%s refused: consumers of comch are not built yet; send messages with "
		  "doca_comch_server_task_send_alloc_init and its client's twin",
		  call);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t answer(const char *call, const struct doca_devinfo *devinfo)
{
	LOG_DEBUG("%s: device %s has no consumers of comch", call, devinfo->function->pci_addr);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
					struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer)
{
	if (comch_connection == NULL)
		return REFUSE_NULL("comch_connection");
	if (buf_mmap == NULL)
		return REFUSE_NULL("buf_mmap");
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (id == NULL)
		return REFUSE_NULL("id");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_num_tasks == NULL)
		return REFUSE_NULL("max_num_tasks");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_buf_size == NULL)
		return REFUSE_NULL("max_buf_size");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_buf_list_len == NULL)
		return REFUSE_NULL("max_buf_list_len");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo,
						       uint32_t *max_consumers)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_consumers == NULL)
		return REFUSE_NULL("max_consumers");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_imm_data_len)
{
	if (devinfo == NULL)
		return REFUSE_NULL("devinfo");
	if (max_imm_data_len == NULL)
		return REFUSE_NULL("max_imm_data_len");
	return answer(__func__, devinfo);
}

doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
						  uint32_t *imm_data_len)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (imm_data_len == NULL)
		return REFUSE_NULL("imm_data_len");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
						  uint32_t imm_data_len)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	return refuse(__func__);
}

struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer)
{
	(void)refuse(__func__);
	return NULL;
}

doca_error_t doca_comch_consumer_completion_create(
	struct doca_comch_consumer_completion **consumer_comp)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_set_dpa_thread(
	struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	if (dpa_thread == NULL)
		return REFUSE_NULL("dpa_thread");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_destroy(
	struct doca_comch_consumer_completion *consumer_comp)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_start(
	struct doca_comch_consumer_completion *consumer_comp)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_stop(
	struct doca_comch_consumer_completion *consumer_comp)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	if (consumer_comp_handle == NULL)
		return REFUSE_NULL("consumer_comp_handle");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	if (max_num_consumers == NULL)
		return REFUSE_NULL("max_num_consumers");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_set_max_num_recv(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_get_max_num_recv(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	if (max_num_recv == NULL)
		return REFUSE_NULL("max_num_recv");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_set_imm_data_len(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_completion_get_imm_data_len(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len)
{
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	if (imm_data_len == NULL)
		return REFUSE_NULL("imm_data_len");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
						      uint32_t dev_num_recv)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_set_completion(
	struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
	uint32_t user_data)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (consumer_comp == NULL)
		return REFUSE_NULL("consumer_comp");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
						doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (dpa_consumer == NULL)
		return REFUSE_NULL("dpa_consumer");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (task_completion_cb == NULL)
		return REFUSE_NULL("task_completion_cb");
	if (task_error_cb == NULL)
		return REFUSE_NULL("task_error_cb");
	return refuse(__func__);
}

doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
	struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (task == NULL)
		return REFUSE_NULL("task");
	return refuse(__func__);
}

struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(
	const struct doca_comch_consumer_task_post_recv *task)
{
	(void)refuse(__func__);
	return NULL;
}

void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
						struct doca_buf *buf)
{
	(void)refuse(__func__);
}

uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task)
{
	(void)refuse(__func__);
	return 0;
}

const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task)
{
	(void)refuse(__func__);
	return NULL;
}

uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task)
{
	(void)refuse(__func__);
	return 0;
}

struct doca_task *doca_comch_consumer_task_post_recv_as_task(
	struct doca_comch_consumer_task_post_recv *task)
{
	(void)refuse(__func__);
	return NULL;
}

doca_error_t doca_comch_consumer_get_gpu_handle(struct doca_comch_consumer *consumer,
						struct doca_comch_gpu_consumer **gpu_consumer)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	if (gpu_consumer == NULL)
		return REFUSE_NULL("gpu_consumer");
	return refuse(__func__);
}
