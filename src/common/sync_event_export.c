/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event in several processes: exported by one, mapped by the others. */
#include "common/sync_event.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bell.h"
#include "common/mmap.h"
#include "common/sdk_log.h"
#include "peer/agent.h"
#include "peer/mapped/mapped.h"
#include "peer/peer.h"
#include "peer/shared_file.h"

#define NO_CAPABILITY 0

#define DEFINE_CAP(name, capability)                                                               \
	doca_error_t doca_sync_event_cap_##name##_supported(const struct doca_devinfo *devinfo)    \
	{                                                                                          \
		return doca__devinfo_can(LOG_HERE, devinfo, capability);                           \
	}

/*
 * doca_sync_event_cap_<name>_supported. Export and import are each other's other side: what can one
 * can both.
 */
DEFINE_CAP(is_export_to_remote_pci, EVENT_CAPABILITY)
DEFINE_CAP(is_create_from_export, EVENT_CAPABILITY)
DEFINE_CAP(is_export_to_dpa, NO_CAPABILITY)
DEFINE_CAP(is_export_to_gpu, NO_CAPABILITY)
DEFINE_CAP(is_export_to_remote_net, NO_CAPABILITY)
DEFINE_CAP(remote_net_is_create_from_export, NO_CAPABILITY)
DEFINE_CAP(remote_net_is_export_to_dpa, NO_CAPABILITY)
DEFINE_CAP(remote_net_is_export_to_gpu, NO_CAPABILITY)

