/* SPDX-License-Identifier: Apache-2.0 */
/* The control page: it tells, without a system call, who died and what was revoked. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer/control.h"
#include "support/fail_memory_file.h"
#include "support/needs.h"
#include "support/pass_fd.h"
#include "support/process.h"

#define SLOT 5
#define GENERATION 9

int __wrap_pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int value);
int __real_pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int value);
int __wrap_pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int value);
int __real_pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int value);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr);
int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr);

static int next_setpshared_error;
static int next_setrobust_error;
static int next_mutex_init_error;

int __wrap_pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int value)
{
	int error = take_call_error(&next_setpshared_error);

	return error != 0 ? error : __real_pthread_mutexattr_setpshared(attr, value);
}

int __wrap_pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int value)
{
	int error = take_call_error(&next_setrobust_error);

	return error != 0 ? error : __real_pthread_mutexattr_setrobust(attr, value);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	int error = take_call_error(&next_mutex_init_error);

	return error != 0 ? error : __real_pthread_mutex_init(mutex, attr);
}

struct page {
	struct control *control; /* the exporter's */
	int fd;
	int error;
};

/* As the agent does it: made by the thread that owns it, ended by its end. */
static void *create_and_end(void *arg)
{
	struct page *page = arg;

	page->error = control_create(&page->control, &page->fd);
	return NULL;
}

static struct page page_of_ended_thread(void)
{
	struct page page;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, create_and_end, &page), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(page.error, 0);
	return page;
}

static void close_page(const struct page *page)
{
	control_unmap(page->control);
	close(page->fd);
}

/* A child that owns a page, sends it to us, and waits; the page as an importer maps it. */
static pid_t start_owner(const struct control **control)
{
	int sockets[2];
	int fds[MAX_PASSED_FDS];
	pid_t child;
	char byte;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct control *own;
		int fd;

		alarm(PROCESS_DEADLINE_S);
		if (control_create(&own, &fd) != 0)
			_exit(1);
		atomic_store(&own->generation[SLOT], GENERATION);
		if (!send_with_fds(sockets[1], "x", 1, &fd, 1))
			_exit(1);
		for (;;)
			pause();
	}
	close(sockets[1]);
	assert_int_equal(receive_with_fds(sockets[0], &byte, 1, fds), 1);
	assert_int_equal(control_map(fds[0], control), 0);
	close(fds[0]);
	close(sockets[0]);
	return child;
}

static void kill_owner(pid_t child)
{
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_region_is_alive_while_owner_and_generation_last(void **state)
{
	const struct control *control;
	pid_t child = start_owner(&control);

	assert_int_equal(control_check(control, SLOT, GENERATION), CONTROL_ALIVE);
	assert_int_equal(control_check(control, SLOT, GENERATION + 1), CONTROL_REVOKED);
	assert_int_equal(control_check(control, SLOT + 1, GENERATION), CONTROL_REVOKED);
	kill_owner(child);
	control_unmap(control);
}

static void a_stopped_owner_is_alive(void **state)
{
	const struct control *control;
	pid_t child = start_owner(&control);
	int status;

	assert_int_equal(kill(child, SIGSTOP), 0);
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_int_equal(control_check(control, SLOT, GENERATION), CONTROL_ALIVE);
	kill_owner(child);
	control_unmap(control);
}

static void a_killed_owner_is_dead(void **state)
{
	skip_unless(kernel_marks_dead_owners(), NO_ROBUST_LOCKS);

	const struct control *control;
	pid_t child = start_owner(&control);

	kill_owner(child);
	assert_int_equal(control_check(control, SLOT, GENERATION), CONTROL_DEAD);
	control_unmap(control);
}

static void a_thread_that_ended_is_dead_and_its_revoked_regions_are_revoked(void **state)
{
	skip_unless(kernel_marks_dead_owners(), NO_ROBUST_LOCKS);

	struct page page = page_of_ended_thread();
	const struct control *control;

	assert_int_equal(control_map(page.fd, &control), 0);
	assert_int_equal(control_check(control, SLOT, 0), CONTROL_DEAD);
	atomic_store(&page.control->generation[SLOT], GENERATION);
	assert_int_equal(control_check(control, SLOT, 0), CONTROL_REVOKED);
	control_unmap(control);
	close_page(&page);
}

static void nobody_who_has_the_descriptor_can_write_or_shrink_it(void **state)
{
	struct page page = page_of_ended_thread();

	assert_int_equal(ftruncate(page.fd, 0), -1);
	assert_int_equal(ftruncate(page.fd, (off_t)CONTROL_BYTES * 2), -1);
	assert_int_equal(pwrite(page.fd, "x", 1, 0), -1);
	assert_ptr_equal(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, page.fd, 0), MAP_FAILED);
	assert_true((fcntl(page.fd, F_GETFD) & FD_CLOEXEC) != 0);
	close_page(&page);
}

