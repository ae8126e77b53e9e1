/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In each scenario the n-th allocation fails, for n = 1, 2, ... until none does: each run ends in
 * the documented error, gives back all that it took, and leaves what it was given untouched.
 *
 * The program is linked with --wrap of every function that allocates, and of eventfd.
 */
#include <errno.h>
#include <sys/eventfd.h>

#include <doca_buf_array.h>
#include <doca_buf_pool.h>
#include <doca_log.h>

#include "support/dma_fixture.h"
#include "support/test.h"

/* What the linker's wrappers know. */
static struct {
	bool is_counting;
	size_t num_until_failure; /* 0: none fails */
	size_t num_allocations;
	size_t num_live; /* blocks, of the library alone */
} the_heap;

static bool allocation_fails(void)
{
	if (!the_heap.is_counting)
		return false;
	the_heap.num_allocations++;
	if (the_heap.num_until_failure == 0 || --the_heap.num_until_failure != 0)
		return false;
	errno = ENOMEM;
	return true;
}

#define WRAPPED(name, parameters, ...)                                                             \
	void *__real_##name parameters;                                                            \
	void *__wrap_##name parameters;                                                            \
	void *__wrap_##name parameters                                                             \
	{                                                                                          \
		void *block = allocation_fails() ? NULL : __real_##name(__VA_ARGS__);              \
                                                                                                   \
		the_heap.num_live += block != NULL;                                                \
		return block;                                                                      \
	}

WRAPPED(malloc, (size_t size), size)
WRAPPED(calloc, (size_t num, size_t size), num, size)
WRAPPED(aligned_alloc, (size_t alignment, size_t size), alignment, size)
WRAPPED(strdup, (const char *text), text)
WRAPPED(strndup, (const char *text, size_t max_bytes), text, max_bytes)

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
	void *moved = allocation_fails() ? NULL : __real_realloc(block, size);

	the_heap.num_live += block == NULL && moved != NULL;
	return moved;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
	the_heap.num_live -= block != NULL;
	__real_free(block);
}

int __real_eventfd(unsigned count, int flags);
int __wrap_eventfd(unsigned count, int flags);
int __wrap_eventfd(unsigned count, int flags)
{
	return allocation_fails() ? -1 : __real_eventfd(count, flags);
}

/* How a run of a scenario ended. */
struct run {
	const char *failed_call; /* NULL: every call succeeded */
	doca_error_t result;
	doca_error_t first;  /* what that call documents for the lack of memory */
	doca_error_t second; /* another, or the same */
	const char *complaint;
};

static bool call_succeeds(struct run *run, const char *call, doca_error_t result,
			  doca_error_t first, doca_error_t second)
{
	if (result == DOCA_SUCCESS)
		return true;
	if (run->failed_call == NULL)
		*run = (struct run){.failed_call = call,
				    .result = result,
				    .first = first,
				    .second = second,
				    .complaint = run->complaint};
	return false;
}

#define TRY(call) call_succeeds(run, #call, (call), DOCA_ERROR_NO_MEMORY, DOCA_ERROR_NO_MEMORY)
#define TRY_OR(call, error, other) call_succeeds(run, #call, (call), error, other)

/* What must hold in any run. */
static void check(struct run *run, bool holds, const char *complaint)
{
	if (!holds && run->complaint == NULL)
		run->complaint = complaint;
}

static void run_until_nothing_fails(void (*scenario)(struct run *run))
{
	for (size_t n = 1; n < 1000; n++) {
		struct run run = {0};
		size_t num_live = the_heap.num_live;

		the_heap.num_until_failure = n;
		the_heap.is_counting = true;
		scenario(&run);
		the_heap.is_counting = false;
		if (run.complaint != NULL)
			print_error("allocation %zu: %s\n", n, run.complaint);
		assert_null(run.complaint);
		if (the_heap.num_live != num_live)
			print_error("allocation %zu, failed call %s: blocks left over\n", n,
				    run.failed_call != NULL ? run.failed_call : "none");
		assert_int_equal(the_heap.num_live, num_live);
		if (the_heap.num_until_failure != 0) { /* none failed */
			assert_null(run.failed_call);
			assert_true(n > 1);
			return;
		}
		assert_non_null(run.failed_call);
		if (run.result != run.first && run.result != run.second)
			print_error("allocation %zu: %s gave %s\n", n, run.failed_call,
				    doca_error_get_name(run.result));
		assert_true(run.result == run.first || run.result == run.second);
	}
	fail();
}

