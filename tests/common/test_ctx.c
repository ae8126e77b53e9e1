/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine of a context, by a DMA context: start, stop, faults, and what each reports. */
#include "support/dma_fixture.h"
#include "support/log_capture.h"
#include "support/test.h"

#include "dma/dma.h"
#include "support/fail_calloc.h"

/* A task that fails in the engine: its source has no data. */
static struct doca_task *failing_task(struct dma_fixture *fixture)
{
	struct doca_buf *source = dma_source(fixture, 0, 64);

	assert_doca(doca_buf_reset_data_len(source), DOCA_SUCCESS);
	return dma_task(fixture, source, dma_target(fixture, 0, 64), 0);
}

static void assert_transition(const struct dma_event *event, enum doca_ctx_states prev,
			      enum doca_ctx_states next)
{
	assert_int_equal(event->kind, DMA_EVENT_STATE);
	assert_int_equal(event->prev, prev);
	assert_int_equal(event->state, next);
}

static void start_is_running_and_has_told_so_when_it_returns(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	assert_int_equal(fixture->num_events, 1);
	assert_transition(&fixture->events[0], DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_RUNNING);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void start_refuses_null(void **state)
{
	log_forget(state);
	assert_doca(doca_ctx_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "ctx");
}

static void start_refuses_a_context_that_runs_or_stops(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	log_forget(state);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "refuses start: it is running; only an idle context starts");

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	log_forget(state);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "refuses start: it is stopping");
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	dma_task_release(task);
	dma_close(fixture);
}

static void start_refuses_a_context_without_a_progress_engine(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *dma = NULL;

	assert_doca(doca_dma_create(fixture->dev, &dma), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NOT_CONNECTED);
	assert_logged(state, "ERR", "call doca_pe_connect_ctx first");
	assert_int_equal(dma_state(doca_dma_as_ctx(dma)), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	dma_close(fixture);
}

static void start_refuses_a_context_whose_tasks_are_not_configured(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *dma = NULL;

	assert_doca(doca_dma_create(fixture->dev, &dma), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(fixture->pe, doca_dma_as_ctx(dma)), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "call doca_dma_task_memcpy_set_conf first");
	assert_int_equal(dma_state(doca_dma_as_ctx(dma)), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	dma_close(fixture);
}

static void start_without_memory_for_the_tasks_stays_idle_and_can_be_tried_again(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_INITIALIZATION);
	assert_logged(state, "ERR", "no memory for 64 tasks");
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_events, 0);

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	dma_close(fixture);
}

static void start_without_memory_for_the_queue_stays_idle_and_can_be_tried_again(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	/* The tasks are there from the first start, so the queue is what is allocated first. */
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_INITIALIZATION);
	assert_logged(state, "ERR", "no memory for its queue");
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	dma_close(fixture);
}

static size_t count_tasks(struct dma_fixture *fixture)
{
	struct doca_dma_task_memcpy *tasks[64];
	union doca_data none = {.u64 = 0};
	size_t num_tasks = 0;

	while (num_tasks < 64 && doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none,
								 &tasks[num_tasks]) == DOCA_SUCCESS)
		num_tasks++;
	for (size_t i = 0; i < num_tasks; i++)
		doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
	return num_tasks;
}

static void a_restart_with_another_number_of_tasks_has_that_number(void **state)
{
	static const uint32_t numbers[] = {3, 7, 1, 1};
	struct dma_options options = {.num_tasks = 5};
	struct dma_fixture *fixture = dma_open(&options);

	assert_int_equal(count_tasks(fixture), 5);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
		assert_doca(doca_dma_task_memcpy_set_conf(fixture->dma, dma_record_success,
							  dma_record_error, numbers[i]),
			    DOCA_SUCCESS);
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
		assert_int_equal(count_tasks(fixture), numbers[i]);
		assert_doca(doca_task_submit(dma_copy_task(fixture, 64 * i, 64, 0)), DOCA_SUCCESS);
		dma_wait_tasks(fixture, i + 1);
	}
	assert_true(dma_was_copied(fixture, 0, 256));
	dma_close(fixture);
}

static void stop_refuses_null(void **state)
{
	log_forget(state);
	assert_doca(doca_ctx_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "ctx");
}

static void stop_of_an_idle_context_succeeds_in_silence(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	log_forget(state);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_silent(state);
	assert_int_equal(fixture->num_events, 0);
	dma_close(fixture);
}

