/* SPDX-License-Identifier: Apache-2.0 */
/* Attached importers, and what a revoke waits for before it takes the memory from them. */
#include "support/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>

#include "peer/shared_file.h"
#include "support/agent_client.h"
#include "support/needs.h"
#include "support/process.h"

#define RW (EXPORT_MAY_READ | EXPORT_MAY_WRITE)
#define PAGE ((size_t)4096)

/* The importer's end, all in one: its activity page, its queue, its attachment. */
struct importer {
	struct activity activity;
	struct attached attached;
};

static struct importer attach_to(const struct exported *exported)
{
	struct importer importer;

	assert_int_equal(activity_take(&importer.activity), 0);
	assert_int_equal(client_attach(client_greeted(exported), &exported->descriptor,
				       activity_hold(), &importer.attached),
			 NBD_REP_ACK);
	return importer;
}

static void leave(struct importer *importer)
{
	client_detach(&importer->attached);
	activity_put();
	activity_drop(&importer->activity);
}

static void an_attached_importer_sees_that_the_region_may_be_used(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);
	uint64_t tag;

	memcpy(&tag, exported.descriptor.id, sizeof(tag));
	assert_true(importer.attached.answer.tag == tag);
	assert_true(importer.attached.answer.generation == exported.descriptor.generation);
	assert_int_equal(importer.attached.file_fd, -1);
	assert_int_equal(client_verdict(&importer.attached), CONTROL_ALIVE);
	leave(&importer);
	agent_revoke(exported.region);
}

static void an_attached_importer_sees_the_revoke(void **state)
{
	uint8_t memory[64];
	struct exported revoked = client_export(memory, sizeof(memory), RW);
	struct exported other = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&revoked);
	struct importer bystander = attach_to(&other);

	agent_revoke(revoked.region);
	assert_int_equal(client_verdict(&importer.attached), CONTROL_REVOKED);
	assert_true(client_is_closed(importer.attached.fd));
	assert_int_equal(client_verdict(&bystander.attached), CONTROL_ALIVE);
	agent_revoke(other.region);
	assert_int_equal(client_verdict(&bystander.attached), CONTROL_REVOKED);
	assert_true(client_is_closed(bystander.attached.fd));
	leave(&importer);
	leave(&bystander);
}

static void a_new_region_in_an_old_slot_is_not_the_old_one(void **state)
{
	uint8_t memory[64];
	struct exported kept = client_export(memory, sizeof(memory), RW);
	struct exported old = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&old);
	struct importer next;
	struct exported new;

	agent_revoke(old.region);
	new = client_export(memory, sizeof(memory), RW);
	next = attach_to(&new);
	assert_int_equal(next.attached.answer.slot, importer.attached.answer.slot);
	assert_int_equal(client_verdict(&next.attached), CONTROL_ALIVE);
	assert_int_equal(client_verdict(&importer.attached), CONTROL_REVOKED);
	leave(&importer);
	leave(&next);
	agent_revoke(new.region);
	agent_revoke(kept.region);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct revoke {
	struct agent_region *region;
	_Atomic bool has_returned;
};

static void *run_revoke(void *arg)
{
	struct revoke *what = arg;

	agent_revoke(what->region);
	atomic_store(&what->has_returned, true);
	return NULL;
}

static void await_revoked(const struct importer *importer)
{
	uint64_t end = now_ms() + 1000 * CLIENT_DEADLINE_S;

	while (client_verdict(&importer->attached) != CONTROL_REVOKED && now_ms() < end)
		sched_yield();
	assert_int_equal(client_verdict(&importer->attached), CONTROL_REVOKED);
}

static void a_revoke_returns_once_a_running_copy_has_ended(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);
	struct revoke what = {.region = exported.region};
	pthread_t thread;

	activity_begin(&importer.activity, importer.attached.answer.tag);
	assert_int_equal(pthread_create(&thread, NULL, run_revoke, &what), 0);
	await_revoked(&importer);
	/* The copy still runs: the connection, which ends with the revoke, is open. */
	assert_false(atomic_load(&what.has_returned));
	activity_end(&importer.activity);
	assert_true(client_is_closed(importer.attached.fd));
	assert_int_equal(pthread_join(thread, NULL), 0);
	leave(&importer);
}

