/* SPDX-License-Identifier: Apache-2.0 */
/* What a peer of no rules says about consumers, and what is said to one that does not listen. */
#include "support/comch_fast.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "comch/channels.h"
#include "support/comch_raw.h"
#include "support/needs.h"

/* An allocation of the libraries that fails: the how-manieth from now, 0: none. */
static int calloc_fails_in;

void *__wrap_calloc(size_t num, size_t size);
void *__real_calloc(size_t num, size_t size);

void *__wrap_calloc(size_t num, size_t size)
{
	return calloc_fails_in != 0 && --calloc_fails_in == 0 ? NULL : __real_calloc(num, size);
}

/* A server that hears of consumers, and a client of it that is a socket. */
struct raw_pair {
	struct comch_end server;
	struct fast_memory memory;
	struct fast_half consumer; /* the server's, idle */
	struct fast_half producer; /* the server's, running */
	uint32_t start;		   /* of a consumer, as last answered or to be answered */
	int fd;
	int line_fd; /* the client's end of the bell of the server's consumer; -1: none */
	unsigned num_fds;
};

/* Of descriptors beside a packet the first alone finds a place, as when a process has many. */
static bool has_one_place;

ssize_t __wrap_recvmsg(int fd, struct msghdr *packet, int flags);
ssize_t __real_recvmsg(int fd, struct msghdr *packet, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *packet, int flags)
{
	ssize_t got = __real_recvmsg(fd, packet, flags);
	struct cmsghdr *beside = got < 0 ? NULL : CMSG_FIRSTHDR(packet);

	if (!has_one_place || beside == NULL)
		return got;
	for (size_t at = sizeof(int); CMSG_LEN(at) < beside->cmsg_len; at += sizeof(int)) {
		int dropped;

		memcpy(&dropped, CMSG_DATA(beside) + at, sizeof(dropped));
		close(dropped);
	}
	beside->cmsg_len = CMSG_LEN(sizeof(int));
	packet->msg_flags |= MSG_CTRUNC;
	return got;
}

static int setup(void **state)
{
	struct raw_pair *pair = calloc(1, sizeof(*pair));

	if (pair == NULL)
		return -1;
	*state = pair;
	pair->num_fds = comch_num_fds();
	pair->line_fd = -1;
	comch_server_open(&pair->server, "raw", NULL);
	comch_hear_of_consumers(&pair->server);
	comch_start(&pair->server);
	pair->fd = raw_client(&pair->server);
	fast_memory_open(&pair->memory, pair->server.dev, 4096);
	fast_consumer_open(&pair->consumer, &pair->server, &pair->memory, 4, pair->server.pe);
	fast_producer_open(&pair->producer, &pair->server, 4, pair->server.pe);
	assert_doca(doca_ctx_start(pair->producer.ctx), DOCA_SUCCESS);
	return 0;
}

static void drop_line(struct raw_pair *pair)
{
	if (pair->line_fd >= 0)
		close(pair->line_fd);
	pair->line_fd = -1;
}

static int teardown(void **state)
{
	struct raw_pair *pair = *state;
	bool is_even;

	if (pair->fd >= 0)
		close(pair->fd);
	drop_line(pair);
	fast_close(&pair->producer);
	fast_close(&pair->consumer);
	fast_memory_close(&pair->memory);
	comch_end_close(&pair->server);
	is_even = comch_num_fds() == pair->num_fds;
	free(pair);
	return is_even ? 0 : -1;
}

/* All that the server can do it has done. */
static void settle(struct raw_pair *pair)
{
	unsigned num_idle = 0;

	while (num_idle < 10)
		num_idle = doca_pe_progress(pair->server.pe) == 0 ? num_idle + 1 : 0;
}

static void say(struct raw_pair *pair, enum comch_type type, uint32_t id, uint32_t ack)
{
	raw_send(pair->fd,
		 &(struct comch_frame){
			 .type = type, .consumer_id = id, .start = pair->start, .ack = ack});
}

