/* SPDX-License-Identifier: Apache-2.0 */
/* The agent's thread: who may connect, whose turn it is, whose time is over. */
#include "peer/agent_loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

#define MAX_EVENTS 64
#define MAX_ACCEPTS 16	/* a turn, so that those which are there have theirs */
#define LOOK_AGAIN_MS 1 /* whether what a revoked region waits for has ended */

uint64_t agent_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static struct agent_conn *conn_of(struct list *link)
{
	return CONTAINER_OF(link, struct agent_conn, link);
}

static void ring_for(const struct agent_conn *conn)
{
	static const struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};

	if (conn_is_proved(conn) && conn->region->range.has_bell)
		(void)timerfd_settime(conn->region->range.bell_fd, 0, &at_once, NULL);
}

/* From its list; freed later, for an event of it may be at hand. */
static void end_conn(struct agent *agent, struct agent_conn *conn)
{
	if (!conn_is_proved(conn))
		agent->num_unproved--;
	ring_for(conn);
	agent->num_conns--;
	epoll_ctl(agent->epoll_fd, EPOLL_CTL_DEL, conn->fd, NULL);
	lock_take(&agent->table.lock);
	list_remove(&conn->link);
	list_add_tail(&agent->dead, &conn->link);
	conn->is_over = true;
	lock_drop(&agent->table.lock);
}

static void bury(struct agent *agent)
{
	while (!list_is_empty(&agent->dead)) {
		struct agent_conn *conn = conn_of(agent->dead.next);

		lock_take(&agent->table.lock);
		list_remove(&conn->link);
		conn_destroy(conn);
		lock_drop(&agent->table.lock);
	}
}

/* Who goes when one more comes: the oldest, but one whose user may not connect first. */
static struct agent_conn *find_weakest(struct agent *agent)
{
	list_for_each (link, &agent->unproved) {
		if (!conn_of(link)->is_admitted)
			return conn_of(link);
	}
	return conn_of(agent->unproved.next);
}

/*
 * An honest peer needs a moment, which it has before it must go, so that many that come at once are
 * all let in, and many silent ones do not keep it out. Others wait meanwhile for being accepted.
 */
static bool is_crowded(struct agent *agent, uint64_t now_ns, uint64_t *until_ns)
{
	const struct agent_conn *weakest;

	if (agent->num_unproved < AGENT_MAX_UNPROVED)
		return false;
	weakest = find_weakest(agent);
	*until_ns = weakest->deadline_ns - AGENT_PROVE_NS + AGENT_MOMENT_NS;
	return weakest->is_admitted && now_ns < *until_ns;
}

static bool is_admitted(const struct agent *agent, int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
	       peer_policy_admits(&agent->policy, agent->uid, peer.uid);
}

static void add_conn(struct agent *agent, struct agent_conn *conn)
{
	struct epoll_event event = {.events = EPOLLOUT, .data.ptr = conn};

	conn->epoll_events = event.events;
	agent->num_unproved++;
	agent->num_conns++;
	if (epoll_ctl(agent->epoll_fd, EPOLL_CTL_ADD, conn->fd, &event) != 0)
		end_conn(agent, conn);
}

