/* SPDX-License-Identifier: Apache-2.0 */
/* Copies above 2 MiB, done in parts; run with SOFTDOCA_DEVICE=unlimited. */
#include "support/dma_fixture.h"
#include "support/test.h"

#define MIB ((size_t)1 << 20)
#define PART_BYTES (2 * MIB)
#define LONG_BYTES (7 * MIB + 123)

static size_t count_changed(const struct dma_fixture *fixture)
{
	size_t num_bytes = 0;

	for (size_t i = 0; i < fixture->target.len_bytes; i++)
		num_bytes += fixture->target.bytes[i] != TARGET_BYTE;
	return num_bytes;
}

static void one_call_copies_at_most_two_mebibytes(void **state)
{
	struct dma_options options = {.area_bytes = LONG_BYTES, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, LONG_BYTES, 1);
	struct doca_buf *target = doca_dma_task_memcpy_get_dst(dma_memcpy_of(task));
	size_t num_calls = 0;
	size_t num_changed = 0;

	assert_doca(doca_task_try_submit(task), DOCA_SUCCESS);
	while (fixture->num_success == 0) {
		size_t num_before = num_changed;

		assert_int_equal(doca_pe_progress(fixture->pe), 1);
		num_calls++;
		num_changed = count_changed(fixture);
		assert_true(num_changed > num_before);
		assert_true(num_changed - num_before <= PART_BYTES);
		if (fixture->num_success == 0)
			assert_int_equal(dma_data_len(target), 0);
	}
	assert_int_equal(num_calls, 4);
	assert_int_equal(fixture->num_error, 0);
	assert_int_equal(dma_data_len(target), LONG_BYTES);
	assert_true(dma_was_copied(fixture, 0, LONG_BYTES));
	dma_task_release(task);
	dma_close(fixture);
}

static void a_part_left_over_wakes_an_armed_engine(void **state)
{
	struct dma_options options = {.area_bytes = LONG_BYTES};
	struct dma_fixture *fixture = dma_open(&options);
	doca_notification_handle_t handle;

	assert_doca(doca_pe_get_notification_handle(fixture->pe, &handle), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, LONG_BYTES, 1)), DOCA_SUCCESS);
	while (fixture->num_success == 0) {
		assert_doca(doca_pe_request_notification(fixture->pe), DOCA_SUCCESS);
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(fixture->pe, handle), DOCA_SUCCESS);
		assert_int_equal(doca_pe_progress(fixture->pe), 1);
	}
	assert_true(dma_was_copied(fixture, 0, LONG_BYTES));
	dma_close(fixture);
}

static void a_long_copy_lets_another_context_through(void **state)
{
	struct dma_options options = {.area_bytes = 16 * MIB};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_dma *other = dma_add_context(fixture);
	struct doca_dma_task_memcpy *task = NULL;
	union doca_data tag = {.u64 = 2};

	assert_doca(doca_task_submit(dma_copy_task(fixture, 64, 15 * MIB, 1)), DOCA_SUCCESS);
	assert_doca(doca_dma_task_memcpy_alloc_init(other, dma_source(fixture, 0, 64),
						    dma_target(fixture, 0, 64), tag, &task),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_dma_task_memcpy_as_task(task)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 2);

	assert_int_equal(fixture->events[2].tag, 2);
	assert_int_equal(fixture->events[3].tag, 1);
	assert_true(dma_was_copied(fixture, 0, 15 * MIB));
	assert_doca(doca_ctx_stop(doca_dma_as_ctx(other)), DOCA_SUCCESS);
	assert_doca(doca_dma_destroy(other), DOCA_SUCCESS);
	dma_close(fixture);
}

static void a_stop_in_the_middle_of_a_long_copy_brings_it_back_once(void **state)
{
	struct dma_options options = {.area_bytes = LONG_BYTES, .keeps_tasks = true};
	struct dma_fixture *fixture = dma_open(&options);
	struct doca_task *task = dma_copy_task(fixture, 0, LONG_BYTES, 1);
	struct doca_buf *target = doca_dma_task_memcpy_get_dst(dma_memcpy_of(task));
	doca_error_t status;

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_tasks(fixture, 1);
	dma_progress_dry(fixture);

	assert_int_equal(fixture->num_success + fixture->num_error, 1);
	status = doca_task_get_status(task);
	assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_IO_FAILED);
	assert_int_equal(dma_data_len(target), status == DOCA_SUCCESS ? LONG_BYTES : 0);
	dma_task_release(task);
	dma_close(fixture);
}

