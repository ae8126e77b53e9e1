/* SPDX-License-Identifier: Apache-2.0 */
/* Rings between threads and between processes: order, closes, and who waits. */
#include "support/ring_fixture.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>

#include "support/under_tsan.h"

#define MAX_SENDERS 4
#define MAX_LEN 3000
#define NUM_MSGS (UNDER_TSAN ? 2000u : 8000u) /* of each sender */
#define NUM_CLOSES (UNDER_TSAN ? 200u : 600u)

/* A producer in a thread of its own: message n of sender s has number s * NUM_MSGS + n. */
struct sender {
	struct ring_writer *writer;
	uint32_t first;
	uint32_t num_msgs;
	uint32_t num_sent;
	bool is_waiting; /* for room, in an epoll; else it asks again */
	enum ring_verdict last;
};

static uint32_t len_of(uint32_t n)
{
	uint32_t random = n;

	return ring_random(&random) % (n % 3 == 0 ? MAX_LEN + 1 : 100);
}

static void wait_in_epoll(int epoll)
{
	struct epoll_event event;

	if (epoll_wait(epoll, &event, 1, PROCESS_DEADLINE_MS) != 1)
		abort(); /* not woken */
}

static int open_epoll(const struct ring_writer *writer)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, ring_writer_room_fd(writer), &event) != 0)
		abort();
	return epoll;
}

/* Until all is sent, or the ring is over. */
static void *send_all(void *argument)
{
	struct sender *sender = argument;
	int epoll = sender->is_waiting ? open_epoll(sender->writer) : -1;
	uint8_t bytes[MAX_LEN];

	while (sender->num_sent < sender->num_msgs) {
		uint32_t n = sender->first + sender->num_sent;

		sender->last = ring_send_message(sender->writer, n, bytes, len_of(n), n % 33);
		if (sender->last == RING_OK)
			sender->num_sent++;
		else if (sender->last != RING_AGAIN)
			break;
		else if (!sender->is_waiting)
			sched_yield();
		else if (!ring_arm_room(sender->writer))
			wait_in_epoll(epoll);
	}
	if (epoll >= 0)
		close(epoll);
	return NULL;
}

/* Waits for the bell; false: it was not rung in time. */
static bool wait_for_message(struct ring_reader *reader)
{
	struct pollfd bell = {.fd = ring_reader_bell_fd(reader), .events = POLLIN};

	return ring_arm(reader) || poll(&bell, 1, PROCESS_DEADLINE_MS) == 1;
}

/*
 * Take until there are so many, or the end; each is whole, and those of a sender come in its order.
 * What came is counted by sender. False: something is wrong.
 */
static bool take_all(struct ring_reader *reader, uint32_t num_msgs, bool is_waiting,
		     uint32_t num_taken[MAX_SENDERS])
{
	for (uint32_t taken = 0; taken < num_msgs;) {
		struct ring_view view;
		enum ring_verdict verdict = ring_take(reader, &view);
		uint32_t n = view.producer_id;

		if (verdict == RING_CLOSED)
			return true;
		if (verdict == RING_AGAIN && is_waiting && !wait_for_message(reader))
			return false;
		if (verdict == RING_AGAIN && !is_waiting)
			sched_yield();
		if (verdict == RING_AGAIN)
			continue;
		if (verdict != RING_OK || n / NUM_MSGS >= MAX_SENDERS ||
		    n % NUM_MSGS != num_taken[n / NUM_MSGS]++ ||
		    !ring_is_view(&view, n, len_of(n), n % 33))
			return false;
		ring_release(reader);
		taken++;
		if (!reader->is_closed)
			ring_post(reader, MAX_LEN);
	}
	return true;
}

static void post_all(struct ring_pair *pair, uint32_t num_recvs)
{
	ring_pair_join(pair);
	for (uint32_t i = 0; i < num_recvs; i++)
		ring_post(pair->reader, MAX_LEN);
}

static void start(pthread_t *threads, struct sender *senders, uint32_t num_senders,
		  const struct ring_pair *pair, bool is_waiting)
{
	for (uint32_t i = 0; i < num_senders; i++) {
		senders[i] = (struct sender){.writer = pair->writer,
					     .first = i * NUM_MSGS,
					     .num_msgs = NUM_MSGS,
					     .is_waiting = is_waiting};
		assert_int_equal(pthread_create(&threads[i], NULL, send_all, &senders[i]), 0);
	}
}

static void assert_exchange(uint32_t num_senders, uint32_t num_recvs, bool is_waiting)
{
	struct ring_pair pair = ring_pair_open(num_recvs, MAX_LEN);
	uint32_t num_taken[MAX_SENDERS] = {0};
	struct sender senders[MAX_SENDERS];
	pthread_t threads[MAX_SENDERS];

	post_all(&pair, num_recvs);
	start(threads, senders, num_senders, &pair, is_waiting);
	assert_true(take_all(pair.reader, num_senders * NUM_MSGS, is_waiting, num_taken));
	for (uint32_t i = 0; i < num_senders; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(senders[i].num_sent, NUM_MSGS);
		assert_int_equal(num_taken[i], NUM_MSGS);
	}
	ring_pair_close(&pair);
}

