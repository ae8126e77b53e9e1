/* SPDX-License-Identifier: Apache-2.0 */
/* What every way promises its callers. Each wait has a deadline. */
#include "contract/peer_suite.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "contract/peer_exporter.h"
#include "support/needs.h"
#include "support/process.h"

#define MAX_TESTS 64
#define READ EXPORT_MAY_READ
#define READ_WRITE (EXPORT_MAY_READ | EXPORT_MAY_WRITE)

/* The agent itself. */

static void *agent_start(const struct suite_memory *memory, uint8_t descriptor[EXPORT_MAX_BYTES],
			 size_t *len_bytes)
{
	static const struct peer_policy policy = {.deadline_ns = 1000000000};
	struct agent_region *region = NULL;
	const char *why = NULL;

	if (agent_export(&policy, &memory->range, &region, descriptor, len_bytes, &why) !=
	    DOCA_SUCCESS)
		return NULL;
	return region;
}

static void agent_stop(void *started)
{
	agent_revoke(started);
}

const struct suite_exporter agent_exporter = {.start = agent_start, .revoke = agent_stop};

/* A case. */

struct peer_case *peer_case_export(void **state, uint32_t rights)
{
	struct peer_case *opened = calloc(1, sizeof(*opened));

	assert_non_null(opened);
	opened->suite = *state;
	opened->num_fds = open_fds();
	opened->policy.reach = opened->suite->reach;
	opened->policy.deadline_ns = 1000000000;
	opened->waker.fd = event_fd_open();
	assert_true(opened->waker.fd >= 0);
	assert_int_equal(activity_take(&opened->activity), 0);
	memset(opened->local, PEER_SUITE_GUARD, sizeof(opened->local));
	opened->exporter =
		peer_exporter_start(opened->suite, rights, &opened->control, &opened->descriptor);
	return opened;
}

doca_error_t peer_case_import(struct peer_case *peer_case)
{
	return peer_open(&peer_case->policy, &peer_case->descriptor, &peer_case->region,
			 peer_case->report);
}

/* The io as it is for a new case: a read of all. */
static void io_init(struct peer_case *opened)
{
	opened->io = (struct peer_io){
		.region = opened->region,
		.activity = &opened->activity,
		.history = &opened->history,
		.waker = &opened->waker,
		.num_local = 1,
		.num_remote = 1,
		.len_bytes = PEER_SUITE_BYTES,
		.local = {{opened->local + 1, PEER_SUITE_BYTES}},
		.remote = {{opened->region->addr, PEER_SUITE_BYTES}},
	};
}

struct peer_case *peer_case_open(void **state, uint32_t rights)
{
	struct peer_case *opened = peer_case_export(state, rights);

	if (peer_case_import(opened) != DOCA_SUCCESS)
		fail_msg("%s", opened->report);
	assert_string_equal(opened->region->ops->name, opened->suite->way);
	assert_int_equal((uintptr_t)opened->region->addr, opened->descriptor.addr);
	assert_int_equal(opened->region->len_bytes, PEER_SUITE_BYTES);
	assert_int_equal(opened->region->is_writable, (rights & EXPORT_MAY_WRITE) != 0);
	io_init(opened);
	return opened;
}

void peer_case_close(struct peer_case *peer_case)
{
	if (peer_case->region != NULL)
		peer_close(peer_case->region);
	if (peer_case->exporter > 0)
		peer_case_kill(peer_case);
	close(peer_case->control);
	activity_drop(&peer_case->activity);
	event_fd_close(peer_case->waker.fd);
	assert_int_equal(open_fds(), peer_case->num_fds);
	free(peer_case);
}

static void wait_done(struct peer_case *peer_case, const struct peer_io *io)
{
	struct pollfd entry = {.fd = peer_case->waker.fd, .events = POLLIN};

	while (!peer_io_is_done(io)) {
		waker_arm(&peer_case->waker);
		assert_true(peer_io_is_done(io) || poll(&entry, 1, PROCESS_DEADLINE_MS) == 1);
		waker_disarm(&peer_case->waker);
		assert_int_equal(event_fd_drain(peer_case->waker.fd), 0);
	}
	wait_until_let_go(&peer_case->waker);
}

static void submit(struct peer_io *io)
{
	io->region->ops->submit(io->region, io);
}