/* The new connection, or NULL with the errno of accept(), 0 where there was none to blame. */
static struct agent_conn *accept_conn(struct agent *agent, int listener_fd, uint64_t now_ns,
				      int *error)
{
	struct agent_conn *conn = NULL;
	int fd;

	*error = 0;
	lock_take(&agent->table.lock);
	fd = accept4(listener_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		*error = errno;
	else if (agent->num_conns >= AGENT_MAX_CONNS)
		close(fd);
	else
		conn = conn_create(&agent->host, fd, is_admitted(agent, fd),
				   now_ns + AGENT_PROVE_NS);
	if (conn != NULL)
		list_add_tail(&agent->unproved, &conn->link);
	lock_drop(&agent->table.lock);
	return conn;
}

static void watch_listeners(struct agent *agent, uint32_t events)
{
	for (uint32_t i = 0; i < agent->num_listeners; i++) {
		struct agent_listener *listener = &agent->listeners[i];
		struct epoll_event event = {.events = events, .data.ptr = listener};

		epoll_ctl(agent->epoll_fd, EPOLL_CTL_MOD, listener->fd, &event);
	}
}

static void rest(struct agent *agent, uint64_t until_ns)
{
	watch_listeners(agent, 0);
	agent->rest_ns = until_ns;
}

static void stop_resting(struct agent *agent)
{
	agent->rest_ns = 0;
	agent->is_crowded = false;
	watch_listeners(agent, EPOLLIN);
}

/* False: no more can be, now. */
static bool accept_one(struct agent *agent, int listener_fd, uint64_t now_ns)
{
	struct agent_conn *weakest = NULL;
	struct agent_conn *conn;
	uint64_t until_ns;
	int error;

	if (is_crowded(agent, now_ns, &until_ns)) {
		agent->is_crowded = true;
		rest(agent, until_ns);
		return false;
	}
	if (agent->num_unproved >= AGENT_MAX_UNPROVED)
		weakest = find_weakest(agent);
	conn = accept_conn(agent, listener_fd, now_ns, &error);
	if (conn != NULL && weakest != NULL)
		end_conn(agent, weakest);
	if (conn != NULL)
		add_conn(agent, conn);
	if (error == 0 || error == ECONNABORTED || error == EINTR)
		return true;
	/* Descriptors or memory are used up, maybe by the program itself: let it breathe. */
	if (error != EAGAIN)
		rest(agent, now_ns + AGENT_REST_NS);
	return false;
}

static void accept_some(struct agent *agent, int listener_fd, uint64_t now_ns)
{
	for (int i = 0; i < MAX_ACCEPTS; i++)
		if (!accept_one(agent, listener_fd, now_ns))
			return;
}

static void become_proved(struct agent *agent, struct agent_conn *conn)
{
	agent->num_unproved--;
	lock_take(&agent->table.lock);
	list_remove(&conn->link);
	list_add_tail(&agent->proved, &conn->link);
	lock_drop(&agent->table.lock);
}

static void serve_conn(struct agent *agent, struct agent_conn *conn)
{
	const bool was_proved = conn_is_proved(conn);
	struct epoll_event event = {.data.ptr = conn};
	bool goes_on;

	if (conn->is_over)
		return;
	goes_on = conn_turn(conn);
	if (!was_proved && conn_is_proved(conn))
		become_proved(agent, conn);
	if (!goes_on) {
		end_conn(agent, conn);
		return;
	}
	event.events = conn_has_output(conn) ? EPOLLOUT : EPOLLIN;
	if (event.events == conn->epoll_events)
		return;
	conn->epoll_events = event.events;
	epoll_ctl(agent->epoll_fd, EPOLL_CTL_MOD, conn->fd, &event);
}

static void serve(struct agent *agent, const struct epoll_event *event, uint64_t now_ns)
{
	struct agent_listener *listener = event->data.ptr;

	if (event->data.ptr == agent)
		event_fd_drain(agent->event_fd);
	else if (listener >= agent->listeners && listener < agent->listeners + AGENT_MAX_LISTENERS)
		accept_some(agent, listener->fd, now_ns);
	else
		serve_conn(agent, event->data.ptr);
}

static bool is_quiet(struct agent *agent, const struct agent_region *region)
{
	list_for_each (link, &agent->proved) {
		if (conn_of(link)->region == region && conn_is_busy(conn_of(link)))
			return false;
	}
	return true;
}

static void end_conns_of(struct agent *agent, const struct agent_region *region)
{
	struct list *link = agent->proved.next;

	while (link != &agent->proved) {
		struct agent_conn *conn = conn_of(link);

		link = link->next;
		if (conn->region == region)
			end_conn(agent, conn);
	}
	bury(agent);
}

/* Whoever revokes is told, or is gone. */
static void end_region(struct agent *agent, struct agent_region *region)
{
	bool is_abandoned;

	end_conns_of(agent, region);
	lock_take(&agent->table.lock);
	agent->table.num_ending--;
	region->is_ending = false;
	region->is_ended = true;
	is_abandoned = region->is_abandoned;
	pthread_cond_broadcast(&agent->changed);
	lock_drop(&agent->table.lock);
	if (is_abandoned)
		agent_table_remove(&agent->table, region);
}

/* One that the agent was asked to end and can, or NULL; how many there are. */
static struct agent_region *find_ending(struct agent *agent, uint64_t now_ns, uint32_t *num_ending)
{
	struct agent_region *found = NULL;

	lock_take(&agent->table.lock);
	*num_ending = agent->table.num_ending;
	if (*num_ending > 0) {
		list_for_each (link, &agent->table.regions) {
			struct agent_region *region = CONTAINER_OF(link, struct agent_region, link);

			if (region->is_ending &&
			    (now_ns >= region->end_ns || is_quiet(agent, region))) {
				found = region;
				break;
			}
		}
	}
	lock_drop(&agent->table.lock);
	return found;
}

/* How many still wait for what runs. */
static uint32_t end_regions(struct agent *agent, uint64_t now_ns)
{
	struct agent_region *region;
	uint32_t num_ending;

	while ((region = find_ending(agent, now_ns, &num_ending)) != NULL)
		end_region(agent, region);
	return num_ending;
}

static void end_late_ones(struct agent *agent, uint64_t now_ns)
{
	while (!list_is_empty(&agent->unproved) &&
	       conn_of(agent->unproved.next)->deadline_ns <= now_ns)
		end_conn(agent, conn_of(agent->unproved.next));
}

static int ms_until(uint64_t time_ns, uint64_t now_ns)
{
	return time_ns <= now_ns ? 0 : (int)((time_ns - now_ns) / 1000000 + 1);
}

/* All that time brings; how long to wait for what else comes, -1: for ever. */
static int tend(struct agent *agent)
{
	uint64_t now_ns = agent_now_ns();
	uint64_t next_ns = UINT64_MAX;
	uint32_t num_ending;

	end_late_ones(agent, now_ns);
	if (agent->rest_ns != 0 &&
	    (agent->rest_ns <= now_ns ||
	     (agent->is_crowded && agent->num_unproved <= AGENT_MAX_UNPROVED / 2)))
		stop_resting(agent);
	bury(agent);
	num_ending = end_regions(agent, now_ns);
	if (num_ending > 0)
		return LOOK_AGAIN_MS;
	if (agent->rest_ns != 0)
		next_ns = agent->rest_ns;
	if (!list_is_empty(&agent->unproved) &&
	    conn_of(agent->unproved.next)->deadline_ns < next_ns)
		next_ns = conn_of(agent->unproved.next)->deadline_ns;
	return next_ns == UINT64_MAX ? -1 : ms_until(next_ns, now_ns);
}

static void end_conns(struct agent *agent)
{
	while (!list_is_empty(&agent->unproved))
		end_conn(agent, conn_of(agent->unproved.next));
	while (!list_is_empty(&agent->proved))
		end_conn(agent, conn_of(agent->proved.next));
	bury(agent);
}

/* The control page is made here, since its lock tells of this thread's end. */
static int start(struct agent *agent)
{
	/* No fork is in the way: whoever starts the agent keeps them off until it is ready. */
	int error = control_create(&agent->control, &agent->control_fd);

	agent->table.control = agent->control;
	agent->host.control_fd = agent->control_fd;
	lock_take(&agent->table.lock);
	agent->start_error = error;
	agent->is_ready = true;
	pthread_cond_broadcast(&agent->changed);
	lock_drop(&agent->table.lock);
	return error;
}

void *agent_run(void *argument)
{
	struct epoll_event events[MAX_EVENTS];
	struct agent *agent = argument;

	pthread_setname_np(pthread_self(), "softdoca-agent");
	if (start(agent) != 0)
		return NULL;
	while (!atomic_load_explicit(&agent->is_stopping, memory_order_acquire)) {
		int num = epoll_wait(agent->epoll_fd, events, MAX_EVENTS, tend(agent));
		uint64_t now_ns = agent_now_ns();

		for (int i = 0; i < num; i++)
			serve(agent, &events[i], now_ns);
	}
	end_conns(agent);
	return NULL;
}
