/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an endpoint waits with: an epoll descriptor, which the progress engine's handle watches,
 * with its sockets and one timer in it.
 */
#include "comch/endpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)
#define FIRST_NUDGE_NS UINT64_C(1000000)
#define LAST_NUDGE_NS NS_PER_S
#define MAX_EVENTS 64

uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* The earlier of the two things that the timer is for. */
static void arm_timer(const struct endpoint *endpoint)
{
	uint64_t at_ns = endpoint->timer_ns;
	struct itimerspec time;

	if (endpoint->nudge_ns != 0 && (at_ns == 0 || endpoint->nudge_ns < at_ns))
		at_ns = endpoint->nudge_ns;
	time = (struct itimerspec){
		.it_value = {.tv_sec = (time_t)(at_ns / NS_PER_S),
			     .tv_nsec = (long)(at_ns % NS_PER_S)},
	};
	(void)timerfd_settime(endpoint->timer_fd, TFD_TIMER_ABSTIME, &time, NULL);
}

void endpoint_set_timer(struct endpoint *endpoint, uint64_t at_ns)
{
	endpoint->timer_ns = at_ns;
	arm_timer(endpoint);
}

void endpoint_nudge(struct endpoint *endpoint)
{
	if ((!endpoint->has_refused && !endpoint->has_unsaid) || endpoint->nudge_ns != 0)
		return;
	endpoint->nudge_after_ns = FIRST_NUDGE_NS;
	endpoint->nudge_ns = monotonic_ns() + FIRST_NUDGE_NS;
	arm_timer(endpoint);
}

static void nudge_again(struct endpoint *endpoint)
{
	uint64_t now_ns = monotonic_ns();

	if (endpoint->nudge_ns == 0 || now_ns < endpoint->nudge_ns)
		return;
	endpoint->nudge_after_ns *= 2;
	if (endpoint->nudge_after_ns > LAST_NUDGE_NS)
		endpoint->nudge_after_ns = LAST_NUDGE_NS;
	endpoint->nudge_ns = endpoint->has_refused || endpoint->has_unsaid
				     ? now_ns + endpoint->nudge_after_ns
				     : 0;
	arm_timer(endpoint);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void endpoint_close_waiting(struct endpoint *endpoint)
{
	close_fd(&endpoint->bell_fd);
	close_fd(&endpoint->timer_fd);
	close_fd(&endpoint->poll_fd);
	free(endpoint->frame);
	endpoint->frame = NULL;
}

/* Tagged by the place of what it is about: connections by their own. */
static int poll_add(struct endpoint *endpoint, int fd, void *tag)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = tag};

	return epoll_ctl(endpoint->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

int endpoint_add_listener(struct endpoint *endpoint, int fd)
{
	return poll_add(endpoint, fd, endpoint);
}

int endpoint_open_waiting(struct endpoint *endpoint)
{
	int error;

	endpoint->timer_ns = 0;
	endpoint->nudge_ns = 0;
	endpoint->has_refused = false;
	endpoint->has_unsaid = false;
	endpoint->frame = malloc(COMCH_FRAME_BYTES);
	if (endpoint->frame == NULL)
		return -ENOMEM;
	endpoint->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (endpoint->poll_fd < 0)
		return -errno;
	endpoint->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (endpoint->timer_fd < 0)
		return -errno;
	endpoint->bell_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (endpoint->bell_fd < 0)
		return -errno;
	error = poll_add(endpoint, endpoint->timer_fd, &endpoint->timer_fd);
	if (error == 0)
		error = poll_add(endpoint, endpoint->bell_fd, &endpoint->bell_fd);
	if (error == 0)
		error = doca__ctx_watch(&endpoint->ctx, endpoint->poll_fd);
	return error;
}

/* Of a timer or an eventfd, which is silent then. */
static bool has_rung(int fd)
{
	uint64_t num_times;

	return read(fd, &num_times, sizeof(num_times)) > 0;
}

/* Threads of consumers have left something to be said. */
static void find_callers(struct endpoint *endpoint)
{
	list_for_each (link, &endpoint->open) {
		struct doca_comch_connection *connection =
			CONTAINER_OF(link, struct doca_comch_connection, link);

		if (channels_have_calls(connection->channels))
			connection_make_ready(connection);
	}
}

unsigned endpoint_poll(struct endpoint *endpoint)
{
	struct epoll_event events[MAX_EVENTS];
	int num_events = epoll_wait(endpoint->poll_fd, events, MAX_EVENTS, 0);
	unsigned news = 0;

	for (int i = 0; i < num_events; i++) {
		void *tag = events[i].data.ptr;

		if (tag == endpoint) {
			news |= ENDPOINT_LISTENER;
		} else if (tag == &endpoint->timer_fd) {
			if (has_rung(endpoint->timer_fd))
				news |= ENDPOINT_TIMER;
		} else if (tag == &endpoint->bell_fd) {
			(void)has_rung(endpoint->bell_fd);
			find_callers(endpoint);
		} else {
			if ((events[i].events & EPOLLOUT) != 0)
				connection_found_room(tag);
			connection_make_ready(tag);
		}
	}
	if ((news & ENDPOINT_TIMER) != 0) {
		nudge_again(endpoint);
		endpoint->has_unsaid = false;
		find_callers(endpoint);
	}
	return news;
}
