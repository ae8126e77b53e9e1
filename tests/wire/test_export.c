/* SPDX-License-Identifier: Apache-2.0 */
/* The export descriptor: what is encoded is decoded, and what is damaged or impossible is refused.
 */
#include "support/test.h"

#include "wire/bytes.h"
#include "wire/crc32c.h"
#include "wire/export.h"

enum { AT_MAJOR = 8, AT_MINOR = 9, AT_TOTAL_LEN = 10, AT_FLAGS = 12, AT_ADDR = 16, AT_LEN = 24 };

#define HEAD_BYTES 128

static void add_endpoint(struct export_descriptor *descriptor, uint8_t type, uint8_t len_bytes)
{
	struct export_endpoint *endpoint = &descriptor->endpoints[descriptor->num_endpoints++];

	endpoint->type = type;
	endpoint->len_bytes = len_bytes;
	memset(endpoint->bytes, 'e', len_bytes);
}

static struct export_descriptor sample(void)
{
	struct export_descriptor descriptor = {
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE | EXPORT_CMA | EXPORT_PCI,
		.addr = UINT64_C(0x7f0011223344),
		.len_bytes = 123456,
		.generation = 7,
		.id = "sixteen bytes id",
		.secret = "thirty-two bytes of secret, so!",
		.boot_id = "boot id 16 bytes",
		.pid = 4711,
		.uid = 1000,
		.start_time = 987654321,
		.cell_addr = UINT64_C(0x5500aabbccdd),
	};

	add_endpoint(&descriptor, EXPORT_UNIX, 38);
	add_endpoint(&descriptor, EXPORT_IPV4, 6);
	add_endpoint(&descriptor, EXPORT_IPV6, 22);
	add_endpoint(&descriptor, EXPORT_VSOCK, 8);
	return descriptor;
}

/* After bytes were changed: the checksum that makes them whole again. */
static void mend(uint8_t *bytes, size_t len)
{
	put_le32(bytes + len - 4, crc32c(bytes, len - 4));
}

static void assert_refused(const uint8_t *bytes, size_t len, doca_error_t wanted)
{
	struct export_descriptor untouched = {.len_bytes = 42};
	struct export_descriptor descriptor = untouched;
	const char *why = NULL;

	assert_doca(export_decode(bytes, len, &descriptor, &why), wanted);
	assert_non_null(why);
	assert_memory_equal(&descriptor, &untouched, sizeof(untouched));
}

static void what_is_encoded_is_decoded(void **state)
{
	const struct export_descriptor descriptor = sample();
	struct export_descriptor decoded;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why = NULL;
	size_t len = export_encode(&descriptor, bytes);

	assert_int_equal(len, HEAD_BYTES + 40 + 8 + 24 + 10 + 4);
	assert_int_equal(get_le16(bytes + AT_TOTAL_LEN), len);
	assert_doca(export_decode(bytes, len, &decoded, &why), DOCA_SUCCESS);
	assert_memory_equal(&decoded, &descriptor, sizeof(descriptor));
	assert_null(why);
}

static void bytes_behind_it_do_not_matter(void **state)
{
	const struct export_descriptor descriptor = sample();
	struct export_descriptor decoded;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why;

	memset(bytes, 0xff, sizeof(bytes));
	export_encode(&descriptor, bytes);
	assert_doca(export_decode(bytes, sizeof(bytes), &decoded, &why), DOCA_SUCCESS);
	assert_memory_equal(&decoded, &descriptor, sizeof(descriptor));
}

static void each_byte_changed_is_refused(void **state)
{
	const struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = export_encode(&descriptor, bytes);

	for (size_t i = 0; i < len; i++) {
		for (int bit = 0; bit < 8; bit++) {
			bytes[i] ^= (uint8_t)(1 << bit);
			assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
			bytes[i] ^= (uint8_t)(1 << bit);
		}
	}
}

static void each_shorter_length_is_refused(void **state)
{
	const struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = export_encode(&descriptor, bytes);

	for (size_t shorter = 0; shorter < len; shorter++) {
		/* With no room behind it, so that a sanitizer sees what reads on. */
		uint8_t *exact = malloc(shorter == 0 ? 1 : shorter);

		assert_non_null(exact);
		memcpy(exact, bytes, shorter);
		assert_refused(exact, shorter, DOCA_ERROR_INVALID_VALUE);
		free(exact);
	}
}

