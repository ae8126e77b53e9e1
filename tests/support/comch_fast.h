/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Producers and consumers whose callbacks write down what they saw, and memory for them. After
 * comch_fixture.h; public functions alone.
 */
#ifndef TESTS_SUPPORT_COMCH_FAST_H_
#define TESTS_SUPPORT_COMCH_FAST_H_

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_mmap.h>

#include "support/comch_fixture.h"

#define FAST_NUM_BUFS 512
#define FAST_MAX_SEEN 64

/* Memory with a map and an inventory. */
struct fast_memory {
	uint8_t *bytes;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};

static inline void fast_memory_open(struct fast_memory *memory, struct doca_dev *dev, size_t size)
{
	memory->bytes = (uint8_t *)calloc(1, size);
	assert_non_null(memory->bytes);
	assert_doca(doca_mmap_create(&memory->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(memory->mmap, dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(memory->mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(memory->mmap, memory->bytes, size), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(memory->mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_create(FAST_NUM_BUFS, &memory->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(memory->inventory), DOCA_SUCCESS);
}

static inline void fast_memory_close(struct fast_memory *memory)
{
	assert_doca(doca_mmap_destroy(memory->mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(memory->inventory), DOCA_SUCCESS);
	free(memory->bytes);
}

/* A part of it, empty. */
static inline struct doca_buf *fast_room(struct fast_memory *memory, size_t at, size_t len)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_addr(memory->inventory, memory->mmap,
						       memory->bytes + at, len, &buf),
		    DOCA_SUCCESS);
	return buf;
}

/* A part of it, full. */
static inline struct doca_buf *fast_data(struct fast_memory *memory, size_t at, size_t len)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_data(memory->inventory, memory->mmap,
						       memory->bytes + at, len, &buf),
		    DOCA_SUCCESS);
	return buf;
}

static inline size_t fast_len(const struct doca_buf *buf)
{
	size_t len = 0;

	assert_doca(doca_buf_get_data_len(buf, &len), DOCA_SUCCESS);
	return len;
}

/* What a callback was told. */
struct fast_seen {
	doca_error_t status;
	uint64_t user_data;
	uint32_t producer_id;
	uint32_t imm_len;
	uint8_t imm[32];
	bool has_imm;
	size_t data_len;
};

/* A producer or a consumer. */
struct fast_half {
	struct doca_pe *pe;
	bool owns_pe;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *ctx;
	uint32_t id;

	enum doca_ctx_states states[COMCH_MAX_STATES];
	unsigned num_states;
	unsigned num_done;
	unsigned num_failed;
	doca_error_t last_status;
	struct fast_seen seen[FAST_MAX_SEEN]; /* of the first ones, whatever their end */

	/* What a callback does beside. */
	bool keeps_tasks;   /* else they and their buffers are given back */
	bool keeps_buffers; /* else they are, with their tasks */
	bool resubmits;
	bool stops_when_done;
	bool stops_when_running;
	bool destroys_when_idle;
	doca_error_t inner; /* the last result of such a call */
};

static inline struct fast_seen *fast_note(struct fast_half *half, doca_error_t status)
{
	static __thread struct fast_seen beyond;
	unsigned num = half->num_done + half->num_failed;
	struct fast_seen *seen = num < FAST_MAX_SEEN ? &half->seen[num] : &beyond;

	half->last_status = status;
	seen->status = status;
	if (status == DOCA_SUCCESS)
		half->num_done++;
	else
		half->num_failed++;
	return seen;
}

static inline void fast_after(struct fast_half *half, struct doca_task *task, struct doca_buf *buf)
{
	if (half->resubmits && half->last_status == DOCA_SUCCESS) {
		if (buf != NULL && half->consumer != NULL)
			assert_doca(doca_buf_reset_data_len(buf), DOCA_SUCCESS);
		half->inner = doca_task_submit(task);
	} else if (!half->keeps_tasks) {
		if (buf != NULL && !half->keeps_buffers)
			(void)doca_buf_dec_refcount(buf, NULL);
		doca_task_free(task);
	}
	if (half->stops_when_done)
		half->inner = doca_ctx_stop(half->ctx);
}

static inline void fast_on_received(struct doca_comch_consumer_task_post_recv *task,
				    union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct fast_half *half = (struct fast_half *)ctx_user_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);
	struct fast_seen *seen = fast_note(half, doca_task_get_status(base));

	seen->user_data = task_user_data.u64;
	seen->producer_id = doca_comch_consumer_task_post_recv_get_producer_id(task);
	seen->imm_len = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
	seen->has_imm = imm != NULL;
	if (imm != NULL)
		memcpy(seen->imm, imm, seen->imm_len);
	seen->data_len = buf == NULL ? 0 : fast_len(buf);
	fast_after(half, base, buf);
}

static inline void fast_on_sent(struct doca_comch_producer_task_send *task,
				union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct fast_half *half = (struct fast_half *)ctx_user_data.ptr;
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);

	fast_note(half, doca_task_get_status(base))->user_data = task_user_data.u64;
	fast_after(half, base,
		   (struct doca_buf *)(uintptr_t)doca_comch_producer_task_send_get_buf(task));
}

