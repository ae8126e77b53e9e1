/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of another process through the NBD protocol: what works. */
#include "support/nbd_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define MAX_FDS 256
#define SERVED_BYTES (6 * MIB)

struct fixture {
	struct nbd_server server;
	struct peer_region *region;
	struct copy copy;
	uint8_t *local;
	size_t num_fds;
	bool was_open[MAX_FDS];
};

static struct fixture *fixture_of(void **state)
{
	return *state;
}

static void fill(uint8_t *bytes, size_t len, unsigned int seed)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)((i * 2654435761U + seed) >> 11);
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->num_fds = count_fds();
	for (int fd = 0; fd < MAX_FDS; fd++)
		fixture->was_open[fd] = fcntl(fd, F_GETFD) >= 0;
	fixture->local = malloc(SERVED_BYTES);
	assert_non_null(fixture->local);
	fill(fixture->local, SERVED_BYTES, 1);
	copy_init(&fixture->copy);
	nbd_server_init(&fixture->server, SERVED_BYTES);
	fill(fixture->server.memory, SERVED_BYTES, 2);
	nbd_server_start(&fixture->server);
	fixture->region = open_region(&fixture->server);
	*state = fixture;
	return 0;
}

/* Each test ends with the threads and descriptors it began with. */
static int tear_down(void **state)
{
	struct fixture *fixture = fixture_of(state);

	if (fixture->region != NULL)
		close_region(fixture->region);
	nbd_server_fini(&fixture->server);
	copy_fini(&fixture->copy);
	assert_int_equal(count_fds(), fixture->num_fds);
	free(fixture->local);
	free(fixture);
	return 0;
}

static void a_region_is_what_its_descriptor_says(void **state)
{
	const struct peer_region *region = fixture_of(state)->region;

	assert_string_equal(region->ops->name, "nbd");
	assert_int_equal((uintptr_t)region->addr, NBD_SERVER_ADDR);
	assert_int_equal(region->len_bytes, SERVED_BYTES);
	assert_true(region->is_writable);
}

static void another_version_gets_nothing(void **state)
{
	assert_null(softdoca_net_way(NET_VERSION + 1));
	assert_null(softdoca_net_way(0));
	assert_int_equal(softdoca_net_way(NET_VERSION)->version, NET_VERSION);
}

static void a_read_brings_what_the_exporter_has(void **state)
{
	struct fixture *fixture = fixture_of(state);

	copy_set(&fixture->copy, false, fixture->local, 4321, 65536);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_memory_equal(fixture->local, fixture->server.memory + 4321, 65536);
}

static void a_done_write_is_in_the_exporters_memory(void **state)
{
	struct fixture *fixture = fixture_of(state);

	copy_set(&fixture->copy, true, fixture->local, 1, 65535);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_memory_equal(fixture->server.memory + 1, fixture->local, 65535);
}

static void the_whole_region_goes_in_both_directions(void **state)
{
	struct fixture *fixture = fixture_of(state);

	copy_set(&fixture->copy, true, fixture->local, 0, SERVED_BYTES);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_memory_equal(fixture->server.memory, fixture->local, SERVED_BYTES);

	fill(fixture->server.memory, SERVED_BYTES, 3);
	copy_set(&fixture->copy, false, fixture->local, 0, SERVED_BYTES);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_memory_equal(fixture->server.memory, fixture->local, SERVED_BYTES);
	assert_true(atomic_load(&fixture->server.plan->max_request_bytes) <= 32 * MIB);
}

static void a_copy_of_nothing_is_done(void **state)
{
	struct fixture *fixture = fixture_of(state);

	copy_set(&fixture->copy, false, fixture->local, 7, 0);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	fixture->copy.io.num_local = 0;
	fixture->copy.io.num_remote = 0;
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_int_equal(atomic_load(&fixture->server.plan->num_requests), 0);
}

/* Cuts a range into so many pieces, some empty; the rest is in the last. */
static void cut(struct iovec *pieces, uint32_t num, uint8_t *at, size_t len, size_t step)
{
	for (uint32_t i = 0; i < num; i++) {
		size_t piece = i + 1 == num ? len : step * (i % 5);

		if (piece > len)
			piece = len;
		pieces[i] = (struct iovec){at, piece};
		at += piece;
		len -= piece;
	}
}

