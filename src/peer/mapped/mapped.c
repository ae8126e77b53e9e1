/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between ours and the exporter's memory file, inside submit. */
#include "peer/mapped/mapped.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/size.h"
#include "copy/copy.h"

struct mapped_region {
	struct peer_region region;
	struct attachment attachment;
	uint8_t *memory; /* of the range, here */
	void *mapping;	 /* owned; NULL: the memory is ours; begins at or before it, at a page's
			    beginning */
	size_t mapping_bytes;
};

static struct mapped_region *mapped_of(struct peer_region *region)
{
	return (struct mapped_region *)region;
}

static uint8_t *memory_of(const struct mapped_region *mapped, const struct iovec *remote)
{
	return mapped->memory + ((uintptr_t)remote->iov_base - (uintptr_t)mapped->region.addr);
}

static void copy(const struct peer_io *io, uint8_t *local, uint8_t *remote, size_t len_bytes)
{
	/* Of an own export both may be the same memory. */
	if (io->is_write)
		copy_bytes(io->history, remote, local, len_bytes);
	else
		copy_bytes(io->history, local, remote, len_bytes);
}

static void copy_lists(const struct mapped_region *mapped, const struct peer_io *io)
{
	size_t local_done = 0; /* bytes of the current pieces */
	size_t remote_done = 0;
	uint32_t local = 0;
	uint32_t remote = 0;

	while (local < io->num_local && remote < io->num_remote) {
		size_t local_left = io->local[local].iov_len - local_done;
		size_t remote_left = io->remote[remote].iov_len - remote_done;
		size_t len_bytes = min_size(local_left, remote_left);

		copy(io, (uint8_t *)io->local[local].iov_base + local_done,
		     memory_of(mapped, &io->remote[remote]) + remote_done, len_bytes);
		local_done += len_bytes;
		remote_done += len_bytes;
		if (len_bytes == local_left) {
			local++;
			local_done = 0;
		}
		if (len_bytes == remote_left) {
			remote++;
			remote_done = 0;
		}
	}
}

static void copy_all(const struct mapped_region *mapped, const struct peer_io *io)
{
	bool is_single = io->num_local == 1 && io->num_remote == 1;

	if (is_single && io->local[0].iov_len == io->remote[0].iov_len)
		copy(io, io->local[0].iov_base, memory_of(mapped, &io->remote[0]),
		     io->local[0].iov_len);
	else
		copy_lists(mapped, io);
}

static void mapped_submit(struct peer_region *region, struct peer_io *io)
{
	const struct mapped_region *mapped = mapped_of(region);
	doca_error_t status = peer_check(region, io);
	enum control_verdict verdict;

	if (status == DOCA_SUCCESS) {
		activity_begin(io->activity, mapped->attachment.answer.tag);
		verdict = attach_check(&mapped->attachment);
		if (verdict == CONTROL_ALIVE)
			copy_all(mapped, io);
		else
			status = attach_status(verdict);
		activity_end(io->activity);
	}
	peer_io_finish(io, status);
}

static void mapped_close(struct peer_region *region)
{
	struct mapped_region *mapped = mapped_of(region);

	if (mapped->mapping != NULL)
		munmap(mapped->mapping, mapped->mapping_bytes);
	attach_close(&mapped->attachment);
	free(mapped);
}

static void stay_orphan(struct peer_region *region)
{
}

static const struct peer_ops mapped_orphan_ops = {
	.name = "mapped",
	.submit = peer_submit_orphaned,
	.orphan = stay_orphan,
	.close = mapped_close,
};

static void mapped_orphan(struct peer_region *region)
{
	attach_leave(&mapped_of(region)->attachment);
	region->ops = &mapped_orphan_ops;
}

static const struct peer_ops mapped_ops = {
	.name = "mapped",
	.submit = mapped_submit,
	.orphan = mapped_orphan,
	.close = mapped_close,
};

