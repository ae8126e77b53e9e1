/* SPDX-License-Identifier: Apache-2.0 */
/* DOCA_LOG_LEVEL in the environment, seen from outside: the program runs itself as a child. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/dma_fixture.h"
#include "support/run_again.h"
#include "support/test.h"

#define TEXT_SIZE 65536

/* What the child does: one copy from start to end, and one refusal. It has no backend. */
static int be_the_child(void)
{
	struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 4096, 1)), DOCA_SUCCESS);
	dma_wait_tasks(fixture, 1);
	(void)doca_ctx_start(fixture->ctx);
	assert_doca(doca_task_submit(dma_copy_task(fixture, 0, 4096, 2)), DOCA_SUCCESS);
	assert_doca(doca_ctx_stop(fixture->ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	dma_close(fixture);
	return 0;
}

/* Run the child with that level, NULL for none; its stderr is the text. */
static void run_child(const char *level, char *text)
{
	int ends[2];
	size_t used = 0;
	ssize_t num_bytes;
	int status = -1;
	pid_t child;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		if (level == NULL)
			unsetenv("DOCA_LOG_LEVEL");
		else
			setenv("DOCA_LOG_LEVEL", level, 1);
		run_again((const char *const[]){"child", NULL});
		_exit(127);
	}
	close(ends[1]);
	while ((num_bytes = read(ends[0], text + used, TEXT_SIZE - 1 - used)) > 0)
		used += (size_t)num_bytes;
	text[used] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status != 0)
		print_error("the child said: %s\n", text);
	assert_int_equal(status, 0);
}

static size_t count_text(const char *text, const char *part)
{
	size_t num = 0;

	for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part))
		num++;
	return num;
}

static void without_a_level_a_program_without_backends_says_nothing(void **state)
{
	static char text[TEXT_SIZE];

	run_child(NULL, text);
	assert_string_equal(text, "");
}

static void error_shows_the_refusal_and_no_more(void **state)
{
	static char text[TEXT_SIZE];

	run_child("error", text);
	assert_int_equal(count_text(text, "\n"), 1);
	assert_int_equal(count_text(text, "[DOCA][ERR]"), 1);
	assert_int_equal(count_text(text, "refuses start"), 1);
}

static void a_number_is_a_level_too(void **state)
{
	static char text[TEXT_SIZE];

	run_child("30", text);
	assert_int_equal(count_text(text, "\n"), 1);
	assert_int_equal(count_text(text, "[DOCA][ERR]"), 1);
}

static void trace_shows_every_transition_and_every_submission(void **state)
{
	static char text[TEXT_SIZE];

	run_child("trace", text);
	assert_int_equal(count_text(text, "idle to running"), 1);
	assert_int_equal(count_text(text, "running to stopping"), 1);
	assert_int_equal(count_text(text, "stopping to idle"), 1);
	assert_int_equal(count_text(text, "submitted, 4096 bytes"), 2);
}

static void disable_shows_nothing(void **state)
{
	static char text[TEXT_SIZE];

	run_child("disable", text);
	assert_string_equal(text, "");
}

static void an_unknown_level_is_one_warning_and_changes_nothing(void **state)
{
	static char text[TEXT_SIZE];

	run_child("loud", text);
	assert_int_equal(count_text(text, "\n"), 1);
	assert_int_equal(count_text(text, "[WRN]"), 1);
	assert_int_equal(count_text(text, "DOCA_LOG_LEVEL"), 1);
	assert_int_equal(count_text(text, "loud"), 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_level_a_program_without_backends_says_nothing),
		cmocka_unit_test(error_shows_the_refusal_and_no_more),
		cmocka_unit_test(a_number_is_a_level_too),
		cmocka_unit_test(trace_shows_every_transition_and_every_submission),
		cmocka_unit_test(disable_shows_nothing),
		cmocka_unit_test(an_unknown_level_is_one_warning_and_changes_nothing),
	};

	if (argc == 2 && strcmp(argv[1], "child") == 0)
		return be_the_child();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
