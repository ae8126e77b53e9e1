/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of comch share: a server and a client whose callbacks write down what they saw,
 * and loops that progress until something is so, with a deadline. Public functions alone.
 */
#ifndef TESTS_SUPPORT_COMCH_FIXTURE_H_
#define TESTS_SUPPORT_COMCH_FIXTURE_H_

#include <sched.h>
#include <dirent.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "support/test.h"

#define COMCH_NUM_TASKS 64
#define COMCH_DEADLINE_S 20
#define COMCH_MAX_STATES 16
#define COMCH_MAX_SEEN 1024

/* One end, server or client, and all that its callbacks were told. */
struct comch_end {
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct doca_pe *pe;
	bool owns_pe;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_ctx *ctx;

	enum doca_ctx_states states[COMCH_MAX_STATES];
	unsigned num_states;
	unsigned num_sent;
	unsigned num_failed;
	doca_error_t last_status;
	unsigned num_received;
	uint8_t last_message[4096];
	uint32_t last_len;
	bool was_overwritten;		  /* a message changed while its callback ran */
	uint64_t numbers[COMCH_MAX_SEEN]; /* the first eight bytes of each message */
	unsigned num_connects;
	unsigned num_refused;
	unsigned num_disconnects;
	struct doca_comch_connection *peer; /* of the last connect event or message */
	unsigned num_new;		    /* consumers of the other side's */
	unsigned num_expired;
	uint32_t new_id; /* of the last one */
	uint32_t expired_id;

	/* What a callback does beside. */
	bool keeps_tasks;
	bool resubmits_failed;
	bool echoes;
	bool stops_on_message;
	bool stops_on_sent;
	bool disconnects_on_message;
	bool disconnects_on_connect;
	const char *greeting; /* sent as soon as there is somebody */
	doca_error_t inner;   /* the last result of such a call */
};

static inline struct comch_end *comch_end_of(const struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_ctx *ctx =
		server != NULL
			? doca_comch_server_as_ctx(server)
			: doca_comch_client_as_ctx(doca_comch_client_get_client_ctx(connection));
	union doca_data user_data = {.ptr = NULL};

	(void)doca_ctx_get_user_data(ctx, &user_data);
	return (struct comch_end *)user_data.ptr;
}

/* A task to that connection, not submitted. */
static inline doca_error_t comch_task(struct comch_end *end, struct doca_comch_connection *peer,
				      const void *msg, uint32_t len,
				      struct doca_comch_task_send **task)
{
	return end->server != NULL
		       ? doca_comch_server_task_send_alloc_init(end->server, peer, msg, len, task)
		       : doca_comch_client_task_send_alloc_init(end->client, peer, msg, len, task);
}

/* Submitted, or the task is freed again. The message must stay. */
static inline doca_error_t comch_send(struct comch_end *end, struct doca_comch_connection *peer,
				      const void *msg, uint32_t len)
{
	struct doca_comch_task_send *task = NULL;
	doca_error_t result = comch_task(end, peer, msg, len, &task);

	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_task_send_as_task(task));
	return result;
}

static inline void comch_on_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
				 union doca_data ctx_user_data)
{
	struct comch_end *end = (struct comch_end *)ctx_user_data.ptr;

	(void)task_user_data;
	end->last_status = doca_task_get_status(doca_comch_task_send_as_task(task));
	end->num_sent++;
	if (!end->keeps_tasks)
		doca_task_free(doca_comch_task_send_as_task(task));
	if (end->stops_on_sent)
		end->inner = doca_ctx_stop(end->ctx);
}

static inline void comch_on_failed(struct doca_comch_task_send *task,
				   union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct comch_end *end = (struct comch_end *)ctx_user_data.ptr;

	(void)task_user_data;
	end->last_status = doca_task_get_status(doca_comch_task_send_as_task(task));
	end->num_failed++;
	if (end->resubmits_failed)
		end->inner = doca_task_submit(doca_comch_task_send_as_task(task));
	else if (!end->keeps_tasks)
		doca_task_free(doca_comch_task_send_as_task(task));
}

