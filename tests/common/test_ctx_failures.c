/* SPDX-License-Identifier: Apache-2.0 */
/* What a context does between tasks that fail, whatever its library. */
#include <doca_ctx.h>

#include "common/library.h"
#include "support/test.h"

/* A library whose tasks all fail at once, and whose progress finds the peer's end. */
struct endless {
	struct doca_ctx ctx; /* first */
	struct task_pool pool;
	unsigned num_calls;
	bool is_found;
};

static doca_error_t endless_start(struct doca_ctx *ctx)
{
	ctx->queue_depth = 2;
	return DOCA_SUCCESS;
}

static doca_error_t endless_prepare(struct doca_task *task, bool is_strict)
{
	task->op.status = DOCA_ERROR_CONNECTION_RESET;
	return DOCA_SUCCESS;
}

static void endless_complete(struct doca_task *task)
{
	((struct endless *)task->ctx)->num_calls++;
	(void)doca_task_submit(task);
}

static bool endless_progress(struct doca_ctx *ctx)
{
	struct endless *endless = (struct endless *)ctx;

	if (endless->is_found)
		return false;
	endless->is_found = true;
	doca__ctx_fail(ctx);
	return true;
}

static const struct ctx_ops endless_ops = {
	.name = "endless",
	.start = endless_start,
	.prepare = endless_prepare,
	.is_done_when_prepared = true,
	.complete = endless_complete,
	.progress = endless_progress,
};

static void who_submits_each_failed_task_again_lets_its_library_progress(void **state)
{
	struct endless *endless;
	struct doca_pe *pe = NULL;
	struct doca_task *task;

	assert_doca(doca_pe_create(&pe), DOCA_SUCCESS);
	endless = doca__ctx_new(LOG_HERE, &endless_ops, NULL, sizeof(*endless));
	assert_non_null(endless);
	endless->pool.stride = sizeof(*task);
	assert_doca(doca_pe_connect_ctx(pe, &endless->ctx), DOCA_SUCCESS);
	assert_doca(task_pool_init(&endless->pool, &endless->ctx, 1), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(&endless->ctx), DOCA_SUCCESS);
	task = tasks_take_one(&endless->ctx, &endless->pool, (union doca_data){.ptr = NULL});
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(doca_pe_progress(pe), i < 3);
	assert_true(endless->is_found);
	assert_int_equal(endless->num_calls, 2);
	doca_task_free(task);
	assert_int_equal(doca_pe_progress(pe), 1);
	doca__task_pool_fini(&endless->pool);
	doca__ctx_delete(&endless->ctx);
	assert_doca(doca_pe_destroy(pe), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_submits_each_failed_task_again_lets_its_library_progress),
	};

	return cmocka_run_group_tests_name("ctx_failures", tests, NULL, NULL);
}
