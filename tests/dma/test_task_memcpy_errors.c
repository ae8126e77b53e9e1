/* SPDX-License-Identifier: Apache-2.0 */
/* What of a copy is refused, where it is told, and in which of the two modes. */
#include "support/dma_fixture.h"
#include "support/dma_list.h"
#include "support/log_capture.h"
#include "support/test.h"

#include "common/buf.h"
#include "dma/dma.h"

#define MAX_LIST 64

static struct dma_fixture *open_keeping(void)
{
	struct dma_options options = {.keeps_tasks = true};

	return dma_open(&options);
}

static struct dma_fixture *open_with_access(uint32_t source_access, uint32_t target_access)
{
	struct dma_options options = {
		.keeps_tasks = true,
		.has_access = true,
		.source_access = source_access,
		.target_access = target_access,
	};

	return dma_open(&options);
}

/* A task whose buffers are set behind the allocation, past its checks. */
static struct doca_task *unchecked_task(struct dma_fixture *fixture, struct doca_buf *source,
					struct doca_buf *target)
{
	struct doca_task *task = dma_task(fixture, NULL, NULL, 0);

	doca_dma_task_memcpy_set_src(dma_memcpy_of(task), source);
	doca_dma_task_memcpy_set_dst(dma_memcpy_of(task), target);
	return task;
}

/* Submit and try_submit refuse the task so; it stays the caller's, and nothing is touched. */
static void assert_submit_refuses(struct dma_fixture *fixture, struct doca_task *task,
				  doca_error_t result)
{
	assert_doca(doca_task_submit(task), result);
	assert_doca(doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_NONE), result);
	assert_doca(doca_task_try_submit(task), result);
	assert_int_equal(task->phase, TASK_OWNED);
	assert_int_equal(dma_progress_dry(fixture), 0);
	assert_int_equal(fixture->num_success + fixture->num_error, 0);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_RUNNING);
	assert_true(dma_is_untouched(fixture, 0, fixture->target.len_bytes));
}

/* Submit takes the task; its error callback runs, its context stops, nothing is touched. */
static void assert_copy_fails(struct dma_fixture *fixture, struct doca_task *task)
{
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	assert_int_equal(doca_pe_progress(fixture->pe), 1);
	assert_int_equal(fixture->num_error, 1);
	assert_doca(doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
	assert_int_equal(dma_state(fixture->ctx), DOCA_CTX_STATE_STOPPING);
	assert_true(dma_is_untouched(fixture, 0, fixture->target.len_bytes));
}

static void lists_of_64_elements_are_copied_and_of_65_refused_on_either_side(void **state)
{
	for (size_t side = 0; side < 2; side++) {
		struct dma_fixture *fixture = open_keeping();
		struct doca_buf *source = dma_list(fixture, dma_source, MAX_LIST, 16);
		struct doca_buf *target = dma_list(fixture, dma_target, MAX_LIST, 16);
		struct doca_task *task = unchecked_task(fixture, source, target);

		assert_doca(doca_buf_chain_list(side == 0 ? source : target,
						side == 0 ? dma_source(fixture, 2048, 16)
							  : dma_target(fixture, 2048, 16)),
			    DOCA_SUCCESS);
		log_forget(state);
		assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", side == 0 ? "source list at" : "destination list at");
		assert_submit_refuses(fixture, task, DOCA_ERROR_INVALID_VALUE);
		dma_task_release(task);

		task = dma_task(fixture, dma_list(fixture, dma_source, MAX_LIST, 16),
				dma_list(fixture, dma_target, MAX_LIST, 16), 0);
		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
		dma_wait_tasks(fixture, 1);
		assert_true(dma_was_copied(fixture, 0, 16 * MAX_LIST));
		dma_task_release(task);
		dma_close(fixture);
	}
}

static void a_task_without_a_buffer_is_refused_in_both_modes(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = dma_task(fixture, NULL, NULL, 0);

	for (int hardware = 0; hardware < 2; hardware++) {
		struct doca_buf *source = dma_source(fixture, 0, 64);

		fixture->dma->hardware_errors = hardware != 0;
		doca_dma_task_memcpy_set_src(dma_memcpy_of(task), NULL);
		log_forget(state);
		assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR",
			      "its source is not set; call doca_dma_task_memcpy_set_src first");
		doca_dma_task_memcpy_set_src(dma_memcpy_of(task), source);
		log_forget(state);
		assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR",
			      "its destination is not set; call doca_dma_task_memcpy_set_dst");
		assert_submit_refuses(fixture, task, DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_buf_dec_refcount(source, NULL), DOCA_SUCCESS);
	}
	doca_task_free(task);
	dma_close(fixture);
}