static void a_revoke_waits_a_second_and_no_longer(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);
	uint64_t start = now_ms();

	activity_begin(&importer.activity, importer.attached.answer.tag);
	agent_revoke(exported.region);
	assert_in_range(now_ms() - start, 950, 10000);
	activity_end(&importer.activity);
	leave(&importer);
}

static void a_revoke_does_not_wait_for_copies_of_other_regions(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct exported other = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);
	struct importer busy = attach_to(&other);
	uint64_t start = now_ms();

	activity_begin(&busy.activity, busy.attached.answer.tag);
	agent_revoke(exported.region);
	assert_in_range(now_ms() - start, 0, 900);
	activity_end(&busy.activity);
	leave(&importer);
	leave(&busy);
	agent_revoke(other.region);
}

static void a_revoke_that_waits_holds_up_no_other(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct exported other = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);
	struct revoke what = {.region = exported.region};
	struct exported third;
	pthread_t thread;

	activity_begin(&importer.activity, importer.attached.answer.tag);
	assert_int_equal(pthread_create(&thread, NULL, run_revoke, &what), 0);
	await_revoked(&importer);
	third = client_export(memory, sizeof(memory), RW);
	agent_revoke(other.region);
	agent_revoke(third.region);
	activity_end(&importer.activity);
	assert_int_equal(pthread_join(thread, NULL), 0);
	leave(&importer);
}

static void a_region_that_is_being_revoked_is_shut(void **state)
{
	uint8_t memory[64] = {0};
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);
	struct revoke what = {.region = exported.region};
	int fd = client_opened(&exported);
	int late = client_greeted(&exported);
	uint64_t size;
	uint16_t flags;
	uint8_t byte;
	pthread_t thread;

	activity_begin(&importer.activity, importer.attached.answer.tag);
	assert_int_equal(pthread_create(&thread, NULL, run_revoke, &what), 0);
	await_revoked(&importer);
	assert_int_equal(client_read_at(fd, 0, &byte, 1), NBD_ESHUTDOWN);
	assert_int_equal(client_write_at(fd, 0, "x", 1), NBD_ESHUTDOWN);
	assert_int_equal(memory[0], 0);
	assert_int_equal(client_go(late, NBD_OPT_GO, &exported.descriptor, &size, &flags),
			 NBD_REP_ERR_SHUTDOWN);
	activity_end(&importer.activity);
	assert_int_equal(pthread_join(thread, NULL), 0);
	close(fd);
	close(late);
	leave(&importer);
}

static void a_request_that_runs_is_ended_before_a_revoke_returns(void **state)
{
	static uint8_t memory[1 << 20];
	static const uint8_t bytes[sizeof(memory)] = {1};
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct exported other = client_export(memory, sizeof(memory), RW);
	struct importer witness = attach_to(&exported);
	struct revoke what = {.region = exported.region};
	int fd = client_opened(&exported);
	pthread_t thread;

	client_request(fd, NBD_CMD_WRITE, 0, sizeof(memory));
	/* More than a socket holds: the agent has begun. */
	client_write(fd, bytes, sizeof(bytes) - 10);
	assert_int_equal(pthread_create(&thread, NULL, run_revoke, &what), 0);
	await_revoked(&witness);
	client_write(fd, bytes + sizeof(bytes) - 10, 10);
	assert_int_equal(client_reply(fd, 0, sizeof(memory)), NBD_SUCCESS);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(client_is_closed(fd));
	close(fd);
	leave(&witness);
	agent_revoke(other.region);
}

static void attaching_without_an_activity_page_is_refused(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct attached attached;
	int file = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int fd = client_greeted(&exported);
	size_t fds = open_fds();

	assert_int_equal(ftruncate(file, ACTIVITY_BYTES), 0);
	assert_int_equal(client_attach(fd, &exported.descriptor, -1, &attached),
			 NBD_REP_ERR_INVALID);
	assert_int_equal(client_attach(fd, &exported.descriptor, file, &attached),
			 NBD_REP_ERR_INVALID);
	assert_int_equal(client_attach(fd, &exported.descriptor, fd, &attached),
			 NBD_REP_ERR_INVALID);
	assert_int_equal(open_fds(), fds);
	close(file);
	close(fd);
	agent_revoke(exported.region);
}

