/* SPDX-License-Identifier: Apache-2.0 */
/* Producers and consumers in threads of their own, beside those of the server and the client. */
#include "support/comch_fast.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "support/under_tsan.h"

#define NUM_MESSAGES (UNDER_TSAN ? 500u : 5000u)
#define NUM_RECVS 8u
#define NUM_ROUNDS (UNDER_TSAN ? 20 : 100)

/* A thread that progresses one end, as long as it shall. */
struct driver {
	struct comch_end *end;
	pthread_t thread;
	_Atomic bool is_over;
};

static void *drive(void *argument)
{
	struct driver *driver = argument;

	while (!atomic_load(&driver->is_over))
		if (doca_pe_progress(driver->end->pe) == 0)
			sched_yield();
	return NULL;
}

static void start_driver(struct driver *driver, struct comch_end *end)
{
	driver->end = end;
	atomic_store(&driver->is_over, false);
	assert_int_equal(pthread_create(&driver->thread, NULL, drive, driver), 0);
}

static void stop_driver(struct driver *driver)
{
	atomic_store(&driver->is_over, true);
	assert_int_equal(pthread_join(driver->thread, NULL), 0);
}

/* A thread with a consumer or a producer; what it finds wrong it writes down. */
struct worker {
	struct fast_half half; /* first: its context carries both */
	struct comch_end *end;
	struct fast_memory memory;
	pthread_t thread;
	bool waits;		       /* for the handle, else it spins */
	_Atomic uint32_t *consumer_id; /* 0 until the consumer runs */
	uint64_t number;	       /* of the next message */
	unsigned num_producers;	       /* of a consumer */
	const char *wrong;
};

/* Until something may have happened. */
static void wait_for_news(struct worker *worker)
{
	struct pollfd handle = {.events = POLLIN};

	if (!worker->waits) {
		sched_yield();
		return;
	}
	if (doca_pe_get_notification_handle(worker->half.pe, &handle.fd) != DOCA_SUCCESS ||
	    doca_pe_request_notification(worker->half.pe) != DOCA_SUCCESS ||
	    poll(&handle, 1, COMCH_DEADLINE_S * 1000) != 1)
		worker->wrong = "it was not woken";
	(void)doca_pe_clear_notification(worker->half.pe, handle.fd);
}

/* Until the condition holds, or something is wrong. */
#define work_until(worker, condition)                                                              \
	while (!(condition) && (worker)->wrong == NULL)                                            \
		if (doca_pe_progress((worker)->half.pe) == 0)                                      \
	wait_for_news(worker)

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct worker *worker = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	uint64_t number = 0;
	void *data = NULL;

	if (doca_task_get_status(base) != DOCA_SUCCESS) {
		(void)doca_buf_dec_refcount(buf, NULL);
		doca_task_free(base);
		return;
	}
	(void)doca_buf_get_data(buf, &data);
	memcpy(&number, data, sizeof(number));
	if (number != worker->number++ && worker->num_producers == 1)
		worker->wrong = "a message out of its turn";
	(void)doca_buf_reset_data_len(buf);
	if (doca_task_submit(base) != DOCA_SUCCESS)
		worker->wrong = "a receive that cannot be posted again";
}

static void *consume(void *argument)
{
	struct worker *worker = argument;

	if (doca_ctx_start(worker->half.ctx) != DOCA_ERROR_IN_PROGRESS)
		worker->wrong = "no start";
	work_until(worker, fast_state(&worker->half) == DOCA_CTX_STATE_RUNNING);
	for (size_t i = 0; i < NUM_RECVS; i++)
		if (fast_post(&worker->half, fast_room(&worker->memory, 256 * i, 256), 0) !=
		    DOCA_SUCCESS)
			worker->wrong = "no receive";
	atomic_store(worker->consumer_id, worker->half.id);
	work_until(worker, worker->number == worker->num_producers * NUM_MESSAGES);
	(void)doca_ctx_stop(worker->half.ctx);
	work_until(worker, fast_state(&worker->half) == DOCA_CTX_STATE_IDLE);
	return NULL;
}

