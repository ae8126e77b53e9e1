/* SPDX-License-Identifier: Apache-2.0 */
/* Transmission: reads and writes land where they should, and each wrong one is refused by its rule.
 */
#include "support/test.h"

#include <pthread.h>
#include <sys/mman.h>

#include "support/agent_client.h"
#include "support/needs.h"
#include "support/process.h"

#define RW (EXPORT_MAY_READ | EXPORT_MAY_WRITE)
#define PAGE ((size_t)4096)
#define LARGE ((size_t)5 << 20)

static void what_is_written_is_read_and_nothing_beside_it_changes(void **state)
{
	uint8_t memory[300];
	struct exported exported;
	uint8_t bytes[100];
	int fd;

	memset(memory, 'm', sizeof(memory));
	exported = client_export(memory + 100, 100, RW);
	fd = client_opened(&exported);
	assert_int_equal(client_write_at(fd, 10, "0123456789", 10), NBD_SUCCESS);
	assert_memory_equal(memory + 110, "0123456789", 10);
	assert_int_equal(memory[109], 'm');
	assert_int_equal(memory[120], 'm');
	assert_int_equal(client_read_at(fd, 0, bytes, 100), NBD_SUCCESS);
	assert_memory_equal(bytes, memory + 100, 100);
	close(fd);
	agent_revoke(exported.region);
}

static void a_request_much_larger_than_a_turn_is_served_whole(void **state)
{
	uint8_t *memory = malloc(LARGE);
	uint8_t *bytes = malloc(LARGE);
	struct exported exported;
	int fd;

	assert_non_null(memory);
	assert_non_null(bytes);
	for (size_t i = 0; i < LARGE; i++)
		memory[i] = (uint8_t)(i * 7 + i / 251);
	exported = client_export(memory, LARGE, RW);
	fd = client_opened(&exported);
	assert_int_equal(client_read_at(fd, 0, bytes, (uint32_t)LARGE), NBD_SUCCESS);
	assert_memory_equal(bytes, memory, LARGE);
	memset(bytes, 'w', LARGE);
	assert_int_equal(client_write_at(fd, 1, bytes, (uint32_t)LARGE - 1), NBD_SUCCESS);
	assert_memory_equal(memory + 1, bytes, LARGE - 1);
	close(fd);
	agent_revoke(exported.region);
	free(bytes);
	free(memory);
}

static void a_write_without_the_right_is_refused_and_the_connection_lives(void **state)
{
	uint8_t memory[16] = "only to be read";
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_READ);
	uint64_t size;
	uint16_t flags = 0;
	uint8_t bytes[16];
	int fd = client_greeted(&exported);

	assert_int_equal(client_go(fd, NBD_OPT_GO, &exported.descriptor, &size, &flags),
			 NBD_REP_ACK);
	assert_true((flags & NBD_FLAG_READ_ONLY) != 0);
	assert_int_equal(client_write_at(fd, 0, "x", 1), NBD_EPERM);
	assert_int_equal(client_read_at(fd, 0, bytes, sizeof(bytes)), NBD_SUCCESS);
	assert_memory_equal(bytes, "only to be read", 16);
	close(fd);
	agent_revoke(exported.region);
}

static void a_read_without_the_right_is_refused_and_the_connection_lives(void **state)
{
	uint8_t memory[16] = "to be written";
	struct exported exported = client_export(memory, sizeof(memory), EXPORT_MAY_WRITE);
	uint8_t byte = 0;
	int fd = client_opened(&exported);

	assert_int_equal(client_read_at(fd, 0, &byte, 1), NBD_EPERM);
	assert_int_equal(client_read_at(fd, 0, &byte, 0), NBD_EPERM);
	assert_int_equal(client_write_at(fd, 0, "T", 1), NBD_SUCCESS);
	assert_string_equal((const char *)memory, "To be written");
	close(fd);
	agent_revoke(exported.region);
}

static void a_range_beyond_the_region_is_refused(void **state)
{
	static const uint64_t wrong[] = {
		1, 100, 101, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 99,
	};
	uint8_t memory[300];
	struct exported exported;
	uint8_t bytes[101] = {0};
	int fd;

	memset(memory, 'm', sizeof(memory));
	exported = client_export(memory + 100, 100, RW);
	fd = client_opened(&exported);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(client_read_at(fd, wrong[i], bytes, 100), NBD_EINVAL);
		assert_int_equal(client_write_at(fd, wrong[i], bytes, 100), NBD_ENOSPC);
	}
	assert_int_equal(client_read_at(fd, 0, bytes, 101), NBD_EINVAL);
	assert_int_equal(client_write_at(fd, 0, bytes, 101), NBD_ENOSPC);
	for (size_t i = 0; i < sizeof(memory); i++)
		assert_int_equal(memory[i], 'm');
	/* The last byte is in it. */
	assert_int_equal(client_read_at(fd, 99, bytes, 1), NBD_SUCCESS);
	close(fd);
	agent_revoke(exported.region);
}

