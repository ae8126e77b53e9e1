/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of the JSON file. */
#include "argp/argp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Far above any configuration, far below what would hurt. */
#define MAX_FILE_BYTES ((size_t)4 << 20)

/* Read to the end, or until the buffer is full. Negative errno on error. */
static ssize_t read_all(int fd, char *bytes, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t got = read(fd, bytes + len, size - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	return (ssize_t)len;
}

/* Takes over fd. */
static doca_error_t load(const struct parser *parser, const char *path, int fd, char **text,
			 size_t *len)
{
	char *bytes =
		calloc(1, MAX_FILE_BYTES + 2); /* one to see that there is more, and the NUL */
	ssize_t got = bytes == NULL ? 0 : read_all(fd, bytes, MAX_FILE_BYTES + 1);

	close(fd);
	if (bytes == NULL) {
		input_error(parser, "%s: out of memory", path);
		return DOCA_ERROR_NO_MEMORY;
	}
	if (got < 0 || (size_t)got > MAX_FILE_BYTES) {
		free(bytes);
		errno = got < 0 ? (int)-got : EFBIG;
		input_error(parser, "%s: the JSON file cannot be read: %m", path);
		return DOCA_ERROR_IO_FAILED;
	}
	*text = bytes;
	*len = (size_t)got;
	return DOCA_SUCCESS;
}

doca_error_t json_file_load(const struct parser *parser, const char *path, char **text, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		input_error(parser, "%s: the JSON file cannot be opened: %m", path);
		return DOCA_ERROR_IO_FAILED;
	}
	return load(parser, path, fd, text, len);
}