static void *produce(void *argument)
{
	struct worker *worker = argument;
	uint32_t id;

	if (doca_ctx_start(worker->half.ctx) != DOCA_SUCCESS)
		worker->wrong = "no start";
	while ((id = atomic_load(worker->consumer_id)) == 0 && worker->wrong == NULL)
		sched_yield();
	while (worker->number < NUM_MESSAGES && worker->wrong == NULL) {
		struct doca_buf *buf = fast_data(&worker->memory, 0, 8 + worker->number % 240);
		doca_error_t result;

		memcpy(worker->memory.bytes, &worker->number, sizeof(worker->number));
		result = fast_send(&worker->half, id, buf);
		if (result == DOCA_SUCCESS) {
			worker->number++;
			continue;
		}
		(void)doca_buf_dec_refcount(buf, NULL);
		if (result != DOCA_ERROR_AGAIN && result != DOCA_ERROR_NO_MEMORY)
			worker->wrong = "a send that is refused";
		if (doca_pe_progress(worker->half.pe) == 0)
			wait_for_news(worker);
	}
	work_until(worker, worker->half.num_done == NUM_MESSAGES);
	(void)doca_ctx_stop(worker->half.ctx);
	work_until(worker, fast_state(&worker->half) == DOCA_CTX_STATE_IDLE);
	return NULL;
}

static void open_worker(struct worker *worker, struct comch_end *end, bool consumes, bool waits,
			_Atomic uint32_t *consumer_id)
{
	*worker = (struct worker){
		.end = end, .waits = waits, .consumer_id = consumer_id, .num_producers = 1};
	fast_memory_open(&worker->memory, end->dev, 4096);
	if (!consumes) {
		fast_producer_open(&worker->half, end, NUM_RECVS, NULL);
		return;
	}
	fast_consumer_open(&worker->half, end, &worker->memory, NUM_RECVS, NULL);
	assert_doca(doca_comch_consumer_task_post_recv_set_conf(worker->half.consumer, on_received,
								on_received, NUM_RECVS),
		    DOCA_SUCCESS);
}

static void close_worker(struct worker *worker)
{
	if (worker->wrong != NULL)
		print_error("%s: %s\n", worker->half.consumer != NULL ? "a consumer" : "a producer",
			    worker->wrong);
	assert_null(worker->wrong);
	fast_close(&worker->half);
	fast_memory_close(&worker->memory);
}

/* Both ends have a thread, each consumer and each producer has another. */
static void exchange(struct comch_pair *pair, bool consumer_waits, bool producer_waits)
{
	struct comch_end *const ends[] = {&pair->client, &pair->server};
	struct worker consumers[2];
	struct worker producers[2];
	_Atomic uint32_t ids[2] = {0, 0};
	struct driver drivers[2];

	comch_connect(&pair->server, &pair->client);
	for (int side = 0; side < 2; side++) {
		open_worker(&consumers[side], ends[side], true, consumer_waits, &ids[side]);
		open_worker(&producers[side], ends[!side], false, producer_waits, &ids[side]);
	}
	for (int side = 0; side < 2; side++) {
		start_driver(&drivers[side], ends[side]);
		assert_int_equal(
			pthread_create(&consumers[side].thread, NULL, consume, &consumers[side]),
			0);
		assert_int_equal(
			pthread_create(&producers[side].thread, NULL, produce, &producers[side]),
			0);
	}
	for (int side = 0; side < 2; side++) {
		assert_int_equal(pthread_join(consumers[side].thread, NULL), 0);
		assert_int_equal(pthread_join(producers[side].thread, NULL), 0);
	}
	for (int side = 0; side < 2; side++)
		stop_driver(&drivers[side]);
	for (int side = 0; side < 2; side++) {
		close_worker(&consumers[side]);
		close_worker(&producers[side]);
	}
}

static void threads_that_spin_exchange_messages(void **state)
{
	exchange(*state, false, false);
}

static void threads_that_wait_exchange_messages(void **state)
{
	exchange(*state, true, true);
}

static void a_consumer_that_waits_keeps_up_with_a_producer_that_spins(void **state)
{
	exchange(*state, true, false);
}

static void a_producer_that_waits_keeps_up_with_a_consumer_that_spins(void **state)
{
	exchange(*state, false, true);
}

#define NUM_PRODUCERS 3

static void producers_of_many_threads_share_a_consumer(void **state)
{
	struct comch_pair *pair = *state;
	struct worker producers[NUM_PRODUCERS];
	_Atomic uint32_t id = 0;
	struct driver drivers[2];
	struct worker consumer;

	comch_connect(&pair->server, &pair->client);
	open_worker(&consumer, &pair->server, true, true, &id);
	consumer.num_producers = NUM_PRODUCERS;
	start_driver(&drivers[0], &pair->server);
	start_driver(&drivers[1], &pair->client);
	assert_int_equal(pthread_create(&consumer.thread, NULL, consume, &consumer), 0);
	for (int i = 0; i < NUM_PRODUCERS; i++) {
		open_worker(&producers[i], &pair->client, false, i % 2 == 0, &id);
		assert_int_equal(pthread_create(&producers[i].thread, NULL, produce, &producers[i]),
				 0);
	}
	for (int i = 0; i < NUM_PRODUCERS; i++)
		assert_int_equal(pthread_join(producers[i].thread, NULL), 0);
	assert_int_equal(pthread_join(consumer.thread, NULL), 0);
	stop_driver(&drivers[0]);
	stop_driver(&drivers[1]);
	for (int i = 0; i < NUM_PRODUCERS; i++)
		close_worker(&producers[i]);
	close_worker(&consumer);
}

