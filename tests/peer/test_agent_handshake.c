/* SPDX-License-Identifier: Apache-2.0 */
/* The handshake: what an unproved peer is told, and who is let in. */
#include "support/test.h"

#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "peer/agent_loop.h"
#include "peer/attach.h"
#include "support/agent_client.h"
#include "support/process.h"

#define RW (EXPORT_MAY_READ | EXPORT_MAY_WRITE)

static uint8_t memory[64] = "exported memory";

static int export_memory(void **state)
{
	struct exported *exported = malloc(sizeof(*exported));

	*exported = client_export(memory, sizeof(memory), RW);
	*state = exported;
	return 0;
}

static int revoke_memory(void **state)
{
	struct exported *exported = *state;

	agent_revoke(exported->region);
	free(exported);
	return 0;
}

static uint32_t go(int fd, uint32_t option, const struct export_descriptor *of)
{
	uint64_t size;
	uint16_t flags;

	return client_go(fd, option, of, &size, &flags);
}

static void info_says_the_size_and_go_can_follow(void **state)
{
	const struct exported *exported = *state;
	int fd = client_greeted(exported);
	uint64_t size = 0;
	uint16_t flags = 0;
	uint8_t bytes[64];

	assert_int_equal(client_go(fd, NBD_OPT_INFO, &exported->descriptor, &size, &flags),
			 NBD_REP_ACK);
	assert_true(size == sizeof(memory));
	assert_int_equal(flags, NBD_FLAG_HAS_FLAGS | NBD_FLAG_SEND_FLUSH | NBD_FLAG_CAN_MULTI_CONN);
	assert_int_equal(go(fd, NBD_OPT_GO, &exported->descriptor), NBD_REP_ACK);
	assert_int_equal(client_read_at(fd, 0, bytes, sizeof(bytes)), NBD_SUCCESS);
	assert_memory_equal(bytes, memory, sizeof(bytes));
	close(fd);
}

static void a_wrong_secret_and_an_unknown_id_are_told_apart(void **state)
{
	const struct exported *exported = *state;
	struct export_descriptor wrong = exported->descriptor;
	int fd = client_greeted(exported);

	for (size_t i = 0; i < EXPORT_SECRET_BYTES; i++) {
		wrong.secret[i] ^= 0x80;
		assert_int_equal(go(fd, NBD_OPT_GO, &wrong), NBD_REP_ERR_POLICY);
		assert_int_equal(go(fd, NBD_OPT_INFO, &wrong), NBD_REP_ERR_POLICY);
		wrong.secret[i] ^= 0x80;
	}
	for (size_t i = 0; i < EXPORT_ID_BYTES; i++) {
		wrong.id[i] ^= 1;
		assert_int_equal(go(fd, NBD_OPT_GO, &wrong), NBD_REP_ERR_UNKNOWN);
		wrong.id[i] ^= 1;
	}
	assert_int_equal(go(fd, NBD_OPT_GO, &wrong), NBD_REP_ACK);
	close(fd);
}

static void other_options_are_not_supported_and_the_next_is_read(void **state)
{
	const struct exported *exported = *state;
	uint8_t payload[NBD_MAX_OPTION_BYTES] = {0};
	int fd = client_greeted(exported);

	for (uint32_t option = 3; option < 20; option++) {
		if (option == NBD_OPT_INFO || option == NBD_OPT_GO)
			continue;
		client_send_option(fd, option, payload, option * 10, NULL, 0);
		assert_int_equal(client_read_reply(fd, option, NULL, 0), NBD_REP_ERR_UNSUP);
	}
	client_send_option(fd, 77, payload, sizeof(payload), NULL, 0);
	assert_int_equal(client_read_reply(fd, 77, NULL, 0), NBD_REP_ERR_UNSUP);
	assert_int_equal(go(fd, NBD_OPT_GO, &exported->descriptor), NBD_REP_ACK);
	close(fd);
}

static void abort_is_acknowledged_and_ends_the_connection(void **state)
{
	int fd = client_greeted(*state);

	client_send_option(fd, NBD_OPT_ABORT, NULL, 0, NULL, 0);
	assert_int_equal(client_read_reply(fd, NBD_OPT_ABORT, NULL, 0), NBD_REP_ACK);
	assert_true(client_is_closed(fd));
	close(fd);
}