static void nothing_is_read_and_written_without_complaint(void **state)
{
	uint8_t memory[16] = {0};
	struct exported exported = client_export(memory, sizeof(memory), RW);
	int fd = client_opened(&exported);

	assert_int_equal(client_read_at(fd, 16, NULL, 0), NBD_SUCCESS);
	assert_int_equal(client_write_at(fd, 16, NULL, 0), NBD_SUCCESS);
	assert_int_equal(client_read_at(fd, 17, NULL, 0), NBD_EINVAL);
	assert_int_equal(client_write_at(fd, 17, NULL, 0), NBD_ENOSPC);
	close(fd);
	agent_revoke(exported.region);
}

static void a_length_above_the_limit_is_refused(void **state)
{
	const size_t len = (size_t)64 << 20;
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct exported exported;
	uint8_t *bytes = calloc(1, NBD_MAX_REQUEST_BYTES + 1);
	int fd;

	assert_ptr_not_equal(memory, MAP_FAILED);
	assert_non_null(bytes);
	exported = client_export(memory, len, RW);
	fd = client_opened(&exported);
	assert_int_equal(client_read_at(fd, 0, NULL, NBD_MAX_REQUEST_BYTES + 1), NBD_EINVAL);
	assert_int_equal(client_read_at(fd, 0, NULL, UINT32_MAX), NBD_EINVAL);
	assert_int_equal(client_write_at(fd, 0, bytes, NBD_MAX_REQUEST_BYTES + 1), NBD_EINVAL);
	assert_int_equal(client_read_at(fd, 0, bytes, NBD_MAX_REQUEST_BYTES), NBD_SUCCESS);
	close(fd);
	agent_revoke(exported.region);
	free(bytes);
	munmap(memory, len);
}

static void a_flush_succeeds_and_other_commands_are_refused(void **state)
{
	uint8_t memory[16];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	int fd = client_opened(&exported);

	client_request(fd, NBD_CMD_FLUSH, 0, 0);
	assert_int_equal(client_reply(fd, 0, 0), NBD_SUCCESS);
	for (uint16_t type = 4; type < 20; type++) {
		client_request(fd, type, 0, 16);
		assert_int_equal(client_reply(fd, 0, 16), NBD_EINVAL);
	}
	close(fd);
	agent_revoke(exported.region);
}

static void a_flag_that_was_not_offered_is_refused(void **state)
{
	uint8_t memory[16] = {0};
	struct exported exported = client_export(memory, sizeof(memory), RW);
	uint8_t bytes[NBD_REQUEST_BYTES + 1] = {0x25, 0x60, 0x95, 0x13, 0, 1, 0, NBD_CMD_WRITE};
	uint8_t reply[NBD_SIMPLE_REPLY_BYTES];
	int fd = client_opened(&exported);

	bytes[27] = 1; /* its length, and the byte is there */
	client_write(fd, bytes, sizeof(bytes));
	assert_true(client_read(fd, reply, sizeof(reply)));
	assert_int_equal(get_be32(reply + 4), NBD_EINVAL);
	close(fd);
	agent_revoke(exported.region);
}

static void disconnect_and_what_is_no_request_end_the_connection(void **state)
{
	uint8_t memory[16];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	int fd = client_opened(&exported);

	client_request(fd, NBD_CMD_DISC, 0, 0);
	assert_true(client_is_closed(fd));
	close(fd);

	fd = client_opened(&exported);
	client_write(fd, "this is twenty-eight bytes!", NBD_REQUEST_BYTES);
	assert_true(client_is_closed(fd));
	close(fd);
	agent_revoke(exported.region);
}

/* Three pages, the one in the middle not there. */
static uint8_t *map_three_pages(void)
{
	uint8_t *memory =
		mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	memset(memory, 'm', 3 * PAGE);
	return memory;
}

static void memory_that_is_not_there_is_an_error_and_no_signal(void **state)
{
	skip_unless(kernel_copies(), NO_KERNEL_COPIES);

	uint8_t *memory = map_three_pages();
	struct exported exported = client_export(memory, 3 * PAGE, RW);
	uint8_t bytes[3 * PAGE];
	int fd = client_opened(&exported);

	assert_int_equal(munmap(memory + PAGE, PAGE), 0);
	memset(bytes, 'w', sizeof(bytes));
	assert_int_equal(client_read_at(fd, PAGE, bytes, PAGE), NBD_EIO);
	assert_int_equal(client_read_at(fd, PAGE - 1, bytes, 2), NBD_EIO);
	assert_int_equal(client_read_at(fd, 0, bytes, 3 * PAGE), NBD_EIO);
	assert_int_equal(client_write_at(fd, PAGE, bytes, PAGE), NBD_EIO);
	assert_int_equal(client_write_at(fd, 0, bytes, 3 * PAGE), NBD_EIO);
	/* The connection is in step still. */
	assert_int_equal(client_write_at(fd, 2 * PAGE, "after", 5), NBD_SUCCESS);
	assert_memory_equal(memory + 2 * PAGE, "after", 5);
	assert_int_equal(client_read_at(fd, 2 * PAGE, bytes, PAGE), NBD_SUCCESS);
	assert_memory_equal(bytes, memory + 2 * PAGE, PAGE);
	close(fd);
	agent_revoke(exported.region);
	munmap(memory, PAGE);
	munmap(memory + 2 * PAGE, PAGE);
}

