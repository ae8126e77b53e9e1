/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events of GPUs, DPAs and networks: whatever is asked, there are none. */
#include "support/event_fixture.h"

#include "support/log_capture.h"

/* Objects that nobody can have: the calls do not look at them. */
#define DPA ((struct doca_dpa *)state)
#define GPU ((struct doca_gpu *)state)
#define REMOTE ((struct doca_sync_event_remote_net *)state)

#define assert_refused(call)                                                                       \
	do {                                                                                       \
		log_forget(state);                                                                 \
		assert_doca(call, DOCA_ERROR_NOT_SUPPORTED);                                       \
		assert_logged(state, "ERR", "use the locations cpu and remote_pci");               \
	} while (0)

#define assert_invalid(call)                                                                       \
	do {                                                                                       \
		log_forget(state);                                                                 \
		assert_doca(call, DOCA_ERROR_INVALID_VALUE);                                       \
		assert_logged(state, "ERR", "must not be NULL");                                   \
	} while (0)

static void locations_of_others_are_not_supported(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_sync_event *event = fixture->event;

	assert_refused(doca_sync_event_add_publisher_location_dpa(event, DPA));
	assert_refused(doca_sync_event_add_publisher_location_gpu(event, GPU));
	assert_refused(doca_sync_event_add_publisher_location_remote_net(event));
	assert_refused(doca_sync_event_add_subscriber_location_dpa(event, DPA));
	assert_refused(doca_sync_event_add_subscriber_location_gpu(event, GPU));
	assert_invalid(doca_sync_event_add_publisher_location_dpa(NULL, DPA));
	assert_invalid(doca_sync_event_add_publisher_location_dpa(event, NULL));
	assert_invalid(doca_sync_event_add_publisher_location_gpu(NULL, GPU));
	assert_invalid(doca_sync_event_add_publisher_location_gpu(event, NULL));
	assert_invalid(doca_sync_event_add_publisher_location_remote_net(NULL));
	assert_invalid(doca_sync_event_add_subscriber_location_dpa(NULL, DPA));
	assert_invalid(doca_sync_event_add_subscriber_location_dpa(event, NULL));
	assert_invalid(doca_sync_event_add_subscriber_location_gpu(NULL, GPU));
	assert_invalid(doca_sync_event_add_subscriber_location_gpu(event, NULL));
	/* They left the event as it was. */
	assert_doca(doca_sync_event_start(event), DOCA_SUCCESS);
	event_close(fixture);
}

static void handles_of_others_are_not_supported(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_sync_event *event = fixture->event;
	doca_gpu_dev_sync_event_t *on_gpu = NULL;
	doca_gpu_dev_sync_event_remote_net_t far_on_gpu = 7;
	doca_dpa_dev_sync_event_t on_dpa = 7;
	doca_dpa_dev_sync_event_remote_net_t far_on_dpa = 7;

	assert_refused(doca_sync_event_get_dpa_handle(event, DPA, &on_dpa));
	assert_refused(doca_sync_event_get_gpu_handle(event, GPU, &on_gpu));
	assert_refused(doca_sync_event_remote_net_get_dpa_handle(REMOTE, DPA, &far_on_dpa));
	assert_refused(doca_sync_event_remote_net_get_gpu_handle(REMOTE, GPU, &far_on_gpu));
	assert_invalid(doca_sync_event_get_dpa_handle(NULL, DPA, &on_dpa));
	assert_logged(state, "ERR", ": event must");
	assert_invalid(doca_sync_event_get_dpa_handle(event, NULL, &on_dpa));
	assert_logged(state, "ERR", ": dpa must");
	assert_invalid(doca_sync_event_get_dpa_handle(event, DPA, NULL));
	assert_invalid(doca_sync_event_get_gpu_handle(NULL, GPU, &on_gpu));
	assert_invalid(doca_sync_event_get_gpu_handle(event, NULL, &on_gpu));
	assert_invalid(doca_sync_event_get_gpu_handle(event, GPU, NULL));
	assert_logged(state, "ERR", ": handle must");
	assert_invalid(doca_sync_event_remote_net_get_dpa_handle(NULL, DPA, &far_on_dpa));
	assert_invalid(doca_sync_event_remote_net_get_dpa_handle(REMOTE, NULL, &far_on_dpa));
	assert_invalid(doca_sync_event_remote_net_get_dpa_handle(REMOTE, DPA, NULL));
	assert_invalid(doca_sync_event_remote_net_get_gpu_handle(NULL, GPU, &far_on_gpu));
	assert_invalid(doca_sync_event_remote_net_get_gpu_handle(REMOTE, NULL, &far_on_gpu));
	assert_invalid(doca_sync_event_remote_net_get_gpu_handle(REMOTE, GPU, NULL));
	assert_null(on_gpu);
	assert_int_equal(on_dpa + far_on_dpa + far_on_gpu, 21);
	event_close(fixture);
}

static void nothing_goes_over_a_network(void **state)
{
	struct event_fixture *fixture = event_open_started();
	struct doca_sync_event_remote_net *remote = NULL;
	const uint8_t *data = NULL;
	size_t len = 7;

	assert_refused(doca_sync_event_export_to_remote_net(fixture->event, &data, &len));
	assert_null(data);
	assert_int_equal(len, 7);
	assert_refused(doca_sync_event_remote_net_create_from_export(
		fixture->dev, (const uint8_t *)"bytes", 5, &remote));
	assert_null(remote);
	assert_refused(doca_sync_event_remote_net_destroy(REMOTE));
	assert_invalid(doca_sync_event_export_to_remote_net(NULL, &data, &len));
	assert_invalid(doca_sync_event_export_to_remote_net(fixture->event, NULL, &len));
	assert_invalid(doca_sync_event_export_to_remote_net(fixture->event, &data, NULL));
	assert_invalid(doca_sync_event_remote_net_create_from_export(NULL, (const uint8_t *)"bytes",
								     5, &remote));
	assert_invalid(
		doca_sync_event_remote_net_create_from_export(fixture->dev, NULL, 5, &remote));
	assert_invalid(doca_sync_event_remote_net_create_from_export(
		fixture->dev, (const uint8_t *)"bytes", 5, NULL));
	assert_invalid(doca_sync_event_remote_net_destroy(NULL));
	event_close(fixture);
}

static void the_capabilities_say_so(void **state)
{
	static doca_error_t (*const capabilities[])(const struct doca_devinfo *devinfo) = {
		doca_sync_event_cap_remote_net_is_create_from_export_supported,
		doca_sync_event_cap_is_export_to_dpa_supported,
		doca_sync_event_cap_is_export_to_gpu_supported,
		doca_sync_event_cap_is_export_to_remote_net_supported,
		doca_sync_event_cap_remote_net_is_export_to_dpa_supported,
		doca_sync_event_cap_remote_net_is_export_to_gpu_supported,
	};
	struct event_fixture *fixture = event_open();

	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
		log_forget(state);
		assert_doca(capabilities[i](doca_dev_as_devinfo(fixture->dev)),
			    DOCA_ERROR_NOT_SUPPORTED);
		assert_logged(state, "DBG", "0000:b1:00.0");
		assert_invalid(capabilities[i](NULL));
	}
	event_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locations_of_others_are_not_supported),
		cmocka_unit_test(handles_of_others_are_not_supported),
		cmocka_unit_test(nothing_goes_over_a_network),
		cmocka_unit_test(the_capabilities_say_so),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