static void attaching_with_a_wrong_id_or_secret_is_refused_apart(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct export_descriptor wrong = exported.descriptor;
	struct attached attached;
	int fd = client_greeted(&exported);
	int activity = activity_hold();

	wrong.secret[0] ^= 1;
	assert_int_equal(client_attach(fd, &wrong, activity, &attached), NBD_REP_ERR_POLICY);
	wrong.id[0] ^= 1;
	assert_int_equal(client_attach(fd, &wrong, activity, &attached), NBD_REP_ERR_UNKNOWN);
	/* The connection may try again, with what is right. */
	assert_int_equal(client_attach(fd, &exported.descriptor, activity, &attached), NBD_REP_ACK);
	client_detach(&attached);
	activity_put();
	agent_revoke(exported.region);
}

static void descriptors_that_nobody_asked_for_are_closed(void **state)
{
	skip_unless(kernel_drops_fds(), NO_DROPPED_FDS);

	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	uint8_t payload[ATTACH_REQUEST_BYTES] = {0};
	int pipes[2];
	int many[MAX_PASSED_FDS];
	char byte;
	int fd = client_greeted(&exported);

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	for (int i = 0; i < MAX_PASSED_FDS; i++)
		many[i] = pipes[1];
	/* Beside an option that wants none, and more than one beside one that wants one. */
	client_send_option(fd, NBD_OPT_INFO, "bad", 3, many, MAX_PASSED_FDS);
	assert_int_equal(client_read_reply(fd, NBD_OPT_INFO, NULL, 0), NBD_REP_ERR_INVALID);
	client_send_option(fd, ATTACH_OPTION, payload, sizeof(payload), many, MAX_PASSED_FDS);
	assert_int_equal(client_read_reply(fd, ATTACH_OPTION, NULL, 0), NBD_REP_ERR_UNKNOWN);
	close(pipes[1]);
	/* The last writer is gone when the agent has closed all. */
	assert_int_equal(read(pipes[0], &byte, 1), 0);
	close(pipes[0]);
	close(fd);
	agent_revoke(exported.region);
}

static void an_attached_importer_that_speaks_is_sent_away(void **state)
{
	uint8_t memory[64];
	struct exported exported = client_export(memory, sizeof(memory), RW);
	struct importer importer = attach_to(&exported);

	client_write(importer.attached.fd, "x", 1);
	assert_true(client_is_closed(importer.attached.fd));
	leave(&importer);
	agent_revoke(exported.region);
}

static void *map_file(int file, size_t len)
{
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

static int make_file(const char *name, size_t len, int seals)
{
	int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, (off_t)len), 0);
	if (seals != 0)
		assert_int_equal(fcntl(file, F_ADD_SEALS, seals), 0);
	return file;
}

static void memory_in_a_file_that_cannot_shrink_is_handed_over(void **state)
{
	int file = make_file("program", 4 * PAGE, F_SEAL_SHRINK);
	uint8_t *memory = map_file(file, 4 * PAGE);
	struct exported exported = client_export(memory + PAGE + 5, PAGE, RW);
	struct importer importer = attach_to(&exported);
	uint8_t *seen;

	assert_true(importer.attached.file_fd >= 0);
	assert_true(importer.attached.answer.file_offset == PAGE + 5);
	seen = map_file(importer.attached.file_fd, 4 * PAGE);
	seen[PAGE + 5] = 77;
	assert_int_equal(memory[PAGE + 5], 77);
	munmap(seen, 4 * PAGE);
	leave(&importer);
	agent_revoke(exported.region);
	munmap(memory, 4 * PAGE);
	close(file);
}

static void regions_of_one_file_share_its_descriptor(void **state)
{
	int file = make_file("program", 4 * PAGE, F_SEAL_SHRINK);
	uint8_t *memory = map_file(file, 4 * PAGE);
	struct exported first = client_export(memory, PAGE, RW);
	size_t fds = open_fds();
	struct exported second = client_export(memory + PAGE, PAGE, RW);
	struct importer importer;

	assert_int_equal(open_fds(), fds);
	agent_revoke(first.region);
	importer = attach_to(&second);
	assert_true(importer.attached.answer.file_offset == PAGE);
	leave(&importer);
	agent_revoke(second.region);
	munmap(memory, 4 * PAGE);
	close(file);
}