/* A word about a consumer, with so many descriptors beside. */
static void say_with(struct raw_pair *pair, const struct comch_frame *frame, const int *fds,
		     unsigned num_fds)
{
	uint8_t bytes[COMCH_CONTROL_BYTES];
	struct iovec part = {.iov_base = bytes, .iov_len = comch_encode(frame, bytes)};
	union {
		struct cmsghdr head;
		uint8_t bytes[CMSG_SPACE(8 * sizeof(int))];
	} room;
	struct msghdr packet = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &room,
		.msg_controllen = CMSG_SPACE(num_fds * sizeof(int)),
	};

	memset(&room, 0, sizeof(room));
	room.head = (struct cmsghdr){
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN(num_fds * sizeof(int)),
	};
	memcpy(CMSG_DATA(&room.head), fds, num_fds * sizeof(int));
	assert_int_equal(sendmsg(pair->fd, &packet, MSG_NOSIGNAL), part.iov_len);
}

static struct comch_frame new_consumer(uint32_t id)
{
	return (struct comch_frame){.type = COMCH_NEW_CONSUMER, .consumer_id = id, .start = ~id};
}

static void announce(struct raw_pair *pair, uint32_t id, const struct ring_reader *ring)
{
	const struct comch_frame frame = new_consumer(id);

	say_with(pair, &frame, ring_reader_fds(ring), RING_NUM_FDS);
}

static struct ring_reader *make_ring(void)
{
	const struct ring_conf conf = {.num_recvs = 4, .max_msg_bytes = 64, .max_imm_bytes = 8};
	struct ring_reader *ring = NULL;

	assert_int_equal(ring_reader_create(&conf, &ring), 0);
	return ring;
}

/* The next word of the server's is an answer about that consumer. */
static void assert_answer(struct raw_pair *pair, uint32_t id, uint32_t ack)
{
	struct comch_frame frame;

	assert_int_equal(raw_receive(pair->fd, &frame), COMCH_CONSUMER_ACK);
	assert_int_equal(frame.consumer_id, id);
	assert_int_equal(frame.ack, ack);
	pair->start = frame.start;
}

static void a_consumer_with_a_segment_is_taken_in(void **state)
{
	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();
	struct ring_view view;

	announce(pair, 1, ring);
	settle(pair);
	assert_answer(pair, 1, COMCH_ACK_TAKEN);
	assert_int_equal(pair->start, ~1u);
	assert_int_equal(pair->server.new_id, 1);
	ring_post(ring, 10);
	assert_doca(fast_send_imm(&pair->producer, 1, NULL, "imm", 3), DOCA_SUCCESS);
	assert_int_equal(ring_take(ring, &view), RING_OK);
	assert_int_equal(view.imm_bytes, 3);
	assert_int_equal(view.producer_id, pair->producer.id);
	say(pair, COMCH_EXPIRED_CONSUMER, 1, 0);
	settle(pair);
	assert_int_equal(pair->server.expired_id, 1);
	assert_doca(fast_send_imm(&pair->producer, 1, NULL, "imm", 3), DOCA_ERROR_INVALID_VALUE);
	ring_reader_destroy(ring);
}

static void a_consumer_without_its_descriptors_is_refused(void **state)
{
	skip_unless(kernel_drops_fds(), NO_DROPPED_FDS);

	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();
	const int *fds = ring_reader_fds(ring);
	const int six[] = {fds[0], fds[1], fds[2], fds[0], fds[1], fds[2]};
	const int mixed[] = {fds[1], fds[0], fds[2]};
	const int file = memfd_create("unsealed", MFD_CLOEXEC);
	const int unsealed[] = {file, fds[1], fds[2]};
	const struct comch_frame frame = new_consumer(5);
	unsigned num_fds = comch_num_fds();

	say(pair, COMCH_NEW_CONSUMER, 5, 0);
	settle(pair);
	assert_answer(pair, 5, COMCH_ACK_REFUSED);
	for (unsigned num = 1; num < RING_NUM_FDS; num++) {
		say_with(pair, &frame, fds, num);
		settle(pair);
		assert_answer(pair, 5, COMCH_ACK_REFUSED);
	}
	say_with(pair, &frame, mixed, RING_NUM_FDS);
	settle(pair);
	assert_answer(pair, 5, COMCH_ACK_REFUSED);
	say_with(pair, &frame, unsealed, RING_NUM_FDS);
	settle(pair);
	assert_answer(pair, 5, COMCH_ACK_REFUSED);
	assert_int_equal(pair->server.num_new, 0);
	/* Its end is nobody's news. */
	say(pair, COMCH_EXPIRED_CONSUMER, 5, 0);
	settle(pair);
	assert_int_equal(pair->server.num_expired, 0);
	/* What there is no room for is dropped by the system. */
	say_with(pair, &frame, six, 6);
	settle(pair);
	assert_answer(pair, 5, COMCH_ACK_TAKEN);
	assert_int_equal(pair->server.num_disconnects, 0);
	say(pair, COMCH_EXPIRED_CONSUMER, 5, 0);
	settle(pair);
	assert_int_equal(comch_num_fds(), num_fds);
	close(file);
	ring_reader_destroy(ring);
}