doca_error_t peer_case_run(struct peer_case *peer_case)
{
	atomic_store(&peer_case->io.is_done, false);
	peer_case->io.status = DOCA_ERROR_UNKNOWN;
	submit(&peer_case->io);
	wait_done(peer_case, &peer_case->io);
	return peer_case->io.status;
}

void peer_case_revoke(struct peer_case *peer_case)
{
	peer_exporter_tell(peer_case->control, PEER_EXPORTER_REVOKE, NULL, 0);
}

void peer_case_unmap(struct peer_case *peer_case)
{
	peer_exporter_tell(peer_case->control, PEER_EXPORTER_UNMAP, NULL, 0);
}

void peer_case_exec(struct peer_case *peer_case)
{
	peer_exporter_tell(peer_case->control, PEER_EXPORTER_EXEC, NULL, 0);
}

void peer_case_kill(struct peer_case *peer_case)
{
	int status;

	assert_int_equal(kill(peer_case->exporter, SIGKILL), 0);
	assert_int_equal(waitpid(peer_case->exporter, &status, 0), peer_case->exporter);
	peer_case->exporter = 0;
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void peer_case_fetch(struct peer_case *peer_case, uint8_t all[PEER_SUITE_ALL_BYTES])
{
	peer_exporter_tell(peer_case->control, PEER_EXPORTER_FETCH, all, PEER_SUITE_ALL_BYTES);
}

void peer_case_local_is_untouched(const struct peer_case *peer_case)
{
	for (size_t i = 0; i < sizeof(peer_case->local); i++)
		assert_int_equal(peer_case->local[i], PEER_SUITE_GUARD);
}

/* The exporter's memory is as it was, but for the bytes written from the range's offset on. */
static void assert_remote(struct peer_case *peer_case, size_t offset, const uint8_t *written,
			  size_t len_bytes)
{
	uint8_t *all = malloc(PEER_SUITE_ALL_BYTES);
	uint8_t *expected = malloc(PEER_SUITE_ALL_BYTES);

	assert_non_null(all);
	assert_non_null(expected);
	memset(expected, PEER_SUITE_GUARD, PEER_SUITE_ALL_BYTES);
	for (size_t i = 0; i < PEER_SUITE_BYTES; i++)
		expected[PEER_SUITE_OFFSET + i] = peer_suite_byte(i);
	if (len_bytes > 0)
		memcpy(expected + PEER_SUITE_OFFSET + offset, written, len_bytes);
	peer_case_fetch(peer_case, all);
	assert_memory_equal(all, expected, PEER_SUITE_ALL_BYTES);
	free(all);
	free(expected);
}

void peer_case_is_untouched(struct peer_case *peer_case)
{
	peer_case_local_is_untouched(peer_case);
	assert_remote(peer_case, 0, NULL, 0);
}

/* What is to be written, another pattern than the exporter's. */
static void fill_local(struct peer_case *peer_case)
{
	for (size_t i = 0; i < PEER_SUITE_BYTES; i++)
		peer_case->local[1 + i] = (uint8_t)(peer_suite_byte(i) ^ 0x55);
}

/* The local bytes are those of the range from that offset on, in guards. */
static void assert_read(const struct peer_case *peer_case, size_t offset, size_t len_bytes)
{
	assert_int_equal(peer_case->local[0], PEER_SUITE_GUARD);
	for (size_t i = 0; i < len_bytes; i++)
		assert_int_equal(peer_case->local[1 + i], peer_suite_byte(offset + i));
	for (size_t i = 1 + len_bytes; i < sizeof(peer_case->local); i++)
		assert_int_equal(peer_case->local[i], PEER_SUITE_GUARD);
}

/* The one piece of either side. */
static void set_pieces(struct peer_case *peer_case, uint8_t *remote, size_t len_bytes)
{
	peer_case->io.len_bytes = len_bytes;
	peer_case->io.local[0] = (struct iovec){peer_case->local + 1, len_bytes};
	peer_case->io.remote[0] = (struct iovec){remote, len_bytes};
}

/* The contract. */

static void a_read_brings_what_the_exporter_has(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);

	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 0, PEER_SUITE_BYTES);
	assert_remote(opened, 0, NULL, 0);
	peer_case_close(opened);
}

