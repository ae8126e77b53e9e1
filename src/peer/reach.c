/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the way to a region: the best that works, tried and not guessed. */
#include "peer/peer.h"

#include <pthread.h>
#include <stdio.h>

#include "peer/attach.h"
#include "peer/cma/cma.h"
#include "peer/mapped/mapped.h"
#include "peer/net.h"
#include "peer/orphan.h"

/* One search for a way. */
struct search {
	const struct peer_policy *policy;
	const struct export_descriptor *descriptor;
	struct peer_region *region;	   /* once it is found */
	bool is_attached;		   /* the exporter was met, and let us in */
	size_t len;			   /* of the text */
	char text[PEER_REPORT_BYTES - 64]; /* room for the name of a way before it */
};

static void miss(struct search *search, const char *way, const char *why)
{
	size_t room = sizeof(search->text) - search->len;
	int len = snprintf(search->text + search->len, room, "; not %s: %s", way, why);

	if (len > 0)
		search->len += (size_t)len < room ? (size_t)len : room - 1;
}

/* The result of a way that was tried. */
static doca_error_t tried(struct search *search, const char *way, doca_error_t result,
			  const char *why)
{
	if (result != DOCA_SUCCESS)
		miss(search, way, why);
	return result;
}

static doca_error_t try_mapped(struct search *search, struct attachment *attachment)
{
	const char *why = NULL;
	doca_error_t result;

	if (search->policy->reach == PEER_REACH_CMA)
		return tried(search, "mapped", DOCA_ERROR_NOT_SUPPORTED, "SOFTDOCA_REACH is cma");
	result = mapped_open(search->descriptor, attachment, &search->region, &why);
	return tried(search, "mapped", result, why);
}

static doca_error_t try_cma(struct search *search, struct attachment *attachment)
{
	const char *why = NULL;
	doca_error_t result;

	result = cma_open(search->descriptor, attachment, &search->region, &why);
	return tried(search, "cma", result, why);
}

/* The ways that move the bytes here, both by one attachment. */
static doca_error_t try_attached(struct search *search)
{
	enum peer_reach reach = search->policy->reach;
	struct attachment attachment;
	const char *why = NULL;
	doca_error_t result;

	if (reach == PEER_REACH_NBD)
		return tried(search, "mapped, not cma", DOCA_ERROR_NOT_SUPPORTED,
			     "SOFTDOCA_REACH is nbd");
	result = attach_open(search->policy, search->descriptor, &attachment, &why);
	if (result != DOCA_SUCCESS)
		return tried(search, "mapped, not cma", result, why);
	search->is_attached = true;
	result = try_mapped(search, &attachment);
	if (result != DOCA_SUCCESS && reach != PEER_REACH_MAPPED)
		result = try_cma(search, &attachment);
	if (result != DOCA_SUCCESS)
		attach_close(&attachment);
	return result;
}

static bool has_network_endpoint(const struct export_descriptor *descriptor)
{
	for (uint32_t i = 0; i < descriptor->num_endpoints; i++)
		if (descriptor->endpoints[i].type == EXPORT_IPV4 ||
		    descriptor->endpoints[i].type == EXPORT_IPV6)
			return true;
	return false;
}

/* Whether asking the exporter again, by nbd, would be answered alike. */
static bool is_final(const struct search *search, doca_error_t result)
{
	switch (result) {
	case DOCA_SUCCESS:
	case DOCA_ERROR_AUTHENTICATION:
		return true;
	case DOCA_ERROR_NOT_FOUND:
	case DOCA_ERROR_NOT_CONNECTED:
	case DOCA_ERROR_NOT_PERMITTED:
	case DOCA_ERROR_TIME_OUT:
		return !search->is_attached && !has_network_endpoint(search->descriptor);
	default:
		return false;
	}
}

static doca_error_t try_nbd(struct search *search, doca_error_t before)
{
	const struct net_way *way;
	const char *why = NULL;
	doca_error_t result = net_load(&way, &why);

	if (result != DOCA_SUCCESS) {
		miss(search, "nbd", why);
		/* That the kernel refuses says more than that another way is not installed. */
		return search->is_attached ? before : result;
	}
	result = way->open(search->policy, search->descriptor, &search->region, &why);
	return tried(search, "nbd", result, why);
}

static doca_error_t find_way(struct search *search)
{
	enum peer_reach reach = search->policy->reach;
	doca_error_t result = try_attached(search);

	if (is_final(search, result))
		return result;
	if (reach == PEER_REACH_AUTO || reach == PEER_REACH_NBD)
		return try_nbd(search, result);
	miss(search, "nbd", "SOFTDOCA_REACH does not let it");
	return result;
}

static doca_error_t open_region(struct search *search, char report[PEER_REPORT_BYTES])
{
	doca_error_t result = find_way(search);
	const char *way = "no way works";

	if (result == DOCA_SUCCESS && orphan_watch(search->region) != 0) {
		search->region->ops->close(search->region);
		result = DOCA_ERROR_NO_MEMORY;
		way = "no memory to watch for forks";
	} else if (result == DOCA_SUCCESS) {
		way = search->region->ops->name;
	}
	(void)snprintf(report, PEER_REPORT_BYTES, "%s%s", way, search->text);
	return result;
}

doca_error_t peer_open(const struct peer_policy *policy, const struct export_descriptor *descriptor,
		       struct peer_region **region, char report[PEER_REPORT_BYTES])
{
	struct search search = {.policy = policy, .descriptor = descriptor};
	doca_error_t result;
	int cancel_state;

	/* A thread that is cancelled must not leave with a lock, or half a region. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	result = open_region(&search, report);
	pthread_setcancelstate(cancel_state, NULL);
	if (result == DOCA_SUCCESS)
		*region = search.region;
	return result;
}

void peer_close(struct peer_region *region)
{
	orphan_unwatch(region);
	region->ops->close(region);
}
