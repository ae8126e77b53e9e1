/* SPDX-License-Identifier: Apache-2.0 */
/* What of a sync event may be exported, what is imported, and what a stop makes of both. */
#include "support/event_fixture.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "common/sync_event.h"
#include "peer/agent.h"
#include "support/fail_calloc.h"
#include "support/log_capture.h"

static const uint8_t untouched[] = "as it was";

/* Refused; what is given back is untouched. */
static void assert_export_refused(void **state, struct event_fixture *fixture, doca_error_t result,
				  const char *words)
{
	const uint8_t *data = untouched;
	size_t len = 5;

	log_forget(state);
	assert_doca(doca_sync_event_export_to_remote_pci(fixture->event, fixture->dev, &data, &len),
		    result);
	assert_logged(state, "ERR", words);
	assert_ptr_equal(data, untouched);
	assert_int_equal(len, 5);
}

static void assert_import_refused(void **state, struct doca_dev *dev, const uint8_t *data,
				  size_t len, doca_error_t result, const char *words)
{
	struct doca_sync_event *event = NULL;

	log_forget(state);
	assert_doca(doca_sync_event_create_from_export(dev, data, len, &event), result);
	assert_logged(state, "ERR", words);
	assert_null(event);
}

static void export_and_import_refuse_null(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct doca_sync_event *event = NULL;
	const uint8_t *data = untouched;
	size_t len;

	assert_doca(doca_sync_event_export_to_remote_pci(NULL, fixture->dev, &data, &len),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_export_to_remote_pci(fixture->event, NULL, &data, &len),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_export_to_remote_pci(fixture->event, fixture->dev, NULL, &len),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_export_to_remote_pci(fixture->event, fixture->dev, &data, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	data = event_export(fixture, &len);
	assert_doca(doca_sync_event_create_from_export(NULL, data, len, &event),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_create_from_export(fixture->dev, NULL, len, &event),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_create_from_export(fixture->dev, data, len, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_cap_is_export_to_remote_pci_supported(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_cap_is_create_from_export_supported(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	event_close(fixture);
}

static void both_functions_export_and_import(void **state)
{
	for (int is_host = 0; is_host < 2; is_host++) {
		struct doca_dev *dev = event_open_dev(is_host != 0);
		const struct doca_devinfo *info = doca_dev_as_devinfo(dev);

		assert_doca(doca_sync_event_cap_is_export_to_remote_pci_supported(info),
			    DOCA_SUCCESS);
		assert_doca(doca_sync_event_cap_is_create_from_export_supported(info),
			    DOCA_SUCCESS);
		assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
	}
}

/* A device of a card that is a plain NIC. */
static struct doca_dev plain_nic(struct machine *machine)
{
	struct settings settings = {.device = SETTINGS_DEVICE_CONNECTX7};

	assert_doca(machine_build(&settings, machine), DOCA_SUCCESS);
	return (struct doca_dev){.info = {.card = machine->cards, .function = machine->functions}};
}

static void a_plain_nic_has_no_sync_events(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct doca_sync_event *event = NULL;
	struct machine machine;
	struct doca_dev nic = plain_nic(&machine);
	const uint8_t *data = untouched;
	size_t len = 5;

	log_forget(state);
	assert_doca(doca_sync_event_cap_is_export_to_remote_pci_supported(&nic.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "DBG", "does not");
	assert_doca(doca_sync_event_cap_is_create_from_export_supported(&nic.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_sync_event_cap_task_get_is_supported(&nic.info), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_sync_event_cap_task_notify_set_is_supported(&nic.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_sync_event_cap_task_notify_add_is_supported(&nic.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_sync_event_cap_task_wait_eq_is_supported(&nic.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_sync_event_cap_task_wait_neq_is_supported(&nic.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_sync_event_export_to_remote_pci(fixture->event, &nic, &data, &len),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_ptr_equal(data, untouched);
	data = event_export(fixture, &len);
	assert_doca(doca_sync_event_create_from_export(&nic, data, len, &event),
		    DOCA_ERROR_NOT_SUPPORTED);
	event_close(fixture);
	machine_release(&machine);
}

static void export_gives_the_same_descriptor_again(void **state)
{
	struct event_fixture *fixture = event_open_started();
	size_t first_len;
	size_t second_len;
	const uint8_t *first = event_export(fixture, &first_len);
	const uint8_t *second = event_export(fixture, &second_len);

	assert_ptr_equal(first, second);
	assert_int_equal(first_len, second_len);
	assert_true(first_len > 0 && first_len <= 1024);
	event_close(fixture);
}

static void export_refuses_an_event_not_started_or_not_remote(void **state)
{
	struct event_fixture *fixture = event_open();

	assert_export_refused(state, fixture, DOCA_ERROR_BAD_STATE, "it is not started");
	event_close(fixture);
	fixture = calloc(1, sizeof(*fixture));
	fixture->num_fds = open_fds();
	fixture->dev = event_open_dev(true);
	assert_doca(doca_sync_event_create(&fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_add_publisher_location_cpu(fixture->event, fixture->dev),
		    DOCA_SUCCESS);
	assert_doca(doca_sync_event_add_subscriber_location_cpu(fixture->event, fixture->dev),
		    DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	assert_export_refused(state, fixture, DOCA_ERROR_NOT_SUPPORTED, "is remote");
	event_close(fixture);
}

static void a_running_context_is_exported_too(void **state)
{
	struct event_fixture *fixture = event_open();
	struct event_fixture *import;
	const uint8_t *data;
	size_t len;

	event_start_ctx(fixture);
	data = event_export(fixture, &len);
	import = event_import(data, len);
	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	EVENT_SUBMIT(fixture, notify_set, 1, 12);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(event_value(import), 12);
	event_close(import);
	event_close(fixture);
}

static void want_of_memory_leaves_nothing(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct doca_sync_event *event = NULL;
	size_t num_fds = open_fds();
	const uint8_t *data;
	size_t len;

	next_calloc_fails = true;
	assert_export_refused(state, fixture, DOCA_ERROR_NO_MEMORY, "no memory");
	assert_int_equal(open_fds(), num_fds);
	data = event_export(fixture, &len);
	next_calloc_fails = true;
	assert_doca(doca_sync_event_create_from_export(fixture->dev, data, len, &event),
		    DOCA_ERROR_NO_MEMORY);
	assert_null(event);
	event_close(fixture);
}

static void an_import_is_only_started_and_its_tasks_configured(void **state)
{
	struct event_fixture *fixture = event_open_started();
	uint64_t memory = 0;
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *import = event_import(data, len);
	struct doca_sync_event *event = import->event;

	log_forget(state);
	assert_doca(doca_sync_event_add_publisher_location_cpu(event, import->dev),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is imported");
	assert_doca(doca_sync_event_add_subscriber_location_cpu(event, import->dev),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_add_publisher_location_remote_pci(event), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_add_subscriber_location_remote_pci(event),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_set_addr(event, &memory), DOCA_ERROR_BAD_STATE);
	event_start_ctx(import);
	assert_export_refused(state, import, DOCA_ERROR_NOT_SUPPORTED, "it is imported itself");
	event_close(import);
	event_close(fixture);
}

static void a_descriptor_that_is_none_is_refused(void **state)
{
	struct event_fixture *fixture = event_open_started();
	uint8_t copy[1024];
	size_t len;
	const uint8_t *data = event_export(fixture, &len);

	memcpy(copy, data, len);
	for (size_t i = 0; i < len; i++) {
		copy[i] ^= 0x10;
		assert_import_refused(state, fixture->dev, copy, len, DOCA_ERROR_INVALID_VALUE,
				      "no descriptor");
		copy[i] ^= 0x10;
		assert_import_refused(state, fixture->dev, data, i, DOCA_ERROR_INVALID_VALUE,
				      "no descriptor");
	}
	event_close(fixture);
}

/* The descriptor of an export that is no event's, in an event's head. */
static size_t disguise(const struct agent_range *range, struct agent_region **region,
		       uint8_t bytes[EVENT_MAX_BYTES])
{
	struct event_part parts[EVENT_PARTS] = {0};
	const struct peer_policy policy = {.deadline_ns = 1};
	const char *why;

	assert_doca(agent_export(&policy, range, region, parts[0].bytes, &parts[0].len_bytes, &why),
		    DOCA_SUCCESS);
	return event_encode(parts, bytes);
}

static void memory_in_an_events_head_is_no_event(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct agent_range range = {
		.addr = (uint8_t *)fixture->event->page,
		.len_bytes = sizeof(struct event_page),
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE | EXPORT_PCI,
	};
	struct agent_region *region;
	uint8_t bytes[EVENT_MAX_BYTES];
	size_t len = disguise(&range, &region, bytes);

	assert_import_refused(state, fixture->dev, bytes, len, DOCA_ERROR_INVALID_VALUE,
			      "is no sync event");
	agent_revoke(region);
	range.has_bell = true;
	range.bell_fd = fixture->event->bell_fd;
	range.len_bytes--;
	len = disguise(&range, &region, bytes);
	assert_import_refused(state, fixture->dev, bytes, len, DOCA_ERROR_INVALID_VALUE,
			      "is no sync event");
	agent_revoke(region);
	range.len_bytes++;
	range.bell_fd = fixture->event->page_fd;
	len = disguise(&range, &region, bytes);
	assert_import_refused(state, fixture->dev, bytes, len, DOCA_ERROR_INVALID_VALUE,
			      "is no sync event");
	agent_revoke(region);
	event_close(fixture);
}

static void a_maps_and_an_events_descriptor_are_not_mistaken(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct doca_dev *dpu = event_open_dev(false);
	_Alignas(8) uint8_t memory[64] = {0};
	struct doca_mmap *import = NULL;
	struct doca_mmap *mmap = NULL;
	const void *map_data = NULL;
	size_t len;
	const uint8_t *data = event_export(fixture, &len);

	log_forget(state);
	assert_doca(doca_mmap_create_from_export(NULL, data, len, dpu, &import),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "it is a sync event's");
	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, sizeof(memory)), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, fixture->dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_export_pci(mmap, fixture->dev, &map_data, &len), DOCA_SUCCESS);
	assert_import_refused(state, dpu, map_data, len, DOCA_ERROR_INVALID_VALUE,
			      "it is a memory map's");
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
	event_close(fixture);
}

static void a_buffer_of_an_imported_map_is_not_permitted(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_dev *dpu = event_open_dev(false);
	_Alignas(8) uint8_t memory[64] = {0};
	struct doca_buf_inventory *inventory = NULL;
	struct doca_mmap *import = NULL;
	struct doca_mmap *mmap = NULL;
	struct doca_buf *buf = NULL;
	const void *data = NULL;
	size_t len;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, sizeof(memory)), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, fixture->dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_export_pci(mmap, fixture->dev, &data, &len), DOCA_SUCCESS);
	assert_doca(doca_mmap_create_from_export(NULL, data, len, dpu, &import), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_create(1, &inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_data(inventory, import, memory, 8, &buf),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, buf), DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "another process's");
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(import), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
	event_close(fixture);
}

static void a_stop_shuts_the_import_and_the_next_export_is_another(void **state)
{
	struct event_fixture *fixture = event_open_started();
	uint8_t old[1024];
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *import = event_import(data, len);
	uint64_t value = 77;

	memcpy(old, data, len);
	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_update_set(fixture->event, 3), DOCA_SUCCESS);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_sync_event_get(import->event, &value), DOCA_ERROR_SHUTDOWN);
	assert_logged(state, "ERR", "has stopped or destroyed it");
	assert_doca(doca_sync_event_update_set(import->event, 9), DOCA_ERROR_SHUTDOWN);
	assert_doca(doca_sync_event_update_add(import->event, 9, &value), DOCA_ERROR_SHUTDOWN);
	assert_doca(doca_sync_event_wait_eq(import->event, 9, ALL_BITS), DOCA_ERROR_SHUTDOWN);
	assert_doca(doca_sync_event_wait_eq_yield(import->event, 9, ALL_BITS), DOCA_ERROR_SHUTDOWN);
	assert_int_equal(value, 77);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	assert_int_equal(event_value(fixture), 3);
	assert_doca(doca_sync_event_get(import->event, &value), DOCA_ERROR_SHUTDOWN);
	event_close(import);
	data = event_export(fixture, &len);
	assert_memory_not_equal(data, old, len);
	assert_import_refused(state, fixture->dev, old, len, DOCA_ERROR_NOT_FOUND, "exported anew");
	import = event_import(data, len);
	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	assert_int_equal(event_value(import), 3);
	event_close(import);
	event_close(fixture);
}

static void what_was_set_before_a_stop_is_what_importers_waited_for(void **state)
{
	struct event_fixture *fixture = event_open_started();
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *sleeper = event_import(data, len);
	struct event_fixture *import = event_import(data, len);

	assert_doca(doca_sync_event_start(sleeper->event), DOCA_SUCCESS);
	event_start_ctx(import);
	EVENT_SUBMIT(import, wait_eq, 1, 4, ALL_BITS);
	EVENT_SUBMIT(import, wait_eq, 2, 5, ALL_BITS);
	assert_doca(doca_sync_event_update_set(fixture->event, 5), DOCA_SUCCESS);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_wait_eq_yield(sleeper->event, 5, ALL_BITS), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(import->pe), 1);
	assert_int_equal(import->num_done, 1);
	assert_int_equal(import->told[0], 2);
	assert_int_equal(doca_pe_progress(import->pe), 1);
	assert_int_equal(import->num_failed, 1);
	assert_doca(import->last_status, DOCA_ERROR_SHUTDOWN);
	event_close(import);
	event_close(sleeper);
	event_close(fixture);
}

static void an_import_outlives_the_event_that_was_destroyed(void **state)
{
	struct event_fixture *fixture = event_open_started();
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *import = event_import(data, len);

	event_start_ctx(import);
	EVENT_SUBMIT(import, wait_eq, 1, 5, ALL_BITS);
	EVENT_SUBMIT(import, notify_set, 2, 4);
	EVENT_SUBMIT(import, wait_eq, 3, 5, ALL_BITS);
	assert_int_equal(doca_pe_progress(import->pe), 1);
	assert_int_equal(import->num_done, 1);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_destroy(fixture->event), DOCA_SUCCESS);
	/* In the order of submission; the first failure stops the context. */
	while (event_state(import) != DOCA_CTX_STATE_IDLE)
		(void)doca_pe_progress(import->pe);
	assert_int_equal(import->num_failed, 2);
	assert_int_equal(import->told[1], 1);
	assert_int_equal(import->told[2], 3);
	assert_doca(import->last_status, DOCA_ERROR_SHUTDOWN);
	assert_doca(doca_sync_event_destroy(import->event), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(import->pe), DOCA_SUCCESS);
	assert_doca(doca_dev_close(import->dev), DOCA_SUCCESS);
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
	event_await_fds(fixture->num_fds);
	free(import);
	free(fixture);
}

/* A device of a card that fails as hardware does. */
static struct doca_dev hardware_dev(struct machine *machine)
{
	struct settings settings = {.errors = SETTINGS_ERRORS_HARDWARE};

	assert_doca(machine_build(&settings, machine), DOCA_SUCCESS);
	return (struct doca_dev){
		.info = {.card = machine->cards, .function = machine->functions},
		.num_opens = 1,
	};
}

static void in_the_hardware_mode_an_import_and_its_tasks_fail_as_a_card_does(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct event_fixture *import = calloc(1, sizeof(*import));
	struct machine machine;
	struct doca_dev dev = hardware_dev(&machine);
	uint8_t old[1024];
	size_t len;
	const uint8_t *data = event_export(fixture, &len);

	memcpy(old, data, len);
	assert_doca(doca_sync_event_create_from_export(&dev, data, len, &import->event),
		    DOCA_SUCCESS);
	event_start_ctx(import);
	EVENT_SUBMIT(import, wait_eq, 1, 5, ALL_BITS);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	while (event_state(import) != DOCA_CTX_STATE_IDLE)
		(void)doca_pe_progress(import->pe);
	assert_int_equal(import->num_failed, 1);
	assert_doca(import->last_status, DOCA_ERROR_IO_FAILED);
	assert_doca(doca_sync_event_destroy(import->event), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(import->pe), DOCA_SUCCESS);
	free(import);
	assert_import_refused(state, &dev, old, len, DOCA_ERROR_DRIVER, "NOT_FOUND");
	event_close(fixture);
	machine_release(&machine);
}

/* 8 bytes of the caller's, in a memory file that importers can map or not. */
static _Atomic uint64_t *map_value(int seals, size_t at, int *file)
{
	int fd = memfd_create("value", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	uint8_t *memory;

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	if (seals != 0)
		assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	/* It must stay open: the exporter finds it by the mapping. */
	*file = fd;
	return (_Atomic uint64_t *)(memory + at);
}

static void a_value_in_a_sealed_file_is_shared_with_the_import(void **state)
{
	int fd;
	_Atomic uint64_t *value = map_value(F_SEAL_SHRINK, 40, &fd);
	struct event_fixture *fixture = event_open();
	struct event_fixture *import;
	uint64_t before = 0;
	const uint8_t *data;
	size_t len;

	assert_doca(doca_sync_event_set_addr(fixture->event, (uint64_t *)value), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	data = event_export(fixture, &len);
	assert_true(len <= 1024);
	import = event_import(data, len);
	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	atomic_store(value, 11);
	assert_doca(doca_sync_event_update_add(import->event, 1, &before), DOCA_SUCCESS);
	assert_int_equal(before, 11);
	assert_int_equal(atomic_load(value), 12);
	assert_int_equal(event_value(fixture), 12);
	event_close(import);
	event_close(fixture);
	munmap((uint8_t *)value - 40, 4096);
	close(fd);
}

static void a_value_in_other_memory_is_not_exported_and_the_log_says_what_to_do(void **state)
{
	_Atomic uint64_t on_the_stack = 0;
	int fd;
	uint64_t *const places[] = {(uint64_t *)&on_the_stack, (uint64_t *)map_value(0, 0, &fd)};

	for (size_t i = 0; i < 2; i++) {
		struct event_fixture *fixture = event_open();

		assert_doca(doca_sync_event_set_addr(fixture->event, places[i]), DOCA_SUCCESS);
		assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
		assert_export_refused(state, fixture, DOCA_ERROR_NOT_SUPPORTED, "F_SEAL_SHRINK");
		event_close(fixture);
	}
	munmap(places[1], 4096);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(export_and_import_refuse_null),
		cmocka_unit_test(both_functions_export_and_import),
		cmocka_unit_test(a_plain_nic_has_no_sync_events),
		cmocka_unit_test(export_gives_the_same_descriptor_again),
		cmocka_unit_test(export_refuses_an_event_not_started_or_not_remote),
		cmocka_unit_test(a_running_context_is_exported_too),
		cmocka_unit_test(want_of_memory_leaves_nothing),
		cmocka_unit_test(an_import_is_only_started_and_its_tasks_configured),
		cmocka_unit_test(a_descriptor_that_is_none_is_refused),
		cmocka_unit_test(memory_in_an_events_head_is_no_event),
		cmocka_unit_test(a_maps_and_an_events_descriptor_are_not_mistaken),
		cmocka_unit_test(a_buffer_of_an_imported_map_is_not_permitted),
		cmocka_unit_test(a_stop_shuts_the_import_and_the_next_export_is_another),
		cmocka_unit_test(what_was_set_before_a_stop_is_what_importers_waited_for),
		cmocka_unit_test(an_import_outlives_the_event_that_was_destroyed),
		cmocka_unit_test(in_the_hardware_mode_an_import_and_its_tasks_fail_as_a_card_does),
		cmocka_unit_test(a_value_in_a_sealed_file_is_shared_with_the_import),
		cmocka_unit_test(
			a_value_in_other_memory_is_not_exported_and_the_log_says_what_to_do),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
