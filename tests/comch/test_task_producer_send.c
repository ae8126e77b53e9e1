/* SPDX-License-Identifier: Apache-2.0 */
/* Sends: what a submit refuses, what it lets fail, whom a message reaches. */
#include "support/comch_fast.h"

#include "common/buf.h"

static void without_a_posted_buffer_a_send_is_to_be_tried_again(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);

	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_SUCCESS);
	buf = fast_data(&pair->from, 0, 10);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
}

static void a_send_is_done_before_it_is_looked_at_and_reported_in_progress(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);

	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	memcpy(pair->from.bytes, "0123456789", 10);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_SUCCESS);
	assert_int_equal(pair->producer.num_done, 0);
	memset(pair->from.bytes, 'x', 10);
	assert_int_equal(doca_pe_progress(pair->producer.pe), 1);
	assert_int_equal(pair->producer.num_done, 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_memory_equal(pair->to.bytes, "0123456789", 10);
}

static void a_message_longer_than_the_receive_fails_and_leaves_it(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer_task_send *task = NULL;
	struct doca_buf *buf = fast_data(&pair->from, 0, 65);

	memset(pair->to.bytes, '.', 128);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 9), DOCA_SUCCESS);
	assert_doca(doca_comch_producer_task_send_alloc_init(pair->producer.producer, buf, NULL, 0,
							     pair->consumer.id, &task),
		    DOCA_SUCCESS);
	assert_doca(doca_task_try_submit(doca_comch_producer_task_send_as_task(task)),
		    DOCA_ERROR_INVALID_VALUE);
	/* It is as before. */
	assert_doca(doca_task_get_status(doca_comch_producer_task_send_as_task(task)),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(task)), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_failed == 1);
	assert_doca(pair->producer.last_status, DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_RUNNING);
	for (int i = 0; i < 100; i++)
		doca_pe_progress(pair->consumer.pe);
	assert_int_equal(pair->consumer.num_done + pair->consumer.num_failed, 0);
	for (unsigned i = 0; i < 128; i++)
		assert_int_equal(pair->to.bytes[i], '.');
	/* Nor does a receive for immediate data alone take data. */
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 64)),
		    DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, NULL, 10), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 1)),
		    DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_failed == 2);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_int_equal(pair->consumer.seen[0].user_data, 9);
	assert_int_equal(pair->consumer.seen[0].data_len, 64);
}

static void immediate_data_longer_than_the_consumer_takes_fails(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(doca_comch_consumer_set_imm_data_len(pair->consumer.consumer, 4), DOCA_SUCCESS);
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, NULL, 0), DOCA_SUCCESS);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "12345", 5),
		    DOCA_SUCCESS);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1234", 4),
		    DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	assert_int_equal(pair->producer.num_failed, 1);
	assert_doca(pair->producer.seen[0].status, DOCA_ERROR_INVALID_VALUE);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
}

static void a_consumer_that_is_not_there_is_refused(void **state)
{
	struct fast_pair *pair = *state;
	const uint32_t ids[] = {0, 0xffff, pair->producer.id, pair->consumer.id + 2};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		assert_doca(fast_send_imm(&pair->producer, ids[i], NULL, "1", 1),
			    DOCA_ERROR_INVALID_VALUE);
	/* Nor one that is no more, once the peer has said so. */
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->client.num_expired == 1);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(pair->producer.num_done + pair->producer.num_failed, 0);
	/* And when it starts again it is there again. */
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
	assert_doca(fast_post(&pair->consumer, NULL, 0), DOCA_SUCCESS);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
}

static void a_send_to_a_consumer_that_has_just_ended_fails(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(fast_post(&pair->consumer, NULL, 0), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	for (int i = 0; i < 2; i++)
		assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1),
			    DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_failed == 2);
	assert_doca(pair->producer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_RUNNING);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->consumer.num_done, 0);
}

static void what_cannot_be_sent_is_refused(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *large = fast_data(&pair->from, 0, (2u << 20) + 1);
	struct doca_buf *empty = fast_room(&pair->from, 0, 64);
	struct doca_buf *list = fast_data(&pair->from, 0, 1);
	struct doca_buf *released = fast_data(&pair->from, 0, 64);

	for (size_t i = 0; i < 64; i++)
		assert_doca(doca_buf_chain_list(list, fast_data(&pair->from, i, 1)), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(released, NULL), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
#define SEND(buf) fast_send(&pair->producer, pair->consumer.id, buf)
	assert_doca(SEND(large), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SEND(list), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SEND(released), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SEND(empty), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SEND(NULL), DOCA_ERROR_INVALID_VALUE);
#undef SEND
	/* An empty buffer beside immediate data is none. */
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, empty, "1", 1), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_doca(doca_buf_dec_refcount(large, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(list, NULL), DOCA_SUCCESS);
}

static void another_processs_memory_is_not_sent(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *buf = fast_data(&pair->from, 0, 64);
	struct copy_space *space = buf->piece.space;

	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	space->region = (struct peer_region *)pair;
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_INVALID_VALUE);
	space->region = NULL;
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
}

