/* SPDX-License-Identifier: Apache-2.0 */
/* The control page: a sealed memory file with a robust lock in it. */
#include "peer/control.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory_file.h"

static_assert(sizeof(struct control) <= CONTROL_BYTES, "the slots fit");
static_assert(sizeof(pthread_mutex_t) <= CONTROL_HEAD_BYTES, "the lock fits");
static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t), "a slot is a word");

/* Held from here on by the calling thread, until its end. */
static int take_owner(struct control *control)
{
	pthread_mutexattr_t attr;
	int error;

	error = pthread_mutexattr_init(&attr);
	if (error != 0)
		return -error;
	error = pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	if (error == 0)
		error = pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	if (error == 0)
		error = pthread_mutex_init(&control->owner, &attr);
	if (error == 0)
		error = pthread_mutex_lock(&control->owner);
	pthread_mutexattr_destroy(&attr);
	return -error;
}

/* No importer may shrink it, which would be a fault in the others, nor write to it. */
static int seal(int fd)
{
	if (fcntl(fd, F_ADD_SEALS, MEMORY_FILE_SEALS | F_SEAL_FUTURE_WRITE) == 0)
		return 0;
	/* Before Linux 5.1 nothing keeps an importer from writing what is its peers' too. */
	return errno == EINVAL && fcntl(fd, F_ADD_SEALS, MEMORY_FILE_SEALS) == 0 ? 0 : -errno;
}

int control_create(struct control **control, int *fd)
{
	int file = memory_file_create("softdoca-control", CONTROL_BYTES, 0);
	struct control *page;
	int error;

	if (file < 0)
		return file;
	page = mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (page == MAP_FAILED) {
		error = -errno;
		goto close_file;
	}
	error = seal(file);
	if (error == 0)
		error = take_owner(page);
	if (error != 0)
		goto unmap;
	*control = page;
	*fd = file;
	return 0;

unmap:
	munmap(page, CONTROL_BYTES);
close_file:
	close(file);
	return error;
}

void control_unmap(const struct control *control)
{
	munmap((void *)(uintptr_t)control, CONTROL_BYTES);
}

int control_map(int fd, const struct control **control)
{
	struct stat stat;
	void *page;
	int seals;

	if (fstat(fd, &stat) != 0)
		return -errno;
	seals = fcntl(fd, F_GET_SEALS);
	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || stat.st_size != (off_t)CONTROL_BYTES)
		return -EPROTO;
	page = mmap(NULL, CONTROL_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	*control = page;
	return 0;
}
