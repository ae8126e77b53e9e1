/* SPDX-License-Identifier: Apache-2.0 */
#include "support/ring_fixture.h"

#include <poll.h>
#include <sys/epoll.h>

#include "support/fail_calloc.h"
#include "support/fail_memory_file.h"
#include "support/under_tsan.h"

#define GUARD 0xa5
#define MAX_PIECES 5
#define SOME(num) (UNDER_TSAN ? (num) / 10 : (num)) /* it is slow, and one thread is no race */

static bool is_readable(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

	return poll(&poll_fd, 1, 0) == 1;
}

/* A timer, which rings soon after it was rung. */
static bool rings(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

	return poll(&poll_fd, 1, PROCESS_DEADLINE_MS) == 1;
}

static void assert_next(struct ring_reader *reader, uint32_t n, size_t len_bytes,
			uint32_t imm_bytes)
{
	struct ring_view view;

	assert_int_equal(ring_take(reader, &view), RING_OK);
	assert_true(ring_is_view(&view, n, len_bytes, imm_bytes));
	ring_release(reader);
}

static void every_length_and_immediate_length_arrives_whole(void **state)
{
	struct ring_pair pair = ring_pair_open(4, 700);
	uint8_t bytes[700];
	uint32_t n = 0;

	for (size_t len = 0; len <= sizeof(bytes); len++) {
		for (uint32_t imm = 0; imm <= RING_MAX_IMM_BYTES; imm++, n++) {
			ring_post(pair.reader, (uint32_t)len);
			assert_int_equal(ring_send_message(pair.writer, n, bytes, len, imm),
					 RING_OK);
			assert_next(pair.reader, n, len, imm);
		}
	}
	ring_pair_close(&pair);
}

static void long_messages_arrive_whole(void **state)
{
	static const size_t lens[] = {
		4095,	4096,	4097,	65535,	 65536,	  65537,   262143,  262144,
		262145, 500000, 786433, 1048575, 1048576, 1048577, 2097151, RING_MAX_MSG_BYTES,
	};
	struct ring_pair pair = ring_pair_open(2, RING_MAX_MSG_BYTES);
	uint8_t *bytes = malloc(RING_MAX_MSG_BYTES);

	assert_non_null(bytes);
	for (uint32_t n = 0; n < 2 * sizeof(lens) / sizeof(lens[0]); n++) {
		size_t len = lens[n % (sizeof(lens) / sizeof(lens[0]))];

		ring_post(pair.reader, RING_MAX_MSG_BYTES);
		assert_int_equal(ring_send_message(pair.writer, n, bytes, len, n % 33), RING_OK);
		assert_next(pair.reader, n, len, n % 33);
	}
	free(bytes);
	ring_pair_close(&pair);
}

/* Cut some memory into pieces of random lengths, among them empty ones; their number. */
static size_t cut(struct copy_piece pieces[MAX_PIECES], uint8_t *bytes, size_t len_bytes,
		  bool is_valid, uint32_t *random)
{
	size_t num_pieces = 1 + ring_random(random) % MAX_PIECES;

	for (size_t i = 0; i < num_pieces; i++) {
		size_t len =
			i + 1 == num_pieces ? len_bytes : ring_random(random) % (len_bytes + 1);

		pieces[i] = piece(bytes, len, 0, is_valid ? len : 0);
		bytes += len;
		len_bytes -= len;
	}
	chain(pieces, num_pieces);
	return num_pieces;
}

static bool is_guarded(const uint8_t *begin, const uint8_t *end)
{
	for (; begin != end; begin++)
		if (*begin != GUARD)
			return false;
	return true;
}