static void immediate_data_is_bounded(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer *producer = pair->producer.producer;
	struct doca_comch_producer_task_send *task = NULL;
	uint8_t imm[33] = {1};

#define ALLOC(imm, len) doca_comch_producer_task_send_alloc_init(producer, NULL, imm, len, 1, &task)
	assert_doca(ALLOC(imm, 33), DOCA_ERROR_INVALID_VALUE);
	assert_doca(ALLOC(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_null(task);
	assert_doca(ALLOC(imm, 32), DOCA_SUCCESS);
#undef ALLOC
	doca_comch_producer_task_send_set_imm_data(task, imm, 33);
	doca_comch_producer_task_send_set_imm_data(task, NULL, 1);
	assert_int_equal(doca_comch_producer_task_send_get_imm_data_len(task), 32);
	doca_comch_producer_task_send_set_imm_data(task, imm + 1, 2);
	assert_ptr_equal(doca_comch_producer_task_send_get_imm_data(task), imm + 1);
	assert_int_equal(doca_comch_producer_task_send_get_imm_data_len(task), 2);
	doca_comch_producer_task_send_set_imm_data(task, NULL, 0);
	assert_int_equal(doca_comch_producer_task_send_get_imm_data_len(task), 0);
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static void a_task_is_changed_until_it_is_submitted(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer_task_send *task = NULL;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);
	uint8_t imm[4] = "imm";

	assert_doca(doca_comch_producer_task_send_alloc_init(pair->producer.producer, NULL, NULL, 0,
							     77, &task),
		    DOCA_SUCCESS);
	assert_int_equal(doca_comch_producer_task_send_get_consumer_id(task), 77);
	doca_comch_producer_task_send_set_consumer_id(task, pair->consumer.id);
	doca_comch_producer_task_send_set_buf(task, buf);
	doca_comch_producer_task_send_set_imm_data(task, imm, 4);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(task)), DOCA_SUCCESS);
	doca_comch_producer_task_send_set_consumer_id(task, 78);
	doca_comch_producer_task_send_set_buf(task, NULL);
	doca_comch_producer_task_send_set_imm_data(task, NULL, 0);
	assert_int_equal(doca_comch_producer_task_send_get_consumer_id(task), pair->consumer.id);
	assert_ptr_equal(doca_comch_producer_task_send_get_buf(task), buf);
	assert_ptr_equal(doca_comch_producer_task_send_get_imm_data(task), imm);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_memory_equal(pair->consumer.seen[0].imm, "imm", 4);
	assert_int_equal(pair->consumer.seen[0].data_len, 10);
}

static void null_has_nothing_and_takes_nothing(void **state)
{
	doca_comch_producer_task_send_set_buf(NULL, NULL);
	doca_comch_producer_task_send_set_consumer_id(NULL, 1);
	doca_comch_producer_task_send_set_imm_data(NULL, NULL, 0);
	assert_null(doca_comch_producer_task_send_get_buf(NULL));
	assert_int_equal(doca_comch_producer_task_send_get_consumer_id(NULL), 0);
	assert_null(doca_comch_producer_task_send_get_imm_data(NULL));
	assert_int_equal(doca_comch_producer_task_send_get_imm_data_len(NULL), 0);
	assert_null(doca_comch_producer_task_send_as_task(NULL));
}

static void tasks_come_from_a_pool_of_a_running_producer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer *producer = pair->producer.producer;
	struct doca_comch_producer_task_send *tasks[5] = {NULL};

#define ALLOC(task) doca_comch_producer_task_send_alloc_init(producer, NULL, NULL, 0, 1, task)
	assert_doca(ALLOC(&tasks[0]), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_producer_task_send_alloc_init(NULL, NULL, NULL, 0, 1, &tasks[0]),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(ALLOC(NULL), DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < 4; i++)
		assert_doca(ALLOC(&tasks[i]), DOCA_SUCCESS);
	assert_doca(ALLOC(&tasks[4]), DOCA_ERROR_NO_MEMORY);
	assert_null(tasks[4]);
	assert_doca(doca_ctx_stop(pair->producer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(tasks[0])),
		    DOCA_ERROR_BAD_STATE);
	for (int i = 0; i < 4; i++)
		doca_task_free(doca_comch_producer_task_send_as_task(tasks[i]));
	fast_until(&pair->producer, fast_state(&pair->producer) == DOCA_CTX_STATE_IDLE);
#undef ALLOC
}

