/* SPDX-License-Identifier: Apache-2.0 */
/* The consumer of the fast path: from create to destroy, from start to idle. */
#include "comch/consumer.h"

#include <errno.h>
#include <sys/epoll.h>

#include "common/pe.h"

#define MAX_TAKEN 32 /* messages of one call of progress */
#define WARN_AFTER_NS UINT64_C(1000000000)

static struct doca_comch_consumer *consumer_of(struct doca_ctx *ctx)
{
	return (struct doca_comch_consumer *)ctx;
}

/* No message comes any more, and the peer hears of it. */
static void close_ring(struct doca_comch_consumer *consumer)
{
	if (consumer->call == NULL)
		return;
	if (!party_is_inherited(&consumer->base))
		ring_close(consumer->ring);
	channels_withdraw(consumer->base.channels, consumer->call);
	consumer->call = NULL;
}

static void consumer_idle(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);

	close_ring(consumer);
	ring_reader_destroy(consumer->ring);
	consumer->ring = NULL;
	party_end(&consumer->base);
}

/* The ring, which the peer is told of; negative errno. */
static int open_ring(struct doca_comch_consumer *consumer)
{
	const struct ring_conf conf = {
		.num_recvs = consumer->base.pool.num_tasks,
		.max_msg_bytes = RING_MAX_MSG_BYTES,
		.max_imm_bytes = consumer->max_imm_bytes,
	};
	int error = ring_reader_create(&conf, &consumer->ring);

	if (error == 0)
		error = party_watch(&consumer->base, ring_reader_bell_fd(consumer->ring), EPOLLIN);
	if (error != 0)
		return error;
	consumer->call = channels_announce(consumer->base.channels, consumer->base.id,
					   ring_reader_fds(consumer->ring), &consumer->base.ctx);
	return consumer->call == NULL ? -ENOMEM : 0;
}

static doca_error_t consumer_start(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	doca_error_t result = party_start(&consumer->base);
	int error;

	if (result != DOCA_SUCCESS)
		return result;
	consumer->starting_ns = 0;
	consumer->has_warned = false;
	error = open_ring(consumer);
	if (error == 0) {
		LOG_DEBUG("comch consumer %p starts: progress it, and the server and the client, "
			  "until it is running",
			  (void *)consumer);
		return DOCA_ERROR_IN_PROGRESS;
	}
	(void)doca__ctx_watch(ctx, -1);
	consumer_idle(ctx);
	errno = -error;
	LOG_ERROR("comch consumer %p cannot start: no memory or descriptors to share with the "
		  "peer: %m",
		  (void *)consumer);
	return DOCA_ERROR_INITIALIZATION;
}

/* What was sent is still delivered, other receives come back. */
static void consumer_stop(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	doca_error_t status = channels_are_over(consumer->base.channels)
				      ? DOCA_ERROR_CONNECTION_RESET
				      : DOCA_ERROR_IO_FAILED;
	struct engine_op *op;

	close_ring(consumer);
	/* In a forked child they are the parent's, and no message is lost that it takes. */
	while (!party_is_inherited(&consumer->base) && consumer->posted.first != NULL &&
	       post_recv_take(consumer) == RING_OK)
		;
	while ((op = fifo_pop(&consumer->posted)) != NULL)
		doca__ctx_done(task_of(op), status);
}

static const char *answer_text(uint32_t answer)
{
	return answer == COMCH_ACK_FULL ? "it has as many of our consumers as it takes; stop some"
					: "it cannot share memory with us; its log says why";
}

static uint32_t answer_of(const struct doca_comch_consumer *consumer)
{
	return atomic_load_explicit(&consumer->call->answer, memory_order_acquire);
}

/* While starting: the peer's answer; true when the state changed. */
static bool take_answer(struct doca_comch_consumer *consumer)
{
	uint32_t answer = answer_of(consumer);

	if (answer == 0)
		return false;
	if (answer == COMCH_ACK_TAKEN) {
		ring_reader_sent(consumer->ring);
		doca__ctx_started(&consumer->base.ctx);
		return true;
	}
	LOG_ERROR("comch consumer %p fails to start: the peer refuses it: %s", (void *)consumer,
		  answer_text(answer));
	doca__ctx_fail(&consumer->base.ctx);
	return true;
}

static bool fail(struct doca_comch_consumer *consumer, const char *reason)
{
	LOG_WARNING("comch consumer %p stops: %s", (void *)consumer, reason);
	doca__ctx_fail(&consumer->base.ctx);
	return true;
}

/* An answer takes progress of others, which is often forgotten. */
static void warn_of_silence(struct doca_comch_consumer *consumer)
{
	if (consumer->starting_ns == 0)
		consumer->starting_ns = consumer->base.looked_ns;
	if (consumer->has_warned ||
	    consumer->base.looked_ns - consumer->starting_ns < WARN_AFTER_NS)
		return;
	consumer->has_warned = true;
	LOG_WARNING("comch consumer %p is still starting: its peer has not answered; both sides "
		    "must progress the contexts of their control side, server and client",
		    (void *)consumer);
}

