/* SPDX-License-Identifier: Apache-2.0 */
/* Receives: which buffers may be posted, where messages land in them, what comes beside. */
#include "support/comch_fast.h"

static void a_message_grows_the_valid_data_of_its_buffer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *buf = fast_room(&pair->to, 0, 64);

	assert_doca(doca_buf_set_data(buf, pair->to.bytes + 8, 4), DOCA_SUCCESS);
	memcpy(pair->from.bytes, "message", 7);
	memcpy(pair->to.bytes, "........here............", 24);
	assert_doca(fast_post(&pair->consumer, buf, 1), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 7)),
		    DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_int_equal(pair->consumer.seen[0].data_len, 11);
	assert_memory_equal(pair->to.bytes, "........heremessage.....", 24);
	assert_int_equal(pair->consumer.seen[0].producer_id, pair->producer.id);
	assert_int_equal(pair->consumer.seen[0].imm_len, 0);
	assert_false(pair->consumer.seen[0].has_imm);
}

static void immediate_data_comes_with_and_without_a_message(void **state)
{
	struct fast_pair *pair = *state;
	uint8_t imm[32];

	memset(imm, 'i', sizeof(imm));
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, NULL, 1), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64, 64), 2), DOCA_SUCCESS);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10),
				  imm, 32),
		    DOCA_SUCCESS);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "abc", 3),
		    DOCA_SUCCESS);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "d", 1), DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 3);
	assert_int_equal(pair->consumer.seen[0].imm_len, 32);
	assert_memory_equal(pair->consumer.seen[0].imm, imm, 32);
	assert_int_equal(pair->consumer.seen[0].data_len, 10);
	assert_int_equal(pair->consumer.seen[1].imm_len, 3);
	assert_memory_equal(pair->consumer.seen[1].imm, "abc", 3);
	assert_int_equal(pair->consumer.seen[1].producer_id, pair->producer.id);
	assert_int_equal(pair->consumer.seen[2].imm_len, 1);
	assert_int_equal(pair->consumer.seen[2].data_len, 0);
}

static void lists_are_gathered_and_scattered_in_order(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *target = fast_room(&pair->to, 0, 5);
	struct doca_buf *source = fast_data(&pair->from, 0, 3);

	for (unsigned i = 0; i < 100000; i++)
		pair->from.bytes[i] = (uint8_t)(i * 7);
	for (size_t i = 1; i < 64; i++) {
		assert_doca(doca_buf_chain_list(target, fast_room(&pair->to, 2000 * i, 1000)),
			    DOCA_SUCCESS);
		assert_doca(
			doca_buf_chain_list(source, fast_data(&pair->from, 3 + 500 * (i - 1), 500)),
			DOCA_SUCCESS);
	}
	assert_doca(fast_post(&pair->consumer, target, 0), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, source), DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_memory_equal(pair->to.bytes, pair->from.bytes, 5);
	/* 63 pieces of 500 and one of 3: the last lands in the 33rd, which is not full. */
	for (size_t i = 1, at = 5; at < 3 + 63 * 500; i++) {
		size_t len = 3 + 63 * 500 - at < 1000 ? 3 + 63 * 500 - at : 1000;

		assert_memory_equal(pair->to.bytes + 2000 * i, pair->from.bytes + at, len);
		at += len;
	}
	fast_until(&pair->producer, pair->producer.num_done == 1);
}

static void the_longest_message_arrives_whole(void **state)
{
	struct fast_pair *pair = *state;
	const size_t len = 2u << 20;

	for (size_t i = 0; i < len; i++)
		pair->from.bytes[i] = (uint8_t)(i >> 3 ^ i);
	for (unsigned i = 0; i < 20; i++) {
		memset(pair->to.bytes, 0, len);
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, len), i),
			    DOCA_SUCCESS);
		assert_doca(fast_send(&pair->producer, pair->consumer.id,
				      fast_data(&pair->from, 0, len)),
			    DOCA_SUCCESS);
		fast_until(&pair->consumer, pair->consumer.num_done == i + 1);
		fast_until(&pair->producer, pair->producer.num_done == i + 1);
		assert_memory_equal(pair->to.bytes, pair->from.bytes, len);
		assert_int_equal(pair->consumer.seen[i].data_len, len);
	}
}

static void messages_go_into_receives_in_the_order_of_both(void **state)
{
	struct fast_pair *pair = *state;

	for (uint64_t i = 0; i < 4; i++)
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
	for (uint64_t i = 0; i < 4; i++)
		assert_doca(fast_send(&pair->producer, pair->consumer.id,
				      fast_data(&pair->from, 0, 10 + i)),
			    DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 4);
	for (uint64_t i = 0; i < 4; i++) {
		assert_int_equal(pair->consumer.seen[i].user_data, i);
		assert_int_equal(pair->consumer.seen[i].data_len, 10 + i);
	}
	fast_until(&pair->producer, pair->producer.num_done == 4);
}

static void a_task_is_resubmitted_in_its_callback(void **state)
{
	struct fast_pair *pair = *state;

	pair->consumer.resubmits = true;
	for (uint64_t i = 0; i < 4; i++)
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
	for (unsigned i = 0; i < 1000; i++) {
		assert_doca(fast_send(&pair->producer, pair->consumer.id,
				      fast_data(&pair->from, 0, 10)),
			    DOCA_SUCCESS);
		fast_until(&pair->producer, pair->producer.num_done == i + 1);
		fast_until(&pair->consumer, pair->consumer.num_done == i + 1);
	}
	assert_doca(pair->consumer.inner, DOCA_SUCCESS);
	pair->consumer.resubmits = false;
}

