/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of blocks. System calls are made directly: the functions of their names are those that
 * this library stands in front of, and close() would be a cancellation point inside of free().
 *
 * A range is mapped before it enters the table and unmapped under the lock that takes it out, so
 * that a range which another thread got from the kernel is never still in the table for it.
 */
#include "block.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ_WRITE (PROT_READ | PROT_WRITE)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)

struct block {
	uintptr_t start;
	uintptr_t end;
	off_t offset; /* of start, in the file */
	ino_t inode;  /* whether fd is still this file: a program may close what it does not know */
	int fd;
	enum block_kind kind;
	bool has_twin;	   /* another block may be of the same file */
	bool is_protected; /* not all of it is known to be readable and writable */
	bool is_inherited; /* of the parent's; this child's own copy, unless is_protected */
};

/* Recursive: another handler of fork may allocate after ours took it. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct block blocks[MAX_BLOCKS]; /* the used ones sorted by address, disjoint */
static size_t num_blocks;
static size_t max_blocks;
static int first_fd;

static void *sys_mmap(uintptr_t addr, size_t len_bytes, int prot, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, addr, len_bytes, prot, flags, fd, offset);
}

static int sys_munmap(uintptr_t addr, size_t len_bytes)
{
	return (int)syscall(SYS_munmap, addr, len_bytes);
}

static size_t page_bytes(void)
{
	return (size_t)getpagesize();
}

