/* SPDX-License-Identifier: Apache-2.0 */
/* The activity page: its slots, what an exporter sees of it, and what a forked child has of it. */
#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include "base/barrier.h"
#include "peer/activity.h"
#include "support/fail_memory_file.h"

/* The linker sends the call to the first, and knows the real one as the second. */
long __wrap_syscall(long number, ...);
long __real_syscall(long number, ...);

static unsigned int num_membarriers_refused; /* the linker's wrapper has no other way */

long __wrap_syscall(long number, ...)
{
	long arguments[3];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 3; i++)
		arguments[i] = va_arg(args, int);
	va_end(args);
	assert_int_equal(number, SYS_membarrier);
	if (num_membarriers_refused > 0) {
		num_membarriers_refused--;
		errno = EPERM;
		return -1;
	}
	return __real_syscall(number, arguments[0], arguments[1], arguments[2]);
}

static int count_fds(void **state)
{
	*state = (void *)(uintptr_t)open_fds();
	return 0;
}

static int assert_fds(void **state)
{
	assert_int_equal(open_fds(), (uintptr_t)*state);
	return 0;
}

static void take_gives_slots_that_do_not_touch(void **state)
{
	struct activity one;
	struct activity other;

	assert_int_equal(activity_take(&one), 0);
	assert_int_equal(activity_take(&other), 0);

	assert_int_equal(labs(other.word - one.word), ACTIVITY_STRIDE);
	assert_int_equal((uintptr_t)one.word % (ACTIVITY_STRIDE * sizeof(uint64_t)), 0);
	assert_false(one.must_fence);
	activity_drop(&one);
	activity_drop(&other);
}

static void a_dropped_slot_is_taken_again(void **state)
{
	struct activity kept;
	struct activity dropped;
	_Atomic uint64_t *word;

	assert_int_equal(activity_take(&kept), 0);
	assert_int_equal(activity_take(&dropped), 0);
	word = dropped.word;
	activity_drop(&dropped);
	assert_null(dropped.word);
	assert_int_equal(activity_take(&dropped), 0);
	assert_ptr_equal(dropped.word, word);
	activity_drop(&dropped);
	activity_drop(&kept);
}

static void every_slot_can_be_taken_and_no_more(void **state)
{
	struct activity *slots = calloc(ACTIVITY_SLOTS, sizeof(*slots));
	struct activity one_more = {0};

	assert_non_null(slots);
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++)
		assert_int_equal(activity_take(&slots[i]), 0);
	assert_int_equal(activity_take(&one_more), -ENOMEM);
	assert_null(one_more.word);

	activity_drop(&slots[ACTIVITY_SLOTS / 2]);
	assert_int_equal(activity_take(&slots[ACTIVITY_SLOTS / 2]), 0);
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++)
		activity_drop(&slots[i]);
	free(slots);
}

static void the_exporter_sees_a_tag_from_begin_to_end(void **state)
{
	const _Atomic uint64_t *words;
	struct activity first;
	struct activity second;
	int fd = activity_hold();

	assert_true(fd >= 0);
	assert_int_equal(activity_take(&first), 0);
	assert_int_equal(activity_take(&second), 0);
	assert_int_equal(activity_map(fd, &words), 0);

	assert_false(activity_holds(words, 7));
	activity_begin(&second, 7);
	barrier_everywhere();
	assert_true(activity_holds(words, 7));
	assert_false(activity_holds(words, 8));
	activity_begin(&first, 8);
	assert_true(activity_holds(words, 8));
	activity_end(&second);
	assert_false(activity_holds(words, 7));
	activity_end(&first);
	assert_false(activity_holds(words, 8));

	activity_unmap(words);
	activity_drop(&first);
	activity_drop(&second);
	activity_put();
}

static void the_last_slot_is_seen_too(void **state)
{
	struct activity *slots = calloc(ACTIVITY_SLOTS, sizeof(*slots));
	const _Atomic uint64_t *words;
	int fd = activity_hold();

	assert_non_null(slots);
	assert_int_equal(activity_map(fd, &words), 0);
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++)
		assert_int_equal(activity_take(&slots[i]), 0);
	activity_begin(&slots[ACTIVITY_SLOTS - 1], 5);
	assert_true(activity_holds(words, 5));
	activity_end(&slots[ACTIVITY_SLOTS - 1]);
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++)
		activity_drop(&slots[i]);
	activity_unmap(words);
	activity_put();
	free(slots);
}

