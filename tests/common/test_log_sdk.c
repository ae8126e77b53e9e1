/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries' own lines: their level, their rate, the sink below, and DOCA_LOG_LEVEL. */
#include "support/test.h"

#include <errno.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>

#include "base/sink.h"
#include "common/log_backend.h"
#include "common/sdk_log.h"
#include "support/fd_capture.h"
#include "support/run_again.h"

#define SECOND_NS 1000000000LL
#define NUM_THREADS 8
#define NUM_RECORDS 500

static struct doca_log_backend *the_backend;

static int setup_backend(void **state)
{
	struct log_capture *capture = capture_new();

	*state = capture;
	return doca_log_backend_create_with_fd_sdk(capture->fd, &the_backend) == DOCA_SUCCESS ? 0
											      : -1;
}

static int reset(void **state)
{
	capture_clear(*state);
	return doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_TRACE) == DOCA_SUCCESS
		       ? 0
		       : -1;
}

static int end_backend(void **state)
{
	struct log_capture *capture = *state;

	/* The backend lives on and writes into a closed descriptor: nothing is logged any more. */
	close(capture->fd);
	free(capture);
	return 0;
}

/* A line of a made-up place in the code at a made-up time. */
__attribute__((format(printf, 4, 5))) static void write_at(int64_t now_ns, uint32_t level,
							   int place, const char *format, ...)
{
	const struct log_record record = {
		.level = level, .source = "DOCA", .file = "place.c", .line = place, .func = "f"};
	va_list args;

	va_start(args, format);
	log_sdk_write_at(now_ns, &record, format, args);
	va_end(args);
}

static void wants_is_true_down_to_the_level_of_the_backend(void **state)
{
	for (uint32_t limit = DOCA_LOG_LEVEL_DISABLE; limit <= DOCA_LOG_LEVEL_TRACE; limit += 10) {
		assert_doca(doca_log_backend_set_sdk_level(the_backend, limit), DOCA_SUCCESS);
		for (uint32_t level = DOCA_LOG_LEVEL_CRIT; level <= DOCA_LOG_LEVEL_TRACE;
		     level += 10)
			assert_int_equal(doca__log_wants(level), level <= limit);
	}
}

static void the_limits_of_the_application_do_not_bind_the_libraries(void **state)
{
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_true(doca__log_wants(DOCA_LOG_LEVEL_TRACE));
	LOG_WARNING("still here");
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT), DOCA_SUCCESS);

	assert_true(text_matches(capture_text(*state), "^[^\n]*\\[WRN\\][^\n]*still here\n$"));
}

static void a_line_is_one_record_of_the_libraries(void **state)
{
	doca__log_write(DOCA_LOG_LEVEL_ERROR, (struct log_place){"src/dir/file.c", 195, "function"},
			"text %d", 7);

	assert_true(text_matches(capture_text(*state),
				 "^\\[[0-9]{2}:[0-9]{2}:[0-9]{2}:[0-9]{6}\\]\\[[0-9]+\\]\\[DOCA\\]"
				 "\\[ERR\\]\\[file.c:195\\]\\[function\\] text 7\n$"));
}

static void an_application_line_does_not_reach_an_sdk_backend(void **state)
{
	struct log_capture *own = capture_new();
	struct doca_log_backend *backend;
	int source;

	/* Without a backend of its own tier it would not even be formatted. */
	assert_doca(doca_log_backend_create_with_fd(own->fd, &backend), DOCA_SUCCESS);
	assert_doca(doca_log_register_source("APP", &source), DOCA_SUCCESS);
	assert_doca(doca_log(DOCA_LOG_LEVEL_CRIT, source, "f.c", 1, "f", "not for the SDK"),
		    DOCA_SUCCESS);
	assert_doca(doca_log_unregister_source(source), DOCA_SUCCESS);
	LOG_ERROR("not for the application");
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE),
		    DOCA_SUCCESS);

	assert_true(text_matches(capture_text(*state), "^[^\n]*not for the application\n$"));
	assert_true(text_matches(capture_text(own), "^[^\n]*not for the SDK\n$"));
	close(own->fd);
	free(own);
}

static void one_cause_writes_ten_lines_in_any_second(void **state)
{
	int64_t start_ns = 1000 * SECOND_NS;

	for (int i = 0; i < 25; i++)
		write_at(start_ns + i, DOCA_LOG_LEVEL_ERROR, 1, "again");
	assert_int_equal(num_lines(capture_text(*state)), 10);

	/* Not even by waiting for half of it. */
	write_at(start_ns + SECOND_NS / 2, DOCA_LOG_LEVEL_ERROR, 1, "again");
	assert_int_equal(num_lines(capture_text(*state)), 10);
}