static size_t round_up(size_t size, size_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

/* --- the table, its lock held -------------------------------------------------------------- */

/* The first block that ends above the address. */
static size_t find(uintptr_t addr)
{
	size_t low = 0;
	size_t high = num_blocks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (blocks[middle].end > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool overlaps(size_t index, uintptr_t end)
{
	return index < num_blocks && blocks[index].start < end;
}

static void insert(size_t index, const struct block *block)
{
	memmove(&blocks[index + 1], &blocks[index], (num_blocks - index) * sizeof(*block));
	blocks[index] = *block;
	num_blocks++;
}

static bool file_is_shared(const struct block *block)
{
	size_t users = 0;

	for (size_t i = 0; i < num_blocks; i++)
		users += blocks[i].inode == block->inode;
	return users > 1;
}

static bool file_is_open(const struct block *block)
{
	struct stat status;

	return fstat(block->fd, &status) == 0 && status.st_ino == block->inode;
}

static void drop(size_t index)
{
	struct block *block = &blocks[index];

	if ((!block->has_twin || !file_is_shared(block)) && file_is_open(block))
		syscall(SYS_close, block->fd);
	num_blocks--;
	memmove(block, block + 1, (num_blocks - index) * sizeof(*block));
}

/* Whether nothing of the range can leave the table, for want of a place for what remains. */
static bool is_stuck(uintptr_t start, uintptr_t end)
{
	size_t index = find(start);

	return num_blocks == MAX_BLOCKS && overlaps(index, end) && blocks[index].start < start &&
	       blocks[index].end > end;
}

/* A hole in a block makes two of it. */
static void split(size_t index, uintptr_t start, uintptr_t end)
{
	struct block above = blocks[index];

	above.offset += (off_t)(end - above.start);
	above.start = end;
	above.has_twin = true;
	blocks[index].end = start;
	blocks[index].has_twin = true;
	insert(index + 1, &above);
}

/* The range is no longer ours. */
static void forget(uintptr_t start, uintptr_t end)
{
	size_t index = find(start);

	while (overlaps(index, end)) {
		struct block *block = &blocks[index];

		if (block->start >= start && block->end <= end) {
			drop(index);
		} else if (block->start >= start) {
			block->offset += (off_t)(end - block->start);
			block->start = end;
		} else if (block->end <= end) {
			block->end = start;
			index++;
		} else {
			split(index, start, end);
		}
	}
}

/* --- making blocks ------------------------------------------------------------------------- */

void block_setup(size_t limit, int lowest_fd)
{
	max_blocks = limit < MAX_BLOCKS ? limit : MAX_BLOCKS;
	first_fd = lowest_fd;
}

/* A memory file of fixed size, at a high number: low ones are what programs count on. */
static int file_open(size_t len_bytes, ino_t *inode)
{
	struct stat status;
	int low = memfd_create("softdoca-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int fd;

	if (low < 0)
		return -1;
	fd = fcntl(low, F_DUPFD_CLOEXEC, first_fd);
	syscall(SYS_close, low);
	if (fd < 0)
		return -1;
	if (ftruncate(fd, (off_t)len_bytes) != 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0 || fstat(fd, &status) != 0) {
		syscall(SYS_close, fd);
		return -1;
	}
	*inode = status.st_ino;
	return fd;
}

/* The range is taken as ordinary memory first: there the kernel says what is too much, as it does
 * to malloc() and mmap(), and there is room to align in. Returns 0 when there is none. */
static uintptr_t file_map(int fd, uintptr_t hint, size_t len_bytes, size_t alignment, int flags)
{
	size_t extra = alignment > page_bytes() ? alignment : 0;
	size_t room = len_bytes + extra;
	uintptr_t got = (uintptr_t)sys_mmap(hint, room, READ_WRITE,
					    ANONYMOUS | (flags & MAP_NORESERVE), -1, 0);
	uintptr_t start;

	if (got == (uintptr_t)MAP_FAILED)
		return 0;
	start = extra == 0 ? got : round_up(got, alignment);
	if (sys_mmap(start, len_bytes, READ_WRITE, MAP_SHARED | MAP_FIXED | flags, fd, 0) ==
	    MAP_FAILED) {
		sys_munmap(got, room);
		return 0;
	}
	if (start > got)
		sys_munmap(got, start - got);
	if (got + room > start + len_bytes)
		sys_munmap(start + len_bytes, got + room - start - len_bytes);
	return start;
}

static bool is_full(void)
{
	bool answer;

	pthread_mutex_lock(&lock);
	answer = num_blocks >= max_blocks;
	pthread_mutex_unlock(&lock);
	return answer;
}

static bool enter(const struct block *block)
{
	bool has_room;

	pthread_mutex_lock(&lock);
	has_room = num_blocks < max_blocks;
	if (has_room)
		insert(find(block->start), block);
	pthread_mutex_unlock(&lock);
	return has_room;
}

void *block_map(enum block_kind kind, void *hint, size_t len_bytes, size_t alignment, int flags)
{
	struct block block = {.kind = kind};

	if (len_bytes == 0 || len_bytes > PTRDIFF_MAX / 4 || alignment > PTRDIFF_MAX / 4)
		return NULL;
	if (is_full()) /* it may become so until enter(), which asks again */
		return NULL;
	len_bytes = round_up(len_bytes, page_bytes());
	block.fd = file_open(len_bytes, &block.inode);
	if (block.fd < 0)
		return NULL;
	block.start = file_map(block.fd, (uintptr_t)hint, len_bytes, alignment, flags);
	if (block.start == 0)
		goto close_file;
	block.end = block.start + len_bytes;
	if (!enter(&block))
		goto unmap;
	return (void *)block.start;

unmap:
	sys_munmap(block.start, len_bytes);
close_file:
	syscall(SYS_close, block.fd);
	return NULL;
}

size_t block_size(const void *addr)
{
	uintptr_t start = (uintptr_t)addr;
	size_t size = 0;
	size_t index;

	/* Nearly all that is freed is not ours and not at a page's beginning. */
	if (start == 0 || (start & (page_bytes() - 1)) != 0)
		return 0;
	pthread_mutex_lock(&lock);
	index = find(start);
	if (overlaps(index, start + 1) && blocks[index].start == start &&
	    blocks[index].kind == BLOCK_OF_MALLOC)
		size = blocks[index].end - start;
	pthread_mutex_unlock(&lock);
	return size;
}

/* --- the system calls ---------------------------------------------------------------------- */

void *block_mmap(void *addr, size_t len_bytes, int prot, int flags, int fd, long offset)
{
	uintptr_t start = (uintptr_t)addr;
	uintptr_t end = start + round_up(len_bytes, page_bytes());
	void *got = MAP_FAILED;

	if ((flags & MAP_FIXED) == 0)
		return sys_mmap(start, len_bytes, prot, flags, fd, offset);
	/* It replaces what was there. */
	pthread_mutex_lock(&lock);
	if (is_stuck(start, end))
		errno = ENOMEM;
	else
		got = sys_mmap(start, len_bytes, prot, flags, fd, offset);
	if (got != MAP_FAILED)
		forget(start, end);
	pthread_mutex_unlock(&lock);
	return got;
}

int block_munmap(void *addr, size_t len_bytes)
{
	uintptr_t start = (uintptr_t)addr;
	uintptr_t end = start + round_up(len_bytes, page_bytes());
	int result = -1;

	pthread_mutex_lock(&lock);
	if (is_stuck(start, end))
		errno = ENOMEM;
	else
		result = sys_munmap(start, len_bytes);
	if (result == 0)
		forget(start, end);
	pthread_mutex_unlock(&lock);
	return result;
}

int block_mprotect(void *addr, size_t len_bytes, int prot)
{
	uintptr_t start = (uintptr_t)addr;
	uintptr_t end = start + len_bytes;
	int result = (int)syscall(SYS_mprotect, addr, len_bytes, prot);

	if (prot == READ_WRITE)
		return result;
	pthread_mutex_lock(&lock);
	for (size_t i = find(start); overlaps(i, end); i++)
		blocks[i].is_protected = true;
	pthread_mutex_unlock(&lock);
	return result;
}

/* What an allocator that tells MADV_DONTNEED counts on: the pages are zero afterwards. The file has
 * a hole then, unless it is sealed against writing, as softdoca does to what may only be read. */
static void make_zero(const struct block *block, uintptr_t start, uintptr_t end)
{
	if (start < block->start)
		start = block->start;
	if (end > block->end)
		end = block->end;
	if (!block->is_inherited && file_is_open(block) &&
	    syscall(SYS_fallocate, block->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		    block->offset + (off_t)(start - block->start), (off_t)(end - start)) == 0)
		return;
	if (!block->is_protected)
		memset((void *)start, 0, end - start);
}

int block_madvise(void *addr, size_t len_bytes, int advice)
{
	uintptr_t start = (uintptr_t)addr;
	uintptr_t end = start + round_up(len_bytes, page_bytes());
	int result = (int)syscall(SYS_madvise, addr, len_bytes, advice);

	if (result != 0 || advice != MADV_DONTNEED)
		return result;
	pthread_mutex_lock(&lock);
	for (size_t i = find(start); overlaps(i, end); i++)
		make_zero(&blocks[i], start, end);
	pthread_mutex_unlock(&lock);
	return result;
}

/* New memory with the old contents; the old memory is gone. */
static void *move(void *addr, size_t old_bytes, size_t new_bytes, void *fixed)
{
	void *target = NULL;

	if (fixed == NULL)
		target = block_map(BLOCK_OF_MMAP, NULL, new_bytes, 0, 0);
	if (target == NULL)
		target = block_mmap(fixed, new_bytes, READ_WRITE,
				    ANONYMOUS | (fixed == NULL ? 0 : MAP_FIXED), -1, 0);
	if (target == MAP_FAILED)
		return MAP_FAILED;
	syscall(SYS_mprotect, addr, old_bytes, READ_WRITE); /* it may not even be readable */
	memcpy(target, addr, old_bytes < new_bytes ? old_bytes : new_bytes);
	block_munmap(addr, old_bytes);
	return target;
}

static void *fail(int error)
{
	errno = error;
	return MAP_FAILED;
}

/* The kernel's own words for what is wrong. */
static void *remap_block(char *addr, size_t old_bytes, size_t new_bytes, int flags, char *fixed)
{
	bool is_fixed = (flags & MREMAP_FIXED) != 0;

	if (old_bytes == 0 || new_bytes == 0 || (flags & ~(MREMAP_FIXED | MREMAP_MAYMOVE)) != 0 ||
	    flags == MREMAP_FIXED)
		return fail(EINVAL);
	if (is_fixed) {
		if (((uintptr_t)fixed & (page_bytes() - 1)) != 0 ||
		    (fixed < addr + old_bytes && addr < fixed + new_bytes))
			return fail(EINVAL);
		return move(addr, old_bytes, new_bytes, fixed);
	}
	if (new_bytes < old_bytes && block_munmap(addr + new_bytes, old_bytes - new_bytes) != 0)
		return MAP_FAILED;
	if (new_bytes <= old_bytes)
		return addr;
	return (flags & MREMAP_MAYMOVE) == 0 ? fail(ENOMEM)
					     : move(addr, old_bytes, new_bytes, NULL);
}

/* Memory that is not ours, but may be moved onto what is. */
static void *remap_other(void *addr, size_t old_bytes, size_t new_bytes, int flags, void *fixed)
{
	uintptr_t start = (uintptr_t)fixed;
	uintptr_t end = start + new_bytes;
	void *got;

	if ((flags & MREMAP_FIXED) == 0)
		start = end = 0;
	pthread_mutex_lock(&lock);
	if (is_stuck(start, end))
		got = fail(ENOMEM);
	else
		got = (void *)syscall(SYS_mremap, addr, old_bytes, new_bytes, flags, fixed);
	if (got != MAP_FAILED)
		forget(start, end);
	pthread_mutex_unlock(&lock);
	return got;
}

void *block_mremap(void *addr, size_t old_bytes, size_t new_bytes, int flags, void *new_addr)
{
	uintptr_t start = (uintptr_t)addr;
	uintptr_t end = 0;
	size_t index;

	old_bytes = round_up(old_bytes, page_bytes());
	new_bytes = round_up(new_bytes, page_bytes());
	pthread_mutex_lock(&lock);
	index = find(start);
	if (overlaps(index, start + 1))
		end = blocks[index].end;
	pthread_mutex_unlock(&lock);
	if (end == 0 || (start & (page_bytes() - 1)) != 0)
		return remap_other(addr, old_bytes, new_bytes, flags, new_addr);
	if (old_bytes > end - start)
		return fail(EFAULT);
	return remap_block(addr, old_bytes, new_bytes, flags, new_addr);
}

/* --- fork ---------------------------------------------------------------------------------- */

void block_fork_prepare(void)
{
	pthread_mutex_lock(&lock);
}

void block_fork_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* What the child writes must not reach the parent. A mapping keeps its protection only when it is
 * made anew by who knows it, so what a program protected stays shared. */
void block_fork_child(void)
{
	static const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

	lock = fresh; /* its owner was a thread of the parent */
	for (size_t i = 0; i < num_blocks; i++) {
		struct block *block = &blocks[i];

		if (block->is_inherited)
			continue; /* the file has not what this process wrote */
		block->is_inherited = true;
		if (!block->is_protected &&
		    (!file_is_open(block) ||
		     sys_mmap(block->start, block->end - block->start, READ_WRITE,
			      MAP_PRIVATE | MAP_FIXED, block->fd, block->offset) == MAP_FAILED))
			block->is_protected = true;
	}
}
