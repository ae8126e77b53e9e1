/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A producer's task. Its submit writes the message where the consumer takes it from; the callback
 * comes in progress, whether the consumer has looked or not.
 */
#include "comch/producer.h"

typedef struct doca_comch_producer_task_send send_task;

static struct doca_comch_producer *producer_of(const struct doca_task *task)
{
	return (struct doca_comch_producer *)task->ctx;
}

/* The consumer that a task goes to, the producer's hold; NULL when the peer has none of that id. */
static struct channels_remote *find_remote(struct doca_comch_producer *producer, uint32_t id)
{
	struct channels_remote *remote = producer->remote;

	if (doca_likely(remote != NULL && remote->id == id && !remote_has_expired(remote)))
		return remote;
	remote = channels_find(producer->base.channels, id);
	if (remote == NULL)
		return NULL;
	if (producer->remote != NULL)
		remote_put(producer->remote);
	producer->remote = remote;
	return remote;
}

static doca_error_t refuse_unknown(const send_task *task)
{
	const struct doca_comch_producer *producer = producer_of(&task->base);

	LOG_ERROR("comch producer %p refuses task %p: the peer has no consumer %u, or no more; "
		  "send to what doca_comch_server_event_consumer_register and its client's twin "
		  "tell of",
		  (const void *)producer, (const void *)task, task->consumer_id);
	return DOCA_ERROR_INVALID_VALUE;
}

