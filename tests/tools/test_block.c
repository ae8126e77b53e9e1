/* SPDX-License-Identifier: Apache-2.0 */
/* The heap's table of blocks: each system call failed once, the full table, threads. */
#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "block.h"

#define KIB ((size_t)1024)
#define LEN (128 * KIB)
#define PAGE ((size_t)getpagesize())
#define FIRST_FD 512

/* The linker sends the calls to the first, and knows the real ones as the second. */
int __wrap_memfd_create(const char *name, unsigned int flags);
int __real_memfd_create(const char *name, unsigned int flags);
int __wrap_fcntl64(int fd, int command, int argument);
int __real_fcntl64(int fd, int command, int argument);
int __wrap_ftruncate64(int fd, off_t len);
int __real_ftruncate64(int fd, off_t len);
int __wrap_fstat64(int fd, struct stat *status);
int __real_fstat64(int fd, struct stat *status);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);

/* How many calls until the one that fails; 0: none does. The wrappers have no other way to learn.
 */
static _Thread_local int calls_to_failure;

static bool fails_now(void)
{
	errno = ENOMEM;
	return calls_to_failure > 0 && --calls_to_failure == 0;
}

int __wrap_memfd_create(const char *name, unsigned int flags)
{
	return fails_now() ? -1 : __real_memfd_create(name, flags);
}

int __wrap_fcntl64(int fd, int command, int argument)
{
	return fails_now() ? -1 : __real_fcntl64(fd, command, argument);
}

int __wrap_ftruncate64(int fd, off_t len)
{
	return fails_now() ? -1 : __real_ftruncate64(fd, len);
}

int __wrap_fstat64(int fd, struct stat *status)
{
	return fails_now() ? -1 : __real_fstat64(fd, status);
}

/* Closing and unmapping are how a failure is undone. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	bool undoes = number == SYS_close || number == SYS_munmap;

	return !undoes && fails_now() ? -1 : __real_syscall(number, a, b, c, d, e, f);
}

static size_t count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	assert_non_null(directory);
	while (readdir(directory) != NULL)
		count++;
	closedir(directory);
	return count;
}

static size_t count_fds(void)
{
	return count_entries("/proc/self/fd");
}

static bool is_mapped(void *addr)
{
	unsigned char is_resident;

	return mincore(addr, PAGE, &is_resident) == 0;
}

static int set_up(void **state)
{
	block_setup(MAX_BLOCKS, FIRST_FD);
	*state = (void *)count_fds();
	return 0;
}

static int tear_down(void **state)
{
	calls_to_failure = 0;
	return count_fds() == (size_t)*state ? 0 : -1;
}

static unsigned char *map(size_t len_bytes)
{
	unsigned char *addr = block_map(BLOCK_OF_MMAP, NULL, len_bytes, 0, 0);

	assert_non_null(addr);
	return addr;
}

static void each_call_that_fails_leaves_nothing_behind(void **state)
{
	size_t before = count_fds();
	void *addr = NULL;
	int failed;

	for (failed = 1; addr == NULL; failed++) {
		calls_to_failure = failed;
		addr = block_map(BLOCK_OF_MALLOC, NULL, LEN, 1024 * KIB, 0);
		assert_int_equal(count_fds(), before + (addr != NULL));
	}
	/* The file, its number, its size, its seals, its inode, the range, the mapping. */
	assert_int_equal(failed - 1, 8);
	calls_to_failure = 0;
	assert_int_equal(block_size(addr), LEN);
	assert_int_equal(block_munmap(addr, LEN), 0);
}

static void a_move_that_fails_keeps_the_old_memory(void **state)
{
	unsigned char *addr = map(LEN);

	addr[0] = 5;
	/* No file, and then no ordinary memory either. */
	block_setup(0, FIRST_FD);
	calls_to_failure = 1;
	assert_ptr_equal(block_mremap(addr, LEN, 2 * LEN, MREMAP_MAYMOVE, NULL), MAP_FAILED);
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(addr[0], 5);
	assert_int_equal(block_munmap(addr, LEN), 0);
}

static void a_move_without_files_goes_to_ordinary_memory(void **state)
{
	unsigned char *addr = map(LEN);
	size_t with_block = count_fds();

	addr[0] = 5;
	block_setup(0, FIRST_FD);
	addr = block_mremap(addr, LEN, 2 * LEN, MREMAP_MAYMOVE, NULL);
	assert_ptr_not_equal(addr, MAP_FAILED);
	assert_int_equal(addr[0], 5);
	assert_int_equal(count_fds(), with_block - 1);
	assert_int_equal(block_munmap(addr, 2 * LEN), 0);
}