static void no_length_that_it_says_leads_beyond_its_bytes(void **state)
{
	const struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = export_encode(&descriptor, bytes);

	for (unsigned int said = 0; said <= UINT16_MAX; said++) {
		put_le16(bytes + AT_TOTAL_LEN, (uint16_t)said);
		if (said != len)
			assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	}
}

static void another_major_version_is_unsupported_when_it_is_whole(void **state)
{
	const struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = export_encode(&descriptor, bytes);

	bytes[AT_MAJOR] = 2;
	assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_UNSUPPORTED_VERSION);
	bytes[AT_MAJOR] = 0;
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_UNSUPPORTED_VERSION);

	/* One that is shorter than ours can be. */
	bytes[AT_MAJOR] = 2;
	put_le16(bytes + AT_TOTAL_LEN, 20);
	mend(bytes, 20);
	assert_refused(bytes, 20, DOCA_ERROR_UNSUPPORTED_VERSION);
	bytes[AT_MAJOR] = 1;
	mend(bytes, 20);
	assert_refused(bytes, 20, DOCA_ERROR_INVALID_VALUE);
}

static void a_newer_minor_version_is_read_without_what_it_added(void **state)
{
	struct export_descriptor descriptor = sample();
	struct export_descriptor decoded;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why;
	size_t len;

	descriptor.endpoints[1].type = 77;
	descriptor.endpoints[1].len_bytes = 0;
	len = export_encode(&descriptor, bytes);
	bytes[AT_MINOR] = 9;
	mend(bytes, len);
	assert_doca(export_decode(bytes, len, &decoded, &why), DOCA_SUCCESS);
	assert_int_equal(decoded.num_endpoints, 3);
	assert_int_equal(decoded.endpoints[0].type, EXPORT_UNIX);
	assert_int_equal(decoded.endpoints[1].type, EXPORT_IPV6);
	assert_int_equal(decoded.endpoints[2].type, EXPORT_VSOCK);
}

static void a_range_that_cannot_be_is_refused(void **state)
{
	struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];

	descriptor.len_bytes = 0;
	assert_refused(bytes, export_encode(&descriptor, bytes), DOCA_ERROR_INVALID_VALUE);

	descriptor = sample();
	descriptor.addr = UINT64_MAX - 10;
	descriptor.len_bytes = 11;
	assert_refused(bytes, export_encode(&descriptor, bytes), DOCA_ERROR_INVALID_VALUE);
	descriptor.len_bytes = UINT64_MAX;
	assert_refused(bytes, export_encode(&descriptor, bytes), DOCA_ERROR_INVALID_VALUE);

	descriptor = sample();
	descriptor.flags = EXPORT_PCI;
	assert_refused(bytes, export_encode(&descriptor, bytes), DOCA_ERROR_INVALID_VALUE);
}

static void an_endpoint_of_a_wrong_length_is_refused(void **state)
{
	static const struct {
		uint8_t type;
		uint8_t len_bytes;
	} wrong[] = {
		{EXPORT_UNIX, 0}, {EXPORT_UNIX, 1}, {EXPORT_IPV4, 5},  {EXPORT_IPV4, 7},
		{EXPORT_IPV6, 0}, {EXPORT_IPV6, 6}, {EXPORT_VSOCK, 7}, {EXPORT_VSOCK, 9},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct export_descriptor descriptor = sample();
		uint8_t bytes[EXPORT_MAX_BYTES];

		add_endpoint(&descriptor, wrong[i].type, wrong[i].len_bytes);
		assert_refused(bytes, export_encode(&descriptor, bytes), DOCA_ERROR_INVALID_VALUE);
	}
}

