/* SPDX-License-Identifier: Apache-2.0 */
/* Consumers: what create and start want, who hears of them, how they stop. */
#include "support/comch_fast.h"
#include "support/fail_nth.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* Calls of the libraries that fail: the how-manieth from now, 0: none. */
static int calloc_fails_in;
static int memfd_fails_in;
static int socketpair_fails_in;
static int epoll_ctl_fails_in;

WRAPPED(void *, calloc, (size_t num, size_t size), (num, size), calloc_fails_in, NULL)
WRAPPED(int, memfd_create, (const char *name, unsigned flags), (name, flags), memfd_fails_in, -1)
WRAPPED(int, socketpair, (int domain, int type, int protocol, int ends[2]),
	(domain, type, protocol, ends), socketpair_fails_in, -1)

/* Packets with descriptors that the kernel refuses, though the socket has room. */
static unsigned num_refused_fds;

ssize_t __wrap_sendmsg(int fd, const struct msghdr *packet, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *packet, int flags);

ssize_t __wrap_sendmsg(int fd, const struct msghdr *packet, int flags)
{
	if (packet->msg_controllen == 0 || num_refused_fds == 0)
		return __real_sendmsg(fd, packet, flags);
	num_refused_fds--;
	errno = ETOOMANYREFS;
	return -1;
}

WRAPPED(int, epoll_ctl, (int poll_fd, int op, int fd, struct epoll_event *event),
	(poll_fd, op, fd, event), epoll_ctl_fails_in, -1)

static void null_is_refused(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *consumer = pair->consumer.consumer;
	struct doca_comch_consumer *made = (void *)pair;
	uint32_t number = 77;

#define REFUSED(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)
	REFUSED(doca_comch_consumer_create(NULL, pair->to.mmap, &made));
	REFUSED(doca_comch_consumer_create(pair->server.peer, NULL, &made));
	REFUSED(doca_comch_consumer_create(pair->server.peer, pair->to.mmap, NULL));
	REFUSED(doca_comch_consumer_destroy(NULL));
	REFUSED(doca_comch_consumer_get_id(NULL, &number));
	REFUSED(doca_comch_consumer_get_id(consumer, NULL));
	REFUSED(doca_comch_consumer_get_imm_data_len(NULL, &number));
	REFUSED(doca_comch_consumer_get_imm_data_len(consumer, NULL));
	REFUSED(doca_comch_consumer_set_imm_data_len(NULL, 1));
	REFUSED(doca_comch_consumer_task_post_recv_set_conf(NULL, fast_on_received,
							    fast_on_received, 1));
	REFUSED(doca_comch_consumer_task_post_recv_set_conf(consumer, NULL, fast_on_received, 1));
	REFUSED(doca_comch_consumer_task_post_recv_set_conf(consumer, fast_on_received, NULL, 1));
#undef REFUSED
	assert_ptr_equal(made, pair);
	assert_int_equal(number, 77);
	assert_null(doca_comch_consumer_as_ctx(NULL));
}

static void settings_are_bounded_and_of_an_idle_consumer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *consumer = pair->consumer.consumer;
	uint32_t len = 0;

	assert_doca(doca_comch_consumer_get_imm_data_len(consumer, &len), DOCA_SUCCESS);
	assert_int_equal(len, 32);
	assert_doca(doca_comch_consumer_set_imm_data_len(consumer, 33), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_set_imm_data_len(consumer, 0), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_get_imm_data_len(consumer, &len), DOCA_SUCCESS);
	assert_int_equal(len, 0);
#define SET_CONF(num)                                                                              \
	doca_comch_consumer_task_post_recv_set_conf(consumer, fast_on_received, fast_on_received,  \
						    num)
	assert_doca(SET_CONF(0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SET_CONF(8193), DOCA_ERROR_INVALID_VALUE);
	assert_doca(SET_CONF(8192), DOCA_SUCCESS);
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
	assert_doca(SET_CONF(1), DOCA_ERROR_BAD_STATE);
#undef SET_CONF
	assert_doca(doca_comch_consumer_set_imm_data_len(consumer, 1), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_comch_consumer_destroy(consumer), DOCA_ERROR_IN_USE);
}