static void a_consumer_whose_descriptors_have_no_place_here_is_refused(void **state)
{
	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();

	announce(pair, 1, ring);
	has_one_place = true;
	settle(pair);
	has_one_place = false;
	assert_answer(pair, 1, COMCH_ACK_REFUSED);
	assert_int_equal(pair->server.num_disconnects, 0);
	ring_reader_destroy(ring);
}

/* Descriptors by which the server and the producer watch their peer. */
static unsigned num_watched(void)
{
	return comch_has_pidfds() ? 2 : 0;
}

static void descriptors_beside_other_frames_are_closed(void **state)
{
	struct raw_pair *pair = *state;
	const int fds[] = {STDIN_FILENO, STDIN_FILENO, STDIN_FILENO};
	const struct comch_frame frames[] = {
		{.type = COMCH_EXPIRED_CONSUMER, .consumer_id = 9},
		{.type = COMCH_CONSUMER_ACK, .consumer_id = 9, .ack = COMCH_ACK_TAKEN},
		{.type = COMCH_CLOSE},
	};
	unsigned num_fds = comch_num_fds();

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		say_with(pair, &frames[i], fds, 3);
		if (frames[i].type != COMCH_CLOSE)
			settle(pair);
		if (frames[i].type != COMCH_CLOSE)
			assert_int_equal(comch_num_fds(), num_fds);
	}
	/* Also when they are read ahead: the task's callback wants to know of the end. */
	assert_doca(comch_send(&pair->server, pair->server.peer, "look", 4), DOCA_SUCCESS);
	close(pair->fd);
	pair->fd = -1;
	settle(pair);
	/* Both ends, what the producer waits with, and two that watch the peer. */
	assert_int_equal(comch_num_fds(), num_fds - 3 - num_watched());
	assert_int_equal(pair->server.num_disconnects, 1);
}

/* Descriptors beside no byte at all. */
static void say_nothing_with(struct raw_pair *pair, const int *fds, unsigned num_fds)
{
	union {
		struct cmsghdr head;
		uint8_t bytes[CMSG_SPACE(3 * sizeof(int))];
	} room;
	struct iovec nothing = {0};
	struct msghdr packet = {
		.msg_iov = &nothing,
		.msg_iovlen = 1,
		.msg_control = &room,
		.msg_controllen = CMSG_SPACE(num_fds * sizeof(int)),
	};

	memset(&room, 0, sizeof(room));
	room.head = (struct cmsghdr){
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN(num_fds * sizeof(int)),
	};
	memcpy(CMSG_DATA(&room.head), fds, num_fds * sizeof(int));
	assert_int_equal(sendmsg(pair->fd, &packet, MSG_NOSIGNAL), 0);
}

static void descriptors_beside_nothing_are_closed(void **state)
{
	struct raw_pair *pair = *state;
	const int fds[] = {STDIN_FILENO, STDIN_FILENO, STDIN_FILENO};
	unsigned num_fds = comch_num_fds();

	say_nothing_with(pair, fds, 3);
	settle(pair);
	assert_int_equal(pair->server.num_disconnects, 1);
	/* The server's end, what the producer waits with, and two that watch the peer. */
	assert_int_equal(comch_num_fds(), num_fds - 2 - num_watched());
}

static void descriptors_beside_nothing_that_is_read_ahead_are_closed(void **state)
{
	struct raw_pair *pair = *state;
	const int fds[] = {STDIN_FILENO, STDIN_FILENO, STDIN_FILENO};
	unsigned num_fds = comch_num_fds();

	assert_doca(comch_send(&pair->server, pair->server.peer, "look", 4), DOCA_SUCCESS);
	say_nothing_with(pair, fds, 3);
	close(pair->fd);
	pair->fd = -1;
	settle(pair);
	assert_int_equal(pair->server.num_disconnects, 1);
	assert_int_equal(comch_num_fds(), num_fds - 3 - num_watched());
}

