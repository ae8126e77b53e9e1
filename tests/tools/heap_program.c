/* SPDX-License-Identifier: Apache-2.0 */
/* A program under softdoca run --shared-heap, which looks at what its allocator gives it. */
#include "heap_support.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define PAGE 4096

/* The compiler knows what malloc() promises, and would leave calls out. */
static void *(*const volatile do_malloc)(size_t) = malloc;
static void *(*const volatile do_calloc)(size_t, size_t) = calloc;
static void *(*const volatile do_realloc)(void *, size_t) = realloc;
static void (*const volatile do_free)(void *) = free;

static bool a_mebibyte_of_malloc_is_a_sealed_memory_file(void)
{
	void *addr = do_malloc(MIB);

	CHECK(addr != NULL && is_shareable(addr));
	CHECK(is_filled(addr, 0, MIB));
	do_free(addr);
	return true;
}

static bool the_boundary_is_64_kib(void)
{
	void *large = do_malloc(64 * KIB);
	void *small = do_malloc(64 * KIB - 1);

	CHECK(is_shareable(large));
	CHECK(small != NULL && !is_shareable(small));
	do_free(large);
	do_free(small);
	return true;
}

static bool small_blocks_open_no_descriptor(void)
{
	int before = count_fds();
	void *addrs[100];

	for (size_t i = 0; i < 100; i++)
		addrs[i] = do_malloc(i * 100);
	CHECK(count_fds() == before);
	for (size_t i = 0; i < 100; i++)
		do_free(addrs[i]);
	return true;
}

static bool descriptors_are_out_of_the_way(void)
{
	struct rlimit limit;
	void *addr = do_malloc(MIB);

	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == limit.rlim_max);
	CHECK(find_fd(addr) >= (limit.rlim_cur > 2048 ? 1024 : (int)(limit.rlim_cur / 2)));
	do_free(addr);
	return true;
}

static bool a_freed_block_leaves_no_descriptor(void)
{
	int before = count_fds();
	void *addr = do_malloc(MIB);

	CHECK(count_fds() == before + 1);
	do_free(addr);
	CHECK(count_fds() == before);
	return true;
}

static bool calloc_gives_zeros_where_dirt_was(void)
{
	for (int i = 0; i < 10; i++) {
		unsigned char *addr = do_calloc(1000, 1000);

		CHECK(is_shareable(addr) && is_filled(addr, 0, 1000 * 1000));
		memset(addr, 0xff, 1000 * 1000);
		do_free(addr);
	}
	return true;
}

static bool alignment_is_honoured(void)
{
	for (size_t alignment = sizeof(void *); alignment <= 4 * MIB; alignment *= 2) {
		void *addrs[3] = {memalign(alignment, MIB), aligned_alloc(alignment, MIB), NULL};

		CHECK(posix_memalign(&addrs[2], alignment, 64 * KIB + 1) == 0);
		for (size_t i = 0; i < 3; i++) {
			CHECK(addrs[i] != NULL && (uintptr_t)addrs[i] % alignment == 0);
			CHECK(is_shareable(addrs[i]));
			memset(addrs[i], 1, 64 * KIB + 1);
			do_free(addrs[i]);
		}
	}
	return true;
}

static bool small_aligned_blocks_stay_the_librarys(void)
{
	for (size_t alignment = 16; alignment <= 4 * MIB; alignment *= 2) {
		void *addr = memalign(alignment, 100);

		CHECK(addr != NULL && (uintptr_t)addr % alignment == 0 && !is_shareable(addr));
		do_free(addr);
	}
	return true;
}

static bool valloc_and_pvalloc_give_pages(void)
{
	void *one = valloc(100 * KIB + 1);
	void *two = pvalloc(100 * KIB + 1);

	CHECK(is_shareable(one) && (uintptr_t)one % PAGE == 0);
	CHECK(is_shareable(two) && malloc_usable_size(two) >= 104 * KIB);
	do_free(one);
	do_free(two);
	one = valloc(10);
	two = pvalloc(10);
	CHECK(one != NULL && !is_shareable(one) && two != NULL && !is_shareable(two));
	do_free(one);
	do_free(two);
	return true;
}

static bool wrong_alignments_are_refused_as_ever(void)
{
	void *addr = &addr;

	errno = 0;
	CHECK(posix_memalign(&addr, 3, MIB) == EINVAL);
	CHECK(posix_memalign(&addr, 4, MIB) == EINVAL);
	CHECK(posix_memalign(&addr, 0, MIB) == EINVAL);
	CHECK(posix_memalign(&addr, 24, MIB) == EINVAL);
	CHECK(addr == &addr && errno == 0);
	return true;
}

