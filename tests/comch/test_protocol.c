/* SPDX-License-Identifier: Apache-2.0 */
/* The conversation: which frame may come when, and how many messages may be on their way. */
#include "support/test.h"

#include "comch/protocol.h"

static const char name[] = "the server";

static enum protocol_verdict take(struct protocol *protocol, const struct comch_frame *frame)
{
	static uint8_t bytes[COMCH_FRAME_BYTES];
	size_t len_bytes = comch_encode(frame, bytes);
	struct comch_frame taken;
	const char *why = NULL;
	enum protocol_verdict verdict;

	if (frame->type == COMCH_DATA)
		len_bytes += frame->data_len_bytes;
	verdict = protocol_take(protocol, name, bytes, len_bytes, &taken, &why);
	assert_int_equal(verdict == PROTOCOL_BROKEN, why != NULL);
	if (verdict == PROTOCOL_UNWANTED)
		assert_int_not_equal(taken.reject, 0);
	return verdict;
}

static struct comch_frame greeting(void)
{
	struct comch_frame frame = {
		.type = COMCH_HELLO,
		.version = COMCH_VERSION,
		.max_msg_bytes = 100,
		.recv_queue = 3,
	};

	memcpy(frame.name, name, sizeof(name));
	return frame;
}

static struct comch_frame message(uint32_t len_bytes)
{
	return (struct comch_frame){.type = COMCH_DATA, .data_len_bytes = len_bytes};
}

static struct comch_frame receipt(uint32_t num_credits)
{
	return (struct comch_frame){.type = COMCH_CREDIT, .num_credits = num_credits};
}

/* A server with a queue of 2 that has been greeted. */
static struct protocol opened(void)
{
	const struct comch_frame hello = greeting();
	struct protocol protocol;

	protocol_init(&protocol, PROTOCOL_HELLO_AWAITED, 200, 2);
	assert_int_equal(take(&protocol, &hello), PROTOCOL_GREETED);
	return protocol;
}

static void a_greeting_opens_the_server_with_the_smaller_maximum(void **state)
{
	struct protocol protocol = opened();

	assert_int_equal(protocol.state, PROTOCOL_OPEN);
	assert_int_equal(protocol.max_msg_bytes, 100);
	assert_int_equal(protocol.num_sendable, 3);
	assert_int_equal(protocol.num_awaited, 2);
}

static void an_acceptance_opens_the_client(void **state)
{
	const struct comch_frame accept = {
		.type = COMCH_ACCEPT, .max_msg_bytes = 50, .recv_queue = 7};
	struct protocol protocol;

	protocol_init(&protocol, PROTOCOL_ANSWER_AWAITED, 40, 2);
	assert_int_equal(take(&protocol, &accept), PROTOCOL_ACCEPTED);
	assert_int_equal(protocol.max_msg_bytes, 40);
	assert_int_equal(protocol.num_sendable, 7);
}

static void a_server_wants_its_version_and_its_name(void **state)
{
	struct comch_frame hello = greeting();
	struct protocol protocol;

	hello.version = COMCH_VERSION + 1;
	protocol_init(&protocol, PROTOCOL_HELLO_AWAITED, 200, 2);
	assert_int_equal(take(&protocol, &hello), PROTOCOL_UNWANTED);
	hello.version = COMCH_VERSION;
	hello.name[0] = 'T';
	protocol_init(&protocol, PROTOCOL_HELLO_AWAITED, 200, 2);
	assert_int_equal(take(&protocol, &hello), PROTOCOL_UNWANTED);
	assert_int_equal(protocol.state, PROTOCOL_OVER);
	hello = greeting();
	assert_int_equal(take(&protocol, &hello), PROTOCOL_BROKEN);
}

static void nothing_but_a_greeting_comes_first(void **state)
{
	const struct comch_frame frames[] = {
		message(1),
		receipt(1),
		{.type = COMCH_ACCEPT, .max_msg_bytes = 1, .recv_queue = 1},
		{.type = COMCH_REJECT, .reject = 1},
		{.type = COMCH_CLOSE},
	};

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		struct protocol protocol;

		protocol_init(&protocol, PROTOCOL_HELLO_AWAITED, 200, 2);
		assert_int_equal(take(&protocol, &frames[i]), PROTOCOL_BROKEN);
		assert_int_equal(protocol.state, PROTOCOL_OVER);
	}
}

