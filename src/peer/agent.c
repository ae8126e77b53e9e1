/* SPDX-License-Identifier: Apache-2.0 */
/* The agent's life: it starts with the first region, ends with the last, and is not inherited. */
#include "peer/agent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/barrier.h"
#include "base/fd.h"
#include "base/thread.h"
#include "peer/activity.h"
#include "peer/mappings.h"
#include "peer/agent_loop.h"
#include "peer/self.h"

/* Beyond AGENT_REVOKE_NS, for the thread to say so. */
#define GRACE_NS UINT64_C(500000000)

static struct {
	struct lock lock; /* the agent starts, ends, and gains or loses regions */
	struct agent *agent GUARDED_BY(lock);
	bool handles_forks GUARDED_BY(lock);
} the_agent = {
	.lock = LOCK_INITIALIZER,
};

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void close_conns(struct list *conns)
{
	while (!list_is_empty(conns)) {
		struct agent_conn *conn = CONTAINER_OF(conns->next, struct agent_conn, link);

		list_remove(&conn->link);
		conn_forget(conn);
	}
}

static void before_fork(void) ACQUIRE(the_agent.lock) NO_THREAD_SAFETY_ANALYSIS
{
	lock_take(&the_agent.lock);
	if (the_agent.agent != NULL)
		lock_take(&the_agent.agent->table.lock);
}

static void after_fork(void) RELEASE(the_agent.lock) NO_THREAD_SAFETY_ANALYSIS
{
	if (the_agent.agent != NULL)
		lock_drop(&the_agent.agent->table.lock);
	lock_drop(&the_agent.lock);
}

static void forget_files(struct list *files)
{
	struct list *link = files->next;

	while (link != files) {
		struct agent_file *file = CONTAINER_OF(link, struct agent_file, link);

		link = link->next;
		close(file->file.fd);
		free(file);
	}
}

/*
 * The sockets are the parent's too: they are closed and not shut down, and names stay. The regions
 * stay until their owners revoke them.
 */
static void forget(struct agent *agent)
{
	while (!list_is_empty(&agent->table.regions)) {
		struct agent_region *region =
			CONTAINER_OF(agent->table.regions.next, struct agent_region, link);

		list_remove(&region->link);
		region->agent = NULL;
		region->file = NULL;
		if (region->range.has_bell)
			close(region->range.bell_fd);
		region->range.has_bell = false;
	}
	forget_files(&agent->table.files);
	close_conns(&agent->unproved);
	close_conns(&agent->proved);
	close_conns(&agent->dead);
	for (uint32_t i = 0; i < agent->num_listeners; i++)
		close(agent->listeners[i].fd);
	close(agent->epoll_fd);
	close(agent->event_fd);
	close_fd(agent->control_fd);
	if (agent->control != NULL)
		control_unmap(agent->control);
	free(agent);
}

static void after_fork_in_child(void) RELEASE(the_agent.lock) NO_THREAD_SAFETY_ANALYSIS
{
	if (the_agent.agent != NULL) {
		lock_drop(&the_agent.agent->table.lock);
		forget(the_agent.agent);
		the_agent.agent = NULL;
	}
	lock_drop(&the_agent.lock);
}

static int handle_forks(void) REQUIRES(the_agent.lock)
{
	if (!the_agent.handles_forks)
		the_agent.handles_forks =
			pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
	return the_agent.handles_forks ? 0 : -ENOMEM;
}