static void a_page_that_cannot_be_written_is_an_error(void **state)
{
	uint8_t *memory =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct exported exported = client_export(memory, PAGE, RW);
	uint8_t byte = 7;
	int fd = client_opened(&exported);

	assert_int_equal(mprotect(memory, PAGE, PROT_READ), 0);
	assert_int_equal(client_write_at(fd, 0, "x", 1), NBD_EIO);
	assert_int_equal(client_read_at(fd, 0, &byte, 1), NBD_SUCCESS);
	assert_int_equal(byte, 0);
	close(fd);
	agent_revoke(exported.region);
	munmap(memory, PAGE);
}

static void a_file_cut_under_its_mapping_is_an_error_and_no_signal(void **state)
{
	int file = memfd_create("cut", MFD_CLOEXEC);
	uint8_t *memory;
	struct exported exported;
	uint8_t bytes[2 * PAGE] = {0};
	int fd;

	assert_int_equal(ftruncate(file, 2 * (off_t)PAGE), 0);
	memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	exported = client_export(memory, 2 * PAGE, RW);
	fd = client_opened(&exported);
	assert_int_equal(client_write_at(fd, PAGE, "x", 1), NBD_SUCCESS);
	assert_int_equal(ftruncate(file, (off_t)PAGE), 0);
	assert_int_equal(client_read_at(fd, PAGE, bytes, PAGE), NBD_EIO);
	assert_int_equal(client_write_at(fd, PAGE, bytes, PAGE), NBD_EIO);
	assert_int_equal(client_read_at(fd, 0, bytes, PAGE), NBD_SUCCESS);
	close(fd);
	agent_revoke(exported.region);
	munmap(memory, 2 * PAGE);
	close(file);
}

static void requests_that_are_sent_ahead_are_answered_in_order(void **state)
{
	uint8_t memory[256];
	struct exported exported;
	uint8_t byte;
	int fd;

	for (int i = 0; i < 256; i++)
		memory[i] = (uint8_t)i;
	exported = client_export(memory, sizeof(memory), RW);
	fd = client_opened(&exported);
	for (uint64_t i = 0; i < 256; i++)
		client_request(fd, NBD_CMD_READ, i, 1);
	for (uint64_t i = 0; i < 256; i++) {
		assert_int_equal(client_reply(fd, i, 1), NBD_SUCCESS);
		assert_true(client_read(fd, &byte, 1));
		assert_int_equal(byte, i);
	}
	close(fd);
	agent_revoke(exported.region);
}

static void a_peer_that_reads_nothing_holds_nobody_up(void **state)
{
	static uint8_t memory[1 << 20];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	int lazy = client_opened(&exported);
	int other = client_opened(&exported);
	uint8_t byte;

	client_request(lazy, NBD_CMD_READ, 0, sizeof(memory));
	client_request(lazy, NBD_CMD_READ, 0, sizeof(memory));
	for (int i = 0; i < 100; i++)
		assert_int_equal(client_read_at(other, 0, &byte, 1), NBD_SUCCESS);
	close(lazy);
	close(other);
	agent_revoke(exported.region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_and_nothing_beside_it_changes),
		cmocka_unit_test(a_request_much_larger_than_a_turn_is_served_whole),
		cmocka_unit_test(a_write_without_the_right_is_refused_and_the_connection_lives),
		cmocka_unit_test(a_read_without_the_right_is_refused_and_the_connection_lives),
		cmocka_unit_test(a_range_beyond_the_region_is_refused),
		cmocka_unit_test(nothing_is_read_and_written_without_complaint),
		cmocka_unit_test(a_length_above_the_limit_is_refused),
		cmocka_unit_test(a_flush_succeeds_and_other_commands_are_refused),
		cmocka_unit_test(a_flag_that_was_not_offered_is_refused),
		cmocka_unit_test(disconnect_and_what_is_no_request_end_the_connection),
		cmocka_unit_test(memory_that_is_not_there_is_an_error_and_no_signal),
		cmocka_unit_test(a_page_that_cannot_be_written_is_an_error),
		cmocka_unit_test(a_file_cut_under_its_mapping_is_an_error_and_no_signal),
		cmocka_unit_test(requests_that_are_sent_ahead_are_answered_in_order),
		cmocka_unit_test(a_peer_that_reads_nothing_holds_nobody_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