static void a_right_that_is_missing_is_told_with_both_maps(void **state)
{
	struct dma_fixture *fixture =
		open_with_access(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
				 DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);
	char wanted[512];

	snprintf(wanted, sizeof(wanted),
		 "the destination's mmap %p [%p, +%zu) has RDMA_READ | PCI_READ_WRITE and lacks "
		 "LOCAL_READ_WRITE; the source's mmap %p [%p, +%zu) has LOCAL_READ_ONLY, which is "
		 "enough; call doca_mmap_set_permissions on the destination's before "
		 "doca_mmap_start",
		 (void *)fixture->target.mmap, (void *)fixture->target.bytes,
		 fixture->target.len_bytes, (void *)fixture->source.mmap,
		 (void *)fixture->source.bytes, fixture->source.len_bytes);
	log_forget(state);
	assert_doca(doca_task_submit(task), DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", wanted);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_destination_without_the_local_right_is_not_permitted(void **state)
{
	static const uint32_t lacking[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_RDMA_WRITE,
	};

	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++) {
		struct dma_fixture *fixture =
			open_with_access(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, lacking[i]);
		struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

		assert_submit_refuses(fixture, task, DOCA_ERROR_NOT_PERMITTED);
		dma_task_release(task);
		dma_close(fixture);
	}
}

static void each_element_of_a_destination_needs_the_right(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *target = dma_target(fixture, 0, 64);
	struct doca_task *task;

	/* Its last element lies in the map of the source, which may only be read. */
	assert_doca(doca_buf_chain_list(target, dma_source(fixture, 64, 64)), DOCA_SUCCESS);
	task = dma_task(fixture, dma_source(fixture, 0, 64), target, 0);
	assert_submit_refuses(fixture, task, DOCA_ERROR_NOT_PERMITTED);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_source_may_be_read_whatever_its_rights(void **state)
{
	static const uint32_t any[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_RDMA_WRITE,
	};

	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++) {
		struct dma_fixture *fixture =
			open_with_access(any[i], DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
		struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

		assert_doca(doca_task_try_submit(task), DOCA_SUCCESS);
		dma_wait_tasks(fixture, 1);
		assert_true(dma_was_copied(fixture, 0, 64));
		dma_task_release(task);
		dma_close(fixture);
	}
}

static void a_missing_right_fails_the_copy_in_the_hardware_mode(void **state)
{
	struct dma_fixture *fixture = open_with_access(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
						       DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	struct doca_task *task = dma_copy_task(fixture, 0, 64, 0);

	fixture->dma->hardware_errors = true;
	assert_doca(doca_task_try_submit(task), DOCA_ERROR_NOT_PERMITTED);
	log_forget(state);
	assert_copy_fails(fixture, task);
	assert_non_null(strstr(((struct log_capture *)*state)->text,
			       "copy fails with IO_FAILED: the destination's mmap"));
	assert_non_null(strstr(((struct log_capture *)*state)->text, "lacks LOCAL_READ_WRITE"));
	assert_int_equal(dma_data_len(doca_dma_task_memcpy_get_dst(dma_memcpy_of(task))), 0);
	dma_task_release(task);
	dma_close(fixture);
}

static void more_bytes_than_the_device_takes_are_refused(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_task *task = unchecked_task(fixture, dma_list(fixture, dma_source, 2, 64),
						dma_target(fixture, 0, 200));
	char wanted[256];

	fixture->dma->limits.max_buf_size_bytes = 127;
	snprintf(wanted, sizeof(wanted),
		 "copy refused: source [%p, +64) and what is chained to it hold 128 bytes, which "
		 "is more than the 127",
		 (void *)fixture->source.bytes);
	log_forget(state);
	assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", wanted);
	assert_submit_refuses(fixture, task, DOCA_ERROR_INVALID_VALUE);

	fixture->dma->limits.max_buf_size_bytes = 128;
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	assert_int_equal(fixture->num_success, 1);
	dma_task_release(task);
	dma_close(fixture);
}

static void more_bytes_or_elements_than_the_device_takes_fail_in_the_hardware_mode(void **state)
{
	for (int bytes = 0; bytes < 2; bytes++) {
		struct dma_fixture *fixture = open_keeping();
		struct doca_task *task = unchecked_task(
			fixture, dma_list(fixture, dma_source, 2, 64), dma_target(fixture, 0, 200));

		fixture->dma->hardware_errors = true;
		if (bytes != 0)
			fixture->dma->limits.max_buf_size_bytes = 127;
		else
			fixture->dma->limits.max_buf_list_len = 1;
		assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_copy_fails(fixture, task);
		dma_task_release(task);
		dma_close(fixture);
	}
}

static void a_sum_that_overflows_is_more_than_any_device_takes(void **state)
{
	/* The sums are 1, SIZE_MAX and, past it, 1 again. */
	static const size_t lens[][3] = {
		{SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2, 0},
		{SIZE_MAX, 0, 0},
		{SIZE_MAX, 1, 1},
	};

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		struct dma_fixture *fixture = open_keeping();
		struct doca_buf *source = dma_list(fixture, dma_source, 3, 64);
		struct doca_buf *element = source;
		struct doca_task *task;

		for (size_t j = 0; j < 3; j++) {
			assert_doca(doca_buf_set_data_len(element, lens[i][j]), DOCA_SUCCESS);
			assert_doca(doca_buf_get_next_in_list(element, &element), DOCA_SUCCESS);
		}
		task = unchecked_task(fixture, source, dma_target(fixture, 0, 64));
		assert_submit_refuses(fixture, task, DOCA_ERROR_INVALID_VALUE);
		fixture->dma->hardware_errors = true;
		assert_copy_fails(fixture, task);
		dma_task_release(task);
		dma_close(fixture);
	}
}

/* One way to spoil a good copy of 64 bytes that a card would only find while it copies. */
struct spoiled {
	ptrdiff_t source_offset; /* of the data in its buffer */
	size_t source_len;
	ptrdiff_t target_offset;
	size_t target_len;
	const char *line; /* that tells of it */
};

static const struct spoiled spoiled_copies[] = {
	{0, 0, 0, 0, ", +64) holds no data; call doca_buf_set_data"},
	{0, 64, 0, 1, "64 bytes of source data, room for 63"},
	{0, 64, 1, 0, "64 bytes of source data, room for 63"},
	{0, 64, 64, 0, "64 bytes of source data, room for 0"},
	{0, 65, 0, 0, ", +64) has its data at"},
	{1, 64, 0, 0, ", +64) has its data at"},
	{-1, 64, 0, 0, ", +64) has its data at"},
	{-1, 1, 0, 0, ", +64) has its data at"},
	{0, 64, -1, 0, ", +64) has its data at"},
	{0, 64, 65, 0, ", +64) has its data at"},
	{0, 64, 0, 65, ", +64) has its data at"},
	{0, 64, 0, SIZE_MAX, ", +64) has its data at"},
};

#define NUM_SPOILED (sizeof(spoiled_copies) / sizeof(spoiled_copies[0]))

static struct doca_task *spoiled_task(struct dma_fixture *fixture, const struct spoiled *spoiled)
{
	struct doca_buf *source = dma_source(fixture, 128, 64);
	struct doca_buf *target = dma_target(fixture, 128, 64);
	uint8_t *source_data = fixture->source.bytes + 128 + spoiled->source_offset;
	uint8_t *target_data = fixture->target.bytes + 128 + spoiled->target_offset;

	assert_doca(doca_buf_set_data(source, source_data, spoiled->source_len), DOCA_SUCCESS);
	assert_doca(doca_buf_set_data(target, target_data, spoiled->target_len), DOCA_SUCCESS);
	return dma_task(fixture, source, target, 0);
}

/* The line names context and task, and what became of the copy. */
static void assert_logged_of_task(void **state, const struct doca_task *task, const char *outcome)
{
	char wanted[256];

	snprintf(wanted, sizeof(wanted),
		 "dma context %p: copy of task %p %s: ", (const void *)doca_task_get_ctx(task),
		 (const void *)task, outcome);
	assert_non_null(strstr(((struct log_capture *)*state)->text, wanted));
}

static void a_copy_that_cannot_succeed_is_refused_by_try_submit(void **state)
{
	struct dma_fixture *fixture = open_keeping();

	for (size_t i = 0; i < 2 * NUM_SPOILED; i++) {
		const struct spoiled *spoiled = &spoiled_copies[i % NUM_SPOILED];
		struct doca_task *task = spoiled_task(fixture, spoiled);

		fixture->dma->hardware_errors = i >= NUM_SPOILED;
		log_forget(state);
		assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
		if (i < NUM_SPOILED) {
			assert_logged(state, "ERR", spoiled->line);
			assert_logged_of_task(state, task, "refused");
		}
		assert_int_equal(dma_inflight(fixture->ctx), 0);
		dma_task_release(task);
	}
	assert_int_equal(dma_progress_dry(fixture), 0);
	dma_close(fixture);
}

static void a_copy_that_cannot_succeed_fails_after_submit_and_changes_nothing(void **state)
{
	for (size_t i = 0; i < 2 * NUM_SPOILED; i++) {
		const struct spoiled *spoiled = &spoiled_copies[i % NUM_SPOILED];
		struct dma_fixture *fixture = open_keeping();
		struct doca_task *task = spoiled_task(fixture, spoiled);
		const struct doca_buf *source = doca_dma_task_memcpy_get_src(dma_memcpy_of(task));
		const struct doca_buf *target = doca_dma_task_memcpy_get_dst(dma_memcpy_of(task));
		struct copy_piece source_before = source->piece;
		struct copy_piece target_before = target->piece;

		fixture->dma->hardware_errors = i >= NUM_SPOILED;
		log_forget(state);
		assert_copy_fails(fixture, task);
		assert_non_null(strstr(((struct log_capture *)*state)->text, spoiled->line));
		assert_logged_of_task(state, task, "fails with IO_FAILED");
		assert_memory_equal(&source->piece, &source_before, sizeof(source_before));
		assert_memory_equal(&target->piece, &target_before, sizeof(target_before));
		dma_task_release(task);
		dma_close(fixture);
	}
}

static void a_sum_that_overflows_is_more_than_the_largest_limit(void **state)
{
	struct dma_fixture *fixture = open_keeping();
	struct doca_buf *source = dma_list(fixture, dma_source, 2, 64);
	struct doca_buf *second = NULL;
	struct doca_task *task;

	fixture->dma->limits.max_buf_size_bytes = UINT64_MAX;
	assert_doca(doca_buf_get_next_in_list(source, &second), DOCA_SUCCESS);
	assert_doca(doca_buf_set_data_len(source, SIZE_MAX), DOCA_SUCCESS);
	assert_doca(doca_buf_set_data_len(second, SIZE_MAX), DOCA_SUCCESS);
	task = unchecked_task(fixture, source, dma_target(fixture, 0, 64));
	assert_submit_refuses(fixture, task, DOCA_ERROR_INVALID_VALUE);
	dma_task_release(task);
	dma_close(fixture);
}

static void a_released_buffer_is_refused_in_both_modes(void **state)
{
	/* No other buffer is free, so that nothing is behind the released one. */
	const struct dma_options options = {.keeps_tasks = true, .num_bufs = 2};

	for (int released = 0; released < 4; released++) {
		struct dma_fixture *fixture = dma_open(&options);
		struct doca_buf *source = dma_source(fixture, 0, 64);
		struct doca_buf *target = dma_target(fixture, 0, 64);
		struct doca_task *task = dma_task(fixture, source, target, 0);
		struct doca_buf *gone = released % 2 == 0 ? source : target;

		fixture->dma->hardware_errors = released >= 2;
		assert_doca(doca_buf_dec_refcount(gone, NULL), DOCA_SUCCESS);
		log_forget(state);
		assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "was released; keep it until the callback");
		assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_int_equal(dma_inflight(fixture->ctx), 0);
		doca_task_free(task);
		assert_doca(doca_buf_dec_refcount(gone == source ? target : source, NULL),
			    DOCA_SUCCESS);
		dma_close(fixture);
	}
}

/* A started map over the target's memory that does not count its buffers, so that it can go. */
static struct doca_mmap *open_uncounted_map(struct dma_fixture *fixture)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_enable_thread_safety(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, fixture->target.bytes, fixture->target.len_bytes),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, fixture->dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	return mmap;
}

