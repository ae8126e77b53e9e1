/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of copies when the exporter dies, changes or withdraws: every task completes exactly
 * once, soon, with an error that says what happened, and the context can be started again.
 */
#include "support/peer_fixture.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEN ((size_t)1 << 20)
#define DEPTH 32
#define SECOND_NS UINT64_C(1000000000)
#define SLOW 10 /* a bound of a second is checked with a factor, for slow checkers */

static bool is_forced(const char *way)
{
	return strcmp(peer_reach_name(), way) == 0;
}

static bool is_hardware_mode(void)
{
	const char *mode = getenv("SOFTDOCA_ERRORS");

	return mode != NULL && strcmp(mode, "hardware") == 0;
}

static doca_error_t as_mode(doca_error_t documented)
{
	return is_hardware_mode() ? DOCA_ERROR_IO_FAILED : documented;
}

static size_t count_entries(const char *path)
{
	DIR *dir = opendir(path);
	size_t num = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		num++;
	closedir(dir);
	return num;
}

/* It is dead, and left for exporter_end() to reap. */
static void wait_for_end(pid_t pid)
{
	siginfo_t info;

	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

/* A process is stopped when each of its threads is, one after the other. */
static void stop(pid_t pid)
{
	siginfo_t info;

	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOWAIT), 0);
}

/* Submit until that many tasks are in flight; some may have completed before. */
static void submit_many(struct peer_fixture *peer, size_t num_tasks)
{
	for (size_t i = 0; i < num_tasks; i++) {
		const size_t len = LEN / DEPTH;
		struct doca_task *task =
			dma_task(peer->dma, peer_source(peer->dma, peer->mmap, i * len, len),
				 dma_target(peer->dma, i * len, len), i);

		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	}
}

/*
 * All that was submitted comes back, each once, within the bound; the first that failed has that
 * status and stopped the context, which can be started again.
 */
static void assert_fails_and_restarts(struct peer_fixture *peer, size_t num_tasks,
				      doca_error_t status)
{
	struct dma_fixture *dma = peer->dma;
	const uint64_t begin_ns = test_clock_ns();
	bool has_failed = false;
	size_t num_seen = 0;

	dma_wait_tasks(dma, num_tasks);
	assert_true(test_clock_ns() - begin_ns < SLOW * SECOND_NS);
	dma_wait_state(dma, dma->ctx, DOCA_CTX_STATE_IDLE);
	for (size_t i = 0; i < dma->num_events; i++) {
		const struct dma_event *event = &dma->events[i];

		if (event->kind == DMA_EVENT_STATE)
			continue;
		assert_int_equal(event->tag, num_seen++);
		if (event->kind == DMA_EVENT_SUCCESS)
			assert_false(has_failed);
		else if (!has_failed)
			assert_doca(event->status, as_mode(status));
		else
			assert_doca(event->status, DOCA_ERROR_IO_FAILED);
		has_failed = has_failed || event->kind == DMA_EVENT_ERROR;
	}
	assert_int_equal(num_seen, num_tasks);
	assert_true(has_failed);

	assert_doca(doca_ctx_start(dma->ctx), DOCA_SUCCESS);
	assert_doca(peer_copy(dma, dma_source(dma, 0, 4096), dma_target(dma, 0, 4096)),
		    DOCA_SUCCESS);
}

static void a_killed_exporter_resets_what_is_in_flight(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	submit_many(&peer, DEPTH);
	for (int i = 0; i < 5; i++)
		(void)doca_pe_progress(peer.dma->pe);
	assert_int_equal(kill(peer.exporter.pid, SIGKILL), 0);
	wait_for_end(peer.exporter.pid);
	assert_fails_and_restarts(&peer, DEPTH, DOCA_ERROR_CONNECTION_RESET);
	peer_close_all(&peer);
}

static void an_exporter_that_becomes_another_program_is_gone(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	exporter_do(&peer.exporter, EXPORTER_EXEC);
	submit_many(&peer, DEPTH);
	assert_fails_and_restarts(&peer, DEPTH, DOCA_ERROR_CONNECTION_RESET);
	peer_close_all(&peer);
}

static void a_destroyed_map_is_shut_down_and_its_memory_left_alone(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct dma_fixture *dma = peer.dma;
	uint8_t *expected = malloc(LEN);

	assert_non_null(expected);
	memset(expected, 0x11, LEN);
	exporter_do(&peer.exporter, EXPORTER_DESTROY);
	assert_doca(peer_copy(dma, dma_source(dma, 0, LEN), peer_target(dma, peer.mmap, 0, LEN)),
		    as_mode(DOCA_ERROR_SHUTDOWN));
	dma_wait_state(dma, dma->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM), exporter_sum(expected, LEN));
	free(expected);
	peer_close_all(&peer);
}