static void a_write_lands_in_the_exporters_memory(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	fill_local(opened);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_remote(opened, 0, opened->local + 1, PEER_SUITE_BYTES);
	peer_case_close(opened);
}

static void the_first_and_the_last_byte_can_be_reached(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);
	uint8_t written = 0xa7;

	set_pieces(opened, opened->region->addr, 1);
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 0, 1);
	set_pieces(opened, opened->region->addr + PEER_SUITE_BYTES - 1, 1);
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, PEER_SUITE_BYTES - 1, 1);
	opened->local[1] = written;
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_remote(opened, PEER_SUITE_BYTES - 1, &written, 1);
	peer_case_close(opened);
}

/*
 * As many pieces as can be: the local ones of 1, 2, 3 ... bytes, the remote ones of 64, 63 ...; the
 * local ones in a row, the remote ones in a row at an odd place. Both sides are the same length.
 */
static size_t cut(struct peer_case *opened, size_t offset)
{
	size_t local_at = 0;
	size_t remote_at = 0;

	for (uint32_t i = 0; i < PEER_MAX_PIECES; i++) {
		size_t local_len = i + 1;
		size_t remote_len = PEER_MAX_PIECES - i;

		opened->io.local[i] = (struct iovec){opened->local + 1 + local_at, local_len};
		opened->io.remote[i] =
			(struct iovec){opened->region->addr + offset + remote_at, remote_len};
		local_at += local_len;
		remote_at += remote_len;
	}
	assert_int_equal(local_at, remote_at);
	opened->io.num_local = opened->io.num_remote = PEER_MAX_PIECES;
	opened->io.len_bytes = local_at;
	return local_at;
}

static void pieces_of_any_cut_are_read_as_one(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);
	size_t len_bytes = cut(opened, 4001);

	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 4001, len_bytes);
	peer_case_close(opened);
}

static void pieces_of_any_cut_are_written_as_one(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);
	size_t len_bytes = cut(opened, 4001);

	fill_local(opened);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_remote(opened, 4001, opened->local + 1, len_bytes);
	peer_case_close(opened);
}

static void one_piece_is_cut_into_many_and_many_into_one(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);
	size_t len_bytes = cut(opened, 0);

	opened->io.num_remote = 1;
	opened->io.remote[0].iov_len = len_bytes;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 0, len_bytes);

	(void)cut(opened, 100);
	opened->io.num_local = 1;
	opened->io.local[0].iov_len = len_bytes;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 100, len_bytes);
	peer_case_close(opened);
}

/* Pieces in the exporter that are in no order and apart. */
static void pieces_may_lie_anywhere_in_the_range(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);

	for (size_t i = 0; i < PEER_MAX_PIECES; i++) {
		size_t at = (PEER_MAX_PIECES - 1 - i) * 1000;

		opened->io.local[i] = (struct iovec){opened->local + 1 + at, 500};
		opened->io.remote[i] = (struct iovec){opened->region->addr + at, 500};
	}
	opened->io.num_local = opened->io.num_remote = PEER_MAX_PIECES;
	opened->io.len_bytes = (size_t)PEER_MAX_PIECES * 500;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	for (size_t i = 0; i < (size_t)PEER_MAX_PIECES * 1000; i++)
		assert_int_equal(opened->local[1 + i],
				 i % 1000 < 500 ? peer_suite_byte(i) : PEER_SUITE_GUARD);
	peer_case_close(opened);
}

static void a_write_to_what_is_exported_to_be_read_is_refused(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);

	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_ERROR_NOT_PERMITTED);
	peer_case_is_untouched(opened);
	opened->io.is_write = false;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	peer_case_close(opened);
}

/* By each way, though not each is taken to such memory. */
static void a_read_of_what_is_exported_to_be_written_is_refused(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	assert_true(opened->region->is_readable);
	opened->region->is_readable = false;
	assert_doca(peer_case_run(opened), DOCA_ERROR_NOT_PERMITTED);
	for (size_t i = 0; i < PEER_SUITE_BYTES; i++)
		assert_int_equal(opened->local[1 + i], PEER_SUITE_GUARD);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	peer_case_close(opened);
}

