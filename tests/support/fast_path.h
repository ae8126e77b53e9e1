/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the stress tests share: one end of a connection with a consumer and a producer, which sends
 * and receives numbered messages whose every byte is known to both sides. Public functions alone.
 */
#ifndef TESTS_SUPPORT_FAST_PATH_H_
#define TESTS_SUPPORT_FAST_PATH_H_

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_mmap.h>

#include "support/comch_fixture.h"

#define PATH_DEPTH 32
#define PATH_MAX_MSG_BYTES ((size_t)64 << 10)
#define PATH_BLOCK_BYTES ((size_t)1 << 20) /* of random bytes, of which each message is a part */

struct path {
	struct comch_end end; /* first: the control side leads to its path; one engine runs all */
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *consumer_ctx;
	struct doca_ctx *producer_ctx;
	uint32_t remote_consumer; /* 0: there is none now */
	uint64_t seed;		  /* of what is sent and received */

	uint8_t *block; /* random, the same in both processes */
	uint8_t *slots; /* received into */
	struct doca_mmap *block_map;
	struct doca_mmap *slot_map;
	struct doca_buf_inventory *inventory;

	struct doca_comch_producer_task_send *refused; /* to be submitted again */
	uint32_t numbers[PATH_DEPTH];		       /* of what is under way: immediate data */
	uint64_t num_to_send;
	uint64_t num_submitted;
	uint64_t num_sent;
	uint64_t num_send_failures;
	uint64_t num_posted;
	uint64_t num_received;
	uint64_t num_flushed;
	bool is_wrong; /* a message was not what it had to be */
};

/* splitmix64: every number leads to another that looks like none of its neighbours. */
static inline uint64_t path_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* Of message n: 1 to 64 KiB, as likely between any two powers of two. */
static inline size_t path_length(uint64_t seed, uint64_t n)
{
	uint64_t random = path_mix(seed ^ n);
	unsigned power = (unsigned)(random % 17);
	size_t half = power == 0 ? 0 : (size_t)1 << (power - 1);

	return power == 0 ? 1 : half + 1 + (size_t)(random >> 8) % half;
}

static inline const uint8_t *path_bytes(const struct path *path, uint64_t n)
{
	return path->block + path_mix(~(path->seed ^ n)) % PATH_BLOCK_BYTES;
}

static inline struct doca_mmap *path_map(struct path *path, void *addr, size_t len_bytes)
{
	struct doca_mmap *map = NULL;

	assert_doca(doca_mmap_create(&map), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(map, path->end.dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(map, addr, len_bytes), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(map), DOCA_SUCCESS);
	return map;
}

static inline void path_on_sent(struct doca_comch_producer_task_send *task,
				union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct path *path = (struct path *)ctx_user_data.ptr;

	(void)task_user_data;
	if (doca_task_get_status(doca_comch_producer_task_send_as_task(task)) == DOCA_SUCCESS)
		path->num_sent++;
	else
		path->num_send_failures++;
	(void)doca_buf_dec_refcount((struct doca_buf *)doca_comch_producer_task_send_get_buf(task),
				    NULL);
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static inline void path_drop_receive(struct doca_comch_consumer_task_post_recv *task)
{
	(void)doca_buf_dec_refcount(doca_comch_consumer_task_post_recv_get_buf(task), NULL);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

/* The number is the immediate data; the bytes are the ones of that number. */
static inline bool path_is_right(const struct path *path,
				 struct doca_comch_consumer_task_post_recv *task)
{
	uint32_t n = 0;
	void *data = NULL;
	size_t len_bytes = 0;

	if (doca_comch_consumer_task_post_recv_get_imm_data_len(task) != sizeof(n))
		return false;
	memcpy(&n, doca_comch_consumer_task_post_recv_get_imm_data(task), sizeof(n));
	(void)doca_buf_get_data(doca_comch_consumer_task_post_recv_get_buf(task), &data);
	(void)doca_buf_get_data_len(doca_comch_consumer_task_post_recv_get_buf(task), &len_bytes);
	return n == (uint32_t)path->num_received && len_bytes == path_length(path->seed, n) &&
	       memcmp(data, path_bytes(path, n), len_bytes) == 0;
}

static inline void path_on_received(struct doca_comch_consumer_task_post_recv *task,
				    union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct path *path = (struct path *)ctx_user_data.ptr;

	(void)task_user_data;
	if (!path_is_right(path, task))
		path->is_wrong = true;
	path->num_received++;
	(void)doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task));
	if (doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)) == DOCA_SUCCESS)
		path->num_posted++;
	else
		path_drop_receive(task);
}

static inline void path_on_flushed(struct doca_comch_consumer_task_post_recv *task,
				   union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	((struct path *)ctx_user_data.ptr)->num_flushed++;
	path_drop_receive(task);
}

static inline void path_on_new_consumer(struct doca_comch_event_consumer *event,
					struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	((struct path *)comch_end_of(connection))->remote_consumer = id;
}