static void lists_of_any_alignment_are_gathered_and_scattered(void **state)
{
	struct ring_pair pair = ring_pair_open(1, 10000);
	uint8_t source[10064];
	uint8_t target[10064];
	uint32_t random = 1;

	for (uint32_t n = 0; n < SOME(4000); n++) {
		struct copy_piece pieces[MAX_PIECES];
		size_t len = ring_random(&random) % (n % 2 == 0 ? 10001 : 150);
		size_t at = ring_random(&random) % 64;
		const struct ring_msg msg = {.pieces = pieces, .len_bytes = len};
		struct ring_view view;

		ring_fill(source + at, len, n);
		cut(pieces, source + at, len, true, &random);
		ring_post(pair.reader, (uint32_t)len);
		assert_int_equal(ring_send(pair.writer, &msg), RING_OK);
		assert_int_equal(ring_take(pair.reader, &view), RING_OK);
		assert_int_equal(view.len_bytes, len);
		at = ring_random(&random) % 64;
		memset(target, GUARD, sizeof(target));
		cut(pieces, target + at, len, false, &random);
		assert_true(ring_copy_out(&view, pieces));
		ring_release(pair.reader);
		assert_true(ring_is_message(target + at, len, n));
		assert_true(is_guarded(target, target + at));
		assert_true(is_guarded(target + at + len, target + sizeof(target)));
		for (const struct copy_piece *each = pieces; each != NULL; each = each->next)
			assert_int_equal(each->data_len_bytes, each->len_bytes);
	}
	ring_pair_close(&pair);
}

static void a_copy_is_appended_or_changes_nothing(void **state)
{
	uint8_t bytes[8] = {1, 2, 3, GUARD, GUARD, GUARD, GUARD, GUARD};
	const struct ring_view view = {.data = (const uint8_t *)"\x4\x5\x6", .len_bytes = 3};
	const struct ring_view nothing = {.len_bytes = 0};
	struct copy_piece target = piece(bytes, 5, 0, 3);

	assert_false(ring_copy_out(&view, &target));
	assert_int_equal(bytes[3], GUARD);
	assert_int_equal(target.data_len_bytes, 3);
	target.len_bytes = 6;
	assert_true(ring_copy_out(&view, &target));
	assert_memory_equal(bytes, "\x1\x2\x3\x4\x5\x6", 6);
	assert_int_equal(bytes[6], GUARD);
	assert_int_equal(target.data_len_bytes, 6);
	assert_true(ring_copy_out(&nothing, &target));
	assert_true(ring_copy_out(&nothing, NULL));
	assert_false(ring_copy_out(&view, NULL));
	target.head = bytes + 1; /* the window lies outside its region */
	assert_false(ring_copy_out(&view, &target));
}

/* Send and take in random turns, so that each place wraps at each fill. */
static void exchange(struct ring_pair *pair, uint32_t num_recvs, size_t max_len, uint32_t num_msgs,
		     uint32_t random)
{
	uint8_t *bytes = malloc(max_len + 1);
	uint32_t lens[64];
	uint32_t sent = 0;
	uint32_t taken = 0;

	assert_non_null(bytes);
	while (taken < num_msgs) {
		uint32_t to_send = ring_random(&random) % (num_recvs + 1);
		uint32_t to_take = ring_random(&random) % (num_recvs + 1);

		for (; to_send > 0 && sent - taken < num_recvs; to_send--, sent++) {
			/* Some long ones among short ones. */
			lens[sent % 64] = ring_random(&random) %
					  (ring_random(&random) % 4 == 0 ? max_len + 1 : 200);
			ring_post(pair->reader, (uint32_t)max_len);
			assert_int_equal(ring_send_message(pair->writer, sent, bytes,
							   lens[sent % 64], sent % 33),
					 RING_OK);
		}
		for (; to_take > 0 && taken != sent; to_take--, taken++)
			assert_next(pair->reader, taken, lens[taken % 64], taken % 33);
	}
	free(bytes);
}

static void places_wrap_at_each_fill(void **state)
{
	static const uint32_t nums[] = {1, 2, 3, 5, 8, 33, 64};

	for (unsigned i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
		struct ring_pair pair = ring_pair_open(nums[i], 40000);

		exchange(&pair, nums[i], 40000, SOME(3000), i);
		ring_pair_close(&pair);
	}
}

