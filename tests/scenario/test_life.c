/* SPDX-License-Identifier: Apache-2.0 */
/* How public programs start, stop and take a DMA context down. */
#include "support/dma_fixture.h"
#include "support/test.h"

static void destroy_on_idle(const union doca_data user_data, struct doca_ctx *ctx,
			    enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_fixture *fixture = user_data.ptr;
	doca_error_t *result = fixture->options.user;

	dma_record_state(user_data, ctx, prev_state, next_state);
	if (next_state != DOCA_CTX_STATE_IDLE)
		return;
	*result = doca_dma_destroy(fixture->dma);
	fixture->dma = NULL;
}

static bool is_destroyed(void *arg)
{
	return ((struct dma_fixture *)arg)->dma == NULL;
}

static void a_context_may_be_destroyed_from_its_idle_callback_inside_progress(void **state)
{
	doca_error_t result = DOCA_ERROR_UNKNOWN;
	struct dma_options options = {.state_cb = destroy_on_idle, .user = &result};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 4096, 1);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);

	assert_true(pe_progress_until(fixture->pe, is_destroyed, fixture, TEST_DEADLINE_S));
	assert_doca(result, DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void a_context_may_be_destroyed_from_its_idle_callback_inside_stop(void **state)
{
	doca_error_t result = DOCA_ERROR_UNKNOWN;
	struct dma_options options = {.state_cb = destroy_on_idle, .user = &result};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);

	assert_doca(result, DOCA_SUCCESS);
	assert_null(fixture->dma);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void destroy_all_on_idle(const union doca_data user_data, struct doca_ctx *ctx,
				enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_fixture *fixture = user_data.ptr;
	struct doca_dma **other = fixture->options.user;

	if (next_state != DOCA_CTX_STATE_IDLE || ctx != fixture->ctx)
		return;
	if (doca_dma_destroy(*other) == DOCA_SUCCESS)
		*other = NULL;
	if (doca_dma_destroy(fixture->dma) == DOCA_SUCCESS)
		fixture->dma = NULL;
}

static void the_last_idle_callback_may_destroy_every_context_of_the_engine(void **state)
{
	struct doca_dma *other = NULL;
	struct dma_options options = {.state_cb = destroy_all_on_idle, .user = &other};
	struct dma_fixture *fixture = dma_open(&options);

	other = dma_add_context(fixture);
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(other)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);

	assert_true(pe_progress_until(fixture->pe, is_destroyed, fixture, TEST_DEADLINE_S));
	assert_null(other);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void stop_on_an_idle_context_succeeds_as_often_as_it_is_asked(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	size_t num_events;

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	num_events = fixture->num_events;

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(fixture->num_events, num_events);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void stop_on_a_context_that_never_started_succeeds(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(fixture->num_events, 0);
	dma_close(fixture);
}

static void closing_no_device_succeeds(void **state)
{
	assert_doca(doca_dev_close(NULL), DOCA_SUCCESS);
}

static void views_of_nothing_are_nothing(void **state)
{
	assert_null(doca_dma_as_ctx(NULL));
	assert_null(doca_dma_task_memcpy_as_task(NULL));
}

static void start_and_an_empty_stop_are_one_transition_each(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);

	assert_int_equal(fixture->num_events, 2);
	assert_int_equal(fixture->events[0].prev, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->events[0].state, DOCA_CTX_STATE_RUNNING);
	assert_int_equal(fixture->events[1].prev, DOCA_CTX_STATE_RUNNING);
	assert_int_equal(fixture->events[1].state, DOCA_CTX_STATE_IDLE);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void a_stop_with_a_task_in_hand_is_idle_once_it_is_freed(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_int_equal(fixture->events[1].state, DOCA_CTX_STATE_STOPPING);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	dma_progress_dry(fixture);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	dma_task_release(task);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_events, 3);
	assert_int_equal(fixture->events[2].prev, DOCA_CTX_STATE_STOPPING);
	assert_int_equal(fixture->events[2].state, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void stop_while_stopping_keeps_stopping(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fixture->num_events, 2);
	dma_task_release(task);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void a_stopping_context_gives_out_and_takes_no_task(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);
	struct doca_dma_task_memcpy *other = NULL;
	union doca_data none = {0};

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);

	assert_doca(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_task_try_submit(task), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &other),
		    DOCA_ERROR_BAD_STATE);
	assert_null(other);
	dma_task_release(task);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &other),
		    DOCA_ERROR_BAD_STATE);
	dma_close(fixture);
}

