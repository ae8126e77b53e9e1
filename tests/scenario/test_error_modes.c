/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the two error modes; run once with SOFTDOCA_ERRORS=hardware and once without. */
#include "support/dma_fixture.h"
#include "support/test.h"

#define MAX_BUF_SIZE ((size_t)2 << 20)
#define MAX_LIST_LEN 64

static bool hardware_errors(void)
{
	const char *errors = getenv("SOFTDOCA_ERRORS");

	return errors != NULL && strcmp(errors, "hardware") == 0;
}

/* A submit that only the hardware mode accepts: there the copy fails and stops the context. */
static void check_refusal(struct dma_fixture *fixture, struct doca_task *task,
			  doca_error_t documented)
{
	assert_doca(doca_task_try_submit(task), documented);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	assert_int_equal(dma_inflight(fixture->ctx), 0);
	if (!hardware_errors()) {
		assert_doca(doca_task_submit(task), documented);
		assert_int_equal(dma_progress_dry(fixture), 0);
		assert_int_equal(fixture->num_error, 0);
		assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
		return;
	}
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_error, 1);
	assert_doca(fixture->events[1].status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
}

/* A submit that both modes accept, and fail. */
static void check_failure(struct dma_fixture *fixture, struct doca_task *task)
{
	assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_error, 1);
	assert_doca(fixture->events[1].status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
}

static void check_target_right(uint32_t access)
{
	struct dma_options options = {.has_access = true,
				      .source_access = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
				      .target_access = access,
				      .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, 4096, 1);

	check_refusal(fixture, task, DOCA_ERROR_NOT_PERMITTED);
	assert_true(dma_is_untouched(fixture, 0, 4096));
	assert_int_equal(dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))), 0);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_read_only_destination_is_not_written(void **state)
{
	check_target_right(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
}

static void a_destination_for_the_importer_alone_is_not_written(void **state)
{
	check_target_right(DOCA_ACCESS_FLAG_PCI_READ_WRITE);
}

static void local_memory_is_read_whatever_its_rights(void **state)
{
	static const uint32_t rights[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY, DOCA_ACCESS_FLAG_PCI_READ_WRITE};

	for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
		struct dma_options options = {.has_access = true,
					      .source_access = rights[i],
					      .target_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
							       DOCA_ACCESS_FLAG_PCI_READ_ONLY};
		struct dma_fixture *fixture = dma_open(&options);

		assert_doca(doca_task_try_submit(dma_copy_task(fixture, 0, 4096, 1)), DOCA_SUCCESS);
		dma_wait_tasks(fixture, 1);
		assert_int_equal(fixture->num_success, 1);
		assert_true(dma_was_copied(fixture, 0, 4096));
		dma_close(fixture);
	}
}

static void one_destination_element_without_the_right_is_enough_to_refuse(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *target = dma_target(fixture, 0, 32);
	struct doca_buf *locked = NULL;
	struct doca_task *task;

	/* The source's area is read only. */
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->source.mmap,
						       fixture->source.bytes + 4096, 32, &locked),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(target, locked), DOCA_SUCCESS);
	task = dma_task(fixture, dma_source(fixture, 0, 64), target, 1);

	check_refusal(fixture, task, DOCA_ERROR_NOT_PERMITTED);
	assert_true(dma_is_untouched(fixture, 0, 64));
	dma_task_release(task);
	dma_close(fixture);
}

