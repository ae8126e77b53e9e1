/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server, 64 clients, a consumer and a producer at each end of each connection: started, used and
 * stopped in random order, also from callbacks, as often as the argument says: lives [cycles
 * [seed]].
 */
#include <sys/resource.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_mmap.h>

#include "support/comch_fixture.h"

#define NUM_CLIENTS 64
#define NUM_SIDES (2 * NUM_CLIENTS)
#define NUM_TASKS 4
#define MSG_BYTES 256

/* One end of a connection. */
struct side {
	struct life *life;
	struct doca_pe *pe;
	struct doca_comch_client *client; /* NULL: the server's end */
	struct doca_ctx *client_ctx;
	struct doca_comch_connection *connection; /* NULL: none yet */
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *consumer_ctx;
	struct doca_ctx *producer_ctx;
	uint32_t remote_consumer;
};

/* Everything of one cycle; what is before sides lives through all of them. */
struct life {
	struct doca_dev *host;
	struct doca_dev *dpu;
	struct doca_dev_rep *rep;
	struct doca_pe *server_pe;
	struct doca_pe *client_pe;
	struct doca_comch_server *server;
	struct doca_ctx *server_ctx;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	uint64_t random;
	uint64_t num_deeds;
	uint64_t num_messages;
	unsigned num_connected;
	struct side sides[NUM_SIDES]; /* the clients', then the server's in the order they came */
	uint8_t memory[MSG_BYTES * 2];
};

static unsigned num_cycles = 5;
static struct life life;

static uint64_t draw(uint64_t below)
{
	life.random ^= life.random << 13;
	life.random ^= life.random >> 7;
	life.random ^= life.random << 17;
	return life.random % below;
}

static void stop(struct doca_ctx *ctx)
{
	doca_error_t result = ctx == NULL ? DOCA_SUCCESS : doca_ctx_stop(ctx);

	assert_true(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
}

static bool is_running(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	return ctx != NULL && doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS &&
	       state == DOCA_CTX_STATE_RUNNING;
}

static struct doca_buf *take_buf(uint8_t *addr, size_t data_len)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_args(life.inventory, life.map, addr, MSG_BYTES,
						       addr, data_len, &buf),
		    DOCA_SUCCESS);
	return buf;
}

static void post(struct side *side)
{
	struct doca_comch_consumer_task_post_recv *task = NULL;
	struct doca_buf *buf;

	if (!is_running(side->consumer_ctx))
		return;
	buf = take_buf(life.memory + MSG_BYTES, 0);
	if (doca_comch_consumer_task_post_recv_alloc_init(side->consumer, buf, &task) ==
		    DOCA_SUCCESS &&
	    doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)) == DOCA_SUCCESS)
		return;
	if (task != NULL)
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

static void send(struct side *side)
{
	struct doca_comch_producer_task_send *task = NULL;
	struct doca_buf *buf;

	if (!is_running(side->producer_ctx) || side->remote_consumer == 0)
		return;
	buf = take_buf(life.memory, 1 + draw(MSG_BYTES));
	if (doca_comch_producer_task_send_alloc_init(
		    side->producer, buf, NULL, 0, side->remote_consumer, &task) == DOCA_SUCCESS &&
	    doca_task_submit(doca_comch_producer_task_send_as_task(task)) == DOCA_SUCCESS)
		return;
	if (task != NULL)
		doca_task_free(doca_comch_producer_task_send_as_task(task));
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

/* What a callback does, whatever it was called for. */
static void deed(struct side *side)
{
	life.num_deeds++;
	switch (draw(24)) {
	case 0:
		stop(side->consumer_ctx);
		break;
	case 1:
		stop(side->producer_ctx);
		break;
	case 2:
		if (side->client != NULL)
			stop(side->client_ctx);
		else if (side->connection != NULL &&
			 doca_comch_server_disconnect(life.server, side->connection) ==
				 DOCA_SUCCESS)
			side->connection = NULL;
		break;
	case 3:
		if (draw(100) == 0)
			stop(life.server_ctx);
		break;
	case 4 ... 9:
		post(side);
		break;
	default:
		send(side);
	}
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)doca_buf_dec_refcount((struct doca_buf *)doca_comch_producer_task_send_get_buf(task),
				    NULL);
	doca_task_free(doca_comch_producer_task_send_as_task(task));
	deed((struct side *)ctx_user_data.ptr);
}

