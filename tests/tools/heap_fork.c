/* SPDX-License-Identifier: Apache-2.0 */
/* A program under softdoca run --shared-heap that forks. */
#include "heap_support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define NUM_FORKS 200

/* Ends a child; the parent's check is child_succeeds(). */
#define CHILD(condition) _exit((condition) ? 0 : 1)

static bool child_succeeds(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool a_childs_writes_are_its_own(void)
{
	unsigned char *addr = malloc(MIB);
	unsigned char *mapped =
		mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	memset(addr, 1, MIB);
	memset(mapped, 1, MIB);
	pid = fork();
	if (pid == 0) {
		bool was_there = is_filled(addr, 1, MIB) && is_filled(mapped, 1, MIB);

		memset(addr, 2, MIB);
		memset(mapped, 2, MIB);
		CHILD(was_there && is_filled(addr, 2, MIB));
	}
	CHECK(child_succeeds(pid));
	CHECK(is_filled(addr, 1, MIB) && is_filled(mapped, 1, MIB) && is_shareable(addr));
	free(addr);
	munmap(mapped, MIB);
	return true;
}

static bool a_child_can_do_all_with_what_it_inherits(void)
{
	unsigned char *addr = malloc(MIB);
	unsigned char *mapped =
		mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	memset(addr, 1, MIB);
	memset(mapped, 1, MIB);
	pid = fork();
	if (pid == 0) {
		int before = count_fds();
		bool right = true;

		addr = realloc(addr, 2 * MIB);
		right = right && is_filled(addr, 1, MIB) && is_shareable(addr);
		right = right && madvise(mapped, 512 * KIB, MADV_DONTNEED) == 0;
		right = right && is_filled(mapped, 0, 512 * KIB);
		right = right && is_filled(mapped + 512 * KIB, 1, 512 * KIB);
		mapped = mremap(mapped, MIB, 2 * MIB, MREMAP_MAYMOVE);
		right = right && is_filled(mapped + 512 * KIB, 1, 512 * KIB);
		free(addr);
		munmap(mapped, 2 * MIB);
		CHILD(right && count_fds() == before - 2);
	}
	CHECK(child_succeeds(pid));
	CHECK(is_filled(addr, 1, MIB) && is_filled(mapped, 1, MIB));
	free(addr);
	munmap(mapped, MIB);
	return true;
}

static bool protected_pages_keep_their_protection_in_the_child(void)
{
	unsigned char *addr =
		mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	addr[0] = 1;
	CHECK(mprotect(addr, 64 * KIB, PROT_READ | PROT_EXEC) == 0);
	pid = fork();
	if (pid == 0) {
		char permissions[5];
		unsigned long inode;

		CHILD(find_mapping(addr, permissions, &inode) &&
		      memcmp(permissions, "r-x", 3) == 0 && addr[0] == 1 &&
		      madvise(addr, MIB, MADV_DONTNEED) == 0);
	}
	CHECK(child_succeeds(pid));
	CHECK(addr[0] == 1); /* the child gave nothing of the parent's away */
	munmap(addr, MIB);
	return true;
}

static bool a_grandchild_has_memory_of_its_own_too(void)
{
	unsigned char *addr = malloc(MIB);
	pid_t pid;

	memset(addr, 1, MIB);
	pid = fork();
	if (pid == 0) {
		unsigned char *own = malloc(MIB);

		memset(addr, 2, MIB);
		memset(own, 2, MIB);
		pid = fork();
		if (pid == 0) {
			bool was_there = is_filled(addr, 2, MIB) && is_filled(own, 2, MIB);

			memset(own, 3, MIB);
			CHILD(was_there);
		}
		CHILD(child_succeeds(pid) && is_filled(own, 2, MIB));
	}
	CHECK(child_succeeds(pid));
	CHECK(is_filled(addr, 1, MIB));
	free(addr);
	return true;
}

static bool an_executed_program_inherits_no_descriptor(void)
{
	void *addr = malloc(MIB);
	FILE *list = popen("ls -l /proc/self/fd", "re");
	char line[1000];
	bool is_seen = false;

	while (list != NULL && fgets(line, sizeof(line), list) != NULL)
		is_seen = is_seen || strstr(line, "softdoca-heap") != NULL;
	CHECK(list != NULL && pclose(list) == 0 && !is_seen);
	free(addr);
	return true;
}

static atomic_bool is_ending;

static void *allocate_until_the_end(void *argument)
{
	while (!atomic_load(&is_ending)) {
		unsigned char *addr = malloc(100 * KIB);

		addr[0] = 1;
		addr = realloc(addr, 300 * KIB);
		free(addr);
	}
	return NULL;
}

static bool fork_beside_threads_that_allocate(void)
{
	pthread_t threads[4];
	bool right = true;

	for (size_t i = 0; i < 4; i++)
		CHECK(pthread_create(&threads[i], NULL, allocate_until_the_end, NULL) == 0);
	for (size_t i = 0; i < NUM_FORKS && right; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			void *addr = malloc(MIB);

			free(addr);
			CHILD(addr != NULL);
		}
		right = child_succeeds(pid);
	}
	atomic_store(&is_ending, true);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CHECK(right);
	return true;
}

static const struct heap_test tests[] = {
	TEST(a_childs_writes_are_its_own),
	TEST(a_child_can_do_all_with_what_it_inherits),
	TEST(protected_pages_keep_their_protection_in_the_child),
	TEST(a_grandchild_has_memory_of_its_own_too),
	TEST(an_executed_program_inherits_no_descriptor),
	TEST(fork_beside_threads_that_allocate),
};

int main(void)
{
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