/* Starts and stops over and over, until the connection has ended. */
static void *come_and_go(void *argument)
{
	struct worker *worker = argument;
	doca_error_t result = DOCA_SUCCESS;

	for (int i = 0; worker->wrong == NULL && result != DOCA_ERROR_NOT_CONNECTED; i++) {
		result = doca_ctx_start(worker->half.ctx);
		if (result != DOCA_ERROR_IN_PROGRESS && result != DOCA_ERROR_NOT_CONNECTED)
			worker->wrong = "no start";
		/* Now and then before the answer, else behind it. */
		if (i % 3 != 0)
			work_until(worker, fast_state(&worker->half) != DOCA_CTX_STATE_STARTING);
		if (fast_state(&worker->half) == DOCA_CTX_STATE_RUNNING) {
			struct doca_buf *buf = fast_room(&worker->memory, 0, 64);

			if (fast_post(&worker->half, buf, 0) != DOCA_SUCCESS)
				worker->wrong = "no receive";
		}
		(void)doca_ctx_stop(worker->half.ctx);
		work_until(worker, fast_state(&worker->half) == DOCA_CTX_STATE_IDLE);
		atomic_fetch_add(worker->consumer_id, 1);
	}
	return NULL;
}

static void consumers_come_and_go_until_the_connection_ends(void **state)
{
	struct comch_pair *pair = *state;
	struct comch_end *const ends[] = {&pair->client, &pair->server};
	_Atomic uint32_t num_rounds = 0;
	struct worker workers[2];
	struct driver driver;

	comch_hear_of_consumers(&pair->server);
	comch_connect(&pair->server, &pair->client);
	for (int side = 0; side < 2; side++) {
		open_worker(&workers[side], ends[side], true, side == 0, &num_rounds);
		assert_int_equal(
			pthread_create(&workers[side].thread, NULL, come_and_go, &workers[side]),
			0);
	}
	start_driver(&driver, &pair->server);
	while (atomic_load(&num_rounds) < (uint32_t)NUM_ROUNDS)
		if (doca_pe_progress(pair->client.pe) == 0)
			sched_yield();
	(void)doca_ctx_stop(pair->client.ctx);
	comch_until(&pair->client, NULL, comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	for (int side = 0; side < 2; side++)
		assert_int_equal(pthread_join(workers[side].thread, NULL), 0);
	stop_driver(&driver);
	for (int side = 0; side < 2; side++)
		close_worker(&workers[side]);
}

static void *spin(void *argument)
{
	struct worker *worker = argument;
	struct doca_buf *buf = fast_data(&worker->memory, 0, 64);
	doca_error_t result;

	/* No progress at all. */
	do {
		result = fast_send(&worker->half, atomic_load(worker->consumer_id), buf);
	} while (result == DOCA_ERROR_AGAIN);
	if (result != DOCA_SUCCESS)
		worker->wrong = "a send that is refused";
	return NULL;
}

static void a_sender_that_only_spins_gets_through_once_a_buffer_is_posted(void **state)
{
	struct fast_pair *pair = *state;
	_Atomic uint32_t id = pair->consumer.id;
	struct worker worker;

	open_worker(&worker, &pair->client, false, false, &id);
	assert_doca(doca_ctx_start(worker.half.ctx), DOCA_SUCCESS);
	assert_int_equal(pthread_create(&worker.thread, NULL, spin, &worker), 0);
	for (int i = 0; i < 1000; i++)
		doca_pe_progress(pair->consumer.pe);
	assert_int_equal(pair->consumer.num_done, 0);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_int_equal(pthread_join(worker.thread, NULL), 0);
	fast_until(&worker.half, worker.half.num_done == 1);
	close_worker(&worker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		comch_test(threads_that_spin_exchange_messages),
		comch_test(threads_that_wait_exchange_messages),
		comch_test(a_consumer_that_waits_keeps_up_with_a_producer_that_spins),
		comch_test(a_producer_that_waits_keeps_up_with_a_consumer_that_spins),
		comch_test(producers_of_many_threads_share_a_consumer),
		comch_test(consumers_come_and_go_until_the_connection_ends),
		fast_test(a_sender_that_only_spins_gets_through_once_a_buffer_is_posted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