static void pieces_of_both_sides_are_matched(void **state)
{
	struct fixture *fixture = fixture_of(state);
	struct peer_io *io = &fixture->copy.io;
	uint8_t *remote = (uint8_t *)(uintptr_t)NBD_SERVER_ADDR;

	for (uint32_t num = 1; num <= PEER_MAX_PIECES; num += 9) {
		copy_set(&fixture->copy, num % 2 == 0, fixture->local, 0, MIB + num);
		io->num_local = num;
		io->num_remote = PEER_MAX_PIECES + 1 - num;
		cut(io->local, io->num_local, fixture->local, io->len_bytes, 777);
		cut(io->remote, io->num_remote, remote + num, io->len_bytes, 1001);
		fill(fixture->local, 2 * MIB, num);
		fill(fixture->server.memory, 2 * MIB, num + 1);
		assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
		assert_memory_equal(fixture->local, fixture->server.memory + num, io->len_bytes);
	}
}

#define NUM_COPIES 200

/* More copies, and more commands, than may be under way. */
static void many_copies_at_once_are_all_done(void **state)
{
	struct fixture *fixture = fixture_of(state);
	struct copy *copies = calloc(NUM_COPIES, sizeof(*copies));
	const size_t len = SERVED_BYTES / NUM_COPIES;

	assert_non_null(copies);
	for (size_t i = 0; i < NUM_COPIES; i++) {
		copy_init(&copies[i]);
		copy_set(&copies[i], i % 2 == 0, fixture->local + i * len, i * len, len);
		copies[i].io.num_local = 8;
		cut(copies[i].io.local, 8, fixture->local + i * len, len, 100 * i);
	}
	for (size_t i = 0; i < NUM_COPIES; i++)
		copy_submit(&copies[i], fixture->region);
	for (size_t i = 0; i < NUM_COPIES; i++) {
		assert_doca(copy_wait(&copies[i]), DOCA_SUCCESS);
		copy_fini(&copies[i]);
	}
	assert_memory_equal(fixture->local, fixture->server.memory, NUM_COPIES * len);
	free(copies);
}

struct submitter {
	pthread_t thread;
	struct fixture *fixture;
	struct copy copy;
	size_t number;
	doca_error_t result;
};

static void *submit_often(void *argument)
{
	struct submitter *submitter = argument;
	struct fixture *fixture = submitter->fixture;
	size_t offset = submitter->number * MIB;

	for (int i = 0; i < 100 && submitter->result == DOCA_SUCCESS; i++) {
		copy_set(&submitter->copy, i % 2 == 0, fixture->local + offset, offset, 10000);
		submitter->result = copy_run(&submitter->copy, fixture->region);
	}
	return NULL;
}

static void threads_share_a_region(void **state)
{
	struct submitter submitters[4];

	for (size_t i = 0; i < 4; i++) {
		submitters[i] = (struct submitter){.fixture = fixture_of(state), .number = i};
		copy_init(&submitters[i].copy);
		assert_int_equal(
			pthread_create(&submitters[i].thread, NULL, submit_often, &submitters[i]),
			0);
	}
	for (size_t i = 0; i < 4; i++) {
		pthread_join(submitters[i].thread, NULL);
		copy_fini(&submitters[i].copy);
		assert_doca(submitters[i].result, DOCA_SUCCESS);
	}
}

/* As the protocol numbers them. */
static void each_error_of_the_server_has_its_status(void **state)
{
	static const struct {
		uint32_t error;
		doca_error_t wanted;
	} errors[] = {
		{1, DOCA_ERROR_NOT_PERMITTED}, /* EPERM */
		{5, DOCA_ERROR_IO_FAILED},     /* EIO */
		{12, DOCA_ERROR_IO_FAILED},    /* ENOMEM, there */
		{22, DOCA_ERROR_IO_FAILED},    /* EINVAL */
		{28, DOCA_ERROR_IO_FAILED},    /* ENOSPC */
		{95, DOCA_ERROR_IO_FAILED},    /* ENOTSUP */
		{108, DOCA_ERROR_SHUTDOWN},    /* ESHUTDOWN */
		{4711, DOCA_ERROR_IO_FAILED},
	};
	struct fixture *fixture = fixture_of(state);

	for (size_t i = 0; i < 2 * sizeof(errors) / sizeof(errors[0]); i++) {
		fixture->server.plan->error = errors[i / 2].error;
		atomic_store(&fixture->server.plan->fault, NBD_ANSWERS_ERROR);
		copy_set(&fixture->copy, i % 2 == 1, fixture->local, 0, 5000);
		assert_doca(copy_run(&fixture->copy, fixture->region), errors[i / 2].wanted);
	}
	/* The connection has survived them all. */
	atomic_store(&fixture->server.plan->fault, NBD_SOUND);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_int_equal(atomic_load(&fixture->server.plan->num_connections), 1);
}