static void a_file_sealed_after_its_export_is_not_handed_over_for_writing(void **state)
{
	int file = make_file("program", PAGE, F_SEAL_SHRINK);
	uint8_t *memory = map_file(file, PAGE);
	struct exported exported = client_export(memory, PAGE, RW);
	struct importer importer;

	assert_int_equal(fcntl(file, F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
	importer = attach_to(&exported);
	assert_int_equal(importer.attached.file_fd, -1);
	leave(&importer);
	agent_revoke(exported.region);
	munmap(memory, PAGE);
	close(file);
}

static void a_file_that_may_not_be_read_is_not_handed_over(void **state)
{
	int file = make_file("program", PAGE, F_SEAL_SHRINK);
	uint8_t *memory = map_file(file, PAGE);
	struct exported exported = client_export(memory, PAGE, EXPORT_MAY_WRITE);
	struct importer importer = attach_to(&exported);

	assert_int_equal(importer.attached.file_fd, -1);
	leave(&importer);
	agent_revoke(exported.region);
	munmap(memory, PAGE);
	close(file);
}

/* What one importer does with a bell, whoever else has it sees. */
static void a_bell_is_handed_over_whatever_becomes_of_the_exporters(void **state)
{
	uint8_t memory[64];
	int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	const struct agent_range range = {
		.addr = memory,
		.len_bytes = sizeof(memory),
		.flags = RW,
		.has_bell = true,
		.bell_fd = bell,
	};
	struct exported exported = client_export_range(&client_policy, &range);
	struct importer first;
	struct importer second;
	uint64_t count = 0;

	close(bell);
	first = attach_to(&exported);
	second = attach_to(&exported);
	assert_true(first.attached.bell_fd >= 0);
	assert_int_equal(write(first.attached.bell_fd, &(uint64_t){5}, 8), 8);
	assert_int_equal(read(second.attached.bell_fd, &count, 8), 8);
	assert_int_equal(count, 5);
	leave(&first);
	leave(&second);
	agent_revoke(exported.region);
}

static void a_bell_that_is_no_descriptor_is_not_exported(void **state)
{
	uint8_t memory[64];
	const struct agent_range range = {
		.addr = memory,
		.len_bytes = sizeof(memory),
		.flags = RW,
		.has_bell = true,
		.bell_fd = -1,
	};
	uint8_t bytes[EXPORT_MAX_BYTES];
	struct agent_region *region = NULL;
	size_t fds = open_fds();
	const char *why = NULL;
	size_t len = 0;

	assert_doca(agent_export(&client_policy, &range, &region, bytes, &len, &why),
		    DOCA_ERROR_OPERATING_SYSTEM);
	assert_non_null(why);
	assert_null(region);
	assert_int_equal(open_fds(), fds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attached_importer_sees_that_the_region_may_be_used),
		cmocka_unit_test(an_attached_importer_sees_the_revoke),
		cmocka_unit_test(a_new_region_in_an_old_slot_is_not_the_old_one),
		cmocka_unit_test(a_revoke_returns_once_a_running_copy_has_ended),
		cmocka_unit_test(a_revoke_waits_a_second_and_no_longer),
		cmocka_unit_test(a_revoke_does_not_wait_for_copies_of_other_regions),
		cmocka_unit_test(a_revoke_that_waits_holds_up_no_other),
		cmocka_unit_test(a_region_that_is_being_revoked_is_shut),
		cmocka_unit_test(a_request_that_runs_is_ended_before_a_revoke_returns),
		cmocka_unit_test(attaching_without_an_activity_page_is_refused),
		cmocka_unit_test(attaching_with_a_wrong_id_or_secret_is_refused_apart),
		cmocka_unit_test(descriptors_that_nobody_asked_for_are_closed),
		cmocka_unit_test(an_attached_importer_that_speaks_is_sent_away),
		cmocka_unit_test(memory_in_a_file_that_cannot_shrink_is_handed_over),
		cmocka_unit_test(regions_of_one_file_share_its_descriptor),
		cmocka_unit_test(a_file_sealed_after_its_export_is_not_handed_over_for_writing),
		cmocka_unit_test(a_file_that_may_not_be_read_is_not_handed_over),
		cmocka_unit_test(a_bell_is_handed_over_whatever_becomes_of_the_exporters),
		cmocka_unit_test(a_bell_that_is_no_descriptor_is_not_exported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