static void memory_for_long_messages_wraps_too(void **state)
{
	struct ring_pair pair = ring_pair_open(5, 1 << 20);

	exchange(&pair, 5, 1 << 20, SOME(400), 7);
	ring_pair_close(&pair);
}

static void counters_and_marks_wrap(void **state)
{
	struct ring_pair pair = ring_pair_open(3, 300);
	/* As after so many rounds through the slots that the marks are where they began. */
	uint32_t begin = (uint32_t)0 - (uint32_t)(4 << 16);

	pair.reader->posted = pair.reader->taken = pair.reader->limit = begin;
	pair.writer->posted = pair.writer->taken = pair.writer->sent = begin;
	exchange(&pair, 3, 300, 4 * 65536 + 1000, 3);
	ring_pair_close(&pair);
}

static void a_long_message_leaves_the_receive_to_the_next(void **state)
{
	struct ring_pair pair = ring_pair_open(2, 1000);
	uint8_t bytes[1001];
	struct ring_view view;

	ring_post(pair.reader, 100);
	ring_post(pair.reader, 0);
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 101, 0), RING_TOO_LONG);
	assert_int_equal(ring_send_message(pair.writer, 1, bytes, 1001, 0), RING_TOO_LONG);
	assert_int_equal(ring_send_message(pair.writer, 2, bytes, 100, RING_MAX_IMM_BYTES + 1),
			 RING_TOO_LONG);
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN);
	assert_int_equal(ring_send_message(pair.writer, 3, bytes, 100, 32), RING_OK);
	/* The next takes immediate data alone. */
	assert_int_equal(ring_send_message(pair.writer, 4, bytes, 1, 1), RING_TOO_LONG);
	assert_int_equal(ring_send_message(pair.writer, 5, bytes, 0, 32), RING_OK);
	assert_next(pair.reader, 3, 100, 32);
	assert_next(pair.reader, 5, 0, 32);
	ring_pair_close(&pair);
}

static void what_the_consumer_takes_is_known_to_its_producers(void **state)
{
	const struct ring_conf conf = {1, 5, 3};
	struct ring_pair pair = {.num_fds = open_fds()};
	uint8_t bytes[6];
	int fds[RING_NUM_FDS];
	const char *why;

	assert_int_equal(ring_reader_create(&conf, &pair.reader), 0);
	ring_copy_fds(pair.reader, fds);
	assert_int_equal(ring_writer_open(fds, &pair.writer, &why), 0);
	ring_post(pair.reader, 100);
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 6, 3), RING_TOO_LONG);
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 5, 4), RING_TOO_LONG);
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 5, 3), RING_OK);
	assert_next(pair.reader, 0, 5, 3);
	ring_pair_close(&pair);
}

static void nothing_is_sent_without_a_receive(void **state)
{
	struct ring_pair pair = ring_pair_open(3, 10);
	uint8_t bytes[10];
	struct ring_view view;

	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 10, 0), RING_AGAIN);
	ring_post(pair.reader, 10);
	assert_int_equal(ring_send_message(pair.writer, 1, bytes, 10, 0), RING_OK);
	assert_int_equal(ring_send_message(pair.writer, 2, bytes, 10, 0), RING_AGAIN);
	assert_int_equal(ring_take(pair.reader, &view), RING_OK);
	assert_int_equal(ring_take(pair.reader, &view), RING_OK); /* the same */
	assert_true(ring_is_view(&view, 1, 10, 0));
	ring_release(pair.reader);
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN);
	assert_int_equal(ring_send_message(pair.writer, 3, bytes, 10, 0), RING_AGAIN);
	ring_pair_close(&pair);
}

