/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's thread stands still in a region's memory, as when the program itself serves its page
 * faults: whoever revokes goes on after its time, and the region is freed when the thread goes on.
 */
#include "support/test.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "peer/agent_loop.h"
#include "support/agent_client.h"
#include "support/process.h"

ssize_t __wrap_recv(int fd, void *bytes, size_t len, int flags);
ssize_t __real_recv(int fd, void *bytes, size_t len, int flags);

/* The linker's wrapper has no other way to learn them. */
static _Atomic(void *) sticky; /* memory whose receipt waits */
static int gate[2];	       /* until its writing end is closed */
static _Atomic bool is_stuck;  /* it waits now */

ssize_t __wrap_recv(int fd, void *bytes, size_t len, int flags)
{
	if (bytes == atomic_load(&sticky)) {
		char byte;

		atomic_store(&is_stuck, true);
		(void)!read(gate[0], &byte, 1);
	}
	return __real_recv(fd, bytes, len, flags);
}

static uint64_t now_ms(void)
{
	return agent_now_ns() / 1000000;
}

static void await_stuck(void)
{
	uint64_t end = now_ms() + 1000 * CLIENT_DEADLINE_S;

	while (!atomic_load(&is_stuck) && now_ms() < end)
		sched_yield();
	assert_true(atomic_load(&is_stuck));
}

static void a_revoke_returns_though_the_thread_stands_still(void **state)
{
	size_t fds = open_fds();
	uint8_t memory[64] = {0};
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_WRITE);
	struct exported next;
	uint64_t start;
	int fd = client_opened(&exported);

	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	atomic_store(&sticky, memory);
	client_request(fd, NBD_CMD_WRITE, 0, sizeof(memory));
	client_write(fd, "bytes", 5);
	await_stuck();
	start = now_ms();
	agent_revoke(exported.region);
	assert_in_range(now_ms() - start, 900, 10000);

	/* It goes on: the importer is sent away, and the agent serves and ends as ever. */
	close(gate[1]);
	assert_true(client_is_closed(fd));
	atomic_store(&sticky, NULL);
	close(fd);
	next = client_export(memory, sizeof(memory), EXPORT_MAY_WRITE);
	fd = client_opened(&next);
	assert_int_equal(client_write_at(fd, 0, "after", 5), NBD_SUCCESS);
	close(fd);
	agent_revoke(next.region);
	close(gate[0]);
	assert_int_equal(open_fds(), fds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_revoke_returns_though_the_thread_stands_still),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