static inline void fast_on_state(const union doca_data user_data, struct doca_ctx *ctx,
				 enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct fast_half *half = (struct fast_half *)user_data.ptr;

	(void)ctx;
	(void)prev_state;
	if (half->num_states < COMCH_MAX_STATES)
		half->states[half->num_states++] = next_state;
	if (next_state == DOCA_CTX_STATE_RUNNING && half->stops_when_running)
		half->inner = doca_ctx_stop(half->ctx);
	if (next_state == DOCA_CTX_STATE_IDLE && half->destroys_when_idle) {
		half->inner = half->consumer != NULL ? doca_comch_consumer_destroy(half->consumer)
						     : doca_comch_producer_destroy(half->producer);
		half->ctx = NULL;
	}
}

static inline void fast_connect_pe(struct fast_half *half, struct doca_pe *pe)
{
	half->pe = pe;
	if (pe == NULL) {
		half->owns_pe = true;
		assert_doca(doca_pe_create(&half->pe), DOCA_SUCCESS);
	}
	assert_doca(doca_pe_connect_ctx(half->pe, half->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(half->ctx, (union doca_data){.ptr = half}),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_set_state_changed_cb(half->ctx, fast_on_state), DOCA_SUCCESS);
}

/* Configured and idle, on an engine of its own when pe is NULL. */
static inline void fast_consumer_open(struct fast_half *half, struct comch_end *end,
				      struct fast_memory *memory, uint32_t num_tasks,
				      struct doca_pe *pe)
{
	assert_doca(doca_comch_consumer_create(end->peer, memory->mmap, &half->consumer),
		    DOCA_SUCCESS);
	half->ctx = doca_comch_consumer_as_ctx(half->consumer);
	assert_doca(doca_comch_consumer_get_id(half->consumer, &half->id), DOCA_SUCCESS);
	fast_connect_pe(half, pe);
	assert_doca(doca_comch_consumer_task_post_recv_set_conf(half->consumer, fast_on_received,
								fast_on_received, num_tasks),
		    DOCA_SUCCESS);
}

static inline void fast_producer_open(struct fast_half *half, struct comch_end *end,
				      uint32_t num_tasks, struct doca_pe *pe)
{
	assert_doca(doca_comch_producer_create(end->peer, &half->producer), DOCA_SUCCESS);
	half->ctx = doca_comch_producer_as_ctx(half->producer);
	assert_doca(doca_comch_producer_get_id(half->producer, &half->id), DOCA_SUCCESS);
	fast_connect_pe(half, pe);
	assert_doca(doca_comch_producer_task_send_set_conf(half->producer, fast_on_sent,
							   fast_on_sent, num_tasks),
		    DOCA_SUCCESS);
}

static inline enum doca_ctx_states fast_state(const struct fast_half *half)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	if (half->ctx != NULL)
		assert_doca(doca_ctx_get_state(half->ctx, &state), DOCA_SUCCESS);
	return state;
}

