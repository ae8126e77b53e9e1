/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hundred thousand rounds of sleep and wake-up in each event mode, none lost: work arrives before
 * the arm, between the arm and epoll_wait, and from another thread while epoll_wait sleeps.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#define NUM_ROUNDS 100000U

enum arrival {
	BEFORE_THE_ARM,
	BEFORE_THE_WAIT,
	DURING_THE_WAIT,
	NUM_ARRIVALS,
};

/* The engine and all that belongs to it is used under the lock, by two threads in turn. */
struct rounds {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct dma_fixture *fixture;
	struct doca_task *task; /* one task, submitted once a round */
	bool is_wanted;		/* the helper shall submit */
	bool is_over;
	size_t num_refused;
	pid_t sleeper;
	size_t num_asleep; /* submits that found the sleeper asleep */
};

/* Whether the sleeping thread sleeps, as the kernel tells; gives up after a while. */
static bool is_asleep(pid_t thread)
{
	char path[64];
	char text[256];

	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)thread);
	for (unsigned i = 0; i < 20; i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t len_bytes = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
		const char *name_end;

		if (fd >= 0)
			close(fd);
		if (len_bytes <= 0)
			return false;
		text[len_bytes] = '\0';
		name_end = strrchr(text, ')');
		if (name_end != NULL && name_end[1] == ' ' && name_end[2] == 'S')
			return true;
		sched_yield();
	}
	return false;
}

static void *submit_on_demand(void *arg)
{
	struct rounds *rounds = arg;

	pthread_mutex_lock(&rounds->lock);
	while (!rounds->is_over) {
		if (!rounds->is_wanted) {
			pthread_cond_wait(&rounds->changed, &rounds->lock);
			continue;
		}
		rounds->is_wanted = false;
		rounds->num_asleep += is_asleep(rounds->sleeper);
		if (doca_task_submit(rounds->task) != DOCA_SUCCESS)
			rounds->num_refused++;
	}
	pthread_mutex_unlock(&rounds->lock);
	return NULL;
}

static void arm(struct rounds *rounds)
{
	assert_doca(doca_pe_request_notification(rounds->fixture->pe), DOCA_SUCCESS);
}

static void submit(struct rounds *rounds)
{
	assert_doca(doca_task_submit(rounds->task), DOCA_SUCCESS);
}

/* One round; the lock is held, and let go while epoll_wait sleeps. */
static void sleep_and_wake(struct rounds *rounds, int epoll_fd, enum arrival arrival)
{
	struct epoll_event event;
	int num_ready;

	if (arrival == BEFORE_THE_ARM)
		submit(rounds);
	arm(rounds);
	if (arrival == BEFORE_THE_WAIT)
		submit(rounds);
	if (arrival == DURING_THE_WAIT) {
		rounds->is_wanted = true;
		pthread_cond_signal(&rounds->changed);
	}
	pthread_mutex_unlock(&rounds->lock);
	num_ready = epoll_wait(epoll_fd, &event, 1, TEST_DEADLINE_S * 1000);
	pthread_mutex_lock(&rounds->lock);
	if (num_ready != 1)
		print_error("the wake-up was lost, arrival %d, after %zu rounds\n", (int)arrival,
			    rounds->fixture->num_success);
	assert_int_equal(num_ready, 1);
}

static void check_rounds(enum doca_pe_event_mode mode)
{
	struct dma_options options = {.keeps_tasks = true};
	struct rounds rounds = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.fixture = dma_open(&options),
		.sleeper = (pid_t)syscall(SYS_gettid),
	};
	struct epoll_event event = {.events = EPOLLIN};
	struct doca_pe *pe = rounds.fixture->pe;
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	doca_notification_handle_t handle;
	pthread_t helper;

	assert_doca(doca_pe_set_event_mode(pe, mode), DOCA_SUCCESS);
	assert_doca(doca_pe_get_notification_handle(pe, &handle), DOCA_SUCCESS);
	assert_int_equal(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, handle, &event), 0);
	rounds.task = dma_copy_task(rounds.fixture, 0, 64, 1);
	assert_int_equal(pthread_create(&helper, NULL, submit_on_demand, &rounds), 0);

	pthread_mutex_lock(&rounds.lock);
	for (unsigned i = 0; i < NUM_ROUNDS; i++) {
		sleep_and_wake(&rounds, epoll_fd, (enum arrival)(i % NUM_ARRIVALS));
		if (mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)
			assert_doca(doca_pe_clear_notification(pe, handle), DOCA_SUCCESS);
		while (doca_pe_progress(pe) != 0)
			;
		assert_int_equal(rounds.fixture->num_success, i + 1);
		assert_doca(doca_buf_reset_data_len(
				    doca_dma_task_memcpy_get_dst(dma_memcpy_of(rounds.task))),
			    DOCA_SUCCESS);
	}
	rounds.is_over = true;
	pthread_cond_signal(&rounds.changed);
	pthread_mutex_unlock(&rounds.lock);
	pthread_join(helper, NULL);

	assert_int_equal(rounds.num_refused, 0);
	/* A third of the rounds hand over to the helper; it must have met a sleeper in many. */
	assert_true(rounds.num_asleep > NUM_ROUNDS / 100);
	print_message("# %zu submits found the waiter asleep\n", rounds.num_asleep);
	dma_task_release(rounds.task);
	close(epoll_fd);
	dma_close(rounds.fixture);
}

static void no_wake_up_is_lost_in_selective_mode(void **state)
{
	check_rounds(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
}

static void no_wake_up_is_lost_in_progress_all_mode(void **state)
{
	check_rounds(DOCA_PE_EVENT_MODE_PROGRESS_ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_wake_up_is_lost_in_selective_mode),
		cmocka_unit_test(no_wake_up_is_lost_in_progress_all_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