static void the_next_second_says_how_many_lines_were_left_out(void **state)
{
	int64_t start_ns = 2000 * SECOND_NS;
	struct log_capture *capture = *state;

	for (int i = 0; i < 25; i++)
		write_at(start_ns, DOCA_LOG_LEVEL_WARNING, 2, "again");
	capture_clear(capture);
	write_at(start_ns + 2 * SECOND_NS, DOCA_LOG_LEVEL_WARNING, 2, "once more");

	assert_true(text_matches(capture_text(capture),
				 "^[^\n]*15 similar lines were left out\n[^\n]*once more\n$"));
}

static void the_lines_that_tell_of_others_count_too(void **state)
{
	const int64_t step_ns = SECOND_NS / 100;
	unsigned so_far[500];

	/* Five seconds of a line each hundredth: any hundred steps in a row give at most ten. */
	for (int i = 0; i < 500; i++) {
		write_at(6000 * SECOND_NS + i * step_ns, DOCA_LOG_LEVEL_ERROR, 7, "flood");
		so_far[i] = num_lines(capture_text(*state));
		assert_true(so_far[i] - (i < 100 ? 0 : so_far[i - 100]) <= 10);
	}
	assert_true(so_far[499] >= 40);
}

static void one_cause_does_not_silence_another(void **state)
{
	int64_t start_ns = 3000 * SECOND_NS;

	for (int i = 0; i < 25; i++)
		write_at(start_ns, DOCA_LOG_LEVEL_ERROR, 3, "loud");
	write_at(start_ns, DOCA_LOG_LEVEL_ERROR, 4, "quiet");

	assert_true(text_matches(capture_text(*state), "quiet\n$"));
}

static void more_causes_than_are_remembered_still_write(void **state)
{
	for (int place = 100; place < 2100; place++)
		write_at(5000 * SECOND_NS, DOCA_LOG_LEVEL_ERROR, place, "place %d", place);
	assert_int_equal(num_lines(capture_text(*state)), 2000);
}

static void traces_are_not_counted(void **state)
{
	for (int i = 0; i < 25; i++)
		write_at(4000 * SECOND_NS, DOCA_LOG_LEVEL_TRACE, 5, "step");
	assert_int_equal(num_lines(capture_text(*state)), 25);
}

static void lines_that_nobody_sees_use_up_nothing(void **state)
{
	assert_doca(doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_SUCCESS);
	for (int i = 0; i < 25; i++)
		doca__log_write(DOCA_LOG_LEVEL_DEBUG, (struct log_place){"unseen.c", 6, "f"},
				"unseen");
	assert_doca(doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_DEBUG),
		    DOCA_SUCCESS);
	doca__log_write(DOCA_LOG_LEVEL_DEBUG, (struct log_place){"unseen.c", 6, "f"}, "seen");

	assert_true(text_matches(capture_text(*state), "^[^\n]*\\] seen\n$"));
}

static void the_layers_below_write_through_the_sink(void **state)
{
	sink_error("from below %d", 3);
	assert_true(text_matches(capture_text(*state), "\\[ERR\\].* from below 3\n$"));
}

static void the_sink_too_is_bound_to_the_level(void **state)
{
	assert_doca(doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_SUCCESS);
	/* The last is seen: those before it have used up nothing. */
	for (int i = 0; i <= 25; i++) {
		if (i == 25)
			assert_doca(
				doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_WARNING),
				DOCA_SUCCESS);
		sink_write(DOCA_LOG_LEVEL_WARNING, "below.c", 1, "f", "warning %d", i);
	}

	assert_true(text_matches(capture_text(*state), "^[^\n]*\\] warning 25\n$"));
}

static void a_null_argument_is_named_with_its_function(void **state)
{
	assert_doca(doca__refuse_null((struct log_place){"file.c", 1, "doca_thing"}, "thing"),
		    DOCA_ERROR_INVALID_VALUE);
	assert_true(text_matches(capture_text(*state),
				 "doca_thing refuses: thing must not be NULL\n$"));
}

static void errno_survives_a_line_and_is_what_m_shows(void **state)
{
	int after;

	errno = ENOSPC;
	doca__log_write(DOCA_LOG_LEVEL_ERROR, (struct log_place){"errno.c", 8, "f"}, "said %m");
	after = errno;

	assert_int_equal(after, ENOSPC);
	assert_non_null(strstr(capture_text(*state), strerror(ENOSPC)));
}