static void what_is_not_in_the_range_is_refused(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);
	uint8_t *addr = opened->region->addr;
	const struct iovec outside[] = {
		{addr - 1, 2},
		{addr - 1, 1},
		{addr + 1, PEER_SUITE_BYTES},
		{addr + PEER_SUITE_BYTES, 1},
		{addr + PEER_SUITE_BYTES - 1, 2},
		{(void *)(UINTPTR_MAX - 3), 8},
		{NULL, 1},
		{addr + 1, SIZE_MAX},
		{addr, SIZE_MAX},
	};

	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		for (int is_write = 0; is_write < 2; is_write++) {
			opened->io.is_write = is_write != 0;
			opened->io.remote[0] = outside[i];
			assert_doca(peer_case_run(opened), DOCA_ERROR_INVALID_VALUE);
		}
	}
	peer_case_is_untouched(opened);
	peer_case_close(opened);
}

static void one_piece_outside_refuses_all_of_them(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	(void)cut(opened, 0);
	opened->io.remote[PEER_MAX_PIECES - 1].iov_base = opened->region->addr + PEER_SUITE_BYTES;
	assert_doca(peer_case_run(opened), DOCA_ERROR_INVALID_VALUE);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_ERROR_INVALID_VALUE);
	peer_case_is_untouched(opened);
	peer_case_close(opened);
}

static void after_a_revocation_nothing_is_read_or_written(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	memset(opened->local, PEER_SUITE_GUARD, sizeof(opened->local));
	peer_case_revoke(opened);
	assert_doca(peer_case_run(opened), DOCA_ERROR_SHUTDOWN);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_ERROR_SHUTDOWN);
	peer_case_is_untouched(opened);
	peer_case_close(opened);
}

static void a_killed_exporter_is_a_reset_connection(void **state)
{
	skip_unless(kernel_marks_dead_owners(), NO_ROBUST_LOCKS);

	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	peer_case_kill(opened);
	assert_doca(peer_case_run(opened), DOCA_ERROR_CONNECTION_RESET);
	peer_case_local_is_untouched(opened);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_ERROR_CONNECTION_RESET);
	peer_case_close(opened);
}

/* The kill meets the importer anywhere. */
static void a_kill_in_a_stream_of_copies_ends_it_with_a_reset_connection(void **state)
{
	skip_unless(kernel_marks_dead_owners(), NO_ROBUST_LOCKS);

	for (int is_write = 0; is_write < 2; is_write++) {
		struct peer_case *opened = peer_case_open(state, READ_WRITE);
		doca_error_t status = DOCA_SUCCESS;

		opened->io.is_write = is_write != 0;
		for (int i = 0; i < 50; i++)
			assert_doca(peer_case_run(opened), DOCA_SUCCESS);
		assert_int_equal(kill(opened->exporter, SIGKILL), 0);
		alarm(PROCESS_DEADLINE_S);
		while (status == DOCA_SUCCESS)
			status = peer_case_run(opened);
		alarm(0);
		assert_doca(status, DOCA_ERROR_CONNECTION_RESET);
		peer_case_close(opened);
	}
}

static void a_program_that_follows_the_exporter_is_not_touched(void **state)
{
	skip_unless(kernel_marks_dead_owners(), NO_ROBUST_LOCKS);

	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	peer_case_exec(opened);
	assert_doca(peer_case_run(opened), DOCA_ERROR_CONNECTION_RESET);
	peer_case_local_is_untouched(opened);
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_ERROR_CONNECTION_RESET);
	peer_case_close(opened);
}

static void memory_that_the_exporter_unmapped_is_a_failure(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ_WRITE);

	if (opened->suite->notices_unmaps) {
		peer_case_unmap(opened);
		assert_doca(peer_case_run(opened), DOCA_ERROR_IO_FAILED);
		opened->io.is_write = true;
		assert_doca(peer_case_run(opened), DOCA_ERROR_IO_FAILED);
	}
	/* What is there is still there. */
	memset(opened->local, PEER_SUITE_GUARD, sizeof(opened->local));
	set_pieces(opened, opened->region->addr, 1000);
	opened->io.is_write = false;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	if (!opened->suite->notices_unmaps)
		assert_read(opened, 0, 1000);
	peer_case_close(opened);
}

#define NUM_IOS 100

