/* SPDX-License-Identifier: Apache-2.0 */
/* What the libraries say: one line a refusal, with rule, object and remedy; nothing on success. */
#include <doca_log.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#define MAX_LINES 64
#define LINE_SIZE 4096

/* What the one backend of this program caught; its handler carries no data of its own. */
static struct {
	char buf[LINE_SIZE];
	char lines[MAX_LINES][LINE_SIZE];
	size_t num_lines; /* also those beyond the room */
	struct doca_log_backend *backend;
} the_log;

static void catch_line(char *buf)
{
	if (the_log.num_lines < MAX_LINES)
		(void)snprintf(the_log.lines[the_log.num_lines], LINE_SIZE, "%s", buf);
	the_log.num_lines++;
}

static int create_backend(void **state)
{
	if (doca_log_backend_create_with_buf_sdk(the_log.buf, sizeof(the_log.buf), catch_line,
						 &the_log.backend) != DOCA_SUCCESS)
		return -1;
	return 0;
}

static void forget_lines(void)
{
	the_log.num_lines = 0;
}

static void check_line_has(size_t index, const char *text)
{
	assert_true(index < the_log.num_lines && index < MAX_LINES);
	if (strstr(the_log.lines[index], text) == NULL)
		print_error("not in the line: %s\nthe line: %s\n", text, the_log.lines[index]);
	assert_non_null(strstr(the_log.lines[index], text));
}

static void check_line_has_address(size_t index, const void *address)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%p", address);
	check_line_has(index, text);
}

static void check_num_lines(size_t wanted)
{
	if (the_log.num_lines != wanted)
		for (size_t i = 0; i < the_log.num_lines && i < MAX_LINES; i++)
			print_error("line: %s\n", the_log.lines[i]);
	assert_int_equal(the_log.num_lines, wanted);
}

static void a_submit_without_the_right_names_both_maps_and_the_remedy(void **state)
{
	struct dma_options options = {.has_access = true,
				      .source_access = DOCA_ACCESS_FLAG_PCI_READ_ONLY,
				      .target_access = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 128, 64, 1);

	forget_lines();
	assert_doca(doca_task_submit(task), DOCA_ERROR_NOT_PERMITTED);

	check_num_lines(1);
	check_line_has(0, "[ERR]");
	check_line_has(0, "PCI_READ_ONLY");    /* what the source's map has */
	check_line_has(0, "LOCAL_READ_ONLY");  /* what the destination's has */
	check_line_has(0, "LOCAL_READ_WRITE"); /* what is missing */
	check_line_has(0, "doca_mmap_set_permissions");
	check_line_has(0, "before doca_mmap_start");
	check_line_has_address(0, fixture->source.mmap);
	check_line_has_address(0, fixture->source.bytes);
	check_line_has_address(0, fixture->target.mmap);
	check_line_has_address(0, fixture->target.bytes);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_context_that_stays_in_stopping_says_once_for_how_many_tasks(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *tasks[3];

	for (size_t i = 0; i < 3; i++) {
		tasks[i] = dma_copy_task(fixture, i * 64, 64, i);
		assert_doca(doca_task_submit(tasks[i]), DOCA_SUCCESS);
	}
	forget_lines();
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	check_num_lines(0);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	check_num_lines(0); /* one task has not completed yet */
	dma_wait_tasks(fixture, 3);
	dma_progress_dry(fixture);

	check_num_lines(1);
	check_line_has(0, "[WRN]");
	check_line_has(0, "3 tasks");
	check_line_has(0, "doca_task_free");
	check_line_has_address(0, fixture->ctx);
	for (size_t i = 0; i < 3; i++)
		dma_task_release(tasks[i]);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	check_num_lines(1);
	dma_close(fixture);
}

static void a_stop_that_waits_for_a_task_never_submitted_says_so(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 1);

	forget_lines();
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_progress_dry(fixture);

	check_num_lines(1);
	check_line_has(0, "doca_task_free");
	dma_task_release(task);
	dma_close(fixture);
}

static void a_whole_life_without_mistakes_says_nothing(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture;

	forget_lines();
	fixture = dma_open(&options);
	for (uint64_t tag = 0; tag < 64; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	dma_wait_tasks(fixture, 64);
	assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_pe_clear_notification(fixture->pe, 0), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_dev_close(NULL), DOCA_SUCCESS);
	dma_close(fixture);

	check_num_lines(0);
}

static void a_normal_stop_and_back_pressure_say_nothing_by_default(void **state)
{
	struct dma_options options = {.num_tasks = 1, .num_bufs = 2};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma_task_memcpy *second = NULL;
	struct doca_buf *buf = NULL;
	union doca_data none = {0};

	forget_lines();
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_alloc_init(fixture->dma, NULL, NULL, none, &second),
		    DOCA_ERROR_NO_MEMORY);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->source.mmap,
						       fixture->source.bytes, 1, &buf),
		    DOCA_ERROR_NO_MEMORY);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);

	check_num_lines(0);
	dma_close(fixture);
}