/* Progress the half until the condition holds; fails at a deadline. */
#define fast_until(half, condition)                                                                \
	do {                                                                                       \
		const time_t half_until_s = comch_now() + COMCH_DEADLINE_S;                        \
		while (!(condition)) {                                                             \
			if (doca_pe_progress((half)->pe) == 0)                                     \
				sched_yield();                                                     \
			if (comch_now() > half_until_s) {                                          \
				print_error("never so: %s\n", #condition);                         \
				_fail(__FILE__, __LINE__);                                         \
			}                                                                          \
		}                                                                                  \
	} while (0)

/* Stopped, progressed until idle, destroyed. */
static inline void fast_close(struct fast_half *half)
{
	if (half->ctx != NULL) {
		doca_error_t result = doca_ctx_stop(half->ctx);

		if (result != DOCA_SUCCESS)
			assert_doca(result, DOCA_ERROR_IN_PROGRESS);
		fast_until(half, fast_state(half) == DOCA_CTX_STATE_IDLE);
	}
	if (half->ctx != NULL && half->consumer != NULL)
		assert_doca(doca_comch_consumer_destroy(half->consumer), DOCA_SUCCESS);
	else if (half->ctx != NULL)
		assert_doca(doca_comch_producer_destroy(half->producer), DOCA_SUCCESS);
	if (half->owns_pe)
		assert_doca(doca_pe_destroy(half->pe), DOCA_SUCCESS);
}

/* A receive into that buffer, or NULL; what the submit says. */
static inline doca_error_t fast_post(struct fast_half *half, struct doca_buf *buf, uint64_t number)
{
	struct doca_comch_consumer_task_post_recv *task = NULL;
	doca_error_t result =
		doca_comch_consumer_task_post_recv_alloc_init(half->consumer, buf, &task);

	if (result != DOCA_SUCCESS)
		return result;
	doca_task_set_user_data(doca_comch_consumer_task_post_recv_as_task(task),
				(union doca_data){.u64 = number});
	result = doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	return result;
}

/* A message with immediate data, either may be none; what the submit says. */
static inline doca_error_t fast_send_imm(struct fast_half *half, uint32_t consumer_id,
					 struct doca_buf *buf, void *imm, uint32_t imm_len)
{
	struct doca_comch_producer_task_send *task = NULL;
	doca_error_t result = doca_comch_producer_task_send_alloc_init(
		half->producer, buf, (uint8_t *)imm, imm_len, consumer_id, &task);

	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_producer_task_send_as_task(task));
	return result;
}

static inline doca_error_t fast_send(struct fast_half *half, uint32_t consumer_id,
				     struct doca_buf *buf)
{
	return fast_send_imm(half, consumer_id, buf, NULL, 0);
}

/*
 * A connected pair with memory on both sides, a producer of the client's and a consumer of the
 * server's with four tasks each; the consumer is running, the producer, too.
 */
struct fast_pair {
	struct comch_end server;
	struct comch_end client;
	struct fast_memory from; /* the client's */
	struct fast_memory to;
	struct fast_half producer;
	struct fast_half consumer;
	unsigned num_fds;
};

#define FAST_PAIR_BYTES (4u << 20)

/* The consumer runs, and the other end knows of it. */
static inline void fast_consumer_start(struct fast_half *consumer, struct comch_end *end,
				       struct comch_end *peer)
{
	const unsigned num_new = peer->num_new;

	assert_doca(doca_ctx_start(consumer->ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(end, peer,
		    (doca_pe_progress(consumer->pe), peer->num_new == num_new + 1) &&
			    fast_state(consumer) == DOCA_CTX_STATE_RUNNING);
	assert_int_equal(peer->new_id, consumer->id);
}

/* Connected, with memory, and idle halves. */
static inline int fast_idle_setup(void **state)
{
	struct fast_pair *pair = (struct fast_pair *)calloc(1, sizeof(*pair));

	if (pair == NULL)
		return -1;
	*state = pair;
	pair->num_fds = comch_num_fds();
	comch_server_open(&pair->server, "fast", NULL);
	comch_client_open(&pair->client, "fast", NULL);
	comch_hear_of_consumers(&pair->server);
	comch_hear_of_consumers(&pair->client);
	comch_connect(&pair->server, &pair->client);
	fast_memory_open(&pair->from, pair->client.dev, FAST_PAIR_BYTES);
	fast_memory_open(&pair->to, pair->server.dev, FAST_PAIR_BYTES);
	fast_consumer_open(&pair->consumer, &pair->server, &pair->to, 4, NULL);
	fast_producer_open(&pair->producer, &pair->client, 4, NULL);
	return 0;
}

static inline int fast_setup(void **state)
{
	struct fast_pair *pair;

	if (fast_idle_setup(state) != 0)
		return -1;
	pair = (struct fast_pair *)*state;
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	return 0;
}

static inline int fast_teardown(void **state)
{
	struct fast_pair *pair = (struct fast_pair *)*state;
	bool is_even;

	fast_close(&pair->producer);
	fast_close(&pair->consumer);
	fast_memory_close(&pair->from);
	fast_memory_close(&pair->to);
	comch_end_close(&pair->client);
	comch_end_close(&pair->server);
	is_even = comch_num_fds() == pair->num_fds;
	free(pair);
	return is_even ? 0 : -1;
}

#define fast_test(function) cmocka_unit_test_setup_teardown(function, fast_setup, fast_teardown)
#define fast_idle_test(function)                                                                   \
	cmocka_unit_test_setup_teardown(function, fast_idle_setup, fast_teardown)

#endif /* TESTS_SUPPORT_COMCH_FAST_H_ */