static inline void path_on_expired_consumer(struct doca_comch_event_consumer *event,
					    struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)id;
	((struct path *)comch_end_of(connection))->remote_consumer = 0;
}

/* A server or a client, configured and not started, with memory for what is sent. */
static inline void path_open(struct path *path, bool is_server, const char *name, uint64_t seed)
{
	*path = (struct path){.seed = seed};
	if (is_server) {
		comch_server_open(&path->end, name, NULL);
		assert_doca(doca_comch_server_event_consumer_register(path->end.server,
								      path_on_new_consumer,
								      path_on_expired_consumer),
			    DOCA_SUCCESS);
	} else {
		comch_client_open(&path->end, name, NULL);
		assert_doca(doca_comch_client_event_consumer_register(path->end.client,
								      path_on_new_consumer,
								      path_on_expired_consumer),
			    DOCA_SUCCESS);
	}
	path->block = (uint8_t *)malloc(PATH_BLOCK_BYTES + PATH_MAX_MSG_BYTES);
	path->slots = (uint8_t *)malloc(PATH_DEPTH * PATH_MAX_MSG_BYTES);
	assert_non_null(path->block);
	assert_non_null(path->slots);
	for (size_t i = 0; i < PATH_BLOCK_BYTES + PATH_MAX_MSG_BYTES; i += sizeof(uint64_t)) {
		uint64_t random = path_mix(i ^ (seed << 32));

		memcpy(path->block + i, &random, sizeof(random));
	}
	path->block_map = path_map(path, path->block, PATH_BLOCK_BYTES + PATH_MAX_MSG_BYTES);
	path->slot_map = path_map(path, path->slots, PATH_DEPTH * PATH_MAX_MSG_BYTES);
	assert_doca(doca_buf_inventory_create(2 * PATH_DEPTH, &path->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(path->inventory), DOCA_SUCCESS);
}

static inline void path_connect_ctx(struct path *path, struct doca_ctx *ctx)
{
	assert_doca(doca_pe_connect_ctx(path->end.pe, ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(ctx, (union doca_data){.ptr = path}), DOCA_SUCCESS);
}

/* On a connection that is there: consumer and producer are started. */
static inline void path_start(struct path *path)
{
	assert_doca(doca_comch_consumer_create(path->end.peer, path->slot_map, &path->consumer),
		    DOCA_SUCCESS);
	path->consumer_ctx = doca_comch_consumer_as_ctx(path->consumer);
	path_connect_ctx(path, path->consumer_ctx);
	assert_doca(doca_comch_consumer_task_post_recv_set_conf(path->consumer, path_on_received,
								path_on_flushed, PATH_DEPTH),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_set_imm_data_len(path->consumer, sizeof(uint32_t)),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(path->consumer_ctx), DOCA_ERROR_IN_PROGRESS);

	assert_doca(doca_comch_producer_create(path->end.peer, &path->producer), DOCA_SUCCESS);
	path->producer_ctx = doca_comch_producer_as_ctx(path->producer);
	path_connect_ctx(path, path->producer_ctx);
	assert_doca(doca_comch_producer_task_send_set_conf(path->producer, path_on_sent,
							   path_on_sent, PATH_DEPTH),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(path->producer_ctx), DOCA_SUCCESS);
}

static inline enum doca_ctx_states path_state(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	if (ctx != NULL)
		(void)doca_ctx_get_state(ctx, &state);
	return state;
}

/* All receives are posted; the consumer runs. */
static inline void path_post(struct path *path)
{
	for (size_t i = 0; i < PATH_DEPTH; i++) {
		struct doca_comch_consumer_task_post_recv *task = NULL;
		struct doca_buf *buf = NULL;

		assert_doca(doca_buf_inventory_buf_get_by_addr(path->inventory, path->slot_map,
							       path->slots + i * PATH_MAX_MSG_BYTES,
							       PATH_MAX_MSG_BYTES, &buf),
			    DOCA_SUCCESS);
		assert_doca(
			doca_comch_consumer_task_post_recv_alloc_init(path->consumer, buf, &task),
			DOCA_SUCCESS);
		assert_doca(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
			    DOCA_SUCCESS);
		path->num_posted++;
	}
}

/* The task that sends message n, or NULL while all are under way. */
static inline struct doca_comch_producer_task_send *path_send_task(struct path *path, uint32_t n)
{
	struct doca_comch_producer_task_send *task = NULL;
	struct doca_buf *buf = NULL;
	uint32_t *number = &path->numbers[n % PATH_DEPTH];

	if (path->num_submitted - path->num_sent - path->num_send_failures == PATH_DEPTH)
		return NULL;
	assert_doca(doca_buf_inventory_buf_get_by_data(path->inventory, path->block_map,
						       (void *)path_bytes(path, n),
						       path_length(path->seed, n), &buf),
		    DOCA_SUCCESS);
	*number = n;
	assert_doca(doca_comch_producer_task_send_alloc_init(path->producer, buf, (uint8_t *)number,
							     sizeof(*number), path->remote_consumer,
							     &task),
		    DOCA_SUCCESS);
	return task;
}

static inline void path_drop_send(struct doca_comch_producer_task_send *task)
{
	if (task == NULL)
		return;
	(void)doca_buf_dec_refcount((struct doca_buf *)doca_comch_producer_task_send_get_buf(task),
				    NULL);
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

/* The next message, if it may go now; true when it went. */
static inline bool path_send(struct path *path)
{
	struct doca_comch_producer_task_send *task = path->refused;
	doca_error_t result;

	if (path->num_submitted == path->num_to_send || path->remote_consumer == 0 ||
	    path_state(path->producer_ctx) != DOCA_CTX_STATE_RUNNING)
		return false;
	if (task == NULL)
		task = path_send_task(path, (uint32_t)path->num_submitted);
	if (task == NULL)
		return false;
	result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
	path->refused = NULL;
	if (result == DOCA_SUCCESS)
		path->num_submitted++;
	else if (result == DOCA_ERROR_AGAIN)
		path->refused = task;
	else
		path_drop_send(task);
	return result == DOCA_SUCCESS;
}

/* One look at everything. */
static inline void path_step(struct path *path)
{
	if (path->num_posted == 0 && path_state(path->consumer_ctx) == DOCA_CTX_STATE_RUNNING)
		path_post(path);
	if (!path_send(path) && doca_pe_progress(path->end.pe) == 0)
		sched_yield();
	(void)doca_pe_progress(path->end.pe);
}

static inline void path_tell(const struct path *path)
{
	print_error("%s: remote consumer %u, consumer in state %d, producer in %d; sent %llu of "
		    "%llu, %llu failed; received %llu of %llu posted, %llu flushed\n",
		    path->end.server != NULL ? "server" : "client", path->remote_consumer,
		    path_state(path->consumer_ctx), path_state(path->producer_ctx),
		    (unsigned long long)path->num_sent, (unsigned long long)path->num_submitted,
		    (unsigned long long)path->num_send_failures,
		    (unsigned long long)path->num_received, (unsigned long long)path->num_posted,
		    (unsigned long long)path->num_flushed);
}

/* Steps until the condition holds; fails when nothing has been received or sent for a while. */
#define path_until(path, condition)                                                                \
	do {                                                                                       \
		uint64_t seen = UINT64_MAX;                                                        \
		time_t until_s = 0;                                                                \
		for (unsigned step = 0; !(condition); step++) {                                    \
			path_step(path);                                                           \
			if (step % 1024 != 0)                                                      \
				continue;                                                          \
			if (seen != (path)->num_sent + (path)->num_received) {                     \
				seen = (path)->num_sent + (path)->num_received;                    \
				until_s = comch_now() + COMCH_DEADLINE_S;                          \
			}                                                                          \
			if (comch_now() > until_s) {                                               \
				path_tell(path);                                                   \
				print_error("never so: %s\n", #condition);                         \
				_fail(__FILE__, __LINE__);                                         \
			}                                                                          \
		}                                                                                  \
	} while (0)

/* Started, connected, consumer and producer running, receives posted. */
static inline void path_meet(struct path *path)
{
	if (comch_state(&path->end) == DOCA_CTX_STATE_IDLE)
		comch_start(&path->end);
	if (path->end.server != NULL) {
		path_until(path, path->end.num_connects != 0);
	} else {
		path_until(path, comch_state(&path->end) == DOCA_CTX_STATE_RUNNING);
		assert_doca(doca_comch_client_get_connection(path->end.client, &path->end.peer),
			    DOCA_SUCCESS);
	}
	path_start(path);
}

static inline void path_stop_ctx(struct doca_ctx *ctx)
{
	doca_error_t result = doca_ctx_stop(ctx);

	if (result != DOCA_SUCCESS)
		assert_doca(result, DOCA_ERROR_IN_PROGRESS);
}

/* Consumer and producer end, every task comes back, and they are destroyed. */
static inline void path_stop(struct path *path)
{
	path->num_to_send = path->num_submitted;
	path_drop_send(path->refused);
	path->refused = NULL;
	if (path->consumer != NULL) {
		path_stop_ctx(path->consumer_ctx);
		path_until(path, path_state(path->consumer_ctx) == DOCA_CTX_STATE_IDLE);
		assert_doca(doca_comch_consumer_destroy(path->consumer), DOCA_SUCCESS);
	}
	if (path->producer != NULL) {
		path_stop_ctx(path->producer_ctx);
		path_until(path, path_state(path->producer_ctx) == DOCA_CTX_STATE_IDLE);
		assert_doca(doca_comch_producer_destroy(path->producer), DOCA_SUCCESS);
	}
	assert_int_equal(path->num_posted, path->num_received + path->num_flushed);
	assert_int_equal(path->num_submitted, path->num_sent + path->num_send_failures);
}

static inline void path_close(struct path *path)
{
	assert_doca(doca_buf_inventory_destroy(path->inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(path->block_map), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(path->slot_map), DOCA_SUCCESS);
	comch_end_close(&path->end);
	free(path->block);
	free(path->slots);
}

#endif /* TESTS_SUPPORT_FAST_PATH_H_ */