static void stop_with_every_task_freed_is_idle_when_it_returns(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 0)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	fixture->num_events = 0;

	log_forget(state);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_silent(state);
	assert_int_equal(fixture->num_events, 1);
	assert_transition(&fixture->events[0], DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void stop_with_a_task_that_was_never_submitted_is_stopping(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	fixture->num_events = 0;
	log_forget(state);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_logged(state, "DBG", "0 tasks in flight, 1 to be freed");
	assert_int_equal(fixture->num_events, 1);
	assert_transition(&fixture->events[0], DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);

	/* A second stop changes nothing. */
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fixture->num_events, 1);

	dma_task_release(task);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_events, 2);
	assert_transition(&fixture->events[1], DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void stop_brings_tasks_in_flight_back_as_failed_from_progress(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *tasks[2] = {dma_copy_task(fixture, 0, 64, 0),
				      dma_copy_task(fixture, 64, 64, 1)};

	assert_doca(doca_task_submit(tasks[0]), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(tasks[1], DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fixture->num_error, 0);

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_error, i + 1);
		assert_doca(doca_task_get_status(tasks[i]), DOCA_ERROR_IO_FAILED);
	}
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	assert_true(dma_is_untouched(fixture, 0, 128));
	dma_task_release(tasks[0]);
	dma_task_release(tasks[1]);
	dma_close(fixture);
}

static void a_context_that_waits_for_tasks_to_be_freed_warns_once_a_stop(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);

	for (size_t round = 0; round < 2; round++) {
		struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
		assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
		log_forget(state);
		dma_progress_dry(fixture);
		assert_logged(state, "WRN",
			      "stays in stopping until 1 tasks of it are freed; call "
			      "doca_task_free on each");
		dma_task_release(task);
		dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
		assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	}
	dma_close(fixture);
}

static void a_stop_whose_tasks_free_themselves_does_not_warn(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (size_t i = 0; i < 3; i++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 0)), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	log_forget(state);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_silent(state);
	dma_close(fixture);
}

static void stop_reports_as_done_what_was_done_and_only_not_reported(void **state)
{
	const uint32_t lazy = DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS;
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	for (uint64_t tag = 0; tag < 3; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 64 * tag, 64, tag), lazy),
			    DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	assert_int_equal(fixture->num_success, 0);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);

	for (size_t i = 1; i <= 3; i++) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, i);
		assert_int_equal(fixture->events[fixture->num_events - 1].tag, i - 1);
	}
	assert_true(dma_was_copied(fixture, 0, 192));
	dma_close(fixture);
}

static void stop_in_the_middle_of_a_long_copy_fails_it(void **state)
{
	const size_t len_bytes = (size_t)5 << 20;
	struct dma_options options = {.area_bytes = len_bytes, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task;

	fixture->dma->limits.max_buf_size_bytes = len_bytes;
	task = dma_copy_task(fixture, 0, len_bytes, 0);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);

	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_error, 1);
	assert_doca(doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
	assert_int_equal(
		dma_data_len(doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)task)), 0);
	assert_true(dma_is_untouched(fixture, (size_t)2 << 20, (size_t)3 << 20));
	dma_task_release(task);
	dma_close(fixture);
}

/* What a callback saw of a stop that it made. */
struct stopped {
	doca_error_t result;
	enum doca_ctx_states state;
};

static void free_and_stop(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			  union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct stopped *stopped = fixture->options.user;

	dma_record_success(task, task_user_data, ctx_user_data);
	stopped->result = doca_ctx_stop(fixture->ctx);
	stopped->state = dma_state(fixture->ctx);
}

static void stop_in_a_callback_is_stopping_even_with_every_task_freed(void **state)
{
	struct stopped stopped = {0};
	struct dma_options options = {.success_cb = free_and_stop, .user = &stopped};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 0)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(stopped.result, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(stopped.state, DOCA_CTX_STATE_STOPPING);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);

	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void stop_in_a_callback_of_another_engine_is_idle_at_once(void **state)
{
	struct stopped stopped = {0};
	struct dma_options options = {.success_cb = free_and_stop, .user = &stopped};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_ctx *stops = fixture->ctx;
	struct doca_pe *pe = NULL;

	/* A second context on an engine of its own; its callback stops the first. */
	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	{
		struct dma_fixture second = *fixture;
		struct doca_dma *dma;
		union doca_data user_data = {.ptr = fixture};

		second.pe = pe;
		second.options.stays_idle = false;
		dma = dma_add_context(&second);
		second.dma = dma;
		second.ctx = doca_dma_as_ctx(dma);
		assert_doca(doca_ctx_set_user_data(second.ctx, user_data), DOCA_SUCCESS);
		assert_doca(doca_task_submit(dma_copy_task(&second, 0, 64, 0)), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(pe), 1);
		assert_doca(doca_ctx_stop(second.ctx), DOCA_SUCCESS);
		assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
	}
	assert_doca(stopped.result, DOCA_SUCCESS);
	assert_int_equal(stopped.state, DOCA_CTX_STATE_IDLE);
	assert_int_equal(dma_state(stops), DOCA_CTX_STATE_IDLE);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
	dma_close(fixture);
}

