/* SPDX-License-Identifier: Apache-2.0 */
/* The source of a copy: a regular file, read front to back. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "interrupt.h"
#include "report.h"

bool source_open(struct source_file *source, const char *path)
{
	source->path = path;
	/* O_NONBLOCK: the open of a named pipe must not wait for its writer. */
	source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (source->fd < 0) {
		complain("cannot open source %s: %m", path);
		return false;
	}
	if (fstat(source->fd, &source->info) != 0) {
		complain("cannot look at source %s: %m", path);
		goto close_file;
	}
	if (S_ISDIR(source->info.st_mode)) {
		complain("source %s is a directory: name a file", path);
		goto close_file;
	}
	if (!S_ISREG(source->info.st_mode)) {
		complain("source %s is not a regular file", path);
		goto close_file;
	}
	source->len = (uint64_t)source->info.st_size;
	return true;

close_file:
	source_close(source);
	return false;
}

bool source_read(struct source_file *source, void *bytes, size_t len, size_t *got)
{
	return file_read(source->fd, source->path, bytes, len, got);
}

bool source_rewind(struct source_file *source)
{
	if (lseek(source->fd, 0, SEEK_SET) == 0)
		return true;
	complain("cannot go back to the start of source %s: %m", source->path);
	return false;
}

bool source_unchanged(const struct source_file *source)
{
	const struct stat *old = &source->info;
	struct stat now;

	if (fstat(source->fd, &now) != 0) {
		complain("cannot look at source %s: %m", source->path);
		return false;
	}
	if (now.st_size == old->st_size && now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == old->st_mtim.tv_nsec)
		return true;
	complain("source %s changed while it was copied", source->path);
	return false;
}

void source_close(struct source_file *source)
{
	close(source->fd);
	source->fd = -1;
}

bool file_read(int fd, const char *path, void *bytes, size_t len, size_t *got)
{
	size_t done = 0;

	if (interrupt_waits()) {
		complain("interrupted while reading %s", path);
		return false;
	}
	while (done < len) {
		ssize_t result = read(fd, (char *)bytes + done, len - done);

		if (result == 0)
			break;
		if (result > 0) {
			done += (size_t)result;
		} else if (errno != EINTR) {
			complain("cannot read %s: %m", path);
			return false;
		}
	}
	*got = done;
	return true;
}
