/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON file of the command line. */
#include "argp/argp.h"

#include <errno.h>
#include <fcntl.h>

doca_error_t json_file_load(const struct parser *parser, const char *path, char **text, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = fd < 0 ? -errno : json_text_load(fd, text, len);

	if (error == 0)
		return DOCA_SUCCESS;
	if (error == -ENOMEM) {
		input_error(parser, "%s: out of memory", path);
		return DOCA_ERROR_NO_MEMORY;
	}
	errno = -error;
	input_error(parser, "%s: the JSON file cannot be %s: %m", path, fd < 0 ? "opened" : "read");
	return DOCA_ERROR_IO_FAILED;
}