static void strangers_descriptors_are_closed(void **state)
{
	struct raw_pair *pair = *state;
	const int fds[] = {STDIN_FILENO, STDIN_FILENO, STDIN_FILENO};
	const struct comch_frame frame = new_consumer(1);
	int fd = raw_connect(&pair->server);
	int client = pair->fd;
	unsigned num_fds = comch_num_fds();

	pair->fd = fd;
	say_with(pair, &frame, fds, 3);
	pair->fd = client;
	settle(pair);
	assert_int_equal(comch_num_fds(), num_fds);
	close(fd);
}

static void a_number_that_is_taken_ends_the_connection(void **state)
{
	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();

	announce(pair, 1, ring);
	settle(pair);
	announce(pair, 1, ring);
	settle(pair);
	assert_int_equal(pair->server.num_disconnects, 1);
	assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_IDLE);
	ring_reader_destroy(ring);
}

static void so_many_consumers_are_taken_and_no_more(void **state)
{
	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();
	uint32_t id;

	for (id = 1; id <= CHANNELS_MAX_CONSUMERS; id++) {
		announce(pair, id, ring);
		settle(pair);
		assert_answer(pair, id, COMCH_ACK_TAKEN);
	}
	announce(pair, id, ring);
	settle(pair);
	assert_answer(pair, id, COMCH_ACK_FULL);
	say(pair, COMCH_EXPIRED_CONSUMER, 7, 0);
	announce(pair, id, ring);
	settle(pair);
	assert_answer(pair, id, COMCH_ACK_TAKEN);
	ring_reader_destroy(ring);
}

static void consumers_without_end_end_the_connection(void **state)
{
	struct raw_pair *pair = *state;
	uint32_t id = 1;

	/* It does not listen, so that the answers pile up. */
	while (pair->server.num_disconnects == 0 && id < 1000000) {
		say(pair, COMCH_NEW_CONSUMER, id++, 0);
		settle(pair);
	}
	assert_int_equal(pair->server.num_disconnects, 1);
	assert_true(id > 2 * CHANNELS_MAX_CONSUMERS);
}

static void an_answer_that_is_late_or_wrong_is_none(void **state)
{
	struct raw_pair *pair = *state;
	struct comch_frame frame;

	say(pair, COMCH_CONSUMER_ACK, 99, COMCH_ACK_TAKEN);
	say(pair, COMCH_CONSUMER_ACK, pair->consumer.id, COMCH_ACK_TAKEN);
	settle(pair);
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	settle(pair);
	assert_int_equal(raw_receive(pair->fd, &frame), COMCH_NEW_CONSUMER);
	assert_int_equal(frame.consumer_id, pair->consumer.id);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STARTING);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	say(pair, COMCH_CONSUMER_ACK, pair->consumer.id, COMCH_ACK_TAKEN);
	settle(pair);
	assert_int_equal(raw_receive(pair->fd, &frame), COMCH_EXPIRED_CONSUMER);
	assert_int_equal(frame.consumer_id, pair->consumer.id);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->server.num_disconnects, 0);
}

static void the_answer_to_an_earlier_start_is_none_to_a_later_one(void **state)
{
	struct raw_pair *pair = *state;
	const enum comch_type told[] = {COMCH_NEW_CONSUMER, COMCH_EXPIRED_CONSUMER,
					COMCH_NEW_CONSUMER};
	uint32_t starts[3];
	struct comch_frame frame;

	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	settle(pair);
	assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	settle(pair);
	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	settle(pair);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(raw_receive(pair->fd, &frame), told[i]);
		assert_int_equal(frame.consumer_id, pair->consumer.id);
		starts[i] = frame.start;
	}
	pair->start = starts[0];
	say(pair, COMCH_CONSUMER_ACK, pair->consumer.id, COMCH_ACK_FULL);
	settle(pair);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_STARTING);
	pair->start = starts[2];
	say(pair, COMCH_CONSUMER_ACK, pair->consumer.id, COMCH_ACK_TAKEN);
	settle(pair);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_RUNNING);
}

static void a_consumer_that_is_refused_does_not_start(void **state)
{
	struct raw_pair *pair = *state;
	const uint32_t acks[] = {COMCH_ACK_FULL, COMCH_ACK_REFUSED, 0, 77};
	struct comch_frame frame;

	for (size_t i = 0; i < sizeof(acks) / sizeof(acks[0]); i++) {
		pair->consumer.num_states = 0;
		assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
		settle(pair);
		assert_int_equal(raw_receive(pair->fd, &frame), COMCH_NEW_CONSUMER);
		pair->start = frame.start;
		say(pair, COMCH_CONSUMER_ACK, pair->consumer.id, acks[i]);
		settle(pair);
		assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
		assert_int_equal(pair->consumer.num_states, 3);
		assert_int_equal(pair->consumer.states[1], DOCA_CTX_STATE_STOPPING);
		assert_int_equal(raw_receive(pair->fd, &frame), COMCH_EXPIRED_CONSUMER);
	}
}

