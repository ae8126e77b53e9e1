/* SPDX-License-Identifier: Apache-2.0 */
/* One thread that accepts, answers and keeps its connections. */
#include "peer/fake_agent.h"

#include "support/test.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/barrier.h"
#include "peer/activity.h"
#include "wire/nbd.h"

#define MAX_CONNECTIONS 64
#define DEADLINE_MS 30000
#define TAG 0x746167

struct fake_agent {
	struct fake_options options;
	struct export_descriptor descriptor;
	struct control *control;
	int control_fd;
	int listener;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t started;
	bool has_started;
	_Atomic uint32_t num_connections;
	int fds[MAX_CONNECTIONS];
	const _Atomic uint64_t *words[MAX_CONNECTIONS]; /* of the importer's activity page */
	uint8_t cell[EXPORT_ID_BYTES];
};

static bool wait_for(int fd)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};

	return poll(&entry, 1, DEADLINE_MS) == 1;
}

/* Every byte, and the first descriptor beside them. */
static bool receive_all(int fd, void *bytes, size_t len_bytes, int *beside)
{
	for (size_t done = 0; done < len_bytes;) {
		union {
			struct cmsghdr header;
			uint8_t bytes[CMSG_SPACE(sizeof(int))];
		} control;
		struct iovec piece = {(uint8_t *)bytes + done, len_bytes - done};
		struct msghdr message = {
			.msg_iov = &piece,
			.msg_iovlen = 1,
			.msg_control = &control,
			.msg_controllen = sizeof(control),
		};
		struct cmsghdr *part;
		ssize_t got;

		if (!wait_for(fd))
			return false;
		got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
		if (got <= 0)
			return false;
		part = CMSG_FIRSTHDR(&message);
		if (part != NULL && part->cmsg_type == SCM_RIGHTS)
			memcpy(beside, CMSG_DATA(part), sizeof(*beside));
		done += (size_t)got;
	}
	return true;
}

static bool send_all(int fd, const void *bytes, size_t len_bytes)
{
	return send(fd, bytes, len_bytes, MSG_NOSIGNAL) == (ssize_t)len_bytes;
}

bool fake_greet(int fd)
{
	uint8_t greeting[NBD_GREETING_BYTES];

	nbd_greeting_encode(greeting);
	return send_all(fd, greeting, sizeof(greeting));
}

bool fake_hear(int fd, struct attach_request *request, int *activity_fd)
{
	uint8_t bytes[NBD_CLIENT_FLAGS_BYTES + NBD_OPTION_BYTES];
	uint8_t payload[ATTACH_REQUEST_BYTES];
	struct nbd_option_header header;

	*activity_fd = -1;
	if (!receive_all(fd, bytes, sizeof(bytes), activity_fd) ||
	    !nbd_client_flags_decode(bytes) ||
	    !nbd_option_decode(bytes + NBD_CLIENT_FLAGS_BYTES, &header) ||
	    header.option != ATTACH_OPTION || header.len_bytes != sizeof(payload) ||
	    !receive_all(fd, payload, sizeof(payload), activity_fd))
		return false;
	attach_request_decode(payload, request);
	return true;
}

bool fake_reply(int fd, uint32_t type, const void *payload, uint32_t len_bytes, const int *fds,
		uint32_t num_fds)
{
	const struct nbd_option_reply reply = {
		.option = ATTACH_OPTION,
		.type = type,
		.len_bytes = len_bytes,
	};
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(8 * sizeof(int))];
	} control = {
		.header = {.cmsg_len = CMSG_LEN(num_fds * sizeof(int)),
			   .cmsg_level = SOL_SOCKET,
			   .cmsg_type = SCM_RIGHTS},
	};
	uint8_t head[NBD_OPTION_REPLY_BYTES];
	struct iovec pieces[2] = {{head, sizeof(head)}, {(void *)payload, len_bytes}};
	struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};

	nbd_option_reply_encode(&reply, head);
	if (num_fds > 0) {
		memcpy(CMSG_DATA(&control.header), fds, num_fds * sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(num_fds * sizeof(int));
	}
	return sendmsg(fd, &message, MSG_NOSIGNAL) == (ssize_t)(sizeof(head) + len_bytes);
}

struct attach_answer fake_answer(const struct fake_agent *agent)
{
	return (struct attach_answer){
		.tag = TAG,
		.flags = agent->descriptor.flags,
		.addr = agent->descriptor.addr,
		.len_bytes = agent->descriptor.len_bytes,
		.file_offset = agent->options.file_offset,
		.generation = 1,
		.slot = 3,
		.has_file = agent->options.has_file,
		.has_bell = agent->options.has_bell,
	};
}

int fake_control_fd(const struct fake_agent *agent)
{
	return agent->control_fd;
}

uint32_t fake_num_connections(const struct fake_agent *agent)
{
	return atomic_load(&agent->num_connections);
}

/* The importer's page is mapped before the answer: from then on it may copy. */
static void serve_right(struct fake_agent *agent, uint32_t index, int fd)
{
	struct attach_answer answer = fake_answer(agent);
	int fds[3] = {agent->control_fd};
	uint32_t num_fds = 1;
	struct attach_request request = {0};
	uint8_t payload[ATTACH_ANSWER_BYTES];
	int activity_fd;

	if (!fake_greet(fd) || !fake_hear(fd, &request, &activity_fd))
		return;
	attach_answer_encode(&answer, payload);
	if (answer.has_file)
		fds[num_fds++] = agent->options.file_fd;
	if (answer.has_bell)
		fds[num_fds++] = agent->options.bell_fd;
	if (memcmp(request.id, agent->descriptor.id, sizeof(request.id)) != 0 ||
	    atomic_load(&agent->control->generation[answer.slot]) != answer.generation)
		fake_reply(fd, NBD_REP_ERR_UNKNOWN, NULL, 0, NULL, 0);
	else if (memcmp(request.secret, agent->descriptor.secret, sizeof(request.secret)) != 0)
		fake_reply(fd, NBD_REP_ERR_POLICY, NULL, 0, NULL, 0);
	else if (activity_map(activity_fd, &agent->words[index]) != 0)
		fake_reply(fd, NBD_REP_ERR_INVALID, NULL, 0, NULL, 0);
	else
		fake_reply(fd, NBD_REP_ACK, payload, sizeof(payload), fds, num_fds);
	if (activity_fd >= 0)
		close(activity_fd);
}