#define NUM_MANY 6

/* Each of many producers sends to each of many consumers, on both ends of one connection. */
static void many_of_each_share_a_connection(void **state)
{
	struct fast_pair *pair = *state;
	struct fast_half consumers[2][NUM_MANY] = {0};
	struct fast_half producers[2][NUM_MANY] = {0};
	struct comch_end *const ends[] = {&pair->client, &pair->server};
	struct fast_memory *const memories[] = {&pair->from, &pair->to};

	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < NUM_MANY; i++) {
			fast_consumer_open(&consumers[side][i], ends[side], memories[side],
					   NUM_MANY, ends[side]->pe);
			fast_producer_open(&producers[side][i], ends[side], NUM_MANY,
					   ends[side]->pe);
			fast_consumer_start(&consumers[side][i], ends[side], ends[!side]);
			assert_doca(doca_ctx_start(producers[side][i].ctx), DOCA_SUCCESS);
			for (uint64_t j = 0; j < NUM_MANY; j++)
				assert_doca(fast_post(&consumers[side][i], NULL, j), DOCA_SUCCESS);
		}
	}
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < NUM_MANY; i++)
			for (int j = 0; j < NUM_MANY; j++)
				assert_doca(fast_send_imm(&producers[side][i],
							  consumers[!side][j].id, NULL, "many", 4),
					    DOCA_SUCCESS);
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < NUM_MANY; i++) {
			struct fast_half *consumer = &consumers[side][i];

			fast_until(&producers[side][i], producers[side][i].num_done == NUM_MANY);
			fast_until(consumer, consumer->num_done == NUM_MANY);
			for (int j = 0; j < NUM_MANY; j++)
				assert_int_equal(consumer->seen[j].producer_id,
						 producers[!side][j].id);
		}
	}
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < NUM_MANY; i++) {
			fast_close(&consumers[side][i]);
			fast_close(&producers[side][i]);
		}
	}
}

/* Two clients of one server: each connection has its own consumers. */
static void connections_do_not_mix(void **state)
{
	struct fast_pair *pair = *state;
	struct comch_end other = {.server = NULL};
	struct comch_end *const clients[] = {&pair->client, &other};
	struct fast_half consumers[2] = {{.pe = NULL}};
	struct fast_half producers[2] = {{.pe = NULL}};

	comch_client_open(&other, "fast", NULL);
	comch_hear_of_consumers(&other);
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			comch_connect(&pair->server, &other);
		/* The server's peer is the client that came last. */
		fast_producer_open(&producers[i], &pair->server, 1, pair->server.pe);
		assert_doca(doca_ctx_start(producers[i].ctx), DOCA_SUCCESS);
		fast_consumer_open(&consumers[i], clients[i], &pair->from, 1, clients[i]->pe);
		fast_consumer_start(&consumers[i], clients[i], &pair->server);
		assert_doca(fast_post(&consumers[i], NULL, 0), DOCA_SUCCESS);
	}
	for (int i = 0; i < 2; i++)
		assert_doca(
			fast_send_imm(&producers[i], consumers[i].id, NULL, i == 0 ? "a" : "b", 1),
			DOCA_SUCCESS);
	for (int i = 0; i < 2; i++) {
		fast_until(&consumers[i], consumers[i].num_done == 1);
		assert_memory_equal(consumers[i].seen[0].imm, i == 0 ? "a" : "b", 1);
	}
	fast_until(&producers[1], producers[1].num_done == 1);
	assert_int_not_equal(consumers[0].id, consumers[1].id);
	assert_doca(fast_send_imm(&producers[1], consumers[0].id, NULL, "c", 1),
		    DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < 2; i++) {
		fast_close(&consumers[i]);
		fast_close(&producers[i]);
	}
	comch_end_close(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fast_test(without_a_posted_buffer_a_send_is_to_be_tried_again),
		fast_test(a_send_is_done_before_it_is_looked_at_and_reported_in_progress),
		fast_test(a_message_longer_than_the_receive_fails_and_leaves_it),
		fast_idle_test(immediate_data_longer_than_the_consumer_takes_fails),
		fast_test(a_consumer_that_is_not_there_is_refused),
		fast_test(a_send_to_a_consumer_that_has_just_ended_fails),
		fast_test(what_cannot_be_sent_is_refused),
		fast_test(another_processs_memory_is_not_sent),
		fast_test(immediate_data_is_bounded),
		fast_test(a_task_is_changed_until_it_is_submitted),
		cmocka_unit_test(null_has_nothing_and_takes_nothing),
		fast_idle_test(tasks_come_from_a_pool_of_a_running_producer),
		fast_test(many_of_each_share_a_connection),
		fast_test(connections_do_not_mix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
