/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events of GPUs, of DPAs and over a network: there are none, and each call says so. */
#include <doca_sync_event.h>

#include <stdbool.h>

#include "common/sdk_log.h"

#define LACKING                                                                                    \
	"GPU and no DPA, and shares no sync event over a network; use the locations cpu and "      \
	"remote_pci"

/* doca_sync_event_<name>: its parameters, and the name of the first that is NULL. */
#define REFUSED(name, parameters, null_argument)                                                   \
	doca_error_t doca_sync_event_##name parameters                                             \
	{                                                                                          \
		return REFUSE_LACKING(null_argument, LACKING);                                     \
	}

#define NULL_OF_2(a, b) ((a) == NULL ? #a : NAME_IF_NULL(b))
#define NULL_OF_3(a, b, c) ((a) == NULL ? #a : NULL_OF_2(b, c))

REFUSED(remote_net_create_from_export,
	(struct doca_dev * dev, const uint8_t *data, size_t sz,
	 struct doca_sync_event_remote_net **event),
	NULL_OF_3(dev, data, event))
REFUSED(remote_net_destroy, (struct doca_sync_event_remote_net * event), NAME_IF_NULL(event))
REFUSED(add_publisher_location_dpa, (struct doca_sync_event * event, struct doca_dpa *dpa),
	NULL_OF_2(event, dpa))
REFUSED(add_publisher_location_gpu, (struct doca_sync_event * event, struct doca_gpu *gpu),
	NULL_OF_2(event, gpu))
REFUSED(add_publisher_location_remote_net, (struct doca_sync_event * event), NAME_IF_NULL(event))
REFUSED(add_subscriber_location_dpa, (struct doca_sync_event * event, struct doca_dpa *dpa),
	NULL_OF_2(event, dpa))
REFUSED(add_subscriber_location_gpu, (struct doca_sync_event * event, struct doca_gpu *gpu),
	NULL_OF_2(event, gpu))
REFUSED(get_dpa_handle,
	(struct doca_sync_event * event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *handle),
	NULL_OF_3(event, dpa, handle))
REFUSED(get_gpu_handle,
	(struct doca_sync_event * event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **handle),
	NULL_OF_3(event, gpu, handle))
REFUSED(export_to_remote_net, (struct doca_sync_event * event, const uint8_t **data, size_t *sz),
	NULL_OF_3(event, data, sz))
REFUSED(remote_net_get_dpa_handle,
	(struct doca_sync_event_remote_net * event, struct doca_dpa *dpa,
	 doca_dpa_dev_sync_event_remote_net_t *handle),
	NULL_OF_3(event, dpa, handle))
REFUSED(remote_net_get_gpu_handle,
	(struct doca_sync_event_remote_net * event, struct doca_gpu *gpu,
	 doca_gpu_dev_sync_event_remote_net_t *handle),
	NULL_OF_3(event, gpu, handle))
