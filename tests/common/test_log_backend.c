/* SPDX-License-Identifier: Apache-2.0 */
/* Which backend shows which record: tiers, limits, strict limits, the standard pair. */
#include "support/test.h"

#include <fcntl.h>

#include <doca_log.h>

#include "common/sdk_log.h"
#include "support/fail_calloc.h"
#include "support/fd_capture.h"

DOCA_LOG_REGISTER(TEST::BACKEND);

/* The linker sends the library's calls to it (--wrap). */
char *__wrap_strdup(const char *text);
char *__real_strdup(const char *text);

static bool next_strdup_fails;

char *__wrap_strdup(const char *text)
{
	if (!next_strdup_fails)
		return __real_strdup(text);
	next_strdup_fails = false;
	return NULL;
}

/* What a backend showed: one letter a level. Never freed: the backend lives until exit. */
struct shown {
	char buf[512]; /* first: the handler is given its address */
	char levels[32];
	struct doca_log_backend *backend;
};

static const char tags[][8] = {"[CRIT]", "[ERR]", "[WRN]", "[INF]", "[DBG]", "[TRC]"};
static const char letters[] = "CEWIDT";

static void show(char *buf)
{
	struct shown *shown = (struct shown *)buf;

	size_t len = strlen(shown->levels);

	/* Backends of earlier tests still get records, and nobody empties their list. */
	for (size_t i = 0; i < strlen(letters) && len + 1 < sizeof(shown->levels); i++) {
		if (strstr(buf, tags[i]) != NULL)
			shown->levels[len++] = letters[i];
	}
	shown->levels[len] = '\0';
}

static struct shown *app_backend(void)
{
	struct shown *shown = calloc(1, sizeof(*shown));

	assert_non_null(shown);
	assert_doca(doca_log_backend_create_with_buf(shown->buf, sizeof(shown->buf), show,
						     &shown->backend),
		    DOCA_SUCCESS);
	return shown;
}

static struct shown *sdk_backend(void)
{
	struct shown *shown = calloc(1, sizeof(*shown));

	assert_non_null(shown);
	assert_doca(doca_log_backend_create_with_buf_sdk(shown->buf, sizeof(shown->buf), show,
							 &shown->backend),
		    DOCA_SUCCESS);
	return shown;
}

/* A record of each level; what the backend shows of them, the most severe first. */
static const char *log_all(struct shown *shown)
{
	shown->levels[0] = '\0';
	for (uint32_t level = DOCA_LOG_LEVEL_CRIT; level <= DOCA_LOG_LEVEL_TRACE; level += 10)
		DOCA_LOG(level, "level %u", level);
	return shown->levels;
}

/* A line number of its own for each call, for a place may write ten lines a second only. */
static const char *sdk_log_all(struct shown *shown, int line)
{
	shown->levels[0] = '\0';
	for (uint32_t level = DOCA_LOG_LEVEL_CRIT; level <= DOCA_LOG_LEVEL_TRACE; level += 10)
		doca__log_write(level, (struct log_place){__FILE__, line, __func__}, "level %u",
				level);
	return shown->levels;
}

static int reset_limits(void **state)
{
	doca_error_t result = doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO);

	DOCA_ERROR_PROPAGATE(result, doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT));
	DOCA_ERROR_PROPAGATE(result, doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_INFO));
	return result == DOCA_SUCCESS ? 0 : -1;
}

/* First: there is none yet. */
static void without_a_backend_nothing_is_wanted_and_logging_succeeds(void **state)
{
	assert_false(doca__log_wants(DOCA_LOG_LEVEL_CRIT));
	doca__log_write(DOCA_LOG_LEVEL_CRIT, (struct log_place){"c", 1, "f"}, "t");
	assert_doca(DOCA_LOG_CRIT("t"), DOCA_SUCCESS);
}

static void a_new_backend_starts_at_the_global_limits(void **state)
{
	assert_string_equal(log_all(app_backend()), "CEWI");
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING), DOCA_SUCCESS);
	assert_string_equal(log_all(app_backend()), "WID");
}

