/* SPDX-License-Identifier: Apache-2.0 */
/* The progress engine: turns, connections, and the handle that wakes. */
#include "support/dma_fixture.h"
#include "support/log_capture.h"
#include "support/test.h"

#include "common/ctx.h"
#include "common/pe.h"
#include "dma/dma.h"
#include "support/fail_calloc.h"
#include "support/fail_fd.h"

#define LAZY (DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS)

static struct dma_fixture *open_usual(void)
{
	struct dma_options options = {0};

	return dma_open(&options);
}

static bool is_readable(const struct dma_fixture *fixture)
{
	doca_notification_handle_t handle = doca_event_invalid_handle;

	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	return test_fd_is_readable(handle, 0);
}

static void submit_on(struct dma_fixture *fixture, struct doca_dma *dma, size_t offset,
		      uint64_t tag)
{
	union doca_data user_data = {.u64 = tag};
	struct doca_dma_task_memcpy *task = NULL;

	assert_doca(doca_dma_task_memcpy_alloc_init(dma, dma_source(fixture, offset, 64),
						    dma_target(fixture, offset, 64), user_data,
						    &task),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_dma_task_memcpy_as_task(task)), DOCA_SUCCESS);
}

static void remove_context(struct doca_dma *dma)
{
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(dma)), DOCA_SUCCESS);
	assert_doca(doca_dma_destroy(dma), DOCA_SUCCESS);
}

static void create_refuses_null(void **state)
{
	log_forget(state);
	assert_doca(doca_pe_create(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "pe");
}

static void create_without_memory_gives_none(void **state)
{
	struct doca_pe *pe = NULL;

	next_calloc_fails = true;
	log_forget(state);
	assert_doca(doca_pe_create(&pe), DOCA_ERROR_NO_MEMORY);
	assert_logged(state, "ERR", "no memory for a progress engine");
	assert_null(pe);
}

static void create_without_a_descriptor_gives_none(void **state)
{
	struct doca_pe *pe = NULL;

	next_eventfd_error = EMFILE;
	log_forget(state);
	assert_doca(doca_pe_create(&pe), DOCA_ERROR_OPERATING_SYSTEM);
	assert_logged(state, "ERR", strerror(EMFILE));
	assert_null(pe);
}

static void a_new_engine_has_nothing_to_do(void **state)
{
	doca_notification_handle_t handle = doca_event_invalid_handle;
	struct doca_pe *pe = NULL;
	size_t num_tasks = 99;

	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(pe), 0);
	assert_doca(doca_pe_get_num_inflight_tasks(pe, &num_tasks), DOCA_SUCCESS);
	assert_int_equal(num_tasks, 0);
	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	assert_true(handle >= 0);
	assert_false(test_fd_is_readable(handle, 0));
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
}

static void destroy_refuses_null(void **state)
{
	log_forget(state);
	assert_doca(doca_pe_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "pe");
}

static void destroy_refuses_while_a_context_is_connected_and_stays_whole(void **state)
{
	struct dma_fixture *fixture = open_usual();

	log_forget(state);
	assert_doca(doca_pe_destroy(fixture->pe), DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "is connected; destroy its library's object first");
	submit_on(fixture, fixture->dma, 0, 1);
	dma_wait_tasks(fixture, 1);

	/* An idle one is connected too. */
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_pe_destroy(fixture->pe), DOCA_ERROR_IN_USE);
	dma_close(fixture);
}

static void destroy_both_when_idle(const union doca_data user_data, struct doca_ctx *ctx,
				   enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct dma_fixture *fixture = user_data.ptr;
	doca_error_t *result = fixture->options.user;

	if (next_state != DOCA_CTX_STATE_IDLE || doca_dma_destroy(fixture->dma) != DOCA_SUCCESS)
		return;
	fixture->dma = NULL;
	*result = doca_pe_destroy(fixture->pe);
}

