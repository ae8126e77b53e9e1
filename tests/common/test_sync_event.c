/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event's life: who may set it and wait for it, where its value lies, and its two modes. */
#include "support/event_fixture.h"

#include <sys/timerfd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "support/fail_calloc.h"
#include "support/fail_memory_file.h"
#include "support/log_capture.h"

static int next_timer_error; /* errno of the next timerfd_create; the wrapper knows no other way */

int __wrap_timerfd_create(int clock, int flags);
int __real_timerfd_create(int clock, int flags);

int __wrap_timerfd_create(int clock, int flags)
{
	if (take_call_error(&next_timer_error) != 0)
		return -1;
	return __real_timerfd_create(clock, flags);
}

static void create_gives_an_event_of_value_0(void **state)
{
	struct event_fixture *fixture = event_open_started();

	assert_int_equal(event_value(fixture), 0);
	event_close(fixture);
}

static void create_and_destroy_refuse_null(void **state)
{
	assert_doca(doca_sync_event_create(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(doca_sync_event_as_ctx(NULL));
}

static void create_without_memory_or_descriptors_leaves_nothing(void **state)
{
	static int *const errors[] = {&next_memfd_create_error, &next_ftruncate_error,
				      &next_fcntl_error, &next_mmap_error, &next_timer_error};
	struct doca_sync_event *event = NULL;
	size_t num_fds = open_fds();

	next_calloc_fails = true;
	assert_doca(doca_sync_event_create(&event), DOCA_ERROR_NO_MEMORY);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		*errors[i] = EMFILE;
		log_forget(state);
		assert_doca(doca_sync_event_create(&event), DOCA_ERROR_OPERATING_SYSTEM);
		assert_logged(state, "ERR", "Too many open files");
		*errors[i] = ENOMEM;
		assert_doca(doca_sync_event_create(&event), DOCA_ERROR_NO_MEMORY);
		assert_int_equal(*errors[i], 0);
	}
	assert_null(event);
	assert_int_equal(open_fds(), num_fds);
}

#define ADD(call, is_second)                                                                       \
	do {                                                                                       \
		log_forget(state);                                                                 \
		assert_doca(call, (is_second) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);          \
		if (is_second)                                                                     \
			assert_logged(state, "ERR", "has cpu for that already");                   \
	} while (0)

/* Each pair of locations: what a start as either answers. A second one is refused at once. */
static void locations_are_one_publisher_and_one_subscriber_of_which_one_is_here(void **state)
{
	/* Bits: publisher cpu, publisher remote, subscriber cpu, subscriber remote. */
	for (unsigned set = 0; set < 16; set++) {
		bool is_right = (set & 3) != 0 && (set & 12) != 0 && set != 10;
		doca_error_t wanted = is_right ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
		struct event_fixture *fixture = calloc(1, sizeof(*fixture));
		struct doca_sync_event *event;

		fixture->num_fds = open_fds();
		fixture->dev = event_open_dev(true);
		assert_doca(doca_sync_event_create(&fixture->event), DOCA_SUCCESS);
		event = fixture->event;
		if ((set & 1) != 0)
			ADD(doca_sync_event_add_publisher_location_cpu(event, fixture->dev), false);
		if ((set & 2) != 0)
			ADD(doca_sync_event_add_publisher_location_remote_pci(event),
			    (set & 1) != 0);
		if ((set & 4) != 0)
			ADD(doca_sync_event_add_subscriber_location_cpu(event, fixture->dev),
			    false);
		if ((set & 8) != 0)
			ADD(doca_sync_event_add_subscriber_location_remote_pci(event),
			    (set & 4) != 0);
		event_make_ctx(fixture);
		assert_doca(doca_ctx_start(fixture->ctx), wanted);
		if (is_right)
			assert_doca(doca_ctx_stop(fixture->ctx), DOCA_SUCCESS);
		assert_doca(doca_sync_event_start(fixture->event), wanted);
		assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
		event_close(fixture);
	}
}

static void the_cpu_is_no_second_location_either(void **state)
{
	struct event_fixture *fixture = event_open();

	log_forget(state);
	assert_doca(doca_sync_event_add_subscriber_location_cpu(fixture->event, fixture->dev),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "has remote_pci for that already");
	assert_doca(doca_sync_event_add_subscriber_location_remote_pci(fixture->event),
		    DOCA_SUCCESS);
	event_close(fixture);
}

static void setters_refuse_null_and_a_started_event(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_sync_event *event = fixture->event;
	struct doca_dev *dev = fixture->dev;
	uint64_t value = 0;

	assert_doca(doca_sync_event_add_publisher_location_cpu(NULL, dev),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_add_publisher_location_cpu(event, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_add_subscriber_location_cpu(NULL, dev),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_add_subscriber_location_cpu(event, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_add_publisher_location_remote_pci(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_add_subscriber_location_remote_pci(NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_start(event), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_sync_event_add_publisher_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is started; call it before");
	assert_doca(doca_sync_event_add_subscriber_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_add_publisher_location_remote_pci(event), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_add_subscriber_location_remote_pci(event),
		    DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_set_addr(event, &value), DOCA_ERROR_BAD_STATE);
	event_close(fixture);
}

static void an_event_keeps_its_devices_open(void **state)
{
	struct event_fixture *fixture = event_open();

	assert_doca(doca_dev_close(fixture->dev), DOCA_ERROR_IN_USE);
	/* Told again, it holds it once. */
	assert_doca(doca_sync_event_add_publisher_location_cpu(fixture->event, fixture->dev),
		    DOCA_SUCCESS);
	event_close(fixture);
}

static void the_value_may_lie_in_memory_of_the_caller(void **state)
{
	struct event_fixture *fixture = event_open();
	_Alignas(8) uint64_t value[2] = {41, 7};
	uint64_t before = 0;

	assert_doca(doca_sync_event_set_addr(NULL, value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_set_addr(fixture->event, NULL), DOCA_ERROR_INVALID_VALUE);
	log_forget(state);
	assert_doca(doca_sync_event_set_addr(fixture->event, (uint64_t *)((char *)value + 4)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "align them");
	assert_doca(doca_sync_event_set_addr(fixture->event, value), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_update_add(fixture->event, 1, &before), DOCA_SUCCESS);
	assert_int_equal(before, 41);
	assert_int_equal(value[0], 42);
	assert_int_equal(value[1], 7);
	value[0] = 5;
	assert_int_equal(event_value(fixture), 5);
	event_close(fixture);
}

/* Memory of 64 bytes with those rights, and a buffer on a part of it. */
struct memory {
	_Alignas(8) uint8_t bytes[64];
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};

static void memory_open(struct memory *memory, uint32_t access)
{
	memset(memory->bytes, 0, sizeof(memory->bytes));
	assert_doca(doca_mmap_create(&memory->mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(memory->mmap, memory->bytes, sizeof(memory->bytes)),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(memory->mmap, access), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(memory->mmap), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_create(4, &memory->inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(memory->inventory), DOCA_SUCCESS);
}

static void memory_close(struct memory *memory)
{
	assert_doca(doca_buf_inventory_destroy(memory->inventory), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(memory->mmap), DOCA_SUCCESS);
}

static struct doca_buf *memory_buf(struct memory *memory, size_t at, size_t len)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_data(memory->inventory, memory->mmap,
						       memory->bytes + at, len, &buf),
		    DOCA_SUCCESS);
	return buf;
}

#define ATOMIC (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

static void the_value_may_lie_in_the_data_of_a_buffer(void **state)
{
	struct event_fixture *fixture = event_open();
	struct memory memory;
	struct doca_buf *buf;

	memory_open(&memory, ATOMIC);
	buf = memory_buf(&memory, 8, 8);
	assert_doca(doca_sync_event_set_doca_buf(NULL, buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, buf), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, buf), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_update_set(fixture->event, UINT64_MAX), DOCA_SUCCESS);
	assert_int_equal(memory.bytes[7], 0);
	assert_int_equal(memory.bytes[8], 0xff);
	assert_int_equal(memory.bytes[15], 0xff);
	assert_int_equal(memory.bytes[16], 0);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	memory_close(&memory);
	event_close(fixture);
}

static void buffers_of_another_size_place_or_kind_are_refused(void **state)
{
	struct event_fixture *fixture = event_open();
	struct memory memory;
	struct doca_buf *longer;
	struct doca_buf *unaligned;
	struct doca_buf *head;
	struct doca_buf *tail;

	memory_open(&memory, ATOMIC);
	longer = memory_buf(&memory, 0, 9);
	unaligned = memory_buf(&memory, 4, 8);
	log_forget(state);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, longer), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "its data are 9 bytes, not 8");
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, unaligned),
		    DOCA_ERROR_INVALID_VALUE);
	head = memory_buf(&memory, 8, 8);
	tail = memory_buf(&memory, 16, 8);
	assert_doca(doca_buf_chain_list(head, tail), DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, head), DOCA_ERROR_INVALID_VALUE);
	assert_logged(state, "ERR", "it is in a list");
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, tail), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_dec_refcount(head, NULL), DOCA_SUCCESS);
	assert_doca(doca_sync_event_set_doca_buf(fixture->event, head), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_dec_refcount(longer, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(unaligned, NULL), DOCA_SUCCESS);
	memory_close(&memory);
	event_close(fixture);
}

static void a_buffer_without_the_rights_is_not_permitted(void **state)
{
	const uint32_t rights[] = {DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, DOCA_ACCESS_FLAG_RDMA_ATOMIC,
				   DOCA_ACCESS_FLAG_LOCAL_READ_ONLY};
	const char *const lacking[] = {
		"lacks DOCA_ACCESS_FLAG_RDMA_ATOMIC; call",
		"lacks DOCA_ACCESS_FLAG_LOCAL_READ_WRITE; call",
		"lacks DOCA_ACCESS_FLAG_LOCAL_READ_WRITE and RDMA_ATOMIC; call"};
	struct event_fixture *fixture = event_open();

	for (size_t i = 0; i < 3; i++) {
		struct memory memory;
		struct doca_buf *buf;

		memory_open(&memory, rights[i]);
		buf = memory_buf(&memory, 8, 8);
		log_forget(state);
		assert_doca(doca_sync_event_set_doca_buf(fixture->event, buf),
			    DOCA_ERROR_NOT_PERMITTED);
		assert_logged(state, "ERR", lacking[i]);
		assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
		memory_close(&memory);
	}
	event_close(fixture);
}

static void start_and_stop_refuse_what_is_not_their_mode(void **state)
{
	struct event_fixture *fixture = event_open();

	assert_doca(doca_sync_event_start(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	event_close(fixture);
}

static void a_started_event_is_not_destroyed(void **state)
{
	struct event_fixture *fixture = event_open_started();

	log_forget(state);
	assert_doca(doca_sync_event_destroy(fixture->event), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "doca_sync_event_stop first");
	assert_int_equal(event_value(fixture), 0);
	event_close(fixture);
	fixture = event_open();
	event_start_ctx(fixture);
	log_forget(state);
	assert_doca(doca_sync_event_destroy(fixture->event), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "doca_ctx_stop");
	event_close(fixture);
}

static void a_stop_keeps_the_value(void **state)
{
	struct event_fixture *fixture = event_open_started();

	assert_doca(doca_sync_event_update_set(fixture->event, 9), DOCA_SUCCESS);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	assert_int_equal(event_value(fixture), 9);
	event_close(fixture);
}

static void an_event_that_was_stand_alone_is_no_context(void **state)
{
	struct event_fixture *fixture = event_open();
	struct doca_ctx *ctx = doca_sync_event_as_ctx(fixture->event);

	assert_non_null(ctx);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_SUCCESS);
	log_forget(state);
	assert_null(doca_sync_event_as_ctx(fixture->event));
	assert_logged(state, "ERR", "create another");
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_SUCCESS);
	assert_null(doca_sync_event_as_ctx(fixture->event));
	assert_doca(doca_pe_create(&fixture->pe), DOCA_SUCCESS);
	assert_doca(doca_pe_connect_ctx(fixture->pe, ctx), DOCA_SUCCESS);
	assert_doca(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
	event_close(fixture);
}

static void a_running_context_is_not_stand_alone(void **state)
{
	struct event_fixture *fixture = event_open();
	uint64_t value = 77;

	event_start_ctx(fixture);
	assert_doca(doca_sync_event_start(fixture->event), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_stop(fixture->event), DOCA_ERROR_BAD_STATE);
	log_forget(state);
	assert_doca(doca_sync_event_get(fixture->event, &value), DOCA_ERROR_BAD_STATE);
	assert_logged(state, "ERR", "is a context; submit its tasks");
	assert_doca(doca_sync_event_update_set(fixture->event, 1), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_update_add(fixture->event, 1, &value), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_sync_event_wait_eq(fixture->event, 0, ALL_BITS), DOCA_ERROR_BAD_STATE);
	assert_int_equal(value, 77);
	event_close(fixture);
}

static bool is_refused_in_a_child(struct event_fixture *fixture)
{
	struct doca_sync_event *event = fixture->event;
	const uint8_t *data;
	uint64_t value;
	size_t len;

	return doca_sync_event_get(event, &value) == DOCA_ERROR_BAD_STATE &&
	       doca_sync_event_update_set(event, 1) == DOCA_ERROR_BAD_STATE &&
	       doca_sync_event_wait_eq_yield(event, 0, 0) == DOCA_ERROR_BAD_STATE &&
	       doca_sync_event_export_to_remote_pci(event, fixture->dev, &data, &len) ==
		       DOCA_ERROR_BAD_STATE &&
	       doca_sync_event_start(event) == DOCA_ERROR_BAD_STATE &&
	       doca_sync_event_stop(event) == DOCA_SUCCESS &&
	       doca_sync_event_start(event) == DOCA_ERROR_BAD_STATE &&
	       doca_sync_event_destroy(event) == DOCA_SUCCESS;
}

/* Both, which are the child's copies to free. */
static bool child_is_refused(void *argument)
{
	struct event_fixture **fixtures = argument;
	bool is_refused = true;

	for (size_t i = 0; i < 2; i++) {
		is_refused = is_refused_in_a_child(fixtures[i]) && is_refused;
		free(fixtures[i]);
	}
	return is_refused;
}

static void a_forked_child_can_only_end_its_parents_event(void **state)
{
	struct event_fixture *fixture = event_open_started();
	size_t len;
	const uint8_t *data = event_export(fixture, &len);
	struct event_fixture *import = event_import(data, len);

	assert_doca(doca_sync_event_start(import->event), DOCA_SUCCESS);
	assert_in_fork(child_is_refused, (struct event_fixture *[]){fixture, import});
	assert_doca(doca_sync_event_update_set(import->event, 4), DOCA_SUCCESS);
	assert_int_equal(event_value(fixture), 4);
	event_close(import);
	event_close(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_gives_an_event_of_value_0),
		cmocka_unit_test(create_and_destroy_refuse_null),
		cmocka_unit_test(create_without_memory_or_descriptors_leaves_nothing),
		cmocka_unit_test(
			locations_are_one_publisher_and_one_subscriber_of_which_one_is_here),
		cmocka_unit_test(the_cpu_is_no_second_location_either),
		cmocka_unit_test(setters_refuse_null_and_a_started_event),
		cmocka_unit_test(an_event_keeps_its_devices_open),
		cmocka_unit_test(the_value_may_lie_in_memory_of_the_caller),
		cmocka_unit_test(the_value_may_lie_in_the_data_of_a_buffer),
		cmocka_unit_test(buffers_of_another_size_place_or_kind_are_refused),
		cmocka_unit_test(a_buffer_without_the_rights_is_not_permitted),
		cmocka_unit_test(start_and_stop_refuse_what_is_not_their_mode),
		cmocka_unit_test(a_started_event_is_not_destroyed),
		cmocka_unit_test(a_stop_keeps_the_value),
		cmocka_unit_test(an_event_that_was_stand_alone_is_no_context),
		cmocka_unit_test(a_running_context_is_not_stand_alone),
		cmocka_unit_test(a_forked_child_can_only_end_its_parents_event),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
