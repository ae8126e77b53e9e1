/* SPDX-License-Identifier: Apache-2.0 */
/* Bit fields, against bytes in the order in which they would travel. */
#include "support/test.h"

#include <doca_bitfield.h>

/* As constants: these must compile at file scope. */
static const doca_be32_t constant_mask = DOCA_BE32_GENMASK(23, 4);
static const doca_be16_t constant_field = DOCA_BE16_SET(DOCA_BE16_GENMASK(11, 4), 0xab);
static const uint8_t constant_byte = DOCA_U8_SET(DOCA_U8_GENMASK(6, 2), 0x15);

static void assert_bytes(const void *word, const char *hex)
{
	char text[16];
	const uint8_t *bytes = word;

	for (size_t i = 0; i < strlen(hex) / 2; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	assert_string_equal(text, hex);
}

static void shift_is_the_index_of_the_lowest_bit(void **state)
{
	assert_int_equal(DOCA_SHIFT(1), 0);
	assert_int_equal(DOCA_SHIFT(0xf0), 4);
	assert_int_equal(DOCA_SHIFT(0x80000000U), 31);
	assert_int_equal(DOCA_SHIFT(1ULL << 63), 63);
	assert_int_equal(DOCA_SHIFT(0), -1);
}

static void big_endian_puts_the_high_byte_first(void **state)
{
	doca_be16_t be16 = DOCA_HTOBE16(0x1234);
	doca_be32_t be32 = DOCA_HTOBE32(0x12345678);

	assert_bytes(&be16, "1234");
	assert_bytes(&be32, "12345678");
	assert_int_equal(DOCA_BETOH16(be16), 0x1234);
	assert_int_equal(DOCA_BETOH32(be32), 0x12345678);
}

static void genmask_sets_the_bits_from_low_to_high(void **state)
{
	doca_be16_t be16 = DOCA_BE16_GENMASK(11, 4);

	assert_int_equal(DOCA_U8_GENMASK(6, 2), 0x7c);
	assert_int_equal(DOCA_U8_GENMASK(7, 0), 0xff);
	assert_int_equal(DOCA_U8_GENMASK(3, 3), 0x08);
	assert_bytes(&be16, "0ff0");
	assert_bytes(&constant_mask, "00fffff0");
	assert_int_equal(DOCA_BE16_GENMASK(15, 0), 0xffff);
	assert_int_equal(DOCA_BE32_GENMASK(31, 0), 0xffffffff);
	assert_int_equal(DOCA_BETOH32(DOCA_BE32_GENMASK(31, 31)), 0x80000000);
}

static void genmask_through_a_pointer_replaces_the_word(void **state)
{
	uint8_t bytes[7];

	memset(bytes, 0xa5, sizeof(bytes));
	DOCA_U8P_GENMASK(6, 2, &bytes[0]);
	DOCA_BE16P_GENMASK(11, 4, &bytes[1]);
	DOCA_BE32P_GENMASK(23, 4, &bytes[3]);
	assert_bytes(bytes, "7c0ff000fffff0");
}

static void set_places_the_value_under_the_mask(void **state)
{
	doca_be32_t be32 = DOCA_BE32_SET(DOCA_BE32_GENMASK(28, 24), 0x0a);

	assert_int_equal(constant_byte, 0x54);
	assert_bytes(&constant_field, "0ab0");
	assert_bytes(&be32, "0a000000");
}

static void set_cuts_off_what_does_not_fit(void **state)
{
	assert_int_equal(DOCA_U8_SET(DOCA_U8_GENMASK(3, 2), 0xff), 0x0c);
	assert_int_equal(DOCA_BETOH16(DOCA_BE16_SET(DOCA_BE16_GENMASK(11, 8), 0xffff)), 0x0f00);
	assert_int_equal(DOCA_BETOH32(DOCA_BE32_SET(DOCA_BE32_GENMASK(9, 0), 0xffffffff)), 0x3ff);
}

static void set_through_a_pointer_keeps_the_other_fields(void **state)
{
	uint8_t bytes[7] = {0x80, 0xf0, 0x01, 0x10, 0x00, 0x00, 0x01};

	DOCA_U8P_SET(DOCA_U8_GENMASK(6, 2), 0x15, &bytes[0]);
	DOCA_BE16P_SET(DOCA_BE16_GENMASK(11, 4), 0xab, &bytes[1]);
	DOCA_BE32P_SET(DOCA_BE32_GENMASK(23, 4), 0xabcde, &bytes[3]);
	assert_bytes(bytes, "d4fab110abcde1");
}

static void get_reads_what_set_wrote(void **state)
{
	for (uint32_t value = 0; value < 32; value++) {
		assert_int_equal(DOCA_U8_GET(DOCA_U8_GENMASK(6, 2),
					     DOCA_U8_SET(DOCA_U8_GENMASK(6, 2), value) | 0x83),
				 value);
		assert_int_equal(DOCA_BE16_GET(DOCA_BE16_GENMASK(10, 6),
					       DOCA_BE16_SET(DOCA_BE16_GENMASK(10, 6), value)),
				 value);
		assert_int_equal(DOCA_BE32_GET(DOCA_BE32_GENMASK(31, 27),
					       DOCA_BE32_SET(DOCA_BE32_GENMASK(31, 27), value)),
				 value);
	}
}

static void a_mask_without_a_bit_sets_and_reads_nothing(void **state)
{
	assert_int_equal(DOCA_U8_SET(0, 0xff), 0);
	assert_int_equal(DOCA_BE16_SET(0, 0xffff), 0);
	assert_int_equal(DOCA_BE32_SET(0, 0xffffffff), 0);
	assert_int_equal(DOCA_U8_GET(0, 0xff), 0);
	assert_int_equal(DOCA_BE16_GET(0, 0xffff), 0);
	assert_int_equal(DOCA_BE32_GET(0, 0xffffffff), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shift_is_the_index_of_the_lowest_bit),
		cmocka_unit_test(big_endian_puts_the_high_byte_first),
		cmocka_unit_test(genmask_sets_the_bits_from_low_to_high),
		cmocka_unit_test(genmask_through_a_pointer_replaces_the_word),
		cmocka_unit_test(set_places_the_value_under_the_mask),
		cmocka_unit_test(set_cuts_off_what_does_not_fit),
		cmocka_unit_test(set_through_a_pointer_keeps_the_other_fields),
		cmocka_unit_test(get_reads_what_set_wrote),
		cmocka_unit_test(a_mask_without_a_bit_sets_and_reads_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