static void a_map_destroyed_under_a_stream_of_copies_is_left_alone(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct dma_fixture *dma = peer.dma;
	uint8_t *expected = malloc(LEN);
	char byte = EXPORTER_DESTROY;
	uint64_t answer = 1;

	assert_non_null(expected);
	memset(expected, 0x11, LEN);
	assert_int_equal(write(peer.exporter.commands, &byte, 1), 1);
	while (dma->num_error == 0) {
		const size_t done = dma->num_success;
		struct doca_task *task = dma_task(dma, dma_source(dma, 0, LEN),
						  peer_target(dma, peer.mmap, 0, LEN), 0);

		dma->num_events = 0;
		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
		while (dma->num_success == done && dma->num_error == 0)
			(void)doca_pe_progress(dma->pe);
	}
	assert_int_equal(read(peer.exporter.answers, &answer, sizeof(answer)), sizeof(answer));
	assert_int_equal(answer, 0);
	assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM), exporter_sum(expected, LEN));
	free(expected);
	dma_wait_state(dma, dma->ctx, DOCA_CTX_STATE_IDLE);
	peer_close_all(&peer);
}

static void unmapped_memory_fails_the_copy_alone(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct dma_fixture *dma = peer.dma;

	if (is_forced("mapped")) { /* its importer has the file's pages, whatever is unmapped */
		peer_close_all(&peer);
		return;
	}
	/* In the middle of malloc's own memory, which the exporter does not use again. */
	exporter_do(&peer.exporter, EXPORTER_UNMAP);
	assert_doca(peer_copy(dma, peer_source(dma, peer.mmap, 0, LEN), dma_target(dma, 0, LEN)),
		    DOCA_ERROR_IO_FAILED);
	dma_wait_state(dma, dma->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(dma->ctx), DOCA_SUCCESS);
	/* What is still there is still reached. */
	assert_doca(peer_copy(dma, peer_source(dma, peer.mmap, 0, 4096), dma_target(dma, 0, 4096)),
		    DOCA_SUCCESS);
	peer_close_all(&peer);
}

static void a_truncated_file_fails_the_copy_alone(void **state)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	const struct exporter_options options = {.memory = EXPORTER_FILE_SHARED,
						 .len_bytes = LEN,
						 .access = DOCA_ACCESS_FLAG_PCI_READ_WRITE};
	struct peer_fixture peer;

	if (is_forced("mapped")) /* such a file is never mapped */
		return;
	peer = peer_open_with(&options, &dma_options);
	exporter_do(&peer.exporter, EXPORTER_TRUNCATE);
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_ERROR_IO_FAILED);
	dma_wait_state(peer.dma, peer.dma->ctx, DOCA_CTX_STATE_IDLE);
	/* The exporter has not noticed. */
	assert_true(exporter_do(&peer.exporter, EXPORTER_RSS) > 0);
	peer_close_all(&peer);
}

static void a_stopped_exporter_delays_nbd_alone_and_no_longer_than_the_deadline(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct dma_fixture *other;

	/* What this process keeps for its first foreign copy is there before the other counts. */
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, 1),
			      dma_target(peer.dma, 0, 1)),
		    DOCA_SUCCESS);
	peer.dma->num_success = 0;
	peer.dma->num_events = 0;
	other = dma_open(&(struct dma_options){.area_bytes = 4096});
	stop(peer.exporter.pid);
	submit_many(&peer, 4);
	/* Progress does not wait for it, and others go on. */
	for (int i = 0; i < 100; i++) {
		const uint64_t begin_ns = test_clock_ns();

		(void)doca_pe_progress(peer.dma->pe);
		/* Less than the deadline, which this program is run with. */
		assert_true(test_clock_ns() - begin_ns < 3 * SECOND_NS);
		assert_doca(peer_copy(other, dma_source(other, 0, 64), dma_target(other, 0, 64)),
			    DOCA_SUCCESS);
	}
	dma_close(other);
	if (is_forced("nbd")) {
		assert_fails_and_restarts(&peer, 4, DOCA_ERROR_TIME_OUT);
	} else {
		dma_wait_tasks(peer.dma, 4);
		assert_int_equal(peer.dma->num_success, 4);
	}
	assert_int_equal(kill(peer.exporter.pid, SIGCONT), 0);
	peer_close_all(&peer);
}

