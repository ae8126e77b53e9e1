/* SPDX-License-Identifier: Apache-2.0 */
/* Which ranges lie in a memory file that may be handed over, and which only seem to. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer/shared_file.h"
#include "support/process.h"

#define PAGE ((size_t)4096)
#define PAGES 8

static int make_file(const char *name, int seals)
{
	int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, (off_t)(PAGES * PAGE)), 0);
	if (seals != 0)
		assert_int_equal(fcntl(file, F_ADD_SEALS, seals), 0);
	return file;
}

static uint8_t *map_at(void *addr, int file, size_t page, size_t num_pages, int prot, int flags)
{
	uint8_t *memory = mmap(addr, num_pages * PAGE, prot, flags | (addr ? MAP_FIXED : 0), file,
			       (off_t)(page * PAGE));

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

static uint8_t *map_all(int file)
{
	return map_at(NULL, file, 0, PAGES, PROT_READ | PROT_WRITE, MAP_SHARED);
}

static int find(const uint8_t *addr, size_t len, bool is_writable)
{
	struct shared_file file = {.fd = -1};
	int result = shared_file_find(addr, len, is_writable, &file);

	assert_int_equal(result == 0, file.fd >= 0);
	if (file.fd >= 0)
		close(file.fd);
	return result;
}

static void a_range_of_a_sealed_file_is_found_with_its_offset(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_at(NULL, fd, 2, 4, PROT_READ | PROT_WRITE, MAP_SHARED);
	struct shared_file file;
	struct stat wanted;
	struct stat found;

	assert_int_equal(shared_file_find(memory + PAGE + 7, 2 * PAGE, true, &file), 0);
	assert_true(file.offset == 3 * PAGE + 7);
	assert_int_not_equal(file.fd, fd);
	assert_true((fcntl(file.fd, F_GETFD) & FD_CLOEXEC) != 0);
	assert_int_equal(fstat(fd, &wanted), 0);
	assert_int_equal(fstat(file.fd, &found), 0);
	assert_true(wanted.st_ino == found.st_ino && file.ino == found.st_ino);
	close(file.fd);
	munmap(memory, 4 * PAGE);
	close(fd);
}

static void memory_that_is_in_no_file_is_not_found(void **state)
{
	uint8_t *private =
		map_at(NULL, -1, 0, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
	uint8_t *shared =
		map_at(NULL, -1, 0, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS);
	uint8_t stack[16] = {0};

	assert_int_equal(find(private, PAGE, false), -ENOENT);
	assert_int_equal(find(shared, PAGE, true), -ENOENT);
	assert_int_equal(find(stack, sizeof(stack), true), -ENOENT);
	munmap(private, PAGE);
	munmap(shared, PAGE);
	assert_int_equal(find(private, PAGE, false), -ENOENT);
}

static void a_file_that_can_shrink_is_not_found_and_not_sealed(void **state)
{
	int fd = make_file("program", 0);
	uint8_t *memory = map_all(fd);

	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	assert_int_equal(find(memory, PAGE, false), -ENOENT);
	assert_int_equal(fcntl(fd, F_GET_SEALS), 0);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void a_range_to_be_read_wants_a_file_that_nobody_writes_anew(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);

	assert_int_equal(find(memory, PAGE, false), -ENOENT);
	assert_int_equal(fcntl(fd, F_GET_SEALS), F_SEAL_SHRINK);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
	assert_int_equal(find(memory, PAGE, false), 0);
	/* And for writing an importer could not map it now. */
	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void a_file_sealed_against_all_writes_serves_a_range_to_be_read(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK | F_SEAL_WRITE);
	uint8_t *memory = map_at(NULL, fd, 0, PAGES, PROT_READ, MAP_SHARED);

	assert_int_equal(find(memory, PAGE, false), 0);
	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void softdocas_own_heap_is_sealed_for_a_range_to_be_read(void **state)
{
	int fd = make_file("softdoca-heap-1", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);

	assert_int_equal(find(memory, PAGE, true), 0);
	assert_int_equal(fcntl(fd, F_GET_SEALS), F_SEAL_SHRINK);
	assert_int_equal(find(memory, PAGE, false), 0);
	assert_int_equal(fcntl(fd, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE);
	memory[0] = 1; /* the program's own mapping goes on */
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void a_heap_that_can_shrink_is_left_alone(void **state)
{
	int fd = make_file("softdoca-heap-1", 0);
	uint8_t *memory = map_all(fd);

	assert_int_equal(find(memory, PAGE, false), -ENOENT);
	assert_int_equal(fcntl(fd, F_GET_SEALS), 0);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void a_range_over_consecutive_mappings_is_found(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);

	/* Other rights make a mapping of its own; the file goes on. */
	assert_int_equal(mprotect(memory + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	assert_int_equal(find(memory, PAGES * PAGE, true), 0);
	assert_int_equal(find(memory + 2 * PAGE - 1, 2, true), 0);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void a_range_that_leaves_the_file_is_not_found(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);

	map_at(memory + 4 * PAGE, -1, 0, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
	assert_int_equal(find(memory, 4 * PAGE, true), 0);
	assert_int_equal(find(memory, 4 * PAGE + 1, true), -ENOENT);
	munmap(memory + 4 * PAGE, PAGE);
	assert_int_equal(find(memory, 4 * PAGE + 1, true), -ENOENT);
	assert_int_equal(find(memory + 4 * PAGE, PAGE, true), -ENOENT);
	assert_int_equal(find(memory + 4 * PAGE, 2 * PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void pages_out_of_order_or_private_are_not_found(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	int other = make_file("other", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);

	map_at(memory + 3 * PAGE, fd, 5, 1, PROT_READ | PROT_WRITE, MAP_SHARED);
	assert_int_equal(find(memory + 2 * PAGE, 2 * PAGE, true), -ENOENT);
	assert_int_equal(find(memory + 3 * PAGE, PAGE, true), 0);
	map_at(memory + 3 * PAGE, other, 3, 1, PROT_READ | PROT_WRITE, MAP_SHARED);
	assert_int_equal(find(memory + 2 * PAGE, 2 * PAGE, true), -ENOENT);
	map_at(memory + 3 * PAGE, fd, 3, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	assert_int_equal(find(memory + 3 * PAGE, PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);
	close(other);
}

static void a_mapping_without_the_right_is_not_found(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE);
	uint8_t *memory = map_at(NULL, fd, 0, PAGES, PROT_READ, MAP_SHARED);

	assert_int_equal(find(memory, PAGE, false), 0);
	assert_int_equal(mprotect(memory, PAGE, PROT_NONE), 0);
	assert_int_equal(find(memory, PAGE, false), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);

	fd = make_file("program", F_SEAL_SHRINK);
	memory = map_all(fd);
	assert_int_equal(mprotect(memory, PAGE, PROT_READ), 0);
	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void a_file_whose_descriptor_is_closed_is_not_found(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);

	close(fd);
	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
}

static void a_descriptor_that_only_reads_serves_no_range_to_be_written(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);
	char path[64];
	int reader;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(reader >= 0);
	close(fd);
	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(reader);
}

static void an_ordinary_file_is_not_found(void **state)
{
	char path[] = "/tmp/test_shared_file.XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);
	uint8_t *memory;

	assert_true(fd >= 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(ftruncate(fd, (off_t)(PAGES * PAGE)), 0);
	memory = map_all(fd);
	assert_int_equal(find(memory, PAGE, true), -ENOENT);
	assert_int_equal(find(memory, PAGE, false), -ENOENT);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

static void looking_leaves_no_page_and_no_descriptor_behind(void **state)
{
	int fd = make_file("program", F_SEAL_SHRINK);
	uint8_t *memory = map_all(fd);
	size_t fds = open_fds();
	struct stat stat;

	assert_int_equal(find(memory, PAGES * PAGE, true), 0);
	assert_int_equal(find(memory, PAGES * PAGE, false), -ENOENT);
	assert_int_equal(open_fds(), fds);
	assert_int_equal(fstat(fd, &stat), 0);
	assert_int_equal(stat.st_blocks, 0);
	munmap(memory, PAGES * PAGE);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_of_a_sealed_file_is_found_with_its_offset),
		cmocka_unit_test(memory_that_is_in_no_file_is_not_found),
		cmocka_unit_test(a_file_that_can_shrink_is_not_found_and_not_sealed),
		cmocka_unit_test(a_range_to_be_read_wants_a_file_that_nobody_writes_anew),
		cmocka_unit_test(a_file_sealed_against_all_writes_serves_a_range_to_be_read),
		cmocka_unit_test(softdocas_own_heap_is_sealed_for_a_range_to_be_read),
		cmocka_unit_test(a_heap_that_can_shrink_is_left_alone),
		cmocka_unit_test(a_range_over_consecutive_mappings_is_found),
		cmocka_unit_test(a_range_that_leaves_the_file_is_not_found),
		cmocka_unit_test(pages_out_of_order_or_private_are_not_found),
		cmocka_unit_test(a_mapping_without_the_right_is_not_found),
		cmocka_unit_test(a_file_whose_descriptor_is_closed_is_not_found),
		cmocka_unit_test(a_descriptor_that_only_reads_serves_no_range_to_be_written),
		cmocka_unit_test(an_ordinary_file_is_not_found),
		cmocka_unit_test(looking_leaves_no_page_and_no_descriptor_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