/* A map of the server's device, not started. */
static struct doca_mmap *make_map(struct fast_pair *pair, uint32_t access)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, pair->server.dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, pair->to.bytes, 4096), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, access), DOCA_SUCCESS);
	return mmap;
}

static void the_map_is_started_and_may_be_written_by_the_peer(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_mmap *local = make_map(pair, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	struct doca_mmap *right =
		make_map(pair, DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	struct doca_comch_consumer *made = NULL;

	assert_doca(doca_comch_consumer_create(pair->server.peer, right, &made),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_mmap_start(local), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_create(pair->server.peer, local, &made),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_null(made);
	assert_doca(doca_mmap_start(right), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_create(pair->server.peer, right, &made), DOCA_SUCCESS);
	/* It is kept until the consumer's end, which it does not outlive by an address alone. */
	assert_doca(doca_mmap_stop(right), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_destroy(right), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_comch_consumer_destroy(made), DOCA_SUCCESS);
	calloc_fails_in = 1;
	assert_doca(doca_comch_consumer_create(pair->server.peer, right, &made),
		    DOCA_ERROR_NO_MEMORY);
	assert_doca(doca_mmap_stop(right), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(local), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(right), DOCA_SUCCESS);
}

static void imported_memory_is_no_place_to_receive(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *made = NULL;
	struct doca_mmap *import = NULL;
	const void *descriptor = NULL;
	size_t len = 0;

	assert_doca(doca_mmap_export_pci(pair->to.mmap, pair->server.dev, &descriptor, &len),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_create_from_export(NULL, descriptor, len, pair->server.dev, &import),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_create(pair->server.peer, import, &made),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_null(made);
	assert_doca(doca_mmap_destroy(import), DOCA_SUCCESS);
}

static void a_connection_that_is_over_gets_no_consumer_and_no_start(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *made = NULL;
	struct doca_comch_producer *producer = NULL;

	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_create(pair->client.peer, pair->from.mmap, &made),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_comch_producer_create(pair->client.peer, &producer), DOCA_ERROR_BAD_STATE);
	assert_null(made);
	assert_null(producer);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_ERROR_NOT_CONNECTED);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_NOT_CONNECTED);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
}

static void start_wants_tasks_and_an_engine(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *consumer = NULL;
	struct doca_pe *pe = NULL;

	assert_doca(doca_comch_consumer_create(pair->client.peer, pair->from.mmap, &consumer),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(doca_comch_consumer_as_ctx(consumer)), DOCA_ERROR_NOT_CONNECTED);
	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(pe, doca_comch_consumer_as_ctx(consumer)), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(doca_comch_consumer_as_ctx(consumer)), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_comch_consumer_destroy(consumer), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
}

static void what_there_is_no_memory_or_descriptor_for_can_be_tried_again(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_comch_consumer *made = NULL;
	/* Tasks, which are kept then, ring, call, two queues; the rest is what is shared. */
	int *const fails[] = {
		&calloc_fails_in,    &calloc_fails_in,	  &calloc_fails_in,	&calloc_fails_in,
		&calloc_fails_in,    &memfd_fails_in,	  &socketpair_fails_in, &epoll_ctl_fails_in,
		&epoll_ctl_fails_in, &epoll_ctl_fails_in,
	};
	const int in[] = {1, 2, 2, 3, 4, 1, 1, 1, 2, 3};
	/* One of the last watches the peer. */
	const size_t num_fails = sizeof(in) / sizeof(in[0]) - (comch_has_pidfds() ? 0 : 1);
	unsigned num_fds = comch_num_fds();

	calloc_fails_in = 1;
	assert_doca(doca_comch_consumer_create(pair->server.peer, pair->to.mmap, &made),
		    DOCA_ERROR_NO_MEMORY);
	for (size_t i = 0; i < num_fails; i++) {
		*fails[i] = in[i];
		assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_INITIALIZATION);
		assert_int_equal(*fails[i], 0);
		assert_int_equal(comch_num_fds(), num_fds);
		assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
	}
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
}