/*
 * Whether every access to the range will find memory, whatever the exporter does. A file that may
 * shrink would be a SIGBUS here; one in huge pages may lose them to a hole, and find no others.
 * NULL, or why not.
 */
static const char *find_danger(int fd, uint64_t offset, uint64_t len_bytes)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct statfs system;
	struct stat file;

	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
		return "the range is in a file that is not sealed against shrinking";
	if (fstat(fd, &file) != 0 || fstatfs(fd, &system) != 0)
		return "the exporter's file cannot be looked at";
	if ((unsigned long)system.f_type == HUGETLBFS_MAGIC)
		return "the range is in huge pages, which may run out";
	if (offset > (uint64_t)file.st_size || len_bytes > (uint64_t)file.st_size - offset)
		return "the range is not all in the exporter's file";
	return NULL;
}

static doca_error_t map(struct mapped_region *mapped, const char **why)
{
	uint64_t offset = mapped->attachment.answer.file_offset;
	uint64_t before_bytes = offset % (uint64_t)sysconf(_SC_PAGESIZE);
	int prot = PROT_READ | (mapped->region.is_writable ? PROT_WRITE : 0);

	mapped->mapping_bytes = before_bytes + mapped->region.len_bytes;
	mapped->mapping = mmap(NULL, mapped->mapping_bytes, prot, MAP_SHARED,
			       mapped->attachment.file_fd, (off_t)(offset - before_bytes));
	if (mapped->mapping == MAP_FAILED && errno == ENOMEM) {
		*why = "no memory to map the exporter's file";
		return DOCA_ERROR_NO_MEMORY;
	}
	if (mapped->mapping == MAP_FAILED) {
		*why = "the exporter's file does not let the range be mapped";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	mapped->memory = (uint8_t *)mapped->mapping + before_bytes;
	return DOCA_SUCCESS;
}

doca_error_t mapped_open(const struct export_descriptor *descriptor, struct attachment *attachment,
			 struct peer_region **region, const char **why)
{
	const bool is_own = attachment->pid == getpid() && attachment->bell_fd < 0;
	struct mapped_region *mapped;
	doca_error_t result = DOCA_SUCCESS;

	if (!is_own) {
		*why = "the range is not in a memory file sealed against shrinking";
		if (attachment->file_fd < 0)
			return DOCA_ERROR_NOT_SUPPORTED;
		*why = find_danger(attachment->file_fd, attachment->answer.file_offset,
				   descriptor->len_bytes);
		if (*why != NULL)
			return DOCA_ERROR_NOT_SUPPORTED;
	}
	mapped = calloc(1, sizeof(*mapped));
	if (mapped == NULL) {
		*why = "no memory for the region";
		return DOCA_ERROR_NO_MEMORY;
	}
	peer_region_init(&mapped->region, &mapped_ops, descriptor);
	mapped->attachment = *attachment;
	mapped->memory = mapped->region.addr;
	if (!is_own)
		result = map(mapped, why);
	if (result != DOCA_SUCCESS) {
		free(mapped);
		return result;
	}
	attach_drop_file(&mapped->attachment); /* the mapping keeps the file */
	*region = &mapped->region;
	return DOCA_SUCCESS;
}

void *mapped_memory(const struct peer_region *region)
{
	return ((const struct mapped_region *)region)->memory;
}

int mapped_bell(const struct peer_region *region)
{
	return ((const struct mapped_region *)region)->attachment.bell_fd;
}

int mapped_life(const struct peer_region *region)
{
	return ((const struct mapped_region *)region)->attachment.fd;
}

doca_error_t mapped_status(const struct peer_region *region)
{
	enum control_verdict verdict;

	if (region->ops != &mapped_ops)
		return DOCA_ERROR_CONNECTION_RESET;
	verdict = attach_check(&((const struct mapped_region *)region)->attachment);
	return verdict == CONTROL_ALIVE ? DOCA_SUCCESS : attach_status(verdict);
}
