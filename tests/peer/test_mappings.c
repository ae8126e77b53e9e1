/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of ranges of this process's memory. */
#include "support/test.h"

#include "peer/mappings.h"

#include <errno.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)

static uint8_t *map(size_t num_pages)
{
	uint8_t *memory = mmap(NULL, num_pages * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

static void memory_of_every_kind_may_be_read_and_written(void **state)
{
	static uint8_t in_data[100];
	uint8_t on_stack[100];
	uint8_t *on_heap = malloc(100);

	assert_int_equal(mappings_check(in_data, sizeof(in_data), true), 0);
	assert_int_equal(mappings_check(on_stack, sizeof(on_stack), true), 0);
	assert_int_equal(mappings_check(on_heap, 100, true), 0);
	free(on_heap);
}

static void a_part_without_the_right_to_write_is_seen_wherever_it_is(void **state)
{
	uint8_t *memory = map(3);

	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(mprotect(memory + i * PAGE, PAGE, PROT_READ), 0);
		assert_int_equal(mappings_check(memory, 3 * PAGE, true), -EACCES);
		assert_int_equal(mappings_check(memory, 3 * PAGE, false), 0);
		assert_int_equal(mprotect(memory + i * PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
	}
	assert_int_equal(mappings_check(memory, 3 * PAGE, true), 0);
	munmap(memory, 3 * PAGE);
}

static void a_hole_and_a_page_without_rights_are_seen(void **state)
{
	uint8_t *memory = map(3);

	assert_int_equal(mprotect(memory + PAGE, PAGE, PROT_NONE), 0);
	assert_int_equal(mappings_check(memory, 3 * PAGE, false), -EFAULT);
	assert_int_equal(munmap(memory + PAGE, PAGE), 0);
	assert_int_equal(mappings_check(memory, 3 * PAGE, false), -EFAULT);
	assert_int_equal(mappings_check(memory, PAGE + 1, false), -EFAULT);
	assert_int_equal(mappings_check(memory + 2 * PAGE - 1, 2, false), -EFAULT);
	assert_int_equal(mappings_check(memory, PAGE, true), 0);
	assert_int_equal(mappings_check(memory + 2 * PAGE, PAGE, true), 0);
	munmap(memory, PAGE);
	munmap(memory + 2 * PAGE, PAGE);
}

static void an_address_that_nothing_is_at_is_not_mapped(void **state)
{
	assert_int_equal(mappings_check((void *)16, 1, false), -EFAULT);
	assert_int_equal(mappings_check((void *)(UINTPTR_MAX - PAGE), 16, false), -EFAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_every_kind_may_be_read_and_written),
		cmocka_unit_test(a_part_without_the_right_to_write_is_seen_wherever_it_is),
		cmocka_unit_test(a_hole_and_a_page_without_rights_are_seen),
		cmocka_unit_test(an_address_that_nothing_is_at_is_not_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