static void start_waits_for_the_peers_answer(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STARTING);
	/* Its own side alone can not answer. */
	for (int i = 0; i < 100; i++) {
		doca_pe_progress(pair->server.pe);
		doca_pe_progress(pair->consumer.pe);
	}
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STARTING);
	comch_until(&pair->client, NULL, pair->client.num_new == 1);
	/* Nor is it told before its own side has heard. */
	for (int i = 0; i < 100; i++)
		doca_pe_progress(pair->consumer.pe);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STARTING);
	for (int i = 0; i < 100; i++)
		doca_pe_progress(pair->server.pe);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STARTING);
	assert_int_equal(doca_pe_progress(pair->consumer.pe), 1);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_RUNNING);
	assert_int_equal(pair->client.new_id, pair->consumer.id);
	assert_int_equal(pair->client.num_expired, 0);
	assert_int_equal(pair->server.num_new, 0);
}

static void the_peer_hears_of_its_end_and_of_another_start(void **state)
{
	struct fast_pair *pair = *state;

	for (unsigned i = 1; i <= 3; i++) {
		fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
		assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_SUCCESS);
		comch_until(&pair->server, &pair->client, pair->client.num_expired == i);
		assert_int_equal(pair->client.expired_id, pair->consumer.id);
	}
}

static void a_peer_that_does_not_want_to_hear_answers_all_the_same(void **state)
{
	struct comch_pair *pair = *state;
	struct fast_memory memory;
	struct fast_half consumer = {.pe = NULL};

	comch_connect(&pair->server, &pair->client);
	fast_memory_open(&memory, pair->client.dev, 4096);
	fast_consumer_open(&consumer, &pair->client, &memory, 1, pair->client.pe);
	assert_doca(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client, fast_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	fast_close(&consumer);
	fast_memory_close(&memory);
}

static void a_consumer_stops_while_it_starts(void **state)
{
	struct fast_pair *pair = *state;

	/* Before the peer has heard, */
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(doca_pe_progress(pair->consumer.pe), 1);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
	/* when it has been told, */
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	for (int i = 0; i < 100; i++)
		doca_pe_progress(pair->server.pe);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	comch_until(&pair->server, &pair->client, pair->client.num_expired == 1);
	assert_int_equal(pair->client.num_new, 1);
	/* and when the answer is on its way. */
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client, pair->client.num_new == 2);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	comch_until(&pair->server, &pair->client, pair->client.num_expired == 2);
	assert_int_equal(pair->consumer.num_states, 9);
	fast_consumer_start(&pair->consumer, &pair->server, &pair->client);
}

static void a_consumer_stops_in_its_own_running_callback(void **state)
{
	struct fast_pair *pair = *state;

	pair->consumer.stops_when_running = true;
	pair->consumer.destroys_when_idle = true;
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client,
		    (doca_pe_progress(pair->consumer.pe), pair->consumer.ctx == NULL));
	assert_doca(pair->consumer.inner, DOCA_SUCCESS);
	assert_int_equal(pair->consumer.num_states, 4);
	assert_int_equal(pair->consumer.states[1], DOCA_CTX_STATE_RUNNING);
	assert_int_equal(pair->consumer.states[2], DOCA_CTX_STATE_STOPPING);
	/* The client stops; then the server, in the teardown. */
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
}

static void posted_receives_come_back_when_it_stops(void **state)
{
	struct fast_pair *pair = *state;

	for (uint64_t i = 0; i < 3; i++)
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STOPPING);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->consumer.num_failed, 3);
	for (uint64_t i = 0; i < 3; i++) {
		assert_doca(pair->consumer.seen[i].status, DOCA_ERROR_IO_FAILED);
		assert_int_equal(pair->consumer.seen[i].user_data, i);
		assert_int_equal(pair->consumer.seen[i].producer_id, 0);
		assert_false(pair->consumer.seen[i].has_imm);
		assert_int_equal(pair->consumer.seen[i].data_len, 0);
	}
}