static void stop_when_running(const union doca_data user_data, struct doca_ctx *ctx,
			      enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_fixture *fixture = user_data.ptr;
	struct stopped *stopped = fixture->options.user;

	dma_record_state(user_data, ctx, prev_state, next_state);
	if (next_state != DOCA_CTX_STATE_RUNNING)
		return;
	stopped->result = doca_ctx_stop(ctx);
	stopped->state = dma_state(ctx);
}

static void stop_in_the_running_callback_is_stopping_first(void **state)
{
	struct stopped stopped = {0};
	struct dma_options options = {
		.state_cb = stop_when_running, .user = &stopped, .stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(stopped.result, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(stopped.state, DOCA_CTX_STATE_STOPPING);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_events, 3);
	assert_transition(&fixture->events[2], DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void destroy_when_idle(const union doca_data user_data, struct doca_ctx *ctx,
			      enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_fixture *fixture = user_data.ptr;
	doca_error_t *result = fixture->options.user;

	if (next_state != DOCA_CTX_STATE_IDLE)
		return;
	*result = doca_dma_destroy(fixture->dma);
	fixture->dma = NULL;
}

static void nothing_touches_a_context_destroyed_in_its_idle_callback(void **state)
{
	for (size_t inside_progress = 0; inside_progress < 2; inside_progress++) {
		doca_error_t result = DOCA_ERROR_UNKNOWN;
		struct dma_options options = {.state_cb = destroy_when_idle, .user = &result};
		struct dma_fixture *fixture = dma_open(&options);

		if (inside_progress != 0) {
			struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

			assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
			dma_task_release(task);
			assert_int_equal(doca_pe_progress(fixture->pe), 1);
		} else {
			assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
		}
		assert_doca(result, DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(fixture->pe), 0);
		dma_close(fixture);
	}
}

static void restart_when_idle(const union doca_data user_data, struct doca_ctx *ctx,
			      enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_fixture *fixture = user_data.ptr;
	doca_error_t *result = fixture->options.user;

	dma_record_state(user_data, ctx, prev_state, next_state);
	if (next_state == DOCA_CTX_STATE_IDLE && *result == DOCA_ERROR_UNKNOWN)
		*result = doca_ctx_start(ctx);
}

static void a_context_restarts_in_its_idle_callback(void **state)
{
	doca_error_t result = DOCA_ERROR_UNKNOWN;
	struct dma_options options = {.state_cb = restart_when_idle, .user = &result};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(result, DOCA_SUCCESS);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 0)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_true(dma_was_copied(fixture, 0, 64));
	dma_close(fixture);
}

static void a_failed_task_stops_its_context_after_its_callback(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	fixture->num_events = 0;
	assert_doca(doca_task_submit(failing_task(fixture)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 64, 7)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);

	assert_int_equal(fixture->num_events, 2);
	assert_int_equal(fixture->events[0].kind, DMA_EVENT_ERROR);
	assert_doca(fixture->events[0].status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(fixture->events[0].state, DOCA_CTX_STATE_RUNNING);
	assert_transition(&fixture->events[1], DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);

	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->events[2].tag, 7);
	assert_doca(fixture->events[2].status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_IDLE);
	assert_true(dma_is_untouched(fixture, 0, 128));
	dma_close(fixture);
}

static void submit_in_error(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct doca_task **another = fixture->options.user;

	dma_record_error(task, task_user_data, ctx_user_data);
	if (*another != NULL)
		(void)doca_task_submit(*another);
	*another = NULL;
}

static void no_copy_runs_after_one_that_failed(void **state)
{
	struct doca_task *another = NULL;
	struct dma_options options = {.error_cb = submit_in_error, .user = &another};
	struct dma_fixture *fixture = dma_open(&options);

	another = dma_copy_task(fixture, 64, 64, 1);
	assert_doca(doca_task_submit(failing_task(fixture)), DOCA_SUCCESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_error, 2);
	assert_true(dma_is_untouched(fixture, 0, 128));
	dma_close(fixture);
}

static void stop_in_an_error_callback_is_one_transition(void **state)
{
	struct stopped stopped = {0};
	struct dma_options options = {.error_cb = free_and_stop, .user = &stopped};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(failing_task(fixture)), DOCA_SUCCESS);
	fixture->num_events = 0;
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(stopped.result, DOCA_ERROR_IN_PROGRESS);
	assert_int_equal(fixture->num_events, 2);
	assert_transition(&fixture->events[1], DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(fixture->num_events, 3);
	dma_close(fixture);
}

static void a_context_without_a_state_callback_lives_all_the_same(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	fixture->ctx->state_changed_cb = NULL; /* as it is before it is set */
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_task_submit(failing_task(fixture)), DOCA_SUCCESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
}

static void one_progress_copies_two_mebibytes_of_a_long_copy(void **state)
{
	const size_t mebibyte = (size_t)1 << 20;
	struct dma_options options = {.area_bytes = 5 * mebibyte};
	struct dma_fixture *fixture = dma_open(&options);

	fixture->dma->limits.max_buf_size_bytes = 5 * mebibyte;
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 5 * mebibyte, 0)), DOCA_SUCCESS);
	for (size_t done = 2; done <= 4; done += 2) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, 0);
		assert_true(dma_was_copied(fixture, 0, done * mebibyte));
		assert_true(dma_is_untouched(fixture, done * mebibyte, (5 - done) * mebibyte));
	}
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_was_copied(fixture, 0, 5 * mebibyte));
	dma_close(fixture);
}