static void drop(struct doca_comch_consumer_task_post_recv *task)
{
	(void)doca_buf_dec_refcount(doca_comch_consumer_task_post_recv_get_buf(task), NULL);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	life.num_messages++;
	drop(task);
	post((struct side *)ctx_user_data.ptr);
	deed((struct side *)ctx_user_data.ptr);
}

static void on_flushed(struct doca_comch_consumer_task_post_recv *task,
		       union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	drop(task);
	deed((struct side *)ctx_user_data.ptr);
}

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct side *side = (struct side *)user_data.ptr;

	(void)prev_state;
	if (next_state == DOCA_CTX_STATE_RUNNING && ctx == side->consumer_ctx)
		for (unsigned i = 0; i < NUM_TASKS / 2; i++)
			post(side);
	deed(side);
}

static void connect_ctx(struct side *side, struct doca_ctx *ctx)
{
	assert_doca(doca_pe_connect_ctx(side->pe, ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(ctx, (union doca_data){.ptr = side}), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_state_changed_cb(ctx, on_state), DOCA_SUCCESS);
}

/* A connection has come: what stands at this end of it begins. The connection may end meanwhile. */
static void furnish(struct side *side, struct doca_comch_connection *connection)
{
	doca_error_t result;

	side->connection = connection;
	assert_doca(doca_comch_connection_set_user_data(connection, (union doca_data){.ptr = side}),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_consumer_create(connection, life.map, &side->consumer),
		    DOCA_SUCCESS);
	side->consumer_ctx = doca_comch_consumer_as_ctx(side->consumer);
	connect_ctx(side, side->consumer_ctx);
	assert_doca(doca_comch_consumer_task_post_recv_set_conf(side->consumer, on_received,
								on_flushed, NUM_TASKS),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_producer_create(connection, &side->producer), DOCA_SUCCESS);
	side->producer_ctx = doca_comch_producer_as_ctx(side->producer);
	connect_ctx(side, side->producer_ctx);
	assert_doca(
		doca_comch_producer_task_send_set_conf(side->producer, on_sent, on_sent, NUM_TASKS),
		DOCA_SUCCESS);
	/* Their callbacks may have ended the connection. */
	result = doca_ctx_start(side->consumer_ctx);
	assert_true(result == DOCA_ERROR_IN_PROGRESS || side->client == NULL ||
		    !is_running(side->client_ctx));
	(void)doca_ctx_start(side->producer_ctx);
}

static void on_client_state(const union doca_data user_data, struct doca_ctx *ctx,
			    enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct side *side = (struct side *)user_data.ptr;
	struct doca_comch_connection *connection = NULL;

	(void)ctx;
	(void)prev_state;
	if (next_state != DOCA_CTX_STATE_RUNNING)
		return;
	assert_doca(doca_comch_client_get_connection(side->client, &connection), DOCA_SUCCESS);
	furnish(side, connection);
}

static void on_connect(struct doca_comch_event_connection_status_changed *event,
		       struct doca_comch_connection *connection, uint8_t change_successful)
{
	(void)event;
	if (change_successful && life.num_connected < NUM_CLIENTS)
		furnish(&life.sides[NUM_CLIENTS + life.num_connected++], connection);
}

static void on_disconnect(struct doca_comch_event_connection_status_changed *event,
			  struct doca_comch_connection *connection, uint8_t change_successful)
{
	struct side *side = (struct side *)doca_comch_connection_get_user_data(connection).ptr;

	(void)event;
	(void)change_successful;
	if (side != NULL)
		side->connection = NULL;
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
		       uint32_t msg_len, struct doca_comch_connection *connection)
{
	(void)event;
	(void)recv_buffer;
	(void)msg_len;
	(void)connection;
}

static struct side *side_of(struct doca_comch_connection *connection)
{
	return (struct side *)doca_comch_connection_get_user_data(connection).ptr;
}

static void on_new_consumer(struct doca_comch_event_consumer *event,
			    struct doca_comch_connection *connection, uint32_t id)
{
	struct side *side = side_of(connection);

	(void)event;
	if (side == NULL)
		return;
	side->remote_consumer = id;
	deed(side);
}

static void on_expired_consumer(struct doca_comch_event_consumer *event,
				struct doca_comch_connection *connection, uint32_t id)
{
	struct side *side = side_of(connection);

	(void)event;
	(void)id;
	if (side == NULL)
		return;
	side->remote_consumer = 0;
	deed(side);
}

static void on_control_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void open_server(const char *name)
{
	char full_name[120];

	assert_doca(doca_comch_server_create(life.dpu, life.rep, comch_name(name, full_name),
					     &life.server),
		    DOCA_SUCCESS);
	life.server_ctx = doca_comch_server_as_ctx(life.server);
	assert_doca(doca_pe_connect_ctx(life.server_pe, life.server_ctx), DOCA_SUCCESS);
	assert_doca(doca_comch_server_task_send_set_conf(life.server, on_control_sent,
							 on_control_sent, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_server_event_msg_recv_register(life.server, on_message),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_server_event_connection_status_changed_register(
			    life.server, on_connect, on_disconnect),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_server_event_consumer_register(life.server, on_new_consumer,
							      on_expired_consumer),
		    DOCA_SUCCESS);
}

static void open_client(struct side *side, const char *name)
{
	char full_name[120];

	assert_doca(doca_comch_client_create(life.host, comch_name(name, full_name), &side->client),
		    DOCA_SUCCESS);
	side->client_ctx = doca_comch_client_as_ctx(side->client);
	connect_ctx(side, side->client_ctx);
	assert_doca(doca_ctx_set_state_changed_cb(side->client_ctx, on_client_state), DOCA_SUCCESS);
	assert_doca(doca_comch_client_task_send_set_conf(side->client, on_control_sent,
							 on_control_sent, 1),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_client_event_msg_recv_register(side->client, on_message),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_client_event_consumer_register(side->client, on_new_consumer,
							      on_expired_consumer),
		    DOCA_SUCCESS);
}

static unsigned progress(void)
{
	return doca_pe_progress(life.server_pe) + doca_pe_progress(life.client_pe);
}

static bool is_idle(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	return ctx == NULL ||
	       (doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS && state == DOCA_CTX_STATE_IDLE);
}

static bool is_all_idle(void)
{
	for (size_t i = 0; i < NUM_SIDES; i++)
		if (!is_idle(life.sides[i].client_ctx) || !is_idle(life.sides[i].consumer_ctx) ||
		    !is_idle(life.sides[i].producer_ctx))
			return false;
	return is_idle(life.server_ctx);
}

/* In random order; each of them may have ended before. */
static void stop_all(void)
{
	struct doca_ctx *ctxs[3 * NUM_SIDES + 1];
	size_t num_ctxs = 0;

	for (size_t i = 0; i < NUM_SIDES; i++) {
		ctxs[num_ctxs++] = life.sides[i].client_ctx;
		ctxs[num_ctxs++] = life.sides[i].consumer_ctx;
		ctxs[num_ctxs++] = life.sides[i].producer_ctx;
	}
	ctxs[num_ctxs++] = life.server_ctx;
	for (size_t i = num_ctxs; i > 1; i--) {
		size_t other = draw(i);
		struct doca_ctx *ctx = ctxs[i - 1];

		ctxs[i - 1] = ctxs[other];
		ctxs[other] = ctx;
	}
	for (size_t i = 0; i < num_ctxs; i++) {
		stop(ctxs[i]);
		for (uint64_t steps = draw(3); steps > 0; steps--)
			(void)progress();
	}
}

static void destroy_all(void)
{
	for (size_t i = 0; i < NUM_SIDES; i++) {
		struct side *side = &life.sides[i];

		if (side->consumer != NULL)
			assert_doca(doca_comch_consumer_destroy(side->consumer), DOCA_SUCCESS);
		if (side->producer != NULL)
			assert_doca(doca_comch_producer_destroy(side->producer), DOCA_SUCCESS);
	}
	for (size_t i = 0; i < NUM_CLIENTS; i++)
		assert_doca(doca_comch_client_destroy(life.sides[i].client), DOCA_SUCCESS);
	assert_doca(doca_comch_server_destroy(life.server), DOCA_SUCCESS);
}

static void live(void)
{
	const time_t until_s = comch_now() + COMCH_DEADLINE_S;

	memset(life.sides, 0, sizeof(life.sides));
	life.num_connected = 0;
	open_server("lives");
	assert_doca(doca_ctx_start(life.server_ctx), DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_SIDES; i++) {
		life.sides[i].pe = i < NUM_CLIENTS ? life.client_pe : life.server_pe;
		if (i >= NUM_CLIENTS)
			continue;
		open_client(&life.sides[i], "lives");
		assert_doca(doca_ctx_start(life.sides[i].client_ctx), DOCA_ERROR_IN_PROGRESS);
	}
	for (uint64_t steps = draw(20000); steps > 0; steps--)
		(void)progress();
	stop_all();
	while (!is_all_idle()) {
		if (progress() == 0)
			sched_yield();
		assert_true(comch_now() <= until_s);
	}
	destroy_all();
}

static long resident_kib(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/* Connections, segments and bells of 64 clients, both ends in this process. */
static void allow_many_descriptors(void)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void everything_ends_in_any_order(void **state)
{
	unsigned num_fds = 0;
	long after_warm_up_kib = 0;

	allow_many_descriptors();
	life.host = comch_open_device("0000:b1:00.0");
	life.dpu = comch_open_device("0000:03:00.0");
	life.rep = comch_open_rep(life.dpu);
	assert_doca(doca_pe_create(&life.server_pe), DOCA_SUCCESS);
	assert_doca(doca_pe_create(&life.client_pe), DOCA_SUCCESS);
	assert_doca(doca_mmap_create(&life.map), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(life.map, life.dpu), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(life.map, life.host), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(life.map, DOCA_ACCESS_FLAG_PCI_READ_WRITE),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(life.map, life.memory, sizeof(life.memory)),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_start(life.map), DOCA_SUCCESS);
	assert_doca(
		doca_buf_inventory_create((size_t)NUM_SIDES * 2 * NUM_TASKS + 1, &life.inventory),
		DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(life.inventory), DOCA_SUCCESS);

	for (unsigned cycle = 0; cycle < num_cycles; cycle++) {
		live();
		if (cycle == num_cycles / 4) {
			num_fds = comch_num_fds();
			after_warm_up_kib = resident_kib();
		}
	}
	print_message("# %llu deeds, %llu messages, resident %ld KiB, at most %ld more later\n",
		      (unsigned long long)life.num_deeds, (unsigned long long)life.num_messages,
		      after_warm_up_kib, resident_kib() - after_warm_up_kib);
	assert_int_equal(comch_num_fds(), num_fds);
	assert_true(resident_kib() - after_warm_up_kib < 32 << 10);

	assert_doca(doca_buf_inventory_destroy(life.inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(life.map), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(life.client_pe), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(life.server_pe), DOCA_SUCCESS);
	assert_doca(doca_dev_rep_close(life.rep), DOCA_SUCCESS);
	assert_doca(doca_dev_close(life.dpu), DOCA_SUCCESS);
	assert_doca(doca_dev_close(life.host), DOCA_SUCCESS);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_ends_in_any_order),
	};

	if (argc > 1)
		num_cycles = (unsigned)strtoul(argv[1], NULL, 10);
	life.random = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252u;
	print_message("# seed %llu\n", (unsigned long long)life.random);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
