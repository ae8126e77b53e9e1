/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exporter and importer of different users. The importer is a child of the test that has become
 * that user, so that the test must begin as root.
 */
#include "support/peer_fixture.h"
#include "support/run_again.h"

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEN ((size_t)1 << 16)
#define USER 12345 /* of nobody */

static struct exporter start_exporter(uid_t uid)
{
	const struct exporter_options options = {
		.memory = EXPORTER_MALLOC,
		.len_bytes = LEN,
		.access = DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		.uid = uid,
	};
	struct exporter exporter;

	exporter_start(&exporter, &options);
	assert_doca(exporter.result, DOCA_SUCCESS);
	return exporter;
}

/* What an importer of that user gets: the import's result, and all is read when it is SUCCESS. */
static doca_error_t import_as(uid_t uid, const struct exporter *exporter)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		struct dma_fixture *dma;
		struct doca_mmap *mmap = NULL;
		doca_error_t result;

		alarm(TEST_DEADLINE_S);
		if (uid != 0 && (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 ||
				 setresuid(uid, uid, uid) != 0))
			_exit(DOCA_ERROR_UNEXPECTED);
		dma = dma_open(&(struct dma_options){.area_bytes = LEN});
		result = peer_import(dma, exporter, &mmap);
		if (result == DOCA_SUCCESS)
			result = peer_copy(dma, peer_source(dma, mmap, 0, LEN),
					   dma_target(dma, 0, LEN));
		for (size_t i = 0; i < LEN && result == DOCA_SUCCESS; i++)
			if (dma->target.bytes[i] != exporter_byte(i))
				result = DOCA_ERROR_UNKNOWN;
		_exit((int)result);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return (doca_error_t)WEXITSTATUS(status);
}

static void root_imports_of_a_user(void **state)
{
	struct exporter exporter = start_exporter(USER);

	assert_doca(import_as(0, &exporter), DOCA_SUCCESS);
	exporter_end(&exporter);
}

static void a_user_imports_of_the_same_user(void **state)
{
	struct exporter exporter = start_exporter(USER);

	assert_doca(import_as(USER, &exporter), DOCA_SUCCESS);
	exporter_end(&exporter);
}

static void a_user_does_not_import_of_another(void **state)
{
	struct exporter exporter = start_exporter(USER);

	assert_doca(import_as(USER + 1, &exporter), DOCA_ERROR_NOT_PERMITTED);
	exporter_end(&exporter);
}

static void a_user_does_not_import_of_root(void **state)
{
	struct exporter exporter = start_exporter(0);

	assert_doca(import_as(USER, &exporter), DOCA_ERROR_NOT_PERMITTED);
	exporter_end(&exporter);
}

/* The kernel lets such an importer not read the memory: the agent serves it. */
static void a_user_that_is_allowed_imports_of_another(void **state)
{
	struct exporter exporter;

	assert_int_equal(setenv("SOFTDOCA_ALLOW_UIDS", "12345,12346", 1), 0);
	exporter = start_exporter(USER);
	assert_doca(import_as(USER + 1, &exporter), DOCA_SUCCESS);
	assert_doca(import_as(USER + 2, &exporter), DOCA_ERROR_NOT_PERMITTED);
	exporter_end(&exporter);
	exporter = start_exporter(0);
	assert_doca(import_as(USER, &exporter), DOCA_SUCCESS);
	exporter_end(&exporter);
	assert_int_equal(unsetenv("SOFTDOCA_ALLOW_UIDS"), 0);
}

/* Whether another user may run this program at all: its directory may be closed. */
static bool may_run_as_user(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		if (setresuid(USER, USER, USER) != 0)
			_exit(1);
		run_again((const char *const[]){"--nothing", NULL});
		_exit(1);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(root_imports_of_a_user),
		cmocka_unit_test(a_user_imports_of_the_same_user),
		cmocka_unit_test(a_user_does_not_import_of_another),
		cmocka_unit_test(a_user_does_not_import_of_root),
		cmocka_unit_test(a_user_that_is_allowed_imports_of_another),
	};

	exporter_main(argc, argv);
	if (argc > 1)
		return 0;
	if (geteuid() != 0) {
		puts("1..0 # SKIP only root can become other users");
		return 0;
	}
	if (!may_run_as_user()) {
		puts("1..0 # SKIP another user cannot run this program: its directory is closed");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