static void destroy_refuses_in_a_callback_of_the_engine(void **state)
{
	doca_error_t result = DOCA_ERROR_UNKNOWN;
	struct dma_options options = {.state_cb = destroy_both_when_idle, .user = &result};
	struct dma_fixture *fixture = dma_open(&options);

	log_forget(state);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(result, DOCA_ERROR_IN_USE);
	assert_logged(state, "ERR", "one of its callbacks runs; destroy it after doca_pe_progress");
	dma_close(fixture);
}

static void progress_of_null_is_nothing_and_is_told(void **state)
{
	log_forget(state);
	assert_int_equal(doca_pe_progress(NULL), 0);
	assert_logged(state, "ERR", "doca_pe_progress does nothing: pe is NULL");
}

static void progress_inside(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	uint8_t *result = fixture->options.user;

	*result = doca_pe_progress(fixture->pe);
	dma_record_success(task, task_user_data, ctx_user_data);
}

static void progress_in_a_callback_is_nothing_and_is_told(void **state)
{
	uint8_t result = 99;
	struct dma_options options = {.success_cb = progress_inside, .user = &result};
	struct dma_fixture *fixture = dma_open(&options);

	submit_on(fixture, fixture->dma, 0, 0);
	log_forget(state);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(result, 0);
	assert_logged(state, "ERR", "it is called from a callback of the engine");
	assert_int_equal(fixture->num_success, 1);
	dma_close(fixture);
}

static void one_progress_is_one_completion_and_then_nothing(void **state)
{
	struct dma_fixture *fixture = open_usual();

	for (uint64_t tag = 0; tag < 3; tag++)
		submit_on(fixture, fixture->dma, 64 * tag, tag);
	log_forget(state);
	for (size_t i = 1; i <= 3; i++) {
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, i);
	}
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	assert_silent(state);
	dma_close(fixture);
}

static bool always_has_work(const struct engine_queue *queue)
{
	return true;
}

/* As when a thread ends a copy between the poll that found nothing and the look for work. */
static void an_engine_that_was_idle_is_no_progress_whatever_comes_next(void **state)
{
	struct dma_fixture *fixture = open_usual();
	const struct engine_ops *engine = fixture->ctx->engine;
	struct engine_ops busy = *engine;

	busy.has_work = always_has_work;
	fixture->ctx->engine = &busy;
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	fixture->ctx->engine = engine;
	dma_close(fixture);
}

#define NUM_CONTEXTS 3

/* Two more contexts, of the same fixture. */
static void add_contexts(struct dma_fixture *fixture, struct doca_dma *dmas[NUM_CONTEXTS])
{
	dmas[0] = fixture->dma;
	for (size_t i = 1; i < NUM_CONTEXTS; i++)
		dmas[i] = dma_add_context(fixture);
	fixture->num_events = 0;
}

static void three_busy_contexts_are_asked_in_turn(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_dma *dmas[NUM_CONTEXTS];

	add_contexts(fixture, dmas);
	for (size_t i = 0; i < NUM_CONTEXTS; i++)
		for (size_t task = 0; task < 4; task++)
			submit_on(fixture, dmas[i], 0, i);
	for (size_t i = 0; i < 4 * NUM_CONTEXTS; i++)
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
	for (size_t i = NUM_CONTEXTS; i < 4 * NUM_CONTEXTS; i++)
		assert_int_equal(fixture->events[i].tag, fixture->events[i - NUM_CONTEXTS].tag);
	assert_int_not_equal(fixture->events[0].tag, fixture->events[1].tag);
	assert_int_not_equal(fixture->events[0].tag, fixture->events[2].tag);
	assert_int_not_equal(fixture->events[1].tag, fixture->events[2].tag);
	remove_context(dmas[1]);
	remove_context(dmas[2]);
	dma_close(fixture);
}

