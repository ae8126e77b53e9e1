/* SPDX-License-Identifier: Apache-2.0 */
/* A consumer's task: a buffer that waits for a message, and what came with it. */
#include "comch/consumer.h"

#include <assert.h>
#include <string.h>

typedef struct doca_comch_consumer_task_post_recv recv_task;

static struct doca_comch_consumer *consumer_of(const struct doca_task *task)
{
	return (struct doca_comch_consumer *)task->ctx;
}

/* What the consumer refuses of a buffer, when it is given and when it is posted. */
static doca_error_t check_buf(const struct doca_comch_consumer *consumer,
			      const struct doca_buf *buf, uint32_t *capacity_bytes)
{
	struct party_list list;
	doca_error_t result = party_measure(&consumer->base, buf, consumer->mmap, &list);

	if (doca_unlikely(result != DOCA_SUCCESS))
		return result;
	if (doca_unlikely(list.room_bytes > RING_MAX_MSG_BYTES)) {
		LOG_ERROR("comch consumer %p refuses a receive: its buffers have room for %zu "
			  "bytes, more than the %u of "
			  "doca_comch_consumer_cap_get_max_buf_size",
			  (const void *)consumer, list.room_bytes, RING_MAX_MSG_BYTES);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*capacity_bytes = (uint32_t)list.room_bytes;
	return DOCA_SUCCESS;
}

doca_error_t post_recv_prepare(struct doca_task *base, bool is_strict)
{
	recv_task *task = (recv_task *)base;
	doca_error_t result;

	if (doca_unlikely(party_is_inherited(&consumer_of(base)->base)))
		return party_refuse_inherited(&consumer_of(base)->base);
	result = check_buf(consumer_of(base), task->buf, &task->capacity_bytes);
	if (doca_unlikely(result == DOCA_SUCCESS && task->buf != NULL && task->capacity_bytes == 0))
		LOG_WARNING("comch consumer %p: task %p has a buffer without room, for immediate "
			    "data alone; call doca_buf_reset_data_len before it is posted again",
			    (void *)consumer_of(base), (void *)task);
	return result;
}

void post_recv_keep(struct doca_task *base)
{
	struct doca_comch_consumer *consumer = consumer_of(base);
	recv_task *task = (recv_task *)base;

	task->producer_id = 0;
	task->imm_bytes = 0;
	fifo_push(&consumer->posted, &base->op);
	ring_post(consumer->ring, task->capacity_bytes);
}

enum ring_verdict post_recv_take(struct doca_comch_consumer *consumer)
{
	doca_error_t status = DOCA_SUCCESS;
	struct ring_view view;
	enum ring_verdict verdict = ring_take(consumer->ring, &view);
	recv_task *task;

	if (verdict != RING_OK)
		return verdict;
	/* The ring gives no more messages than were posted. */
	assert(consumer->posted.first != NULL);
	task = (recv_task *)fifo_pop(&consumer->posted);
	if (view.len_bytes != 0 && !ring_copy_out(&view, &task->buf->piece)) {
		LOG_ERROR("comch consumer %p loses a message of %u bytes: the buffers of task %p "
			  "were changed after its submit",
			  (void *)consumer, view.len_bytes, (void *)task);
		status = DOCA_ERROR_IO_FAILED;
	}
	task->producer_id = view.producer_id;
	task->imm_bytes = view.imm_bytes;
	memcpy(task->imm, view.imm, view.imm_bytes);
	ring_release(consumer->ring);
	doca__ctx_done(&task->base, status);
	return RING_OK;
}

void post_recv_complete(struct doca_task *base)
{
	((doca_comch_consumer_task_post_recv_completion_cb_t)task_callback(base))(
		(recv_task *)base, base->user_data, base->ctx->user_data);
}

doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
	struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task)
{
	uint32_t capacity_bytes;
	struct doca_task *taken;
	doca_error_t result;

	if (consumer == NULL || task == NULL)
		return REFUSE_NULL(consumer == NULL ? "consumer" : "task");
	result = check_buf(consumer, buf, &capacity_bytes);
	if (result == DOCA_SUCCESS && party_is_inherited(&consumer->base))
		result = party_refuse_inherited(&consumer->base);
	if (result == DOCA_SUCCESS)
		result = tasks_take(LOG_HERE, &consumer->base.ctx, &consumer->base.pool,
				    (union doca_data){.u64 = 0}, &taken);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (recv_task *)taken;
	(*task)->buf = buf;
	(*task)->producer_id = 0;
	(*task)->imm_bytes = 0;
	return DOCA_SUCCESS;
}

struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? NULL : task->buf;
}

void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
						struct doca_buf *buf)
{
	if (task_may_set(LOG_HERE, (struct doca_task *)task))
		task->buf = buf;
}

uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? 0 : task->producer_id;
}

const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL || task->imm_bytes == 0 ? NULL : task->imm;
}

uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? 0 : task->imm_bytes;
}

struct doca_task *doca_comch_consumer_task_post_recv_as_task(
	struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? NULL : &task->base;
}
