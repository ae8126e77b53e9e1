/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events of GPUs, of DPAs and over a network: there are none, and each call says so. */
#include <doca_sync_event.h>

#include "common/dev.h"
#include "common/sdk_log.h"

static doca_error_t refuse(const char *call, bool has_arguments)
{
	if (!has_arguments)
		return doca__refuse_null(__FILE__, __LINE__, call, "an argument");
	LOG_ERROR("%s refused: a virtual card has no GPU and no DPA, and shares no sync event over "
		  "a network; use the locations cpu and remote_pci",
		  call);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t answer(const char *call, const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return doca__refuse_null(__FILE__, __LINE__, call, "devinfo");
	LOG_DEBUG("%s: device %s does not", call, devinfo->function->pci_addr);
	return DOCA_ERROR_NOT_SUPPORTED;
}

#define CAPABILITY(name)                                                                           \
	doca_error_t doca_sync_event_cap_##name##_supported(const struct doca_devinfo *devinfo)    \
	{                                                                                          \
		return answer(__func__, devinfo);                                                  \
	}

CAPABILITY(remote_net_is_create_from_export)
CAPABILITY(is_export_to_dpa)
CAPABILITY(is_export_to_gpu)
CAPABILITY(is_export_to_remote_net)
CAPABILITY(remote_net_is_export_to_dpa)
CAPABILITY(remote_net_is_export_to_gpu)

doca_error_t doca_sync_event_remote_net_create_from_export(
	struct doca_dev *dev, const uint8_t *data, size_t sz,
	struct doca_sync_event_remote_net **event)
{
	return refuse(__func__, dev != NULL && data != NULL && event != NULL);
}

doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
	return refuse(__func__, event != NULL);
}

doca_error_t doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event,
							struct doca_dpa *dpa)
{
	return refuse(__func__, event != NULL && dpa != NULL);
}

doca_error_t doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event,
							struct doca_gpu *gpu)
{
	return refuse(__func__, event != NULL && gpu != NULL);
}

doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event)
{
	return refuse(__func__, event != NULL);
}

doca_error_t doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
							 struct doca_dpa *dpa)
{
	return refuse(__func__, event != NULL && dpa != NULL);
}

doca_error_t doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event,
							 struct doca_gpu *gpu)
{
	return refuse(__func__, event != NULL && gpu != NULL);
}

doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
					    doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
	return refuse(__func__, event != NULL && dpa != NULL && dpa_dev_se_handle != NULL);
}

doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event, struct doca_gpu *gpu,
					    doca_gpu_dev_sync_event_t **gpu_dev_se)
{
	return refuse(__func__, event != NULL && gpu != NULL && gpu_dev_se != NULL);
}

doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data, size_t *sz)
{
	return refuse(__func__, event != NULL && data != NULL && sz != NULL);
}

doca_error_t doca_sync_event_remote_net_get_dpa_handle(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
	return refuse(__func__, event != NULL && dpa != NULL && dpa_remote_event != NULL);
}

doca_error_t doca_sync_event_remote_net_get_gpu_handle(
	struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
	return refuse(__func__, event != NULL && gpu != NULL && gpu_remote_event != NULL);
}