static bool consumer_progress(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	enum ring_verdict verdict = RING_OK;

	if (ctx->state == DOCA_CTX_STATE_STOPPING || party_is_inherited(&consumer->base))
		return false;
	/* First, for a peer that goes on sending; what is there by now is taken by the stop. */
	if (doca_unlikely(channels_are_over(consumer->base.channels)))
		return fail(consumer, "its connection has ended; destroy it, and create "
				      "another on a new connection");
	if (ctx->state == DOCA_CTX_STATE_STARTING && take_answer(consumer))
		return true;
	for (int i = 0; i < MAX_TAKEN && verdict == RING_OK; i++)
		verdict = post_recv_take(consumer);
	if (doca_unlikely(verdict == RING_BROKEN))
		return fail(consumer, "what its peer has written is against the rules");
	if (verdict == RING_AGAIN)
		party_look(&consumer->base, ring_reader_bell_fd(consumer->ring));
	if (doca_unlikely(ctx->state == DOCA_CTX_STATE_STARTING))
		warn_of_silence(consumer);
	return false;
}

static bool consumer_has_work(const struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of((struct doca_ctx *)ctx);

	if (ctx->state == DOCA_CTX_STATE_STOPPING || party_is_inherited(&consumer->base))
		return false;
	if (channels_are_over(consumer->base.channels) ||
	    (ctx->state == DOCA_CTX_STATE_STARTING && answer_of(consumer) != 0))
		return true;
	/* The bell is paid for by those alone who wait for it. */
	return waker_is_armed(&ctx->pe->waker) && ring_arm(consumer->ring);
}

static const struct ctx_ops consumer_ctx_ops = {
	.name = "comch consumer",
	.start = consumer_start,
	.prepare = post_recv_prepare,
	.keep = post_recv_keep,
	.complete = post_recv_complete,
	.progress = consumer_progress,
	.has_work = consumer_has_work,
	.stop = consumer_stop,
	.idle = consumer_idle,
};

/* Memory of this process that the peer's data may go to; it does not stop until let go. */
static doca_error_t hold_mmap(struct doca_mmap *mmap)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *why = NULL;

	lock_take(mmap_lock(mmap));
	if (!mmap->started) {
		result = DOCA_ERROR_BAD_STATE;
		why = "it is not started; call doca_mmap_start first";
	} else if (mmap->is_imported) {
		result = DOCA_ERROR_NOT_SUPPORTED;
		why = "it is another process's memory; receive here, and copy with doca_dma";
	} else if ((mmap->access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) == 0) {
		result = DOCA_ERROR_NOT_PERMITTED;
		why = "it lacks DOCA_ACCESS_FLAG_PCI_READ_WRITE; set it with "
		      "doca_mmap_set_permissions before doca_mmap_start";
	} else {
		mmap->num_consumers++;
	}
	lock_drop(mmap_lock(mmap));
	if (why != NULL)
		LOG_ERROR("mmap %p refuses a comch consumer: %s", (void *)mmap, why);
	return result;
}

static void let_go_of_mmap(struct doca_mmap *mmap)
{
	lock_take(mmap_lock(mmap));
	mmap->num_consumers--;
	lock_drop(mmap_lock(mmap));
}

doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
					struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer)
{
	struct party *created;
	doca_error_t result;

	if (comch_connection == NULL || buf_mmap == NULL || consumer == NULL)
		return REFUSE_NULL(comch_connection == NULL ? "comch_connection"
				   : buf_mmap == NULL	    ? "buf_mmap"
							    : "consumer");
	result = hold_mmap(buf_mmap);
	if (result != DOCA_SUCCESS)
		return result;
	result = party_create(comch_connection, &consumer_ctx_ops, sizeof(**consumer), &created);
	if (result != DOCA_SUCCESS) {
		let_go_of_mmap(buf_mmap);
		return result;
	}
	created->pool.stride = sizeof(struct doca_comch_consumer_task_post_recv);
	created->pool.set_conf = "doca_comch_consumer_task_post_recv_set_conf";
	*consumer = consumer_of(&created->ctx);
	(*consumer)->mmap = buf_mmap;
	(*consumer)->max_imm_bytes = RING_MAX_IMM_BYTES;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer)
{
	struct doca_mmap *mmap = consumer == NULL ? NULL : consumer->mmap;
	doca_error_t result = consumer == NULL ? REFUSE_NULL("consumer")
					       : party_destroy(LOG_HERE, &consumer->base);

	if (result == DOCA_SUCCESS)
		let_go_of_mmap(mmap);
	return result;
}

struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer)
{
	return consumer == NULL ? NULL : &consumer->base.ctx;
}

doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id)
{
	if (consumer == NULL || id == NULL)
		return REFUSE_NULL(consumer == NULL ? "consumer" : "id");
	*id = consumer->base.id;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
						  uint32_t *imm_data_len)
{
	if (consumer == NULL || imm_data_len == NULL)
		return REFUSE_NULL(consumer == NULL ? "consumer" : "imm_data_len");
	*imm_data_len = consumer->max_imm_bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
						  uint32_t imm_data_len)
{
	doca_error_t result;

	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	result = doca__ctx_check_setter(LOG_HERE, &consumer->base.ctx);
	if (result != DOCA_SUCCESS)
		return result;
	if (imm_data_len > RING_MAX_IMM_BYTES) {
		LOG_ERROR("comch consumer %p refuses immediate data of %u bytes: want at most %u",
			  (void *)consumer, imm_data_len, RING_MAX_IMM_BYTES);
		return DOCA_ERROR_INVALID_VALUE;
	}
	consumer->max_imm_bytes = imm_data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks)
{
	if (consumer == NULL)
		return REFUSE_NULL("consumer");
	return doca__tasks_set_conf(LOG_HERE, &consumer->base.ctx, &consumer->base.pool,
				    (task_cb)task_completion_cb, (task_cb)task_error_cb,
				    num_post_recv_tasks, PARTY_MAX_TASKS);
}