static void a_new_sdk_backend_starts_at_the_global_sdk_limit(void **state)
{
	assert_string_equal(sdk_log_all(sdk_backend(), __LINE__), "CEWI");
	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR), DOCA_SUCCESS);
	assert_string_equal(sdk_log_all(sdk_backend(), __LINE__), "CE");
	/* The application's upper limit is not its. */
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING), DOCA_SUCCESS);
	assert_string_equal(sdk_log_all(sdk_backend(), __LINE__), "CE");
}

static void global_limits_change_the_backends_that_are_there(void **state)
{
	struct shown *shown = app_backend();

	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "CEWIDT");
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_INFO), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "IDT");
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "");
}

static void the_global_sdk_limit_changes_the_backends_that_are_there(void **state)
{
	struct shown *shown = sdk_backend();

	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_string_equal(sdk_log_all(shown, __LINE__), "CEWIDT");
	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
	assert_string_equal(sdk_log_all(shown, __LINE__), "");
}

static void a_direct_limit_changes_one_backend(void **state)
{
	struct shown *one = app_backend();
	struct shown *other = app_backend();

	assert_doca(doca_log_backend_set_level_lower_limit(one->backend, DOCA_LOG_LEVEL_DEBUG),
		    DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_level_upper_limit(one->backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_SUCCESS);
	assert_string_equal(log_all(one), "EWID");
	assert_string_equal(log_all(other), "CEWI");
	assert_int_equal(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_INFO);
	assert_int_equal(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_CRIT);
}

static void a_direct_sdk_level_changes_one_backend(void **state)
{
	struct shown *one = sdk_backend();
	struct shown *other = sdk_backend();

	assert_doca(doca_log_backend_set_sdk_level(one->backend, DOCA_LOG_LEVEL_WARNING),
		    DOCA_SUCCESS);
	assert_string_equal(sdk_log_all(one, __LINE__), "CEW");
	assert_string_equal(sdk_log_all(other, __LINE__), "CEWI");
	assert_int_equal(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_INFO);
}

static void each_level_is_a_limit_on_either_side(void **state)
{
	struct shown *shown = app_backend();

	for (uint32_t upper = 10; upper <= 70; upper += 10) {
		for (uint32_t lower = 10; lower <= 70; lower += 10) {
			char expected[8] = "";
			size_t len = 0;

			for (uint32_t level = 20; level <= 70; level += 10) {
				if (level >= upper && level <= lower)
					expected[len++] = letters[level / 10 - 2];
			}
			assert_doca(doca_log_backend_set_level_upper_limit(shown->backend, upper),
				    DOCA_SUCCESS);
			assert_doca(doca_log_backend_set_level_lower_limit(shown->backend, lower),
				    DOCA_SUCCESS);
			assert_string_equal(log_all(shown), expected);
		}
	}
}

static void the_tiers_are_independent(void **state)
{
	struct shown *app = app_backend();
	struct shown *sdk = sdk_backend();

	app->levels[0] = '\0';
	assert_string_equal(sdk_log_all(sdk, __LINE__), "CEWI");
	assert_string_equal(app->levels, "");
	sdk->levels[0] = '\0';
	assert_string_equal(log_all(app), "CEWI");
	assert_string_equal(sdk->levels, "");

	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_string_equal(log_all(app), "CEWI");
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_string_equal(sdk_log_all(sdk, __LINE__), "CEWIDT");
}

static void wanted_is_what_the_most_talkative_sdk_backend_shows(void **state)
{
	struct shown *sdk = sdk_backend();

	app_backend();
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR), DOCA_SUCCESS);
	assert_true(doca__log_wants(DOCA_LOG_LEVEL_ERROR));
	assert_false(doca__log_wants(DOCA_LOG_LEVEL_WARNING));
	assert_doca(doca_log_backend_set_sdk_level(sdk->backend, DOCA_LOG_LEVEL_DEBUG),
		    DOCA_SUCCESS);
	assert_true(doca__log_wants(DOCA_LOG_LEVEL_DEBUG));
	assert_false(doca__log_wants(DOCA_LOG_LEVEL_TRACE));
}

static void a_strict_lower_limit_is_never_lowered(void **state)
{
	struct shown *shown = app_backend();
	struct doca_log_backend *backend = shown->backend;

	assert_doca(doca_log_backend_set_level_lower_limit_strict(backend), DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DEBUG),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_string_equal(log_all(shown), "CEWI");
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "CEWI");
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_INFO),
		    DOCA_SUCCESS);

	/* More severe is no lowering, and is then what holds. */
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_WARNING), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "CEW");
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_INFO),
		    DOCA_ERROR_NOT_PERMITTED);
	/* The other limit is free. */
	assert_doca(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_CRIT),
		    DOCA_SUCCESS);
}

