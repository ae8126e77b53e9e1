/* SPDX-License-Identifier: Apache-2.0 */
/* The other side of a ring lies: in the segment, in its descriptors, at any time. */
#include "support/ring_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "support/under_tsan.h"

#define MAX_LEN 5000
#define NUM_RINGS (UNDER_TSAN ? 100u : 1000u) /* to break */

static void assert_reader_is_broken(struct ring_reader *reader)
{
	struct ring_view view;

	assert_int_equal(ring_take(reader, &view), RING_BROKEN);
	assert_true(ring_arm(reader));
	assert_int_equal(ring_take(reader, &view), RING_BROKEN);
	ring_close(reader);
	assert_int_equal(ring_take(reader, &view), RING_BROKEN);
}

static void a_message_that_says_what_cannot_be_breaks_the_consumer(void **state)
{
	static const struct {
		uint32_t mark;
		uint32_t len_bytes;
		uint32_t imm_bytes;
		uint32_t place;
	} messages[] = {
		{1, 201, 0, 0},	       /* longer than its receive */
		{1, UINT32_MAX, 0, 0}, /* or than anything */
		{1, UINT32_MAX, 1, 0}, /* and wraps with its immediate data */
		{1, 200, 33, 0},       /* longer immediate data than can be */
		{1, 0, UINT32_MAX, 0},
		{1, 200, 0, UINT32_MAX}, /* data elsewhere */
		{1, 200, 0, UINT32_MAX - 199},
		{1, 200, 0, 1u << 28},
		{2, 1, 0, 0}, /* published twice at once */
		{0xffff, 1, 0, 0},
		{0x10001, 1, 0, 0},
		{UINT32_MAX, 1, 0, 0},
	};

	for (unsigned i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct ring_pair pair = ring_pair_open(4, MAX_LEN);
		struct ring_slot *slot = pair.reader->map.slots;

		ring_post(pair.reader, 200);
		atomic_store(&slot->len_bytes, messages[i].len_bytes);
		atomic_store(&slot->imm_bytes, messages[i].imm_bytes);
		atomic_store(&slot->place, messages[i].place);
		atomic_store(&slot->mark, messages[i].mark);
		assert_reader_is_broken(pair.reader);
		ring_pair_close(&pair);
	}
}

static void a_message_at_the_end_of_memory_is_one(void **state)
{
	struct ring_pair pair = ring_pair_open(4, MAX_LEN);
	struct ring_slot *slot = pair.reader->map.slots;
	struct ring_view view;

	ring_post(pair.reader, 200);
	atomic_store(&slot->len_bytes, 200);
	atomic_store(&slot->place, pair.reader->map.data_bytes - 200);
	atomic_store(&slot->mark, 1);
	assert_int_equal(ring_take(pair.reader, &view), RING_OK);
	assert_ptr_equal(view.data + 200,
			 (uint8_t *)pair.reader->map.head + pair.reader->map.len_bytes);
	atomic_store(&slot->place, pair.reader->map.data_bytes - 199);
	assert_int_equal(ring_take(pair.reader, &view), RING_BROKEN);
	ring_pair_close(&pair);
}

static void a_message_without_a_receive_breaks_the_consumer(void **state)
{
	struct ring_pair pair = ring_pair_open(4, MAX_LEN);

	atomic_store(&pair.reader->map.slots->mark, 1);
	assert_reader_is_broken(pair.reader);
	ring_pair_close(&pair);
}

static void an_end_beyond_what_was_sent_breaks_the_consumer(void **state)
{
	static const uint32_t ends[] = {1, 2, 3, 5, UINT32_MAX};
	struct ring_view view;

	for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct ring_pair pair = ring_pair_open(4, MAX_LEN);
		uint8_t bytes[1];

		ring_post(pair.reader, 1);
		ring_post(pair.reader, 1);
		assert_int_equal(ring_send_message(pair.writer, 0, bytes, 1, 0), RING_OK);
		atomic_store(&pair.reader->map.head->end, ring_end(ends[i]));
		ring_close(pair.reader);
		/* Of one message is the truth. */
		assert_int_equal(ring_take(pair.reader, &view), i == 0 ? RING_OK : RING_BROKEN);
		ring_pair_close(&pair);
	}
}