static void messages_of_several_threads_arrive_once_and_whole(void **state)
{
	assert_exchange(1, 64, false);
	assert_exchange(MAX_SENDERS, 64, false);
	assert_exchange(MAX_SENDERS, 1, false);
}

static void whoever_waits_for_a_bell_or_for_room_is_woken(void **state)
{
	assert_exchange(1, 1, true);
	assert_exchange(1, 16, true);
	assert_exchange(MAX_SENDERS, 1, true);
	assert_exchange(MAX_SENDERS, 16, true);
}

/* Closes after some messages, while the senders send; each message is taken, or its sender told. */
static void assert_close(uint32_t num_senders, uint32_t close_after)
{
	struct ring_pair pair = ring_pair_open(8, MAX_LEN);
	uint32_t num_taken[MAX_SENDERS] = {0};
	struct sender senders[MAX_SENDERS];
	pthread_t threads[MAX_SENDERS];

	post_all(&pair, 8);
	start(threads, senders, num_senders, &pair, close_after % 2 == 0);
	assert_true(take_all(pair.reader, close_after, false, num_taken));
	ring_close(pair.reader);
	assert_true(take_all(pair.reader, UINT32_MAX, false, num_taken));
	for (uint32_t i = 0; i < num_senders; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(senders[i].last, RING_CLOSED);
		assert_int_equal(senders[i].num_sent, num_taken[i]);
	}
	ring_pair_close(&pair);
}

static void a_message_is_taken_or_its_sender_is_told_of_the_close(void **state)
{
	for (uint32_t i = 0; i < NUM_CLOSES; i++) {
		assert_close(1, i % 50);
		if (i % 3 == 0)
			assert_close(MAX_SENDERS, i % 50);
	}
}

/* Another process sends, and says how it went. */
static void assert_processes(bool is_waiting)
{
	struct ring_pair pair = ring_pair_open(8, MAX_LEN);
	struct sender sender = {
		.writer = pair.writer, .num_msgs = NUM_MSGS, .is_waiting = is_waiting};
	uint32_t num_taken[MAX_SENDERS] = {0};
	int status;
	pid_t pid;

	post_all(&pair, 8);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(PROCESS_DEADLINE_S);
		send_all(&sender);
		_exit(sender.num_sent == NUM_MSGS ? 0 : 1);
	}
	assert_true(take_all(pair.reader, NUM_MSGS, is_waiting, num_taken));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	ring_pair_close(&pair);
}

static void messages_of_another_process_arrive_and_wake(void **state)
{
	assert_processes(false);
	assert_processes(true);
}

static void a_second_thread_ends_that_the_first_is_alone(void **state)
{
	struct ring_pair pair = ring_pair_open(64, MAX_LEN);
	struct sender first = {.writer = pair.writer, .num_msgs = 20};
	struct sender second = {.writer = pair.writer, .first = NUM_MSGS, .num_msgs = 20};
	uint32_t num_taken[MAX_SENDERS] = {0};
	pthread_t thread;

	post_all(&pair, 64);
	send_all(&first);
	assert_false(pair.writer->is_shared);
	assert_int_equal(pthread_create(&thread, NULL, send_all, &second), 0);
	pthread_join(thread, NULL);
	assert_true(pair.writer->is_shared);
	first.num_msgs = 24;
	send_all(&first);
	assert_true(take_all(pair.reader, 44, false, num_taken));
	assert_int_equal(num_taken[0], 24);
	assert_int_equal(num_taken[1], 20);
	ring_pair_close(&pair);
}

static void whoever_locks_unlocks_while_the_first_thread_looks_in(void **state)
{
	struct ring_pair pair = ring_pair_open(64, MAX_LEN);
	struct sender sender = {.writer = pair.writer, .num_msgs = 3};
	uint32_t num_taken[MAX_SENDERS] = {0};

	post_all(&pair, 64);
	pair.writer->owner = (pthread_t)1; /* another */
	pair.writer->is_shared = true;
	pair.writer->is_busy = true; /* it has not yet seen that it is not alone */
	alarm(PROCESS_DEADLINE_S);
	send_all(&sender);
	alarm(0);
	assert_true(pair.writer->is_busy);
	assert_true(take_all(pair.reader, 3, false, num_taken));
	ring_pair_close(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_of_several_threads_arrive_once_and_whole),
		cmocka_unit_test(whoever_waits_for_a_bell_or_for_room_is_woken),
		cmocka_unit_test(a_message_is_taken_or_its_sender_is_told_of_the_close),
		cmocka_unit_test(messages_of_another_process_arrive_and_wake),
		cmocka_unit_test(a_second_thread_ends_that_the_first_is_alone),
		cmocka_unit_test(whoever_locks_unlocks_while_the_first_thread_looks_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