static inline void comch_on_message(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
				    uint32_t msg_len,
				    struct doca_comch_connection *comch_connection)
{
	struct comch_end *end = comch_end_of(comch_connection);

	(void)event;
	memcpy(end->last_message, recv_buffer, msg_len);
	end->last_len = msg_len;
	if (msg_len >= sizeof(uint64_t) && end->num_received < COMCH_MAX_SEEN)
		memcpy(&end->numbers[end->num_received], recv_buffer, sizeof(uint64_t));
	end->num_received++;
	end->peer = comch_connection;
	if (end->echoes)
		end->inner = comch_send(end, comch_connection, end->last_message, end->last_len);
	if (end->stops_on_message)
		end->inner = doca_ctx_stop(end->ctx);
	if (end->disconnects_on_message)
		end->inner = doca_comch_server_disconnect(end->server, comch_connection);
	if (memcmp(end->last_message, recv_buffer, msg_len) != 0)
		end->was_overwritten = true;
}

static inline void comch_on_connect(struct doca_comch_event_connection_status_changed *event,
				    struct doca_comch_connection *comch_connection,
				    uint8_t change_successful)
{
	struct comch_end *end = comch_end_of(comch_connection);

	(void)event;
	if (!change_successful) {
		end->num_refused++;
		return;
	}
	end->num_connects++;
	end->peer = comch_connection;
	if (end->greeting != NULL)
		end->inner = comch_send(end, comch_connection, end->greeting,
					(uint32_t)strlen(end->greeting));
	if (end->disconnects_on_connect)
		end->inner = doca_comch_server_disconnect(end->server, comch_connection);
}

static inline void comch_on_disconnect(struct doca_comch_event_connection_status_changed *event,
				       struct doca_comch_connection *comch_connection,
				       uint8_t change_successful)
{
	(void)event;
	(void)change_successful;
	comch_end_of(comch_connection)->num_disconnects++;
}

static inline void comch_on_new(struct doca_comch_event_consumer *event,
				struct doca_comch_connection *comch_connection, uint32_t id)
{
	struct comch_end *end = comch_end_of(comch_connection);

	(void)event;
	end->num_new++;
	end->new_id = id;
}

static inline void comch_on_expired(struct doca_comch_event_consumer *event,
				    struct doca_comch_connection *comch_connection, uint32_t id)
{
	struct comch_end *end = comch_end_of(comch_connection);

	(void)event;
	end->num_expired++;
	end->expired_id = id;
}

/* The end is told of the other side's consumers. */
static inline void comch_hear_of_consumers(struct comch_end *end)
{
	if (end->server != NULL)
		assert_doca(doca_comch_server_event_consumer_register(end->server, comch_on_new,
								      comch_on_expired),
			    DOCA_SUCCESS);
	else
		assert_doca(doca_comch_client_event_consumer_register(end->client, comch_on_new,
								      comch_on_expired),
			    DOCA_SUCCESS);
}

static inline void comch_on_state(const union doca_data user_data, struct doca_ctx *ctx,
				  enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct comch_end *end = (struct comch_end *)user_data.ptr;

	(void)ctx;
	(void)prev_state;
	if (end->num_states < COMCH_MAX_STATES)
		end->states[end->num_states++] = next_state;
	if (next_state == DOCA_CTX_STATE_RUNNING && end->client != NULL && end->greeting != NULL &&
	    doca_comch_client_get_connection(end->client, &end->peer) == DOCA_SUCCESS)
		end->inner =
			comch_send(end, end->peer, end->greeting, (uint32_t)strlen(end->greeting));
}

#define COMCH_RUN "COMCH_TEST_RUN" /* an environment variable, for children too */

/*
 * A name that no other run of the tests on this machine has, in the caller's buffer.
 */
static inline const char *comch_name(const char *name, char full_name[120])
{
	char run[16];

	snprintf(run, sizeof(run), "%d", (int)getpid());
	assert_int_equal(setenv(COMCH_RUN, run, 0), 0);
	assert_in_range(snprintf(full_name, 120, "%s.%s", getenv(COMCH_RUN), name), 1, 119);
	return full_name;
}

