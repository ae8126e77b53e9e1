/* SPDX-License-Identifier: Apache-2.0 */
/* What is made of the sizes of caches, true and absurd. */
#include "support/test.h"

#include "copy/cache.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

static uint64_t window(enum cache_maker maker, uint64_t l2_bytes, uint64_t l3_bytes)
{
	const struct cache_facts facts = {maker, l2_bytes, l3_bytes};

	return cache_window_bytes(&facts);
}

static void of_a_level_3_cache_of_few_cores_a_quarter_is_believed(void **state)
{
	assert_int_equal(window(CACHE_MAKER_AMD, MIB, 32 * MIB), 8 * MIB);
	assert_int_equal(window(CACHE_MAKER_AMD, MIB, 16 * MIB), 4 * MIB);
	assert_int_equal(window(CACHE_MAKER_AMD, MIB, 96 * MIB), 24 * MIB);
	assert_int_equal(window(CACHE_MAKER_INTEL, 2 * MIB, 36 * MIB), 9 * MIB);
	assert_int_equal(window(CACHE_MAKER_OTHER, MIB, 64 * MIB), 16 * MIB);
}

static void of_a_whole_sockets_level_3_cache_nothing_is(void **state)
{
	assert_int_equal(window(CACHE_MAKER_INTEL, 2 * MIB, 480 * MIB), MIB);
	assert_int_equal(window(CACHE_MAKER_INTEL, 2 * MIB, 105 * MIB), MIB);
	assert_int_equal(window(CACHE_MAKER_OTHER, 2 * MIB, 480 * MIB), MIB);
}

static void a_sum_over_the_caches_of_an_amd_socket_is_taken_for_one(void **state)
{
	assert_int_equal(window(CACHE_MAKER_AMD, MIB, 320 * MIB), 8 * MIB);
	assert_int_equal(window(CACHE_MAKER_AMD, MIB, 1152 * MIB), 8 * MIB);
}

static void without_a_level_3_cache_half_of_level_2_is_the_window(void **state)
{
	assert_int_equal(window(CACHE_MAKER_OTHER, 4 * MIB, 0), 2 * MIB);
	assert_int_equal(window(CACHE_MAKER_INTEL, 2 * MIB, 4 * MIB), MIB);
}

static void absurd_sizes_give_a_window_between_its_bounds(void **state)
{
	const uint64_t sizes[] = {0, 1, 255, 4 * KIB, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX};
	const size_t num_sizes = sizeof(sizes) / sizeof(sizes[0]);

	assert_int_equal(window(CACHE_MAKER_OTHER, 0, 0), 512 * KIB);
	assert_int_equal(window(CACHE_MAKER_INTEL, UINT64_MAX, UINT64_MAX), 24 * MIB);
	for (int maker = CACHE_MAKER_OTHER; maker <= CACHE_MAKER_AMD; maker++)
		for (size_t l2 = 0; l2 < num_sizes; l2++)
			for (size_t l3 = 0; l3 < num_sizes; l3++)
				assert_in_range(
					window((enum cache_maker)maker, sizes[l2], sizes[l3]),
					512 * KIB, 24 * MIB);
}

/* A machine that tells nothing is served, too. */
static void the_caches_of_this_machine_give_a_window(void **state)
{
	const struct cache_facts facts = cache_look();

	assert_in_range(cache_window_bytes(&facts), 512 * KIB, 24 * MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_level_3_cache_of_few_cores_a_quarter_is_believed),
		cmocka_unit_test(of_a_whole_sockets_level_3_cache_nothing_is),
		cmocka_unit_test(a_sum_over_the_caches_of_an_amd_socket_is_taken_for_one),
		cmocka_unit_test(without_a_level_3_cache_half_of_level_2_is_the_window),
		cmocka_unit_test(absurd_sizes_give_a_window_between_its_bounds),
		cmocka_unit_test(the_caches_of_this_machine_give_a_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