static void what_no_reply_can_refuse_ends_the_connection(void **state)
{
	const struct exported *exported = *state;
	uint8_t payload[NBD_MAX_OPTION_BYTES + 1] = {0};
	int fd = client_greeted(exported);

	client_send_option(fd, NBD_OPT_EXPORT_NAME, payload, 0, NULL, 0);
	assert_true(client_is_closed(fd));
	close(fd);

	fd = client_greeted(exported);
	client_send_option(fd, NBD_OPT_GO, payload, sizeof(payload), NULL, 0);
	assert_true(client_is_closed(fd));
	close(fd);

	fd = client_greeted(exported);
	client_write(fd, "no option at all", NBD_OPTION_BYTES);
	assert_true(client_is_closed(fd));
	close(fd);

	fd = client_connect(exported);
	client_write(fd, "\0\0\0\7", NBD_CLIENT_FLAGS_BYTES);
	assert_true(client_is_closed(fd));
	close(fd);
}

static void an_option_may_come_a_byte_at_a_time(void **state)
{
	const struct exported *exported = *state;
	const struct nbd_option_header header = {.option = NBD_OPT_GO,
						 .len_bytes = 4 + NBD_NAME_LEN + 2};
	uint8_t bytes[NBD_OPTION_BYTES + 4 + NBD_NAME_LEN + 2] = {0};
	uint8_t info[64];
	int fd = client_greeted(exported);

	nbd_option_encode(&header, bytes);
	put_be32(bytes + NBD_OPTION_BYTES, NBD_NAME_LEN);
	nbd_name_encode(exported->descriptor.id, exported->descriptor.secret,
			(char *)bytes + NBD_OPTION_BYTES + 4);
	put_be16(bytes + sizeof(bytes) - 2, 0);
	for (size_t i = 0; i < sizeof(bytes); i++)
		client_write(fd, bytes + i, 1);
	assert_int_equal(client_read_reply(fd, NBD_OPT_GO, info, sizeof(info)), NBD_REP_INFO);
	close(fd);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void a_peer_that_proves_nothing_in_three_seconds_is_sent_away(void **state)
{
	const struct exported *exported = *state;
	uint64_t start = now_ms();
	int proved = client_opened(exported);
	int silent = client_connect(exported);
	int slow = client_greeted(exported);
	uint8_t byte;

	client_write(slow, "IHAVE", 5);
	assert_true(client_is_closed(silent));
	assert_in_range(now_ms() - start, 2900, 15000);
	assert_true(client_is_closed(slow));
	assert_int_equal(client_read_at(proved, 0, &byte, 1), NBD_SUCCESS);
	close(silent);
	close(slow);
	close(proved);
}

#define CROWD 1000

static void a_thousand_silent_peers_keep_no_honest_one_out(void **state)
{
	const struct exported *exported = *state;
	const struct rlimit many = {.rlim_cur = 4096, .rlim_max = 4096};
	struct rlimit before;
	static int silent[CROWD];
	size_t fds;
	uint8_t byte;
	int fd;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	if (before.rlim_cur < many.rlim_cur)
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &many), 0);
	fds = open_fds();
	for (int i = 0; i < CROWD; i++)
		silent[i] = client_connect(exported);
	fd = client_opened(exported);
	assert_int_equal(client_read_at(fd, 0, &byte, 1), NBD_SUCCESS);
	/* Of the silent ones the agent keeps what it may, and ours are these. */
	assert_true(open_fds() <= fds + CROWD + 1 + AGENT_MAX_UNPROVED + 1);
	for (int i = 0; i < CROWD - AGENT_MAX_UNPROVED; i++)
		assert_true(client_is_closed(silent[i]));
	for (int i = 0; i < CROWD; i++)
		close(silent[i]);
	close(fd);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

#define BURST 200

struct burst {
	const struct exported *exported;
	pthread_barrier_t *barrier;
	struct attachment attachment;
	const char *why;
	doca_error_t result;
};

static void *attach_at_once(void *argument)
{
	struct burst *burst = argument;

	pthread_barrier_wait(burst->barrier);
	burst->result = attach_open(&client_policy, &burst->exported->descriptor,
				    &burst->attachment, &burst->why);
	return NULL;
}

