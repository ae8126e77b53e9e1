/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries' own lines: their level, their rate, the sink below, and DOCA_LOG_LEVEL. */
#include "support/test.h"

#include <errno.h>
#include <sys/wait.h>

#include "base/sink.h"
#include "common/log_backend.h"
#include "common/sdk_log.h"
#include "support/fd_capture.h"

#define SECOND_NS 1000000000LL

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
	assert_doca(doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_WARNING),
		    DOCA_SUCCESS);
	assert_true(doca__log_wants(DOCA_LOG_LEVEL_CRIT));
	assert_true(doca__log_wants(DOCA_LOG_LEVEL_WARNING));
	assert_false(doca__log_wants(DOCA_LOG_LEVEL_INFO));
	assert_false(doca__log_wants(DOCA_LOG_LEVEL_TRACE));
}

static void a_line_is_one_record_of_the_libraries(void **state)
{
	doca__log_write(DOCA_LOG_LEVEL_ERROR, "src/dir/file.c", 195, "function", "text %d", 7);

	assert_true(text_matches(capture_text(*state),
				 "^\\[[0-9]{2}:[0-9]{2}:[0-9]{2}:[0-9]{6}\\]\\[[0-9]+\\]\\[DOCA\\]"
				 "\\[ERR\\]\\[file.c:195\\]\\[function\\] text 7\n$"));
}

static void an_application_line_does_not_reach_an_sdk_backend(void **state)
{
	int source;

	assert_doca(doca_log_register_source("APP", &source), DOCA_SUCCESS);
	assert_doca(doca_log(DOCA_LOG_LEVEL_CRIT, source, "f.c", 1, "f", "not for the SDK"),
		    DOCA_SUCCESS);
	assert_doca(doca_log_unregister_source(source), DOCA_SUCCESS);

	assert_string_equal(capture_text(*state), "");
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
		doca__log_write(DOCA_LOG_LEVEL_DEBUG, "unseen.c", 6, "f", "unseen");
	assert_doca(doca_log_backend_set_sdk_level(the_backend, DOCA_LOG_LEVEL_DEBUG),
		    DOCA_SUCCESS);
	doca__log_write(DOCA_LOG_LEVEL_DEBUG, "unseen.c", 6, "f", "seen");

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
	sink_warning("unseen");
	assert_string_equal(capture_text(*state), "");
}

static void a_null_argument_is_named_with_its_function(void **state)
{
	assert_doca(doca__refuse_null("file.c", 1, "doca_thing", "thing"),
		    DOCA_ERROR_INVALID_VALUE);
	assert_true(text_matches(capture_text(*state),
				 "doca_thing refuses: thing must not be NULL\n$"));
}

/* What a program says on stderr that fails once, with DOCA_LOG_LEVEL set to that text. */
static const char *stderr_with_level(struct log_capture *capture, const char *level)
{
	pid_t child;
	int status;

	capture_clear(capture);
	child = fork();
	if (child == 0) {
		setenv("DOCA_LOG_LEVEL", level, 1);
		dup2(capture->fd, STDERR_FILENO);
		/* Not /proc/self/exe, which under valgrind is valgrind. */
		execl(program_invocation_name, "test_log_sdk", "child", (char *)NULL);
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
			    doca_log_level_get_global_lower_limit() == DOCA_LOG_LEVEL_INFO;

	/* Nor do the program's limits change what the environment asked for. */
	if (doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE) != DOCA_SUCCESS)
		return 1;
	LOG_ERROR("an error");
	LOG_DEBUG("a detail");
	return is_untouched ? 0 : 1;
}

static void the_environment_makes_a_backend_on_stderr(void **state)
{
	static const char *const errors_only[] = {"error", "ERROR", "30", "Warning", "40", "info"};
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
	assert_string_equal(stderr_with_level(*state, "10"), "");
}

static void a_bad_level_in_the_environment_is_one_warning(void **state)
{
	static const char *const bad[] = {"", "loud", "35", "-30", "30 ", "99999999999999999999"};
	char pattern[256];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(pattern, sizeof(pattern),
			 "^[^\n]*\\[WRN\\][^\n]*DOCA_LOG_LEVEL[^\n]*\"%s\"[^\n]*trace[^\n]*70\n$",
			 bad[i]);
		assert_true(text_matches(stderr_with_level(*state, bad[i]), pattern));
	}
}

/* Ten records and one of the handler's own: a handler that logs must not wait for itself. */
static void handler_that_logs(char *line)
{
	static unsigned depth; /* the handler gets nothing else to keep it in */

	if (depth++ == 0)
		LOG_ERROR("from the handler");
	depth--;
}

static void a_handler_may_log(void **state)
{
	static char buf[1024]; /* a backend lives for ever */
	struct doca_log_backend *backend;

	assert_doca(
		doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), handler_that_logs, &backend),
		DOCA_SUCCESS);
	LOG_ERROR("from the test");
	assert_non_null(strstr(capture_text(*state), "from the test\n"));
	assert_doca(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(wants_is_true_down_to_the_level_of_the_backend, reset),
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
		cmocka_unit_test_setup(the_environment_makes_a_backend_on_stderr, reset),
		cmocka_unit_test_setup(levels_above_error_say_nothing_of_errors, reset),
		cmocka_unit_test_setup(a_bad_level_in_the_environment_is_one_warning, reset),
		cmocka_unit_test_setup(a_handler_may_log, reset),
	};

	if (argc > 1)
		return be_the_child();
	return cmocka_run_group_tests(tests, setup_backend, end_backend);
}
