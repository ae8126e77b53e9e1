/* SPDX-License-Identifier: Apache-2.0 */
/* A program under softdoca run --shared-heap, which maps, cuts, moves and protects memory itself.
 */
#include "heap_support.h"

#include <errno.h>
#include <sys/mman.h>

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))
#define READ_WRITE (PROT_READ | PROT_WRITE)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)

static unsigned char *map(size_t len_bytes)
{
	void *addr = mmap(NULL, len_bytes, READ_WRITE, ANONYMOUS, -1, 0);

	return addr == MAP_FAILED ? NULL : addr;
}

static bool anonymous_memory_is_a_sealed_memory_file(void)
{
	unsigned char *addr = map(MIB);
	unsigned char *odd = map(64 * KIB + 1);
	void *hint = mmap(addr + 16 * MIB, MIB, READ_WRITE, ANONYMOUS | MAP_POPULATE, -1, 0);

	CHECK(is_shareable(addr) && is_filled(addr, 0, MIB));
	CHECK(is_shareable(odd) && is_shareable(hint));
	CHECK(munmap(addr, MIB) == 0 && munmap(odd, 64 * KIB + 1) == 0 && munmap(hint, MIB) == 0);
	return true;
}

static bool all_other_memory_is_what_it_was(void)
{
	static const struct {
		int prot;
		int flags;
	} others[] = {
		{PROT_NONE, ANONYMOUS},
		{PROT_READ, ANONYMOUS},
		{READ_WRITE | PROT_EXEC, ANONYMOUS},
		{READ_WRITE, MAP_SHARED | MAP_ANONYMOUS},
		{READ_WRITE, ANONYMOUS | MAP_STACK},
		{READ_WRITE, ANONYMOUS | MAP_GROWSDOWN},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		void *addr = mmap(NULL, MIB, others[i].prot, others[i].flags, -1, 0);

		CHECK(addr != MAP_FAILED && find_fd(addr) < 0);
		CHECK(munmap(addr, MIB) == 0);
	}
	return true;
}