static struct doca_dev *open_any(struct run *run)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num_devs = 77;

	if (!TRY(doca_devinfo_create_list(&list, &num_devs))) {
		check(run, list == NULL && num_devs == 77, "create_list touched its outputs");
		return NULL;
	}
	if (!TRY(doca_dev_open(list[0], &dev)))
		check(run, dev == NULL, "dev_open touched its output");
	check(run, doca_devinfo_destroy_list(list) == DOCA_SUCCESS, "destroy_list");
	return dev;
}

static void close_any(struct run *run, struct doca_dev *dev)
{
	check(run, doca_dev_close(dev) == DOCA_SUCCESS, "dev_close");
}

/* Once a process, and what is made stays. */
static void the_cards_are_made_or_there_is_no_memory(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 77;
	doca_error_t result = DOCA_ERROR_NO_MEMORY;

	for (size_t n = 1; n < 100 && result != DOCA_SUCCESS; n++) {
		the_heap.num_until_failure = n;
		the_heap.is_counting = true;
		result = doca_devinfo_create_list(&list, &num_devs);
		the_heap.is_counting = false;
		assert_true(n > 1 || result == DOCA_ERROR_NO_MEMORY);
		assert_true(result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY);
		assert_true(result == DOCA_SUCCESS || (list == NULL && num_devs == 77));
	}
	assert_doca(result, DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void open_a_device(struct run *run)
{
	close_any(run, open_any(run));
}

static void list_and_open_a_representor(struct run *run)
{
	struct doca_dev *dev = open_any(run);
	struct doca_devinfo_rep **list = NULL;
	struct doca_dev_rep *rep = NULL;
	uint32_t num_reps = 0;

	if (dev == NULL)
		return;
	if (TRY(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num_reps))) {
		if (TRY(doca_dev_rep_open(list[0], &rep)))
			check(run, doca_dev_rep_close(rep) == DOCA_SUCCESS, "rep_close");
		else
			check(run, rep == NULL, "rep_open touched its output");
		check(run, doca_devinfo_rep_destroy_list(list) == DOCA_SUCCESS, "rep_destroy_list");
	}
	close_any(run, dev);
}

static void create_an_engine(struct run *run)
{
	struct doca_pe *pe = NULL;

	if (TRY_OR(doca_pe_create(&pe), DOCA_ERROR_NO_MEMORY, DOCA_ERROR_OPERATING_SYSTEM))
		check(run, doca_pe_destroy(pe) == DOCA_SUCCESS, "pe_destroy");
	else
		check(run, pe == NULL, "pe_create touched its output");
}

static uint8_t the_memory[4096];

static struct doca_mmap *start_map(struct run *run, struct doca_dev *dev)
{
	struct doca_mmap *mmap = NULL;

	if (!TRY(doca_mmap_create(&mmap))) {
		check(run, mmap == NULL, "mmap_create touched its output");
		return NULL;
	}
	if (TRY(doca_mmap_set_memrange(mmap, the_memory, sizeof(the_memory))) &&
	    TRY(doca_mmap_set_max_num_devices(mmap, 8)) && TRY(doca_mmap_add_dev(mmap, dev)) &&
	    TRY(doca_mmap_start(mmap)))
		return mmap;
	check(run, doca_mmap_destroy(mmap) == DOCA_SUCCESS, "mmap_destroy");
	return NULL;
}

static void map_memory(struct run *run)
{
	struct doca_dev *dev = open_any(run);
	struct doca_mmap *mmap = dev != NULL ? start_map(run, dev) : NULL;

	if (mmap != NULL)
		check(run, doca_mmap_destroy(mmap) == DOCA_SUCCESS, "mmap_destroy");
	close_any(run, dev);
}

static void take_buffers(struct run *run, struct doca_buf_inventory *inventory,
			 struct doca_mmap *mmap)
{
	struct doca_buf *buf = NULL;
	struct doca_buf *copy = NULL;

	if (TRY(doca_buf_inventory_buf_get_by_addr(inventory, mmap, the_memory, 64, &buf))) {
		if (TRY(doca_buf_inventory_expand(inventory, 1000)) &&
		    TRY(doca_buf_inventory_buf_dup(inventory, buf, &copy)))
			(void)doca_buf_dec_refcount(copy, NULL);
		(void)doca_buf_dec_refcount(buf, NULL);
	} else {
		check(run, buf == NULL, "get touched its output");
	}
}

static void fill_an_inventory(struct run *run)
{
	struct doca_dev *dev = open_any(run);
	struct doca_mmap *mmap = dev != NULL ? start_map(run, dev) : NULL;
	struct doca_buf_inventory *inventory = NULL;

	if (mmap != NULL) {
		if (TRY(doca_buf_inventory_create(4, &inventory))) {
			if (TRY(doca_buf_inventory_start(inventory)))
				take_buffers(run, inventory, mmap);
			check(run, doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS,
			      "inventory_destroy");
		} else {
			check(run, inventory == NULL, "inventory_create touched its output");
		}
		check(run, doca_mmap_destroy(mmap) == DOCA_SUCCESS, "mmap_destroy");
	}
	close_any(run, dev);
}

static void use_pool(struct run *run, struct doca_mmap *mmap)
{
	struct doca_buf_pool *pool = NULL;
	struct doca_buf *buf = NULL;

	if (!TRY(doca_buf_pool_create(4, 64, mmap, &pool))) {
		check(run, pool == NULL, "pool_create touched its output");
		return;
	}
	/* Nothing is allocated from here on, so that nothing can fail. */
	check(run, doca_buf_pool_start(pool) == DOCA_SUCCESS, "pool_start");
	check(run, doca_buf_pool_buf_alloc(pool, &buf) == DOCA_SUCCESS, "buf_alloc");
	check(run, doca_buf_dec_refcount(buf, NULL) == DOCA_SUCCESS, "dec_refcount");
	check(run, doca_buf_pool_destroy(pool) == DOCA_SUCCESS, "pool_destroy");
}

static void cut_a_map_into_a_pool(struct run *run)
{
	struct doca_dev *dev = open_any(run);
	struct doca_mmap *mmap = dev != NULL ? start_map(run, dev) : NULL;

	if (mmap != NULL) {
		use_pool(run, mmap);
		check(run, doca_mmap_destroy(mmap) == DOCA_SUCCESS, "mmap_destroy");
	}
	close_any(run, dev);
}

static void create_an_array(struct run *run)
{
	struct doca_buf_arr *arr = NULL;

	if (TRY(doca_buf_arr_create(4, &arr)))
		check(run, doca_buf_arr_destroy(arr) == DOCA_SUCCESS, "arr_destroy");
	else
		check(run, arr == NULL, "arr_create touched its output");
}

static void count_callback(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			   union doca_data ctx_user_data)
{
	++*(unsigned *)ctx_user_data.ptr;
	dma_task_release(doca_dma_task_memcpy_as_task(task));
}

/* The copy itself allocates nothing, so that nothing of it can fail once the context runs. */
static void copy_with(struct run *run, struct doca_dma *dma, struct doca_pe *pe,
		      struct doca_buf_inventory *inventory, struct doca_mmap *mmap)
{
	struct doca_dma_task_memcpy *task = NULL;
	struct doca_buf *source = NULL;
	struct doca_buf *target = NULL;
	unsigned num_callbacks = 0;
	union doca_data user_data = {.ptr = &num_callbacks};

	if (!TRY(doca_buf_inventory_buf_get_by_data(inventory, mmap, the_memory, 64, &source)))
		return;
	if (!TRY(doca_buf_inventory_buf_get_by_addr(inventory, mmap, the_memory + 64, 64,
						    &target)) ||
	    !TRY(doca_dma_task_memcpy_alloc_init(dma, source, target, user_data, &task))) {
		(void)doca_buf_dec_refcount(source, NULL);
		if (target != NULL)
			(void)doca_buf_dec_refcount(target, NULL);
		return;
	}
	(void)doca_ctx_set_user_data(doca_dma_as_ctx(dma), user_data);
	check(run, doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS, "submit");
	check(run, doca_pe_progress(pe) == 1 && num_callbacks == 1, "progress");
}

static void run_context(struct run *run, struct doca_dev *dev, struct doca_pe *pe,
			struct doca_buf_inventory *inventory, struct doca_mmap *mmap)
{
	struct doca_dma *dma = NULL;

	if (!TRY(doca_dma_create(dev, &dma))) {
		check(run, dma == NULL, "dma_create touched its output");
		return;
	}
	if (TRY(doca_dma_task_memcpy_set_conf(dma, count_callback, count_callback, 16)) &&
	    TRY(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)))) {
		if (TRY_OR(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_INITIALIZATION,
			   DOCA_ERROR_INITIALIZATION))
			copy_with(run, dma, pe, inventory, mmap);
		else
			check(run, dma_state(doca_dma_as_ctx(dma)) == DOCA_CTX_STATE_IDLE,
			      "a failed start left IDLE");
		check(run, doca_ctx_stop(doca_dma_as_ctx(dma)) == DOCA_SUCCESS, "stop");
	}
	check(run, doca_dma_destroy(dma) == DOCA_SUCCESS, "dma_destroy");
}