static void every_io_becomes_done_once(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);
	struct peer_io *ios = calloc(NUM_IOS, sizeof(*ios));

	assert_non_null(ios);
	for (size_t i = 0; i < NUM_IOS; i++) {
		ios[i] = opened->io;
		ios[i].len_bytes = 500;
		ios[i].local[0] = (struct iovec){opened->local + 1 + i * 500, 500};
		ios[i].remote[0] = (struct iovec){opened->region->addr + i * 500, 500};
		submit(&ios[i]);
	}
	for (size_t i = 0; i < NUM_IOS; i++) {
		wait_done(opened, &ios[i]);
		assert_doca(ios[i].status, DOCA_SUCCESS);
		/* It is ours again, and stays as we leave it. */
		atomic_store(&ios[i].is_done, false);
	}
	assert_read(opened, 0, NUM_IOS * (size_t)500);
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	peer_case_close(opened);
	for (size_t i = 0; i < NUM_IOS; i++)
		assert_false(peer_io_is_done(&ios[i]));
	free(ios);
}

struct copier {
	struct peer_case *opened;
	struct activity activity;
	struct waker waker;
	uint8_t local[4096];
	bool is_right;
};

static void *copy_many(void *argument)
{
	struct copier *copier = argument;
	struct peer_case of_its_own = {.waker = {.fd = copier->waker.fd}};
	struct peer_io *io = &of_its_own.io;

	*io = copier->opened->io;
	io->activity = &copier->activity;
	io->history = &of_its_own.history;
	io->waker = &of_its_own.waker;
	io->len_bytes = sizeof(copier->local);
	io->local[0] = (struct iovec){copier->local, sizeof(copier->local)};
	io->remote[0].iov_len = sizeof(copier->local);
	for (int i = 0; i < 500; i++) {
		memset(copier->local, 0, sizeof(copier->local));
		if (peer_case_run(&of_its_own) != DOCA_SUCCESS)
			return NULL;
		for (size_t at = 0; at < sizeof(copier->local); at++)
			if (copier->local[at] != peer_suite_byte(at))
				return NULL;
	}
	copier->is_right = true;
	return NULL;
}

static void threads_share_a_region(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);
	struct copier *copiers = calloc(3, sizeof(*copiers));
	pthread_t threads[3];

	assert_non_null(copiers);
	for (size_t i = 0; i < 3; i++) {
		copiers[i].opened = opened;
		copiers[i].waker.fd = event_fd_open();
		assert_int_equal(activity_take(&copiers[i].activity), 0);
		assert_int_equal(pthread_create(&threads[i], NULL, copy_many, &copiers[i]), 0);
	}
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_true(copiers[i].is_right);
		activity_drop(&copiers[i].activity);
		event_fd_close(copiers[i].waker.fd);
	}
	free(copiers);
	peer_case_close(opened);
}

/* An importer may have the same range twice, and end one without the other. */
static void regions_of_one_export_know_nothing_of_each_other(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);
	struct peer_region *first = opened->region;

	assert_doca(peer_case_import(opened), DOCA_SUCCESS);
	assert_ptr_not_equal(opened->region, first);
	peer_close(first);
	opened->io.region = opened->region;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 0, PEER_SUITE_BYTES);
	peer_case_close(opened);
}

/* In a child: what it inherits is of no use, and what it imports itself is. */
static bool child_imports_again(void *argument)
{
	struct peer_case *inherited = argument;
	struct peer_region *of_parent = inherited->region;
	doca_error_t result;

	submit(&inherited->io);
	if (!peer_io_is_done(&inherited->io) || inherited->io.status != DOCA_ERROR_CONNECTION_RESET)
		return false;
	peer_case_local_is_untouched(inherited);
	/* Where Yama lets but a parent look into its children, this child may not. */
	result = peer_case_import(inherited);
	if (result == DOCA_ERROR_NOT_PERMITTED && inherited->suite->reach == PEER_REACH_CMA)
		return true;
	if (result != DOCA_SUCCESS)
		return false;
	inherited->io.region = inherited->region;
	if (peer_case_run(inherited) != DOCA_SUCCESS)
		return false;
	assert_read(inherited, 0, PEER_SUITE_BYTES);
	peer_close(of_parent);
	peer_close(inherited->region);
	return true;
}

