/* SPDX-License-Identifier: Apache-2.0 */
/* The mapped way: the contract, and what files it does not map. */
#include "contract/peer_suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer/mapped/mapped.h"
#include "support/fail_calloc.h"
#include "support/process.h"

/* An attachment to the test itself, as far as opening looks at one. */
static struct attachment attachment_of(int fd, uint64_t offset)
{
	return (struct attachment){
		.bell_fd = -1,
		.fd = -1,
		.file_fd = fd,
		.answer = {.tag = 1, .file_offset = offset, .generation = 1, .has_file = fd >= 0},
	};
}

static int memory_file(unsigned int flags, int seals, off_t len_bytes)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);

	if (fd < 0)
		return -1;
	assert_int_equal(ftruncate(fd, len_bytes), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

/* The file stays whoever's it was, and the reason says that. */
static void assert_not_mapped(int fd, uint64_t offset, uint64_t len_bytes, const char *reason)
{
	const struct export_descriptor descriptor = {
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE,
		.addr = 0x10000,
		.len_bytes = len_bytes,
	};
	struct attachment attachment = attachment_of(fd, offset);
	struct peer_region *region = NULL;
	const char *why = NULL;

	assert_doca(mapped_open(&descriptor, &attachment, &region, &why), DOCA_ERROR_NOT_SUPPORTED);
	assert_null(region);
	assert_non_null(why);
	if (strstr(why, reason) == NULL)
		fail_msg("'%s' does not say '%s'", why, reason);
	assert_int_equal(attachment.file_fd, fd);
	if (fd >= 0)
		assert_int_equal(close(fd), 0);
}

static void memory_in_no_file_is_not_mapped(void **state)
{
	assert_not_mapped(-1, 0, 4096, "not in a memory file");
}

static void a_file_that_may_shrink_is_not_mapped(void **state)
{
	int pipes[2];

	assert_not_mapped(memory_file(0, F_SEAL_GROW, 8192), 0, 4096, "not sealed");
	assert_not_mapped(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), 0, 4096, "not sealed");
	assert_not_mapped(open("/dev/zero", O_RDWR | O_CLOEXEC), 0, 4096, "not sealed");
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_not_mapped(pipes[0], 0, 4096, "not sealed");
	close(pipes[1]);
}

static void a_range_that_leaves_the_file_is_not_mapped(void **state)
{
	static const uint64_t ranges[][2] = {
		{0, 8193}, {1, 8192}, {8192, 1}, {8193, 1}, {UINT64_MAX, 2}, {4096, UINT64_MAX},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		assert_not_mapped(memory_file(0, F_SEAL_SHRINK, 8192), ranges[i][0], ranges[i][1],
				  "not all in");
}

static void huge_pages_are_not_mapped(void **state)
{
	int fd = memory_file(MFD_HUGETLB, F_SEAL_SHRINK, 2 << 20);

	if (fd >= 0) /* a kernel without any has no such file */
		assert_not_mapped(fd, 0, 4096, "huge pages");
}

static void a_file_that_may_not_be_written_is_not_mapped_to_write(void **state)
{
	assert_not_mapped(memory_file(0, F_SEAL_SHRINK | F_SEAL_WRITE, 8192), 0, 4096,
			  "does not let the range be mapped");
	assert_not_mapped(memory_file(0, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE, 8192), 0, 4096,
			  "does not let the range be mapped");
}

/* A file of ours mapped as if an exporter had sent it. */
static struct peer_region *map_own(int fd, uint64_t offset, uint64_t len_bytes,
				   struct control **control)
{
	const struct export_descriptor descriptor = {
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE,
		.addr = 0x10000,
		.len_bytes = len_bytes,
	};
	struct attachment attachment = attachment_of(dup(fd), offset);
	struct peer_region *region = NULL;
	const char *why = NULL;
	int control_fd = memory_file(0, F_SEAL_SHRINK, CONTROL_BYTES);

	*control = mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, control_fd, 0);
	assert_ptr_not_equal(*control, MAP_FAILED);
	atomic_store(&(*control)->owner_word, 1); /* as if a thread held it */
	atomic_store(&(*control)->generation[0], attachment.answer.generation);
	assert_int_equal(control_map(control_fd, &attachment.control), 0);
	close(control_fd);
	assert_true(activity_hold() >= 0);
	assert_doca(mapped_open(&descriptor, &attachment, &region, &why), DOCA_SUCCESS);
	assert_null(why);
	return region;
}

