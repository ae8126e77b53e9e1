/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The preloaded heap: stands in front of the C library's allocator and of mmap(). Large blocks are
 * memory files (block.h); all else, and what there is no room for, is what it was without.
 */
#include "block.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGE (64 * 1024)
#define EXPORT __attribute__((visibility("default")))

/* By the names under which the C library has them for who stands in front. */
void *libc_malloc(size_t size) __asm__("__libc_malloc");
void *libc_calloc(size_t count, size_t size) __asm__("__libc_calloc");
void *libc_realloc(void *addr, size_t size) __asm__("__libc_realloc");
void *libc_memalign(size_t alignment, size_t size) __asm__("__libc_memalign");
void libc_free(void *addr) __asm__("__libc_free");

/* The allocator behind us, which need not be the C library's. Until it is known the C library's
 * serves: looking for it may allocate. */
static struct {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *addr, size_t size);
	void *(*memalign)(size_t alignment, size_t size);
	void (*free)(void *addr);
	size_t (*malloc_usable_size)(void *addr);
} next = {libc_malloc, libc_calloc, libc_realloc, libc_memalign, libc_free, NULL};

static bool is_begun;

static void look_up(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (found != NULL)
		memcpy(function, &found, sizeof(found));
}

/* Above what select() can take, and never more than half of the descriptors. */
static void share_descriptors(void)
{
	struct rlimit limit;
	size_t num;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	num = limit.rlim_cur < 2 * MAX_BLOCKS ? limit.rlim_cur : 2 * MAX_BLOCKS;
	block_setup(num / 2, num > 2048 ? 1024 : (int)(num / 2));
}

/* At the first call of all, which is made before there is a second thread: making one allocates. */
static void begin(void)
{
	int saved = errno;

	if (is_begun)
		return;
	is_begun = true;
	look_up("malloc", &next.malloc);
	look_up("calloc", &next.calloc);
	look_up("realloc", &next.realloc);
	look_up("memalign", &next.memalign);
	look_up("free", &next.free);
	look_up("malloc_usable_size", &next.malloc_usable_size);
	share_descriptors();
	errno = saved;
}

__attribute__((constructor)) static void begin_with_fork(void)
{
	begin();
	pthread_atfork(block_fork_prepare, block_fork_parent, block_fork_child);
}

/* NULL: it is for the allocator behind us, also to refuse. */
static void *take(size_t alignment, size_t size)
{
	begin();
	if (size < LARGE || (alignment & (alignment - 1)) != 0)
		return NULL;
	return block_map(BLOCK_OF_MALLOC, NULL, size, alignment, 0);
}

static void give_back(void *addr, size_t size)
{
	int saved = errno;

	block_munmap(addr, size);
	errno = saved;
}

EXPORT void *malloc(size_t size)
{
	void *addr = take(0, size);

	return addr != NULL ? addr : next.malloc(size);
}

EXPORT void free(void *addr)
{
	size_t size = block_size(addr);

	begin();
	if (size != 0)
		give_back(addr, size);
	else
		next.free(addr);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t total;
	void *addr = NULL;

	if (!__builtin_mul_overflow(count, size, &total))
		addr = take(0, total);
	return addr != NULL ? addr : next.calloc(count, size);
}

/* From the allocator behind us. */
static void *grow_into_block(void *addr, size_t size)
{
	void *target = take(0, size);
	size_t old;

	if (target == NULL)
		return next.realloc(addr, size);
	if (addr == NULL)
		return target;
	old = next.malloc_usable_size(addr);
	memcpy(target, addr, old < size ? old : size);
	next.free(addr);
	return target;
}

EXPORT void *realloc(void *addr, size_t size)
{
	size_t old = block_size(addr);
	size_t kept;
	void *target;

	if (old == 0)
		return grow_into_block(addr, size);
	if (size == 0) {
		give_back(addr, old);
		return NULL;
	}
	/* Its file keeps its size, so less than half of it is worth a copy. */
	kept = size > old ? 0 : (size + (size_t)getpagesize() - 1) & -(size_t)getpagesize();
	if (size >= LARGE && kept >= old / 2) {
		if (kept < old)
			give_back((char *)addr + kept, old - kept);
		return addr;
	}
	target = malloc(size);
	if (target == NULL)
		return kept != 0 ? addr : NULL;
	memcpy(target, addr, old < size ? old : size);
	give_back(addr, old);
	return target;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	void *addr = take(alignment, size);

	return addr != NULL ? addr : next.memalign(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

EXPORT int posix_memalign(void **target, size_t alignment, size_t size)
{
	int saved = errno;
	void *addr;

	if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
		return EINVAL;
	addr = memalign(alignment, size);
	errno = saved;
	if (addr == NULL)
		return ENOMEM;
	*target = addr;
	return 0;
}

EXPORT void *valloc(size_t size)
{
	return memalign((size_t)getpagesize(), size);
}

EXPORT void *pvalloc(size_t size)
{
	size_t rest = (size_t)getpagesize() - 1;

	return valloc(size > SIZE_MAX - rest ? size : (size + rest) & ~rest);
}

EXPORT size_t malloc_usable_size(void *addr)
{
	size_t size = block_size(addr);

	begin();
	return size != 0 ? size : next.malloc_usable_size(addr);
}

/* Memory that a program means to read and write, wherever it is. What is only reserved, code, and
 * stacks are no one's buffers. */
static bool is_buffer(size_t len_bytes, int prot, int flags)
{
	return len_bytes >= LARGE && prot == (PROT_READ | PROT_WRITE) &&
	       (flags & ~(MAP_NORESERVE | MAP_POPULATE)) == (MAP_PRIVATE | MAP_ANONYMOUS);
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *got = NULL;

	begin();
	if (is_buffer(len, prot, flags))
		got = block_map(BLOCK_OF_MMAP, addr, len, 0,
				flags & (MAP_NORESERVE | MAP_POPULATE));
	return got != NULL ? got : block_mmap(addr, len, prot, flags, fd, offset);
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t offset)
{
	return mmap(addr, len, prot, flags, fd, offset);
}

EXPORT int munmap(void *addr, size_t len)
{
	return block_munmap(addr, len);
}

EXPORT int mprotect(void *addr, size_t len, int prot)
{
	return block_mprotect(addr, len, prot);
}

EXPORT int madvise(void *addr, size_t len, int advice)
{
	return block_madvise(addr, len, advice);
}

EXPORT void *mremap(void *addr, size_t old_len, size_t new_len, int flags, ...)
{
	void *fixed = NULL;
	va_list arguments;

	if ((flags & MREMAP_FIXED) != 0) {
		va_start(arguments, flags);
		fixed = va_arg(arguments, void *);
		va_end(arguments);
	}
	return block_mremap(addr, old_len, new_len, flags, fixed);
}
