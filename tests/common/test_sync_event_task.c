/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a sync event: what each is asked, and what is refused. */
#include "support/event_fixture.h"

#include "common/sync_event.h"
#include "support/log_capture.h"

static struct event_fixture *open_ctx(void)
{
	struct event_fixture *fixture = event_open();

	event_start_ctx(fixture);
	return fixture;
}

static unsigned progress_all(struct event_fixture *fixture)
{
	unsigned num = 0;

	while (doca_pe_progress(fixture->pe) != 0)
		num++;
	return num;
}

static void a_task_is_used_again_with_other_values(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct doca_sync_event_task_notify_add *task;
	uint64_t first = 77;
	uint64_t second = 77;

	fixture->keeps_tasks = true;
	assert_doca(doca_sync_event_task_notify_add_alloc_init(fixture->event, 1, &first,
							       (union doca_data){.u64 = 0}, &task),
		    DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)),
		    DOCA_SUCCESS);
	/* What is submitted is not the caller's to change. */
	log_forget(state);
	doca_sync_event_task_notify_add_set_inc_val(task, 50);
	assert_logged(state, "ERR", "submitted; wait for its callback");
	assert_int_equal(progress_all(fixture), 1);
	doca_sync_event_task_notify_add_set_inc_val(task, 5);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(task, &second);
	assert_doca(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)),
		    DOCA_SUCCESS);
	assert_int_equal(progress_all(fixture), 1);
	assert_int_equal(first, 0);
	assert_int_equal(second, 1);
	assert_int_equal(atomic_load(fixture->event->value), 6);
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(task));
	event_close(fixture);
}

static const union doca_data no_data = {.u64 = 0};

static void fields_are_what_was_set_last(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct doca_sync_event *event = fixture->event;
	struct doca_sync_event_task_get *get;
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_wait_eq *eq;
	struct doca_sync_event_task_wait_neq *neq;
	uint64_t a;
	uint64_t b;

	assert_doca(doca_sync_event_task_get_alloc_init(event, &a, no_data, &get), DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_notify_set_alloc_init(event, 1, no_data, &set),
		    DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_notify_add_alloc_init(event, 2, &a, no_data, &add),
		    DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_wait_eq_alloc_init(event, 3, 0xff, no_data, &eq),
		    DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_wait_neq_alloc_init(event, 4, 0xffff, no_data, &neq),
		    DOCA_SUCCESS);
	assert_ptr_equal(doca_sync_event_task_get_get_ret_val_ptr(get), &a);
	assert_int_equal(doca_sync_event_task_notify_set_get_set_val(set), 1);
	assert_int_equal(doca_sync_event_task_notify_add_get_inc_val(add), 2);
	assert_ptr_equal(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &a);
	assert_int_equal(doca_sync_event_task_wait_eq_get_wait_val(eq), 3);
	assert_int_equal(doca_sync_event_task_wait_eq_get_mask(eq), 0xff);
	assert_int_equal(doca_sync_event_task_wait_neq_get_wait_val(neq), 4);
	assert_int_equal(doca_sync_event_task_wait_neq_get_mask(neq), 0xffff);
	doca_sync_event_task_get_set_ret_val_ptr(get, &b);
	doca_sync_event_task_notify_set_set_set_val(set, 11);
	doca_sync_event_task_notify_add_set_inc_val(add, 12);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &b);
	doca_sync_event_task_wait_eq_set_wait_val(eq, 13);
	doca_sync_event_task_wait_eq_set_mask(eq, 0xff00);
	doca_sync_event_task_wait_neq_set_wait_val(neq, 14);
	doca_sync_event_task_wait_neq_set_mask(neq, 0xffff00);
	assert_ptr_equal(doca_sync_event_task_get_get_ret_val_ptr(get), &b);
	assert_int_equal(doca_sync_event_task_notify_set_get_set_val(set), 11);
	assert_int_equal(doca_sync_event_task_notify_add_get_inc_val(add), 12);
	assert_ptr_equal(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &b);
	assert_int_equal(doca_sync_event_task_wait_eq_get_wait_val(eq), 13);
	assert_int_equal(doca_sync_event_task_wait_eq_get_mask(eq), 0xff00);
	assert_int_equal(doca_sync_event_task_wait_neq_get_wait_val(neq), 14);
	assert_int_equal(doca_sync_event_task_wait_neq_get_mask(neq), 0xffff00);
	doca_task_free(doca_sync_event_task_get_as_doca_task(get));
	doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
	doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(eq));
	doca_task_free(doca_sync_event_task_wait_neq_as_doca_task(neq));
	event_close(fixture);
}