static void a_region_tells_where_it_is_and_whether_it_may_be_used(void **state)
{
	int fd = memory_file(0, F_SEAL_SHRINK, 8192);
	struct control *control;
	struct peer_region *region = map_own(fd, 4096 + 8, 64, &control);
	uint64_t here = 0x1122334455667788;
	uint64_t there = 0;

	memcpy(mapped_memory(region), &here, sizeof(here));
	assert_int_equal(pread(fd, &there, sizeof(there), 4096 + 8), sizeof(there));
	assert_int_equal(there, here);
	assert_int_equal(mapped_bell(region), -1);
	assert_doca(mapped_status(region), DOCA_SUCCESS);
	atomic_store(&control->generation[0], 2);
	assert_doca(mapped_status(region), DOCA_ERROR_SHUTDOWN);
	atomic_store(&control->generation[0], 1);
	atomic_store(&control->owner_word, 0x40000000); /* as the kernel marks a dead one */
	assert_doca(mapped_status(region), DOCA_ERROR_CONNECTION_RESET);
	atomic_store(&control->owner_word, 1);
	region->ops->orphan(region);
	assert_doca(mapped_status(region), DOCA_ERROR_CONNECTION_RESET);
	region->ops->close(region);
	munmap(control, CONTROL_BYTES);
	close(fd);
}

static doca_error_t run_own(struct peer_region *region, bool is_write, uint64_t offset,
			    uint8_t *local, size_t len_bytes)
{
	struct copy_history history = {0};
	struct activity activity;
	struct peer_io io = {
		.activity = &activity,
		.history = &history,
		.is_write = is_write,
		.num_local = 1,
		.num_remote = 1,
		.len_bytes = len_bytes,
		.local = {{local, len_bytes}},
		.remote = {{region->addr + offset, len_bytes}},
	};

	assert_int_equal(activity_take(&activity), 0);
	region->ops->submit(region, &io);
	assert_true(peer_io_is_done(&io));
	activity_drop(&activity);
	return io.status;
}

/* What the exporter punches into its file is no fault here. */
static void a_hole_in_the_file_reads_as_zeros(void **state)
{
	int fd = memory_file(0, F_SEAL_SHRINK, 1 << 20);
	uint8_t bytes[100] = {1};
	struct control *control;
	struct peer_region *region = map_own(fd, 4000, 100000, &control);

	assert_int_equal(pwrite(fd, "x", 1, 4000), 1);
	assert_doca(run_own(region, false, 0, bytes, sizeof(bytes)), DOCA_SUCCESS);
	assert_int_equal(bytes[0], 'x');
	assert_int_equal(
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)1 << 20), 0);
	assert_doca(run_own(region, false, 0, bytes, sizeof(bytes)), DOCA_SUCCESS);
	assert_int_equal(bytes[0], 0);
	region->ops->close(region);
	control_unmap(control);
	close(fd);
}

static void a_range_at_any_offset_is_where_it_should_be(void **state)
{
	static const uint64_t offsets[] = {0, 1, 4095, 4096, 4097, 70000, (1 << 20) - 50};
	int fd = memory_file(0, F_SEAL_SHRINK, 1 << 20);

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct control *control;
		struct peer_region *region = map_own(fd, offsets[i], 50, &control);
		uint8_t written = (uint8_t)(0x40 + i);
		uint8_t got = 0;

		assert_doca(run_own(region, true, 49, &written, 1), DOCA_SUCCESS);
		assert_int_equal(pread(fd, &got, 1, (off_t)offsets[i] + 49), 1);
		assert_int_equal(got, written);
		region->ops->close(region);
		control_unmap(control);
	}
	close(fd);
}

/* Nothing of a sparse file is touched by mapping it. */
static void mapping_a_sparse_file_does_not_fill_it(void **state)
{
	int fd = memory_file(0, F_SEAL_SHRINK, (off_t)8 << 30);
	struct control *control;
	struct peer_region *region = map_own(fd, 0, (uint64_t)8 << 30, &control);
	struct stat file;

	assert_int_equal(fstat(fd, &file), 0);
	assert_int_equal(file.st_blocks, 0);
	region->ops->close(region);
	control_unmap(control);
	close(fd);
}

