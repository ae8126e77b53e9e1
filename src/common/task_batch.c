/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of tasks. No library here has a type of them, so that whatever comes is no batch: it is
 * told, and never looked at.
 */
#include <doca_pe.h>

#include "common/sdk_log.h"

#define REFUSE(batch) refuse(LOG_HERE, batch)

static doca_error_t refuse(struct log_place place, const struct doca_task_batch *batch)
{
	if (batch == NULL)
		return doca__refuse_null(place, "task_batch");
	LOG_ERROR_FROM(
		place,
		"%s refuses %p: it is no batch, as no library here makes any; submit tasks one by "
		"one with doca_task_submit",
		place.func, (const void *)batch);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch)
{
	return REFUSE(task_batch);
}

doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch)
{
	return REFUSE(task_batch);
}

void doca_task_batch_free(struct doca_task_batch *task_batch)
{
	(void)REFUSE(task_batch);
}

doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch)
{
	return REFUSE(task_batch);
}

void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data)
{
	(void)REFUSE(task_batch);
}

union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch)
{
	(void)REFUSE(task_batch);
	return (union doca_data){.u64 = 0};
}

struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch)
{
	(void)REFUSE(task_batch);
	return NULL;
}

union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch)
{
	(void)REFUSE(task_batch);
	return (union doca_data){.u64 = 0};
}

uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch)
{
	(void)REFUSE(task_batch);
	return 0;
}
