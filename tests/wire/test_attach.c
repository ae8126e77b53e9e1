/* SPDX-License-Identifier: Apache-2.0 */
/* The payloads of the attach option: what is encoded is what is decoded, byte for byte. */
#include "support/test.h"

#include "wire/attach.h"

static void a_request_is_the_id_and_the_secret_behind_it(void **state)
{
	struct attach_request request = {.id = "id of 16 bytes ", .secret = "secret of 32 bytes"};
	uint8_t bytes[ATTACH_REQUEST_BYTES];
	struct attach_request decoded;

	attach_request_encode(&request, bytes);
	assert_memory_equal(bytes, request.id, EXPORT_ID_BYTES);
	assert_memory_equal(bytes + EXPORT_ID_BYTES, request.secret, EXPORT_SECRET_BYTES);
	attach_request_decode(bytes, &decoded);
	assert_memory_equal(&decoded, &request, sizeof(request));
}

static void an_answer_is_big_endian_and_comes_back_whole(void **state)
{
	const struct attach_answer answer = {
		.tag = UINT64_C(0x0102030405060708),
		.file_offset = UINT64_C(0x1112131415161718),
		.generation = UINT64_C(0x2122232425262728),
		.slot = 0x31323334,
		.flags = 0x61626364,
		.addr = UINT64_C(0x4142434445464748),
		.len_bytes = UINT64_C(0x5152535455565758),
		.has_file = true,
		.has_bell = true,
	};
	const uint8_t wanted[ATTACH_ANSWER_BYTES] = {
		1,    2,    3,	  4,	5,    6,    7,	  8,	0x11, 0x12, 0x13, 0x14, 0x15,
		0x16, 0x17, 0x18, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32,
		0x33, 0x34, 0,	  0,	0,    3,    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47,
		0x48, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x61, 0x62, 0x63, 0x64,
	};
	uint8_t bytes[ATTACH_ANSWER_BYTES];
	struct attach_answer decoded;

	attach_answer_encode(&answer, bytes);
	assert_memory_equal(bytes, wanted, sizeof(wanted));
	attach_answer_decode(bytes, &decoded);
	assert_int_equal(decoded.tag, answer.tag);
	assert_int_equal(decoded.file_offset, answer.file_offset);
	assert_int_equal(decoded.generation, answer.generation);
	assert_int_equal(decoded.slot, answer.slot);
	assert_true(decoded.has_file);
	assert_true(decoded.has_bell);
	assert_int_equal(decoded.addr, answer.addr);
	assert_int_equal(decoded.len_bytes, answer.len_bytes);
	assert_int_equal(decoded.flags, answer.flags);
}

static void an_answer_without_a_file_and_a_bell_says_so(void **state)
{
	const struct attach_answer answer = {.tag = 1};
	uint8_t bytes[ATTACH_ANSWER_BYTES];
	struct attach_answer decoded;

	attach_answer_encode(&answer, bytes);
	attach_answer_decode(bytes, &decoded);
	assert_false(decoded.has_file);
	assert_false(decoded.has_bell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_id_and_the_secret_behind_it),
		cmocka_unit_test(an_answer_is_big_endian_and_comes_back_whole),
		cmocka_unit_test(an_answer_without_a_file_and_a_bell_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