static bool what_is_too_large_is_enomem(void)
{
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4096, PTRDIFF_MAX, (size_t)1 << 60,
				       (size_t)1 << 46};
	void *addr;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		errno = 0;
		CHECK(do_malloc(sizes[i]) == NULL && errno == ENOMEM);
		errno = 0;
		CHECK(do_calloc(1, sizes[i]) == NULL && errno == ENOMEM);
		CHECK(memalign(2 * MIB, sizes[i]) == NULL);
		CHECK(posix_memalign(&addr, 2 * MIB, sizes[i]) == ENOMEM);
	}
	errno = 0;
	CHECK(do_calloc(SIZE_MAX / 2, 3) == NULL && errno == ENOMEM);
	CHECK(do_calloc((size_t)1 << 33, (size_t)1 << 33) == NULL);
	return true;
}

static bool realloc_keeps_contents_across_every_boundary(void)
{
	static const size_t sizes[] = {100,	     64 * KIB - 1, 64 * KIB,  MIB,
				       2 * MIB,	     MIB + 5000,   300 * KIB, 65 * KIB,
				       64 * KIB - 1, 5 * MIB,	   10};
	unsigned char *addr = do_realloc(NULL, 50);
	size_t kept = 50;

	memset(addr, 7, 50);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t least = kept < sizes[i] ? kept : sizes[i];

		addr = do_realloc(addr, sizes[i]);
		CHECK(addr != NULL && is_filled(addr, 7, least));
		CHECK(is_shareable(addr) == (sizes[i] >= 64 * KIB));
		CHECK(malloc_usable_size(addr) >= sizes[i]);
		memset(addr, 7, malloc_usable_size(addr));
		kept = sizes[i];
	}
	do_free(addr);
	return true;
}

static bool realloc_to_a_little_less_stays_in_place(void)
{
	unsigned char *addr = do_malloc(MIB);

	memset(addr, 3, MIB);
	CHECK(do_realloc(addr, MIB) == addr);
	CHECK(do_realloc(addr, MIB - 10) == addr);
	CHECK(do_realloc(addr, 700 * KIB) == addr && malloc_usable_size(addr) == 700 * KIB);
	CHECK(is_filled(addr, 3, 700 * KIB) && is_shareable(addr));
	do_free(addr);
	return true;
}

static bool realloc_to_nothing_frees(void)
{
	void *addr = do_malloc(MIB);
	int before = count_fds();

	CHECK(do_realloc(addr, 0) == NULL);
	CHECK(count_fds() == before - 1);
	return true;
}

static bool a_realloc_that_fails_keeps_the_block(void)
{
	unsigned char *addr = do_malloc(MIB);

	memset(addr, 9, MIB);
	errno = 0;
	CHECK(do_realloc(addr, (size_t)1 << 60) == NULL && errno == ENOMEM);
	CHECK(is_filled(addr, 9, MIB));
	do_free(addr);
	return true;
}

static bool free_leaves_errno_alone(void)
{
	void *addr = do_malloc(MIB);

	errno = EILSEQ;
	do_free(NULL);
	do_free(addr);
	CHECK(errno == EILSEQ);
	return true;
}

static bool without_descriptors_memory_is_ordinary(void)
{
	struct rlimit limit;
	struct rlimit low;
	unsigned char *addr;
	unsigned char *mapped;

	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	low = limit;
	low.rlim_cur = 64;
	CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
	addr = do_calloc(1, MIB);
	mapped = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK(addr != NULL && !is_shareable(addr) && is_filled(addr, 0, MIB));
	CHECK(mapped != MAP_FAILED && !is_shareable(mapped));
	memset(addr, 5, MIB);
	addr = do_realloc(addr, 2 * MIB); /* there are descriptors again */
	CHECK(is_shareable(addr) && is_filled(addr, 5, MIB));
	do_free(addr);
	CHECK(munmap(mapped, MIB) == 0);
	return true;
}

static bool all_blocks_are_given_back_when_there_are_too_many(void)
{
	static void *addrs[20000];
	size_t num_shareable = 0;

	for (size_t i = 0; i < 20000; i++) {
		addrs[i] = do_malloc(64 * KIB);
		CHECK(addrs[i] != NULL);
		*(size_t *)addrs[i] = i;
	}
	for (size_t i = 0; i < 20000; i += 400)
		num_shareable += is_shareable(addrs[i]);
	CHECK(num_shareable > 0 && num_shareable < 50);
	for (size_t i = 0; i < 20000; i++) {
		CHECK(*(size_t *)addrs[i] == i);
		do_free(addrs[i]);
	}
	return true;
}

