/* SPDX-License-Identifier: Apache-2.0 */
/* The agent's life: from the first export to the last revoke, and what a fork leaves of it. */
#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

#include "support/agent_client.h"
#include "support/needs.h"
#include "support/process.h"

#define RW (EXPORT_MAY_READ | EXPORT_MAY_WRITE)

static size_t num_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	size_t num = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		num++;
	closedir(dir);
	return num - 2;
}

/* A thread that was joined may be seen for a moment more. */
static void assert_num_threads(size_t wanted)
{
	time_t end = time(NULL) + PROCESS_DEADLINE_S;

	while (num_threads() != wanted && time(NULL) < end)
		sched_yield();
	assert_int_equal(num_threads(), wanted);
}

static void *say_which(void *arg)
{
	*(pid_t *)arg = gettid();
	return NULL;
}

/* A sanitizer starts a thread of its own beside the first. The state: how many there are then. */
static int start_all_threads_but_the_agent(void **state)
{
	static size_t threads;
	time_t end = time(NULL) + PROCESS_DEADLINE_S;
	char path[64];
	pthread_t thread;
	pid_t tid = 0;

	if (pthread_create(&thread, NULL, say_which, &tid) || pthread_join(thread, NULL))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/task/%d", tid);
	while (access(path, F_OK) == 0 && time(NULL) < end)
		sched_yield();
	threads = num_threads();
	*state = &threads;
	return 0;
}

static void one_thread_serves_all_and_ends_with_the_last(void **state)
{
	size_t threads = *(const size_t *)*state;
	size_t fds = open_fds();
	struct exported first;
	struct exported second;
	uint8_t memory[64] = {0};

	first = client_export(memory, sizeof(memory), RW);
	assert_num_threads(threads + 1);
	second = client_export(memory, 32, EXPORT_MAY_READ);
	assert_num_threads(threads + 1);
	agent_revoke(first.region);
	assert_num_threads(threads + 1);
	agent_revoke(second.region);
	assert_num_threads(threads);
	assert_int_equal(open_fds(), fds);
}

static void its_descriptor_says_what_is_exported_and_where(void **state)
{
	uint8_t memory[64];
	struct exported exported =
		client_export(memory, sizeof(memory), EXPORT_MAY_READ | EXPORT_RDMA);
	const struct export_descriptor *descriptor = &exported.descriptor;
	static const uint8_t zero[EXPORT_SECRET_BYTES];

	assert_true(descriptor->addr == (uintptr_t)memory);
	assert_true(descriptor->len_bytes == sizeof(memory));
	assert_int_equal(descriptor->flags, EXPORT_MAY_READ | EXPORT_RDMA | EXPORT_CMA);
	assert_int_equal(descriptor->pid, getpid());
	assert_int_equal(descriptor->uid, geteuid());
	assert_memory_equal((const void *)(uintptr_t)descriptor->cell_addr, descriptor->id,
			    EXPORT_ID_BYTES);
	assert_memory_not_equal(descriptor->id, zero, EXPORT_ID_BYTES);
	assert_memory_not_equal(descriptor->secret, zero, EXPORT_SECRET_BYTES);
	assert_int_equal(descriptor->num_endpoints, 1);
	assert_int_equal(descriptor->endpoints[0].type, EXPORT_UNIX);
	assert_int_equal(descriptor->endpoints[0].len_bytes, 38);
	assert_memory_equal(descriptor->endpoints[0].bytes, "\0softdoca-", 10);
	agent_revoke(exported.region);
}

static void two_exports_of_one_range_share_nothing_secret(void **state)
{
	uint8_t memory[64];
	struct exported first = client_export(memory, sizeof(memory), RW);
	struct exported second = client_export(memory, sizeof(memory), RW);

	assert_memory_not_equal(first.descriptor.id, second.descriptor.id, EXPORT_ID_BYTES);
	assert_memory_not_equal(first.descriptor.secret, second.descriptor.secret,
				EXPORT_SECRET_BYTES);
	agent_revoke(first.region);
	agent_revoke(second.region);
}

static void nobody_connects_after_the_last_revoke(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);

	agent_revoke(exported.region);
	assert_int_equal(client_connect_to(&exported.descriptor.endpoints[0]), -1);
}