/* The first rule that an export would break. */
static doca_error_t check_export(const struct doca_sync_event *event, const struct doca_dev *dev,
				 const char **why)
{
	if (event->pid != getpid()) {
		*why = "it is of this process's parent";
		return DOCA_ERROR_BAD_STATE;
	}
	if (event_is_imported(event)) {
		*why = "it is imported itself; its exporter exports it";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (!event_is_running(event)) {
		*why = "it is not started; call doca_sync_event_start or doca_ctx_start first";
		return DOCA_ERROR_BAD_STATE;
	}
	if (((event->publishers | event->subscribers) & EVENT_REMOTE_PCI) == 0) {
		*why = "neither its publisher nor its subscriber is remote; before the start call "
		       "doca_sync_event_add_publisher_location_remote_pci or subscriber's";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (!card_can(dev->info.function, EVENT_CAPABILITY)) {
		*why = "the device cannot; choose one for which "
		       "doca_sync_event_cap_is_export_to_remote_pci_supported answers DOCA_SUCCESS";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

/* Nobody can map what is in no file that stays. */
static doca_error_t check_file(const void *addr, const char **why)
{
	struct shared_file file;

	if (shared_file_find(addr, sizeof(uint64_t), true, &file) != 0) {
		*why = "its value lies in memory that no other process can map; let it keep its "
		       "own, or place the 8 bytes in a memfd mapped shared and sealed with "
		       "F_SEAL_SHRINK";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	close(file.fd);
	return DOCA_SUCCESS;
}

static doca_error_t serve(struct doca_sync_event *event, const struct doca_dev *dev,
			  struct event_export *made, const char **why)
{
	struct agent_range range = {
		.addr = (uint8_t *)event->page,
		.len_bytes = sizeof(*event->page),
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE | EXPORT_PCI,
		.has_bell = true,
		.bell_fd = event->bell_fd,
	};
	struct event_part parts[EVENT_PARTS] = {0};
	size_t num_parts = event_is_outside(event) ? 2 : 1;
	doca_error_t result = DOCA_SUCCESS;

	if (num_parts == 2)
		result = check_file(event->value, why);
	for (size_t i = 0; i < num_parts && result == DOCA_SUCCESS; i++) {
		if (i == 1) {
			range.addr = (uint8_t *)event->value;
			range.len_bytes = sizeof(*event->value);
		}
		result = agent_export(&dev->info.card->policy, &range, &made->regions[i],
				      parts[i].bytes, &parts[i].len_bytes, why);
	}
	if (result == DOCA_SUCCESS) {
		made->len_bytes = event_encode(parts, made->descriptor);
		*why = "its descriptor would be longer than 1024 bytes";
		if (made->len_bytes == 0)
			result = DOCA_ERROR_NOT_SUPPORTED;
	}
	explicit_bzero(parts, sizeof(parts));
	return result;
}

void event_revoke(struct doca_sync_event *event)
{
	struct event_export *export = event->export;

	if (export == NULL)
		return;
	for (size_t i = 0; i < EVENT_PARTS; i++)
		if (export->regions[i] != NULL)
			agent_revoke(export->regions[i]);
	explicit_bzero(export, sizeof(*export)); /* there is a secret in it */
	free(export);
	event->export = NULL;
	event_wake(event); /* importers, too */
}

static doca_error_t export(struct doca_sync_event *event, const struct doca_dev *dev,
			   const char **why)
{
	doca_error_t result;

	event->export = calloc(1, sizeof(*event->export));
	*why = "no memory for its descriptor";
	if (event->export == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = serve(event, dev, event->export, why);
	if (result != DOCA_SUCCESS)
		event_revoke(event);
	return result;
}

doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
						  struct doca_dev *dev, const uint8_t **data,
						  size_t *sz)
{
	const char *why = NULL;
	doca_error_t result;

	if (event == NULL || dev == NULL)
		return REFUSE_NULL(event == NULL ? "event" : "dev");
	if (data == NULL || sz == NULL)
		return REFUSE_NULL(data == NULL ? "data" : "sz");
	result = check_export(event, dev, &why);
	if (result == DOCA_SUCCESS && event->export == NULL)
		result = export(event, dev, &why);
	if (result != DOCA_SUCCESS) {
		LOG_ERROR("sync event %p refuses export through device %s: %s", (void *)event,
			  dev->info.function->name, why);
		return result;
	}
	*data = event->export->descriptor;
	*sz = event->export->len_bytes;
	return DOCA_SUCCESS;
}

/* What the exporter's parts must be, whatever it says. */
static bool is_event(const struct doca_sync_event *event)
{
	const struct peer_region *page = event->regions[0];
	const struct peer_region *value = event->regions[1];

	return page->len_bytes == sizeof(struct event_page) && page->is_writable &&
	       bell_is_one(mapped_bell(page)) && (uintptr_t)mapped_memory(page) % 8 == 0 &&
	       (value == NULL || (value->len_bytes == sizeof(uint64_t) && value->is_writable &&
				  (uintptr_t)mapped_memory(value) % 8 == 0));
}

static doca_error_t reach(struct doca_sync_event *event, const struct doca_dev *dev,
			  const struct export_descriptor *parts, uint32_t num_parts)
{
	struct peer_policy policy = dev->info.card->policy;
	char report[PEER_REPORT_BYTES] = "";
	doca_error_t result = DOCA_SUCCESS;

	/* Atomic changes and sleep need the memory itself. */
	policy.reach = PEER_REACH_MAPPED;
	for (uint32_t i = 0; i < num_parts && result == DOCA_SUCCESS; i++)
		result = peer_open(&policy, &parts[i], &event->regions[i], report);
	if (result != DOCA_SUCCESS) {
		LOG_ERROR("sync event import of process %u refused with %s: %s%s", parts[0].pid,
			  doca_error_get_name(result), report,
			  result == DOCA_ERROR_NOT_FOUND
				  ? "; an event that was stopped or started again since is to be "
				    "exported anew"
				  : "");
		return import_error(dev, result);
	}
	if (!is_event(event)) {
		LOG_ERROR("sync event import of process %u refused: what it shares is no sync "
			  "event",
			  parts[0].pid);
		return DOCA_ERROR_INVALID_VALUE;
	}
	event->page = mapped_memory(event->regions[0]);
	event->bell_fd = mapped_bell(event->regions[0]);
	event->value = num_parts > 1 ? mapped_memory(event->regions[1]) : (void *)event->page;
	return DOCA_SUCCESS;
}

static doca_error_t import(struct doca_dev *dev, const struct export_descriptor *parts,
			   uint32_t num_parts, struct doca_sync_event **event)
{
	struct doca_sync_event *made = event_new(LOG_HERE);
	doca_error_t result;

	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	doca__dev_hold(dev);
	made->devs[0] = dev;
	result = reach(made, dev, parts, num_parts);
	if (result != DOCA_SUCCESS)
		event_free(made);
	else
		*event = made;
	return result;
}

doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data,
						size_t sz, struct doca_sync_event **event)
{
	struct export_descriptor parts[EVENT_PARTS];
	const char *why = NULL;
	uint32_t num_parts;
	doca_error_t result;

	if (dev == NULL || data == NULL || event == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : data == NULL ? "data" : "event");
	result = doca__dev_require(LOG_HERE, dev, EVENT_CAPABILITY, "a sync event",
				   "doca_sync_event_cap_is_create_from_export_supported");
	if (result != DOCA_SUCCESS)
		return result;
	result = event_decode(data, sz, parts, &num_parts, &why);
	if (result != DOCA_SUCCESS) {
		LOG_ERROR("sync event import refused: the %zu bytes at %p are no descriptor: %s; "
			  "pass what the export gave, whole",
			  sz, (const void *)data, why);
		return result;
	}
	result = import(dev, parts, num_parts, event);
	explicit_bzero(parts, sizeof(parts));
	return result;
}
