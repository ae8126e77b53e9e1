/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events of GPUs, of DPAs and over a network: there are none, and each call says so. */
#include <doca_sync_event.h>

#include <stdbool.h>

#include "common/sdk_log.h"

static doca_error_t refuse(struct log_place place, bool has_arguments)
{
	if (!has_arguments)
		return doca__refuse_null(place, "an argument");
	LOG_ERROR_FROM(place,
		       "%s refused: a virtual card has no GPU and no DPA, and shares no sync event "
		       "over a network; use the locations cpu and remote_pci",
		       place.func);
	return DOCA_ERROR_NOT_SUPPORTED;
}

/* doca_sync_event_<name>: its parameters, and whether the arguments are there. */
#define REFUSED(name, parameters, has_arguments)                                                   \
	doca_error_t doca_sync_event_##name parameters                                             \
	{                                                                                          \
		return refuse(LOG_HERE, has_arguments);                                            \
	}

REFUSED(remote_net_create_from_export,
	(struct doca_dev * dev, const uint8_t *data, size_t sz,
	 struct doca_sync_event_remote_net **event),
	dev != NULL && data != NULL && event != NULL)
REFUSED(remote_net_destroy, (struct doca_sync_event_remote_net * event), event != NULL)
REFUSED(add_publisher_location_dpa, (struct doca_sync_event * event, struct doca_dpa *dpa),
	event != NULL && dpa != NULL)
REFUSED(add_publisher_location_gpu, (struct doca_sync_event * event, struct doca_gpu *gpu),
	event != NULL && gpu != NULL)
REFUSED(add_publisher_location_remote_net, (struct doca_sync_event * event), event != NULL)
REFUSED(add_subscriber_location_dpa, (struct doca_sync_event * event, struct doca_dpa *dpa),
	event != NULL && dpa != NULL)
REFUSED(add_subscriber_location_gpu, (struct doca_sync_event * event, struct doca_gpu *gpu),
	event != NULL && gpu != NULL)
REFUSED(get_dpa_handle,
	(struct doca_sync_event * event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *handle),
	event != NULL && dpa != NULL && handle != NULL)
REFUSED(get_gpu_handle,
	(struct doca_sync_event * event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **handle),
	event != NULL && gpu != NULL && handle != NULL)
REFUSED(export_to_remote_net, (struct doca_sync_event * event, const uint8_t **data, size_t *sz),
	event != NULL && data != NULL && sz != NULL)
REFUSED(remote_net_get_dpa_handle,
	(struct doca_sync_event_remote_net * event, struct doca_dpa *dpa,
	 doca_dpa_dev_sync_event_remote_net_t *handle),
	event != NULL && dpa != NULL && handle != NULL)
REFUSED(remote_net_get_gpu_handle,
	(struct doca_sync_event_remote_net * event, struct doca_gpu *gpu,
	 doca_gpu_dev_sync_event_remote_net_t *handle),
	event != NULL && gpu != NULL && handle != NULL)
