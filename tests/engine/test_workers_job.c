/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of a queue without threads, and what they are cut into, a slice at a time. */
#include "support/workers_bench.h"

#include "copy/copy.h"

static unsigned num_fences;

void __wrap_copy_fence(void);
void __real_copy_fence(void);

void __wrap_copy_fence(void)
{
	num_fences++;
	__real_copy_fence();
}

static void a_list_that_changed_is_cut_no_further(void **state)
{
	struct copy_walk walk;
	struct slice slice;
	struct bench bench;
	struct one one;

	bench_open(&bench, MIB);
	one_init(&one, &bench, 0, MIB);
	copy_walk_begin(&walk, NULL, &one.source, &one.target, MIB);
	slice_cut(&walk, 1000, &slice);
	assert_in_range(slice.len_bytes, 1, 1000);
	one.source.data_len_bytes = slice.len_bytes - 1; /* shrank below what is done */
	slice_cut(&walk, 1000, &slice);
	assert_int_equal(slice.len_bytes, 0);
	copy_walk_begin(&walk, NULL, &one.source, &one.target, MIB);
	one.target.data = bench.to - 1; /* left its region */
	slice_cut(&walk, 1000, &slice);
	assert_int_equal(slice.len_bytes, 0);
	one.target.data = bench.to;
	one.source.data_len_bytes = SIZE_MAX; /* wraps */
	slice_cut(&walk, 1000, &slice);
	assert_int_equal(slice.len_bytes, 0);
	bench_close(&bench);
}

/* Handed over, all slices but the last are copied, and that is taken. */
static void take_all(struct workers_queue *queue, struct one *one)
{
	struct slice slice;

	fifo_push(&queue->waiting, &one->op);
	job_push(queue, 0);
	assert_int_equal(queue->num_handed, 1);
	while (queue->place.walk.left_bytes > 0) {
		if (queue->num_running > 0)
			job_end(queue);
		assert_true(job_take(queue, SLICE_BYTES, &slice));
		slice_copy(&slice);
	}
	assert_null(job_pop(queue));
}

static void an_op_is_done_with_its_last_slice(void **state)
{
	struct workers_queue queue = {0};
	struct bench bench;
	struct one one;

	bench_open(&bench, MIB);
	one_init(&one, &bench, 0, MIB);
	take_all(&queue, &one);
	job_end(&queue);
	assert_ptr_equal(job_pop(&queue), &one.op);
	assert_whole(&bench, &one);
	assert_int_equal(queue.num_handed, 0);
	bench_close(&bench);
}

static void a_list_that_changed_under_its_last_slice_fails_the_op(void **state)
{
	struct workers_queue queue = {0};
	struct bench bench;
	struct one one;

	bench_open(&bench, MIB);
	one_init(&one, &bench, 0, MIB);
	take_all(&queue, &one);
	one.target.len_bytes--; /* what is to be committed is more */
	job_end(&queue);
	assert_ptr_equal(job_pop(&queue), &one.op);
	assert_doca(one.op.status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(one.op.fault, COPY_CHANGED);
	assert_int_equal(one.target.data_len_bytes, 0);
	bench_close(&bench);
}

static void a_target_is_decided_on_once_for_all_that_it_gets(void **state)
{
	struct copy_history history = {0};
	struct copy_piece pieces[16];
	struct copy_walk walk;
	struct slice slice;
	struct bench bench;
	struct one one;

	bench_open(&bench, MIB);
	one_init(&one, &bench, 0, MIB);
	for (size_t i = 0; i < 16; i++) {
		pieces[i] = one.source;
		pieces[i].data += i * MIB / 16;
		pieces[i].data_len_bytes = MIB / 16;
		pieces[i].next = i < 15 ? &pieces[i + 1] : NULL;
	}
	copy_walk_begin(&walk, &history, pieces, &one.target, MIB);
	while (walk.left_bytes > 0) {
		slice_cut(&walk, SLICE_BYTES, &slice);
		assert_true(slice.num_runs > 0);
		for (size_t i = 0; i < slice.num_runs; i++)
			assert_true(slice.runs[i].is_streaming);
		num_fences = 0;
		slice_copy(&slice);
		assert_int_equal(num_fences, slice.len_bytes < COPY_KERNEL_BYTES ? 0 : 1);
	}
	assert_int_equal(history.copied_bytes, MIB);
	assert_memory_equal(bench.to, bench.from, MIB);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_that_changed_is_cut_no_further),
		cmocka_unit_test(an_op_is_done_with_its_last_slice),
		cmocka_unit_test(a_list_that_changed_under_its_last_slice_fails_the_op),
		cmocka_unit_test(a_target_is_decided_on_once_for_all_that_it_gets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
