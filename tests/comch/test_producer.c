/* SPDX-License-Identifier: Apache-2.0 */
/* Producers: what create and start want, how they wait for room, how they stop. */
#include "support/comch_fast.h"
#include "support/fail_nth.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/wait.h>

/* Calls of the libraries that fail: the how-manieth from now, 0: none. */
static int calloc_fails_in;
static int epoll_create_fails_in;
static int epoll_ctl_fails_in;

WRAPPED(void *, calloc, (size_t num, size_t size), (num, size), calloc_fails_in, NULL)
WRAPPED(int, epoll_create1, (int flags), (flags), epoll_create_fails_in, -1)
WRAPPED(int, epoll_ctl, (int poll_fd, int op, int fd, struct epoll_event *event),
	(poll_fd, op, fd, event), epoll_ctl_fails_in, -1)

static void null_is_refused(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer *producer = pair->producer.producer;
	struct doca_comch_producer *made = (void *)pair;
	uint32_t number = 77;

#define REFUSED(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
	REFUSED(doca_comch_producer_create(NULL, &made));
	REFUSED(doca_comch_producer_create(pair->client.peer, NULL));
	REFUSED(doca_comch_producer_destroy(NULL));
	REFUSED(doca_comch_producer_get_id(NULL, &number));
	REFUSED(doca_comch_producer_get_id(producer, NULL));
	REFUSED(doca_comch_producer_task_send_set_conf(NULL, fast_on_sent, fast_on_sent, 1));
	REFUSED(doca_comch_producer_task_send_set_conf(producer, NULL, fast_on_sent, 1));
	REFUSED(doca_comch_producer_task_send_set_conf(producer, fast_on_sent, NULL, 1));
#undef REFUSED
	assert_ptr_equal(made, pair);
	assert_int_equal(number, 77);
	assert_null(doca_comch_producer_as_ctx(NULL));
}

static void tasks_are_bounded_and_of_an_idle_producer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer *producer = pair->producer.producer;

#define SET_CONF(num)                                                                              \
	doca_comch_producer_task_send_set_conf(producer, fast_on_sent, fast_on_sent, num)
	assert_doca(SET_CONF(0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SET_CONF(8193), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SET_CONF(8192), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(SET_CONF(1), DOCA_ERROR_BAD_STATE);
#undef SET_CONF
	assert_doca(doca_comch_producer_destroy(producer), DOCA_ERROR_IN_USE);
	assert_int_equal(pair->producer.num_states, 1);
	assert_int_equal(pair->producer.states[0], DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_ctx_stop(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
}

static void start_wants_tasks_and_an_engine(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer *producer = NULL;
	struct doca_pe *pe = NULL;

	assert_doca(doca_comch_producer_create(pair->server.peer, &producer), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(doca_comch_producer_as_ctx(producer)), DOCA_ERROR_NOT_CONNECTED);
	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(pe, doca_comch_producer_as_ctx(producer)), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(doca_comch_producer_as_ctx(producer)), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_producer_destroy(producer), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
}

static void what_there_is_no_memory_or_descriptor_for_can_be_tried_again(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer *made = NULL;
	int *const fails[] = {&calloc_fails_in, &epoll_create_fails_in, &epoll_ctl_fails_in};
	unsigned num_fds = comch_num_fds();

	calloc_fails_in = 1;
	assert_doca(doca_comch_producer_create(pair->client.peer, &made), DOCA_ERROR_NO_MEMORY);
	assert_null(made);
	for (size_t i = 0; i < sizeof(fails) / sizeof(fails[0]); i++) {
		*fails[i] = 1;
		assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_ERROR_INITIALIZATION);
		assert_int_equal(*fails[i], 0);
		assert_int_equal(comch_num_fds(), num_fds);
		assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_IDLE);
	}
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_server_disconnect(pair->server.server, pair->server.peer),
		    DOCA_SUCCESS);
}

static void a_producer_stops_and_dies_in_its_callback(void **state)
{
	struct fast_pair *pair = *state;

	pair->producer.stops_when_done = true;
	pair->producer.destroys_when_idle = true;
	for (uint64_t i = 0; i < 2; i++) {
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
		assert_doca(fast_send(&pair->producer, pair->consumer.id,
				      fast_data(&pair->from, 0, 10)),
			    DOCA_SUCCESS);
	}
	fast_until(&pair->producer, pair->producer.ctx == NULL);
	assert_doca(pair->producer.inner, DOCA_SUCCESS);
	/* Both were handed over before the stop. */
	assert_int_equal(pair->producer.num_done, 2);
	fast_until(&pair->consumer, pair->consumer.num_done == 2);
}