static void a_buffer_whose_map_is_gone_is_refused_in_both_modes(void **state)
{
	for (int how = 0; how < 4; how++) {
		struct dma_fixture *fixture = open_keeping();
		struct doca_mmap *mmap = open_uncounted_map(fixture);
		struct doca_buf *target = NULL;
		struct doca_task *task;

		assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, mmap,
							       fixture->target.bytes, 64, &target),
			    DOCA_SUCCESS);
		task = dma_task(fixture, dma_source(fixture, 0, 64), target, 0);
		fixture->dma->hardware_errors = how >= 2;
		if (how % 2 == 0)
			assert_doca(doca_mmap_stop(mmap), DOCA_SUCCESS);
		else
			assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
		log_forget(state);
		assert_doca(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "belongs to an mmap that was stopped or destroyed");
		assert_doca(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
		assert_true(dma_is_untouched(fixture, 0, 64));
		dma_task_release(task);
		if (how % 2 == 0)
			assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
		dma_close(fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_64_elements_are_copied_and_of_65_refused_on_either_side),
		cmocka_unit_test(a_task_without_a_buffer_is_refused_in_both_modes),
		cmocka_unit_test(a_right_that_is_missing_is_told_with_both_maps),
		cmocka_unit_test(a_destination_without_the_local_right_is_not_permitted),
		cmocka_unit_test(each_element_of_a_destination_needs_the_right),
		cmocka_unit_test(a_source_may_be_read_whatever_its_rights),
		cmocka_unit_test(a_missing_right_fails_the_copy_in_the_hardware_mode),
		cmocka_unit_test(more_bytes_than_the_device_takes_are_refused),
		cmocka_unit_test(
			more_bytes_or_elements_than_the_device_takes_fail_in_the_hardware_mode),
		cmocka_unit_test(a_sum_that_overflows_is_more_than_any_device_takes),
		cmocka_unit_test(a_copy_that_cannot_succeed_is_refused_by_try_submit),
		cmocka_unit_test(a_copy_that_cannot_succeed_fails_after_submit_and_changes_nothing),
		cmocka_unit_test(a_sum_that_overflows_is_more_than_the_largest_limit),
		cmocka_unit_test(a_released_buffer_is_refused_in_both_modes),
		cmocka_unit_test(a_buffer_whose_map_is_gone_is_refused_in_both_modes),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
