/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reach engine: the contract of all engines over own memory; then pieces in a region whose way
 * is made up here, and does what it is given when the test says so.
 */
#include "contract/engine_suite.h"

#include "engine/reach/reach.h"
#include "peer/peer.h"

#define REGION_BYTES ENGINE_SUITE_BYTES
/* Where the made-up exporter has its memory: nowhere in this process. */
#define REMOTE ((uint8_t *)0x100000)

/* A region, and the one transfer that its way has. */
struct fake {
	struct peer_region region; /* first */
	struct copy_space space;
	struct peer_io *io; /* submitted, not delivered */
	unsigned num_submits;
	doca_error_t status; /* that delivery gives */
	bool is_prompt;	     /* delivers inside submit */
	uint8_t memory[REGION_BYTES];
};

static void deliver(struct fake *fake)
{
	struct peer_io *io = fake->io;
	size_t local = 0;
	size_t local_done = 0;

	assert_non_null(io);
	fake->io = NULL;
	for (uint32_t i = 0; i < io->num_remote && fake->status == DOCA_SUCCESS; i++) {
		size_t at = (size_t)((uint8_t *)io->remote[i].iov_base - REMOTE);

		assert_true(at + io->remote[i].iov_len <= REGION_BYTES);
		for (size_t done = 0; done < io->remote[i].iov_len; done++) {
			uint8_t *byte;

			while (local_done == io->local[local].iov_len) {
				local++;
				local_done = 0;
				assert_true(local < io->num_local);
			}
			byte = (uint8_t *)io->local[local].iov_base + local_done++;
			if (io->is_write)
				fake->memory[at + done] = *byte;
			else
				*byte = fake->memory[at + done];
		}
	}
	peer_io_finish(io, fake->status);
}

static void fake_submit(struct peer_region *region, struct peer_io *io)
{
	struct fake *fake = (struct fake *)region;

	assert_null(fake->io);
	assert_true(io->num_local <= PEER_MAX_PIECES && io->num_remote <= PEER_MAX_PIECES);
	assert_non_null(io->activity->word);
	fake->io = io;
	fake->num_submits++;
	if (fake->is_prompt)
		deliver(fake);
}

static void fake_do_nothing(struct peer_region *region)
{
}

static const struct peer_ops fake_ops = {
	.name = "fake",
	.submit = fake_submit,
	.orphan = fake_do_nothing,
	.close = fake_do_nothing,
};

static void fake_open(struct fake *fake, uint8_t first)
{
	*fake = (struct fake){
		.region = {.ops = &fake_ops, .addr = REMOTE, .len_bytes = REGION_BYTES},
		.status = DOCA_SUCCESS,
	};
	fake->region.is_readable = true;
	fake->region.is_writable = true;
	fake->space.region = &fake->region;
	for (size_t i = 0; i < REGION_BYTES; i++)
		fake->memory[i] = (uint8_t)(first + i);
}

static void make_foreign(struct copy_piece *piece, struct fake *fake, size_t offset)
{
	size_t data_len_bytes = piece->data_len_bytes;

	piece->head = REMOTE + offset;
	piece->data = piece->head;
	piece->len_bytes -= offset;
	piece->data_len_bytes =
		data_len_bytes > piece->len_bytes ? piece->len_bytes : data_len_bytes;
	piece->space = &fake->space;
}

static struct engine_case *open_reading(void **state, struct fake *fake)
{
	struct engine_case *opened = engine_case_open(state);

	fake_open(fake, 3);
	make_foreign(&opened->source, fake, 0);
	opened->op.is_foreign = true;
	return opened;
}

static enum engine_polled poll_once(struct engine_case *opened, size_t budget_bytes,
				    struct engine_op **op)
{
	*op = NULL;
	return opened->engine->poll(opened->queue, &budget_bytes, op);
}

static void a_transfer_under_way_is_not_waited_for(void **state)
{
	struct fake fake;
	struct engine_case *opened = open_reading(state, &fake);
	struct engine_op *op;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(fake.num_submits, 0);
	assert_true(opened->engine->has_work(opened->queue));
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_IDLE);
	assert_int_equal(fake.num_submits, 1);
	assert_false(opened->engine->has_work(opened->queue));
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_IDLE);
	assert_int_equal(opened->target.data_len_bytes, 0);

	deliver(&fake);
	assert_true(opened->engine->has_work(opened->queue));
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_DONE);
	assert_ptr_equal(op, &opened->op);
	assert_doca(op->status, DOCA_SUCCESS);
	assert_memory_equal(opened->to, fake.memory, ENGINE_SUITE_BYTES);
	assert_int_equal(opened->target.data_len_bytes, ENGINE_SUITE_BYTES);
	assert_int_equal(fake.num_submits, 1);
	engine_case_close(opened);
}