/* The function that has that address: "03:00.0" is the DPU's. */
static inline struct doca_dev *comch_open_device(const char *pci_addr)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;
	struct doca_dev *dev = NULL;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	for (uint32_t i = 0; i < num_devs && dev == NULL; i++) {
		uint8_t is_equal = 0;

		assert_doca(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal),
			    DOCA_SUCCESS);
		if (is_equal)
			assert_doca(doca_dev_open(list[i], &dev), DOCA_SUCCESS);
	}
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_non_null(dev);
	return dev;
}

static inline struct doca_dev_rep *comch_open_rep(struct doca_dev *dev)
{
	struct doca_devinfo_rep **list = NULL;
	uint32_t num_reps = 0;
	struct doca_dev_rep *rep = NULL;

	assert_doca(
		doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num_reps),
		DOCA_SUCCESS);
	assert_int_equal(num_reps, 1);
	assert_doca(doca_dev_rep_open(list[0], &rep), DOCA_SUCCESS);
	assert_doca(doca_devinfo_rep_destroy_list(list), DOCA_SUCCESS);
	return rep;
}

static inline void comch_connect_pe(struct comch_end *end, struct doca_pe *pe)
{
	end->pe = pe;
	if (pe == NULL) {
		end->owns_pe = true;
		assert_doca(doca_pe_create(&end->pe), DOCA_SUCCESS);
	}
	assert_doca(doca_pe_connect_ctx(end->pe, end->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_user_data(end->ctx, (union doca_data){.ptr = end}), DOCA_SUCCESS);
	assert_doca(doca_ctx_set_state_changed_cb(end->ctx, comch_on_state), DOCA_SUCCESS);
}

/* Configured and not started, on a progress engine of its own when pe is NULL; it has its places.
 */
static inline void comch_server_open_at(struct comch_end *end, const char *name, struct doca_pe *pe)
{
	char full_name[120];

	assert_doca(doca_comch_server_create(end->dev, end->rep, comch_name(name, full_name),
					     &end->server),
		    DOCA_SUCCESS);
	end->ctx = doca_comch_server_as_ctx(end->server);
	comch_connect_pe(end, pe);
	assert_doca(doca_comch_server_task_send_set_conf(end->server, comch_on_sent,
							 comch_on_failed, COMCH_NUM_TASKS),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_server_event_msg_recv_register(end->server, comch_on_message),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_server_event_connection_status_changed_register(
			    end->server, comch_on_connect, comch_on_disconnect),
		    DOCA_SUCCESS);
}

static inline void comch_server_open(struct comch_end *end, const char *name, struct doca_pe *pe)
{
	end->dev = comch_open_device("0000:03:00.0");
	end->rep = comch_open_rep(end->dev);
	comch_server_open_at(end, name, pe);
}

/* The same of a client, which has its device. */
static inline void comch_client_open_at(struct comch_end *end, const char *name, struct doca_pe *pe)
{
	char full_name[120];

	assert_doca(doca_comch_client_create(end->dev, comch_name(name, full_name), &end->client),
		    DOCA_SUCCESS);
	end->ctx = doca_comch_client_as_ctx(end->client);
	comch_connect_pe(end, pe);
	assert_doca(doca_comch_client_task_send_set_conf(end->client, comch_on_sent,
							 comch_on_failed, COMCH_NUM_TASKS),
		    DOCA_SUCCESS);
	assert_doca(doca_comch_client_event_msg_recv_register(end->client, comch_on_message),
		    DOCA_SUCCESS);
}

static inline void comch_client_open_on(struct comch_end *end, const char *pci_addr,
					const char *name, struct doca_pe *pe)
{
	end->dev = comch_open_device(pci_addr);
	comch_client_open_at(end, name, pe);
}

static inline void comch_client_open(struct comch_end *end, const char *name, struct doca_pe *pe)
{
	comch_client_open_on(end, "0000:b1:00.0", name, pe);
}

static inline enum doca_ctx_states comch_state(const struct comch_end *end)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	assert_doca(doca_ctx_get_state(end->ctx, &state), DOCA_SUCCESS);
	return state;
}