static void what_is_to_be_said_waits_until_the_peer_listens(void **state)
{
	struct raw_pair *pair = *state;
	struct comch_frame frame;
	unsigned num_frames = 0;
	unsigned num_rounds = 0;

	/* Starts and stops fill the socket. */
	while (num_rounds < 3000) {
		assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
		doca_pe_progress(pair->server.pe);
		assert_doca(doca_ctx_stop(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
		fast_until(&pair->consumer, fast_state(&pair->consumer) == DOCA_CTX_STATE_IDLE);
		num_rounds++;
	}
	while (settle(pair), raw_is_readable(pair->fd)) {
		assert_int_equal(raw_receive(pair->fd, &frame),
				 num_frames % 2 == 0 ? COMCH_NEW_CONSUMER : COMCH_EXPIRED_CONSUMER);
		num_frames++;
	}
	assert_true(num_frames % 2 == 0 && num_frames <= 2 * num_rounds);
	assert_true(num_frames >= 2 * 200);
	assert_int_equal(pair->server.num_disconnects, 0);
}

/* The memory that comes with the server's next consumer, which starts; its length in *len. */
static uint8_t *map_consumer(struct raw_pair *pair, size_t *len)
{
	uint8_t bytes[COMCH_CONTROL_BYTES];
	struct iovec part = {.iov_base = bytes, .iov_len = sizeof(bytes)};
	union {
		struct cmsghdr head;
		uint8_t bytes[CMSG_SPACE(COMCH_NUM_FDS * sizeof(int))];
	} room;
	struct msghdr packet = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &room,
		.msg_controllen = sizeof(room),
	};
	struct comch_frame frame;
	struct stat file;
	const char *why;
	uint8_t *memory;
	int fds[COMCH_NUM_FDS];
	ssize_t got;

	assert_doca(doca_ctx_start(pair->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	settle(pair);
	got = recvmsg(pair->fd, &packet, MSG_CMSG_CLOEXEC);
	assert_true(got > 0);
	assert_doca(comch_decode(bytes, (size_t)got, &frame, &why), DOCA_SUCCESS);
	pair->start = frame.start;
	assert_int_equal(room.head.cmsg_len, CMSG_LEN(sizeof(fds)));
	memcpy(fds, CMSG_DATA(&room.head), sizeof(fds));
	assert_int_equal(fstat(fds[RING_FD_SEGMENT], &file), 0);
	*len = (size_t)file.st_size;
	memory = mmap(NULL, *len, PROT_READ | PROT_WRITE, MAP_SHARED, fds[RING_FD_SEGMENT], 0);
	assert_true(memory != MAP_FAILED);
	close(fds[RING_FD_SEGMENT]);
	close(fds[RING_FD_ROOM]);
	drop_line(pair);
	pair->line_fd = fds[RING_FD_BELL];
	say(pair, COMCH_CONSUMER_ACK, pair->consumer.id, COMCH_ACK_TAKEN);
	settle(pair);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_RUNNING);
	return memory;
}

static void a_consumer_whose_peer_breaks_the_rules_stops(void **state)
{
	struct raw_pair *pair = *state;
	struct comch_frame frame;
	size_t len;
	uint8_t *memory = map_consumer(pair, &len);

	for (uint64_t i = 0; i < 4; i++)
		assert_doca(fast_post(&pair->consumer, NULL, i), DOCA_SUCCESS);
	memset(memory, 0x5a, 65536);
	settle(pair);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
	assert_int_equal(pair->consumer.num_failed, 4);
	assert_doca(pair->consumer.last_status, DOCA_ERROR_IO_FAILED);
	assert_int_equal(pair->server.num_disconnects, 0);
	munmap(memory, len);
	assert_int_equal(raw_receive(pair->fd, &frame), COMCH_EXPIRED_CONSUMER);
	/* It can start again, and then dies with a farewell in the middle of everything. */
	munmap(map_consumer(pair, &len), len);
	assert_doca(fast_post(&pair->consumer, NULL, 0), DOCA_SUCCESS);
	say(pair, COMCH_CLOSE, 0, 0);
	settle(pair);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
	assert_doca(pair->consumer.last_status, DOCA_ERROR_CONNECTION_RESET);
}

static void whoever_has_let_go_of_a_ring_has_no_connection_any_more(void **state)
{
	struct raw_pair *pair = *state;
	size_t len;
	uint8_t *memory = map_consumer(pair, &len);

	munmap(memory, len);
	drop_line(pair);
	comch_until(&pair->server, NULL, pair->server.num_disconnects == 1);
	settle(pair);
	assert_int_equal(fast_state(&pair->consumer), DOCA_CTX_STATE_IDLE);
	assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_IDLE);
}

static void sends_to_a_consumer_that_breaks_the_rules_fail(void **state)
{
	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();
	int file = dup(ring_reader_fds(ring)[RING_FD_SEGMENT]);
	uint8_t *memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	assert_true(memory != MAP_FAILED);
	announce(pair, 1, ring);
	settle(pair);
	memset(memory, 0x5a, 65536);
	for (int i = 0; i < 2; i++)
		assert_doca(fast_send_imm(&pair->producer, 1, NULL, "imm", 3), DOCA_SUCCESS);
	settle(pair);
	assert_int_equal(pair->producer.num_failed, 2);
	assert_doca(pair->producer.last_status, DOCA_ERROR_CONNECTION_RESET);
	assert_int_equal(fast_state(&pair->producer), DOCA_CTX_STATE_RUNNING);
	munmap(memory, 65536);
	close(file);
	ring_reader_destroy(ring);
}

static void without_memory_a_consumer_is_refused_or_its_connection_ends(void **state)
{
	struct raw_pair *pair = *state;
	struct ring_reader *ring = make_ring();

	/* That of the consumer and of its ring; then that of the answer. */
	for (int in = 2; in <= 3; in++) {
		announce(pair, 1, ring);
		calloc_fails_in = in;
		settle(pair);
		assert_int_equal(calloc_fails_in, 0);
		assert_answer(pair, 1, COMCH_ACK_REFUSED);
	}
	announce(pair, 1, ring);
	calloc_fails_in = 1;
	settle(pair);
	assert_int_equal(pair->server.num_disconnects, 1);
	assert_int_equal(pair->server.num_new, 0);
	ring_reader_destroy(ring);
}

static void the_numbers_of_both_sides_differ(void **state)
{
	struct channels *server = channels_create(true);
	struct channels *client = channels_create(false);
	struct channels_member member;

	assert_int_equal(channels_draw_id(server), 0);
	assert_false(channels_join(server, &member, NULL));
	channels_open(server, -1, 0);
	channels_open(client, -1, 0);
	assert_int_equal(channels_draw_id(client), 1);
	assert_int_equal(channels_draw_id(client), 3);
	assert_int_equal(channels_draw_id(server), 2);
	assert_int_equal(channels_draw_id(server), 4);
	channels_end(client);
	assert_int_equal(channels_draw_id(client), 0);
	channels_put(server);
	channels_put(client);
}

#define raw_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		raw_test(a_consumer_with_a_segment_is_taken_in),
		raw_test(a_consumer_without_its_descriptors_is_refused),
		raw_test(a_consumer_whose_descriptors_have_no_place_here_is_refused),
		raw_test(descriptors_beside_other_frames_are_closed),
		raw_test(descriptors_beside_nothing_are_closed),
		raw_test(descriptors_beside_nothing_that_is_read_ahead_are_closed),
		raw_test(strangers_descriptors_are_closed),
		raw_test(a_number_that_is_taken_ends_the_connection),
		raw_test(so_many_consumers_are_taken_and_no_more),
		raw_test(consumers_without_end_end_the_connection),
		raw_test(an_answer_that_is_late_or_wrong_is_none),
		raw_test(the_answer_to_an_earlier_start_is_none_to_a_later_one),
		raw_test(a_consumer_that_is_refused_does_not_start),
		raw_test(what_is_to_be_said_waits_until_the_peer_listens),
		raw_test(a_consumer_whose_peer_breaks_the_rules_stops),
		raw_test(whoever_has_let_go_of_a_ring_has_no_connection_any_more),
		raw_test(sends_to_a_consumer_that_breaks_the_rules_fail),
		raw_test(without_memory_a_consumer_is_refused_or_its_connection_ends),
		cmocka_unit_test(the_numbers_of_both_sides_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