/* What alloc_init and submit say of a buffer. */
static void assert_refused(struct fast_half *consumer, struct doca_buf *buf)
{
	struct doca_comch_consumer_task_post_recv *task = NULL;

	assert_doca(doca_comch_consumer_task_post_recv_alloc_init(consumer->consumer, buf, &task),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(task);
	assert_doca(doca_comch_consumer_task_post_recv_alloc_init(consumer->consumer, NULL, &task),
		    DOCA_SUCCESS);
	doca_comch_consumer_task_post_recv_set_buf(task, buf);
	assert_ptr_equal(doca_comch_consumer_task_post_recv_get_buf(task), buf);
	assert_doca(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_task_try_submit(doca_comch_consumer_task_post_recv_as_task(task)),
		    DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

static void buffers_that_cannot_be_received_into_are_refused(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *elsewhere = fast_room(&pair->from, 0, 64);
	struct doca_buf *large = fast_room(&pair->to, 0, (2u << 20) + 1);
	struct doca_buf *list = fast_room(&pair->to, 0, 1);
	struct doca_buf *mixed = fast_room(&pair->to, 0, 64);
	struct doca_buf *released = fast_room(&pair->to, 0, 64);

	for (size_t i = 0; i < 64; i++)
		assert_doca(doca_buf_chain_list(list, fast_room(&pair->to, i, 1)), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(mixed, fast_room(&pair->from, 0, 64)), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(released, NULL), DOCA_SUCCESS);
	assert_refused(&pair->consumer, elsewhere);
	assert_refused(&pair->consumer, large);
	assert_refused(&pair->consumer, list);
	assert_refused(&pair->consumer, mixed);
	assert_refused(&pair->consumer, released);
	assert_doca(doca_buf_dec_refcount(elsewhere, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(large, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(list, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(mixed, NULL), DOCA_SUCCESS);
}

static void a_buffer_that_shrinks_under_its_receive_loses_the_message(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *buf = fast_room(&pair->to, 0, 64);

	assert_doca(fast_post(&pair->consumer, buf, 0), DOCA_SUCCESS);
	assert_doca(doca_buf_set_data(buf, pair->to.bytes, 60), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_failed == 1);
	assert_doca(pair->consumer.last_status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(pair->consumer.seen[0].data_len, 60);
	/* The others go on. */
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 1), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
}

static void tasks_come_from_a_pool_of_a_running_consumer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *consumer = pair->consumer.consumer;
	struct doca_comch_consumer_task_post_recv *tasks[5] = {NULL};

#define ALLOC(task) doca_comch_consumer_task_post_recv_alloc_init(consumer, NULL, task)
	assert_doca(ALLOC(&tasks[0]), DOCA_ERROR_BAD_STATE);
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
	assert_doca(doca_comch_consumer_task_post_recv_alloc_init(NULL, NULL, &tasks[0]),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(ALLOC(NULL), DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < 4; i++)
		assert_doca(ALLOC(&tasks[i]), DOCA_SUCCESS);
	assert_doca(ALLOC(&tasks[4]), DOCA_ERROR_NO_MEMORY);
	assert_null(tasks[4]);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	for (int i = 0; i < 4; i++)
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(tasks[i]));
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
#undef ALLOC
}

static void a_posted_task_is_not_changed_and_null_has_nothing(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer_task_post_recv *task = NULL;
	struct doca_buf *buf = fast_room(&pair->to, 0, 64);

	assert_doca(
		doca_comch_consumer_task_post_recv_alloc_init(pair->consumer.consumer, buf, &task),
		DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
		    DOCA_SUCCESS);
	doca_comch_consumer_task_post_recv_set_buf(task, NULL);
	assert_ptr_equal(doca_comch_consumer_task_post_recv_get_buf(task), buf);
	doca_comch_consumer_task_post_recv_set_buf(NULL, buf);
	assert_null(doca_comch_consumer_task_post_recv_get_buf(NULL));
	assert_int_equal(doca_comch_consumer_task_post_recv_get_producer_id(NULL), 0);
	assert_null(doca_comch_consumer_task_post_recv_get_imm_data(NULL));
	assert_int_equal(doca_comch_consumer_task_post_recv_get_imm_data_len(NULL), 0);
	assert_null(doca_comch_consumer_task_post_recv_as_task(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fast_test(a_message_grows_the_valid_data_of_its_buffer),
		fast_test(immediate_data_comes_with_and_without_a_message),
		fast_test(lists_are_gathered_and_scattered_in_order),
		fast_test(the_longest_message_arrives_whole),
		fast_test(messages_go_into_receives_in_the_order_of_both),
		fast_test(a_task_is_resubmitted_in_its_callback),
		fast_test(buffers_that_cannot_be_received_into_are_refused),
		fast_test(a_buffer_that_shrinks_under_its_receive_loses_the_message),
		fast_idle_test(tasks_come_from_a_pool_of_a_running_consumer),
		fast_test(a_posted_task_is_not_changed_and_null_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
