/* SPDX-License-Identifier: Apache-2.0 */
/* The producer of the fast path: from create to destroy, from start to idle, and how it waits. */
#include "comch/producer.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>

#include "common/pe.h"

#define MAX_EVENTS 16

static struct doca_comch_producer *producer_of(struct doca_ctx *ctx)
{
	return (struct doca_comch_producer *)ctx;
}

static doca_error_t producer_start(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);

	producer->has_bells = false;
	return party_start(&producer->base);
}

void producer_forget_refusal(struct doca_comch_producer *producer,
			     const struct channels_remote *remote)
{
	for (unsigned i = 0; i < producer->num_refused; i++) {
		if (producer->refused[i].remote != remote)
			continue;
		remote_put(producer->refused[i].remote);
		producer->refused[i] = producer->refused[--producer->num_refused];
		return;
	}
}

void producer_note_refusal(struct doca_comch_producer *producer, struct channels_remote *remote)
{
	unsigned i = 0;

	/* Without those that are no more there are never too many. */
	while (i < producer->num_refused) {
		if (producer->refused[i].remote == remote) {
			producer->refused[i].was_waited_for = false;
			return;
		}
		if (remote_has_expired(producer->refused[i].remote))
			producer_forget_refusal(producer, producer->refused[i].remote);
		else
			i++;
	}
	assert(producer->num_refused < CHANNELS_MAX_CONSUMERS);
	remote_hold(remote);
	producer->refused[producer->num_refused++] = (struct producer_refusal){.remote = remote};
}

/* The AGAIN that it gave holds no more: it has room, has ended, or is of no use. */
static bool has_changed(const struct channels_remote *remote)
{
	return remote_has_expired(remote) || ring_has_changed(remote->ring);
}

/*
 * Whoever was woken for a consumer, and does not submit, is not woken for it again. Whoever has not
 * asked yet to be woken, and progresses first, still is.
 */
static void forget_changed(struct doca_comch_producer *producer)
{
	unsigned i = 0;

	while (i < producer->num_refused) {
		const struct producer_refusal *refusal = &producer->refused[i];

		if (refusal->was_waited_for && has_changed(refusal->remote))
			producer_forget_refusal(producer, refusal->remote);
		else
			i++;
	}
}

static void producer_idle(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);

	while (producer->num_refused > 0)
		producer_forget_refusal(producer, producer->refused[0].remote);
	if (producer->remote != NULL)
		remote_put(producer->remote);
	producer->remote = NULL;
	party_end(&producer->base);
}

static bool producer_progress(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_STOPPING || party_is_inherited(party_of(ctx)))
		return false;
	if (doca_unlikely(producer_of(ctx)->num_refused != 0))
		forget_changed(producer_of(ctx));
	party_look(party_of(ctx), -1);
	if (doca_likely(!channels_are_over(party_of(ctx)->channels)))
		return false;
	LOG_WARNING("comch producer %p stops: its connection has ended; destroy it, and create "
		    "another on "
		    "a new connection",
		    (void *)ctx);
	doca__ctx_fail(ctx);
	return true;
}

/* Old rings are forgotten: a new one wakes. */
static void drain_bells(const struct doca_comch_producer *producer)
{
	struct epoll_event events[MAX_EVENTS];

	if (producer->has_bells)
		(void)epoll_wait(producer->base.wait_fd, events, MAX_EVENTS, 0);
}

/* Whoever waits is woken when that consumer has room; true when it has, or cannot be waited for. */
static bool listen_to(struct doca_comch_producer *producer, struct producer_refusal *refusal)
{
	const struct channels_remote *remote = refusal->remote;
	int error =
		party_watch(&producer->base, ring_writer_room_fd(remote->ring), EPOLLIN | EPOLLET);

	refusal->was_waited_for = true;
	if (error != 0 && error != -EEXIST)
		return true;
	producer->has_bells = true;
	return ring_arm_room(remote->ring) || remote_has_expired(remote);
}

static bool producer_has_work(const struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of((struct doca_ctx *)ctx);

	if (ctx->state != DOCA_CTX_STATE_RUNNING || party_is_inherited(&producer->base))
		return false;
	if (channels_are_over(producer->base.channels))
		return true;
	/* The bell is paid for by those alone who wait for it. */
	if (!waker_is_armed(&ctx->pe->waker))
		return false;
	drain_bells(producer);
	for (unsigned i = 0; i < producer->num_refused; i++)
		if (listen_to(producer, &producer->refused[i]))
			return true;
	return false;
}

static const struct ctx_ops producer_ctx_ops = {
	.name = "comch producer",
	.start = producer_start,
	.prepare = producer_send_prepare,
	.is_done_when_prepared = true,
	.complete = producer_send_complete,
	.conclude = producer_send_conclude,
	.progress = producer_progress,
	.has_work = producer_has_work,
	.idle = producer_idle,
};

doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
					struct doca_comch_producer **producer)
{
	struct party *created;
	doca_error_t result;

	if (comch_connection == NULL || producer == NULL)
		return REFUSE_NULL(comch_connection == NULL ? "comch_connection" : "producer");
	result = party_create(comch_connection, &producer_ctx_ops, sizeof(**producer), &created);
	if (result != DOCA_SUCCESS)
		return result;
	created->pool.stride = sizeof(struct doca_comch_producer_task_send);
	created->pool.set_conf = "doca_comch_producer_task_send_set_conf";
	*producer = producer_of(&created->ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer)
{
	return producer == NULL ? REFUSE_NULL("producer")
				: party_destroy(LOG_HERE, &producer->base);
}

struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer)
{
	return producer == NULL ? NULL : &producer->base.ctx;
}

doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id)
{
	if (producer == NULL || id == NULL)
		return REFUSE_NULL(producer == NULL ? "producer" : "id");
	*id = producer->base.id;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
	if (producer == NULL)
		return REFUSE_NULL("producer");
	return doca__tasks_set_conf(LOG_HERE, &producer->base.ctx, &producer->base.pool,
				    (task_cb)task_completion_cb, (task_cb)task_error_cb,
				    num_send_tasks, PARTY_MAX_TASKS);
}