/* Pieces that were not begun are not, those that were are waited for. */
static void a_refused_piece_ends_the_copy_once(void **state)
{
	struct fixture *fixture = fixture_of(state);

	fixture->server.plan->error = 5;
	atomic_store(&fixture->server.plan->fault, NBD_ANSWERS_ERROR);
	copy_set(&fixture->copy, false, fixture->local, 0, SERVED_BYTES);
	fixture->copy.io.num_local = PEER_MAX_PIECES;
	cut(fixture->copy.io.local, PEER_MAX_PIECES, fixture->local, SERVED_BYTES, 12345);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_ERROR_IO_FAILED);
	atomic_store(&fixture->server.plan->fault, NBD_SOUND);
	assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	assert_memory_equal(fixture->local, fixture->server.memory, SERVED_BYTES);
}

/* libnbd refuses it, and nothing is sent. */
static void what_the_server_does_not_have_is_refused_here(void **state)
{
	struct fixture *fixture = fixture_of(state);

	copy_set(&fixture->copy, false, fixture->local, SERVED_BYTES - 10, 11);
	copy_submit(&fixture->copy, fixture->region);
	assert_true(peer_io_is_done(&fixture->copy.io));
	assert_doca(fixture->copy.io.status, DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(atomic_load(&fixture->server.plan->num_requests), 0);
}

/* Of an empty file, for the kernel alone to notice. */
static void memory_of_ours_that_is_not_there_is_a_failure(void **state)
{
	struct fixture *fixture = fixture_of(state);
	int file = memfd_create("empty", MFD_CLOEXEC);
	void *gone = mmap(NULL, 2 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	assert_ptr_not_equal(gone, MAP_FAILED);
	for (int is_write = 0; is_write < 2; is_write++) {
		copy_set(&fixture->copy, is_write != 0, gone, 0, 2 * MIB);
		assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_ERROR_IO_FAILED);
		copy_set(&fixture->copy, is_write != 0, fixture->local, 0, 100);
		assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	}
	munmap(gone, 2 * MIB);
	close(file);
}

/* It answers all others, again and again, and never the first. */
static void a_copy_that_a_server_neglects_is_ended(void **state)
{
	struct fixture *fixture = fixture_of(state);
	struct copy neglected;
	uint32_t num_others = 0;

	copy_init(&neglected);
	copy_set(&neglected, false, fixture->local, 0, 10);
	atomic_store(&fixture->server.plan->fault, NBD_NEGLECTS_FIRST);
	copy_submit(&neglected, fixture->region);
	while (!peer_io_is_done(&neglected.io)) {
		copy_set(&fixture->copy, false, fixture->local + 100, 100, 10);
		(void)copy_run(&fixture->copy, fixture->region);
		assert_true(num_others++ < 10000);
	}
	assert_doca(neglected.io.status, DOCA_ERROR_TIME_OUT);
	copy_fini(&neglected);
}

static void a_write_to_a_read_only_region_is_refused_at_once(void **state)
{
	struct fixture *fixture = fixture_of(state);
	struct peer_region *region;

	fixture->server.descriptor.flags = EXPORT_MAY_READ;
	region = open_region(&fixture->server);
	assert_false(region->is_writable);
	copy_set(&fixture->copy, true, fixture->local, 0, 100);
	copy_submit(&fixture->copy, region);
	assert_true(peer_io_is_done(&fixture->copy.io));
	assert_doca(fixture->copy.io.status, DOCA_ERROR_NOT_PERMITTED);

	copy_set(&fixture->copy, false, fixture->local, 0, 100);
	assert_doca(copy_run(&fixture->copy, region), DOCA_SUCCESS);
	close_region(region);
}

static void one_thread_drives_every_region_until_the_last_is_closed(void **state)
{
	struct fixture *fixture = fixture_of(state);
	size_t num_threads = count_threads();
	struct peer_region *regions[20];

	for (size_t i = 0; i < 20; i++)
		regions[i] = open_region(&fixture->server);
	assert_int_equal(count_threads(), num_threads);
	for (size_t i = 0; i < 20; i++) {
		copy_set(&fixture->copy, false, fixture->local, i, 5000);
		assert_doca(copy_run(&fixture->copy, regions[i]), DOCA_SUCCESS);
		assert_memory_equal(fixture->local, fixture->server.memory + i, 5000);
		close_region(regions[i]);
	}
	close_region(fixture->region);
	fixture->region = NULL;
	assert_int_equal(count_threads(), num_threads - 1);
}

static void a_region_opened_after_the_last_was_closed_works(void **state)
{
	struct fixture *fixture = fixture_of(state);

	for (int i = 0; i < 5; i++) {
		close_region(fixture->region);
		fixture->region = open_region(&fixture->server);
		copy_set(&fixture->copy, false, fixture->local, 0, 100);
		assert_doca(copy_run(&fixture->copy, fixture->region), DOCA_SUCCESS);
	}
}

static void its_descriptors_are_not_inherited_by_programs(void **state)
{
	const struct fixture *fixture = fixture_of(state);
	size_t num_new = 0;

	for (int fd = 0; fd < MAX_FDS; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || fixture->was_open[fd])
			continue;
		assert_true((flags & FD_CLOEXEC) != 0);
		num_new++;
	}
	/* The waker of the copy and of the thread, the server's descriptor, the connection. */
	assert_int_equal(num_new, 4);
}