static void progress_that_cannot_be_breaks_the_producers(void **state)
{
	static const struct {
		uint32_t posted;
		uint32_t taken;
	} progress[] = {
		{1, 2},			 /* took more than was sent */
		{2, 0},			 /* took back what was taken */
		{2, 3},		 {0, 1}, /* fewer posted than sent */
		{7, 1},			 /* more posted than slots */
		{UINT32_MAX, 1}, {2, UINT32_MAX}, {6, 1},
	};

	for (unsigned i = 0; i < sizeof(progress) / sizeof(progress[0]); i++) {
		struct ring_pair pair = ring_pair_open(4, MAX_LEN);
		struct ring_view view;
		uint8_t bytes[1];

		ring_post(pair.reader, 1);
		assert_int_equal(ring_send_message(pair.writer, 0, bytes, 1, 0), RING_OK);
		assert_int_equal(ring_take(pair.reader, &view), RING_OK);
		ring_release(pair.reader);
		assert_int_equal(ring_send_message(pair.writer, 1, bytes, 1, 0), RING_AGAIN);
		atomic_store(&pair.reader->map.head->progress,
			     (uint64_t)progress[i].posted << 32 | progress[i].taken);
		assert_int_equal(ring_send_message(pair.writer, 1, bytes, 1, 0), RING_BROKEN);
		assert_int_equal(ring_send_message(pair.writer, 1, bytes, 1, 0), RING_BROKEN);
		assert_true(ring_arm_room(pair.writer));
		ring_pair_close(&pair);
	}
}

/* A file of some length and seals with a segment's head in it. */
static int make_file(unsigned flags, size_t len_bytes, int seals, uint64_t magic,
		     struct ring_conf conf)
{
	int fd = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)len_bytes), 0);
	if (len_bytes >= sizeof(magic) + sizeof(conf) && flags == 0) {
		assert_int_equal(pwrite(fd, &magic, sizeof(magic), 0), sizeof(magic));
		assert_int_equal(pwrite(fd, &conf, sizeof(conf), sizeof(magic)), sizeof(conf));
	}
	if (seals != 0)
		assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

/* The segment's descriptor is the one given, the others are as they should be. */
static void assert_segment_is_refused(int segment)
{
	const struct ring_conf conf = {4, 100, 0};
	size_t num_fds = open_fds();
	struct ring_reader *reader;
	struct ring_writer *writer = NULL;
	int fds[RING_NUM_FDS];
	const char *why = NULL;

	assert_int_equal(ring_reader_create(&conf, &reader), 0);
	ring_copy_fds(reader, fds);
	close(fds[RING_FD_SEGMENT]);
	fds[RING_FD_SEGMENT] = segment;
	assert_int_equal(ring_writer_open(fds, &writer, &why), -EPROTO);
	assert_non_null(why);
	assert_null(writer);
	ring_reader_destroy(reader);
	assert_int_equal(open_fds() + (segment >= 0), num_fds);
}

