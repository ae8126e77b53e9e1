/* SPDX-License-Identifier: Apache-2.0 */
/* A DOCA that is not softdoca, as softdoca run --auto sees one: FAKE_VENDOR says what it does. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_dev.h>
#include <doca_version.h>

static int does(const char *what)
{
	const char *asked = getenv("FAKE_VENDOR");

	return asked != NULL && strcmp(asked, what) == 0;
}

__attribute__((constructor)) static void on_open(void)
{
	if (does("exit early"))
		_exit(0);
	for (int fd = 0; fd < 1024 && does("close"); fd++)
		close(fd);
	if (does("leave") && fork() == 0) {
		setsid();
		for (;;)
			pause();
	}
}

const char *doca_version_runtime(void)
{
	return "3.3.0109";
}

doca_error_t doca_devinfo_create_list(struct doca_devinfo ***list, uint32_t *num)
{
	static struct doca_devinfo *none;

	puts("a vendor's library speaks");
	fflush(stdout);
	fputs("and complains\n", stderr);
	*list = &none;
	*num = 0;
	if (does("crash"))
		raise(signal(SIGSEGV, SIG_DFL) == SIG_ERR ? SIGKILL : SIGSEGV);
	if (does("exit"))
		exit(0);
	while (does("hang"))
		pause();
	if (does("fail"))
		return DOCA_ERROR_DRIVER;
	*num = does("see") ? 2 : 0;
	return DOCA_SUCCESS;
}
