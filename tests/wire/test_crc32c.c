/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum, against the vectors that RFC 3720 publishes. */
#include "support/test.h"

#include "wire/crc32c.h"

static void it_is_that_of_the_published_vectors(void **state)
{
	uint8_t bytes[32];

	assert_int_equal(crc32c("123456789", 9), 0xe3069283u);
	memset(bytes, 0, sizeof(bytes));
	assert_int_equal(crc32c(bytes, sizeof(bytes)), 0x8a9136aau);
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(crc32c(bytes, sizeof(bytes)), 0x62a8ab43u);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	assert_int_equal(crc32c(bytes, sizeof(bytes)), 0x46dd794eu);
}

static void nothing_has_the_checksum_zero(void **state)
{
	assert_int_equal(crc32c("", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_that_of_the_published_vectors),
		cmocka_unit_test(nothing_has_the_checksum_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