/* Each refusal of the core is one line. */
static void every_refusal_is_one_line(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *empty = dma_task(fixture, NULL, NULL, 1);
	struct doca_dma *other = NULL;
	union doca_data none = {0};
	size_t num_wanted = 0;

	forget_lines();
	assert_doca(doca_task_submit(empty), DOCA_ERROR_INVALID_VALUE);
	check_num_lines(++num_wanted);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_ERROR_BAD_STATE);
	check_num_lines(++num_wanted);
	assert_doca(doca_dma_destroy(fixture->dma), DOCA_ERROR_IN_USE);
	check_num_lines(++num_wanted);
	assert_doca(doca_pe_destroy(fixture->pe), DOCA_ERROR_IN_USE);
	check_num_lines(++num_wanted);
	assert_doca(doca_dev_close(fixture->dev), DOCA_ERROR_IN_USE);
	check_num_lines(++num_wanted);
	assert_doca(doca_pe_connect_ctx(fixture->pe, fixture->ctx), DOCA_ERROR_BAD_STATE);
	check_num_lines(++num_wanted);
	assert_doca(doca_dma_create(NULL, &other), DOCA_ERROR_INVALID_VALUE);
	check_num_lines(++num_wanted);
	assert_doca(doca_mmap_set_permissions(fixture->source.mmap, 0), DOCA_ERROR_BAD_STATE);
	check_num_lines(++num_wanted);
	assert_doca(doca_ctx_set_user_data(NULL, none), DOCA_ERROR_INVALID_VALUE);
	check_num_lines(++num_wanted);
	doca_task_free(empty);
	check_num_lines(num_wanted);
	doca_task_free(empty);
	check_num_lines(++num_wanted);
	for (size_t i = 0; i < num_wanted; i++)
		check_line_has(i, "[ERR]");
	dma_close(fixture);
}

static void one_cause_writes_at_most_ten_lines_a_second(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	uint64_t begin_ns = test_clock_ns();
	size_t num_seconds;

	forget_lines();
	for (unsigned i = 0; i < 10000; i++)
		assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, dma_record_state),
			    DOCA_ERROR_BAD_STATE);
	num_seconds = (size_t)((test_clock_ns() - begin_ns) / 1000000000U) + 1;
	assert_in_range(the_log.num_lines, 1, 10 * num_seconds);
	dma_close(fixture);
}

static void one_loud_cause_does_not_silence_another(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_pe *none = NULL;

	for (unsigned i = 0; i < 1000; i++)
		assert_doca(doca_ctx_set_state_changed_cb(fixture->ctx, dma_record_state),
			    DOCA_ERROR_BAD_STATE);
	forget_lines();
	assert_doca(doca_pe_connect_ctx(none, fixture->ctx), DOCA_ERROR_INVALID_VALUE);
	check_num_lines(1);
	dma_close(fixture);
}

static void trace_tells_each_transition_and_each_submission(void **state)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture;

	assert_doca(doca_log_backend_set_sdk_level(the_log.backend, DOCA_LOG_LEVEL_TRACE),
		    DOCA_SUCCESS);
	fixture = dma_open(&options);
	forget_lines();
	for (uint64_t tag = 0; tag < 20; tag++)
		assert_doca(doca_task_submit(dma_copy_task(fixture, (size_t)tag * 64, 64, tag)),
			    DOCA_SUCCESS);
	check_num_lines(20); /* traces have no limit a second */
	check_line_has_address(19, fixture->source.bytes + (size_t)19 * 64);
	dma_wait_tasks(fixture, 20);
	check_num_lines(20);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
	check_num_lines(21);
	check_line_has(20, "idle");
	assert_doca(doca_log_backend_set_sdk_level(the_log.backend, DOCA_LOG_LEVEL_INFO),
		    DOCA_SUCCESS);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_submit_without_the_right_names_both_maps_and_the_remedy),
		cmocka_unit_test(a_context_that_stays_in_stopping_says_once_for_how_many_tasks),
		cmocka_unit_test(a_stop_that_waits_for_a_task_never_submitted_says_so),
		cmocka_unit_test(a_whole_life_without_mistakes_says_nothing),
		cmocka_unit_test(a_normal_stop_and_back_pressure_say_nothing_by_default),
		cmocka_unit_test(every_refusal_is_one_line),
		cmocka_unit_test(one_cause_writes_at_most_ten_lines_a_second),
		cmocka_unit_test(one_loud_cause_does_not_silence_another),
		cmocka_unit_test(trace_tells_each_transition_and_each_submission),
	};

	return cmocka_run_group_tests(tests, create_backend, NULL);
}