static void a_producer_stops_in_its_own_running_callback(void **state)
{
	struct fast_pair *pair = *state;

	pair->producer.stops_when_running = true;
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(pair->producer.inner, DOCA_ERROR_IN_PROGRESS);
	fast_until(&pair->producer, fast_state(&pair->producer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->producer.num_states, 3);
}

static bool is_readable(struct doca_pe *pe, int wait_ms)
{
	struct pollfd handle = {.events = POLLIN};

	assert_doca(doca_pe_get_notification_handle(pe, &handle.fd), DOCA_SUCCESS);
	return poll(&handle, 1, wait_ms) == 1;
}

static void whoever_was_refused_is_woken_by_a_posted_buffer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_pe *pe = pair->producer.pe;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);
	struct doca_comch_producer_task_send *task = NULL;

	pair->producer.keeps_tasks = true;
	assert_doca(doca_comch_producer_task_send_alloc_init(pair->producer.producer, buf, NULL, 0,
							     pair->consumer.id, &task),
		    DOCA_SUCCESS);
	/* Nobody waits for room, so that the handle stays silent. */
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_false(is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	for (unsigned i = 1; i <= 3; i++) {
		struct doca_task *base = doca_comch_producer_task_send_as_task(task);

		assert_doca(doca_task_submit(base), DOCA_SUCCESS);
		fast_until(&pair->producer, pair->producer.num_done == i);
		assert_doca(doca_task_submit(base), DOCA_ERROR_AGAIN);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
		assert_false(is_readable(pe, 0));
		fast_until(&pair->consumer, pair->consumer.num_done == i);
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), i),
			    DOCA_SUCCESS);
		assert_true(is_readable(pe, COMCH_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
		assert_false(is_readable(pe, 0));
	}
	/* Room that came before he began to wait. */
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(task)), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 4);
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(task)),
		    DOCA_ERROR_AGAIN);
	fast_until(&pair->consumer, pair->consumer.num_done == 4);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 5), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_true(is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	doca_task_free(doca_comch_producer_task_send_as_task(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

/* Woken once, progressed once, and not submitted again: there is nothing to wake for. */
static void assert_woken_once(struct fast_pair *pair)
{
	struct doca_pe *pe = pair->producer.pe;

	assert_true(is_readable(pe, COMCH_DEADLINE_S * 1000));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	(void)doca_pe_progress(pe);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_false(is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
}

static void whoever_was_woken_and_does_not_submit_is_not_woken_again(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_pe *pe = pair->producer.pe;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);

	/* By room that comes while he waits, */
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_woken_once(pair);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 1);
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	/* or before, also for who has progressed meanwhile, */
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	(void)doca_pe_progress(pe);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_woken_once(pair);
	assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_done == 2);
	fast_until(&pair->consumer, pair->consumer.num_done == 2);
	/* or by the consumer's end. */
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, pair->client.num_expired == 1);
	assert_woken_once(pair);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

static void whoever_cannot_be_woken_does_not_wait(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_pe *pe = pair->producer.pe;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);

	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	/* The first is the engine's. */
	epoll_ctl_fails_in = 2;
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	while (epoll_ctl_fails_in != 0) {
		assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	}
	epoll_ctl_fails_in = 0;
	assert_true(is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

static void the_end_of_a_consumer_wakes_who_waits_for_it(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_buf *buf = fast_data(&pair->from, 0, 10);

	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_ERROR_AGAIN);
	assert_doca(doca_pe_request_notification(pair->producer.pe), DOCA_SUCCESS);
	assert_false(is_readable(pair->producer.pe, 0));
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_SUCCESS);
	assert_true(is_readable(pair->producer.pe, COMCH_DEADLINE_S * 1000));
	assert_doca(doca_pe_clear_notification(pair->producer.pe, 0), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, buf), DOCA_SUCCESS);
	fast_until(&pair->producer, pair->producer.num_failed == 1);
	assert_doca(pair->producer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_RUNNING);
}

static void a_producer_whose_connection_ends_stops_by_itself(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(pair->producer.pe), DOCA_SUCCESS);
	assert_doca(doca_pe_clear_notification(pair->producer.pe, 0), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(pair->producer.pe), 1);
	assert_doca(doca_pe_request_notification(pair->producer.pe), DOCA_SUCCESS);
	assert_false(is_readable(pair->producer.pe, 0));
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	assert_true(is_readable(pair->producer.pe, 0));
	assert_doca(doca_pe_clear_notification(pair->producer.pe, 0), DOCA_SUCCESS);
	/* Before it has heard a send fails. */
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	fast_until(&pair->producer, fast_state(&pair->producer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->producer.num_done, 1);
	assert_int_equal(pair->producer.num_failed, 1);
	assert_doca(pair->producer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(pair->producer.states[1], DOCA_CTX_STATE_STOPPING);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_ERROR_NOT_CONNECTED);
}