static void a_copy_as_large_as_the_device_takes_succeeds(void **state)
{
	struct dma_options options = {.area_bytes = MAX_BUF_SIZE};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_try_submit(dma_copy_task(fixture, 0, MAX_BUF_SIZE, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_true(dma_was_copied(fixture, 0, MAX_BUF_SIZE));
	dma_close(fixture);
}

static void a_copy_of_one_byte_more_is_refused_at_the_submit(void **state)
{
	struct dma_options options = {.area_bytes = MAX_BUF_SIZE + 1, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_task(fixture, NULL, NULL, 1);

	doca_dma_task_memcpy_set_src(dma_memcpy_of(task), dma_source(fixture, 0, MAX_BUF_SIZE + 1));
	doca_dma_task_memcpy_set_dst(dma_memcpy_of(task), dma_target(fixture, 0, MAX_BUF_SIZE + 1));
	check_refusal(fixture, task, DOCA_ERROR_INVALID_VALUE);
	assert_true(dma_is_untouched(fixture, 0, MAX_BUF_SIZE + 1));
	dma_task_release(task);
	dma_close(fixture);
}

static void a_copy_of_one_byte_more_takes_no_task_from_the_pool(void **state)
{
	struct dma_options options = {.area_bytes = MAX_BUF_SIZE + 1, .num_tasks = 1};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *source = dma_source(fixture, 0, MAX_BUF_SIZE + 1);
	struct doca_buf *target = dma_target(fixture, 0, MAX_BUF_SIZE + 1);
	struct doca_dma_task_memcpy *task = NULL;
	union doca_data none = {0};
	doca_error_t result =
		doca_dma_task_memcpy_alloc_init(fixture->dma, source, target, none, &task);

	if (hardware_errors()) {
		assert_doca(result, DOCA_SUCCESS);
		doca_task_free(doca_dma_task_memcpy_as_task(task));
	} else {
		assert_doca(result, DOCA_ERROR_INVALID_VALUE);
		assert_null(task);
	}
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 64, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_doca(doca_buf_dec_refcount(source, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(target, NULL), DOCA_SUCCESS);
	dma_close(fixture);
}

/* A list of elements of eight bytes each. */
static struct doca_buf *list_of(struct dma_fixture *fixture, bool is_source, size_t num_elements)
{
	struct doca_buf *head = NULL;

	for (size_t i = 0; i < num_elements; i++) {
		struct doca_buf *next =
			is_source ? dma_source(fixture, i * 8, 8) : dma_target(fixture, i * 8, 8);

		if (head == NULL)
			head = next;
		else
			assert_doca(doca_buf_chain_list(head, next), DOCA_SUCCESS);
	}
	return head;
}

static void check_list(size_t num_source, size_t num_target)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_task(fixture, NULL, NULL, 1);
	struct doca_buf *source =
		num_source == 1 ? dma_source(fixture, 0, 512) : list_of(fixture, true, num_source);
	struct doca_buf *target = num_target == 1 ? dma_target(fixture, 0, 1024)
						  : list_of(fixture, false, num_target);

	doca_dma_task_memcpy_set_src(dma_memcpy_of(task), source);
	doca_dma_task_memcpy_set_dst(dma_memcpy_of(task), target);
	if (num_source > MAX_LIST_LEN || num_target > MAX_LIST_LEN) {
		check_refusal(fixture, task, DOCA_ERROR_INVALID_VALUE);
		assert_true(dma_is_untouched(fixture, 0, 1024));
	} else {
		assert_doca(doca_task_try_submit(task), DOCA_SUCCESS);
		dma_wait_tasks(fixture, 1);
		assert_int_equal(fixture->num_success, 1);
		assert_true(dma_was_copied(fixture, 0, 512));
	}
	dma_task_release(task);
	dma_close(fixture);
}

static void lists_as_long_as_the_device_takes_succeed(void **state)
{
	check_list(MAX_LIST_LEN, MAX_LIST_LEN);
	check_list(MAX_LIST_LEN, 1);
	check_list(1, MAX_LIST_LEN);
}

static void a_source_list_of_one_element_more_is_refused(void **state)
{
	check_list(MAX_LIST_LEN + 1, 1);
}

static void a_destination_list_of_one_element_more_is_refused(void **state)
{
	check_list(1, MAX_LIST_LEN + 1);
}

static void a_source_without_data_fails_after_the_submit(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *source = dma_source(fixture, 0, 64);
	struct doca_task *task = dma_task(fixture, source, dma_target(fixture, 0, 64), 1);

	assert_doca(doca_buf_reset_data_len(source), DOCA_SUCCESS);
	check_failure(fixture, task);
	assert_true(dma_is_untouched(fixture, 0, 64));
	dma_task_release(task);
	dma_close(fixture);
}

static void a_destination_too_small_fails_after_the_submit_and_is_untouched(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *target = dma_target(fixture, 0, 63);
	struct doca_task *task = dma_task(fixture, dma_source(fixture, 0, 64), target, 1);

	check_failure(fixture, task);
	assert_int_equal(dma_data_len(target), 0);
	assert_true(dma_is_untouched(fixture, 0, 1024));
	dma_task_release(task);
	dma_close(fixture);
}

static void a_destination_that_was_not_rewound_runs_full(void **state)
{
	struct dma_options options = {.keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_buf *target = dma_target(fixture, 0, 200);
	struct doca_task *task = dma_task(fixture, dma_source(fixture, 0, 64), target, 1);

	for (size_t round = 1; round <= 3; round++) {
		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
		dma_wait_tasks(fixture, round);
		assert_int_equal(dma_data_len(target), round * 64);
		assert_memory_equal(fixture->target.bytes + (round - 1) * 64, fixture->source.bytes,
				    64);
	}
	assert_doca(doca_task_submit(task), DOCA_SUCCESS); /* 8 bytes of room for 64 */
	dma_wait_tasks(fixture, 4);
	assert_int_equal(fixture->num_error, 1);
	assert_int_equal(dma_data_len(target), 192);
	assert_true(dma_is_untouched(fixture, 192, 64));
	dma_task_release(task);
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_only_destination_is_not_written),
		cmocka_unit_test(a_destination_for_the_importer_alone_is_not_written),
		cmocka_unit_test(local_memory_is_read_whatever_its_rights),
		cmocka_unit_test(one_destination_element_without_the_right_is_enough_to_refuse),
		cmocka_unit_test(a_copy_as_large_as_the_device_takes_succeeds),
		cmocka_unit_test(a_copy_of_one_byte_more_is_refused_at_the_submit),
		cmocka_unit_test(a_copy_of_one_byte_more_takes_no_task_from_the_pool),
		cmocka_unit_test(lists_as_long_as_the_device_takes_succeed),
		cmocka_unit_test(a_source_list_of_one_element_more_is_refused),
		cmocka_unit_test(a_destination_list_of_one_element_more_is_refused),
		cmocka_unit_test(a_source_without_data_fails_after_the_submit),
		cmocka_unit_test(a_destination_too_small_fails_after_the_submit_and_is_untouched),
		cmocka_unit_test(a_destination_that_was_not_rewound_runs_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
