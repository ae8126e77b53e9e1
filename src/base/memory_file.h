/* SPDX-License-Identifier: Apache-2.0 */
/* A file in memory that is shared with processes which are not trusted. */
#ifndef BASE_MEMORY_FILE_H_
#define BASE_MEMORY_FILE_H_

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* What others who have the file could do: take memory away, or keep the rest from its owner. */
#define MEMORY_FILE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/*
 * A new one of zeros, with those seals or 0; negative errno. -EFBIG: it would be longer than the
 * program's files may be (RLIMIT_FSIZE), which the kernel would end it for with SIGXFSZ.
 */
static inline int memory_file_create(const char *name, size_t len_bytes, int seals)
{
	struct rlimit limit;
	int error;
	int fd;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < len_bytes)
		return -EFBIG;
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)len_bytes) == 0 &&
	    (seals == 0 || fcntl(fd, F_ADD_SEALS, seals) == 0))
		return fd;
	error = -errno;
	close(fd);
	return error;
}

#endif /* BASE_MEMORY_FILE_H_ */