static void what_was_sent_before_a_stop_is_received(void **state)
{
	struct fast_pair *pair = *state;

	for (uint64_t i = 0; i < 4; i++)
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
	for (uint64_t i = 0; i < 2; i++)
		assert_doca(fast_send(&pair->producer, pair->consumer.id,
				      fast_data(&pair->from, 0, 10)),
			    DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->consumer.num_done, 2);
	assert_int_equal(pair->consumer.num_failed, 2);
	assert_int_equal(pair->consumer.seen[1].data_len, 10);
	fast_until(&pair->producer, pair->producer.num_done == 2);
}

static void a_consumer_stops_and_dies_in_its_callback(void **state)
{
	struct fast_pair *pair = *state;

	pair->consumer.stops_when_done = true;
	pair->consumer.destroys_when_idle = true;
	for (uint64_t i = 0; i < 2; i++)
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	fast_until(&pair->consumer, pair->consumer.ctx == NULL);
	assert_doca(pair->consumer.inner, DOCA_SUCCESS);
	assert_int_equal(pair->consumer.num_done, 1);
	assert_int_equal(pair->consumer.num_failed, 1);
}

static void a_consumer_whose_connection_ends_stops_by_itself(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64, 64), 1), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	/* The consumer's own control side ends first. */
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->server) == DOCA_CTX_STATE_IDLE);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->consumer.num_done, 1);
	assert_int_equal(pair->consumer.num_failed, 1);
	assert_doca(pair->consumer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(pair->consumer.states[2], DOCA_CTX_STATE_STOPPING);
}

static void a_consumer_sees_by_itself_that_its_peer_has_closed(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 0), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	/* The server, which could tell, is not progressed. */
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->consumer.num_failed, 1);
	assert_doca(pair->consumer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(pair->server.num_disconnects, 0);
}

static void a_peer_that_goes_on_sending_keeps_no_consumer_alive(void **state)
{
	struct fast_pair *pair = *state;
	unsigned num_sent = 0;

	pair->consumer.resubmits = true;
	for (uint64_t i = 0; i < 4; i++)
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 64 * i, 64), i),
			    DOCA_SUCCESS);
	/* The client, whose producer sends, does not hear of the end. */
	assert_doca(doca_ctx_stop(pair->server.ctx), DOCA_ERROR_IN_PROGRESS);
	while (fast_state(&pair->consumer) == DOCA_CTX_STATE_RUNNING && num_sent < 1000) {
		if (fast_send_imm(&pair->producer, pair->consumer.id, NULL, "1", 1) == DOCA_SUCCESS)
			num_sent++;
		doca_pe_progress(pair->producer.pe);
		doca_pe_progress(pair->consumer.pe);
	}
	assert_true(num_sent < 1000);
	/* What is received while it stops cannot be posted again. */
	pair->consumer.resubmits = false;
}

static void a_consumer_outlives_its_client(void **state)
{
	struct comch_pair *pair = *state;
	struct fast_memory memory;
	struct fast_half consumer = {.pe = NULL};
	struct comch_end other = {.server = NULL};

	comch_server_open(&other, "outlived", NULL);
	comch_end_close(&pair->client);
	memset(&pair->client, 0, sizeof(pair->client));
	comch_client_open(&pair->client, "outlived", NULL);
	comch_connect(&other, &pair->client);
	fast_memory_open(&memory, pair->client.dev, 4096);
	fast_consumer_open(&consumer, &pair->client, &memory, 1, NULL);
	assert_doca(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_client_destroy(pair->client.client), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(pair->client.pe), DOCA_SUCCESS);
	assert_doca(doca_dev_close(pair->client.dev), DOCA_ERROR_IN_USE);
	fast_until(&consumer, fast_state(&consumer) == DOCA_CTX_STATE_IDLE);
	assert_int_equal(consumer.num_states, 3);
	fast_close(&consumer);
	fast_memory_close(&memory);
	assert_doca(doca_dev_close(pair->client.dev), DOCA_SUCCESS);
	comch_end_close(&other);
	memset(&pair->client, 0, sizeof(pair->client));
	comch_client_open(&pair->client, "pair", NULL);
}

