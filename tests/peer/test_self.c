/* SPDX-License-Identifier: Apache-2.0 */
/* What tells this process and its kernel from others. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "peer/self.h"
#include "support/process.h"

static void the_boot_id_is_the_kernels(void **state)
{
	uint8_t boot_id[SELF_BOOT_ID_BYTES];
	char wanted[64] = {0};
	char got[64];
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	int at = 0;

	assert_true(read(fd, wanted, sizeof(wanted) - 1) >= 36);
	close(fd);
	wanted[36] = '\0';
	assert_int_equal(self_boot_id(boot_id), 0);
	for (int i = 0; i < SELF_BOOT_ID_BYTES; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			got[at++] = '-';
		at += snprintf(got + at, sizeof(got) - (size_t)at, "%02x", boot_id[i]);
	}
	assert_string_equal(got, wanted);
}

static uint64_t start_time(void)
{
	uint64_t time = 0;

	assert_int_equal(self_start_time(&time), 0);
	return time;
}

static bool starts_no_sooner(void *argument)
{
	uint64_t time;

	return self_start_time(&time) == 0 && time >= *(const uint64_t *)argument;
}

static void the_start_time_is_the_processes_own_and_stays(void **state)
{
	uint64_t own = start_time();

	assert_true(own > 0);
	assert_true(start_time() == own);
	assert_in_fork(starts_no_sooner, &own);
}

static void a_name_with_anything_in_it_is_passed_over(void **state)
{
	uint64_t own = start_time();
	char before[16];

	assert_int_equal(prctl(PR_GET_NAME, before), 0);
	assert_int_equal(prctl(PR_SET_NAME, ") 1 2) (3 "), 0);
	assert_true(start_time() == own);
	assert_int_equal(prctl(PR_SET_NAME, before), 0);
}

static void without_a_descriptor_left_it_is_a_negative_errno(void **state)
{
	struct rlimit before;
	struct rlimit none;
	uint8_t boot_id[SELF_BOOT_ID_BYTES];
	uint64_t time;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(self_boot_id(boot_id), -EMFILE);
	assert_int_equal(self_start_time(&time), -EMFILE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_boot_id_is_the_kernels),
		cmocka_unit_test(the_start_time_is_the_processes_own_and_stays),
		cmocka_unit_test(a_name_with_anything_in_it_is_passed_over),
		cmocka_unit_test(without_a_descriptor_left_it_is_a_negative_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