static void a_forked_child_cannot_use_its_parents_region_and_imports_again(void **state)
{
	struct peer_case *opened = peer_case_open(state, READ);

	assert_in_fork(child_imports_again, opened);
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_read(opened, 0, PEER_SUITE_BYTES);
	peer_case_close(opened);
}

static void a_wrong_secret_imports_nothing(void **state)
{
	struct peer_case *opened = peer_case_export(state, READ);

	opened->descriptor.secret[0] ^= 0x80;
	assert_doca(peer_case_import(opened), DOCA_ERROR_AUTHENTICATION);
	assert_null(opened->region);
	assert_true(strlen(opened->report) > 0);
	peer_case_close(opened);
}

static void a_revoked_region_cannot_be_imported(void **state)
{
	struct peer_case *opened = peer_case_export(state, READ);

	peer_case_revoke(opened);
	/* An agent without a region has ended: then nobody listens. */
	if (peer_case_import(opened) != DOCA_ERROR_NOT_CONNECTED)
		assert_doca(peer_case_import(opened), DOCA_ERROR_NOT_FOUND);
	assert_null(opened->region);
	peer_case_close(opened);
}

static void a_dead_exporters_region_cannot_be_imported(void **state)
{
	struct peer_case *opened = peer_case_export(state, READ);

	peer_case_kill(opened);
	assert_doca(peer_case_import(opened), DOCA_ERROR_NOT_CONNECTED);
	assert_null(opened->region);
	peer_case_close(opened);
}

bool peer_suite_kernel_copies(void)
{
	bool is_permitted = kernel_copies();

	if (!is_permitted)
		puts("1..0 # SKIP " NO_KERNEL_COPIES);
	return is_permitted;
}

int peer_suite_run(const struct peer_suite *suite, const struct CMUnitTest *own, size_t num_own)
{
	static const struct CMUnitTest contract[] = {
		cmocka_unit_test(a_read_brings_what_the_exporter_has),
		cmocka_unit_test(a_write_lands_in_the_exporters_memory),
		cmocka_unit_test(the_first_and_the_last_byte_can_be_reached),
		cmocka_unit_test(pieces_of_any_cut_are_read_as_one),
		cmocka_unit_test(pieces_of_any_cut_are_written_as_one),
		cmocka_unit_test(one_piece_is_cut_into_many_and_many_into_one),
		cmocka_unit_test(pieces_may_lie_anywhere_in_the_range),
		cmocka_unit_test(a_write_to_what_is_exported_to_be_read_is_refused),
		cmocka_unit_test(a_read_of_what_is_exported_to_be_written_is_refused),
		cmocka_unit_test(what_is_not_in_the_range_is_refused),
		cmocka_unit_test(one_piece_outside_refuses_all_of_them),
		cmocka_unit_test(after_a_revocation_nothing_is_read_or_written),
		cmocka_unit_test(a_killed_exporter_is_a_reset_connection),
		cmocka_unit_test(a_kill_in_a_stream_of_copies_ends_it_with_a_reset_connection),
		cmocka_unit_test(a_program_that_follows_the_exporter_is_not_touched),
		cmocka_unit_test(memory_that_the_exporter_unmapped_is_a_failure),
		cmocka_unit_test(every_io_becomes_done_once),
		cmocka_unit_test(threads_share_a_region),
		cmocka_unit_test(regions_of_one_export_know_nothing_of_each_other),
		cmocka_unit_test(a_forked_child_cannot_use_its_parents_region_and_imports_again),
		cmocka_unit_test(a_wrong_secret_imports_nothing),
		cmocka_unit_test(a_revoked_region_cannot_be_imported),
		cmocka_unit_test(a_dead_exporters_region_cannot_be_imported),
	};
	const size_t num_contract = sizeof(contract) / sizeof(contract[0]);
	struct CMUnitTest all[MAX_TESTS];

	if (num_contract + num_own > MAX_TESTS)
		return 1;
	memcpy(all, contract, sizeof(contract));
	memcpy(all + num_contract, own, num_own * sizeof(*own));
	for (size_t i = 0; i < num_contract + num_own; i++)
		all[i].initial_state = (void *)suite;
	return _cmocka_run_group_tests(suite->way, all, num_contract + num_own, NULL, NULL);
}
