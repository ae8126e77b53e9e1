/* SPDX-License-Identifier: Apache-2.0 */
/* Looked for in /proc: which file the mappings are of, then a descriptor of that file. */
#include "peer/shared_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer/mappings.h"

#define WRITE_SEALS (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)

/* Whether the mapping goes on, from that address, with the file found so far. */
static bool continues(const struct mapping *mapping, uint64_t at, uint64_t first, bool is_writable,
		      const struct shared_file *file)
{
	if (mapping->start > at || !mapping->is_readable || !mapping->is_shared ||
	    (is_writable && !mapping->is_writable))
		return false;
	if (at == first)
		return true;
	return mapping->dev == file->dev && mapping->ino == file->ino &&
	       mapping->offset + (at - mapping->start) == file->offset + (at - first);
}

/* The file whose consecutive mappings hold the range, without its descriptor. */
static int find_mappings(uint64_t first, uint64_t end, bool is_writable, struct shared_file *file)
{
	struct mappings mappings;
	struct mapping mapping;
	uint64_t at = first;
	int error = mappings_open(&mappings);

	if (error != 0)
		return error;
	while (at < end && mappings_next(&mappings, at, &mapping)) {
		if (!continues(&mapping, at, first, is_writable, file))
			break;
		if (at == first) {
			file->dev = mapping.dev;
			file->ino = mapping.ino;
			file->offset = mapping.offset + (at - mapping.start);
		}
		at = mapping.end;
	}
	mappings_close(&mappings);
	return at >= end ? 0 : -ENOENT;
}

static bool is_heap(int fd)
{
	char path[32];
	char link[sizeof(SHARED_FILE_HEAP)];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = readlink(path, link, sizeof(SHARED_FILE_HEAP) - 1);
	return len == sizeof(SHARED_FILE_HEAP) - 1 &&
	       memcmp(link, SHARED_FILE_HEAP, (size_t)len) == 0;
}

bool shared_file_is_sealed_for(int fd, bool is_writable)
{
	int seals = fcntl(fd, F_GET_SEALS);

	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
		return false;
	return is_writable == ((seals & WRITE_SEALS) == 0);
}

/* The descriptor is of that file, and an importer may have it. */
static bool is_usable(int fd, bool is_writable, const struct shared_file *file)
{
	struct stat stat;

	if (fstat(fd, &stat) != 0 || stat.st_dev != file->dev || stat.st_ino != file->ino)
		return false;
	if (is_writable && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR)
		return false;
	if (shared_file_is_sealed_for(fd, is_writable))
		return true;
	return !is_writable && shared_file_is_sealed_for(fd, true) && is_heap(fd) &&
	       fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0;
}

/* Another thread may close and open descriptors meanwhile: what counts is what the new one is of.
 */
static int take_if_usable(int fd, bool is_writable, const struct shared_file *file)
{
	int taken;

	if (!is_usable(fd, is_writable, file))
		return -ENOENT;
	taken = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (taken < 0)
		return errno == EBADF ? -ENOENT : -errno;
	if (is_usable(taken, is_writable, file))
		return taken;
	close(taken);
	return -ENOENT;
}

int shared_file_find(const void *addr, size_t len_bytes, bool is_writable, struct shared_file *file)
{
	uint64_t first = (uintptr_t)addr;
	struct shared_file found = {.fd = -ENOENT};
	const struct dirent *entry;
	DIR *dir;
	int error = find_mappings(first, first + len_bytes, is_writable, &found);

	if (error != 0)
		return error;
	dir = opendir("/proc/self/fd");
	if (dir == NULL)
		return -errno;
	while (found.fd == -ENOENT && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			found.fd = take_if_usable((int)strtol(entry->d_name, NULL, 10), is_writable,
						  &found);
	closedir(dir);
	if (found.fd < 0)
		return found.fd;
	*file = found;
	return 0;
}