static void an_endpoint_that_goes_beyond_the_end_is_refused(void **state)
{
	struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len;

	descriptor.num_endpoints = 1;
	len = export_encode(&descriptor, bytes);
	for (int said = 39; said <= UINT8_MAX; said++) {
		bytes[HEAD_BYTES] = 77; /* a type that would be skipped */
		bytes[HEAD_BYTES + 1] = (uint8_t)said;
		mend(bytes, len);
		assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	}
	bytes[HEAD_BYTES + 1] = 37; /* leaves half a head */
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
	bytes[HEAD_BYTES] = EXPORT_UNIX;
	bytes[HEAD_BYTES + 1] = 109; /* longer than a socket's name */
	mend(bytes, len);
	assert_refused(bytes, len, DOCA_ERROR_INVALID_VALUE);
}

static void a_name_of_a_socket_may_not_be_longer_than_the_kernel_has(void **state)
{
	struct export_descriptor descriptor = sample();
	struct export_descriptor decoded;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why;
	size_t len;

	descriptor.num_endpoints = 0;
	add_endpoint(&descriptor, EXPORT_UNIX, EXPORT_ENDPOINT_BYTES);
	len = export_encode(&descriptor, bytes);
	assert_doca(export_decode(bytes, len, &decoded, &why), DOCA_SUCCESS);
	assert_int_equal(decoded.endpoints[0].len_bytes, EXPORT_ENDPOINT_BYTES);

	/* A byte more. */
	memmove(bytes + len - 3, bytes + len - 4, 4);
	bytes[HEAD_BYTES + 1]++;
	put_le16(bytes + AT_TOTAL_LEN, (uint16_t)(len + 1));
	mend(bytes, len + 1);
	assert_refused(bytes, len + 1, DOCA_ERROR_INVALID_VALUE);
}

static void more_endpoints_than_can_be_kept_are_refused(void **state)
{
	struct export_descriptor descriptor = sample();
	struct export_descriptor decoded;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why;
	size_t len;

	descriptor.num_endpoints = 0;
	while (descriptor.num_endpoints < EXPORT_MAX_ENDPOINTS)
		add_endpoint(&descriptor, EXPORT_IPV4, 6);
	len = export_encode(&descriptor, bytes);
	assert_doca(export_decode(bytes, len, &decoded, &why), DOCA_SUCCESS);
	assert_int_equal(decoded.num_endpoints, EXPORT_MAX_ENDPOINTS);

	memcpy(bytes + len - 4, bytes + len - 12, 8);
	put_le16(bytes + AT_TOTAL_LEN, (uint16_t)(len + 8));
	mend(bytes, len + 8);
	assert_refused(bytes, len + 8, DOCA_ERROR_INVALID_VALUE);
}

static void what_is_longer_than_the_limit_is_not_encoded(void **state)
{
	struct export_descriptor descriptor = sample();
	uint8_t bytes[EXPORT_MAX_BYTES];

	descriptor.num_endpoints = 0;
	add_endpoint(&descriptor, EXPORT_UNIX, 108);
	add_endpoint(&descriptor, EXPORT_UNIX, 108);
	add_endpoint(&descriptor, EXPORT_UNIX, 108);
	add_endpoint(&descriptor, EXPORT_UNIX, 48);
	assert_int_equal(export_encode(&descriptor, bytes), EXPORT_MAX_BYTES);
	descriptor.endpoints[3].len_bytes++;
	assert_int_equal(export_encode(&descriptor, bytes), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_encoded_is_decoded),
		cmocka_unit_test(bytes_behind_it_do_not_matter),
		cmocka_unit_test(each_byte_changed_is_refused),
		cmocka_unit_test(each_shorter_length_is_refused),
		cmocka_unit_test(no_length_that_it_says_leads_beyond_its_bytes),
		cmocka_unit_test(another_major_version_is_unsupported_when_it_is_whole),
		cmocka_unit_test(a_newer_minor_version_is_read_without_what_it_added),
		cmocka_unit_test(a_range_that_cannot_be_is_refused),
		cmocka_unit_test(an_endpoint_of_a_wrong_length_is_refused),
		cmocka_unit_test(an_endpoint_that_goes_beyond_the_end_is_refused),
		cmocka_unit_test(a_name_of_a_socket_may_not_be_longer_than_the_kernel_has),
		cmocka_unit_test(more_endpoints_than_can_be_kept_are_refused),
		cmocka_unit_test(what_is_longer_than_the_limit_is_not_encoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