static void all_receives_can_be_full_at_once_in_any_phase(void **state)
{
	struct ring_pair pair = ring_pair_open(8, 500000);
	uint8_t *bytes = malloc(500000);
	uint32_t sent = 0;
	uint32_t taken = 0;

	assert_non_null(bytes);
	for (uint32_t i = 0; i < 8; i++)
		ring_post(pair.reader, 500000);
	for (uint32_t round = 0; round < 24; round++) {
		for (; sent - taken < 8; sent++)
			assert_int_equal(
				ring_send_message(pair.writer, sent, bytes, 499999, sent % 3),
				RING_OK);
		for (uint32_t i = 0; i < 1 + round % 8; i++, taken++) {
			assert_next(pair.reader, taken, 499999, taken % 3);
			ring_post(pair.reader, 500000);
		}
	}
	free(bytes);
	ring_pair_close(&pair);
}

static void memory_that_is_full_is_room_again_when_a_message_was_taken(void **state)
{
	struct ring_pair pair = ring_pair_open(64, RING_MAX_MSG_BYTES);
	uint8_t *bytes = malloc(RING_MAX_MSG_BYTES);
	uint32_t sent = 0;

	assert_non_null(bytes);
	for (uint32_t i = 0; i < 64; i++)
		ring_post(pair.reader, RING_MAX_MSG_BYTES);
	while (ring_send_message(pair.writer, sent, bytes, RING_MAX_MSG_BYTES, 0) == RING_OK)
		sent++;
	assert_in_range(sent, 30, 40);
	assert_int_equal(ring_send_message(pair.writer, sent, bytes, RING_MAX_MSG_BYTES, 0),
			 RING_AGAIN);
	assert_false(ring_arm_room(pair.writer));
	assert_false(is_readable(ring_writer_room_fd(pair.writer)));
	/* A small one finds room. */
	assert_int_equal(ring_send_message(pair.writer, 1000, bytes, 10, 0), RING_OK);
	for (uint32_t n = 0; n < sent; n++) {
		assert_next(pair.reader, n, RING_MAX_MSG_BYTES, 0);
		assert_true(rings(ring_writer_room_fd(pair.writer)));
	}
	assert_next(pair.reader, 1000, 10, 0);
	assert_int_equal(ring_send_message(pair.writer, 1001, bytes, RING_MAX_MSG_BYTES, 0),
			 RING_OK);
	assert_next(pair.reader, 1001, RING_MAX_MSG_BYTES, 0);
	free(bytes);
	ring_pair_close(&pair);
}

static void what_was_sent_before_a_close_is_taken_and_later_senders_are_told(void **state)
{
	struct ring_pair pair = ring_pair_open(4, 100);
	uint8_t bytes[101];
	struct ring_view view;

	for (uint32_t n = 0; n < 4; n++)
		ring_post(pair.reader, 100);
	for (uint32_t n = 0; n < 2; n++)
		assert_int_equal(ring_send_message(pair.writer, n, bytes, 100, 0), RING_OK);
	ring_close(pair.reader);
	ring_close(pair.reader);
	assert_int_equal(ring_send_message(pair.writer, 2, bytes, 100, 0), RING_CLOSED);
	assert_int_equal(ring_send_message(pair.writer, 2, bytes, 101, 0), RING_CLOSED);
	assert_next(pair.reader, 0, 100, 0);
	assert_next(pair.reader, 1, 100, 0);
	assert_int_equal(ring_take(pair.reader, &view), RING_CLOSED);
	assert_int_equal(ring_take(pair.reader, &view), RING_CLOSED);
	assert_true(ring_arm(pair.reader));
	assert_true(ring_arm_room(pair.writer));
	ring_pair_close(&pair);
}

