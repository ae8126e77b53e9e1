/* SPDX-License-Identifier: Apache-2.0 */
/* The way through the kernel: the contract, when it is not taken, and calls that fail. */
#include "contract/peer_suite.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "peer/cma/cma.h"
#include "support/fail_calloc.h"

/* The linker sends the calls to the first, and knows the real ones as the second. */
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local,
				const struct iovec *remote, unsigned long num_remote,
				unsigned long flags);
ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local,
				const struct iovec *remote, unsigned long num_remote,
				unsigned long flags);
ssize_t __wrap_process_vm_writev(pid_t pid, const struct iovec *local, unsigned long num_local,
				 const struct iovec *remote, unsigned long num_remote,
				 unsigned long flags);
ssize_t __real_process_vm_writev(pid_t pid, const struct iovec *local, unsigned long num_local,
				 const struct iovec *remote, unsigned long num_remote,
				 unsigned long flags);

/* What the wrappers do and saw; the linker's wrappers have no other way to learn and tell it. */
static _Thread_local int next_error;		     /* of the next call, 0 for none */
static _Thread_local unsigned int num_calls;	     /* since it was cleared */
static _Thread_local size_t next_limit_bytes;	     /* of the next call, 0 for none */
static _Thread_local const struct activity *watched; /* whose word is looked at in a call */
static _Thread_local uint64_t tag_seen;
static _Thread_local struct peer_case *killed; /* the case whose exporter dies in the next call */

/* As much of the first pieces as the limit lets pass. */
static ssize_t call_limited(bool is_write, pid_t pid, const struct iovec *local,
			    const struct iovec *remote)
{
	struct iovec from = {local->iov_base, next_limit_bytes};
	struct iovec to = {remote->iov_base, next_limit_bytes};

	assert_true(next_limit_bytes <= local->iov_len && next_limit_bytes <= remote->iov_len);
	next_limit_bytes = 0;
	return is_write ? __real_process_vm_writev(pid, &from, 1, &to, 1, 0)
			: __real_process_vm_readv(pid, &from, 1, &to, 1, 0);
}

static int before_call(void)
{
	int error = next_error;

	num_calls++;
	next_error = 0;
	if (watched != NULL)
		tag_seen = atomic_load(watched->word);
	errno = error;
	return error;
}

static void after_call(void)
{
	if (killed != NULL)
		peer_case_kill(killed);
	killed = NULL;
}

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local,
				const struct iovec *remote, unsigned long num_remote,
				unsigned long flags)
{
	ssize_t got;

	if (before_call() != 0)
		return -1;
	if (next_limit_bytes > 0)
		return call_limited(false, pid, local, remote);
	got = __real_process_vm_readv(pid, local, num_local, remote, num_remote, flags);
	after_call();
	return got;
}

ssize_t __wrap_process_vm_writev(pid_t pid, const struct iovec *local, unsigned long num_local,
				 const struct iovec *remote, unsigned long num_remote,
				 unsigned long flags)
{
	if (before_call() != 0)
		return -1;
	if (next_limit_bytes > 0)
		return call_limited(true, pid, local, remote);
	return __real_process_vm_writev(pid, local, num_local, remote, num_remote, flags);
}

static void sixty_four_pieces_are_one_call(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);

	for (size_t i = 0; i < PEER_MAX_PIECES; i++) {
		opened->io.local[i] = (struct iovec){opened->local + 1 + i * 100, 100};
		opened->io.remote[i] = (struct iovec){opened->region->addr + i * 200, 100};
	}
	opened->io.num_local = opened->io.num_remote = PEER_MAX_PIECES;
	opened->io.len_bytes = (size_t)PEER_MAX_PIECES * 100;
	for (int is_write = 0; is_write < 2; is_write++) {
		num_calls = 0;
		opened->io.is_write = is_write != 0;
		assert_doca(peer_case_run(opened), DOCA_SUCCESS);
		assert_int_equal(num_calls, 1);
	}
	peer_case_close(opened);
}

