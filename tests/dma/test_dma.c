/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA context: its making, its capabilities, its configuration. */
#include "support/dma_fixture.h"
#include "support/log_capture.h"
#include "support/test.h"

#include "dma/dma.h"
#include "support/fail_calloc.h"

static struct dma_fixture *open_idle(void)
{
	struct dma_options options = {.stays_idle = true};

	return dma_open(&options);
}

/* An open device of a card of any make, whatever this process's own card is. */
struct other_dev {
	struct machine machine;
	struct doca_dev dev;
};

static void make_other_dev(struct other_dev *other, const struct settings *settings)
{
	assert_doca(machine_build(settings, &other->machine), DOCA_SUCCESS);
	other->dev = (struct doca_dev){
		.info = {.card = other->machine.cards, .function = other->machine.functions},
		.num_opens = 1,
	};
}

static void create_gives_an_idle_context_that_keeps_its_device_open(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_dma *dma = NULL;

	log_forget(state);
	assert_doca(doca_dma_create(dev, &dma), DOCA_SUCCESS);
	assert_silent(state);
	assert_int_equal(dma_state(doca_dma_as_ctx(dma)), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void create_refuses_null(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_dma *dma = NULL;

	log_forget(state);
	assert_doca(doca_dma_create(NULL, &dma), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "dev");
	assert_null(dma);
	log_forget(state);
	assert_doca(doca_dma_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "dma");
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void create_without_memory_gives_none_and_holds_nothing(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_dma *dma = NULL;

	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_dma_create(dev, &dma), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for one more dma context");
	assert_null(dma);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void create_refuses_a_device_that_cannot_copy(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_CONNECTX7};
	struct doca_dma *dma = NULL;
	struct other_dev other;

	make_other_dev(&other, &settings);
	log_forget(state);
	assert_doca(doca_dma_create(&other.dev, &dma), DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR",
		      "refuses a dma context: it has none; choose one for which "
		      "doca_dma_cap_task_memcpy_is_supported");
	assert_null(dma);
	assert_int_equal(other.dev.num_users, 0);
	machine_release(&other.machine);
}

static void create_takes_limits_and_error_mode_from_the_card(void **state)
{
	const struct settings settings = {
		.errors = SETTINGS_ERRORS_HARDWARE,
		.max_buf_size_bytes = 12345,
		.max_buf_list_len = 7,
		.queue_depth = 3,
	};
	struct doca_dma *dma = NULL;
	struct other_dev other;

	make_other_dev(&other, &settings);
	assert_doca(doca_dma_create(&other.dev, &dma), DOCA_SUCCESS);
	assert_true(dma->hardware_errors);
	assert_int_equal(dma->limits.max_buf_size_bytes, 12345);
	assert_int_equal(dma->limits.max_buf_list_len, 7);
	assert_int_equal(dma->ctx.max_queue_depth, 3);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	assert_int_equal(other.dev.num_users, 0);
	machine_release(&other.machine);
}

static void destroy_refuses_null(void **state)
{
	log_forget(state);
	assert_doca(doca_dma_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "dma");
}

static void destroy_refuses_a_context_that_runs_or_stops_and_changes_nothing(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	log_forget(state);
	assert_doca(doca_dma_destroy(fixture->dma), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR",
		      "it is not idle, 1 of its tasks are not freed; call doca_ctx_stop, then "
		      "doca_pe_progress until it is idle");
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_true(dma_was_copied(fixture, 0, 64));

	task = dma_copy_task(fixture, 0, 64, 0);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_dma_destroy(fixture->dma), DOCA_ERROR_IN_USE);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	dma_task_release(task);
	dma_close(fixture);
}

static void destroy_disconnects_from_the_engine(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_dma_destroy(fixture->dma), DOCA_SUCCESS);
	fixture->dma = NULL;
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void both_functions_of_the_card_can_copy(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_int_equal(num_devs, 2);
	for (uint32_t i = 0; i < num_devs; i++) {
		uint32_t list_len = 0;
		uint64_t size = 0;

		assert_doca(doca_dma_cap_task_memcpy_is_supported(list[i]), DOCA_SUCCESS);
		assert_doca(doca_dma_cap_task_memcpy_get_max_buf_list_len(list[i], &list_len),
			    DOCA_SUCCESS);
		assert_int_equal(list_len, 64);
		assert_doca(doca_dma_cap_task_memcpy_get_max_buf_size(list[i], &size),
			    DOCA_SUCCESS);
		assert_int_equal(size, 2 * 1024 * 1024);
	}
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void a_device_that_cannot_copy_has_no_capability_of_it(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_CONNECTX7};
	struct other_dev other;
	uint32_t list_len = 99;
	uint64_t size = 99;

	make_other_dev(&other, &settings);
	log_forget(state);
	assert_doca(doca_dma_cap_task_memcpy_is_supported(&other.dev.info),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "DBG", "0000:03:00.0 does not");
	assert_doca(doca_dma_cap_task_memcpy_get_max_buf_list_len(&other.dev.info, &list_len),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_dma_cap_task_memcpy_get_max_buf_size(&other.dev.info, &size),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_int_equal(list_len, 99);
	assert_int_equal(size, 99);
	machine_release(&other.machine);
}

static void capabilities_refuse_null(void **state)
{
	struct doca_dev *dev = dma_open_device();
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	uint32_t list_len = 99;
	uint64_t size = 99;

	assert_doca(doca_dma_cap_task_memcpy_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, &list_len),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_cap_task_memcpy_get_max_buf_size(info, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(list_len, 99);
	assert_int_equal(size, 99);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void the_largest_number_of_tasks_is_a_plain_count(void **state)
{
	struct dma_fixture *fixture = open_idle();
	uint32_t max_num_tasks = 99;

	assert_doca(doca_dma_cap_get_max_num_tasks(NULL, &max_num_tasks), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_cap_get_max_num_tasks(fixture->dma, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(max_num_tasks, 99);
	assert_doca(doca_dma_cap_get_max_num_tasks(fixture->dma, &max_num_tasks), DOCA_SUCCESS);
	assert_int_equal(max_num_tasks, 65536);
	dma_close(fixture);
}

static void the_generic_context_of_null_is_null(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_ptr_equal(doca_dma_as_ctx(fixture->dma), fixture->dma);
	assert_null(doca_dma_as_ctx(NULL));
	dma_close(fixture);
}

static void set_conf_takes_one_task_to_the_most(void **state)
{
	struct dma_fixture *fixture = open_idle();
	uint32_t most = fixture->dma->limits.max_num_tasks;

	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_success,
						  dma_record_error, most),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(fixture->dma->pool.num_tasks, most);
	assert_int_equal(fixture->ctx->queue_depth, most);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_success,
						  dma_record_error, 1),
		    DOCA_SUCCESS);
	dma_close(fixture);
}

static void set_conf_refuses_a_number_out_of_range_and_keeps_what_is_set(void **state)
{
	struct dma_fixture *fixture = open_idle();
	uint32_t before = fixture->dma->pool.num_configured;

	log_forget(state);
	assert_doca(
		doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_error, dma_record_error, 0),
		DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR",
		      "refuses doca_dma_task_memcpy_set_conf of 0 tasks: want 1 to 65536");
	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_error, dma_record_error,
						  65537),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(fixture->dma->pool.num_configured, before);
	assert_true(fixture->dma->pool.completion_cb == (task_cb)dma_record_success);
	dma_close(fixture);
}

static void set_conf_refuses_null(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_dma_task_memcpy_set_conf(NULL, dma_record_success, dma_record_error, 1),
		    DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, NULL, dma_record_error, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR",
		      "][doca_dma_task_memcpy_set_conf] doca_dma_task_memcpy_set_conf refuses: the "
		      "completion callback must not be NULL");
	/* The line is as from the call, not from what checks it. */
	assert_logged(state, "ERR", "[dma.c:");
	log_forget(state);
	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_success, NULL, 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "the error callback must not be NULL");
	assert_int_equal(fixture->dma->pool.num_configured, 64);
	dma_close(fixture);
}