static void one_progress_finds_the_one_context_that_has_work(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_dma *dmas[NUM_CONTEXTS];

	add_contexts(fixture, dmas);
	for (size_t i = 0; i < 4 * NUM_CONTEXTS; i++) {
		submit_on(fixture, dmas[(i * 2) % NUM_CONTEXTS], 0, i);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(fixture->num_success, i + 1);
	}
	remove_context(dmas[1]);
	remove_context(dmas[2]);
	dma_close(fixture);
}

static void a_context_may_go_whose_turn_is_next(void **state)
{
	for (size_t gone = 1; gone < NUM_CONTEXTS; gone++) {
		struct dma_fixture *fixture = open_usual();
		size_t left = NUM_CONTEXTS - gone; /* the other of the two that were added */
		struct doca_dma *dmas[NUM_CONTEXTS];

		add_contexts(fixture, dmas);
		/* The turn of the one that goes comes next. */
		while (fixture->pe->next != &doca_dma_as_ctx(dmas[gone])->pe_link) {
			size_t before = (gone + NUM_CONTEXTS - 1) % NUM_CONTEXTS;

			submit_on(fixture, dmas[before], 0, 0);
			assert_int_equal(doca_pe_progress(fixture->pe), 1);
		}
		remove_context(dmas[gone]);
		submit_on(fixture, dmas[0], 0, 0);
		submit_on(fixture, dmas[left], 0, 0);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		assert_int_equal(doca_pe_progress(fixture->pe), 0);
		remove_context(dmas[left]);
		dma_close(fixture);
	}
}

static void remove_others(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			  union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	struct doca_dma **others = fixture->options.user;

	dma_record_success(task, task_user_data, ctx_user_data);
	for (size_t i = 1; i < NUM_CONTEXTS; i++)
		if (doca_dma_destroy(others[i]) == DOCA_SUCCESS)
			others[i] = NULL;
}

static void contexts_may_go_in_the_callback_of_another(void **state)
{
	struct doca_dma *dmas[NUM_CONTEXTS] = {0};
	struct dma_options options = {.success_cb = remove_others, .user = dmas};
	struct dma_fixture *fixture = dma_open(&options);

	add_contexts(fixture, dmas);
	for (size_t i = 1; i < NUM_CONTEXTS; i++)
		assert_doca(doca_ctx_stop(doca_dma_as_ctx(dmas[i])), DOCA_SUCCESS);
	submit_on(fixture, dmas[0], 0, 0);
	submit_on(fixture, dmas[0], 64, 0);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_null(dmas[1]);
	assert_null(dmas[2]);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	dma_close(fixture);
}

static void connect_refuses_null(void **state)
{
	struct dma_fixture *fixture = open_usual();

	log_forget(state);
	assert_doca(doca_pe_connect_ctx(NULL, fixture->ctx), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "pe");
	log_forget(state);
	assert_doca(doca_pe_connect_ctx(fixture->pe, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "ctx");
	dma_close(fixture);
}

static void connect_refuses_a_context_that_is_connected_or_runs(void **state)
{
	struct dma_options options = {.stays_idle = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_pe *pe = NULL;

	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_pe_connect_ctx(pe, fixture->ctx), DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "until it is destroyed");
	assert_doca(doca_pe_connect_ctx(fixture->pe, fixture->ctx), DOCA_ERROR_NOT_PERMITTED);

	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_pe_connect_ctx(pe, fixture->ctx), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "refuses to be connected: it is not idle");
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
	dma_close(fixture);
}