static void a_write_goes_the_other_way(void **state)
{
	struct fake fake;
	struct engine_case *opened = engine_case_open(state);

	fake_open(&fake, 0);
	fake.is_prompt = true;
	make_foreign(&opened->target, &fake, 0);
	opened->op.is_foreign = true;
	opened->engine->submit(opened->queue, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_SUCCESS);
	assert_memory_equal(fake.memory, opened->from, ENGINE_SUITE_BYTES);
	engine_case_close(opened);
}

static void a_copy_beyond_the_budget_is_several_transfers(void **state)
{
	struct fake fake;
	struct engine_case *opened = open_reading(state, &fake);
	struct engine_op *op;

	fake.is_prompt = true;
	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(poll_once(opened, 1000, &op), ENGINE_PART);
	assert_memory_equal(opened->to, fake.memory, 1000);
	assert_int_equal(opened->to[1000], ENGINE_SUITE_GUARD);
	assert_int_equal(opened->target.data_len_bytes, 0);
	assert_ptr_equal(engine_case_wait(opened, 1000), &opened->op);
	assert_memory_equal(opened->to, fake.memory, ENGINE_SUITE_BYTES);
	assert_int_equal(fake.num_submits, 5);
	engine_case_close(opened);
}

static void a_transfer_that_fails_fails_the_copy_with_its_status(void **state)
{
	static const doca_error_t statuses[] = {DOCA_ERROR_CONNECTION_RESET, DOCA_ERROR_SHUTDOWN,
						DOCA_ERROR_TIME_OUT, DOCA_ERROR_IO_FAILED};

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct fake fake;
		struct engine_case *opened = open_reading(state, &fake);

		fake.is_prompt = true;
		fake.status = statuses[i];
		opened->engine->submit(opened->queue, &opened->op);
		assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
		assert_doca(opened->op.status, statuses[i]);
		assert_int_equal(opened->op.fault, COPY_PEER);
		assert_int_equal(opened->target.data_len_bytes, 0);
		engine_case_close(opened);
	}
}

static void both_sides_foreign_pass_through_a_buffer(void **state)
{
	struct fake from;
	struct fake to;
	struct engine_case *opened = open_reading(state, &from);
	struct engine_op *op;

	fake_open(&to, 99);
	make_foreign(&opened->target, &to, 0);
	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_IDLE);
	assert_null(to.io);
	deliver(&from);
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_IDLE);
	assert_non_null(to.io);
	deliver(&to);
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_DONE);
	assert_memory_equal(to.memory, from.memory, REGION_BYTES);
	engine_case_close(opened);
}

static void a_read_that_fails_is_not_followed_by_its_write(void **state)
{
	struct fake from;
	struct fake to;
	struct engine_case *opened = open_reading(state, &from);

	fake_open(&to, 99);
	make_foreign(&opened->target, &to, 0);
	from.is_prompt = true;
	from.status = DOCA_ERROR_CONNECTION_RESET;
	opened->engine->submit(opened->queue, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(to.num_submits, 0);
	/* The next copy begins anew. */
	from.status = DOCA_SUCCESS;
	to.is_prompt = true;
	opened->op.status = DOCA_SUCCESS;
	opened->engine->submit(opened->queue, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_SUCCESS);
	assert_int_equal(to.num_submits, 1);
	assert_memory_equal(to.memory, from.memory, REGION_BYTES);
	engine_case_close(opened);
}

static void a_region_over_itself_behaves_like_memmove(void **state)
{
	static const size_t budgets[] = {SIZE_MAX, 1000, 1};

	for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
		struct fake fake;
		struct engine_case *opened = open_reading(state, &fake);
		uint8_t expected[REGION_BYTES];

		fake.is_prompt = true;
		make_foreign(&opened->target, &fake, 10);
		opened->source.data_len_bytes = REGION_BYTES - 10;
		opened->op.len_bytes = REGION_BYTES - 10;
		memcpy(expected, fake.memory, 10);
		memcpy(expected + 10, fake.memory, REGION_BYTES - 10);
		opened->engine->submit(opened->queue, &opened->op);
		assert_ptr_equal(engine_case_wait(opened, budgets[i]), &opened->op);
		assert_memory_equal(fake.memory, expected, REGION_BYTES);
		engine_case_close(opened);
	}
}