static void a_sparse_range_stays_sparse(void **state)
{
	const size_t len = (size_t)8 << 30;
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct exported exported;
	uint8_t byte = 1;
	unsigned char present = 1;
	int fd;

	assert_ptr_not_equal(memory, MAP_FAILED);
	exported = client_export(memory, len, RW);
	fd = client_opened(&exported);
	assert_int_equal(mincore(memory, 4096, &present), 0);
	assert_false(present & 1);
	assert_int_equal(client_read_at(fd, len - 1, &byte, 1), NBD_SUCCESS);
	assert_int_equal(byte, 0);
	close(fd);
	agent_revoke(exported.region);
	munmap(memory, len);
}

static bool serves_its_own(void)
{
	uint8_t memory[16] = "the child's own";
	struct exported own = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	uint8_t bytes[16];
	int fd = client_opened(&own);
	bool is_right = client_read_at(fd, 0, bytes, sizeof(bytes)) == NBD_SUCCESS &&
			memcmp(bytes, memory, sizeof(bytes)) == 0;

	close(fd);
	agent_revoke(own.region);
	return is_right;
}

/* In the child: none of it is there, and its own begins anew. */
static bool serves_nothing_inherited(void *argument)
{
	struct exported *parents = argument;

	if (child_can_start_threads() && !serves_its_own())
		return false;
	agent_revoke(parents->region); /* as its mmap's end does: only forgets */
	return true;
}

static void a_forked_child_serves_nothing_and_disturbs_nothing(void **state)
{
	uint8_t memory[16] = "the parent's own";
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	int before = client_opened(&exported);
	int pending = client_connect(&exported);
	uint8_t bytes[16];
	int after;

	assert_in_fork(serves_nothing_inherited, &exported);
	assert_int_equal(client_read_at(before, 0, bytes, sizeof(bytes)), NBD_SUCCESS);
	assert_memory_equal(bytes, memory, sizeof(bytes));
	after = client_opened(&exported);
	close(after);
	close(pending);
	close(before);
	agent_revoke(exported.region);
}

/* Sockets, epoll, events and memory files: all that an agent opens. */
static size_t num_of_agent(void)
{
	static const char *const kinds[] = {"socket:", "anon_inode:", "/memfd:"};
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	size_t num = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		char link[32] = "";

		if (readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1) < 0)
			continue;
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			num += strncmp(link, kinds[i], strlen(kinds[i])) == 0;
	}
	closedir(dir);
	return num;
}

static bool has_none_of_its_parents(void *argument)
{
	return num_of_agent() == *(const size_t *)argument;
}

static void a_forked_child_has_no_descriptor_of_the_agent(void **state)
{
	size_t before = num_of_agent();
	uint8_t memory[16];
	struct exported exported = client_export(memory, sizeof(memory), RW);

	assert_true(num_of_agent() >= before + 4);
	assert_in_fork(has_none_of_its_parents, &before);
	agent_revoke(exported.region);
}

static void a_connection_ends_though_a_child_lives_on(void **state)
{
	uint8_t memory[16];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	int fd = client_opened(&exported);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		alarm(PROCESS_DEADLINE_S);
		for (;;)
			pause();
	}
	agent_revoke(exported.region);
	assert_true(client_is_closed(fd));
	close(fd);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void signals_are_the_programs_own(void **state)
{
	uint8_t memory[16];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *entry;
	char line[256];
	bool is_seen = false;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		char path[64];
		FILE *file;

		if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.16s/status", entry->d_name);
		file = fopen(path, "re");
		assert_non_null(file);
		while (fgets(line, sizeof(line), file) != NULL) {
			unsigned long long blocked;

			if (sscanf(line, "SigBlk: %llx", &blocked) == 1) {
				const unsigned long long some =
					1ull << (SIGINT - 1) | 1ull << (SIGTERM - 1) |
					1ull << (SIGALRM - 1) | 1ull << (SIGCHLD - 1);

				assert_true((blocked & some) == some);
				is_seen = true;
			}
		}
		fclose(file);
	}
	closedir(dir);
	assert_true(is_seen);
	agent_revoke(exported.region);
}

