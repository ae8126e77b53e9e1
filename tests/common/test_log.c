/* SPDX-License-Identifier: Apache-2.0 */
/* Sources, the form of a record, the macros, and the global limits. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>

#include <doca_log.h>

#include "support/fd_capture.h"

DOCA_LOG_REGISTER(TEST::LOG);

/* The linker sends the library's calls to these (--wrap). */
char *__wrap_strndup(const char *text, size_t max);
char *__real_strndup(const char *text, size_t max);
void *__wrap_realloc(void *old, size_t size);
void *__real_realloc(void *old, size_t size);

static bool strndup_fails, realloc_fails;

char *__wrap_strndup(const char *text, size_t max)
{
	return strndup_fails ? NULL : __real_strndup(text, max);
}

void *__wrap_realloc(void *old, size_t size)
{
	return realloc_fails ? NULL : __real_realloc(old, size);
}

static struct log_capture *the_capture(void **state)
{
	struct log_capture *capture = *state;

	capture_clear(capture);
	return capture;
}

static int setup_backend(void **state)
{
	struct log_capture *capture = capture_new();
	struct doca_log_backend *backend;

	if (capture == NULL)
		return -1;
	*state = capture;
	return doca_log_backend_create_with_fd(capture->fd, &backend) == DOCA_SUCCESS ? 0 : -1;
}

static int end_backend(void **state)
{
	struct log_capture *capture = *state;

	/* The backend lives on and writes into a closed descriptor: nothing is logged any more. */
	close(capture->fd);
	free(capture);
	return 0;
}

static int reset_limits(void **state)
{
	return doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO) == DOCA_SUCCESS &&
			       doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT) ==
				       DOCA_SUCCESS &&
			       doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_INFO) ==
				       DOCA_SUCCESS
		       ? 0
		       : -1;
}

/* First: nothing has changed them. */
static void global_limits_begin_at_info_and_crit(void **state)
{
	assert_int_equal(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_INFO);
	assert_int_equal(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_CRIT);
	assert_int_equal(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_INFO);
}

static void a_record_has_time_process_source_level_place_and_text(void **state)
{
	struct log_capture *capture = the_capture(state);
	char pattern[256];
	int line = __LINE__ + 1;
	doca_error_t result = DOCA_LOG_ERR("one %d two", 42);

	assert_doca(result, DOCA_SUCCESS);
	snprintf(pattern, sizeof(pattern),
		 "^\\[[0-2][0-9]:[0-5][0-9]:[0-6][0-9]:[0-9]{6}\\]\\[%d\\]\\[TEST::LOG\\]\\[ERR\\]"
		 "\\[test_log\\.c:%d\\]\\[%s\\] one 42 two\n$",
		 (int)getpid(), line, __func__);
	assert_true(text_matches(capture_text(capture), pattern));
}

static void each_macro_writes_its_level(void **state)
{
	struct log_capture *capture = the_capture(state);

	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	DOCA_LOG_CRIT("a");
	DOCA_LOG_ERR("b");
	DOCA_LOG_WARN("c");
	DOCA_LOG_INFO("d %s", "with an argument");
	DOCA_LOG_DBG("e");
	DOCA_LOG(DOCA_LOG_LEVEL_TRACE, "f");
	assert_true(text_matches(capture_text(capture),
				 "\\[CRIT\\].* a\n.*\\[ERR\\].* b\n.*\\[WRN\\].* c\n"
				 ".*\\[INF\\].* d with an argument\n.*\\[DBG\\].* e\n"
				 ".*\\[TRC\\].* f\n$"));
	assert_int_equal(num_lines(capture->text), 6);
}

static void a_trace_that_was_not_allowed_is_an_empty_statement(void **state)
{
	struct log_capture *capture = the_capture(state);
	int num_evaluated = 0;

	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	if (num_evaluated == 0)
		DOCA_LOG_TRC("%d", ++num_evaluated);
	else
		fail();
	assert_int_equal(num_evaluated, 0);
	assert_string_equal(capture_text(capture), "");
}

static void a_record_is_one_line_whatever_its_text(void **state)
{
	struct log_capture *capture = the_capture(state);

	DOCA_LOG_INFO("%s", "a\nb\tc\033[1m\177\302\265\n");
	assert_true(text_matches(capture_text(capture),
				 "\\] a\\\\nb\\\\x09c\\\\x1b\\[1m\\\\x7f\302\265\\\\n\n$"));
	assert_int_equal(num_lines(capture->text), 1);
}

static void a_source_name_cannot_break_the_line_either(void **state)
{
	struct log_capture *capture = the_capture(state);
	int source;

	assert_doca(doca_log_register_source("x\ny", &source), DOCA_SUCCESS);
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, source, "a/b/c.c", 7, "f", "t"), DOCA_SUCCESS);
	assert_true(text_matches(capture_text(capture),
				 "\\[x\\\\ny\\]\\[INF\\]\\[c.c:7\\]\\[f\\] t\n$"));
}