static void without_memory_it_is_no_memory(void **state)
{
	const struct export_descriptor descriptor = {
		.flags = EXPORT_MAY_READ,
		.addr = 0x10000,
		.len_bytes = 4096,
	};
	int fd = memory_file(0, F_SEAL_SHRINK, 8192);
	struct attachment attachment = attachment_of(fd, 0);
	struct peer_region *region = NULL;
	const char *why = NULL;

	next_calloc_fails = true;
	assert_doca(mapped_open(&descriptor, &attachment, &region, &why), DOCA_ERROR_NO_MEMORY);
	assert_null(region);
	assert_non_null(why);
	close(fd);
}

/* What the handler of a fault sees; it has no other way to learn and tell it. */
static struct {
	int fd;
	const struct activity *activity;
	uint64_t tag;
} fault;

static void look_and_let_pass(int signal)
{
	fault.tag = atomic_load(fault.activity->word);
	if (ftruncate(fault.fd, sysconf(_SC_PAGESIZE)) != 0)
		_exit(1);
}

/* The copy stops at memory of ours whose file is empty, and is looked at from outside. */
static void the_exporter_sees_a_copy_that_runs_and_not_one_that_is_over(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ);
	const struct sigaction action = {.sa_handler = look_and_let_pass};
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct sigaction before;
	uint8_t *page;

	fault.activity = &opened->activity;
	fault.fd = memory_file(0, 0, 0);
	page = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fault.fd, 0);
	assert_ptr_not_equal(page, MAP_FAILED);
	assert_int_equal(sigaction(SIGBUS, &action, &before), 0);
	opened->io.local[0] = (struct iovec){page, 64};
	opened->io.len_bytes = opened->io.remote[0].iov_len = 64;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);

	assert_int_not_equal(fault.tag, 0);
	assert_int_equal(atomic_load(opened->activity.word), 0);
	assert_int_equal(page[63], peer_suite_byte(63));
	munmap(page, page_bytes);
	close(fault.fd);
	peer_case_close(opened);
}

static void a_region_costs_one_descriptor(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ);
	size_t num_fds = open_fds();

	peer_close(opened->region);
	opened->region = NULL;
	assert_int_equal(open_fds(), num_fds - 1);
	peer_case_close(opened);
}

static void an_exported_memory_is_shared_and_not_copied(void **state)
{
	struct peer_case *opened = peer_case_open(state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);
	struct peer_region *first = opened->region;

	/* A write by one region is read by another at once: there is but one memory. */
	assert_doca(peer_case_import(opened), DOCA_SUCCESS);
	opened->io.region = first;
	opened->io.is_write = true;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	memset(opened->local, 0, sizeof(opened->local));
	opened->io.region = opened->region;
	opened->io.is_write = false;
	assert_doca(peer_case_run(opened), DOCA_SUCCESS);
	for (size_t i = 1; i <= PEER_SUITE_BYTES; i++)
		assert_int_equal(opened->local[i], PEER_SUITE_GUARD);
	peer_close(first);
	peer_case_close(opened);
}

int main(void)
{
	static const struct peer_suite suite = {
		.way = "mapped",
		.reach = PEER_REACH_MAPPED,
		.exporter = &agent_exporter,
		.is_in_file = true,
	};
	const struct CMUnitTest own[] = {
		cmocka_unit_test(memory_in_no_file_is_not_mapped),
		cmocka_unit_test(a_file_that_may_shrink_is_not_mapped),
		cmocka_unit_test(a_range_that_leaves_the_file_is_not_mapped),
		cmocka_unit_test(huge_pages_are_not_mapped),
		cmocka_unit_test(a_file_that_may_not_be_written_is_not_mapped_to_write),
		cmocka_unit_test(a_hole_in_the_file_reads_as_zeros),
		cmocka_unit_test(a_range_at_any_offset_is_where_it_should_be),
		cmocka_unit_test(a_region_tells_where_it_is_and_whether_it_may_be_used),
		cmocka_unit_test(mapping_a_sparse_file_does_not_fill_it),
		cmocka_unit_test(without_memory_it_is_no_memory),
		cmocka_unit_test(the_exporter_sees_a_copy_that_runs_and_not_one_that_is_over),
		cmocka_unit_test(a_region_costs_one_descriptor),
		cmocka_unit_test(an_exported_memory_is_shared_and_not_copied),
	};

	return peer_suite_run(&suite, own, sizeof(own) / sizeof(own[0]));
}