static void a_backend_that_cannot_write_takes_nothing_from_the_others(void **state)
{
	struct log_capture *capture = *state;
	struct doca_log_backend *broken;
	int fd = dup(capture->fd);
	int after;

	assert_true(fd >= 0);
	assert_doca(doca_log_backend_create_with_fd_sdk(fd, &broken), DOCA_SUCCESS);
	close(fd);
	errno = ENOSPC;
	LOG_ERROR("for who can");
	after = errno;
	/* Its number is the next descriptor's. */
	assert_doca(doca_log_backend_set_sdk_level(broken, DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);

	assert_true(text_matches(capture_text(capture), "^[^\n]*for who can\n$"));
	assert_int_equal(after, ENOSPC);
}

/* What a program says on stderr that fails once, with DOCA_LOG_LEVEL set to that text, or unset. */
static const char *stderr_with_level(struct log_capture *capture, const char *level)
{
	pid_t child;
	int status;

	capture_clear(capture);
	child = fork();
	if (child == 0) {
		if (level == NULL)
			unsetenv("DOCA_LOG_LEVEL");
		else
			setenv("DOCA_LOG_LEVEL", level, 1);
		dup2(capture->fd, STDERR_FILENO);
		run_again((const char *const[]){"child", NULL});
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	return capture_text(capture);
}

static int be_the_child(void)
{
	/* The program's own tier and limits are as ever, whatever the environment says. */
	bool is_untouched = doca_log_level_get_global_sdk_limit() == DOCA_LOG_LEVEL_INFO &&
			    doca_log_level_get_global_lower_limit() == DOCA_LOG_LEVEL_INFO &&
			    doca_log_level_get_global_upper_limit() == DOCA_LOG_LEVEL_CRIT;
	int source;

	/* It has no backend, so nobody sees what it says itself. */
	if (doca_log_register_source("CHILD", &source) != DOCA_SUCCESS ||
	    doca_log(DOCA_LOG_LEVEL_CRIT, source, "f.c", 1, "f", "its own") != DOCA_SUCCESS)
		return 1;
	/* Nor do the program's limits change what the environment asked for. */
	if (doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE) != DOCA_SUCCESS)
		return 1;
	LOG_ERROR("an error");
	LOG_DEBUG("a detail");
	return is_untouched ? 0 : 1;
}

static void without_the_variable_nothing_is_said(void **state)
{
	assert_string_equal(stderr_with_level(*state, NULL), "");
}

static void the_environment_makes_a_backend_on_stderr(void **state)
{
	static const char *const errors_only[] = {"error", "ERROR", "30",   "Warning",
						  "wArN",  "40",    "info", "50"};
	static const char *const all[] = {"debug", "60", "trace", "TRACE", "70"};

	for (size_t i = 0; i < sizeof(errors_only) / sizeof(errors_only[0]); i++)
		assert_true(text_matches(stderr_with_level(*state, errors_only[i]),
					 "^[^\n]*an error\n$"));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_true(text_matches(stderr_with_level(*state, all[i]),
					 "^[^\n]*an error\n[^\n]*a detail\n$"));
}

static void levels_above_error_say_nothing_of_errors(void **state)
{
	assert_string_equal(stderr_with_level(*state, "disable"), "");
	assert_string_equal(stderr_with_level(*state, "critical"), "");
	assert_string_equal(stderr_with_level(*state, "Crit"), "");
	assert_string_equal(stderr_with_level(*state, "10"), "");
	assert_string_equal(stderr_with_level(*state, "20"), "");
}

static void a_bad_level_in_the_environment_is_one_warning(void **state)
{
	static const char *const bad[] = {"",	"loud", "35",  "0",
					  "80", "-30",	"30 ", "99999999999999999999"};
	char pattern[256];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(pattern, sizeof(pattern),
			 "^[^\n]*\\[WRN\\][^\n]*DOCA_LOG_LEVEL[^\n]*\"%s\"[^\n]*disable"
			 "[^\n]*trace[^\n]*10[^\n]*70\n$",
			 bad[i]);
		assert_true(text_matches(stderr_with_level(*state, bad[i]), pattern));
	}
}

static void handler_that_logs(char *line)
{
	LOG_ERROR("from the handler");
}

static void a_handler_may_log(void **state)
{
	static char buf[1024]; /* a backend lives for ever */
	struct doca_log_backend *backend;

	assert_doca(
		doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), handler_that_logs, &backend),
		DOCA_SUCCESS);
	LOG_ERROR("from the test");
	assert_doca(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);

	/* Once each: the handler is not called for its own line. */
	assert_int_equal(num_lines(capture_text(*state)), 2);
	assert_non_null(strstr(capture_text(*state), "from the handler\n"));
	assert_non_null(strstr(capture_text(*state), "from the test\n"));
}

/* Lines one behind the other: the backend's lock alone keeps them whole. */
static struct {
	char buf[256]; /* a handler is given nothing else: so this is here */
	size_t len;
	char text[1 << 20];
} collected;

static void collect(char *line)
{
	size_t len = strlen(line);

	assert_true(collected.len + len < sizeof(collected.text));
	memcpy(collected.text + collected.len, line, len + 1);
	collected.len += len;
}

static void *trace_many(void *number)
{
	for (int i = 0; i < NUM_RECORDS; i++)
		LOG_TRACE("thread %d record %d end", *(int *)number, i);
	return NULL;
}