static void a_text_of_four_kib_is_whole(void **state)
{
	struct log_capture *capture = the_capture(state);
	char text[4097];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	DOCA_LOG_INFO("%s", text);
	assert_non_null(strstr(capture_text(capture), text));
	assert_null(strstr(capture->text, "left out"));
}

static void a_longer_text_is_cut_and_says_by_how_much(void **state)
{
	struct log_capture *capture = the_capture(state);
	char text[5001];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	DOCA_LOG_INFO("%s", text);
	assert_true(text_matches(capture_text(capture), "x\\.\\.\\. \\(904 bytes left out\\)\n$"));

	capture_clear(capture);
	memset(text, '\001', 4000);
	text[4000] = '\0';
	DOCA_LOG_INFO("%s", text);
	assert_true(text_matches(capture_text(capture),
				 "\\\\x01\\.\\.\\. \\([0-9]+ bytes left out\\)\n$"));
}

static void a_text_that_cannot_be_converted_shows_its_format(void **state)
{
	struct log_capture *capture = the_capture(state);
	const wchar_t wide[] = {0x3b1, 0};

	DOCA_LOG_INFO("alpha %ls", wide);
	assert_true(text_matches(capture_text(capture), "\\] alpha %ls\n$"));
}

static void errno_is_preserved_and_is_what_m_shows(void **state)
{
	struct log_capture *capture = the_capture(state);

	errno = ENOTDIR;
	DOCA_LOG_INFO("it is: %m");
	assert_int_equal(errno, ENOTDIR);
	assert_non_null(strstr(capture_text(capture), "it is: Not a directory\n"));
}

static void a_record_outside_the_limits_is_dropped_with_success(void **state)
{
	struct log_capture *capture = the_capture(state);

	assert_doca(DOCA_LOG_DBG("no"), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_INFO), DOCA_SUCCESS);
	assert_doca(DOCA_LOG_ERR("no"), DOCA_SUCCESS);
	assert_string_equal(capture_text(capture), "");
}

static void a_level_that_no_record_has_is_refused(void **state)
{
	struct log_capture *capture = the_capture(state);
	const uint32_t levels[] = {0, DOCA_LOG_LEVEL_DISABLE, 25, 55, 71, 80, UINT32_MAX};

	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		assert_doca(DOCA_LOG(levels[i], "no"), DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(capture_text(capture), "");
}

static void a_record_without_place_or_format_is_refused(void **state)
{
	struct log_capture *capture = the_capture(state);
	const char *none = NULL;

	assert_doca(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, NULL, 1, "f", "t"),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, "c", 1, NULL, "t"),
		    DOCA_ERROR_INVALID_VALUE);
	/* Through a pointer: the compiler knows the format attribute and rejects NULL itself. */
	assert_doca(((doca_error_t(*)(uint32_t, int, const char *, int, const char *, const char *,
				      ...))doca_log)(DOCA_LOG_LEVEL_ERROR, log_source, "c", 1, "f",
						     none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(capture_text(capture), "");
}

static void register_copies_the_name_and_gives_each_source_an_id(void **state)
{
	struct log_capture *capture = the_capture(state);
	char name[] = "first";
	int first, second;

	assert_doca(doca_log_register_source(name, &first), DOCA_SUCCESS);
	assert_doca(doca_log_register_source("second", &second), DOCA_SUCCESS);
	assert_true(first > 0 && second > 0 && first != second);
	memset(name, '?', strlen(name));
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, first, "c", 1, "f", "t"), DOCA_SUCCESS);
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, second, "c", 1, "f", "t"), DOCA_SUCCESS);
	assert_true(text_matches(capture_text(capture), "\\[first\\].*\n.*\\[second\\].*\n$"));
}

static void register_takes_any_number_of_sources(void **state)
{
	struct log_capture *capture = the_capture(state);
	char name[16];
	int first = 0, source = 0;

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		assert_doca(doca_log_register_source(name, &source), DOCA_SUCCESS);
		if (i == 0)
			first = source;
	}
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, first, "c", 1, "f", "t"), DOCA_SUCCESS);
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, source, "c", 1, "f", "t"), DOCA_SUCCESS);
	assert_true(text_matches(capture_text(capture), "\\[s0\\].*\n.*\\[s999\\].*\n$"));
}

static void register_keeps_255_bytes_of_a_long_name(void **state)
{
	struct log_capture *capture = the_capture(state);
	char name[300];
	int source;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_doca(doca_log_register_source(name, &source), DOCA_SUCCESS);
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, source, "c", 1, "f", "t"), DOCA_SUCCESS);
	assert_true(text_matches(capture_text(capture), "\\[n{255}\\]"));
}