static bool a_descriptor_that_the_program_closed_is_not_closed_again(void)
{
	void *addr = do_malloc(MIB);
	int fd = find_fd(addr);
	int own = open("/dev/null", O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0 && dup3(own, fd, O_CLOEXEC) == fd); /* the program's from now on */
	memset(addr, 1, MIB);
	do_free(addr);
	CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
	close(fd);
	close(own);
	return true;
}

/* --- threads ------------------------------------------------------------------------------- */

#define NUM_THREADS 8
#define NUM_ROUNDS 2000
#define NUM_SLOTS 16

static atomic_size_t num_wrong;

static size_t random_size(unsigned int *seed)
{
	size_t size = (size_t)rand_r(seed) % (rand_r(seed) % 4 == 0 ? 400 * KIB : 8 * KIB);

	return size + 16;
}

/* The first and the last bytes of a block say whose it is. */
static void sign(unsigned char *addr, size_t size, size_t value)
{
	memcpy(addr, &value, sizeof(value));
	memcpy(addr + size - sizeof(value), &value, sizeof(value));
}

static bool is_signed(const unsigned char *addr, size_t size, size_t value)
{
	return memcmp(addr, &value, sizeof(value)) == 0 &&
	       (size == 0 || memcmp(addr + size - sizeof(value), &value, sizeof(value)) == 0);
}

static void *allocate_at_random(void *argument)
{
	unsigned int seed = (unsigned int)(uintptr_t)argument;
	struct {
		unsigned char *addr;
		size_t size;
		size_t value;
	} slots[NUM_SLOTS] = {0};

	for (size_t round = 0; round < NUM_ROUNDS; round++) {
		size_t i = (size_t)rand_r(&seed) % NUM_SLOTS;
		size_t size = random_size(&seed);
		size_t value = (uintptr_t)argument * NUM_ROUNDS + round;

		if (slots[i].addr != NULL &&
		    !is_signed(slots[i].addr, slots[i].size, slots[i].value))
			atomic_fetch_add(&num_wrong, 1);
		if (rand_r(&seed) % 2 == 0) {
			free(slots[i].addr);
			slots[i].addr =
				rand_r(&seed) % 2 == 0 ? malloc(size) : memalign(PAGE, size);
		} else {
			slots[i].addr = realloc(slots[i].addr, size);
			if (slots[i].size != 0 && !is_signed(slots[i].addr, 0, slots[i].value))
				atomic_fetch_add(&num_wrong, 1);
		}
		sign(slots[i].addr, size, value);
		slots[i].size = size;
		slots[i].value = value;
	}
	for (size_t i = 0; i < NUM_SLOTS; i++)
		free(slots[i].addr);
	return NULL;
}

static bool threads_never_meet_in_a_block(void)
{
	pthread_t threads[NUM_THREADS];

	for (size_t i = 0; i < NUM_THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, allocate_at_random, (void *)(i + 1)) == 0);
	for (size_t i = 0; i < NUM_THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(num_wrong == 0);
	return true;
}

static const struct heap_test tests[] = {
	TEST(a_mebibyte_of_malloc_is_a_sealed_memory_file),
	TEST(the_boundary_is_64_kib),
	TEST(small_blocks_open_no_descriptor),
	TEST(descriptors_are_out_of_the_way),
	TEST(a_freed_block_leaves_no_descriptor),
	TEST(calloc_gives_zeros_where_dirt_was),
	TEST(alignment_is_honoured),
	TEST(small_aligned_blocks_stay_the_librarys),
	TEST(valloc_and_pvalloc_give_pages),
	TEST(wrong_alignments_are_refused_as_ever),
	TEST(what_is_too_large_is_enomem),
	TEST(realloc_keeps_contents_across_every_boundary),
	TEST(realloc_to_a_little_less_stays_in_place),
	TEST(realloc_to_nothing_frees),
	TEST(a_realloc_that_fails_keeps_the_block),
	TEST(free_leaves_errno_alone),
	TEST(without_descriptors_memory_is_ordinary),
	TEST(all_blocks_are_given_back_when_there_are_too_many),
	TEST(a_descriptor_that_the_program_closed_is_not_closed_again),
	TEST(threads_never_meet_in_a_block),
};

int main(void)
{
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
