/* SPDX-License-Identifier: Apache-2.0 */
/* The destination of a copy: written under a name of its own, renamed when all of it is there. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

#define TEMP_NAMES_MAX 100

/* Something stands at path: may a copy take its place? */
static bool may_replace(const char *path, const struct stat *old, const struct source_file *source)
{
	if (S_ISDIR(old->st_mode))
		complain("destination %s is a directory: name a file in it", path);
	else if (!S_ISREG(old->st_mode))
		complain("destination %s is not a regular file", path);
	else if (source != NULL && old->st_dev == source->info.st_dev &&
		 old->st_ino == source->info.st_ino)
		complain("source %s and destination %s are the same file", source->path, path);
	else if (access(path, W_OK) != 0)
		complain("cannot write destination %s: %m", path);
	else
		return true;
	return false;
}

/* Nothing can be opened at path: may a new file come there? */
static bool may_create(const char *path)
{
	struct stat link;
	size_t len = strlen(path);

	if (errno != ENOENT)
		complain("cannot reach destination %s: %m", path);
	else if (len == 0 || path[len - 1] == '/')
		complain("destination '%s' names no file", path);
	else if (lstat(path, &link) == 0)
		complain("destination %s is a symbolic link to nothing", path);
	else
		return true;
	return false;
}

/* A name beside the final one: rename() works within one file system only. */
static bool temp_create(struct target_file *target, mode_t mode)
{
	const char *slash = strrchr(target->final_path, '/');
	int dir_len = slash == NULL ? 0 : (int)(slash - target->final_path) + 1;

	for (int i = 0; i < TEMP_NAMES_MAX; i++) {
		if (asprintf(&target->temp_path, "%.*s.%s.%d.%d", dir_len, target->final_path,
			     program_invocation_short_name, (int)getpid(), i) < 0) {
			target->temp_path = NULL;
			break;
		}
		target->fd = open(target->temp_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (target->fd >= 0)
			return true;
		free(target->temp_path);
		target->temp_path = NULL;
		if (errno != EEXIST)
			break;
	}
	complain("cannot create a file beside destination %s: %m", target->path);
	return false;
}

bool target_open(struct target_file *target, const char *path, const struct source_file *source)
{
	mode_t new_mode = source != NULL ? source->info.st_mode : 0666;
	struct stat old;
	bool exists = stat(path, &old) == 0;

	*target = (struct target_file){.path = path, .fd = -1};
	if (exists ? !may_replace(path, &old, source) : !may_create(path))
		return false;

	target->final_path = exists ? realpath(path, NULL) : strdup(path);
	if (target->final_path == NULL) {
		complain("cannot reach destination %s: %m", path);
		return false;
	}
	if (!temp_create(target, (exists ? old.st_mode : new_mode) & 0777))
		goto discard;
	if (exists && fchmod(target->fd, old.st_mode & 0777) != 0) {
		complain("cannot give destination %s its old permissions: %m", path);
		goto discard;
	}
	return true;

discard:
	target_discard(target);
	return false;
}

bool target_write(struct target_file *target, const void *bytes, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t result = write(target->fd, (const char *)bytes + done, len - done);

		if (result >= 0) {
			done += (size_t)result;
		} else if (errno != EINTR) {
			complain("cannot write destination %s: %m", target->path);
			return false;
		}
	}
	return true;
}

bool target_commit(struct target_file *target)
{
	if (fsync(target->fd) != 0 || rename(target->temp_path, target->final_path) != 0) {
		complain("cannot finish destination %s: %m", target->path);
		return false;
	}
	free(target->temp_path);
	target->temp_path = NULL;
	return true;
}

void target_discard(struct target_file *target)
{
	if (target->fd >= 0)
		close(target->fd);
	if (target->temp_path != NULL)
		unlink(target->temp_path);
	free(target->temp_path);
	free(target->final_path);
	*target = (struct target_file){.fd = -1};
}