/* The number of the first thing that is not as it has to be, 0: all is. */
static int try_in_child(struct fast_pair *pair, struct doca_task *send, struct doca_task *recv)
{
	struct doca_comch_producer_task_send *more = NULL;
	struct doca_comch_consumer *consumer = NULL;
	struct doca_comch_producer *producer = NULL;

	if (doca_task_submit(send) != DOCA_ERROR_BAD_STATE ||
	    doca_task_submit(recv) != DOCA_ERROR_BAD_STATE ||
	    fast_post(&pair->consumer, NULL, 0) != DOCA_ERROR_BAD_STATE)
		return 1;
	if (doca_comch_producer_task_send_alloc_init(pair->producer.producer, NULL, NULL, 0, 1,
						     &more) != DOCA_ERROR_BAD_STATE ||
	    doca_comch_consumer_create(pair->server.peer, pair->to.mmap, &consumer) !=
		    DOCA_ERROR_BAD_STATE ||
	    doca_comch_producer_create(pair->client.peer, &producer) != DOCA_ERROR_BAD_STATE)
		return 2;
	/* What the parent has posted, and what was sent there, is the parent's. */
	if (doca_pe_progress(pair->consumer.pe) != 0)
		return 3;
	doca_task_free(send);
	doca_task_free(recv);
	if (doca_ctx_stop(pair->producer.ctx) != DOCA_SUCCESS ||
	    doca_ctx_stop(pair->consumer.ctx) != DOCA_ERROR_IN_PROGRESS)
		return 4;
	for (int i = 0; i < 10; i++)
		(void)doca_pe_progress(pair->consumer.pe);
	if (pair->consumer.num_failed != 2 || pair->consumer.last_status != DOCA_ERROR_IO_FAILED)
		return 5;
	if (doca_ctx_start(pair->producer.ctx) != DOCA_ERROR_BAD_STATE)
		return 6;
	return doca_comch_producer_destroy(pair->producer.producer) == DOCA_SUCCESS &&
			       doca_comch_consumer_destroy(pair->consumer.consumer) == DOCA_SUCCESS
		       ? 0
		       : 7;
}

static void a_forked_child_can_only_end_its_parents_halves(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_producer_task_send *send = NULL;
	struct doca_comch_consumer_task_post_recv *recv = NULL;
	int status = -1;
	pid_t pid;

	assert_doca(doca_comch_producer_task_send_alloc_init(pair->producer.producer, NULL,
							     (uint8_t *)"1", 1, pair->consumer.id,
							     &send),
		    DOCA_SUCCESS);
	assert_doca(
		doca_comch_consumer_task_post_recv_alloc_init(pair->consumer.consumer, NULL, &recv),
		DOCA_SUCCESS);
	for (uint64_t i = 0; i < 2; i++)
		assert_doca(fast_post(&pair->consumer, NULL, i), DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(send)), DOCA_SUCCESS);
	pair->producer.keeps_tasks = true;
	fast_until(&pair->producer, pair->producer.num_done == 1);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(try_in_child(pair, doca_comch_producer_task_send_as_task(send),
				   doca_comch_consumer_task_post_recv_as_task(recv)));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	/* The parent goes on, and is woken, as if there had been none. */
	fast_until(&pair->consumer, pair->consumer.num_done == 1);
	assert_doca(doca_pe_request_notification(pair->consumer.pe), DOCA_SUCCESS);
	assert_false(is_readable(pair->consumer.pe, 0));
	assert_doca(doca_task_submit(doca_comch_producer_task_send_as_task(send)), DOCA_SUCCESS);
	assert_true(is_readable(pair->consumer.pe, COMCH_DEADLINE_S * 1000));
	assert_doca(doca_pe_clear_notification(pair->consumer.pe, 0), DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.num_done == 2);
	assert_int_equal(pair->client.num_expired, 0);
	fast_until(&pair->producer, pair->producer.num_done == 2);
	doca_task_free(doca_comch_producer_task_send_as_task(send));
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(recv));
}

static void send_again(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		       union doca_data ctx_user_data)
{
	struct fast_half *half = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);

	half->num_failed++;
	if (doca_task_submit(base) != DOCA_SUCCESS)
		doca_task_free(base);
}

static void sends_that_fail_without_end_keep_no_producer_alive(void **state)
{
	struct fast_pair *pair = *state;

	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
	assert_doca(doca_comch_producer_task_send_set_conf(pair->producer.producer, send_again,
							   send_again, 2),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_doca(fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1),
			    DOCA_SUCCESS);
	fast_until(&pair->producer, fast_state(&pair->producer) == DOCA_CTX_STATE_IDLE);
	assert_in_range(pair->producer.num_failed, 2, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fast_idle_test(null_is_refused),
		fast_idle_test(tasks_are_bounded_and_of_an_idle_producer),
		fast_test(start_wants_tasks_and_an_engine),
		fast_idle_test(what_there_is_no_memory_or_descriptor_for_can_be_tried_again),
		fast_test(a_producer_stops_and_dies_in_its_callback),
		fast_idle_test(a_producer_stops_in_its_own_running_callback),
		fast_test(whoever_was_refused_is_woken_by_a_posted_buffer),
		fast_test(whoever_was_woken_and_does_not_submit_is_not_woken_again),
		fast_test(whoever_cannot_be_woken_does_not_wait),
		fast_test(the_end_of_a_consumer_wakes_who_waits_for_it),
		fast_test(a_producer_whose_connection_ends_stops_by_itself),
		fast_test(a_forked_child_can_only_end_its_parents_halves),
		fast_idle_test(sends_that_fail_without_end_keep_no_producer_alive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