static void copy_from_end_to_end(struct run *run)
{
	struct doca_dev *dev = open_any(run);
	struct doca_mmap *mmap = dev != NULL ? start_map(run, dev) : NULL;
	struct doca_buf_inventory *inventory = NULL;
	struct doca_pe *pe = NULL;

	if (mmap != NULL && TRY(doca_buf_inventory_create(4, &inventory)) &&
	    TRY(doca_buf_inventory_start(inventory)) &&
	    TRY_OR(doca_pe_create(&pe), DOCA_ERROR_NO_MEMORY, DOCA_ERROR_OPERATING_SYSTEM))
		run_context(run, dev, pe, inventory, mmap);
	if (pe != NULL)
		check(run, doca_pe_destroy(pe) == DOCA_SUCCESS, "pe_destroy");
	if (inventory != NULL)
		check(run, doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS,
		      "inventory_destroy");
	if (mmap != NULL)
		check(run, doca_mmap_destroy(mmap) == DOCA_SUCCESS, "mmap_destroy");
	close_any(run, dev);
}

static void a_device_opens_or_says_no_memory(void **state)
{
	run_until_nothing_fails(open_a_device);
}

static void a_representor_opens_or_says_no_memory(void **state)
{
	run_until_nothing_fails(list_and_open_a_representor);
}