/* Not by clock_gettime(), which some tests put ahead. */
static inline time_t comch_now(void)
{
	return time(NULL);
}

/* Progress both ends (the second may be NULL) until the condition holds; fails at a deadline. */
#define comch_until(first, second, condition)                                                      \
	do {                                                                                       \
		const time_t until_s = comch_now() + COMCH_DEADLINE_S;                             \
		while (!(condition)) {                                                             \
			struct comch_end *other = (second);                                        \
			unsigned done = doca_pe_progress((first)->pe);                             \
			if (other != NULL)                                                         \
				done += doca_pe_progress(other->pe);                               \
			if (done == 0)                                                             \
				sched_yield();                                                     \
			if (comch_now() > until_s) {                                               \
				print_error("never so: %s\n", #condition);                         \
				_fail(__FILE__, __LINE__);                                         \
			}                                                                          \
		}                                                                                  \
	} while (0)

static inline void comch_start(struct comch_end *end)
{
	assert_doca(doca_ctx_start(end->ctx),
		    end->server != NULL ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS);
}

/* Both are running, the client's connection in its peer, the server's in its own. */
static inline void comch_connect(struct comch_end *server, struct comch_end *client)
{
	unsigned num_connects = server->num_connects;

	if (comch_state(server) == DOCA_CTX_STATE_IDLE)
		comch_start(server);
	comch_start(client);
	comch_until(server, client,
		    comch_state(client) == DOCA_CTX_STATE_RUNNING &&
			    server->num_connects > num_connects);
	assert_doca(doca_comch_client_get_connection(client->client, &client->peer), DOCA_SUCCESS);
}

/* Stopped, progressed until idle, destroyed; the other end may be NULL. */
static inline void comch_end_close(struct comch_end *end)
{
	doca_error_t result = doca_ctx_stop(end->ctx);

	if (result != DOCA_SUCCESS)
		assert_doca(result, DOCA_ERROR_IN_PROGRESS);
	comch_until(end, NULL, comch_state(end) == DOCA_CTX_STATE_IDLE);
	if (end->server != NULL)
		assert_doca(doca_comch_server_destroy(end->server), DOCA_SUCCESS);
	else
		assert_doca(doca_comch_client_destroy(end->client), DOCA_SUCCESS);
	if (end->owns_pe)
		assert_doca(doca_pe_destroy(end->pe), DOCA_SUCCESS);
	if (end->rep != NULL)
		assert_doca(doca_dev_rep_close(end->rep), DOCA_SUCCESS);
	assert_doca(doca_dev_close(end->dev), DOCA_SUCCESS);
}

static inline unsigned comch_num_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned num_fds = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		num_fds++;
	closedir(dir);
	return num_fds;
}

/* Whether the kernel has descriptors of processes: libraries watch their peers by them. */
static inline bool comch_has_pidfds(void)
{
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A connected pair, each on its own engine; the fixture of most tests. */
struct comch_pair {
	struct comch_end server;
	struct comch_end client;
	unsigned num_fds;
};

static inline int comch_pair_setup(void **state)
{
	struct comch_pair *pair = (struct comch_pair *)calloc(1, sizeof(*pair));

	if (pair == NULL)
		return -1;
	*state = pair;
	pair->num_fds = comch_num_fds();
	comch_server_open(&pair->server, "pair", NULL);
	comch_client_open(&pair->client, "pair", NULL);
	return 0;
}

static inline int comch_pair_teardown(void **state)
{
	struct comch_pair *pair = (struct comch_pair *)*state;
	bool is_even;

	comch_end_close(&pair->client);
	comch_end_close(&pair->server);
	is_even = comch_num_fds() == pair->num_fds;
	free(pair);
	return is_even ? 0 : -1;
}

#define comch_test(function)                                                                       \
	cmocka_unit_test_setup_teardown(function, comch_pair_setup, comch_pair_teardown)

#endif /* TESTS_SUPPORT_COMCH_FIXTURE_H_ */
