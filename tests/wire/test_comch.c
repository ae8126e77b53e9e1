/* SPDX-License-Identifier: Apache-2.0 */
/* Comch frames: what is encoded is what is decoded, and nothing else is a frame. */
#include "support/test.h"

#include "wire/comch.h"

static const struct comch_frame hello = {
	.type = COMCH_HELLO,
	.version = COMCH_VERSION,
	.max_msg_bytes = 4080,
	.recv_queue = 10,
	.name = "a server",
};

static bool is_frame(const void *bytes, size_t len_bytes)
{
	struct comch_frame frame;
	const char *why = NULL;
	doca_error_t result = comch_decode(bytes, len_bytes, &frame, &why);

	if (result == DOCA_SUCCESS)
		return true;
	assert_doca(result, DOCA_ERROR_INVALID_VALUE);
	assert_non_null(why);
	return false;
}

static void each_control_frame_comes_back_as_it_was(void **state)
{
	const struct comch_frame frames[] = {
		hello,
		{.type = COMCH_ACCEPT, .max_msg_bytes = 1, .recv_queue = COMCH_MAX_RECV_QUEUE},
		{.type = COMCH_REJECT, .reject = COMCH_REJECT_FULL},
		{.type = COMCH_CREDIT, .num_credits = 8192},
		{.type = COMCH_NEW_CONSUMER, .consumer_id = 7, .start = 8},
		{.type = COMCH_CONSUMER_ACK,
		 .consumer_id = UINT32_MAX,
		 .start = UINT32_MAX,
		 .ack = COMCH_ACK_FULL},
		{.type = COMCH_EXPIRED_CONSUMER, .consumer_id = 1},
		{.type = COMCH_CLOSE},
	};

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		uint8_t bytes[COMCH_CONTROL_BYTES];
		size_t len_bytes = comch_encode(&frames[i], bytes);
		struct comch_frame decoded;
		const char *why;

		assert_doca(comch_decode(bytes, len_bytes, &decoded, &why), DOCA_SUCCESS);
		assert_int_equal(decoded.type, frames[i].type);
		assert_int_equal(decoded.version, frames[i].version);
		assert_int_equal(decoded.max_msg_bytes, frames[i].max_msg_bytes);
		assert_int_equal(decoded.recv_queue, frames[i].recv_queue);
		assert_int_equal(decoded.reject, frames[i].reject);
		assert_int_equal(decoded.num_credits, frames[i].num_credits);
		assert_int_equal(decoded.consumer_id, frames[i].consumer_id);
		assert_int_equal(decoded.start, frames[i].start);
		assert_int_equal(decoded.ack, frames[i].ack);
		assert_string_equal(decoded.name, frames[i].name);
	}
}

static void a_greeting_is_these_bytes_on_every_machine(void **state)
{
	const uint8_t wanted[] = {
		24,   0,    0, 0, 1,  0, 0, 0, 'S', 'C', 'C', 'H', 3,	0,   8,	  0,
		0xf0, 0x0f, 0, 0, 10, 0, 0, 0, 'a', ' ', 's', 'e', 'r', 'v', 'e', 'r',
	};
	uint8_t bytes[COMCH_CONTROL_BYTES];

	assert_int_equal(comch_encode(&hello, bytes), sizeof(wanted));
	assert_memory_equal(bytes, wanted, sizeof(wanted));
}

static void the_longest_name_fits(void **state)
{
	struct comch_frame frame = hello;
	struct comch_frame decoded;
	uint8_t bytes[COMCH_CONTROL_BYTES];
	const char *why;

	memset(frame.name, 'n', COMCH_NAME_BYTES - 1);
	assert_int_equal(comch_encode(&frame, bytes), COMCH_CONTROL_BYTES);
	assert_doca(comch_decode(bytes, sizeof(bytes), &decoded, &why), DOCA_SUCCESS);
	assert_string_equal(decoded.name, frame.name);
}

static void data_is_a_head_and_the_bytes_behind_it(void **state)
{
	static uint8_t bytes[COMCH_FRAME_BYTES + 1];
	struct comch_frame frame = {.type = COMCH_DATA, .data_len_bytes = COMCH_MAX_MSG_BYTES};
	struct comch_frame decoded;
	const char *why;

	assert_int_equal(comch_encode(&frame, bytes), COMCH_HEAD_BYTES);
	assert_doca(comch_decode(bytes, COMCH_FRAME_BYTES, &decoded, &why), DOCA_SUCCESS);
	assert_ptr_equal(decoded.data, bytes + COMCH_HEAD_BYTES);
	assert_int_equal(decoded.data_len_bytes, COMCH_MAX_MSG_BYTES);
	assert_false(is_frame(bytes, COMCH_FRAME_BYTES - 1));
	assert_false(is_frame(bytes, COMCH_FRAME_BYTES + 1));
	frame.data_len_bytes = 0;
	comch_encode(&frame, bytes);
	assert_false(is_frame(bytes, COMCH_HEAD_BYTES));
	frame.data_len_bytes = COMCH_MAX_MSG_BYTES + 1;
	comch_encode(&frame, bytes);
	assert_false(is_frame(bytes, COMCH_FRAME_BYTES + 1));
}