static void *create_control(void *argument)
{
	struct fake_agent *agent = argument;

	return (void *)(intptr_t)control_create(&agent->control, &agent->control_fd);
}

/* Its lock is this thread's, or one's that is over. */
static void make_control(struct fake_agent *agent)
{
	void *result = NULL;
	pthread_t other;

	if (agent->options.is_dead) {
		assert_int_equal(pthread_create(&other, NULL, create_control, agent), 0);
		assert_int_equal(pthread_join(other, &result), 0);
	} else {
		result = create_control(agent);
	}
	assert_null(result);
	atomic_store(&agent->control->generation[fake_answer(agent).slot], 1);
}

static void *run(void *argument)
{
	struct fake_agent *agent = argument;

	make_control(agent);
	pthread_mutex_lock(&agent->lock);
	agent->has_started = true;
	pthread_cond_signal(&agent->started);
	pthread_mutex_unlock(&agent->lock);
	for (;;) {
		int fd = accept4(agent->listener, NULL, NULL, SOCK_CLOEXEC);
		uint32_t index = agent->num_connections;

		if (fd < 0 || index == MAX_CONNECTIONS)
			return NULL;
		pthread_mutex_lock(&agent->lock);
		agent->fds[index] = fd;
		atomic_store(&agent->num_connections, index + 1);
		if (agent->options.serve != NULL)
			agent->options.serve(agent, fd);
		else
			serve_right(agent, index, fd);
		pthread_mutex_unlock(&agent->lock);
	}
}

static void listen_at(struct fake_agent *agent)
{
	struct export_endpoint *endpoint = &agent->descriptor.endpoints[0];
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	uint64_t number;

	if (agent->options.path != NULL) {
		endpoint->len_bytes = (uint8_t)strlen(agent->options.path);
		memcpy(name.sun_path, agent->options.path, endpoint->len_bytes);
	} else {
		assert_int_equal(getrandom(&number, sizeof(number), 0), sizeof(number));
		endpoint->len_bytes = (uint8_t)snprintf(name.sun_path, sizeof(name.sun_path),
							"@fake-agent-%016lx", number);
		name.sun_path[0] = '\0';
	}
	memcpy(endpoint->bytes, name.sun_path, endpoint->len_bytes);
	endpoint->type = EXPORT_UNIX;
	agent->descriptor.num_endpoints = 1;
	agent->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(agent->listener >= 0);
	assert_int_equal(
		bind(agent->listener, (struct sockaddr *)&name,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + endpoint->len_bytes)),
		0);
	assert_int_equal(listen(agent->listener, MAX_CONNECTIONS), 0);
}

struct fake_agent *fake_agent_start(const struct fake_options *options,
				    struct export_descriptor *descriptor)
{
	struct fake_agent *agent = calloc(1, sizeof(*agent));

	assert_non_null(agent);
	agent->options = *options;
	pthread_mutex_init(&agent->lock, NULL);
	pthread_cond_init(&agent->started, NULL);
	assert_int_equal(getrandom(agent->cell, sizeof(agent->cell), 0), sizeof(agent->cell));
	agent->descriptor = (struct export_descriptor){
		.flags = options->flags | EXPORT_CMA,
		.addr = (uintptr_t)options->addr,
		.len_bytes = options->len_bytes,
		.generation = 1,
		.pid = (uint32_t)getpid(),
		.uid = geteuid(),
		.cell_addr = (uintptr_t)agent->cell,
	};
	memcpy(agent->descriptor.id, agent->cell, sizeof(agent->cell));
	memset(agent->descriptor.secret, 0x5e, sizeof(agent->descriptor.secret));
	listen_at(agent);
	assert_int_equal(pthread_create(&agent->thread, NULL, run, agent), 0);
	pthread_mutex_lock(&agent->lock);
	while (!agent->has_started)
		pthread_cond_wait(&agent->started, &agent->lock);
	pthread_mutex_unlock(&agent->lock);
	*descriptor = agent->descriptor;
	return agent;
}

void fake_agent_revoke(struct fake_agent *agent)
{
	pthread_mutex_lock(&agent->lock);
	atomic_store(&agent->control->generation[fake_answer(agent).slot], 2);
	barrier_everywhere();
	for (uint32_t i = 0; i < agent->num_connections; i++)
		while (agent->words[i] != NULL && activity_holds(agent->words[i], TAG))
			;
	pthread_mutex_unlock(&agent->lock);
}

void fake_agent_stop(struct fake_agent *agent)
{
	shutdown(agent->listener, SHUT_RDWR);
	pthread_join(agent->thread, NULL);
	for (uint32_t i = 0; i < agent->num_connections; i++) {
		close(agent->fds[i]);
		if (agent->words[i] != NULL)
			activity_unmap(agent->words[i]);
	}
	close(agent->listener);
	if (agent->options.path != NULL)
		unlink(agent->options.path);
	control_unmap(agent->control);
	close(agent->control_fd);
	free(agent);
}
