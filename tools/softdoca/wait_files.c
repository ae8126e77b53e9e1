/* SPDX-License-Identifier: Apache-2.0 */
/* A file counts when it was closed after writing, or moved into its place, which an old one is not.
 */
#include "wait_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int wait_files_add(struct wait_files *files, const char *path)
{
	struct wait_file *file = &files->files[files->num_files];
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX] = ".";
	size_t len;

	if (files->num_files == MAX_WAIT_FILES)
		return E2BIG;
	file->path = path;
	file->name = slash == NULL ? path : slash + 1;
	if (file->name[0] == '\0')
		return EISDIR;
	len = (size_t)(file->name - path);
	if (len >= sizeof(directory))
		return ENAMETOOLONG;
	if (len > 0)
		snprintf(directory, sizeof(directory), "%.*s", (int)len, path);
	if (files->fd < 0)
		files->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (files->fd < 0)
		return errno;
	file->watch =
		inotify_add_watch(files->fd, directory, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
	if (file->watch < 0)
		return errno;
	files->num_files++;
	return 0;
}

static void hear(struct wait_files *files, const struct inotify_event *event)
{
	for (size_t i = 0; i < files->num_files && event->len > 0; i++) {
		struct wait_file *file = &files->files[i];

		if (file->watch == event->wd && strcmp(file->name, event->name) == 0)
			file->is_there = true;
	}
}

int wait_files_read(struct wait_files *files)
{
	_Alignas(struct inotify_event) char events[16384];
	ssize_t len;

	while ((len = read(files->fd, events, sizeof(events))) > 0) {
		ssize_t at = 0;

		while (at < len) {
			const struct inotify_event *event = (const void *)(events + at);

			if ((event->mask & IN_Q_OVERFLOW) != 0)
				return EOVERFLOW; /* ours may have been among the lost ones */
			hear(files, event);
			at += (ssize_t)(sizeof(*event) + event->len);
		}
	}
	return len < 0 && errno != EAGAIN && errno != EINTR ? errno : 0;
}

const char *wait_files_missing(const struct wait_files *files)
{
	for (size_t i = 0; i < files->num_files; i++) {
		if (!files->files[i].is_there)
			return files->files[i].path;
	}
	return NULL;
}