static void pages_that_hold_no_region_cost_nothing(void **state)
{
	struct page page = page_of_ended_thread();
	struct stat stat;

	assert_int_equal(fstat(page.fd, &stat), 0);
	assert_true(stat.st_size == (off_t)CONTROL_BYTES);
	assert_true(stat.st_blocks * 512 <= 2 * sysconf(_SC_PAGESIZE));
	close_page(&page);
}

static void what_is_no_control_page_is_not_mapped(void **state)
{
	const struct control *control = NULL;
	int pipes[2];
	int fd;

	assert_int_equal(control_map(-1, &control), -EBADF);

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_int_equal(control_map(pipes[0], &control), -EPROTO);
	close(pipes[0]);
	close(pipes[1]);

	/* Large enough, but whoever sent it could shrink it under us. */
	fd = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fd, (off_t)CONTROL_BYTES), 0);
	assert_int_equal(control_map(fd, &control), -EPROTO);
	close(fd);

	/* Also what is in huge pages, which a hole could take away. */
	fd = memfd_create("long", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fd, (off_t)CONTROL_BYTES * 2), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_int_equal(control_map(fd, &control), -EPROTO);
	close(fd);

	fd = memfd_create("short", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fd, (off_t)CONTROL_BYTES - 1), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_int_equal(control_map(fd, &control), -EPROTO);
	close(fd);
	assert_null(control);
}

static void each_call_that_fails_leaves_nothing_behind(void **state)
{
	int *const errors[] = {
		&next_memfd_create_error, &next_ftruncate_error,  &next_mmap_error,
		&next_fcntl_error,	  &next_setpshared_error, &next_setrobust_error,
		&next_mutex_init_error,
	};
	size_t before = open_fds();
	struct control *control = NULL;
	int fd = -1;

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		*errors[i] = ENOMEM;
		assert_int_equal(control_create(&control, &fd), -ENOMEM);
		assert_int_equal(*errors[i], 0);
		assert_null(control);
		assert_int_equal(fd, -1);
		assert_int_equal(open_fds(), before);
	}
}

static void an_importer_that_cannot_map_it_says_why(void **state)
{
	struct page page = page_of_ended_thread();
	const struct control *control = NULL;

	next_mmap_error = ENOMEM;
	assert_int_equal(control_map(page.fd, &control), -ENOMEM);
	assert_null(control);
	close_page(&page);
}

static void a_kernel_without_the_write_seal_serves_too(void **state)
{
	struct page page;
	const struct control *control;

	next_fcntl_error = EINVAL;
	page = page_of_ended_thread();
	assert_int_equal(next_fcntl_error, 0);
	assert_int_equal(control_map(page.fd, &control), 0);
	control_unmap(control);
	close_page(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_region_is_alive_while_owner_and_generation_last),
		cmocka_unit_test(a_stopped_owner_is_alive),
		cmocka_unit_test(a_killed_owner_is_dead),
		cmocka_unit_test(a_thread_that_ended_is_dead_and_its_revoked_regions_are_revoked),
		cmocka_unit_test(nobody_who_has_the_descriptor_can_write_or_shrink_it),
		cmocka_unit_test(pages_that_hold_no_region_cost_nothing),
		cmocka_unit_test(what_is_no_control_page_is_not_mapped),
		cmocka_unit_test(each_call_that_fails_leaves_nothing_behind),
		cmocka_unit_test(an_importer_that_cannot_map_it_says_why),
		cmocka_unit_test(a_kernel_without_the_write_seal_serves_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
