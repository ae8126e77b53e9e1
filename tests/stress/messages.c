/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes send each other numbered messages of random length on the fast path, as many as the
 * argument says, and look at every byte: messages [count].
 */
#include "support/fast_path.h"
#include "support/comch_child.h"

static uint64_t num_messages = 20000;

static void exchange(struct path *path)
{
	path->num_to_send = num_messages;
	path_meet(path);
	path_until(path, path->is_wrong || (path->num_sent == num_messages &&
					    path->num_received == num_messages));
	assert_false(path->is_wrong);
	assert_int_equal(path->num_send_failures, 0);
	path_stop(path);
}

static void every_byte_arrives_in_order(void **state)
{
	struct comch_child child;
	struct path path;
	unsigned num_fds = comch_num_fds();
	char count[24];

	snprintf(count, sizeof(count), "%llu", (unsigned long long)num_messages);
	path_open(&path, true, "messages", 1);
	comch_start(&path.end);
	child_start(&child, count, "client");
	exchange(&path);
	path_until(&path, path.end.num_disconnects == 1);
	child_finish(&child);
	path_close(&path);
	assert_int_equal(comch_num_fds(), num_fds);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_arrives_in_order),
	};

	if (argc > 1)
		num_messages = strtoull(argv[1], NULL, 10);
	if (argc > 2) {
		struct path path;

		path_open(&path, false, "messages", 1);
		exchange(&path);
		path_close(&path);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