static void a_hold_outlives_the_slots_and_a_slot_the_holds(void **state)
{
	struct activity slot;
	int fd = activity_hold();

	assert_int_equal(activity_take(&slot), 0);
	activity_drop(&slot);
	assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	assert_int_equal(activity_take(&slot), 0);
	activity_put();
	activity_begin(&slot, 1);
	activity_end(&slot);
	activity_drop(&slot);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

static void whoever_has_the_descriptor_can_neither_write_nor_resize(void **state)
{
	int fd = activity_hold();
	uint64_t word = 1;

	assert_int_equal(write(fd, &word, sizeof(word)), -1);
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(ftruncate(fd, 2 * ACTIVITY_BYTES), -1);
	assert_int_equal(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), -1);
	assert_ptr_equal(mmap(NULL, ACTIVITY_BYTES, PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
	activity_put();
}

/* A memory file of those seals and that length. */
static int memory_file(int seals, off_t len_bytes)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, len_bytes), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void assert_is_no_page(int fd)
{
	const _Atomic uint64_t *words = NULL;

	assert_int_equal(activity_map(fd, &words), -EPROTO);
	assert_null(words);
	close(fd);
}

static void map_refuses_what_is_no_such_page(void **state)
{
	int pipes[2];

	assert_is_no_page(memory_file(F_SEAL_GROW, ACTIVITY_BYTES));
	assert_is_no_page(memory_file(F_SEAL_SHRINK, ACTIVITY_BYTES - 4096));
	assert_is_no_page(memory_file(F_SEAL_SHRINK, ACTIVITY_BYTES + 4096));
	assert_is_no_page(memory_file(F_SEAL_SHRINK, 0));
	assert_is_no_page(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	assert_is_no_page(open("/dev/zero", O_RDONLY | O_CLOEXEC));
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_is_no_page(pipes[0]);
	assert_is_no_page(pipes[1]);
	assert_is_no_page(-1);
}

static void map_refuses_a_page_that_may_not_be_read(void **state)
{
	int fd = memory_file(F_SEAL_SHRINK, ACTIVITY_BYTES);
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_is_no_page(open(path, O_WRONLY | O_CLOEXEC));
	close(fd);
}

static void map_without_memory_is_no_memory(void **state)
{
	const _Atomic uint64_t *words = NULL;
	int fd = activity_hold();

	next_mmap_error = ENOMEM;
	assert_int_equal(activity_map(fd, &words), -ENOMEM);
	assert_null(words);
	activity_put();
}

static void each_call_that_fails_is_a_negative_errno_and_leaves_nothing(void **state)
{
	static int *const calls[] = {&next_memfd_create_error, &next_ftruncate_error,
				     &next_mmap_error, &next_fcntl_error};
	struct activity slot = {0};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		*calls[i] = ENOMEM;
		assert_int_equal(activity_take(&slot), -ENOMEM);
		assert_null(slot.word);
		*calls[i] = EPERM;
		assert_int_equal(activity_hold(), -EPERM);
		assert_int_equal(open_fds(), (uintptr_t)*state);
	}
}

static void without_a_registration_the_importer_fences(void **state)
{
	struct activity slot;

	num_membarriers_refused = 1;
	assert_int_equal(activity_take(&slot), 0);
	assert_true(slot.must_fence);
	activity_begin(&slot, 3);
	assert_int_equal(*slot.word, 3);
	activity_end(&slot);
	activity_drop(&slot);
}

static void without_a_barrier_of_the_kernel_the_exporter_waits_for_stores_to_drain(void **state)
{
	num_membarriers_refused = 2;
	barrier_everywhere();
	assert_int_equal(num_membarriers_refused, 0);
}

#define NUM_ROUNDS 300

struct duel {
	_Atomic uint64_t generation; /* 0 while copies may start */
	_Atomic bool is_over;
	_Atomic uint64_t memory; /* what the importer touches */
	struct activity activity;
};

static void *copy_until_revoked(void *argument)
{
	struct duel *duel = argument;

	for (unsigned int i = 0; !atomic_load_explicit(&duel->is_over, memory_order_relaxed); i++) {
		if (i % 16 == 0)
			sched_yield(); /* for checkers that run one thread at a time */
		activity_begin(&duel->activity, 1);
		if (atomic_load_explicit(&duel->generation, memory_order_acquire) == 0)
			atomic_fetch_add_explicit(&duel->memory, 1, memory_order_relaxed);
		activity_end(&duel->activity);
	}
	return NULL;
}

/* The point of it all: bump, barrier, wait for the words; from then on nothing moves. */
static void after_a_revocation_and_a_wait_nothing_is_touched(void **state)
{
	struct duel duel = {0};
	const _Atomic uint64_t *words;
	pthread_t importer;

	assert_int_equal(activity_map(activity_hold(), &words), 0);
	assert_int_equal(activity_take(&duel.activity), 0);
	assert_int_equal(pthread_create(&importer, NULL, copy_until_revoked, &duel), 0);
	for (int i = 0; i < NUM_ROUNDS; i++) {
		uint64_t before;

		atomic_store_explicit(&duel.generation, 1, memory_order_seq_cst);
		barrier_everywhere();
		while (activity_holds(words, 1))
			sched_yield();
		before = atomic_load(&duel.memory);
		for (int j = 0; j < 20; j++)
			assert_int_equal(atomic_load(&duel.memory), before);
		atomic_store_explicit(&duel.generation, 0, memory_order_release);
	}
	atomic_store(&duel.is_over, true);
	pthread_join(importer, NULL);
	activity_drop(&duel.activity);
	activity_unmap(words);
	activity_put();
}

struct inherited {
	struct activity slot;
	int fd;
};

static bool child_has_a_page_of_its_own(void *argument)
{
	struct inherited *inherited = argument;
	const _Atomic uint64_t *words;
	struct activity slot;
	int fd;

	activity_begin(&inherited->slot, 9);
	if (activity_take(&slot) != 0 || slot.word == inherited->slot.word)
		return false;
	activity_end(&inherited->slot);
	fd = activity_hold();
	if (fd < 0 || activity_map(fd, &words) != 0)
		return false;
	activity_begin(&inherited->slot, 9); /* inherited, and seen from now on */
	activity_begin(&slot, 10);
	if (!activity_holds(words, 9) || !activity_holds(words, 10))
		return false;
	activity_drop(&slot);
	activity_drop(&inherited->slot);
	activity_put();
	activity_put(); /* the hold that it inherited */
	return fcntl(fd, F_GETFD) == -1;
}

static void a_forked_child_does_not_write_its_parents_page(void **state)
{
	struct inherited inherited = {.fd = activity_hold()};
	const _Atomic uint64_t *words;

	assert_int_equal(activity_map(inherited.fd, &words), 0);
	assert_int_equal(activity_take(&inherited.slot), 0);
	activity_begin(&inherited.slot, 4);
	assert_in_fork(child_has_a_page_of_its_own, &inherited);

	assert_true(activity_holds(words, 4));
	assert_false(activity_holds(words, 9));
	assert_false(activity_holds(words, 10));
	activity_unmap(words);
	activity_drop(&inherited.slot);
	activity_put();
}

static bool child_without_a_file_has_no_hold(void *argument)
{
	struct activity slot;

	next_memfd_create_error = EMFILE;
	if (activity_hold() != -EMFILE)
		return false;
	next_mmap_error = ENOMEM;
	if (activity_hold() != -ENOMEM)
		return false;
	next_fcntl_error = EPERM;
	if (activity_hold() != -EPERM)
		return false;
	activity_drop(argument);
	return activity_take(&slot) == 0 && activity_hold() >= 0;
}

static void a_forked_child_that_can_make_no_file_is_told(void **state)
{
	struct activity slot;

	assert_int_equal(activity_take(&slot), 0);
	assert_in_fork(child_without_a_file_has_no_hold, &slot);
	activity_drop(&slot);
}

#define ACTIVITY_TEST(test) cmocka_unit_test_setup_teardown(test, count_fds, assert_fds)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ACTIVITY_TEST(take_gives_slots_that_do_not_touch),
		ACTIVITY_TEST(a_dropped_slot_is_taken_again),
		ACTIVITY_TEST(every_slot_can_be_taken_and_no_more),
		ACTIVITY_TEST(the_exporter_sees_a_tag_from_begin_to_end),
		ACTIVITY_TEST(the_last_slot_is_seen_too),
		ACTIVITY_TEST(a_hold_outlives_the_slots_and_a_slot_the_holds),
		ACTIVITY_TEST(whoever_has_the_descriptor_can_neither_write_nor_resize),
		ACTIVITY_TEST(map_refuses_what_is_no_such_page),
		ACTIVITY_TEST(map_refuses_a_page_that_may_not_be_read),
		ACTIVITY_TEST(map_without_memory_is_no_memory),
		ACTIVITY_TEST(each_call_that_fails_is_a_negative_errno_and_leaves_nothing),
		ACTIVITY_TEST(without_a_registration_the_importer_fences),
		ACTIVITY_TEST(
			without_a_barrier_of_the_kernel_the_exporter_waits_for_stores_to_drain),
		ACTIVITY_TEST(after_a_revocation_and_a_wait_nothing_is_touched),
		ACTIVITY_TEST(a_forked_child_does_not_write_its_parents_page),
		ACTIVITY_TEST(a_forked_child_that_can_make_no_file_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
