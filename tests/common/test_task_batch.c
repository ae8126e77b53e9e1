/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of tasks: nobody has one, and what is no batch is told and left alone. */
#include "support/test.h"

#include <doca_pe.h>

#include "support/log_capture.h"

/* Memory that stands for a batch, which must come through untouched. */
struct no_batch {
	uint64_t words[16];
};

static struct no_batch new_no_batch(void)
{
	struct no_batch memory;

	memset(&memory, 0x5c, sizeof(memory));
	return memory;
}

static void assert_untouched(const struct no_batch *memory)
{
	const struct no_batch before = new_no_batch();

	assert_memory_equal(memory, &before, sizeof(before));
}

static void check_submit(void **state, struct doca_task_batch *batch, const char *line)
{
	log_forget(state);
	assert_doca(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "doca_task_batch_submit refuses");
	assert_logged(state, "ERR", line);
	log_forget(state);
	assert_doca(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "doca_task_batch_try_submit refuses");
	assert_logged(state, "ERR", line);
}

static void check_free(void **state, struct doca_task_batch *batch, const char *line)
{
	log_forget(state);
	doca_task_batch_free(batch);
	assert_logged(state, "ERR", line);
}

static void check_status(void **state, struct doca_task_batch *batch, const char *line)
{
	log_forget(state);
	assert_doca(doca_task_batch_get_status(batch), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", line);
}

static void check_user_data(void **state, struct doca_task_batch *batch, const char *line)
{
	log_forget(state);
	doca_task_batch_set_user_data(batch, (union doca_data){.u64 = 7});
	assert_logged(state, "ERR", line);
	log_forget(state);
	assert_int_equal(doca_task_batch_get_user_data(batch).u64, 0);
	assert_logged(state, "ERR", line);
}

static void check_context(void **state, struct doca_task_batch *batch, const char *line)
{
	log_forget(state);
	assert_null(doca_task_batch_get_ctx(batch));
	assert_logged(state, "ERR", line);
	log_forget(state);
	assert_int_equal(doca_task_batch_get_ctx_user_data(batch).u64, 0);
	assert_logged(state, "ERR", line);
}

static void check_tasks_num(void **state, struct doca_task_batch *batch, const char *line)
{
	log_forget(state);
	assert_int_equal(doca_task_batch_get_tasks_num(batch), 0);
	assert_logged(state, "ERR", line);
}

static void check_null_and_no_batch(void **state,
				    void (*check)(void **state, struct doca_task_batch *batch,
						  const char *line))
{
	struct no_batch memory = new_no_batch();

	check(state, NULL, "task_batch must not be NULL");
	check(state, (struct doca_task_batch *)&memory, "it is no batch");
	assert_untouched(&memory);
}

static void submit_and_try_submit_are_invalid(void **state)
{
	check_null_and_no_batch(state, check_submit);
}

static void free_does_nothing(void **state)
{
	check_null_and_no_batch(state, check_free);
}

static void the_status_is_invalid(void **state)
{
	check_null_and_no_batch(state, check_status);
}

static void user_data_is_nothing_and_not_kept(void **state)
{
	check_null_and_no_batch(state, check_user_data);
}

static void there_is_no_context_and_nothing_of_it(void **state)
{
	check_null_and_no_batch(state, check_context);
}

static void a_batch_holds_no_tasks(void **state)
{
	check_null_and_no_batch(state, check_tasks_num);
}

static void the_numbers_of_a_batch_count_from_0_up(void **state)
{
	const int tasks[] = {
		DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32,
		DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128};
	const int events[] = {
		DOCA_EVENT_BATCH_EVENTS_NUMBER_1,  DOCA_EVENT_BATCH_EVENTS_NUMBER_2,
		DOCA_EVENT_BATCH_EVENTS_NUMBER_4,  DOCA_EVENT_BATCH_EVENTS_NUMBER_8,
		DOCA_EVENT_BATCH_EVENTS_NUMBER_16, DOCA_EVENT_BATCH_EVENTS_NUMBER_32,
		DOCA_EVENT_BATCH_EVENTS_NUMBER_64, DOCA_EVENT_BATCH_EVENTS_NUMBER_128};

	for (int i = 0; i < 4; i++)
		assert_int_equal(tasks[i], i);
	for (int i = 0; i < 8; i++)
		assert_int_equal(events[i], i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(submit_and_try_submit_are_invalid),
		cmocka_unit_test(free_does_nothing),
		cmocka_unit_test(the_status_is_invalid),
		cmocka_unit_test(user_data_is_nothing_and_not_kept),
		cmocka_unit_test(there_is_no_context_and_nothing_of_it),
		cmocka_unit_test(a_batch_holds_no_tasks),
		cmocka_unit_test(the_numbers_of_a_batch_count_from_0_up),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