static void an_engine_is_created_or_says_what_is_missing(void **state)
{
	run_until_nothing_fails(create_an_engine);
}

static void memory_is_mapped_or_says_no_memory(void **state)
{
	run_until_nothing_fails(map_memory);
}

static void an_inventory_is_filled_or_says_no_memory(void **state)
{
	run_until_nothing_fails(fill_an_inventory);
}

static void a_pool_is_cut_or_says_no_memory(void **state)
{
	run_until_nothing_fails(cut_a_map_into_a_pool);
}

static void an_array_is_created_or_says_no_memory(void **state)
{
	run_until_nothing_fails(create_an_array);
}

static void a_copy_runs_or_ends_in_the_documented_error(void **state)
{
	run_until_nothing_fails(copy_from_end_to_end);
}

/* Sources and backends live until the program ends: when all succeeds their blocks stay. */
static void a_log_source_is_registered_or_says_no_memory(void **state)
{
	int source = -77;
	doca_error_t result = DOCA_ERROR_UNKNOWN;

	for (size_t n = 1; n < 10; n++) {
		size_t num_live = the_heap.num_live;

		the_heap.num_until_failure = n;
		the_heap.is_counting = true;
		result = doca_log_register_source("TEST::ALLOCATIONS", &source);
		the_heap.is_counting = false;
		if (the_heap.num_until_failure != 0)
			break;
		assert_doca(result, DOCA_ERROR_NO_MEMORY);
		assert_int_equal(source, -77);
		assert_int_equal(the_heap.num_live, num_live);
	}
	assert_doca(result, DOCA_SUCCESS);
	assert_doca(doca_log_unregister_source(source), DOCA_SUCCESS);
}

static void check_backend(doca_error_t (*create)(struct doca_log_backend **backend))
{
	doca_error_t result = DOCA_ERROR_UNKNOWN;

	for (size_t n = 1; n < 10; n++) {
		struct doca_log_backend *backend = NULL;
		size_t num_live = the_heap.num_live;

		the_heap.num_until_failure = n;
		the_heap.is_counting = true;
		result = create(&backend);
		the_heap.is_counting = false;
		if (the_heap.num_until_failure != 0)
			break;
		assert_doca(result, DOCA_ERROR_NO_MEMORY);
		assert_null(backend);
		assert_int_equal(the_heap.num_live, num_live);
	}
	assert_doca(result, DOCA_SUCCESS);
}

static doca_error_t create_syslog_backend(struct doca_log_backend **backend)
{
	return doca_log_backend_create_with_syslog("test", backend);
}

static doca_error_t create_file_backend(struct doca_log_backend **backend)
{
	return doca_log_backend_create_with_file(stderr, backend);
}

static void a_log_backend_is_created_or_says_no_memory(void **state)
{
	check_backend(create_syslog_backend);
	check_backend(create_file_backend);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cards_are_made_or_there_is_no_memory),
		cmocka_unit_test(a_device_opens_or_says_no_memory),
		cmocka_unit_test(a_representor_opens_or_says_no_memory),
		cmocka_unit_test(an_engine_is_created_or_says_what_is_missing),
		cmocka_unit_test(memory_is_mapped_or_says_no_memory),
		cmocka_unit_test(an_inventory_is_filled_or_says_no_memory),
		cmocka_unit_test(a_pool_is_cut_or_says_no_memory),
		cmocka_unit_test(an_array_is_created_or_says_no_memory),
		cmocka_unit_test(a_copy_runs_or_ends_in_the_documented_error),
		cmocka_unit_test(a_log_source_is_registered_or_says_no_memory),
		cmocka_unit_test(a_log_backend_is_created_or_says_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