static void abort_waits_for_the_transfer_that_has_begun(void **state)
{
	struct fake fake;
	struct engine_case *opened = open_reading(state, &fake);
	struct engine_op second = opened->op;
	struct engine_op *op;

	opened->engine->submit(opened->queue, &opened->op);
	opened->engine->submit(opened->queue, &second);
	assert_int_equal(poll_once(opened, 1000, &op), ENGINE_IDLE);
	opened->engine->abort(opened->queue);
	/* Its memory is the way's still. */
	assert_int_equal(poll_once(opened, 1000, &op), ENGINE_IDLE);
	deliver(&fake);
	assert_int_equal(poll_once(opened, 1000, &op), ENGINE_DONE);
	assert_ptr_equal(op, &opened->op);
	assert_doca(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(poll_once(opened, 1000, &op), ENGINE_DONE);
	assert_ptr_equal(op, &second);
	assert_doca(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(fake.num_submits, 1);
	engine_case_close(opened);
}

static void a_list_changed_under_a_transfer_fails_the_copy(void **state)
{
	struct fake fake;
	struct engine_case *opened = open_reading(state, &fake);
	struct engine_op *op;

	opened->engine->submit(opened->queue, &opened->op);
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_IDLE);
	opened->target.data_len_bytes = 5;
	deliver(&fake);
	assert_int_equal(poll_once(opened, SIZE_MAX, &op), ENGINE_DONE);
	assert_doca(op->status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(op->fault, COPY_CHANGED);
	assert_int_equal(opened->target.data_len_bytes, 5);
	engine_case_close(opened);
}

static void runs_of_one_side_go_in_one_transfer_and_own_ones_in_none(void **state)
{
	struct fake fake;
	struct engine_case *opened = open_reading(state, &fake);
	struct copy_piece own = {.head = opened->from,
				 .len_bytes = 100,
				 .data = opened->from,
				 .data_len_bytes = 100};
	struct copy_piece tail = opened->source;

	/* 50 foreign bytes, 50 of elsewhere in the same region, 100 own, 50 foreign. */
	tail.data_len_bytes = 50;
	own.next = &tail;
	opened->source.data_len_bytes = 50;
	opened->source.next = &(struct copy_piece){.next = &own,
						   .head = REMOTE + 200,
						   .len_bytes = 50,
						   .data = REMOTE + 200,
						   .data_len_bytes = 50,
						   .space = &fake.space};
	opened->op.len_bytes = 250;
	fake.is_prompt = true;
	opened->engine->submit(opened->queue, &opened->op);
	assert_ptr_equal(engine_case_wait(opened, SIZE_MAX), &opened->op);
	assert_doca(opened->op.status, DOCA_SUCCESS);
	assert_int_equal(fake.num_submits, 2);
	assert_memory_equal(opened->to, fake.memory, 50);
	assert_memory_equal(opened->to + 50, fake.memory + 200, 50);
	assert_memory_equal(opened->to + 100, opened->from, 100);
	assert_memory_equal(opened->to + 200, fake.memory, 50);
	engine_case_close(opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_transfer_under_way_is_not_waited_for),
		cmocka_unit_test(a_write_goes_the_other_way),
		cmocka_unit_test(a_copy_beyond_the_budget_is_several_transfers),
		cmocka_unit_test(a_transfer_that_fails_fails_the_copy_with_its_status),
		cmocka_unit_test(both_sides_foreign_pass_through_a_buffer),
		cmocka_unit_test(a_read_that_fails_is_not_followed_by_its_write),
		cmocka_unit_test(a_region_over_itself_behaves_like_memmove),
		cmocka_unit_test(abort_waits_for_the_transfer_that_has_begun),
		cmocka_unit_test(a_list_changed_under_a_transfer_fails_the_copy),
		cmocka_unit_test(runs_of_one_side_go_in_one_transfer_and_own_ones_in_none),
	};

	return engine_suite_run(&reach_engine, tests, sizeof(tests) / sizeof(tests[0]));
}