static void the_exporter_sees_a_copy_that_runs_and_not_one_that_is_over(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);

	for (int is_write = 0; is_write < 2; is_write++) {
		watched = &opened->activity;
		tag_seen = 0;
		opened->io.is_write = is_write != 0;
		assert_doca(peer_case_run(opened), DOCA_SUCCESS);
		watched = NULL;
		assert_int_not_equal(tag_seen, 0);
		assert_int_equal(atomic_load(opened->activity.word), 0);
	}
	peer_case_close(opened);
}

static void a_refused_io_calls_nothing(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ);

	num_calls = 0;
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_ERROR_NOT_PERMITTED);
	opened->io.is_write = false;
	opened->io.remote[0].iov_len++;
	assert_doca(peer_case_run(opened), DOCA_ERROR_INVALID_VALUE);
	opened->io.remote[0].iov_len--;
	peer_case_revoke(opened);
	assert_doca(peer_case_run(opened), DOCA_ERROR_SHUTDOWN);
	peer_case_kill(opened);
	assert_int_equal(num_calls, 0);
	peer_case_close(opened);
}

/* 2 GiB, or a page that is not there: the next call tells. */
static void a_call_that_did_less_is_followed_by_another(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);

	opened->io.num_local = 2;
	opened->io.local[0].iov_len = 10000;
	opened->io.local[1] = (struct iovec){opened->local + 1 + 10000, PEER_SUITE_BYTES - 10000};
	num_calls = 0;
	next_limit_bytes = 7000;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_int_equal(num_calls, 2);
	for (size_t i = 0; i < PEER_SUITE_BYTES; i++)
		assert_int_equal(opened->local[1 + i], peer_suite_byte(i));
	peer_case_close(opened);
}

static void a_range_that_is_half_there_is_a_failure(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);

	peer_case_unmap(opened);
	num_calls = 0;
	assert_doca(peer_case_run(opened), DOCA_ERROR_IO_FAILED);
	assert_int_equal(num_calls, 2);
	peer_case_close(opened);
}

static void assert_status(struct peer_case *opened, int error, doca_error_t wanted)
{
	next_error = error;
	assert_doca(peer_case_run(opened), wanted);
	assert_int_equal(next_error, 0);
}

static void each_error_of_the_call_has_its_status(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);

	for (int is_write = 0; is_write < 2; is_write++) {
		opened->io.is_write = is_write != 0;
		assert_status(opened, EFAULT, DOCA_ERROR_IO_FAILED);
		assert_status(opened, ESRCH, DOCA_ERROR_CONNECTION_RESET);
		assert_status(opened, EPERM, DOCA_ERROR_NOT_PERMITTED);
		assert_status(opened, ENOMEM, DOCA_ERROR_NO_MEMORY);
		assert_status(opened, EINVAL, DOCA_ERROR_IO_FAILED);
	}
	peer_case_close(opened);
}

/* What was read may be the program's that follows the exporter. */
static void what_is_read_as_the_exporter_ends_is_no_success(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ);

	killed = opened;
	assert_doca(peer_case_run(opened), DOCA_ERROR_CONNECTION_RESET);
	assert_null(killed);
	peer_case_close(opened);
}

/* Not taken. */

static void assert_not_taken(struct peer_case *exported, doca_error_t wanted, const char *reason)
{
	assert_doca(peer_case_import(exported), wanted);
	assert_null(exported->region);
	if (strstr(exported->report, reason) == NULL)
		fail_msg("'%s' does not say '%s'", exported->report, reason);
	peer_case_close(exported);
}

static void a_kernel_that_refuses_is_not_permitted(void **state)
{
	struct peer_case *exported = peer_case_export(state, EXPORT_MAY_READ);

	next_error = EPERM;
	assert_not_taken(exported, DOCA_ERROR_NOT_PERMITTED, "kernel does not permit");
}

static void an_exporter_in_another_process_namespace_is_not_reached(void **state)
{
	struct peer_case *exported = peer_case_export(state, EXPORT_MAY_READ);

	next_error = ESRCH;
	assert_not_taken(exported, DOCA_ERROR_NOT_SUPPORTED, "process namespace");
}