/* One source element over one destination element of the same memory. */
static void check_overlap(size_t len_bytes, size_t from, size_t to)
{
	struct dma_options options = {.area_bytes = 2 * LONG_BYTES, .has_access = true};
	struct dma_fixture *fixture;
	struct dma_area *area;
	struct doca_buf *source = NULL;
	struct doca_buf *target = NULL;
	uint8_t *expected;

	options.target_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	fixture = dma_open(&options);
	area = &fixture->target;
	memcpy(area->bytes, fixture->source.bytes, area->len_bytes);
	expected = malloc(area->len_bytes);
	assert_non_null(expected);
	memcpy(expected, area->bytes, area->len_bytes);
	memmove(expected + to, expected + from, len_bytes);

	assert_doca(doca_buf_inventory_buf_get_by_data(fixture->inventory, area->mmap,
						       area->bytes + from, len_bytes, &source),
		    DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, area->mmap,
						       area->bytes + to, len_bytes, &target),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, source, target, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	assert_int_equal(memcmp(area->bytes, expected, area->len_bytes), 0);
	free(expected);
	dma_close(fixture);
}

static const size_t overlap_lens[] = {
	1, 64, 4096 + 7, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, LONG_BYTES};
static const size_t overlap_shifts[] = {1, 63, 4096, MIB, PART_BYTES, 3 * MIB + 5};

static void an_overlapping_copy_upwards_behaves_like_memmove(void **state)
{
	for (size_t i = 0; i < sizeof(overlap_lens) / sizeof(overlap_lens[0]); i++)
		for (size_t k = 0; k < sizeof(overlap_shifts) / sizeof(overlap_shifts[0]); k++)
			check_overlap(overlap_lens[i], 0, overlap_shifts[k]);
}

static void an_overlapping_copy_downwards_behaves_like_memmove(void **state)
{
	for (size_t i = 0; i < sizeof(overlap_lens) / sizeof(overlap_lens[0]); i++)
		for (size_t k = 0; k < sizeof(overlap_shifts) / sizeof(overlap_shifts[0]); k++)
			check_overlap(overlap_lens[i], overlap_shifts[k], 0);
}

static void a_copy_onto_itself_changes_nothing(void **state)
{
	check_overlap(LONG_BYTES, 17, 17);
}

static void overlapping_lists_do_no_harm_outside_of_them(void **state)
{
	struct dma_options options = {.area_bytes = 4096};
	struct dma_fixture *fixture = dma_open(&options);
	struct dma_area *area = &fixture->target;
	struct doca_buf *source[2] = {NULL};
	struct doca_buf *target[2] = {NULL};

	for (size_t i = 0; i < 2; i++) {
		assert_doca(doca_buf_inventory_buf_get_by_data(fixture->inventory, area->mmap,
							       area->bytes + 1000 + i * 90, 100,
							       &source[i]),
			    DOCA_SUCCESS);
		assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, area->mmap,
							       area->bytes + 1050 + i * 70, 100,
							       &target[i]),
			    DOCA_SUCCESS);
	}
	assert_doca(doca_buf_chain_list(source[0], source[1]), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(target[0], target[1]), DOCA_SUCCESS);
	assert_doca(doca_task_submit(dma_task(fixture, source[0], target[0], 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);

	assert_true(dma_is_untouched(fixture, 0, 1000));
	assert_true(dma_is_untouched(fixture, 1300, 4096 - 1300));
	dma_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_call_copies_at_most_two_mebibytes),
		cmocka_unit_test(a_part_left_over_wakes_an_armed_engine),
		cmocka_unit_test(a_long_copy_lets_another_context_through),
		cmocka_unit_test(a_stop_in_the_middle_of_a_long_copy_brings_it_back_once),
		cmocka_unit_test(an_overlapping_copy_upwards_behaves_like_memmove),
		cmocka_unit_test(an_overlapping_copy_downwards_behaves_like_memmove),
		cmocka_unit_test(a_copy_onto_itself_changes_nothing),
		cmocka_unit_test(overlapping_lists_do_no_harm_outside_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
