/* SPDX-License-Identifier: Apache-2.0 */
/* The way named nbd, and the one symbol of libsoftdoca_net.so. */
#include "peer/nbd/way.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "peer/nbd/region.h"

static struct net_region *region_of(struct peer_region *region)
{
	return (struct net_region *)region;
}

static void way_submit(struct peer_region *region, struct peer_io *io)
{
	doca_error_t result = peer_check(region, io);

	if (result != DOCA_SUCCESS)
		peer_io_finish(io, result);
	else
		driver_submit(region_of(region)->driver, io);
}

static void region_free(struct net_region *region)
{
	explicit_bzero(region->descriptor.secret, sizeof(region->descriptor.secret));
	free(region);
}

static void way_close(struct peer_region *region)
{
	driver_remove(region_of(region));
	region_free(region_of(region));
}

static void stay_orphaned(struct peer_region *region)
{
}

static const struct peer_ops orphaned_way = {
	.name = "nbd",
	.submit = peer_submit_orphaned,
	.orphan = stay_orphaned,
	.close = way_close,
};

/* The rest is done by the driver's own fork handler, under its lock. */
static void way_orphan(struct peer_region *region)
{
	region->ops = &orphaned_way;
}

static const struct peer_ops nbd_way = {
	.name = "nbd",
	.submit = way_submit,
	.orphan = way_orphan,
	.close = way_close,
};

static struct net_region *region_new(const struct peer_policy *policy,
				     const struct export_descriptor *descriptor)
{
	struct net_region *region = calloc(1, sizeof(*region));

	if (region == NULL)
		return NULL;
	peer_region_init(&region->base, &nbd_way, descriptor);
	region->descriptor = *descriptor;
	region->policy = *policy;
	return region;
}

/* In the opener's thread, until the peer serves the region. */
static doca_error_t shake_hands(struct net_region *region, uint64_t deadline_ns, const char **why)
{
	for (;;) {
		doca_error_t result = session_verdict(region, why);
		uint64_t now_ns = net_now_ns();
		struct pollfd polled;

		if (result != DOCA_ERROR_IN_PROGRESS)
			return result;
		if (now_ns >= deadline_ns) {
			*why = "the exporter's agent does not answer";
			return DOCA_ERROR_TIME_OUT;
		}
		session_poll_for(region, &polled);
		/* What the end of the connection means, the verdict knows. */
		if (poll(&polled, 1, (int)((deadline_ns - now_ns) / 1000000) + 1) > 0)
			(void)session_notify(region, polled.revents);
	}
}

static doca_error_t connect_once(struct net_region *region, uint64_t deadline_ns, bool *is_lost,
				 const char **why)
{
	const struct export_descriptor *of = &region->descriptor;
	doca_error_t result;
	int fd;

	result = net_dial(region, deadline_ns, &fd, why);
	if (result == DOCA_ERROR_NOT_CONNECTED &&
	    self_sees(of->boot_id, (pid_t)of->pid, of->start_time)) {
		*why = "the process lives, but nobody listens: it has destroyed the mmap";
		return DOCA_ERROR_NOT_FOUND;
	}
	if (result == DOCA_SUCCESS)
		result = session_begin(region, fd, why);
	if (result != DOCA_SUCCESS)
		return result;
	result = shake_hands(region, deadline_ns, why);
	*is_lost = result == DOCA_ERROR_NOT_CONNECTED && session_is_dead(region);
	if (result != DOCA_SUCCESS)
		session_end(region);
	return result;
}

static doca_error_t connect_first(struct net_region *region, const char **why)
{
	uint64_t deadline_ns = net_now_ns() + REGION_CONNECT_NS;
	bool is_lost = false;
	doca_error_t result = connect_once(region, deadline_ns, &is_lost, why);

	/* An agent with too many strangers sends one away; its last revoke, all. */
	if (is_lost)
		result = connect_once(region, deadline_ns, &is_lost, why);
	if (result != DOCA_SUCCESS)
		return result;
	/* An exporter that is invisible from here keeps no name that would fit. */
	(void)self_program_of(region->peer_pid, &region->peer);
	result = driver_add(region, why);
	if (result != DOCA_SUCCESS)
		session_end(region);
	return result;
}

static doca_error_t way_open(const struct peer_policy *policy,
			     const struct export_descriptor *descriptor,
			     struct peer_region **opened, const char **why)
{
	struct net_region *region = region_new(policy, descriptor);
	doca_error_t result;

	if (region == NULL) {
		*why = "no memory for a region";
		return DOCA_ERROR_NO_MEMORY;
	}
	result = connect_first(region, why);
	if (result != DOCA_SUCCESS) {
		region_free(region);
		return result;
	}
	*opened = &region->base;
	return DOCA_SUCCESS;
}

static const struct net_way the_way = {.version = NET_VERSION, .open = way_open};

const struct net_way *softdoca_net_way(uint32_t version)
{
	return version == NET_VERSION ? &the_way : NULL;
}
