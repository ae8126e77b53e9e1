/* SPDX-License-Identifier: Apache-2.0 */
/* The capability functions of each library, one a row, and how a row asks a device. */
#include "table.h"

#include <string.h>

#include <doca_clock.h>
#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_mmap_advise.h>
#include <doca_sync_event.h>

#include "document.h"

enum kind { STATUS, FLAG, COUNT, LARGE_COUNT, BYTES, OF_DMA };

struct capability {
	const char *name; /* the function's, without what all have: doca, cap, is, get, supported */
	enum kind kind;
	union {
		doca_error_t (*status)(const struct doca_devinfo *devinfo);
		doca_error_t (*flag)(const struct doca_devinfo *devinfo, uint8_t *value);
		doca_error_t (*count)(const struct doca_devinfo *devinfo, uint32_t *value);
		doca_error_t (*large_count)(const struct doca_devinfo *devinfo, uint64_t *value);
		doca_error_t (*bytes)(const struct doca_devinfo *devinfo, size_t *value);
		doca_error_t (*of_dma)(struct doca_dma *dma, uint32_t *value);
	} ask;
};

/* clang-format off */
static const struct capability common_capabilities[] = {
	{"mmap_export_pci", FLAG, {.flag = doca_mmap_cap_is_export_pci_supported}},
	{"mmap_create_from_export_pci", FLAG, {.flag = doca_mmap_cap_is_create_from_export_pci_supported}},
	{"mmap_max_export_access_token_size", BYTES, {.bytes = doca_mmap_cap_get_max_export_access_token_size}},
	{"mmap_advise_task_cache_invalidate", STATUS, {.status = doca_mmap_advise_cap_task_cache_invalidate_is_supported}},
	{"hotplug_manager", FLAG, {.flag = doca_devinfo_cap_is_hotplug_manager_supported}},
	{"notification_moderation", FLAG, {.flag = doca_devinfo_cap_is_notification_moderation_supported}},
	{"accelerate_resource_reclaim", FLAG, {.flag = doca_devinfo_cap_is_accelerate_resource_reclaim_supported}},
	{"rep_filter_all", FLAG, {.flag = doca_devinfo_rep_cap_is_filter_all_supported}},
	{"rep_filter_net", FLAG, {.flag = doca_devinfo_rep_cap_is_filter_net_supported}},
	{"rep_filter_emulated", FLAG, {.flag = doca_devinfo_rep_cap_is_filter_emulated_supported}},
	{"ctx_num_completion_vectors", COUNT, {.count = doca_ctx_cap_get_num_completion_vectors}},
	{"clock_nic_free_running", STATUS, {.status = doca_clock_cap_nic_free_running_is_supported}},
	{"clock_nic_real_time", STATUS, {.status = doca_clock_cap_nic_real_time_is_supported}},
	{"clock_nic_dpa_timer", STATUS, {.status = doca_clock_cap_nic_dpa_timer_is_supported}},
	{"sync_event_create_from_export", STATUS, {.status = doca_sync_event_cap_is_create_from_export_supported}},
	{"sync_event_export_to_remote_pci", STATUS, {.status = doca_sync_event_cap_is_export_to_remote_pci_supported}},
	{"sync_event_export_to_remote_net", STATUS, {.status = doca_sync_event_cap_is_export_to_remote_net_supported}},
	{"sync_event_export_to_dpa", STATUS, {.status = doca_sync_event_cap_is_export_to_dpa_supported}},
	{"sync_event_export_to_gpu", STATUS, {.status = doca_sync_event_cap_is_export_to_gpu_supported}},
	{"sync_event_remote_net_create_from_export", STATUS, {.status = doca_sync_event_cap_remote_net_is_create_from_export_supported}},
	{"sync_event_remote_net_export_to_dpa", STATUS, {.status = doca_sync_event_cap_remote_net_is_export_to_dpa_supported}},
	{"sync_event_remote_net_export_to_gpu", STATUS, {.status = doca_sync_event_cap_remote_net_is_export_to_gpu_supported}},
	{"sync_event_task_get", STATUS, {.status = doca_sync_event_cap_task_get_is_supported}},
	{"sync_event_task_notify_set", STATUS, {.status = doca_sync_event_cap_task_notify_set_is_supported}},
	{"sync_event_task_notify_add", STATUS, {.status = doca_sync_event_cap_task_notify_add_is_supported}},
	{"sync_event_task_wait_eq", STATUS, {.status = doca_sync_event_cap_task_wait_eq_is_supported}},
	{"sync_event_task_wait_neq", STATUS, {.status = doca_sync_event_cap_task_wait_neq_is_supported}},
};