static void set_conf_refuses_a_context_that_runs_or_stops(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	log_forget(state);
	assert_doca(
		doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_error, dma_record_error, 1),
		DOCA_ERROR_BAD_STATE);
	assert_logged(
		state, "ERR",
		"refuses doca_dma_task_memcpy_set_conf: it is not idle; call doca_ctx_stop, then");
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(
		doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_error, dma_record_error, 1),
		DOCA_ERROR_BAD_STATE);
	assert_int_equal(fixture->dma->pool.num_configured, 64);
	assert_true(fixture->dma->pool.completion_cb == (task_cb)dma_record_success);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_later_set_conf_replaces_the_callbacks(void **state)
{
	struct dma_fixture *fixture = open_idle();

	assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_error,
						  dma_record_success, 2),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 0)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_error, 1);
	dma_close(fixture);
}

static void a_gpu_handle_is_not_supported(void **state)
{
	struct dma_fixture *fixture = open_idle();
	struct doca_gpu_dma *gpu_dma = NULL;

	assert_doca(doca_dma_get_gpu_handle(NULL, &gpu_dma), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_get_gpu_handle(fixture->dma, NULL), DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_dma_get_gpu_handle(fixture->dma, &gpu_dma), DOCA_ERROR_NOT_SUPPORTED);
	assert_logged(state, "ERR", "a virtual card has no GPU; leave the call out");
	assert_null(gpu_dma);
	dma_close(fixture);
}