static void a_segment_that_is_none_or_could_be_taken_away_is_refused(void **state)
{
	const struct ring_conf conf = {4, 100, 0};
	struct ring_map map;
	size_t len;

	ring_map_measure(&map, &conf);
	len = map.len_bytes;
	assert_segment_is_refused(make_file(0, len, 0, RING_MAGIC, conf));
	assert_segment_is_refused(make_file(0, len, F_SEAL_GROW, RING_MAGIC, conf));
	assert_segment_is_refused(make_file(0, len, F_SEAL_SHRINK, RING_MAGIC + 1, conf));
	assert_segment_is_refused(make_file(0, len - 1, F_SEAL_SHRINK, RING_MAGIC, conf));
	assert_segment_is_refused(make_file(0, len + 4096, F_SEAL_SHRINK, RING_MAGIC, conf));
	assert_segment_is_refused(make_file(0, 0, F_SEAL_SHRINK, RING_MAGIC, conf));
	assert_segment_is_refused(make_file(0, 4, F_SEAL_SHRINK, RING_MAGIC, conf));
	assert_segment_is_refused(make_file(0, (size_t)1 << 40, F_SEAL_SHRINK, RING_MAGIC, conf));
	/* It could not be written. */
	assert_segment_is_refused(
		make_file(0, len, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE, RING_MAGIC, conf));
	assert_segment_is_refused(-1);
	assert_segment_is_refused(open("/dev/zero", O_RDWR | O_CLOEXEC));
	assert_segment_is_refused(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static void a_segment_in_huge_pages_is_refused(void **state)
{
	int fd = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB);

	if (fd < 0) {
		print_message("no huge pages here: nothing to refuse\n");
		return;
	}
	assert_int_equal(ftruncate(fd, 2 << 20), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_segment_is_refused(fd);
}

static void a_segment_of_values_out_of_range_is_refused(void **state)
{
	static const struct ring_conf wrong[] = {
		{0, 1, 0},
		{RING_MAX_RECVS + 1, 1, 0},
		{UINT32_MAX, 1, 0},
		{1, 0, 0},
		{1, RING_MAX_MSG_BYTES + 1, 0},
		{1, UINT32_MAX, 0},
		{1, 1, RING_MAX_IMM_BYTES + 1},
		{1, 1, UINT32_MAX},
	};

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_segment_is_refused(
			make_file(0, 128 << 20, F_SEAL_SHRINK, RING_MAGIC, wrong[i]));
}

static void bells_of_another_kind_are_refused(void **state)
{
	static const struct {
		int domain;
		int type;
	} kinds[] = {{AF_UNIX, SOCK_STREAM}, {AF_UNIX, SOCK_DGRAM}, {AF_UNIX, SOCK_SEQPACKET},
		     {AF_INET, SOCK_STREAM}, {AF_INET, SOCK_DGRAM}, {-1, 0}};
	const struct ring_conf conf = {4, 100, 0};
	size_t num_fds = open_fds();

	for (unsigned i = 0; i < 2 * sizeof(kinds) / sizeof(kinds[0]); i++) {
		enum ring_fd which = i % 2 == 0 ? RING_FD_BELL : RING_FD_ROOM;
		struct ring_reader *reader;
		struct ring_writer *writer = NULL;
		int fds[RING_NUM_FDS];
		const char *why = NULL;

		if (which == RING_FD_BELL && i / 2 == 0)
			continue;
		assert_int_equal(ring_reader_create(&conf, &reader), 0);
		ring_copy_fds(reader, fds);
		close(fds[which]);
		fds[which] = kinds[i / 2].domain < 0
				     ? event_fd_open()
				     : socket(kinds[i / 2].domain, kinds[i / 2].type, 0);
		assert_true(fds[which] >= 0);
		assert_int_equal(ring_writer_open(fds, &writer, &why), -EPROTO);
		assert_non_null(why);
		ring_reader_destroy(reader);
		assert_int_equal(open_fds(), num_fds);
	}
}

/* As much as the socket takes, and blocking: as the other side can make it. */
static void stuff(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	while (send(fd, "", 1, MSG_DONTWAIT) == 1)
		;
	assert_int_equal(fcntl(fd, F_SETFL, flags & ~O_NONBLOCK), 0);
}

static void a_bell_that_is_full_and_blocking_holds_nobody_up(void **state)
{
	struct ring_pair pair = ring_pair_open(4, MAX_LEN);
	uint8_t bytes[10];
	struct ring_view view;

	alarm(PROCESS_DEADLINE_S);
	stuff(pair.writer->bell_fd);
	for (uint32_t n = 0; n < 1000; n++) {
		assert_int_equal(ring_send_message(pair.writer, n, bytes, 10, 0), RING_AGAIN);
		(void)ring_arm_room(pair.writer);
		(void)ring_arm(pair.reader);
		ring_post(pair.reader, 10);
		assert_int_equal(ring_send_message(pair.writer, n, bytes, 10, 0), RING_OK);
		assert_int_equal(ring_take(pair.reader, &view), RING_OK);
		ring_release(pair.reader);
	}
	(void)ring_arm(pair.reader);
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN);
	alarm(0);
	ring_pair_close(&pair);
}

static void the_other_side_is_gone_and_nothing_ends_this_one(void **state)
{
	struct ring_pair pair = ring_pair_open(2, MAX_LEN);
	struct ring_view view;
	uint8_t bytes[10];

	ring_post(pair.reader, 10);
	assert_false(ring_arm(pair.reader));
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 10, 0), RING_OK);
	assert_int_equal(ring_send_message(pair.writer, 1, bytes, 10, 0), RING_AGAIN);
	(void)ring_arm_room(pair.writer);
	ring_writer_close(pair.writer);
	ring_post(pair.reader, 10); /* rings for room */
	assert_int_equal(ring_take(pair.reader, &view), RING_OK);
	assert_true(ring_is_view(&view, 0, 10, 0));
	ring_release(pair.reader);
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN);
	ring_close(pair.reader);
	assert_int_equal(ring_take(pair.reader, &view), RING_CLOSED);
	ring_reader_destroy(pair.reader);

	pair = ring_pair_open(2, MAX_LEN);
	ring_post(pair.reader, 10);
	assert_false(ring_arm(pair.reader));
	ring_reader_destroy(pair.reader);
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 10, 0), RING_OK); /* rings */
	assert_int_equal(ring_send_message(pair.writer, 1, bytes, 10, 0), RING_AGAIN);
	assert_false(ring_arm_room(pair.writer));
	ring_writer_close(pair.writer);
	assert_int_equal(open_fds(), pair.num_fds);
}