static void its_thread_takes_no_signals(void **state)
{
	struct dirent *entry;
	DIR *tasks = opendir("/proc/self/task");
	size_t num_seen = 0;

	while ((entry = readdir(tasks)) != NULL) {
		char path[300], line[256];
		unsigned long long blocked;
		FILE *status;

		if (atoi(entry->d_name) <= 0 || atoi(entry->d_name) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
		status = fopen(path, "r");
		while (fgets(line, sizeof(line), status) != NULL)
			if (sscanf(line, "SigBlk: %llx", &blocked) == 1) {
				assert_true((blocked & (1U << (SIGTERM - 1))) != 0);
				assert_true((blocked & (1U << (SIGALRM - 1))) != 0);
				num_seen++;
			}
		fclose(status);
	}
	closedir(tasks);
	assert_true(num_seen >= 1);
}

/* libnbd tells all that it does when the environment asks for it, the name of the export too. */
static void the_secret_is_not_told_when_libnbd_tells_all(void **state)
{
	struct fixture *fixture = fixture_of(state);
	char said[65536], text[9];
	int ends[2], saved = dup(STDERR_FILENO);
	ssize_t len;

	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	setenv("LIBNBD_DEBUG", "1", 1);
	close_region(open_region(&fixture->server));
	unsetenv("LIBNBD_DEBUG");
	dup2(saved, STDERR_FILENO);
	len = read(ends[0], said, sizeof(said) - 1);
	close(ends[0]);
	close(ends[1]);
	close(saved);
	said[len < 0 ? 0 : len] = '\0';
	for (size_t i = 0; i < 4; i++)
		sprintf(text + 2 * i, "%02x", fixture->server.descriptor.secret[i]);
	assert_null(strstr(said, text));
	/* It was listening: the making of the handle is told. */
	assert_non_null(strstr(said, "libnbd"));
}

#define NBD_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NBD_TEST(a_region_is_what_its_descriptor_says),
		cmocka_unit_test(another_version_gets_nothing),
		NBD_TEST(a_read_brings_what_the_exporter_has),
		NBD_TEST(a_done_write_is_in_the_exporters_memory),
		NBD_TEST(the_whole_region_goes_in_both_directions),
		NBD_TEST(a_copy_of_nothing_is_done),
		NBD_TEST(pieces_of_both_sides_are_matched),
		NBD_TEST(many_copies_at_once_are_all_done),
		NBD_TEST(threads_share_a_region),
		NBD_TEST(each_error_of_the_server_has_its_status),
		NBD_TEST(a_refused_piece_ends_the_copy_once),
		NBD_TEST(what_the_server_does_not_have_is_refused_here),
		NBD_TEST(memory_of_ours_that_is_not_there_is_a_failure),
		NBD_TEST(a_copy_that_a_server_neglects_is_ended),
		NBD_TEST(a_write_to_a_read_only_region_is_refused_at_once),
		NBD_TEST(one_thread_drives_every_region_until_the_last_is_closed),
		NBD_TEST(a_region_opened_after_the_last_was_closed_works),
		NBD_TEST(its_descriptors_are_not_inherited_by_programs),
		NBD_TEST(its_thread_takes_no_signals),
		NBD_TEST(the_secret_is_not_told_when_libnbd_tells_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