static void a_strict_upper_limit_is_never_raised(void **state)
{
	struct shown *shown = app_backend();
	struct doca_log_backend *backend = shown->backend;

	assert_doca(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_level_upper_limit_strict(backend), DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_CRIT),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_string_equal(log_all(shown), "EWI");
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "EWI");

	/* Less severe is no raising, and is then what holds. */
	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING), DOCA_SUCCESS);
	assert_string_equal(log_all(shown), "WI");
	assert_doca(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DEBUG),
		    DOCA_SUCCESS);
}

static void setters_refuse_what_is_no_level_and_keep_the_limit(void **state)
{
	struct shown *app = app_backend();
	struct shown *sdk = sdk_backend();
	const uint32_t levels[] = {0, 9, 55, 71, UINT32_MAX};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		assert_doca(doca_log_backend_set_level_lower_limit(app->backend, levels[i]),
			    DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_log_backend_set_level_upper_limit(app->backend, levels[i]),
			    DOCA_ERROR_INVALID_VALUE);
		assert_doca(doca_log_backend_set_sdk_level(sdk->backend, levels[i]),
			    DOCA_ERROR_INVALID_VALUE);
	}
	assert_string_equal(log_all(app), "CEWI");
	assert_string_equal(sdk_log_all(sdk, __LINE__), "CEWI");
}

static void setters_refuse_null(void **state)
{
	assert_doca(doca_log_backend_set_level_lower_limit(NULL, 50), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_level_upper_limit(NULL, 50), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_level_lower_limit_strict(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_level_upper_limit_strict(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_sdk_level(NULL, 50), DOCA_ERROR_INVALID_VALUE);
}

static void setters_refuse_a_backend_of_the_other_tier_and_say_so(void **state)
{
	struct shown *app = app_backend();
	struct shown *sdk = sdk_backend();

	assert_doca(doca_log_backend_set_level_lower_limit(sdk->backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_ERROR_INVALID_VALUE);
	assert_non_null(strstr(sdk->buf, "[ERR]"));
	assert_non_null(strstr(sdk->buf, "call doca_log_backend_set_sdk_level"));
	assert_doca(doca_log_backend_set_level_upper_limit(sdk->backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_level_lower_limit_strict(sdk->backend),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_level_upper_limit_strict(sdk->backend),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_set_sdk_level(app->backend, DOCA_LOG_LEVEL_ERROR),
		    DOCA_ERROR_INVALID_VALUE);
	assert_non_null(strstr(sdk->buf, "call doca_log_backend_set_level_lower_limit"));
	assert_string_equal(sdk_log_all(sdk, __LINE__), "CEWI");
	assert_string_equal(log_all(app), "CEWI");
}

static void creating_reports_that_memory_is_out(void **state)
{
	static char buf[8];
	struct doca_log_backend *none = NULL;
	doca_error_t results[10];

	next_calloc_fails = true;
	results[0] = doca_log_backend_create_with_file(stderr, &none);
	next_calloc_fails = true;
	results[1] = doca_log_backend_create_with_file_sdk(stderr, &none);
	next_calloc_fails = true;
	results[2] = doca_log_backend_create_with_fd(STDERR_FILENO, &none);
	next_calloc_fails = true;
	results[3] = doca_log_backend_create_with_fd_sdk(STDERR_FILENO, &none);
	next_calloc_fails = true;
	results[4] = doca_log_backend_create_with_buf(buf, sizeof(buf), show, &none);
	next_calloc_fails = true;
	results[5] = doca_log_backend_create_with_buf_sdk(buf, sizeof(buf), show, &none);
	next_calloc_fails = true;
	results[6] = doca_log_backend_create_with_syslog("x", &none);
	next_calloc_fails = true;
	results[7] = doca_log_backend_create_with_syslog_sdk("x", &none);
	next_strdup_fails = true;
	results[8] = doca_log_backend_create_with_syslog("x", &none);
	next_calloc_fails = true;
	results[9] = doca_log_backend_create_standard();

	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		assert_doca(results[i], DOCA_ERROR_NO_MEMORY);
	assert_null(none);
}

/* The levels of the lines in a text, a letter each. */
static void assert_levels(const char *text, const char *expected)
{
	char shown[16] = "";
	size_t num = 0;

	for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
		for (size_t i = 0; i < strlen(letters); i++) {
			const char *tag = strstr(line, tags[i]);

			if (tag != NULL && tag < strchr(line, '\n') && num < sizeof(shown) - 1)
				shown[num++] = letters[i];
		}
	}
	assert_string_equal(shown, expected);
}

/* Lead the descriptor of a stream elsewhere; gives what brings it back. */
static int redirect(FILE *stream, int fd)
{
	int saved = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0);

	fflush(stream);
	assert_int_equal(dup2(fd, fileno(stream)), fileno(stream));
	return saved;
}

static void bring_back(FILE *stream, int saved)
{
	fflush(stream);
	dup2(saved, fileno(stream));
	close(saved);
}

/* What the two streams get while a record of each level is logged. */
static void assert_pair_shows(const char *on_stdout, const char *on_stderr)
{
	struct shown *levels = app_backend();
	struct log_capture *out = capture_new();
	struct log_capture *err = capture_new();
	int saved_stdout = redirect(stdout, out->fd);
	int saved_stderr = redirect(stderr, err->fd);

	log_all(levels);
	bring_back(stdout, saved_stdout);
	bring_back(stderr, saved_stderr);
	assert_levels(capture_text(out), on_stdout);
	assert_levels(capture_text(err), on_stderr);
	close(out->fd);
	close(err->fd);
	free(out);
	free(err);
}

/* Last: the pair is there until exit. */
static void the_standard_pair_parts_records_at_warning_within_the_global_limits(void **state)
{
	assert_doca(doca_log_backend_create_standard(), DOCA_SUCCESS);
	/* A second pair would double the lines. */
	assert_doca(doca_log_backend_create_standard(), DOCA_SUCCESS);
	assert_pair_shows("I", "CEW");

	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE), DOCA_SUCCESS);
	assert_pair_shows("IDT", "CEW");

	assert_doca(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_ERROR), DOCA_SUCCESS);
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR), DOCA_SUCCESS);
	assert_pair_shows("", "E");
}