static void no_frame_is_a_byte_shorter_or_longer(void **state)
{
	const struct comch_frame frames[] = {
		hello,
		{.type = COMCH_ACCEPT, .max_msg_bytes = 1, .recv_queue = 1},
		{.type = COMCH_REJECT, .reject = 1},
		{.type = COMCH_CREDIT, .num_credits = 1},
		{.type = COMCH_NEW_CONSUMER, .consumer_id = 1},
		{.type = COMCH_CONSUMER_ACK, .consumer_id = 1, .ack = 1},
		{.type = COMCH_EXPIRED_CONSUMER, .consumer_id = 1},
		{.type = COMCH_CLOSE},
	};

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		uint8_t bytes[COMCH_CONTROL_BYTES + 1] = {0};
		size_t len_bytes = comch_encode(&frames[i], bytes);

		/* The head says so or not: it is no frame. */
		for (int change = -1; change <= 1; change += 2) {
			assert_false(is_frame(bytes, len_bytes + (size_t)change));
			bytes[0] = (uint8_t)(bytes[0] + change);
			assert_false(is_frame(bytes, len_bytes + (size_t)change));
			assert_false(is_frame(bytes, len_bytes));
			bytes[0] = (uint8_t)(bytes[0] - change);
		}
		for (size_t len = 0; len < COMCH_HEAD_BYTES; len++)
			assert_false(is_frame(bytes, len));
	}
}

static void a_greeting_of_another_version_is_read_as_far_as_its_version(void **state)
{
	uint8_t bytes[COMCH_CONTROL_BYTES];
	size_t len_bytes = comch_encode(&hello, bytes);
	struct comch_frame decoded;
	const char *why;

	bytes[12] = 4;
	memset(bytes + 16, 0xff, len_bytes - 16);
	assert_doca(comch_decode(bytes, len_bytes, &decoded, &why), DOCA_SUCCESS);
	assert_int_equal(decoded.version, 4);
	assert_string_equal(decoded.name, "");
}

/* A byte of the greeting changed: at, to. */
static bool is_greeting_with(size_t at, uint8_t value)
{
	uint8_t bytes[COMCH_CONTROL_BYTES];
	size_t len_bytes = comch_encode(&hello, bytes);

	bytes[at] = value;
	return is_frame(bytes, len_bytes);
}

static void a_greeting_with_a_wrong_field_is_none(void **state)
{
	assert_true(is_greeting_with(24, 'b'));
	assert_false(is_greeting_with(4, 7)); /* type */
	assert_false(is_greeting_with(4, 0));
	assert_false(is_greeting_with(5, 1));
	assert_false(is_greeting_with(6, 1));	/* flags */
	assert_false(is_greeting_with(8, 'x')); /* magic */
	assert_false(is_greeting_with(14, 7));	/* length of the name */
	assert_false(is_greeting_with(14, 0));
	assert_false(is_greeting_with(16, 0xf1)); /* largest message */
	assert_false(is_greeting_with(18, 1));
	assert_false(is_greeting_with(20, 0));	  /* receive queue */
	assert_false(is_greeting_with(21, 0x20)); /* 8202 */
	assert_false(is_greeting_with(24, 0));	  /* a name that ends early */
}

static void an_acceptance_with_sizes_out_of_range_is_none(void **state)
{
	const struct comch_frame frames[] = {
		{.type = COMCH_ACCEPT, .max_msg_bytes = 0, .recv_queue = 1},
		{.type = COMCH_ACCEPT, .max_msg_bytes = 4081, .recv_queue = 1},
		{.type = COMCH_ACCEPT, .max_msg_bytes = 1, .recv_queue = 0},
		{.type = COMCH_ACCEPT, .max_msg_bytes = 1, .recv_queue = 8193},
		{.type = COMCH_CREDIT, .num_credits = 0},
	};

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		uint8_t bytes[COMCH_CONTROL_BYTES];

		assert_false(is_frame(bytes, comch_encode(&frames[i], bytes)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_control_frame_comes_back_as_it_was),
		cmocka_unit_test(a_greeting_is_these_bytes_on_every_machine),
		cmocka_unit_test(the_longest_name_fits),
		cmocka_unit_test(data_is_a_head_and_the_bytes_behind_it),
		cmocka_unit_test(no_frame_is_a_byte_shorter_or_longer),
		cmocka_unit_test(a_greeting_of_another_version_is_read_as_far_as_its_version),
		cmocka_unit_test(a_greeting_with_a_wrong_field_is_none),
		cmocka_unit_test(an_acceptance_with_sizes_out_of_range_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
