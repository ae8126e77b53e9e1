/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: /proc and /sys are read below the folder FAKE_MACHINE, or with "full" no file at all.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *fopen64(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *) =
		(FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen64");
	const char *folder = getenv("FAKE_MACHINE");
	char elsewhere[PATH_MAX];

	if (folder != NULL && strcmp(folder, "full") == 0) {
		errno = EMFILE;
		return NULL;
	}
	if (folder == NULL || (strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/sys/", 5) != 0))
		return real(path, mode);
	(void)snprintf(elsewhere, sizeof(elsewhere), "%s%s", folder, path);
	return real(elsewhere, mode);
}