static void no_block_is_made_before_setup_or_above_its_limit(void **state)
{
	void *addr;

	block_setup(1, FIRST_FD);
	addr = block_map(BLOCK_OF_MALLOC, NULL, LEN, 0, 0);
	assert_non_null(addr);
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, LEN, 0, 0));
	block_munmap(addr, LEN);
}

static void sizes_and_alignments_beyond_reason_are_refused(void **state)
{
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, 0, 0, 0));
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, SIZE_MAX, 0, 0));
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, PTRDIFF_MAX, 0, 0));
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, LEN, (size_t)1 << 63, 0));
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, LEN, (size_t)1 << 50, 0));
}

static void free_finds_the_beginning_of_mallocs_blocks_alone(void **state)
{
	unsigned char *of_malloc = block_map(BLOCK_OF_MALLOC, NULL, LEN - 1, 0, 0);
	unsigned char *of_mmap = map(LEN);

	assert_non_null(of_malloc);
	assert_int_equal(block_size(of_malloc), LEN);
	assert_int_equal(block_size(of_malloc + 1), 0);
	assert_int_equal(block_size(of_malloc + PAGE), 0);
	assert_int_equal(block_size(of_malloc + LEN), 0);
	assert_int_equal(block_size(of_mmap), 0);
	assert_int_equal(block_size(NULL), 0);
	block_munmap(of_malloc, LEN);
	block_munmap(of_mmap, LEN);
}

static void files_have_numbers_out_of_the_way(void **state)
{
	unsigned char *addr;

	assert_int_equal(fcntl(FIRST_FD, F_GETFD), -1);
	addr = map(LEN);
	assert_int_equal(fcntl(FIRST_FD, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(FIRST_FD, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW);
	block_munmap(addr, LEN);
	assert_int_equal(fcntl(FIRST_FD, F_GETFD), -1);
}

/* As many blocks as there is room for, each a page of one block with holes between. */
static void a_full_table_refuses_another_hole(void **state)
{
	size_t num_pages = 2 * MAX_BLOCKS + 1;
	unsigned char *addr = map(num_pages * PAGE);
	size_t num_holes = 0;

	while (num_holes < MAX_BLOCKS && block_munmap(addr + (2 * num_holes + 1) * PAGE, PAGE) == 0)
		num_holes++;
	assert_int_equal(num_holes, MAX_BLOCKS - 1);
	assert_int_equal(errno, ENOMEM);
	assert_true(is_mapped(addr + (2 * num_holes + 1) * PAGE));
	errno = 0;
	assert_ptr_equal(block_mmap(addr + (2 * num_holes + 1) * PAGE, PAGE, PROT_NONE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
			 MAP_FAILED);
	assert_int_equal(errno, ENOMEM);
	assert_null(block_map(BLOCK_OF_MALLOC, NULL, LEN, 0, 0));
	/* What needs no further place still works. */
	assert_int_equal(block_munmap(addr, PAGE), 0);
	assert_int_equal(block_munmap(addr + (2 * num_holes + 1) * PAGE, PAGE), 0);
	assert_int_equal(block_munmap(addr, num_pages * PAGE), 0);
}

static void *map_and_unmap(void *argument)
{
	for (size_t i = 0; i < 300; i++) {
		size_t len_bytes = LEN + (i % 7) * PAGE;
		unsigned char *addr = block_map(BLOCK_OF_MALLOC, NULL, len_bytes, 0, 0);

		if (addr == NULL)
			return argument;
		if (addr[0] != 0 || block_size(addr) != len_bytes)
			return argument;
		memset(addr, 0xff, len_bytes);
		/* Never twice: in a hole may be another's memory. */
		if (i % 3 == 0) {
			if (block_munmap(addr + PAGE, PAGE) != 0 || block_munmap(addr, PAGE) != 0 ||
			    block_munmap(addr + 2 * PAGE, len_bytes - 2 * PAGE) != 0)
				return argument;
		} else if (block_munmap(addr, len_bytes) != 0) {
			return argument;
		}
	}
	return NULL;
}

static void threads_share_the_table(void **state)
{
	pthread_t threads[4];
	int argument = 0;

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, map_and_unmap, &argument), 0);
	for (size_t i = 0; i < 4; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_call_that_fails_leaves_nothing_behind),
		TEST(a_move_that_fails_keeps_the_old_memory),
		TEST(a_move_without_files_goes_to_ordinary_memory),
		TEST(no_block_is_made_before_setup_or_above_its_limit),
		TEST(sizes_and_alignments_beyond_reason_are_refused),
		TEST(free_finds_the_beginning_of_mallocs_blocks_alone),
		TEST(files_have_numbers_out_of_the_way),
		TEST(a_full_table_refuses_another_hole),
		TEST(threads_share_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