static void *write_many_at_once(void *unused)
{
	for (int i = 0; i < NUM_RECORDS; i++)
		write_at(7000 * SECOND_NS, DOCA_LOG_LEVEL_ERROR, 9, "of all threads");
	return NULL;
}

static void run_threads(void *(*body)(void *))
{
	pthread_t threads[NUM_THREADS];
	int numbers[NUM_THREADS];

	for (int i = 0; i < NUM_THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, body, &numbers[i]), 0);
	}
	for (int i = 0; i < NUM_THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* Each line of each thread, once, in the thread's order, with nothing between its bytes. */
static void assert_all_whole(const char *text)
{
	int next[NUM_THREADS] = {0};
	int thread, record, used;

	assert_int_equal(num_lines(text), NUM_THREADS * NUM_RECORDS);
	for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
		const char *start = strstr(line, "] thread ");

		assert_int_equal(line[0], '[');
		assert_non_null(start);
		used = 0;
		sscanf(start, "] thread %d record %d end%n", &thread, &record, &used);
		assert_true(used > 0 && start[used] == '\n');
		assert_in_range(thread, 0, NUM_THREADS - 1);
		assert_int_equal(record, next[thread]++);
	}
}

static void eight_threads_write_whole_lines(void **state)
{
	struct doca_log_backend *backend;

	assert_doca(doca_log_backend_create_with_buf_sdk(collected.buf, sizeof(collected.buf),
							 collect, &backend),
		    DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	run_threads(trace_many);
	assert_doca(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);

	assert_all_whole(capture_text(*state));
	assert_all_whole(collected.text);
}

static void eight_threads_share_the_ten_lines_of_a_cause(void **state)
{
	run_threads(write_many_at_once);
	assert_int_equal(num_lines(capture_text(*state)), 10);
}

/* The first file that a program without a stderr opens has the number of stderr. */
static int be_the_child_without_stderr(void)
{
	int fd = memfd_create("file of the program", MFD_CLOEXEC);

	LOG_ERROR("an error");
	return fd == STDERR_FILENO && lseek(fd, 0, SEEK_END) == 0 ? 0 : 1;
}

static void a_closed_stderr_gets_no_log(void **state)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		setenv("DOCA_LOG_LEVEL", "error", 1);
		close(STDERR_FILENO);
		run_again((const char *const[]){"child", "closed", NULL});
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(wants_is_true_down_to_the_level_of_the_backend, reset),
		cmocka_unit_test_setup(the_limits_of_the_application_do_not_bind_the_libraries,
				       reset),
		cmocka_unit_test_setup(a_line_is_one_record_of_the_libraries, reset),
		cmocka_unit_test_setup(an_application_line_does_not_reach_an_sdk_backend, reset),
		cmocka_unit_test_setup(one_cause_writes_ten_lines_in_any_second, reset),
		cmocka_unit_test_setup(the_next_second_says_how_many_lines_were_left_out, reset),
		cmocka_unit_test_setup(the_lines_that_tell_of_others_count_too, reset),
		cmocka_unit_test_setup(one_cause_does_not_silence_another, reset),
		cmocka_unit_test_setup(more_causes_than_are_remembered_still_write, reset),
		cmocka_unit_test_setup(traces_are_not_counted, reset),
		cmocka_unit_test_setup(lines_that_nobody_sees_use_up_nothing, reset),
		cmocka_unit_test_setup(the_layers_below_write_through_the_sink, reset),
		cmocka_unit_test_setup(the_sink_too_is_bound_to_the_level, reset),
		cmocka_unit_test_setup(a_null_argument_is_named_with_its_function, reset),
		cmocka_unit_test_setup(errno_survives_a_line_and_is_what_m_shows, reset),
		cmocka_unit_test_setup(a_backend_that_cannot_write_takes_nothing_from_the_others,
				       reset),
		cmocka_unit_test_setup(without_the_variable_nothing_is_said, reset),
		cmocka_unit_test_setup(the_environment_makes_a_backend_on_stderr, reset),
		cmocka_unit_test_setup(levels_above_error_say_nothing_of_errors, reset),
		cmocka_unit_test_setup(a_bad_level_in_the_environment_is_one_warning, reset),
		cmocka_unit_test(a_closed_stderr_gets_no_log),
		cmocka_unit_test_setup(a_handler_may_log, reset),
		cmocka_unit_test_setup(eight_threads_write_whole_lines, reset),
		cmocka_unit_test_setup(eight_threads_share_the_ten_lines_of_a_cause, reset),
	};

	if (argc > 2)
		return be_the_child_without_stderr();
	if (argc > 1)
		return be_the_child();
	return cmocka_run_group_tests(tests, setup_backend, end_backend);
}