static void a_kernel_without_the_call_is_not_supported(void **state)
{
	struct peer_case *exported = peer_case_export(state, EXPORT_MAY_READ);

	next_error = ENOSYS;
	assert_not_taken(exported, DOCA_ERROR_NOT_SUPPORTED, "process_vm_readv");
}

static void a_process_without_the_id_at_its_place_is_not_the_exporter(void **state)
{
	struct peer_case *exported = peer_case_export(state, EXPORT_MAY_READ);

	exported->descriptor.cell_addr = exported->descriptor.addr;
	assert_not_taken(exported, DOCA_ERROR_NOT_SUPPORTED, "not the one that exported");
	exported = peer_case_export(state, EXPORT_MAY_READ);
	exported->descriptor.cell_addr = 16;
	assert_not_taken(exported, DOCA_ERROR_NOT_SUPPORTED, "not the one that exported");
	exported = peer_case_export(state, EXPORT_MAY_READ);
	next_limit_bytes = 8;
	assert_not_taken(exported, DOCA_ERROR_NOT_SUPPORTED, "not the one that exported");
}

static void an_exporter_that_does_not_offer_it_is_not_probed(void **state)
{
	struct peer_case *exported = peer_case_export(state, EXPORT_MAY_READ);

	exported->descriptor.flags &= ~(uint32_t)EXPORT_CMA;
	num_calls = 0;
	assert_not_taken(exported, DOCA_ERROR_NOT_SUPPORTED, "does not offer");
	assert_int_equal(num_calls, 0);
}

/* Directly, as no exporter here is invisible to the test. */
static void an_exporter_without_a_process_id_here_is_not_reached(void **state)
{
	const struct export_descriptor descriptor = {.flags = EXPORT_CMA};
	struct attachment attachment = {.pid = 0};
	struct peer_region *region = NULL;
	const char *why = NULL;

	num_calls = 0;
	assert_doca(cma_open(&descriptor, &attachment, &region, &why), DOCA_ERROR_NOT_SUPPORTED);
	assert_non_null(strstr(why, "process namespace"));
	assert_null(region);
	assert_int_equal(num_calls, 0);
}

static void without_memory_it_is_no_memory(void **state)
{
	static uint8_t cell[EXPORT_ID_BYTES];
	const struct export_descriptor descriptor = {
		.flags = EXPORT_CMA,
		.cell_addr = (uintptr_t)cell,
	};
	struct attachment attachment = {.pid = getpid()};
	struct peer_region *region = NULL;
	const char *why = NULL;

	next_calloc_fails = true;
	assert_doca(cma_open(&descriptor, &attachment, &region, &why), DOCA_ERROR_NO_MEMORY);
	assert_non_null(why);
	assert_null(region);
}

int main(void)
{
	static const struct peer_suite suite = {
		.way = "cma",
		.reach = PEER_REACH_CMA,
		.exporter = &agent_exporter,
		.notices_unmaps = true,
	};
	const struct CMUnitTest own[] = {
		cmocka_unit_test(sixty_four_pieces_are_one_call),
		cmocka_unit_test(the_exporter_sees_a_copy_that_runs_and_not_one_that_is_over),
		cmocka_unit_test(a_refused_io_calls_nothing),
		cmocka_unit_test(a_call_that_did_less_is_followed_by_another),
		cmocka_unit_test(a_range_that_is_half_there_is_a_failure),
		cmocka_unit_test(each_error_of_the_call_has_its_status),
		cmocka_unit_test(what_is_read_as_the_exporter_ends_is_no_success),
		cmocka_unit_test(a_kernel_that_refuses_is_not_permitted),
		cmocka_unit_test(an_exporter_in_another_process_namespace_is_not_reached),
		cmocka_unit_test(a_kernel_without_the_call_is_not_supported),
		cmocka_unit_test(a_process_without_the_id_at_its_place_is_not_the_exporter),
		cmocka_unit_test(an_exporter_that_does_not_offer_it_is_not_probed),
		cmocka_unit_test(an_exporter_without_a_process_id_here_is_not_reached),
		cmocka_unit_test(without_memory_it_is_no_memory),
	};

	if (!peer_suite_kernel_copies())
		return 0;
	return peer_suite_run(&suite, own, sizeof(own) / sizeof(own[0]));
}