static void a_client_is_answered_first(void **state)
{
	const struct comch_frame hello = greeting();
	const struct comch_frame frames[] = {hello, message(1), receipt(1), {.type = COMCH_CLOSE}};
	const struct comch_frame reject = {.type = COMCH_REJECT, .reject = 77};
	struct protocol protocol;

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		protocol_init(&protocol, PROTOCOL_ANSWER_AWAITED, 200, 2);
		assert_int_equal(take(&protocol, &frames[i]), PROTOCOL_BROKEN);
	}
	protocol_init(&protocol, PROTOCOL_ANSWER_AWAITED, 200, 2);
	assert_int_equal(take(&protocol, &reject), PROTOCOL_REJECTED);
	assert_int_equal(protocol.state, PROTOCOL_OVER);
}

static void messages_beyond_the_queue_break_the_rules(void **state)
{
	const struct comch_frame one = message(1);
	struct protocol protocol = opened();

	assert_false(protocol_is_receipt_due(&protocol));
	assert_int_equal(take(&protocol, &one), PROTOCOL_MESSAGE);
	assert_true(protocol_is_receipt_due(&protocol));
	assert_int_equal(take(&protocol, &one), PROTOCOL_MESSAGE);
	assert_int_equal(protocol.num_owed, 2);
	protocol_sent_receipt(&protocol);
	assert_int_equal(protocol.num_awaited, 2);
	assert_int_equal(take(&protocol, &one), PROTOCOL_MESSAGE);
	assert_int_equal(take(&protocol, &one), PROTOCOL_MESSAGE);
	assert_int_equal(take(&protocol, &one), PROTOCOL_BROKEN);
}

static void a_message_longer_than_both_allow_breaks_the_rules(void **state)
{
	const struct comch_frame longest = message(100);
	const struct comch_frame longer = message(101);
	struct protocol protocol = opened();

	assert_int_equal(take(&protocol, &longest), PROTOCOL_MESSAGE);
	assert_int_equal(take(&protocol, &longer), PROTOCOL_BROKEN);
}

static void a_receipt_is_for_messages_that_were_sent(void **state)
{
	const struct comch_frame one = receipt(1);
	const struct comch_frame two = receipt(2);
	struct protocol protocol = opened();

	protocol_sent_message(&protocol);
	protocol_sent_message(&protocol);
	assert_int_equal(protocol.num_sendable, 1);
	assert_int_equal(take(&protocol, &one), PROTOCOL_RECEIPT);
	assert_int_equal(protocol.num_sendable, 2);
	assert_int_equal(take(&protocol, &two), PROTOCOL_BROKEN);
}

static void nothing_comes_behind_a_farewell_or_beside_the_conversation(void **state)
{
	const struct comch_frame close = {.type = COMCH_CLOSE};
	const struct comch_frame hello = greeting();
	const struct comch_frame one = message(1);
	struct protocol protocol = opened();

	assert_int_equal(take(&protocol, &close), PROTOCOL_CLOSED);
	assert_int_equal(take(&protocol, &one), PROTOCOL_BROKEN);
	protocol = opened();
	assert_int_equal(take(&protocol, &hello), PROTOCOL_BROKEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_greeting_opens_the_server_with_the_smaller_maximum),
		cmocka_unit_test(an_acceptance_opens_the_client),
		cmocka_unit_test(a_server_wants_its_version_and_its_name),
		cmocka_unit_test(nothing_but_a_greeting_comes_first),
		cmocka_unit_test(a_client_is_answered_first),
		cmocka_unit_test(messages_beyond_the_queue_break_the_rules),
		cmocka_unit_test(a_message_longer_than_both_allow_breaks_the_rules),
		cmocka_unit_test(a_receipt_is_for_messages_that_were_sent),
		cmocka_unit_test(nothing_comes_behind_a_farewell_or_beside_the_conversation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