static void a_close_is_told_where_there_was_no_room(void **state)
{
	for (uint32_t num_sent = 0; num_sent <= 2; num_sent += 2) {
		struct ring_pair pair = ring_pair_open(2, 100);
		uint8_t bytes[100];
		struct ring_view view;

		for (uint32_t n = 0; n < num_sent; n++) {
			ring_post(pair.reader, 100);
			assert_int_equal(ring_send_message(pair.writer, n, bytes, 3, 0), RING_OK);
		}
		assert_int_equal(ring_send_message(pair.writer, 9, bytes, 3, 0), RING_AGAIN);
		assert_false(ring_arm_room(pair.writer));
		ring_close(pair.reader);
		assert_true(rings(ring_writer_room_fd(pair.writer)));
		assert_true(ring_arm_room(pair.writer));
		assert_int_equal(ring_send_message(pair.writer, 9, bytes, 3, 0), RING_CLOSED);
		for (uint32_t n = 0; n < num_sent; n++)
			assert_next(pair.reader, n, 3, 0);
		assert_int_equal(ring_take(pair.reader, &view), RING_CLOSED);
		ring_pair_close(&pair);
	}
}

static void a_bell_rings_for_whoever_armed_and_is_quiet_else(void **state)
{
	struct ring_pair pair = ring_pair_open(4, 100);
	int bell = ring_reader_bell_fd(pair.reader);
	uint8_t bytes[100];
	struct ring_view view;

	for (uint32_t n = 0; n < 4; n++)
		ring_post(pair.reader, 100);
	assert_int_equal(ring_send_message(pair.writer, 0, bytes, 1, 0), RING_OK);
	assert_false(is_readable(bell));
	assert_true(ring_arm(pair.reader)); /* it is there already */
	assert_next(pair.reader, 0, 1, 0);
	assert_int_equal(ring_send_message(pair.writer, 1, bytes, 1, 0), RING_OK);
	assert_false(is_readable(bell)); /* it was disarmed by what was taken */
	assert_next(pair.reader, 1, 1, 0);
	assert_false(ring_arm(pair.reader));
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN); /* and stays armed */
	assert_int_equal(ring_send_message(pair.writer, 2, bytes, 1, 0), RING_OK);
	assert_true(is_readable(bell));
	assert_next(pair.reader, 2, 1, 0);
	assert_false(is_readable(bell));
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN);
	ring_pair_close(&pair);
}

static void a_bell_that_was_rung_for_nothing_is_armed_again(void **state)
{
	struct ring_pair pair = ring_pair_open(4, 100);
	int bell = ring_reader_bell_fd(pair.reader);
	uint8_t bytes[100];
	struct ring_view view;

	ring_post(pair.reader, 100);
	assert_false(ring_arm(pair.reader));
	/* As when a producer was late to ring for what is taken by now. */
	atomic_store(&pair.reader->map.head->of_producers, 0);
	assert_int_equal(write(pair.writer->bell_fd, "", 1), 1);
	assert_true(is_readable(bell));
	assert_int_equal(ring_take(pair.reader, &view), RING_AGAIN);
	assert_false(is_readable(bell));
	assert_int_equal(ring_send_message(pair.writer, 2, bytes, 1, 0), RING_OK);
	assert_true(is_readable(bell));
	ring_pair_close(&pair);
}

static void room_rings_once_for_each_that_armed(void **state)
{
	struct ring_pair pair = ring_pair_open(4, 100);
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int room = epoll_create1(EPOLL_CLOEXEC);
	uint8_t bytes[100];

	assert_int_equal(epoll_ctl(room, EPOLL_CTL_ADD, ring_writer_room_fd(pair.writer), &event),
			 0);
	for (uint32_t n = 0; n < 100; n++) {
		assert_int_equal(ring_send_message(pair.writer, n, bytes, 1, 0), RING_AGAIN);
		assert_false(ring_arm_room(pair.writer));
		ring_post(pair.reader, 100);
		assert_int_equal(epoll_wait(room, &event, 1, PROCESS_DEADLINE_MS), 1);
		assert_int_equal(epoll_wait(room, &event, 1, 0), 0);
		assert_true(ring_arm_room(pair.writer)); /* there is room */
		assert_int_equal(ring_send_message(pair.writer, n, bytes, 1, 0), RING_OK);
		assert_next(pair.reader, n, 1, 0);
	}
	close(room);
	ring_pair_close(&pair);
}