static bool is_readable(struct doca_pe *pe, int wait_ms)
{
	struct pollfd handle = {.events = POLLIN};

	assert_doca(doca_pe_get_notification_handle(pe, &handle.fd), DOCA_SUCCESS);
	return poll(&handle, 1, wait_ms) == 1;
}

static void whoever_waits_is_woken_by_the_answer_a_message_and_the_end(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_pe *pe = pair->consumer.pe;

	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_false(is_readable(pe, 0));
	comch_until(&pair->server, &pair->client, is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(pe), 1);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_RUNNING);

	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	for (uint64_t i = 0; i < 3; i++) {
		assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), i),
			    DOCA_SUCCESS);
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
		assert_false(is_readable(pe, 0));
		assert_doca(fast_send(&pair->producer, pair->consumer.id,
				      fast_data(&pair->from, 0, 10)),
			    DOCA_SUCCESS);
		assert_true(is_readable(pe, COMCH_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
		assert_false(is_readable(pe, 0));
		assert_int_equal(doca_pe_progress(pe), 1);
		assert_int_equal(pair->consumer.num_done, i + 1);
		assert_int_equal(doca_pe_progress(pe), 0);
		fast_until(&pair->producer, pair->producer.num_done == i + 1);
	}
	/* A message that is there when he begins to wait. */
	assert_doca(fast_post(&pair->consumer, fast_room(&pair->to, 0, 64), 3), DOCA_SUCCESS);
	assert_doca(fast_send(&pair->producer, pair->consumer.id, fast_data(&pair->from, 0, 10)),
		    DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_true(is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(pe), 1);
	/* And the end of the connection. */
	assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
	assert_false(is_readable(pe, 0));
	assert_doca(doca_ctx_stop(pair->client.ctx), DOCA_SUCCESS);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
	assert_true(is_readable(pe, 0));
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
}

static void descriptors_that_the_kernel_refuses_are_sent_later_without_a_spin(void **state)
{
	struct fast_pair *pair = *state;
	struct doca_pe *pe = pair->server.pe;
	unsigned num_tries;

	num_refused_fds = 1000;
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	/* By a timer that waits twice as long each time, a millisecond at first. */
	for (int i = 0; i < 100; i++) {
		assert_doca(doca_pe_request_notification(pe), DOCA_SUCCESS);
		if (!is_readable(pe, 20))
			break;
		assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
		while (doca_pe_progress(pe) != 0)
			;
	}
	assert_doca(doca_pe_clear_notification(pe, 0), DOCA_SUCCESS);
	num_tries = 1000 - num_refused_fds;
	num_refused_fds = 0;
	assert_in_range(num_tries, 2, 20);
	comch_until(&pair->server, &pair->client,
		    (doca_pe_progress(pair->consumer.pe),
		     fast_state(&pair->consumer) == DOCA_CTX_STATE_RUNNING));
}

/* What the events below do: told by the context's user data, as those of the fixture are. */
static struct fast_half made_in_event;

static void on_new_make(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *comch_connection, uint32_t id)
{
	struct comch_end *end = comch_end_of(comch_connection);

	end->peer = comch_connection;
	fast_producer_open(&made_in_event, end, 1, end->pe);
	end->inner = doca_ctx_start(made_in_event.ctx);
	end->new_id = id;
}

static void on_new_stop(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *comch_connection, uint32_t id)
{
	struct comch_end *end = comch_end_of(comch_connection);

	end->inner = doca_ctx_stop(end->ctx);
}

static void on_expired(struct doca_comch_event_consumer *event,
		       struct doca_comch_connection *comch_connection, uint32_t id)
{
}

static void the_event_is_a_place_to_make_a_producer(void **state)
{
	struct comch_pair *pair = *state;
	struct fast_memory memory;
	struct fast_half consumer = {.pe = NULL};

	made_in_event = (struct fast_half){.pe = NULL};
	assert_doca(doca_comch_server_event_consumer_register(pair->server.server, on_new_make,
							      on_expired),
		    DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	fast_memory_open(&memory, pair->client.dev, 4096);
	fast_consumer_open(&consumer, &pair->client, &memory, 1, pair->client.pe);
	assert_doca(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client, fast_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	assert_doca(pair->server.inner, DOCA_SUCCESS);
	assert_doca(fast_post(&consumer, NULL, 0), DOCA_SUCCESS);
	assert_doca(fast_send_imm(&made_in_event, pair->server.new_id, NULL, "1", 1), DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client, consumer.num_done == 1);
	fast_close(&consumer);
	fast_close(&made_in_event);
	fast_memory_close(&memory);
}

static void the_event_may_stop_its_side(void **state)
{
	struct comch_pair *pair = *state;
	struct fast_memory memory;
	struct fast_half consumer = {.pe = NULL};

	assert_doca(doca_comch_client_event_consumer_register(pair->client.client, on_new_stop,
							      on_expired),
		    DOCA_SUCCESS);
	comch_connect(&pair->server, &pair->client);
	fast_memory_open(&memory, pair->server.dev, 4096);
	fast_consumer_open(&consumer, &pair->server, &memory, 1, pair->server.pe);
	assert_doca(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE &&
			    fast_state(&consumer) == DOCA_CTX_STATE_IDLE);
	assert_doca(pair->client.inner, DOCA_ERROR_IN_PROGRESS);
	fast_close(&consumer);
	fast_memory_close(&memory);
}

static void a_server_keeps_a_client_whose_consumer_is_not_idle(void **state)
{
	struct fast_pair *pair = *state;

	assert_doca(doca_comch_server_disconnect(pair->server.server, pair->server.peer),
		    DOCA_ERROR_IN_USE);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_SUCCESS);
	/* The client's own producer is no matter of the server's. */
	assert_doca(doca_comch_server_disconnect(pair->server.server, pair->server.peer),
		    DOCA_SUCCESS);
	comch_until(&pair->server, &pair->client,
		    comch_state(&pair->client) == DOCA_CTX_STATE_IDLE);
	fast_until(&pair->producer, fast_state(&pair->producer) == DOCA_CTX_STATE_IDLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fast_test(null_is_refused),
		fast_idle_test(settings_are_bounded_and_of_an_idle_consumer),
		fast_test(the_map_is_started_and_may_be_written_by_the_peer),
		fast_test(imported_memory_is_no_place_to_receive),
		fast_idle_test(a_connection_that_is_over_gets_no_consumer_and_no_start),
		fast_test(start_wants_tasks_and_an_engine),
		fast_idle_test(what_there_is_no_memory_or_descriptor_for_can_be_tried_again),
		fast_idle_test(start_waits_for_the_peers_answer),
		fast_idle_test(the_peer_hears_of_its_end_and_of_another_start),
		comch_test(a_peer_that_does_not_want_to_hear_answers_all_the_same),
		fast_idle_test(a_consumer_stops_while_it_starts),
		fast_idle_test(a_consumer_stops_in_its_own_running_callback),
		fast_test(posted_receives_come_back_when_it_stops),
		fast_test(what_was_sent_before_a_stop_is_received),
		fast_test(a_consumer_stops_and_dies_in_its_callback),
		fast_test(a_consumer_whose_connection_ends_stops_by_itself),
		fast_test(a_consumer_sees_by_itself_that_its_peer_has_closed),
		fast_test(a_peer_that_goes_on_sending_keeps_no_consumer_alive),
		comch_test(a_consumer_outlives_its_client),
		fast_idle_test(whoever_waits_is_woken_by_the_answer_a_message_and_the_end),
		fast_idle_test(descriptors_that_the_kernel_refuses_are_sent_later_without_a_spin),
		comch_test(the_event_is_a_place_to_make_a_producer),
		comch_test(the_event_may_stop_its_side),
		fast_test(a_server_keeps_a_client_whose_consumer_is_not_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
