/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory_file.h"

#include <sys/stat.h>

#include <doca_sync_event.h>

#include "comch/ring.h"
#include "peer/activity.h"
#include "peer/control.h"
#include "support/fail_memory_file.h"
#include "support/process.h"

static void a_file_has_its_size_its_seals_and_zeros(void **state)
{
	int fd = memory_file_create("test", 5000, MEMORY_FILE_SEALS);
	struct stat file;
	char byte = 1;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &file), 0);
	assert_int_equal(file.st_size, 5000);
	assert_int_equal(fcntl(fd, F_GET_SEALS), MEMORY_FILE_SEALS);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(pread(fd, &byte, 1, 4999), 1);
	assert_int_equal(byte, 0);
	close(fd);
}

static void a_file_without_seals_can_be_sealed_later(void **state)
{
	int fd = memory_file_create("test", 1, 0);

	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GET_SEALS), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, MEMORY_FILE_SEALS), 0);
	close(fd);
}

static void each_call_that_fails_is_a_negative_errno_and_leaves_nothing(void **state)
{
	int *const errors[] = {&next_memfd_create_error, &next_ftruncate_error, &next_fcntl_error};
	size_t num_fds = open_fds();

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		*errors[i] = ENFILE;
		assert_int_equal(memory_file_create("test", 1, MEMORY_FILE_SEALS), -ENFILE);
		assert_int_equal(*errors[i], 0);
		assert_int_equal(open_fds(), num_fds);
	}
}

/* The files of this process may be that long; what it was before. */
static struct rlimit limit_files(rlim_t max_bytes)
{
	struct rlimit before;
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = max_bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	return before;
}

static void a_file_beyond_the_programs_limit_is_an_error_and_no_signal(void **state)
{
	struct rlimit before = limit_files(4096);
	int over = memory_file_create("test", 4097, 0);
	int just = memory_file_create("test", 4096, 0);

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(over, -EFBIG);
	assert_true(just >= 0);
	close(just);
}

static void nobody_who_shares_memory_dies_of_the_limit(void **state)
{
	const struct ring_conf conf = {.num_recvs = 1, .max_msg_bytes = 1};
	struct rlimit before = limit_files(0);
	struct doca_sync_event *event = NULL;
	struct control *control = NULL;
	struct ring_reader *reader = NULL;
	size_t num_fds = open_fds();
	int fd = -1;

	assert_int_equal(control_create(&control, &fd), -EFBIG);
	assert_int_equal(activity_hold(), -EFBIG);
	assert_int_equal(ring_reader_create(&conf, &reader), -EFBIG);
	assert_int_equal(doca_sync_event_create(&event), DOCA_ERROR_OPERATING_SYSTEM);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(open_fds(), num_fds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_has_its_size_its_seals_and_zeros),
		cmocka_unit_test(a_file_without_seals_can_be_sealed_later),
		cmocka_unit_test(each_call_that_fails_is_a_negative_errno_and_leaves_nothing),
		cmocka_unit_test(a_file_beyond_the_programs_limit_is_an_error_and_no_signal),
		cmocka_unit_test(nobody_who_shares_memory_dies_of_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