static void an_idle_context_runs_again_after_a_bare_start(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t round = 0; round < 100; round++) {
		size_t offset = (size_t)round * 64;

		assert_doca(doca_task_submit(dma_copy_task(fixture, offset, 64, round)),
			    DOCA_SUCCESS);
		dma_wait_tasks(fixture, (size_t)round + 1);
		assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	}
	assert_int_equal(fixture->num_success, 100);
	assert_true(dma_was_copied(fixture, 0, 6400));
	dma_close(fixture);
}

static void destroy_of_a_running_context_is_in_use_and_changes_nothing(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 4096, 1)), DOCA_SUCCESS);
	assert_doca(doca_dma_destroy(fixture->dma), DOCA_ERROR_IN_USE);

	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_was_copied(fixture, 0, 4096));
	dma_close(fixture);
}

static void destroy_of_a_stopping_context_is_in_use_and_changes_nothing(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_dma_destroy(fixture->dma), DOCA_ERROR_IN_USE);

	dma_task_release(task);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void an_engine_with_a_context_is_in_use(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_pe_destroy(fixture->pe), DOCA_ERROR_IN_USE);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(fixture->pe), DOCA_ERROR_IN_USE);

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	dma_close(fixture);
}

static void a_device_with_a_context_is_in_use(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_dev_close(fixture->dev), DOCA_ERROR_IN_USE);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	dma_close(fixture);
}

static void a_context_starts_only_when_idle_and_connected(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *alone = NULL;

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_dma_create(fixture->dev, &alone), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_set_conf(alone, dma_record_success, dma_record_error, 4),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(doca_dma_as_ctx(alone)), DOCA_ERROR_NOT_CONNECTED);

	assert_doca(doca_dma_destroy(alone), DOCA_SUCCESS);
	dma_close(fixture);
}

/* A card needs the memory registered for its device; here nothing is registered. */
static void memory_that_no_device_was_added_to_is_copied(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_mmap *mmap = NULL;
	struct doca_buf *source = NULL;
	struct doca_buf *target = NULL;
	uint8_t bytes[128] = {1, 2, 3};

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, bytes, sizeof(bytes)), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(
		doca_buf_inventory_buf_get_by_data(fixture->inventory, mmap, bytes, 64, &source),
		DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, mmap, bytes + 64, 64,
						       &target),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, source, target, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);

	assert_memory_equal(bytes, bytes + 64, 64);
	dma_close(fixture);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_context_may_be_destroyed_from_its_idle_callback_inside_progress),
		cmocka_unit_test(a_context_may_be_destroyed_from_its_idle_callback_inside_stop),
		cmocka_unit_test(the_last_idle_callback_may_destroy_every_context_of_the_engine),
		cmocka_unit_test(stop_on_an_idle_context_succeeds_as_often_as_it_is_asked),
		cmocka_unit_test(stop_on_a_context_that_never_started_succeeds),
		cmocka_unit_test(closing_no_device_succeeds),
		cmocka_unit_test(views_of_nothing_are_nothing),
		cmocka_unit_test(memory_that_no_device_was_added_to_is_copied),
		cmocka_unit_test(start_and_an_empty_stop_are_one_transition_each),
		cmocka_unit_test(a_stop_with_a_task_in_hand_is_idle_once_it_is_freed),
		cmocka_unit_test(stop_while_stopping_keeps_stopping),
		cmocka_unit_test(a_stopping_context_gives_out_and_takes_no_task),
		cmocka_unit_test(an_idle_context_runs_again_after_a_bare_start),
		cmocka_unit_test(destroy_of_a_running_context_is_in_use_and_changes_nothing),
		cmocka_unit_test(destroy_of_a_stopping_context_is_in_use_and_changes_nothing),
		cmocka_unit_test(an_engine_with_a_context_is_in_use),
		cmocka_unit_test(a_device_with_a_context_is_in_use),
		cmocka_unit_test(a_context_starts_only_when_idle_and_connected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
