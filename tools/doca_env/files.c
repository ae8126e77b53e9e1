/* SPDX-License-Identifier: Apache-2.0 */
/* What .pc and VERSION files, /proc and /sys tell: the first words of lines, within bounds. */
#include "files.h"

#include <errno.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "caps_common/document.h"

#define MAX_LINE 4096

/* snprintf() of paths; false, and "", for one that is too long. */
static bool join(char path[PATH_MAX], const char *folder, const char *name, const char *end)
{
	const int len = snprintf(path, PATH_MAX, "%s/%s%s", folder, name, end);

	if (len > 0 && len < PATH_MAX)
		return true;
	path[0] = '\0';
	return false;
}

static void own_folder(char folder[PATH_MAX])
{
	const ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	folder[len > 0 ? len : 0] = '\0';
	if (strrchr(folder, '/') != NULL)
		*strrchr(folder, '/') = '\0';
}

void files_prefix(char prefix[PATH_MAX])
{
	char folder[PATH_MAX];
	char path[PATH_MAX];

	own_folder(folder);
	if (!join(path, folder, PREFIX_FROM_HERE, "") || realpath(path, prefix) == NULL)
		prefix[0] = '\0';
}

static void tell_unread(const char *path, const char *why, bool *is_whole)
{
	if (*is_whole)
		say("%s could not be looked at: %s; what it tells is left out", path, why);
	*is_whole = false;
}

static FILE *open_text(const char *path, bool *is_whole)
{
	struct stat what;
	FILE *file;

	/* A pipe or a device may never end. */
	if (stat(path, &what) == 0 && !S_ISREG(what.st_mode))
		return NULL;
	file = fopen(path, "re");
	if (file == NULL && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
		tell_unread(path, strerror(errno), is_whole);
	return file;
}

/* The first word of the first line that begins so. */
static bool read_word(const char *path, const char *begin, char word[VERSION_SIZE], bool *is_whole)
{
	FILE *file = open_text(path, is_whole);
	char line[MAX_LINE];
	bool is_found = false;

	word[0] = '\0';
	if (file == NULL)
		return false;
	while (!is_found && fgets(line, sizeof(line), file) != NULL)
		is_found = strncmp(line, begin, strlen(begin)) == 0 &&
			   sscanf(line + strlen(begin), "%63s", word) == 1; /* VERSION_SIZE */
	(void)fclose(file);
	for (const char *at = word; *at != '\0'; at++)
		is_found &= *at > ' ' && *at <= '~'; /* what JSON can hold */
	if (!is_found)
		word[0] = '\0';
	return is_found;
}

static bool is_module_in(const char *folder, const char *name, char path[PATH_MAX],
			 char version[VERSION_SIZE], bool *is_whole)
{
	return join(path, folder, name, ".pc") && read_word(path, "Version:", version, is_whole);
}

bool files_find_module(const char *prefix, const char *name, char path[PATH_MAX],
		       char version[VERSION_SIZE], bool *is_whole)
{
	const char *from = getenv("PKG_CONFIG_PATH");
	char folder[PATH_MAX];

	while (from != NULL && *from != '\0') {
		const size_t len = strcspn(from, ":");

		if (len > 0 && len < sizeof(folder)) {
			memcpy(folder, from, len);
			folder[len] = '\0';
			if (is_module_in(folder, name, path, version, is_whole))
				return true;
		}
		from += len + (from[len] == ':');
	}
	if (join(folder, prefix, PKGCONFIG_DIR, "") &&
	    is_module_in(folder, name, path, version, is_whole))
		return true;
	path[0] = '\0';
	return false;
}

/* Where samples and applications lie: below the prefix in DOCA's layout, among the data in
 * softdoca's. */
static const char *const data_folders[] = {"", DATA_DIR "/"};
#define NUM_DATA_FOLDERS (sizeof(data_folders) / sizeof(data_folders[0]))

bool files_applications_version(const char *prefix, char version[VERSION_SIZE], bool *is_whole)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < NUM_DATA_FOLDERS; i++)
		if (join(path, prefix, data_folders[i], "applications/VERSION") &&
		    read_word(path, "", version, is_whole))
			return true;
	return false;
}

bool files_find_samples(const char *prefix, const char *library, char path[PATH_MAX])
{
	char folder[PATH_MAX];
	struct stat what;

	for (size_t i = 0; i < NUM_DATA_FOLDERS; i++)
		if (join(folder, prefix, data_folders[i], "samples/doca_") &&
		    snprintf(path, PATH_MAX, "%s%s", folder, library) < PATH_MAX &&
		    stat(path, &what) == 0 && S_ISDIR(what.st_mode))
			return true;
	path[0] = '\0';
	return false;
}

bool files_ask_doca_caps(char version[VERSION_SIZE], bool *is_whole)
{
	char folder[PATH_MAX];
	char path[PATH_MAX];
	FILE *answer;
	bool is_told;

	version[0] = '\0';
	own_folder(folder);
	/* By the environment: a path may hold what a shell would read. */
	if (!join(path, folder, "doca_caps", "") || access(path, X_OK) != 0)
		return false;
	signal(SIGCHLD, SIG_DFL); /* ignored, it would tell no status */
	answer = setenv("DOCA_ENV_ASKS", path, 1) != 0
			 ? NULL
			 : popen("exec \"$DOCA_ENV_ASKS\" --version 2>/dev/null", "re");
	if (answer == NULL) {
		/* popen() does not say which. */
		tell_unread(path, "no process, descriptor or memory is left", is_whole);
		return false;
	}
	is_told = fscanf(answer, "%*s %63s", version) == 1; /* VERSION_SIZE */
	if (pclose(answer) == 0 && is_told)
		return true;
	tell_unread(path, "it cannot be run, or says no version", is_whole);
	version[0] = '\0';
	return false;
}

bool files_is_module_loaded(const char *name, bool *is_whole)
{
	char word[VERSION_SIZE];
	char begin[VERSION_SIZE];

	(void)snprintf(begin, sizeof(begin), "%s ", name);
	return read_word("/proc/modules", begin, word, is_whole);
}

uint64_t files_free_hugepages(unsigned int size_kib, bool *is_whole)
{
	char path[PATH_MAX];
	char word[VERSION_SIZE];

	(void)snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%ukB/free_hugepages",
		       size_kib);
	return read_word(path, "", word, is_whole) ? strtoull(word, NULL, 10) : 0;
}

bool files_hugepage_mount(char path[PATH_MAX], bool *is_whole)
{
	FILE *file = open_text("/proc/mounts", is_whole);
	char line[MAX_LINE];
	struct mntent entry;
	bool is_found = false;

	path[0] = '\0';
	if (file == NULL)
		return false;
	while (!is_found && getmntent_r(file, &entry, line, sizeof(line)) != NULL)
		is_found = strcmp(entry.mnt_type, "hugetlbfs") == 0 &&
			   snprintf(path, PATH_MAX, "%s", entry.mnt_dir) < PATH_MAX;
	(void)fclose(file);
	return is_found;
}