/* What a message may be at all. */
static doca_error_t check_message(const send_task *task, size_t len_bytes)
{
	const struct doca_comch_producer *producer = producer_of(&task->base);

	if (len_bytes > RING_MAX_MSG_BYTES) {
		LOG_ERROR("comch producer %p refuses task %p: %zu bytes are more than the %u of "
			  "doca_comch_producer_cap_get_max_buf_size",
			  (const void *)producer, (const void *)task, len_bytes,
			  RING_MAX_MSG_BYTES);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (len_bytes == 0 && task->imm_bytes == 0) {
		LOG_ERROR("comch producer %p refuses task %p: there is nothing to send, neither "
			  "in a buffer nor as immediate data",
			  (const void *)producer, (const void *)task);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* A task's end as the ring has it: AGAIN: not now. */
static doca_error_t status_of(enum ring_verdict verdict)
{
	switch (verdict) {
	case RING_OK:
		return DOCA_SUCCESS;
	case RING_AGAIN:
		return DOCA_ERROR_AGAIN;
	case RING_TOO_LONG:
		return DOCA_ERROR_INVALID_VALUE;
	case RING_CLOSED:
	case RING_BROKEN:
		break;
	}
	return DOCA_ERROR_CONNECTION_RESET;
}

/* The consumer has no room. An end of the peer that nobody has heard of is seen here. */
static doca_error_t find_no_room(struct doca_comch_producer *producer, const send_task *task,
				 struct channels_remote *remote)
{
	producer_note_refusal(producer, remote);
	party_look(&producer->base, -1);
	if (channels_are_over(producer->base.channels))
		return DOCA_ERROR_CONNECTION_RESET;
	LOG_DEBUG("task %p refuses submit for now: consumer %u has posted no buffer, or its "
		  "memory is full; submit again",
		  (const void *)task, task->consumer_id);
	return DOCA_ERROR_AGAIN;
}

/* How the task ends, or AGAIN. */
static doca_error_t hand_over(struct doca_comch_producer *producer, const send_task *task,
			      struct channels_remote *remote)
{
	const struct ring_msg msg = {
		.pieces = task->buf == NULL ? NULL : &task->buf->piece,
		.len_bytes = task->base.op.len_bytes,
		.imm = task->imm,
		.imm_bytes = task->imm_bytes,
		.producer_id = producer->base.id,
	};
	doca_error_t status = status_of(ring_send(remote->ring, &msg));

	if (doca_unlikely(status == DOCA_ERROR_AGAIN))
		return find_no_room(producer, task, remote);
	if (doca_unlikely(producer->num_refused != 0))
		producer_forget_refusal(producer, remote);
	return status;
}

static void report_too_long(const send_task *task, const char *verb)
{
	LOG_ERROR("comch producer %p: task %p to consumer %u %s INVALID_VALUE: its %zu bytes are "
		  "more than the posted buffer has room for, mostly as the other side posted it "
		  "again without doca_buf_reset_data_len, or its %u of immediate data more than "
		  "doca_comch_consumer_set_imm_data_len allows there",
		  (const void *)producer_of(&task->base), (const void *)task, task->consumer_id,
		  verb, task->base.op.len_bytes, task->imm_bytes);
}

doca_error_t producer_send_prepare(struct doca_task *base, bool is_strict)
{
	send_task *task = (send_task *)base;
	struct doca_comch_producer *producer = producer_of(base);
	struct channels_remote *remote;
	struct party_list list;
	doca_error_t status;

	if (doca_unlikely(party_is_inherited(&producer->base)))
		return party_refuse_inherited(&producer->base);
	status = party_measure(&producer->base, task->buf, NULL, &list);
	if (doca_likely(status == DOCA_SUCCESS))
		status = check_message(task, list.num_bytes);
	if (doca_unlikely(status != DOCA_SUCCESS))
		return status;
	base->op.len_bytes = list.num_bytes;
	status = DOCA_ERROR_CONNECTION_RESET;
	if (doca_likely(!channels_are_over(producer->base.channels))) {
		remote = find_remote(producer, task->consumer_id);
		if (doca_unlikely(remote == NULL))
			return refuse_unknown(task);
		status = hand_over(producer, task, remote);
	}
	if (status == DOCA_ERROR_AGAIN)
		return status;
	if (is_strict && status == DOCA_ERROR_INVALID_VALUE) {
		report_too_long(task, "is refused with");
		return status;
	}
	base->op.status = status;
	return DOCA_SUCCESS;
}

void producer_send_conclude(struct doca_task *base)
{
	const send_task *task = (const send_task *)base;
	const struct doca_comch_producer *producer = producer_of(base);

	if (base->op.status == DOCA_ERROR_INVALID_VALUE)
		report_too_long(task, "fails with");
	else if (base->op.status != DOCA_SUCCESS)
		LOG_ERROR("comch producer %p: task %p to consumer %u fails with %s: %s",
			  (const void *)producer, (const void *)task, task->consumer_id,
			  doca_error_get_name(base->op.status),
			  channels_are_over(producer->base.channels) ? "its connection has ended"
								     : "the consumer has ended");
}

void producer_send_complete(struct doca_task *base)
{
	producer_send_conclude(base);
	((doca_comch_producer_task_send_completion_cb_t)task_callback(base))(
		(send_task *)base, base->user_data, base->ctx->user_data);
}

static doca_error_t check_imm(const char *call, const void *imm_data, uint32_t imm_data_len)
{
	if (imm_data_len <= RING_MAX_IMM_BYTES && (imm_data != NULL || imm_data_len == 0))
		return DOCA_SUCCESS;
	LOG_ERROR("%s refused: immediate data of %u bytes at %p; want at most %u, "
		  "and a place for them",
		  call, imm_data_len, imm_data, RING_MAX_IMM_BYTES);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer,
						      const struct doca_buf *buf, uint8_t *imm_data,
						      uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task)
{
	struct doca_task *taken;
	doca_error_t result;

	if (producer == NULL || task == NULL)
		return REFUSE_NULL(producer == NULL ? "producer" : "task");
	result = check_imm(__func__, imm_data, imm_data_len);
	if (result == DOCA_SUCCESS && party_is_inherited(&producer->base))
		result = party_refuse_inherited(&producer->base);
	if (result == DOCA_SUCCESS)
		result = tasks_take(LOG_HERE, &producer->base.ctx, &producer->base.pool,
				    (union doca_data){.u64 = 0}, &taken);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (send_task *)taken;
	(*task)->buf = buf;
	(*task)->imm = imm_data;
	(*task)->imm_bytes = imm_data_len;
	(*task)->consumer_id = consumer_id;
	return DOCA_SUCCESS;
}

const struct doca_buf *doca_comch_producer_task_send_get_buf(
	const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? NULL : task->buf;
}

void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
					   const struct doca_buf *buf)
{
	if (task_may_set(LOG_HERE, (struct doca_task *)task))
		task->buf = buf;
}

uint32_t doca_comch_producer_task_send_get_consumer_id(
	const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? 0 : task->consumer_id;
}

void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
						   const uint32_t consumer_id)
{
	if (task_may_set(LOG_HERE, (struct doca_task *)task))
		task->consumer_id = consumer_id;
}

uint8_t *doca_comch_producer_task_send_get_imm_data(
	const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? NULL : task->imm;
}

uint32_t doca_comch_producer_task_send_get_imm_data_len(
	const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? 0 : task->imm_bytes;
}

void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
						uint8_t *imm_data, uint32_t imm_data_len)
{
	if (task_may_set(LOG_HERE, (struct doca_task *)task) &&
	    check_imm(__func__, imm_data, imm_data_len) == DOCA_SUCCESS) {
		task->imm = imm_data;
		task->imm_bytes = imm_data_len;
	}
}

struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task)
{
	return task == NULL ? NULL : &task->base;
}