static void *export_and_revoke(void *arg)
{
	_Atomic unsigned int *num_wrong = arg;
	uint8_t memory[256] = {0};
	const struct agent_range range = {.addr = memory, .len_bytes = sizeof(memory), .flags = RW};

	for (int i = 0; i < 100; i++) {
		uint8_t bytes[EXPORT_MAX_BYTES];
		struct agent_region *region;
		const char *why;
		size_t len;

		if (agent_export(&client_policy, &range, &region, bytes, &len, &why) !=
		    DOCA_SUCCESS) {
			atomic_fetch_add(num_wrong, 1);
			continue;
		}
		agent_revoke(region);
	}
	return NULL;
}

static void threads_export_and_revoke_at_once(void **state)
{
	size_t threads = *(const size_t *)*state;
	size_t fds = open_fds();
	_Atomic unsigned int num_wrong = 0;
	pthread_t exporters[4];

	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&exporters[i], NULL, export_and_revoke, &num_wrong),
				 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(exporters[i], NULL), 0);
	assert_int_equal(num_wrong, 0);
	assert_num_threads(threads);
	assert_int_equal(open_fds(), fds);
}

/* It is cancelled all the while, and ends where it says so. */
static void *export_and_revoke_cancelled(void *argument)
{
	static uint8_t memory[64];
	const struct agent_range range = {.addr = memory, .len_bytes = sizeof(memory), .flags = RW};
	_Atomic bool *is_through = argument;
	uint8_t bytes[EXPORT_MAX_BYTES];
	struct agent_region *region;
	const char *why;
	size_t len;

	pthread_cancel(pthread_self());
	if (agent_export(&client_policy, &range, &region, bytes, &len, &why) == DOCA_SUCCESS) {
		agent_revoke(region);
		atomic_store(is_through, true);
	}
	pthread_testcancel();
	return NULL;
}

static void a_cancelled_thread_exports_and_revokes_whole(void **state)
{
	size_t fds = open_fds();
	_Atomic bool is_through = false;
	struct exported exported;
	pthread_t thread;
	uint8_t memory[16];
	void *end;

	assert_int_equal(pthread_create(&thread, NULL, export_and_revoke_cancelled, &is_through),
			 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	assert_true(is_through);
	exported = client_export(memory, sizeof(memory), RW);
	agent_revoke(exported.region);
	assert_int_equal(open_fds(), fds);
}

#define MANY 300

static void many_regions_are_served_by_their_own_names(void **state)
{
	static uint8_t memory[MANY];
	static struct exported exported[MANY];
	uint8_t byte;

	for (int i = 0; i < MANY; i++) {
		memory[i] = (uint8_t)i;
		exported[i] = client_export(memory + i, 1, RW);
	}
	for (int i = 0; i < MANY; i += 7) {
		int fd = client_opened(&exported[i]);

		assert_int_equal(client_read_at(fd, 0, &byte, 1), NBD_SUCCESS);
		assert_int_equal(byte, (uint8_t)i);
		close(fd);
	}
	for (int i = 0; i < MANY; i++)
		agent_revoke(exported[i].region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_serves_all_and_ends_with_the_last),
		cmocka_unit_test(its_descriptor_says_what_is_exported_and_where),
		cmocka_unit_test(two_exports_of_one_range_share_nothing_secret),
		cmocka_unit_test(nobody_connects_after_the_last_revoke),
		cmocka_unit_test(a_sparse_range_stays_sparse),
		cmocka_unit_test(a_forked_child_serves_nothing_and_disturbs_nothing),
		cmocka_unit_test(a_forked_child_has_no_descriptor_of_the_agent),
		cmocka_unit_test(a_connection_ends_though_a_child_lives_on),
		cmocka_unit_test(signals_are_the_programs_own),
		cmocka_unit_test(threads_export_and_revoke_at_once),
		cmocka_unit_test(a_cancelled_thread_exports_and_revokes_whole),
		cmocka_unit_test(many_regions_are_served_by_their_own_names),
	};

	return cmocka_run_group_tests(tests, start_all_threads_but_the_agent, NULL);
}
