/* SPDX-License-Identifier: Apache-2.0 */
/* NBD messages: the bytes that the protocol has, and the refusal of bytes that it has not. */
#include "support/test.h"

#include "wire/nbd.h"

static void the_greeting_is_fixed_newstyle_without_zeroes(void **state)
{
	uint8_t bytes[NBD_GREETING_BYTES];

	nbd_greeting_encode(bytes);
	assert_memory_equal(bytes, "NBDMAGICIHAVEOPT\0\3", NBD_GREETING_BYTES);
	assert_true(nbd_greeting_decode(bytes));
}

static void a_greeting_with_a_byte_changed_is_none(void **state)
{
	for (size_t i = 0; i < 16; i++) {
		uint8_t bytes[NBD_GREETING_BYTES];

		nbd_greeting_encode(bytes);
		bytes[i] ^= 1;
		assert_false(nbd_greeting_decode(bytes));
	}
}

static void a_server_of_the_oldstyle_is_refused(void **state)
{
	uint8_t bytes[NBD_GREETING_BYTES];

	nbd_greeting_encode(bytes);
	bytes[17] = 0;
	assert_false(nbd_greeting_decode(bytes));
}

static void client_flags_must_be_those_that_the_server_offered(void **state)
{
	uint8_t bytes[NBD_CLIENT_FLAGS_BYTES];

	nbd_client_flags_encode(bytes);
	assert_memory_equal(bytes, "\0\0\0\3", sizeof(bytes));
	assert_true(nbd_client_flags_decode(bytes));
	assert_true(nbd_client_flags_decode((const uint8_t *)"\0\0\0\1"));
	assert_false(nbd_client_flags_decode((const uint8_t *)"\0\0\0\2"));
	assert_false(nbd_client_flags_decode((const uint8_t *)"\0\0\0\7"));
	assert_false(nbd_client_flags_decode((const uint8_t *)"\1\0\0\1"));
}

static void an_option_has_its_magic_number_and_length(void **state)
{
	const struct nbd_option_header header = {.option = NBD_OPT_GO, .len_bytes = 0x010203};
	uint8_t bytes[NBD_OPTION_BYTES];
	struct nbd_option_header decoded;

	nbd_option_encode(&header, bytes);
	assert_memory_equal(bytes, "IHAVEOPT\0\0\0\7\0\1\2\3", sizeof(bytes));
	assert_true(nbd_option_decode(bytes, &decoded));
	assert_int_equal(decoded.option, header.option);
	assert_int_equal(decoded.len_bytes, header.len_bytes);
	bytes[7] ^= 1;
	assert_false(nbd_option_decode(bytes, &decoded));
}

static void an_option_reply_has_its_magic_type_and_length(void **state)
{
	const struct nbd_option_reply reply = {
		.option = NBD_OPT_GO, .type = NBD_REP_ERR_UNKNOWN, .len_bytes = 5};
	uint8_t bytes[NBD_OPTION_REPLY_BYTES];
	struct nbd_option_reply decoded;

	nbd_option_reply_encode(&reply, bytes);
	assert_memory_equal(bytes, "\0\3\xe8\x89\4\x55\x65\xa9\0\0\0\7\x80\0\0\6\0\0\0\5",
			    sizeof(bytes));
	assert_true(nbd_option_reply_decode(bytes, &decoded));
	assert_int_equal(decoded.option, reply.option);
	assert_int_equal(decoded.type, reply.type);
	assert_int_equal(decoded.len_bytes, reply.len_bytes);
	bytes[1] ^= 1;
	assert_false(nbd_option_reply_decode(bytes, &decoded));
}

static void infos_carry_size_flags_and_block_sizes(void **state)
{
	uint8_t size[NBD_INFO_EXPORT_BYTES];
	uint8_t block[NBD_INFO_BLOCK_SIZE_BYTES];

	nbd_info_export_encode(UINT64_C(0x0102030405060708), 0x090a, size);
	assert_memory_equal(size, "\0\0\1\2\3\4\5\6\7\x8\x9\xa", sizeof(size));
	nbd_info_block_size_encode(1, 4096, NBD_MAX_REQUEST_BYTES, block);
	assert_memory_equal(block, "\0\3\0\0\0\1\0\0\x10\0\2\0\0\0", sizeof(block));
}

static void a_go_names_the_export_and_lists_infos(void **state)
{
	const char payload[] = "\0\0\0\4name\0\2\0\0\0\3";
	struct nbd_go go;

	assert_true(nbd_go_decode((const uint8_t *)payload, sizeof(payload) - 1, &go));
	assert_int_equal(go.name_len, 4);
	assert_memory_equal(go.name, "name", 4);
}