static void values_out_of_range_are_refused(void **state)
{
	static const struct ring_conf wrong[] = {
		{0, 1, 0},
		{RING_MAX_RECVS + 1, 1, 0},
		{1, 0, 0},
		{1, RING_MAX_MSG_BYTES + 1, 0},
		{1, 1, RING_MAX_IMM_BYTES + 1},
		{UINT32_MAX, UINT32_MAX, UINT32_MAX},
	};
	const struct ring_conf most = {RING_MAX_RECVS, RING_MAX_MSG_BYTES, RING_MAX_IMM_BYTES};
	struct ring_reader *reader = NULL;

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(ring_reader_create(&wrong[i], &reader), -EINVAL);
		assert_null(reader);
	}
	assert_int_equal(ring_reader_create(&most, &reader), 0);
	ring_reader_destroy(reader);
	ring_reader_destroy(NULL);
	ring_writer_close(NULL);
}

static void descriptors_are_closed_on_exec_and_when_they_were_sent(void **state)
{
	const struct ring_conf conf = {1, 1, 0};
	size_t num_fds = open_fds();
	struct ring_reader *reader;
	const int *fds;

	assert_int_equal(ring_reader_create(&conf, &reader), 0);
	fds = ring_reader_fds(reader);
	for (unsigned i = 0; i < RING_NUM_FDS; i++)
		assert_true(fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(ring_reader_bell_fd(reader), F_GETFD) & FD_CLOEXEC);
	assert_int_equal(open_fds(), num_fds + 4);
	ring_reader_sent(reader);
	ring_reader_sent(reader);
	assert_int_equal(fds[RING_FD_SEGMENT], -1);
	assert_int_equal(open_fds(), num_fds + 2);
	ring_reader_destroy(reader);
	assert_int_equal(open_fds(), num_fds);
}

/* The linker sends the calls to the first, and knows the real ones as the second. */
int __wrap_socketpair(int domain, int type, int protocol, int ends[2]);
int __real_socketpair(int domain, int type, int protocol, int ends[2]);
int __wrap_timerfd_create(int clock, int flags);
int __real_timerfd_create(int clock, int flags);
long __wrap_syscall(long number, ...);

static int next_socketpair_error;
static int next_timer_error;
static bool has_no_barriers;
static unsigned num_barriers;

int __wrap_socketpair(int domain, int type, int protocol, int ends[2])
{
	if (take_call_error(&next_socketpair_error) != 0)
		return -1;
	return __real_socketpair(domain, type, protocol, ends);
}

int __wrap_timerfd_create(int clock, int flags)
{
	if (take_call_error(&next_timer_error) != 0)
		return -1;
	return __real_timerfd_create(clock, flags);
}

/* The rings ask the kernel for barriers alone; one of a test is one for all. */
long __wrap_syscall(long number, ...)
{
	num_barriers++;
	atomic_thread_fence(memory_order_seq_cst);
	errno = ENOSYS;
	return has_no_barriers ? -1 : 0;
}

static void each_call_that_fails_is_told_and_leaves_nothing(void **state)
{
	static const struct {
		int *place;
		int error;
	} failures[] = {
		{&next_memfd_create_error, EMFILE}, {&next_ftruncate_error, ENOSPC},
		{&next_fcntl_error, EPERM},	    {&next_mmap_error, ENOMEM},
		{&next_socketpair_error, EMFILE},   {&next_timer_error, ENFILE},
	};
	const struct ring_conf conf = {1, 1, 0};
	struct ring_reader *reader = NULL;
	size_t num_fds = open_fds();

	for (unsigned i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		*failures[i].place = failures[i].error;
		assert_int_equal(ring_reader_create(&conf, &reader), -failures[i].error);
		assert_null(reader);
		assert_int_equal(open_fds(), num_fds);
	}
	next_calloc_fails = true;
	assert_int_equal(ring_reader_create(&conf, &reader), -ENOMEM);
	assert_int_equal(open_fds(), num_fds);
}

