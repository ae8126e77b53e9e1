/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are cancelled while they log: apart, as a sanitizer cannot follow them. */
#include "support/test.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <doca_log.h>

#include "support/under_asan.h"

DOCA_LOG_REGISTER(TEST::CANCEL);

static void *log_for_ever(void *none)
{
	for (;;)
		(void)DOCA_LOG_INFO("a record of a thread that is cancelled");
	return none;
}

static void a_thread_that_is_cancelled_while_it_logs_keeps_no_lock(void **state)
{
	static char drained[1024 * 1024]; /* as much as a pipe holds */
	struct doca_log_backend *backend;
	struct pollfd pipe_end = {.events = POLLOUT};
	pthread_t thread;
	FILE *stream;
	int ends[2];

	for (int kind = 0; kind < 2; kind++) {
		assert_int_equal(pipe(ends), 0);
		stream = fdopen(ends[1], "w");
		assert_non_null(stream);
		if (kind == 0)
			assert_doca(doca_log_backend_create_with_fd(ends[1], &backend),
				    DOCA_SUCCESS);
		else
			assert_doca(doca_log_backend_create_with_file(stream, &backend),
				    DOCA_SUCCESS);
		pipe_end.fd = ends[1];
		assert_int_equal(pthread_create(&thread, NULL, log_for_ever, NULL), 0);
		while (poll(&pipe_end, 1, 0) != 0)
			sched_yield();
		assert_int_equal(pthread_cancel(thread), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);

		assert_true(read(ends[0], drained, sizeof(drained)) > 0);
		assert_doca(DOCA_LOG_INFO("from another thread"), DOCA_SUCCESS);
		assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE),
			    DOCA_SUCCESS);
		close(ends[0]);
		fclose(stream);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_is_cancelled_while_it_logs_keeps_no_lock),
	};

	if (UNDER_ASAN) {
		printf("1..0 # SKIP the address sanitizer fails by itself when a cancelled thread "
		       "unwinds\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