static void a_go_whose_lengths_do_not_add_up_is_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} wrong[] = {
		{"", 0},
		{"\0\0\0\0\0", 5},
		{"\0\0\0\1\0\0", 6},	     /* the name goes beyond the end */
		{"\xff\xff\xff\xff\0\0", 6}, /* far beyond */
		{"\0\0\0\0\0\1", 6},	     /* an info is missing */
		{"\0\0\0\0\0\0x", 7},	     /* a byte too many */
		{"\0\0\0\1n\0\1\0", 8},	     /* half an info */
		{"\0\0\0\0\xff\xff\0\0", 8}, /* infos far beyond */
	};
	struct nbd_go go;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(nbd_go_decode((const uint8_t *)wrong[i].bytes, wrong[i].len, &go));
}

static void a_request_comes_back_whole(void **state)
{
	const uint8_t bytes[NBD_REQUEST_BYTES] = {
		0x25, 0x60, 0x95, 0x13, 0, 1, 0, 1, 2, 2, 2, 2, 3, 3,
		3,    3,    4,	  4,	4, 4, 5, 5, 5, 5, 6, 6, 6, 6,
	};
	uint8_t changed[NBD_REQUEST_BYTES];
	struct nbd_request request;

	assert_true(nbd_request_decode(bytes, &request));
	assert_int_equal(request.flags, 1);
	assert_int_equal(request.type, NBD_CMD_WRITE);
	assert_int_equal(request.cookie, UINT64_C(0x0202020203030303));
	assert_int_equal(request.offset, UINT64_C(0x0404040405050505));
	assert_int_equal(request.len_bytes, 0x06060606);

	memcpy(changed, bytes, sizeof(bytes));
	changed[0] ^= 1;
	assert_false(nbd_request_decode(changed, &request));
}

static void a_simple_reply_has_the_error_and_the_cookie(void **state)
{
	uint8_t bytes[NBD_SIMPLE_REPLY_BYTES];

	nbd_simple_reply_encode(NBD_ENOSPC, UINT64_C(0x0102030405060708), bytes);
	assert_memory_equal(bytes, "\x67\x44\x66\x98\0\0\0\x1c\1\2\3\4\5\6\7\x8", sizeof(bytes));
}

static void a_name_comes_back_as_id_and_secret(void **state)
{
	uint8_t id[EXPORT_ID_BYTES];
	uint8_t secret[EXPORT_SECRET_BYTES];
	uint8_t decoded_id[EXPORT_ID_BYTES];
	uint8_t decoded_secret[EXPORT_SECRET_BYTES];
	char name[NBD_NAME_LEN + 1];

	memset(id, 0xa5, sizeof(id));
	memset(secret, 0x0f, sizeof(secret));
	nbd_name_encode(id, secret, name);
	assert_int_equal(strlen(name), NBD_NAME_LEN);
	assert_memory_equal(name, "a5a5", 4);
	assert_memory_equal(name + 30, "a5:0f0f", 7);
	assert_true(nbd_name_decode(name, NBD_NAME_LEN, decoded_id, decoded_secret));
	assert_memory_equal(decoded_id, id, sizeof(id));
	assert_memory_equal(decoded_secret, secret, sizeof(secret));
}

static void a_name_that_is_not_one_is_refused(void **state)
{
	uint8_t id[EXPORT_ID_BYTES] = {0};
	uint8_t secret[EXPORT_SECRET_BYTES] = {0};
	char name[NBD_NAME_LEN + 1];

	nbd_name_encode(id, secret, name);
	assert_false(nbd_name_decode("", 0, id, secret));
	assert_false(nbd_name_decode(name, NBD_NAME_LEN - 1, id, secret));
	for (size_t i = 0; i < NBD_NAME_LEN; i++) {
		static const char wrong[] = {'g', 'A', ' ', '/', '\0', (char)0xff};

		for (size_t j = 0; j < sizeof(wrong); j++) {
			char right = name[i];

			name[i] = wrong[j];
			assert_false(nbd_name_decode(name, NBD_NAME_LEN, id, secret));
			name[i] = right;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_greeting_is_fixed_newstyle_without_zeroes),
		cmocka_unit_test(a_greeting_with_a_byte_changed_is_none),
		cmocka_unit_test(a_server_of_the_oldstyle_is_refused),
		cmocka_unit_test(client_flags_must_be_those_that_the_server_offered),
		cmocka_unit_test(an_option_has_its_magic_number_and_length),
		cmocka_unit_test(an_option_reply_has_its_magic_type_and_length),
		cmocka_unit_test(infos_carry_size_flags_and_block_sizes),
		cmocka_unit_test(a_go_names_the_export_and_lists_infos),
		cmocka_unit_test(a_go_whose_lengths_do_not_add_up_is_refused),
		cmocka_unit_test(a_request_comes_back_whole),
		cmocka_unit_test(a_simple_reply_has_the_error_and_the_cookie),
		cmocka_unit_test(a_name_comes_back_as_id_and_secret),
		cmocka_unit_test(a_name_that_is_not_one_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
