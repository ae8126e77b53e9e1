/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a sync event: it comes back whole, and damaged it is refused. */
#include "support/test.h"

#include "wire/bytes.h"
#include "wire/crc32c.h"
#include "wire/event.h"

static struct export_descriptor descriptor_of(uint64_t addr)
{
	struct export_descriptor descriptor = {
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE | EXPORT_PCI,
		.addr = addr,
		.len_bytes = 8,
		.num_endpoints = 1,
		.endpoints = {{.type = EXPORT_UNIX, .len_bytes = 4, .bytes = "\0abc"}},
	};

	memset(descriptor.secret, 's', sizeof(descriptor.secret));
	return descriptor;
}

/* A whole descriptor with that many parts; its length. */
static size_t encode(uint32_t num_parts, uint8_t bytes[EVENT_MAX_BYTES])
{
	struct event_part parts[EVENT_PARTS] = {0};

	for (uint32_t i = 0; i < num_parts; i++) {
		struct export_descriptor descriptor = descriptor_of(0x1000 * (i + 1));

		parts[i].len_bytes = export_encode(&descriptor, parts[i].bytes);
	}
	return event_encode(parts, bytes);
}

static void assert_refused(const uint8_t *bytes, size_t len, doca_error_t wanted)
{
	struct export_descriptor parts[EVENT_PARTS];
	uint32_t num_parts = 77;
	const char *why = NULL;

	memset(parts, 0x5a, sizeof(parts));
	assert_doca(event_decode(bytes, len, parts, &num_parts, &why), wanted);
	assert_non_null(why);
	assert_int_equal(num_parts, 77);
	assert_int_equal(((uint8_t *)parts)[0], 0x5a);
}

/* As encode would have it after a change of what is in front of the checksum. */
static void mend(uint8_t *bytes, size_t len)
{
	put_le16(bytes + 10, (uint16_t)len);
	put_le32(bytes + len - 4, crc32c(bytes, len - 4));
}

static void parts_come_back_as_they_were(void **state)
{
	uint8_t bytes[EVENT_MAX_BYTES + 1];

	for (uint32_t wanted = 1; wanted <= EVENT_PARTS; wanted++) {
		struct export_descriptor parts[EVENT_PARTS];
		size_t len = encode(wanted, bytes);
		const char *why = NULL;
		uint32_t num = 0;

		assert_true(len > 0 && len <= EVENT_MAX_BYTES);
		/* What a program kept behind it does no harm. */
		assert_doca(event_decode(bytes, len + 1, parts, &num, &why), DOCA_SUCCESS);
		assert_int_equal(num, wanted);
		for (uint32_t i = 0; i < wanted; i++) {
			struct export_descriptor descriptor = descriptor_of(0x1000 * (i + 1));

			assert_memory_equal(&parts[i], &descriptor, sizeof(descriptor));
		}
	}
}

static void every_flipped_bit_is_refused(void **state)
{
	uint8_t bytes[EVENT_MAX_BYTES];
	size_t len = encode(2, bytes);

	for (size_t i = 0; i < len * 8; i++) {
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
	}
}

static void every_truncation_is_refused(void **state)
{
	uint8_t bytes[EVENT_MAX_BYTES];
	size_t len = encode(2, bytes);

	for (size_t i = 0; i < len; i++)
		assert_refused(bytes, i, DOCA_ERROR_INVALID_VALUE);
}

static void a_memory_maps_descriptor_is_none(void **state)
{
	struct export_descriptor descriptor = descriptor_of(0x1000);
	struct export_descriptor decoded;
	uint8_t bytes[EVENT_MAX_BYTES];
	const char *why = NULL;
	size_t len = export_encode(&descriptor, bytes);

	assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	len = encode(1, bytes);
	assert_doca(export_decode(bytes, len, &decoded, &why), DOCA_ERROR_INVALID_VALUE);
}

static void another_version_is_told_as_one(void **state)
{
	uint8_t bytes[EVENT_MAX_BYTES];
	size_t len = encode(1, bytes);

	bytes[8] = 2;
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_UNSUPPORTED_VERSION);
}

static void lengths_that_cannot_be_are_refused(void **state)
{
	uint8_t bytes[2 * EVENT_MAX_BYTES] = {0};
	size_t len = encode(1, bytes);
	uint16_t part_len = get_le16(bytes + 12);

	put_le16(bytes + 12, (uint16_t)(part_len + 1)); /* a part beyond the end */
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	put_le16(bytes + 12, 3); /* a part that is none */
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	mend(bytes, 16); /* no part */
	assert_refused(bytes, 16, DOCA_ERROR_INVALID_VALUE);
	mend(bytes, 17); /* not even a length */
	assert_refused(bytes, 17, DOCA_ERROR_INVALID_VALUE);
	mend(bytes, EVENT_MAX_BYTES + 4);
	assert_refused(bytes, EVENT_MAX_BYTES + 4, DOCA_ERROR_INVALID_VALUE);
}

static void more_parts_than_there_can_be_are_refused(void **state)
{
	uint8_t bytes[EVENT_MAX_BYTES];
	size_t len = encode(2, bytes);
	size_t part_len = (len - 16) / 2;

	memcpy(bytes + 12 + 2 * part_len, bytes + 12, part_len);
	mend(bytes, len + part_len);
	assert_refused(bytes, len + part_len, DOCA_ERROR_INVALID_VALUE);
}

static void what_is_too_long_is_not_encoded(void **state)
{
	static struct event_part parts[EVENT_PARTS] = {{.len_bytes = EXPORT_MAX_BYTES},
						       {.len_bytes = EXPORT_MAX_BYTES}};
	uint8_t bytes[EVENT_MAX_BYTES];

	assert_int_equal(event_encode(parts, bytes), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_come_back_as_they_were),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(a_memory_maps_descriptor_is_none),
		cmocka_unit_test(another_version_is_told_as_one),
		cmocka_unit_test(lengths_that_cannot_be_are_refused),
		cmocka_unit_test(more_parts_than_there_can_be_are_refused),
		cmocka_unit_test(what_is_too_long_is_not_encoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