static void a_burst_of_honest_peers_is_let_in_whole(void **state)
{
	const struct rlimit many = {.rlim_cur = 4096, .rlim_max = 4096};
	static struct burst bursts[BURST];
	static pthread_t threads[BURST];
	pthread_barrier_t barrier;
	struct rlimit before;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	if (before.rlim_cur < many.rlim_cur)
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &many), 0);
	assert_int_equal(pthread_barrier_init(&barrier, NULL, BURST), 0);
	for (int i = 0; i < BURST; i++) {
		bursts[i] = (struct burst){.exported = *state, .barrier = &barrier};
		assert_int_equal(pthread_create(&threads[i], NULL, attach_at_once, &bursts[i]), 0);
	}
	for (int i = 0; i < BURST; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	pthread_barrier_destroy(&barrier);
	for (int i = 0; i < BURST; i++) {
		if (bursts[i].result != DOCA_SUCCESS)
			fail_msg("%d: %s", i, bursts[i].why);
		attach_close(&bursts[i].attachment);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void no_more_than_so_many_connections_are_kept(void **state)
{
	const struct exported *exported = *state;
	const struct rlimit many = {.rlim_cur = 4096, .rlim_max = 4096};
	struct rlimit before;
	static int proved[AGENT_MAX_CONNS];
	uint8_t byte;
	int fd;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	if (before.rlim_cur < many.rlim_cur)
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &many), 0);
	for (int i = 0; i < AGENT_MAX_CONNS; i++)
		proved[i] = client_opened(exported);
	fd = client_connect(exported);
	assert_true(client_is_closed(fd));
	close(fd);
	for (int i = 0; i < AGENT_MAX_CONNS; i += 100)
		assert_int_equal(client_read_at(proved[i], 0, &byte, 1), NBD_SUCCESS);
	for (int i = 0; i < AGENT_MAX_CONNS; i++)
		close(proved[i]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* A child of another user, which connects; what it hears is its exit status. */
#define OTHER_UID 12345

static uint32_t hears_as_other_user(const struct exported *exported)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		alarm(PROCESS_DEADLINE_S);
		if (setgroups(0, NULL) != 0 || setresgid(OTHER_UID, OTHER_UID, OTHER_UID) != 0 ||
		    setresuid(OTHER_UID, OTHER_UID, OTHER_UID) != 0)
			_exit(255);
		_exit((int)(go(client_greeted(exported), NBD_OPT_GO, &exported->descriptor) &
			    0x7f));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return (uint32_t)WEXITSTATUS(status);
}

static void another_user_is_refused_though_it_has_the_secret(void **state)
{
	if (geteuid() != 0)
		return; /* only root can be somebody else */
	assert_int_equal(hears_as_other_user(*state), NBD_REP_ERR_PLATFORM & 0x7f);
}

static void another_user_that_is_allowed_is_let_in(void **state)
{
	struct peer_policy policy = client_policy;
	struct exported exported;

	if (geteuid() != 0)
		return;
	policy.num_uids = 2;
	policy.uids[0] = 1;
	policy.uids[1] = OTHER_UID;
	exported = client_export_with(&policy, memory, sizeof(memory), RW);
	assert_int_equal(hears_as_other_user(&exported), NBD_REP_ACK);
	agent_revoke(exported.region);
}

#define AGENT_TEST(test) cmocka_unit_test_setup_teardown(test, export_memory, revoke_memory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AGENT_TEST(info_says_the_size_and_go_can_follow),
		AGENT_TEST(a_wrong_secret_and_an_unknown_id_are_told_apart),
		AGENT_TEST(other_options_are_not_supported_and_the_next_is_read),
		AGENT_TEST(abort_is_acknowledged_and_ends_the_connection),
		AGENT_TEST(what_no_reply_can_refuse_ends_the_connection),
		AGENT_TEST(an_option_may_come_a_byte_at_a_time),
		AGENT_TEST(a_peer_that_proves_nothing_in_three_seconds_is_sent_away),
		AGENT_TEST(a_thousand_silent_peers_keep_no_honest_one_out),
		AGENT_TEST(a_burst_of_honest_peers_is_let_in_whole),
		AGENT_TEST(no_more_than_so_many_connections_are_kept),
		AGENT_TEST(another_user_is_refused_though_it_has_the_secret),
		cmocka_unit_test(another_user_that_is_allowed_is_let_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
