/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer on the fast path is killed at random moments, as often as the argument says: the other
 * side's tasks end, and all of it can be stopped: kills [count [seed]].
 */
#include "support/fast_path.h"
#include "support/comch_child.h"

static unsigned num_kills = 6;
static uint64_t first_seed = 1;

/* Whether the peer can have started already does not matter: it may die in the middle of that, too.
 */
static void outlive(unsigned round)
{
	const uint64_t random = path_mix(first_seed * 1000003 + round);
	const bool is_server = (random & 1) != 0;
	/* As likely a few steps as very many. */
	const uint64_t num_steps = (random >> 8) % ((uint64_t)1 << (1 + (random >> 1) % 18));
	const unsigned num_fds = comch_num_fds();
	struct comch_child child;
	struct path path;

	path_open(&path, is_server, "kills", 1);
	path.num_to_send = UINT64_MAX;
	comch_start(&path.end);
	child_start(&child, "peer", is_server ? "client" : "server");
	for (uint64_t i = 0; i < num_steps; i++) {
		path_step(&path);
		if (path.consumer != NULL)
			continue;
		if (!is_server && comch_state(&path.end) == DOCA_CTX_STATE_RUNNING)
			path_meet(&path);
		if (is_server && path.end.num_connects != 0)
			path_meet(&path);
	}
	child_kill(&child);
	/* Whatever the connection was to it: a server looks on, a client without one gives up. */
	if (path.end.num_connects != 0)
		path_until(&path, path.end.num_disconnects == 1);
	if (path.consumer != NULL) {
		path_until(&path, path_state(path.consumer_ctx) != DOCA_CTX_STATE_RUNNING &&
					  path_state(path.consumer_ctx) != DOCA_CTX_STATE_STARTING);
		path_until(&path, path_state(path.producer_ctx) != DOCA_CTX_STATE_RUNNING);
	}
	path_stop(&path);
	assert_false(path.is_wrong);
	path_close(&path);
	assert_int_equal(comch_num_fds(), num_fds);
}

static void whoever_is_left_can_stop(void **state)
{
	for (unsigned round = 0; round < num_kills; round++)
		outlive(round);
}

/* Sends and receives until it is killed, or its parent is gone. */
static int peer(bool is_server)
{
	struct path path;

	path_open(&path, is_server, "kills", 1);
	path.num_to_send = UINT64_MAX;
	path_meet(&path);
	while (!child_is_dismissed())
		path_step(&path);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whoever_is_left_can_stop),
	};

	if (argc > 2 && strcmp(argv[1], "peer") == 0)
		return peer(strcmp(argv[2], "server") == 0);
	if (argc > 1)
		num_kills = (unsigned)strtoul(argv[1], NULL, 10);
	if (argc > 2)
		first_seed = strtoull(argv[2], NULL, 10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