static void fields_of_null_are_nothing(void **state)
{
	log_forget(state);
	doca_sync_event_task_get_set_ret_val_ptr(NULL, NULL);
	assert_logged(state, "ERR", "task (nil) is NULL");
	doca_sync_event_task_notify_set_set_set_val(NULL, 1);
	doca_sync_event_task_notify_add_set_inc_val(NULL, 1);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(NULL, NULL);
	doca_sync_event_task_wait_eq_set_wait_val(NULL, 1);
	doca_sync_event_task_wait_eq_set_mask(NULL, 1);
	doca_sync_event_task_wait_neq_set_wait_val(NULL, 1);
	doca_sync_event_task_wait_neq_set_mask(NULL, 1);
	assert_null(doca_sync_event_task_get_get_ret_val_ptr(NULL));
	assert_int_equal(doca_sync_event_task_notify_set_get_set_val(NULL), 0);
	assert_int_equal(doca_sync_event_task_notify_add_get_inc_val(NULL), 0);
	assert_null(doca_sync_event_task_notify_add_get_fetched_val_ptr(NULL));
	assert_int_equal(doca_sync_event_task_wait_eq_get_wait_val(NULL), 0);
	assert_int_equal(doca_sync_event_task_wait_eq_get_mask(NULL), 0);
	assert_int_equal(doca_sync_event_task_wait_neq_get_wait_val(NULL), 0);
	assert_int_equal(doca_sync_event_task_wait_neq_get_mask(NULL), 0);
	assert_null(doca_sync_event_task_get_as_doca_task(NULL));
	assert_null(doca_sync_event_task_notify_set_as_doca_task(NULL));
	assert_null(doca_sync_event_task_notify_add_as_doca_task(NULL));
	assert_null(doca_sync_event_task_wait_eq_as_doca_task(NULL));
	assert_null(doca_sync_event_task_wait_neq_as_doca_task(NULL));
}

#define CONF_REFUSALS(kind)                                                                        \
	do {                                                                                       \
		assert_doca(doca_sync_event_task_##kind##_set_conf(NULL, event_##kind##_done,      \
								   event_##kind##_failed, 1),      \
			    DOCA_ERROR_INVALID_VALUE);                                             \
		assert_doca(doca_sync_event_task_##kind##_set_conf(event, NULL,                    \
								   event_##kind##_failed, 1),      \
			    DOCA_ERROR_INVALID_VALUE);                                             \
		assert_doca(doca_sync_event_task_##kind##_set_conf(event, event_##kind##_done,     \
								   NULL, 1),                       \
			    DOCA_ERROR_INVALID_VALUE);                                             \
		assert_doca(doca_sync_event_task_##kind##_set_conf(event, event_##kind##_done,     \
								   event_##kind##_failed, 65537),  \
			    DOCA_ERROR_INVALID_VALUE);                                             \
		assert_doca(doca_sync_event_task_##kind##_set_conf(event, event_##kind##_done,     \
								   event_##kind##_failed, 65536),  \
			    DOCA_SUCCESS);                                                         \
		assert_doca(doca_sync_event_start(event), DOCA_SUCCESS);                           \
		assert_doca(doca_sync_event_task_##kind##_set_conf(event, event_##kind##_done,     \
								   event_##kind##_failed, 1),      \
			    DOCA_ERROR_NOT_PERMITTED);                                             \
		assert_doca(doca_sync_event_stop(event), DOCA_SUCCESS);                            \
	} while (0)

static void set_conf_refuses_what_it_cannot_use(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_sync_event *event = fixture->event;

	CONF_REFUSALS(get);
	CONF_REFUSALS(notify_set);
	CONF_REFUSALS(notify_add);
	CONF_REFUSALS(wait_eq);
	CONF_REFUSALS(wait_neq);
	event_close(fixture);
	fixture = open_ctx();
	assert_doca(doca_sync_event_task_get_set_conf(fixture->event, event_get_done,
						      event_get_failed, 1),
		    DOCA_ERROR_NOT_PERMITTED);
	event_close(fixture);
}