static void register_refuses_null(void **state)
{
	int source = 77;

	assert_doca(doca_log_register_source(NULL, &source), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_register_source("x", NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(source, 77);
}

/* Registers until the table has to grow, which fails. */
static doca_error_t register_until_refused(int *source)
{
	doca_error_t result = DOCA_SUCCESS;

	for (int i = 0; i < 10000 && result == DOCA_SUCCESS; i++)
		result = doca_log_register_source("x", source);
	return result;
}

static void register_reports_that_memory_is_out(void **state)
{
	int source = 77, last;
	doca_error_t name_result, table_result;

	strndup_fails = true;
	name_result = doca_log_register_source("x", &source);
	strndup_fails = false;
	realloc_fails = true;
	table_result = register_until_refused(&last);
	realloc_fails = false;

	assert_doca(name_result, DOCA_ERROR_NO_MEMORY);
	assert_int_equal(source, 77);
	assert_doca(table_result, DOCA_ERROR_NO_MEMORY);
	/* Nothing is half done: the next id is the next number. */
	assert_doca(doca_log_register_source("x", &source), DOCA_SUCCESS);
	assert_int_equal(source, last + 1);
}

static void an_unregistered_source_is_refused_for_good(void **state)
{
	struct log_capture *capture = the_capture(state);
	int source, other;

	assert_doca(doca_log_register_source("gone", &source), DOCA_SUCCESS);
	assert_doca(doca_log_unregister_source(source), DOCA_SUCCESS);
	assert_doca(doca_log_register_source("other", &other), DOCA_SUCCESS);
	assert_int_not_equal(source, other);
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, source, "c", 1, "f", "t"),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_unregister_source(source), DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(capture_text(capture), "");
}

static void a_source_that_never_was_is_refused(void **state)
{
	const int sources[] = {0, -1, INT32_MAX, INT32_MIN};

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		assert_doca(doca_log_unregister_source(sources[i]), DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, sources[i], "c", 1, "f", "t"),
			    DOCA_ERROR_INVALID_VALUE);
	}
}

static void global_limits_are_what_was_set_last(void **state)
{
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
	assert_int_equal(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_DEBUG);
	assert_int_equal(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_WARNING);
	assert_int_equal(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_DISABLE);
}

static void global_limits_refuse_what_is_no_level(void **state)
{
	const uint32_t levels[] = {0, 9, 15, 45, 71, 80, UINT32_MAX};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		assert_doca(doca_log_level_set_global_lower_limit(levels[i]),
			    DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_log_level_set_global_upper_limit(levels[i]),
			    DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_log_level_set_global_sdk_limit(levels[i]),
			    DOCA_ERROR_INVALID_VALUE);
	}
	global_limits_begin_at_info_and_crit(state);
}

/* Last: the backend that fails is there until exit. */
static void a_backend_that_cannot_write_is_reported_and_others_have_the_record(void **state)
{
	struct log_capture *capture = the_capture(state);
	struct doca_log_backend *full;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_doca(doca_log_backend_create_with_fd(fd, &full), DOCA_SUCCESS);
	errno = 0;
	assert_doca(DOCA_LOG_INFO("seen"), DOCA_ERROR_OPERATING_SYSTEM);
	assert_int_equal(errno, 0);
	assert_true(text_matches(capture_text(capture), "\\] seen\n$"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(global_limits_begin_at_info_and_crit),
		cmocka_unit_test_setup(a_record_has_time_process_source_level_place_and_text,
				       reset_limits),
		cmocka_unit_test_setup(each_macro_writes_its_level, reset_limits),
		cmocka_unit_test_setup(a_trace_that_was_not_allowed_is_an_empty_statement,
				       reset_limits),
		cmocka_unit_test_setup(a_record_is_one_line_whatever_its_text, reset_limits),
		cmocka_unit_test_setup(a_source_name_cannot_break_the_line_either, reset_limits),
		cmocka_unit_test_setup(a_text_of_four_kib_is_whole, reset_limits),
		cmocka_unit_test_setup(a_longer_text_is_cut_and_says_by_how_much, reset_limits),
		cmocka_unit_test_setup(a_text_that_cannot_be_converted_shows_its_format,
				       reset_limits),
		cmocka_unit_test_setup(errno_is_preserved_and_is_what_m_shows, reset_limits),
		cmocka_unit_test_setup(a_record_outside_the_limits_is_dropped_with_success,
				       reset_limits),
		cmocka_unit_test_setup(a_level_that_no_record_has_is_refused, reset_limits),
		cmocka_unit_test_setup(a_record_without_place_or_format_is_refused, reset_limits),
		cmocka_unit_test_setup(register_copies_the_name_and_gives_each_source_an_id,
				       reset_limits),
		cmocka_unit_test_setup(register_takes_any_number_of_sources, reset_limits),
		cmocka_unit_test_setup(register_keeps_255_bytes_of_a_long_name, reset_limits),
		cmocka_unit_test_setup(register_refuses_null, reset_limits),
		cmocka_unit_test_setup(register_reports_that_memory_is_out, reset_limits),
		cmocka_unit_test_setup(an_unregistered_source_is_refused_for_good, reset_limits),
		cmocka_unit_test_setup(a_source_that_never_was_is_refused, reset_limits),
		cmocka_unit_test_setup(global_limits_are_what_was_set_last, reset_limits),
		cmocka_unit_test_setup(global_limits_refuse_what_is_no_level, reset_limits),
		cmocka_unit_test_setup(
			a_backend_that_cannot_write_is_reported_and_others_have_the_record,
			reset_limits),
	};

	return cmocka_run_group_tests(tests, setup_backend, end_backend);
}