static void the_number_in_flight_is_the_sum_over_the_contexts(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_dma *dmas[NUM_CONTEXTS];
	size_t num_tasks = 0;

	add_contexts(fixture, dmas);
	submit_on(fixture, dmas[0], 0, 0);
	submit_on(fixture, dmas[1], 0, 0);
	submit_on(fixture, dmas[2], 0, 0);
	submit_on(fixture, dmas[2], 0, 0);
	assert_doca(doca_pe_get_num_inflight_tasks(fixture->pe, &num_tasks), DOCA_SUCCESS);
	assert_int_equal(num_tasks, 4);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_pe_get_num_inflight_tasks(fixture->pe, &num_tasks), DOCA_SUCCESS);
	assert_int_equal(num_tasks, 3);
	dma_wait_tasks(fixture, 4);
	remove_context(dmas[1]);
	remove_context(dmas[2]);
	dma_close(fixture);
}

static void getters_refuse_null(void **state)
{
	struct dma_fixture *fixture = open_usual();
	doca_notification_handle_t handle = 99;
	size_t num_tasks = 99;

	assert_doca(doca_pe_get_num_inflight_tasks(NULL, &num_tasks), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_pe_get_num_inflight_tasks(fixture->pe, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(num_tasks, 99);
	assert_doca(doca_pe_get_notification_handle(NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_pe_get_notification_handle(fixture->pe, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(handle, 99);
	dma_close(fixture);
}

static void the_handle_is_the_same_for_the_whole_life(void **state)
{
	struct dma_fixture *fixture = open_usual();
	doca_notification_handle_t first = -1;
	doca_notification_handle_t later = -2;

	assert_doca(doca_pe_get_notification_handle(fixture->pe, &first), DOCA_SUCCESS);
	submit_on(fixture, fixture->dma, 0, 0);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_pe_clear_notification(fixture->pe, first), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_doca(doca_pe_get_notification_handle(fixture->pe, &later), DOCA_SUCCESS);
	assert_int_equal(first, later);
	dma_close(fixture);
}

static void an_engine_that_is_not_armed_is_never_readable(void **state)
{
	struct dma_fixture *fixture = open_usual();

	submit_on(fixture, fixture->dma, 0, 0);
	assert_false(is_readable(fixture));
	dma_wait_tasks(fixture, 1);
	assert_false(is_readable(fixture));
	dma_close(fixture);
}

static void a_request_with_work_pending_is_readable_at_once(void **state)
{
	struct dma_fixture *fixture = open_usual();

	submit_on(fixture, fixture->dma, 0, 0);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_true(is_readable(fixture));
	dma_wait_tasks(fixture, 1);
	dma_close(fixture);
}

static void a_request_is_one_wake_up_when_work_comes(void **state)
{
	struct dma_fixture *fixture = open_usual();

	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_false(is_readable(fixture));
	submit_on(fixture, fixture->dma, 0, 0);
	assert_true(is_readable(fixture));

	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
	assert_false(is_readable(fixture));
	submit_on(fixture, fixture->dma, 0, 0);
	assert_false(is_readable(fixture));
	dma_wait_tasks(fixture, 2);
	dma_close(fixture);
}

static void work_of_any_context_wakes(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_dma *dmas[NUM_CONTEXTS];

	add_contexts(fixture, dmas);
	for (size_t i = 0; i < NUM_CONTEXTS; i++) {
		/* First as work that comes, then as work that is there. */
		assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
		assert_false(is_readable(fixture));
		submit_on(fixture, dmas[i], 0, 0);
		assert_true(is_readable(fixture));
		assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
		assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
		assert_true(is_readable(fixture));
		assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
		dma_wait_tasks(fixture, i + 1);
	}
	remove_context(dmas[1]);
	remove_context(dmas[2]);
	dma_close(fixture);
}

static void a_task_that_waits_for_a_flush_wakes_with_the_flush(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	assert_false(is_readable(fixture));
	doca_ctx_flush_tasks(fixture->ctx);
	assert_true(is_readable(fixture));
	dma_wait_tasks(fixture, 1);
	dma_close(fixture);
}

static void a_stop_with_tasks_in_flight_wakes(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_NONE), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_true(is_readable(fixture));
	dma_close(fixture);
}

static void a_stop_with_reports_held_back_wakes(void **state)
{
	struct dma_fixture *fixture = open_usual();

	assert_doca(doca_task_submit_ex(dma_copy_task(fixture, 0, 64, 0), LAZY), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 0);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_false(is_readable(fixture));
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_true(is_readable(fixture));
	dma_close(fixture);
}

static void the_last_free_of_a_stopping_context_wakes(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_task *tasks[2] = {dma_copy_task(fixture, 0, 64, 0),
				      dma_copy_task(fixture, 64, 64, 0)};

	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	dma_task_release(tasks[0]);
	assert_false(is_readable(fixture));
	dma_task_release(tasks[1]);
	assert_true(is_readable(fixture));

	/* It is work that is there, too. */
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_true(is_readable(fixture));
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	dma_close(fixture);
}

static void the_rest_of_a_long_copy_is_work(void **state)
{
	const size_t len_bytes = (size_t)3 << 20;
	struct dma_options options = {.area_bytes = len_bytes};
	struct dma_fixture *fixture = dma_open(&options);

	fixture->dma->limits.max_buf_size_bytes = len_bytes;
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, len_bytes, 0)), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_true(is_readable(fixture));
	dma_wait_tasks(fixture, 1);
	dma_close(fixture);
}

static void clear_and_request_refuse_null(void **state)
{
	log_forget(state);
	assert_doca(doca_pe_clear_notification(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "pe");
	log_forget(state);
	assert_doca(doca_pe_request_notification(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "pe");
}

static void clear_of_what_is_not_readable_succeeds(void **state)
{
	struct dma_fixture *fixture = open_usual();

	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
	assert_false(is_readable(fixture));
	dma_close(fixture);
}

static void a_descriptor_that_someone_closed_is_an_error_of_the_system(void **state)
{
	struct dma_fixture *fixture = open_usual();

	next_read_error = EBADF;
	log_forget(state);
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_ERROR_OPERATING_SYSTEM);
	assert_logged(state, "ERR", "is unusable: Bad file descriptor");

	submit_on(fixture, fixture->dma, 0, 0);
	next_write_error = EBADF;
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_ERROR_OPERATING_SYSTEM);

	assert_doca(doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
		    DOCA_SUCCESS);
	next_read_error = EBADF;
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_ERROR_OPERATING_SYSTEM);
	dma_wait_tasks(fixture, 1);
	dma_close(fixture);
}

static void a_wake_up_that_fails_is_told_and_the_submit_succeeds(void **state)
{
	struct dma_fixture *fixture = open_usual();
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	next_write_error = EBADF;
	log_forget(state);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_logged(state, "ERR", "wake-up: notification handle");
	dma_wait_tasks(fixture, 1);
	dma_close(fixture);
}

static void selective_mode_is_the_first_and_stays_readable_until_the_clear(void **state)
{
	struct dma_fixture *fixture = open_usual();

	submit_on(fixture, fixture->dma, 0, 0);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_true(is_readable(fixture));
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
	assert_false(is_readable(fixture));
	dma_close(fixture);
}

static void in_the_mode_for_all_the_next_request_clears(void **state)
{
	struct dma_fixture *fixture = open_usual();

	assert_doca(doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
		    DOCA_SUCCESS);
	submit_on(fixture, fixture->dma, 0, 0);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_true(is_readable(fixture));
	dma_wait_tasks(fixture, 1);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_false(is_readable(fixture));

	/* Armed all the same. */
	submit_on(fixture, fixture->dma, 0, 0);
	assert_true(is_readable(fixture));
	dma_wait_tasks(fixture, 2);
	dma_close(fixture);
}

static void the_event_mode_refuses_null_and_what_is_no_mode(void **state)
{
	struct dma_fixture *fixture = open_usual();

	assert_doca(doca_pe_set_event_mode(NULL, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
		    DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_pe_set_event_mode(fixture->pe, (enum doca_pe_event_mode)2),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "refuses event mode 2: want DOCA_PE_EVENT_MODE_PROGRESS_");
	assert_doca(doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE),
		    DOCA_SUCCESS);
	dma_close(fixture);
}

static void set_mode_inside(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	struct dma_fixture *fixture = ctx_user_data.ptr;
	doca_error_t *result = fixture->options.user;

	*result = doca_pe_set_event_mode(fixture->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL);
	dma_record_success(task, task_user_data, ctx_user_data);
}

static void the_event_mode_refuses_in_a_callback(void **state)
{
	doca_error_t result = DOCA_ERROR_UNKNOWN;
	struct dma_options options = {.success_cb = set_mode_inside, .user = &result};
	struct dma_fixture *fixture = dma_open(&options);

	submit_on(fixture, fixture->dma, 0, 0);
	log_forget(state);
	dma_wait_tasks(fixture, 1);
	assert_doca(result, DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "one of its callbacks runs");
	assert_int_equal(fixture->pe->event_mode, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_refuses_null),
		cmocka_unit_test(create_without_memory_gives_none),
		cmocka_unit_test(create_without_a_descriptor_gives_none),
		cmocka_unit_test(a_new_engine_has_nothing_to_do),
		cmocka_unit_test(destroy_refuses_null),
		cmocka_unit_test(destroy_refuses_while_a_context_is_connected_and_stays_whole),
		cmocka_unit_test(destroy_refuses_in_a_callback_of_the_engine),
		cmocka_unit_test(progress_of_null_is_nothing_and_is_told),
		cmocka_unit_test(progress_in_a_callback_is_nothing_and_is_told),
		cmocka_unit_test(one_progress_is_one_completion_and_then_nothing),
		cmocka_unit_test(an_engine_that_was_idle_is_no_progress_whatever_comes_next),
		cmocka_unit_test(three_busy_contexts_are_asked_in_turn),
		cmocka_unit_test(one_progress_finds_the_one_context_that_has_work),
		cmocka_unit_test(a_context_may_go_whose_turn_is_next),
		cmocka_unit_test(contexts_may_go_in_the_callback_of_another),
		cmocka_unit_test(connect_refuses_null),
		cmocka_unit_test(connect_refuses_a_context_that_is_connected_or_runs),
		cmocka_unit_test(the_number_in_flight_is_the_sum_over_the_contexts),
		cmocka_unit_test(getters_refuse_null),
		cmocka_unit_test(the_handle_is_the_same_for_the_whole_life),
		cmocka_unit_test(an_engine_that_is_not_armed_is_never_readable),
		cmocka_unit_test(a_request_with_work_pending_is_readable_at_once),
		cmocka_unit_test(a_request_is_one_wake_up_when_work_comes),
		cmocka_unit_test(work_of_any_context_wakes),
		cmocka_unit_test(a_task_that_waits_for_a_flush_wakes_with_the_flush),
		cmocka_unit_test(a_stop_with_tasks_in_flight_wakes),
		cmocka_unit_test(a_stop_with_reports_held_back_wakes),
		cmocka_unit_test(the_last_free_of_a_stopping_context_wakes),
		cmocka_unit_test(the_rest_of_a_long_copy_is_work),
		cmocka_unit_test(clear_and_request_refuse_null),
		cmocka_unit_test(clear_of_what_is_not_readable_succeeds),
		cmocka_unit_test(a_descriptor_that_someone_closed_is_an_error_of_the_system),
		cmocka_unit_test(a_wake_up_that_fails_is_told_and_the_submit_succeeds),
		cmocka_unit_test(selective_mode_is_the_first_and_stays_readable_until_the_clear),
		cmocka_unit_test(in_the_mode_for_all_the_next_request_clears),
		cmocka_unit_test(the_event_mode_refuses_null_and_what_is_no_mode),
		cmocka_unit_test(the_event_mode_refuses_in_a_callback),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