/* All of a kind, then one more, and one once one is free again. */
#define ALLOC_REFUSALS(kind, num, ...)                                                             \
	do {                                                                                       \
		struct doca_sync_event_task_##kind *tasks[EVENT_NUM_TASKS + 1] = {NULL};           \
                                                                                                   \
		assert_doca(doca_sync_event_task_##kind##_alloc_init(NULL, __VA_ARGS__, no_data,   \
								     &tasks[0]),                   \
			    DOCA_ERROR_INVALID_VALUE);                                             \
		assert_doca(doca_sync_event_task_##kind##_alloc_init(fixture->event, __VA_ARGS__,  \
								     no_data, NULL),               \
			    DOCA_ERROR_INVALID_VALUE);                                             \
		for (size_t i = 0, to = num; i < to; i++)                                          \
			assert_doca(doca_sync_event_task_##kind##_alloc_init(                      \
					    fixture->event, __VA_ARGS__, no_data, &tasks[i]),      \
				    DOCA_SUCCESS);                                                 \
		log_forget(state);                                                                 \
		assert_doca(doca_sync_event_task_##kind##_alloc_init(fixture->event, __VA_ARGS__,  \
								     no_data, &tasks[num]),        \
			    DOCA_ERROR_NO_MEMORY);                                                 \
		assert_logged(state, (num) == 0 ? "ERR" : "DBG", #kind "_set_conf");               \
		assert_null(tasks[num]);                                                           \
		for (size_t i = 0, to = num; i < to; i++)                                          \
			doca_task_free(doca_sync_event_task_##kind##_as_doca_task(tasks[i]));      \
	} while (0)

static void a_pool_has_as_many_tasks_as_were_configured(void **state)
{
	struct event_fixture *fixture = open_ctx();
	uint64_t value;

	ALLOC_REFUSALS(get, EVENT_NUM_TASKS, &value);
	ALLOC_REFUSALS(notify_set, EVENT_NUM_TASKS, 1);
	ALLOC_REFUSALS(notify_add, EVENT_NUM_TASKS, 1, &value);
	ALLOC_REFUSALS(wait_eq, EVENT_NUM_TASKS, 1, 0xff);
	ALLOC_REFUSALS(wait_neq, EVENT_NUM_TASKS, 1, 0xff);
	event_close(fixture);
}

static void a_number_of_0_is_one_and_what_was_not_configured_is_none(void **state)
{
	struct event_fixture *fixture = event_open();

	fixture->ctx = doca_sync_event_as_ctx(fixture->event);
	assert_doca(doca_pe_create(&fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(fixture->pe, fixture->ctx), DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_notify_set_set_conf(fixture->event, event_notify_set_done,
							     event_notify_set_failed, 0),
		    DOCA_SUCCESS);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	ALLOC_REFUSALS(notify_set, 1, 1);
	ALLOC_REFUSALS(wait_eq, 0, 1, 0xff);
	event_close(fixture);
}

static void alloc_init_refuses_a_context_that_does_not_run(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_sync_event_task_get *task = NULL;
	uint64_t value;

	event_make_ctx(fixture);
	assert_doca(doca_sync_event_task_get_alloc_init(fixture->event, &value, no_data, &task),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
	EVENT_SUBMIT(fixture, wait_eq, 1, 7, ALL_BITS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	log_forget(state);
	assert_doca(doca_sync_event_task_get_alloc_init(fixture->event, &value, no_data, &task),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "until it is idle");
	assert_null(task);
	event_close(fixture);
	/* One that is stand-alone is told no way that leads nowhere. */
	fixture = event_open_started();
	log_forget(state);
	assert_doca(doca_sync_event_task_get_alloc_init(fixture->event, &value, no_data, &task),
		    DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is stand-alone");
	event_close(fixture);
}

static bool child_gets_no_task(void *argument)
{
	struct event_fixture *fixture = argument;
	struct doca_sync_event_task_notify_set *task = NULL;

	return doca_sync_event_task_notify_set_alloc_init(fixture->event, 1, no_data, &task) ==
		       DOCA_ERROR_BAD_STATE &&
	       task == NULL;
}

static void a_forked_child_gets_no_task_of_its_parents_context(void **state)
{
	struct event_fixture *fixture = open_ctx();

	assert_in_fork(child_gets_no_task, fixture);
	EVENT_SUBMIT(fixture, notify_set, 1, 1);
	assert_int_equal(progress_all(fixture), 1);
	event_close(fixture);
}

static void masks_are_whole_bytes_in_a_row(void **state)
{
	static const uint64_t right[] = {
		0,
		0xff,
		0xff00,
		UINT64_C(0xff) << 56,
		0xffff,
		0xffff00,
		UINT64_C(0xffff) << 48,
		0xffffffff,
		UINT64_C(0xffffffff) << 8,
		UINT64_C(0xffffffff) << 32,
		UINT64_MAX,
	};
	static const uint64_t wrong[] = {
		1,
		0x7f,
		0xf0,
		0x1ff,
		0xff0,
		0xff00ff,
		0xffffff,
		UINT64_C(0xffffffffff),
		UINT64_MAX >> 8,
		UINT64_MAX - 1,
		UINT64_C(1) << 63,
		UINT64_C(0xff000000000000ff),
	};
	struct event_fixture *fixture = open_ctx();
	struct doca_sync_event_task_wait_neq *task;
	struct doca_task *base;

	fixture->keeps_tasks = true;
	assert_doca(doca_sync_event_task_wait_neq_alloc_init(fixture->event, 1, 0, no_data, &task),
		    DOCA_SUCCESS);
	base = doca_sync_event_task_wait_neq_as_doca_task(task);
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		doca_sync_event_task_wait_neq_set_mask(task, right[i]);
		assert_doca(doca_task_submit(base), DOCA_SUCCESS);
		assert_int_equal(progress_all(fixture), 1);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		doca_sync_event_task_wait_neq_set_mask(task, wrong[i]);
		log_forget(state);
		assert_doca(doca_task_submit(base), DOCA_ERROR_INVALID_VALUE);
		assert_logged(state, "ERR", "the mask is not");
		assert_doca(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
	}
	assert_int_equal(fixture->num_done, sizeof(right) / sizeof(right[0]));
	doca_task_free(base);
	event_close(fixture);
}

static void a_wait_that_can_never_end_is_refused(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct doca_sync_event_task_wait_eq *eq;
	struct doca_sync_event_task_wait_neq *neq;

	assert_doca(
		doca_sync_event_task_wait_eq_alloc_init(fixture->event, 0x100, 0xff, no_data, &eq),
		DOCA_SUCCESS);
	assert_doca(doca_sync_event_task_wait_neq_alloc_init(fixture->event, 0, 0, no_data, &neq),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(eq)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "wait_val 0x100, mask 0xff: ");
	log_forget(state);
	assert_doca(doca_task_try_submit(doca_sync_event_task_wait_neq_as_doca_task(neq)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "wait_val 0x0, mask 0x0: ");
	/* What is met by every value is not. */
	doca_sync_event_task_wait_eq_set_wait_val(eq, 0);
	doca_sync_event_task_wait_neq_set_wait_val(neq, 0x100);
	doca_sync_event_task_wait_neq_set_mask(neq, 0xff);
	assert_doca(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(eq)), DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(neq)),
		    DOCA_SUCCESS);
	assert_int_equal(progress_all(fixture), 2);
	event_close(fixture);
}

static void a_task_without_a_place_for_the_value_is_refused(void **state)
{
	struct event_fixture *fixture = open_ctx();
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_get *get;

	assert_doca(doca_sync_event_task_get_alloc_init(fixture->event, NULL, no_data, &get),
		    DOCA_SUCCESS);
	assert_doca(
		doca_sync_event_task_notify_add_alloc_init(fixture->event, 1, NULL, no_data, &add),
		DOCA_SUCCESS);
	assert_doca(doca_task_submit(doca_sync_event_task_get_as_doca_task(get)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(progress_all(fixture), 0);
	doca_task_free(doca_sync_event_task_get_as_doca_task(get));
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
	event_close(fixture);
}

static void capabilities_are_those_of_a_card(void **state)
{
	struct event_fixture *fixture = event_open();
	const struct doca_devinfo *info = doca_dev_as_devinfo(fixture->dev);

	assert_doca(doca_sync_event_cap_task_get_is_supported(info), DOCA_SUCCESS);
	assert_doca(doca_sync_event_cap_task_notify_set_is_supported(info), DOCA_SUCCESS);
	assert_doca(doca_sync_event_cap_task_notify_add_is_supported(info), DOCA_SUCCESS);
	assert_doca(doca_sync_event_cap_task_wait_eq_is_supported(info), DOCA_SUCCESS);
	assert_doca(doca_sync_event_cap_task_wait_neq_is_supported(info), DOCA_SUCCESS);
	assert_doca(doca_sync_event_cap_task_get_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_cap_task_notify_set_is_supported(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_cap_task_notify_add_is_supported(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_cap_task_wait_eq_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_cap_task_wait_neq_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	event_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_is_used_again_with_other_values),
		cmocka_unit_test(fields_are_what_was_set_last),
		cmocka_unit_test(fields_of_null_are_nothing),
		cmocka_unit_test(set_conf_refuses_what_it_cannot_use),
		cmocka_unit_test(a_pool_has_as_many_tasks_as_were_configured),
		cmocka_unit_test(a_number_of_0_is_one_and_what_was_not_configured_is_none),
		cmocka_unit_test(alloc_init_refuses_a_context_that_does_not_run),
		cmocka_unit_test(a_forked_child_gets_no_task_of_its_parents_context),
		cmocka_unit_test(masks_are_whole_bytes_in_a_row),
		cmocka_unit_test(a_wait_that_can_never_end_is_refused),
		cmocka_unit_test(a_task_without_a_place_for_the_value_is_refused),
		cmocka_unit_test(capabilities_are_those_of_a_card),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