static void ordered_completions_are_off_at_first_and_can_be_set_before_and_after_start(void **state)
{
	struct dma_fixture *fixture = open_idle();
	uint8_t ordered = 99;

	assert_doca(doca_dma_get_ordered_completions(fixture->dma, &ordered), DOCA_SUCCESS);
	assert_int_equal(ordered, 0);
	assert_doca(doca_dma_set_ordered_completions(fixture->dma, 1), DOCA_SUCCESS);
	assert_doca(doca_dma_get_ordered_completions(fixture->dma, &ordered), DOCA_SUCCESS);
	assert_int_equal(ordered, 1);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_dma_set_ordered_completions(fixture->dma, 0), DOCA_SUCCESS);
	assert_doca(doca_dma_get_ordered_completions(fixture->dma, &ordered), DOCA_SUCCESS);
	assert_int_equal(ordered, 0);
	dma_close(fixture);
}

static void ordered_completions_refuse_null_and_what_is_neither(void **state)
{
	struct dma_fixture *fixture = open_idle();
	uint8_t ordered = 99;

	assert_doca(doca_dma_set_ordered_completions(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_get_ordered_completions(NULL, &ordered), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_dma_get_ordered_completions(fixture->dma, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(ordered, 99);
	log_forget(state);
	assert_doca(doca_dma_set_ordered_completions(fixture->dma, 2), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "refuses ordered completions of 2: want 0 or 1");
	assert_int_equal(fixture->dma->ordered_completions, 0);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_gives_an_idle_context_that_keeps_its_device_open),
		cmocka_unit_test(create_refuses_null),
		cmocka_unit_test(create_without_memory_gives_none_and_holds_nothing),
		cmocka_unit_test(create_refuses_a_device_that_cannot_copy),
		cmocka_unit_test(create_takes_limits_and_error_mode_from_the_card),
		cmocka_unit_test(destroy_refuses_null),
		cmocka_unit_test(destroy_refuses_a_context_that_runs_or_stops_and_changes_nothing),
		cmocka_unit_test(destroy_disconnects_from_the_engine),
		cmocka_unit_test(both_functions_of_the_card_can_copy),
		cmocka_unit_test(a_device_that_cannot_copy_has_no_capability_of_it),
		cmocka_unit_test(capabilities_refuse_null),
		cmocka_unit_test(the_largest_number_of_tasks_is_a_plain_count),
		cmocka_unit_test(the_generic_context_of_null_is_null),
		cmocka_unit_test(set_conf_takes_one_task_to_the_most),
		cmocka_unit_test(set_conf_refuses_a_number_out_of_range_and_keeps_what_is_set),
		cmocka_unit_test(set_conf_refuses_null),
		cmocka_unit_test(set_conf_refuses_a_context_that_runs_or_stops),
		cmocka_unit_test(a_later_set_conf_replaces_the_callbacks),
		cmocka_unit_test(a_gpu_handle_is_not_supported),
		cmocka_unit_test(
			ordered_completions_are_off_at_first_and_can_be_set_before_and_after_start),
		cmocka_unit_test(ordered_completions_refuse_null_and_what_is_neither),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