static void flush_of_nothing_or_of_an_idle_context_says_that_it_does_nothing(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	log_forget(state);
	doca_ctx_flush_tasks(NULL);
	assert_logged(state, "ERR", "NULL");
	log_forget(state);
	doca_ctx_flush_tasks(fixture->ctx);
	assert_logged(state, "ERR", "idle");
	dma_close(fixture);
}

static void flush_hands_over_what_waits_in_order(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	fixture->num_events = 0;
	for (uint64_t tag = 0; tag < 3; tag++)
		assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 64 * tag, 64, tag),
						DOCA_TASK_SUBMIT_FLAG_NONE),
			    DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	log_forget(state);
	doca_ctx_flush_tasks(fixture->ctx);
	doca_ctx_flush_tasks(fixture->ctx);
	assert_silent(state);
	dma_wait_tasks(fixture, 3);
	for (uint64_t tag = 0; tag < 3; tag++)
		assert_int_equal(fixture->events[tag].tag, tag);
	dma_close(fixture);
}

static void each_transition_is_traced(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);

	log_trace(state, true);
	log_forget(state);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_logged(state, "TRC", "idle to running");
	log_forget(state);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_logged(state, "TRC", "running to idle");
	log_trace(state, false);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_is_running_and_has_told_so_when_it_returns),
		cmocka_unit_test(start_refuses_null),
		cmocka_unit_test(start_refuses_a_context_that_runs_or_stops),
		cmocka_unit_test(start_refuses_a_context_without_a_progress_engine),
		cmocka_unit_test(start_refuses_a_context_whose_tasks_are_not_configured),
		cmocka_unit_test(
			start_without_memory_for_the_tasks_stays_idle_and_can_be_tried_again),
		cmocka_unit_test(
			start_without_memory_for_the_queue_stays_idle_and_can_be_tried_again),
		cmocka_unit_test(a_restart_with_another_number_of_tasks_has_that_number),
		cmocka_unit_test(stop_refuses_null),
		cmocka_unit_test(stop_of_an_idle_context_succeeds_in_silence),
		cmocka_unit_test(stop_with_every_task_freed_is_idle_when_it_returns),
		cmocka_unit_test(stop_with_a_task_that_was_never_submitted_is_stopping),
		cmocka_unit_test(stop_brings_tasks_in_flight_back_as_failed_from_progress),
		cmocka_unit_test(a_context_that_waits_for_tasks_to_be_freed_warns_once_a_stop),
		cmocka_unit_test(a_stop_whose_tasks_free_themselves_does_not_warn),
		cmocka_unit_test(stop_reports_as_done_what_was_done_and_only_not_reported),
		cmocka_unit_test(stop_in_the_middle_of_a_long_copy_fails_it),
		cmocka_unit_test(stop_in_a_callback_is_stopping_even_with_every_task_freed),
		cmocka_unit_test(stop_in_a_callback_of_another_engine_is_idle_at_once),
		cmocka_unit_test(stop_in_the_running_callback_is_stopping_first),
		cmocka_unit_test(nothing_touches_a_context_destroyed_in_its_idle_callback),
		cmocka_unit_test(a_context_restarts_in_its_idle_callback),
		cmocka_unit_test(a_failed_task_stops_its_context_after_its_callback),
		cmocka_unit_test(no_copy_runs_after_one_that_failed),
		cmocka_unit_test(stop_in_an_error_callback_is_one_transition),
		cmocka_unit_test(a_context_without_a_state_callback_lives_all_the_same),
		cmocka_unit_test(one_progress_copies_two_mebibytes_of_a_long_copy),
		cmocka_unit_test(flush_of_nothing_or_of_an_idle_context_says_that_it_does_nothing),
		cmocka_unit_test(flush_hands_over_what_waits_in_order),
		cmocka_unit_test(each_transition_is_traced),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