static const struct capability comch_capabilities[] = {
	{"server", STATUS, {.status = doca_comch_cap_server_is_supported}},
	{"client", STATUS, {.status = doca_comch_cap_client_is_supported}},
	{"max_name_len", COUNT, {.count = doca_comch_cap_get_max_name_len}},
	{"max_msg_size", COUNT, {.count = doca_comch_cap_get_max_msg_size}},
	{"max_recv_queue_size", COUNT, {.count = doca_comch_cap_get_max_recv_queue_size}},
	{"max_send_tasks", COUNT, {.count = doca_comch_cap_get_max_send_tasks}},
	{"max_clients", COUNT, {.count = doca_comch_cap_get_max_clients}},
	{"consumer", STATUS, {.status = doca_comch_consumer_cap_is_supported}},
	{"consumer_max_num_tasks", COUNT, {.count = doca_comch_consumer_cap_get_max_num_tasks}},
	{"consumer_max_buf_size", COUNT, {.count = doca_comch_consumer_cap_get_max_buf_size}},
	{"consumer_max_buf_list_len", COUNT, {.count = doca_comch_consumer_cap_get_max_buf_list_len}},
	{"consumer_max_consumers", COUNT, {.count = doca_comch_consumer_cap_get_max_consumers}},
	{"consumer_max_imm_data_len", COUNT, {.count = doca_comch_consumer_cap_get_max_imm_data_len}},
	{"producer", STATUS, {.status = doca_comch_producer_cap_is_supported}},
	{"producer_max_num_tasks", COUNT, {.count = doca_comch_producer_cap_get_max_num_tasks}},
	{"producer_max_buf_size", COUNT, {.count = doca_comch_producer_cap_get_max_buf_size}},
	{"producer_max_buf_list_len", COUNT, {.count = doca_comch_producer_cap_get_max_buf_list_len}},
	{"producer_max_producers", COUNT, {.count = doca_comch_producer_cap_get_max_producers}},
};

static const struct capability dma_capabilities[] = {
	{"task_memcpy", STATUS, {.status = doca_dma_cap_task_memcpy_is_supported}},
	{"task_memcpy_max_buf_size", LARGE_COUNT, {.large_count = doca_dma_cap_task_memcpy_get_max_buf_size}},
	{"task_memcpy_max_buf_list_len", COUNT, {.count = doca_dma_cap_task_memcpy_get_max_buf_list_len}},
	{"max_num_tasks", OF_DMA, {.of_dma = doca_dma_cap_get_max_num_tasks}},
};
/* clang-format on */

#define TABLE(table) table, sizeof(table) / sizeof((table)[0])

const struct library libraries[] = {
	{MODULE_PREFIX "common", TABLE(common_capabilities)},
	{MODULE_PREFIX "argp", NULL, 0},
	{MODULE_PREFIX "comch", TABLE(comch_capabilities)},
	{MODULE_PREFIX "dma", TABLE(dma_capabilities)},
};
const size_t num_libraries = sizeof(libraries) / sizeof(libraries[0]);

const char *library_name(const struct library *library)
{
	return library->module + strlen(MODULE_PREFIX);
}

const struct library *library_find(const char *name)
{
	if (strncmp(name, "doca_", strlen("doca_")) == 0 ||
	    strncmp(name, MODULE_PREFIX, strlen(MODULE_PREFIX)) == 0)
		name += strlen(MODULE_PREFIX);
	for (size_t i = 0; i < num_libraries; i++)
		if (strcmp(name, library_name(&libraries[i])) == 0)
			return &libraries[i];
	return NULL;
}

/* The one capability that a context is asked for. */
static doca_error_t ask_dma(const struct capability *capability, struct doca_dev *dev,
			    uint64_t *value)
{
	struct doca_dma *dma = NULL;
	uint32_t count = 0;
	doca_error_t result = doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(dev));

	if (result == DOCA_SUCCESS)
		result = doca_dma_create(dev, &dma);
	if (result != DOCA_SUCCESS)
		return result;
	result = capability->ask.of_dma(dma, &count);
	*value = count;
	(void)doca_dma_destroy(dma);
	return result;
}

static doca_error_t ask_limit(const struct capability *capability, struct doca_dev *dev,
			      uint64_t *value)
{
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	doca_error_t result;
	uint32_t count = 0;
	size_t bytes = 0;

	switch (capability->kind) {
	case LARGE_COUNT:
		return capability->ask.large_count(devinfo, value);
	case BYTES:
		result = capability->ask.bytes(devinfo, &bytes);
		*value = bytes;
		return result;
	case OF_DMA:
		return ask_dma(capability, dev, value);
	default:
		result = capability->ask.count(devinfo, &count);
		*value = count;
		return result;
	}
}

static bool is_supported(const struct capability *capability, const struct doca_devinfo *devinfo)
{
	uint8_t value = 0;

	if (capability->kind == STATUS)
		return capability->ask.status(devinfo) == DOCA_SUCCESS;
	return capability->ask.flag(devinfo, &value) == DOCA_SUCCESS && value != 0;
}

struct json_object *library_ask(const struct library *library, struct doca_dev *dev)
{
	struct json_object *answers = new_object();

	for (size_t i = 0; i < library->num; i++) {
		const struct capability *capability = &library->capabilities[i];
		uint64_t value = 0;

		doca_error_t result;

		if (capability->kind == STATUS || capability->kind == FLAG) {
			put_bool(answers, capability->name,
				 is_supported(capability, doca_dev_as_devinfo(dev)));
			continue;
		}
		result = ask_limit(capability, dev, &value);
		if (result == DOCA_SUCCESS)
			put_number(answers, capability->name, value);
		else if (result == DOCA_ERROR_NO_MEMORY)
			end_without_memory();
	}
	return answers;
}
