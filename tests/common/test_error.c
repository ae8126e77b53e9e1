/* SPDX-License-Identifier: Apache-2.0 */
/* Every result code has its own name and a description of its own. */
#include "support/test.h"

#define NUM_CODES 32

static void a_code_has_the_name_of_its_constant(void **state)
{
	assert_string_equal(doca_error_get_name(DOCA_SUCCESS), "DOCA_SUCCESS");
	assert_string_equal(doca_error_get_name(DOCA_ERROR_AGAIN), "DOCA_ERROR_AGAIN");
	assert_string_equal(doca_error_get_name(DOCA_ERROR_BAD_STATE), "DOCA_ERROR_BAD_STATE");
	assert_string_equal(doca_error_get_name(DOCA_ERROR_SKIPPED), "DOCA_ERROR_SKIPPED");
	assert_string_equal(doca_error_get_name(DOCA_ERROR_DEVICE_FATAL_ERROR),
			    "DOCA_ERROR_DEVICE_FATAL_ERROR");
}

static void no_two_codes_share_a_name_or_a_description(void **state)
{
	for (int a = 0; a < NUM_CODES; a++) {
		for (int b = 0; b < a; b++) {
			assert_string_not_equal(doca_error_get_name((doca_error_t)a),
						doca_error_get_name((doca_error_t)b));
			assert_string_not_equal(doca_error_get_descr((doca_error_t)a),
						doca_error_get_descr((doca_error_t)b));
		}
	}
}

static void every_code_is_recognized(void **state)
{
	const char *no_name = doca_error_get_name((doca_error_t)NUM_CODES);
	const char *no_descr = doca_error_get_descr((doca_error_t)NUM_CODES);

	for (int code = 0; code < NUM_CODES; code++) {
		assert_string_not_equal(doca_error_get_name((doca_error_t)code), no_name);
		assert_string_not_equal(doca_error_get_descr((doca_error_t)code), no_descr);
	}
}

static void a_number_that_is_no_code_gives_one_fixed_text(void **state)
{
	const int numbers[] = {-1, NUM_CODES, 1000, INT32_MAX, INT32_MIN};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		assert_string_equal(doca_error_get_name((doca_error_t)numbers[i]),
				    "unrecognized error code");
		assert_string_equal(doca_error_get_descr((doca_error_t)numbers[i]),
				    "not a result code of this API");
	}
}

static void is_error_is_true_for_all_but_success(void **state)
{
	assert_false(DOCA_IS_ERROR(DOCA_SUCCESS));
	assert_true(DOCA_IS_ERROR(DOCA_ERROR_UNKNOWN));
	assert_true(DOCA_IS_ERROR(DOCA_ERROR_AGAIN));
}

static void propagate_keeps_the_first_error(void **state)
{
	doca_error_t result = DOCA_SUCCESS;

	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_IN_USE);
	assert_doca(result, DOCA_ERROR_IN_USE);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_FULL);
	assert_doca(result, DOCA_ERROR_IN_USE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_has_the_name_of_its_constant),
		cmocka_unit_test(no_two_codes_share_a_name_or_a_description),
		cmocka_unit_test(every_code_is_recognized),
		cmocka_unit_test(a_number_that_is_no_code_gives_one_fixed_text),
		cmocka_unit_test(is_error_is_true_for_all_but_success),
		cmocka_unit_test(propagate_keeps_the_first_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