static int silence(void **state)
{
	doca_error_t result = doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE);

	return result == DOCA_SUCCESS ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_backend_nothing_is_wanted_and_logging_succeeds),
		cmocka_unit_test_setup(a_new_backend_starts_at_the_global_limits, reset_limits),
		cmocka_unit_test_setup(a_new_sdk_backend_starts_at_the_global_sdk_limit,
				       reset_limits),
		cmocka_unit_test_setup(global_limits_change_the_backends_that_are_there,
				       reset_limits),
		cmocka_unit_test_setup(the_global_sdk_limit_changes_the_backends_that_are_there,
				       reset_limits),
		cmocka_unit_test_setup(a_direct_limit_changes_one_backend, reset_limits),
		cmocka_unit_test_setup(a_direct_sdk_level_changes_one_backend, reset_limits),
		cmocka_unit_test_setup(each_level_is_a_limit_on_either_side, reset_limits),
		cmocka_unit_test_setup(the_tiers_are_independent, reset_limits),
		cmocka_unit_test_setup(a_strict_lower_limit_is_never_lowered, reset_limits),
		cmocka_unit_test_setup(a_strict_upper_limit_is_never_raised, reset_limits),
		cmocka_unit_test_setup(setters_refuse_what_is_no_level_and_keep_the_limit,
				       reset_limits),
		cmocka_unit_test_setup(setters_refuse_null, reset_limits),
		cmocka_unit_test_setup(setters_refuse_a_backend_of_the_other_tier_and_say_so,
				       reset_limits),
		cmocka_unit_test_setup(wanted_is_what_the_most_talkative_sdk_backend_shows,
				       reset_limits),
		cmocka_unit_test_setup(creating_reports_that_memory_is_out, reset_limits),
		cmocka_unit_test_setup_teardown(
			the_standard_pair_parts_records_at_warning_within_the_global_limits,
			reset_limits, silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