static void each_call_that_fails_is_told_to_who_opens(void **state)
{
	const struct ring_conf conf = {1, 1, 0};
	size_t num_fds = open_fds();
	struct ring_reader *reader;
	struct ring_writer *writer = NULL;

	for (unsigned i = 0; i < 3; i++) {
		int fds[RING_NUM_FDS];
		const char *why = NULL;

		assert_int_equal(ring_reader_create(&conf, &reader), 0);
		ring_copy_fds(reader, fds);
		next_fcntl_error = i == 0 ? EINVAL : 0;
		next_mmap_error = i == 1 ? ENOMEM : 0;
		next_calloc_fails = i == 2;
		assert_int_equal(ring_writer_open(fds, &writer, &why), i == 0 ? -EPROTO : -ENOMEM);
		assert_non_null(why);
		assert_null(writer);
		ring_reader_destroy(reader);
		assert_int_equal(open_fds(), num_fds);
	}
}

static void without_barriers_of_the_kernel_each_side_fences(void **state)
{
	struct ring_pair pair;
	uint8_t bytes[300];

	has_no_barriers = true;
	pair = ring_pair_open(3, 300);
	has_no_barriers = false;
	assert_true(pair.reader->must_fence && pair.writer->must_fence);
	exchange(&pair, 3, 300, 1000, 1);
	assert_int_equal(ring_send_message(pair.writer, 1000, bytes, 1, 0), RING_AGAIN);
	assert_false(ring_arm_room(pair.writer));
	ring_post(pair.reader, 300);
	assert_true(rings(ring_writer_room_fd(pair.writer)));
	ring_pair_close(&pair);
}

static void a_message_costs_no_barrier(void **state)
{
	struct ring_pair pair = ring_pair_open(3, 300);

	num_barriers = 0;
	exchange(&pair, 3, 300, 1000, 1);
	assert_int_equal(num_barriers, 0);
	assert_false(ring_arm(pair.reader));
	assert_int_equal(num_barriers, 1);
	ring_pair_close(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_and_immediate_length_arrives_whole),
		cmocka_unit_test(long_messages_arrive_whole),
		cmocka_unit_test(lists_of_any_alignment_are_gathered_and_scattered),
		cmocka_unit_test(a_copy_is_appended_or_changes_nothing),
		cmocka_unit_test(places_wrap_at_each_fill),
		cmocka_unit_test(memory_for_long_messages_wraps_too),
		cmocka_unit_test(counters_and_marks_wrap),
		cmocka_unit_test(a_long_message_leaves_the_receive_to_the_next),
		cmocka_unit_test(what_the_consumer_takes_is_known_to_its_producers),
		cmocka_unit_test(nothing_is_sent_without_a_receive),
		cmocka_unit_test(all_receives_can_be_full_at_once_in_any_phase),
		cmocka_unit_test(memory_that_is_full_is_room_again_when_a_message_was_taken),
		cmocka_unit_test(what_was_sent_before_a_close_is_taken_and_later_senders_are_told),
		cmocka_unit_test(a_close_is_told_where_there_was_no_room),
		cmocka_unit_test(a_bell_rings_for_whoever_armed_and_is_quiet_else),
		cmocka_unit_test(a_bell_that_was_rung_for_nothing_is_armed_again),
		cmocka_unit_test(room_rings_once_for_each_that_armed),
		cmocka_unit_test(values_out_of_range_are_refused),
		cmocka_unit_test(descriptors_are_closed_on_exec_and_when_they_were_sent),
		cmocka_unit_test(each_call_that_fails_is_told_and_leaves_nothing),
		cmocka_unit_test(each_call_that_fails_is_told_to_who_opens),
		cmocka_unit_test(without_barriers_of_the_kernel_each_side_fences),
		cmocka_unit_test(a_message_costs_no_barrier),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