static bool wrong_use_is_refused_as_ever(void)
{
	unsigned char *addr = map(MIB);

	errno = 0;
	CHECK(mmap(NULL, 0, READ_WRITE, ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mmap(NULL, MIB, READ_WRITE, MAP_PRIVATE, -1, 0) == MAP_FAILED && errno == EBADF);
	errno = 0;
	CHECK(mmap(NULL, (size_t)1 << 60, READ_WRITE, ANONYMOUS, -1, 0) == MAP_FAILED &&
	      errno == ENOMEM);
	errno = 0;
	CHECK(munmap(addr + 1, PAGE) == -1 && errno == EINVAL);
	errno = 0;
	CHECK(munmap(addr, 0) == -1 && errno == EINVAL);
	errno = 0;
	CHECK(mprotect(addr + 1, PAGE, PROT_NONE) == -1 && errno == EINVAL);
	errno = 0;
	CHECK(madvise(addr + 1, PAGE, MADV_DONTNEED) == -1 && errno == EINVAL);
	CHECK(is_shareable(addr) && munmap(addr, MIB) == 0);
	return true;
}

static bool a_block_with_holes_works_until_its_last_page_is_gone(void)
{
	int before = count_fds();
	unsigned char *addr = map(MIB);

	memset(addr, 6, MIB);
	CHECK(munmap(addr, 128 * KIB) == 0);		 /* its beginning */
	CHECK(munmap(addr + 896 * KIB, 128 * KIB) == 0); /* its end */
	CHECK(munmap(addr + 512 * KIB, PAGE) == 0);	 /* its middle */
	CHECK(is_filled(addr + 128 * KIB, 6, 384 * KIB));
	CHECK(is_filled(addr + 512 * KIB + PAGE, 6, 384 * KIB - PAGE));
	CHECK(is_shareable(addr + 128 * KIB) && is_shareable(addr + 800 * KIB));
	CHECK(!is_shareable(addr + 512 * KIB));
	CHECK(munmap(addr, 512 * KIB) == 0);
	CHECK(count_fds() == before + 1);
	CHECK(is_shareable(addr + 800 * KIB));
	CHECK(munmap(addr, MIB) == 0); /* what is left, and what is not there */
	CHECK(count_fds() == before);
	return true;
}

static bool one_munmap_takes_many_blocks(void)
{
	int before = count_fds();
	unsigned char *addr = mmap(NULL, 4 * MIB, PROT_NONE, ANONYMOUS, -1, 0);

	CHECK(munmap(addr, 4 * MIB) == 0);
	for (size_t i = 0; i < 4; i++)
		CHECK(mmap(addr + i * MIB, MIB, READ_WRITE, ANONYMOUS, -1, 0) == addr + i * MIB);
	CHECK(count_fds() == before + 4);
	CHECK(munmap(addr + 512 * KIB, 3 * MIB) == 0);
	CHECK(count_fds() == before + 2);
	CHECK(is_shareable(addr) && is_shareable(addr + 4 * MIB - PAGE));
	CHECK(munmap(addr, 4 * MIB) == 0);
	return true;
}

static bool what_is_mapped_over_a_block_takes_its_place(void)
{
	int before = count_fds();
	unsigned char *addr = map(MIB);

	CHECK(mmap(addr + 256 * KIB, 256 * KIB, READ_WRITE, ANONYMOUS | MAP_FIXED, -1, 0) ==
	      addr + 256 * KIB);
	CHECK(is_shareable(addr) && !is_shareable(addr + 256 * KIB));
	CHECK(is_shareable(addr + 512 * KIB));
	CHECK(mmap(addr, MIB, READ_WRITE, ANONYMOUS | MAP_FIXED, -1, 0) == addr);
	CHECK(count_fds() == before);
	CHECK(munmap(addr, MIB) == 0);
	return true;
}

static bool mremap_keeps_contents(void)
{
	unsigned char *addr = map(MIB);
	unsigned char *moved;

	memset(addr, 8, MIB);
	moved = mremap(addr, MIB, 3 * MIB, MREMAP_MAYMOVE);
	CHECK(moved != MAP_FAILED && is_shareable(moved));
	CHECK(is_filled(moved, 8, MIB) && is_filled(moved + MIB, 0, 2 * MIB));
	CHECK(mremap(moved, 3 * MIB, 3 * MIB, 0) == moved);
	CHECK(mremap(moved, 3 * MIB, MIB, 0) == moved);
	CHECK(is_filled(moved, 8, MIB) && !is_shareable(moved + MIB));
	CHECK(munmap(moved, MIB) == 0);
	return true;
}

static bool mremap_of_a_part_leaves_the_rest(void)
{
	unsigned char *addr = map(MIB);
	unsigned char *moved;

	memset(addr, 8, MIB);
	CHECK(mprotect(addr + 256 * KIB, 256 * KIB, PROT_NONE) == 0);
	moved = mremap(addr + 256 * KIB, 256 * KIB, 512 * KIB, MREMAP_MAYMOVE);
	CHECK(moved != MAP_FAILED && is_filled(moved, 8, 256 * KIB));
	CHECK(is_filled(addr, 8, 256 * KIB) && is_filled(addr + 512 * KIB, 8, 512 * KIB));
	CHECK(!is_shareable(addr + 256 * KIB));
	CHECK(munmap(addr, MIB) == 0 && munmap(moved, 512 * KIB) == 0);
	return true;
}

static bool mremap_to_a_place_puts_it_there(void)
{
	unsigned char *addr = map(MIB);
	unsigned char *place = map(MIB);
	unsigned char *small = map(PAGE);

	memset(addr, 8, MIB);
	CHECK(mremap(addr, MIB, MIB, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place);
	CHECK(is_filled(place, 8, MIB) && !is_shareable(addr));
	CHECK(munmap(place, MIB) == 0);
	/* Of memory that is not ours, onto a block. */
	place = map(MIB);
	small[0] = 4;
	CHECK(mremap(small, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place + PAGE) ==
	      place + PAGE);
	CHECK(place[PAGE] == 4 && !is_shareable(place + PAGE));
	CHECK(is_shareable(place) && is_shareable(place + 2 * PAGE));
	CHECK(munmap(place, MIB) == 0);
	return true;
}

static bool mremap_refuses_what_the_kernel_refuses(void)
{
	unsigned char *addr = map(MIB);
	static const int fixed = MREMAP_MAYMOVE | MREMAP_FIXED;

	errno = 0;
	CHECK(mremap(addr, MIB, 2 * MIB, 0) == MAP_FAILED && errno == ENOMEM);
	errno = 0;
	CHECK(mremap(addr, 0, MIB, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mremap(addr, MIB, 0, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mremap(addr + 1, PAGE, PAGE, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mremap(addr, 2 * MIB, 3 * MIB, MREMAP_MAYMOVE) == MAP_FAILED && errno == EFAULT);
	errno = 0;
	CHECK(mremap(addr, MIB, MIB, fixed, addr + PAGE) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mremap(addr, MIB, MIB, fixed, addr + 1) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mremap(addr, MIB, MIB, MREMAP_FIXED, addr + MIB) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	CHECK(mremap(addr, MIB, (size_t)1 << 60, MREMAP_MAYMOVE) == MAP_FAILED && errno == ENOMEM);
	CHECK(is_shareable(addr) && munmap(addr, MIB) == 0);
	return true;
}

static bool dontneed_gives_zeros(void)
{
	unsigned char *addr = map(MIB);
	unsigned char *other = map(PAGE);

	memset(addr, 8, MIB);
	other[0] = 8;
	CHECK(madvise(addr + 256 * KIB, 256 * KIB, MADV_DONTNEED) == 0);
	CHECK(is_filled(addr, 8, 256 * KIB));
	CHECK(is_filled(addr + 256 * KIB, 0, 256 * KIB));
	CHECK(is_filled(addr + 512 * KIB, 8, 512 * KIB));
	CHECK(madvise(addr, MIB, MADV_WILLNEED) == 0 && addr[0] == 8);
	CHECK(madvise(other, PAGE, MADV_DONTNEED) == 0 && other[0] == 0);
	/* Where a hole has changed what is where in the file. */
	CHECK(munmap(addr, 512 * KIB) == 0);
	CHECK(madvise(addr + 512 * KIB, 256 * KIB, MADV_DONTNEED) == 0);
	CHECK(is_filled(addr + 512 * KIB, 0, 256 * KIB));
	CHECK(is_filled(addr + 768 * KIB, 8, 256 * KIB));
	CHECK(munmap(addr, MIB) == 0 && munmap(other, PAGE) == 0);
	return true;
}

static bool dontneed_gives_zeros_in_a_block_that_others_may_only_read(void)
{
	unsigned char *addr = map(MIB);

	memset(addr, 8, MIB);
	CHECK(fcntl(find_fd(addr), F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0);
	CHECK(madvise(addr, 512 * KIB, MADV_DONTNEED) == 0);
	CHECK(is_filled(addr, 0, 512 * KIB) && is_filled(addr + 512 * KIB, 8, 512 * KIB));
	CHECK(munmap(addr, MIB) == 0);
	return true;
}

static const struct heap_test tests[] = {
	TEST(anonymous_memory_is_a_sealed_memory_file),
	TEST(all_other_memory_is_what_it_was),
	TEST(wrong_use_is_refused_as_ever),
	TEST(a_block_with_holes_works_until_its_last_page_is_gone),
	TEST(one_munmap_takes_many_blocks),
	TEST(what_is_mapped_over_a_block_takes_its_place),
	TEST(mremap_keeps_contents),
	TEST(mremap_of_a_part_leaves_the_rest),
	TEST(mremap_to_a_place_puts_it_there),
	TEST(mremap_refuses_what_the_kernel_refuses),
	TEST(dontneed_gives_zeros),
	TEST(dontneed_gives_zeros_in_a_block_that_others_may_only_read),
};

int main(void)
{
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