static void a_child_of_the_exporter_keeps_nothing_alive(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	pid_t child = (pid_t)exporter_do(&peer.exporter, EXPORTER_FORK);

	/* The fork changes nothing for the importer. */
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_SUCCESS);
	assert_int_equal(kill(peer.exporter.pid, SIGKILL), 0);
	wait_for_end(peer.exporter.pid);
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    as_mode(DOCA_ERROR_CONNECTION_RESET));
	dma_wait_state(peer.dma, peer.dma->ctx, DOCA_CTX_STATE_IDLE);
	assert_int_equal(kill(child, SIGKILL), 0);
	peer_close_all(&peer);
}

static void a_child_of_the_importer_must_import_itself(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		doca_error_t result;

		alarm(TEST_DEADLINE_S);
		result = peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, 4096),
				   dma_target(peer.dma, 0, 4096));
		_exit(result == as_mode(DOCA_ERROR_CONNECTION_RESET) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* The parent's import lives on. */
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_SUCCESS);
	peer_close_all(&peer);
}

static void a_killed_importer_does_the_exporter_no_harm(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	for (int i = 0; i < 5; i++) {
		pid_t child = fork();

		if (child == 0) {
			struct doca_mmap *again = NULL;

			if (peer_import(peer.dma, &peer.exporter, &again) != DOCA_SUCCESS)
				_exit(1);
			kill(getpid(), SIGKILL);
		}
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_SUCCESS);
	/* It does not wait for the dead. */
	exporter_do(&peer.exporter, EXPORTER_DESTROY);
	peer_close_all(&peer);
}

static void an_import_of_what_is_gone_says_so(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct doca_mmap *again = NULL;
	uint8_t wrong[512];

	exporter_do(&peer.exporter, EXPORTER_DESTROY);
	assert_doca(peer_import(peer.dma, &peer.exporter, &again),
		    is_hardware_mode() ? DOCA_ERROR_DRIVER : DOCA_ERROR_NOT_FOUND);
	assert_null(again);
	kill(peer.exporter.pid, SIGKILL);
	wait_for_end(peer.exporter.pid);
	assert_doca(peer_import(peer.dma, &peer.exporter, &again),
		    is_hardware_mode() ? DOCA_ERROR_DRIVER : DOCA_ERROR_NOT_CONNECTED);
	memcpy(wrong, peer.exporter.descriptor, sizeof(wrong));
	for (size_t i = 0; i < peer.exporter.descriptor_bytes; i++) {
		wrong[i] ^= 0x40;
		assert_doca(doca_mmap_create_from_export(NULL, wrong,
							 peer.exporter.descriptor_bytes,
							 peer.dma->dev, &again),
			    DOCA_ERROR_INVALID_VALUE);
		wrong[i] ^= 0x40;
	}
	for (size_t len = 0; len < peer.exporter.descriptor_bytes; len++)
		assert_doca(doca_mmap_create_from_export(NULL, wrong, len, peer.dma->dev, &again),
			    DOCA_ERROR_INVALID_VALUE);
	assert_null(again);
	peer_close_all(&peer);
}

static void nothing_is_left_of_imports_that_failed(void **state)
{
	const size_t num_fds = count_entries("/proc/self/fd");
	const size_t num_threads = count_entries("/proc/self/task");

	for (int i = 0; i < 3; i++) {
		struct peer_fixture peer = peer_open_usual(LEN);

		submit_many(&peer, 4);
		kill(peer.exporter.pid, SIGKILL);
		wait_for_end(peer.exporter.pid);
		dma_wait_tasks(peer.dma, 4);
		dma_wait_state(peer.dma, peer.dma->ctx, DOCA_CTX_STATE_IDLE);
		peer_close_all(&peer);
	}
	assert_int_equal(count_entries("/proc/self/fd"), num_fds);
	assert_int_equal(count_entries("/proc/self/task"), num_threads);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_exporter_resets_what_is_in_flight),
		cmocka_unit_test(an_exporter_that_becomes_another_program_is_gone),
		cmocka_unit_test(a_destroyed_map_is_shut_down_and_its_memory_left_alone),
		cmocka_unit_test(a_map_destroyed_under_a_stream_of_copies_is_left_alone),
		cmocka_unit_test(unmapped_memory_fails_the_copy_alone),
		cmocka_unit_test(a_truncated_file_fails_the_copy_alone),
		cmocka_unit_test(
			a_stopped_exporter_delays_nbd_alone_and_no_longer_than_the_deadline),
		cmocka_unit_test(a_child_of_the_exporter_keeps_nothing_alive),
		cmocka_unit_test(a_child_of_the_importer_must_import_itself),
		cmocka_unit_test(a_killed_importer_does_the_exporter_no_harm),
		cmocka_unit_test(an_import_of_what_is_gone_says_so),
		cmocka_unit_test(nothing_is_left_of_imports_that_failed),
	};

	exporter_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