static int watch(struct agent *agent, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

	return epoll_ctl(agent->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

static int open_listener(struct agent *agent, const char *dir)
{
	struct agent_listener *listener = &agent->listeners[agent->num_listeners];
	int error = dir == NULL ? agent_listen_abstract(listener) : agent_listen_in(dir, listener);

	if (error != 0)
		return error;
	agent->num_listeners++;
	return watch(agent, listener->fd, listener);
}

static int open_listeners(struct agent *agent, const char **why)
{
	int error = open_listener(agent, NULL);

	*why = "no socket can be opened for importers";
	if (error == 0 && agent->policy.runtime_dir[0] != '\0') {
		error = open_listener(agent, agent->policy.runtime_dir);
		*why = "no socket can be opened in the runtime directory";
	}
	return error;
}

static int start_thread(struct agent *agent)
{
	int error = thread_start(&agent->thread, agent_run, agent);

	if (error != 0)
		return error;
	lock_take(&agent->table.lock);
	while (!agent->is_ready)
		pthread_cond_wait(&agent->changed, &agent->table.lock.mutex);
	error = agent->start_error;
	lock_drop(&agent->table.lock);
	if (error != 0)
		pthread_join(agent->thread, NULL);
	return error;
}

static void init_cond(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

static struct agent *create(const struct peer_policy *policy)
{
	struct agent *agent = calloc(1, sizeof(*agent));

	if (agent == NULL)
		return NULL;
	agent_table_init(&agent->table);
	init_cond(&agent->changed);
	agent->policy = *policy;
	agent->uid = geteuid();
	agent->host.table = &agent->table;
	agent->host.scratch = agent->scratch;
	agent->control_fd = -1;
	agent->epoll_fd = -1;
	agent->event_fd = -1;
	list_init(&agent->unproved);
	list_init(&agent->proved);
	list_init(&agent->dead);
	return agent;
}

/* Its thread is not, or no more. */
static void destroy(struct agent *agent)
{
	for (uint32_t i = 0; i < agent->num_listeners; i++)
		agent_listener_close(&agent->listeners[i]);
	close_fd(agent->event_fd);
	close_fd(agent->epoll_fd);
	close_fd(agent->control_fd);
	if (agent->control != NULL)
		control_unmap(agent->control);
	pthread_cond_destroy(&agent->changed);
	agent_table_fini(&agent->table);
	free(agent);
}

static int start_parts(struct agent *agent, const char **why)
{
	int error;

	*why = "no descriptor can be opened for the agent";
	agent->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (agent->epoll_fd < 0)
		return -errno;
	error = event_fd_open();
	if (error < 0)
		return error;
	agent->event_fd = error;
	error = watch(agent, agent->event_fd, agent);
	if (error != 0)
		return error;
	error = open_listeners(agent, why);
	if (error != 0)
		return error;
	*why = "the agent's thread cannot be started";
	return start_thread(agent);
}

static doca_error_t error_of(int negative_errno)
{
	errno = -negative_errno;
	return negative_errno == -ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t start(const struct peer_policy *policy, const char **why)
	REQUIRES(the_agent.lock)
{
	struct agent *agent;
	int error = handle_forks();

	if (error != 0) {
		*why = "no memory for what a fork must do";
		return error_of(error);
	}
	agent = create(policy);
	if (agent == NULL) {
		*why = "no memory for the agent";
		return DOCA_ERROR_NO_MEMORY;
	}
	error = start_parts(agent, why);
	if (error != 0) {
		destroy(agent);
		return error_of(error);
	}
	the_agent.agent = agent;
	return DOCA_SUCCESS;
}

static void stop(void) REQUIRES(the_agent.lock)
{
	struct agent *agent = the_agent.agent;

	atomic_store_explicit(&agent->is_stopping, true, memory_order_release);
	event_fd_signal(agent->event_fd);
	pthread_join(agent->thread, NULL);
	destroy(agent);
	the_agent.agent = NULL;
}

static doca_error_t describe(const struct agent *agent, const struct agent_region *region,
			     uint8_t descriptor[EXPORT_MAX_BYTES], size_t *len_bytes,
			     const char **why)
{
	struct export_descriptor fields = {
		.flags = region->range.flags | EXPORT_CMA,
		.addr = (uintptr_t)region->range.addr,
		.len_bytes = region->range.len_bytes,
		.generation = region->generation,
		.pid = (uint32_t)getpid(),
		.uid = agent->uid,
		.cell_addr = (uintptr_t)region->id,
		.num_endpoints = agent->num_listeners,
	};
	int error = self_boot_id(fields.boot_id);

	if (error == 0)
		error = self_start_time(&fields.start_time);
	if (error != 0) {
		*why = "/proc does not say what this process and its kernel are";
		return error_of(error);
	}
	memcpy(fields.id, region->id, sizeof(fields.id));
	memcpy(fields.secret, region->secret, sizeof(fields.secret));
	for (uint32_t i = 0; i < agent->num_listeners; i++)
		fields.endpoints[i] = agent->listeners[i].endpoint;
	*len_bytes = export_encode(&fields, descriptor);
	explicit_bzero(fields.secret, sizeof(fields.secret));
	if (*len_bytes == 0) {
		*why = "its descriptor would be longer than 512 bytes";
		return DOCA_ERROR_TOO_BIG;
	}
	return DOCA_SUCCESS;
}

static doca_error_t export_range(const struct agent_range *range, struct agent_region **region,
				 uint8_t descriptor[EXPORT_MAX_BYTES], size_t *len_bytes,
				 const char **why) REQUIRES(the_agent.lock)
{
	struct agent *agent = the_agent.agent;
	struct agent_region *added;
	doca_error_t result = agent_table_add(&agent->table, range, &added, why);
	size_t len;

	if (result != DOCA_SUCCESS)
		return result;
	added->agent = agent;
	result = describe(agent, added, descriptor, &len, why);
	if (result != DOCA_SUCCESS) {
		agent_table_remove(&agent->table, added);
		return result;
	}
	*region = added;
	*len_bytes = len;
	return DOCA_SUCCESS;
}

/* Nobody is promised what this process cannot do itself. */
static doca_error_t check_mapped(const struct agent_range *range, const char **why)
{
	const bool is_writable = (range->flags & EXPORT_MAY_WRITE) != 0;
	int error = mappings_check(range->addr, range->len_bytes, is_writable);

	if (error == 0)
		return DOCA_SUCCESS;
	errno = -error;
	*why = error == -EACCES	  ? "a part of the range is mapped without the right to write"
	       : error == -EFAULT ? "a part of the range is not mapped, or not readable"
				  : "the mappings of the process cannot be read";
	return error == -EACCES || error == -EFAULT ? DOCA_ERROR_NOT_PERMITTED
						    : DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t check_and_export(const struct peer_policy *policy,
				     const struct agent_range *range, struct agent_region **region,
				     uint8_t descriptor[EXPORT_MAX_BYTES], size_t *len_bytes,
				     const char **why)
{
	doca_error_t result = check_mapped(range, why);
	int error;

	if (result != DOCA_SUCCESS)
		return result;
	lock_take(&the_agent.lock);
	if (the_agent.agent == NULL)
		result = start(policy, why);
	if (result == DOCA_SUCCESS) {
		result = export_range(range, region, descriptor, len_bytes, why);
		error = errno;
		if (result != DOCA_SUCCESS && agent_table_is_empty(&the_agent.agent->table))
			stop();
		errno = error;
	}
	lock_drop(&the_agent.lock);
	return result;
}

doca_error_t agent_export(const struct peer_policy *policy, const struct agent_range *range,
			  struct agent_region **region, uint8_t descriptor[EXPORT_MAX_BYTES],
			  size_t *len_bytes, const char **why)
{
	doca_error_t result;
	int cancel_state;

	/* A thread that is cancelled must not leave with a lock, or half an agent. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	result = check_and_export(policy, range, region, descriptor, len_bytes, why);
	pthread_setcancelstate(cancel_state, NULL);
	return result;
}

/* The thread ends what runs. False: it is stuck in the region's memory, and frees it one day. */
static bool end_region(struct agent *agent, struct agent_region *region)
{
	const uint64_t last_ns = region->end_ns + GRACE_NS;
	const struct timespec last = {
		.tv_sec = (time_t)(last_ns / UINT64_C(1000000000)),
		.tv_nsec = (long)(last_ns % UINT64_C(1000000000)),
	};
	int error = 0;
	bool is_ended;

	lock_take(&agent->table.lock);
	region->is_ending = true;
	agent->table.num_ending++;
	event_fd_signal(agent->event_fd);
	while (!region->is_ended && error == 0)
		error = pthread_cond_timedwait(&agent->changed, &agent->table.lock.mutex, &last);
	is_ended = region->is_ended;
	region->is_abandoned = !is_ended;
	lock_drop(&agent->table.lock);
	return is_ended;
}

bool agent_serves(const struct agent_region *region)
{
	return region->agent != NULL;
}

static void revoke_served(struct agent *agent, struct agent_region *region)
{
	region->end_ns = agent_now_ns() + AGENT_REVOKE_NS;
	agent_table_revoke(&agent->table, region);
	barrier_everywhere();
	if (!end_region(agent, region))
		return;
	lock_take(&the_agent.lock);
	if (agent_table_remove(&agent->table, region))
		stop();
	lock_drop(&the_agent.lock);
}

void agent_revoke(struct agent_region *region)
{
	int cancel_state;

	if (region->agent == NULL) {
		explicit_bzero(region->secret, sizeof(region->secret));
		free(region);
		return;
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	revoke_served(region->agent, region);
	pthread_setcancelstate(cancel_state, NULL);
}
