/* SPDX-License-Identifier: Apache-2.0 */
/* The list of engines, and the chain of ops. */
#include "support/test.h"

#include "engine/engine.h"
#include "engine/inline/inline.h"
#include "engine/workers/workers.h"

static void an_engine_is_found_by_its_name(void **state)
{
	assert_ptr_equal(engine_find("inline"), &inline_engine);
	assert_ptr_equal(engine_find("workers"), &workers_engine);
}

static void a_name_that_no_engine_has_finds_none(void **state)
{
	assert_null(engine_find(""));
	assert_null(engine_find("inlin"));
	assert_null(engine_find("inline "));
}

static void a_chain_gives_its_ops_in_order_and_then_none(void **state)
{
	struct engine_fifo fifo = {0};
	struct engine_op ops[3];

	assert_null(fifo_pop(&fifo));
	for (size_t i = 0; i < 3; i++)
		fifo_push(&fifo, &ops[i]);
	for (size_t i = 0; i < 3; i++)
		assert_ptr_equal(fifo_pop(&fifo), &ops[i]);
	assert_null(fifo_pop(&fifo));
}

static void a_chain_that_ran_empty_takes_ops_again(void **state)
{
	struct engine_fifo fifo = {0};
	struct engine_op ops[2];

	fifo_push(&fifo, &ops[0]);
	assert_ptr_equal(fifo_pop(&fifo), &ops[0]);
	fifo_push(&fifo, &ops[1]);
	fifo_push(&fifo, &ops[0]);
	assert_ptr_equal(fifo_pop(&fifo), &ops[1]);
	assert_ptr_equal(fifo_pop(&fifo), &ops[0]);
	assert_null(fifo_pop(&fifo));
}

/* How many of the five ops are in either chain before one is appended to the other. */
static void check_append(size_t num_first, size_t num_second)
{
	struct engine_fifo first = {0};
	struct engine_fifo second = {0};
	struct engine_op ops[5];
	size_t num_ops = num_first + num_second;

	for (size_t i = 0; i < num_ops; i++)
		fifo_push(i < num_first ? &first : &second, &ops[i]);
	fifo_append(&first, &second);
	assert_null(fifo_pop(&second));

	/* One more, so that the end of the chain is right too. */
	fifo_push(&first, &ops[num_ops]);
	for (size_t i = 0; i <= num_ops; i++)
		assert_ptr_equal(fifo_pop(&first), &ops[i]);
	assert_null(fifo_pop(&first));
}

static void an_appended_chain_stands_behind_and_leaves_its_own_empty(void **state)
{
	check_append(2, 2);
	check_append(0, 2);
	check_append(2, 0);
	check_append(0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_engine_is_found_by_its_name),
		cmocka_unit_test(a_name_that_no_engine_has_finds_none),
		cmocka_unit_test(a_chain_gives_its_ops_in_order_and_then_none),
		cmocka_unit_test(a_chain_that_ran_empty_takes_ops_again),
		cmocka_unit_test(an_appended_chain_stands_behind_and_leaves_its_own_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