/* Any word of the segment before the memory for data, some value that may be near a right one. */
static void scribble(const struct ring_map *map, uint32_t *random)
{
	size_t num_words = (map->len_bytes - map->data_bytes) / sizeof(uint32_t);
	_Atomic uint32_t *words = (_Atomic uint32_t *)(void *)map->head;
	_Atomic uint32_t *word = &words[ring_random(random) % num_words];
	uint32_t old = atomic_load(word);

	switch (ring_random(random) % 4) {
	case 0:
		atomic_store(word, old + ring_random(random) % 3 - 1);
		break;
	case 1:
		atomic_store(word, old ^ 1u << ring_random(random) % 32);
		break;
	case 2:
		atomic_store(word, ring_random(random) << 8 ^ ring_random(random));
		break;
	default:
		atomic_store(word, ring_random(random) % 9);
	}
}

/* What a view shows lies in the segment, and can be read. */
static bool is_view_sound(const struct ring_reader *reader, const struct ring_view *view)
{
	const uint8_t *begin = (const uint8_t *)reader->map.head;
	const uint8_t *end = begin + reader->map.len_bytes;
	uint8_t bytes[MAX_LEN];
	struct copy_piece target = piece(bytes, sizeof(bytes), 0, 0);

	return view->len_bytes <= MAX_LEN && view->imm_bytes <= RING_MAX_IMM_BYTES &&
	       view->imm >= begin && view->imm + view->imm_bytes <= end && view->data >= begin &&
	       view->data + view->len_bytes <= end && ring_copy_out(view, &target);
}

/*
 * Both sides work on while somebody writes into each word they share: any verdict is right, what is
 * taken lies in the segment, and each call ends. Rings that broke are made anew.
 */
static bool survives(struct ring_pair *pair, uint32_t num_steps, uint32_t random,
		     bool is_scribbling)
{
	uint8_t bytes[MAX_LEN];
	struct ring_view view;

	for (uint32_t i = 0; i < num_steps; i++) {
		uint32_t len = ring_random(&random) % (i % 2 == 0 ? MAX_LEN + 1 : 100);

		if (is_scribbling)
			scribble(&pair->reader->map, &random);
		if (pair->reader->posted - pair->reader->taken <= pair->reader->map.slot_mask &&
		    !pair->reader->is_closed)
			ring_post(pair->reader, MAX_LEN);
		if (ring_send_message(pair->writer, i, bytes, len, i % 33) == RING_BROKEN)
			return true;
		(void)(i % 7 == 0 && ring_arm_room(pair->writer));
		(void)(i % 5 == 0 && ring_arm(pair->reader));
		switch (ring_take(pair->reader, &view)) {
		case RING_OK:
			if (!is_view_sound(pair->reader, &view))
				return false;
			ring_release(pair->reader);
			break;
		case RING_BROKEN:
		case RING_CLOSED:
			return true;
		default:
			break;
		}
		if (i % 1000 == 999)
			ring_close(pair->reader);
	}
	return true;
}

static void garbage_between_calls_breaks_a_ring_at_most(void **state)
{
	for (uint32_t i = 0; i < NUM_RINGS; i++) {
		struct ring_pair pair = ring_pair_open(1 + i % 9, MAX_LEN);

		alarm(PROCESS_DEADLINE_S);
		assert_true(survives(&pair, 2000, i, true));
		alarm(0);
		ring_pair_close(&pair);
	}
}

static void garbage_at_any_time_breaks_a_ring_at_most(void **state)
{
	for (uint32_t i = 0; i < NUM_RINGS / 25; i++) {
		struct ring_pair pair = ring_pair_open(1 + i % 9, MAX_LEN);
		uint32_t random = i;
		int status;
		pid_t pid;

		fflush(NULL);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			alarm(PROCESS_DEADLINE_S);
			for (;;)
				scribble(&pair.writer->map, &random);
		}
		alarm(PROCESS_DEADLINE_S);
		assert_true(survives(&pair, 100000, i, false));
		alarm(0);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		ring_pair_close(&pair);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_that_says_what_cannot_be_breaks_the_consumer),
		cmocka_unit_test(a_message_at_the_end_of_memory_is_one),
		cmocka_unit_test(a_message_without_a_receive_breaks_the_consumer),
		cmocka_unit_test(an_end_beyond_what_was_sent_breaks_the_consumer),
		cmocka_unit_test(progress_that_cannot_be_breaks_the_producers),
		cmocka_unit_test(a_segment_that_is_none_or_could_be_taken_away_is_refused),
		cmocka_unit_test(a_segment_in_huge_pages_is_refused),
		cmocka_unit_test(a_segment_of_values_out_of_range_is_refused),
		cmocka_unit_test(bells_of_another_kind_are_refused),
		cmocka_unit_test(a_bell_that_is_full_and_blocking_holds_nobody_up),
		cmocka_unit_test(the_other_side_is_gone_and_nothing_ends_this_one),
		cmocka_unit_test(garbage_between_calls_breaks_a_ring_at_most),
		cmocka_unit_test(garbage_at_any_time_breaks_a_ring_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
